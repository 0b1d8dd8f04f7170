"""The proofs a rulebook must pass beyond its shape, each as plain problems with their keys."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from queenhigh.money import Pays
from queenhigh.rulebook.schema import (
    BetRow,
    LimitsTable,
    PayTable,
    PokerDocument,
    RateRow,
    RouletteDocument,
    SettlementRow,
)
from queenhigh.wheel import pockets, spots_of

__all__ = ["Finding", "findings"]

CASES = [(d, p) for d in ("short", "qualified") for p in ("behind", "level", "ahead")]


class Finding(NamedTuple):
    """Something wrong at a key: what it is, what to write instead, and by which clause."""

    key: tuple[str | int, ...]
    message: str
    write: str
    clause: str | None = None
    #: Other places this rests on: mend those first and it may be gone.
    rests_on: tuple[tuple[str | int, ...], ...] = ()


def findings(document: PokerDocument | RouletteDocument) -> Iterator[Finding]:
    """Yield everything wrong with a document whose shape is right."""
    yield from _clauses(document)
    if isinstance(document, PokerDocument):
        yield from _settlement(document)
        yield from _poker_pays(document)
        yield from _poker_limits(document)
        yield from _banking(document)
        yield from _fees(document)
    else:
        yield from _bets(document)
        yield from _limit(document.limits, ("limits",), document)


# Clauses: every row names one that exists, every key belongs to one, every assumption too.


def _rows(
    value: Any, at: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    """Yield every table, and every key in it, with its path."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        here = (*at, key)
        yield here, item
        if isinstance(item, dict) or (
            isinstance(item, list) and item and isinstance(item[0], dict)
        ):
            yield from _rows(item, here)


_PROSE = {
    "name", "title", "version", "source", "game", "clauses", "assumptions",
}  # fmt: skip


def _clauses(document: PokerDocument | RouletteDocument) -> Iterator[Finding]:
    known = [row.id for row in document.clauses]
    for i, id in enumerate(known):
        if id in known[:i]:
            yield Finding(("clauses", i, "id"), f"clause {id} stands twice", "leave one out")
    content = document.model_dump(mode="json", exclude_none=True)
    rules = {key: value for key, value in content.items() if key not in _PROSE}
    values = dict(_rows(rules))
    named = {path: value for path, value in values.items() if str(path[-1]).endswith("clause")}
    for i, row in enumerate(document.assumptions):
        named["assumptions", i, "clause"] = row.clause
    for path, id in named.items():
        if id not in known:
            listed = f"write one of {', '.join(known)}" if known else "add [[clauses]] rows"
            yield Finding(path, f"no clause {id} is here", listed, rests_on=(("clauses",),))
    yield from _named_keys(document, {".".join(map(str, path)) for path in values})
    governed = {key for row in document.clauses for key in row.keys}
    for key, value in rules.items():
        if (
            key not in governed
            and key != "increment_clause"
            and not isinstance(value, (dict, list))
        ):
            yield Finding(
                (key,),
                "no clause governs this key",
                f'add "{key}" to the keys of a clause',
                rests_on=(("clauses",),),
            )


def _named_keys(document: PokerDocument | RouletteDocument, keys: set[str]) -> Iterator[Finding]:
    """Check that clauses and assumptions speak of keys that are there."""
    said: dict[tuple[str | int, ...], str] = {}
    for i, clause in enumerate(document.clauses):
        said |= {("clauses", i, "keys", j): key for j, key in enumerate(clause.keys)}
    for i, row in enumerate(document.assumptions):
        if row.key is not None:
            said["assumptions", i, "key"] = row.key
    for path, key in said.items():
        if key not in keys:
            yield Finding(path, f"there is no key {key}", "name a key of this file")


# Three Card Poker


def _settlement(document: PokerDocument) -> Iterator[Finding]:
    covered: dict[tuple[str, str], SettlementRow] = {}
    for i, row in enumerate(document.settlement):
        for player in row.player:
            case = (row.dealer, player)
            if case in covered:
                yield Finding(
                    ("settlement", i),
                    f"dealer {row.dealer}, player {player} is covered twice:"
                    f" by {covered[case].clause} and by {row.clause}",
                    f'take "{player}" out of one of the two rows',
                    row.clause,
                )
            covered[case] = row
    for dealer, hand in CASES:
        if (dealer, hand) not in covered:
            yield Finding(
                ("settlement",),
                f"dealer {dealer}, player {hand} is not covered",
                f'add a [[settlement]] row with dealer = "{dealer}", player = ["{hand}"],'
                " what Ante and Play do, and its clause",
            )
    used = {outcome for row in document.settlement for outcome in (row.ante, row.play)}
    for reading in ("short_ante", "tie"):
        given = getattr(document, reading) is not None
        if reading in used and not given:
            yield Finding(
                (reading,), "a settlement row names it and it is missing", f'add {reading} = "push"'
            )
        if given and reading not in used:
            yield Finding(
                (reading,),
                "no settlement row reads it, so it would change nothing",
                "leave it out, or name it as the outcome of a settlement row",
            )


def _poker_pays(document: PokerDocument) -> Iterator[Finding]:
    for name in ("bonus", "pair_plus", "ante_bonus"):
        table = getattr(document, name)
        if table is not None:
            yield from _pay_table(document, name, table.pays)


def _pay_table(document: PokerDocument, name: str, table: PayTable) -> Iterator[Finding]:
    if table.royal_flush and not document.royal_flush:
        yield Finding(
            (name, "pays", "royal_flush"),
            "the royal flush is no class of its own here",
            "set royal_flush = true, or leave this pay out",
        )
    if document.royal_flush and bool(table.royal_flush) != bool(table.straight_flush):
        yield Finding(
            (name, "pays"),
            "royal flush and straight flush are two classes here and only one of them is paid",
            'write both, for example royal_flush = "50 to 1" and straight_flush = "40 to 1"',
        )
    for hand in PayTable.model_fields:
        pays: Pays | None = getattr(table, hand)
        if pays:
            yield from _whole(pays, (name, "pays", hand), document)


def _whole(
    pays: Pays, key: tuple[str | int, ...], document: PokerDocument | RouletteDocument
) -> Iterator[Finding]:
    if not pays.whole(document.increment):
        yield Finding(
            key,
            f"{pays} on a wager of {document.increment} cents would not be whole cents",
            f"make increment a multiple of {pays.stake}, and the limits with it",
            document.increment_clause,
            rests_on=(("increment",),),
        )


def _limit(
    limits: LimitsTable | RateRow,
    key: tuple[str | int, ...],
    document: PokerDocument | RouletteDocument,
) -> Iterator[Finding]:
    if limits.min > limits.max:
        yield Finding(
            (*key, "max"),
            f"{limits.max} is less than min, {limits.min}",
            f"write max = {limits.min} or more",
            limits.clause,
            rests_on=((*key, "min"),),
        )
    increment = document.increment
    for bound, cents in (("min", limits.min), ("max", limits.max)):
        if cents % increment:
            yield Finding(
                (*key, bound),
                f"{cents} is not a multiple of the increment, {increment} cents",
                f"write {bound} = {max(increment, cents // increment * increment)}",
                document.increment_clause,
                rests_on=(("increment",),),
            )


def _poker_limits(document: PokerDocument) -> Iterator[Finding]:
    for wager in ("ante", "bonus", "pair_plus"):
        limits = getattr(document.limits, wager)
        played = getattr(document, wager) is not None
        if limits is None and played and not (wager == "ante" and document.fees):
            yield Finding(
                ("limits", wager),
                "is missing",
                f"add a table [limits.{wager}] with clause, min and max in cents",
            )
        if limits is not None and not played:
            yield Finding(
                ("limits", wager), f"there is no {wager} bet here", "leave this table out"
            )
        if limits is not None:
            yield from _limit(limits, ("limits", wager), document)


def _banking(document: PokerDocument) -> Iterator[Finding]:
    for table in ("bank", "fees"):
        present = getattr(document, table) is not None
        if document.banker == "player" and not present:
            yield Finding((table,), "a player who banks needs it", f"add a table [{table}]")
        if document.banker == "house" and present:
            yield Finding(
                (table,),
                "belongs to a game that a player banks",
                f'leave [{table}] out, or write banker = "player"',
            )


def _fees(document: PokerDocument) -> Iterator[Finding]:
    if document.fees is None:
        return
    fees = document.fees
    if not fees.rates:
        yield Finding(("fees", "rates"), "no fee is posted", "add a [[fees.rates]] row", "CA-5")
    if len(fees.rates) > fees.max_rates:
        yield Finding(
            ("fees", "rates"),
            f"{len(fees.rates)} collection rates; a table has at most {fees.max_rates}",
            f"leave {len(fees.rates) - fees.max_rates} out",
            "CA-7",
        )
    for i, rate in enumerate(fees.rates):
        yield from _limit(rate, ("fees", "rates", i), document)
    order = sorted(enumerate(fees.rates), key=lambda item: (item[1].min, item[1].max))
    for (j, low), (i, high) in pairwise(order):
        if high.min <= low.max:
            yield Finding(
                ("fees", "rates", i, "min"),
                f"the range {high.min} to {high.max} overlaps {low.min} to {low.max}",
                f"write min = {low.max + document.increment}",
                "CA-7",
                rests_on=tuple(("fees", "rates", n, end) for n in (i, j) for end in ("min", "max")),
            )
    if document.limits.ante and fees.rates:
        least, most = min(r.min for r in fees.rates), max(r.max for r in fees.rates)
        if document.limits.ante.min < least or document.limits.ante.max > most:
            yield Finding(
                ("limits", "ante"),
                f"an Ante outside {least} to {most} has no collection rate",
                "narrow the limits, or leave them out: the rates are limits too",
                "CA-7",
            )


# Roulette


def _bets(document: RouletteDocument) -> Iterator[Finding]:
    wheel = set(pockets(document.zeros))
    names: dict[str, BetRow] = {}
    taken: set[str] = set()
    for i, row in enumerate(document.bets):
        key = ("bets", i)
        yield from _bet_row(row, key, wheel)
        yield from _whole(row.pays, (*key, "pays"), document)
        first = names.setdefault(row.name.split()[0], row)
        if first.pays != row.pays:
            yield Finding(
                (*key, "pays"),
                f"another {first.name} pays {first.pays}",
                f'write pays = "{first.pays}", or give this bet a name of its own',
                row.clause,
            )
        for spot in covering(row, document.zeros):
            if spot in taken:
                yield Finding(key, f"{spot} is listed twice", "leave one out", row.clause)
            taken.add(spot)
    for i, refused in enumerate(document.refused):
        for bet in refused.bets:
            if bet in names:
                yield Finding(
                    ("refused", i, "bets"),
                    f"{bet} is offered and refused",
                    "leave it out of one of the two",
                    refused.clause,
                )


def _bet_row(row: BetRow, key: tuple[str | int, ...], wheel: set[str]) -> Iterator[Finding]:
    given = [way for way in ("shape", "spots", "covers") if getattr(row, way) is not None]
    if len(given) != 1:
        yield Finding(
            key,
            f"{row.name} says what it covers {len(given)} times",
            "give exactly one of shape, spots and covers",
        )
    for covered in (*(row.spots or ()), row.covers or ()):
        if len(set(covered)) != len(covered):
            yield Finding(key, f"{row.name} names a pocket twice", "name each once", row.clause)
        for pocket in covered:
            if pocket not in wheel:
                yield Finding(
                    key,
                    f"{row.name} covers {pocket}, which is not on this wheel",
                    "leave the bet out, or change zeros",
                    row.clause,
                )


def covering(row: BetRow, zeros: int) -> dict[str, frozenset[str]]:
    """Return the pockets of every spot of a bet by its plain text: ``"split 17 20"``."""
    if row.covers is not None:
        return {row.name: frozenset(row.covers)}
    place = {pocket: i for i, pocket in enumerate(pockets(3))}
    spots = row.spots if row.spots is not None else spots_of(row.shape, zeros) if row.shape else ()
    return {
        " ".join([row.name, *sorted(spot, key=place.__getitem__)]): frozenset(spot)
        for spot in spots
    }
