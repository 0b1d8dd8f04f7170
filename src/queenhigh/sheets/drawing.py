"""The look of sheets in a terminal of any width. Only this module loads rich, which is slow."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from queenhigh.sheets import tables

__all__ = ["draw"]

#: A column of text that wraps is never narrower.
_NARROWEST = 14


def draw(block: "tables.Block") -> RenderableType:
    """Return a part of a sheet as rich draws it."""
    if isinstance(block, tables.Line):
        return _text(block)
    if isinstance(block, tables.Heading):
        return Padding(Text(block.text, style="bold"), (1, 0, 0, 0))
    if isinstance(block, tables.Table):
        rows = [[_Bar(c.share, c.most) if isinstance(c, tables.Bar) else Text(c) for c in row]
                for row in block.rows]  # fmt: skip
        return _Fitted(block.columns, rows, block.right)
    if isinstance(block, tables.PlainTable):
        pairs = [(first, _text(line)) for first, line in block.rows]
        label = max((len(first) for first, _ in pairs), default=0)
        return Padding(_Pairs(pairs, label), (1, 0, 0, 0))
    return Group(*block.parts) if isinstance(block, tables.Sheet) else Group()


def _text(line: "tables.Line") -> Text:
    (first, style), *rest = line.spans
    text = Text(first, style=style)
    for part, part_style in rest:
        text.append(part, style=part_style)
    return text


@dataclass(frozen=True, slots=True)
class _Bar:
    """A bar as long as a share of ``most`` characters, or of fewer where the terminal is narrow."""

    share: float
    most: int

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        """Return the least and the most characters it takes."""
        return Measurement(self.most // 8, self.most)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw it; the smallest share can still be seen."""
        filled = round(min(self.most, options.max_width) * self.share)
        yield Text("█" * filled if filled or not self.share else "▏")


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A table that looks at the width of the terminal before it is drawn."""

    columns: Sequence[str]
    rows: list[list[Text | _Bar]]
    right: Sequence[str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw a table, or the rows one below another."""
        space = options.max_width - 2 - 3 * (len(self.columns) - 1)
        sizes = [self._measure(console, options, column) for column in range(len(self.columns))]
        widths = _share(space, sizes)
        yield self._table(widths) if widths else Group("", *self._blocks())

    def _measure(self, console: Console, options: ConsoleOptions, column: int) -> Measurement:
        """Return the least and the most characters that a column takes."""
        name, unlimited = self.columns[column], options.update(max_width=10_000)
        cells = [Text(name), *(row[column] for row in self.rows)]
        sizes = [Measurement.get(console, unlimited, cell) for cell in cells]
        least, most = (max(ends) for ends in zip(*sizes, strict=True))
        if name in self.right:
            return Measurement(most, most)
        wraps = not any(isinstance(cell, _Bar) for cell in cells)
        return Measurement(min(max(least, _NARROWEST * wraps), most), most)

    def _table(self, widths: list[int]) -> Table:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for name, width in zip(self.columns, widths, strict=True):
            table.add_column(name, justify="right" if name in self.right else "left", width=width)
        for row in self.rows:
            table.add_row(*row)
        return table

    def _blocks(self) -> Iterator[RenderableType]:
        """Yield a block for each row: a line for each column that says something there."""
        label = max(map(len, self.columns))
        for row in self.rows:
            pairs = zip(self.columns, row, strict=True)
            filled = [(name, cell) for name, cell in pairs if isinstance(cell, Text) and cell.plain]
            yield Padding(_Pairs(filled, label), (0, 0, 1, 1))


def _share(space: int, sizes: list[Measurement]) -> list[int] | None:
    """Return a width for each column, the widest made narrower first; ``None`` if none will do."""
    if sum(size.minimum for size in sizes) > space:
        return None
    widths = [size.maximum for size in sizes]
    while sum(widths) > space:
        can = [n for n, size in enumerate(sizes) if widths[n] > size.minimum]
        widths[max(can, key=widths.__getitem__)] -= 1
    return widths


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Labels with their text beside them; below them where that keeps a long word whole."""

    rows: list[tuple[str, Text]]
    label: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw them."""
        words = [len(word) for _, text in self.rows for word in text.plain.split()]
        longest = max((word for word in words if word <= options.max_width - 2), default=0)
        for _, text in self.rows:
            text.overflow = "fold"
        if self.label + 2 + longest > options.max_width:
            yield from self._below()
            return
        table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True, min_width=self.label)
        table.add_column()
        for first, text in self.rows:
            table.add_row(Text(first), text)
        yield table

    def _below(self) -> Iterator[RenderableType]:
        for first, text in self.rows:
            if first:
                yield Text(first)
            yield Padding(text, (0, 0, 0, 2))
