"""The engine that plays the games themselves: slow, plain, and the reference for all others."""

from collections.abc import Callable, Iterator
from functools import partial

from queenhigh.errors import IllegalRound
from queenhigh.game import Chosen, Deal, Dealt, Draw, GameRound, Landed, SettledRound, SettledSpin
from queenhigh.rulebook.book import Rulebook
from queenhigh.simulation.engines import splitmix
from queenhigh.simulation.engines.plan import Plan
from queenhigh.simulation.engines.tally import Tally

__all__ = ["gains", "play", "sample"]


def sample(plan: Plan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    tally = Tally(plan)
    for number in range(start, start + rounds):
        words = splitmix.words(plan.seed, number)
        round, played = _play(plan, number, words)
        settled = plan.book.game.settle(plan.book, round)
        if isinstance(settled, SettledRound):
            returned = plan.returned(round, settled)
            _add_seats(plan, tally, settled, returned, played)
        else:
            _add_bets(plan, tally, gains(plan.book, settled, partial(_draw, words)))
    tally.totals[0] = rounds
    return tally


def play(plan: Plan, number: int) -> GameRound:
    """Return a round of the plan, played to its end."""
    return _play(plan, number, splitmix.words(plan.seed, number))[0]


def _play(plan: Plan, number: int, words: Iterator[int]) -> tuple[GameRound, set[int]]:
    """Return a round, played to its end, and the seats that played.

    Its words go to the hands, the dealer's last, then to the seat action starts at if that is
    drawn, then to each seat that may err.
    """
    book, game, errors = plan.book, plan.book.game, plan.errors
    played = set()
    round = plan.start(game.first_seat(book, number) or 1)
    while (wanted := game.chance(book, round)) is not None:
        round = game.apply(book, round, _draw(words, wanted))
    for seat in game.deciding(book, round):
        errs = errors > 0 and splitmix.draw(words, errors.denominator)[0] < errors.numerator
        move = plan.decide(game.view(book, round, seat), seat, errs=errs)
        if move == "play":
            played.add(seat)
        round = game.apply(book, round, Chosen(seat, move))
    return round, played


def _draw(words: Iterator[int], wanted: Draw) -> Dealt | Landed:
    """Draw the cards or the pocket that a game asks for."""
    if not isinstance(wanted, Deal):
        return Landed(wanted.pockets[splitmix.draw(words, len(wanted.pockets))[0]])
    cards = splitmix.deal(words, wanted.cards // wanted.each, wanted.each)
    among = wanted.first_among
    return Dealt(cards, among[splitmix.draw(words, len(among))[0]] if among else None)


def _add_seats(
    plan: Plan, tally: Tally, settled: SettledRound, returned: list[int], played: set[int]
) -> None:
    for place, seat in enumerate(settled.seats):
        tally.played[place] += seat.seat in played
        tally.uncovered[place] += returned[place] > 0
        tally.returned[place] += returned[place] // plan.accounts[place].unit
        tally.fees[place] += seat.fee or 0
        tally.results[place][plan.accounts[place].bin(seat.net)] += 1
    tally.totals[1] += settled.bank_left == 0
    tally.totals[2] += settled.banker_fee or 0
    tally.results[-1][plan.accounts[-1].bin(settled.banker)] += 1


def gains(
    book: Rulebook, settled: SettledSpin, draw: Callable[[Draw], Dealt | Landed]
) -> list[int]:
    """Return the total gain of each bet: held bets are spun for until none is held."""
    game = book.game
    totals = [bet.net for bet in settled.wagers]
    waiting = [place for place, bet in enumerate(settled.wagers) if bet.held]
    round = game.held(book, settled)
    while round is not None:
        wanted = game.chance(book, round)
        if wanted is None:
            raise IllegalRound("round.held", "bets are held and nothing is drawn for them")
        again = game.settle(book, game.apply(book, round, draw(wanted)))
        if not isinstance(again, SettledSpin):
            raise IllegalRound("round.held", "held bets are settled bet by bet")
        for place, bet in zip(waiting, again.wagers, strict=True):
            totals[place] += bet.net
        waiting = [place for place, bet in zip(waiting, again.wagers, strict=True) if bet.held]
        round = game.held(book, again)
    return totals


def _add_bets(plan: Plan, tally: Tally, gained: list[int]) -> None:
    for place, gain in enumerate(gained):
        tally.results[place][plan.accounts[place].bin(gain)] += 1
    tally.results[-1][plan.accounts[-1].bin(-sum(gained))] += 1
