"""Verify the event log of a card room: one file, standard library, no code of the package.

    python verify_log.py FILE_OR_DB [--json] [--key HEX] [--receipt FILE] [--archive FILE]

Reads a store (SQLite, or PostgreSQL by its URL, for which psycopg must be installed), a log file or
an archive (a log file, packed), and checks in order every hash, every event against the rules of
docs/log.md, docs/fairness.md and docs/settle.md, every cent, and last the signature and receipts
that somebody kept. It was written from those pages and shares no code with the package, so that a
mistake in one is not repeated in the other. Whatever must follow from an event is worked out here
and compared with what the log says; the first event that differs is reported.

Exit status: 0 good, 1 bad, 2 cannot be read.
"""

import argparse
import gzip
import hashlib
import hmac
import json
import os
import re
import sqlite3
import sys
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NoReturn

Body = dict[str, Any]
Step = tuple[int, str, str | None]
Wager = tuple[str, int]


class Bad(Exception):
    """What is wrong with an event, in words."""


class BadHead(Exception):
    """What is wrong with the head, in words."""


class Unreadable(Exception):
    """Why a file could not be read at all."""


# What goes wrong with a rulebook that no loader would take.
SENSELESS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


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


def from_hex(text: str, size: int, name: str = "") -> bytes:
    """Return so many bytes from small hexadecimal letters."""
    fine = bool(re.fullmatch(f"[0-9a-f]{{{2 * size}}}", text))
    demand(fine, f"{name} is not {size} bytes in hexadecimal".removeprefix(" is "))
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


def in_the_clear(places: dict[int, str]) -> list[str | int]:
    """Return the seeds that places added in the clear, as parts of a key."""
    return [part for row in sorted(places.items()) for part in row]


def key_of_seed(seed: bytes, places: dict[int, str]) -> bytes:
    """Return the key of a round by scheme 1: of a seed and those that places added."""
    return hmac.digest(seed, fields("queenhigh/key/1", *in_the_clear(places)), "sha256")


class Words:
    """The numbers that follow from the key of a round."""

    def __init__(self, key: bytes) -> None:
        """Take the key."""
        self.key = key
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

# A type (object: any value), a list of one shape, or (required, optional) for an object, in their
# order.
Shape = Any
CENTS: Shape = ({"place": int, "cents": int}, {})
POKER_ROW: Shape = ({"wager": str, "stake": int, "net": int, "action": int, "clause": str}, {})
POKER_PLACE: Shape = ({"place": int, "seat": int, "wagers": [POKER_ROW], "net": int}, {})
SPIN_ROW: Shape = (
    {"player": str, "bet": str, "stake": int, "net": int, "clause": str},
    {"in_prison": (bool, None), "held": (int, 0)},
    ("player", "bet", "stake", "in_prison", "net", "clause", "held"),
)
SPIN_PLACE: Shape = ({"place": int, "bets": [SPIN_ROW], "net": int}, {})
WAGER: Shape = ({"spot": str, "cents": int}, {})
PACE: Shape = ({"pause": int, "offer": int, "bets": int, "moves": int}, {})
SETTINGS: Shape = (
    {"places": int, "pace": PACE, "silence": str, "least_bank": int, "bots": bool},
    {"table_chips": (bool, False)},
)
AMOUNTS: Shape = ({"fees": dict, "limits": dict, "least_bank": int}, {})
PLACE: Body = {"place": int}
ROUND: Body = {"round": int}
BOTH: Body = ROUND | PLACE
CHIPS: Body = {"place": int, "player": str, "cents": int}
FEES: Body = {"fees": ([CENTS], [])}
PASSED: Body = {"cents": int, "table": str, "version": int}
CLOSED: Shape = (ROUND, FEES | {"released": ([CENTS], [])})
DEALT: Body = ROUND | {"places": [int], "cards": [int]}
FIRST: Body = {"first": (int, None)}
LINK: Body = ROUND | {"chain": int, "link": int, "commitment": str}
CHAIN: Body = {"chain": int, "epoch": int, "salt": str, "length": int, "end": str, "reveal": int}
STAFF: Body = {"staff": str, "reason": str}
#: ``moves`` and ``wagers`` are by place, as text; their form is checked with the correction.
FACTS: Shape = ({}, {"moves": (dict, {}), "wagers": (dict, {}), "void": (bool, False)})
MOVED: Shape = ({"place": int, "against": str, "cents": int}, {"owed": (int, 0)})
OWNED: Shape = ({"place": int, "player": str, "seat": object, "cents": int}, {})
CORRECTION = (
    "correction", "round", "staff", "void", "places", "spins", "net", "banker", "fees", "moved",
    "chips",
)  # fmt: skip
MEMBER: Body = {"member": str}
TOKEN: Body = {"token": str}

# By type; those of version 1 without it.

EVENTS: dict[str, Shape] = {
    "table.opened": ({"table": str, "rulebook": dict, "digest": str, "settings": SETTINGS}, {}),
    "table.changed": ({"rulebook": dict, "digest": str, "settings": SETTINGS, "reason": str}, {}),
    "change.announced": (
        {"from": int, "old": AMOUNTS, "new": AMOUNTS}
        | {"rulebook": dict, "digest": str, "settings": SETTINGS, "reason": str},
        {},
    ),
    "change.withdrawn": ({"reason": str}, {}),
    "table.closing": ({"reason": str}, {}),
    "table.closed": ({}, {}),
    "seat.taken": (CHIPS, {"bot": (bool, False)}),
    "seat.topped_up": (CHIPS, {}),
    "seat.aside": (PLACE | {"aside": bool}, {}),
    "seat.away": (PLACE, {}),
    "seat.back": (PLACE, {}),
    "seat.leaving": (PLACE, {"now": (bool, False)}),
    "seat.left": (CHIPS, {"kept": (int, 0)}),
    "bank.offered": (BOTH, {}),
    "bank.declined": (BOTH, {}),
    "bank.unwanted": (ROUND, {}),
    "bank.posted": (BOTH | {"cents": int}, {"fee": (int, 0)}),
    "round.opened": (ROUND | {"commitment": str, "seed": str}, {"banker": (int, None)}),
    "round.opened/2": (LINK, {"banker": (int, None)}),
    "chain.started": (CHAIN, {}),
    "seed.added": (BOTH | {"seed": str}, {}),
    "seed.committed": (BOTH | {"commitment": str}, {}),
    "seed.shown": (BOTH | {"seed": str}, {}),
    "wagers.placed": (BOTH | {"wagers": [WAGER]}, {"fee": (int, 0), "ready": (bool, False)}),
    "wagers.cleared": (BOTH | {"cents": int}, {}),
    "seat.ready": (BOTH, {}),
    "bets.closed": CLOSED,
    "bets.closed/2": CLOSED,
    "cards.dealt": (DEALT, FIRST),
    "cards.dealt/2": (DEALT | {"key": str}, FIRST, (*DEALT, "first", "key")),
    "move.made": (BOTH | {"move": str}, {"cents": (int, 0), "fee": (int, 0)}),
    "round.settled": (
        ROUND | {"seed": str, "places": [POKER_PLACE], "net": int},
        {"banker": (int, None), "bank": (int, 0), "bank_left": (int, None)} | FEES,
    ),
    "ball.landed": (ROUND | {"pocket": str}, {}),
    "ball.landed/2": (ROUND | {"pocket": str, "key": str}, {}),
    "spin.settled": (ROUND | {"seed": str, "places": [SPIN_PLACE], "net": int}, {}),
    "round.voided": (
        ROUND | {"seed": str, "reason": str},
        {"returned": ([CENTS], [])} | FEES,
    ),
    "incident.ruled": (
        ROUND | {"kind": str, "clause": str, "ruling": str} | STAFF,
        {"place": (int, None)},
        ("round", "kind", "place", "clause", "ruling", "staff", "reason"),
    ),
    "hand.voided": (BOTH | {"cents": int}, {"fee": (int, 0)}),
    "correction.asked": ({"correction": int} | ROUND | {"facts": FACTS} | STAFF, {}),
    "correction.rejected": ({"correction": int} | STAFF, {}),
    "correction.made": (
        {"correction": int} | ROUND | {"staff": str, "net": int, "moved": [MOVED]},
        {"void": (bool, False), "places": ([POKER_PLACE], []), "spins": ([SPIN_PLACE], [])}
        | {"banker": (int, None), "chips": ([OWNED], [])}
        | FEES,
        CORRECTION,
    ),
    "clock.stopped": ({}, {}),
    "time.given": ({"reason": str}, {}),
    "time.rebased": ({"before": int, "reason": str}, {}),
    "wallet.issued": ({"cents": int, "reason": str}, {}),
    "wallet.bought_in": (PASSED, {}),
    "wallet.cashed_out": (PASSED, {}),
    "wallet.corrected": (PASSED, {}),
    "staff.added": (MEMBER | {"role": str}, {}),
    "staff.role_changed": (MEMBER | {"role": str, "reason": str}, {}),
    "staff.removed": (MEMBER | {"reason": str}, {}),
    "staff.password_set": (MEMBER, {}),
    "staff.two_factor": (MEMBER | {"on": bool}, {}),
    "staff.two_people": ({}, {}),
    "token.granted": (TOKEN | {"role": str, "reason": str}, {}),
    "token.revoked": (TOKEN | {"reason": str}, {}),
    "floor.acted": (
        {"action": str, "subject": str},
        {"before": (object, None), "after": (object, None), "reason": (str, "")},
    ),
    "wallet.handed_over": ({"cents": int, "to": str}, {}),
    "wallet.taken_over": ({"cents": int, "from": str}, {}),
    "account.renamed": ({"player": str, "name": str}, {}),
    "account.opened": ({"player": str}, {"guest": (bool, False)}),
    "account.password_set": ({"player": str}, {}),
    "account.frozen": ({"player": str, "frozen": bool}, {}),
}
# Streams by the first word of their events; all other events are of tables.
AREAS = {"wallet": "wallet", "floor": "floor", "account": "accounts"} | {
    "staff": "staff",
    "token": "staff",
}
# Streams of which there is one in a room.
SINGLE = ("floor", "accounts", "staff")


def check_shape(value: Any, shape: Shape, name: str) -> None:
    """Raise Bad unless a value has its shape (L2)."""
    if isinstance(shape, type):
        demand(shape is object or type(value) is shape, f"{name} is not {shape.__name__}")
    elif isinstance(shape, list):
        demand(type(value) is list, f"{name} is not a list")
        for item in value:
            check_shape(item, shape[0], name)
    else:
        required, optional = shape[:2]
        demand(type(value) is dict, f"{name} is not an object")
        for key in required:
            demand(key in value, f"{name} has no {key}")
        for key, item in value.items():
            demand(key in required or key in optional, f"{name} has an unknown field {key}")
            if key in optional:
                demand(item != optional[key][1], f"{key} has its default and is not left out")
            check_shape(item, required[key] if key in required else optional[key][0], key)


def in_order(value: Any, shape: Shape) -> Any:
    """Return a value of a shape with the fields of its objects in the order of the shape."""
    if isinstance(shape, list):
        return [in_order(item, shape[0]) for item in value]
    if isinstance(shape, type):
        return value
    parts = shape[0] | {key: part for key, (part, _) in shape[1].items()}
    order = shape[2] if len(shape) > 2 else parts
    return {key: in_order(value[key], parts[key]) for key in order if key in value}


def without_defaults(given: Body, shape: Shape) -> Body:
    """Return an object without the fields that have their default."""
    defaults = {key: default for key, (_, default) in shape[1].items()}
    return {key: v for key, v in given.items() if key not in defaults or v != defaults[key]}


def make(kind: str, **given: Any) -> Body:
    """Return what an event should say, fields with their default left out."""
    return {"type": kind} | without_defaults(given, EVENTS[kind])


class Anything:
    """Equal to whatever the log says: a seed nobody could foresee, or a reason in words."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


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
        """Return its type, without the version if that is 1."""
        return str(self.body["type"])

    @property
    def archived(self) -> bool:
        """Return whether only the hash of the event is here."""
        return self.raw == b""

    def read(self) -> None:
        """Take the event's bytes apart; raise Bad unless they have the shape of an event (L2)."""
        body = parse(self.raw)
        demand(type(body) is dict, "not an object")
        kind, at, by, sent = (body.pop(key, None) for key in ("type", "at", "by", "id"))
        name, _, version = kind.partition("/") if isinstance(kind, str) else ("", "", "")
        name = name if version == "1" else f"{name}/{version}"
        demand(name in EVENTS, "unknown type")
        demand(type(at) is int and at >= 0, "at is not a time")
        demand(type(by) is str and by != "", "by is not a name")
        if by == "clock":
            demand(sent is None, "the clock sends no id")
        else:
            demand(type(sent) is str and sent != "", "id is missing")
        check_shape(body, EVENTS[name], name)
        head = {"type": kind, "at": at, "by": by} | ({} if sent is None else {"id": sent})
        written = encode(head | in_order(body, EVENTS[name]))
        demand(written == self.raw + b"\n", "the event is not written as events are")
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
        value = json.loads(
            text, object_pairs_hook=once, parse_float=refuse_number, parse_constant=refuse_number
        )
        json.dumps(value, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Bad("not JSON in UTF-8") from None
    return value


# The game of Three Card Poker.

HANDS = ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush")
LADDER = ("five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")


def pay(text: str | int) -> tuple[int, int]:
    """Return the two numbers of a pay such as 3 to 1; a number alone is to 1."""
    if type(text) is int and text > 0:
        return text, 1
    match = re.fullmatch(r"([0-9]+) to ([1-9][0-9]*)", str(text))
    if not match:
        raise ValueError(f"{text} is not a pay")
    return int(match[1]), int(match[2])


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
    """What a wager does if the bank covers it, and whether a fold forfeits it."""

    wager: str
    stake: int
    net: int
    clause: str
    forfeited: bool = False


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
        self.fee_per = book["fees"]["fee_per"] if self.rates else ""
        self.before = bool(self.rates) and book["fees"]["collect"] == "before"
        self.bank: Body = book["bank"] if self.banked else {}
        self.tables = {
            name: {hand: pay(text) for hand, text in book[name]["pays"].items()}
            for name in ("ante_bonus", "bonus", "pair_plus")
            if book.get(name)
        }
        self.spots = ["ante", *(name for name in self.tables if name != "ante_bonus")]
        self.cases = {
            (row["dealer"], stand): row for row in book["settlement"] for stand in row["player"]
        }
        stands = product(("short", "qualified"), ("behind", "level", "ahead"))
        if set(self.cases) != set(stands) or sum(len(r["player"]) for r in book["settlement"]) != 6:
            raise ValueError("the settlement table is not complete")
        wrong: Body = book.get("irregularities") or {}
        self.follows = {
            "misdeal": ("IR-1", str(wrong.get("misdeal", "void"))),
            "exposed_player": ("IR-2", str(wrong.get("exposed_player", "play_on"))),
            "exposed_dealer": ("IR-3", str(wrong.get("exposed_dealer", "void"))),
            "player_gone": ("IR-7", "default_move"),
        }
        self.banker_most = max((rate["banker"] for rate in self.rates_on("ante")), default=0)
        self.least = self.least_bet()
        self.most_together = self.together()

    def rates_on(self, kind: str) -> list[Body]:
        """Return the collection rates of an ante, a play or a bonus; without any it is free."""
        if self.fee_per == "kind":
            return [rate for rate in self.rates if rate.get("on", "ante") == kind]
        return self.rates if kind == "ante" or self.fee_per == "wager" else []

    def spans(self, spot: str) -> Iterator[list[tuple[int, int]]]:
        """Yield the ranges of each schedule that a wager pays by, an Ante for Play too."""
        for kind in ("ante", "play") if spot == "ante" else ("bonus",):
            rows = self.rates_on(kind)
            free = self.fee_per == "kind"  # such a rate may cover every amount
            if rows and not (free and any("min" not in rate for rate in rows)):
                yield [(rate["min"], rate["max"]) for rate in rows]

    def limits(self, spot: str) -> list[tuple[int, int]]:
        """Return the ranges of cents that a spot takes."""
        own = self.book.get("limits", {}).get(spot)
        ranges = [(own["min"], own["max"])] if own else [(1, sys.maxsize)]
        for span in self.spans(spot):
            both = [
                (max(low, least), min(high, most)) for low, high in ranges for least, most in span
            ]
            ranges = [(low, high) for low, high in both if low <= high]
        return ranges

    def together(self) -> int:
        """Return what all wagers of a place may come to: the Ante's maximum, or any amount."""
        if self.book.get("limits", {}).get("scope", "each") == "each":
            return sys.maxsize
        ends = [max(most for _, most in span) for span in self.spans("ante")]
        return min([int(self.book["limits"]["ante"]["max"]), *ends])

    def least_bet(self) -> int:
        """Return what a stack must cover so that its place can bet (L6)."""
        ante = min(low for low, _ in self.limits("ante"))
        least = 2 * ante + self.owed({"ante": ante}) + self.play_fee(ante)
        if not self.book["ante"]["required"]:
            for spot in self.spots[1:]:
                side = min(low for low, _ in self.limits(spot))
                least = min(least, side + self.owed({spot: side}))
        return least

    def rate(self, kind: str, cents: int, who: str) -> int:
        """Return what a player or the banker pays for a wager of a kind; nothing if it is free."""
        rows = self.rates_on(kind)
        for rate in rows:
            if rate.get("min", 0) <= cents <= rate.get("max", sys.maxsize):
                return int(rate[who])
        demand(not rows, f"a wager of {cents} falls in no range of the fees")
        return 0

    def owed(self, wagers: dict[str, int]) -> int:
        """Return the fee that wagers owe before the deal."""
        return sum(
            self.rate("ante" if spot == "ante" else "bonus", cents, "player")
            for spot, cents in wagers.items()
        )

    def play_fee(self, ante: int) -> int:
        """Return the fee of the Play wager."""
        return self.rate("play", ante, "player") if ante else 0

    def banker_fee(self, ante: int) -> int:
        """Return the banker's fee by the largest Ante."""
        return self.rate("ante", ante, "banker") if ante else 0

    def check(self, held: list[Wager], prison: list[Wager], placed: list[Wager]) -> None:
        """Raise Bad unless a place may add wagers to those it has (L8)."""
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
        total = sum(cents for _, cents in held + placed)
        demand(total <= self.most_together, f"{total} in all is above the maximum for all wagers")

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
            yield Row("ante", ante, -ante, self.book["fold"]["clause"], True)
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
                yield Row(spot, stake, -stake, rule["fold_clause"], True)
            else:
                pays = self.tables[spot].get(kind)
                yield Row(spot, stake, whole(stake, pays) if pays else -stake, rule["clause"])

    def settle(
        self, hands: list[Hand], dealer: Sequence[int], bank: int, first: int
    ) -> tuple[list[Body], int]:
        """Return the places of a settled round by seat, and what is left of the bank (L15)."""
        order = sorted(hands, key=lambda hand: (hand.seat - first) % self.seats)
        dues = [(hand, row) for hand in order for row in self.rows(hand, dealer)]
        left, settled = bank, {}
        for index in sorted(range(len(dues)), key=lambda index: self.turn(order, *dues[index])):
            row = dues[index][1]
            wanted = abs(row.net)
            taken = row.forfeited and self.bank.get("fold_uncovered") == "lost"
            covers = not self.banked or taken
            action = wanted if covers else min(wanted, self.room(bank, left, row.net))
            net = action if row.net > 0 else -action
            if not covers:
                left -= net if self.bank["coverage"] == "net" else action
            missed = wanted > 0 and action == 0
            clause = self.bank["unmatched_clause"] if missed else row.clause
            body = {"wager": row.wager, "stake": row.stake, "net": net}
            settled[index] = body | {"action": action, "clause": clause}
        places = {}
        for hand in order:
            rows = [settled[index] for index, due in enumerate(dues) if due[0] is hand]
            net = sum(row["net"] for row in rows)
            seat = {"place": hand.place, "seat": hand.seat, "wagers": rows, "net": net}
            places[hand.seat] = seat
        return [places[seat] for seat in sorted(places)], left

    def turn(self, order: list[Hand], hand: Hand, row: Row) -> tuple[int, ...]:
        """Return what the wagers of a round are sorted by to have their turn at the bank."""
        seat = order.index(hand)
        stages = ("ante", "play", "ante_bonus")
        stage = stages.index(row.wager) if row.wager in stages else len(stages)
        turns = {
            "seat": (seat,),
            "wager": (stage, seat),
            "bonus_first": (seat, 0 if stage == len(stages) else 1),
        }
        return turns[self.bank.get("settle_order", "seat")]

    def room(self, bank: int, left: int, net: int) -> int:
        """Return how much of a win or loss the bank covers.

        Read as action, what is left of it. Read as net, the banker of a round loses no more than
        the bank, and wins no more than it.
        """
        return 2 * bank - left if self.bank["coverage"] == "net" and net < 0 else left


# The wheel.


def layout(shape: str, zeros: list[str]) -> list[frozenset[str]]:
    """Return every place of a shape on the layout of 1 to 36."""
    rows = [range(first, first + 3) for first in range(1, 37, 3)]
    across = [n for n in range(1, 37) if n % 3]
    places: dict[str, list[list[int]]] = {
        "straight": [[n] for n in range(1, 37)],
        "split": [[n, n + 1] for n in across] + [[n, n + 3] for n in range(1, 34)],
        "street": [list(row) for row in rows],
        "corner": [[n, n + 1, n + 3, n + 4] for n in across if n < 33],
        "line": [[*a, *b] for a, b in pairwise(rows)],
    }
    spots = [frozenset(map(str, numbers)) for numbers in places[shape]]
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
        covers = frozenset(map(str, row.get("covers") or []))
        if covers:
            spots = [covers]
        elif row.get("shape"):
            spots = layout(row["shape"], zeros)
        else:
            spots = [frozenset(map(str, numbers)) for numbers in row["spots"]]
        for spot in spots:
            if not spot or not spot <= set(self.pockets):
                raise ValueError(f"{name} covers pockets that are not on the wheel")
            key = (name, frozenset() if covers else spot)
            self.bets[key] = Bet(number, pay(row["pays"]), row["clause"], spot)

    def find(self, text: str) -> Bet:
        """Return the bet that a text names; raise Bad if the layout has none."""
        name, *numbers = text.split(" ")
        bet = self.bets.get((text, frozenset())) or self.bets.get((name, frozenset(numbers)))
        if bet is None or len(set(numbers)) != len(numbers):
            raise Bad(f"there is no {text} on the layout")
        return bet

    def check(self, held: list[Wager], prison: list[Wager], placed: list[Wager]) -> None:
        """Raise Bad unless a place may add bets to those it has (L8)."""
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
        """Return a bet's net, what is held in prison, and the clause (L15)."""
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


CHOICES: dict[str, tuple[Any, ...]] = {
    "bank.coverage": ("action", "net"),
    "bank.first": ("left", "button", "drawn"),
    "bank.rotation": ("two_rounds", "every_round", "free"),
    "bank.settle_order": ("seat", "wager", "bonus_first"),
    "bank.fold_uncovered": ("returned", "lost"),
    "limits.scope": ("each", "total"),
    "irregularities.misdeal": ("void", "redeal"),
    "irregularities.exposed_player": ("play_on", "void_hand"),
    "irregularities.exposed_dealer": ("void", "play_on"),
    "fees.fee_per": ("round", "wager", "kind"),
    "fees.collect": ("before", "after"),
    "bonus.on_fold": ("forfeit", "resolve"),
    "pair_plus.on_fold": ("forfeit", "resolve"),
    "ante_bonus.on_fold": ("forfeit", "pay"),
    "zero.on_zero": ("lose", "la_partage", "en_prison"),
    "zero.second_zero": ("lose", "half", "stay"),
    "top.zeros": (1, 2, 3),
    "top.short_ante": ("ahead", "win", "push"),
    "top.tie": ("push", "win", "lose"),
    "top.up": (0, 1, 2),
    "top.qualifier": ("none", "pair", *(f"{rank}-high" for rank in LADDER)),
}


#: Keys that documents may leave out.
OPTIONAL = (
    "bank.settle_order", "bank.fold_uncovered", "limits.scope", "irregularities.misdeal",
    "irregularities.exposed_player", "irregularities.exposed_dealer",
)  # fmt: skip


def check_choices(book: Body) -> None:
    """Raise ValueError unless each reading of a rulebook is one there is."""
    for path, allowed in CHOICES.items():
        part, key = path.split(".")
        table = book if part == "top" else book.get(part)
        if not table or (key not in table and (part == "top" or path in OPTIONAL)):
            continue
        if table[key] not in allowed or type(table[key]) is not type(allowed[0]):
            raise ValueError(f"{key} is {table[key]}")
    for rate in (book.get("fees") or {}).get("rates", []):
        if rate.get("on", "ante") not in ("ante", "play", "bonus"):
            raise ValueError(f"a rate is on {rate['on']}")
    if book["increment"] < 1:
        raise ValueError("the increment is less than a cent")
    notice = (book.get("fees") or {}).get("notice_seconds", 60)
    if type(notice) is not int or not 60 <= notice <= 604_800:
        raise ValueError(f"notice_seconds is {notice}")


def without_nulls(value: Any) -> Any:
    """Return a document without the keys that have null: they count as left out."""
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


def read_rules(document: Body) -> Poker | Wheel:
    """Return the rules of a rulebook's document."""
    try:
        book = without_nulls(document)
        check_choices(book)
        games: dict[str, type[Poker] | type[Wheel]] = {"three_card_poker": Poker, "roulette": Wheel}
        return games[book["game"]](book)
    except (*SENSELESS, RecursionError) as error:
        raise Bad(f"the rulebook cannot be played: {error!r}") from None


def amounts(document: Body, settings: Body) -> Body:
    """Return what a change must be announced of: fees, limits and the least bank (L23)."""
    stated = {name: without_nulls(document.get(name)) or {} for name in ("fees", "limits")}
    return stated | {"least_bank": settings["least_bank"]}


# The staff.

OWNER = "owner"
ROLES = (OWNER, "floor", "cashier", "auditor")  # each has all that those after it have
# How long a member counts as the person who gave them a login or a role, in milliseconds.
DAY = 24 * 3600 * 1000
# The roles beside owners that have a permission (L27); a permission that is not here is an owner's.
MAY: dict[str, tuple[str, ...]] = {
    "read": ROLES,
    **dict.fromkeys(("freeze", "thaw", "sign report"), ("floor", "cashier")),
    **dict.fromkeys(("ask correction", "withdraw correction"), ("floor", "cashier")),
    **dict.fromkeys(("approve correction", "reject correction", "rule incident"), ("floor",)),
    **dict.fromkeys(("open table", "close table", "abandon table"), ("floor",)),
    **dict.fromkeys(("disable table", "enable table", "void round"), ("floor",)),
    **dict.fromkeys(("change rules", "announce change", "withdraw change"), ("floor",)),
    **dict.fromkeys(("post notice", "take notice down"), ("floor",)),
}


def has_permission(role: str | None, permission: str) -> bool:
    """Return whether a role, if there is one, has a permission."""
    return role == OWNER or role in MAY.get(permission, ())


def is_line(text: str) -> bool:
    """Return whether a text is one line of at most 200 characters that says something."""
    return len(text) <= 200 and text.isprintable() and bool(text.strip())


class Staff:
    """The people and tokens of a room as of an event, by their roles (L27)."""

    def __init__(self) -> None:
        """Begin with nobody, and with the first token."""
        self.members: dict[str, str] = {}
        self.tokens: dict[str, str] = {}
        self.first_token = True
        self.given: set[tuple[str, str]] = set()
        #: Whether two people are needed, and who made whom when; "" is the floor.
        self.needs_two = False
        self.made: dict[tuple[str, str], int] = {}

    def may(self, sender: str, permission: str) -> bool:
        """Return whether the sender of an event has a permission."""
        kind, _, name = sender.partition(" ")
        if kind in ("staff", "token") and name:
            roles = self.members if kind == "staff" else self.tokens
            return has_permission(roles.get(name), permission)
        first = sender == "floor" or sender.startswith("floor from ")
        return first and (self.first_token or (sender == "floor" and permission == "archive"))

    def demand_owner(self, sender: str) -> None:
        """Raise Bad unless the sender is a present owner in person."""
        name = sender.removeprefix("staff ")
        fine = name != sender and self.members.get(name) == OWNER
        demand(fine, f"{sender} is not an owner")

    def give_name(self, kind: str, name: str) -> None:
        """Note the name of a member or a token; raise Bad if it was given before."""
        fine = re.fullmatch(r"[^\W_](?:[\w .'-]{0,22}[\w.])?", name)
        demand(fine is not None, f"{name!r} cannot be a name of the staff")
        demand((kind, name.casefold()) not in self.given, f"the name {name} was given before")
        self.given.add((kind, name.casefold()))

    def note_maker(self, name: str, by: str, at: int) -> None:
        """Note who has given a member a login or a role, and the makers of that person (L30)."""
        maker = by.removeprefix("staff ") if by.startswith("staff ") else ""
        if maker == name:
            return
        makers = {maker}
        for (made, other), time in self.made.items():
            if made == maker and other != name and at < time + DAY:
                makers.add(other)
        for each in makers:
            self.made[name, each] = max(at, self.made.get((name, each), at))

    def are_two(self, asker: str, approver: str, at: int) -> bool:
        """Return whether two members are two people, as far as the last day says (L30)."""
        makers = [
            {name}
            | {maker for (made, maker), t in self.made.items() if made == name and at < t + DAY}
            for name in (asker, approver)
        ]
        return "" not in makers[1] and not makers[0] & makers[1]

    def take(self, kind: str, by: str, at: int, body: Body) -> None:
        """Take an event of the staff's stream; raise Bad if it may not come."""
        if kind == "staff.two_people":
            fine = by == "floor" and OWNER in self.members.values() and not self.needs_two
            demand(fine, "this comes once, by the floor, where there is an owner")
            self.needs_two = True
            return
        login = kind in ("staff.password_set", "staff.two_factor")
        own = login and by == f"staff {body['member']}"
        recovered = login and by == "floor" and self.members.get(body["member"]) == OWNER
        first = kind == "staff.added" and OWNER not in self.members.values()
        if first:
            floor = by == "floor" or by.startswith("floor from ")
            demand(floor and body["role"] == OWNER, "the first on the staff is an owner")
        elif not own and not recovered:
            self.demand_owner(by)
        demand(body.get("role", OWNER) in ROLES, "there is no such role")
        demand(is_line(body.get("reason", "a line")), "the reason is not a line of text")
        if kind == "staff.added":
            self.give_name("staff", body["member"])
            self.members[body["member"]] = body["role"]
            self.note_maker(body["member"], by, at)
        elif kind == "token.granted":
            self.give_name("token", body["token"])
            self.tokens[body["token"]] = body["role"]
        elif kind == "token.revoked":
            self.revoke(body["token"])
        else:
            before = self.members.get(body["member"])
            self.change(kind, body, own)
            if login or (
                before in ROLES and ROLES.index(before) > ROLES.index(body.get("role", ROLES[-1]))
            ):
                self.note_maker(body["member"], by, at)

    def revoke(self, token: str) -> None:
        """Take a token away; the empty name is the first token."""
        if token == "":
            demand(self.first_token, "the first token was revoked before")
            self.first_token = False
        else:
            demand(token in self.tokens, "there is no such token")
            del self.tokens[token]

    def change(self, kind: str, body: Body, own: bool) -> None:
        """Change a present member."""
        name = body["member"]
        demand(name in self.members, f"{name} is not on the staff")
        demand(own or not body.get("on"), "only the member may switch two-factor login on")
        if kind in ("staff.role_changed", "staff.removed"):
            owners = [other for other, role in self.members.items() if role == OWNER]
            stays = kind == "staff.role_changed" and body["role"] == OWNER
            demand(stays or owners != [name], "the last owner stays")
            if kind == "staff.removed":
                del self.members[name]
            else:
                self.members[name] = body["role"]


# A table.


@dataclass
class Seat:
    """A place that is taken, and what it has in the round."""

    player: str
    bot: bool = False
    aside: bool = False
    away: bool = False
    leaving: bool = False
    ready: bool = False
    wagers: list[Wager] = field(default_factory=list)
    prison: list[Wager] = field(default_factory=list)
    fee: int = 0
    collected: int = 0
    bank: int = 0
    play: int = 0
    move: str | None = None
    brought: int = 0

    @property
    def present(self) -> bool:
        """Return whether the place is in: neither aside nor leaving nor away (L6)."""
        return not self.opted_out and not self.away

    @property
    def opted_out(self) -> bool:
        """Return whether the player sits out or leaves by choice."""
        return self.aside or self.leaving

    @property
    def ante(self) -> int:
        """Return its Ante, 0 for none."""
        return dict(self.wagers).get("ante", 0)

    def reset(self) -> None:
        """Begin a new round; what is in prison stays."""
        self.wagers, self.ready, self.move = [], False, None
        self.fee = self.collected = self.bank = self.play = 0


@dataclass
class Chain:
    """The chain of a table's seeds: how many rounds opened on it, and the last seed shown."""

    number: int = 0
    epoch: int = 0
    length: int = 0
    reveal: int = 0
    link: int = 0
    shown: bytes = b""
    torn: bool = False


@dataclass
class Past:
    """A settled round that a correction names: all that it was settled by, and what it came to.

    ``nets`` and ``fees`` are by place, the banker's included, and with what corrections moved.
    """

    rules: Poker | Wheel
    banker: int | None
    bank: int
    first: int
    pocket: str
    dealer: list[int]
    players: dict[int, str]
    hands: list[Hand]
    bets: dict[int, list[Wager]]
    voided: list[int]
    prison: bool
    nets: Counter[int]
    fees: Counter[int]


@dataclass
class Again:
    """A round settled again: its rows, and what its places come to, the banker's included."""

    order: list[int]
    rows: list[Body] = field(default_factory=list)
    nets: Counter[int] = field(default_factory=Counter)
    fees: Counter[int] = field(default_factory=Counter)


@dataclass
class Facts:
    """What a correction says that a round should have been, by place (L29)."""

    moves: dict[int, str]
    wagers: dict[int, list[Wager]]
    void: bool


Difference = tuple[int, str, int]


@dataclass
class Promise:
    """What a place committed to in a round, and what it showed."""

    player: str
    commitment: bytes
    bot: bool
    shown: bytes | None = None


ROTATION = {"two_rounds": 2, "every_round": 1, "free": sys.maxsize}


class Table:
    """A table as its events add up, and what must come next."""

    def __init__(self, name: str, room: "Room") -> None:
        """Take the table's name and its room; its first event opens it."""
        self.name, self.room = name, room
        self.phase = "new"
        self.rules: Poker | Wheel
        self.settings: Body = {}
        self.document: Body = {}
        self.digest = ""
        self.announced: Body | None = None
        self.holds_from = 0
        self.books: Counter[tuple[str, int]] = Counter()
        self.seats: dict[int, Seat] = {}
        self.closing = False
        self.step: Step = (0, "", None)
        self.kind = ""
        self.ids: dict[tuple[str, str | None], int] = {}
        self.round = self.over = self.pause_from = self.dealt = 0
        self.deadline: int | None = None
        self.time = 0
        self.untimed = False
        self.asked: int | None = None
        self.declined: set[int] = set()
        self.unwanted = self.waiting = False
        self.last: int | None = None
        self.turns = 0
        self.banker: int | None = None
        self.seed = b""
        self.seeds: dict[int, str] = {}
        self.chain = Chain()
        self.promises: dict[int, Promise] = {}
        self.key = b""
        #: Once a round is dealt, the places with wagers and the banker's.
        self.staked: set[int | None] = set()
        self.counts: Counter[str] = Counter()
        self.places: list[int] = []
        self.cards: list[int] = []
        self.first = 1
        self.pocket = ""
        self.back: int | None = None
        self.ruled: Body | None = None
        self.again: Body | None = None
        self.voided: list[int] = []
        self.void_places: set[int] = set()
        self.past: dict[int, Past | None] = {}
        self.asked_for: dict[int, tuple[Body, Facts]] = {}
        self.corrections = 0

    # What an event does.

    def fits(self, event: Event) -> bool:
        """Return whether an event is one of those that follow in the same step."""
        return event.step == self.step and event.body in self.must_follow()

    def begin(self, event: Event) -> None:
        """Take the first event of a step; raise Bad if it may not come (L3)."""
        demand(self.phase != "closed", "the table is closed")
        demand((self.phase == "new") == (event.kind == "table.opened"), "not the first event")
        _, by, sent = event.step
        if by != "clock":
            demand(event.step != self.step, f"no {event.kind} follows in this step{self.why_not()}")
            seen = self.ids.get((by, sent))
            demand(seen is None or self.over - seen > 1, f"id {sent} of {by} was already executed")
            self.ids[by, sent] = self.over
        self.step, self.ruled, self.again = event.step, None, None
        may = ACTS[event.kind][0]
        if may is None:
            raise Bad(f"nothing calls for {event.kind}")
        may(self, event.body)
        self.take(event)

    def take(self, event: Event) -> None:
        """Take an event that may come, and change as it says."""
        self.kind, self.back, self.ruled = event.kind, None, None
        ACTS[event.kind][1](self, event.body)
        if self.untimed:
            self.follow_people()
        self.time = event.step[0]

    def move(self, source: tuple[str, int], target: tuple[str, int], cents: int) -> None:
        """Move cents between two accounts; raise Bad if one falls below zero (L4)."""
        self.books[source] -= cents
        self.books[target] += cents
        for account in (source, target):
            name = f"{account[0]} of place {account[1]}" if account[1] else account[0]
            fine = self.books[account] >= 0 or account[0] in ("house", "in_transit")
            demand(fine, f"{name} falls below zero")

    def stack(self, place: int) -> int:
        """Return the stack of a place."""
        return self.books["stack", place]

    def held(self, place: int) -> int:
        """Return what is held of a place."""
        return self.books["held", place]

    def of(self, account: str) -> list[Body]:
        """Return what an account has for each place, as a list by place."""
        rows = [(place, self.books[account, place]) for place in sorted(self.seats)]
        return [{"place": place, "cents": cents} for place, cents in rows if cents]

    @property
    def any_wager(self) -> bool:
        """Return whether anything is bet, bets in prison included."""
        return any(seat.wagers or seat.prison for seat in self.seats.values())

    def can_bet(self, place: int) -> bool:
        """Return whether a place is in and covers the least bet (L6)."""
        return self.seats[place].present and self.stack(place) >= self.rules.least

    def can_bank(self, place: int) -> bool:
        """Return whether a place may be asked to bank, someone else being there to bet (L7)."""
        needed = self.settings["least_bank"] + self.rules.banker_most
        rest = any(self.can_bet(other) for other in self.seats if other != place)
        return self.seats[place].present and self.stack(place) >= needed and rest

    def next_asked(self) -> int | None:
        """Return the place that is asked next, or None (L7)."""
        assert isinstance(self.rules, Poker)
        start = self.last or 0
        order = [place for place in self.seats if place not in self.declined]
        order.sort(key=lambda place: (place - start - 1) % (self.settings["places"] + 1))
        if 0 < self.turns < ROTATION[self.rules.bank["rotation"]]:
            order.sort(key=lambda place: place != self.last)
        return next((place for place in order if self.can_bank(place)), None)

    def seat_number(self, place: int) -> int:
        """Return a place's seat, counted from the banker's left (L9)."""
        return place if self.banker is None else (place - self.banker) % self.settings["places"]

    @property
    def bound(self) -> bool:
        """Return whether a chain binds the table: then its rounds are by scheme 2 (L10)."""
        return self.chain.number > 0

    def of_scheme(self, kind: str) -> str:
        """Return the type of an event in the version of the table's scheme (L10)."""
        return f"{kind}/2" if self.bound else kind

    def waited_for(self) -> list[int]:
        """Return the places whose seeds are not shown, and whose player still sits there (L12)."""
        return [
            place
            for place, promise in sorted(self.promises.items())
            if promise.shown is None
            and place in self.seats
            and self.seats[place].player == promise.player
        ]

    def why_not(self) -> str:
        """Return in words what else keeps the cards from being dealt."""
        waited = ", ".join(map(str, self.waited_for())) if self.phase == "revealing" else ""
        return f": the seed of place {waited} is waited for" if waited else ""

    def round_key(self, seed: bytes) -> bytes:
        """Return the key of a round by scheme 2 that follows from the room's seed (L13)."""
        parts: list[str | int] = ["queenhigh/key/2", self.name, self.chain.number, self.round]
        parts += [self.digest, len(self.promises)]
        for place, promise in sorted(self.promises.items()):
            shown = "left out" if promise.shown is None else promise.shown.hex()
            parts += [place, promise.player, promise.commitment.hex(), shown]
        return hmac.digest(seed, fields(*parts, *in_the_clear(self.seeds)), "sha256")

    # What follows in the same step.

    def after_leaving(self) -> list[Body]:
        """Return what must follow when a player leaves now: bets returned, a silent hand (L16)."""
        if self.back is None:
            return []
        seat = self.seats[self.back]
        if self.phase == "betting" and seat.wagers:
            return [self.clearing(self.back)]
        if self.phase == "deciding" and seat.ante and seat.move is None:
            return [self.moving(self.back, self.settings["silence"])]
        return []

    def must_follow(self) -> list[Body]:
        """Return what must follow, any one of a list; nothing if the step is complete (L3)."""
        if left := self.after_leaving() or self.after_ruling():
            return left
        if self.phase in ("opening", "dealing", "landed"):
            due_now = {"opening": self.opening, "dealing": self.outcome, "landed": self.spin}
            return [due_now[self.phase]()]
        due = self.after_moves() if self.phase == "deciding" else []
        everyone = self.closing and self.phase == "between"
        going = sorted(self.seats) if not everyone else []
        gone = [p for p in going if self.seats[p].leaving and not self.held(p)]
        if due or gone:
            return due or [self.parting(gone[0])]
        if self.again is not None and (more := self.dealt_again()):
            return more
        after = {
            "betting": self.after_bets,
            "offering": self.after_offer,
            "revealing": self.after_seeds,
            "between": self.after_all,
        }
        return after[self.phase]() if self.phase in after else []

    def after_ruling(self) -> list[Body]:
        """Return what must follow at once when the floor has ruled (L28)."""
        if self.ruled is None:
            return []
        place, ruling = self.ruled.get("place", 0), self.ruled["ruling"]
        hands = [seat for seat in self.seats.values() if seat.wagers]
        if ruling in ("void", "redeal") or (ruling == "void_hand" and len(hands) == 1):
            return [self.voiding() | {"reason": self.ruled["reason"]}]
        if ruling == "default_move":
            return [self.moving(place, self.settings["silence"])]
        given = {"place": place, "cents": self.held(place), "fee": self.seats[place].collected}
        return [make("hand.voided", round=self.round, **given)]

    def dealt_again(self) -> list[Body]:
        """Return what must follow to deal a void round again, with its bank and wagers (L28)."""
        again = self.again
        if again is None or not self.can_deal_again(again):
            return []
        if self.phase == "between":
            if again["banker"] is None:
                return [self.opening()]
            given = {"place": again["banker"], "cents": again["bank"]}
            return [make("bank.posted", round=self.round + 1, fee=self.rules.banker_most, **given)]
        for place, wagers in sorted(again["wagers"].items()):
            if place in self.seats and self.seats[place].present:
                rows = [{"spot": spot, "cents": cents} for spot, cents in wagers]
                given = {"place": place, "wagers": rows, "fee": self.rules.owed(dict(wagers))}
                return [make("wagers.placed", round=self.round, **given)]
        return []

    def can_deal_again(self, again: Body) -> bool:
        """Return whether a round can be dealt again; once it has opened, it is (L28)."""
        if self.phase != "between":
            return self.phase == "betting"
        due = self.announced is not None and self.step[0] >= self.holds_from
        used = self.bound and self.chain.link == self.chain.length
        if self.closing or due or used or self.chain.torn:
            return False
        there = {place for place, seat in self.seats.items() if seat.present}
        return (again["banker"] is None or again["banker"] in there) and bool(
            there & set(again["wagers"])
        )

    def silent(self) -> list[int]:
        """Return the places that have a move to make."""
        hands = [(place, self.seats[place]) for place in self.places if place in self.seats]
        return [place for place, seat in hands if seat.ante and seat.move is None]

    def after_moves(self) -> list[Body]:
        """Return what must follow while hands are played (L14)."""
        silent = self.silent()
        if not silent:
            return [self.settlement()]
        if self.kind == "move.made" and self.step[1] == "clock":
            return [self.moving(min(silent), self.settings["silence"])]
        return []

    def after_bets(self) -> list[Body]:
        """Return what must follow while bets are open (L9)."""
        banking = self.banker is None or not self.seats[self.banker].opted_out
        if not self.any_wager and (self.closing or not banking):
            return [self.voiding()]
        return [self.closing_bets()] if self.any_wager and not self.betting() else []

    def betting(self) -> list[int]:
        """Return the places that are in, have bet or can bet, and are not ready (L9)."""
        return [
            place
            for place, seat in self.seats.items()
            if seat.present and place != self.banker and not seat.ready
            if seat.wagers or self.can_bet(place)
        ]

    def due_to_act(self) -> list[int]:
        """Return the places that are asked to bank, may bet, or have to decide."""
        if self.phase == "offering":
            return [self.asked] if self.asked is not None else []
        return self.betting() if self.phase == "betting" else self.silent()

    def after_offer(self) -> list[Body]:
        """Return what must follow while the bank is offered (L7)."""
        number = self.round + 1
        if self.asked is None:
            place = self.next_asked()
            if place is None:
                return [make("bank.unwanted", round=number)]
            return [make("bank.offered", round=number, place=place)]
        if self.asked not in self.seats or not self.seats[self.asked].present:
            return [make("bank.declined", round=number, place=self.asked)]
        return []

    def after_seeds(self) -> list[Body]:
        """Return what must follow while places show their seeds (L12)."""
        return [] if self.waited_for() else [self.outcome()]

    def after_all(self) -> list[Body]:
        """Return what must follow when a table that closes has no round (L20)."""
        if not self.closing:
            return []
        due = {}
        for place in sorted(self.seats, reverse=True):
            cents = sum(cents for _, cents in self.seats[place].prison)
            back = make("wagers.cleared", round=self.round, place=place, cents=cents)
            due[cents > 0] = back if cents else self.parting(place)
        return list(due.values()) or [make("table.closed")]

    # What events should say.

    def parting(self, place: int) -> Body:
        """Return how a place is left (L16)."""
        seat, stack = self.seats[place], self.stack(place)
        cents = min(stack, seat.brought) if self.settings.get("table_chips") else stack
        kept = stack - cents
        return make("seat.left", place=place, player=seat.player, cents=cents, kept=kept)

    def clearing(self, place: int) -> Body:
        """Return how a place takes its wagers back (L16)."""
        seat = self.seats[place]
        cents = seat.fee + sum(cents for _, cents in seat.wagers)
        return make("wagers.cleared", round=self.round, place=place, cents=cents)

    def opening(self) -> Body:
        """Return how the next round opens (L8)."""
        given: Body = {"round": self.round + 1, "banker": self.banker}
        if not self.bound:
            return make("round.opened", commitment=ANYTHING, seed=ANYTHING, **given)
        chain = self.chain
        given |= {"chain": chain.number, "link": chain.link + 1, "commitment": chain.shown.hex()}
        return make("round.opened/2", **given)

    def due_seed(self) -> str | Anything:
        """Return the seed that ends the round; by scheme 2 it is new to the log."""
        return ANYTHING if self.bound else self.seed.hex()

    def voiding(self) -> Body:
        """Return how the round is voided (L19)."""
        return make(
            "round.voided",
            round=self.round,
            seed=self.due_seed(),
            reason=ANYTHING,
            returned=self.of("held"),
            fees=[
                {"place": place, "cents": seat.collected}
                for place, seat in sorted(self.seats.items())
                if seat.collected
            ],
        )

    def closing_bets(self) -> Body:
        """Return how bets are closed (L9)."""
        largest = max((seat.ante for seat in self.seats.values()), default=0)
        fees, released = [], []
        for place, seat in sorted(self.seats.items()):
            due = self.rules.banker_fee(largest) if place == self.banker else seat.fee
            if due and self.rules.before:
                fees.append({"place": place, "cents": due})
            if seat.fee > due:
                released.append({"place": place, "cents": seat.fee - due})
        return make(self.of_scheme("bets.closed"), round=self.round, fees=fees, released=released)

    def outcome(self) -> Body:
        """Return the deal or the landing; by scheme 2 for any key that the log has (L13)."""
        outcome = self.landing if isinstance(self.rules, Wheel) else self.dealing
        return outcome(None if self.bound else key_of_seed(self.seed, self.seeds))

    def dealing(self, key: bytes | None) -> Body:
        """Return the deal that follows from a key, or from none that is known (L13)."""
        assert isinstance(self.rules, Poker)
        places = sorted((p for p in self.seats if self.seats[p].wagers), key=self.seat_number)
        drawn = self.rules.bank.get("first") == "drawn"
        given: Body = {"round": self.round, "places": places, "cards": ANYTHING}
        if key is not None:
            words = Words(key)
            given["cards"] = words.shuffle()[: 3 * len(places) + 3]
            given |= {"first": words.below(self.rules.seats) + 1} if drawn else {}
        return self.with_key("cards.dealt", given, key) | (
            {"first": ANYTHING} if drawn and key is None else {}
        )

    def landing(self, key: bytes | None) -> Body:
        """Return the pocket that follows from a key, or from none that is known (L13)."""
        assert isinstance(self.rules, Wheel)
        pockets = self.rules.pockets
        pocket = ANYTHING if key is None else pockets[Words(key).below(len(pockets))]
        return self.with_key("ball.landed", {"round": self.round, "pocket": pocket}, key)

    def with_key(self, kind: str, given: Body, key: bytes | None) -> Body:
        """Return a deal in the version of the table's scheme."""
        if self.bound:
            given["key"] = ANYTHING if key is None else key.hex()
        return make(self.of_scheme(kind), **given)

    def moving(self, place: int, move: str) -> Body:
        """Return how a place makes a move."""
        assert isinstance(self.rules, Poker)
        ante = self.seats[place].ante if move == "play" else 0
        fee = self.rules.play_fee(ante)
        return make("move.made", round=self.round, place=place, move=move, cents=ante, fee=fee)

    def hands(self) -> list[Hand]:
        """Return the hands of the round, without those that are void (L28)."""
        hands = []
        for index, place in enumerate(self.places):
            seat = self.seats.get(place)
            if seat is not None and seat.wagers:
                cards, number = self.cards[3 * index : 3 * index + 3], self.seat_number(place)
                hands.append(Hand(place, number, cards, dict(seat.wagers), seat.move))
        return hands

    def settlement(self) -> Body:
        """Return how the round of poker is settled (L15)."""
        assert isinstance(self.rules, Poker)
        hands = self.hands()
        bank = 0 if self.banker is None else self.seats[self.banker].bank
        places, left = self.rules.settle(hands, self.cards[-3:], bank, self.first)
        return make(
            "round.settled",
            round=self.round,
            seed=self.due_seed(),
            places=places,
            net=-sum(row["net"] for row in places),
            banker=self.banker,
            bank=bank,
            bank_left=None if self.banker is None else left,
            fees=[{"place": p, "cents": s.fee} for p, s in sorted(self.seats.items()) if s.fee],
        )

    def spin(self) -> Body:
        """Return how the spin is settled (L15)."""
        assert isinstance(self.rules, Wheel)
        made = {place: seat.wagers for place, seat in self.seats.items()}
        caught = {place: seat.prison for place, seat in self.seats.items()}
        places = spin_rows(self.rules, made, caught, self.pocket)
        net = -sum(row["net"] for row in places)
        seed = self.due_seed()
        return make("spin.settled", round=self.round, seed=seed, places=places, net=net)

    # The senders that may begin a step, and with which events.

    def taken(self, place: int) -> Seat:
        """Return the seat of a place; raise Bad if nobody sits there."""
        seat = self.seats.get(place)
        if seat is None:
            raise Bad(f"nobody sits at place {place}")
        return seat

    def from_place(self, body: Body) -> Seat:
        """Return the seat of a place whose player sent the command."""
        seat = self.taken(body["place"])
        demand(seat.player == self.step[1], f"place {body['place']} is {seat.player}'s")
        if "player" in body:
            demand(body["player"] == seat.player, "not the player of that place")
        return seat

    def from_floor(self) -> None:
        """Raise Bad unless the floor sent the command."""
        demand(self.step[1] == "floor", "only the floor may do that")

    def after_deadline(self, why: str = "") -> None:
        """Raise Bad unless the clock acts, and not before the deadline (L8)."""
        demand(self.step[1] == "clock", f"only the clock may do that{why}")
        demand(self.deadline is not None, "there is no deadline")
        demand(self.step[0] >= (self.deadline or 0), f"the deadline has not passed{why}")

    def before_deadline(self, phase: str) -> None:
        """Raise Bad unless the table is in that phase and the deadline has not passed."""
        demand(self.phase == phase, f"the table is not {phase}")
        late = self.deadline is not None and self.step[0] > self.deadline
        demand(not late, "the deadline has passed")

    def in_round(self, body: Body, ahead: int = 0) -> None:
        """Raise Bad unless the number of the round is right."""
        number = self.round + ahead
        demand(body["round"] == number, f"round {body['round']} where it is {number}")

    def may_open(self, body: Body) -> None:
        """Raise Bad unless a table may be opened like this (L17)."""
        self.from_floor()
        demand(body["table"] == self.name, "the table has another name than its stream")
        self.check_rules(body)

    def check_rules(self, body: Body) -> None:
        """Raise Bad unless a table can have a rulebook and settings (L17)."""
        text = json.dumps(
            body["rulebook"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        made = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        demand(body["digest"] == made, "the digest is of another rulebook")
        settings, rules = body["settings"], read_rules(body["rulebook"])
        demand(1 <= settings["places"] <= rules.most_places, "the number of places is wrong")
        demand(settings["silence"] in ("play", "fold"), "silence is not a move")
        demand(settings["least_bank"] >= 1, "least_bank is less than a cent")
        demand(min(settings["pace"].values()) >= 0, "a pace is below zero")

    def may_change(self, body: Body) -> None:
        """Raise Bad unless the table may get this rulebook and these settings now (L17, L23)."""
        if self.step[1] == "clock":
            self.may_change_as_announced(body)
            return
        self.from_floor()
        demand(self.phase == "between", "the round is not over")
        demand(not self.any_wager, "a bet is in prison")
        self.check_change(body)
        demand(self.announced is None, "another change is announced")
        demand(not self.needs_notice(body), "fees or limits change without notice")

    def may_change_as_announced(self, body: Body) -> None:
        """Raise Bad unless the clock may change the table now, as announced (L23)."""
        if self.announced is None:
            raise Bad("no change is announced")
        demand(self.phase in ("between", "offering"), "the round is not over")
        demand(not self.any_wager, "a bet is in prison")
        demand(self.step[0] >= self.holds_from, f"the notice runs until {self.holds_from}")
        names = ("rulebook", "digest", "settings", "reason")
        expect(body, make("table.changed", **{name: self.announced[name] for name in names}))

    def may_announce(self, body: Body) -> None:
        """Raise Bad unless the floor may announce these fees or limits (L23)."""
        self.from_floor()
        self.check_change(body)
        demand(self.notice is not None, "this table needs no notice")
        demand(self.needs_notice(body), "neither fees nor limits change")
        due = self.step[0] + 1000 * (self.notice or 0)
        demand(body["from"] == due, f"the notice runs until {due}")
        for name, document, settings in (
            ("old", self.document, self.settings),
            ("new", body["rulebook"], body["settings"]),
        ):
            demand(body[name] == amounts(document, settings), f"{name} states other amounts")

    def may_withdraw(self, body: Body) -> None:
        """Raise Bad unless the floor may withdraw an announced change (L23)."""
        self.from_floor()
        demand(self.announced is not None, "no change is announced")
        reason = body["reason"]
        demand(len(reason) <= 200 and reason.isprintable(), "the reason is not a line of text")

    @property
    def notice(self) -> int | None:
        """Return the seconds of notice before fees or limits change, if there must be any."""
        seconds: int | None = (self.document.get("fees") or {}).get("notice_seconds")
        return seconds

    def needs_notice(self, body: Body) -> bool:
        """Return whether a change of this table must be announced (L23)."""
        now = amounts(self.document, self.settings)
        return self.notice is not None and amounts(body["rulebook"], body["settings"]) != now

    def demand_no_change_due(self) -> None:
        """Raise Bad if the table must change as announced before a round opens (L23)."""
        due = self.announced is not None and self.step[0] >= self.holds_from
        demand(not due, "the announced change holds from now: table.changed should come first")

    def check_change(self, body: Body) -> None:
        """Raise Bad unless a table that is open can get a rulebook and settings (L17)."""
        demand(not self.closing, "the table is closing")
        self.check_rules(body)
        old, new = self.rules, read_rules(body["rulebook"])
        demand(type(old) is type(new), "the rulebook is of another game")
        demand(old.banked == new.banked, "who banks cannot change")
        demand(old.most_places == new.most_places, "the number of seats cannot change")
        same = body["settings"]["places"] == self.settings["places"]
        demand(same, "the number of places cannot change")
        same = body["settings"].get("table_chips") == self.settings.get("table_chips")
        demand(same, "table_chips cannot change")
        now = (self.digest, self.settings)
        demand((body["digest"], body["settings"]) != now, "nothing changes")
        reason = body["reason"]
        demand(len(reason) <= 200 and reason.isprintable(), "the reason is not a line of text")

    def may_close(self, body: Body) -> None:
        """Raise Bad unless the table may begin to close (L20)."""
        self.from_floor()
        demand(not self.closing, "the table is closing already")

    def may_sit(self, body: Body) -> None:
        """Raise Bad unless a player may sit down."""
        place, player = body["place"], body["player"]
        demand(player == self.step[1] and player not in ("floor", "clock"), "not the player")
        demand(not self.closing, "the table is closing")
        demand(1 <= place <= self.settings["places"], f"there is no place {place}")
        demand(place not in self.seats, f"place {place} is taken")
        demand(self.between_rounds or place not in self.void_places, "a void hand was there")
        seated = {seat.player for seat in self.seats.values()}
        demand(player not in seated, f"{player} sits here already")
        demand(body["cents"] > 0, "no chips")
        demand(self.settings["bots"] or not body.get("bot"), "no bots at this table")

    def may_top_up(self, body: Body) -> None:
        """Raise Bad unless a player may bring more chips."""
        self.from_place(body)
        demand(body["cents"] > 0, "no chips")

    def may_stand_aside(self, body: Body) -> None:
        """Raise Bad unless a player may sit out or come back."""
        seat = self.from_place(body)
        demand(seat.aside != body["aside"] or seat.away, "nothing changes")

    def may_be_away(self, body: Body) -> None:
        """Raise Bad unless the floor may say that a player is away (L24)."""
        self.from_floor()
        seat = self.taken(body["place"])
        demand(not seat.bot, "a bot is never away")
        demand(not seat.away and not seat.leaving, f"{seat.player} is away or leaving already")

    def may_come_back(self, body: Body) -> None:
        """Raise Bad unless the floor may say that a player is back (L24)."""
        self.from_floor()
        demand(self.taken(body["place"]).away, f"the player at place {body['place']} is not away")

    def may_leave(self, body: Body) -> None:
        """Raise Bad unless a player may leave (L16)."""
        demand(not self.from_place(body).leaving or "now" in body, "leaving already")

    def may_offer(self, body: Body) -> None:
        """Raise Bad unless the clock may offer the bank, or a player may ask for it (L7)."""
        at, by, _ = self.step
        demand(self.phase == "between" and not self.closing, "the bank cannot be offered now")
        if by == "clock":
            self.demand_no_change_due()
        demand(self.rules.banked, "the house banks")
        self.in_round(body, 1)
        if by == "clock":
            demand(not self.waiting, "nobody wanted the bank, and nothing has changed")
            demand(at >= self.pause_from + self.pace("pause"), "the pause is not over")
            asked = self.next_asked()
            demand(body["place"] == asked, f"the bank goes to place {asked}")
        else:
            self.from_place(body)
            demand(self.unwanted, "the bank goes round")
            demand(self.can_bank(body["place"]), "that place cannot bank")

    def may_decline(self, body: Body) -> None:
        """Raise Bad unless the bank may be declined (L7)."""
        self.in_round(body, 1)
        demand(self.phase == "offering", "the bank is not offered")
        demand(body["place"] == self.asked, f"place {self.asked} is asked")
        if self.step[1] == "clock":
            self.demand_no_change_due()
            self.after_deadline()
        else:
            self.from_place(body)
            self.before_deadline("offering")

    def may_bank(self, body: Body) -> None:
        """Raise Bad unless the bank may be posted (L7)."""
        self.in_round(body, 1)
        self.before_deadline("offering")
        self.from_place(body)
        demand(body["place"] == self.asked, f"place {self.asked} is asked")
        demand(body["cents"] >= self.settings["least_bank"], "less than the least bank")
        most = self.rules.banker_most
        demand(body.get("fee", 0) == most, f"the banker's fee can be {most}")
        self.demand_no_change_due()
        self.can_open()

    def may_start_chain(self, body: Body) -> None:
        """Raise Bad unless the floor may bind the table to this chain now (L10)."""
        self.from_floor()
        demand(self.phase in ("between", "offering"), "a round is under way")
        number = self.chain.number + 1
        demand(body["chain"] == number, f"chain {body['chain']} where chain {number} comes")
        demand(body["epoch"] >= self.chain.epoch, "the epoch is before that of the chain before")
        demand(1 <= body["length"] <= 1_000_000, "a chain has 1 to 1,000,000 links")
        demand(500 <= body["reveal"] <= 60_000, "reveal is 500 to 60,000 milliseconds")
        for name in ("salt", "end"):
            from_hex(body[name], 32, name)

    def can_open(self) -> None:
        """Raise Bad if the table's chain has no seed for another round (L10)."""
        chain = self.chain
        demand(not chain.torn, f"chain {chain.number} ended with a round voided without its seed")
        used = self.bound and chain.link == chain.length
        demand(not used, f"all {chain.length} links of chain {chain.number} are used")

    def may_begin_on_seed(self, body: Body) -> None:
        """Raise Bad unless the clock may open a round by scheme 1 (L10)."""
        demand(not self.bound, "a chain has begun: rounds by scheme 1 are over at this table")
        self.may_begin(body)

    def may_begin_on_chain(self, body: Body) -> None:
        """Raise Bad unless the clock may open a round on the table's chain (L10)."""
        demand(self.bound, "no chain has begun at this table")
        self.can_open()
        self.may_begin(body)
        expect(body, self.opening())

    def may_begin(self, body: Body) -> None:
        """Raise Bad unless the clock may open a round that the house banks (L6)."""
        demand(self.step[1] == "clock", "only the clock may do that")
        demand(not self.rules.banked, "no bank was posted")
        demand(self.phase == "between" and not self.closing, "no round can begin now")
        self.demand_no_change_due()
        self.in_round(body, 1)
        over = self.step[0] >= self.pause_from + self.pace("pause")
        demand(over, "the pause is not over")
        some = any(self.can_bet(place) or seat.prison for place, seat in self.seats.items())
        demand(some, "nobody can bet")
        demand("banker" not in body, "the house banks")

    def may_add_seed(self, body: Body) -> None:
        """Raise Bad unless a place may add a seed (L8)."""
        self.in_round(body)
        self.from_place(body)
        self.before_deadline("betting")
        seed = body["seed"]
        demand(1 <= len(seed.encode()) <= 64, "a seed has 1 to 64 bytes")
        demand(seed.isprintable(), "a seed cannot contain invisible characters")

    def may_commit(self, body: Body) -> None:
        """Raise Bad unless a place may commit to a seed (L11)."""
        demand(self.bound, "no chain has begun at this table")
        self.in_round(body)
        self.from_place(body)
        self.before_deadline("betting")
        demand(body["place"] not in self.promises, "the place has committed to a seed already")
        from_hex(body["commitment"], 32, "commitment")

    def may_show(self, body: Body) -> None:
        """Raise Bad unless a place may show this seed (L12)."""
        self.in_round(body)
        self.from_place(body)
        self.before_deadline("revealing")
        place, (_, player, _) = body["place"], self.step
        promise = self.promises.get(place)
        if promise is None or promise.player != player:
            raise Bad(f"{player} has not committed to a seed at place {place}")
        demand(promise.shown is None, f"place {place} has shown its seed already")
        parts = (self.name, self.chain.number, self.round, place, player)
        made = digest("queenhigh/seed/1", *parts, from_hex(body["seed"], 32, "seed"))
        demand(made == promise.commitment, f"not the seed that place {place} committed to")

    def may_deal(self, body: Body) -> None:
        """Raise Bad unless the clock may deal without the seeds that are not shown (L12)."""
        demand(self.phase == "revealing", "no seeds are waited for")
        self.after_deadline(self.why_not())
        expect(body, self.outcome())

    def may_wager(self, body: Body) -> None:
        """Raise Bad unless wagers may be placed (L8)."""
        self.in_round(body)
        seat, place = self.from_place(body), body["place"]
        self.before_deadline("betting")
        demand(seat.present, "the place is not in")
        demand(place != self.banker, "the banker makes no wager")
        placed = read_wagers(body)
        demand(bool(placed), "no wager")
        self.rules.check(seat.wagers, seat.prison, placed)
        total = seat.wagers + placed
        fee = self.rules.owed(dict(total)) - seat.fee
        demand(body.get("fee", 0) == fee, f"the fee is {fee}")
        needed = sum(cents for _, cents in placed) + fee + self.rules.playing(total)
        demand(self.stack(place) >= needed, f"the stack does not cover {needed}")

    def may_clear(self, body: Body) -> None:
        """Raise Bad unless wagers may be taken back (L8)."""
        self.in_round(body)
        seat = self.from_place(body)
        self.before_deadline("betting")
        demand(bool(seat.wagers), "no wager to take back")
        expect(body, self.clearing(body["place"]))

    def may_be_ready(self, body: Body) -> None:
        """Raise Bad unless a place may say that it is ready (L8)."""
        self.in_round(body)
        seat = self.from_place(body)
        self.before_deadline("betting")
        demand(seat.present and body["place"] != self.banker, "the place does not bet")
        demand(not seat.ready, "ready already")

    def may_close_bets(self, body: Body) -> None:
        """Raise Bad unless the clock may close the bets (L9)."""
        demand(self.phase == "betting", "bets are not open")
        self.after_deadline()
        expect(body, self.closing_bets())

    def may_move(self, body: Body) -> None:
        """Raise Bad unless a move may be made (L14)."""
        self.in_round(body)
        place, move = body["place"], body["move"]
        demand(self.phase == "deciding", "there is nothing to decide")
        if self.step[1] == "clock":
            self.after_deadline()
            demand(move == self.settings["silence"], "silence is another move")
        else:
            self.from_place(body)
            self.before_deadline("deciding")
        demand(move in ("play", "fold"), "no such move")
        seat = self.seats.get(place)
        if seat is None or not seat.ante or seat.move is not None:
            raise Bad(f"place {place} has no move to make")
        first = min(self.silent())
        demand(self.step[1] != "clock" or place == first, f"place {first} comes first")
        expect(body, self.moving(place, move))

    def may_void(self, body: Body) -> None:
        """Raise Bad unless the floor may void the round (L19)."""
        self.from_floor()
        demand(self.phase in ("betting", "revealing", "deciding"), "there is no round")
        demand(is_line(body["reason"]), "the reason is not a line of text")
        expect(body, self.voiding())

    def from_person(self, body: Body, permission: str) -> None:
        """Raise Bad unless the floor acts for a member of the staff with a permission (L27)."""
        self.from_floor()
        fine = self.room.may(f"staff {body['staff']}", permission)
        demand(fine, f"{body['staff']} may not {permission} at this time")
        demand(is_line(body.get("reason", "a line")), "the reason is not a line of text")

    def may_rule(self, body: Body) -> None:
        """Raise Bad unless this irregularity may be ruled now, and like that (L28)."""
        self.from_person(body, "rule incident")
        self.in_round(body)
        demand(self.phase == "deciding", "nobody is deciding")
        assert isinstance(self.rules, Poker)
        kind, place = body["kind"], body.get("place")
        demand(kind in self.rules.follows, f"there is no {kind}")
        if kind in ("exposed_player", "player_gone"):
            demand(place in self.silent(), f"place {place} has no hand that is to be decided")
        else:
            demand(place is None, f"a {kind} concerns the whole round")
        if kind == "misdeal":
            demand(all(hand.move is None for hand in self.hands()), "a move was made before")
        clause, ruling = self.rules.follows[kind]
        expect(body, {**body, "clause": clause, "ruling": ruling})

    def may_ask(self, body: Body) -> None:
        """Raise Bad unless a settled round may be corrected by these facts (L29)."""
        self.from_person(body, "ask correction")
        number = self.corrections + 1
        demand(body["correction"] == number, f"correction {number} comes next")
        past = self.settled(body["round"])
        again = self.settle_again(past, read_facts(body["facts"]))
        demand(bool(differences(past, again)), "nothing is different by these facts")

    def settled(self, number: int) -> Past:
        """Return a round that can be corrected; raise Bad if it is none (L29)."""
        demand(not self.settings.get("table_chips"), "chips stay at this table")
        demand(1 <= number <= self.round, f"there was no round {number}")
        demand(number < self.round or self.between_rounds, f"round {number} is not over")
        past = self.past[number]
        if past is None:
            raise Bad(f"round {number} is void")
        demand(not past.prison, f"round {number} had bets in prison")
        return past

    @property
    def between_rounds(self) -> bool:
        """Return whether no round is under way."""
        return self.phase in ("between", "offering")

    def may_reject(self, body: Body) -> None:
        """Raise Bad unless a correction waits and the person may reject or withdraw it (L29)."""
        asked, _ = self.waiting_correction(body)
        own = asked["staff"] == body["staff"]
        self.from_person(body, "ask correction" if own else "reject correction")

    def waiting_correction(self, body: Body) -> tuple[Body, Facts]:
        """Return the correction that an event names; raise Bad unless it waits (L29)."""
        number = body["correction"]
        demand(number in self.asked_for, f"no correction {number} waits")
        return self.asked_for[number]

    def may_correct(self, body: Body) -> None:
        """Raise Bad unless a second person may approve, and this is what moves (L30)."""
        self.from_person(body, "approve correction")
        asked, facts = self.waiting_correction(body)
        demand(asked["staff"] != body["staff"], f"{body['staff']} asked for this correction")
        two = self.room.are_two(asked["staff"], body["staff"], self.step[0])
        demand(two, f"{body['staff']} may be the one who asked")
        demand(self.between_rounds, f"round {self.round} is under way")
        past = self.settled(asked["round"])
        again = self.settle_again(past, facts)
        due = differences(past, again)
        demand(bool(due), "nothing is different by these facts any more")
        moved, chips = self.cover(past, due, body)
        charged = sorted((place, cents) for place, cents in again.fees.items() if cents)
        rows = "places" if isinstance(past.rules, Poker) else "spins"
        wanted = make(
            "correction.made",
            correction=body["correction"],
            round=asked["round"],
            staff=body["staff"],
            void=not again.rows,
            net=-sum(row["net"] for row in again.rows),
            banker=past.banker,
            fees=[{"place": place, "cents": cents} for place, cents in charged],
            moved=moved,
            chips=chips,
            **({rows: again.rows} if again.rows else {}),
        )
        expect(body, wanted)

    def cover(self, past: Past, due: list[Difference], body: Body) -> tuple[list[Body], list[Body]]:
        """Return what moves of each difference, and where the chips of each place are (L30)."""
        owners = {p: self.room.name_now(name, p, body) for p, name in past.players.items()}
        seats = {seat.player: place for place, seat in self.seats.items()}
        purses = {
            place: self.stack(seats[name])
            if name in seats
            else self.room.purse(name, place, past.banker, body)
            for place, name in owners.items()
        }
        before, moved = dict(purses), []
        for place, against, gain in due:
            bank = past.banker if against == "bank" else None
            payer, payee = (place, bank) if gain < 0 else (bank, place)
            cents = abs(gain) if payer is None else min(abs(gain), purses[payer])
            if payer is not None:
                purses[payer] -= cents
            if payee is not None:
                purses[payee] += cents
            row = {"place": place, "against": against, "cents": cents if gain > 0 else -cents}
            row["owed"] = gain - row["cents"]
            moved.append(without_defaults(row, MOVED))
        chips = [
            {"place": place, "player": name, "seat": seats.get(name), "cents": change}
            for place, name in sorted(owners.items())
            if (change := purses[place] - before[place])
        ]
        return moved, chips

    def settle_again(self, past: Past, facts: Facts) -> Again:
        """Return a round settled by its own rules with other facts (L29)."""
        there = set(past.bets)
        named = {*facts.moves, *facts.wagers}
        demand(named <= there, f"no hand of places {sorted(named - there)} to correct")
        seats = {hand.place: hand.seat for hand in past.hands}
        order = sorted(there, key=lambda p: (seats.get(p, p) < past.first, seats.get(p, p)))
        again = Again(order)
        if facts.void:
            demand(not named, "a round that is void has no other facts")
            return again
        bets = {place: facts.wagers.get(place, old) for place, old in past.bets.items()}
        for place, placed in facts.wagers.items():
            if placed:
                past.rules.check([], [], placed)
            else:
                demand(place not in facts.moves, f"place {place} has no hand to move")
        bets = {place: placed for place, placed in bets.items() if placed}
        if isinstance(past.rules, Poker):
            self.hands_again(past, facts, bets, again)
        else:
            demand(not facts.moves, "there are no moves at a wheel")
            again.rows = spin_rows(past.rules, bets, {}, past.pocket)
            held = any("held" in row for place in again.rows for row in place["bets"])
            demand(not held, "a bet would be in prison")
        for row in again.rows:
            again.nets[row["place"]] = row["net"]
        return again

    def hands_again(
        self, past: Past, facts: Facts, bets: dict[int, list[Wager]], again: Again
    ) -> None:
        """Settle hands again, and work out all fees of the round (L29)."""
        assert isinstance(past.rules, Poker)
        hands = []
        for old in past.hands:
            wagers = dict(bets.get(old.place, []))
            move = facts.moves.get(old.place, old.move)
            if not wagers:
                continue
            if "ante" in wagers:
                demand(move is not None, f"place {old.place} has no move")
            else:
                demand(old.place not in facts.moves, f"place {old.place} has nothing to decide")
                move = None
            hands.append(Hand(old.place, old.seat, old.cards, wagers, move))
            ante = wagers.get("ante", 0) if move == "play" else 0
            again.fees[old.place] = past.rules.owed(wagers) + past.rules.play_fee(ante)
        if not hands:
            again.fees.clear()
            return
        again.rows, _ = past.rules.settle(hands, past.dealer, past.bank, past.first)
        if past.banker is not None:
            made = [facts.wagers.get(place) or old for place, old in past.bets.items()]
            antes = [dict(wagers).get("ante", 0) for wagers in made]
            again.fees[past.banker] = past.rules.banker_fee(max([*antes, *past.voided]))

    def may_give_time(self, body: Body) -> None:
        """Raise Bad unless somebody is waited for and the floor may give them time (L18)."""
        self.from_floor()
        demand(self.phase == "between" or self.deadline is not None, "nobody is waited for")
        reason = body["reason"]
        demand(len(reason) <= 200 and reason.isprintable(), "the reason is not a line of text")

    def lone_person(self) -> int | None:
        """Return the place of the only person who is neither away nor leaving, or None (L25)."""
        gone = {p for p, seat in self.seats.items() if seat.bot or seat.away or seat.leaving}
        people = [] if self.closing else [p for p in self.seats if p not in gone]
        return people[0] if len(people) == 1 else None

    def may_stop_clock(self, body: Body) -> None:
        """Raise Bad unless one person plays, and no other has a bet or a bank there (L25)."""
        self.from_floor()
        lone = self.lone_person()
        demand(not self.untimed, "the clock is stopped already")
        demand(lone is not None, "the clock stops for one person only")
        for place, seat in self.seats.items():
            plays = seat.wagers or seat.prison or place == self.banker
            alone = place == lone or seat.bot or not plays
            demand(alone, f"the hand of place {place} has a clock")

    def may_rebase_time(self, body: Body) -> None:
        """Raise Bad unless the floor may bring the table to another time (L18)."""
        self.from_floor()
        demand(body["before"] == self.time, f"before should say {self.time}")
        demand(self.step[0] != self.time, "the time is the same")
        reason = body["reason"]
        demand(len(reason) <= 200 and reason.isprintable(), "the reason is not a line of text")

    # What events change.

    def pace(self, name: str) -> int:
        """Return a pace of the table in milliseconds."""
        return int(self.settings["pace"][name])

    def open(self, body: Body) -> None:
        """Open the table."""
        self.rules, self.settings = read_rules(body["rulebook"]), body["settings"]
        self.document = body["rulebook"]
        self.digest, self.phase = body["digest"], "between"

    def change(self, body: Body) -> None:
        """Take another rulebook and other settings; the pause starts again, an offer lapses."""
        old = self.rules
        self.open(body)
        self.asked, self.deadline, self.declined, self.announced = None, None, set(), None
        self.pause_from = self.step[0]
        self.unwanted = self.waiting = False
        if isinstance(old, Poker) and isinstance(self.rules, Poker):
            same = old.bank.get("first") == self.rules.bank.get("first")
            self.dealt = self.dealt if same else 0

    def give_time(self, body: Body) -> None:
        """Restart the time of a phase (L18)."""
        names = {"offering": "offer", "betting": "bets", "deciding": "moves"}
        if self.phase == "between":
            self.pause_from = self.step[0]
        elif self.phase == "revealing":
            self.deadline = self.step[0] + self.chain.reveal
        elif self.deadline is not None:
            self.deadline = self.step[0] + self.pace(names[self.phase])

    def stop_clock(self, body: Body) -> None:
        """Stop the clock of the only person (L25)."""
        self.untimed = True

    def follow_people(self) -> None:
        """Set the deadline of a table whose clock is stopped, or start it again (L25)."""
        lone = self.lone_person()
        self.untimed = lone is not None
        times = {"offering": "offer", "betting": "bets", "deciding": "moves"}
        if self.phase not in times or (self.phase == "offering" and self.asked is None):
            return
        nobody = self.phase == "betting" and not self.any_wager
        if nobody or (lone is not None and lone in self.due_to_act()):
            self.deadline = None
        elif lone is None or self.deadline is None:
            self.deadline = self.step[0] + self.pace(times[self.phase])

    def rebase_time(self, body: Body) -> None:
        """Restart the time of a phase (L18), and the notice of a change (L23)."""
        self.give_time(body)
        self.holds_from = self.step[0] + 1000 * (self.notice or 0)

    def announce(self, body: Body) -> None:
        """Note the change that is announced; it replaces one that was before (L23)."""
        self.announced, self.holds_from = body, body["from"]

    def withdraw(self, body: Body) -> None:
        """Forget the change that was announced (L23)."""
        self.announced = None

    def close(self, body: Body) -> None:
        """Begin to close: an offer of the bank and an announced change lapse."""
        self.closing, self.announced = True, None
        if self.phase == "offering":
            self.phase, self.asked, self.deadline = "between", None, None

    def end(self, body: Body) -> None:
        """Close the table."""
        self.phase = "closed"

    def sit(self, body: Body) -> None:
        """Seat a player, with chips."""
        self.seats[body["place"]] = Seat(body["player"], body.get("bot", False))
        self.bring(body)

    def bring(self, body: Body) -> None:
        """Bring chips to a place."""
        self.move(("in_transit", 0), ("stack", body["place"]), body["cents"])
        self.seats[body["place"]].brought += body["cents"]
        self.waiting = False

    def stand_aside(self, body: Body) -> None:
        """Sit out, or come back; a player who acts is not away any more (L24)."""
        seat = self.seats[body["place"]]
        seat.aside, seat.away = body["aside"], False
        self.waiting = False

    def be_away(self, body: Body) -> None:
        """Stop waiting for a player (L24)."""
        self.seats[body["place"]].away = True

    def come_back(self, body: Body) -> None:
        """Take part again (L24)."""
        self.seats[body["place"]].away = False
        self.waiting = False

    def leave(self, body: Body) -> None:
        """Begin to leave."""
        self.seats[body["place"]].leaving = True
        if self.untimed:  # without a lone person the clock starts again, whole (L25)
            self.follow_people()
        late = self.deadline is not None and self.step[0] > self.deadline
        if body.get("now") and not (self.phase == "betting" and late):
            self.back = body["place"]

    def left(self, body: Body) -> None:
        """Empty a place; a banker's turn ends with it."""
        self.move(("stack", body["place"]), ("in_transit", 0), body["cents"])
        self.move(("stack", body["place"]), ("house", 0), body.get("kept", 0))
        if body["place"] == self.last:
            self.turns = 0
        if self.phase == "betting":
            self.promises.pop(body["place"], None)
        del self.seats[body["place"]]

    def offer(self, body: Body) -> None:
        """Offer the bank."""
        self.phase, self.asked = "offering", body["place"]
        self.deadline = self.step[0] + self.pace("offer")
        self.unwanted = self.waiting = False

    def decline(self, body: Body) -> None:
        """Pass the bank on."""
        self.declined.add(body["place"])
        self.asked = self.deadline = None

    def want_no_bank(self, body: Body) -> None:
        """Wait until someone may want the bank."""
        self.phase, self.declined = "between", set()
        self.unwanted = self.waiting = True
        self.pause_from = self.step[0] - self.pace("pause")

    def post(self, body: Body) -> None:
        """Hold the bank and the most of its fee."""
        place, fee = body["place"], body.get("fee", 0)
        self.turns = self.turns + 1 if place == self.last else 1
        self.banker = self.last = place
        self.move(("stack", place), ("held", place), body["cents"] + fee)
        self.phase, self.asked, self.deadline = "opening", None, None
        for seat in self.seats.values():
            seat.reset()
        self.seats[place].bank, self.seats[place].fee = body["cents"], fee

    def start_chain(self, body: Body) -> None:
        """Take the room's seeds from a new chain from now on."""
        numbers = (body["chain"], body["epoch"], body["length"], body["reveal"])
        self.chain = Chain(*numbers, shown=from_hex(body["end"], 32, "end"))
        self.counts["chain"] += 1

    def begin_on_seed(self, body: Body) -> None:
        """Open the bets on a commitment to a seed."""
        self.seed = from_hex(body["seed"], 32)
        made = digest("queenhigh/commit/1", self.name, self.round + 1, self.digest, self.seed)
        demand(body["commitment"] == made.hex(), "the commitment is not to this seed")
        self.begin_round()

    def begin_on_chain(self, body: Body) -> None:
        """Open the bets on the next link of the chain."""
        self.chain.link += 1
        self.begin_round()

    def begin_round(self) -> None:
        """Open the bets."""
        self.round += 1
        self.promises, self.key, self.voided = {}, b"", []
        self.void_places, self.staked = set(), set()
        if not self.rules.banked:
            for seat in self.seats.values():
                seat.reset()
        self.phase, self.seeds, self.declined = "betting", {}, set()
        self.deadline = self.step[0] + self.pace("bets") if self.any_wager else None

    def add_seed(self, body: Body) -> None:
        """Add a place's seed."""
        self.seeds[body["place"]] = body["seed"]

    def commit(self, body: Body) -> None:
        """Note what a place committed to."""
        commitment = from_hex(body["commitment"], 32)
        bot = self.seats[body["place"]].bot
        self.promises[body["place"]] = Promise(self.step[1], commitment, bot)

    def show_seed(self, body: Body) -> None:
        """Note the seed that a place showed."""
        self.promises[body["place"]].shown = from_hex(body["seed"], 32)

    def wager(self, body: Body) -> None:
        """Hold wagers and their fee."""
        place, placed, fee = body["place"], read_wagers(body), body.get("fee", 0)
        if self.again is not None:
            del self.again["wagers"][place]
        if not self.any_wager:
            self.deadline = self.step[0] + self.pace("bets")
        seat = self.seats[place]
        seat.wagers = seat.wagers + placed
        seat.fee += fee
        seat.ready = seat.ready or body.get("ready", False)
        self.move(("stack", place), ("held", place), fee + sum(cents for _, cents in placed))

    def rule(self, body: Body) -> None:
        """Note a ruling; what it leads to must follow (L28)."""
        if body["ruling"] != "play_on":
            self.ruled = body
        if body["ruling"] == "redeal":
            bank = 0 if self.banker is None else self.seats[self.banker].bank
            wagers = {place: seat.wagers for place, seat in self.seats.items() if seat.wagers}
            self.again = {"banker": self.banker, "bank": bank, "wagers": wagers}

    def void_hand(self, body: Body) -> None:
        """Give a hand's wagers and its fee back; it has no part in the round any more (L28)."""
        place, seat = body["place"], self.seats[body["place"]]
        self.move(("held", place), ("stack", place), body["cents"])
        self.move(("fees", 0), ("stack", place), body.get("fee", 0))
        self.voided.append(seat.ante)
        self.void_places.add(place)
        seat.wagers, seat.fee, seat.collected = [], 0, 0

    def ask(self, body: Body) -> None:
        """Note a correction that waits for a second person."""
        self.corrections += 1
        self.asked_for[body["correction"]] = body, read_facts(body["facts"])

    def reject(self, body: Body) -> None:
        """Forget a correction that waited."""
        del self.asked_for[body["correction"]]

    def correct(self, body: Body) -> None:
        """Move the difference to where the players' chips are now (L30)."""
        past = self.settled(body["round"])
        del self.asked_for[body["correction"]]
        for row in body.get("chips", []):
            seat = row["seat"]
            account = ("in_transit", 0) if seat is None else ("stack", seat)
            self.books[account] += row["cents"]
            demand(seat is None or self.books[account] >= 0, f"place {seat} falls below zero")
        for row in body["moved"]:
            cents = row["cents"]
            if row["against"] == "fees":
                self.books["fees", 0] -= cents
                past.fees[row["place"]] -= cents
                continue
            past.nets[row["place"]] += cents
            if past.banker is None:
                self.books["house", 0] -= cents
            else:
                past.nets[past.banker] -= cents
        demand(self.books["fees", 0] >= 0, "the fees fall below zero")
        demand(sum(self.books.values()) == 0, "chips are lost")
        self.waiting = False

    def clear(self, body: Body) -> None:
        """Give wagers back; when a table closes, those in prison too."""
        seat = self.seats[body["place"]]
        if self.phase == "between":
            seat.prison = []
        seat.wagers, seat.fee, seat.ready = [], 0, False
        self.move(("held", body["place"]), ("stack", body["place"]), body["cents"])
        if not self.any_wager:
            self.deadline = None

    def be_ready(self, body: Body) -> None:
        """Note that a place is ready."""
        self.seats[body["place"]].ready = True

    def close_bets(self, body: Body) -> None:
        """Collect fees and release what was held too much."""
        for row in body.get("fees", []):
            place = row["place"]
            self.move(("held", place), ("fees", 0), row["cents"])
            self.seats[place].fee -= row["cents"]
            self.seats[place].collected += row["cents"]
        for row in body.get("released", []):
            self.move(("held", row["place"]), ("stack", row["place"]), row["cents"])
            self.seats[row["place"]].fee -= row["cents"]
        self.phase, self.deadline = "dealing", None
        if self.promises:
            self.phase, self.deadline = "revealing", self.step[0] + self.chain.reveal

    def deal_by_key(self, body: Body) -> None:
        """Deal the cards that follow from the key."""
        self.key = from_hex(body["key"], 32, "key")
        expect(body, self.dealing(self.key))
        self.deal(body)

    def land_by_key(self, body: Body) -> None:
        """Note the pocket that follows from the key."""
        self.key = from_hex(body["key"], 32, "key")
        expect(body, self.landing(self.key))
        self.land(body)

    def deal(self, body: Body) -> None:
        """Deal the cards."""
        assert isinstance(self.rules, Poker)
        self.places, self.cards = body["places"], body["cards"]
        self.staked = {*self.places, self.banker}
        button = self.rules.bank.get("first") == "button"
        self.first = body.get("first", self.dealt % self.rules.seats + 1 if button else 1)
        self.dealt += 1
        self.phase, self.deadline = "deciding", self.step[0] + self.pace("moves")

    def decide(self, body: Body) -> None:
        """Hold the Play wager, or fold."""
        seat, cents, fee = self.seats[body["place"]], body.get("cents", 0), body.get("fee", 0)
        seat.move, seat.play = body["move"], cents
        seat.fee += fee
        self.move(("stack", body["place"]), ("held", body["place"]), cents + fee)

    def uncover(self, text: str) -> None:
        """Check the seed that ends a round by scheme 2, against the chain and the key (L13)."""
        demand(text != "", "a round that is settled shows its seed")
        seed, chain = from_hex(text, 32, "seed"), self.chain
        made = digest("queenhigh/link/1", self.name, chain.number, chain.link, seed)
        which = f"link {chain.link} of chain {chain.number}"
        demand(made == chain.shown, f"the seed does not hash to the commitment: not {which}")
        fits = not self.key or self.round_key(seed) == self.key
        demand(fits, "the key of the deal does not follow from this seed")
        chain.shown = seed

    def settle(self, body: Body) -> None:
        """Pay and take as the round is settled."""
        for row in body.get("fees", []):
            self.move(("held", row["place"]), ("fees", 0), row["cents"])
        paid = ("house", 0) if self.banker is None else ("stack", self.banker)
        if self.banker is not None:
            bank = self.seats[self.banker].bank
            self.move(("held", self.banker), ("stack", self.banker), bank)
        for row in body["places"]:
            place, seat = row["place"], self.seats[row["place"]]
            stakes = seat.play + sum(cents for _, cents in seat.wagers)
            self.move(("held", place), ("pot", 0), stakes)
            self.move(("pot", 0), ("stack", place), min(stakes, stakes + row["net"]))
            self.move(("pot", 0), paid, max(0, -row["net"]))
        for row in body["places"]:
            self.move(paid, ("stack", row["place"]), max(0, row["net"]))
        self.finish(body)

    def keep(self, body: Body) -> Past:
        """Return all of a round that a correction needs, before it is over (L29)."""
        seats = self.seats.items()
        nets = Counter({row["place"]: row["net"] for row in body["places"]})
        if self.banker is not None:
            nets[self.banker] = body["net"]
        poker = isinstance(self.rules, Poker)
        bets = [bet for row in body["places"] for bet in row.get("bets", [])]
        return Past(
            rules=self.rules,
            banker=self.banker,
            bank=0 if self.banker is None else self.seats[self.banker].bank,
            first=self.first if poker else 1,
            pocket=self.pocket,
            dealer=self.cards[-3:],
            players={p: seat.player for p, seat in seats if seat.wagers or p == self.banker},
            hands=self.hands() if poker else [],
            bets={place: seat.wagers for place, seat in seats if seat.wagers},
            voided=self.voided,
            prison=any("held" in bet or "in_prison" in bet for bet in bets),
            nets=nets,
            fees=Counter({place: seat.fee + seat.collected for place, seat in seats}),
        )

    def land(self, body: Body) -> None:
        """Note the pocket."""
        self.pocket, self.phase = body["pocket"], "landed"
        self.staked = {p for p, seat in self.seats.items() if seat.wagers or seat.prison}

    def settle_spin(self, body: Body) -> None:
        """Pay and take as the spin is settled."""
        for row in body["places"]:
            place, seat = row["place"], self.seats[row["place"]]
            kept = [(bet["bet"], bet["held"]) for bet in row["bets"] if "held" in bet]
            stakes = sum(bet["stake"] for bet in row["bets"]) - sum(cents for _, cents in kept)
            self.move(("held", place), ("stack", place), stakes)
            self.move(("house", 0), ("stack", place), row["net"])
            seat.prison = kept
        self.finish(body)

    def void(self, body: Body) -> None:
        """Give everything back."""
        for row in body.get("returned", []):
            self.move(("held", row["place"]), ("stack", row["place"]), row["cents"])
            self.seats[row["place"]].prison = []
        for row in body.get("fees", []):
            self.move(("fees", 0), ("stack", row["place"]), row["cents"])
        self.counts["voided_after_close"] += self.phase != "betting"
        self.finish(body)

    def count_round(self) -> None:
        """Count a round that is over, and if it was dealt the seeds that places committed to."""
        self.counts[self.of_scheme("round")] += 1
        for promise in self.promises.values() if self.key else ():
            self.counts["seeds_left_out" if promise.shown is None else "seeds_shown"] += 1
        if self.staked:
            proved = self.bound and not self.chain.torn
            seeds = sum(map(self.binds, self.promises)) if proved else 0
            self.counts["binding_seeds"] += seeds
            self.counts["bound_by_players" if seeds else "room_could_choose"] += 1

    def binds(self, place: int) -> bool:
        """Return whether a player with a wager or the bank has shown a seed, and is not a bot."""
        promise = self.promises[place]
        return promise.shown is not None and not promise.bot and place in self.staked

    def finish(self, body: Body) -> None:
        """End the round: nothing is held but what is in prison, and the seed is shown."""
        if self.bound and body["type"] == "round.voided" and not body["seed"]:
            self.chain.torn = True
            self.counts["voided_without_seed"] += 1
        elif self.bound:
            self.uncover(body["seed"])
        self.count_round()
        if (self.name, self.round) in self.room.named:
            void = body["type"] == "round.voided"
            self.past[self.round] = None if void else self.keep(body)
        for place, seat in self.seats.items():
            seat.reset()
            kept = sum(cents for _, cents in seat.prison)
            demand(self.held(place) == kept, f"chips of place {place} stay held")
        demand(self.books["pot", 0] == 0 and sum(self.books.values()) == 0, "chips are lost")
        self.phase, self.deadline, self.banker = "between", None, None
        self.over, self.pause_from = self.over + 1, self.step[0]


def spin_rows(
    rules: Wheel, made: dict[int, list[Wager]], caught: dict[int, list[Wager]], pocket: str
) -> list[Body]:
    """Return the bets of each place as a spin settles them, those in prison first (L15)."""
    places: list[Body] = []
    for place in sorted({*made, *caught}):
        bets = [(*wager, True) for wager in caught.get(place, [])]
        bets += [(*wager, False) for wager in made.get(place, [])]
        rows: list[Body] = []
        for spot, stake, prison in bets:
            net, held, clause = rules.result(spot, stake, prison, pocket)
            row: Body = {"player": str(place), "bet": spot, "stake": stake, "net": net}
            row |= {"clause": clause, "held": held, "in_prison": prison or None}
            rows.append(without_defaults(row, SPIN_ROW))
        if rows:
            net = sum(row["net"] for row in rows)
            places.append({"place": place, "bets": rows, "net": net})
    return places


def read_facts(given: Body) -> Facts:
    """Return the facts of a correction; raise Bad unless they have their one form (L29)."""
    moves, wagers = given.get("moves", {}), given.get("wagers", {})
    for rows in (moves, wagers):
        demand(all(re.fullmatch("-?(0|[1-9][0-9]*)", key) for key in rows), "not a place")
        demand(list(rows) == sorted(rows, key=int), "the facts are not in order")
    demand(all(move in ("play", "fold") for move in moves.values()), "no such move")
    check_shape(list(wagers.values()), [[WAGER]], "wagers")
    written = all(list(row) == ["spot", "cents"] for rows in wagers.values() for row in rows)
    demand(written, "the wagers are not written as events are")
    placed = {place: read_wagers({"wagers": rows}) for place, rows in wagers.items()}
    return Facts(
        {int(place): move for place, move in moves.items()},
        {int(place): rows for place, rows in placed.items()},
        given.get("void", False),
    )


def differences(past: Past, again: Again) -> list[Difference]:
    """Return what has still to move of a round, as gains of places, in its order (L30)."""
    bank = [(p, "bank", again.nets[p] - past.nets[p]) for p in again.order]
    charged = sorted({*past.fees, *again.fees})
    fees = [(place, "fees", past.fees[place] - again.fees[place]) for place in charged]
    owe, get = [row for row in bank if row[2] < 0], [row for row in bank if row[2] > 0]
    back, due = [row for row in fees if row[2] > 0], [row for row in fees if row[2] < 0]
    return back + owe + get + due


def read_wagers(body: Body) -> list[Wager]:
    """Return the wagers of an event as pairs."""
    return [(wager["spot"], wager["cents"]) for wager in body["wagers"]]


def expect(body: Body, wanted: Body) -> None:
    """Raise Bad unless an event says what it should."""
    if body != wanted:
        raise Bad(f"{body['type']} should say {difference(body, wanted)}")


def difference(actual: Any, wanted: Any) -> str:
    """Return in words where something differs first from what is wanted."""
    if isinstance(wanted, dict) and isinstance(actual, dict):
        for key in wanted:
            if key not in actual or actual[key] != wanted[key]:
                return f"{key} {difference(actual.get(key), wanted[key])}"
        return "nothing of " + ", ".join(key for key in actual if key not in wanted)
    if isinstance(wanted, list) and isinstance(actual, list) and len(wanted) == len(actual):
        for number, (one, other) in enumerate(zip(actual, wanted, strict=True), 1):
            if one != other:
                return f"{number}: {difference(one, other)}"
    return json.dumps(wanted, ensure_ascii=False)


# For each event: the senders that may begin a step with it, and what it changes.

Act = Callable[[Table, Body], None]
ACTS: dict[str, tuple[Act | None, Act]] = {
    "table.opened": (Table.may_open, Table.open),
    "table.changed": (Table.may_change, Table.change),
    "change.announced": (Table.may_announce, Table.announce),
    "change.withdrawn": (Table.may_withdraw, Table.withdraw),
    "table.closing": (Table.may_close, Table.close),
    "table.closed": (None, Table.end),
    "seat.taken": (Table.may_sit, Table.sit),
    "seat.topped_up": (Table.may_top_up, Table.bring),
    "seat.aside": (Table.may_stand_aside, Table.stand_aside),
    "seat.away": (Table.may_be_away, Table.be_away),
    "seat.back": (Table.may_come_back, Table.come_back),
    "seat.leaving": (Table.may_leave, Table.leave),
    "seat.left": (None, Table.left),
    "bank.offered": (Table.may_offer, Table.offer),
    "bank.declined": (Table.may_decline, Table.decline),
    "bank.unwanted": (None, Table.want_no_bank),
    "bank.posted": (Table.may_bank, Table.post),
    "chain.started": (Table.may_start_chain, Table.start_chain),
    "round.opened": (Table.may_begin_on_seed, Table.begin_on_seed),
    "round.opened/2": (Table.may_begin_on_chain, Table.begin_on_chain),
    "seed.added": (Table.may_add_seed, Table.add_seed),
    "seed.committed": (Table.may_commit, Table.commit),
    "seed.shown": (Table.may_show, Table.show_seed),
    "wagers.placed": (Table.may_wager, Table.wager),
    "wagers.cleared": (Table.may_clear, Table.clear),
    "seat.ready": (Table.may_be_ready, Table.be_ready),
    "bets.closed": (Table.may_close_bets, Table.close_bets),
    "bets.closed/2": (Table.may_close_bets, Table.close_bets),
    "cards.dealt": (None, Table.deal),
    "cards.dealt/2": (Table.may_deal, Table.deal_by_key),
    "move.made": (Table.may_move, Table.decide),
    "round.settled": (None, Table.settle),
    "ball.landed": (None, Table.land),
    "ball.landed/2": (Table.may_deal, Table.land_by_key),
    "spin.settled": (None, Table.settle_spin),
    "round.voided": (Table.may_void, Table.void),
    "incident.ruled": (Table.may_rule, Table.rule),
    "hand.voided": (None, Table.void_hand),
    "correction.asked": (Table.may_ask, Table.ask),
    "correction.rejected": (Table.may_reject, Table.reject),
    "correction.made": (Table.may_correct, Table.correct),
    "clock.stopped": (Table.may_stop_clock, Table.stop_clock),
    "time.given": (Table.may_give_time, Table.give_time),
    "time.rebased": (Table.may_rebase_time, Table.rebase_time),
}


# The room: tables, wallets and the chain of hashes.

DEALING = {"scheme_1": "round", "scheme_2": "round/2", "chains": "chain"} | {
    name: name
    for name in (
        "seeds_shown", "seeds_left_out", "voided_after_close", "voided_without_seed",
        "bound_by_players", "binding_seeds", "room_could_choose",
    )
}  # fmt: skip


@dataclass
class Stream:
    """The end of a stream so far."""

    version: int = 0
    hash: bytes = bytes(32)
    at: int = 0


def chained(stream: Stream, event: Event, raw: bytes) -> bytes:
    """Return the hash that an event of these bytes has at the end of a stream (L1)."""
    return digest("queenhigh/event/1", stream.hash, event.stream, event.version, raw)


def written(step: Step, body: Body) -> bytes:
    """Return the bytes of an event whose fields have no defaults."""
    at, by, sent = step
    sender = {"at": at, "by": by} | ({} if sent is None else {"id": sent})
    values = {key: body[key] for key in EVENTS[body["type"]][0]}
    return encode({"type": f"{body['type']}/1"} | sender | values).removesuffix(b"\n")


class Room:
    """All streams of a log."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.staff = Staff()
        #: The rounds of tables that corrections name.
        self.named: set[tuple[str, int]] = set()
        self.streams: defaultdict[str, Stream] = defaultdict(Stream)
        self.tables: dict[str, Table] = {}
        self.wallets: Counter[str] = Counter()
        self.used: set[tuple[str, str, str | None]] = set()
        self.accounts: set[str] = set()
        self.renamed: set[str] = set()
        self.handed_over: dict[str, str] = {}
        self.receipts: dict[tuple[str, int], bytes | None] = {}
        self.heads: dict[int, bytes | None] = {}
        self.table: Table | None = None
        self.passed: list[tuple[str, Body]] = []
        self.passed_step: Step = (0, "", None)
        self.archived: set[str] = set()
        self.noted: dict[str, Any] = {}
        self.sides: set[tuple[str, int, str]] = set()
        self.events = self.rebased = self.hash_only = 0
        self.hash = bytes(32)

    @property
    def rounds(self) -> int:
        """Return how many rounds are over."""
        return sum(table.over for table in self.tables.values())

    @property
    def dealing(self) -> dict[str, int]:
        """Return how rounds were dealt, counted over all tables."""
        total = sum((table.counts for table in self.tables.values()), Counter[str]())
        return {name: total[kind] for name, kind in DEALING.items()}

    def take(self, event: Event) -> None:
        """Take the next event; raise Bad if it may not come (L1)."""
        demand(event.n == self.events + 1, f"n is {event.n} where {self.events + 1} comes")
        stream = self.streams[event.stream]
        demand(event.version == stream.version + 1, f"version {stream.version + 1} is missing")
        alike = event.archived == (event.stream in self.archived)
        demand(alike or not stream.version, "of this stream some events are archived, some are not")
        if event.archived:
            self.pass_over(event, stream)
        else:
            made = chained(stream, event, event.raw)
            demand(event.hash == made, "the hash is not that of the event")
            event.read()
            earlier = event.step[0] < stream.at and event.stream.startswith("table/")
            demand(not earlier or event.kind == "time.rebased", "at is before the event before")
            self.replay(event)
            self.rebased += event.kind == "time.rebased"
        stream.version, stream.hash, stream.at = event.version, event.hash, event.step[0]
        self.hash = digest("queenhigh/store/1", self.hash, event.hash)
        self.events += 1
        if (event.stream, event.version) in self.receipts:
            self.receipts[event.stream, event.version] = event.hash
        if self.events in self.heads:
            self.heads[self.events] = self.hash

    def pass_over(self, event: Event, stream: Stream) -> None:
        """Take an event that has only its hash: a wallet's must be the one that is due (L5)."""
        demand(len(event.hash) == 32, "the hash is not 32 bytes")
        self.archived.add(event.stream)
        self.hash_only += 1
        due = self.table.must_follow() if self.table else []
        demand(not due, f"{self.missing()} should come here")
        if not self.passed:
            self.table = None
            return
        player, wanted = self.passed.pop(0)
        demand(event.stream == f"wallet/{player}", f"the wallet of {player} should come here")
        made = chained(stream, event, written(self.passed_step, wanted))
        demand(event.hash == made, f"the hash is not that of the {wanted['type']} that is due")

    def replay(self, event: Event) -> None:
        """Replay an event where it belongs."""
        area, _, name = event.stream.partition("/")
        alone = event.stream in SINGLE
        demand(alone or (area in ("table", "wallet") and name != ""), "no such stream")
        demand(area == AREAS.get(event.kind.split(".")[0], "table"), f"not for {area}")
        if alone:
            missing = self.missing()
            demand(not missing, f"{missing} should come here")
            self.table = None
            self.to_office(event)
            return
        if self.table and area == "table" and name == self.table.name and self.table.fits(event):
            self.table.take(event)
            self.note(event)
            return
        missing = self.missing()
        if area == "wallet":
            self.to_wallet(name, event, missing)
            return
        for wanted in self.table.must_follow() if self.table else []:
            if wanted["type"] == event.kind and self.table and event.step == self.table.step:
                expect(event.body, wanted)
        demand(not missing, f"{missing} should come here")
        if name not in self.tables:
            self.tables[name] = Table(name, self)
        self.table = self.tables[name]
        self.table.begin(event)
        self.note(event)

    def missing(self) -> str:
        """Return in words what the last step still lacks, or nothing (L3)."""
        due = self.table.must_follow() if self.table else []
        if due:
            return ", or ".join(show(body) for body in due)
        return f"{self.passed[0][1]['type']} of {self.passed[0][0]}" if self.passed else ""

    def note(self, event: Event) -> None:
        """Note that a wallet must follow what a table took or gave (L4)."""
        if event.kind in ("seat.taken", "seat.topped_up", "seat.left") and self.table:
            kind = "wallet.cashed_out" if event.kind == "seat.left" else "wallet.bought_in"
            player, cents = event.body["player"], event.body["cents"]
            brings = event.kind != "seat.left"
            covered = not brings or self.wallets[player] >= cents
            covered = covered or f"wallet/{player}" in self.archived
            demand(covered, f"the wallet of {player} has less than {cents}")
            if brings or event.step[1] == player:
                self.use(player, event, once=brings)
            body = make(kind, version=event.version, cents=cents, table=self.table.name)
            self.passed.append((player, body))
            self.passed_step = event.step
        if event.kind == "correction.made" and self.table:
            self.passed_step = event.step
            for row in event.body.get("chips", []):
                if row["seat"] is None:
                    given = {"cents": row["cents"], "table": self.table.name}
                    body = make("wallet.corrected", version=event.version, **given)
                    self.passed.append((row["player"], body))

    def may(self, sender: str, permission: str) -> bool:
        """Return whether a sender has a permission; of an archived staff nobody knows (L5)."""
        if "staff" in self.archived:
            return sender.startswith(("staff ", "token ", "floor from ")) or sender == "floor"
        return self.staff.may(sender, permission)

    def are_two(self, asker: str, approver: str, at: int) -> bool:
        """Return whether an approver is another person; before that was required, everyone is."""
        known = self.staff.needs_two and "staff" not in self.archived
        return not known or self.staff.are_two(asker, approver, at)

    def name_now(self, player: str, place: int, body: Body) -> str:
        """Return the name that a player of a corrected round has now (L26).

        Where the wallet is archived, it is the one that the correction gives (L5).
        """
        while player in self.handed_over:
            player = self.handed_over[player]
        if f"wallet/{player}" in self.archived:
            for row in body.get("chips", []):
                if row["place"] == place and f"wallet/{row['player']}" in self.archived:
                    return str(row["player"])
        return player

    def purse(self, player: str, place: int, banker: int | None, body: Body) -> int:
        """Return what a wallet holds; of an archived one, what the correction took of it (L5)."""
        if f"wallet/{player}" not in self.archived:
            return self.wallets[player]
        if not any("owed" in row for row in body["moved"]):
            return sys.maxsize
        taken = has = 0
        for row in body["moved"]:
            own = row["place"] == place
            bank = row["against"] == "bank" and place == banker
            has += row["cents"] if own else -row["cents"] if bank else 0
            taken = max(taken, -has)
        return taken

    def unnoted(self) -> str | None:
        """Return a stream that has only hashes, and that the floor did not archive (L5)."""
        for name in sorted(self.archived):
            area, _, table = name.partition("/")
            end = {"version": self.streams[name].version, "hash": self.streams[name].hash.hex()}
            if area != "table" or self.noted.get(table) != end:
                return name
        return None

    def to_office(self, event: Event) -> None:
        """Take an event of the floor, of accounts or of the staff (L21)."""
        by, player = event.step[1], event.body.get("player")
        if event.stream == "staff":
            self.staff.take(event.kind, by, event.step[0], event.body)
            return
        if event.kind == "floor.acted":
            action = event.body["action"]
            demand(action != "", "the floor says how it acts")
            demand(self.may(by, action), f"{by} may not {action} at this time")
            if event.body["action"] == "archive":
                self.noted[event.body["subject"]] = event.body.get("after")
            return
        demand(player not in ("", "clock", "floor"), "this is not a valid player name")
        demand(player not in self.renamed, f"{player} has another name")
        own = by == player
        if event.kind == "account.frozen":
            own = self.may(by, "freeze" if event.body["frozen"] else "thaw")
        demand(own, f"{event.kind} is not for {by} to do at this time")
        demand(event.kind != "account.opened" or player not in self.accounts, "opened before")
        self.accounts.add(str(player))
        if event.kind == "account.renamed":
            name = event.body["name"]
            demand(name not in ("", "clock", "floor"), "this is not a valid player name")
            demand(name not in self.accounts, "opened before")
            self.accounts.add(name)
            self.renamed.add(str(player))

    def to_wallet(self, name: str, event: Event, missing: str) -> None:
        """Take an event of a wallet (L4)."""
        demand(name not in self.handed_over, f"{name} has another name (L26)")
        if event.kind == "wallet.issued":
            demand(not missing, f"{missing} should come here")
            demand(event.step[1] == "floor", "only the floor may issue chips")
            demand(event.body["cents"] > 0, "no chips")
            self.use(name, event, once=True)
            self.table = None
            self.wallets[name] += event.body["cents"]
            return
        due = self.table.must_follow() if self.table else []
        demand(not due, f"{missing} should come here")
        if event.kind == "wallet.handed_over":
            demand(not missing, f"{missing} should come here")
            self.hand_over(name, event)
            return
        if not self.passed:
            self.believe(name, event)
            return
        player, wanted = self.passed.pop(0)
        demand(name == player, f"the wallet of {player} should come here")
        demand(event.step == self.passed_step, "not of the same step")
        expect(event.body, wanted)
        self.move(name, event)

    def hand_over(self, name: str, event: Event) -> None:
        """Take all chips of a wallet; the wallet of the new name must have them next (L26)."""
        cents, new = event.body["cents"], event.body["to"]
        demand(event.step[1] == name, "only the player hands chips over")
        demand(cents == self.wallets[name] and cents > 0, f"the wallet has {self.wallets[name]}")
        demand(new not in ("", "clock", "floor"), "this is not a valid player name")
        demand(f"wallet/{new}" not in self.streams, f"there was a wallet of {new} before")
        self.use(name, event, once=True)
        self.table, self.passed_step = None, event.step
        self.handed_over[name] = new
        self.wallets[name] = 0
        self.passed.append((new, make("wallet.taken_over", **{"cents": cents, "from": name})))

    def believe(self, name: str, event: Event) -> None:
        """Take what a wallet says of a table that is archived (L5)."""
        demand(event.kind != "wallet.taken_over", "no wallet hands these chips over")
        table, version, cents = (event.body[key] for key in ("table", "version", "cents"))
        stream = f"table/{table}"
        there = stream in self.archived and 0 < version <= self.streams[stream].version
        corrected = event.kind == "wallet.corrected"
        side = (table, version, name if corrected else "")
        other = there and side not in self.sides and (cents >= 0 or corrected)
        demand(other, "no table has the other side")
        self.sides.add(side)
        bought = event.kind == "wallet.bought_in"
        if bought or event.step[1] == name:
            self.use(name, event, once=bought)
        self.table = None
        self.move(name, event)

    def move(self, name: str, event: Event) -> None:
        """Move chips from a wallet to a table, or back."""
        bought = event.kind == "wallet.bought_in"
        self.wallets[name] += -event.body["cents"] if bought else event.body["cents"]
        demand(self.wallets[name] >= 0, f"the wallet of {name} falls below zero")

    def use(self, name: str, event: Event, *, once: bool) -> None:
        """Note the id by which chips of a wallet moved; demand that it is new (L22)."""
        sent = (name, *event.step[1:])
        demand(not once or sent not in self.used, f"id {event.step[2]} was already executed")
        self.used.add(sent)


def show(body: Body) -> str:
    """Return a due event in few words."""
    place = f" of place {body['place']}" if "place" in body else ""
    return f"{body['type']}{place}"


# Files.


@dataclass
class Head:
    """The head of a log."""

    events: int
    hash: bytes
    key: bytes
    signature: bytes


@dataclass
class Report:
    """What came of it: good, or which event is bad and why; n is None for a bad head."""

    ok: bool
    events: int
    rounds: int
    dealing: dict[str, int]
    key: str | None = None
    n: int | None = None
    stream: str | None = None
    version: int | None = None
    reason: str | None = None
    rebased: int = 0
    receipts: list[Body] = field(default_factory=list)
    hash_only: int = 0


RECEIPT: Shape = (
    {"key": str, "epoch": int, "stream": str, "version": int, "hash": str, "signature": str},
    {},
)


PUBLISHED: Shape = ({"key": str, "events": int, "hash": str, "signature": str}, {})
PLACES = ("events", "stream", "version", "epoch")


def read_receipts(path: str | Path) -> list[Body]:
    """Return the receipts of a file, one or a list; raise Unreadable if it has something else."""
    try:
        value = parse(Path(path).read_bytes())
        receipts = [read_receipt(raw) for raw in (value if isinstance(value, list) else [value])]
    except (OSError, Bad) as error:
        raise Unreadable(f"{path} is not a receipt: {error}") from None
    return receipts


def read_receipt(raw: Any) -> Body:
    """Return a receipt, or the head that a room published, if it has the right shape."""
    receipt, shape = raw, RECEIPT
    if isinstance(raw, dict) and isinstance(raw.get("head"), dict):
        receipt, shape = {"key": raw.get("key")} | raw["head"], PUBLISHED
    check_shape(receipt, shape, "the receipt")
    for key, size in (("key", 32), ("hash", 32), ("signature", 64)):
        from_hex(receipt[key], size)
    return dict(receipt)


def check_signed(receipt: Body, key: str) -> str | None:
    """Return why a receipt is not one that this key signed, or None."""
    names = ("events",) if "events" in receipt else ("epoch", "stream", "version")
    tag = "queenhigh/head/1" if "events" in receipt else "queenhigh/receipt/1"
    message = fields(tag, *(receipt[name] for name in names), bytes.fromhex(receipt["hash"]))
    if receipt["key"] != key:
        return "it is signed by another key"
    good = signed(bytes.fromhex(key), message, bytes.fromhex(receipt["signature"]))
    return None if good else "its signature is wrong"


def contradictions(receipts: list[Body], reasons: list[str | None]) -> dict[int, str]:
    """Return which signed receipts say different things of one event, by their positions."""
    events: defaultdict[tuple[Any, ...], dict[int, str]] = defaultdict(dict)
    for number, (receipt, reason) in enumerate(zip(receipts, reasons, strict=True), 1):
        if reason is None and "stream" in receipt:
            place = tuple(receipt[name] for name in ("stream", "version", "epoch"))
            events[place][number] = receipt["hash"]
    contradicted: dict[int, str] = {}
    for hashes in events.values():
        if len(set(hashes.values())) > 1:
            which = " and ".join(map(str, hashes))
            reason = f"receipts {which} are signed for the same event, and differ"
            contradicted |= dict.fromkeys(hashes, f"{reason}: the room contradicts itself")
    return contradicted


def compare_receipt(room: Room, receipt: Body) -> str | None:
    """Return in what the log differs from a signed receipt, or None."""
    if "events" in receipt:
        made = room.heads[receipt["events"]]
    else:
        made = room.receipts[receipt["stream"], receipt["version"]]
    if made is None:
        return "the log has no such event"
    return None if made.hex() == receipt["hash"] else "the log says something else up to there"


def check_receipts(room: Room, report: Report, receipts: list[Body]) -> Report:
    """Return a report with what came of receipts; one that is wrong makes the log bad."""
    if not report.ok:
        return report
    unsigned = [check_signed(receipt, report.key or "") for receipt in receipts]
    rivals = contradictions(receipts, unsigned)
    for number, receipt in enumerate(receipts, 1):
        reason = unsigned[number - 1] or rivals.get(number) or compare_receipt(room, receipt)
        place = {name: receipt[name] for name in PLACES if name in receipt}
        report.receipts.append(place | {"ok": reason is None, "reason": reason})
    report.ok = all(checked["ok"] for checked in report.receipts)
    return report


def encode(value: Body) -> bytes:
    """Return a line of a log file."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def read_line(n: int, line: bytes) -> Event:
    """Return the event of a line of a log file."""
    numbers, optional = {"n": int, "stream": str, "version": int, "hash": str}, {"event": (str, "")}
    values = parse(line)
    check_shape(values, (numbers, optional), "the line")
    keys = [key for key in ("n", "stream", "version", "event", "hash") if key in values]
    demand(encode({key: values[key] for key in keys}) == line, "not as a log writes it")
    return Event(
        values["n"],
        values["stream"],
        values["version"],
        values.get("event", "").encode(),
        from_hex(values["hash"], 32),
    )


def read_head(line: bytes) -> Head:
    """Return the head of a log file."""
    try:
        demand(line != b"", "it is missing")
        value = parse(line)
        demand(type(value) is dict and list(value) == ["head"], "it is missing")
        inner = value["head"]
        shape: Shape = ({"events": int, "hash": str, "key": str, "signature": str}, {})
        check_shape(inner, shape, "it")
        keys = ("events", "hash", "key", "signature")
        wanted = {"head": {key: inner[key] for key in keys}}
        demand(encode(wanted) == line, "not as a log writes it")
        made, key = from_hex(inner["hash"], 32), from_hex(inner["key"], 32)
        return Head(inner["events"], made, key, from_hex(inner["signature"], 64))
    except Bad as bad:
        raise BadHead(str(bad)) from None


Lines = Iterator[tuple[int, Event | Bad]]

#: How the URL of a PostgreSQL database begins, and how many of its rows are fetched at a time.
URLS = ("postgresql://", "postgres://")
ROWS_AT_ONCE = 5_000


def lines_of(lines: list[bytes]) -> Lines:
    """Yield the events of a log file, or why a line is none."""
    for n, line in enumerate(lines, 1):
        try:
            yield n, read_line(n, line)
        except Bad as bad:
            yield n, bad


def open_store(path: Path) -> sqlite3.Connection:
    """Return a store opened for reading only, at one moment.

    Where nothing lies beside it that a room has still to write into it, nothing is put there.
    """
    beside = (path.with_name(path.name + end) for end in ("-wal", "-journal"))
    live = any(other.exists() and other.stat().st_size for other in beside)
    uri = path.resolve().as_uri() + ("?mode=ro" if live else "?mode=ro&immutable=1")
    store = sqlite3.connect(uri, uri=True, isolation_level=None)
    store.execute("begin")
    return store


EVENTS_OF_A_STORE = (
    "select event.id, name, version, event, hash from event"
    " left join stream on stream.id = event.stream order by event.id"
)
#: How an event begins that asks for a correction, and those events of a store.
ASKED = b'{"type":"correction.asked/1"'
CORRECTIONS_OF_A_STORE = (
    "select event.id, name, version, event, hash from event"
    f" join stream on stream.id = event.stream where substr(event, 1, {len(ASKED)}) = {{}}"
)
HEAD_OF_A_STORE = "select events, hash, key, signature from head"


def rows_of(rows: Iterable[Any]) -> Lines:
    """Yield the events of a store, or why a row is none."""
    for n, row in enumerate(rows, 1):
        types = [type(value) for value in row]
        if types == [int, str, int, bytes, bytes]:
            yield n, Event(*row)
        else:
            yield n, Bad("not a row of a store")


def corrections_of(lines: list[bytes]) -> list[bytes]:
    """Return the lines of a log file that may ask for corrections."""
    return [line for line in lines if b"correction.asked/1" in line]


def rounds_named(asked: Lines) -> set[tuple[str, int]]:
    """Return the rounds of tables that corrections name, to be kept while the log is read (L29)."""
    named = set()
    for _, event in asked:
        if isinstance(event, Event) and event.raw.startswith(ASKED):
            try:
                named.add((event.stream.removeprefix("table/"), parse(event.raw).get("round")))
            except (Bad, *SENSELESS):  # it is reported where it stands
                continue
    return named


def read_store_head(rows: list[Any]) -> Head:
    """Return the head of a store."""
    if len(rows) != 1:
        raise BadHead("there are several" if rows else "it is missing")
    if [type(value) for value in rows[0]] != [int, bytes, bytes, bytes]:
        raise BadHead("not the head of a store")
    return Head(*rows[0])


def check_events(room: Room, events: Lines) -> Report | None:
    """Return a report of the first bad event, or None."""
    for n, event in events:
        try:
            if isinstance(event, Bad):
                raise event
            room.take(event)
        except (Bad, *SENSELESS) as bad:
            reason = str(bad) if isinstance(bad, Bad) else f"it makes no sense: {bad!r}"
            report = Report(False, room.events, room.rounds, room.dealing, n=n, reason=reason)
            if isinstance(event, Event):
                report.stream, report.version = event.stream, event.version
            return report
    return None


def check_end(room: Room, head: Head, key: str | None, check_head: bool) -> Report:
    """Return a report on the end of a log: the last step, then the head (L1)."""
    short = room.missing()
    if check_head and head.events > room.events:
        short = short or "an event"
    if short:
        n = room.events + 1
        return Report(
            False, room.events, room.rounds, room.dealing, n=n, reason=f"{short} is missing"
        )
    if check_head:
        message = fields("queenhigh/head/1", head.events, head.hash)
        for fine, reason in (
            (head.events == room.events, f"it counts {head.events} of {room.events} events"),
            (head.hash == room.hash, "its hash is not that of the events"),
            (key is None or key.lower() == head.key.hex(), "it is signed by another key"),
            (signed(head.key, message, head.signature), "its signature is wrong"),
        ):
            if not fine:
                raise BadHead(reason)
    counted = (room.events, room.rounds, room.dealing)
    extra = {"rebased": room.rebased, "hash_only": room.hash_only}
    return Report(True, *counted, key=head.key.hex(), **extra)


def check_noted(room: Room, report: Report) -> Report:
    """Return a report on a store; the floor must have noted what is there by hashes only (L5)."""
    name = room.unnoted() if report.ok else None
    if name is not None:
        report.ok, report.stream, report.version = False, name, room.streams[name].version
        report.reason = "only hashes are here, and the floor has not noted an archive of it"
    return report


def read_file(path: Path) -> list[bytes]:
    """Return the lines of a log file or an archive."""
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        raw = gzip.decompress(raw)
    return [line for line in re.split(rb"(?<=\n)", raw) if line]


def fill(events: Lines, archives: Sequence[str | Path]) -> Lines:
    """Yield events; those that are archived with the bytes that an archive has of them."""
    kept: dict[int, Event] = {}
    for archive in archives:
        for _, event in lines_of(read_file(Path(archive))[:-1]):
            if isinstance(event, Bad):
                raise Unreadable(f"{archive} is not an archive: {event}")
            if not event.archived:
                kept[event.n] = event
    for n, event in events:
        if isinstance(event, Event) and event.archived and n in kept:
            place = (event.n, event.stream, event.version, event.hash)
            there = kept[n]
            if place != (there.n, there.stream, there.version, there.hash):
                raise Unreadable(f"an archive is of another store: event {n} differs")
            yield n, there
        else:
            yield n, event


def verify(
    path: str | Path,
    key: str | None = None,
    *,
    check_head: bool = True,
    receipts: Sequence[str | Path] = (),
    archives: Sequence[str | Path] = (),
) -> Report:
    """Return a report on a store or a log file; raise Unreadable if it cannot be read."""
    room, kept = Room(), [receipt for file in receipts for receipt in read_receipts(file)]
    for archive in archives:
        room.named |= rounds_named(lines_of(corrections_of(read_file(Path(archive)))))
    for receipt in kept:
        if "events" in receipt:
            room.heads[receipt["events"]] = None
        else:
            room.receipts[receipt["stream"], receipt["version"]] = None
    if str(path).startswith(URLS):
        report = check_database(room, str(path), key, check_head, archives)
    else:
        report = check_file(room, Path(path), key, check_head, archives)
    return check_receipts(room, report, kept)


def check_file(
    room: Room, path: Path, key: str | None, check_head: bool, archives: Sequence[str | Path]
) -> Report:
    """Return a report on a file, with archives of it, but without receipts."""
    try:
        with path.open("rb") as file:
            is_store = file.read(16) == b"SQLite format 3\0"
        if is_store:
            store = open_store(path)
            try:
                asked = store.execute(CORRECTIONS_OF_A_STORE.format("?"), (ASKED,))
                room.named |= rounds_named(rows_of(asked))
                bad = check_events(room, fill(rows_of(store.execute(EVENTS_OF_A_STORE)), archives))
                if bad is None:
                    head = read_store_head(store.execute(HEAD_OF_A_STORE).fetchall())
                report = bad or check_end(room, head, key, check_head)
                return check_noted(room, report)
            finally:
                store.close()
        lines = read_file(path)
        room.named |= rounds_named(lines_of(corrections_of(lines)))
        bad = check_events(room, fill(lines_of(lines[:-1]), archives))
        return bad or check_end(room, read_head(lines[-1] if lines else b""), key, check_head)
    except BadHead as bad_head:
        return Report(False, room.events, room.rounds, room.dealing, reason=str(bad_head))
    except (OSError, EOFError, zlib.error, sqlite3.Error) as error:
        raise Unreadable(f"{path} cannot be read: {error}") from None


def without_password(url: str) -> str:
    """Return a URL as it may be shown."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def check_database(
    room: Room, url: str, key: str | None, check_head: bool, archives: Sequence[str | Path]
) -> Report:
    """Return a report on a room in PostgreSQL at one moment, with archives of it."""
    try:
        psycopg: Any = import_module("psycopg")
    except ImportError:
        raise Unreadable("PostgreSQL needs psycopg: pip install 'psycopg[binary]'") from None
    try:
        with psycopg.connect(url, connect_timeout=10, client_encoding="UTF8") as db:
            db.isolation_level, db.read_only = psycopg.IsolationLevel.REPEATABLE_READ, True
            db.execute("set local search_path to queenhigh")
            if db.execute("select 1 from room where unfinished is not null").fetchone():
                raise Unreadable(f"the copy into {without_password(url)} is not finished")
            with db.cursor(name="events", binary=True) as rows:
                rows.itersize = ROWS_AT_ONCE
                asked = db.execute(CORRECTIONS_OF_A_STORE.format("%s"), (ASKED,), binary=True)
                room.named |= rounds_named(rows_of(asked))
                rows.execute(EVENTS_OF_A_STORE)
                bad = check_events(room, fill(rows_of(rows), archives))
            head = db.execute(HEAD_OF_A_STORE, binary=True).fetchall()
        report = bad or check_end(room, read_store_head(head), key, check_head)
        return check_noted(room, report)
    except BadHead as bad_head:
        return Report(False, room.events, room.rounds, room.dealing, reason=str(bad_head))
    except (OSError, EOFError, zlib.error, psycopg.Error) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        if type(error) is psycopg.ProgrammingError:  # of the URL; its text may have the password
            reason = "check its options, and in its password write %25 for a % and %40 for an @"
        raise Unreadable(f"{without_password(url)} cannot be read: {reason}") from None


def count(number: int, thing: str) -> str:
    """Return so many things in words."""
    return f"{number:,} {thing}" if number == 1 else f"{number:,} {thing}s"


def dealing_line(counts: dict[str, int]) -> str:
    """Return how rounds were dealt, in words."""
    old, new, lost = counts["scheme_1"], counts["scheme_2"], counts["voided_without_seed"]
    bound, free, seeds = (
        counts[name] for name in ("bound_by_players", "room_could_choose", "binding_seeds")
    )
    whose = "player's seed" if seeds == 1 else "players' seeds"
    line = f"Dealing: {bound:,} of {count(old + new, 'round')} bound by a chain and by"
    line += f" {seeds:,} {whose}."
    if free:
        line += f" {count(free, 'round')}: no player's seed is known to bind the deal,"
        line += f" so the room could have chosen {'it' if free == 1 else 'these'}."
    if bound + free < old + new:
        line += f" {count(old + new - bound - free, 'round')} voided before the deal."
    if counts["chains"]:
        line += f" {count(counts['chains'], 'chain')} for {count(new, 'round')}."
    if old:
        line += f" {count(old, 'round')} by scheme 1, without a chain."
    line += f" Players' seeds: {counts['seeds_shown']:,} shown,"
    line += f" {counts['seeds_left_out']:,} left out."
    line += f" {count(counts['voided_after_close'], 'round')} voided after bets closed."
    if lost:
        line += f" {count(lost, 'round')} voided without revealing the seed:"
        line += f" {'its' if lost == 1 else 'their'} deal cannot be verified."
    return line


def report_lines(report: Report, as_json: bool) -> list[str]:
    """Return a report as lines of words or a line of JSON."""
    fine = report.ok or bool(report.receipts)
    if as_json:
        values = asdict(report)
        bad = {name: values.pop(name) for name in ("n", "stream", "version", "reason")}
        return [json.dumps(values | {"bad": None if fine else bad}, ensure_ascii=False)]
    if fine:
        rebased = f", time rebased {report.rebased} times" if report.rebased else ""
        counted = f"{report.events} events, {report.rounds} rounds{rebased}"
        good = f"OK: {counted}, signed by {report.key}"
        good += f"; {report.hash_only} checked by hash" if report.hash_only else ""
        lines = [good, dealing_line(report.dealing)]
        return lines + [receipt_line(receipt) for receipt in report.receipts]
    if report.n is None and report.stream is not None:
        return [f"BAD: after ({report.stream} {report.version}): {report.reason}"]
    if report.n is None:
        return [f"BAD: head: {report.reason}"]
    where = f" ({report.stream} {report.version})" if report.stream is not None else ""
    return [f"BAD: event {report.n}{where}: {report.reason}"]


def receipt_line(checked: Body) -> str:
    """Return what came of a receipt in words."""
    if "events" in checked:
        place = f"head of {checked['events']} events"
    else:
        place = f"receipt of {checked['stream']} {checked['version']}, epoch {checked['epoch']}"
    verdict = "OK" if checked["ok"] else "BAD"
    return f"{verdict}: {place}: {checked['reason'] or 'found in the log'}"


class Parser(argparse.ArgumentParser):
    """A command line that is refused in one sentence."""

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit with 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main() -> int:
    """Verify the file named on the command line; return the exit status."""
    parser = Parser(description="Verify the log of a card room.")
    parser.add_argument("file", help="a store, its postgresql:// URL, a log file or an archive")
    parser.add_argument("--archive", action="append", default=[], help="an archive of the file")
    parser.add_argument("--json", action="store_true", help="write JSON for programs")
    parser.add_argument("--key", help="the room's public key in hexadecimal")
    parser.add_argument("--receipt", action="append", default=[], help="one that the room gave")
    args = parser.parse_args()
    try:
        report = verify(args.file, args.key, receipts=args.receipt, archives=args.archive)
    except Unreadable as error:
        sys.stderr.write(f"{error}\n")
        return 2
    lines = [
        "".join(c if c.isprintable() else "?" for c in line)
        for line in report_lines(report, args.json)
    ]
    try:
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines).encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
