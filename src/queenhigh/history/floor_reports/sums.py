"""What the reports are made of: fees, bank results and made corrections, as they are read."""

from collections.abc import Iterable
from typing import NamedTuple

from queenhigh.history.floor_reports.fee_rows import KIND_ORDER, PostedRate, Role, rate_words
from queenhigh.history.records import Record, took_part
from queenhigh.table.correction_events import CorrectionMade

__all__ = [
    "CORRECTED",
    "HOUSE",
    "NO_RATE",
    "Charged",
    "FeeSum",
    "MadeCorrection",
    "as_made",
    "fees_of_corrections",
    "rate_label",
    "rate_order",
]

#: Stands where there is no rate: a correction moves the difference between two of them.
CORRECTED = "(correction)"
#: Stands at a fee that no rate of its rulebook explains.
NO_RATE = "(no rate)"
#: Stands where the house banks; no player can have this name.
HOUSE = "(house)"


class FeeSum(NamedTuple):
    """Fees of a quarter of an hour: how many and how much, by what they are summed by."""

    time_ms: int
    table: str
    payer: str
    role: Role
    rate: PostedRate | str
    fees: int
    cents: int


class Charged(NamedTuple):
    """A fee that a correction charged a place of the round, or gave back."""

    place: int
    player: str
    role: Role
    cents: int


class MadeCorrection(NamedTuple):
    """A correction when it was made: what moved to the bank and in fees, and is owed.

    Players have the names of the round; ``players`` took part in it.
    """

    n: int
    time_ms: int
    table: str
    correction: int
    round: int
    digest: str
    banker: str
    players: frozenset[str]
    bank: int
    charged: tuple[Charged, ...]
    owed: int

    @property
    def fees(self) -> int:
        """The fees that it charged, less those that it gave back."""
        return sum([charged.cents for charged in self.charged])


def as_made(n: int, event: CorrectionMade, record: Record) -> MadeCorrection:
    """Return a correction from its event and the round as it was settled at first."""
    banker, players = record.live.banker, record.players
    charged = []
    for row in event.moved:
        if row.against == "fees" and row.cents:
            role: Role = "banker" if row.place == banker else "player"
            charged.append(Charged(row.place, players[row.place], role, -row.cents))
    return MadeCorrection(
        n, event.at, record.table, event.correction, event.round, record.digest,
        HOUSE if banker is None else players[banker],
        frozenset(players[place] for place in took_part(record.live)),
        -sum([row.cents for row in event.moved if row.against == "bank"]),
        tuple(charged),
        sum([abs(row.owed) for row in event.moved]),
    )  # fmt: skip


def rate_label(rate: PostedRate | str) -> str:
    """Return a rate as reports name it."""
    return rate if isinstance(rate, str) else rate_words(rate)


def rate_order(rate: PostedRate | str) -> tuple[object, ...]:
    """Return where a rate stands among others: by its wager and its size, corrections last."""
    if isinstance(rate, str):
        return (1, rate)
    return (0, KIND_ORDER[rate.on], rate.fee_per, *rate[2:])


def fees_of_corrections(made: Iterable[MadeCorrection]) -> list[FeeSum]:
    """Return the fees of corrections as sums."""
    return [
        FeeSum(each.time_ms, each.table, row.player, row.role, CORRECTED, 1, row.cents)
        for each in made
        for row in each.charged
    ]
