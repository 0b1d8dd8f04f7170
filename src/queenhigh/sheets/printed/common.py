"""What the sheets of all games share: names of the banker, edges in words, and refusals."""

from collections.abc import Sequence
from fractions import Fraction

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.format import clause_suffix, percent, short_dollars, value_text
from queenhigh.sheets.printed.blocks import Clauses, Figures, Lines
from queenhigh.text import listed

__all__ = [
    "between",
    "between_any",
    "changes",
    "clauses",
    "edge_words",
    "no_sheet",
    "step_words",
    "the_banker",
]


def no_sheet(book: Rulebook, reason: str) -> QueenhighError:
    """Return the refusal of a sheet that makes no sense for a game."""
    return QueenhighError("sheet.none", f"{book.title}: {reason}")


def the_banker(book: Rulebook) -> str:
    """Return what the clauses call the banker."""
    return "Player/Dealer" if book.bank else "house"


def between(least: int, most: int) -> str:
    """Write limits: ``$5 to $100``."""
    return f"{short_dollars(least)} to {short_dollars(most)}"


def between_any(spans: Sequence[tuple[int, int]]) -> str:
    """Write limits that may have gaps: ``$5 to $100 or $200 to $300``."""
    return listed([between(*span) for span in spans], "or")


def step_words(increment: int) -> str:
    """Return the step in which bets go; nothing where any whole number of cents can be bet."""
    return f"in steps of {short_dollars(increment)}" if increment > 1 else ""


def edge_words(book: Rulebook, edge: Fraction, wager: str, condition: str = "") -> str:
    """Return what a bet costs or earns on average, as a sentence."""
    how = f"on average{condition}"
    if edge == 0:
        return f"Neither side gains on {wager} {how}."
    if edge < 0:
        return f"Players gain {percent(-edge, 2)} of {wager} {how}."
    return f"The {the_banker(book)} keeps {percent(edge, 2)} of {wager} {how}."


def changes(book: Rulebook) -> list[Figures]:
    """Return the keys that have other values here than in their file, if there are any."""
    if not book.changes:
        return []
    rows = [
        (key, _value(value), clause_suffix(book, key).strip(" ()"))
        for key, value in book.changes.items()
    ]
    title = "Changed for this table"
    return [Figures(title=title, head=("Key", "Value", "Clause"), rows=tuple(rows))]


def _value(value: object) -> str:
    return "changed, see below" if isinstance(value, dict | list) else value_text(value)


def clauses(book: Rulebook) -> list[Clauses | Lines]:
    """Return every clause, and how many of them are readings of a silent document."""
    rows = tuple((clause.id, clause.text) for clause in book.clauses)
    assumed = list(dict.fromkeys(item.clause for item in book.assumptions))
    parts: list[Clauses | Lines] = [Clauses("The rules, clause by clause", rows)]
    if assumed:
        parts.append(Lines((f"Read by this rulebook: {', '.join(assumed)}.",), "Assumptions"))
    return parts
