"""Rounds at the edges of the rules, the same in every run: cases that random rounds rarely meet.

Every limit and one cent beyond it, the bank at every sum where it runs out, every class of hand
against every other, and every bet on every pocket. A round beyond a limit names its refusal.
"""

from collections.abc import Iterator
from itertools import accumulate, product
from typing import Any, NamedTuple

from tests.oracle import plain
from tests.oracle.plain import Json
from tests.oracle.rounds import EVEN_MONEY, WHEELS


class Edge(NamedTuple):
    """A round, and the code and the clause it is refused with; none where it is settled."""

    round: Json
    refusal: tuple[str, str | None] | None = None


def of(name: str, reading: Json) -> Iterator[Edge]:
    """Return all edges of a rulebook under a reading."""
    if name == "california":
        yield from california_limits(reading)
        yield from california_banks()
        yield from (Edge(california(hand, dealer, move)) for hand, dealer, move in showdowns())
    elif name == "house":
        yield from house_limits(reading)
        yield from (
            Edge(house(hand, dealer, move, ante=101 if reading.get("scope") == "total" else 301))
            for hand, dealer, move in showdowns()
        )
    else:
        yield from roulette_limits(reading)
        yield from chips_on_one_spot(reading)
        yield from every_bet_on_every_pocket(name, reading)


# Hands

#: The ends of each class and of hands that do not qualify: ranks, and whether they are suited.
HANDS = [
    ("532", False), ("JT8", False), ("Q32", False), ("QJ9", False), ("AKJ", False),
    ("322", False), ("A22", False), ("AA2", False), ("KAA", False),
    ("532", True), ("AKJ", True),
    ("A32", False), ("432", False), ("AKQ", False),
    ("222", False), ("AAA", False),
    ("A32", True), ("432", True), ("KQJ", True), ("AKQ", True),
]  # fmt: skip


def spellings(ranks: str, suited: bool) -> Iterator[list[str]]:
    """Yield the ways to hold these ranks, suited or not."""
    for suits in product("cdhs", repeat=3):
        hand = [rank + suit for rank, suit in zip(ranks, suits, strict=True)]
        if len(set(hand)) == 3 and (len(set(suits)) == 1) == suited:
            yield hand


def apart(player: tuple[str, bool], dealer: tuple[str, bool]) -> tuple[str, str] | None:
    """Return two hands without a common card, or nothing if the deck has not enough of a rank."""
    for own, theirs in product(spellings(*player), spellings(*dealer)):
        if not set(own) & set(theirs):
            return " ".join(own), " ".join(theirs)
    return None


#: Each of them against each of them; three of a kind does not meet its own rank.
MEETINGS = [hands for pair in product(HANDS, HANDS) if (hands := apart(*pair))]


def showdowns() -> Iterator[tuple[str, str, str]]:
    for hand, dealer in MEETINGS:
        yield hand, dealer, "play"
        yield hand, dealer, "fold"


def neighbours(ace_low: bool) -> list[tuple[str, str]]:
    """Return each hand of distinct strength against the next weaker, its like and the next."""
    ranks = "AKQJT98765432"
    by_rank: dict[Any, tuple[str, bool]] = {}
    for three, suited in product(product(ranks, repeat=3), (False, True)):
        hand = "".join(sorted(three, key=ranks.index))
        if cards := next(spellings(hand, suited), None):
            (kind, deciding), _ = plain.rank_hand(" ".join(cards), ace_low)
            by_rank[kind, tuple(deciding)] = (hand, suited)
    ladder = [by_rank[rank] for rank in sorted(by_rank)]
    assert len(ladder) == 741
    near = [
        apart(ladder[place], ladder[other])
        for place in range(741)
        for other in (place - 1, place, place + 1)
        if 0 <= other < 741
    ]
    return [hands for hands in near if hands]


# Three Card Poker


def california(hand: str, dealer: str, move: str = "play", **changes: int) -> Json:
    seat = {"seat": 4, "cards": hand, "ante": 700, "bonus": 500, "move": move}
    table = {"bank": 10**7, "first": 2}
    for key, value in changes.items():
        (table if key in table else seat)[key] = value
    return {"dealer": dealer, **table, "seats": [seat]}


def house(hand: str, dealer: str, move: str = "play", **changes: int) -> Json:
    seat = {"seat": 4, "cards": hand, "ante": 301, "pair_plus": 103, "move": move, **changes}
    return {"dealer": dealer, "seats": [seat]}


def around(*limits: int) -> list[int]:
    return sorted({limit + step for limit in limits for step in (-1, 0, 1)})


def california_limits(reading: Json) -> Iterator[Edge]:
    hand, dealer = "As Ks Qs", "Qd 7c 2h"
    refused = ("wager.limits", "CA-7")
    for ante in around(500, 10_000, 10_001, 30_000, 30_001, 100_000):
        legal = 500 <= ante <= 100_000
        yield Edge(california(hand, dealer, ante=ante), None if legal else refused)
        largest = california(hand, dealer, ante=ante)
        largest["seats"].append({"seat": 9, "cards": "9c 8d 2s", "ante": 500, "move": "fold"})
        yield Edge(largest, None if legal else refused)
    least_bonus = 500 if reading.get("fee_per") == "wager" else 100  # it needs a collection rate
    for bonus in around(100, 500, 10_000):
        legal = least_bonus <= bonus <= 10_000
        yield Edge(california(hand, dealer, bonus=bonus), None if legal else refused)
    for bank in (0, 1, 2):
        yield Edge(california(hand, dealer, bank=bank), None if bank else ("bank.range", "CA-20"))
    for place in (0, 1, 10, 11):
        legal = 1 <= place <= 10
        yield Edge(california(hand, dealer, seat=place), None if legal else ("seat.range", None))
        yield Edge(california(hand, dealer, first=place), None if legal else ("first.range", None))


def house_limits(reading: Json) -> Iterator[Edge]:
    hand, dealer = "As Ks Qs", "Qd 7c 2h"
    refused = ("wager.limits", "HO-1")
    other = 100 if reading.get("scope") == "total" else 301
    for wager, stake in product(("ante", "pair_plus"), around(100, 300, 400)):
        legal = 100 <= stake <= 400
        if reading.get("scope") == "total":
            legal = legal and stake + other <= 400
        stakes = {"ante": other, "pair_plus": other, wager: stake}
        yield Edge(house(hand, dealer, "play", **stakes), None if legal else refused)
        alone = house(hand, dealer, "play", **{wager: stake})
        del alone["seats"][0]["ante" if wager == "pair_plus" else "pair_plus"]
        if wager == "pair_plus":
            del alone["seats"][0]["move"]
        yield Edge(alone, None if 100 <= stake <= 400 else refused)
    for place in (0, 1, 7, 8):
        legal = 1 <= place <= 7
        edge = house(hand, dealer, seat=place, pair_plus=other, ante=other)
        yield Edge(edge, None if legal else ("seat.range", None))
    needless = {**house(hand, dealer, ante=other, pair_plus=other), "bank": 1}
    yield Edge(needless, ("bank.needless", None))


#: Tables where seats win, lose, tie, fold and push, in turns.
TABLES: list[tuple[str, list[tuple[int, str, int, int, str]]]] = [
    ("Qs 7d 2c", [
        (1, "As Kd 9h", 501, 500, "play"), (3, "Qh 7c 2d", 777, 0, "play"),
        (4, "9s 9d 3c", 1000, 500, "play"), (8, "Js 8h 4d", 10_001, 700, "play"),
        (10, "5s 6s 7s", 700, 900, "fold"),
    ]),
    ("Js 7d 2c", [
        (2, "Ah Kh Qh", 999, 600, "play"), (5, "Jd 7h 2s", 500, 0, "play"),
        (6, "9d 8c 3h", 600, 700, "play"), (7, "6c 6d 6h", 30_001, 800, "play"),
    ]),
    ("Ks Kd 2c", [
        (1, "As Ad 9h", 501, 777, "play"), (2, "Kh Kc 2d", 888, 500, "play"),
        (9, "Qs Qd 4c", 500, 0, "play"), (10, "8s 7d 6c", 1234, 500, "play"),
    ]),
]  # fmt: skip


def california_banks() -> Iterator[Edge]:
    """Yield each table with a bank that ends at a wager, one cent before it and one after it."""
    for (dealer, seated), first in product(TABLES, (1, 6)):
        seats = []
        for number, cards, ante, bonus, move in seated:
            seat: Json = {"seat": number, "cards": cards, "ante": ante, "move": move}
            seats.append({**seat, "bonus": bonus} if bonus else seat)
        round = {"dealer": dealer, "bank": 10**12, "first": first, "seats": seats}
        for bank in banks_of(round):
            yield Edge({**round, "bank": bank})


def banks_of(round: Json) -> list[int]:
    """Return where a bank ends, by action and by net, and the cents around."""
    settled = plain.settle_california(round, {})["seats"]
    settled.sort(key=lambda seat: (seat["seat"] - round["first"]) % 10)
    nets = [wager["net"] for seat in settled for wager in seat["wagers"]]
    sums = {*accumulate(map(abs, nets)), *map(abs, accumulate(nets))}
    return [bank for bank in around(*sums) if bank >= 1]


# Roulette


def roulette_limits(reading: Json) -> Iterator[Edge]:
    halves = reading.get("on_zero") == "la_partage" or (
        reading.get("on_zero") == "en_prison" and reading.get("second_zero") == "half"
    )
    for bet, stake in product(("red", "straight 7", "dozen 2"), around(100, 10_000)):
        if not 100 <= stake <= 10_000:
            refusal: tuple[str, str] | None = ("wager.limits", "RO-17")
        elif bet == "red" and halves and stake % 2:
            rule = "RO-21" if reading["on_zero"] == "la_partage" else "RO-22"
            refusal = ("wager.odd", rule)
        else:
            refusal = None
        for pocket in ("0", "7"):
            yield Edge({"pocket": pocket, "wagers": [{"bet": bet, "stake": stake}]}, refusal)


def chips_on_one_spot(reading: Json) -> Iterator[Edge]:
    """Yield spins whose chips on one spot come to the limit, or just above it (RO-17)."""
    over = ("wager.limits", "RO-17")
    one = {"player": "p1", "bet": "corner 16 17 19 20", "stake": 6_000}
    again = {"player": "p1", "bet": "Square 20 17 16 19"}
    for stake in (3_998, 4_000, 4_002):
        refusal = over if stake > 4_000 else None
        yield Edge({"pocket": "7", "wagers": [one, {**again, "stake": stake}]}, refusal)
        yield Edge({"pocket": "7", "wagers": [one, {**again, "player": "P1", "stake": stake}]})
        unnamed = [
            {key: row[key] for key in ("bet", "stake")} for row in (one, {**again, "stake": stake})
        ]
        yield Edge({"pocket": "7", "wagers": unnamed}, refusal)
        yield Edge({"pocket": "7", "wagers": [one, unnamed[1]]})
    if reading.get("on_zero") == "en_prison":
        held = {"bet": "red", "stake": 6_000, "in_prison": True}
        new = {"bet": "red", "stake": 10_000}
        yield Edge({"pocket": "7", "wagers": [held, held, new]})


def every_bet_on_every_pocket(name: str, reading: Json) -> Iterator[Edge]:
    """Yield a spin for each pocket with every bet of the layout on it, each at its own stake."""
    layout, zeros = WHEELS[name]
    zeros = reading.get("zeros", zeros)
    wagers = [{"bet": bet, "stake": 2 * (100 + place)} for place, bet in enumerate(layout)]
    if reading.get("on_zero") == "en_prison":
        wagers += [{"bet": bet, "stake": 444, "in_prison": True} for bet in EVEN_MONEY]
    for pocket in [*("0" * count for count in range(1, zeros + 1)), *map(str, range(1, 37))]:
        yield Edge({"pocket": pocket, "wagers": wagers})
    for pocket in ("0" * (zeros + 1), "37"):
        yield Edge({"pocket": pocket, "wagers": wagers[:1]}, ("pocket.unknown", None))


# Rulebooks with a gap between collection rates, or with a coarse increment


def changed() -> Iterator[tuple[str, Json, Edge]]:
    """Yield edges of rulebooks that are changed so as to have more of them."""
    hand, dealer = "As Ks Qs", "Qd 7c 2h"
    for ante in around(10_000, 20_000):
        refusal = ("wager.rate", "CA-7") if 10_000 < ante < 20_000 else None
        edge = Edge(california(hand, dealer, ante=ante), refusal)
        yield "california", {"fees.rates.1.min": 20_000}, edge
    for ante in around(505, 1000):
        refusal = ("wager.increment", "TCP-4") if ante % 5 else None
        coarse = {"increment": 5, "fees.rates.1.min": 10_005, "fees.rates.2.min": 30_005}
        yield "california", coarse, Edge(california(hand, dealer, ante=ante), refusal)
    for stake in around(120, 150):
        refusal = ("wager.increment", "TCP-4") if stake % 5 else None
        edge = Edge(house(hand, dealer, ante=300, pair_plus=stake), refusal)
        yield "house", {"increment": 5}, edge
    for stake in around(150, 9950):
        refusal = ("wager.increment", "RO-17") if stake % 50 else None
        spin = {"pocket": "7", "wagers": [{"bet": "red", "stake": stake}]}
        yield "roulette", {"increment": 50}, Edge(spin, refusal)
