"""Standing tables move to the newer edition of their rulebook: the same rules in newer words."""

from collections.abc import Iterable

from queenhigh.rulebook.book import Rulebook
from queenhigh.server.host import Host
from queenhigh.server.ids import fresh_id
from queenhigh.server.live_table import LiveTable
from queenhigh.server.table_spec import TableSpec
from queenhigh.table.commands import FLOOR, ChangeTable

__all__ = ["renew_editions"]


def renew_editions(host: Host, specs: Iterable[tuple[TableSpec, Rulebook]]) -> None:
    """Give standing tables whose rules nobody changed the newer words, between rounds."""
    for spec, book in specs:
        live = host.tables.get(spec.name)
        if live is not None and _is_older(live, book):
            live.change_soon(
                ChangeTable(
                    id=fresh_id("edition"),
                    by=FLOOR,
                    at=host.clock.now(),
                    rulebook=dict(book.document),
                    settings=live.durable.committed.settings,
                    reason=f"{book.name}, version {book.version}: the same rules in newer words",
                )
            )


def _is_older(live: LiveTable, book: Rulebook) -> bool:
    """Return whether a table plays the same rules by an older document, and no change waits."""
    state = live.durable.committed
    is_free = live.change is None and state.announced is None and state.closing is None
    is_same = (state.book.name, state.book.rules_digest) == (book.name, book.rules_digest)
    return is_free and is_same and state.digest != book.digest
