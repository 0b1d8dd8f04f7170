"""Bots. They see the same view as a person in their place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from queenhigh.cards import Hand
from queenhigh.games.policy import Policy
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.simulation.policy_file import find_policy
from queenhigh.table.commands import AcceptBank, Choose, Command, DeclineBank, PlaceWagers
from queenhigh.table.view import HandView, PlaceView, RoundView, TableView

__all__ = ["STYLES", "Bot", "bot_names", "make_bots"]

#: How bots play, one after another: best, by charts, and as people do, with errors.
STYLES = ("best", "q64", "best+errors:5%", "mimic", "q64+errors:10%")
_NAMES = ("Ada", "Ben", "Cleo", "Dov", "Edda", "Finn", "Gus", "Hana", "Ivo", "June", "Kit", "Lou")
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

    def act(self, seen: TableView, time_ms: int) -> Command | None:
        """Return the bot's command for this view, or ``None``."""
        me = next((row for row in seen.places if row.player == self.name), None)
        if me is None or me.leaving or me.aside:
            return None
        if seen.phase == "offering":
            return self._answer_offer(seen, me, time_ms)
        if seen.round is None:
            return None
        hand = next((row for row in seen.round.hands if row.place == me.place), None)
        if seen.phase == "betting" and seen.round.banker != me.place:
            return self._bet(seen.round, me, hand, time_ms)
        if seen.phase == "deciding" and hand is not None:
            return self._choose(seen.round, hand, time_ms)
        return None

    def _answer_offer(self, seen: TableView, me: PlaceView, time_ms: int) -> Command | None:
        if seen.offered_to != me.place:
            return None
        round = seen.next_round
        stamp: dict[str, Any] = {
            "id": f"{seen.version}.bank",
            "by": self.name,
            "at": time_ms,
            "round": round,
        }
        fee = max([rate["banker"] for rate in seen.fees], default=0)
        bank = min(me.stack - fee, _BANK * seen.settings.least_bank)
        if not self.banks or bank < seen.settings.least_bank:
            return DeclineBank(**stamp)
        return AcceptBank(**stamp, cents=bank)

    def _bet(
        self, round: RoundView, me: PlaceView, hand: HandView | None, time_ms: int
    ) -> Command | None:
        if hand is not None and hand.ready:
            return None
        put_down = hand is not None and any(not bet.in_prison for bet in hand.wagers)
        return PlaceWagers(
            id=f"{round.round}.bet",
            by=self.name,
            at=time_ms,
            round=round.round,
            wagers=() if put_down else self.book.game.bot_bets(self.book, me.stack, self.random),
            ready=True,
        )

    def _choose(self, round: RoundView, hand: HandView, time_ms: int) -> Command | None:
        if hand.move is not None or hand.cards is None or self.policy is None:
            return None
        if not any(bet.spot == "ante" for bet in hand.wagers):
            return None
        a, b, c = hand.cards
        cards: Hand = (a, b, c)
        up = tuple(card for card in round.dealer if card is not None)
        errs = self.policy.errors > 0 and Fraction(self.random.random()) < self.policy.errors
        move = self.policy.move(cards, up, errs=errs)
        number = round.round
        return Choose(id=f"{number}.move", by=self.name, at=time_ms, round=number, move=move)


def bot_names(count: int) -> list[str]:
    """Return names for so many bots."""
    named = []
    for index in range(count):
        turn, name = divmod(index, len(_NAMES))
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
    for index, name in enumerate(bot_names(count) if names is None else names):
        policy, own = policies[index % len(policies)], Random(draw.getrandbits(64))
        bots.append(Bot(name, book, policy, banks=index % 2 == 0, random=own))
    return bots
