"""A sheet as PDF, set by the template of sheets."""

from queenhigh.sheets.printed.blocks import PrintedSheet, as_json
from queenhigh.sheets.printed.pdf import typeset

__all__ = ["as_pdf"]


def as_pdf(sheet: PrintedSheet) -> bytes:
    """Return the PDF of a sheet: the same bytes for the same rulebook."""
    return typeset("sheet", as_json(sheet))
