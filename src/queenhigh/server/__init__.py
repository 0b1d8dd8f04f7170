"""The room on the network: the only package that is asynchronous."""
