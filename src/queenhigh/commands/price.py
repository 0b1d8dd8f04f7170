"""``odds``, ``strategy``, ``compare``, ``assumptions`` and ``bank``: exact answers."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queenhigh.cards import Hand, format_cards, parse_cards
from queenhigh.commands.output import dump, show
from queenhigh.errors import InvalidRound, QueenhighError
from queenhigh.price.odds import odds
from queenhigh.price.results import BetOdds
from queenhigh.rulebook.book import PokerRulebook, Rulebook

if TYPE_CHECKING:
    from queenhigh.price.strategy import Strategy

__all__ = ["print_advice", "print_assumptions", "print_bank", "print_compare", "print_odds",
           "print_strategy"]  # fmt: skip


def print_odds(book: Rulebook, *, as_json: bool) -> None:
    """Print the exact odds of every bet."""
    found = odds(book)
    if as_json:
        bets = {name: _bet(bet) for name, bet in found.bets.items()}
        head = {"rulebook": found.rulebook, "digest": found.digest, "deals": found.deals}
        dump({**head, "bets": bets})
        return
    from queenhigh.sheets.odds_sheet import odds_sheet  # noqa: PLC0415 (JSON does without)

    show(odds_sheet(book, found))


def _bet(bet: BetOdds) -> dict[str, Any]:
    return {
        "ev": str(bet.ev),
        "edge": float(bet.edge),
        "element_of_risk": float(bet.element_of_risk),
        "sd": bet.sd,
        "skew": bet.skew,
        "win_rate": float(bet.rate(1)),
        "push_rate": float(bet.rate(0)),
        "lose_rate": float(bet.rate(-1)),
        "play_rate": None if bet.play_rate is None else str(bet.play_rate),
        "distribution": {str(gain): count for gain, count in bet.distribution.items()},
    }


def poker_only(book: Rulebook) -> PokerRulebook:
    """Return the rulebook if it is of a game with a decision."""
    if not isinstance(book, PokerRulebook):
        raise QueenhighError("game.poker", f"{book.title}: there is nothing to decide or to bank")
    return book


def print_strategy(rulebook: Rulebook, chart: Path | None, *, as_json: bool) -> None:
    """Print best play, its chart and its rule; draw the chart into a file on request."""
    from queenhigh.price.strategy import play_text, strategy, up_text  # noqa: PLC0415

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
        lines = [{"up": up_text(line), "play": play_text(book, line)} for line in found.rule]
        dump(
            {
                "rulebook": book.name,
                "digest": book.digest,
                "ev": str(found.ev),
                "sets": found.sets,
                "played": found.played,
                "level": found.level,
                "suit_cells": len(found.suit_cells),
                "chart_cost": str(found.chart_cost),
                "rule_cost": str(found.rule_cost),
                "rule": lines,
                "chart": _chart(found),
            }
        )
        return
    from queenhigh.sheets.price_sheets import strategy_sheet  # noqa: PLC0415

    show(strategy_sheet(found))


def _chart(found: "Strategy") -> list[dict[str, Any]]:
    """Return the best chart by rank, and the cells where suits decide."""
    from queenhigh.price.strategy import Line, hand_text, play_text, up_text  # noqa: PLC0415

    rows = []
    for key in [key for key, cells in enumerate(found.cells) if cells.any()]:
        ups = found.ranks(key)
        below, above = found.exceptions(key)
        suits = [h for each, h in found.suit_cells if each == ups]
        line = Line((ups,), found.least(key))
        names = {"also_play": below, "but_fold": above, "suits_decide": suits}
        rows.append(
            {
                "up": up_text(line),
                "play": play_text(found.book, line),
                **{n: [hand_text(found.book.ranking, h) for h in hs] for n, hs in names.items()},
            }
        )
    return rows


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, "utf-8")
    except OSError as error:
        told = f"{file}: {error.strerror}; give a file that can be written"
        raise QueenhighError("file.unwritable", told) from None


def print_advice(rulebook: Rulebook, hand: str, up: str | None, *, as_json: bool) -> None:
    """Print what both moves are worth with one hand."""
    from queenhigh.price.strategy import advise  # noqa: PLC0415

    book = poker_only(rulebook)
    cards = parse_cards(hand)
    if len(cards) != 3:
        raise InvalidRound("cards.count", f"a hand has three cards, not {len(cards)}")
    given = parse_cards(up or "")
    if len(given) != book.up or (up is not None and book.up == 0):
        names = ("no card is", "one card is", "two cards are")
        told = f"{names[book.up]} up in this game: " + (
            "leave --up out" if book.up == 0 else f'write --up "{"Kd 7c"[: 3 * book.up - 1]}"'
        )
        raise InvalidRound("up.count", told)
    found = advise(book, _hand(cards), given)
    if as_json:
        both = {"play": str(found.play), "fold": str(found.fold)}
        dump({**both, "best": found.best, "cost": str(found.cost)})
        return
    from queenhigh.sheets.price_sheets import advice_sheet  # noqa: PLC0415

    ante = max(book.limits["ante"].min, min(1000, book.limits["ante"].max))
    show(advice_sheet(format_cards(cards), format_cards(given), ante, found))


def _hand(cards: tuple[int, ...]) -> Hand:
    a, b, c = cards
    return a, b, c


def print_compare(one: Rulebook, other: Rulebook, *, as_json: bool) -> None:
    """Print what differs between two rulebooks and what each change does to the edge."""
    from queenhigh.price.compare import compare  # noqa: PLC0415

    found = compare(one, other)
    if as_json:
        dump(
            {
                "rulebooks": list(found.names),
                "edges": [_edges(found.before), _edges(found.after)],
                "changes": [
                    {
                        "what": change.what,
                        "clauses": list(change.clauses),
                        "from": change.before,
                        "to": change.after,
                        "edges": _edges(change.edges),
                    }
                    for change in found.changes
                ],
            }
        )
        return
    from queenhigh.sheets.price_sheets import comparison_sheet  # noqa: PLC0415

    show(comparison_sheet(found))


def _edges(edges: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(edge) for name, edge in edges.items()}


def print_assumptions(book: Rulebook, *, as_json: bool) -> None:
    """Print every assumption with the edge under each reading."""
    from queenhigh.price.compare import readings  # noqa: PLC0415

    found = readings(book)
    if as_json:
        dump(
            [
                {
                    "clause": reading.clause,
                    "says": reading.says,
                    "key": reading.key,
                    "value": reading.value,
                    "default": reading.is_default,
                    "edges": _edges(reading.edges),
                }
                for reading in found
            ]
        )
        return
    from queenhigh.sheets.price_sheets import readings_sheet  # noqa: PLC0415

    show(readings_sheet(book, found))


def print_bank(rulebook: Rulebook, *, as_json: bool, **terms: Any) -> None:
    """Print the banker's book."""
    from queenhigh.price.bank import bank  # noqa: PLC0415

    book = poker_only(rulebook)
    found = bank(book, **terms)
    if as_json:
        even = found.break_even
        dump(
            {
                "rulebook": book.name,
                "digest": book.digest,
                "seats": found.seats,
                "ante_cents": found.ante_cents,
                "bonus_cents": found.bonus_cents,
                "mean": float(found.mean),
                "sd": found.sd,
                "seat_covariance": str(found.seat_covariance),
                "correlation": float(found.correlation),
                "mean_after_fee": float(found.mean_after_fee),
                "fee_player": float(found.fee_player),
                "fee_banker": float(found.fee_banker),
                "player_edge": float(found.player_edge),
                "player_edge_after_fee": float(found.player_edge_after_fee),
                "break_even_antes": None if even is None else float(even),
                "per_hour_cents": float(found.per_hour_cents),
                "night": {
                    "rounds": found.night.rounds,
                    "losing": found.night.losing,
                    "risk": found.night.risk,
                    "bankroll": found.night.bankroll,
                    "method": found.night.method,
                },
            }
        )
        return
    from queenhigh.sheets.price_sheets import bank_sheet  # noqa: PLC0415

    show(bank_sheet(book, found))
