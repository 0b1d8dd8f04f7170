"""Append-only streams of events: bytes and versions, no games."""
