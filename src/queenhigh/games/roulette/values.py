"""The values a spin of the wheel is made of."""

from msgspec import Struct

from queenhigh.game import GameRound, Landed, SettledBet, SettledSpin, View, Wheel

__all__ = ["Landed", "SettledBet", "SettledSpin", "Spin", "View", "Wager", "Wheel"]


class Wager(Struct, frozen=True, omit_defaults=True):
    """A stake in cents on a bet: ``"split 17 20"``. ``in_prison``: held over from a zero."""

    bet: str
    stake: int
    player: str | None = None
    in_prison: bool | None = None


class Spin(Struct, GameRound, frozen=True):
    """A spin of the wheel; ``pocket`` is where the ball landed."""

    wagers: tuple[Wager, ...]
    pocket: str | None = None
