"""Faults that are planted in a server process, so that a harness can show that it notices them."""

from typing import Any

from queenhigh.server.admin_store import AdminStore
from queenhigh.server.host import Host
from queenhigh.store.batch import Batch
from queenhigh.store.postgres.writer import PostgresWriter
from queenhigh.store.streams import AT_END, Append

__all__ = ["FAULTS"]


def never_stale() -> None:
    """Take commands however long ago the process last looked which tables it holds."""
    Host.staleness = lambda self: None  # type: ignore[method-assign]


def write_unchecked() -> None:
    """Write at the end of a stream, whatever token and version the writer has."""
    never_stale()
    lease_check = "_check_lease"
    setattr(PostgresWriter, lease_check, lambda self, known, stream: None)
    add = Batch.add

    def add_at_end(self: Batch, appends: tuple[Append, ...]) -> Exception | None:
        return add(self, tuple(append._replace(version=AT_END) for append in appends))

    Batch.add = add_at_end  # type: ignore[method-assign]
    forget_tips()


def forget_tips() -> None:
    """Read the ends of all streams in every transaction."""
    begin: Any = PostgresWriter._begin

    def begin_without_tips(self: Any, db: Any, requests: Any) -> Any:
        vars(self)["_tips"].clear()
        return begin(self, db, requests)

    PostgresWriter._begin = begin_without_tips  # type: ignore[method-assign]


def lose_updates() -> None:
    """Append to wallets without comparing their versions: a lost update."""
    add = Batch.add

    def add_blindly(self: Batch, appends: tuple[Append, ...]) -> Exception | None:
        blind = [
            append._replace(version=AT_END) if append.stream.startswith("wallet/") else append
            for append in appends
        ]
        return add(self, tuple(blind))

    Batch.add = add_blindly  # type: ignore[method-assign]


def act_unguarded() -> None:
    """Log what the floor did even if the staff has changed meanwhile."""
    acted = AdminStore.acted

    def acted_unguarded(self: AdminStore, *args: Any, **values: Any) -> Any:
        return acted(self, *args, **values)._replace(staff=None)

    AdminStore.acted = acted_unguarded  # type: ignore[method-assign]


FAULTS = {
    "act_unguarded": act_unguarded,
    "lose_updates": lose_updates,
    "never_stale": never_stale,
    "write_unchecked": write_unchecked,
}
