"""The commands: each module declares the options of its commands and runs them."""
