"""A rulebook of roulette ready for use: a wheel and a list of bets."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from queenhigh.money import Pays
from queenhigh.rulebook.book import Limits, Rulebook
from queenhigh.rulebook.fact_words import bets_words, covers_words, pays_words, refused_words
from queenhigh.rulebook.terms import BettingTerms, StakeRange, WagerTerms
from queenhigh.wheel import pockets

__all__ = ["RouletteRulebook", "Spot", "ZeroRule"]


class Spot(NamedTuple):
    """One place to bet on the layout."""

    bet: str
    pockets: frozenset[str]
    pays: Pays
    clause: str

    @property
    def even_money(self) -> bool:
        """Return whether a zero may treat this bet more gently (RO-21, RO-22)."""
        return self.pays == (1, 1)


class ZeroRule(NamedTuple):
    """The effect of a zero on an even-money bet."""

    on_zero: Literal["lose", "la_partage", "en_prison"]
    second_zero: Literal["lose", "half", "stay"]
    la_partage: str
    en_prison: str

    @property
    def halves(self) -> bool:
        """Return whether a stake may be split in two, and so must be even."""
        return self.on_zero == "la_partage" or (
            self.on_zero == "en_prison" and self.second_zero == "half"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class RouletteRulebook(Rulebook):
    """A wheel and a list of bets."""

    zeros: int
    increment: int
    increment_clause: str
    limits: Limits
    layout_clause: str
    #: Every legal bet by its plain text, numbers in order: ``"split 17 20"``.
    spots: Mapping[str, Spot]
    aliases: Mapping[str, str]
    #: Bets the rules leave out on purpose, with the clause that says so.
    refused: Mapping[str, str]
    zero: ZeroRule | None

    @cached_property
    def betting(self) -> BettingTerms:
        """The limits of a bet, the same on every spot of the layout."""
        least, most, _ = self.limits
        ranges = (StakeRange(least, most),)
        return BettingTerms(any=WagerTerms(self.increment, False, 0, least, most, ranges))

    @property
    def all_pays(self) -> tuple[Pays, ...]:
        """The payout of every spot."""
        return tuple(spot.pays for spot in self.spots.values())

    @property
    def most_winners(self) -> int:
        """Every spot of the layout."""
        return len(self.spots)

    @property
    def holds_bets(self) -> bool:
        """Return true: a zero may hold bets. A wheel waits for its bets even where none does."""
        return True

    @cached_property
    def pockets(self) -> tuple[str, ...]:
        """The wheel's pockets, zeros first."""
        return pockets(self.zeros)

    def fact(self, clause: str, name: str) -> str | None:
        """Return ``pays``, ``covers`` or ``bets``: what the bets of a clause pay and cover."""
        refused = [bet for bet, by in self.refused.items() if by == clause]
        if name == "refused" and refused:
            return refused_words(refused)
        spots = [spot for spot in self.spots.values() if spot.clause == clause]
        if name == "pays" and spots:
            return pays_words(spot.pays for spot in spots)
        if name == "covers" and len(spots) == 1:
            return covers_words(sorted(spots[0].pockets, key=self.pockets.index))
        if name == "bets" and spots:
            return bets_words((spot.bet, spot.pays) for spot in spots)
        return None

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Each pocket's place in ``pockets``, by which the numbers of a bet are put in order."""
        return {pocket: place for place, pocket in enumerate(self.pockets)}
