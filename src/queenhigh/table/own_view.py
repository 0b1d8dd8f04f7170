"""A player's own part of the view of a table: nobody else sees it before the showdown."""

from msgspec import Struct
from msgspec.json import encode

from queenhigh.table.corrected import owed_to
from queenhigh.table.state import ActiveRound, State, seat_of

__all__ = ["OwnCorrection", "OwnEncoder", "OwnView", "own_views"]


class OwnCorrection(Struct, frozen=True, omit_defaults=True):
    """A correction as a player concerned by it sees it.

    ``cents`` moved to the player's chips, or from them; ``owed`` is what was not covered: above
    zero the player is still owed it, below zero the player owes it.
    """

    correction: int
    round: int
    at: int
    cents: int
    owed: int = 0
    to_wallet: bool = False


class OwnView(Struct, frozen=True, omit_defaults=True):
    """A player's own part of the view: their place and their own cards.

    ``hand`` and ``last_hand`` are the places those cards lie at, in this round and the last.
    """

    place: int | None = None
    hand: int | None = None
    cards: tuple[int, ...] | None = None
    last_hand: int | None = None
    last_cards: tuple[int, ...] | None = None
    #: The last correction here that moved chips of this player, or should have.
    correction: OwnCorrection | None = None


#: The place of a player's hand in a round, and its cards; those of each player.
_Hand = tuple[int | None, tuple[int, ...] | None]
_Hands = dict[str, _Hand]


def own_views(state: State) -> dict[str, OwnView]:
    """Return each player's part: with ``view(state)`` it makes ``view(state, player)``."""
    return _own_views(state, _last_hands(state))


def _own_views(state: State, last: _Hands) -> dict[str, OwnView]:
    now = _hands(state, state.round)
    places = {seat.player: place for place, seat in state.places.items()}
    nothing: _Hand = (None, None)
    corrected = _corrections(state)
    return {
        player: _own_view(
            places.get(player),
            now.get(player, nothing),
            last.get(player, nothing),
            corrected.get(player),
        )
        for player in {*places, *now, *last}
    }


def _own_view(
    place: int | None, now: _Hand, last: _Hand, correction: OwnCorrection | None
) -> OwnView:
    (hand, cards), (last_hand, last_cards) = now, last
    return OwnView(place, hand, cards, last_hand, last_cards, correction)


def _corrections(state: State) -> dict[str, OwnCorrection]:
    """Return the last correction by player: of their chips, or of what they owe or are owed."""
    made = state.corrections.latest
    if made is None:
        return {}
    last = state.last
    players = dict(last.players) if last and last.live.number == made.round else {}
    chips = {row.place: row for row in made.chips}
    players |= {place: row.player for place, row in chips.items()}
    own = {}
    for place, player in players.items():
        row, owed = chips.get(place), owed_to(made.moved, place, made.banker)
        if row is not None or owed:
            own[player] = OwnCorrection(
                made.correction,
                made.round,
                made.at,
                row.cents if row else 0,
                owed,
                row is not None and row.seat is None,
            )
    return own


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
    is_corrected = before.corrections.latest is not state.corrections.latest
    return before.places is state.places and play_before is play and not is_corrected
