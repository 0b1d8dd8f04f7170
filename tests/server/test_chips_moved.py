"""Chips that move at another process while this one counts them."""

from types import SimpleNamespace
from typing import cast

import pytest

import queenhigh as qh
from queenhigh.room.room import Room, settings_for
from queenhigh.server.responses import SeatChips
from queenhigh.server.services import Services
from queenhigh.store.memory import MemoryStore
from queenhigh.table.commands import Sit


class Moving:
    """A host at which a player sits down between two reads: of the seats, and of the wallet."""

    def __init__(self) -> None:
        book, room = qh.load("house"), Room(MemoryStore())
        self._table = room.open_table("t", book, settings_for(book))
        self.wallets = room.wallets
        self.wallets.issue("ann", 10_000, id="chips", at=1, reason="to begin with")
        self.reads = 0

    def chips(self, player: str) -> tuple[int, list[SeatChips]]:
        self.reads += 1
        place = self._table.committed.place_of(player)
        seats = [SeatChips("t", place, 10_000)] if place else []
        if not place:
            at = self._table.committed.at + 1
            self._table.execute(Sit(id="sit", by=player, at=at, place=1, cents=10_000))
        return self.wallets.of(player).cents, seats


def test_player_who_sits_down_meanwhile_gets_no_chips() -> None:
    host = Moving()
    services = cast("Services", SimpleNamespace(host=host, now=lambda: 2))
    assert not Services.give_chips(services, "ann")
    assert host.reads == 2
    assert host.wallets.of("ann").issued == 10_000


def test_player_who_sits_down_meanwhile_keeps_the_name() -> None:
    host = Moving()
    version = host.wallets.of("ann").version
    host.chips("ann")
    with pytest.raises(qh.QueenhighError, match="your chips were moved at the same moment"):
        host.wallets.hand_over("ann", "ada", id="rename", at=2, version=version)
    assert host.wallets.of("ann").version == version + 1, "nothing is queued"
