"""A simulation as people read it: the seats, the banker, and a picture of the banker's rounds."""

from collections.abc import Mapping, Sequence
from math import floor, log10

from rich.console import Group, RenderableType
from rich.text import Text

from queenhigh.games.three_card_poker import Seat
from queenhigh.money import dollars
from queenhigh.sheets.format import number, percent
from queenhigh.sheets.tables import Bar, heading, table
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.result import Result, Simulation

__all__ = ["simulation_sheet"]

_BARS = 17
_WIDTH = 40


def simulation_sheet(simulation: Simulation, wall_seconds: float) -> RenderableType:
    """Return everything that a simulation found; ``wall_seconds`` is how long the command took."""
    parts: list[RenderableType] = [
        Text(f"Simulation: {simulation.plan.book.title}", style="bold"),
        Text(_how(simulation, wall_seconds)),
    ]
    title = heading(f"Per round, in units of {dollars(simulation.stake)}, before fees")
    plan = simulation.plan
    if isinstance(plan, PokerPlan):
        parts += [Text(_terms(plan)), title, _seats(simulation, plan)]
        if plan.bank is not None:
            parts.append(Text(_bank(simulation)))
    else:
        parts += [Text(f"{dollars(plan.unit)} on each bet."), title, _bets(simulation)]
    if simulation.plan.book.document.get("fees"):
        parts.append(Text(_fees(simulation)))
    parts += [
        heading("The banker's rounds"),
        _picture(simulation.banker.distribution, simulation.rounds),
    ]
    return Group(*parts)


def _how(simulation: Simulation, wall_seconds: float) -> str:
    """Return how long it took in all, and how fast the engine itself was, in words."""
    stopped = f" of {simulation.asked:,}" if simulation.rounds < simulation.asked else ""
    rate = simulation.rounds / simulation.seconds if simulation.seconds else 0
    threads = f"{simulation.threads} thread{'s' if simulation.threads != 1 else ''}"
    return (
        f"{simulation.rounds:,}{stopped} rounds with seed {simulation.plan.seed}"
        f" in {_time(wall_seconds)}."
        f" The {simulation.engine} engine played them in {_time(simulation.seconds)} on {threads}:"
        f" {rate:,.0f} rounds per second."
    )


def _time(seconds: float) -> str:
    """Write a time to three digits, however short it is: ``2.21 s``, ``3.58 ms``."""
    if seconds < 0.9995:
        return f"{1000 * seconds:.3g} ms"
    return f"{seconds:,.0f} s" if seconds >= 99.95 else f"{seconds:.3g} s"


def _terms(plan: PokerPlan) -> str:
    house = "The house banks." if plan.book.bank is None else _posted(plan)
    seats = f"{len(plan.seats)} seat{'s' if len(plan.seats) > 1 else ''}"
    of = f" of {_stakes(plan.seats[0])}" if len(set(map(_stakes, plan.seats))) == 1 else ""
    return f"{seats}{of}, policy {plan.policy.name}. {house}"


def _posted(plan: PokerPlan) -> str:
    """Return the bank, and whether it is enough for every wager, in words."""
    if plan.bank is not None:
        return f"The bank is {dollars(plan.bank)}."
    size = "" if plan.posted is None else f" of {dollars(plan.posted)}"
    return f"The bank{size} covers every wager."


def _stakes(seat: Seat) -> str:
    """Write a seat's Ante and side bet: ``$5+$1``."""
    stakes = filter(None, (seat.ante, seat.bonus, seat.pair_plus))
    return "+".join(dollars(stake).removesuffix(".00") for stake in stakes)


_MEAN = "Mean and 95 %"


def _row(result: Result) -> list[str]:
    """Return mean and deviation, with as many places as the mean is known to."""
    within = 1.96 * result.se
    places = max(5, 1 - floor(log10(within))) if within else 5
    return [f"{number(result.mean, places)} ± {within:.{places}f}", number(result.sd, 4)]


def _seats(simulation: Simulation, plan: PokerPlan) -> RenderableType:
    """Return a row for each seat; what only some tables have gets a column only there."""
    rounds = max(1, simulation.rounds)
    finite = plan.bank is not None
    unequal = len(set(map(_stakes, plan.seats))) > 1
    columns = ["Seat", *["Stakes"] * unequal, _MEAN, "SD", "Played"]
    columns += ["Uncovered", "Returned"] * finite
    rows = []
    for seat, result in zip(plan.seats, simulation.seats, strict=True):
        row = [str(seat.seat), *[_stakes(seat)] * unequal, *_row(result)]
        row.append("" if result.played is None else percent(result.played, 2))
        rows.append(
            row + [percent(result.uncovered / rounds, 2), number(result.returned, 4)] * finite
        )
    rows.append(["Banker", *[""] * unequal, *_row(simulation.banker), "", *["", ""] * finite])
    return table(columns, rows, right=columns[1:])


def _bets(simulation: Simulation) -> RenderableType:
    columns = ["Bet", _MEAN, "SD"]
    rows = [[result.name, *_row(result)] for result in (*simulation.seats, simulation.banker)]
    return table(columns, rows, right=columns[1:])


def _bank(simulation: Simulation) -> str:
    times = simulation.tally.exhausted
    share = percent(times / max(1, simulation.rounds), 3)
    return (
        f"The bank ran out in {times:,} rounds ({share}). Uncovered: the share of rounds in"
        " which it did not cover all of a seat's wagers. Returned: the part it did not cover."
    )


def _fees(simulation: Simulation) -> str:
    fees = sorted(seat.fee for seat in simulation.seats)
    low, high = number(fees[0], 4), number(fees[-1], 4)
    seats = low if low == high else f"{low} to {high}"
    banker = simulation.banker
    after = number(banker.mean - banker.fee, 4)
    return (
        f"Fees per round: {seats} per seat, {number(banker.fee, 4)} for the banker,"
        f" whose mean after the fee is {after}."
    )


def _picture(distribution: Mapping[int, int], rounds: int) -> RenderableType:
    """Return the distribution as bars, in steps of a round amount."""
    steps = _steps(list(distribution))
    counts = [0] * len(steps)
    for cents, count in distribution.items():
        counts[next(index for index, (low, high) in enumerate(steps) if low <= cents <= high)] += (
            count
        )
    most = max(counts)
    rows = []
    for (low, high), count in zip(steps, counts, strict=True):
        label = dollars(low, signed=True)
        label += "" if low == high else f" to {dollars(high, signed=True)}"
        bar = Bar(count / most, _WIDTH)
        rows.append((label, percent(count / max(1, rounds), 3), bar))
    return table(("Banker result", "Rounds", ""), rows, right=("Banker result", "Rounds"))


def _steps(results: Sequence[int]) -> list[tuple[int, int]]:
    """Cut the results into ranges of one round width; each by itself if they are few."""
    results = sorted(results)
    if len(results) <= _BARS:
        return [(cents, cents) for cents in results]
    low, high = results[0], results[-1]
    width = next(
        digit * 10**power
        for power in range(20)
        for digit in (1, 2, 5)
        if (high - low) / (digit * 10**power) < _BARS - 1
    )
    first = low // width * width
    return [(start, start + width - 1) for start in range(first, high + 1, width)]
