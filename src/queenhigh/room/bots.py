"""Players that need no people. They see what a person in their place would, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from queenhigh.cards import Hand
from queenhigh.games.policy import Policy
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.simulation.policies import find_policy
from queenhigh.table.commands import AcceptBank, Bet, Choose, Command, DeclineBank, PlaceWagers
from queenhigh.table.view import HandView, PlaceView, RoundView, TableView

__all__ = ["STYLES", "Bot", "bot_names", "make_bots"]

#: How bots play, one after another: best, by charts, and as people do, with errors.
STYLES = ("best", "q64", "best+errors:5%", "mimic", "q64+errors:10%")
_NAMES = ("Ada", "Ben", "Cleo", "Dov", "Edda", "Finn", "Gus", "Hana", "Ivo", "June", "Kit", "Lou")
_MOST_ON_THE_WHEEL = 4
#: A bank is so many times the least that a bank may be.
_BANK = 100


@dataclass
class Bot:
    """A player with a policy; ``banks``: takes the bank when it is offered."""

    name: str
    book: Rulebook
    policy: Policy | None
    banks: bool
    random: Random = field(repr=False)

    def act(self, seen: TableView, at: int) -> Command | None:
        """Return what the bot does when it sees this, or nothing."""
        me = next((one for one in seen.places if one.player == self.name), None)
        if me is None or me.leaving or me.aside:
            return None
        if seen.phase == "offering":
            return self._answer_offer(seen, me, at)
        if seen.round is None:
            return None
        hand = next((one for one in seen.round.hands if one.place == me.place), None)
        if seen.phase == "betting" and seen.round.banker != me.place:
            return self._bet(seen.round, me, hand, at)
        if seen.phase == "deciding" and hand is not None:
            return self._choose(seen.round, hand, at)
        return None

    def _answer_offer(self, seen: TableView, me: PlaceView, at: int) -> Command | None:
        if seen.offered_to != me.place:
            return None
        round = seen.next_round
        stamp: dict[str, Any] = {
            "id": f"{seen.version}.bank",
            "by": self.name,
            "at": at,
            "round": round,
        }
        fee = max([rate["banker"] for rate in seen.fees], default=0)
        bank = min(me.stack - fee, _BANK * seen.settings.least_bank)
        if not self.banks or bank < seen.settings.least_bank:
            return DeclineBank(**stamp)
        return AcceptBank(**stamp, cents=bank)

    def _bet(
        self, round: RoundView, me: PlaceView, hand: HandView | None, at: int
    ) -> Command | None:
        if hand is not None and hand.ready:
            return None
        put_down = hand is not None and any(not bet.in_prison for bet in hand.wagers)
        return PlaceWagers(
            id=f"{round.round}.bet",
            by=self.name,
            at=at,
            round=round.round,
            wagers=() if put_down else self._wagers(me.stack),
            ready=True,
        )

    def _wagers(self, stack: int) -> tuple[Bet, ...]:
        book, draw = self.book, self.random
        if isinstance(book, RouletteRulebook):
            spots = draw.sample(sorted(book.spots), draw.randint(1, _MOST_ON_THE_WHEEL))
            stake = book.limits.min * 2
            return tuple([Bet(spot, stake) for spot in spots][: stack // stake])
        assert isinstance(book, PokerRulebook)
        least = book.limits["ante"].min
        ante = least * draw.choice((1, 1, 2, 3))
        fee = book.fees.rate(least).player if book.fees else 0
        if stack < 2 * (ante + fee):
            ante = least
        if stack < 2 * (ante + fee):
            return ()
        by_wager = book.fees is not None and book.fees.fee_per == "wager"
        bets, left = [Bet("ante", ante)], stack - 2 * (ante + fee)
        for bet in book.side_bets:
            low = book.limits[bet.name].min
            if left >= low and draw.random() < 0.4 and not by_wager:
                bets.append(Bet(bet.name, low))
        return tuple(bets)

    def _choose(self, round: RoundView, hand: HandView, at: int) -> Command | None:
        if hand.move is not None or hand.cards is None or self.policy is None:
            return None
        if not any(bet.spot == "ante" for bet in hand.wagers):
            return None
        a, b, c = hand.cards
        cards: Hand = (a, b, c)
        up = tuple(card for card in round.dealer if card is not None)
        errs = self.policy.errors > 0 and Fraction(self.random.random()) < self.policy.errors
        move = self.policy.move(cards, up, errs=errs)
        return Choose(id=f"{round.round}.move", by=self.name, at=at, round=round.round, move=move)


def bot_names(count: int) -> list[str]:
    """Return names for so many bots."""
    named = []
    for at in range(count):
        turn, name = divmod(at, len(_NAMES))
        named.append(_NAMES[name] + (str(turn + 1) if turn else ""))
    return named


def make_bots(
    book: Rulebook,
    count: int,
    seed: int,
    styles: tuple[str, ...] = STYLES,
    names: Sequence[str] | None = None,
) -> list[Bot]:
    """Return bots of all styles in turn; every second one is willing to bank."""
    draw = Random(seed)
    poker = book if isinstance(book, PokerRulebook) else None
    policies = [find_policy(poker, style) if poker else None for style in styles]
    bots = []
    for at, called in enumerate(bot_names(count) if names is None else names):
        policy, own = policies[at % len(policies)], Random(draw.getrandbits(64))
        bots.append(Bot(called, book, policy, banks=at % 2 == 0, random=own))
    return bots
