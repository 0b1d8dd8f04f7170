"""A second, deliberately plain settlement. It imports nothing of the package and reads none of its
files: the rules stand here again, spelled out, slow and obvious.

A round comes in as the settle format has it and goes out as the settle format wants it. `reading`
holds the readings of the assumptions; a reading that is not given is the default.
"""

from functools import lru_cache
from typing import Any

Json = dict[str, Any]
Hand = tuple[int, list[int]]
Due = tuple[str, int, int, str]

ORDER = "23456789TJQKA"

BONUS = {"royal": 50, "straight flush": 40, "trips": 30, "straight": 6, "flush": 3, "pair": 1}
PAIR_PLUS = {"royal": 40, "straight flush": 40, "trips": 30, "straight": 6, "flush": 3, "pair": 1}
ANTE_BONUS = {"royal": 5, "straight flush": 5, "trips": 4, "straight": 1}

FEES = [(500, 10000, 100, 200), (10001, 30000, 200, 400), (30001, 100000, 300, 500)]
#: A schedule by kind of wager, as its rows in a rulebook: $1 on an Ante, 50c on Play, and 25c on a
#: bonus bet; the Player/Dealer pays $2.
KIND_RATES = [
    {"clause": "CA-7", "on": "ante", "min": 500, "max": 100000, "player": 100, "banker": 200},
    {"clause": "CA-7", "on": "play", "player": 50, "banker": 0},
    {"clause": "CA-7", "on": "bonus", "min": 100, "max": 10000, "player": 25, "banker": 0},
]


def changes_of(reading: Json) -> Json:
    """Return the changes of a reading; fees by kind bring rates of their own."""
    by_kind = reading.get("fee_per") == "kind"
    return {**reading, "fees.rates": KIND_RATES} if by_kind else dict(reading)


# Hands


def cards_of(text: str) -> list[tuple[int, str]]:
    text = text.upper().replace("10", "T").replace(" ", "")
    return [(ORDER.index(text[i]), text[i + 1]) for i in range(0, len(text), 2)]


@lru_cache(maxsize=100_000)
def rank_hand(text: str, ace_low: bool) -> tuple[Hand, str]:
    """Return (class number, cards that decide), bigger is better, and the class's name."""
    cards = cards_of(text)
    ranks = sorted([rank for rank, suit in cards], reverse=True)
    flush = cards[0][1] == cards[1][1] == cards[2][1]
    if ranks[0] == ranks[1] == ranks[2]:
        return (5, ranks), "trips"
    if ranks[0] == ranks[1]:
        return (2, [ranks[0], ranks[2]]), "pair"
    if ranks[1] == ranks[2]:
        return (2, [ranks[1], ranks[0]]), "pair"
    straight = ranks[0] == ranks[1] + 1 and ranks[1] == ranks[2] + 1
    if ace_low and ranks == [12, 1, 0]:
        straight = True
        ranks = [1, 0, -1]
    if straight and flush:
        return (6, ranks), "royal" if ranks == [12, 11, 10] else "straight flush"
    if straight:
        return (4, ranks), "straight"
    if flush:
        return (3, ranks), "flush"
    return (1, ranks), "high card"


def qualifies(hand: Hand) -> bool:
    """Queen-high or better."""
    kind, ranks = hand
    return kind > 1 or ranks[0] >= ORDER.index("Q")


# California


def settle_california(round: Json, reading: Json) -> Json:
    ace_low = reading.get("ace_low", True)
    dealer, _ = rank_hand(round["dealer"], ace_low)
    bank = round["bank"]
    first = round.get("first", 1)

    by_number = {seat["seat"]: seat for seat in round["seats"]}
    in_action_order = []
    for step in range(10):
        number = (first - 1 + step) % 10 + 1
        if number in by_number:
            in_action_order.append(by_number[number])

    wagers_of: Json = {}
    listed = []  # every wager with its seat, in the order of the seats
    for seat in in_action_order:
        wagers_of[seat["seat"]] = []
        for due in california_dues(seat, dealer, reading, ace_low):
            row: Json = {"wager": due[0], "stake": due[1]}
            wagers_of[seat["seat"]].append(row)
            listed.append((seat, row, due))

    used = 0  # by action: how much of the bank is used up
    won_by_bank = 0  # by net: the bank's gain so far, below 0 when it has lost
    for seat, row, (name, stake, gain, by) in in_settle_order(listed, reading):
        resolved = name == "bonus" and reading.get("bonus_on_fold", "forfeit") == "resolve"
        forfeited = seat["move"] == "fold" and not resolved
        if gain == 0:
            matched = 0
        elif forfeited and reading.get("fold_uncovered", "returned") == "lost":
            matched = stake
        elif reading.get("coverage", "action") == "action":
            matched = min(abs(gain), bank - used)
            used += matched
        elif gain > 0:
            matched = min(gain, bank + won_by_bank)
            won_by_bank -= matched
        else:
            matched = min(-gain, bank - won_by_bank)
            won_by_bank += matched
        row["net"] = matched if gain > 0 else -matched
        row["action"] = matched
        row["clause"] = "CA-21" if gain != 0 and matched == 0 else by

    done: Json = {}
    for seat in in_action_order:
        wagers = wagers_of[seat["seat"]]
        done[seat["seat"]] = {
            "seat": seat["seat"],
            "wagers": wagers,
            "net": sum(wager["net"] for wager in wagers),
            "fee": california_fee(seat, reading),
        }

    result: Json = {}
    if "id" in round:
        result["id"] = round["id"]
    result["seats"] = [done[seat["seat"]] for seat in round["seats"]]
    result["banker"] = -sum(seat["net"] for seat in result["seats"])
    largest = max(seat["ante"] for seat in round["seats"])
    by_kind = reading.get("fee_per") == "kind"
    result["banker_fee"] = 200 if by_kind else fee_row(largest)[3]
    if reading.get("coverage", "action") == "action":
        result["bank_left"] = bank - used
    else:
        result["bank_left"] = bank + won_by_bank
    return result


def in_settle_order(listed: list[Any], reading: Json) -> list[Any]:
    """Put wagers in the order in which they are settled."""
    order = reading.get("settle_order", "seat")
    if order == "wager":
        antes = [entry for entry in listed if entry[1]["wager"] == "ante"]
        plays = [entry for entry in listed if entry[1]["wager"] == "play"]
        bonuses = [entry for entry in listed if entry[1]["wager"] == "bonus"]
        return antes + plays + bonuses
    if order == "bonus_first":
        result: list[Any] = []
        for seat in list(dict.fromkeys(entry[0]["seat"] for entry in listed)):
            own = [entry for entry in listed if entry[0]["seat"] == seat]
            result += [entry for entry in own if entry[1]["wager"] == "bonus"]
            result += [entry for entry in own if entry[1]["wager"] != "bonus"]
        return result
    return listed


def california_dues(seat: Json, dealer: Hand, reading: Json, ace_low: bool) -> list[Due]:
    ante = seat["ante"]
    hand, name = rank_hand(seat["cards"], ace_low)
    dues: list[Due] = []
    if seat["move"] == "fold":
        dues.append(("ante", ante, -ante, "CA-13"))
    elif not qualifies(dealer):
        short_ante = reading.get("short_ante", "ahead")
        if short_ante == "win" or (short_ante == "ahead" and hand > dealer):
            dues.append(("ante", ante, ante, "CA-15"))
        else:
            dues.append(("ante", ante, 0, "CA-15"))
        dues.append(("play", ante, 0, "CA-15"))
    elif hand > dealer:
        dues.append(("ante", ante, ante, "CA-16"))
        dues.append(("play", ante, ante, "CA-16"))
    elif hand < dealer:
        dues.append(("ante", ante, -ante, "CA-17"))
        dues.append(("play", ante, -ante, "CA-17"))
    else:
        sign = {"push": 0, "win": 1, "lose": -1}[reading.get("tie", "push")]
        dues.append(("ante", ante, ante * sign, "CA-18"))
        dues.append(("play", ante, ante * sign, "CA-18"))
    if "bonus" in seat:
        bonus = seat["bonus"]
        if seat["move"] == "fold" and reading.get("bonus_on_fold", "forfeit") == "forfeit":
            dues.append(("bonus", bonus, -bonus, "CA-13"))
        elif name in BONUS:
            dues.append(("bonus", bonus, bonus * BONUS[name], "CA-19"))
        else:
            dues.append(("bonus", bonus, -bonus, "CA-19"))
    return dues


def fee_row(stake: int) -> tuple[int, int, int, int]:
    for row in FEES:
        if row[0] <= stake <= row[1]:
            return row
    raise ValueError(f"no range for {stake}")


def california_fee(seat: Json, reading: Json) -> int:
    if reading.get("fee_per") == "kind":
        played, bonus = seat["move"] == "play", "bonus" in seat
        return 100 + (50 if played else 0) + (25 if bonus else 0)
    fee = fee_row(seat["ante"])[2]
    if reading.get("fee_per", "round") == "wager":
        if seat["move"] == "play":
            fee += fee_row(seat["ante"])[2]
        if "bonus" in seat:
            fee += fee_row(seat["bonus"])[2]
    return fee


# The house


def settle_house(round: Json, reading: Json) -> Json:
    ace_low = reading.get("ace_low", True)
    dealer, _ = rank_hand(round["dealer"], ace_low)
    seats: list[Json] = []
    for seat in round["seats"]:
        wagers: list[Json] = [
            {"wager": name, "stake": stake, "net": gain, "action": abs(gain), "clause": clause}
            for name, stake, gain, clause in house_dues(seat, dealer, reading, ace_low)
        ]
        net = sum(wager["net"] for wager in wagers)
        seats.append({"seat": seat["seat"], "wagers": wagers, "net": net})
    result: Json = {"id": round["id"]} if "id" in round else {}
    result["seats"] = seats
    result["banker"] = -sum(seat["net"] for seat in seats)
    return result


def house_dues(seat: Json, dealer: Hand, reading: Json, ace_low: bool) -> list[Due]:
    hand, name = rank_hand(seat["cards"], ace_low)
    folded = seat.get("move") == "fold"
    dues: list[Due] = []
    if "ante" in seat:
        ante = seat["ante"]
        if folded:
            dues.append(("ante", ante, -ante, "HO-6"))
        elif not qualifies(dealer):
            dues.append(("ante", ante, ante, "HO-8"))
            dues.append(("play", ante, 0, "HO-8"))
        elif hand > dealer:
            dues.append(("ante", ante, ante, "HO-9"))
            dues.append(("play", ante, ante, "HO-9"))
        elif hand == dealer:
            dues.append(("ante", ante, 0, "HO-10"))
            dues.append(("play", ante, 0, "HO-10"))
        else:
            dues.append(("ante", ante, -ante, "HO-11"))
            dues.append(("play", ante, -ante, "HO-11"))
        earns = not folded or reading.get("ante_bonus_on_fold") == "pay"
        if earns and name in ANTE_BONUS:
            dues.append(("ante_bonus", 0, ante * ANTE_BONUS[name], "HO-12"))
    if "pair_plus" in seat:
        stake = seat["pair_plus"]
        if folded and reading.get("pair_plus_on_fold") == "forfeit":
            dues.append(("pair_plus", stake, -stake, "HO-4"))
        elif name in PAIR_PLUS:
            dues.append(("pair_plus", stake, stake * PAIR_PLUS[name], "HO-4"))
        else:
            dues.append(("pair_plus", stake, -stake, "HO-4"))
    return dues


# Roulette

RED = [1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36]


def roulette_bet(bet: str) -> tuple[list[str], int, str]:
    """Return the pockets a legal bet covers, its payout to one, and its clause."""
    name, *numbers = bet.lower().split()
    n36 = range(1, 37)
    outside = {
        "low": ([n for n in n36 if n <= 18], "RO-5"),
        "high": ([n for n in n36 if n >= 19], "RO-6"),
        "even": ([n for n in n36 if n % 2 == 0], "RO-7"),
        "odd": ([n for n in n36 if n % 2 == 1], "RO-8"),
        "red": (RED, "RO-9"),
        "black": ([n for n in n36 if n not in RED], "RO-10"),
    }
    if name in outside:
        covered, clause = outside[name]
        return [str(n) for n in covered], 1, clause
    if name == "dozen":
        which = int(numbers[0])
        return [str(n) for n in n36 if (n - 1) // 12 + 1 == which], 2, f"RO-{10 + which}"
    if name == "column":
        which = int(numbers[0])
        return [str(n) for n in n36 if (n - 1) % 3 + 1 == which], 2, "RO-18"
    if name == "five":
        return ["0", "00", "1", "2", "3"], 6, "RO-20"
    if name == "first_four":
        return ["0", "1", "2", "3"], 8, "RO-20"
    zero = any(number[0] == "0" for number in numbers)
    pays, clause = {
        "straight": (35, "RO-1"),
        "split": (17, "RO-20" if zero else "RO-2"),
        "street": (11, "RO-3"),
        "trio": (11, "RO-20"),
        "corner": (8, "RO-4"),
        "square": (8, "RO-4"),
        "line": (5, "RO-19"),
    }[name]
    return numbers, pays, clause


def settle_roulette(round: Json, reading: Json) -> Json:
    wagers = []
    for wager in round["wagers"]:
        covered, pays, clause = roulette_bet(wager["bet"])
        stake, held = wager["stake"], 0
        won = round["pocket"] in covered
        zero = round["pocket"] in ("0", "00", "000")
        if wager.get("in_prison"):
            clause = "RO-22"
            if won:
                net = 0
            elif zero and reading.get("second_zero") == "half":
                net = -stake // 2
            elif zero and reading.get("second_zero") == "stay":
                net, held = 0, stake
            else:
                net = -stake
        elif won:
            net = stake * pays
        elif zero and pays == 1 and reading.get("on_zero") == "la_partage":
            net, clause = -stake // 2, "RO-21"
        elif zero and pays == 1 and reading.get("on_zero") == "en_prison":
            net, held, clause = 0, stake, "RO-22"
        else:
            net = -stake
        row = {**wager, "net": net, "clause": clause}
        if held:
            row["held"] = held
        wagers.append(row)
    result: Json = {"id": round["id"]} if "id" in round else {}
    result["wagers"] = wagers
    result["banker"] = -sum(wager["net"] for wager in wagers)
    return result
