"""The odds of every bet as people read them."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from queenhigh.price.results import BetOdds, Odds
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.layout import heading, plain_table, table
from queenhigh.sheets.words import number, percent, words

__all__ = ["odds_sheet"]


def odds_sheet(book: Rulebook, found: Odds) -> RenderableType:
    """Return the odds of every bet."""
    parts: list[RenderableType] = [
        Text(f"Exact odds: {book.title}", style="bold"),
        Text(f"{found.deals:,} deals, all counted. {found.digest}", style="dim"),
        table(
            ("Bet", "Edge", "Risk", "SD", "Skew", "Win", "Push", "Lose"),
            [_bet(bet) for bet in found.bets.values()],
            right=("Edge", "Risk", "SD", "Skew", "Win", "Push", "Lose"),
        ),
        plain_table((words(bet.name), _in_words(bet)) for bet in found.bets.values()),
    ]
    for bet in _different(found):
        parts += [heading(f"{words(bet.name)}: what a unit gains"), _distribution(bet)]
    return Group(*parts)


def _bet(bet: BetOdds) -> tuple[str, ...]:
    rates = [percent(bet.rate(sign), 2) for sign in (1, 0, -1)]
    risk = percent(bet.element_of_risk)
    return (
        words(bet.name),
        percent(bet.edge),
        risk,
        number(bet.sd),
        number(bet.skew, 3),
        *rates,
    )


def _in_words(bet: BetOdds) -> str:
    said = f"worth {bet.ev} of a unit".replace("-", "−")
    if bet.play_rate is not None:
        said += f"; played {bet.play_rate} of the time ({percent(bet.play_rate, 2)})"
    return said


def _different(found: Odds) -> Iterator[BetOdds]:
    """Yield bets whose distributions are not shown already."""
    shown: list[object] = []
    for bet in found.bets.values():
        if dict(bet.distribution) not in shown:
            shown.append(dict(bet.distribution))
            yield bet


def _distribution(bet: BetOdds) -> RenderableType:
    rows = [
        (str(gain).replace("-", "−"), f"{count:,}", percent(Fraction(count, bet.deals)))
        for gain, count in bet.distribution.items()
    ]
    return table(("Gain", "Deals", "Chance"), rows, right=("Gain", "Deals", "Chance"))
