"""A template and data become a PDF: the same bytes for the same data, on every machine.

Data is passed as JSON and read by the template, never as markup, so no text in it can be taken for
a command of the typesetter. Templates read no files, and use the typesetter's own fonts alone.
"""

import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import typst

from queenhigh.errors import QueenhighError

__all__ = ["printable", "typeset"]

_TEMPLATES = Path(__file__).parent
_EPOCH = datetime.fromtimestamp(0, UTC)
#: The scripts that the fonts have, by how the names of their characters begin.
_SCRIPTS = ("LATIN ", "GREEK ", "CYRILLIC ", "HEBREW ", "COMBINING ")
#: Beyond ASCII: punctuation and signs that sheets use.
_SIGNS = frozenset("−–—‘’“”…·×°§¢£€¥½¼¾±«»¿¡")


def typeset(template: str, data: object) -> bytes:
    """Return the PDF of a template of this folder, which reads ``data`` as JSON."""
    text = json.dumps(_printable(data), ensure_ascii=False, sort_keys=True)
    try:
        pdf = typst.compile(
            str(_TEMPLATES / f"{template}.typ"),
            root=str(_TEMPLATES),
            sys_inputs={"data": text},
            ignore_system_fonts=True,
            font_paths=[],
            timestamp=_EPOCH,
        )
    except typst.TypstError as error:
        raise QueenhighError(
            "print.failed", f"the sheet {template} cannot be printed: {error}"
        ) from None
    assert isinstance(pdf, bytes), "one file"
    return pdf


def printable(text: str) -> str:
    """Return a text with a code for each character that the fonts do not have."""
    return "".join([char if _has_glyph(char) else f"[U+{ord(char):04X}]" for char in text])


def _has_glyph(char: str) -> bool:
    if " " <= char <= "~" or char in _SIGNS:
        return True
    return unicodedata.name(char, "").startswith(_SCRIPTS)


def _printable(data: object) -> object:
    """Return data whose texts have only characters that the fonts have."""
    if isinstance(data, str):
        return printable(data)
    if isinstance(data, dict):
        return {key: _printable(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_printable(value) for value in data]
    return data
