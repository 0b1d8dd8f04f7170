"""Tests of the settlement desk."""
