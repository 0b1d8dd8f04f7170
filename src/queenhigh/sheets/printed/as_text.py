"""A sheet as text, for a terminal."""

from collections.abc import Iterator

from queenhigh.sheets.printed import blocks
from queenhigh.sheets.printed.blocks import PrintedSheet
from queenhigh.sheets.tables import Block, heading, line, plain_table, sheet, table

__all__ = ["as_text"]


def as_text(printed: PrintedSheet) -> Block:
    """Return what is written on a sheet; a drawing as its words."""
    parts: list[Block] = [line(printed.title, style="bold"), line(printed.subtitle)]
    for block in printed.blocks:
        parts += _parts(block)
    return sheet(*parts, heading(""), *(line(foot, style="dim") for foot in printed.foot))


def _parts(block: blocks.Block) -> Iterator[Block]:
    title = getattr(block, "title", "")
    if title:
        yield heading(title)
    if isinstance(block, blocks.Figures):
        yield table(block.head, block.rows, right=[block.head[column] for column in block.right])
        if block.note:
            yield line(block.note)
    elif isinstance(block, blocks.Clauses):
        yield plain_table(block.rows)
    elif isinstance(block, blocks.Headline):
        yield line(block.text, style="bold")
        yield line(block.more)
    else:
        for words in block.words if isinstance(block, blocks.Picture) else block.lines:
            yield line(words)
