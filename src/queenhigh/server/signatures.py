"""Reports that people signed, from the floor's log."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType

from queenhigh.history.floor_reports.filters import first_columns
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.floor_responses import Signature
from queenhigh.server.responses import LogEntry
from queenhigh.sheets.printed.letterhead import Signed
from queenhigh.table.staff import staff_sender

__all__ = ["SIGN", "SignedFigures", "columns_of", "signatures", "signatures_of"]

#: The action of the floor's log.
SIGN = "sign report"
#: How many entries of the log are read at once.
_ENTRIES_AT_ONCE = 500


class SignedFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """What an entry of the log says was signed: a report, its filter, the hash of its figures.

    They are the figures of ``columns``; entries of before it was there do not name them.
    """

    report: str
    filter: dict[str, str]
    digest: str
    columns: list[str] | UnsetType = UNSET


def signatures(admin: AdminStore) -> Iterator[Signature]:
    """Yield all signatures, the newest first."""
    for entry in _entries(admin):
        figures = _figures(entry.after) if entry.action == SIGN else None
        if figures is not None:
            name = entry.who.removeprefix(staff_sender(""))
            yield Signature(
                entry.n, entry.at, name, figures.report, figures.filter, figures.digest,
                entry.reason, columns=figures.columns,
            )  # fmt: skip


def signatures_of(admin: AdminStore, report: str, given: dict[str, str]) -> tuple[Signed, ...]:
    """Return the signatures of a report with a complete filter, the oldest first."""
    signed = [
        Signed(each.by, each.at, each.digest, each.note, ",".join(columns_of(each)))
        for each in signatures(admin)
        if (each.report, each.filter) == (report, given)
    ]
    return tuple(reversed(signed))


def columns_of(signed: Signature) -> list[str]:
    """Return the columns whose figures were signed."""
    return signed.columns or first_columns(signed.report, signed.filter)


def _entries(admin: AdminStore) -> Iterator[LogEntry]:
    before = None
    while entries := admin.log_entries(before, _ENTRIES_AT_ONCE):
        yield from entries
        before = entries[-1].n


def _figures(after: Any) -> SignedFigures | None:
    """Return what was signed; ``None`` for an entry that says something else."""
    try:
        return msgspec.convert(after, SignedFigures)
    except msgspec.ValidationError:
        return None
