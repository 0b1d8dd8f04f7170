"""A room on PostgreSQL: the same streams, bytes and signed head as in a file."""
