"""The settle format: the documented example to the byte, and everything that is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.games.roulette import Spin, Wager
from queenhigh.games.three_card_poker import Round, Seat
from queenhigh.settle_format import read_line, settle, write_line
from tests.rules.short_rounds import load

EXAMPLE = (
    '{"id":"r1","dealer":"Qs 7d 2c","bank":100000,"first":3,"seats":[{"seat":3,"cards":"As Kd 9h",'
    '"ante":1000,"bonus":500,"move":"play"},'
    '{"seat":5,"cards":"3c 5d 9s","ante":1000,"move":"fold"}]}'
)
RESULT = (
    '{"id":"r1","seats":[{"seat":3,"wagers":[{"wager":"ante","stake":1000,"net":1000,"action":1000,'
    '"clause":"CA-16"},{"wager":"play","stake":1000,"net":1000,"action":1000,"clause":"CA-16"},'
    '{"wager":"bonus","stake":500,"net":-500,"action":500,"clause":"CA-19"}],"net":1500,"fee":100},'
    '{"seat":5,"wagers":[{"wager":"ante","stake":1000,"net":-1000,"action":1000,"clause":"CA-13"}],'
    '"net":-1000,"fee":100}],"banker":-500,"banker_fee":200,"bank_left":96500}'
)


def line(book: qh.Rulebook, text: str | bytes) -> str:
    id, finished = read_line(book, text.encode() if isinstance(text, str) else text)
    return write_line(id, settle(book, finished)).decode()


def test_the_documented_example_to_the_byte() -> None:
    assert line(load("california", {}), EXAMPLE) == RESULT


def round(**changes: Any) -> dict[str, Any]:
    """A good California round with some keys changed; a key that is None is left out."""
    seat = {"seat": 1, "cards": "As Kd 9h", "ante": 1000, "move": "play"}
    whole = {"dealer": "Qs 7d 2c", "bank": 100000, "seats": [seat]}
    for key, value in changes.items():
        where = seat if key in ("seat", "cards", "ante", "bonus", "move", "extra") else whole
        where[key] = value
        if value is None:
            del where[key]
    return whole


REFUSED: list[tuple[dict[str, Any], str]] = [
    (round(cards="As Kd Qs"), "Qs is dealt twice"),
    (round(cards="As As Kd"), "As is dealt twice"),
    (round(cards="As Kd"), "seat 1 has 2 cards"),
    (round(cards="As Kd 9h 8h"), "seat 1 has 4 cards"),
    (round(cards=""), "seat 1 has 0 cards"),
    (round(dealer="Qs"), "the dealer has 1 card "),
    (round(cards="As Kd 1h"), "unknown card '1h'"),
    (round(cards="As Kd 9x"), "unknown card '9x'"),
    (round(cards="As Kd ♥9"), "unknown card"),
    (round(cards="Aſ Kd 9h"), "unknown card 'Aſ'"),
    (round(cards="As \u212ad 9h"), "unknown card"),
    (round(cards=["As", "Kd", "9h"]), "seats[0].cards must be text in quotes, not a list"),
    (round(ante=0), "above 0"),
    (round(ante=-1000), "above 0"),
    (round(ante=1000.0), "must be a whole number"),
    (round(ante=1000.5), "must be a whole number"),
    (round(ante=True), "must be a whole number, not true or false"),
    (round(ante="1000"), "must be a whole number, not text"),
    (round(bonus=0), "above 0"),
    (round(bonus=-5), "above 0"),
    (round(ante=499), "$4.99, is outside the limits $5.00 to $1,000.00 (CA-7)"),
    (round(ante=10**30), "is outside the limits"),
    (round(ante=None), "seat 1 has no ante (CA-9)"),
    (round(ante=None, bonus=500, move=None), "seat 1 has no ante (CA-9)"),
    (round(move=None), "seat 1 has an ante but no move"),
    (round(move="raise"), "unknown move 'raise'"),
    (round(move="Play"), "unknown move 'Play'"),
    (round(seat=0), "there is no seat 0"),
    (round(seat=11), "there is no seat 11"),
    (round(seat=1.0), "must be a whole number"),
    (round(bank=0), "less than one cent"),
    (round(bank=-1), "less than one cent"),
    (round(bank=None), "the bank is missing"),
    (round(bank=1.5), "bank must be a whole number"),
    (round(first=0), "cannot start at seat 0"),
    (round(first=11), "cannot start at seat 11"),
    (round(id=7), "id must be text"),
    (round(seats=[]), "needs a seat"),
    (round(seats=None), "lacks the key seats"),
    (
        round(dealer=None),
        "the dealer's hand is missing, but seat 1 plays against it: add its three cards",
    ),
    (round(cards=None), "the hand of seat 1 is missing, but a bet depends on it: add its"),
    (round(extra=1), "has an unknown key extra"),
    (round(colour=1), "the round has an unknown key colour"),
    ({**round(), "seats": round()["seats"] * 2}, "seat 1 appears twice"),
]


@pytest.mark.parametrize(("given_", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_refused_with_a_reason(given_: dict[str, Any], said: str) -> None:
    with pytest.raises(qh.QueenhighError) as caught:
        line(load("california", {}), json.dumps(given_))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "not JSON"),
        (b"[1]", "must be an object, not a list"),
        (b"null", "must be an object"),
        (b"17", "must be an object"),
        (b"{", "not JSON"),
        (EXAMPLE.encode() + b" x", "not JSON"),
        (b"[" * 100_000, "must be an object"),
        (b'{"dealer":' + b"[" * 100_000, "dealer must be text"),
        (b'{"x":' + b'{"x":' * 100_000, "unknown key x"),
        (b'{"id":"\xff"}', "not JSON"),
        (b'{"id":"\\ud800"}', "not JSON"),
        (b"\xff\xfe{\x00}\x00", "not JSON"),
        (b'{"bank":' + b"9" * 5000 + b"}", "bank is too large"),
        (b'{"bank":NaN}', "not JSON"),
    ],
)
def test_non_object_json_is_refused(text: bytes, said: str) -> None:
    with pytest.raises(qh.QueenhighError, match=said):
        line(load("california", {}), text)


def test_bank_and_first_only_where_a_player_banks() -> None:
    seat = {"seat": 1, "cards": "As Kd 9h", "ante": 100, "move": "play"}
    for extra in ({"bank": 100}, {"first": 1}):
        with pytest.raises(qh.QueenhighError, match="remove bank and first"):
            qh.settle(load("house", {}), {"dealer": "Qs 7d 2c", "seats": [seat], **extra})
    seats = [{**seat, "bonus": 100}]
    with pytest.raises(qh.QueenhighError, match="no bonus bet in this game"):
        qh.settle(load("house", {}), {"dealer": "Qs 7d 2c", "seats": seats})


def test_any_bank_from_one_cent() -> None:
    book = load("california", {})
    for bank in (1, 2**63, 2**64, 10**40):
        result = json.loads(line(book, json.dumps(round(bank=bank))))
        assert result["bank_left"] == bank - sum(
            row["action"] for row in result["seats"][0]["wagers"]
        )


@pytest.mark.parametrize("net", [False, True])
def test_too_large_bank_is_refused(net: bool) -> None:
    book = load("california", {"coverage": "net"} if net else {})
    for digits in (4001, 4299, 4300):
        with pytest.raises(qh.InvalidRound, match="too large"):
            line(book, json.dumps(round()).replace("100000", "9" * digits))


@pytest.mark.parametrize(
    "twice",
    [
        EXAMPLE.replace('"bank":100000', '"bank":1,"bank":100000'),
        EXAMPLE.replace('"ante":1000', '"ante":500,"ante":1000'),
        EXAMPLE.replace('"move":"fold"', '"move":"fold","m\\u006fve":"play"'),
        '{"pocket":"1","pocket":"2","wagers":[{"bet":"red","stake":100}]}',
        '{"pocket":"1","wagers":[{"bet":"red","bet":"black","stake":100}]}',
    ],
)
def test_duplicate_key_is_refused(twice: str) -> None:
    book = load("roulette" if "pocket" in twice else "california", {})
    with pytest.raises(qh.InvalidRound, match="appears twice"):
        line(book, twice)


def test_colon_in_a_text_is_kept() -> None:
    id = 'a:b "c": ::'
    result = json.loads(line(load("california", {}), json.dumps({**round(), "id": id})))
    assert result["id"] == id


def test_hand_built_rounds_are_checked() -> None:
    book = load("california", {})
    good = Seat(1, ante=1000, cards=(51, 45, 30), move="play")
    dealer = (42, 21, 0)
    assert qh.settle(book, Round((good,), 100, 1, dealer)).banker == -100
    bad: list[Any] = [
        Round((replace(good, move="raise"),), 100, 1, dealer),
        Round((replace(good, ante=1000.5),), 100, 1, dealer),
        Round((replace(good, cards=(1, 2)),), 100, 1, dealer),
        Round((replace(good, cards=None),), 100, 1, dealer),
        Round((replace(good, move=None),), 100, 1, dealer),
        Round((replace(good, ante=1),), 100, 1, dealer),
        Round((good,), 100.5, 1, dealer),  # type: ignore[arg-type]
        Round((good,), None, 1, dealer),
        Round((good,), 100),
        Spin((Wager("red", 100),), "7"),
    ]
    for bad_round in bad:
        with pytest.raises(qh.QueenhighError):
            qh.settle(book, bad_round)
    with pytest.raises(qh.IllegalRound, match="has not landed"):
        qh.settle(load("roulette", {}), Spin((Wager("red", 100),)))


def test_spellings_of_cards_are_all_read() -> None:
    book = load("california", {})
    hands = ["Th 9s 2d", "10h 9S 2D", "th9s2d", "10H9s2D", " Th  9s 2d ", "tH\t9s 2d"]
    results = {line(book, json.dumps(round(cards=hand, dealer="Qs 7d 2c"))) for hand in hands}
    assert len(results) == 1


def test_roulette_result_repeats_its_input() -> None:
    wagers = [
        {"player": "p1", "bet": "split 20 17", "stake": 100, "in_prison": False},
        {"bet": "Square 16 17 19 20", "stake": 250},
    ]
    result = json.loads(
        line(load("roulette", {}), json.dumps({"id": "s", "pocket": "17", "wagers": wagers}))
    )
    assert result == {
        "id": "s",
        "wagers": [
            {**wagers[0], "net": 1700, "clause": "RO-2"},
            {**wagers[1], "net": 2000, "clause": "RO-4"},
        ],
        "banker": -3700,
    }


@pytest.mark.parametrize(
    ("spin", "said"),
    [
        ({"pocket": "37", "wagers": [{"bet": "red", "stake": 100}]}, "not a pocket"),
        ({"pocket": 17, "wagers": [{"bet": "red", "stake": 100}]}, "pocket must be text"),
        ({"pocket": "17", "wagers": []}, "needs a bet"),
        ({"pocket": "17", "wagers": [{"bet": "purple", "stake": 100}]}, "no bet 'purple'"),
        ({"pocket": "17", "wagers": [{"bet": "", "stake": 100}]}, "no bet ''"),
        ({"pocket": "17", "wagers": [{"bet": "red", "stake": 0}]}, "outside the limits"),
        ({"pocket": "17", "wagers": [{"bet": "red", "stake": -100}]}, "outside the limits"),
        ({"pocket": "17", "wagers": [{"bet": "red", "stake": True}]}, "whole number"),
        ({"pocket": "17", "wagers": [{"bet": "red"}]}, "lacks the key stake"),
        ({"pocket": "17", "wagers": [{"bet": "red", "stake": 100, "odds": 2}]}, "unknown key odds"),
    ],
)
def test_roulette_refuses(spin: dict[str, Any], said: str) -> None:
    with pytest.raises(qh.QueenhighError, match=said):
        qh.settle(load("roulette", {}), spin)


def test_round_of_another_game_is_refused() -> None:
    book, other = load("california", {}), load("roulette", {})
    _, spin = read_line(other, b'{"pocket":"1","wagers":[{"bet":"red","stake":100}]}')
    with pytest.raises(qh.InvalidRound, match="not a round of California"):
        qh.settle(book, spin)


# Whatever comes in, only our own errors come out.

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


def only_our_errors(book: qh.Rulebook, text: bytes) -> None:
    try:
        json.loads(line(book, text))
    except qh.QueenhighError as error:
        result = str(error)
    else:
        result = "settled"
    assert result
    assert len(result) < 20_000


@given(st.sampled_from(qh.shipped()), st.binary(max_size=200))
def test_any_bytes(name: str, text: bytes) -> None:
    only_our_errors(load(name, {}), text)


@given(st.data())
def test_any_value_anywhere(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(qh.shipped()))
    given_: Any = (
        json.loads(EXAMPLE)
        if name == "california"
        else {"dealer": "Qs 7d 2c", "seats": [{"seat": 1, "cards": "As Kd 9h", "pair_plus": 100}]}
        if name == "house"
        else {"pocket": "17", "wagers": [{"player": "p", "bet": "red", "stake": 100}]}
    )
    where = given_
    while True:
        key = data.draw(st.sampled_from(list(where) if isinstance(where, dict) else [0]))
        if not isinstance(where[key], (dict, list)) or data.draw(st.booleans()):
            break
        where = where[key]
    where[key] = data.draw(JSON)
    only_our_errors(load(name, {}), json.dumps(given_).encode())


@given(st.data())
def test_any_damage_to_a_line(data: st.DataObject) -> None:
    text = bytearray(EXAMPLE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(text) - 1))
        text[index] = data.draw(st.integers(0, 255))
    only_our_errors(load("california", {}), bytes(text))
