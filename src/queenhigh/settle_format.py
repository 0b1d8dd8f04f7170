"""The settle format: one JSON object a round, in and out. docs/settle.md describes it."""

import json
import re
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, overload

import msgspec

from queenhigh.errors import InvalidRound
from queenhigh.game import GameRound, Line, Settled, SettledRound, SettledSpin
from queenhigh.games.roulette import Spin
from queenhigh.games.three_card_poker import Round
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook

__all__ = [
    "Settled",
    "parse_line",
    "read",
    "read_line",
    "settle",
    "settle_checked",
    "write_line",
]

_encode = msgspec.json.Encoder().encode


@cache
def _decoder(line_type: type[Line]) -> msgspec.json.Decoder[Line]:
    return msgspec.json.Decoder(line_type)


def read_line(book: Rulebook, line: bytes) -> tuple[str | None, GameRound]:
    """Read a finished round from a line of JSON; its id comes back beside it."""
    raw = parse_line(book, line)
    return raw.name, book.game.from_line(book, raw)


def parse_line(book: Rulebook, line: bytes) -> Line:
    """Read a line of JSON of a round that need not be finished; its rules are not checked."""
    raw = _understood(_decoder(book.game.line_type).decode, line)
    if line.count(b":") != raw.count_keys():
        _refuse_twice(line)
    return raw


def read(book: Rulebook, round: Mapping[str, Any]) -> tuple[str | None, GameRound]:
    """Read a finished round from the data of a line."""
    raw = _understood(partial(msgspec.convert, type=book.game.line_type), round)
    return raw.name, book.game.from_line(book, raw)


def write_line(id: str | None, settled: Settled) -> bytes:
    """Write a settled round as a line of JSON, its id first."""
    line = _encode(settled)
    return line if id is None else b'{"id":' + _encode(id) + b"," + line[1:]


@overload
def settle(book: PokerRulebook, round: Mapping[str, Any] | Round) -> SettledRound: ...
@overload
def settle(book: RouletteRulebook, round: Mapping[str, Any] | Spin) -> SettledSpin: ...
@overload
def settle(book: Rulebook, round: Mapping[str, Any] | GameRound) -> Settled: ...


def settle(book: Rulebook, round: Mapping[str, Any] | GameRound) -> Settled:
    """Settle one finished round: a value of the game, or a mapping in the settle format.

    Either is checked first, so that nothing illegal is ever settled.
    """
    if not isinstance(round, GameRound):
        return settle_checked(book, read(book, round)[1])
    typed = _typed(round)
    if not isinstance(typed, book.game.round_type):
        raise InvalidRound("round.game", f"this is not a round of {book.title}")
    return book.game.settle(book, book.game.complete(book, typed))


def _typed(round: GameRound) -> GameRound:
    """Return the round unchanged if all its values have the right types."""
    try:
        return msgspec.convert(msgspec.to_builtins(round), type(round))
    except msgspec.ValidationError as error:
        raise InvalidRound("round.shape", _plain(str(error))) from None


def settle_checked(book: Rulebook, finished: GameRound) -> Settled:
    """Settle a round from ``read`` or ``read_line`` for the same rulebook."""
    return book.game.settle(book, finished)


def _understood(decode: Callable[[Any], Line], given: object) -> Line:
    try:
        return decode(given)
    except msgspec.ValidationError as error:
        raise InvalidRound("json.shape", _plain(str(error))) from None
    except ValueError as error:
        raise InvalidRound("json.malformed", f"this is not JSON: {error}") from None


def _refuse_twice(line: bytes) -> None:
    """Refuse a line in which an object has a key twice; a colon may also stand in a text."""

    def check(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise InvalidRound("json.twice", f"the key {key} appears twice")

    json.loads(line, object_pairs_hook=check)


# A library's message in a reader's words


_WORDS = {
    "int": "a whole number",
    "float": "a number with a fraction or exponent",
    "str": "text in quotes",
    "bool": "true or false",
    "null": "null",
    "array": "a list",
    "object": "an object",
}
_AT = re.compile(r" - at `\$\.?(.*)`$")
_TYPES = re.compile(r"Expected `(\w+)`, got `(\w+)`")
_KEY = re.compile(r"Object (contains unknown|missing required) field `(.*)`", re.DOTALL)


def _plain(message: str) -> str:
    where = match[1] if (match := _AT.search(message)) else ""
    message = _AT.sub("", message)
    if match := _TYPES.fullmatch(message):
        wanted, got = (_WORDS.get(word, word) for word in match.groups())
        said = f"must be {wanted}, not {got}"
    elif match := _KEY.fullmatch(message):
        verb = "has an unknown" if match[1] == "contains unknown" else "lacks the"
        said = f"{verb} key {match[2][:40]}"
    elif message == "Integer value out of range":
        said = "is too large"
    else:
        said = message.replace("`", "")
    return f"{where or 'the round'} {said}"
