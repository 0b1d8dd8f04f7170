"""The strategy chart as a picture: up cards across, hands down, and the line between fold and play.

Grey says how much is at stake, so that it reads without colour: the darker, the more the wrong
move costs. The line is the weakest hand to play; a dot marks cells where suits decide.
"""

from html import escape

from queenhigh.cards import HAND_CLASSES, RANKS
from queenhigh.price.strategy import Strategy, hand_text, play_text, up_text

__all__ = ["chart_page"]

_LEFT, _TOP, _WIDE, _HIGH = 64, 34, 46, 2.4
_PLAY, _FOLD, _INK, _LINE = (47, 111, 84), (158, 74, 52), "#1d2a24", "#b8892b"


def chart_page(best: Strategy) -> str:
    """Return a page with the chart and, behind a button, its table."""
    book = best.book
    title = escape(f"Best strategy: {book.title}")
    rule = "".join(
        f"<tr><td>{escape(up_text(line))}</td><td>{escape(play_text(book, line))}</td></tr>"
        for line in best.rule
    )
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
body {{ font: 15px/1.5 system-ui, sans-serif; color: {_INK}; background: #f6f3ea; margin: 2rem auto;
 max-width: 46rem; padding: 0 1rem; }}
svg {{ width: 100%; height: auto; background: #fffdf6; border: 1px solid #d8d2bf; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
td, th {{ padding: .15rem .8rem .15rem 0; text-align: left; }}
summary {{ cursor: pointer; margin: 1rem 0; }}
</style></head><body>
<h1>{title}</h1>
<p>Columns: the dealer's up card. Rows: your hand without a pair, weakest at the bottom. Green means
play, rust means fold; darker means the wrong move costs more. The brass line marks the
weakest hand to play; a dot marks cells where suits matter.</p>
{_svg(best)}
<h2>A simple rule</h2>
<table><tr><th>Up card</th><th>Play</th></tr>{rule}</table>
<p>It costs {float(best.rule_cost):.4%} of the Ante compared with best play, which is worth
{float(best.ev):.4%}.</p>
<details><summary>The chart as a table</summary>{_table(best)}</details>
</body></html>
"""


def _high_cards(best: Strategy) -> list[int]:
    """Return the strengths without a pair, strongest first: only these are ever in doubt."""
    order = best.book.ranking
    kind = HAND_CLASSES.index("high_card")
    return [h for h, each in enumerate(order.classes) if each == kind][::-1]


def _svg(best: Strategy) -> str:
    hands = _high_cards(best)
    ups = range(len(best.cells))
    height = _TOP + len(hands) * _HIGH + 12
    width = _LEFT + len(ups) * _WIDE + 12
    parts = [_labels(best, hands)]
    most = max(abs(_stake(best, up, h)) for up in ups for h in hands) or 1.0
    mixed = {(ups_[0] if ups_ else 0, h) for ups_, h in best.suit_cells}
    for column, up in enumerate(ups):
        x = _LEFT + column * _WIDE
        name = RANKS[up].replace("T", "10") if best.book.up else "any"
        parts.append(f'<text x="{x + _WIDE / 2}" y="22" text-anchor="middle">{name}</text>')
        for row, h in enumerate(hands):
            if not best.cells[up, h]:
                continue
            y = _TOP + row * _HIGH
            parts.append(
                f'<rect x="{x}" y="{y:.1f}" width="{_WIDE - 1}" height="{_HIGH + 0.3:.1f}"'
                f' fill="{_colour(_stake(best, up, h), most)}"/>'
            )
            if (up, h) in mixed:
                parts.append(
                    f'<circle cx="{x + _WIDE / 2}" cy="{y + 1.2:.1f}" r="1.6" fill="#fff"/>'
                )
        y = _TOP + sum(h >= best.least(up) for h in hands) * _HIGH
        parts.append(f'<path d="M{x - 0.5} {y:.1f}h{_WIDE}" stroke="{_LINE}" stroke-width="2.4"/>')
    inside = "".join(parts)
    return (
        f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="Strategy chart"'
        f' font-family="system-ui, sans-serif" font-size="13" fill="{_INK}">{inside}</svg>'
    )


def _labels(best: Strategy, hands: list[int]) -> str:
    """Name the hands by their high card, once for each."""
    order, parts, seen, last = best.book.ranking, [], set(), -99.0
    for row, h in enumerate(hands):
        high, y = order.ranks[h][0], _TOP + row * _HIGH
        if high not in seen and y - last >= 14:
            seen.add(high)
            last = y
            name = RANKS[high].replace("T", "10")
            parts.append(
                f'<path d="M{_LEFT - 8} {y:.1f}h6" stroke="{_INK}"/>'
                f'<text x="{_LEFT - 12}" y="{y + 11:.1f}" text-anchor="end">{name}-high</text>'
            )
    return "".join(parts)


def _stake(best: Strategy, up: int, strength: int) -> float:
    """Return what playing is worth above folding in a cell, in Antes."""
    cells = int(best.cells[up, strength])
    return int(best.gains[up, strength]) / (cells * best.scale) if cells else 0.0


def _colour(stake: float, most: float) -> str:
    base = _PLAY if stake > 0 else _FOLD
    depth = 0.25 + 0.75 * min(1.0, abs(stake) / most) ** 0.6
    red, green, blue = (round(255 - (255 - part) * depth) for part in base)
    return f"#{red:02x}{green:02x}{blue:02x}"


def _table(best: Strategy) -> str:
    hands, order = _high_cards(best), best.book.ranking
    ups = range(len(best.cells))
    names = [RANKS[up].replace("T", "10") if best.book.up else "any" for up in ups]
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = []
    for h in hands:
        cells = "".join(f"<td>{_word(best, up, h)}</td>" for up in ups)
        rows.append(f"<tr><th>{hand_text(order, h)}</th>{cells}</tr>")
    return f"<table><tr><th>Hand</th>{head}</tr>{''.join(rows)}</table>"


def _word(best: Strategy, up: int, strength: int) -> str:
    if not best.cells[up, strength]:
        return ""
    plays, cells = int(best.plays[up, strength]), int(best.cells[up, strength])
    return "play" if plays == cells else "suits" if plays else "fold"
