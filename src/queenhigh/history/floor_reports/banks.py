"""The reports of the bank: results by banker, and theoretical against actual results."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import NamedTuple

from queenhigh.history.floor_reports.collection import group_columns, group_of
from queenhigh.history.floor_reports.filters import ReportFilter
from queenhigh.history.floor_reports.report import Kind, Report, Row, Value, make_report
from queenhigh.history.floor_reports.sums import MadeCorrection

__all__ = ["BankSum", "RoundFigures", "RulesPlayed", "bankers", "results"]


class BankSum(NamedTuple):
    """The rounds of a banker in a quarter of an hour."""

    time_ms: int
    table: str
    banker: str
    rounds: int
    wagered: int
    net: int
    fees: int


class RoundFigures(NamedTuple):
    """A settled round: its rules by their digest, what it came to, and should have on average.

    ``counted`` and ``expected`` are gains of the bank times the scale of the rules.
    """

    time_ms: int
    table: str
    digest: str
    wagered: int
    net: int
    counted: int
    expected: int


class RulesPlayed(NamedTuple):
    """The name of a rulebook, who banks by it, and the scale of its figures."""

    name: str
    banker: str
    scale: int


def bankers(
    wanted: ReportFilter,
    sums: Iterable[BankSum],
    made: Iterable[MadeCorrection],
    limit: int,
) -> Report:
    """Return what each banker won or lost, the fees they paid, and what corrections moved since."""
    labels = [group_of(wanted.clock, name) for name in wanted.by]
    groups: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * 6)

    def add(time_ms: int, table: str, banker: str, *cents: int) -> None:
        if wanted.player is not None and banker != wanted.player:
            return
        group = groups[*[label(time_ms, table) for label in labels], banker]
        for index, each in enumerate(cents):
            group[index] += each

    for row in sums:
        add(*row, 0, 0)
    for each in made:
        fees = sum([row.cents for row in each.charged if row.role == "banker"])
        if each.bank or fees:
            add(each.time_ms, each.table, each.banker, 0, 0, 0, 0, each.bank, fees)
    rows: Iterator[Row] = (
        (*key, *group, group[2] - group[3] + group[4] - group[5])
        for key, group in sorted(groups.items())
    )
    columns: list[tuple[str, str, Kind]] = [
        *group_columns(wanted.by),
        ("banker", "Banker", "text"),
        ("rounds", "Rounds", "count"),
        ("wagered", "Wagers covered", "cents"),
        ("net", "Net", "cents"),
        ("fees", "Fees", "cents"),
        ("corrected", "Corrections", "cents"),
        ("corrected_fees", "Corrected fees", "cents"),
        ("cents", "Result", "cents"),
    ]
    totals = ("rounds", "wagered", "net", "fees", "corrected", "corrected_fees", "cents")
    return make_report(wanted, columns, rows, totals=totals, limit=limit)


@dataclass
class _Actual:
    """Sums of some rounds, in cents."""

    rounds: int = 0
    wagered: int = 0
    net: int = 0
    counted: Fraction = Fraction(0)
    expected: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)
    corrected: int = 0

    def add(self, other: "_Actual") -> None:
        """Add other sums."""
        self.rounds += other.rounds
        self.wagered += other.wagered
        self.net += other.net
        self.counted += other.counted
        self.expected += other.expected
        self.squares += other.squares
        self.corrected += other.corrected

    def cells(self) -> tuple[Value, ...]:
        """Return the sums as cells, with the standard deviation and the difference in it."""
        sd, difference = sqrt(self.squares), self.counted - self.expected
        return (
            self.rounds, self.wagered, self.net, round(self.counted), round(self.expected),
            round(difference), round(sd), round(float(difference) / sd, 2) + 0.0 if sd else None,
            self.corrected,
        )  # fmt: skip


def results(
    wanted: ReportFilter,
    figures: Iterable[RoundFigures],
    made: Iterable[MadeCorrection],
    rules: Mapping[str, RulesPlayed],
    limit: int,
) -> Report:
    """Return the bank's actual and theoretical gains by table and rulebook.

    ``sd`` is estimated as the root of the sum of the squares of each round's deviation, and ``z``
    is the difference in units of it.
    """
    groups = _group(wanted, figures, made, rules)
    total = _Actual()
    for each in groups.values():
        total.add(each)
    names = len(wanted.by) + 4

    def rows() -> Iterator[Row]:
        for (*labels, digest), each in sorted(groups.items()):
            played = rules[digest]
            short = digest.removeprefix("sha256:")[:12]
            yield (*labels, played.name, short, played.banker, *each.cells())

    columns: list[tuple[str, str, Kind]] = [
        *group_columns((*wanted.by, "table")),
        ("rulebook", "Rulebook", "text"),
        ("digest", "Digest", "text"),
        ("banker", "Banked by", "text"),
        ("rounds", "Rounds", "count"),
        ("wagered", "Wagers covered", "cents"),
        ("net", "Net", "cents"),
        ("counted", "Actual", "cents"),
        ("theoretical", "Theoretical", "cents"),
        ("difference", "Difference", "cents"),
        ("sd", "Standard deviation", "cents"),
        ("z", "z", "number"),
        ("corrected", "Corrections", "cents"),
    ]
    sums = [*[None] * names, *total.cells()]
    return make_report(wanted, columns, rows(), sums=sums, limit=limit)


def _group(
    wanted: ReportFilter,
    figures: Iterable[RoundFigures],
    made: Iterable[MadeCorrection],
    rules: Mapping[str, RulesPlayed],
) -> dict[tuple[str, ...], _Actual]:
    labels = [group_of(wanted.clock, name) for name in (*wanted.by, "table")]
    scaled: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * 6)
    for time_ms, table, digest, wagered, net, counted, expected in figures:
        sums = scaled[*[label(time_ms, table) for label in labels], digest]
        difference = counted - expected
        added = (1, wagered, net, counted, expected, difference * difference)
        for index, each in enumerate(added):
            sums[index] += each
    groups: dict[tuple[str, ...], _Actual] = defaultdict(_Actual)
    for key, (count, wagered, net, counted, expected, squares) in scaled.items():
        scale = rules[key[-1]].scale
        actual, theory = Fraction(counted, scale), Fraction(expected, scale)
        squared = Fraction(squares, scale * scale)
        groups[key] = _Actual(count, wagered, net, actual, theory, squared)
    for correction in made:
        place = [label(correction.time_ms, correction.table) for label in labels]
        groups[*place, correction.digest].corrected += correction.bank
    return groups
