"""``sheet``: rules, fees, pays, best play and the layout of a table, to print."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import click

from queenhigh.commands.options import json_option, load_rulebook, option, set_option, takes
from queenhigh.commands.output import notice, print_json, print_text
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.sheets.printed.blocks import PrintedSheet

__all__ = ["sheet"]

# As in ``queenhigh.sheets.printed.blocks``, which is loaded only when a sheet is made.
_Kind = Literal["rule-card", "fees", "pays", "strategy", "felt"]
_Paper = Literal["letter", "a4"]
_KINDS = ("rule-card", "fees", "pays", "strategy", "felt")
_FILE = click.Path(path_type=Path)


class _Output(NamedTuple):
    """Where a sheet goes, and the size of its paper."""

    pdf: Annotated[Path | None, option("--pdf", "Write the sheet to a PDF file.", type=_FILE)]
    html: Annotated[Path | None, option("--html", "Write the sheet to an HTML file.", type=_FILE)]
    paper: Annotated[
        _Paper,
        option(
            "--paper",
            "Size of the paper.",
            type=click.Choice(("letter", "a4")),
            default="letter",
            show_default=True,
        ),
    ]


@click.command()
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("rulebook")
@takes(_Output)
@set_option
@json_option
def sheet(
    kind: _Kind, rulebook: str, changes: tuple[str, ...], options: _Output, as_json: bool
) -> None:
    """Make sheets to print: rules, fees, pays, strategy, felt.

    Every figure is computed from the rulebook. Without --pdf or --html the sheet is printed here,
    as text.
    """
    from queenhigh.sheets.printed import blocks
    from queenhigh.sheets.printed.as_text import as_text
    from queenhigh.sheets.printed.sheets import make_sheet

    _check_endings(options)
    made = make_sheet(kind, load_rulebook(rulebook, changes), options.paper)
    _write(made, options)
    if as_json:
        print_json(blocks.as_json(made))
    elif options.pdf is None and options.html is None:
        print_text(as_text(made))


def _check_endings(options: _Output) -> None:
    if options.pdf is not None and options.pdf.suffix != ".pdf":
        raise QueenhighError("sheet.kind", f"{options.pdf}: with --pdf write FILE.pdf")
    if options.html is not None and options.html.suffix not in (".html", ".htm"):
        raise QueenhighError("sheet.kind", f"{options.html}: with --html write FILE.html")


def _write(made: "PrintedSheet", options: _Output) -> None:
    """Write the files that were asked for."""
    if options.html is not None:
        from queenhigh.sheets.printed.as_html import as_html

        _write_file(options.html, as_html(made).encode())
    if options.pdf is not None:
        from queenhigh.sheets.printed.as_pdf import as_pdf

        _write_file(options.pdf, as_pdf(made))


def _write_file(file: Path, content: bytes) -> None:
    try:
        file.write_bytes(content)
    except OSError as error:
        message = f"{file}: {error.strerror}; choose a file you can write to"
        raise QueenhighError("file.unwritable", message) from None
    notice(f"written: {file}")
