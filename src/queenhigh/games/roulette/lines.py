"""A finished spin in the settle format."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from queenhigh.game import Line
from queenhigh.games.roulette.play import complete
from queenhigh.games.roulette.values import Spin, Wager
from queenhigh.rulebook.roulette_book import RouletteRulebook

__all__ = ["SpinLine", "from_line", "to_line"]


class WagerLine(Struct, forbid_unknown_fields=True, gc=False):
    """A bet of a finished spin."""

    bet: str
    stake: int
    player: str | UnsetType = UNSET
    in_prison: bool | UnsetType = UNSET


class SpinLine(Line, forbid_unknown_fields=True, gc=False):
    """A finished spin."""

    pocket: str
    wagers: list[WagerLine]
    id: str | UnsetType = UNSET

    def count_keys(self) -> int:
        """Return how many keys the line has, those of its wagers included."""
        count = 3 - (self.id is UNSET)
        for wager in self.wagers:
            count += 4 - (wager.player, wager.in_prison).count(UNSET)
        return count

    @property
    def name(self) -> str | None:
        """The id of the spin, if it was given one."""
        return None if self.id is UNSET else self.id


def from_line(book: RouletteRulebook, line: SpinLine, /) -> Spin:
    """Return the finished spin of a line, every rule checked."""
    wagers = [
        Wager(
            wager.bet,
            wager.stake,
            None if wager.player is UNSET else wager.player,
            None if wager.in_prison is UNSET else wager.in_prison,
        )
        for wager in line.wagers
    ]
    return complete(book, Spin(tuple(wagers), line.pocket))


def to_line(book: RouletteRulebook, spin: Spin, players: Mapping[int, str], /) -> dict[str, object]:
    """Return a finished spin in the settle format, each bet with the name of its player."""
    wagers = [
        {"bet": wager.bet, "stake": wager.stake, "player": players[int(wager.player or 0)]}
        | ({"in_prison": True} if wager.in_prison else {})
        for wager in spin.wagers
    ]
    return {"pocket": spin.pocket, "wagers": wagers}
