"""The strategy card: the best rule for this rulebook, and what it costs."""

from collections.abc import Iterator

from queenhigh.cards import RANKS
from queenhigh.price.strategy import Line, Strategy, play_text, strategy, up_text
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.format import percent
from queenhigh.sheets.printed.blocks import Block, Figures, Headline, Lines
from queenhigh.sheets.printed.common import edge_words

__all__ = ["strategy_card"]

_OTHERS = "Fold every other hand."


def strategy_card(book: PokerRulebook) -> Iterator[Block]:
    """Yield the best rule by the dealer's up cards, and what it costs."""
    best = strategy(book)
    if book.up == 0:
        yield _one_line(best.book, best.rule[0])
    elif book.up == 1:
        rows = tuple((up_text(line), play_text(book, line)) for line in best.rule)
        head = ("Dealer's up card", "Play with")
        yield Figures(head=head, rows=rows, note=_OTHERS)
    else:
        yield _pairs(best)
    yield Lines(tuple(_worth(best)))


def _one_line(book: PokerRulebook, line: Line) -> Headline:
    played = play_text(book, line)
    return Headline(f"Play {played}.", "" if played == "everything" else _OTHERS)


def _pairs(best: Strategy) -> Figures:
    """Return the least hand for each pair of up cards, the higher one in the row."""
    least = {tuple(sorted(pair)): line.least for line in best.rule for pair in line.ups}
    names = [rank.replace("T", "10") for rank in RANKS]
    rows = []
    for high in range(len(RANKS)):
        cells = [_least_hand(best.book, least[low, high]) for low in range(high + 1)]
        rows.append((names[high], *cells, *[""] * (len(RANKS) - 1 - high)))
    return Figures(
        head=("Up cards", *names),
        rows=tuple(rows),
        note=f"The weakest hand to play, by the dealer's two up cards. {_OTHERS}",
    )


def _least_hand(book: PokerRulebook, least: int) -> str:
    played = play_text(book, Line((), least))
    return {"everything": "any", "nothing": "none"}.get(played, played.removesuffix(" or better"))


def _worth(best: Strategy) -> Iterator[str]:
    fees = ", before fees" if best.book.fees else ""
    yield edge_words(best.book, -best.ev, "each Ante", f" with best play{fees}")
    if best.rule_cost:
        yield f"This card costs {percent(best.rule_cost, 3)} of the Ante more than best play."
    else:
        yield "This card is best play."
    share = percent(best.played / best.sets, 1)
    yield f"Best play is to play {share} of all hands and to fold the others."
