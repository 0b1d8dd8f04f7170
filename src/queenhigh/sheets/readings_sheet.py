"""Every assumption of a rulebook under each of its readings, for people and for programs."""

from collections.abc import Sequence
from typing import Any

from queenhigh.price.compare import Reading
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets import table_readings
from queenhigh.sheets.edges import edges_as_json, edges_as_text
from queenhigh.sheets.format import percent, value_text, words
from queenhigh.sheets.tables import Block, heading, line, plain_table, sheet, table
from queenhigh.simulation.readings import TableReading

__all__ = ["as_json", "as_text"]


def as_json(rows: Sequence[TableReading]) -> list[dict[str, Any]]:
    """Return every assumption under each reading, as docs/json.md describes it."""
    return [
        {
            "clause": row.reading.clause,
            "says": row.reading.says,
            "key": row.reading.key,
            "value": row.reading.value,
            "default": row.reading.is_default,
            "with": dict(row.reading.under),
            "edges": edges_as_json(row.reading.edges),
            **table_readings.as_json(row),
        }
        for row in rows
    ]


def as_text(book: Rulebook, rows: Sequence[TableReading]) -> Block:
    """Return every assumption as a sheet, each reading with the figure that shows what it does."""
    base = rows[0].reading.edges if rows else {}
    edges = ", ".join(f"{words(name)} {percent(edge)}" for name, edge in base.items())
    readings = [row.reading for row in rows if row.measure in ("edge", None)]
    priced = [
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
        table(("Clause", "Assumption", "Edge before fees"), priced),
        *table_readings.as_text(rows),
        heading("Assumptions without an alternative"),
        plain_table(others),
    )


def _reading(reading: Reading) -> str:
    """Return a key and its reading, with the other readings that its edge assumes."""
    under = [f"{key.split('.')[-1]} = {value_text(value)}" for key, value in reading.under.items()]
    return ", with ".join([f"{reading.key} = {value_text(reading.value)}", *under])
