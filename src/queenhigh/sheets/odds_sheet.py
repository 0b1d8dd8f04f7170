"""The odds of every bet, for people and for programs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from queenhigh.price.results import BetOdds, Odds
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.format import number, percent, short_digest, words
from queenhigh.sheets.tables import Block, heading, line, plain_table, sheet, table

__all__ = ["as_json", "as_text"]


def as_json(odds: Odds) -> dict[str, Any]:
    """Return the odds of every bet as docs/json.md describes them."""
    bets = {name: _bet_as_json(bet) for name, bet in odds.bets.items()}
    names = ("rulebook", "digest", "rules_digest", "deals")
    head = {name: getattr(odds, name) for name in names}
    return {**head, "bets": bets}


def _bet_as_json(bet: BetOdds) -> dict[str, Any]:
    return {
        "ev": str(bet.ev),
        "edge": str(bet.edge),
        "element_of_risk": str(bet.element_of_risk),
        "sd": bet.sd,
        "skew": bet.skew,
        "win_rate": str(bet.rate(1)),
        "push_rate": str(bet.rate(0)),
        "lose_rate": str(bet.rate(-1)),
        "play_rate": None if bet.play_rate is None else str(bet.play_rate),
        "distribution": {str(gain): count for gain, count in bet.distribution.items()},
    }


def as_text(book: Rulebook, odds: Odds) -> Block:
    """Return the odds of every bet as a sheet."""
    parts: list[Block] = [
        line(f"Exact odds: {book.title}", style="bold"),
        line(
            f"{odds.deals:,} deals counted. Rules {short_digest(odds.rules_digest)}",
            style="dim",
        ),
        table(
            ("Bet", "Edge", "Risk", "SD", "Skew", "Win", "Push", "Lose"),
            [_row(bet) for bet in odds.bets.values()],
            right=("Edge", "Risk", "SD", "Skew", "Win", "Push", "Lose"),
        ),
        plain_table((words(bet.name), _in_words(bet)) for bet in odds.bets.values()),
    ]
    for bet in _different(odds):
        parts += [heading(f"{words(bet.name)}: result per unit"), _distribution(bet)]
    return sheet(*parts)


def _row(bet: BetOdds) -> tuple[str, ...]:
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
    sentence = f"worth {bet.ev} of a unit".replace("-", "−")
    if bet.play_rate is not None:
        sentence += f"; played {bet.play_rate} of the time ({percent(bet.play_rate, 2)})"
    return sentence


def _different(odds: Odds) -> Iterator[BetOdds]:
    """Yield bets whose distributions are not shown already."""
    shown: list[object] = []
    for bet in odds.bets.values():
        if dict(bet.distribution) not in shown:
            shown.append(dict(bet.distribution))
            yield bet


def _distribution(bet: BetOdds) -> Block:
    rows = [
        (str(gain).replace("-", "−"), f"{count:,}", percent(Fraction(count, bet.deals)))
        for gain, count in bet.distribution.items()
    ]
    return table(("Gain", "Deals", "Chance"), rows, right=("Gain", "Deals", "Chance"))
