"""The parts of a sheet: lines, headings and tables. They are plain values until they are drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Bar", "Block", "Line", "heading", "line", "plain_table", "sheet", "table"]


class Block:
    """A part of a sheet, which rich can print."""

    def __rich__(self) -> "RenderableType":
        """Return it as it is drawn; rich is loaded only now."""
        from queenhigh.sheets.drawing import draw  # noqa: PLC0415

        return draw(self)


@dataclass(frozen=True)
class Line(Block):
    """A line of text, in pieces that have a style each."""

    spans: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Heading(Block):
    """A heading, with a blank line before it."""

    text: str


@dataclass(frozen=True)
class Bar:
    """A cell of a table: a bar as long as a share of ``most`` characters."""

    share: float
    most: int


@dataclass(frozen=True)
class Table(Block):
    """A table with a head; columns on the ``right`` hold numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str | Bar]]
    right: Sequence[str]


@dataclass(frozen=True)
class PlainTable(Block):
    """Labels with a line beside each."""

    rows: Sequence[tuple[str, Line]]


@dataclass(frozen=True)
class Sheet(Block):
    """Parts below each other."""

    parts: Sequence[Block]


def line(text: str, style: str = "") -> Line:
    """Return a line of text."""
    return Line(((text, style),))


def heading(text: str) -> Block:
    """Return a heading with a blank line before it."""
    return Heading(text)


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str | Bar]], right: Sequence[str] = ()
) -> Block:
    """Return a table with a head. Its cells are plain text: brackets in them mean nothing.

    Columns on the ``right`` hold numbers, which never wrap. Where the columns do not fit beside
    each other, each row becomes a block of its own.
    """
    return Table(columns, list(rows), right)


def plain_table(rows: Iterable[tuple[str, str | Line]]) -> Block:
    """Return two columns without a head, the second one wrapped."""
    return PlainTable([(label, line(text) if isinstance(text, str) else text)
                       for label, text in rows])  # fmt: skip


def sheet(*parts: Block) -> Block:
    """Return parts below each other, ready to print."""
    return Sheet(parts)
