"""A hand of the settle format as a dealer would type it, in any order and in any form."""

import random
from collections.abc import Iterator
from typing import Any

import queenhigh as qh
from queenhigh.desk.state import Desk, Reply, open_desk, type_entry

Json = dict[str, Any]

_FORMS = {
    "bank": ["bank {}", "b {}", "Bank: {}", "b{}"],
    "first": ["start {}", "s {}", "action starts at seat {}", "First {}"],
    "dealer": ["dealer {}", "d {}", "Dealer: {}"],
    "ante": ["ante {}", "a {}", "a{}", "Ante {}"],
    "bonus": ["bonus {}", "b {}", "b{}"],
    "pair_plus": ["pair plus {}", "pp {}", "pp{}", "Pair Plus {}"],
    "play": ["play", "p", "plays", "PLAY"],
    "fold": ["fold", "f", "folds"],
    "misdeal": ["went wrong misdeal", "w misdeal", "misdeal"],
    "foul_deck": ["went wrong foul deck", "w foul", "foul deck", "wrong foul_deck"],
    "exposed_dealer": ["went wrong dealer", "w dealer", "w exposed_dealer"],
    "exposed_player": ["went wrong {} exposed", "w {} exposed", "w exposed_player {}"],
    "wrong_cards": ["went wrong {} cards", "w {} cards", "w wrong_cards {}"],
    "outside_limits": ["went wrong {} {}", "w {} {}", "w outside_limits {} {}"],
}


def dollars(draw: random.Random, cents: int) -> str:
    whole, rest = divmod(cents, 100)
    forms = [f"{whole}.{rest:02d}", f"${whole:,}.{rest:02d}", f"{whole:,}.{rest:02d}"]
    return draw.choice(forms if rest else [*forms, f"{whole}", f"${whole}", f"{whole:,}"])


def cards_text(draw: random.Random, cards: str) -> str:
    text = draw.choice([cards, cards.upper(), cards.lower(), cards.replace(" ", "")])
    return draw.choice([text, text.replace("T", "10")])


def form(draw: random.Random, name: str, *values: object) -> str:
    return draw.choice(_FORMS[name]).format(*values)


def entries(draw: random.Random, line: Json) -> list[str]:
    """Return what a dealer types for a hand; what went wrong comes before late moves."""
    first, moves = [], []
    if "bank" in line:
        first.append(form(draw, "bank", dollars(draw, line["bank"])))
    if "first" in line:
        first.append(form(draw, "first", line["first"]))
    if "dealer" in line:
        first.append(form(draw, "dealer", cards_text(draw, line["dealer"])))
    for seat in line["seats"]:
        number, (bets, cards, move) = seat["seat"], seat_pieces(draw, seat)
        if draw.random() < 0.5:
            first.append(f"{number} {' '.join([*bets, *move, *cards])}")
            continue
        first += [f"{number} {piece}" for piece in ([" ".join(bets)], bets)[draw.random() < 0.5]]
        first += [f"seat {number} {piece}" for piece in cards]
        moves += [draw.choice([f"{number} {piece}", f"{piece} {number}"]) for piece in move]
    draw.shuffle(first)
    draw.shuffle(moves)
    return [*first, *irregularities(draw, line), *moves]


def seat_pieces(draw: random.Random, seat: Json) -> tuple[list[str], list[str], list[str]]:
    """Return the bets, the cards and the move of a seat, as they are typed."""
    bets = [
        form(draw, spot, dollars(draw, seat[spot]))
        for spot in ("ante", "bonus", "pair_plus")
        if spot in seat
    ]
    cards = [cards_text(draw, seat["cards"])] if "cards" in seat else []
    move = [form(draw, seat["move"])] if "move" in seat else []
    return bets, cards, move


def irregularities(draw: random.Random, line: Json) -> Iterator[str]:
    for each in line.get("irregularities", []):
        values = [each[key] for key in ("seat", "wager") if key in each]
        yield form(draw, each["kind"], *[str(value).replace("_", " ") for value in values])


def type_hand(book: qh.Rulebook, line: Json, draw: random.Random) -> tuple[Desk, list[Reply]]:
    """Type a hand, confirm what really went wrong, and return the desk with what it refused."""
    meant = {each["kind"] for each in line.get("irregularities", [])}
    assert isinstance(book, qh.PokerRulebook)
    desk, refused = open_desk(book), []
    for text in entries(draw, line):
        before = desk
        desk, reply = type_entry(desk, text)
        if reply.kind == "refused":
            assert (desk.entry, desk.past) == (before.entry, before.past)
            if desk.offer and desk.offer.wrong and desk.offer.wrong.kind in meant:
                desk, reply = type_entry(desk, draw.choice(["yes", "y"]))
            elif reply.code == "irregularity.twice":
                continue  # it was confirmed where it was seen
        if reply.kind != "entered":
            refused.append(reply)
    return desk, refused
