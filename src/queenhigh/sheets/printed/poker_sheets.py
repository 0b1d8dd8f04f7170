"""The sheets of Three Card Poker, every figure computed from the rulebook."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, groupby

from queenhigh.cards import DECK, HAND_CLASSES
from queenhigh.money import Pays
from queenhigh.price.odds import edges
from queenhigh.rulebook.book import Fees, PokerRulebook
from queenhigh.sheets.format import clause_suffix, percent, short_dollars, words
from queenhigh.sheets.printed.blocks import Block, Figures, Lines
from queenhigh.sheets.printed.common import (
    between,
    between_any,
    changes,
    clauses,
    edge_words,
    no_sheet,
    step_words,
    the_banker,
)
from queenhigh.sheets.printed.poker_bets import (
    Spans,
    ante_spans,
    limits,
    pay_tables,
    posted_rates,
)
from queenhigh.sheets.printed.poker_felt import felt
from queenhigh.sheets.printed.strategy_card import strategy_card
from queenhigh.sheets.three_card_poker import cases, in_a_line

__all__ = ["fees", "felt", "pays", "rule_card", "strategy"]

_ROYAL = HAND_CLASSES.index("royal_flush")


def rule_card(book: PokerRulebook) -> Iterator[Block]:
    """Yield the rules of a table in words: limits, settlement, pays, fees and every clause."""
    players = f"Up to {book.seats} players"
    seats = f"{players} and one Player/Dealer" if book.bank else players
    yield Lines((f"{in_a_line(book)}. {seats}.",))
    yield from changes(book)
    yield _limits(book)
    yield _edges(book)
    head = ("Dealer's hand", "Your hand", "Ante", "Play", "Clause")
    yield Figures(title="Ante and Play", head=head, rows=tuple(cases(book)))
    tables = pay_tables(book)
    for name, table in tables:
        title = f"{words(name)} pays{clause_suffix(book, f'{name}.pays')}"
        rows = tuple((words(HAND_CLASSES[kind]), str(ratio)) for kind, ratio in table)
        yield Figures(title=title, head=("Hand", "Pays"), rows=rows, right=(1,), is_half=True)
    if book.fees:
        yield _rates(book, book.fees, "Collection fees", is_half=len(tables) % 2 == 1)
        yield Lines((" ".join(_fee_lines(book, book.fees)),))
    else:
        yield Lines(("No collection fees are charged at this table.",), "Collection fees")
    yield from clauses(book)


def _limits(book: PokerRulebook) -> Figures:
    rows = tuple(
        (words(name), between_any(spans), book.limits[name].clause)
        for name, spans in limits(book).items()
    )
    return Figures(
        title="Limits",
        head=("Wager", "Limits", "Clause"),
        rows=(*rows, ("Play", "equal to the Ante", _play_clause(book))),
        note=" ".join(_of_all_bets(book)),
        is_half=True,
    )


def _of_all_bets(book: PokerRulebook) -> Iterator[str]:
    """Yield what holds for all bets before the deal."""
    together = book.betting.together
    if together is not None:
        yield f"Bets before the deal total at most {short_dollars(together)}."
    if step := step_words(book.increment):
        yield f"Bets go {step}."


def _play_clause(book: PokerRulebook) -> str:
    """Return the clause that says what the Play bet is."""
    named = [each.id for each in book.clauses if each.text.startswith("Play:")]
    return named[0] if named else ""


def _edges(book: PokerRulebook) -> Figures:
    edge_of = edges(book)
    rows = tuple((words(name), percent(edge_of[name], 2)) for name in limits(book))
    note = "With best play. Exact: every deal is counted."
    return Figures(
        title=f"Edge of the {the_banker(book)}",
        head=("Bet", "Edge"),
        rows=rows,
        right=(1,),
        note=f"{note} Fees are not included." if book.fees else note,
        is_half=True,
    )


# Fees


def fees(book: PokerRulebook) -> Iterator[Block]:
    """Yield the schedule of collection fees; refuse it where there are none."""
    if book.fees is None:
        raise no_sheet(
            book, "no collection fees are charged, so there is no fee sign; choose another sheet"
        )
    yield _sign_of(_rates(book, book.fees))
    yield Lines(tuple(_fee_lines(book, book.fees)))


def _rates(
    book: PokerRulebook, schedule: Fees, title: str = "", *, is_half: bool = False
) -> Figures:
    by_kind = schedule.charged.kinds is None
    rows = tuple(
        (
            f"{words(rate.on) + ', ' if by_kind else ''}{between(least, most)}",
            short_dollars(rate.player),
            short_dollars(rate.banker) if of_ante else "none",
            rate.clause,
        )
        for rate, least, most, of_ante in posted_rates(book)
    )
    head = (schedule.charged.wager, "Player pays", "Player/Dealer pays", "Clause")
    return Figures(title=title, head=head, rows=rows, right=(1, 2), is_half=is_half)


def _sign_of(table: Figures) -> Figures:
    """Return a table without its last column, the clauses."""
    rows = tuple(row[:-1] for row in table.rows)
    return Figures(head=table.head[:-1], rows=rows, right=table.right)


def _fee_lines(book: PokerRulebook, schedule: Fees) -> Iterator[str]:
    per = clause_suffix(book, "fees.fee_per")
    yield "Every fee is a flat amount, whether you win or lose."
    yield f"A player pays {schedule.charged.words}, by {schedule.charged.by}{per}."
    if schedule.rates_on("ante") is None:
        yield f"The Player/Dealer pays no fee{per}."
    else:
        yield f"The Player/Dealer pays once a round, by the largest Ante{per}."
    collect = clause_suffix(book, "fees.collect")
    yield f"Fees are collected {schedule.collect} the start of play{collect}."
    if book.notice_seconds:
        notice = clause_suffix(book, "fees.notice_seconds")
        yield f"Changes are announced {book.notice_seconds} seconds in advance{notice}."


# Pays


def pays(book: PokerRulebook) -> Iterator[Block]:
    """Yield every pay table, how often its hands come, and what the bets cost on average."""
    counts, edge_of = _counts(book), edges(book)
    deals = sum(counts.values())
    spans = limits(book)
    for name, table in pay_tables(book):
        rows = tuple(
            (words(HAND_CLASSES[kind]), str(ratio), _one_in(deals, counts[kind]))
            for kind, ratio in table
        )
        yield Figures(
            title=f"{words(name)}{clause_suffix(book, f'{name}.pays')}",
            head=("Hand", "Pays", "One hand in"),
            rows=rows,
            right=(1, 2),
            note=_others_lose(table, counts) + _of_side_bet(book, name, spans, edge_of)
            if name != "ante_bonus"
            else "Paid on the Ante, even if the hand loses.",
        )
    dealer = "Player/Dealer has" if book.bank else "Dealer has"
    yield Figures(
        title="Ante and Play",
        head=(dealer, "Your hand", "Ante", "Play"),
        rows=tuple(_outcomes(book)),
    )
    yield Lines(tuple(_ante_lines(book, spans["ante"], edge_of["ante"])))


def _outcomes(book: PokerRulebook) -> Iterator[tuple[str, ...]]:
    """Yield the cases of the settlement, the best first; hands that do the same together."""
    rows = cases(book)[::-1]
    alike = groupby(rows, key=lambda row: (row[0], *row[2:4]))
    for (dealer, ante, play), group in alike:
        hands = [row[1] for row in group]
        yield dealer, "any" if len(hands) == 3 else " or ".join(hands), ante, play


def _others_lose(table: list[tuple[int, Pays]], counts: Counter[int]) -> str:
    """Return that other hands lose, if there are any."""
    if not table:
        return "Every hand loses. "
    return "Any other hand loses. " if {*counts} - {kind for kind, _ in table} else ""


def _of_side_bet(
    book: PokerRulebook, name: str, spans: dict[str, Spans], edge_of: dict[str, Fraction]
) -> str:
    """Return the limits of a side bet, and what it costs on average."""
    edge = edge_words(book, edge_of[name], f"each {words(name)} bet")
    return f"{words(name)} bets are {between_any(spans[name])}. {edge}"


def _ante_lines(book: PokerRulebook, spans: Spans, edge: Fraction) -> Iterator[str]:
    yield f"The Ante is {between_any(spans)}; Play is equal to it."
    yield from _of_all_bets(book)
    fees = ", before fees" if book.fees else ""
    yield edge_words(book, edge, "each Ante", f" with best play{fees}")


def _counts(book: PokerRulebook) -> Counter[int]:
    """Count all hands by class, the royal flush by itself where it is one."""
    order = book.ranking
    best = len(order.classes) - 1
    counts: Counter[int] = Counter()
    for hand in combinations(DECK, 3):
        strength = order.strength(hand)
        is_royal = book.royal_flush and strength == best
        counts[_ROYAL if is_royal else order.classes[strength]] += 1
    return counts


def _one_in(deals: int, count: int) -> str:
    """Write how rare something is: ``5.9``, ``5,525``."""
    rare = Fraction(deals, count)
    return f"{round(rare):,}" if rare >= 100 else f"{float(rare):.1f}"


def strategy(book: PokerRulebook) -> Iterator[Block]:
    """Yield the best rule to play by, and what it costs."""
    ante_spans(book)
    return strategy_card(book)
