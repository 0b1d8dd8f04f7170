"""The reports that list what happened: void rounds, rulings, corrections, offers of the bank."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from queenhigh.history.correction_lines import Correction
from queenhigh.history.floor_reports.filters import ReportFilter
from queenhigh.history.floor_reports.report import Kind, Report, Row, make_report
from queenhigh.history.floor_reports.sums import MadeCorrection

__all__ = ["correction_steps", "corrections", "incidents", "offers", "voids"]

_PLACE: Final[list[tuple[str, str, Kind]]] = [
    ("at", "Time", "time"),
    ("table", "Table", "text"),
    ("round", "Round", "number"),
]
_KINDS: Final = {
    "misdeal": "Misdeal",
    "exposed_player": "Player's card exposed",
    "exposed_dealer": "Dealer's card exposed",
    "player_gone": "Player gone",
}
_RULINGS: Final = {
    "play_on": "Played on",
    "void": "Round void",
    "redeal": "Round dealt again",
    "void_hand": "Hand void",
    "default_move": "Default move",
}


def voids(wanted: ReportFilter, rows: Iterable[Row], limit: int) -> Report:
    """Return void rounds, and what was returned."""
    columns: list[tuple[str, str, Kind]] = [
        *_PLACE,
        ("banker", "Banker", "text"),
        ("by", "By", "text"),
        ("reason", "Reason", "text"),
        ("returned", "Returned", "cents"),
        ("fees", "Fees in it", "cents"),
    ]
    return make_report(wanted, columns, rows, totals=("returned", "fees"), limit=limit)


def incidents(wanted: ReportFilter, ruled: Iterable[Mapping[str, Any]], limit: int) -> Report:
    """Return rulings, and the chips that came back by them."""
    columns: list[tuple[str, str, Kind]] = [
        *_PLACE,
        ("kind", "What happened", "text"),
        ("player", "Player", "text"),
        ("clause", "Clause", "text"),
        ("ruling", "Ruling", "text"),
        ("staff", "Ruled by", "text"),
        ("reason", "Reason", "text"),
        ("returned", "Returned", "cents"),
    ]
    rows: Iterable[Row] = (
        (
            row["at"], row["table"], row["round"], _KINDS[row["kind"]], row["player"],
            row["clause"], _RULINGS[row["ruling"]], row["staff"], row["reason"], row["returned"],
        )
        for row in ruled
    )  # fmt: skip
    return make_report(wanted, columns, rows, totals=("returned",), limit=limit)


def correction_steps(
    lines: Iterable[Correction], made: Mapping[tuple[str, int], MadeCorrection]
) -> list[Row]:
    """Return the steps of corrections by time: asked for, and made, rejected or withdrawn.

    ``made`` are the corrections that were made in the period, by table and number.
    """
    rows: list[Row] = []
    for line in lines:
        which = (line.table, line.round, line.correction)
        rows.append((line.at, *which, "asked for", line.asked_by, line.reason, 0, 0, 0))
        moved = made.get((line.table, line.correction))
        if moved is not None:
            sums = (moved.bank, moved.fees, moved.owed)
            rows.append((line.decided_at, *which, "made", line.decided_by, line.reason, *sums))
        elif line.status == "rejected":
            step = "withdrawn" if line.decided_by == line.asked_by else "rejected"
            rows.append((line.decided_at, *which, step, line.decided_by, line.why, 0, 0, 0))
    return sorted(rows, key=lambda row: tuple(map(_sortable, row)))


def _sortable(cell: object) -> tuple[int, str]:
    return (cell, "") if isinstance(cell, int) else (0, str(cell))


def corrections(wanted: ReportFilter, rows: Iterable[Row], limit: int) -> Report:
    """Return the steps of corrections: what those that were made moved."""
    columns: list[tuple[str, str, Kind]] = [
        *_PLACE,
        ("correction", "Number", "number"),
        ("step", "Step", "text"),
        ("by", "By", "text"),
        ("reason", "Reason", "text"),
        ("bank", "To the bank", "cents"),
        ("fees", "Fees", "cents"),
        ("owed", "Owed", "cents"),
    ]
    return make_report(wanted, columns, rows, totals=("bank", "fees", "owed"), limit=limit)


def offers(wanted: ReportFilter, rows: Iterable[Row], limit: int) -> Report:
    """Return offers of the bank, and the answer to each."""
    columns: list[tuple[str, str, Kind]] = [
        *_PLACE,
        ("place", "Place", "number"),
        ("player", "Player", "text"),
        ("answer", "Answer", "text"),
        ("bank", "Bank", "cents"),
    ]
    return make_report(wanted, columns, rows, limit=limit)
