"""Benchmarks: each times real work and proves that it was done. `make bench` runs them all."""
