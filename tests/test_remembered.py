"""What tests remember is what they would make again, and nothing else."""

from random import Random
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.room import dealing
from queenhigh.room.room import settings_for
from queenhigh.rulebook import load
from queenhigh.rulebook.load import from_document, vary
from queenhigh.store.memory import MemoryStore
from tests.remembered import remembered
from tests.table.seeded_rooms import seeded_room

HOUSE = qh.load("house")


def test_remembered_rulebook_is_the_one_that_is_parsed() -> None:
    with remembered():
        books = [from_document(HOUSE.document) for _ in range(2)]
        other = vary(HOUSE, {"seats": 3})
    assert books[0] is books[1]
    assert (books[0].digest, books[0].document) == (HOUSE.digest, HOUSE.document)
    assert other.digest != HOUSE.digest


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_values_that_look_alike_are_kept_apart(value: Any) -> None:
    document = {**HOUSE.document, "up": 1}
    with remembered():
        from_document(document)
        for _ in range(2):
            with pytest.raises(qh.InvalidRulebook):
                from_document({**document, "up": value})


def test_remembered_chain_is_the_one_that_is_made() -> None:
    def ends() -> list[str]:
        rooms = [seeded_room(MemoryStore(), Random(seed)) for seed in (1, 1, 2)]
        tables = [room.open_table("t1", HOUSE, settings_for(HOUSE)) for room in rooms]
        return [table.committed.chain.end for table in tables if table.committed.chain]

    with remembered():
        kept = ends()
    assert kept == ends()
    assert len(kept) == 3
    assert kept[0] == kept[1] != kept[2]


def test_nothing_is_remembered_outside() -> None:
    before = load._parsed, dealing.Dealing._make
    with remembered():
        assert load._parsed is not before[0]
        assert dealing.Dealing._make is not before[1]
    assert (load._parsed, dealing.Dealing._make) == before
