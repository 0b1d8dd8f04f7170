"""Who banked a table, and how long: rounds in a row of one player at one place."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from queenhigh.history.records import Record, fees_of
from queenhigh.table.events import RoundVoided

__all__ = ["BankedRound", "as_banked", "turns_of"]


class BankedRound(Struct, frozen=True):
    """A round that a player banked: the bank's gain, and the fee that the banker paid."""

    round: int
    player: str
    place: int
    opened_at: int
    at: int
    net: int
    fee: int


def as_banked(record: Record) -> BankedRound | None:
    """Return a round as its banker's; ``None`` where the house banks."""
    live, end = record.live, record.end
    if live.banker is None:
        return None
    is_void = isinstance(end, RoundVoided)
    fee = 0 if is_void else fees_of(live).get(live.banker, 0)
    began = record.events[0][0].at if record.events else end.at
    net = 0 if isinstance(end, RoundVoided) else end.net
    player = record.players[live.banker]
    return BankedRound(live.number, player, live.banker, began, end.at, net, fee)


def turns_of(rounds: Iterable[BankedRound | None]) -> list[dict[str, Any]]:
    """Return turns at the bank, the newest first; the rounds come oldest first."""
    turns: list[list[BankedRound]] = []
    for banked in rounds:
        if banked is None:
            continue
        last = turns[-1][-1] if turns else None
        goes_on = last is not None and (last.player, last.place, last.round + 1) == (
            banked.player,
            banked.place,
            banked.round,
        )
        if goes_on:
            turns[-1].append(banked)
        else:
            turns.append([banked])
    return [_turn(turn) for turn in reversed(turns)]


def _turn(rounds: list[BankedRound]) -> dict[str, Any]:
    first, last = rounds[0], rounds[-1]
    return {
        "player": first.player,
        "place": first.place,
        "first_round": first.round,
        "last_round": last.round,
        "rounds": len(rounds),
        "since": first.opened_at,
        "until": last.at,
        "net": sum(banked.net for banked in rounds),
        "fees": sum(banked.fee for banked in rounds),
    }
