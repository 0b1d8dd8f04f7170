"""Readings at a stated table: a bank that may run out, and fees; for people and for programs."""

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Any

from queenhigh.money import dollars
from queenhigh.price.bank import AverageFees, Stake
from queenhigh.sheets.bank_sheet import wagers_text
from queenhigh.sheets.format import cents, number, value_text
from queenhigh.sheets.tables import Block, heading, line, plain_table, table
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.paired import PairedSimulation
from queenhigh.simulation.readings import NO_MONEY, TableReading, stakes_of
from queenhigh.simulation.result import Result, Simulation

__all__ = ["as_json", "as_text"]

# For programs


def as_json(row: TableReading) -> dict[str, Any]:
    """Return what a reading does at the table, as docs/json.md describes it."""
    note = NO_MONEY[str(row.reading.key)] if row.measure == "none" else None
    figures = None
    if row.bank:
        figures = _bank_json(row.bank, is_default=row.reading.is_default)
    elif row.plan and row.fees:
        figures = _fees_json(row.plan, row.fees)
    return {
        "measure": row.measure,
        "note": note and f"moves no money within a round; it decides {note}",
        "reason": row.refused,
        "at_table": figures,
    }


def _bank_json(bank: PairedSimulation, *, is_default: bool) -> dict[str, Any]:
    result = bank.simulation
    seats = [
        {**result.plan.stakes(place), **_moments(seat),
         "uncovered": seat.uncovered, "returned": seat.returned}
        for place, seat in enumerate(result.seats)
    ]  # fmt: skip
    return {
        "method": "sampled",
        "unit_cents": result.stake,
        **result.plan.terms(),
        "seats": seats,
        "banker_result": {**_moments(result.banker), "exhausted": result.tally.exhausted},
        "change": None if is_default else {"mean": bank.change, "se": bank.change_se},
        "rounds": result.rounds,
        "asked": result.asked,
        "seed": result.plan.seed,
        "engine": result.engine,
    }


def _moments(result: Result) -> dict[str, float]:
    return {"mean": result.mean, "sd": result.sd, "se": result.se}


def _fees_json(plan: PokerPlan, fees: AverageFees) -> dict[str, Any]:
    seats = [
        {**plan.stakes(place), "fee_player": str(fee / seat.ante) if seat.ante else None}
        for place, (fee, seat) in enumerate(zip(fees.seats, plan.seats, strict=True))
    ]
    return {
        "method": "exact",
        "unit_cents": plan.unit,
        **plan.terms(),
        "seats": seats,
        "fee_banker": str(fees.banker / plan.unit),
    }


# For people


def as_text(rows: Sequence[TableReading]) -> Iterator[Block]:
    """Yield the readings that only a bank that may run out, or fees, can show; the rest as well."""
    yield from _bank([row for row in rows if row.measure == "bank"])
    yield from _fees([row for row in rows if row.measure == "fees"])
    none = [row for row in rows if row.measure == "none"]
    if none:
        yield heading("Assumptions that move no money within a round")
        yield plain_table(
            (group[0].reading.clause, f"{_values(group)} decides {NO_MONEY[key]}.")
            for key, group in _by_key(none)
        )


def _by_key(rows: Sequence[TableReading]) -> list[tuple[str, list[TableReading]]]:
    """Return the rows of each key, the rulebook's own reading first."""
    groups: dict[str, list[TableReading]] = {}
    for row in rows:
        groups.setdefault(str(row.reading.key), []).append(row)
    return list(groups.items())


def _values(group: Sequence[TableReading]) -> str:
    first, *others = (value_text(row.reading.value) for row in group)
    return f"{group[0].reading.key} = {first} (or {', '.join(others)})"


def _head(row: TableReading) -> str:
    return f"{row.reading.clause} {row.reading.key}"


def _bank(rows: Sequence[TableReading]) -> Iterator[Block]:
    """Yield the readings of the bank, a table for each key."""
    own = next((row for row in rows if row.bank and row.plan), None)
    if own is None or own.plan is None or own.bank is None:
        return
    first, seats = own.bank.simulation, len(own.plan.seats)
    places = _places(_widest(first))
    yield heading("With a bank that may run out (simulated)")
    yield line(_bank_terms(own.plan))
    yield line(_sampling(first))
    for _, group in _by_key(rows):
        columns = [_head(group[0]), "Banker", "Change", "Seat 1"]
        columns += [f"Seat {seats}"] * (seats > 1)
        cells = [_bank_cells(row, places)[: len(columns)] for row in group]
        yield table(columns, cells, right=columns[1:])
    for note in _bank_notes(rows, stakes_of(own.plan)):
        yield line(note)


def _widest(simulation: Simulation) -> float:
    """Return within what all seats' means are known."""
    return 1.96 * max(seat.se for seat in simulation.seats)


def _bank_terms(plan: PokerPlan) -> str:
    covers = ", which covers every wager" if plan.bank is None else ""
    return f"{_wagers(plan)}. The bank is {dollars(plan.posted or 0)}{covers}."


def _sampling(own: Simulation) -> str:
    """Return how the tables were sampled and what the figures are, in words."""
    stopped = f" of {own.asked:,}" if own.rounds < own.asked else ""
    slow = " The slow engine plays few rounds, so errors are large." * (own.engine == "scalar")
    widest = _widest(own)
    return (
        f"{own.rounds:,}{stopped} rounds with seed {own.plan.seed}, the same cards for every"
        f" alternative.{slow} Figures are in Antes of {dollars(own.stake)} per round, before fees;"
        f" ± is 1.96 standard errors (95 %), and for seats at most {widest:.{_places(widest)}f}."
    )


def _wagers(plan: PokerPlan) -> str:
    stakes = stakes_of(plan)
    side = "" if any(stake.bonus for stake in stakes) else ", no side bets"
    return f"{wagers_text(stakes)}{side}, best strategy"


def _places(within: float) -> int:
    """Return as many decimals as show two digits of an error."""
    return max(2, 1 - floor(log10(within))) if within else 4


def _bank_cells(row: TableReading, places: int) -> list[str]:
    """Return a row of the table of a key: the banker, the difference, first and last seat."""
    value = value_text(row.reading.value)
    if row.bank is None:
        return [value, "refused", "", "", ""]
    result, change = row.bank.simulation, _within(row.bank.change, row.bank.change_se, plus="+")
    if row.bank.is_same:
        change = "" if row.reading.is_default else "the same"
    seats = [number(seat.mean, places) for seat in (result.seats[0], result.seats[-1])]
    return [value, _within(result.banker.mean, result.banker.se), change, *seats]


def _within(mean: float, se: float, *, plus: str = "") -> str:
    within = 1.96 * se
    places = _places(within)
    return f"{plus if mean > 0 else ''}{number(mean, places)} ± {within:.{places}f}"


def _bank_notes(rows: Sequence[TableReading], stakes: Sequence[Stake]) -> Iterator[str]:
    """Yield what the figures do not say themselves."""
    if len(set(stakes)) == 1 < len(stakes) and any(_is_order(row) for row in rows):
        yield (
            "With equal wagers the order of action only moves money between seats: the banker's"
            " mean is the same."
        )
    if any(row.bank and row.bank.is_same and not row.reading.is_default for row in rows):
        yield "The same: no seat's result changes here. Try another --bank or --bonus."
    yield from _refusals(rows)


def _is_order(row: TableReading) -> bool:
    return row.reading.key == "bank.first" and row.bank is not None


def _refusals(rows: Sequence[TableReading]) -> Iterator[str]:
    for row in rows:
        if row.refused:
            yield f"{row.reading.key} = {value_text(row.reading.value)}: {row.refused}."


def _fees(rows: Sequence[TableReading]) -> Iterator[Block]:
    """Yield the readings of the fees, a table for each key."""
    plan = next((row.plan for row in rows if row.fees), None)
    if plan is None:
        return
    yield heading("Fees (exact)")
    yield line(
        f"{_wagers(plan)}. Average fees per round, in Antes of"
        f" {dollars(plan.unit)}; they do not depend on the bank."
    )
    is_even = len(set(stakes_of(plan))) == 1
    seats = ["Each seat"] if is_even else ["Seat 1", f"Seat {len(plan.seats)}"]
    for _, group in _by_key(rows):
        columns = [_head(group[0]), *seats, "Banker"]
        yield table(columns, [_fee_cells(row, len(seats)) for row in group], right=columns[1:])
    for note in _refusals(rows):
        yield line(note)


def _fee_cells(row: TableReading, ends: int) -> list[str]:
    value = value_text(row.reading.value)
    if row.fees is None or row.plan is None:
        return [value, "refused", *[""] * ends]
    unit = row.plan.unit
    fees = [*[row.fees.seats[0], row.fees.seats[-1]][:ends], row.fees.banker]
    return [value, *(f"{number(fee / unit)} ({cents(fee)})" for fee in fees)]
