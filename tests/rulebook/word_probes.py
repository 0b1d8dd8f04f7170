"""What the game does under a reading, found by playing it, as phrases that its clauses must say.

A phrase after the id of a clause belongs to that clause; one after ``!`` must not be said.
"""

from collections.abc import Callable
from typing import Any

import queenhigh as qh
from queenhigh.cards import HAND_CLASSES, parse_cards
from queenhigh.errors import IllegalRound, InvalidRulebook, QueenhighError
from queenhigh.game import Dealt
from queenhigh.games.three_card_poker import Round, Seat
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import vary
from queenhigh.table.banking import offer_order
from queenhigh.table.change_events import ChangeAnnounced
from queenhigh.table.commands import FLOOR
from queenhigh.text import words
from tests.rulebook.irregular_probes import (
    probe_exposed_dealer,
    probe_exposed_player,
    probe_misdeal,
)
from tests.table.table_driver import Table as LiveTable

# What the game does


def settled(book: Any, seats: list[dict[str, Any]], dealer: str, bank: int = 10**7) -> Any:
    """Settle a round of a rulebook that a player or the house banks."""
    banked = {"bank": bank} if book.bank else {}
    numbered = [{"seat": number, **seat} for number, seat in enumerate(seats, 1)]
    return qh.settle(book, {"dealer": dealer, "seats": numbered, **banked})


def stake(book: Any) -> int:
    return int(book.limits["ante"].min)


def player(book: Any, cards: str, move: str = "play", **more: Any) -> dict[str, Any]:
    return {"cards": cards, "ante": stake(book), "move": move, **more}


#: The six cases, as hands of the player and the dealer; the short ones are below five-high's next.
CASES = {
    ("does not qualify", "lower"): ("5c 3d 2h", "6c 4d 2s"),
    ("does not qualify", "equal"): ("6d 4c 2h", "6c 4d 2s"),
    ("does not qualify", "higher"): ("Ac Kd 9h", "6c 4d 2s"),
    ("qualifies", "lower"): ("9c 8d 2h", "Ac Ad 2s"),
    ("qualifies", "equal"): ("Ah As 2h", "Ac Ad 2s"),
    ("qualifies", "higher"): ("Kc Kd Kh", "Ac Ad 2s"),
}


def outcomes(book: PokerRulebook) -> dict[tuple[str, str], tuple[str, int, int]]:
    """Return what the game does in each case: the clause, and the signs of Ante and Play."""
    result = {}
    for (dealer, hand), cards in CASES.items():
        qualified = book.ranking.strength(_hand(cards[1])) >= book.qualifying_strength
        seat = settled(book, [player(book, cards[0])], cards[1]).seats[0]
        ante, play = seat.wagers[0], seat.wagers[1]
        if qualified == (dealer == "qualifies"):
            result[dealer, hand] = (ante.clause, ante.net // stake(book), play.net // stake(book))
    return result


def _hand(cards: str) -> Any:
    return parse_cards(cards)


# Phrases for what the game did, key by key

Probe = Callable[[Any], list[str]]


def probe_pays(name: str) -> Probe:
    hands = {
        "royal_flush": "As Ks Qs", "straight_flush": "9s 8s 7s", "three_of_a_kind": "9s 9d 9h",
        "straight": "9s 8d 7s", "flush": "9s 8s 2s", "pair": "9s 9d 2h", "high_card": "Ks 9d 2h",
    }  # fmt: skip

    def probe(book: Any) -> list[str]:
        phrases = []
        (clause,) = book.governing(f"{name}.pays")
        for hand in HAND_CLASSES:
            if hand == "royal_flush" and not book.royal_flush:
                continue
            own: dict[str, Any] = {name: 1000 if book.bank else 100} if name != "ante_bonus" else {}
            seat = settled(book, [player(book, hands[hand], **own)], "Ac Ad 2c").seats[0]
            row = next((row for row in seat.wagers if row.wager == name), None)
            base = own.get(name) or stake(book)
            if row is not None and row.net > 0:
                phrases.append(f"{clause}: {words(hand).lower()} {row.net // base} to 1")
            elif hand != "high_card":
                phrases.append(f"!{clause}: , {words(hand).lower()} ")
        return phrases

    return probe


def probe_up(book: Any) -> list[str]:
    """See how many of the dealer's cards are seen before a move."""
    bets = (Seat(1, stake(book)),)
    round = Round(bets, 10**6 if book.bank else None)
    dealt = book.game.apply(book, round, Dealt((*_hand("Ks 9d 2h"), *_hand("Ac Ad 2c"))))
    shown = sum(card is not None for card in book.game.view(book, dealt, None).dealer)
    if book.banker == "player":
        cards = ("three cards face down", "one face up", "two face up")[shown]
        return [f"The Player/Dealer's hand is {cards}" if not shown else cards]
    return [("The cards are dealt face down.", "but for one of", "but for two of")[shown]]


def probe_side_fold(name: str) -> Probe:
    def probe(book: Any) -> list[str]:
        side = {name: 1000 if book.bank else 100}
        seat = settled(book, [player(book, "9s 9d 2h", "fold", **side)], "Ac Ad 2c").seats[0]
        row = next(row for row in seat.wagers if row.wager == name)
        kept = "still settled on the hand"
        return [kept] if row.net > 0 else [f"!{kept}"]

    return probe


def probe_ante_bonus_fold(book: Any) -> list[str]:
    seat = settled(book, [player(book, "9s 9d 9h", "fold")], "Ac Ad 2c").seats[0]
    paid = any(row.wager == "ante_bonus" for row in seat.wagers)
    return ["played or folded"] if paid else ["A hand that is played earns"]


def probe_ace_low(book: Any) -> list[str]:
    kind = book.ranking.classes[book.ranking.strength(_hand("As 2d 3h"))]
    is_straight = HAND_CLASSES[kind] == "straight"
    return ["A-2-3 is the lowest straight" if is_straight else "A-2-3 is no straight"]


def probe_royal(book: Any) -> list[str]:
    sides = [book.by_strength(bet.pays) for bet in book.side_bets]
    top = len(book.ranking.classes) - 1
    apart = any(pays[top] != pays[top - 1] for pays in sides)
    return ["a class of its own above" if apart else "not a class of its own"]


def probe_qualifier(book: Any) -> list[str]:
    least = book.qualifying_strength
    if least == 0:  # no hand is lower than five-high
        same = ("any hand", "five-high or better")
        return [f"qualifies with {same[book.qualifier == 'five-high']}"]
    kind, ranks = book.ranking.classes[least], book.ranking.ranks[least]
    if HAND_CLASSES[kind] == "pair":
        return ["qualifies with a pair or better"]
    names = "two three four five six seven eight nine ten jack queen king ace"
    return [f"qualifies with {names.split()[ranks[0]]}-high or better"]


def probe_seats(book: Any) -> list[str]:
    legal = 0
    for number in range(1, 20):
        seat = {**player(book, "9s 9d 9h"), "seat": number}
        bank = {"bank": 10**6} if book.bank else {}
        try:
            qh.settle(book, {"dealer": "Ac Ad 2c", "seats": [seat], **bank})
        except QueenhighError:
            break
        legal = number
    return [f"Up to {legal} players" if book.bank else f"has {legal} seats"]


def _most(book: Any, **stakes: int) -> bool:
    """Return whether a seat may have these stakes."""
    seat: dict[str, Any] = {"seat": 1, "cards": "9s 9d 9h", **stakes}
    if "ante" in stakes:
        seat["move"] = "fold"
    bank = {"bank": 10**7} if book.bank else {}
    try:
        qh.settle(book, {"dealer": "Ac Ad 2c", "seats": [seat], **bank})
    except QueenhighError:
        return False
    return True


def _edge(book: Any, wager: str, above: bool) -> int:
    """Find a limit of a wager by trying."""
    beside = {} if wager == "ante" or not book.ante_required else {"ante": stake(book)}
    low, high = (0, 10**7) if above else (0, book.limits[wager].max)
    while high - low > 1:
        middle = (low + high) // 2
        legal = _most(book, **{**beside, wager: middle})
        low, high = (
            (middle, high) if (legal or middle < book.limits[wager].min) == above else (low, middle)
        ) if above else ((low, middle) if legal else (middle, high))  # fmt: skip
    return low if above else high


def probe_limits(wager: str) -> Probe:
    def probe(book: Any) -> list[str]:
        least, most = _edge(book, wager, above=False), _edge(book, wager, above=True)
        return [dollars(least), dollars(most)]

    return probe


def probe_scope(book: Any) -> list[str]:
    most, side = book.limits["ante"].max, book.side_bets[0].name
    both = _most(book, ante=most, **{side: book.limits[side].max})
    together = f"together are at most {dollars(most)}"
    return [f"!{together}"] if both else [together]


def probe_coverage(book: Any) -> list[str]:
    seats = [player(book, "9s 8d 2h", "play"), player(book, "Kc Kd Kh")]
    second = settled(book, seats, "Ac Ad 2c", bank=2 * stake(book)).seats[1]
    covers = "What the bank collects covers later wins"
    return (
        [covers, "when every wager has had its turn"]
        if second.net
        else ["uses it up", f"!{covers}"]
    )


def probe_order(book: Any) -> list[str]:
    ante = stake(book)
    winner = {**player(book, "9s 9d 9h"), "bonus": 1000}
    first, second = settled(
        book, [winner, player(book, "Kc Kd Kh")], "Ac Ad 2c", bank=2 * ante
    ).seats
    if second.net:
        return ["Every Ante is settled in action order, then every Play bet"]
    bonus = next(row.net for row in first.wagers if row.wager == "bonus")
    return [
        "the bonus bet, then the Ante, then Play"
        if bonus
        else "the Ante, then Play, then the bonus"
    ]


def probe_forfeit(book: Any) -> list[str]:
    seats = [player(book, "Kc Kd Kh"), player(book, "9s 8d 2h", "fold")]
    second = settled(book, seats, "Ac Ad 2c", bank=1).seats[1]
    lost = second.net == -stake(book)
    return ["lost whole, whatever is left" if lost else "matched like any other"]


def probe_first(book: Any) -> list[str]:
    seat = book.game.first_seat(book, 1)
    if seat is None:
        return ["drawn with the shuffle"]
    return ["with seat 1, and" if seat == 1 else "one seat further in each round"]


def probe_rotation(book: Any) -> list[str]:
    """Bank one round after another until the bank is offered to somebody else first."""
    table = LiveTable(book, {"ann": 1, "bob": 2, "cyd": 3})
    running = 0
    while running < 5:
        table.banked_by("ann") if running == 0 else table.do("AcceptBank", "ann", cents=20_000)
        for name in ("bob", "cyd"):
            table.bet(name, ante=stake(book))
        for name in ("bob", "cyd"):
            table.do("Choose", name, move="fold")
        running += 1
        table.tick()
        if next(offer_order(table.state)) != 1:
            break
    said = {1: "Nobody banks two rounds running", 2: "more than two rounds running"}
    return [said.get(running, "as long as they like")]


def probe_fee_per(book: Any) -> list[str]:
    ante = book.limits["ante"].min
    played = settled(book, [player(book, "9s 9d 9h", bonus=1000)], "Ac Ad 2c").seats[0].fee
    alone = settled(book, [player(book, "9s 9d 9h", "fold")], "Ac Ad 2c").seats[0].fee
    if played == alone:
        return ["once a round, by the size of the Ante", f"Ante {dollars(ante)}"]
    kinds = len({rate.on for rate in book.fees.rates})
    return (
        ["on each kind of wager that has a rate"]
        if kinds > 1
        else ["on each wager, Ante, Play and"]
    )


def probe_collect(book: Any) -> list[str]:
    table = LiveTable(book, {"ann": 1, "bob": 2})
    table.banked_by("ann")
    table.bet("bob", ante=stake(book))
    before = table.state.balances.get("fees", 0) > 0
    return [f"collected {'before' if before else 'after'} the start of play"]


def probe_rates(book: Any) -> list[str]:
    phrases = []
    for rate in book.fees.rates:
        seats = [{**player(book, "9s 9d 9h", "fold"), "ante": rate.min}]
        result = settled(book, seats, "Ac Ad 2c")
        fee, banker = dollars(result.seats[0].fee), dollars(result.banker_fee)
        phrases.append(
            f"{dollars(rate.min)} to {dollars(rate.max)}: player {fee}, Player/Dealer {banker}"
        )
    return phrases


def probe_max_rates(book: Any) -> list[str]:
    rates = [{"clause": "CA-7", "min": 500 + n, "max": 500 + n, "player": 1, "banker": 1}
             for n in range(9)]  # fmt: skip
    legal = 0
    for count in range(1, 9):
        try:
            vary(book, {"fees.rates": rates[:count]})
        except InvalidRulebook:
            break
        legal = count
    return [f"at most {legal} collection rates"]


def probe_notice(book: Any) -> list[str]:
    """Announce another fee, and see from when on it holds."""
    table = LiveTable(book)
    document = dict(vary(book, {"fees.rates.0.player": 50}).document)
    change = {"rulebook": document, "settings": table.state.settings, "reason": "a test"}
    (announced,) = table.do("AnnounceChange", FLOOR, **change)
    assert isinstance(announced, ChangeAnnounced)
    return [f"announced {(announced.starts - announced.at) // 1000} seconds ahead"]


def probe_increment(book: Any) -> list[str]:
    step = next(step for step in range(1, 1000) if _legal_step(book, step))
    return [f"in steps of {dollars(step)}"]


def _legal_step(book: Any, step: int) -> bool:
    if book.game.name == "roulette":
        bets = [{"bet": "red", "stake": 2 * book.limits.min + step}]
        try:
            qh.settle(book, {"pocket": "1", "wagers": bets})
        except QueenhighError:
            return False
        return True
    return _most(book, ante=stake(book) + step)


# Roulette


def spun(book: Any, pocket: str, bet: str, *, in_prison: bool = False) -> Any:
    wager: dict[str, Any] = {"bet": bet, "stake": 200}
    if in_prison:
        wager["in_prison"] = True
    return qh.settle(book, {"pocket": pocket, "wagers": [wager]}).wagers[0]


def probe_zeros(book: Any) -> list[str]:
    zeros = [pocket for pocket in ("0", "00", "000") if pocket in book.pockets]
    said = ("a single zero", "a zero and a double zero", "a zero, a double zero and a triple zero")
    return [said[len(zeros) - 1]]


def probe_on_zero(book: Any) -> list[str]:
    row = spun(book, "0", "red")
    if row.net == -200:
        return ["La partage is not played here", "En prison is not played here"]
    return ["La partage: on zero half"] if row.net == -100 else ["En prison: on zero"]


def probe_second_zero(book: Any) -> list[str]:
    row = spun(book, "0", "red", in_prison=True)
    said = {-200: "A second zero takes it.", -100: "A second zero takes half of it"}
    return [said.get(row.net, "A second zero holds it again")]


def probe_bets(book: Any) -> list[str]:
    """Spin for every bet: its clause must name its pays, and the numbers that a name covers."""
    phrases = []
    for text, spot in book.spots.items():
        pocket = next(iter(spot.pockets))
        row = spun(book, pocket, text)
        phrases.append(f"{spot.clause}: {row.net // 200} to 1")
    return list(dict.fromkeys(phrases))


def probe_wheel_limits(book: Any) -> list[str]:
    def legal(cents: int) -> bool:
        try:
            qh.settle(book, {"pocket": "1", "wagers": [{"bet": "red", "stake": cents}]})
        except QueenhighError:
            return False
        return True

    stakes = [cents for cents in range(0, 30_001, 2) if legal(cents)]
    return [dollars(stakes[0]), dollars(stakes[-1])]


def probe_refused(book: Any) -> list[str]:
    names = {"column 1": "column", "line 1 2 3 4 5 6": "six-line", "five": "five-number"}
    phrases = []
    for bet, name in names.items():
        try:
            spun(book, "1", bet)
        except IllegalRound as error:
            phrases += [f"{error.clause}: {name}"] if error.clause == "RO-16" else []
    return phrases


def probe_banker(book: Any) -> list[str]:
    if book.name.endswith("california"):
        return ["one Player/Dealer who banks"] if book.bank else ["The house banks."]
    return ["A player banks two"] if book.bank else ["The house offers two"]


def probe_required(book: Any) -> list[str]:
    side = book.side_bets[0].name
    alone = _most(book, **{side: book.limits[side].min})
    if book.name.endswith("california"):
        return ["A player may leave the Ante out"] if alone else ["must make an Ante"]
    return ["A player makes either or both"] if alone else ["A player makes the Ante before"]


PROBES: dict[str, Probe] = {
    "up": probe_up, "ace_low": probe_ace_low, "royal_flush": probe_royal,
    "qualifier": probe_qualifier, "banker": probe_banker, "ante.required": probe_required,
    "bonus.on_fold": probe_side_fold("bonus"), "pair_plus.on_fold": probe_side_fold("pair_plus"),
    "ante_bonus.on_fold": probe_ante_bonus_fold,
    "limits.scope": probe_scope, "bank.coverage": probe_coverage, "bank.first": probe_first,
    "bank.rotation": probe_rotation, "bank.settle_order": probe_order,
    "bank.fold_uncovered": probe_forfeit, "fees.fee_per": probe_fee_per,
    "fees.collect": probe_collect, "zeros": probe_zeros, "zero.on_zero": probe_on_zero,
    "zero.second_zero": probe_second_zero,
    "irregularities.misdeal": probe_misdeal,
    "irregularities.exposed_player": probe_exposed_player,
    "irregularities.exposed_dealer": probe_exposed_dealer,
}  # fmt: skip
#: Values that are not readings: some of each, and the probe of what they do.
VALUES: dict[str, dict[str, tuple[list[Any], Probe]]] = {
    "california": {
        "seats": ([1, 6, 10], probe_seats),
        "fees.max_rates": ([3], probe_max_rates),
        "fees.notice_seconds": ([60, 90], probe_notice),
        "fees.rates.1.player": ([0, 175], probe_rates),
        "fees.rates.0.banker": ([0, 300], probe_rates),
        "limits.bonus.max": ([5000], probe_limits("bonus")),
        "limits.bonus.min": ([200], probe_limits("bonus")),
        "bonus.pays.pair": (["2 to 1"], probe_pays("bonus")),
        "bonus.pays.royal_flush": (["99 to 1"], probe_pays("bonus")),
    },
    "house": {
        "seats": ([1, 5, 9], probe_seats),
        "limits.ante.max": ([300, 400], probe_limits("ante")),
        "limits.pair_plus.min": ([150], probe_limits("pair_plus")),
        "pair_plus.pays.flush": (["4 to 1"], probe_pays("pair_plus")),
        "ante_bonus.pays.straight": (["2 to 1"], probe_pays("ante_bonus")),
    },
    "roulette": {
        "limits.max": ([20_000], probe_wheel_limits),
        "bets.0.pays": (["34 to 1", "35 to 1"], probe_bets),
        "bets.9.pays": (["2 to 1"], probe_bets),
        "refused": ([[{"clause": "RO-16", "bets": ["column", "five"]}]], probe_refused),
    },
    "roulette-american": {"limits.min": ([200], probe_wheel_limits)},
    "roulette-european": {"bets.1.pays": (["17 to 1"], probe_bets)},
}
