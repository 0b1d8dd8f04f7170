"""What the desk answers: as text for a dealer, and as JSON for programs."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from queenhigh.desk.check import check
from queenhigh.desk.entry import SPOTS, EnteredSeat, Entry, Wrong, line_of
from queenhigh.desk.payouts import clauses_of, payouts
from queenhigh.desk.state import Desk, Offer, Reply, next_lack
from queenhigh.errors import Missing
from queenhigh.games.three_card_poker import Round
from queenhigh.games.three_card_poker.irregular import EnteredRound
from queenhigh.games.three_card_poker.irregular_text import ruling, standing
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.desk_help import HAPPENED, help_lines, wrong_lines
from queenhigh.sheets.desk_payouts import (
    hand_text,
    payouts_as_text,
    rules_as_text,
    wrapped,
)
from queenhigh.text import listed, one_line, words

__all__ = ["as_json", "as_text", "left_as_text", "line_text", "prompt", "welcome"]

_REMEDIES = {
    "misdeal": "If it was a misdeal",
    "foul_deck": "If the deck really had it twice, it's a foul deck",
    "wrong_cards": "If the hand really has a wrong number of cards",
    "outside_limits": "If it was dealt to",
}


def welcome(desk: Desk) -> list[str]:
    """Return the lines that a desk begins with."""
    return [
        f"Settlement desk: {desk.book.title}.",
        "Enter a hand dealt with real cards. Type help to see how.",
    ]


def prompt(desk: Desk) -> str:
    """Return what comes next, as a prompt."""
    if desk.is_settled:
        return "n for a new hand> "
    lack = next_lack(desk)
    if lack is None:
        return "Enter for the payouts> "
    if lack.field == "bank":
        return "Bank> "
    if lack.field == "seats":
        return "Seat and Ante> " if desk.book.ante_required else "Seat and bets> "
    if lack.seat is None:
        return "Dealer> "
    part = {"bets": "bet", "move": "play or fold", "cards": "cards"}[lack.field]
    return f"Seat {lack.seat}, {part}> "


def lack_text(entry: Entry, lack: Missing) -> str:
    """Return what is still to be entered, as a sentence."""
    if lack.field == "cards":
        return _cards_lack_text(entry, lack.seat)
    if lack.seat is None:
        return "Enter the bank." if lack.field == "bank" else "Add the first player."
    if lack.field == "move":
        return f"Seat {lack.seat}: play or fold?"
    bet = "Ante" if entry.seat(lack.seat).stakes else "bet"
    return f"Seat {lack.seat} has no {bet} yet."


def _cards_lack_text(entry: Entry, seat: int | None) -> str:
    cards = entry.dealer if seat is None else entry.seat(seat).cards
    if cards:
        owner = "The dealer" if seat is None else f"Seat {seat}"
        number = "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        return f"{owner} has {number} instead of three."
    if seat is not None:
        return f"Enter the cards of seat {seat}: a bet depends on them."
    playing = next(each.seat for each in entry.seats if each.move == "play")
    return f"Enter the dealer's cards: seat {playing} plays against them."


def line_text(entry: Entry) -> str:
    """Return a hand as a line for ``queenhigh settle``."""
    return json.dumps(line_of(entry), separators=(",", ":"))


# As text


def as_text(before: Desk, after: Desk, reply: Reply, width: int) -> Iterator[str]:
    """Yield the lines of an answer."""
    if reply.kind in ("entered", "undone"):
        for text in _difference(before, after):
            yield from wrapped(text, width, "  ")
    elif reply.kind == "hand":
        for text in _hand(after):
            yield from wrapped(text, width, "  ")
    elif reply.kind == "refused":
        offer = f" {_offer_text(after, after.offer)}" if after.offer else ""
        yield from wrapped(_sentence(reply.message or "") + offer, width)
    elif reply.settled:
        # The payouts come last, where the dealer looks.
        yield from rules_as_text(after.book, reply.settled, width)
        yield from ("", "For queenhigh settle", line_text(after.entry), "")
        yield from payouts_as_text(after.book, _round(after), reply.settled, width)
    else:
        yield from _ANSWERS[reply.kind](after)


def left_as_text(desk: Desk) -> list[str]:
    """Return what a dealer who leaves needs to continue with a hand that is not settled."""
    if desk.is_settled or desk.entry == Entry():
        return []
    return ["This hand isn't settled. To continue later, type this line at the desk:",
            line_text(desk.entry)]  # fmt: skip


def _round(desk: Desk) -> Round:
    round = desk.checked.round
    assert isinstance(round, Round)
    return round


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _offer_text(desk: Desk, offer: Offer) -> str:
    if offer.wrong is None:
        return "Type yes to change it."
    follows = ""
    if offer.wrong.kind == "outside_limits":
        follows = f", {_standing(desk, offer.entry)}"
    return f"{_REMEDIES[offer.wrong.kind]}{follows} ({offer.clause}): type yes."


def _standing(desk: Desk, entry: Entry) -> str:
    """Return how much stands of the bets that an entry takes in spite of their limits."""
    round = check(desk.book, entry).round
    assert isinstance(round, EnteredRound)
    said = []
    for wrong, each in zip(entry.wrong, round.irregularities, strict=True):
        if wrong not in desk.entry.wrong:
            said.append(standing(each, round, f"the {words(wrong.wager or '')}"))
    return listed(said, "and")


def _missing(desk: Desk) -> Iterator[str]:
    if not desk.missing:
        yield "Nothing is missing. Press Enter for the payouts."
        return
    yield "Still to enter:"
    for lack in desk.missing:
        yield f"  {lack_text(desk.entry, lack)}"


def _difference(before: Desk, after: Desk) -> Iterator[str]:
    """Yield the lines of a hand that are new, and what is gone."""
    lines, was = list(_lines(after)), dict(_lines(before))
    for key, text in lines:
        if was.get(key) != text:
            yield text
    now = dict(lines)
    for key in was:
        if key not in now:
            yield f"{key} removed."
    if lines == list(was.items()):
        yield "Nothing changed."


def _hand(desk: Desk) -> list[str]:
    return [text for _, text in _lines(desk)] or ["Nothing is entered yet."]


def _lines(desk: Desk) -> Iterator[tuple[str, str]]:
    """Yield the lines of a hand, each with what it is about."""
    book, entry, round = desk.book, desk.entry, desk.checked.round
    if entry.bank is not None:
        yield "Bank", f"Bank {dollars(entry.bank)}"
    if entry.first is not None:
        yield "Start", f"Action starts at seat {entry.first}"
    if entry.dealer:
        yield "Dealer", f"Dealer {hand_text(book, entry.dealer)}"
    for seat in entry.seats:
        yield f"Seat {seat.seat}", f"Seat {seat.seat}: {_seat(book, seat)}"
    if isinstance(round, EnteredRound):
        for wrong, each in zip(entry.wrong, round.irregularities, strict=True):
            yield _happened(wrong), ruling(each, round)


def _seat(book: PokerRulebook, seat: EnteredSeat) -> str:
    stakes = [(spot, seat.stakes[spot]) for spot in SPOTS if spot in seat.stakes]
    parts = [f"{words(spot)} {dollars(cents)}" for spot, cents in stakes]
    parts += [f"{seat.move}s"] if seat.move else []
    parts += [hand_text(book, seat.cards)] if seat.cards else []
    return ", ".join(parts) or "no bet yet"


def _happened(wrong: Wrong) -> str:
    """Return what went wrong: ``Seat 3, Ante: a bet was outside its limits``."""
    place = "" if wrong.seat is None else f"Seat {wrong.seat}"
    place += f", {words(wrong.wager)}" if wrong.wager else ""
    what = HAPPENED[wrong.kind]
    return f"{place}: {what}" if place else f"{what[0].upper()}{what[1:]}"


_ANSWERS: dict[str, Callable[[Desk], Iterable[str]]] = {
    "cleared": lambda desk: ["A new hand. Type undo to get the last one back."],
    "missing": _missing,
    "line": lambda desk: [line_text(desk.entry)],
    "help": lambda desk: help_lines(desk.book),
    "wrong": lambda desk: wrong_lines(desk.book),
    "quit": lambda desk: [],
}


# As JSON


def as_json(text: str, after: Desk, reply: Reply) -> dict[str, Any]:
    """Return an answer for programs, with the hand as it is now."""
    result: dict[str, Any] = {"entry": one_line(text), "reply": reply.kind}
    if reply.kind == "refused":
        offer = _offer_text(after, after.offer) if after.offer else None
        result |= {"code": reply.code, "message": reply.message, "offer": offer}
    result["entered"] = line_of(after.entry)
    result["missing"] = [_lack_as_json(after.entry, lack) for lack in after.missing]
    if reply.settled:
        rows = payouts(after.book, _round(after), reply.settled)
        used = clauses_of(after.book, reply.settled)
        clauses = [clause for clause in after.book.clauses if clause.id in used]
        result |= {
            "settled": msgspec.to_builtins(reply.settled),
            "payouts": msgspec.to_builtins(list(rows)),
            "clauses": [{"id": clause.id, "text": clause.text} for clause in clauses],
        }
    return result


def _lack_as_json(entry: Entry, lack: Missing) -> dict[str, Any]:
    seat = {} if lack.seat is None else {"seat": lack.seat}
    return {"lacks": lack.field, **seat, "message": lack_text(entry, lack)}
