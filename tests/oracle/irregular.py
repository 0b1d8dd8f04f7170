"""A plain settlement of rounds with irregularities, beside `plain.py` and as slow and obvious.

It imports nothing of the package. `spoil` turns a regular round into one with irregularities.
"""

import random
from typing import Any

from tests.oracle import plain

Json = dict[str, Any]

LIMITS = {
    "california": {"ante": (500, 100000), "bonus": (100, 10000)},
    "house": {"ante": (100, 400), "pair_plus": (100, 400)},
}
CLAUSES = {
    "misdeal": "IR-1",
    "exposed_player": "IR-2",
    "exposed_dealer": "IR-3",
    "wrong_cards": "IR-4",
    "foul_deck": "IR-5",
    "outside_limits": "IR-6",
}
READINGS = {
    "misdeal": ["void", "redeal"],
    "exposed_player": ["play_on", "void_hand"],
    "exposed_dealer": ["void", "play_on"],
}
FIXED = {"wrong_cards": "void_hand", "foul_deck": "void", "outside_limits": "up_to_limit"}


def settle(name: str, round: Json, reading: Json) -> Json:
    """Settle a round with irregularities."""
    rulings = [ruled(each, reading) for each in round["irregularities"]]
    put_down = round["seats"]
    standing = [stands(name, seat, rulings, reading) for seat in put_down]

    clause_of: dict[int, str] = {}
    for seat in standing:
        has_bet = "ante" in seat or (name == "house" and "pair_plus" in seat)
        if not has_bet:
            clause_of[seat["seat"]] = "IR-6"
    for each in reversed(rulings):
        if each["ruling"] == "void_hand":
            clause_of[each["seat"]] = each["clause"]
    for each in reversed(rulings):
        if each["ruling"] in ("void", "redeal"):
            clause_of = {seat["seat"]: each["clause"] for seat in put_down}

    rest = [seat for seat in standing if seat["seat"] not in clause_of]
    if rest:
        regular = {key: value for key, value in round.items() if key != "irregularities"}
        settler = plain.settle_california if name == "california" else plain.settle_house
        result = settler({**regular, "seats": rest}, reading)
    else:
        result = {"id": round["id"]} if "id" in round else {}
        result |= {"seats": [], "banker": 0}
    done = {seat["seat"]: seat for seat in result["seats"]}
    returned: list[Json] = []
    seats = []
    for seat, stood in zip(put_down, standing, strict=True):
        number = seat["seat"]
        if number in done:
            seats.append(done[number])
            for wager, cents in wagers(seat):
                if back := cents - dict(wagers(stood)).get(wager, 0):
                    returned.append(back_row(number, wager, back, "IR-6"))
            continue
        clause, none = clause_of[number], {"net": 0, "action": 0}
        rows = [{"wager": w, "stake": c, **none, "clause": clause} for w, c in wagers(seat)]
        seats.append({"seat": number, "wagers": rows, "net": 0})
        returned += [back_row(number, wager, cents, clause) for wager, cents in wagers(seat)]
        if name == "california":
            seats[-1]["fee"] = 0
            fee = fee_of(seat, reading)
            if fee and reading.get("collect", "before") == "before":
                returned.append(back_row(number, "fee", fee, "CA-7"))
    result["seats"] = seats
    if name == "california":
        antes = [seat.get("ante", 0) for seat in (*put_down, *rest)]
        largest = max([ante for ante in antes if 500 <= ante <= 100000], default=0)
        fee = 0 if not largest else banker_fee(largest, reading)
        result["banker_fee"] = fee if rest else 0
        result.setdefault("bank_left", round["bank"])
        if not rest and fee and reading.get("collect", "before") == "before":
            returned.append({"wager": "banker_fee", "cents": fee, "clause": "CA-7"})
    result["irregularities"] = rulings
    if returned:
        result["returned"] = returned
    return result


def ruled(each: Json, reading: Json) -> Json:
    kind = each["kind"]
    ruling = FIXED.get(kind) or reading.get(kind, READINGS.get(kind, [""])[0])
    more = {key: value for key, value in each.items() if key != "kind"}
    return {"kind": kind, "clause": CLAUSES[kind], "ruling": ruling, **more}


def stands(name: str, seat: Json, rulings: list[Json], reading: Json) -> Json:
    """Return a seat as its wagers stand: what is above a limit is cut, what is below is gone."""
    seat = dict(seat)
    named = [
        each["wager"] for each in rulings if each.get("seat") == seat["seat"] and "wager" in each
    ]
    together = 400 if name == "house" and reading.get("scope") == "total" else 10**30
    others = sum(seat.get(wager, 0) for wager in LIMITS[name] if wager not in named)
    for wager, (least, most) in LIMITS[name].items():
        if wager in named:
            cents = min(seat[wager], most, together - others)
            if cents < least:
                del seat[wager]
            else:
                seat[wager] = cents
                others += cents
    if "ante" not in seat:
        seat.pop("move", None)
    return seat


def wagers(seat: Json) -> list[tuple[str, int]]:
    listed = []
    if "ante" in seat:
        listed.append(("ante", seat["ante"]))
        if seat.get("move") == "play":
            listed.append(("play", seat["ante"]))
    listed += [(side, seat[side]) for side in ("bonus", "pair_plus") if side in seat]
    return listed


def fee_of(seat: Json, reading: Json) -> int:
    """Return what a seat had been charged; a wager in no range is charged nothing."""
    if not 500 <= seat.get("ante", 0) <= 100000:
        return 0
    return plain.california_fee({"move": None, **seat}, reading)


def banker_fee(largest: int, reading: Json) -> int:
    return plain.fee_row(largest)[3]


def back_row(seat: int, wager: str, cents: int, clause: str) -> Json:
    return {"seat": seat, "wager": wager, "cents": cents, "clause": clause}


# Rounds in which something went wrong


def reading(rng: random.Random, name: str) -> Json:
    """Draw readings of the irregularities, and of when fees are collected."""
    drawn = {key: rng.choice(values) for key, values in READINGS.items()}
    if name == "california":
        drawn["collect"] = rng.choice(["before", "after"])
    else:
        drawn["scope"] = rng.choice(["each", "total"])
    return drawn


def one_card(cards: str) -> str:
    """Return the first card of a hand, which is a wrong number of cards."""
    rank, suit = plain.cards_of(cards)[0]
    return plain.ORDER[rank] + suit.lower()


def spoil(rng: random.Random, name: str, round: Json, reading: Json) -> Json:
    """Return a regular round with one or two irregularities, entered as a person would."""
    round = {**round, "seats": [dict(seat) for seat in round["seats"]]}
    seats = round["seats"]
    kinds = list(CLAUSES)
    if not any("ante" in seat for seat in seats):
        kinds.remove("exposed_dealer")
    kind, seat = rng.choice(kinds), rng.choice(seats)
    entry: Json = {"kind": kind}
    if kind == "misdeal":
        for each in seats:
            each.pop("move", None)
            if rng.random() < 0.5:
                each["cards"] = one_card(each["cards"])
    elif kind == "exposed_player":
        entry["seat"] = seat["seat"]
        if reading["exposed_player"] == "void_hand":
            seat.pop("move", None)
    elif kind == "exposed_dealer" and reading["exposed_dealer"] == "void":
        rng.choice([each for each in seats if "ante" in each]).pop("move")
    elif kind == "wrong_cards":
        entry["seat"] = seat["seat"]
        seat["cards"] = rng.choice(["", one_card(seat["cards"])])
        if rng.random() < 0.3:
            seat.pop("move", None)
    elif kind == "foul_deck":
        seat["cards"] = round["dealer"]
    elif kind == "outside_limits":
        wager = rng.choice([wager for wager in LIMITS[name] if wager in seat])
        least, most = LIMITS[name][wager]
        entry |= {"seat": seat["seat"], "wager": wager}
        seat[wager] = rng.choice([1, least - 1, most + 1, 3 * most])
    entries = [entry]
    if kind != "foul_deck" and rng.random() < 0.3:
        others = [each for each in seats if each["seat"] != entry.get("seat")]
        if others:
            other = rng.choice(others)
            other["cards"] = one_card(other["cards"]) if other["cards"] else ""
            entries.insert(rng.randint(0, 1), {"kind": "wrong_cards", "seat": other["seat"]})
    return {**round, "irregularities": entries}
