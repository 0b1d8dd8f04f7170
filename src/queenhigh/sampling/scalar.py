"""One round at a time, played by the games themselves: slow, plain, what the others must equal."""

from collections.abc import Iterator

from queenhigh.games import roulette, three_card_poker
from queenhigh.games.roulette import Landed, SettledBet, Wager
from queenhigh.games.three_card_poker import Chosen, Dealt, Round, SettledRound
from queenhigh.sampling import words
from queenhigh.sampling.plan import Plan, PokerPlan, RoulettePlan
from queenhigh.sampling.tally import Tally

__all__ = ["sample"]


def sample(plan: Plan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    tally = Tally(plan)
    for number in range(start, start + rounds):
        if isinstance(plan, PokerPlan):
            _add_round(plan, tally, play(plan, number))
        else:
            _add_bets(plan, tally, spin(plan, number))
    tally.totals[0] = rounds
    return tally


# Three Card Poker


def play(plan: PokerPlan, number: int) -> Round:
    """Return a round of the plan, played to its end.

    Its words go to the hands, the dealer's last, then to the seat action starts at if that is
    drawn, then to each seat that may err.
    """
    book, source = plan.book, words.words(plan.seed, number)
    round = plan.opened
    cards = words.deal(source, len(round.seats) + 1)
    first = None
    if book.bank and book.bank.first == "drawn":
        first = 1 + words.draw(source, book.seats)[0]
    elif book.bank and book.bank.first == "button":
        round = three_card_poker.open(
            book, round.seats, bank=round.bank, first=1 + number % book.seats
        )
    round = three_card_poker.apply(book, round, Dealt(cards, first))
    errors = plan.policy.errors
    for seat in round.seats:
        if three_card_poker.moves(book, round, seat.seat):
            errs = errors > 0 and words.draw(source, errors.denominator)[0] < errors.numerator
            view = three_card_poker.view(book, round, seat.seat)
            up = tuple(card for card in view.dealer if card is not None)
            hand = next(one.cards for one in view.seats if one.seat == seat.seat)
            assert hand is not None
            move = plan.policy.move(hand, up, errs=errs)
            round = three_card_poker.apply(book, round, Chosen(seat.seat, move))
    return round


def _add_round(plan: PokerPlan, tally: Tally, round: Round) -> None:
    settled = three_card_poker.settle(plan.book, round)
    returned = _returned(plan, round, settled)
    for place, (one, seat) in enumerate(zip(round.seats, settled.seats, strict=True)):
        tally.played[place] += one.move == "play"
        tally.uncovered[place] += returned[place] > 0
        tally.returned[place] += returned[place] // plan.accounts[place].unit
        tally.fees[place] += seat.fee or 0
        tally.results[place][plan.accounts[place].bin(seat.net)] += 1
    tally.totals[1] += settled.bank_left == 0
    tally.totals[2] += settled.banker_fee or 0
    tally.results[-1][plan.accounts[-1].bin(settled.banker)] += 1


def _returned(plan: PokerPlan, round: Round, settled: SettledRound) -> list[int]:
    """Return what each seat got back for want of bank: its action, had the bank had no end."""
    if round.bank is None:
        return [0] * len(settled.seats)
    endless = Round(round.seats, plan.most_action + 1, round.first, round.dealer)
    covered = three_card_poker.settle(plan.book, endless)
    return [
        sum(full.action - got.action for full, got in zip(a.wagers, b.wagers, strict=True))
        for a, b in zip(covered.seats, settled.seats, strict=True)
    ]


# Roulette


def spin(plan: RoulettePlan, number: int) -> list[int]:
    """Return what each bet of a round gains: a word for each spin until no bet is held."""
    source = words.words(plan.seed, number)
    return settle(plan, iter(lambda: words.draw(source, len(plan.book.pockets))[0], None))


def settle(plan: RoulettePlan, pockets: Iterator[int]) -> list[int]:
    """Return what each bet gains when the ball lands so, once and again while a bet is held."""
    book = plan.book
    gains = [0] * len(plan.wagers)
    waiting = list(enumerate(plan.opened.wagers))
    while waiting:
        pocket = next(pockets)
        opened = roulette.open(book, [wager for _, wager in waiting])
        landed = roulette.apply(book, opened, Landed(book.pockets[pocket]))
        settled = roulette.settle(book, landed).wagers
        for (place, _), bet in zip(waiting, settled, strict=True):
            gains[place] += bet.net
        waiting = [
            (place, _held(bet))
            for (place, _), bet in zip(waiting, settled, strict=True)
            if bet.held
        ]
    return gains


def _held(bet: SettledBet) -> Wager:
    return Wager(bet.bet, bet.held, in_prison=True)


def _add_bets(plan: RoulettePlan, tally: Tally, gains: list[int]) -> None:
    for place, gain in enumerate(gains):
        tally.results[place][plan.accounts[place].bin(gain)] += 1
    tally.results[-1][plan.accounts[-1].bin(-sum(gains))] += 1
