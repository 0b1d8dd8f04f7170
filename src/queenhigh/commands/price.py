"""``odds``, ``strategy``, ``compare`` and ``bank``: exact answers."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

import queenhigh
from queenhigh.commands.amounts import Amounts, flatten
from queenhigh.commands.options import json_option, load_rulebook, set_option
from queenhigh.commands.output import print_json, print_text
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.rulebook.book import PokerRulebook, Rulebook

__all__ = ["bank", "compare", "odds", "strategy"]


@click.command()
@click.argument("rulebook")
@set_option
@json_option
def odds(rulebook: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Calculate the exact odds of every bet."""
    from queenhigh.sheets import odds_sheet

    book = load_rulebook(rulebook, changes)
    counted = queenhigh.odds(book)
    if as_json:
        print_json(odds_sheet.as_json(counted))
    else:
        print_text(odds_sheet.as_text(book, counted))


@click.command()
@click.argument("rulebook")
@click.option("--hand", metavar="CARDS", help='Compare both moves for one hand, as "Qs 6d 4c".')
@click.option("--up", metavar="CARDS", help="The dealer's up card, or cards.")
@click.option("--chart", type=click.Path(path_type=Path), help="Write the chart to an HTML file.")
@set_option
@json_option
def strategy(
    rulebook: str,
    hand: str | None,
    up: str | None,
    chart: Path | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find the best strategy, as a chart and as a simple rule."""
    book = load_rulebook(rulebook, changes)
    if hand is not None and chart is not None:
        raise click.ClickException("--chart shows all hands: remove --hand")
    if hand is not None:
        _print_advice(book, hand, up, as_json=as_json)
    elif up is not None:
        raise click.ClickException('--up needs --hand: add --hand "Qs 6d 4c"')
    else:
        _print_strategy(book, chart, as_json=as_json)


def _print_strategy(book: "Rulebook", chart: Path | None, *, as_json: bool) -> None:
    """Print best play, its chart and its rule; draw the chart into a file on request."""
    from queenhigh.price.games import poker_only
    from queenhigh.sheets import strategy_sheet

    poker = poker_only(book)
    if chart is not None:
        _check_chart(chart, poker)
    best = queenhigh.strategy(poker)
    if chart is not None:
        from queenhigh.sheets.chart import chart_page

        _write(chart, chart_page(best))
        click.echo(f"drawn: {chart}", err=True)
    if as_json:
        print_json(strategy_sheet.as_json(best))
    else:
        print_text(strategy_sheet.as_text(best))


def _check_chart(chart: Path, book: "PokerRulebook") -> None:
    if chart.suffix not in (".html", ".htm"):
        raise QueenhighError("chart.kind", f"{chart}: the chart is an HTML page; write FILE.html")
    if book.up == 2:
        raise QueenhighError("chart.up", "a chart is not possible with two dealer cards up")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        message = f"{file}: {error.strerror}; choose a file you can write to"
        raise QueenhighError("file.unwritable", message) from None


def _print_advice(book: "Rulebook", hand: str, up: str | None, *, as_json: bool) -> None:
    """Print what both moves are worth with a hand."""
    from queenhigh.cards import format_cards
    from queenhigh.price.games import poker_only
    from queenhigh.price.strategy import read_deal
    from queenhigh.sheets import advice_sheet

    poker = poker_only(book)
    cards, shown = read_deal(poker, hand, up)
    advice = queenhigh.advise(poker, cards, shown)
    if as_json:
        print_json(advice_sheet.as_json(advice))
        return
    ante = max(poker.limits["ante"].min, min(1000, poker.limits["ante"].max))
    print_text(advice_sheet.as_text(format_cards(cards), format_cards(shown), ante, advice))


@click.command()
@click.argument("rulebook")
@click.argument("other")
@set_option
@json_option
def compare(rulebook: str, other: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Compare two rulebooks and show what each difference is worth.

    Each difference is listed with the edge of the first rulebook after that change alone. --set
    changes the second rulebook, which may be the same as the first.
    """
    from queenhigh.sheets import comparison_sheet

    comparison = queenhigh.compare(load_rulebook(rulebook, ()), load_rulebook(other, changes))
    if as_json:
        print_json(comparison_sheet.as_json(comparison))
    else:
        print_text(comparison_sheet.as_text(comparison))


@click.command()
@click.argument("rulebook")
@click.option("--seats", type=int, help="Number of seats.")
@click.option(
    "--ante", type=Amounts(), multiple=True, help="The Ante: one amount for all seats, or a list."
)
@click.option(
    "--bonus",
    type=Amounts(),
    multiple=True,
    help="The side bet: one amount for all seats, or a list.",
)
@click.option("--rounds-per-hour", type=click.IntRange(1, 1000), default=40, show_default=True,
              help="Rounds per hour.")  # fmt: skip
@click.option("--hours", type=click.IntRange(1, 24), default=8, show_default=True,
              help="Hours per session.")  # fmt: skip
@set_option
@json_option
def bank(rulebook: str, changes: tuple[str, ...], as_json: bool, **terms: Any) -> None:
    """Calculate what banking a table earns and risks.

    Without --seats the table is full, or has one seat per amount if you list several. Without
    --ante each Ante is the table minimum; without --bonus there are no side bets.

    MONEY is in cents if written as a plain number (500), in dollars if written as $5 or 5.00.
    """
    from queenhigh.price.games import poker_only
    from queenhigh.sheets import bank_sheet

    book = poker_only(load_rulebook(rulebook, changes))
    terms |= {"ante": flatten(terms["ante"]), "bonus": flatten(terms["bonus"]) or 0}
    counted = queenhigh.bank(book, **terms)
    if as_json:
        print_json(bank_sheet.as_json(book, counted))
    else:
        print_text(bank_sheet.as_text(book, counted))
