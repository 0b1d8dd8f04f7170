"""What a reading does at a table, where the edge of a bet before fees shows nothing.

A reading under ``bank.`` matters when the bank may run out: it is sampled at a stated table. A
reading under ``fees.`` moves fees, which are counted exactly. A few move no money in a round.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from queenhigh.errors import InvalidRulebook, QueenhighError
from queenhigh.price import poker
from queenhigh.price.bank import AverageFees, Stake, average_fees
from queenhigh.price.best_policy import best_policy
from queenhigh.price.compare import Reading
from queenhigh.price.games import poker_only
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import vary
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.paired import PairedSimulation, sample_paired
from queenhigh.simulation.terms import Terms, make_table_plan

__all__ = ["NO_MONEY", "Measure", "TableReading", "TableTerms", "price_at_table",
           "stakes_of"]  # fmt: skip

#: What shows the effect of a reading: ``none`` where it moves no money within a round.
Measure = Literal["edge", "bank", "fees", "none"]

#: Readings that move no money within a round, with what they decide instead.
NO_MONEY = {
    "bank.rotation": "who banks next",
    "fees.collect": "when a fee is collected",
    "fees.notice_seconds": "how far ahead changes of fees or limits are announced",
    "irregularities.misdeal": "what follows a misdeal",
    "irregularities.exposed_player": "what follows when a player's card is exposed",
    "irregularities.exposed_dealer": "what follows when a down card of the dealer is exposed",
}

#: The same table gives the same figures each time, unless another seed is given.
_SEED = 7


class TableTerms(TypedDict, total=False):
    """The table at which readings are compared, amounts in cents; all seats play best.

    ``ante`` and ``bonus`` are for all seats or one for each. By default the table is full, Antes
    are the least, nothing is on the bonus, and the bank is as large as all Antes together.
    """

    seats: int
    ante: int | Sequence[int]
    bonus: int | Sequence[int]
    bank: int
    seed: int


@dataclass(frozen=True, kw_only=True)
class TableReading:
    """A reading with the figures that show what it does; none if the edge does, or nothing does.

    ``measure`` is ``None`` where there is no other reading. ``plan`` is the table under a reading
    of the bank or the fees; ``refused`` says why there is none.
    """

    reading: Reading
    measure: Measure | None
    plan: PokerPlan | None = None
    bank: PairedSimulation | None = None
    fees: AverageFees | None = None
    refused: str | None = None


def stakes_of(plan: PokerPlan) -> tuple[Stake, ...]:
    """Return what each seat wagers."""
    return tuple(Stake(seat.ante, seat.bonus or seat.pair_plus) for seat in plan.seats)


def price_at_table(
    book: Rulebook,
    readings: Sequence[Reading],
    terms: TableTerms,
    sample: Callable[[Sequence[PokerPlan]], Sequence[PairedSimulation]] = sample_paired,
) -> list[TableReading]:
    """Return every reading with its figures at a table.

    ``sample`` plays the tables, the rulebook's own first; if it was stopped before there was a
    figure, the readings of the bank have none.
    """
    times = Counter(reading.key for reading in readings)
    rows = [
        TableReading(reading=each, measure=_measure(each.key))
        if times[each.key] > 1 or each.key in NO_MONEY
        else TableReading(reading=each, measure=None)
        for each in readings
    ]
    if not any(row.measure in ("bank", "fees") for row in rows):
        _refuse_terms(book, terms)
        return rows
    base = poker_only(book)
    own = _own_plan(base, terms)
    return _with_bank(own, _with_fees(own, [_with_plan(own, row) for row in rows]), sample)


def _measure(key: str | None) -> Measure | None:
    """Return what shows the effect of a key's readings, by the table of the rulebook it is in."""
    if key is None:
        return None
    if key in NO_MONEY:
        return "none"
    table = key.partition(".")[0]
    return "bank" if table == "bank" else "fees" if table == "fees" else "edge"


def _refuse_terms(book: Rulebook, terms: TableTerms) -> None:
    """Refuse terms of a table that would change nothing."""
    for name in terms:
        sentence = f"{book.title}: no assumption depends on a bank or on fees: remove {name}"
        raise QueenhighError("assumptions.table", sentence)


def _own_plan(book: PokerRulebook, terms: TableTerms) -> PokerPlan:
    """Return the table under the rulebook's own readings, with what was not given."""
    listed = any(not isinstance(terms.get(name, 0), int) for name in ("ante", "bonus"))
    given: Terms = {"seed": _SEED, "policy": best_policy(book)}
    if not listed:
        given["seats"] = book.seats
    given |= terms  # type: ignore[typeddict-item]
    plan = make_table_plan(book, given)
    if book.bank is None or "bank" in given:
        return plan
    return make_table_plan(book, {**given, "bank": sum(seat.ante for seat in plan.seats)})


def _with_plan(own: PokerPlan, row: TableReading) -> TableReading:
    """Return a reading of the bank or the fees with its table, or with why there is none."""
    reading = row.reading
    if row.measure not in ("bank", "fees"):
        return row
    if reading.is_default:
        return replace(row, plan=own)
    try:
        book = poker_only(vary(own.book, {**reading.under, str(reading.key): reading.value}))
    except InvalidRulebook:
        return replace(row, refused="not possible alone")
    try:
        return replace(row, plan=_same_table(own, book))
    except QueenhighError as error:
        return replace(row, refused=str(error))


def _same_table(own: PokerPlan, book: PokerRulebook) -> PokerPlan:
    """Return the same table under another rulebook."""
    stakes = stakes_of(own)
    terms: Terms = {
        "ante": [stake.ante for stake in stakes],
        "bonus": [stake.bonus for stake in stakes],
        "policy": own.policy,
        "seed": own.seed,
    }
    if own.posted is not None:
        terms["bank"] = own.posted
    return make_table_plan(book, terms)


def _with_fees(own: PokerPlan, rows: list[TableReading]) -> list[TableReading]:
    """Return readings of the fees with what is paid on average."""
    if not any(row.measure == "fees" for row in rows):
        return rows
    rate, stakes = poker.count(own.book).play_rate, stakes_of(own)
    return [
        replace(row, fees=average_fees(row.plan.book, stakes, rate))
        if row.measure == "fees" and row.plan
        else row
        for row in rows
    ]


def _with_bank(
    own: PokerPlan,
    rows: list[TableReading],
    sample: Callable[[Sequence[PokerPlan]], Sequence[PairedSimulation]],
) -> list[TableReading]:
    """Return readings of the bank with what was sampled; the rulebook's own is played once."""
    measured = [row.plan for row in rows if row.measure == "bank" and row.plan]
    if not measured:
        return rows
    plans = list(dict.fromkeys([own, *measured]))
    sampled = dict(zip(plans, sample(plans), strict=False))  # none if it was stopped
    return [
        replace(row, bank=sampled.get(row.plan)) if row.measure == "bank" and row.plan else row
        for row in rows
    ]
