"""Proof of a log: replay, inference of commands, receipts and archives."""
