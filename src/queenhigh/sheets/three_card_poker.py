"""Three Card Poker on the sheets: its wagers, settlement, pays, fees and hands."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from queenhigh.cards import HAND_CLASSES, describe, format_cards
from queenhigh.games.three_card_poker import Round
from queenhigh.money import Pays, dollars
from queenhigh.rulebook.book import Fees, PokerRulebook
from queenhigh.sheets.format import clause_suffix, words
from queenhigh.sheets.tables import Block, heading, line, table

if TYPE_CHECKING:
    from queenhigh.history.records import Record

__all__ = ["as_json", "cases", "hands", "in_a_line", "sections"]


def in_a_line(book: PokerRulebook) -> str:
    """Return who banks, how many dealer cards are up, and what the dealer plays with."""
    banker = "A player banks" if book.banker == "player" else "The house banks"
    up = ("no dealer card is up", "one dealer card is up", "two dealer cards are up")[book.up]
    needs = "a pair" if book.qualifier == "pair" else book.qualifier
    plays = "always qualifies" if needs == "none" else f"qualifies with {needs} or better"
    return f"{banker}, {up}; the dealer {plays}"


def as_json(book: PokerRulebook) -> dict[str, Any]:
    """Return the settlement table in words, a row for each case."""
    columns = ("dealer", "hand", "ante", "play", "clause")
    return {"settlement": [dict(zip(columns, row, strict=True)) for row in cases(book)]}


def sections(book: PokerRulebook) -> Iterator[Block]:
    """Yield wagers, settlement, pay tables and fees, each with its clauses."""
    yield heading("Wagers")
    yield table(
        ("Wager", "Min", "Max", "Clause"),
        [
            (words(name), dollars(limits.min), dollars(limits.max), limits.clause)
            for name, limits in book.limits.items()
        ],
        right=("Min", "Max"),
    )
    together = book.betting.together
    if together is not None:
        yield line(f"All wagers before the deal may total at most {dollars(together)}.")
    yield heading("Ante and Play")
    yield _settlement(book)
    for bet in book.side_bets:
        yield heading(f"{words(bet.name)} pays{clause_suffix(book, f'{bet.name}.pays')}")
        yield _pays(bet.pays)
    if book.ante_bonus:
        yield heading(f"Ante bonus, even if the hand loses{clause_suffix(book, 'ante_bonus.pays')}")
        yield _pays(book.ante_bonus.pays)
    if book.fees:
        yield heading("Collection fees")
        yield from _fees(book.fees, book.notice_seconds)


def cases(book: PokerRulebook) -> list[tuple[str, ...]]:
    """Return the cases that can occur, each as the dealer's hand, yours, and what happens."""
    always = book.qualifier == "none"
    dealer = [f"below {book.qualifier}", "any hand" if always else f"{book.qualifier} or better"]
    does = ("loses", "is returned", "pays 1 to 1")
    rows: list[tuple[str, ...]] = [
        (
            dealer[case // 3],
            ("lower", "equal", "higher")[case % 3],
            does[cell.ante + 1],
            does[cell.play + 1],
            cell.clause,
        )
        for case, cell in enumerate(book.cells)
    ]
    return rows[3:] if always else rows


def _settlement(book: PokerRulebook) -> Block:
    return table(("Dealer", "Your hand", "Ante", "Play", "Clause"), cases(book))


def _pays(pays: tuple[Pays | None, ...]) -> Block:
    rows = [
        (words(hand), str(ratio)) for hand, ratio in zip(HAND_CLASSES, pays, strict=True) if ratio
    ]
    return table(("Hand", "Pays"), reversed(rows), right=("Pays",))


def _fees(fees: Fees, notice_seconds: int | None) -> Iterator[Block]:
    by_kind = fees.charged.kinds is None
    notice = f" Changes are announced {notice_seconds} seconds in advance."
    rows = [
        (
            f"{words(rate.on) + ', ' if by_kind else ''}{dollars(rate.min)} to {dollars(rate.max)}",
            dollars(rate.player),
            dollars(rate.banker),
            rate.clause,
        )
        for rate in fees.rates
    ]
    yield table(
        (fees.charged.wager, "Player", "Player/Dealer", "Clause"),
        rows,
        right=("Player", "Player/Dealer"),
    )
    charged = fees.charged
    yield line(
        f"Flat fees. A player pays {charged.words}, by {charged.by}; the Player/Dealer pays once"
        " a round, by the largest Ante. Fees are known before the round and collected"
        f" {fees.collect} the start of play.{notice if notice_seconds else ''}"
    )


def hands(book: PokerRulebook, record: "Record") -> list[Block]:
    """Return the hands of a round with their names and moves, if they were dealt."""
    poker, ranking = record.live.play, book.ranking
    if not isinstance(poker, Round) or poker.dealer is None:
        return []
    dealt = [(f"Seat {seat.seat}", seat.cards, seat.move or "") for seat in poker.seats]
    dealt.append(("Dealer", poker.dealer, ""))
    rows = [
        (name, format_cards(cards), describe(ranking, ranking.strength(cards)), move)
        for name, cards, move in dealt
        if cards is not None
    ]
    return [table(["", "Cards", "Hand", "Move"], rows)]
