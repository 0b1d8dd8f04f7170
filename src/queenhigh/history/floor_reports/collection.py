"""The reports of fees: summed up by time, table, rate and payer, and one by one."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from heapq import merge

from queenhigh.history.floor_reports.fee_rows import PostedRate, Role
from queenhigh.history.floor_reports.filters import ReportFilter
from queenhigh.history.floor_reports.periods import FloorClock
from queenhigh.history.floor_reports.report import Kind, Report, Row, make_report
from queenhigh.history.floor_reports.sums import (
    CORRECTED,
    FeeSum,
    MadeCorrection,
    rate_label,
    rate_order,
)

__all__ = ["ChargedFee", "collection", "fees", "group_columns", "group_of"]

_TITLES = {
    "day": "Day", "shift": "Shift", "hour": "Hour", "table": "Table", "rate": "Rate",
    "payer": "Payer", "role": "Paid as",
}  # fmt: skip
#: A fee of a settled round: its event, time, table and round; place, payer and role; wager, rate
#: and cents.
ChargedFee = tuple[int, int, str, int, int, str, Role, str, PostedRate | str, int]
_Key = tuple[tuple[object, ...], str]


def group_columns(by: Iterable[str]) -> list[tuple[str, str, Kind]]:
    """Return the columns of the groups."""
    return [(name, _TITLES[name], "text") for name in by]


def group_of(clock: FloorClock, name: str) -> Callable[[int, str], str]:
    """Return how a time and a table are named in a group."""
    by_time = {"day": clock.day, "shift": clock.shift, "hour": clock.hour}
    if name == "table":
        return lambda time_ms, table: table
    label = by_time[name]
    return lambda time_ms, table: label(time_ms)


def collection(wanted: ReportFilter, sums: Iterable[FeeSum], limit: int) -> Report:
    """Return the fees by what is wanted: the players', the bankers', and those of corrections."""
    keys = [_key_of(wanted.clock, name) for name in wanted.by]
    groups: dict[tuple[_Key, ...], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for each in sums:
        if not _is_wanted(wanted, each.payer, each.rate):
            continue
        group = groups[tuple([key(each) for key in keys])]
        group[0] += each.fees
        group[_PARTS[_part(each)]] += each.cents
    rows: Iterator[Row] = (
        (*[label for _, label in key], *group, sum(group[1:]))
        for key, group in sorted(groups.items())
    )
    columns: list[tuple[str, str, Kind]] = [
        *group_columns(wanted.by),
        ("fees", "Fees", "count"),
        ("players", "Players", "cents"),
        ("bankers", "Bankers", "cents"),
        ("corrections", "Corrections", "cents"),
        ("cents", "Collected", "cents"),
    ]
    totals = ("fees", "players", "bankers", "corrections", "cents")
    return make_report(wanted, columns, rows, totals=totals, limit=limit)


_PARTS = {"player": 1, "banker": 2, "correction": 3}


def _part(each: FeeSum) -> str:
    return "correction" if each.rate == CORRECTED else each.role


def _key_of(clock: FloorClock, name: str) -> Callable[[FeeSum], _Key]:
    """Return the key of a group: where it stands among others, and its words."""
    if name == "rate":
        return lambda each: (rate_order(each.rate), rate_label(each.rate))
    if name == "payer":
        return lambda each: ((), each.payer)
    if name == "role":
        return lambda each: ((), each.role)
    label = group_of(clock, name)
    return lambda each: ((), label(each.time_ms, each.table))


def _is_wanted(wanted: ReportFilter, payer: str, rate: PostedRate | str) -> bool:
    if wanted.player is not None and payer != wanted.player:
        return False
    return wanted.rate is None or rate_label(rate) == wanted.rate


def fees(
    wanted: ReportFilter,
    charged: Iterable[ChargedFee],
    made: Iterable[MadeCorrection],
    limit: int,
) -> Report:
    """Return the fees one by one, those of corrections when they were made."""
    corrected: Iterator[ChargedFee] = (
        (each.n, each.time_ms, each.table, each.round, *row[:3], "", CORRECTED, row.cents)
        for each in made
        for row in each.charged
    )
    listed = merge(charged, corrected, key=lambda fee: (fee[1], fee[0]))
    rows = (_fee(fee) for fee in listed if _is_wanted(wanted, fee[5], fee[8]))
    columns: list[tuple[str, str, Kind]] = [
        ("at", "Time", "time"),
        ("table", "Table", "text"),
        ("round", "Round", "number"),
        ("payer", "Payer", "text"),
        ("role", "Paid as", "text"),
        ("wager", "Wager", "text"),
        ("rate", "Rate", "text"),
        ("cents", "Fee", "cents"),
    ]
    return make_report(wanted, columns, rows, totals=("cents",), limit=limit)


def _fee(fee: ChargedFee) -> Row:
    _, time_ms, table, round, _, payer, role, wager, rate, cents = fee
    return (time_ms, table, round, payer, role, wager, rate_label(rate), cents)
