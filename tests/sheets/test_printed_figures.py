"""Every figure of every printed sheet, computed a second time by code that shares nothing."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import from_document
from queenhigh.sheets.printed.blocks import (
    KINDS,
    Clauses,
    Figures,
    Headline,
    Kind,
    Lines,
    Picture,
    PrintedSheet,
)
from queenhigh.sheets.printed.sheets import make_sheet
from tests import own_rulebooks
from tests.oracle import printed as oracle
from tests.oracle.plain import KIND_RATES
from tests.oracle.printed import Weighed, document, money, numbers_of, share, title
from tests.sizes import FULL

Rows = list[tuple[str, ...]]
#: Shipped rulebooks, and tables with other pays, fees, limits, wheels and qualifying hands.
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    **{name: (name, {}) for name in qh.shipped()},
    "high": (
        "california",
        {
            "qualifier": "king-high",
            "up": 0,
            "bonus.pays.flush": "4 to 1",
            "bonus.pays.straight": "11 to 2",
            "increment": 2,
            "short_ante": "win",
            "limits.bonus.max": 12345678,
            "fees.collect": "after",
            "fees.notice_seconds": 90,
            "fees.rates": [
                {"clause": "CA-7", "min": 250, "max": 9998, "player": 50, "banker": 175},
                {"clause": "CA-7", "min": 10000, "max": 250000, "player": 125, "banker": 0},
            ],
        },
    ),
    "kinds": ("california", {"fees.fee_per": "kind", "fees.rates": KIND_RATES, "tie": "win"}),
    "pair": (
        "house",
        {
            "qualifier": "pair",
            "up": 1,
            "pair_plus.pays.three_of_a_kind": "25 to 1",
            "ante_bonus.pays.straight": "2 to 1",
            "pair_plus.on_fold": "forfeit",
            "limits.ante.max": 350,
        },
    ),
    "total": (
        "house",
        {"limits.scope": "total", "limits.ante.max": 350, "limits.pair_plus.max": 350},
    ),
    "gaps": (
        "california",
        {
            "increment": 50,
            "fees.fee_per": "wager",
            "fees.max_rates": 4,
            "limits.bonus.min": 30_050,
            "limits.bonus.max": 49_950,
            "fees.rates": [
                {"clause": "CA-7", "min": 500, "max": 10_000, "player": 100, "banker": 200},
                {"clause": "CA-7", "min": 10_050, "max": 20_000, "player": 200, "banker": 400},
                {"clause": "CA-7", "min": 25_000, "max": 30_000, "player": 200, "banker": 400},
                {"clause": "CA-7", "min": 50_000, "max": 90_000, "player": 300, "banker": 500},
            ],
        },
    ),
    "play": (
        "california",
        {
            "fees.fee_per": "kind",
            "limits.bonus.max": 702,
            "bonus.pays.high_card": "1 to 9",
            "increment": 9,
            "limits.bonus.min": 9,
            "fees.rates": [
                {"clause": "CA-7", "min": 900, "max": 90_000, "player": 100, "banker": 200},
                {
                    "clause": "CA-7",
                    "on": "play",
                    "min": 1800,
                    "max": 4500,
                    "player": 50,
                    "banker": 0,
                },
                {
                    "clause": "CA-7",
                    "on": "bonus",
                    "min": 90,
                    "max": 18_000,
                    "player": 5,
                    "banker": 0,
                },
            ],
        },
    ),
    "needed": (
        "house",
        {
            "increment": 5,
            "ante.required": True,
            "limits.scope": "total",
            "limits.ante.min": 150,
            "limits.pair_plus.min": 100,
        },
    ),
    "too dear": ("house", {"ante.required": True, "limits.scope": "total", "limits.ante.min": 350}),
    "steps": ("roulette", {"increment": 25}),
    "none": ("house", {"qualifier": "none", "ante_bonus.on_fold": "pay"}),
    "gentle": ("roulette-european", {"zero.on_zero": "la_partage", "limits.min": 250}),
    "prison": ("roulette-european", {"zero.on_zero": "en_prison", "zero.second_zero": "half"}),
    "triple": ("roulette", {"zeros": 3, "bets.0.pays": "33 to 1", "bets.3.pays": "7 to 1"}),
}


@cache
def book_of(table: str) -> Rulebook:
    if table == "gaps":  # more rates than the law of the document
        return from_document(document(*TABLES[table]))
    return qh.load(*TABLES[table])


@cache
def weighed(table: str) -> Weighed:
    return Weighed(document(*TABLES[table]))


def is_wheel(table: str) -> bool:
    return TABLES[table][0].startswith("roulette")


# What a sheet shows


def rows_of(sheet: PrintedSheet) -> Rows:
    """Return the rows of all tables but those of the changes, which repeat what was asked."""
    tables = [block for block in sheet.blocks if isinstance(block, Figures)]
    return [row for each in tables if "Changed" not in each.title for row in each.rows]


def sentences_of(sheet: PrintedSheet) -> list[str]:
    """Return all that is not in a table or a clause."""
    sentences: list[str] = []
    for block in sheet.blocks:
        if isinstance(block, Lines):
            sentences += block.lines
        elif isinstance(block, Headline):
            sentences += [block.text, block.more]
        elif isinstance(block, Figures):
            sentences.append(block.note)
        elif isinstance(block, Picture):
            sentences += block.words
    return sentences


def shown(sheet: PrintedSheet) -> tuple[Rows, list[str]]:
    return rows_of(sheet), [each for line in sentences_of(sheet) for each in numbers_of(line)]


# What it should show, of Three Card Poker


def seen_limits(plain: Any) -> dict[str, list[str]]:
    """Return the limits of each bet that can be made."""
    return {name: numbers_of(spans) for name, spans, _ in oracle.limits(plain)}


def total(plain: Any) -> list[str]:
    """Return what all bets may come to, where that is limited, and the step of bets."""
    limits = plain["limits"]
    together = [money(limits["ante"]["max"])] if limits.get("scope") == "total" else []
    return [*together, *oracle.step(plain)]


def fee_rows(plain: Any, *, clause: bool) -> Rows:
    rows: Rows = []
    by_kind = plain["fees"]["fee_per"] == "kind"
    order = ["ante", "play", "bonus"]
    listed = sorted(plain["fees"]["rates"], key=lambda rate: order.index(rate.get("on", "ante")))
    for rate in listed:
        on = rate.get("on", "ante")
        between = oracle.rate_span(plain, rate)
        if between is None:
            continue
        banker = money(rate["banker"]) if oracle.is_of_ante(plain, rate) else "none"
        name = f"{title(on)}, {between}" if by_kind else between
        rows.append((name, money(rate["player"]), banker, *[rate["clause"]] * clause))
    return rows


def fee_numbers(plain: Any) -> list[str]:
    return [str(plain["fees"]["notice_seconds"])]


def pay_rows(plain: Any, *, chance: bool) -> Rows:
    rows: Rows = []
    for table in (oracle.side_bet(plain), "ante_bonus"):
        if table in oracle.limit_rows(plain) and table not in seen_limits(plain):
            continue
        for key in oracle.CLASSES:
            if key in plain.get(table, {}).get("pays", {}):
                rare = (oracle.one_in(plain, key),) if chance else ()
                rows.append((title(key), plain[table]["pays"][key], *rare))
    return rows


WORDS = {1: "pays 1 to 1", 0: "is returned", -1: "loses"}
HANDS = ["lower", "equal", "higher"]


def case_rows(plain: Any) -> Rows:
    """Return the cases that can occur, in words."""
    needs = plain["qualifier"]
    qualified = "any hand" if needs == "none" else f"{needs} or better"
    rows: Rows = []
    for index, (ante, play, clause) in enumerate(oracle.cases(plain)):
        if index >= 3 or needs != "none":
            dealer = qualified if index >= 3 else f"below {needs}"
            rows.append((dealer, HANDS[index % 3], WORDS[ante], WORDS[play], clause))
    return rows


def merged_cases(plain: Any) -> Rows:
    """Return the cases, the best first, and hands that come to the same in one row."""
    merged: dict[tuple[str, str, str], list[str]] = {}
    for dealer, hand, ante, play, _ in reversed(case_rows(plain)):
        merged.setdefault((dealer, ante, play), []).append(hand)
    return [
        (dealer, "any" if len(hands) == 3 else " or ".join(hands), ante, play)
        for (dealer, ante, play), hands in merged.items()
    ]


def poker_rule_card(table: str) -> tuple[Rows, list[str]]:
    plain, worth = document(*TABLES[table]), weighed(table)
    side = title(oracle.side_bet(plain))
    play = {"california": "CA-14", "house": "HO-7"}[TABLES[table][0]]
    rows: Rows = [(title(name), spans, clause) for name, spans, clause in oracle.limits(plain)]
    rows.append(("Play", "equal to the Ante", play))
    rows.append(("Ante", share(-worth.ev, 2)))
    if oracle.side_bet(plain) in seen_limits(plain):
        rows.append((side, share(-worth.side_ev, 2)))
    rows += case_rows(plain) + pay_rows(plain, chance=False)
    numbers = [str(plain["seats"]), *total(plain)]
    if "fees" in plain:
        rows += fee_rows(plain, clause=True)
        numbers += fee_numbers(plain)
    return rows, numbers


def poker_fees(table: str) -> tuple[Rows, list[str]]:
    plain = document(*TABLES[table])
    return fee_rows(plain, clause=False), fee_numbers(plain)


def poker_pays(table: str) -> tuple[Rows, list[str]]:
    plain, worth = document(*TABLES[table]), weighed(table)
    seen = seen_limits(plain)
    side = seen.get(oracle.side_bet(plain))
    numbers = [*side, share(abs(worth.side_ev), 2)] if side else []
    numbers += [*seen["ante"], *total(plain)]
    numbers.append(share(abs(worth.ev), 2))
    return pay_rows(plain, chance=True) + merged_cases(plain), numbers


def poker_strategy(table: str) -> tuple[Rows, list[str]]:
    plain, worth = document(*TABLES[table]), weighed(table)
    rule, cost = worth.rule()
    rows = rule if plain["up"] else []
    numbers = numbers_of(rule[0][1]) if not plain["up"] else []
    numbers.append(share(abs(worth.ev), 2))
    numbers += [share(cost, 3)] if cost else []
    return [*rows], [*numbers, share(Fraction(worth.played, worth.sets), 1)]


def poker_felt(table: str) -> tuple[Rows, list[str]]:
    plain = document(*TABLES[table])
    places = plain["seats"] + (plain["banker"] == "player")
    even = ["1", "1"]
    pays = [number for _, ratio in pay_rows(plain, chance=False) for number in numbers_of(ratio)]
    limits = [number for spans in seen_limits(plain).values() for number in spans]
    return [], [str(places), *limits, *total(plain), *even, *pays]


# What it should show, of a wheel

WHEEL_NAMES = {
    "straight": "Straight up", "low": "Low, 1 to 18", "high": "High, 19 to 36", "line": "Six-line",
    "five": "Five-number",
}  # fmt: skip


def wheel_rows(plain: Any, *, clause: bool) -> Rows:
    rows: dict[tuple[str, str, str, str], list[str]] = {}
    for bet in plain["bets"]:
        first = bet["name"].split()[0]
        name = WHEEL_NAMES.get(first, first.replace("_", " ").capitalize())
        key = (
            name,
            str(oracle.covered(bet, plain["zeros"])),
            bet["pays"],
            share(oracle.house_edge(plain, bet), 2),
        )
        ids = rows.setdefault(key, [])
        ids += [] if bet["clause"] in ids else [bet["clause"]]
    return [(*key, *([", ".join(ids)] if clause else [])) for key, ids in rows.items()]


def wheel_limits(plain: Any) -> list[str]:
    """Return the limits and the step of bets, and that of bets which a zero may halve."""
    limits = [money(plain["limits"]["min"]), money(plain["limits"]["max"])]
    zero, step = plain.get("zero", {}), plain["increment"]
    halves = zero.get("on_zero") == "la_partage" or (
        zero.get("on_zero") == "en_prison" and zero["second_zero"] == "half"
    )
    return [*limits, *oracle.step(plain), *([money(2 * step)] if halves and step % 2 else [])]


def wheel_pockets(plain: Any) -> list[str]:
    zeros = ["0", "00", "000"][: plain["zeros"]]
    return [str(36 + plain["zeros"]), "1", "36", *zeros]


def wheel_rule_card(table: str) -> tuple[Rows, list[str]]:
    plain = document(*TABLES[table])
    straight = plain["bets"][0]["pays"].split(" to ")
    joined = [
        str(pocket) for bet in plain["bets"] for spot in bet.get("spots", []) for pocket in spot
    ]
    numbers = [*straight, *wheel_limits(plain), *wheel_pockets(plain), *joined]
    return wheel_rows(plain, clause=True), numbers


def wheel_pays(table: str) -> tuple[Rows, list[str]]:
    plain = document(*TABLES[table])
    return wheel_rows(plain, clause=False), [*wheel_limits(plain), *wheel_pockets(plain)]


def wheel_felt(table: str) -> tuple[Rows, list[str]]:
    """Return what is in the legend, then in the boxes outside, then the limits."""
    plain = document(*TABLES[table])
    outside = ("low", "high", "even", "odd", "red", "black", "dozen", "column")
    inside: dict[tuple[str, int, str], None] = {}
    boxes: list[str] = []
    for bet in plain["bets"]:
        name, pays = bet["name"].split()[0], bet["pays"].split(" to ")
        if name in outside:
            named = name in ("low", "high", "dozen")
            ends = [str(bet["covers"][0]), str(bet["covers"][-1])] if named else []
            boxes += [*ends, *pays]
        else:
            inside[name, oracle.covered(bet, plain["zeros"]), bet["pays"]] = None
    legend = [number for _, count, pays in inside for number in (str(count), *pays.split(" to "))]
    return [], [*legend, *boxes, *wheel_limits(plain)]


EXPECTED: dict[bool, dict[Kind, Callable[[str], tuple[Rows, list[str]]]]] = {
    False: {
        "rule-card": poker_rule_card,
        "fees": poker_fees,
        "pays": poker_pays,
        "strategy": poker_strategy,
        "felt": poker_felt,
    },
    True: {"rule-card": wheel_rule_card, "pays": wheel_pays, "felt": wheel_felt},
}
#: Kinds that make no sense for a table.
REFUSED = {
    (table, kind)
    for table, (name, _) in TABLES.items()
    for kind in ("fees", "strategy")
    if is_wheel(table) or (kind == "fees" and name == "house")
}


def made() -> Iterator[tuple[str, Kind]]:
    """Yield every sheet; most of the changed tables are for the full size."""
    for table in TABLES if FULL else [*qh.shipped(), "high", "gaps"]:
        for kind in KINDS:
            if (table, kind) not in REFUSED:
                yield table, kind


@pytest.mark.parametrize(("table", "kind"), [*made()])
def test_every_figure_is_computed_again(table: str, kind: Kind) -> None:
    sheet = make_sheet(kind, book_of(table))
    assert shown(sheet) == EXPECTED[is_wheel(table)][kind](table)


@pytest.mark.parametrize("table", [*TABLES])
def test_figures_in_clauses_are_of_the_rulebook(table: str) -> None:
    """The words of clauses follow keys, as other tests show; the sheet repeats them all."""
    (clauses,) = [
        block
        for block in make_sheet("rule-card", book_of(table)).blocks
        if isinstance(block, Clauses)
    ]
    plain = document(*TABLES[table])
    assert [name for name, _ in clauses.rows] == [each["id"] for each in plain["clauses"]]
    own = {*every_figure(plain)}
    for name, text in clauses.rows:
        assert {*numbers_of(text)} <= own, name


def every_figure(value: Any) -> Iterator[str]:
    """Yield all figures of a document: numbers of its texts, and whole numbers also as money."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from every_figure(each)
    elif isinstance(value, str):
        yield from numbers_of(value)
    elif isinstance(value, int):
        yield str(value)
        yield f"${value // 100:,}.{value % 100:02d}"


@pytest.mark.parametrize(("table", "kind"), sorted(REFUSED))
def test_senseless_sheet_is_refused_in_a_sentence(table: str, kind: Kind) -> None:
    with pytest.raises(qh.QueenhighError, match="choose another sheet") as refused:
        make_sheet(kind, book_of(table))
    assert refused.value.code == "sheet.none"


# The harness itself


def wrong_fee(book: PokerRulebook) -> PokerRulebook:
    """Make the first fee a cent too high."""
    assert book.fees is not None
    first, *others = book.fees.rates
    wrong = first._replace(player=first.player + 1)
    return replace(book, fees=book.fees._replace(rates=(wrong, *others)))


def wrong_banker_fee(book: PokerRulebook) -> PokerRulebook:
    assert book.fees is not None
    *others, last = book.fees.rates
    return replace(
        book, fees=book.fees._replace(rates=(*others, last._replace(banker=last.banker + 1)))
    )


def wrong_pays(book: PokerRulebook) -> PokerRulebook:
    bet = book.side_bets[0]
    pair = bet.pays[1]
    assert pair is not None
    pays = (bet.pays[0], pair._replace(gain=pair.gain + 1), *bet.pays[2:])
    return replace(book, side_bets=(bet._replace(pays=pays),))


def wrong_limit(book: PokerRulebook) -> PokerRulebook:
    ante = book.limits["ante"]
    return replace(book, limits={**book.limits, "ante": ante._replace(max=ante.max - 1)})


def wrong_qualifier(book: PokerRulebook) -> PokerRulebook:
    return replace(book, qualifier="king-high")


PLANTED: list[tuple[Callable[[PokerRulebook], PokerRulebook], set[Kind]]] = [
    (wrong_fee, {"rule-card", "fees"}),
    (wrong_banker_fee, {"rule-card", "fees"}),
    (wrong_pays, {"rule-card", "pays", "felt"}),
    (wrong_limit, {"rule-card", "fees", "pays", "felt"}),
    (wrong_qualifier, {"rule-card", "pays", "strategy"}),
]


@pytest.mark.parametrize(("plant", "kinds"), PLANTED)
def test_planted_bug_is_noticed_on_every_sheet(
    plant: Callable[[PokerRulebook], PokerRulebook], kinds: set[Kind]
) -> None:
    """A sheet that is made of slightly other rules than the table's differs where it must."""
    book = book_of("california")
    assert isinstance(book, PokerRulebook)
    wrong = plant(book)
    expected = EXPECTED[False]
    noticed = {
        kind for kind in KINDS if shown(make_sheet(kind, wrong)) != expected[kind]("california")
    }
    assert noticed == kinds


def test_every_number_in_a_sentence_is_seen() -> None:
    text = "It is $1,000.50 to $2 (CA-7), 4.30 % of −3 and 10-7-5, 1 to 36."
    assert numbers_of(text) == ["$1,000.50", "$2", "4.30 %", "−3", "10", "7", "5", "1", "36"]


def test_only_hands_that_are_not_paid_lose() -> None:
    said = {table: " ".join(sentences_of(make_sheet("pays", book_of(table)))) for table in TABLES}
    assert "Any other hand loses." in said["california"]
    assert "Any other hand loses." not in said["play"]


def test_bonus_that_pays_nothing_is_not_printed() -> None:
    plain = own_rulebooks.three_bets()
    plain["ante_bonus"] |= {"pays": {}}
    plain["bonus"] = plain["bonus"] | {"pays": {}}
    book = own_rulebooks.book(plain)
    for kind in ("rule-card", "pays", "felt"):
        sheet = make_sheet(kind, book)
        tables = [block for block in sheet.blocks if isinstance(block, Figures)]
        assert not [block.title for block in tables if "Ante bonus" in block.title]
        assert "Ante bonus pays" not in f"{sheet.blocks}"
    said = sentences_of(make_sheet("pays", book))[0]
    assert said.startswith("Every hand loses. Bonus bets are $3 to $4. The house keeps 100.00 %")


def test_bet_without_a_legal_stake_is_on_no_sheet() -> None:
    """No rate has a bonus within its limits, or the Ante leaves nothing for Pair Plus."""
    for table, bet in (("gaps", "Bonus"), ("too dear", "Pair Plus")):
        for kind in ("pays", "felt"):
            sheet = make_sheet(kind, book_of(table))
            assert bet not in f"{sheet.blocks}", (table, kind)


RATES = [
    {"clause": "CA-7", "min": 500, "max": 600, "player": 1, "banker": 1},
    {"clause": "CA-7", "on": "play", "min": 300, "max": 400, "player": 1, "banker": 0},
    {"clause": "CA-7", "on": "play", "min": 700, "max": 800, "player": 1, "banker": 0},
]


@pytest.mark.parametrize("kind", KINDS)
def test_table_without_a_legal_ante_has_no_sheets(kind: Kind) -> None:
    book = qh.load("california", {"fees.fee_per": "kind", "fees.rates": RATES})
    with pytest.raises(qh.QueenhighError, match="change limits or rates") as refused:
        make_sheet(kind, book)
    assert refused.value.code == "sheet.none"
