"""Random rounds in the settle format, made to hurt: tiny banks, odd orders, folded good hands."""

import random
from collections import Counter
from typing import Any

from tests.oracle.plain import rank_hand

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
BANKS = [1, 99, 500, 777, 1500, 5000, 20000, 100000, 10**7, 10**19]
ANTES = [500, 501, 777, 1000, 10000, 10001, 30000, 30001, 99999, 100000]
BONUSES = [500, 501, 1000, 9999, 10000]


def spelled(cards: list[str], rng: random.Random) -> str:
    """Write a hand in one of the ways people do."""
    spelling = rng.randrange(8)
    if spelling == 0:
        return "".join(cards).lower()
    if spelling == 1:
        return " ".join(card.replace("T", "10") for card in cards)
    if spelling == 2:
        return "".join(cards)
    return " ".join(cards)


def hands(count: int, rng: random.Random) -> list[list[str]]:
    """Deal hands; now and then from a short deck, so that ties and strong hands are common."""
    deck = DECK if rng.random() < 0.6 else rng.sample(DECK, max(3 * count, 16))
    cards = rng.sample(deck, 3 * count)
    if rng.random() < 0.15:
        cards.sort(key=lambda card: (card[1], DECK.index(card)))
    return [cards[i : i + 3] for i in range(0, 3 * count, 3)]


def move(hand: list[str], rng: random.Random) -> str:
    good = rank_hand(" ".join(hand), True)[1] != "high card"
    return "fold" if rng.random() < (0.3 if good else 0.4) else "play"


def california(rng: random.Random, reading: dict[str, Any]) -> dict[str, Any]:
    count = rng.choice([1, 1, 2, 2, 3, 4, 10])
    dealer, *dealt = hands(count + 1, rng)
    seats = []
    for number, hand in zip(rng.sample(range(1, 11), count), dealt, strict=True):
        seat = {"seat": number, "cards": spelled(hand, rng), "ante": rng.choice(ANTES)}
        if rng.random() < 0.5:
            seat["bonus"] = rng.choice(BONUSES)
            if reading.get("fee_per", "round") != "wager" and rng.random() < 0.3:
                seat["bonus"] = rng.randint(100, 499)
        seats.append({**seat, "move": move(hand, rng)})
    round: dict[str, Any] = {"dealer": spelled(dealer, rng), "bank": rng.choice(BANKS)}
    if rng.random() < 0.8:
        round["first"] = rng.randint(1, 10)
    if rng.random() < 0.5:
        round["id"] = rng.choice(["r1", "", "é", '"quoted"', "\\", "𝄞"])
    return {**round, "seats": seats}


def house(rng: random.Random, reading: dict[str, Any]) -> dict[str, Any]:
    count = rng.choice([1, 1, 2, 3, 7])
    dealer, *dealt = hands(count + 1, rng)
    seats = []
    for number, hand in zip(rng.sample(range(1, 8), count), dealt, strict=True):
        seat: dict[str, Any] = {"seat": number, "cards": spelled(hand, rng)}
        bets = rng.choice([("ante",), ("pair_plus",), ("ante", "pair_plus")])
        for bet in bets:
            total = len(bets) > 1 and reading.get("scope") == "total"
            seat[bet] = rng.randint(100, 200 if total else 400)
        if "ante" in bets:
            seat["move"] = move(hand, rng)
        seats.append(seat)
    round: dict[str, Any] = {"dealer": spelled(dealer, rng), "seats": seats}
    return round if rng.random() < 0.5 else {"id": "h", **round}


def _layout() -> list[str]:
    """Every bet on the layout of 1 to 36, found by trying every pair, row and square."""
    place = {n: ((n - 1) // 3, (n - 1) % 3) for n in range(1, 37)}
    number_at = {where: n for n, where in place.items()}
    bets = [f"straight {n}" for n in place]
    for n, (row, column) in place.items():
        right, below = number_at.get((row, column + 1)), number_at.get((row + 1, column))
        across = number_at.get((row + 1, column + 1))
        bets += [f"split {n} {other}" for other in (right, below) if other]
        if right and below and across:
            bets.append(f"corner {n} {right} {below} {across}")
        if column == 0:
            bets.append(f"street {n} {n + 1} {n + 2}")
    bets += ["low", "high", "even", "odd", "red", "black", "dozen 1", "dozen 2", "dozen 3"]
    return bets


LAYOUT = _layout()
FULL_LAYOUT = [
    *LAYOUT,
    *(f"column {n}" for n in (1, 2, 3)),
    *("line " + " ".join(map(str, range(n, n + 6))) for n in range(1, 32, 3)),
]
EUROPEAN = [
    *FULL_LAYOUT, "straight 0", "split 0 1", "split 0 2", "split 0 3", "trio 0 1 2", "trio 0 2 3",
    "first_four",
]  # fmt: skip
AMERICAN = [
    *FULL_LAYOUT, "straight 0", "straight 00", "five", "split 0 00", "split 0 1", "split 0 2",
    "split 00 2", "split 00 3", "trio 0 1 2", "trio 0 00 2", "trio 00 2 3",
]  # fmt: skip
#: The bets of each rulebook, and how many zeros its wheel has.
WHEELS = {
    "roulette": (LAYOUT, 2),
    "roulette-european": (EUROPEAN, 1),
    "roulette-american": (AMERICAN, 2),
}
EVEN_MONEY = ["low", "high", "even", "odd", "red", "black"]


def roulette_of(bets: list[str], zeros: int) -> Any:
    pockets = ["0" * (i + 1) for i in range(zeros)] + [str(n) for n in range(1, 37)]

    def make(rng: random.Random, reading: dict[str, Any]) -> dict[str, Any]:
        zero_often = rng.random() < 0.2
        wagers = []
        chips: Counter[tuple[str, ...]] = Counter()
        for _ in range(rng.choice([1, 1, 2, 3, 8])):
            bet = rng.choice(bets if rng.random() < 0.6 else EVEN_MONEY)
            name, *numbers = bet.split()
            if name in ("split", "street", "corner", "line", "trio"):
                rng.shuffle(numbers)
            name = "square" if name == "corner" and rng.random() < 0.5 else name
            stake = 2 * rng.randint(50, 5000)
            if "on_zero" not in reading and rng.random() < 0.5:
                stake = rng.randint(100, 10000)
            wager: dict[str, Any] = {"bet": " ".join([name, *numbers]), "stake": stake}
            if rng.random() < 0.7:
                wager = {"player": rng.choice(["p1", "Zoë"]), **wager}
            in_prison = rng.random() < 0.4
            if reading.get("on_zero") == "en_prison" and bet in EVEN_MONEY and in_prison:
                wager["in_prison"] = True
            else:
                spot = (wager.get("player", ""), bet)
                if chips[spot] + stake > 10_000:
                    continue
                chips[spot] += stake
            wagers.append(wager)
        pocket = rng.choice(pockets[:zeros] if zero_often else pockets)
        spin = {"pocket": pocket, "wagers": wagers}
        return spin if rng.random() < 0.5 else {"id": "s", **spin}

    return make
