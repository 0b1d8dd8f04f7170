"""The parts of a sheet to hang on a wall: plain values that HTML, PDF and JSON are made from."""

from typing import Literal

from msgspec import Struct, to_builtins

__all__ = [
    "KINDS",
    "PAPERS",
    "Block",
    "Clauses",
    "Figures",
    "Headline",
    "Kind",
    "Lines",
    "Paper",
    "Picture",
    "PrintedSheet",
    "as_json",
]

Kind = Literal["rule-card", "fees", "pays", "strategy", "felt"]
KINDS: tuple[Kind, ...] = ("rule-card", "fees", "pays", "strategy", "felt")
Paper = Literal["letter", "a4"]
PAPERS: tuple[Paper, ...] = ("letter", "a4")


class Headline(Struct, frozen=True, tag="headline", tag_field="is"):
    """One sentence in the largest type, and more below it."""

    text: str
    more: str = ""


class Lines(Struct, frozen=True, tag="lines", tag_field="is"):
    """Sentences below each other."""

    lines: tuple[str, ...]
    title: str = ""


class Figures(Struct, frozen=True, tag="figures", tag_field="is", kw_only=True):
    """A table. Columns on the ``right`` hold amounts; a half one shares its row with another."""

    title: str = ""
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[int, ...] = ()
    note: str = ""
    is_half: bool = False


class Clauses(Struct, frozen=True, tag="clauses", tag_field="is"):
    """Clauses, each beside its id."""

    title: str
    rows: tuple[tuple[str, str], ...]


class Picture(Struct, frozen=True, tag="picture", tag_field="is"):
    """A drawing as SVG, and all that is written on it."""

    svg: str
    words: tuple[str, ...]


Block = Headline | Lines | Figures | Clauses | Picture


class PrintedSheet(Struct, frozen=True, kw_only=True):
    """A sheet of one rulebook, for one size of paper."""

    kind: Kind
    rulebook: str
    title: str
    #: The game, and the table if it is of one.
    subtitle: str
    blocks: tuple[Block, ...]
    #: The version and the digests that the figures follow from.
    foot: tuple[str, ...]
    paper: Paper
    is_landscape: bool = False
    #: Whether it is read from afar: large type, on one page.
    is_sign: bool = True


def as_json(sheet: PrintedSheet) -> dict[str, object]:
    """Return a sheet as plain values."""
    plain: dict[str, object] = to_builtins(sheet)
    return plain
