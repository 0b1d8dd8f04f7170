"""``odds``, ``strategy``, ``compare``, ``assumptions`` and ``bank``: exact answers."""

from pathlib import Path
from typing import Any

import click

from queenhigh.cards import format_cards, parse_cards
from queenhigh.commands.amounts import flatten
from queenhigh.commands.output import dump, show
from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.data import (
    advice_data,
    advise_on,
    odds_data,
    poker_only,
    strategy_data,
)

__all__ = ["print_advice", "print_assumptions", "print_bank", "print_compare", "print_odds",
           "print_strategy"]  # fmt: skip


def print_odds(book: Rulebook, *, as_json: bool) -> None:
    """Print the exact odds of every bet."""
    if as_json:
        dump(odds_data(book))
        return
    from queenhigh.price.odds import odds  # noqa: PLC0415
    from queenhigh.sheets.odds_sheet import odds_sheet  # noqa: PLC0415 (JSON does without)

    show(odds_sheet(book, odds(book)))


def print_strategy(rulebook: Rulebook, chart: Path | None, *, as_json: bool) -> None:
    """Print best play, its chart and its rule; draw the chart into a file on request."""
    from queenhigh.price.strategy import strategy  # noqa: PLC0415

    book = poker_only(rulebook)
    if chart is not None and chart.suffix not in (".html", ".htm"):
        raise QueenhighError("chart.kind", f"{chart}: the chart is an HTML page; write FILE.html")
    if chart is not None and book.up == 2:
        raise QueenhighError("chart.up", "a chart is drawn for one up card or none, not for two")
    found = strategy(book)
    if chart is not None:
        from queenhigh.sheets.chart import chart_page  # noqa: PLC0415

        _write(chart, chart_page(found))
        click.echo(f"drawn: {chart}", err=True)
    if as_json:
        dump(strategy_data(book, found))
        return
    from queenhigh.sheets.price_sheets import strategy_sheet  # noqa: PLC0415

    show(strategy_sheet(found))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        told = f"{file}: {error.strerror}; give a file that can be written"
        raise QueenhighError("file.unwritable", told) from None


def print_advice(rulebook: Rulebook, hand: str, up: str | None, *, as_json: bool) -> None:
    """Print what both moves are worth with one hand."""
    book = poker_only(rulebook)
    found = advise_on(book, hand, up)
    if as_json:
        dump(advice_data(found))
        return
    from queenhigh.sheets.price_sheets import advice_sheet  # noqa: PLC0415

    ante = max(book.limits["ante"].min, min(1000, book.limits["ante"].max))
    cards, given = (format_cards(parse_cards(text)) for text in (hand, up or ""))
    show(advice_sheet(cards, given, ante, found))


def print_compare(one: Rulebook, other: Rulebook, *, as_json: bool) -> None:
    """Print what differs between two rulebooks and what each change does to the edge."""
    from queenhigh.price.compare import compare  # noqa: PLC0415

    found = compare(one, other)
    if as_json:
        from queenhigh.sheets.price_data import comparison_data  # noqa: PLC0415

        dump(comparison_data(found))
        return
    from queenhigh.sheets.price_sheets import comparison_sheet  # noqa: PLC0415

    show(comparison_sheet(found))


def print_assumptions(book: Rulebook, *, as_json: bool) -> None:
    """Print every assumption with the edge under each reading."""
    from queenhigh.price.compare import readings  # noqa: PLC0415

    found = readings(book)
    if as_json:
        from queenhigh.sheets.price_data import readings_data  # noqa: PLC0415

        dump(readings_data(found))
        return
    from queenhigh.sheets.price_sheets import readings_sheet  # noqa: PLC0415

    show(readings_sheet(book, found))


def print_bank(rulebook: Rulebook, *, as_json: bool, **terms: Any) -> None:
    """Print the banker's book."""
    from queenhigh.price.bank import bank  # noqa: PLC0415

    book = poker_only(rulebook)
    terms |= {"ante": flatten(terms["ante"]), "bonus": flatten(terms["bonus"]) or 0}
    found = bank(book, **terms)
    if as_json:
        from queenhigh.sheets.price_data import bank_data  # noqa: PLC0415

        dump(bank_data(book, found))
        return
    from queenhigh.sheets.price_sheets import bank_sheet  # noqa: PLC0415

    show(bank_sheet(book, found))
