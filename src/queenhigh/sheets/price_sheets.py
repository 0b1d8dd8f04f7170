"""Best play, comparisons and the banker's book as people read them."""

from collections.abc import Iterator
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from queenhigh.money import dollars
from queenhigh.price.bank import BankBook
from queenhigh.price.compare import Comparison, Edges, Reading
from queenhigh.price.strategy import Advice, Line, Strategy, hand_text, play_text, up_text
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.layout import heading, plain_table, table
from queenhigh.sheets.wording import label, say
from queenhigh.sheets.words import cents, number, percent, value_text, words

__all__ = ["advice_sheet", "bank_sheet", "comparison_sheet", "readings_sheet", "strategy_sheet"]


# Best play


def strategy_sheet(found: Strategy) -> RenderableType:
    """Return best play as a chart, as a rule, and what both cost."""
    book = found.book
    parts: list[RenderableType] = [
        Text(f"Best play: {book.title}", style="bold"),
        Text(
            f"Worth {str(found.ev).replace('-', '−')} of the Ante ({percent(found.ev)}). Of"
            f" {found.sets:,} deals of hand and up card, {found.played:,} are played;"
            f" {found.level:,} are worth the same either way and are folded (TCP-5)."
        ),
    ]
    if book.up < 2:
        cost = _cost(found.chart_cost)
        parts += [heading(f"The best chart by rank: it costs {cost}"), _chart(found)]
    parts += [heading(f"The rule to remember: it costs {_cost(found.rule_cost)}")]
    rows = [(up_text(line), play_text(book, line)) for line in found.rule[:20]]
    parts.append(table(("Up card", "Play"), rows))
    if len(found.rule) > 20:
        parts.append(Text(f"… and {len(found.rule) - 20} more; --json has them all."))
    parts += [heading("Suits"), Text(_suits(found))]
    return Group(*parts)


def _cost(cost: Fraction) -> str:
    return f"{percent(cost, 5)} of the Ante ({cost})" if cost else "nothing"


def _chart(found: Strategy) -> RenderableType:
    rows = []
    for up in range(len(found.cells)):
        line = Line(((up,) if found.book.up else (),), found.least(up))
        suits = [h for ups, h in found.suit_cells if ups in ((up,), ())]
        lists = [_some(found, hands) for hands in (*found.exceptions(up), suits)]
        least = play_text(found.book, line).removesuffix(" or better")
        rows.append((up_text(line), least, *lists))
    if not any("".join(row[2:]) for row in rows):
        return table(("Up card", "Play from"), [row[:2] for row in rows])
    return table(("Up card", "Play from", "Play also", "But fold", "Suits decide"), rows)


def _some(found: Strategy, hands: list[int]) -> str:
    """Name a hand or two; the page drawn with --chart and the JSON have them all."""
    named = ", ".join(hand_text(found.book.ranking, h) for h in hands[:2])
    return named + (f" + {len(hands) - 2}" if len(hands) > 2 else "")


def _suits(found: Strategy) -> str:
    if not found.suit_cells:
        return "Suits never matter: a chart by rank is best play."
    return f"In {len(found.suit_cells)} cells of the chart the best decision depends on suits."


def advice_sheet(hand: str, up: str, ante: int, found: Advice) -> RenderableType:
    """Return what both moves are worth with one hand."""
    rows = [
        (move, str(worth).replace("-", "−"), number(worth), cents(worth * ante, signed=True))
        for move, worth in (("Play", found.play), ("Fold", found.fold))
    ]
    against = f" against {up}" if up else ""
    other = "folding" if found.best == "play" else "playing"
    if found.cost:
        said = f"{found.best.capitalize()}. With an Ante of {dollars(ante)}, {other} costs"
        said += f" {cents(found.cost * ante)} on average."
    else:
        said = "Fold. Both are worth the same, and then the rule is to fold (TCP-5)."
    return Group(
        Text(f"{hand}{against}", style="bold"),
        table(
            ("Move", "Exactly", "Antes", f"On {dollars(ante)}"),
            rows,
            right=("Exactly", "Antes", f"On {dollars(ante)}"),
        ),
        Text(said),
    )


# Changes


def _edges_text(edges: Edges, base: Edges) -> str:
    """Return the edges that differ from the base, or that none does."""
    if not edges:
        return "not on its own"
    changed = [name for name in edges if edges[name] != base.get(name)]
    if not changed:
        return "no change"
    if len(changed) > 3 and len({edges[name] for name in changed}) == 1:
        return f"{len(changed)} bets {percent(edges[changed[0]])}"
    return ", ".join(f"{words(name)} {percent(edges[name])}" for name in changed)


def comparison_sheet(found: Comparison) -> RenderableType:
    """Return what differs between two rulebooks and what each change does."""
    one, other = found.names
    names = dict.fromkeys((*found.before, *found.after))
    rows = [
        (
            words(name),
            *(percent(e[name]) if name in e else "" for e in (found.before, found.after)),
        )
        for name in names
    ]
    parts: list[RenderableType] = [
        Text(f"{one} and {other}", style="bold"),
        table(
            ("Bet", f"Edge, {one}", f"Edge, {other}"),
            rows,
            right=(f"Edge, {one}", f"Edge, {other}"),
        ),
    ]
    if not found.changes:
        return Group(*parts, Text("Nothing differs in meaning."))
    parts.append(heading(f"What differs, and the edge of {one} with that change alone"))
    parts.append(
        table(
            ("What", "Clauses", "From", "To", "Edge before fees"),
            [
                (
                    label(change.what),
                    ", ".join(change.clauses),
                    say(change.what, change.before),
                    say(change.what, change.after),
                    _edges_text(change.edges, found.before),
                )
                for change in found.changes
            ],
        )
    )
    return Group(*parts)


def readings_sheet(book: Rulebook, found: tuple[Reading, ...]) -> RenderableType:
    """Return every assumption with the edge under each reading."""
    base = found[0].edges if found else {}
    edges = ", ".join(f"{words(name)} {percent(edge)}" for name, edge in base.items())
    rows = [
        (
            reading.clause,
            _reading(reading),
            "as above" if reading.is_default else _edges_text(reading.edges, base),
        )
        for reading in found
        if reading.key and not isinstance(reading.value, dict | list)
    ]
    others = [(r.clause, r.says) for r in found if not r.key or isinstance(r.value, dict | list)]
    return Group(
        Text(f"Assumptions: {book.title}", style="bold"),
        Text(f"Edges before fees: {edges}."),
        table(("Clause", "Reading", "Edge before fees"), rows),
        heading("Assumed without another reading"),
        plain_table(others),
    )


def _reading(reading: Reading) -> str:
    """Return a key and its reading, with the other readings that its edge assumes."""
    under = [f"{key.split('.')[-1]} = {value_text(value)}" for key, value in reading.under.items()]
    return ", with ".join([f"{reading.key} = {value_text(reading.value)}", *under])


# The bank


def bank_sheet(book: Rulebook, found: BankBook) -> RenderableType:
    """Return the banker's book."""
    unit, after = found.unit_cents, found.mean_after_fee
    antes = "Antes" if _is_even(found) else f"Antes of {dollars(unit)}"
    rows = [
        ("Mean", number(found.mean), cents(found.mean * unit, signed=True)),
        ("Standard deviation", number(found.sd), cents(found.sd * unit)),
        ("Banker's fee", number(found.fee_banker), cents(found.fee_banker * unit)),
        ("Mean after fee", number(after), cents(after * unit, signed=True)),
    ]
    return Group(
        Text(f"The banker's book: {book.title}", style="bold"),
        Text(f"{_wagers(found)}, played best."),
        table(("A round", antes, "Money"), rows, right=(antes, "Money")),
        plain_table(_bank_lines(found)),
    )


def _is_even(found: BankBook) -> bool:
    """Tell whether all seats wager the same."""
    return len(set(found.stakes)) == 1


def _wagers(found: BankBook) -> str:
    """Return how many seats there are and what is on each, in words."""
    seats = f"{found.seats} seat{'s' * (found.seats > 1)}"
    ante, bonus = found.stakes[0]
    if _is_even(found):
        side = f" and {dollars(bonus)} on the side" if bonus else ""
        return f"{seats} with {dollars(ante)} on the Ante{side}"
    listed = [dollars(ante) + f" + {dollars(bonus)}" * bool(bonus) for ante, bonus in found.stakes]
    side = " and side bets" if any(stake.bonus for stake in found.stakes) else ""
    return f"{seats} with Antes{side} of {', '.join(listed[:-1])} and {listed[-1]}"


def _bank_lines(found: BankBook) -> Iterator[tuple[str, str]]:
    unit, night = found.unit_cents, found.night
    alike = "" if _is_even(found) else "that wager what seat 1 does "
    yield (
        "Two seats",
        f"{alike}share the dealer's hand: covariance {found.seat_covariance},"
        f" correlation {number(found.correlation)}",
    )
    if found.fee_player:
        yield (
            "Players",
            f"{'on average ' * (not _is_even(found))}{cents(found.fee_player * unit)} on a"
            f" {dollars(unit)} Ante makes"
            f" {percent(found.player_edge, 2)} into {percent(found.player_edge_after_fee, 2)}",
        )
    yield (
        "An hour",
        (
            f"{cents(found.per_hour_cents, signed=True)} after fees,"
            f" at {found.rounds_per_hour} rounds an hour"
        ),
    )
    if found.fee_banker:
        yield "Break even", _break_even(found)
    yield (
        "A night",
        f"of {night.rounds} rounds ends behind with a chance of {percent(night.losing, 2)}; a"
        f" bankroll of {cents(night.bankroll * unit)} is lost with a chance of at most"
        f" {percent(night.risk, 0)} ({night.method})",
    )


def _break_even(found: BankBook) -> str:
    if found.break_even is None:
        return "never: the players have the better of it"
    needed = cents(found.break_even * found.unit_cents)
    return f"the fee is paid from {number(found.break_even, 2)} Antes a round on ({needed})"
