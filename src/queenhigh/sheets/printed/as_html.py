"""A sheet as a page for browsers, with a style for the screen and one for the printer."""

from base64 import b64encode
from hashlib import sha256
from html import escape

from queenhigh.sheets.printed.blocks import (
    Block,
    Clauses,
    Figures,
    Headline,
    Lines,
    Picture,
    PrintedSheet,
)

__all__ = ["as_html", "style_hash"]

_SIZES = {"letter": (216.0, 279.0), "a4": (210.0, 297.0)}
_STYLE = """
@page { size: %(wide)smm %(high)smm; margin: 0 }
* { box-sizing: border-box }
html { background: #e9e4d6; color: #1d2a24; font: %(size)spt/1.3 "Libertinus Serif", Georgia, serif;
 -webkit-print-color-adjust: exact; print-color-adjust: exact }
body { margin: 0 }
main { background: #fff; width: %(wide)smm; min-height: %(high)smm; margin: 8mm auto;
 padding: %(pad)smm; display: flex; flex-direction: column; box-shadow: 0 1mm 5mm #0003 }
.frame { flex: 1; display: flex; flex-direction: column; %(frame)s }
.sign h1 { text-align: center; font-size: 2.3em } .sign .subtitle { text-align: center }
h1 { font-size: 1.9em; line-height: 1.1; margin: 0 0 .15em }
h2 { font-size: 1.15em; margin: 1em 0 .25em; break-after: avoid }
.sign h2 { font-size: 1.25em }
.subtitle { color: #5d6a60; margin: 0 0 1em }
p { margin: .3em 0 }
table { border-collapse: collapse; width: 100%%; font-variant-numeric: tabular-nums lining-nums }
caption { text-align: left; font-weight: bold; font-size: 1.15em; padding: .8em 0 .2em }
.sign caption { font-size: 1.3em }
th, td { text-align: left; padding: .22em 1em .22em 0; vertical-align: top; font-weight: normal }
tr > :last-child { padding-right: 0 }
thead th { color: #5d6a60; font-size: .85em; border-bottom: .5mm solid #b8892b;
 vertical-align: bottom }
tbody tr + tr > * { border-top: .2mm solid #d8d2bf }
.sign tbody > tr > :first-child { font-weight: bold }
.right { text-align: right }
.clause { color: #5d6a60 }
.note { color: #46524a; font-size: .9em }
.halves { display: grid; grid-template-columns: 1fr 1fr; gap: 0 8mm; align-items: start }
.halves > * { break-inside: avoid }
.headline { font-size: 2.6em; line-height: 1.15; text-align: center; font-weight: bold;
 margin: .8em 0 .3em }
.more { font-size: 1.6em; text-align: center; margin: 0 0 1.5em }
dl { margin: 0 }
dl div { display: grid; grid-template-columns: 13mm 1fr; break-inside: avoid; padding: .15em 0 }
dt { font-weight: bold } dd { margin: 0 }
figure { margin: auto 0 } svg { display: block; width: 100%%; max-height: %(picture)smm }
footer { margin-top: auto; padding-top: 1em; color: #5d6a60; font-size: 8pt;
 overflow-wrap: anywhere }
.sign footer { text-align: center } footer p { margin: 0 }
@media print { html { background: none } main { margin: 0; box-shadow: none; %(height)s } }
"""
_FRAME = "border: 1mm double #b8892b; padding: 9mm 10mm"


def as_html(sheet: PrintedSheet) -> str:
    """Return a whole page, which loads nothing else."""
    title = escape(f"{sheet.title}: {sheet.subtitle}")
    foot = "".join(f"<p>{escape(line)}</p>" for line in sheet.foot)
    look = "sign" if sheet.is_sign else "card"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_style(sheet)}</style></head>\n"
        f'<body><main class="{look}"><div class="frame">'
        f'<h1>{escape(sheet.title)}</h1>\n<p class="subtitle">{escape(sheet.subtitle)}</p>\n'
        f"{_blocks(sheet.blocks)}<footer>{foot}</footer></div></main></body></html>\n"
    )


def style_hash(page: str) -> str:
    """Return the hash by which a policy of a server allows the style of a page."""
    style = page.partition("<style>")[2].partition("</style>")[0]
    return f"sha256-{b64encode(sha256(style.encode()).digest()).decode()}"


def _style(sheet: PrintedSheet) -> str:
    wide, high = _SIZES[sheet.paper]
    if sheet.is_landscape:
        wide, high = high, wide
    is_felt = sheet.kind == "felt"
    return _STYLE % {
        "wide": f"{wide:g}",
        "high": f"{high:g}",
        "size": _type_size(sheet),
        "pad": 9 if is_felt or sheet.is_landscape else 12 if sheet.is_sign else 15,
        "frame": _FRAME if sheet.is_sign and not is_felt else "",
        "picture": f"{high - 66:g}",
        "height": f"height: {high - 0.5:g}mm" if sheet.is_sign else "",
    }


def _type_size(sheet: PrintedSheet) -> str:
    """Return the size of type in points: as large as the page has room for."""
    if not sheet.is_sign:
        return "9.5"
    if sheet.kind == "felt":
        return "10"
    tables = [block for block in sheet.blocks if isinstance(block, Figures)]
    if any(len(table.head) > 6 for table in tables):
        return "8.5"
    rows = sum(len(table.rows) + 3 for table in tables)
    lines = sum(len(b.lines) * 1.5 for b in sheet.blocks if isinstance(b, Lines))
    return f"{max(10.0, min(22.0, 420 / (rows + lines + 7))):.1f}"


def _blocks(blocks: tuple[Block, ...]) -> str:
    """Return all blocks, halves that follow each other side by side."""
    parts: list[str] = []
    halves: list[str] = []
    for block in blocks:
        is_half = isinstance(block, Figures) and block.is_half
        if not is_half and halves:
            parts.append(f'<div class="halves">{"".join(halves)}</div>\n')
            halves = []
        (halves if is_half else parts).append(_block(block))
    if halves:
        parts.append(f'<div class="halves">{"".join(halves)}</div>\n')
    return "".join(parts)


def _block(block: Block) -> str:
    if isinstance(block, Headline):
        more = f'<p class="more">{escape(block.more)}</p>\n' if block.more else ""
        return f'<p class="headline">{escape(block.text)}</p>\n{more}'
    if isinstance(block, Lines):
        title = f"<h2>{escape(block.title)}</h2>" if block.title else ""
        return title + "".join(f"<p>{escape(line)}</p>\n" for line in block.lines)
    if isinstance(block, Figures):
        return f"<section>{_table(block)}</section>\n"
    if isinstance(block, Clauses):
        rows = "".join(
            f"<div><dt>{escape(name)}</dt><dd>{escape(text)}</dd></div>\n"
            for name, text in block.rows
        )
        return f"<h2>{escape(block.title)}</h2><dl>{rows}</dl>\n"
    return _picture(block)


def _picture(block: Picture) -> str:
    label = escape(". ".join(block.words), quote=True)
    drawn = block.svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    return f"<figure>{drawn}</figure>\n"


def _table(table: Figures) -> str:
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = "".join(
        f'<th scope="col"{_side(table, column)}>{escape(name)}</th>'
        for column, name in enumerate(table.head)
    )
    body = "".join(f"<tr>{_cells(table, row)}</tr>\n" for row in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return f"<table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>{body}</tbody></table>{note}"


def _cells(table: Figures, row: tuple[str, ...]) -> str:
    first, *others = row
    cells = "".join(
        f"<td{_side(table, column)}>{escape(cell)}</td>"
        for column, cell in enumerate(others, start=1)
    )
    return f'<th scope="row">{escape(first)}</th>{cells}'


def _side(table: Figures, column: int) -> str:
    if column in table.right:
        return ' class="right"'
    return ' class="clause"' if table.head[column] == "Clause" else ""
