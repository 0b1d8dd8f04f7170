"""IR: what happens when a round goes wrong, a test for each clause."""

from typing import Any

import pytest

import queenhigh as qh
from queenhigh.table import events
from queenhigh.table.commands import FLOOR
from tests.rules.short_rounds import refused, rows, settle
from tests.table.table_driver import FOUR, Table, kinds

QUALIFIED, BETTER, WORSE = "Qs 7d 2d", "As Kd 9h", "Th 9c 3s"


def seat(number: int, cards: str | None, move: str | None, ante: int = 1000, **more: int) -> Any:
    held = {"cards": cards} if cards is not None else {}
    return {"seat": number, **held, "ante": ante, **({"move": move} if move else {}), **more}


def entered(name: str, *seats: Any, irregular: dict[str, Any], **changes: object) -> dict[str, Any]:
    bank = {"bank": 10**7} if name == "california" else {}
    round = {"dealer": QUALIFIED, **bank, "seats": list(seats), "irregularities": [irregular]}
    return settle(name, round, **changes)


def back(result: dict[str, Any]) -> list[tuple[int | None, str, int, str]]:
    """Return all that came back as (seat, wager, cents, clause)."""
    return [
        (row.get("seat"), row["wager"], row["cents"], row["clause"])
        for row in result.get("returned", [])
    ]


def dealt(**changes: object) -> Table:
    """Return a live table whose players are to decide, banked by ann."""
    table = Table(qh.load("california", changes), FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    return table


def rule(table: Table, kind: str, player: str | None = None) -> list[str]:
    place = FOUR[player] if player else None
    return kinds(
        table.do("RuleIncident", FLOOR, kind=kind, place=place, staff="Maria", reason="a dispute")
    )


@pytest.mark.parametrize("ruling", ["void", "redeal"])
def test_IR_1_misdeal_returns_wagers_and_fees(ruling: str) -> None:
    hands = (seat(1, BETTER, None, bonus=500), seat(2, "Ah Kh 9d 8d", None, 20000))
    result = entered("california", *hands, irregular={"kind": "misdeal"}, misdeal=ruling)
    assert back(result) == [
        (1, "ante", 1000, "IR-1"), (1, "bonus", 500, "IR-1"), (1, "fee", 100, "CA-7"),
        (2, "ante", 20000, "IR-1"), (2, "fee", 200, "CA-7"), (None, "banker_fee", 400, "CA-7"),
    ]  # fmt: skip
    (ruled,) = result["irregularities"]
    assert ruled == {"kind": "misdeal", "clause": "IR-1", "ruling": ruling}
    assert (result["banker"], result["banker_fee"], result["bank_left"]) == (0, 0, 10**7)
    table = dealt(misdeal=ruling)
    followed = rule(table, "misdeal")
    assert followed[1] == "RoundVoided"
    assert ("WagersPlaced" in followed) == (ruling == "redeal")


def test_IR_1_misdeal_is_too_late_after_a_decision() -> None:
    late = {"kind": "misdeal"}
    hands = [seat(1, BETTER, "fold"), seat(2, WORSE, None)]
    round = {"dealer": QUALIFIED, "bank": 10**7, "seats": hands, "irregularities": [late]}
    assert "(IR-1)" in refused("california", round)


def test_IR_2_exposed_card_of_a_player() -> None:
    exposed = {"kind": "exposed_player", "seat": 2}
    hands = (seat(1, BETTER, "play"), seat(2, WORSE, "play"))
    on = entered("california", *hands, irregular=exposed)
    assert rows(on["seats"][1]) == [("ante", -1000, "CA-17"), ("play", -1000, "CA-17")]
    assert back(on) == []
    hands = (seat(1, BETTER, "play"), seat(2, WORSE, None))
    void = entered("california", *hands, irregular=exposed, exposed_player="void_hand")
    assert rows(void["seats"][1]) == [("ante", 0, "IR-2")]
    assert back(void) == [(2, "ante", 1000, "IR-2"), (2, "fee", 100, "CA-7")]
    assert rows(void["seats"][0]) == [("ante", 1000, "CA-16"), ("play", 1000, "CA-16")]
    assert rule(dealt(), "exposed_player", "bob") == ["IncidentRuled"]
    assert "HandVoided" in rule(dealt(exposed_player="void_hand"), "exposed_player", "bob")


def test_IR_3_exposed_down_card_of_the_dealer() -> None:
    exposed, waiting = {"kind": "exposed_dealer"}, seat(2, WORSE, None)
    void = entered("california", seat(1, BETTER, "play"), waiting, irregular=exposed)
    assert [row[3] for row in back(void)] == ["IR-3", "IR-3", "CA-7", "IR-3", "CA-7", "CA-7"]
    played = seat(2, WORSE, "fold")
    on = entered(
        "california",
        *(seat(1, BETTER, "play"), played),
        irregular=exposed,
        exposed_dealer="play_on",
    )
    assert (on["seats"][0]["net"], back(on)) == (2000, [])
    assert "RoundVoided" in rule(dealt(), "exposed_dealer")
    assert rule(dealt(exposed_dealer="play_on"), "exposed_dealer") == ["IncidentRuled"]


@pytest.mark.parametrize("cards", ["Th 9c", "Th 9c 3s 2h", "", None])
def test_IR_4_wrong_number_of_cards_voids_the_hand(cards: str | None) -> None:
    wrong = {"kind": "wrong_cards", "seat": 2}
    hands = (seat(1, BETTER, "play"), seat(2, cards, "play", 400, pair_plus=100))
    hands[0]["ante"] = 400
    result = entered("house", *hands, irregular=wrong)
    assert back(result) == [
        (2, "ante", 400, "IR-4"), (2, "play", 400, "IR-4"), (2, "pair_plus", 100, "IR-4"),
    ]  # fmt: skip
    assert rows(result["seats"][0]) == [("ante", 400, "HO-9"), ("play", 400, "HO-9")]
    assert result["banker"] == -800


def test_IR_5_foul_deck_voids_the_round_whenever_found() -> None:
    twice = seat(1, "Qs Kd 9h", "play")
    result = entered("california", twice, irregular={"kind": "foul_deck"})
    assert back(result) == [
        (1, "ante", 1000, "IR-5"), (1, "play", 1000, "IR-5"), (1, "fee", 100, "CA-7"),
        (None, "banker_fee", 200, "CA-7"),
    ]  # fmt: skip
    round = {"dealer": QUALIFIED, "bank": 10**7, "seats": [twice]}
    assert "Qs is dealt twice" in refused("california", round)


def test_IR_6_wager_stands_up_to_its_limit() -> None:
    over = {"kind": "outside_limits", "seat": 1, "wager": "ante"}
    result = entered("california", seat(1, BETTER, "play", 120_000), irregular=over)
    assert rows(result["seats"][0]) == [("ante", 100_000, "CA-16"), ("play", 100_000, "CA-16")]
    assert back(result) == [(1, "ante", 20_000, "IR-6"), (1, "play", 20_000, "IR-6")]
    assert (result["seats"][0]["fee"], result["banker_fee"]) == (300, 500)


def test_IR_6_wager_below_its_limit_is_returned() -> None:
    under = {"kind": "outside_limits", "seat": 1, "wager": "bonus"}
    result = entered("california", seat(1, BETTER, "play", bonus=99), irregular=under)
    assert back(result) == [(1, "bonus", 99, "IR-6")]
    assert result["seats"][0]["net"] == 2000
    under["wager"] = "ante"
    alone = entered("california", seat(1, BETTER, "play", 499, bonus=500), irregular=under)
    assert rows(alone["seats"][0]) == [
        ("ante", 0, "IR-6"),
        ("play", 0, "IR-6"),
        ("bonus", 0, "IR-6"),
    ]
    beside = entered("house", seat(1, BETTER, "play", 99, pair_plus=100), irregular=under)
    assert rows(beside["seats"][0]) == [("pair_plus", -100, "HO-4")], "Pair Plus stands alone"


def test_IR_6_both_wagers_stand_up_to_a_common_limit() -> None:
    over = {"kind": "outside_limits", "seat": 1, "wager": "pair_plus"}
    hand = seat(1, BETTER, "fold", 300, pair_plus=200)
    result = entered("house", hand, irregular=over, scope="total")
    assert back(result) == [(1, "pair_plus", 100, "IR-6")]


def test_IR_7_player_who_is_gone_gets_the_default_move() -> None:
    for move in ("fold", "play"):
        table = Table(qh.load("california"), FOUR, default_move=move)
        table.banked_by("ann")
        for player in ("bob", "cyd", "dan"):
            table.bet(player, ante=500)
        followed = table.do(
            "RuleIncident", FLOOR, kind="player_gone", place=FOUR["cyd"], staff="Maria",
            reason="left the table",
        )  # fmt: skip
        assert isinstance(followed[0], events.IncidentRuled)
        assert followed[0].clause == "IR-7"
        assert isinstance(followed[1], events.MoveMade)
        assert followed[1].move == move
    gone = {"kind": "player_gone", "seat": 1}
    hands = [seat(1, BETTER, "fold")]
    round = {"dealer": QUALIFIED, "bank": 10**7, "seats": hands, "irregularities": [gone]}
    assert refused("california", round).endswith("(IR-7)")
