"""Simulations that run: on threads, on a cluster, with a clock, a seed and a policy by its name."""
