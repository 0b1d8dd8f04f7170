"""What follows when a round goes wrong, at a live table and for entered hands, as phrases.

Each phrase comes from what ``table/incidents.py`` and ``settle`` did; see ``word_probes.py``.
"""

from typing import Any

import queenhigh as qh
from queenhigh.table.commands import FLOOR
from queenhigh.table.incidents import possible_incidents
from queenhigh.table.waiting import awaited
from tests.table.table_driver import Table as LiveTable
from tests.table.table_driver import kinds

_BACK = "wagers and any fees are returned"
_HAND_BACK = "its wagers and any fee are returned"
_ALONE = "if there is no other hand, the round is void"
_ENTERED = "Entered hands only"
#: Kinds of entered hands, with the clause of each.
_CLAUSES = {"wrong_cards": "IR-4", "foul_deck": "IR-5", "outside_limits": "IR-6"}


def _ante(book: Any) -> int:
    return int(book.limits["ante"].min)


# Live tables


def live(book: Any, *players: str) -> LiveTable:
    """Return a table with a round that these players decide; ann banks if a player does."""
    table = LiveTable(book, {name: place for place, name in enumerate(("ann", *players), 1)})
    if book.bank:
        table.banked_by("ann")
    else:
        table.do("SitOut", "ann", aside=True)
        table.tick()
    for name in players:
        table.bet(name, ante=_ante(book))
    assert table.state.phase == "deciding"
    return table


def _ruled(table: LiveTable, kind: str, player: str | None = None) -> list[str]:
    place = table.state.place_of(player) if player else None
    fields = {"kind": kind, "place": place, "staff": "Maria", "reason": "a dispute"}
    return kinds(table.do("RuleIncident", FLOOR, **fields))


def _is_all_back(table: LiveTable) -> bool:
    """Return whether everyone has all their chips, on the table or in bets that may be cleared."""
    names = [seat.player for seat in table.state.places.values()]
    return all(table.stack(name) + table.held(name) == 100_000 for name in names)


def probe_misdeal(book: Any) -> list[str]:
    table = live(book, "bob", "cyd")
    followed = _ruled(table, "misdeal")
    again = "IR-1: a new round starts at once with the same wagers"
    phrases = ["IR-1: before any player has decided: the round is void"]
    phrases += [f"IR-1: all {_BACK}"] if _is_all_back(table) else [f"!IR-1: {_BACK}"]
    if "WagersPlaced" not in followed:
        return [*phrases, f"!{again}", "!IR-1: Ready", _settled_ruling(book, "misdeal")]
    assert table.state.round is not None
    awaited_before = len(awaited(table.state))
    for name in ("bob", "cyd"):
        table.do("PlaceWagers", name, wagers=(), ready=True)
    confirmed = awaited_before == 2 and table.state.phase == "deciding"
    return [*phrases, again, f"{'' if confirmed else '!'}IR-1: confirms them with Ready"]


def probe_exposed_player(book: Any) -> list[str]:
    table = live(book, "bob", "cyd")
    if "HandVoided" not in _ruled(table, "exposed_player", "bob"):
        on = table.state.phase == "deciding" and len(awaited(table.state)) == 2
        return [f"{'' if on else '!'}IR-2: the hand plays on", "!IR-2: void"]
    on = table.state.phase == "deciding"
    alone = _ruled(live(book, "bob"), "exposed_player", "bob")
    return [
        "IR-2: that hand is void",
        f"{'' if table.stack('bob') == 100_000 else '!'}IR-2: {_HAND_BACK}",
        f"{'' if on else '!'}IR-2: The others play on",
        f"{'' if 'RoundVoided' in alone else '!'}IR-2: {_ALONE}",
        "!IR-2: the hand plays on",
    ]


def probe_exposed_dealer(book: Any) -> list[str]:
    table = live(book, "bob", "cyd")
    table.do("Choose", "bob", move="play")
    if "RoundVoided" not in _ruled(table, "exposed_dealer"):
        return ["IR-3: the round plays on", "!IR-3: void"]
    back = [f"IR-3: all {_BACK}"] if _is_all_back(table) else [f"!IR-3: {_BACK}"]
    return ["IR-3: before every player has decided: the round is void", *back]


# Entered hands


def entered(book: Any, seats: list[dict[str, Any]], *irregularities: dict[str, Any]) -> Any:
    """Settle hands with irregularities; the dealer's qualify and lose to the kings."""
    bank = {"bank": 10**7} if book.bank else {}
    numbered = [{"seat": number, **seat} for number, seat in enumerate(seats, 1)]
    round = {"dealer": "Ac Ad 2c", "seats": numbered, "irregularities": list(irregularities)}
    return qh.settle(book, {**round, **bank})


def _kings(book: Any, **more: Any) -> dict[str, Any]:
    return {"cards": "Kc Kd Kh", "ante": _ante(book), "move": "play", **more}


def _settled_ruling(book: Any, kind: str) -> str:
    """Return what ``settle`` says of a kind in the words of the clause."""
    seats = [{"cards": "Kc Kd Kh", "ante": _ante(book)}]
    (ruled,) = entered(book, seats, {"kind": kind}).irregularities
    return f"IR-1: {'the round is void' if ruled.ruling == 'void' else 'a new round'}"


def probe_entered(book: Any) -> list[str]:
    """Enter a wrong number of cards, a foul deck, and wagers outside the limits."""
    return [*_wrong_cards(book), *_foul_deck(book), *_outside_limits(book), *_where(book)]


def _wrong_cards(book: Any) -> list[str]:
    wrong = {"kind": "wrong_cards", "seat": 1}
    spoilt = _kings(book, cards="9s")
    result = entered(book, [spoilt, _kings(book)], wrong)
    void, other = result.seats
    alone = entered(book, [spoilt], wrong)
    return [
        f"{'' if void.net == 0 else '!'}IR-4: that hand is void, and {_HAND_BACK}",
        f"{'' if other.net > 0 else '!'}IR-4: The others play on",
        f"{'' if alone.banker == 0 == (alone.banker_fee or 0) else '!'}IR-4: {_ALONE}",
    ]


def _foul_deck(book: Any) -> list[str]:
    result = entered(book, [_kings(book, cards="Ac Kd Kh"), _kings(book)], {"kind": "foul_deck"})
    is_void = result.banker == 0 and all(seat.net == 0 for seat in result.seats)
    return [
        f"{'' if is_void else '!'}IR-5: the round is void whenever that is found",
        f"{'' if is_void else '!'}IR-5: All {_BACK}",
    ]


def _outside_limits(book: Any) -> list[str]:
    most, side = book.limits["ante"].max, book.side_bets[0].name
    over = {"kind": "outside_limits", "seat": 1, "wager": "ante"}
    (seat,) = entered(book, [_kings(book, ante=most + 100)], over).seats
    ante, play = seat.wagers[0].stake, seat.wagers[1].stake
    under = {"kind": "outside_limits", "seat": 1, "wager": side}
    low = book.limits[side].min - 1
    (left,) = entered(book, [_kings(book, **{side: low})], under).returned
    return [
        f"{'' if ante == most else '!'}IR-6: it stands up to the limit, and the rest is returned",
        f"{'' if play == ante else '!'}IR-6: Play stands as far as the Ante does",
        f"{'' if left.cents == low else '!'}IR-6: A wager below its limits is returned whole",
    ]


def _where(book: Any) -> list[str]:
    """Return which clauses concern entered hands only: the floor can never rule on them."""
    possible = {each.clause for each in possible_incidents(live(book, "bob").state)}
    ruled = [f"!{clause}: {_ENTERED}" for clause in sorted(possible)]
    return ruled + [
        f"{clause}: {_ENTERED}" for clause in _CLAUSES.values() if clause not in possible
    ]


def probe_gone(book: Any) -> list[str]:
    table = live(book, "bob", "cyd")
    followed = _ruled(table, "player_gone", "bob")
    made = "MoveMade" in followed and table.state.settings.default_move == "fold"
    return [f"{'' if made else '!'}IR-7: the table's default move is made for the hand"]
