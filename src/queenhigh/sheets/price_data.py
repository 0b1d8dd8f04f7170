"""Comparisons, readings and the banker's book as plain data for programs (docs/json.md)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from queenhigh.price.bank import BankBook
from queenhigh.price.compare import Comparison, Reading
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.wording import say

__all__ = ["bank_data", "comparison_data", "readings_data"]


def comparison_data(found: Comparison) -> dict[str, Any]:
    """Return two rulebooks' edges, and what differs."""
    one, other = found.names
    differences = [
        {
            "what": change.what,
            "clauses": list(change.clauses),
            "from": say(change.what, change.before),
            "to": say(change.what, change.after),
            "edges": _edges(change.edges),
        }
        for change in found.changes
    ]
    return {
        "rulebook": one,
        "other": other,
        "edges": _edges(found.before),
        "other_edges": _edges(found.after),
        "differences": differences,
    }


def readings_data(found: tuple[Reading, ...]) -> list[dict[str, Any]]:
    """Return every assumption with the edges under each reading."""
    return [
        {
            "clause": reading.clause,
            "says": reading.says,
            "key": reading.key,
            "value": reading.value,
            "default": reading.is_default,
            "with": dict(reading.under),
            "edges": _edges(reading.edges),
        }
        for reading in found
    ]


def _edges(edges: Mapping[str, Fraction]) -> dict[str, str]:
    return {name: str(edge) for name, edge in edges.items()}


def bank_data(book: Rulebook, found: BankBook) -> dict[str, Any]:
    """Return the banker's book."""
    seats = [
        {"seat": seat, "ante": ante, "bonus": bonus}
        for seat, (ante, bonus) in enumerate(found.stakes, 1)
    ]
    night = found.night
    return {
        "rulebook": book.name,
        "digest": book.digest,
        "seats": seats,
        "unit_cents": found.unit_cents,
        "ev": str(found.mean),
        "sd": found.sd,
        "seat_covariance": str(found.seat_covariance),
        "correlation": str(found.correlation),
        "ev_after_fee": str(found.mean_after_fee),
        "fee_player": str(found.fee_player),
        "fee_banker": str(found.fee_banker),
        "player_edge": str(found.player_edge),
        "player_edge_after_fee": str(found.player_edge_after_fee),
        "break_even_antes": None if found.break_even is None else str(found.break_even),
        "per_hour_cents": str(found.per_hour_cents),
        "night": {
            "rounds": night.rounds,
            "losing": night.losing,
            "risk": night.risk,
            "bankroll": night.bankroll,
            "method": night.method,
        },
    }
