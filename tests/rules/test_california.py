"""CA: the player-banked game, a test for each clause."""

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

import queenhigh as qh
from queenhigh.games import three_card_poker as tcp
from queenhigh.games.three_card_poker import Chosen, Dealt, Seat
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import from_document
from queenhigh.sheets import rule_sheet
from tests.rules.short_rounds import california, refused, rows, settle

SHORT, QUALIFIED = "Jh 7d 2s", "Qs 7d 2d"
BETTER, WORSE = "As Kd 9h", "Th 9d 3s"
EQUAL = "Qd 7c 2h"


def book(**changes: object) -> PokerRulebook:
    loaded = qh.load("california", changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


def sheet(**changes: object) -> str:
    console = Console(width=200, record=True, file=StringIO())
    console.print(rule_sheet.as_text(book(**changes)))
    return console.export_text()


def round(*seats: dict[str, Any], bank: int = 10**7, dealer: str = QUALIFIED) -> dict[str, Any]:
    return {"dealer": dealer, "bank": bank, "seats": list(seats)}


def seat(
    number: int, cards: str, ante: int = 1000, move: str = "play", **more: int
) -> dict[str, Any]:
    return {"seat": number, "cards": cards, "ante": ante, "move": move, **more}


def test_CA_1_royal_flush_is_a_separate_class() -> None:
    assert california("Ad Kd Qd", "play", QUALIFIED, bonus=100)[2] == ("bonus", 5000, "CA-19")
    assert california("Kd Qd Jd", "play", QUALIFIED, bonus=100)[2] == ("bonus", 4000, "CA-19")


def test_CA_2_ten_seats_and_no_house_bank() -> None:
    assert settle("california", round(seat(10, BETTER)))["seats"][0]["seat"] == 10
    assert "seats are 1 to 10" in refused("california", round(seat(11, BETTER)))
    assert "seats are 1 to 10" in refused("california", round(seat(0, BETTER)))
    assert "seat 4 appears twice" in refused("california", round(seat(4, BETTER), seat(4, WORSE)))
    with pytest.raises(qh.InvalidRulebook, match="banker"):
        book(banker="house")


def test_CA_3_sheet_names_the_dealer() -> None:
    assert "The house dealer deals" in sheet()


@pytest.mark.parametrize(
    "fee", ["1%", "0.5 %", "1/100", "one percent", 0.01, 1.0, True, "100", {"percent": 1}, [1], -1]
)
def test_CA_4_no_fee_is_a_share(fee: object) -> None:
    with pytest.raises(qh.InvalidRulebook) as caught:
        book(**{"fees.rates.0.player": fee})
    (problem,) = caught.value.problems
    assert (problem.key, problem.clause) == ("fees.rates.0.player", "CA-4")
    assert "write player = 100" in problem.write


def test_CA_5_fees_are_known_before_any_card() -> None:
    """The fee depends on the wagers alone: it is the same with any cards."""
    fees = set()
    for dealer, hand in ((SHORT, BETTER), (QUALIFIED, WORSE), (QUALIFIED, BETTER)):
        result = settle("california", round(seat(1, hand, 20000), dealer=dealer))
        fees.add((result["seats"][0]["fee"], result["banker_fee"]))
    assert fees == {(200, 400)}
    assert {book(collect=when).fees.collect for when in ("before", "after")} == {"before", "after"}  # type: ignore[union-attr]
    with pytest.raises(qh.InvalidRulebook, match=r"there are no fees \(CA-5\)"):
        book(**{"fees.rates": []})


def test_CA_6_the_schedule_is_on_the_sheet() -> None:
    text = sheet()
    for amount in ("$5.00 to $100.00", "$100.01 to $300.00", "$300.01 to $1,000.00"):
        assert amount in text
    assert "collected before the start of play" in text
    assert "collected after the start of play" in sheet(collect="after")


def test_CA_6_a_change_is_announced_a_minute_before() -> None:
    for seconds in (60, 600):
        text = " ".join(sheet(notice_seconds=seconds).split())
        assert f"Changes are announced {seconds} seconds in advance." in text


@pytest.mark.parametrize(
    ("ante", "player", "banker"),
    [(500, 100, 200), (10000, 100, 200), (10001, 200, 400), (30000, 200, 400), (30001, 300, 500),
     (100000, 300, 500)],
)  # fmt: skip
def test_CA_7_fees_by_the_size_of_the_ante(ante: int, player: int, banker: int) -> None:
    result = settle("california", round(seat(1, BETTER, ante)))
    assert (result["seats"][0]["fee"], result["banker_fee"]) == (player, banker)


def test_CA_7_banker_fee_follows_largest_ante_without_refund() -> None:
    result = settle("california", round(seat(1, BETTER, 500), seat(2, "Ac Kc 8h", 50000), bank=1))
    assert result["banker_fee"] == 500
    assert [row["fee"] for row in result["seats"]] == [100, 300]
    assert rows(result["seats"][1]) == [("ante", 0, "CA-21"), ("play", 0, "CA-21")]


def test_CA_7_read_as_a_fee_on_each_wager() -> None:
    played = settle("california", round(seat(1, BETTER, 20000, bonus=500)), fee_per="wager")
    folded = settle("california", round(seat(1, BETTER, 20000, "fold", bonus=500)), fee_per="wager")
    assert played["seats"][0]["fee"] == 200 + 200 + 100
    assert folded["seats"][0]["fee"] == 200 + 100
    small = round(seat(1, BETTER, bonus=499))
    sentence = refused("california", small, fee_per="wager")
    assert sentence.endswith("is outside the limits $5.00 to $100.00 (CA-7)")


#: $1 on an Ante of any size and $2 from the Player/Dealer, 50c on Play, 25c on a bonus bet.
BY_KIND: list[dict[str, object]] = [
    {"clause": "CA-7", "min": 500, "max": 100000, "player": 100, "banker": 200},
    {"clause": "CA-7", "on": "play", "player": 50, "banker": 0},
    {"clause": "CA-7", "on": "bonus", "min": 100, "max": 10000, "player": 25, "banker": 0},
]


def by_kind(*seats: dict[str, Any], rates: list[dict[str, object]] = BY_KIND) -> dict[str, Any]:
    changes: dict[str, Any] = {"fees.rates": rates}
    return settle("california", round(*seats), fee_per="kind", **changes)


def test_CA_7_read_as_a_fee_on_each_kind_of_wager() -> None:
    played = seat(1, BETTER, 20000, bonus=100)
    folded = seat(2, WORSE, 500, "fold", bonus=100)
    result = by_kind(played, folded, seat(3, "Tc 8c 3d"))
    assert [row["fee"] for row in result["seats"]] == [100 + 50 + 25, 100 + 25, 100 + 50]
    assert result["banker_fee"] == 200
    free = by_kind(played, rates=BY_KIND[:1])
    assert free["seats"][0]["fee"] == 100, "a kind without a rate is free"


def test_CA_7_no_rate_on_the_ante_charges_no_banker() -> None:
    document: Any = json.loads(json.dumps(dict(book().document)))
    document["fees"] |= {"fee_per": "kind", "rates": BY_KIND[1:]}
    with pytest.raises(qh.InvalidRulebook, match=r"limits.ante: is missing"):
        from_document(document)
    document["limits"]["ante"] = {"clause": "CA-7", "min": 500, "max": 20000}
    free = from_document(document)
    result: Any = qh.settle(free, round(seat(1, BETTER, 20000, bonus=100)))
    assert (result.seats[0].fee, result.banker_fee) == (50 + 25, 0)
    with pytest.raises(qh.IllegalRound, match=r"\$200.01.*limits \$5.00 to \$200.00 \(CA-7\)"):
        qh.settle(free, round(seat(1, BETTER, 20001)))


def test_CA_7_rates_of_one_kind_may_not_overlap() -> None:
    for first, second in ((500, 100000), (100000, 200000)):
        again = {**BY_KIND[0], "min": first, "max": second}
        with pytest.raises(qh.InvalidRulebook, match=r"overlaps.*\(CA-7\)"):
            by_kind(seat(1, BETTER), rates=[*BY_KIND[:2], again])
    more = {**BY_KIND[0], "min": 100001, "max": 200000}
    with pytest.raises(qh.InvalidRulebook, match=r"4 collection rates.*maximum is 3 \(CA-7\)"):
        by_kind(seat(1, BETTER), rates=[*BY_KIND, more])
    half = {"clause": "CA-7", "on": "play", "min": 500, "player": 50, "banker": 0}
    with pytest.raises(qh.InvalidRulebook, match=r"max: is missing"):
        by_kind(seat(1, BETTER), rates=[BY_KIND[0], half])


def test_CA_7_limits_ranges_and_at_most_three_rates() -> None:
    for ante in (499, 100001):
        assert "(CA-7)" in refused("california", round(seat(1, BETTER, ante)))
    for bonus in (99, 10001):
        assert "(CA-7)" in refused("california", round(seat(1, BETTER, bonus=bonus)))
    rates = book().document["fees"]["rates"]
    fourth = {"clause": "CA-7", "min": 100001, "max": 200000, "player": 400, "banker": 600}
    with pytest.raises(qh.InvalidRulebook, match=r"4 collection rates.*maximum is 3 \(CA-7\)"):
        book(**{"fees.rates": [*rates, fourth]})
    with pytest.raises(qh.InvalidRulebook, match=r"overlaps.*\(CA-7\)"):
        book(**{"fees.rates.1.min": 10000})
    with pytest.raises(qh.InvalidRulebook, match=r"the maximum is 2 \(CA-7\)"):
        book(max_rates=2)
    gap = {"fees.rates.1.min": 20000}
    sentence = refused("california", round(seat(1, BETTER, 15000)), **gap)
    assert sentence.endswith("is outside every collection range (CA-7)")


def test_CA_8_sheet_says_where_fee_responsibility_lies() -> None:
    assert "337j" in sheet()
    assert "responsibility of the gambling establishment" in sheet()


def test_CA_9_the_ante_is_required() -> None:
    lone = {"seat": 1, "cards": BETTER, "bonus": 500}
    assert refused("california", round(lone)) == "seat 1 has no ante (CA-9)"


@pytest.mark.parametrize(
    ("hand", "pays"),
    [("Ac Kc Qc", 50), ("3c Ac 2c", 40), ("5c 5d 5h", 30), ("2c 3d Ah", 6), ("2c 9c Kc", 3),
     ("4c 4d Ah", 1), ("Ac Kd Jh", -1)],
)  # fmt: skip
def test_CA_10_bonus_pays(hand: str, pays: int) -> None:
    assert california(hand, "play", QUALIFIED, bonus=300)[2] == ("bonus", 300 * pays, "CA-19")
    assert len(california(hand, "play", QUALIFIED)) == 2, "and it is optional"


def dealt(up_cards: int = 1) -> tuple[PokerRulebook, tcp.Round]:
    rules = book(up=up_cards)
    opened = tcp.open(rules, [Seat(2, ante=1000), Seat(5, ante=1000, bonus=500)], bank=5000)
    cards = qh.parse_cards("As Kd 9h 3c 5d 9s Qs 7d 2c")
    return rules, tcp.apply(rules, opened, Dealt(cards))


def test_CA_11_hands_are_private_and_folds_stay_hidden() -> None:
    rules, now = dealt()
    own = tcp.view(rules, now, 2)
    assert [row.cards is None for row in own.seats] == [False, True]
    assert [row.cards is None for row in tcp.view(rules, now).seats] == [True, True]
    now = tcp.apply(rules, now, Chosen(5, "fold"))
    now = tcp.apply(rules, now, Chosen(2, "play"))
    assert [row.cards is None for row in tcp.view(rules, now).seats] == [False, True]


@pytest.mark.parametrize("up_cards", [0, 1, 2])
def test_CA_12_everyone_sees_only_the_up_cards(up_cards: int) -> None:
    rules, now = dealt(up_cards)
    for viewer in (None, 2, 5):
        seen = [card is not None for card in tcp.view(rules, now, viewer).dealer]
        assert seen == [index < up_cards for index in range(3)]
    assert book().up == 1
    for chosen in (Chosen(2, "fold"), Chosen(5, "play")):
        now = tcp.apply(rules, now, chosen)
    assert None not in tcp.view(rules, now).dealer


def test_CA_13_fold_loses_ante_and_bonus_with_any_hand() -> None:
    for hand in (WORSE, "Ac Kc Qc"):
        for dealer in (SHORT, QUALIFIED):
            folded = california(hand, "fold", dealer, bonus=500)
            assert folded == [("ante", -1000, "CA-13"), ("bonus", -500, "CA-13")]


def test_CA_13_other_reading_settles_the_bonus() -> None:
    assert california("Ac Kc Qc", "fold", QUALIFIED, bonus=500, bonus_on_fold="resolve") == [
        ("ante", -1000, "CA-13"),
        ("bonus", 25000, "CA-19"),
    ]


def test_CA_14_play_equals_the_ante() -> None:
    result = settle("california", round(seat(1, BETTER, 12345)))
    assert [row["stake"] for row in result["seats"][0]["wagers"]] == [12345, 12345]


def test_CA_15_unqualified_dealer_returns_play_and_spares_ante() -> None:
    push = [("ante", 0, "CA-15"), ("play", 0, "CA-15")]
    win = [("ante", 1000, "CA-15"), ("play", 0, "CA-15")]
    assert california(BETTER, "play", SHORT) == win
    assert california(WORSE, "play", SHORT) == push
    assert california("Jd 7c 2h", "play", SHORT) == push
    assert california(WORSE, "play", "Qs 4d 2c") != push, "queen-high qualifies"
    for hand in (BETTER, WORSE, "Jd 7c 2h"):
        assert california(hand, "play", SHORT, short_ante="win") == win
        assert california(hand, "play", SHORT, short_ante="push") == push


def test_CA_16_player_higher_wins_both() -> None:
    assert california(BETTER, "play", QUALIFIED) == [
        ("ante", 1000, "CA-16"),
        ("play", 1000, "CA-16"),
    ]


def test_CA_17_player_lower_loses_both() -> None:
    assert california(WORSE, "play", QUALIFIED) == [
        ("ante", -1000, "CA-17"),
        ("play", -1000, "CA-17"),
    ]


@pytest.mark.parametrize(("tie", "sign"), [("push", 0), ("win", 1), ("lose", -1)])
def test_CA_18_equal_hands(tie: str, sign: int) -> None:
    both = [("ante", 1000 * sign, "CA-18"), ("play", 1000 * sign, "CA-18")]
    assert california(EQUAL, "play", QUALIFIED, tie=tie) == both
    assert book().document["tie"] == "push"


def test_CA_19_bonus_on_the_players_hand_alone() -> None:
    for dealer in (SHORT, QUALIFIED, "Kc Kh Ks"):
        assert california("4c 4d Ah", "play", dealer, bonus=500)[2] == ("bonus", 500, "CA-19")


def test_CA_20_by_action_every_amount_uses_the_bank() -> None:
    result = settle(
        "california", round(seat(1, WORSE, bonus=500), seat(2, BETTER, bonus=500), bank=4200)
    )
    assert rows(result["seats"][0]) == [
        ("ante", -1000, "CA-17"), ("play", -1000, "CA-17"), ("bonus", -500, "CA-19"),
    ]  # fmt: skip
    assert rows(result["seats"][1]) == [
        ("ante", 1000, "CA-16"), ("play", 700, "CA-16"), ("bonus", 0, "CA-21"),
    ]  # fmt: skip
    assert (result["banker"], result["bank_left"]) == (800, 0)


def test_CA_20_by_net_bank_gains_cover_later_wins() -> None:
    result = settle(
        "california",
        round(seat(1, WORSE, bonus=500), seat(2, BETTER, bonus=500), bank=1500),
        coverage="net",
    )
    assert rows(result["seats"][0]) == [
        ("ante", -1000, "CA-17"), ("play", -500, "CA-17"), ("bonus", 0, "CA-21"),
    ]  # fmt: skip
    assert rows(result["seats"][1]) == [
        ("ante", 1000, "CA-16"), ("play", 1000, "CA-16"), ("bonus", -500, "CA-19"),
    ]  # fmt: skip
    assert (result["banker"], result["bank_left"]) == (0, 1500)


def test_CA_20_a_push_uses_nothing() -> None:
    result = settle("california", round(seat(1, EQUAL), seat(2, BETTER), bank=2000))
    assert rows(result["seats"][1]) == [("ante", 1000, "CA-16"), ("play", 1000, "CA-16")]


def test_CA_20_by_wager_every_ante_comes_before_any_play() -> None:
    """$25: both Antes use $20, the first Play $5, and nothing is left for anything else."""
    result = settle(
        "california",
        round(seat(1, WORSE, bonus=500), seat(2, BETTER, bonus=500), bank=2500),
        settle_order="wager",
    )
    assert rows(result["seats"][0]) == [
        ("ante", -1000, "CA-17"), ("play", -500, "CA-17"), ("bonus", 0, "CA-21"),
    ]  # fmt: skip
    assert rows(result["seats"][1]) == [
        ("ante", 1000, "CA-16"), ("play", 0, "CA-21"), ("bonus", 0, "CA-21"),
    ]  # fmt: skip
    assert (result["banker"], result["bank_left"]) == (500, 0)


def test_CA_20_bonus_first_settles_side_bets_of_a_seat_first() -> None:
    """$32: seat 1 uses $25, the bonus of seat 2 $5 and its Ante the last $2."""
    result = settle(
        "california",
        round(seat(1, WORSE, bonus=500), seat(2, BETTER, bonus=500), bank=3200),
        settle_order="bonus_first",
    )
    assert rows(result["seats"][1]) == [
        ("ante", 200, "CA-16"), ("play", 0, "CA-21"), ("bonus", -500, "CA-19"),
    ]  # fmt: skip
    assert (result["banker"], result["bank_left"]) == (2800, 0)


def test_CA_20_forfeited_bonus_has_the_turn_of_side_bets() -> None:
    """$28: two Antes use $20 and Play the other $8 before the bonus of the hand that folded."""
    folded, played = seat(1, WORSE, 1000, "fold", bonus=500), seat(2, BETTER)
    result = settle("california", round(folded, played, bank=2800), settle_order="wager")
    assert rows(result["seats"][0]) == [("ante", -1000, "CA-13"), ("bonus", 0, "CA-21")]
    assert rows(result["seats"][1]) == [("ante", 1000, "CA-16"), ("play", 800, "CA-16")]


def test_CA_20_fold_read_as_lost_is_collected_whole() -> None:
    folded = seat(2, WORSE, 500, "fold", bonus=100)
    after = settle("california", round(seat(1, BETTER), folded, bank=2000), fold_uncovered="lost")
    assert rows(after["seats"][1]) == [("ante", -500, "CA-13"), ("bonus", -100, "CA-13")]
    assert [row["action"] for row in after["seats"][1]["wagers"]] == [500, 100]
    assert (after["banker"], after["bank_left"]) == (600 - 2000, 0)
    before = settle(
        "california",
        round(seat(1, "Tc 8c 3d", 1000, "fold", bonus=500), seat(2, WORSE), bank=100),
        fold_uncovered="lost",
    )
    assert rows(before["seats"][1]) == [("ante", -100, "CA-17"), ("play", 0, "CA-21")]
    assert (before["banker"], before["bank_left"]) == (1500 + 100, 0), "more than the bank"


def test_CA_20_lost_fold_does_not_add_to_a_net_bank() -> None:
    result = settle(
        "california",
        round(seat(1, WORSE, 1000, "fold"), seat(2, BETTER), bank=1000),
        fold_uncovered="lost",
        coverage="net",
    )
    assert rows(result["seats"][1]) == [("ante", 1000, "CA-16"), ("play", 0, "CA-21")]
    assert (result["banker"], result["bank_left"]) == (0, 0)


def test_CA_20_bonus_resolved_after_a_fold_is_not_forfeited() -> None:
    result = settle(
        "california",
        round(seat(1, WORSE, 1000, "fold", bonus=500), bank=100),
        fold_uncovered="lost",
        bonus_on_fold="resolve",
    )
    assert rows(result["seats"][0]) == [("ante", -1000, "CA-13"), ("bonus", -100, "CA-19")]


def test_CA_21_without_action_all_bets_return_even_folds() -> None:
    result = settle(
        "california", round(seat(1, BETTER), seat(2, "Js 6d 4s", 500, "fold"), bank=2000)
    )
    assert rows(result["seats"][1]) == [("ante", 0, "CA-21")]
    short = settle(
        "california", round(seat(1, BETTER, bonus=100), seat(2, WORSE), bank=1100, dealer=SHORT)
    )
    assert rows(short["seats"][1]) == [("ante", 0, "CA-15"), ("play", 0, "CA-15")]
    net = settle(
        "california",
        round(seat(1, BETTER), seat(2, "Ac Kc 8h"), seat(3, WORSE), bank=2000),
        coverage="net",
    )
    assert rows(net["seats"][1]) == [("ante", 0, "CA-21"), ("play", 0, "CA-21")]
    assert rows(net["seats"][2])[0] == ("ante", -1000, "CA-17"), "every seat is visited"


@pytest.mark.parametrize("first", range(1, 11))
def test_CA_22_action_wraps_around_from_the_first_seat(first: int) -> None:
    winners = ["Ac Kc 9h", "Ad Kd 9c", "Ah Kh 9d"]
    seats = [seat(number, cards) for number, cards in zip((8, 2, 5), winners, strict=True)]
    result = settle("california", {**round(*seats, bank=1000), "first": first})
    paid = next(row["seat"] for row in result["seats"] if row["net"])
    assert paid == min((8, 2, 5), key=lambda number: (number - first) % 10)
    assert [row["seat"] for row in result["seats"]] == [8, 2, 5]


def test_CA_22_first_seat_of_action() -> None:
    assert [tcp.first_seat(book(), before) for before in (None, 1, 10)] == [1, 1, 1]
    button = book(first="button")
    assert [tcp.first_seat(button, before) for before in (None, 1, 9, 10)] == [1, 2, 10, 1]
    drawn = book(first="drawn")
    assert tcp.first_seat(drawn) is None
    opened = tcp.open(drawn, [Seat(3, ante=500)], bank=1)
    assert tcp.chance(drawn, opened) == tcp.Deal(6, tuple(range(1, 11)))
    after = tcp.apply(drawn, opened, Dealt(qh.parse_cards("As Kd 9h Qs 7d 2c"), first=7))
    assert after.first == 7


def test_CA_23_rulebook_sets_the_bank_rotation() -> None:
    rules = ("two_rounds", "every_round", "free")
    assert [book(rotation=rule).bank.rotation for rule in rules] == list(rules)  # type: ignore[union-attr]
    with pytest.raises(
        qh.InvalidRulebook, match='write one of "two_rounds", "every_round", "free"'
    ):
        book(rotation="never")
    assert "Nobody banks more than two rounds running" in sheet()
