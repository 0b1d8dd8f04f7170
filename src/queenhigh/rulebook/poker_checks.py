"""Checks of a rulebook of Three Card Poker."""

from collections.abc import Iterator

from queenhigh.money import Pays
from queenhigh.rulebook.checks import check_clauses, check_limits, check_whole
from queenhigh.rulebook.fees import READINGS
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.schema import FeesTable, PayTable, PokerDocument, SettlementRow

__all__ = ["CASES", "check_poker"]

CASES = [(d, p) for d in ("short", "qualified") for p in ("behind", "level", "ahead")]


def check_poker(document: PokerDocument) -> Iterator[Finding]:
    """Yield everything wrong with a document whose shape is right."""
    yield from check_clauses(document)
    yield from _coverage(document)
    yield from _readings(document)
    for name in ("bonus", "pair_plus", "ante_bonus"):
        if table := getattr(document, name):
            yield from _pay_table(document, name, table.pays)
    yield from _limits(document)
    yield from _banking(document)
    if document.fees:
        yield from _fees(document, document.fees)


def _coverage(document: PokerDocument) -> Iterator[Finding]:
    """Check that every case of the settlement table is covered, each by one row."""
    covered: dict[tuple[str, str], int] = {}
    places: tuple[Key, ...] = (("settlement",),)
    places += tuple(
        ("settlement", i, key)
        for i in range(len(document.settlement))
        for key in ("dealer", "player")
    )
    for i, row in enumerate(document.settlement):
        for player in row.player:
            before = covered.setdefault((row.dealer, player), i)
            if before != i:
                yield Finding(
                    ("settlement", i),
                    f"dealer {row.dealer}, player {player} is covered twice:"
                    f" by {document.settlement[before].clause} and by {row.clause}",
                    f'take "{player}" out of one of the two rows',
                    row.clause,
                    depends_on=places,
                )
    for dealer, hand in CASES:
        if (dealer, hand) not in covered:
            yield Finding(
                ("settlement",),
                f"dealer {dealer}, player {hand} is not covered",
                f'add a [[settlement]] row with dealer = "{dealer}", player = ["{hand}"],'
                " what Ante and Play do, and its clause",
                depends_on=places,
            )


def _readings(document: PokerDocument) -> Iterator[Finding]:
    """Check that readings are given where rows name them, and read where they are given."""
    rows = [
        (("settlement", i, wager), row, getattr(row, wager))
        for i, row in enumerate(document.settlement)
        for wager in ("ante", "play")
    ]
    for reading in ("short_ante", "tie"):
        given = getattr(document, reading) is not None
        used = [(key, row) for key, row, outcome in rows if outcome == reading]
        for key, row in used:
            if not _has_place(reading, row, str(key[-1])):
                yield Finding(
                    key, f"{reading} does not decide this case", 'write "win", "push" or "lose"',
                    row.clause, depends_on=(("settlement", key[1], "dealer"),
                                          ("settlement", key[1], "player")),
                )  # fmt: skip
        if used and not given:
            yield Finding(
                (reading,), "a settlement row names it and it is missing", f'add {reading} = "push"'
            )
        if given and rows and not used:
            yield Finding(
                (reading,),
                "no settlement row reads it, so it would change nothing",
                "leave it out, or name it as the outcome of a settlement row",
                depends_on=tuple(key for key, _, _ in rows),
            )


def _has_place(reading: str, row: SettlementRow, wager: str) -> bool:
    if reading == "short_ante":
        return row.dealer == "short" and wager == "ante"
    return row.dealer == "qualified" and all(hand == "level" for hand in row.player)


def _pay_table(document: PokerDocument, name: str, table: PayTable) -> Iterator[Finding]:
    if table.royal_flush and not document.royal_flush:
        yield Finding(
            (name, "pays", "royal_flush"),
            "the royal flush is no class of its own here",
            "set royal_flush = true, or leave this pay out",
            depends_on=(("royal_flush",),),
        )
    if document.royal_flush and bool(table.royal_flush) != bool(table.straight_flush):
        yield Finding(
            (name, "pays"),
            "royal flush and straight flush are two classes here and only one of them is paid",
            'write both, for example royal_flush = "50 to 1" and straight_flush = "40 to 1"',
            depends_on=(("royal_flush",),),
        )
    for hand in PayTable.model_fields:
        pays: Pays | None = getattr(table, hand)
        if pays:
            yield from check_whole(pays, (name, "pays", hand), document)


def _limits(document: PokerDocument) -> Iterator[Finding]:
    for wager in ("ante", "bonus", "pair_plus"):
        limits = getattr(document.limits, wager)
        played = getattr(document, wager) is not None
        if limits is None and played and not (wager == "ante" and document.fees):
            yield Finding(
                ("limits", wager),
                "is missing",
                f"add a table [limits.{wager}] with clause, min and max in cents",
                depends_on=(("fees",), ("limits",)),
            )
        if limits is not None and not played:
            yield Finding(
                ("limits", wager), f"there is no {wager} bet here", "leave this table out",
                depends_on=((wager,),),
            )  # fmt: skip
        if limits is not None:
            yield from check_limits(limits, ("limits", wager), document)


def _banking(document: PokerDocument) -> Iterator[Finding]:
    by_player = document.banker == "player"
    for table in ("bank", "fees"):
        present = getattr(document, table) is not None
        if by_player and not present:
            yield Finding(
                (table,), "a player who banks needs it", f"add a table [{table}]",
                depends_on=(("banker",),),
            )  # fmt: skip
        if present and not by_player:
            yield Finding(
                (table,),
                "belongs to a game that a player banks",
                f'leave [{table}] out, or write banker = "player"',
                depends_on=(("banker",),),
            )
    if by_player and not document.ante.required:
        yield Finding(
            ("ante", "required"),
            "where a player banks, fees go by the Ante, so every seat needs one",
            "write required = true",
            document.ante.clause,
            depends_on=(("banker",),),
        )


def _fees(document: PokerDocument, fees: FeesTable) -> Iterator[Finding]:
    if not fees.rates:
        yield Finding(("fees", "rates"), "no fee is posted", "add a [[fees.rates]] row", "CA-5")
        return
    if len(fees.rates) > fees.max_rates:
        yield Finding(
            ("fees", "rates"),
            f"{len(fees.rates)} collection rates; a table has at most {fees.max_rates}",
            f"leave {len(fees.rates) - fees.max_rates} out",
            "CA-7",
            depends_on=(("fees", "max_rates"),),
        )
    for i, rate in enumerate(fees.rates):
        yield from check_limits(rate, ("fees", "rates", i), document)
    yield from _overlaps(document, fees)
    yield from _wagers_with_a_rate(document, fees)


def _overlaps(document: PokerDocument, fees: FeesTable) -> Iterator[Finding]:
    order = sorted(range(len(fees.rates)), key=lambda i: (fees.rates[i].min, fees.rates[i].max))
    widest = order[0]
    for i in order[1:]:
        rate, below = fees.rates[i], fees.rates[widest]
        if rate.min <= below.max:
            ends = [("fees", "rates", n, end) for n in (i, widest) for end in ("min", "max")]
            yield Finding(
                ("fees", "rates", i, "min"),
                f"the range {rate.min} to {rate.max} overlaps {below.min} to {below.max}",
                f"write min = {below.max + document.increment}",
                "CA-7",
                depends_on=tuple(ends),
            )
        if rate.max > below.max:
            widest = i


def _wagers_with_a_rate(document: PokerDocument, fees: FeesTable) -> Iterator[Finding]:
    """Check that a wager that pays a fee has a rate within its limits."""
    least, most = min(rate.min for rate in fees.rates), max(rate.max for rate in fees.rates)
    for wager in ("ante", "bonus", "pair_plus"):
        limits = getattr(document.limits, wager)
        charged = wager in READINGS[fees.fee_per].wagers
        if charged and limits and (limits.min > most or limits.max < least):
            yield Finding(
                ("limits", wager),
                f"no collection rate reaches these limits; the rates go from {least} to {most}",
                "move the limits or the rates",
                "CA-7",
                depends_on=(("fees", "rates"), ("limits", wager, "min"), ("limits", wager, "max")),
            )
