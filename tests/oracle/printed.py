"""The figures of printed sheets, slowly: from a rulebook's file as it is written.

Every deal is gone through, and every rule of at most five lines is tried. Nothing of the package
is used but the files of its rulebooks.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import numpy as np

from tests.oracle.deals import CARDS, DECK, HANDS, NUMBER, _count_compiled
from tests.oracle.plain import ORDER, rank_hand

Json = dict[str, Any]
RULEBOOKS = Path(__file__).parents[2] / "src" / "queenhigh" / "rulebooks"
CLASSES = {
    "royal_flush": "royal",
    "straight_flush": "straight flush",
    "three_of_a_kind": "trips",
    "straight": "straight",
    "flush": "flush",
    "pair": "pair",
    "high_card": "high card",
}
NAMES = ["deuces", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens",
         "jacks", "queens", "kings", "aces"]  # fmt: skip
HIGHS = ["", "", "", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]


def document(name: str, changes: Json) -> Json:
    """Return a rulebook's file, with other values for some dotted keys."""
    whole = tomllib.loads((RULEBOOKS / f"{name}.toml").read_text("utf-8"))
    for key, value in changes.items():
        *tables, last = key.split(".")
        table: Any = whole
        for part in tables:
            table = table[int(part)] if isinstance(table, list) else table.setdefault(part, {})
        table[last] = deepcopy(value)
    return whole


# Words


def money(cents: int) -> str:
    whole, rest = divmod(cents, 100)
    text = f"{whole:,}" if whole > 999 else str(whole)
    return f"${text}.{rest:02d}" if rest else f"${text}"


def share(value: Fraction, places: int) -> str:
    text = f"{abs(float(value)) * 100:.{places}f} %"
    return f"−{text}" if value < 0 else text


def title(key: str) -> str:
    return "Pair Plus" if key == "pair_plus" else key.replace("_", " ").capitalize()


def numbers_of(sentence: str) -> list[str]:
    """Return the figures in a sentence, but for the ids of clauses and digests."""
    plain = re.sub(r"\b[A-Z]{2,3}-\d+\b|sha256:[0-9a-f]+", "", sentence)
    return re.findall(r"−?\$?\d(?:[\d,]*\d)?(?:\.\d+)?(?: %)?", plain)


# Three Card Poker


@cache
def ranked(ace_low: bool) -> tuple[Any, list[str], list[tuple[int, tuple[int, ...]]]]:
    """Return each hand's place among the ranks, its class, and the ranks in order."""
    results = [rank_hand(" ".join(DECK[card] for card in hand), ace_low) for hand in HANDS]
    keys = [(kind, tuple(ranks)) for (kind, ranks), _ in results]
    order = sorted(set(keys))
    place = {rank: index for index, rank in enumerate(order)}
    places = np.array([place[key] for key in keys], dtype=np.int64)
    return places, [name for _, name in results], order


def least_to_qualify(document: Json) -> int:
    """Return the place of the weakest hand with which the dealer qualifies."""
    order = ranked(document["ace_low"])[2]
    needs = document["qualifier"]
    if needs == "none":
        return 0
    if needs == "pair":
        return next(place for place, rank in enumerate(order) if rank[0] >= 2)
    high = HIGHS.index(needs.removesuffix("-high"))
    return next(place for place, rank in enumerate(order) if rank[0] > 1 or rank[1][0] >= high)


@cache
def alike() -> list[tuple[int, int]]:
    """Return a hand of each kind that only names of suits tell apart, and how many there are."""
    counted: Counter[tuple[int, ...]] = Counter()
    for hand in HANDS:
        ranks, suits = [card // 4 for card in hand], [card % 4 for card in hand]
        counted[
            min(
                tuple(
                    sorted(4 * rank + turned[suit] for rank, suit in zip(ranks, suits, strict=True))
                )
                for turned in permutations(range(4))
            )
        ] += 1
    return [(NUMBER[hand], count) for hand, count in counted.items()]  # type: ignore[index]


def cases(document: Json) -> list[tuple[int, int, str]]:
    """Return what Ante and Play do, dealer short first, the player behind, level, ahead."""
    does = {"win": 1, "push": 0, "lose": -1}
    result = []
    for dealer in ("short", "qualified"):
        for index, hand in enumerate(("behind", "level", "ahead")):
            (row,) = [
                row
                for row in document["settlement"]
                if row["dealer"] == dealer and hand in row["player"]
            ]
            both = []
            for wager in ("ante", "play"):
                word = row[wager]
                if word == "short_ante":
                    reading = document["short_ante"]
                    word = (
                        "win" if reading == "win" or (reading == "ahead" and index == 2) else "push"
                    )
                if word == "tie":
                    word = document["tie"]
                both.append(does[word])
            result.append((both[0], both[1], row["clause"]))
    return result


def side_bet(document: Json) -> str:
    return "bonus" if "bonus" in document else "pair_plus"


def pays_to_one(pays: Json, name: str) -> Fraction | None:
    """Return what a class of hands gains on one; a royal flush is a straight flush if not named."""
    for key, plain in CLASSES.items():
        if plain == name and key in pays:
            gain, stake = str(pays[key]).split(" to ")
            return Fraction(int(gain), int(stake))
    return pays_to_one(pays, "straight flush") if name == "royal" else None


class Weighed:
    """What every hand is worth, played and folded, for each set of up cards."""

    def __init__(self, document: Json) -> None:
        self.document = document
        places, self.names, self.order = ranked(document["ace_low"])
        self.places = places
        least, up = least_to_qualify(document), document["up"]
        gains = np.array([ante + play for ante, play, _ in cases(document)])
        self.best = self.side = Fraction(0)
        self.sets = self.played = 0
        ups = 1 if up == 0 else 13
        self.gained = np.zeros((ups, len(self.order)), dtype=object)
        pays = document[side_bet(document)]["pays"]
        forfeits = document[side_bet(document)].get("on_fold", "forfeit") == "forfeit"
        for hand, alike_hands in alike():
            counts = _count_compiled(CARDS, places, least, hand, up)
            bonus = self._ante_bonus(hand)
            played = counts @ gains + counts.sum(axis=1) * bonus[0]
            folded = counts.sum(axis=1) * (bonus[1] - 1)
            plays = played > folded
            self.best += alike_hands * Fraction(int(np.where(plays, played, folded).sum()))
            self.sets += alike_hands * int((counts.sum(axis=1) > 0).sum())
            self.played += alike_hands * int(plays.sum())
            gain = pays_to_one(pays, self.names[hand])
            kept = counts.sum(axis=1)
            lost = int(kept[~plays].sum()) if forfeits else 0
            won = int(kept.sum()) - lost
            self.side += alike_hands * ((gain if gain is not None else -1) * won - lost)
            for card, worth in enumerate((played - folded).tolist()):
                self.gained[card // 4 if up else 0, places[hand]] += alike_hands * worth
        per_hand = {0: 18424, 1: 3 * 18424}[up]
        self.deals = len(HANDS) * per_hand
        self.least = least

    def _ante_bonus(self, hand: int) -> tuple[int, int]:
        """Return the Ante bonus of a hand if it is played, and if it is folded."""
        table = self.document.get("ante_bonus")
        gain = pays_to_one(table["pays"], self.names[hand]) if table else None
        whole = int(gain or 0)
        return whole, whole if table and table.get("on_fold") == "pay" else 0

    @property
    def ev(self) -> Fraction:
        return self.best / self.deals

    @property
    def side_ev(self) -> Fraction:
        return self.side / self.deals

    def rule(self) -> tuple[list[tuple[str, str]], Fraction]:
        """Return the best rule of at most five lines as words, and what it costs."""
        groups = len(self.gained)
        above = {}
        for start in range(groups):
            for end in range(start + 1, groups + 1):
                above[start, end] = self._least(self.gained[start:end].sum(axis=0))
        best: tuple[int, tuple[int, ...]] | None = None
        for lines in range(1, min(5, groups) + 1):
            for cuts in combinations(range(1, groups), lines - 1):
                ends = (0, *cuts, groups)
                worth = sum(above[a, b][1] for a, b in pairwise(ends))
                if best is None or worth > best[0]:
                    best = (worth, ends)
        assert best is not None
        worth, ends = best
        at_best = self.best - self._fold_all()
        cost = (at_best - worth) / self.deals
        by_hand: dict[int, list[int]] = {}
        for start, end in pairwise(ends):
            by_hand.setdefault(above[start, end][0], []).extend(range(start, end))
        words = [(self._ups(ups), self.hand(place)) for place, ups in by_hand.items()]
        return words, cost

    def _fold_all(self) -> Fraction:
        total = sum(count * (self._ante_bonus(hand)[1] - 1) for hand, count in alike())
        return Fraction(total * (self.deals // len(HANDS)))

    @staticmethod
    def _least(gained: Any) -> tuple[int, int]:
        """Return the place from which on playing gains most, and how much."""
        best, total, place = 0, 0, len(gained)
        for index in reversed(range(len(gained))):
            total += gained[index]
            if total >= best:
                best, place = total, index
        return place, best

    def hand(self, place: int) -> str:
        """Return the weakest hand that is played, in words."""
        if place == 0:
            return "everything"
        kind, ranks = self.order[place]
        if kind == 1:
            names = ["10" if ORDER[rank] == "T" else ORDER[rank] for rank in ranks]
            return f"{'-'.join(names)} or better"
        assert kind == 2, "no sheet of these tests needs more than a pair"
        return f"pair of {NAMES[ranks[0]]} or better"

    def _ups(self, ranks: list[int]) -> str:
        if len(self.gained) == 1:
            return "any"
        names = ["10" if ORDER[rank] == "T" else ORDER[rank] for rank in ranks]
        runs: list[list[int]] = []
        for index, rank in enumerate(ranks):
            if index and rank == ranks[index - 1] + 1:
                runs[-1].append(index)
            else:
                runs.append([index])
        return ", ".join(
            names[run[0]] if len(run) == 1 else f"{names[run[0]]} to {names[run[-1]]}"
            for run in runs
        )


def one_in(document: Json, key: str) -> str:
    """Return how rare a class of hands is."""
    names = ranked(document["ace_low"])[1]
    wanted = {CLASSES[key]}
    if key == "straight_flush" and not document["royal_flush"]:
        wanted.add("royal")
    rare = Fraction(len(names), sum(name in wanted for name in names))
    return f"{round(rare):,}" if rare >= 100 else f"{float(rare):.1f}"


def limit_rows(document: Json) -> dict[str, Json]:
    """Return the limits of the Ante and of the side bet, with their clauses."""
    side = side_bet(document)
    of_ante = document["limits"].get("ante")
    if of_ante is None:
        rates = [rate for rate in document["fees"]["rates"] if rate.get("on", "ante") == "ante"]
        of_ante = {
            "min": min(rate["min"] for rate in rates),
            "max": max(rate["max"] for rate in rates),
            "clause": document["fees"]["clause"],
        }
    return {"ante": of_ante, side: document["limits"][side]}


def charged(document: Json, kind: str) -> list[Json] | None:
    """Return the rates of a kind of bet; ``None`` if it is free."""
    fees = document.get("fees")
    if fees is None or (fees["fee_per"] == "round" and kind != "ante"):
        return None
    if fees["fee_per"] != "kind":
        return list(fees["rates"])
    return [rate for rate in fees["rates"] if rate.get("on", "ante") == kind] or None


def has_rate(document: Json, kind: str, cents: int) -> bool:
    """Return whether a bet is free, or lies in a rate."""
    rates = charged(document, kind)
    if rates is None:
        return True
    return any("min" not in rate or rate["min"] <= cents <= rate["max"] for rate in rates)


def is_legal(document: Json, wager: str, cents: int) -> bool:
    """Return whether a stake can be bet here, beside an Ante if every seat needs one."""
    row = limit_rows(document)[wager]
    kinds = ("ante", "play") if wager == "ante" else ("bonus",)
    if not row["min"] <= cents <= row["max"] or cents % document["increment"]:
        return False
    if not all(has_rate(document, kind, cents) for kind in kinds):
        return False
    if wager == "ante":
        return True
    if not document["ante"]["required"]:
        return True
    antes = [low for low, _ in legal_spans(document, "ante")]
    most = row["max"] if document["limits"].get("scope") == "total" else 10**15
    return bool(antes) and cents + antes[0] <= most


def legal_spans(document: Json, wager: str) -> list[tuple[int, int]]:
    """Return the stakes that can be bet, from trying all at which legality can change."""
    step = document["increment"]
    ends = [row[end] for row in limit_rows(document).values() for end in ("min", "max")]
    rates = document["fees"]["rates"] if "fees" in document else []
    ends += [rate[end] for rate in rates for end in ("min", "max") if end in rate]
    ends += [high - low for high in ends for low in ends if high > low]
    tried = sorted({end + side for end in ends for side in (-step, 0, step)})
    legal = [cents for cents in tried if is_legal(document, wager, cents)]
    starts = [cents for cents in legal if not is_legal(document, wager, cents - step)]
    stops = [cents for cents in legal if not is_legal(document, wager, cents + step)]
    return list(zip(starts, stops, strict=True))


def limits(document: Json) -> Iterator[tuple[str, str, str]]:
    """Yield the bets that can be made, with their limits and the clause of those."""
    for name, row in limit_rows(document).items():
        if spans := legal_spans(document, name):
            *others, last = [f"{money(a)} to {money(b)}" for a, b in spans]
            yield name, f"{', '.join(others)} or {last}" if others else last, row["clause"]


def rate_span(document: Json, rate: Json) -> str | None:
    """Return for which bets a rate is paid here; ``None`` if for none."""
    side = side_bet(document)
    kind = rate.get("on", "ante") if document["fees"]["fee_per"] == "kind" else None
    stakes: list[int] = []
    for wager, kinds in (("ante", ("ante", "play")), (side, ("bonus",))):
        paying = [each for each in kinds if kind in (None, each)]
        if any(rate in (charged(document, each) or []) for each in paying):
            for low, high in legal_spans(document, wager):
                bounds = max(low, rate.get("min", low)), min(high, rate.get("max", high))
                stakes += bounds if bounds[0] <= bounds[1] else ()
    return f"{money(min(stakes))} to {money(max(stakes))}" if stakes else None


def is_of_ante(document: Json, rate: Json) -> bool:
    """Return whether the banker may pay by a rate: an Ante lies in it."""
    spans = legal_spans(document, "ante")
    is_in = any(rate.get("min", a) <= b and rate.get("max", b) >= a for a, b in spans)
    return rate.get("on", "ante") == "ante" and is_in


def step(document: Json) -> list[str]:
    """Return the step in which bets go, if it is more than a cent."""
    return [money(document["increment"])] if document["increment"] > 1 else []


# Roulette


def covered(row: Json, zeros: int) -> int:
    """Return how many pockets a bet covers."""
    shapes = {"straight": 1, "split": 2, "street": 3, "corner": 4, "line": 6}
    if "shape" in row:
        return shapes[row["shape"]]
    return len(row["covers"]) if "covers" in row else len(row["spots"][0])


def house_edge(document: Json, row: Json) -> Fraction:
    """Return what the house keeps of a bet."""
    zeros = document["zeros"]
    pockets, numbers = 36 + zeros, covered(row, zeros)
    gain, stake = map(int, row["pays"].split(" to "))
    result = Fraction(gain, stake) * numbers - (pockets - numbers)
    if Fraction(gain, stake) == 1:
        rule = document.get("zero", {})
        if rule.get("on_zero") == "la_partage":
            result += Fraction(zeros, 2)
        elif rule.get("on_zero") == "en_prison":
            result += zeros * (1 + _held(rule["second_zero"], zeros, pockets, numbers))
    return Fraction(-result, pockets)


def _held(second: str, zeros: int, pockets: int, numbers: int) -> Fraction:
    """Return what a held bet gains on average: 0 if it is freed, -1 if it is taken."""
    lost = pockets - zeros - numbers
    if second == "stay":
        return Fraction(-lost, pockets - zeros)
    on_zero = Fraction(1, 2) if second == "half" else Fraction(1)
    return -(lost + zeros * on_zero) / pockets
