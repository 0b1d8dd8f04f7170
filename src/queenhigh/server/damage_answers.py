"""What is answered about tables that are damaged, as types."""

from msgspec import Struct

__all__ = ["AbandonedTable", "DamagedTable"]


class DamagedTable(Struct, frozen=True):
    """A table that cannot go on, and why."""

    table: str
    reason: str


class AbandonedTable(Struct, frozen=True):
    """A damaged table that is closed: cents by player, and players whose wallets are damaged too.

    While there are such players the table stays listed, and can be abandoned again for them.
    """

    table: str
    returned: dict[str, int]
    unpaid: list[str]
