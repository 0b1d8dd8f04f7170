"""The settle format: one JSON object a round, in and out. docs/settle.md describes it."""

import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, overload

import msgspec
from msgspec import UNSET, Struct, UnsetType

from queenhigh.cards import Hand, parse_cards
from queenhigh.errors import IllegalRound, InvalidRound
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.game import Move
from queenhigh.games.roulette import SettledSpin, Spin, Wager
from queenhigh.games.three_card_poker import Round, Seat, SettledRound
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook

__all__ = ["Finished", "Settled", "read", "read_line", "settle", "settle_checked", "write_line"]

Finished = Round | Spin
Settled = SettledRound | SettledSpin


class _Seat(Struct, forbid_unknown_fields=True, gc=False):
    seat: int
    cards: str
    ante: int | UnsetType = UNSET
    bonus: int | UnsetType = UNSET
    pair_plus: int | UnsetType = UNSET
    move: str | UnsetType = UNSET


class _Round(Struct, forbid_unknown_fields=True, gc=False):
    dealer: str
    seats: list[_Seat]
    id: str | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    first: int | UnsetType = UNSET


class _Wager(Struct, forbid_unknown_fields=True, gc=False):
    bet: str
    stake: int
    player: str | UnsetType = UNSET
    in_prison: bool | UnsetType = UNSET


class _Spin(Struct, forbid_unknown_fields=True, gc=False):
    pocket: str
    wagers: list[_Wager]
    id: str | UnsetType = UNSET


_DECODERS: dict[type[Rulebook], Any] = {
    PokerRulebook: msgspec.json.Decoder(_Round),
    RouletteRulebook: msgspec.json.Decoder(_Spin),
}
_encode = msgspec.json.Encoder().encode


def read_line(book: Rulebook, line: bytes) -> tuple[str | None, Finished]:
    """Read a finished round from a line of JSON; its id comes back beside it."""
    raw = _understood(_DECODERS[type(book)].decode, line)
    if line.count(b":") != _count_keys(raw):
        _refuse_twice(line)
    return _finished(book, raw)


def read(book: Rulebook, round: Mapping[str, Any]) -> tuple[str | None, Finished]:
    """Read a finished round from what such a line holds."""
    kind: Any = _Spin if isinstance(book, RouletteRulebook) else _Round
    return _finished(book, _understood(partial(msgspec.convert, type=kind), round))


def write_line(id: str | None, settled: Settled) -> bytes:
    """Write a settled round as a line of JSON, its id first."""
    line = _encode(settled)
    return line if id is None else b'{"id":' + _encode(id) + b"," + line[1:]


@overload
def settle(book: PokerRulebook, round: Mapping[str, Any] | Round) -> SettledRound: ...
@overload
def settle(book: RouletteRulebook, round: Mapping[str, Any] | Spin) -> SettledSpin: ...
@overload
def settle(book: Rulebook, round: Mapping[str, Any] | Finished) -> Settled: ...


def settle(book: Rulebook, round: Mapping[str, Any] | Finished) -> Settled:
    """Settle one finished round: a value of the game, or a mapping in the settle format.

    Either is checked first, so that nothing illegal is ever settled.
    """
    if not isinstance(round, Round | Spin):
        return settle_checked(book, read(book, round)[1])
    typed = _typed(round)
    if isinstance(book, PokerRulebook) and isinstance(typed, Round):
        return three_card_poker.settle(book, three_card_poker.complete(book, typed))
    if isinstance(book, RouletteRulebook) and isinstance(typed, Spin):
        return roulette.settle(book, roulette.complete(book, typed))
    raise InvalidRound("round.game", f"this is not a round of {book.title}")


def _typed(round: Finished) -> Finished:
    """Return the round as it is if all its values have the types they should."""
    try:
        return msgspec.convert(msgspec.to_builtins(round), type(round))
    except msgspec.ValidationError as error:
        raise InvalidRound("round.shape", _plain(str(error))) from None


def settle_checked(book: Rulebook, finished: Finished) -> Settled:
    """Settle what ``read`` or ``read_line`` gave for the same rulebook."""
    if isinstance(finished, Round):
        assert isinstance(book, PokerRulebook)
        return three_card_poker.settle(book, finished)
    assert isinstance(book, RouletteRulebook)
    return roulette.settle(book, finished)


def _understood(decode: Callable[[Any], _Round | _Spin], given: object) -> _Round | _Spin:
    try:
        return decode(given)
    except msgspec.ValidationError as error:
        raise InvalidRound("json.shape", _plain(str(error))) from None
    except ValueError as error:
        raise InvalidRound("json.malformed", f"this is not JSON: {error}") from None


def _count_keys(raw: _Round | _Spin) -> int:
    """Return how many keys a round has. A line with as many colons has no key twice."""
    if isinstance(raw, _Spin):
        count = 3 - (raw.id is UNSET)
        for wager in raw.wagers:
            count += 4 - (wager.player, wager.in_prison).count(UNSET)
        return count
    count = 5 - (raw.id, raw.bank, raw.first).count(UNSET)
    for seat in raw.seats:
        count += 6 - (seat.ante, seat.bonus, seat.pair_plus, seat.move).count(UNSET)
    return count


def _refuse_twice(line: bytes) -> None:
    """Refuse a line in which an object has a key twice; a colon may also stand in a text."""

    def check(pairs: list[tuple[str, object]]) -> None:
        keys = [key for key, _ in pairs]
        for key in keys:
            if keys.count(key) > 1:
                raise InvalidRound("json.twice", f"the key {key} stands twice")

    json.loads(line, object_pairs_hook=check)


def _finished(book: Rulebook, raw: _Round | _Spin) -> tuple[str | None, Finished]:
    id = None if raw.id is UNSET else raw.id
    if isinstance(raw, _Spin):
        assert isinstance(book, RouletteRulebook)
        return id, _spin(book, raw)
    assert isinstance(book, PokerRulebook)
    return id, _round(book, raw)


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
        said = "is too large a number"
    else:
        said = message.replace("`", "")
    return f"{where or 'the round'} {said}"


# Three Card Poker

_MOST_BANK = 10**4000


def _round(book: PokerRulebook, raw: _Round) -> Round:
    if book.bank is None and (raw.bank is not UNSET or raw.first is not UNSET):
        raise IllegalRound("bank.needless", "the house banks: leave bank and first out")
    if raw.bank is not UNSET and raw.bank > _MOST_BANK:
        raise InvalidRound("bank.huge", "the bank is too large to be written down")
    round = Round(
        tuple([_seat(seat) for seat in raw.seats]),
        None if raw.bank is UNSET else raw.bank,
        1 if raw.first is UNSET else raw.first,
        _hand(raw.dealer, 0),
    )
    return three_card_poker.complete(book, round)


_MOVES: dict[str, Move] = {"play": "play", "fold": "fold"}


def _seat(raw: _Seat) -> Seat:
    number, ante, bonus, pair_plus, move = raw.seat, raw.ante, raw.bonus, raw.pair_plus, raw.move
    if ante is UNSET:
        ante = 0
    elif ante < 1:
        _refuse_amount(number, "ante")
    if bonus is UNSET:
        bonus = 0
    elif bonus < 1:
        _refuse_amount(number, "bonus")
    if pair_plus is UNSET:
        pair_plus = 0
    elif pair_plus < 1:
        _refuse_amount(number, "pair_plus")
    hand = _hand(raw.cards, number)
    if move is UNSET:
        return Seat(number, ante, bonus, pair_plus, hand)
    if move not in _MOVES:
        raise InvalidRound(
            "move.unknown", f"seat {number} has an unknown move {move[:20]!r}: write play or fold"
        )
    return Seat(number, ante, bonus, pair_plus, hand, _MOVES[move])


def _hand(text: str, seat: int) -> Hand:
    cards = parse_cards(text)
    if len(cards) != 3:
        who = f"seat {seat}" if seat else "the dealer"
        raise InvalidRound("cards.count", f"{who} has {len(cards)} cards instead of three")
    return cards


def _refuse_amount(seat: int, wager: str) -> None:
    raise InvalidRound(
        "amount.range",
        f"the {wager} of seat {seat} must be a whole number of cents above 0;"
        " for no wager leave the key out",
    )


# Roulette


def _spin(book: RouletteRulebook, raw: _Spin) -> Spin:
    wagers = [
        Wager(
            wager.bet,
            wager.stake,
            None if wager.player is UNSET else wager.player,
            None if wager.in_prison is UNSET else wager.in_prison,
        )
        for wager in raw.wagers
    ]
    return roulette.complete(book, Spin(tuple(wagers), raw.pocket))
