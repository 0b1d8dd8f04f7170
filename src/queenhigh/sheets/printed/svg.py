"""Small pieces of SVG: shapes and texts in one style, with the same bytes for the same values."""

from html import escape

__all__ = ["FONT", "circle", "document", "group", "number", "path", "rectangle", "text"]

#: The typesetter's own font, and what browsers have instead.
FONT = "Libertinus Serif, Georgia, Times New Roman, serif"


def number(value: float) -> str:
    """Write a number with two decimals at most."""
    written = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if written == "-0" else written


def _attributes(values: dict[str, float | str]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{value if isinstance(value, str) else number(value)}"'
        for name, value in values.items()
    )


def circle(x: float, y: float, r: float, **look: float | str) -> str:
    """Return a circle."""
    return f"<circle{_attributes({'cx': x, 'cy': y, 'r': r, **look})}/>"


def rectangle(x: float, y: float, width: float, height: float, **look: float | str) -> str:
    """Return a rectangle."""
    return f"<rect{_attributes({'x': x, 'y': y, 'width': width, 'height': height, **look})}/>"


def path(shape: str, **look: float | str) -> str:
    """Return a path."""
    return f"<path{_attributes({'d': shape, **look})}/>"


def text(x: float, y: float, words: str, size: float, **look: float | str) -> str:
    """Return a text, centred at a place."""
    place = {"x": x, "y": y, "font_size": size, "text_anchor": "middle", **look}
    return f"<text{_attributes(place)}>{escape(words)}</text>"


def group(x: float, y: float, degrees: float, *parts: str) -> str:
    """Return parts that are moved and turned together."""
    moved = f"translate({number(x)} {number(y)}) rotate({number(degrees)})"
    return f'<g transform="{moved}">{"".join(parts)}</g>'


def document(width: float, height: float, *parts: str) -> str:
    """Return the whole picture."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f' font-family="{FONT}">{"".join(parts)}</svg>'
    )
