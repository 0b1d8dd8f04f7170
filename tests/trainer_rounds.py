"""Rounds that the trainer of the page deals, answered by the oracle.

Nothing of the page is used, and nothing of the package but the check that a line can be settled.
"""

from typing import Any

import queenhigh as qh
from tests.entered_hands import is_accepted
from tests.oracle import plain

Json = dict[str, Any]
#: A question's kind, its seat and its answer.
Answer = tuple[str, int | None, int | str]

#: What each level asks.
ASKS = {
    1: ("outcome", "amount"),
    2: ("outcome", "amount"),
    3: ("outcome", "amount", "fee", "bank_fee"),
    4: ("order", "outcome", "amount"),
    5: ("outcome", "amount", "back"),
    6: ("ante_bonus", "side"),
    7: ("outcome", "amount", "ante_bonus", "side"),
}
_RESULTS = {
    "CA-15": "short",
    "CA-16": "win",
    "CA-17": "lose",
    "CA-18": "push",
    "CA-21": "used_up",
    "HO-8": "short",
    "HO-9": "win",
    "HO-10": "push",
    "HO-11": "lose",
}


def answers(book: str, line: Json, asks: tuple[str, ...]) -> list[Answer]:
    """Return what a trainee who knows the rules answers, in order."""
    settle = plain.settle_california if book == "california" else plain.settle_house
    settled = settle(line, {})
    rows = {seat["seat"]: seat for seat in settled["seats"]}
    first = line.get("first", 1)
    order = sorted(rows, key=lambda seat: (seat < first, seat))
    left = line.get("bank")
    given: list[Answer] = []
    for index, seat in enumerate(order):
        put = next(each for each in line["seats"] if each["seat"] == seat)
        if "order" in asks and index < len(order) - 1:
            given.append(("order", seat, seat))
        given += _of_seat(put, rows[seat]["wagers"], asks, left)
        if left is not None:
            left -= sum(row["action"] for row in rows[seat]["wagers"])
        if "fee" in asks:
            given.append(("fee", seat, rows[seat]["fee"]))
    if "bank_fee" in asks:
        given.append(("bank_fee", None, settled["banker_fee"]))
    return given


def _of_seat(put: Json, rows: list[Json], asks: tuple[str, ...], left: int | None) -> list[Answer]:
    seat, game = put["seat"], [row for row in rows if row["wager"] in ("ante", "play")]
    given: list[Answer] = []
    if game:
        folded = put["move"] == "fold"
        result = _RESULTS.get(game[0]["clause"], "lose")
        if "back" not in asks and result == "used_up":
            raise AssertionError("a bank ran out where nothing is asked of it")
        if "outcome" in asks and not folded:
            given.append(("outcome", seat, result))
        if "amount" in asks and result not in ("push", "used_up"):
            given.append(("amount", seat, abs(sum(row["net"] for row in game))))
    if "back" in asks and left is not None and sum(row["action"] for row in rows) >= left:
        given.append(("back", seat, sum(_back(row) for row in rows)))
    if "ante_bonus" in asks and put.get("move") == "play" and rows[0]["clause"].startswith("HO"):
        won = [row["net"] for row in rows if row["wager"] == "ante_bonus"]
        given.append(("ante_bonus", seat, sum(won)))
    if "side" in asks:
        sides = [row for row in rows if row["wager"] in ("bonus", "pair_plus")]
        given += [("side", seat, max(0, row["net"])) for row in sides]
    return given


def _back(row: Json) -> int:
    """Return what goes back of a bet that the bank doesn't cover."""
    if row["net"] < 0:
        return int(row["stake"] - row["action"])
    return int(row["stake"]) if row["clause"] == "CA-21" else 0


def chips(pocket: str, piles: list[tuple[str, int]]) -> int:
    """Return what is paid for piles of chips, counted one by one."""
    total = 0
    for spot, high in piles:
        covered, pays, _ = plain.roulette_bet(spot)
        for _ in range(high):
            total += pays if pocket in covered else 0
    return total


def wrong_answers(written: list[Json], off_by: int = 0) -> list[str]:
    """Return what the page takes for right and is not; ``off_by`` plants a bug of so many cents."""
    wrong: list[str] = []
    books = {name: qh.load(name) for name in ("california", "house")}
    for number, each in enumerate(written):
        place = f"round {number} of level {each['level']}"
        if "spins" in each:
            for spin in each["spins"]:
                if chips(spin["pocket"], spin["piles"]) != spin["right"] + off_by:
                    wrong.append(f"{place}: {spin}")
            continue
        if not is_accepted(books[each["book"]], each["line"]):
            wrong.append(f"{place}: queenhigh settle refuses the line")
        page = [
            (answer["ask"], answer["seat"], _plus(answer["right"], answer["ask"], off_by))
            for answer in each["answers"]
        ]
        due = answers(each["book"], each["line"], ASKS[each["level"]])
        if page != due:
            wrong.append(f"{place}: the page has {page}, the oracle {due}")
    return wrong


def _plus(right: int | str, ask: str, cents: int) -> int | str:
    return right + cents if isinstance(right, int) and ask != "order" else right
