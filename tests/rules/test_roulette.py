"""RO: roulette, a test for each clause."""

from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.game import Bet, SettledSpin
from queenhigh.rulebook.load import parse
from queenhigh.rulebook.roulette_book import RouletteRulebook
from tests.oracle.plain import RED as RED_NUMBERS
from tests.oracle.rounds import LAYOUT
from tests.rules.short_rounds import load, refused, settle, spin

RED = {str(number) for number in RED_NUMBERS}


def book(name: str = "roulette", **changes: object) -> RouletteRulebook:
    loaded = load(name, changes)
    assert isinstance(loaded, RouletteRulebook)
    return loaded


def covers(bet: str, name: str = "roulette") -> set[str]:
    """Return the pockets on which a bet wins, by spinning them all."""
    return {pocket for pocket in book(name).pockets if spin(name, pocket, bet)["net"] > 0}


def refusal(bet: str, name: str = "roulette") -> str:
    return refused(name, {"pocket": "7", "wagers": [{"bet": bet, "stake": 100}]})


def pays(bet: str, name: str = "roulette") -> tuple[int, str]:
    row = spin(name, next(iter(covers(bet, name))), bet)
    return row["net"] // 100, row["clause"]


def test_RO_1_straight_up() -> None:
    for pocket in book().pockets:
        assert covers(f"straight {pocket}") == {pocket}
    assert pays("straight 17") == (35, "RO-1")


def test_RO_2_split() -> None:
    assert covers("split 17 20") == {"17", "20"}
    assert pays("split 17 18") == (17, "RO-2")


def test_RO_3_street() -> None:
    assert covers("street 16 17 18") == {"16", "17", "18"}
    assert pays("street 1 2 3") == (11, "RO-3")


def test_RO_4_corner_also_called_square() -> None:
    assert covers("corner 16 17 19 20") == {"16", "17", "19", "20"}
    assert pays("square 16 17 19 20") == (8, "RO-4")


def test_RO_5_low() -> None:
    assert covers("low") == {str(n) for n in range(1, 19)}
    assert pays("low") == (1, "RO-5")


def test_RO_6_high() -> None:
    assert covers("high") == {str(n) for n in range(19, 37)}
    assert pays("high") == (1, "RO-6")


def test_RO_7_even() -> None:
    assert covers("even") == {str(n) for n in range(2, 37, 2)}
    assert pays("even") == (1, "RO-7")


def test_RO_8_odd() -> None:
    assert covers("odd") == {str(n) for n in range(1, 37, 2)}
    assert pays("odd") == (1, "RO-8")


def test_RO_9_red() -> None:
    assert covers("red") == RED
    assert pays("red") == (1, "RO-9")


def test_RO_10_black() -> None:
    assert covers("black") == {str(n) for n in range(1, 37)} - RED
    assert pays("black") == (1, "RO-10")


def test_RO_11_first_dozen() -> None:
    assert covers("dozen 1") == {str(n) for n in range(1, 13)}
    assert pays("dozen 1") == (2, "RO-11")


def test_RO_12_second_dozen() -> None:
    assert covers("dozen 2") == {str(n) for n in range(13, 25)}
    assert pays("dozen 2") == (2, "RO-12")


def test_RO_13_third_dozen() -> None:
    assert covers("dozen 3") == {str(n) for n in range(25, 37)}
    assert pays("dozen 3") == (2, "RO-13")


def test_RO_14_double_zero_by_default_and_outside_bets_lose() -> None:
    assert len(book().pockets) == 38
    assert [len(book(zeros=zeros).pockets) for zeros in (1, 2, 3)] == [37, 38, 39]
    for pocket in ("0", "00", "000"):
        for bet in ("low", "high", "even", "odd", "red", "black", "dozen 1", "dozen 2", "dozen 3"):
            assert spin("roulette", pocket, bet, zeros=3)["net"] == -100
    assert "not a pocket" in refused(
        "roulette", {"pocket": "000", "wagers": [{"bet": "red", "stake": 100}]}
    )


def test_RO_15_only_layout_bets_in_any_order() -> None:
    assert {bet for bet in book().spots if not bet.startswith("straight 0")} == set(LAYOUT)
    assert covers("corner 20 16 19 17") == covers("corner 16 17 19 20")
    assert (
        refusal("split 1 3")
        == "split 1 3 is not on the layout: each split with 1: 1-2, 1-4 (RO-15)"
    )
    off = [
        "split 3 4",
        "split 17 17",
        "split 0 1",
        "split 0 00",
        "street 2 3 4",
        "corner 3 4 6 7",
        "straight 37",
        "straight 000",
        "split 1",
        "street 1 2",
        "dozen 4",
        "red 1",
        "corner 1 2 3 4",
    ]
    for bet in off:
        assert refusal(bet).endswith("(RO-15)"), bet


DOCUMENT_NAMES = {
    "straight-up 7": "straight 7",
    "Straight up 00": "straight 00",
    "1 to 18": "low",
    "1-18": "low",
    " 19  TO 36 ": "high",
    "1st 12": "dozen 1",
    "first 12": "dozen 1",
    "2nd 12": "dozen 2",
    "Second Dozen": "dozen 2",
    "3rd 12": "dozen 3",
    "third dozen": "dozen 3",
}


@pytest.mark.parametrize("name", DOCUMENT_NAMES)
def test_RO_15_document_names_are_read_as_stored_names(name: str) -> None:
    own = DOCUMENT_NAMES[name]
    for pocket in ("0", "7", "13", "36"):
        assert spin("roulette", pocket, name) == spin("roulette", pocket, own)
    assert spin("roulette-american", "7", name)["bet"] == own
    played = book().game.spell(book(), (Bet(name, 100),))
    assert played == (Bet(own, 100),)


def test_RO_15_document_name_means_its_numbers_in_any_rulebook() -> None:
    text = (Path(qh.__file__).parent / "rulebooks" / "roulette.toml").read_text()
    text = text.replace('name = "roulette"', 'name = "mine"', 1)
    renamed = parse(text.replace('"low"', '"small"').replace('"high"', '"low"'), "mine")
    wagers = [{"bet": "1 to 18", "stake": 100}, {"bet": "19 to 36", "stake": 100}]
    settled = qh.settle(renamed, {"pocket": "1", "wagers": wagers})
    assert isinstance(settled, SettledSpin)
    assert [(row.bet, row.net) for row in settled.wagers] == [("small", 100), ("low", -100)]
    without = parse(
        text.replace('"straight"\nshape = "straight"', '"dolly"\nshape = "straight"'), "mine"
    )
    with pytest.raises(qh.IllegalRound, match="no bet 'straight-up 7'"):
        qh.settle(without, {"pocket": "1", "wagers": [{"bet": "straight-up 7", "stake": 100}]})


def test_RO_15_names_that_are_only_alike_are_refused() -> None:
    for bet in ("1 to 19", "4th 12", "straight-up", "straight-up 37", "1st 12 7", "to 18"):
        assert refusal(bet), bet
    assert refusal("straight-up 37").endswith("(RO-15)")


@pytest.mark.parametrize("bet", ["column 1", "line 1 2 3 4 5 6", "five"])
def test_RO_16_bets_that_are_not_listed_are_refused(bet: str) -> None:
    assert refusal(bet) == f"{bet.split(maxsplit=1)[0]} is not offered here (RO-16)"


def test_RO_17_one_to_a_hundred_dollars() -> None:
    for stake in (99, 10001):
        wager = {"bet": "red", "stake": stake}
        assert "(RO-17)" in refused("roulette", {"pocket": "7", "wagers": [wager]})
    for stake in (100, 10000):
        wagers = [{"bet": "red", "stake": stake}]
        assert settle("roulette", {"pocket": "7", "wagers": wagers})["banker"] == -stake


def test_RO_17_chips_of_a_player_on_one_spot_count_together() -> None:
    def result(*wagers: tuple[str | None, str, int]) -> str | int:
        rows = [
            {"bet": bet, "stake": stake} | ({"player": player} if player else {})
            for player, bet, stake in wagers
        ]
        try:
            return int(settle("roulette", {"pocket": "2", "wagers": rows})["banker"])
        except qh.IllegalRound as error:
            return str(error)

    assert result(("p1", "red", 6000), ("p1", "Red", 4000)) == 10_000
    over = "the bets of p1 on red total $100.01, above the limit of $100.00 (RO-17)"
    assert result(("p1", "red", 6000), ("p1", "Red", 4001)) == over
    assert result(("p1", "red", 6000), ("p2", "red", 4001)) == 10_001
    assert result(("p1", "red", 6000), (None, "red", 4001)) == 10_001
    assert result((None, "1 to 18", 6000), (None, "low", 4001)) == (
        "the bets on low total $100.01, above the limit of $100.00 (RO-17)"
    )


FULL_LAYOUT = ["roulette-european", "roulette-american"]


@pytest.mark.parametrize("name", FULL_LAYOUT)
def test_RO_18_columns(name: str) -> None:
    for column in (1, 2, 3):
        assert covers(f"column {column}", name) == {str(n) for n in range(column, 37, 3)}
        assert pays(f"column {column}", name) == (2, "RO-18")


@pytest.mark.parametrize("name", FULL_LAYOUT)
def test_RO_19_six_line(name: str) -> None:
    assert covers("line 13 14 15 16 17 18", name) == {str(n) for n in range(13, 19)}
    assert pays("line 13 14 15 16 17 18", name) == (5, "RO-19")
    assert refusal("line 2 3 4 5 6 7", name).endswith("(RO-15)")


def test_RO_20_bets_that_reach_the_zeros() -> None:
    assert covers("five", "roulette-american") == {"0", "00", "1", "2", "3"}
    assert pays("five", "roulette-american") == (6, "RO-20")
    assert pays("split 0 00", "roulette-american") == (17, "RO-20")
    assert pays("trio 00 2 3", "roulette-american") == (11, "RO-20")
    assert pays("split 0 3", "roulette-european") == (17, "RO-20")
    assert pays("trio 0 1 2", "roulette-european") == (11, "RO-20")
    assert pays("first_four", "roulette-european") == (8, "RO-20")
    with pytest.raises(qh.QueenhighError, match="no bet 'five'"):
        spin("roulette-european", "1", "five")
    with pytest.raises(qh.InvalidRulebook, match=r"00, which is not on this wheel \(RO-20\)"):
        book("roulette-american", zeros=1)


def test_RO_21_la_partage_returns_half_of_even_money_bets() -> None:
    row = spin("roulette-european", "0", "red", on_zero="la_partage")
    assert (row["net"], row["clause"]) == (-50, "RO-21")
    assert spin("roulette-european", "0", "dozen 1", on_zero="la_partage")["net"] == -100
    assert spin("roulette-european", "2", "red", on_zero="la_partage")["net"] == -100
    odd = {"pocket": "0", "wagers": [{"bet": "red", "stake": 101}]}
    assert refused("roulette-european", odd, on_zero="la_partage").endswith("(RO-21)")
    dozen = {"pocket": "0", "wagers": [{"bet": "dozen 1", "stake": 101}]}
    assert settle("roulette-european", dozen, on_zero="la_partage")["banker"] == 101
    assert spin("roulette-european", "0", "red")["net"] == -100


def test_RO_22_en_prison_holds_then_frees_or_takes() -> None:
    def second(pocket: str, ending: str) -> dict[str, object]:
        wager = {"bet": "red", "stake": 100, "in_prison": True}
        changes = {"on_zero": "en_prison", "second_zero": ending}
        result = settle("roulette-european", {"pocket": pocket, "wagers": [wager]}, **changes)
        row: dict[str, object] = result["wagers"][0]
        assert row["clause"] == "RO-22"
        return {"net": row["net"], "held": row.get("held", 0)}

    first = spin("roulette-european", "0", "red", on_zero="en_prison")
    assert (first["net"], first["held"], first["clause"]) == (0, 100, "RO-22")
    for ending in ("lose", "half", "stay"):
        assert second("1", ending) == {"net": 0, "held": 0}
        assert second("2", ending) == {"net": -100, "held": 0}
    assert second("0", "lose") == {"net": -100, "held": 0}
    assert second("0", "half") == {"net": -50, "held": 0}
    assert second("0", "stay") == {"net": 0, "held": 100}
    held = {"pocket": "1", "wagers": [{"bet": "red", "stake": 100, "in_prison": True}]}
    assert "cannot be in prison" in refused("roulette-european", held)
    dozen = {"pocket": "1", "wagers": [{"bet": "dozen 1", "stake": 100, "in_prison": True}]}
    assert "cannot be in prison" in refused("roulette-european", dozen, on_zero="en_prison")
