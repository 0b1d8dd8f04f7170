"""The felt of Three Card Poker: a place for each player, their bets, and what they pay."""

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, cos, degrees, dist, hypot, pi, radians, sin

from queenhigh.cards import HAND_CLASSES
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.fact_words import qualifier_words
from queenhigh.sheets.format import short_dollars, words
from queenhigh.sheets.printed import svg
from queenhigh.sheets.printed.blocks import Block, Picture
from queenhigh.sheets.printed.common import between_any, step_words
from queenhigh.sheets.printed.poker_bets import limits, pay_tables, side_bets

__all__ = ["felt"]

_WIDE, _HIGH = 1100.0, 760.0
#: The rim of the table: the lower half of an ellipse, below a straight edge for the dealer.
_X, _Y, _RX, _RY = 550.0, 190.0, 530.0, 552.0
_CLOTH, _LINE, _BRASS = "#1f6049", "#fbf6e8", "#e8c66a"
_RADIUS, _STEP = 28.0, 62.0
#: How far the bets of a place reach towards the dealer at most, from the nearest one's middle.
_DEPTH = 170.0

#: A title, and each hand that is paid with its ratio.
_PayTable = tuple[str, list[tuple[str, str]]]


def felt(book: PokerRulebook) -> Iterator[Block]:
    """Yield the layout of a table."""
    places = _places(book)
    tables = _pay_tables(book)
    arc, lines = _arc_words(book), _lines(book)
    parts = [
        _cloth(),
        _dealer(book),
        *_beside(lines),
        *_tables(tables),
        _curved(arc),
        *_seated(places, _bets(book)),
    ]
    spoken = [f"{places} places, each with {', '.join(_bets(book))}", arc, *lines]
    spoken += [f"{title}: {hand} {ratio}" for title, rows in tables for hand, ratio in rows]
    yield Picture(svg.document(_WIDE, _HIGH, *parts), tuple(spoken))


def _places(book: PokerRulebook) -> int:
    """Return how many people the table seats, the banker among them if a player banks."""
    return book.game.places(book).most


def _bets(book: PokerRulebook) -> list[str]:
    """Return the bets of a place, from the player's edge inwards."""
    return ["Play", "Ante", *(words(bet.name) for bet in side_bets(book))]


def _arc_words(book: PokerRulebook) -> str:
    """Return what the dealer plays with, as it is printed along the arc."""
    name = "Player/Dealer" if book.bank else "Dealer"
    if book.qualifier == "none":
        return f"{name} always qualifies"
    return f"{name} qualifies with {qualifier_words(book.qualifier)}"


def _lines(book: PokerRulebook) -> list[str]:
    """Return the limits and the step of bets, and what Ante and Play pay."""
    said = [f"{words(name)} {between_any(spans)}" for name, spans in limits(book).items()]
    if (together := book.betting.together) is not None:
        said.append(f"Together at most {short_dollars(together)}")
    if step := step_words(book.increment):
        said.append(f"Bets {step}")
    return [*said, "Play equals the Ante", *_even_money(book)]


def _even_money(book: PokerRulebook) -> list[str]:
    """Return which of Ante and Play can win: both pay even money."""
    can_win = {
        "Ante": any(cell.ante > 0 for cell in book.cells),
        "Play": any(cell.play > 0 for cell in book.cells),
    }
    names = [name for name, wins in can_win.items() if wins]
    return [f"{' and '.join(names)} {'pay' if len(names) > 1 else 'pays'} 1 to 1"] if names else []


def _pay_tables(book: PokerRulebook) -> list[_PayTable]:
    return [
        (f"{words(name)} pays", [(words(HAND_CLASSES[kind]), str(ratio)) for kind, ratio in table])
        for name, table in pay_tables(book)
        if table
    ]


# Drawing


def _outline(inset: float) -> str:
    """Return the shape of the table, so much smaller on every side."""
    left, right, top = _X - _RX + inset, _X + _RX - inset, 18 + inset
    rx, ry = _RX - inset, _RY - inset
    ends = [svg.number(value) for value in (left, top, right, _Y, rx, ry)]
    return (
        f"M{ends[0]} {ends[1]}H{ends[2]}V{ends[3]}A{ends[4]} {ends[5]} 0 0 1 {ends[0]} {ends[3]}Z"
    )


def _cloth() -> str:
    cloth = svg.path(_outline(0), fill=_CLOTH, stroke="#241910", stroke_width=10)
    return cloth + svg.path(_outline(13), fill="none", stroke=_BRASS, stroke_width=1.5)


def _dealer(book: PokerRulebook) -> str:
    """Return the dealer's three cards, those that are up marked."""
    parts = []
    for card in range(3):
        x = _X + (card - 1) * 84 - 36
        parts.append(svg.rectangle(x, 48, 72, 100, rx=7, fill="none", stroke=_LINE, stroke_width=2))
        if card >= 3 - book.up:
            parts.append(svg.text(x + 36, 103, "Face up", 15, fill=_LINE))
    name = "Player/Dealer" if book.bank else "Dealer"
    parts.append(svg.text(_X - 150, 104, name, 19, fill=_LINE, text_anchor="end"))
    return "".join(parts)


def _tables(tables: list[_PayTable]) -> Iterator[str]:
    """Yield the pay tables below the dealer: beside each other, or as one if there are many."""
    if len(tables) > 2 or (len(tables) == 2 and max(len(rows) for _, rows in tables) > 5):
        yield from _one_table(tables)
        return
    width, gap = 230.0, 56.0
    left = _X - (len(tables) * width + (len(tables) - 1) * gap) / 2
    for index, (title, rows) in enumerate(tables):
        x = left + index * (width + gap)
        yield svg.text(x + width / 2, 196, title, 21, fill=_BRASS, font_weight="bold")
        for row, (hand, ratio) in enumerate(rows):
            y = 228 + 27 * row
            yield svg.text(x, y, hand, 19, fill=_LINE, text_anchor="start")
            size = _fitting(ratio, 19, 100)
            yield svg.text(x + width, y, ratio, size, fill=_LINE, text_anchor="end")


def _one_table(tables: list[_PayTable]) -> Iterator[str]:
    """Yield a row for each hand and a column for each bet that pays on hands."""
    paid = [dict(rows) for _, rows in tables]
    hands = [words(hand) for hand in reversed(HAND_CLASSES)]
    hands = [hand for hand in hands if any(hand in rows for rows in paid)]
    column = 90.0
    left = _X - (120 + column * len(tables)) / 2
    yield svg.text(left, 196, "Pays", 16, fill=_BRASS, font_weight="bold", text_anchor="start")
    for row, hand in enumerate(hands):
        yield svg.text(left, 222 + 23 * row, hand, 17, fill=_LINE, text_anchor="start")
    for index, ((title, _), rows) in enumerate(zip(tables, paid, strict=True)):
        x = left + 120 + column * (index + 1)
        name = title.removesuffix(" pays")
        yield svg.text(x, 196, name, 16, fill=_BRASS, font_weight="bold", text_anchor="end")
        for row, hand in enumerate(hands):
            ratio = rows.get(hand, "–")
            size = _fitting(ratio, 17, column - 8)
            yield svg.text(x, 222 + 23 * row, ratio, size, fill=_LINE, text_anchor="end")


def _beside(lines: list[str]) -> Iterator[str]:
    """Yield the limits, at the dealer's left."""
    step = 26.0 if len(lines) <= 5 else 104 / (len(lines) - 1)
    most = min(19.0, 0.8 * step)
    first = 104 - step * (len(lines) - 1) / 2
    for row, line in enumerate(lines):
        size = _fitting(line, most, 350)
        yield svg.text(_X + 152, first + step * row, line, size, fill=_LINE, text_anchor="start")


def _fitting(text: str, most: float, width: float) -> float:
    """Return the size of a text that has a width to itself."""
    return min(most, width / (0.5 * len(text)))


def _curved(arc: str) -> str:
    """Return the words along an arc before the players."""
    rx, ry = 276, 300
    ends = [svg.number(value) for value in (_X - rx, _Y, rx, ry, _X + rx)]
    curve = f"M{ends[0]} {ends[1]}A{ends[2]} {ends[3]} 0 0 0 {ends[4]} {ends[1]}"
    return (
        f'<path id="arc" d="{curve}" fill="none"/>'
        f'<text font-size="27" letter-spacing="1" fill="{_BRASS}" text-anchor="middle">'
        f'<textPath href="#arc" startOffset="50%">{arc}</textPath></text>'
    )


def _seated(places: int, bets: list[str]) -> Iterator[str]:
    """Yield the bets of every place, turned to the player; place 1 is at the dealer's left."""
    spots = [_on_rim(angle) for angle in _angles(places)]
    scale = _scale(spots, len(bets))
    for place, (x, y, turned) in enumerate(spots):
        number = svg.text(0, _RADIUS * scale + 18, str(place + 1), 17, fill=_BRASS)
        drawn = [_spot(bet, -step * _STEP * scale, scale) for step, bet in enumerate(bets)]
        yield svg.group(x, y, turned, number, *drawn)


def _scale(spots: list[tuple[float, float, float]], bets: int) -> float:
    """Return how large the bets are, so that they meet neither each other nor the arc."""
    scale = min(1.0, _DEPTH / ((bets - 1) * _STEP + _RADIUS))
    while scale > 0.4:
        inmost = [_inwards(spot, (bets - 1) * _STEP * scale) for spot in spots]
        if all(dist(one, other) >= 2.1 * _RADIUS * scale for one, other in pairwise(inmost)):
            break
        scale -= 0.02
    return scale


def _inwards(spot: tuple[float, float, float], length: float) -> tuple[float, float]:
    x, y, turned = spot
    return x + length * sin(radians(turned)), y - length * cos(radians(turned))


def _spot(bet: str, y: float, scale: float) -> str:
    look: dict[str, float | str] = {"fill": "none", "stroke": _LINE, "stroke_width": 2}
    if bet in ("Play", "Ante"):
        shape = svg.circle(0, y, _RADIUS * scale, **look)
    else:
        side = (2 * _RADIUS - 4) * scale
        shape = svg.rectangle(-side / 2, y - side / 2, side, side, rx=10 * scale, **look)
    lines = bet.split()
    first = y + (5 - 8 * (len(lines) - 1)) * scale
    size = (15 if len(lines) == 1 else 14) * scale
    return shape + "".join(
        svg.text(0, first + 16 * row * scale, word, size, fill=_LINE)
        for row, word in enumerate(lines)
    )


def _on_rim(angle: float) -> tuple[float, float, float]:
    """Return where a player's nearest bet lies, and by how many degrees it is turned."""
    rx, ry = _RX - 66, _RY - 66
    across, down = cos(angle) / rx, sin(angle) / ry
    length = hypot(across, down)
    inward = (-across / length, -down / length)
    return _X + rx * cos(angle), _Y + ry * sin(angle), degrees(atan2(inward[0], -inward[1]))


def _angles(places: int) -> list[float]:
    """Return angles at which places are equally far from each other along the rim."""
    steps = 2000
    rx, ry = _RX - 150, _RY - 150
    lengths = [0.0]
    for step in range(steps):
        middle = pi * (step + 0.5) / steps
        lengths.append(lengths[-1] + hypot(rx * sin(middle), ry * cos(middle)))
    wanted = [lengths[-1] * (place + 0.5) / places for place in range(places)]
    return [
        pi * next(step for step, length in enumerate(lengths) if length >= each) / steps
        for each in wanted
    ]
