"""Draw sheets of the shipped rulebooks for docs/sheets.md, as they are printed.

python docs/sheets.py
"""

import json
from pathlib import Path
from typing import Any

import typst

import queenhigh as qh
from queenhigh.sheets.printed import pdf
from queenhigh.sheets.printed.blocks import Kind, as_json
from queenhigh.sheets.printed.sheets import make_sheet

FOLDER = Path(__file__).parent / "sheets"
TEMPLATES = Path(pdf.__file__).parent
SHEETS: tuple[tuple[str, Kind], ...] = (
    ("california", "rule-card"),
    ("california", "fees"),
    ("california", "pays"),
    ("california", "strategy"),
    ("california", "felt"),
    ("house", "felt"),
    ("house", "strategy"),
    ("roulette-american", "felt"),
    ("roulette-american", "pays"),
)


def draw(name: str, kind: Kind) -> bytes:
    """Return the first page of a sheet as PNG."""
    data = json.dumps(as_json(make_sheet(kind, qh.load(name))), ensure_ascii=False)
    drawn: Any = typst.compile(  # a page, or a list of them
        str(TEMPLATES / "sheet.typ"),
        root=str(TEMPLATES),
        sys_inputs={"data": data},
        ignore_system_fonts=True,
        font_paths=[],
        format="png",
        ppi=60.0,
    )
    page: bytes = drawn[0] if isinstance(drawn, list) else drawn
    return page


def main() -> None:
    """Draw all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, kind in SHEETS:
        file = FOLDER / f"{name}-{kind}.png"
        file.write_bytes(draw(name, kind))
        print(f"{file.relative_to(FOLDER.parent.parent)}  {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
