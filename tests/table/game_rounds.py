"""A table's round in its game, typed for the tests."""

from queenhigh.games.roulette import Spin
from queenhigh.games.three_card_poker import Round
from queenhigh.table.state import ActiveRound

__all__ = ["poker_of", "poker_or_none", "spin_of"]


def poker_or_none(live: ActiveRound) -> Round | None:
    return live.play if isinstance(live.play, Round) else None


def poker_of(live: ActiveRound) -> Round:
    assert isinstance(live.play, Round)
    return live.play


def spin_of(live: ActiveRound) -> Spin:
    assert isinstance(live.play, Spin)
    return live.play
