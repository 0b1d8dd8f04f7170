"""Two rulebooks beside each other, for people and for programs."""

from typing import Any

from queenhigh.price.compare import Comparison
from queenhigh.sheets.edges import edges_as_json, edges_as_text
from queenhigh.sheets.format import percent, words
from queenhigh.sheets.tables import Block, heading, line, sheet, table
from queenhigh.sheets.wording import label, value_in_words

__all__ = ["as_json", "as_text"]


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Return two rulebooks' edges, and what differs, as docs/json.md describes it."""
    first, second = comparison.names
    differences = [
        {
            "what": change.what,
            "clauses": list(change.clauses),
            "from": value_in_words(change.what, change.before),
            "to": value_in_words(change.what, change.after),
            "edges": edges_as_json(change.edges),
        }
        for change in comparison.changes
    ]
    return {
        "rulebook": first,
        "other": second,
        "edges": edges_as_json(comparison.before),
        "other_edges": edges_as_json(comparison.after),
        "differences": differences,
    }


def as_text(comparison: Comparison) -> Block:
    """Return what differs between two rulebooks, and what each change does, as a sheet."""
    first, second = comparison.names
    names = dict.fromkeys((*comparison.before, *comparison.after))
    rows = [
        (
            words(name),
            *(percent(e[name]) if name in e else "" for e in (comparison.before, comparison.after)),
        )
        for name in names
    ]
    parts: list[Block] = [
        line(f"{first} and {second}", style="bold"),
        table(
            ("Bet", f"Edge, {first}", f"Edge, {second}"),
            rows,
            right=(f"Edge, {first}", f"Edge, {second}"),
        ),
    ]
    if not comparison.changes:
        return sheet(*parts, line("The rules are the same."))
    parts.append(heading(f"Differences, each with the edge of {first} after that change alone"))
    parts.append(
        table(
            ("What", "Clauses", "From", "To", "Edge before fees"),
            [
                (
                    label(change.what),
                    ", ".join(change.clauses),
                    value_in_words(change.what, change.before),
                    value_in_words(change.what, change.after),
                    edges_as_text(change.edges, comparison.before),
                )
                for change in comparison.changes
            ],
        )
    )
    return sheet(*parts)
