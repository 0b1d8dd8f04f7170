"""Every assumption of a rulebook under each of its readings, for people and for programs."""

from typing import Any

from queenhigh.price.compare import Reading
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.edges import edges_as_json, edges_as_text
from queenhigh.sheets.format import percent, value_text, words
from queenhigh.sheets.tables import Block, heading, line, plain_table, sheet, table

__all__ = ["as_json", "as_text"]


def as_json(readings: tuple[Reading, ...]) -> list[dict[str, Any]]:
    """Return every assumption, with the edges under each reading, as docs/json.md describes it."""
    return [
        {
            "clause": reading.clause,
            "says": reading.says,
            "key": reading.key,
            "value": reading.value,
            "default": reading.is_default,
            "with": dict(reading.under),
            "edges": edges_as_json(reading.edges),
        }
        for reading in readings
    ]


def as_text(book: Rulebook, readings: tuple[Reading, ...]) -> Block:
    """Return every assumption, with the edge under each reading, as a sheet."""
    base = readings[0].edges if readings else {}
    edges = ", ".join(f"{words(name)} {percent(edge)}" for name, edge in base.items())
    rows = [
        (
            reading.clause,
            _reading(reading),
            "as above" if reading.is_default else edges_as_text(reading.edges, base),
        )
        for reading in readings
        if reading.key and not isinstance(reading.value, dict | list)
    ]
    others = [(r.clause, r.says) for r in readings if not r.key or isinstance(r.value, dict | list)]
    return sheet(
        line(f"Assumptions: {book.title}", style="bold"),
        line(f"Edges before fees: {edges}."),
        table(("Clause", "Reading", "Edge before fees"), rows),
        heading("Assumed without another reading"),
        plain_table(others),
    )


def _reading(reading: Reading) -> str:
    """Return a key and its reading, with the other readings that its edge assumes."""
    under = [f"{key.split('.')[-1]} = {value_text(value)}" for key, value in reading.under.items()]
    return ", with ".join([f"{reading.key} = {value_text(reading.value)}", *under])
