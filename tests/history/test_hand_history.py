"""Hand histories in PHH, as PokerKit reads them."""

import tomllib
import warnings
from datetime import UTC, datetime, time
from typing import Any

import pytest

from queenhigh.history.hand_history import as_hand_history, number_hands
from queenhigh.history.records import Record
from queenhigh.table.events import RoundSettled
from tests.history.played import play_with_bots

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import Card, HandHistory


def phhs(records: list[Record]) -> str:
    """Return rounds as a file of hand histories."""
    return "".join(number_hands(filter(None, map(as_hand_history, records))))


@pytest.mark.parametrize("name", ["california", "house"])
def test_pokerkit_reads_hand_histories(name: str) -> None:
    records = play_with_bots(name, 8)
    text = phhs(records)
    hands = list(HandHistory.loads_all(text))
    assert list(tomllib.loads(text)) == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [hand.hand for hand in hands] == [record.live.number for record in records]
    for hand, record in zip(hands, records, strict=True):
        assert isinstance(record.end, RoundSettled)
        own = hand.user_defined_fields
        assert (hand.variant, own["_digest"], own["_net"][-1]) == (
            "3CP",
            record.digest,
            record.end.net,
        )
        assert isinstance(hand.time, time)
        assert hand.finishing_stacks is not None
        stacks = zip(hand.starting_stacks, hand.finishing_stacks, own["_net"], own["_fees"],
                     strict=True)  # fmt: skip
        for before, after, net, fee in list(stacks)[:-1]:
            assert after == before + net - fee
        assert len(hand.players or ()) == len(hand.antes) == len(hand.finishing_stacks)


@pytest.mark.parametrize("name", ["california", "house"])
def test_hand_histories_keep_the_types_and_ranges_of_phh(name: str) -> None:
    for hand in tomllib.loads(phhs(play_with_bots(name, 8))).values():
        amounts = [*hand["antes"], *hand["winnings"], *hand["finishing_stacks"]]
        assert min(amounts) >= 0
        assert min(hand["starting_stacks"]) > 0
        staked = [sum(each) for each in zip(hand["antes"], hand["_bonus"], hand["_pair_plus"],
                                            plays(hand), strict=True)]  # fmt: skip
        collected = [stake + net for stake, net in zip(staked, hand["_net"], strict=True)][:-1]
        assert hand["winnings"][:-1] == collected
        begun = datetime(hand["year"], hand["month"], hand["day"], tzinfo=UTC)
        assert datetime.combine(begun, hand["time"], UTC) <= datetime.now(UTC)
        assert type(hand["time"]) is time
        dealt = [action.split()[3] for action in hand["actions"] if action.startswith("d dh")]
        assert all(len(list(Card.parse(cards))) == 3 for cards in dealt)


def plays(hand: dict[str, Any]) -> list[int]:
    """Return the Play wager of each player of a hand history."""
    made = dict.fromkeys(range(1, len(hand["players"]) + 1), 0)
    for action in hand["actions"]:
        player, move, *amount = action.split()
        if move == "cbr":
            made[int(player[1:])] = int(amount[0])
    return list(made.values())


def test_spin_has_no_hand_history() -> None:
    assert as_hand_history(play_with_bots("roulette", 1)[0]) is None
