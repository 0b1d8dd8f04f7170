"""Hands typed at the desk, against the plain settlement; impossible entries; and mistakes."""

import json
import random
import re
from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from queenhigh.desk import changing, check, reading
from queenhigh.desk.entry import Entry, line_of
from queenhigh.desk.state import Desk, Reply, next_lack, open_desk, type_entry
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.settle_format import write_line
from queenhigh.sheets import desk_help, desk_sheet
from tests import own_rulebooks, seeds
from tests.desk.typing_hands import Json, type_hand
from tests.entered_hands import EnteredHand, drawn_hands, is_accepted
from tests.oracle.printed import document
from tests.own_rulebooks import ante_alone, three_bets
from tests.rules.short_rounds import load
from tests.sizes import sized

HANDS, READINGS = sized(400, 2_000, 20_000), sized(10, 40, 200)


def in_order(result: Json) -> Json:
    """Return a line or a settled round with its seats in order, as the desk keeps them."""
    result = {**result, "seats": sorted(result["seats"], key=lambda seat: seat["seat"])}
    for key in ("irregularities", "returned"):
        if key in result:
            result[key] = sorted(result[key], key=json.dumps)
    return result


def settled(desk: Desk) -> Json | str:
    """Return what a desk settles a hand to, or what it answers instead."""
    _, reply = type_entry(desk, "settle")
    result: Json = json.loads(write_line(None, reply.settled)) if reply.settled else {}
    return result or reply.kind


def first_difference(hands: list[EnteredHand], draw: random.Random) -> dict[str, Any] | None:
    """Return the first hand that is refused, or not settled as the oracle says."""
    for book, line, expected, _ in hands:
        desk, refused = type_hand(book, line, draw)
        result = settled(desk)
        is_same = isinstance(result, dict) and in_order(result) == in_order(expected)
        if refused or not is_same or in_order(line_of(desk.entry)) != in_order(line):
            return {"line": line, "refused": refused, "settled": result, "expected": expected}
    return None


def drawn(draw: random.Random, count: int, readings: int) -> list[EnteredHand]:
    return [hand for hands in drawn_hands(draw, count, readings) for hand in hands]


def test_typed_hands_settle_as_the_oracle_says() -> None:
    draw = seeds.rng("typed at the desk")
    hands = drawn(draw, HANDS, READINGS)
    assert len(hands) == HANDS
    different = first_difference(hands, draw)
    assert different is None, f"{seeds.VARIABLE}={seeds.SEED}: {different}"


@pytest.mark.parametrize(
    ("module", "name", "bug"),
    [
        (reading, "_move", lambda word: "play"),
        (reading, "_cents", lambda text: 100 * int(re.sub(r"[$,]|[.].*", "", text))),
        (changing, "_with_bank", lambda entry, cents: entry),
    ],
    ids=["a fold is played", "cents are lost", "a bank is lost"],
)  # fmt: skip
def test_an_entry_read_wrongly_is_caught(
    module: Any, name: str, bug: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(1)
    hands = drawn(draw, 100, 2)
    assert first_difference(hands, draw) is None
    monkeypatch.setattr(module, name, bug)
    assert first_difference(hands, draw) is not None


def wrongly_settled(hands: list[EnteredHand], draw: random.Random) -> Json | None:
    """Return a mistake that the desk and ``settle`` do not agree about."""
    for book, _, _, mistake in hands:
        desk, _ = type_hand(book, mistake, draw)
        is_settled = isinstance(settled(desk), dict)
        line = line_of(desk.entry)
        if is_settled and not is_accepted(book, line):
            return mistake
        if in_order(line) == in_order(mistake) and is_settled != is_accepted(book, mistake):
            return mistake
    return None


def test_mistakes_are_refused_just_where_settle_does() -> None:
    draw = seeds.rng("mistakes at the desk")
    hands = drawn(draw, HANDS, READINGS)
    mistake = wrongly_settled(hands, draw)
    assert mistake is None, f"{seeds.VARIABLE}={seeds.SEED}: {mistake}"


def test_a_mistake_that_is_settled_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def within_limits(entry: Entry) -> Json:
        line = line_of(entry)
        seats = [seat | ({"ante": 500} if "ante" in seat else {}) for seat in line["seats"]]
        return line | {"seats": seats}

    draw = random.Random(1)
    hands = drawn(draw, 200, 4)
    assert wrongly_settled(hands, draw) is None
    monkeypatch.setattr(check, "line_of", within_limits)
    assert wrongly_settled(hands, draw) is not None


# Entries that are impossible, where they are made

BEGUN = ["bank 500", "1 ante 5", "2 ante 10 bonus 1", "dealer Qs 7d 2c", "1 play As Kd 9h"]


def opened(name: str, **changes: object) -> Desk:
    book = load(name, changes)
    assert isinstance(book, PokerRulebook)
    return open_desk(book)


def typed(*texts: str, book: str = "california", **changes: object) -> tuple[Desk, Reply]:
    """Return a desk after some entries, and its last answer; all before are taken."""
    desk = opened(book, **changes)
    reply = Reply("entered")
    for text in texts:
        assert reply.kind == "entered", reply.message
        desk, reply = type_entry(desk, text)
    return desk, reply


IMPOSSIBLE = [
    ("2 As Td 3c", "As is dealt twice", "foul_deck"),
    ("2 play As Td 3c", "As is dealt twice", "foul_deck"),
    ("dealer 3h", "the dealer has 4 cards instead of three", None),
    ("1 3h", "seat 1 has 4 cards instead of three", "wrong_cards"),
    ("3 ante 4.99", "the ante of seat 3, $4.99, is outside the limits", "outside_limits"),
    ("3 5 101", "the bonus of seat 3, $101.00, is outside the limits", "outside_limits"),
    ("3 2000 200", "the ante of seat 3, $2,000.00, is outside the limits", "outside_limits"),
    ("3 pair plus 5", "there is no pair_plus bet in this game", None),
    ("11 ante 5", "there is no seat 11: seats are 1 to 10", None),
    ("1 ante 5", "seat 1 is entered already: its Ante is $5.00", None),
    ("3 play fold", "a hand plays or folds, not both: enter one", None),
    ("3 play 6 ante 5", "Play is exactly as much as the Ante, $5.00", None),
    ("start 11", "action cannot start at seat 11: seats are 1 to 10", None),
    ("w misdeal", "seat 1 has already decided: it is too late for a misdeal (IR-1)", None),
    ("w 1 cards", "seat 1 has three cards, which is the right number (IR-4)", None),
    ("w 1 ante", "the ante of seat 1, $5.00, is within its limits (IR-6)", None),
    ("w 3 exposed", "seat 3 is not in this round (IR-2)", None),
    ("w exposed", "exposed_player concerns one hand: add its seat (IR-2)", None),
    ("w 2 gone", "enter it as the seat's move (IR-7)", None),
    ("w 1 2 exposed", "enter what went wrong one by one", None),
    ("w 1 4 cards 2", "enter what went wrong one by one", None),
    ("w 2 ante bonus", "enter what went wrong one by one", None),
    ("w rain", "there is no irregularity 'rain'", None),
    ("3 ante 5 ante 10", "ante appears twice: enter it once", None),
    ("3 ante", "ante needs an amount: write dollars after it", None),
    ("3 5 6 7", "there are more amounts than bets: name each bet", None),
    ("bank 5.555", "'5.555' is not an amount: write dollars, 120 or 120.50", None),
    ("bank 0", "the bank is less than one cent", None),
    ("dealer QX 7d 2c", "unknown card 'qx'", None),
    ("3 ante 5 hello", "'hello' is not clear here: type help", None),
    ("remove 7", "seat 7 is not in this hand", None),
    ("remove luck", "say what to remove", None),
    ("yes", "there is nothing to confirm: type an entry", None),
    ('{"seats":[]', "this is not JSON", None),
    ('{"seats":[],"bets":1}', "has an unknown key bets", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "remedy"), IMPOSSIBLE, ids=lambda text: text)
def test_impossible_entries_are_refused(text: str, message: str, remedy: str | None) -> None:
    before, _ = typed(*BEGUN)
    desk, reply = typed(*BEGUN, text)
    assert reply.kind == "refused"
    assert message in str(reply.message)
    assert (desk.entry, desk.past) == (before.entry, before.past)
    assert (desk.offer.wrong.kind if desk.offer and desk.offer.wrong else None) == remedy
    if remedy:
        desk, reply = type_entry(desk, "yes")
        assert reply.kind == "entered"
        assert desk.entry.wrong[0].kind == remedy


THERE = [
    ("bank 600", "the bank is $500.00 already", lambda entry: entry.bank == 60_000),
    ("1 ante 10", "its Ante is $5.00", lambda entry: entry.seat(1).stakes == {"ante": 1000}),
    ("1 fold", "seat 1 plays already", lambda entry: entry.seat(1).move == "fold"),
    ("fold 2 1", "seat 1 plays already", lambda entry: entry.seat(1).move == "fold"),
    ("1 3h 3d 3c", "seat 1 has As Kd 9h already", lambda entry: 51 not in entry.seat(1).cards),
    ("d 3h 3d 3c", "the dealer has Qs 7d 2c already", lambda entry: 43 not in entry.dealer),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message", "is_changed"), THERE, ids=lambda text: text)
def test_what_is_there_is_changed_after_yes(text: str, message: str, is_changed: Any) -> None:
    desk, reply = typed(*BEGUN, text)
    assert (reply.kind, message in str(reply.message)) == ("refused", True)
    assert not is_changed(desk.entry)
    after, reply = type_entry(desk, "y")
    assert (reply.kind, is_changed(after.entry)) == ("entered", True)
    undone, _ = type_entry(after, "undo")
    assert undone.entry == desk.entry
    other, _ = type_entry(desk, "2 fold")
    assert type_entry(other, "yes")[1].kind == "refused"


@pytest.mark.parametrize("text", ["w 2 cards", "w 2 4 cards", "wrong: seat 2 has 4 cards"])
def test_wrong_number_of_cards_may_be_named(text: str) -> None:
    desk, _ = typed(*BEGUN, text)
    assert [(each.kind, each.seat) for each in desk.entry.wrong] == [("wrong_cards", 2)]


def test_all_moves_of_an_entry_are_taken_after_yes() -> None:
    desk, reply = typed(*BEGUN, "3 5", "fold 1 2 3")
    assert (reply.kind, reply.message) == ("refused", "seat 1 plays already")
    after, _ = type_entry(desk, "yes")
    assert [seat.move for seat in after.entry.seats] == ["fold", "fold", "fold"]


def test_the_house_has_no_bank_to_enter() -> None:
    for text in ("bank 5", "start 2"):
        assert typed(text, book="house")[1].code == "bank.needless"


# Bets outside their limits


def returned(result: Json, seat: int, wager: str) -> int:
    """Return how many cents of a bet go back by what went wrong, as the oracle says."""
    rows = [row for row in result.get("returned", []) if row.get("seat") == seat]
    return sum(row["cents"] for row in rows if row["wager"] == wager)


def stated(line: Json, result: Json) -> list[str]:
    """Return what the desk says of each bet outside its limits, as the oracle settles it."""
    stakes = {seat["seat"]: seat for seat in line["seats"]}
    said = []
    for each in line.get("irregularities", []):
        if each["kind"] == "outside_limits":
            seat, wager = each["seat"], each["wager"]
            stake = stakes[seat][wager]
            stands = stake - returned(result, seat, wager)
            follows = f"{dollars(stands)} of it stands" if stands else "it is returned"
            name = {"pair_plus": "Pair Plus"}.get(wager, wager.capitalize())
            bet = f"The {name} of seat {seat}, {dollars(stake)}"
            said.append(f"  {bet}, is outside its limits: {follows} (IR-6).")
    return said


def test_desk_says_how_much_of_a_bet_stands() -> None:
    draw = seeds.rng("bets that stand at the desk")
    count = 0
    for book, line, expected, _ in drawn(draw, HANDS, READINGS):
        desk, _ = type_hand(book, line, draw)
        shown = [*desk_sheet.as_text(desk, *type_entry(desk, "hand"), 200)]
        said = stated(line, expected)
        assert [text for text in shown if "outside" in text] == said, line
        count += len(said)
    assert count > HANDS // 20


QUARTERS = [{"clause": "CA-7", "min": 500, "max": 10_000, "player": 100, "banker": 200}]
OFFERED = [
    ("1 2000", {}, "If it was dealt to, $1,000.00 of the Ante stands (IR-6): type yes."),
    ("1 3", {}, "If it was dealt to, the Ante is returned (IR-6): type yes."),
    (
        "1 2000 200",
        {},
        "$1,000.00 of the Ante stands and $100.00 of the Bonus stands (IR-6): type yes.",
    ),
    (
        "1 100.01",
        {"increment": 25, "fees.rates": QUARTERS},
        "If it was dealt to, $100.00 of the Ante stands (IR-6)",
    ),
]


@pytest.mark.parametrize(("text", "changes", "offer"), OFFERED, ids=lambda value: str(value)[:12])
def test_offer_says_how_much_of_a_bet_would_stand(text: str, changes: Json, offer: str) -> None:
    before = opened("california", **changes)
    desk, reply = type_entry(before, text)
    assert offer in " ".join(desk_sheet.as_text(before, desk, reply, 80))
    assert offer in desk_sheet.as_json(text, desk, reply)["offer"]


# Help

TABLES = [
    document("california", {}),
    document("california", {"seats": 2, "up": 2, "limits.bonus.min": 700}),
    document("house", {}),
    document("house", {"limits.scope": "total", "seats": 1}),
    three_bets(),
    three_bets("california", up=0),
    ante_alone(),
]
BETS = {"bonus": "bonus| b ", "pair_plus": "pair plus| pp "}


@pytest.mark.parametrize("plain", TABLES, ids=lambda plain: f"{plain['name']} {plain['seats']}")
def test_help_is_of_the_game_at_hand(plain: Json) -> None:
    """Everything that help and the list of what can go wrong name can be typed at this table."""
    rules = own_rulebooks.book(plain)
    lines = desk_help.help_lines(rules)
    for spot, names in BETS.items():
        assert bool(re.search(names, " ".join(lines))) == (spot in plain)
    assert ("bank" in " ".join(lines)) == (plain["banker"] == "player")
    assert any("the up card" in line for line in lines) == (plain["up"] > 0)
    examples = [line[2:] for line in (*lines, *desk_help.wrong_lines(rules)) if line[:2] == "  "]
    texts = [text for line in examples for text in re.split("  +", line)[:-1]]
    assert len(texts) > 25
    desk = open_desk(rules)
    for number in (1, min(3, rules.seats)):
        desk, _ = type_entry(desk, f"{number} ante {desk_help.amount(rules, 'ante')}")
    for text in texts:
        _, reply = type_entry(desk, re.sub("^Enter.*", "", text))
        assert reply.code in (None, "entry.there", "irregularity.wager"), text


# What comes next, and the rest


def test_the_desk_asks_for_what_comes_next() -> None:
    """Bets before the deal; then a move, and cards only of hands that need them."""
    desk = opened("california")
    asked = []
    for text in ("500", "1 5", "2 10 1", "p asKd9h", "f", "qs7d", "2c"):
        lack = next_lack(desk)
        asked.append((lack.field, lack.seat) if lack else None)
        desk, reply = type_entry(desk, text)
        assert reply.kind == "entered", reply.message
    assert asked == [
        ("bank", None), ("seats", None), ("move", 1), ("move", 1), ("move", 2), ("cards", None),
        ("cards", None),
    ]  # fmt: skip
    assert next_lack(desk) is None
    desk, reply = type_entry(desk, "")
    assert (reply.kind, desk.is_settled) == ("settled", True)


def test_a_side_bet_that_is_settled_after_a_fold_needs_cards() -> None:
    desk, _ = typed("1 ante 1 pp 1", "1 fold", book="house")
    assert [(lack.field, lack.seat) for lack in desk.missing] == [("cards", 1)]


def test_every_seat_and_every_part_can_be_removed() -> None:
    desk, _ = typed(*BEGUN, "r 2 bonus")
    assert desk.entry.seat(2).stakes == {"ante": 1000}
    assert typed(*BEGUN, "r 1 cards")[0].entry.seat(1).cards == ()
    assert typed(*BEGUN, "r 1 play")[0].entry.seat(1).move is None
    assert typed(*BEGUN, "remove 1 ante")[0].entry.seat(1).move is None
    assert [seat.seat for seat in typed(*BEGUN, "remove seat 1")[0].entry.seats] == [2]
    assert typed(*BEGUN, "remove dealer")[0].entry.dealer == ()
    assert typed(*BEGUN, "remove bank")[0].missing[0].field == "bank"
    assert typed(*BEGUN, "w 2 cards", "remove wrong")[0].entry.wrong == ()
    assert typed(*BEGUN, "w 2 cards", "remove 2")[0].entry.wrong == ()


def test_a_new_hand_can_be_undone_and_a_line_is_entered() -> None:
    desk, _ = typed(*BEGUN, "2 fold")
    new, reply = type_entry(desk, "new")
    assert (reply.kind, new.entry) == ("cleared", Entry())
    assert type_entry(new, "undo")[0].entry == desk.entry
    assert type_entry(new, json.dumps(line_of(desk.entry)))[0].entry == replace(desk.entry, first=1)


@pytest.mark.parametrize("text", ["f" + " 1" * 5_000, "1" * 20_000, "qs" * 9_000, "{" * 9_000])
def test_long_entries_are_refused_in_one_sentence(text: str) -> None:
    _, reply = typed(*BEGUN, text)
    assert reply.kind == "refused"
    assert len(str(reply.message)) < 200


DIGITS = ["1" * 13, "1" * 9_000, "1,000" + ",000" * 2_000, f"${'9' * 5_000}.99"]


@pytest.mark.parametrize("digits", DIGITS, ids=lambda digits: f"{digits[:6]} ({len(digits)})")
@pytest.mark.parametrize("form", ["{}", "bank {}", "b{}", "3 {}", "3 ante {} bonus 1", "3 p {}"])
@pytest.mark.parametrize("name", ["california", "house"])
def test_amounts_of_many_digits_are_too_much(name: str, form: str, digits: str) -> None:
    desk, reply = typed(form.format(digits), book=name)
    assert (reply.kind, reply.code, desk.entry) == ("refused", "entry.amount", Entry())
    assert str(reply.message).endswith("is too much: write at most 12 digits before the cents")


def seat_line(**seat: object) -> str:
    return json.dumps({"bank": 50_000, "first": 1, "seats": [{"seat": 1, "ante": 500} | seat]})


PASTED = [
    (seat_line(move="raise"), "seat 1 has an unknown move 'raise': write play or fold"),
    (seat_line(move=""), "seat 1 has an unknown move '': write play or fold"),
    (seat_line(ante=10**4_000), "seats[0].ante is too large"),
    (seat_line(seat=10**4_000), "seats[0].seat is too large"),
    ('{"seats":[],"bank":1' + "0" * 3_000 + "}", "bank is too large"),
    ('{"seats":[],"irregularities":[{"kind":"misdeal","seat":0}]}', "remove seat (IR-1)"),
    ('{"seats":[],"irregularities":[{"kind":"misdeal","wager":""}]}', "remove it (IR-1)"),
    (" " * 10_000 + "1 ante 5", "this line is too long: an entry has at most 10,000 characters"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), PASTED, ids=lambda text: text.strip()[:60])
def test_pasted_lines_are_refused_like_settle_refuses_them(text: str, message: str) -> None:
    before, _ = typed(*BEGUN)
    desk, reply = type_entry(before, text)
    assert (reply.kind, desk.entry, desk.past) == ("refused", before.entry, before.past)
    assert str(reply.message).endswith(message)
    assert len(str(reply.message)) < 100


WORDS = re.findall(
    r"\S+",
    """1 2 11 0 5 10 2000 0.5 $5 1,000 a b pp ante bonus pair plus play p fold f qs jh 3c as kd 9h
    2c ts 8s dealer d bank start s seat w went wrong misdeal foul cards exposed limits gone remove
    r all undo u yes y no new line l hand help m settle : , ;""",
)
WHOLE = ["yes", "1 {} p as kd 9h", "2 {} f", "3 2", "b 100", "d qs jh 3c", "p", "f", "settle", ""]
CHANGES = ["undo", "u", "undo", "new", "remove 1", "remove dealer", "remove wrong"]


def check_answer(before: Desk, text: str, desk: Desk, reply: Reply) -> None:
    """Check what every answer does; the last hand comes back with an undo."""
    shown = list(desk_sheet.as_text(before, desk, reply, 80))
    assert shown or reply.kind in ("hand", "quit"), text
    assert json.dumps(desk_sheet.as_json(text, desk, reply))
    if reply.kind == "undone":
        assert (*desk.past, desk.entry) == before.past, text
    elif reply.kind not in ("entered", "cleared") or desk.entry == before.entry:
        assert (desk.entry, desk.past) == (before.entry, before.past), text
    else:
        assert desk.past == (*before.past, before.entry), text


@pytest.mark.parametrize("book", ["california", "house"])
def test_whatever_is_typed_is_answered(book: str) -> None:
    draw = seeds.rng(f"anything at the desk {book}")
    ante = {"california": 5, "house": 2}[book]
    whole = [text.format(ante) for text in WHOLE]
    kinds: Counter[str] = Counter()
    for _ in range(sized(20, 200, 2_000)):
        desk = opened(book)
        for _ in range(40):
            pieces = draw.choices(WORDS, k=draw.randrange(7))
            text = draw.choice([" ".join(pieces), draw.choice(whole), draw.choice(whole)])
            if draw.random() < 0.15:
                text = draw.choice(CHANGES)
            before = desk
            desk, reply = type_entry(desk, text)
            kinds[reply.kind] += 1
            check_answer(before, text, desk, reply)
    often = ("entered", "refused", "settled", "missing", "undone", "cleared")
    assert min(kinds[kind] for kind in often) >= 5, kinds
