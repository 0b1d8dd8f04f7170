"""A player's own part of the view of a table: nobody else sees it before the showdown."""

from msgspec import Struct
from msgspec.json import encode

from queenhigh.table.state import ActiveRound, State, seat_of

__all__ = ["OwnEncoder", "OwnView", "own_views"]


class OwnView(Struct, frozen=True, omit_defaults=True):
    """A player's own part of the view: their place and their own cards.

    ``hand`` and ``last_hand`` are the places those cards lie at, in this round and the last.
    """

    place: int | None = None
    hand: int | None = None
    cards: tuple[int, ...] | None = None
    last_hand: int | None = None
    last_cards: tuple[int, ...] | None = None


#: The place of each player's hand in a round, and its cards.
_Hands = dict[str, tuple[int, tuple[int, ...] | None]]


def own_views(state: State) -> dict[str, OwnView]:
    """Return each player's part: with ``view(state)`` it makes ``view(state, player)``."""
    return _own_views(state, _last_hands(state))


def _own_views(state: State, last: _Hands) -> dict[str, OwnView]:
    now = _hands(state, state.round)
    places = {seat.player: place for place, seat in state.places.items()}
    nothing = (None, None)
    return {
        player: OwnView(places.get(player), *now.get(player, nothing), *last.get(player, nothing))
        for player in {*places, *now, *last}
    }


def _last_hands(state: State) -> _Hands:
    return _hands(state, state.last.live if state.last else None)


def _hands(state: State, live: ActiveRound | None) -> _Hands:
    if live is None or live.play is None:
        return {}
    hand, play = state.book.game.hand, live.play
    return {
        player: (place, hand(play, seat_of(state, place, live.banker)))
        for place, player in live.players.items()
    }


class OwnEncoder:
    """Encodes the own parts of one table; those that stay the same are encoded once."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._last_hands: _Hands = {}
        self._own: dict[str, bytes] = {}

    def own(self, state: State) -> dict[str, bytes]:
        """Return each of ``own_views(state)`` as JSON."""
        before, self._state = self._state, state
        is_last_same = (
            before is not None
            and before.last is state.last
            and before.book is state.book
            and before.settings is state.settings
        )
        if not is_last_same:
            self._last_hands = _last_hands(state)
        if before is None or not is_last_same or not _is_same_now(before, state):
            owns = _own_views(state, self._last_hands)
            self._own = {player: encode(own) for player, own in owns.items()}
        return self._own


def _is_same_now(before: State, state: State) -> bool:
    """Return whether nobody sat down or left, and no cards were dealt."""
    play_before = before.round.play if before.round else None
    play = state.round.play if state.round else None
    return before.places is state.places and play_before is play
