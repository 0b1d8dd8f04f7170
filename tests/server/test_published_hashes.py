"""Hashes that the room publishes or signs give no hidden card away, however many are tried."""

import re
from collections.abc import Iterable, Iterator
from itertools import islice, permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import chain
from queenhigh.table.own_view import own_views
from queenhigh.table.view import view
from tests.sizes import sized
from tests.table.table_driver import Table

Json = dict[str, Any]
#: What a player does not know yet: the dealer's cards, in the order they were dealt.
HIDDEN = 3


class Round:
    """A round that is being decided, as ann sees it, with receipts of every event."""

    def __init__(self, file: Path) -> None:
        self.store = SqliteStore(file)
        table = Table("house", {"ann": 1}, store=self.store)
        table.tick()
        table.bet("ann", ante=100)
        assert table.state.phase == "deciding"
        rows = [*self.store.read("table/t")]
        self.dealt = next(row for row in rows if b'"cards.dealt/' in row.event)
        self.before = self.signed(self.dealt.version - 1)
        self.event: Json = msgspec.json.decode(self.dealt.event)
        seen = msgspec.json.encode([view(table.state), own_views(table.state)["ann"]])
        self.known = [*re.findall(rb'"([0-9a-f]{64})"', seen), b"0" * 64, b""]

    def signed(self, version: int) -> bytes:
        """Return the hash that anyone gets by a receipt."""
        receipt = self.store.receipt("table/t", version)
        assert receipt is not None
        return receipt.hash

    def guesses(self) -> Iterator[tuple[int, ...]]:
        """Yield all cards that the dealer may have, the right ones not too late for a quick run."""
        own, dealer = self.event["cards"][:-HIDDEN], tuple(self.event["cards"][-HIDDEN:])
        rest = [card for card in range(52) if card not in own]
        others = (cards for cards in permutations(rest, HIDDEN) if cards != dealer)
        for n, cards in enumerate(others):
            if n == sized(2_000, 60_000):
                yield dealer
            yield cards

    def find(self, event: Json, wanted: bytes, guesses: Iterable[tuple[int, ...]]) -> Any:
        """Return the dealer's cards if an event with them has the hash that was published."""
        own = event["cards"][:-HIDDEN]
        for cards in guesses:
            tried = msgspec.json.encode({**event, "cards": [*own, *cards]})
            if chain(self.before, "table/t", self.dealt.version, tried) == wanted:
                return cards
        return None


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Round]:
    made = Round(tmp_path / "room.db")
    yield made
    made.store.close()


def test_cards_dealt_without_a_secret_are_detected(played: Round) -> None:
    """As rounds were dealt before: so many guesses are nothing, and this attack works."""
    plain = {name: value for name, value in played.event.items() if name != "key"}
    plain["type"] = "cards.dealt/1"
    stored = msgspec.json.encode(plain)
    wanted = chain(played.before, "table/t", played.dealt.version, stored)
    assert played.find(plain, wanted, played.guesses()) == tuple(plain["cards"][-HIDDEN:])


def test_a_receipt_of_the_deal_gives_no_card_away(played: Round) -> None:
    wanted = played.signed(played.dealt.version)
    assert wanted == played.dealt.hash
    right = [tuple(played.event["cards"][-HIDDEN:])]
    assert played.find(played.event, wanted, right), "who knows the secret finds the cards"
    for key in played.known:
        tried = {**played.event, "key": key.decode()}
        assert played.find(tried, wanted, right) is None, "not even the right ones fit"
    without = {name: value for name, value in played.event.items() if name != "key"}
    some = islice(played.guesses(), sized(4_000, 200_000))
    assert played.find(without, wanted, some) is None
    assert len(bytes.fromhex(played.event["key"])) == 32
