"""HO: the house's game, a test for each clause."""

import pytest

import queenhigh as qh
from queenhigh.games import three_card_poker as tcp
from queenhigh.games.three_card_poker import Chosen, Dealt, Seat
from queenhigh.rulebook.book import PokerRulebook
from tests.rules.short_rounds import house, refused, rows, settle

SHORT, QUALIFIED = "Jh 7d 2s", "Qs 7d 2d"


def book(**changes: object) -> PokerRulebook:
    loaded = qh.load("house", changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


@pytest.mark.parametrize("wager", ["ante", "pair_plus"])
def test_HO_1_one_to_four_dollars_on_each(wager: str) -> None:
    def seat(stake: int) -> dict[str, object]:
        move = {"move": "play"} if wager == "ante" else {}
        return {"seat": 1, "cards": "As Kd 9h", wager: stake, **move}

    for stake in (99, 401):
        sentence = refused("house", {"dealer": QUALIFIED, "seats": [seat(stake)]})
        assert "is outside the limits $1.00 to $4.00 (HO-1)" in sentence
    for stake in (100, 400):
        assert settle("house", {"dealer": QUALIFIED, "seats": [seat(stake)]})["seats"]


def test_HO_1_read_as_four_dollars_for_both_together() -> None:
    def seat(ante: int, pair_plus: int) -> dict[str, object]:
        stakes = {"ante": ante, "pair_plus": pair_plus}
        bets = {name: stake for name, stake in stakes.items() if stake}
        return {"seat": 1, "cards": "As Kd 9h", **bets, **({"move": "play"} if ante else {})}

    for ante, pair_plus in ((100, 300), (200, 200), (400, 0), (0, 400)):
        made = {"dealer": QUALIFIED, "seats": [seat(ante, pair_plus)]}
        assert settle("house", made, scope="total")["seats"], "Play is outside the limit"
    for ante, pair_plus in ((101, 300), (200, 201), (400, 100)):
        sentence = refused("house", {"dealer": QUALIFIED, "seats": [seat(ante, pair_plus)]},
                           scope="total")  # fmt: skip
        assert sentence.endswith(", above the limit of $4.00 (HO-1)")
    least = refused("house", {"dealer": QUALIFIED, "seats": [seat(99, 100)]}, scope="total")
    assert "outside the limits $1.00 to $4.00 (HO-1)" in least
    with pytest.raises(qh.InvalidRulebook, match="same max"):
        book(scope="total", **{"limits.pair_plus.max": 300})


def test_HO_2_either_bet_or_both_and_no_move_without_an_ante() -> None:
    assert house("4c 4d Ah", None, QUALIFIED, pair_plus=100) == [("pair_plus", 100, "HO-4")]
    assert len(house("4c 4d Ah", "play", QUALIFIED)) == 2
    assert len(house("4c 4d Ah", "play", QUALIFIED, pair_plus=100)) == 3
    lone = {"seat": 1, "cards": "4c 4d Ah", "pair_plus": 100, "move": "play"}
    assert "has a move but no ante" in refused("house", {"dealer": QUALIFIED, "seats": [lone]})
    none = {"seat": 1, "cards": "4c 4d Ah"}
    assert "has no bet" in refused("house", {"dealer": QUALIFIED, "seats": [none]})


def test_HO_3_suited_ace_king_queen_is_a_straight_flush() -> None:
    assert house("Ac Kc Qc", None, QUALIFIED, pair_plus=100) == [("pair_plus", 4000, "HO-4")]
    with pytest.raises(qh.InvalidRulebook, match="royal flush is not a separate class"):
        book(**{"pair_plus.pays.royal_flush": "50 to 1"})


@pytest.mark.parametrize(
    ("hand", "pays"),
    [("3c Ac 2c", 40), ("5c 5d 5h", 30), ("2c 3d Ah", 6), ("2c 9c Kc", 3), ("4c 4d Ah", 1),
     ("Ac Kd Jh", -1)],
)  # fmt: skip
def test_HO_4_pair_plus_ignores_the_dealer_hand(hand: str, pays: int) -> None:
    for dealer in (SHORT, QUALIFIED, "Ks Kh Kd"):
        if not set(dealer.split()) & set(hand.split()):
            assert house(hand, None, dealer, pair_plus=400) == [("pair_plus", 400 * pays, "HO-4")]


def test_HO_5_no_dealer_card_is_up() -> None:
    for up in (0, 1, 2):
        rules = book(up=up)
        opened = tcp.open(rules, [Seat(1, ante=100)])
        now = tcp.apply(rules, opened, Dealt(qh.parse_cards("As Kd 9h Qs 7d 2c")))
        assert sum(card is not None for card in tcp.view(rules, now, 1).dealer) == up
    assert book().up == 0


def test_HO_6_fold_loses_ante_and_still_settles_pair_plus() -> None:
    pair = "4c 4d Ah"
    assert house(pair, "fold", QUALIFIED, pair_plus=100) == [
        ("ante", -200, "HO-6"), ("pair_plus", 100, "HO-4"),
    ]  # fmt: skip
    assert house(pair, "fold", QUALIFIED, pair_plus=100, pair_plus_on_fold="forfeit") == [
        ("ante", -200, "HO-6"), ("pair_plus", -100, "HO-4"),
    ]  # fmt: skip


def test_HO_7_play_equals_the_ante_and_shows_the_dealers_hand() -> None:
    seat = {"seat": 1, "cards": "As Kd 9h", "ante": 333, "move": "play"}
    result = settle("house", {"dealer": QUALIFIED, "seats": [seat]})
    assert [row["stake"] for row in result["seats"][0]["wagers"]] == [333, 333]
    rules = book()
    opened = tcp.open(rules, [Seat(1, ante=100)])
    now = tcp.apply(rules, opened, Dealt(qh.parse_cards("As Kd 9h Qs 7d 2c")))
    assert None not in tcp.view(rules, tcp.apply(rules, now, Chosen(1, "play"))).dealer
    folded = tcp.view(rules, tcp.apply(rules, now, Chosen(1, "fold")))
    assert folded.dealer == (None, None, None)


@pytest.mark.parametrize("hand", ["As Kd 9h", "Th 9d 3s", "Jd 7c 2h"])
def test_HO_8_unqualified_dealer_pays_ante_to_any_hand(hand: str) -> None:
    assert house(hand, "play", SHORT) == [("ante", 200, "HO-8"), ("play", 0, "HO-8")]


def test_HO_9_player_higher_wins_both() -> None:
    assert house("As Kd 9h", "play", QUALIFIED) == [("ante", 200, "HO-9"), ("play", 200, "HO-9")]


def test_HO_10_equal_hands_push() -> None:
    assert house("Qd 7c 2h", "play", QUALIFIED) == [("ante", 0, "HO-10"), ("play", 0, "HO-10")]


def test_HO_11_player_lower_loses_both() -> None:
    lost = [("ante", -200, "HO-11"), ("play", -200, "HO-11")]
    assert house("Th 9d 3s", "play", QUALIFIED) == lost


@pytest.mark.parametrize(("hand", "pays"), [("3c Ac 2c", 5), ("5c 5d 5h", 4), ("2c 3d Ah", 1)])
def test_HO_12_ante_bonus_pays_if_played_even_on_a_loss(hand: str, pays: int) -> None:
    row = ("ante_bonus", 200 * pays, "HO-12")
    for dealer in (SHORT, "Qs 7d 4h", "Ks Qs Js"):
        assert house(hand, "play", dealer)[2] == row
    assert house(hand, "fold", "Qs 7d 4h") == [("ante", -200, "HO-6")]
    assert house(hand, "fold", "Qs 7d 4h", ante_bonus_on_fold="pay")[1] == row
    assert len(house("2c 9c Kc", "play", QUALIFIED)) == 2, "a flush earns none"


def test_HO_12_bonus_row_has_no_stake_and_moves_its_payout() -> None:
    seat = {"seat": 7, "cards": "2c 3d Ah", "ante": 400, "move": "play"}
    result = settle("house", {"dealer": "Ks Qs Js", "seats": [seat]})
    assert rows(result["seats"][0])[2] == ("ante_bonus", 400, "HO-12")
    assert result["seats"][0]["wagers"][2]["stake"] == 0
    assert result["seats"][0]["wagers"][2]["action"] == 400
    assert set(result) == {"seats", "banker"}


def test_HO_13_seven_seats() -> None:
    seat = {"seat": 8, "cards": "2c 3d Ah", "pair_plus": 100}
    assert "seats are 1 to 7" in refused("house", {"dealer": QUALIFIED, "seats": [seat]})
    assert settle("house", {"dealer": QUALIFIED, "seats": [seat]}, seats=8)["seats"]
