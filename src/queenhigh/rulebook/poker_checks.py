"""Checks of a rulebook of Three Card Poker."""

from collections.abc import Iterator

from queenhigh.money import Pays
from queenhigh.rulebook.checks import check_clauses, check_limits, check_whole
from queenhigh.rulebook.fees import KINDS, READINGS, Kind, kind_of
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.schema import FeesTable, PayTable, PokerDocument, RateRow, SettlementRow

__all__ = ["CASES", "check_poker", "rate_span"]

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
                    f'remove "{player}" from one of the two rows',
                    row.clause,
                    depends_on=places,
                )
    for dealer, hand in CASES:
        if (dealer, hand) not in covered:
            yield Finding(
                ("settlement",),
                f"dealer {dealer}, player {hand} is not covered",
                f'add a [[settlement]] row with dealer = "{dealer}", player = ["{hand}"],'
                " the results of Ante and Play, and its clause",
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
                    key, f"{reading} does not apply to this case", 'write "win", "push" or "lose"',
                    row.clause, depends_on=(("settlement", key[1], "dealer"),
                                          ("settlement", key[1], "player")),
                )  # fmt: skip
        if used and not given:
            yield Finding(
                (reading,), "a settlement row uses it, but it is missing", f'add {reading} = "push"'
            )
        if given and rows and not used:
            yield Finding(
                (reading,),
                "no settlement row uses it, so it has no effect",
                "remove it, or use it as the outcome of a settlement row",
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
            "the royal flush is not a separate class here",
            "set royal_flush = true, or remove this pay",
            depends_on=(("royal_flush",),),
        )
    if document.royal_flush and bool(table.royal_flush) != bool(table.straight_flush):
        yield Finding(
            (name, "pays"),
            "royal flush and straight flush are separate classes here, but only one is paid",
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
        of_the_rates = wager == "ante" and _limit_antes(document.fees)
        if limits is None and played and not of_the_rates:
            yield Finding(
                ("limits", wager),
                "is missing",
                f"add a table [limits.{wager}] with clause, min and max in cents",
                depends_on=(("fees",), ("limits",)),
            )
        if limits is not None and not played:
            yield Finding(
                ("limits", wager), f"there is no {wager} bet here", "remove this table",
                depends_on=((wager,),),
            )  # fmt: skip
        if limits is not None:
            yield from check_limits(limits, ("limits", wager), document)
    if document.limits.scope == "total":
        yield from _one_maximum(document)


def _limit_antes(fees: FeesTable | None) -> bool:
    """Return whether the ranges of the rates limit the Ante, as any rate would."""
    return fees is not None and (not fees.rates or rate_span(fees, "ante") is not None)


def _one_maximum(document: PokerDocument) -> Iterator[Finding]:
    """Check that wagers whose maximum holds for all of them together have the same one."""
    ante = document.limits.ante
    for wager in ("bonus", "pair_plus"):
        side = getattr(document.limits, wager)
        if ante is None or (side is not None and side.max != ante.max):
            other = f"the Ante's, {ante.max}" if ante else "a [limits.ante] table that is missing"
            yield Finding(
                ("limits", "scope"),
                f'with scope = "total" the maximum of {wager} must be {other}',
                f"give limits.ante and limits.{wager} the same max",
                depends_on=(("limits", "ante"), ("limits", wager)),
            )


def _banking(document: PokerDocument) -> Iterator[Finding]:
    by_player = document.banker == "player"
    for table in ("bank", "fees"):
        present = getattr(document, table) is not None
        if by_player and not present:
            yield Finding(
                (table,), "a player-banked game needs it", f"add a table [{table}]",
                depends_on=(("banker",),),
            )  # fmt: skip
        if present and not by_player:
            yield Finding(
                (table,),
                "applies only to games banked by a player",
                f'remove [{table}], or write banker = "player"',
                depends_on=(("banker",),),
            )
    if by_player and not document.ante.required:
        yield Finding(
            ("ante", "required"),
            "in a player-banked game fees depend on the Ante, so every seat needs one",
            "write required = true",
            document.ante.clause,
            depends_on=(("banker",),),
        )


def _fees(document: PokerDocument, fees: FeesTable) -> Iterator[Finding]:
    if not fees.rates:
        yield Finding(("fees", "rates"), "there are no fees", "add a [[fees.rates]] row", "CA-5")
        return
    if len(fees.rates) > fees.max_rates:
        yield Finding(
            ("fees", "rates"),
            f"{len(fees.rates)} collection rates, but the maximum is {fees.max_rates}",
            f"remove {len(fees.rates) - fees.max_rates}",
            "CA-7",
            depends_on=(("fees", "max_rates"),),
        )
    for i, rate in enumerate(fees.rates):
        yield from _rate(document, fees, rate, ("fees", "rates", i))
    for kind in KINDS if fees.fee_per == "kind" else KINDS[:1]:
        yield from _overlaps(document, fees, kind)
    yield from _wagers_with_a_rate(document, fees)


def _rate(document: PokerDocument, fees: FeesTable, rate: RateRow, key: Key) -> Iterator[Finding]:
    """Check the range of a rate, and that what it names is charged."""
    by_kind = fees.fee_per == "kind"
    depends_on: tuple[Key, ...] = (("fees", "fee_per"),)
    for end, other in (("min", "max"), ("max", "min")):
        if getattr(rate, end) is None and (not by_kind or getattr(rate, other) is not None):
            write = f"add {end} in cents" + (", or remove both" if by_kind else "")
            yield Finding((*key, end), "is missing", write, "CA-7", depends_on=depends_on)
    if rate.on != "ante" and not by_kind:
        write = 'remove it, or write fee_per = "kind"'
        message = 'a rate has a kind of wager only with fee_per = "kind"'
        yield Finding((*key, "on"), message, write, "CA-7", depends_on=depends_on)
    if rate.on != "ante" and by_kind and rate.banker:
        message = "the Player/Dealer pays only by the rate of the Ante"
        place = (*depends_on, (*key, "on"))
        yield Finding((*key, "banker"), message, "write banker = 0", "CA-7", depends_on=place)
    if rate.on == "bonus" and by_kind and not (document.bonus or document.pair_plus):
        message, write = "there is no bonus bet in this game", "remove this rate"
        place = (*depends_on, (*key, "on"), ("bonus",), ("pair_plus",))
        yield Finding((*key, "on"), message, write, "CA-7", depends_on=place)
    if rate.min is not None and rate.max is not None:
        yield from check_limits(rate, key, document)


def _rates_on(fees: FeesTable, kind: Kind) -> list[RateRow]:
    """Return the rates that a kind of wager pays by."""
    kinds = READINGS[fees.fee_per].kinds
    return [rate for rate in fees.rates if (rate.on == kind if kinds is None else kind in kinds)]


def rate_span(fees: FeesTable | None, wager: str) -> tuple[int, int] | None:
    """Return the least and the most that the rates of a wager cover; of an Ante also for Play.

    ``None`` if nothing limits it: it is free, or its rate has no range.
    """
    if fees is None:
        return None
    spans = []
    for kind in (kind_of(wager), *(("play",) if wager == "ante" else ())):
        rows = [(r.min, r.max) for r in _rates_on(fees, kind) if r.min and r.max]
        if rows:
            spans.append((min(low for low, _ in rows), max(high for _, high in rows)))
    if not spans:
        return None
    return max(low for low, _ in spans), min(high for _, high in spans)


def _overlaps(document: PokerDocument, fees: FeesTable, kind: Kind) -> Iterator[Finding]:
    """Check that no two rates of a kind cover the same wager."""
    by_kind = fees.fee_per == "kind"
    places = [i for i, rate in enumerate(fees.rates) if rate.on == kind or not by_kind]
    bounds = {i: (fees.rates[i].min or 0, fees.rates[i].max or 10**12) for i in places}
    widest = None
    for i in sorted(places, key=lambda i: bounds[i]):
        low, high = bounds[i]
        if widest is not None and low <= bounds[widest][1]:
            ends = [("fees", "rates", n, end) for n in (i, widest) for end in ("min", "max")]
            below, above = bounds[widest]
            yield Finding(
                ("fees", "rates", i, "min"),
                f"the range {low} to {high} overlaps {below} to {above}",
                f"write min = {above + document.increment}",
                "CA-7",
                depends_on=tuple(ends),
            )
        if widest is None or high > bounds[widest][1]:
            widest = i


def _wagers_with_a_rate(document: PokerDocument, fees: FeesTable) -> Iterator[Finding]:
    """Check that a wager that pays a fee has a rate within its limits."""
    for wager in ("ante", "bonus", "pair_plus"):
        limits, span = getattr(document.limits, wager), rate_span(fees, wager)
        if not span:
            continue
        least, most = span
        bounds = (limits.min, limits.max) if limits else (least, most)
        if max(least, bounds[0]) > min(most, bounds[1]) and (limits or wager == "ante"):
            yield Finding(
                ("limits", wager),
                f"no collection rate covers these limits; the rates range from {least} to {most}",
                "change the limits or the rates",
                "CA-7",
                depends_on=(("fees", "rates"), ("limits", wager, "min"), ("limits", wager, "max")),
            )
