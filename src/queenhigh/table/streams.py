"""The names of the streams that tables and wallets are stored in."""

__all__ = ["table_stream", "wallet_stream"]


def table_stream(table: str) -> str:
    """Return the name of a table's stream."""
    return f"table/{table}"


def wallet_stream(player: str) -> str:
    """Return the name of a player's wallet."""
    return f"wallet/{player}"
