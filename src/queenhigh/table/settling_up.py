"""Chips of a correction: each difference moves as far as the payer's chips cover it."""

from collections.abc import Iterable, Mapping

from queenhigh.table.correction_events import MovedChips, MovedDifference
from queenhigh.table.resettled import Difference
from queenhigh.table.state import PastRound, State

__all__ = ["Chips", "Transfers"]


class Chips:
    """The chips of the places of a round: where they are now, and how many have moved.

    Chips are at the place of this table where the player sits now, or else in the wallet. ``names``
    are the names of today of players who had another one, ``wallets`` what their wallets hold.
    """

    def __init__(
        self,
        state: State,
        past: PastRound,
        names: Mapping[str, str],
        wallets: Mapping[str, int],
    ) -> None:
        self.banker = past.live.banker
        self._state, self._wallets = state, wallets
        self._players = {place: names.get(name, name) for place, name in past.players.items()}
        self._moved: dict[int, int] = {}

    def left(self, place: int) -> int:
        """Return what a place of the round can still pay."""
        player = self._players[place]
        seat = self._state.place_of(player)
        chips = self._wallets.get(player, 0) if seat is None else self._state.stack(seat)
        return chips + self._moved.get(place, 0)

    def add(self, place: int, cents: int) -> None:
        """Add cents to a place, or take them."""
        self._moved[place] = self._moved.get(place, 0) + cents

    def rows(self) -> tuple[MovedChips, ...]:
        """Return where chips have moved, by place of the round."""
        return tuple(
            [
                MovedChips(place, player, self._state.place_of(player), cents)
                for place, cents in sorted(self._moved.items())
                for player in [self._players[place]]
                if cents
            ]
        )


class Transfers:
    """Differences as they move, one after another."""

    def __init__(self, chips: Chips) -> None:
        self.chips = chips
        self.rows: list[MovedDifference] = []

    def move(self, differences: Iterable[Difference]) -> None:
        """Move each difference as far as the payer's chips cover it; the rest is owed."""
        for each in differences:
            other = self._other(each)
            payer, payee = (other, each.place) if each.cents > 0 else (each.place, other)
            wanted = abs(each.cents)
            cents = wanted if payer is None else min(wanted, self.chips.left(payer))
            for party, gain in ((payer, -cents), (payee, cents)):
                if party is not None:
                    self.chips.add(party, gain)
            sign = 1 if each.cents > 0 else -1
            owed = sign * (wanted - cents)
            self.rows.append(MovedDifference(each.place, each.against, sign * cents, owed))

    def _other(self, difference: Difference) -> int | None:
        """Return the banker's place, or ``None`` for the house and for fees, which always cover."""
        return self.chips.banker if difference.against == "bank" else None
