"""What somebody types at the desk, read; short and long forms mean the same."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from queenhigh.cards import parse_cards
from queenhigh.desk import requests
from queenhigh.desk.entry import MOST_DIGITS, Wrong
from queenhigh.desk.requests import CommandName, Request
from queenhigh.errors import InvalidRound
from queenhigh.game import Move
from queenhigh.text import one_line

__all__ = ["read_entry"]

_COMMANDS: dict[CommandName, str] = {
    "help": "help, h, ?",
    "undo": "undo, u",
    "missing": "missing, m, what, what is missing, what's missing, still to enter",
    "hand": "hand, show",
    "settle": "settle, payouts, pay",
    "line": "line, print, l",
    "new": "new, n, next, new hand, next hand, start over",
    "yes": "yes, y",
    "no": "no",
    "quit": "quit, q, exit, bye",
    "wrong": "went wrong, wrong, w",
}
_COMMAND_OF = {word: name for name, words in _COMMANDS.items() for word in words.split(", ")}

_MONEY = r"\$?(?:[0-9]{1,3}(?:,[0-9]{3})++|[0-9]++)(?:\.[0-9]{1,2})?(?![0-9.,]*[0-9])"
_CARD = r"(?:10|[2-9tjqka])[cdhs]"
_CARDS = re.compile(rf"(?:{_CARD}[\s,]*)+")
_SUITS = str.maketrans("♣♦♥♠", "cdhs", "\ufe0e\ufe0f")
_PIECE = re.compile(
    rf"[\s,:;+=]*(?:(?P<card>{_CARD})"
    r"|(?P<wager>ante|bonus|pair ?plus|pp|a|b)(?![a-z])"
    r"|(?P<move>plays?|p|folds?|f)(?![a-z])"
    rf"|(?P<money>{_MONEY}))[\s,:;+=]*"
)
_WAGERS = {"a": "ante", "b": "bonus", "pp": "pair_plus", "pair plus": "pair_plus",
           "pairplus": "pair_plus"}  # fmt: skip
#: Words of what went wrong, each kind by the first that is there.
_WRONG = (
    ("misdeal", r"misdeal|misdealt"),
    ("foul_deck", r"foul|deck|twice|foul_deck"),
    ("player_gone", r"gone|player_gone"),
    ("exposed_dealer", r"dealer|down|exposed_dealer"),
    ("wrong_cards", r"cards?|count|number|wrong_cards"),
    ("exposed_player", r"exposed|shown|seen|exposed_player"),
    ("outside_limits", r"ante|bonus|pair plus|pairplus|pp|a|b|limits?|outside|outside_limits"),
)


def read_entry(text: str) -> Request:
    """Return what was typed; refuse what cannot be read."""
    if text.strip().startswith("{"):
        return requests.Line(text.strip())
    typed = " ".join(text.translate(_SUITS).lower().replace("_", " ").split())
    plain = typed.rstrip("?.!:").rstrip() or typed
    if plain in _COMMAND_OF:
        return requests.Command(_COMMAND_OF[plain])
    for pattern, reader in _FORMS:
        if match := pattern.fullmatch(typed):
            return reader(match)
    raise _unclear(typed)


def _unclear(text: str) -> InvalidRound:
    shown = one_line(text, 30)
    sentence = f"{shown!r} is not clear here: type help to see what can be entered"
    return InvalidRound("entry.unclear", sentence)


def _cents(text: str) -> int:
    whole, _, rest = text.lstrip("$").replace(",", "").partition(".")
    if len(whole) > MOST_DIGITS:
        shown = one_line(text, 20)
        sentence = f"{shown!r} is too much: write at most {MOST_DIGITS} digits before the cents"
        raise InvalidRound("entry.amount", sentence)
    return 100 * int(whole) + int(rest.ljust(2, "0") or 0)


def _money(text: str) -> int:
    if not re.fullmatch(_MONEY, text):
        sentence = f"{one_line(text, 20)!r} is not an amount: write dollars, 120 or 120.50"
        raise InvalidRound("entry.amount", sentence)
    return _cents(text)


# The forms, each with its reader


def _bank(match: re.Match[str]) -> Request:
    return requests.Bank(_money(match[1]))


def _first(match: re.Match[str]) -> Request:
    return requests.First(int(match[1]))


def _dealer(match: re.Match[str]) -> Request:
    return requests.Cards(parse_cards(match[1].replace(",", " ")), 0)


def _cards(match: re.Match[str]) -> Request:
    return requests.Cards(parse_cards(match[0].replace(",", " ")))


def _amount(match: re.Match[str]) -> Request:
    return requests.Amount(_cents(match[0]))


def _moves(match: re.Match[str]) -> Request:
    seats = [int(number) for number in re.findall("[0-9]+", match[2])]
    return requests.Moves(_move(match[1]), tuple(seats))


def _move(word: str) -> Move:
    return "play" if word.startswith("p") else "fold"


def _went_wrong(match: re.Match[str]) -> Request:
    words = match[1]
    kind = _kind_of(words)
    numbers = re.findall(r"\b[0-9]{1,3}\b", words)
    if kind == "wrong_cards" and len(numbers) > 1:  # "3 4 cards": seat 3 has four of them
        numbers = re.findall(r"\b[0-9]{1,3}\b(?! cards?\b)", words)
    wagers = re.findall(r"\b(?:ante|bonus|pair ?plus|pp|a|b)\b", words)
    if len(numbers) > 1 or (kind == "outside_limits" and len(wagers) > 1):
        sentence = "enter what went wrong one by one: a seat, and what happened there"
        raise InvalidRound("entry.wrong", sentence)
    name = _WAGERS.get(wagers[0], wagers[0]) if wagers and kind == "outside_limits" else None
    return requests.WentWrong(Wrong(kind, int(numbers[0]) if numbers else None, name))


def _kind_of(words: str) -> str:
    """Return the kind that words mean; the sentence of a kind that is unknown lists all."""
    words = re.sub("(exposed|wrong|foul|outside|player) (?=player|dealer|cards|deck|limits|gone)",
                   r"\1_", words)  # fmt: skip
    for kind, pattern in _WRONG:
        # "card 3 exposed" is about exposure, not about a number of cards.
        is_exposure = kind == "wrong_cards" and re.search(r"exposed|shown|seen", words)
        if not is_exposure and re.search(rf"(?<![a-z_])(?:{pattern})(?![a-z_])", words):
            return kind
    return words[:20]


def _remove(match: re.Match[str]) -> Request:
    words = match[1].removeprefix("seat ")
    if seat := re.fullmatch(r"([0-9]{1,3})(?: (.+))?", words):
        what = seat[2] and _WAGERS.get(seat[2], seat[2])
        if what in (None, "ante", "bonus", "pair_plus", "cards", "move", "play", "fold"):
            what = "move" if what in ("play", "fold") else what
            return requests.Remove(what, int(seat[1]))
    elif words in ("dealer", "bank", "start", "wrong", "what went wrong", "all"):
        return requests.Remove(words.removeprefix("what went "))
    sentence = "say what to remove: a seat, its cards, its move, one of its bets, dealer or wrong"
    raise InvalidRound("entry.remove", sentence)


def _seat(match: re.Match[str]) -> Request:
    return _with_pieces(int(match[1]), match[2])


def _rest(match: re.Match[str]) -> Request:
    return _with_pieces(None, match[0])


def _with_pieces(seat: int | None, text: str) -> Request:
    """Return a seat with the pieces of its entry, in any order."""
    entry = _SeatPieces()
    for kind, word in _pieces(text):
        entry.add(kind, word)
    if entry.wager:
        raise _without_amount(entry.wager)
    cards = parse_cards(entry.cards)
    return requests.Seat(seat, entry.stakes, tuple(entry.amounts), entry.move, entry.play, cards)


class _SeatPieces:
    """The pieces of a seat's entry so far; ``wager`` waits for its amount."""

    def __init__(self) -> None:
        self.stakes: dict[str, int] = {}
        self.amounts: list[int] = []
        self.cards = ""
        self.move: Move | None = None
        self.play: int | None = None
        self.wager: str | None = None

    def add(self, kind: str, word: str) -> None:
        """Add a piece by its kind."""
        if kind == "money":
            self._add_amount(_cents(word))
            return
        if self.wager:
            raise _without_amount(self.wager)
        if kind == "card":
            self.cards += word
        elif kind == "wager":
            self.wager = _WAGERS.get(word, word)
            if self.wager in self.stakes:
                sentence = f"{self.wager.replace('_', ' ')} appears twice: enter it once"
                raise InvalidRound("entry.twice", sentence)
        elif self.move in (None, _move(word)):
            self.move = _move(word)
        else:
            raise InvalidRound("entry.moves", "a hand plays or folds, not both: enter one")

    def _add_amount(self, cents: int) -> None:
        if self.wager:
            self.stakes[self.wager], self.wager = cents, None
        elif self.move == "play" and self.play is None and not self.cards:
            self.play = cents
        else:
            self.amounts.append(cents)


def _without_amount(wager: str) -> InvalidRound:
    sentence = f"{wager.replace('_', ' ')} needs an amount: write dollars after it"
    return InvalidRound("entry.amount", sentence)


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Yield the kind of each piece of an entry, and its word."""
    start = 0
    while start < len(text):
        match = _PIECE.match(text, start)
        if not match or not match.lastgroup:
            raise _unclear(text[start:])
        yield match.lastgroup, match[match.lastgroup]
        start = match.end()


def _forms() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str]], Request]]]:
    number = r"([0-9]{1,3})"
    forms: list[tuple[str, Any]] = [
        (r"(?:the )?(?:bank|b)(?![a-z])(?: is)?:?\s*(.+)", _bank),
        (rf"(?:action )?(?:starts?|first|s)(?: at)?(?: seat)?:?\s*{number}", _first),
        (rf"(?:dealer\b|d\b|d(?={_CARD})):?\s*(.+)", _dealer),
        (r"(?:went wrong|wrong|w)\b:?\s*(.+)", _went_wrong),
        (r"((?:it was a |it is a )?misdeal|foul(?: deck)?)", _went_wrong),
        (r"(?:remove|rm|r|delete|clear)\b\s*(.+)", _remove),
        (
            r"(plays?|p|folds?|f):?\s*(?:seats? )?([0-9]{1,3}(?:(?:,|,? and| |, )[0-9]{1,3})*)",
            _moves,
        ),
        (_CARDS.pattern, _cards),
        (rf"(?:seat )?{number}(?![0-9.,]*[0-9])\s*:?(.+)", _seat),
        (_MONEY, _amount),
        (rf"seat {number}(.*)", _seat),
        (r".+", _rest),
    ]
    for pattern, reader in forms:
        yield re.compile(pattern), reader


_FORMS = tuple(_forms())
