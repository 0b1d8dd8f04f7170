"""Rows that events of settled and corrected rounds carry."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from queenhigh.game import SettledBet, SettledRound, SettledSpin, SettledWager

__all__ = ["Charge", "SettledPlace", "SettledPlayer", "by_player", "by_seat", "charges"]


class Charge(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Cents of a place: a fee, or what comes back."""

    place: int
    cents: int


class SettledPlace(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A place's wagers, settled by their clauses."""

    place: int
    seat: int
    wagers: tuple[SettledWager, ...]
    net: int


class SettledPlayer(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A place's bets on the wheel, settled by their clauses."""

    place: int
    bets: tuple[SettledBet, ...]
    net: int


def charges(cents: Mapping[int, int]) -> tuple[Charge, ...]:
    """Return cents by place as rows; places with nothing have none."""
    return tuple([Charge(place, cents[place]) for place in sorted(cents) if cents[place]])


def by_seat(seats: Mapping[int, int], settled: SettledRound) -> tuple[SettledPlace, ...]:
    """Return a settled round of cards by place; ``seats`` are the seats of places."""
    place_of = {seat: place for place, seat in seats.items()}
    return tuple(
        [SettledPlace(place_of[row.seat], row.seat, row.wagers, row.net) for row in settled.seats]
    )


def by_player(places: Iterable[int], settled: SettledSpin) -> tuple[SettledPlayer, ...]:
    """Return a settled spin by place."""
    rows = []
    for place in sorted(places):
        bets = tuple([bet for bet in settled.wagers if bet.player == str(place)])
        rows.append(SettledPlayer(place, bets, sum(bet.net for bet in bets)))
    return tuple(rows)
