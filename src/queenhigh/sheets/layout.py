"""How sheets are laid out: headings and tables of plain text."""

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

__all__ = ["heading", "plain_table", "table"]


def heading(text: str) -> RenderableType:
    """Return a heading with a blank line before it."""
    return Padding(Text(text, style="bold"), (1, 0, 0, 0))


def table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[str] = ()
) -> Table:
    """Return a table with a head. Its cells are plain text: brackets in them mean nothing."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def plain_table(rows: Iterable[tuple[str, str | Text]]) -> RenderableType:
    """Return two columns without a head, the second one wrapped."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    for first, second in rows:
        table.add_row(
            Text(first), second if isinstance(second, Text) else Text(second, overflow="fold")
        )
    return Padding(table, (1, 0, 0, 0))
