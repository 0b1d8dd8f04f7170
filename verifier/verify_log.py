"""Verify the event log of a card room: one file, standard library, no code of the package.

    python verify_log.py FILE_OR_DB [--json] [--key HEX]

Reads a store (SQLite) or a log file, and checks in order every hash, every event against the
rules of docs/log.md, docs/fairness.md and docs/settle.md, every cent, and last the signature.
It was written from those pages and shares no code with the package, so that a mistake in one is
not repeated in the other. Whatever must follow from an event is worked out here and compared
with what the log says; the first event that differs is reported.

Exit status: 0 good, 1 bad, 2 cannot be read.
"""

import argparse
import hashlib
import hmac
import json
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

Body = dict[str, Any]
Step = tuple[int, str, str | None]
Wager = tuple[str, int]


class Bad(Exception):
    """What is wrong with an event, in words."""


class BadHead(Exception):
    """What is wrong with the head, in words."""


class Unreadable(Exception):
    """Why a file could not be read at all."""


def demand(condition: bool, reason: str) -> None:
    """Raise Bad with the reason unless the condition holds."""
    if not condition:
        raise Bad(reason)


# Bytes: fields, hashes, and Ed25519 as in RFC 8032.


def fields(*parts: str | int | bytes) -> bytes:
    """Return the parts joined, each after its length in four bytes."""
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def digest(*parts: str | int | bytes) -> bytes:
    """Return the SHA-256 of joined fields."""
    return hashlib.sha256(fields(*parts)).digest()


def from_hex(text: str, size: int) -> bytes:
    """Return so many bytes from small hexadecimal letters."""
    demand(bool(re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text)), f"not {size} bytes in hexadecimal")
    return bytes.fromhex(text)


P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
Point = tuple[int, int, int, int]


def add(a: Point, b: Point) -> Point:
    """Return the sum of two points of the curve, in extended coordinates."""
    s, t = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    u, v = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    e, f, g, h = t - s, v - u, v + u, t + s
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(scalar: int, point: Point) -> Point:
    """Return a point added to itself so many times."""
    total: Point = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            total = add(total, point)
        point, scalar = add(point, point), scalar >> 1
    return total


def decompress(raw: bytes) -> Point | None:
    """Return the point that 32 bytes stand for, or None."""
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    x = P - x if x & 1 != sign else x
    return x, y, 1, x * y % P


def signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Return whether an Ed25519 signature is good."""
    base = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))
    public, r = decompress(key), decompress(signature[:32])
    s = int.from_bytes(signature[32:], "little")
    if base is None or public is None or r is None or len(signature) != 64 or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    left, right = times(s, base), add(r, times(h, public))
    across = left[0] * right[2] - right[0] * left[2]
    up = left[1] * right[2] - right[1] * left[2]
    return across % P == 0 and up % P == 0


# Fair cards.


class Words:
    """The numbers that follow from a seed and the places' seeds."""

    def __init__(self, seed: bytes, places: dict[int, str]) -> None:
        """Take the table's seed and those that places added."""
        parts: list[str | int] = ["queenhigh/key/1"]
        for place, text in sorted(places.items()):
            parts += [place, text]
        self.key = hmac.digest(seed, fields(*parts), "sha256")
        self.words = self.draw()

    def draw(self) -> Iterator[int]:
        """Yield words of 32 bits without end."""
        block = 0
        while True:
            raw = hmac.digest(self.key, fields("queenhigh/words/1", block), "sha256")
            yield from (int.from_bytes(raw[i : i + 4], "big") for i in range(0, 32, 4))
            block += 1

    def below(self, bound: int) -> int:
        """Return the next number below a bound."""
        limit = bound * (2**32 // bound)
        return next(word for word in self.words if word < limit) % bound

    def shuffle(self) -> list[int]:
        """Return a shuffled deck in the order of dealing."""
        deck = list(range(52))
        for last in range(51, 0, -1):
            other = self.below(last + 1)
            deck[last], deck[other] = deck[other], deck[last]
        return deck[::-1]


# The shape of events: required fields, then those with a default.

Shape = Any  # a type, a list of one shape, or (required, optional) for an object
CENTS: Shape = ({"place": int, "cents": int}, {})
POKER_ROW: Shape = ({"wager": str, "stake": int, "net": int, "action": int, "clause": str}, {})
POKER_PLACE: Shape = ({"place": int, "seat": int, "wagers": [POKER_ROW], "net": int}, {})
SPIN_ROW: Shape = (
    {"player": str, "bet": str, "stake": int, "net": int, "clause": str},
    {"in_prison": (bool, None), "held": (int, 0)},
)
SPIN_PLACE: Shape = ({"place": int, "bets": [SPIN_ROW], "net": int}, {})
WAGER: Shape = ({"spot": str, "cents": int}, {})
PACE: Shape = ({"pause": int, "offer": int, "bets": int, "moves": int}, {})
SETTINGS: Shape = (
    {"places": int, "pace": PACE, "silence": str, "least_bank": int, "bots": bool},
    {},
)
PLACE: Body = {"place": int}
ROUND: Body = {"round": int}
BOTH: Body = ROUND | PLACE
CHIPS: Body = {"place": int, "player": str, "cents": int}
FEES: Body = {"fees": ([CENTS], [])}
PASSED: Body = {"cents": int, "table": str, "version": int}

EVENTS: dict[str, Shape] = {
    "table.opened": ({"table": str, "rulebook": dict, "digest": str, "settings": SETTINGS}, {}),
    "table.closing": ({"reason": str}, {}),
    "table.closed": ({}, {}),
    "seat.taken": (CHIPS, {"bot": (bool, False)}),
    "seat.topped_up": (CHIPS, {}),
    "seat.aside": (PLACE | {"aside": bool}, {}),
    "seat.leaving": (PLACE, {}),
    "seat.left": (CHIPS, {}),
    "bank.offered": (BOTH, {}),
    "bank.declined": (BOTH, {}),
    "bank.unwanted": (ROUND, {}),
    "bank.posted": (BOTH | {"cents": int}, {"fee": (int, 0)}),
    "round.opened": (ROUND | {"commitment": str, "seed": str}, {"banker": (int, None)}),
    "seed.added": (BOTH | {"seed": str}, {}),
    "wagers.placed": (BOTH | {"wagers": [WAGER]}, {"fee": (int, 0), "ready": (bool, False)}),
    "wagers.cleared": (BOTH | {"cents": int}, {}),
    "seat.ready": (BOTH, {}),
    "bets.closed": (ROUND, FEES | {"released": ([CENTS], [])}),
    "cards.dealt": (ROUND | {"places": [int], "cards": [int]}, {"first": (int, None)}),
    "move.made": (BOTH | {"move": str}, {"cents": (int, 0), "fee": (int, 0)}),
    "round.settled": (
        ROUND | {"seed": str, "places": [POKER_PLACE], "net": int},
        FEES | {"banker": (int, None), "bank": (int, 0), "bank_left": (int, None)},
    ),
    "ball.landed": (ROUND | {"pocket": str}, {}),
    "spin.settled": (ROUND | {"seed": str, "places": [SPIN_PLACE], "net": int}, {}),
    "round.voided": (
        ROUND | {"seed": str, "reason": str},
        FEES | {"returned": ([CENTS], [])},
    ),
    "wallet.issued": ({"cents": int, "reason": str}, {}),
    "wallet.bought_in": (PASSED, {}),
    "wallet.cashed_out": (PASSED, {}),
}


def check_shape(value: Any, shape: Shape, name: str) -> None:
    """Raise Bad unless a value has its shape."""
    if isinstance(shape, type):
        demand(type(value) is shape, f"{name} is not {shape.__name__}")
    elif isinstance(shape, list):
        demand(type(value) is list, f"{name} is not a list")
        for item in value:
            check_shape(item, shape[0], name)
    else:
        required, optional = shape
        demand(type(value) is dict, f"{name} is not an object")
        for key in required:
            demand(key in value, f"{name} has no {key}")
        for key, item in value.items():
            demand(key in required or key in optional, f"{name} has an unknown field {key}")
            if key in optional:
                demand(item != optional[key][1], f"{key} has its default and is not left out")
            check_shape(item, required[key] if key in required else optional[key][0], key)


def without_defaults(given: Body, shape: Shape) -> Body:
    """Return an object without the fields that have their default."""
    defaults = {key: default for key, (_, default) in shape[1].items()}
    return {key: v for key, v in given.items() if key not in defaults or v != defaults[key]}


def make(kind: str, **given: Any) -> Body:
    """Return what an event should say, fields with their default left out."""
    return {"type": kind} | without_defaults(given, EVENTS[kind])


class Anything:
    """Equal to whatever the log says: a seed nobody could foresee, or a reason in words."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return True


ANYTHING = Anything()


@dataclass
class Event:
    """An event as it stands in the log."""

    n: int
    stream: str
    version: int
    raw: bytes
    hash: bytes
    step: Step = (0, "", None)
    body: Body = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """Return its type without the version of the type."""
        return str(self.body["type"])

    def read(self) -> None:
        """Take the event's bytes apart; raise Bad unless they have the shape of an event."""
        body = parse(self.raw)
        demand(type(body) is dict, "not an object")
        kind, at, by, sent = (body.pop(key, None) for key in ("type", "at", "by", "id"))
        name, _, version = kind.partition("/") if isinstance(kind, str) else ("", "", "")
        demand(name in EVENTS and version == "1", "unknown type")
        demand(type(at) is int and at >= 0, "at is not a time")
        demand(type(by) is str and by != "", "by is not a name")
        if by == "clock":
            demand(sent is None, "the clock sends no id")
        else:
            demand(type(sent) is str and sent != "", "id is missing")
        check_shape(body, EVENTS[name], name)
        self.step, self.body = (at, by, sent), {"type": name} | body


def once(pairs: list[tuple[str, Any]]) -> Body:
    """Return an object; raise Bad if a key comes twice."""
    demand(len({key for key, _ in pairs}) == len(pairs), "a key comes twice")
    return dict(pairs)


def refuse_number(text: str) -> Any:
    """Raise Bad: a number that is not whole has no place in a log."""
    raise Bad(f"{text} is not a whole number")


def parse(raw: bytes) -> Any:
    """Return what JSON says; raise Bad if it is none."""
    try:
        text = raw.decode()
        found = json.loads(
            text, object_pairs_hook=once, parse_float=refuse_number, parse_constant=refuse_number
        )
        json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Bad("not JSON in UTF-8") from None
    return found


# The game of Three Card Poker.

HANDS = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
LADDER = ("five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def pay(text: str) -> tuple[int, int]:
    """Return the two numbers of a pay such as 3 to 1."""
    found = re.fullmatch(r"([0-9]+) to ([1-9][0-9]*)", text)
    if not found:
        raise ValueError(f"{text} is no pay")
    return int(found[1]), int(found[2])


def whole(stake: int, pays: tuple[int, int]) -> int:
    """Return what a stake wins; raise Bad if that is not whole cents."""
    demand(stake * pays[0] % pays[1] == 0, f"a stake of {stake} could win a fraction of a cent")
    return stake * pays[0] // pays[1]


@dataclass(frozen=True)
class Hand:
    """A seat of a round that is settled: its cards, wagers and move."""

    place: int
    seat: int
    cards: Sequence[int]
    wagers: dict[str, int]
    move: str | None


@dataclass
class Row:
    """What a wager does if the bank covers it."""

    wager: str
    stake: int
    net: int
    clause: str


class Poker:
    """A rulebook of Three Card Poker."""

    def __init__(self, book: Body) -> None:
        """Take the rulebook's document."""
        self.book = book
        self.banked = {"player": True, "house": False}[book["banker"]]
        self.seats = int(book["seats"])
        self.most_places = self.seats + (1 if self.banked else 0)
        self.step = int(book["increment"])
        self.rates: list[Body] = book["fees"]["rates"] if book.get("fees") else []
        self.per_wager = bool(self.rates) and book["fees"]["fee_per"] == "wager"
        self.before = bool(self.rates) and book["fees"]["collect"] == "before"
        self.bank: Body = book["bank"] if self.banked else {}
        self.tables = {
            name: {hand: pay(text) for hand, text in book[name]["pays"].items() if text}
            for name in ("ante_bonus", "bonus", "pair_plus")
            if book.get(name)
        }
        self.spots = ["ante", *(name for name in self.tables if name != "ante_bonus")]
        self.cases = {
            (row["dealer"], stand): row for row in book["settlement"] for stand in row["player"]
        }
        self.banker_most = max((rate["banker"] for rate in self.rates), default=0)
        self.least = self.least_bet()

    def limits(self, spot: str) -> list[tuple[int, int]]:
        """Return the ranges of cents that a spot takes."""
        own = self.book.get("limits", {}).get(spot)
        ranges = [(own["min"], own["max"])] if own else [(1, sys.maxsize)]
        if not self.rates or (spot != "ante" and not self.per_wager):
            return ranges
        both = [
            (max(low, rate["min"]), min(high, rate["max"]))
            for low, high in ranges
            for rate in self.rates
        ]
        return [(low, high) for low, high in both if low <= high]

    def least_bet(self) -> int:
        """Return what a stack must cover so that its place can bet."""
        ante = min(low for low, _ in self.limits("ante"))
        least = 2 * ante + self.owed({"ante": ante}) + self.play_fee(ante)
        if not self.book["ante"]["required"]:
            for spot in self.spots[1:]:
                side = min(low for low, _ in self.limits(spot))
                least = min(least, side + self.owed({spot: side}))
        return least

    def rate(self, cents: int) -> Body:
        """Return the collection rate of a wager."""
        for rate in self.rates:
            if rate["min"] <= cents <= rate["max"]:
                return rate
        raise Bad(f"a wager of {cents} falls in no range of the fees")

    def owed(self, wagers: dict[str, int]) -> int:
        """Return the fee that wagers owe before the deal."""
        if not self.rates:
            return 0
        counted = wagers if self.per_wager else {k: v for k, v in wagers.items() if k == "ante"}
        return sum(int(self.rate(cents)["player"]) for cents in counted.values())

    def play_fee(self, ante: int) -> int:
        """Return the fee of the Play wager."""
        return int(self.rate(ante)["player"]) if self.per_wager and ante else 0

    def banker_fee(self, ante: int) -> int:
        """Return the banker's fee by the largest Ante."""
        return int(self.rate(ante)["banker"]) if self.rates and ante else 0

    def check(self, held: list[Wager], prison: list[Wager], placed: list[Wager]) -> None:
        """Raise Bad unless a place may add wagers to those it has."""
        demand(not prison, "no prison at this table")
        for spot, cents in placed:
            demand(spot in self.spots, f"there is no {spot}")
            fits = any(low <= cents <= high for low, high in self.limits(spot))
            demand(fits, f"{spot} of {cents} is outside the limits")
            demand(cents % self.step == 0, f"{spot} of {cents} is not a multiple of the increment")
            names = ("ante", "ante_bonus") if spot == "ante" else (spot,)
            for pays in (p for name in names for p in self.tables.get(name, {}).values()):
                whole(cents, pays)
        spots = [spot for spot, _ in held + placed]
        demand(len(set(spots)) == len(spots), "a spot has two wagers")
        demand("ante" in spots or not self.book["ante"]["required"], "an Ante is required")

    def playing(self, held: list[Wager]) -> int:
        """Return what playing will cost."""
        ante = dict(held).get("ante", 0)
        return ante + self.play_fee(ante)

    def rank(self, cards: Sequence[int]) -> tuple[int, tuple[int, ...]]:
        """Return a hand's class and what counts within it, for comparing."""
        ranks = sorted((card // 4 for card in cards), reverse=True)
        flush = len({card % 4 for card in cards}) == 1
        if len(set(ranks)) == 1:
            return HANDS.index("three_of_a_kind"), tuple(ranks)
        if len(set(ranks)) == 2:
            return HANDS.index("pair"), (ranks[1], ranks[0] + ranks[2] - ranks[1])
        wheel = ranks == [12, 1, 0] and bool(self.book["ace_low"])
        straight = wheel or ranks[0] - ranks[2] == 2
        if straight:
            top = 1 if wheel else ranks[0]
            royal = flush and top == 12 and bool(self.book["royal_flush"])
            name = "straight_flush" if flush else "straight"
            return len(HANDS) if royal else HANDS.index(name), (top,)
        return HANDS.index("flush" if flush else "high_card"), tuple(ranks)

    def qualifies(self, cards: Sequence[int]) -> bool:
        """Return whether the dealer's hand qualifies."""
        needed = self.book["qualifier"]
        kind, ranks = self.rank(cards)
        if needed == "none" or kind > 0:
            return True
        return needed != "pair" and ranks[0] >= LADDER.index(needed.removesuffix("-high")) + 3

    def showdown(self, hand: Hand, dealer: Sequence[int]) -> Iterator[Row]:
        """Yield what Ante and Play do to a hand that plays."""
        mine, theirs = self.rank(hand.cards), self.rank(dealer)
        stand = "level" if mine == theirs else "ahead" if mine > theirs else "behind"
        case = self.cases["qualified" if self.qualifies(dealer) else "short", stand]
        ante = hand.wagers["ante"]
        for wager in ("ante", "play"):
            result = case[wager]
            if result in ("short_ante", "tie"):
                result = self.book[result]
            if result == "ahead":
                result = "win" if stand == "ahead" else "push"
            yield Row(wager, ante, {"win": ante, "push": 0, "lose": -ante}[result], case["clause"])

    def rows(self, hand: Hand, dealer: Sequence[int]) -> Iterator[Row]:
        """Yield what each wager of a hand does if the bank covers it."""
        kind = (*HANDS, "royal_flush")[self.rank(hand.cards)[0]]
        folded = hand.move == "fold"
        if folded:
            ante = hand.wagers["ante"]
            yield Row("ante", ante, -ante, self.book["fold"]["clause"])
        elif "ante" in hand.wagers:
            yield from self.showdown(hand, dealer)
        if "ante" in hand.wagers and kind in self.tables.get("ante_bonus", {}):
            extra = self.book["ante_bonus"]
            won = whole(hand.wagers["ante"], self.tables["ante_bonus"][kind])
            if won and (not folded or extra["on_fold"] == "pay"):
                yield Row("ante_bonus", 0, won, extra["clause"])
        for spot in (spot for spot in self.spots[1:] if spot in hand.wagers):
            rule, stake = self.book[spot], hand.wagers[spot]
            if folded and rule["on_fold"] == "forfeit":
                yield Row(spot, stake, -stake, rule["fold_clause"])
            else:
                pays = self.tables[spot].get(kind)
                yield Row(spot, stake, whole(stake, pays) if pays else -stake, rule["clause"])

    def settle(
        self, hands: list[Hand], dealer: Sequence[int], bank: int, first: int
    ) -> tuple[list[Body], int]:
        """Return the places of a settled round, in order of seats, and what is left of the bank."""
        left = bank
        places = {}
        for hand in sorted(hands, key=lambda hand: (hand.seat - first) % self.seats):
            rows = []
            for row in self.rows(hand, dealer):
                wanted = abs(row.net)
                action = min(wanted, left) if self.banked else wanted
                net = action if row.net > 0 else -action
                if self.banked:
                    kept = self.bank["coverage"] == "net" and net < 0
                    left += action if kept else -action
                missed = wanted > 0 and action == 0
                clause = self.bank["unmatched_clause"] if missed else row.clause
                rows.append(
                    {
                        "wager": row.wager,
                        "stake": row.stake,
                        "net": net,
                        "action": action,
                        "clause": clause,
                    }
                )
            net = sum(row["net"] for row in rows)
            places[hand.seat] = {
                "place": hand.place,
                "seat": hand.seat,
                "wagers": rows,
                "net": net,
            }
        return [places[seat] for seat in sorted(places)], left


# The wheel.


def layout(shape: str, zeros: list[str]) -> list[frozenset[str]]:
    """Return every place of a shape on the layout of 1 to 36."""
    rows = [range(first, first + 3) for first in range(1, 37, 3)]
    across = [n for n in range(1, 37) if n % 3]
    found: dict[str, list[list[int]]] = {
        "straight": [[n] for n in range(1, 37)],
        "split": [[n, n + 1] for n in across] + [[n, n + 3] for n in range(1, 34)],
        "street": [list(row) for row in rows],
        "corner": [[n, n + 1, n + 3, n + 4] for n in across if n < 33],
        "line": [[*a, *b] for a, b in zip(rows, rows[1:], strict=False)],
    }
    spots = [frozenset(map(str, numbers)) for numbers in found[shape]]
    return spots + [frozenset([zero]) for zero in zeros if shape == "straight"]


@dataclass(frozen=True)
class Bet:
    """A bet of the wheel: its pay and clause, and the pockets it covers."""

    row: int
    pays: tuple[int, int]
    clause: str
    covers: frozenset[str]

    @property
    def even(self) -> bool:
        """Return whether it pays even money."""
        return self.pays[0] == self.pays[1]


class Wheel:
    """A rulebook of roulette."""

    banked = False
    before = False
    banker_most = 0

    def __init__(self, book: Body) -> None:
        """Take the rulebook's document."""
        zeros = ["0" * n for n in range(1, int(book["zeros"]) + 1)]
        self.zeros = frozenset(zeros)
        self.pockets = zeros + [str(n) for n in range(1, 37)]
        self.most_places = sys.maxsize
        self.least, self.most = int(book["limits"]["min"]), int(book["limits"]["max"])
        self.step = int(book["increment"])
        zero = book.get("zero") or {"on_zero": "lose", "second_zero": "lose"}
        self.on_zero, self.second = zero["on_zero"], zero["second_zero"]
        self.half_clause, self.prison_clause = (
            zero.get(key, "") for key in ("la_partage_clause", "en_prison_clause")
        )
        self.bets: dict[tuple[str, frozenset[str]], Bet] = {}
        for number, row in enumerate(book["bets"]):
            for name in (row["name"], *row.get("aliases", [])):
                self.put(number, name, row, zeros)

    def put(self, number: int, name: str, row: Body, zeros: list[str]) -> None:
        """Put a row of the rulebook on the layout."""
        pays = pay(row["pays"])
        if row.get("covers"):
            covers = frozenset(map(str, row["covers"]))
            self.bets[name, frozenset()] = Bet(number, pays, row["clause"], covers)
        elif row.get("shape"):
            for spot in layout(row["shape"], zeros):
                self.bets[name, spot] = Bet(number, pays, row["clause"], spot)
        else:
            for numbers in row["spots"]:
                spot = frozenset(map(str, numbers))
                self.bets[name, spot] = Bet(number, pays, row["clause"], spot)

    def find(self, text: str) -> Bet:
        """Return the bet that a text names; raise Bad if the layout has none."""
        name, *numbers = text.split(" ")
        bet = self.bets.get((text, frozenset())) or self.bets.get((name, frozenset(numbers)))
        if bet is None or len(set(numbers)) != len(numbers):
            raise Bad(f"there is no {text} on the layout")
        return bet

    def check(self, held: list[Wager], prison: list[Wager], placed: list[Wager]) -> None:
        """Raise Bad unless a place may add bets to those it has."""
        lies: Counter[Bet] = Counter()
        for spot, cents in held:
            lies[self.find(spot)] += cents
        for spot, cents in placed:
            bet = self.find(spot)
            lies[bet] += cents
            demand(cents >= self.least, f"{spot} of {cents} is less than the least bet")
            demand(lies[bet] <= self.most, f"{lies[bet]} on {spot} is more than the most")
            demand(cents % self.step == 0, f"{spot} of {cents} is not a multiple of the increment")
            whole(cents, bet.pays)
            halved = self.on_zero == "la_partage" or (
                self.on_zero == "en_prison" and self.second == "half"
            )
            demand(not (halved and bet.even) or cents % 2 == 0, f"{spot} of {cents} is odd")

    def owed(self, wagers: dict[str, int]) -> int:
        """Return the fee of bets on the wheel: none."""
        return 0

    def banker_fee(self, ante: int) -> int:
        """Return the banker's fee: none."""
        return 0

    def playing(self, held: list[Wager]) -> int:
        """Return what bets will cost later: nothing."""
        return 0

    def result(self, spot: str, stake: int, caught: bool, pocket: str) -> tuple[int, int, str]:
        """Return a bet's net, what is held in prison, and the clause."""
        bet = self.find(spot)
        if caught:
            if pocket not in self.zeros or pocket in bet.covers:
                return 0 if pocket in bet.covers else -stake, 0, self.prison_clause
            net, held = {"lose": (-stake, 0), "half": (-stake // 2, 0), "stay": (0, stake)}[
                self.second
            ]
            return net, held, self.prison_clause
        if pocket in bet.covers:
            return whole(stake, bet.pays), 0, bet.clause
        if pocket not in self.zeros or not bet.even or self.on_zero == "lose":
            return -stake, 0, bet.clause
        if self.on_zero == "la_partage":
            return -stake // 2, 0, self.half_clause
        return 0, stake, self.prison_clause


def read_rules(book: Body) -> Poker | Wheel:
    """Return the rules of a rulebook's document."""
    try:
        games: dict[str, type[Poker] | type[Wheel]] = {"three_card_poker": Poker, "roulette": Wheel}
        return games[book["game"]](book)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Bad(f"the rulebook cannot be played: {error!r}") from None


# A table.


@dataclass
class Seat:
    """A place that is taken, and what it has in the round."""

    player: str
    aside: bool = False
    leaving: bool = False
    ready: bool = False
    wagers: list[Wager] = field(default_factory=list)
    prison: list[Wager] = field(default_factory=list)
    fee: int = 0
    collected: int = 0
    bank: int = 0
    play: int = 0
    move: str | None = None

    @property
    def present(self) -> bool:
        """Return whether the place is in: neither aside nor leaving."""
        return not self.aside and not self.leaving

    @property
    def ante(self) -> int:
        """Return its Ante, 0 for none."""
        return dict(self.wagers).get("ante", 0)

    def reset(self) -> None:
        """Begin a new round; what is in prison stays."""
        self.wagers, self.ready, self.move = [], False, None
        self.fee = self.collected = self.bank = self.play = 0


ROTATION = {"two_rounds": 2, "every_round": 1, "free": sys.maxsize}
OVER = ("round.settled", "spin.settled", "round.voided")
