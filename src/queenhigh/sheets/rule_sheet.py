"""The rule sheet: what a patron may read before sitting down, made from the rulebook alone."""

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays, dollars
from queenhigh.rulebook.book import Fees, PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.sheets.words import words

__all__ = ["rule_list", "rule_sheet"]


def rule_sheet(book: Rulebook) -> RenderableType:
    """Return the whole sheet, ready to print."""
    parts: list[RenderableType] = [
        Text(book.title, style="bold"),
        Text(f"{book.source}. Play money only."),
        Text(f"Rulebook {book.name}, version {book.version}, {book.digest}", style="dim"),
    ]
    if book.changes:
        parts += _changes(book)
    if isinstance(book, PokerRulebook):
        parts += _poker(book)
    elif isinstance(book, RouletteRulebook):
        parts += _roulette(book)
    parts += [*_clauses(book), *_assumptions(book)]
    return Group(*parts)


def rule_list(books: list[Rulebook]) -> RenderableType:
    """Return a table of rulebooks, a line each."""
    table = _table("Rulebook", "Version", "What it is")
    for book in books:
        table.add_row(book.name, book.version, book.title)
    return table


def _changes(book: Rulebook) -> Iterator[RenderableType]:
    yield _heading("Changed for this table: this comes before what the clauses below say")
    table = _plain_table()
    for key, value in book.changes.items():
        table.add_row(f"{key} = {_value(value)}", _by(book, key).strip())
    yield table


def _by(book: Rulebook, key: str) -> str:
    ids = book.governing(key)
    return f" ({', '.join(ids)})" if ids else ""


def _plain_table() -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column()
    return table


def _heading(text: str) -> RenderableType:
    return Padding(Text(text, style="bold"), (1, 0, 0, 0))


def _table(*columns: str, right: tuple[str, ...] = ()) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


# Three Card Poker


def _poker(book: PokerRulebook) -> Iterator[RenderableType]:
    yield _heading("Wagers")
    wagers = _table("Wager", "Least", "Most", "Clause", right=("Least", "Most"))
    for name, limits in book.limits.items():
        wagers.add_row(words(name), dollars(limits.min), dollars(limits.max), limits.clause)
    yield wagers
    yield _heading("Ante and Play")
    yield _settlement(book)
    for bet in book.side_bets:
        yield _heading(f"{words(bet.name)} pays{_by(book, f'{bet.name}.pays')}")
        yield _pays(bet.pays)
    if book.ante_bonus:
        yield _heading(f"The Ante also earns, whoever wins{_by(book, 'ante_bonus.pays')}")
        yield _pays(book.ante_bonus.pays)
    if book.fees:
        yield _heading("Collection fees")
        yield from _fees(book.fees)


def _settlement(book: PokerRulebook) -> Table:
    table = _table("Dealer", "Your hand", "Ante", "Play", "Clause")
    dealer = "any hand" if book.qualifier == "none" else f"{book.qualifier} or better"
    for at, cell in enumerate(book.cells):
        table.add_row(
            f"below {book.qualifier}" if at < 3 else dealer,
            ("lower", "equal", "higher")[at % 3],
            ("loses", "comes back", "pays 1 to 1")[cell.ante + 1],
            ("loses", "comes back", "pays 1 to 1")[cell.play + 1],
            cell.clause,
        )
    return table


def _pays(pays: tuple[Pays | None, ...]) -> Table:
    table = _table("Hand", "Pays", right=("Pays",))
    for hand, ratio in reversed(list(zip(HAND_CLASSES, pays, strict=True))):
        if ratio:
            table.add_row(words(hand), str(ratio))
    return table


def _fees(fees: Fees) -> Iterator[RenderableType]:
    what = "Ante" if fees.fee_per == "round" else "Wager"
    table = _table(what, "Player", "Player/Dealer", "Clause", right=("Player", "Player/Dealer"))
    for rate in fees.rates:
        table.add_row(
            f"{dollars(rate.min)} to {dollars(rate.max)}",
            dollars(rate.player),
            dollars(rate.banker),
            rate.clause,
        )
    yield table
    each = "once a round, by the Ante" if fees.fee_per == "round" else "on every wager"
    yield Text(
        f"Flat amounts, charged {each}, known before the round and collected {fees.collect}"
        " the start of play."
    )


# Roulette


def _roulette(book: RouletteRulebook) -> Iterator[RenderableType]:
    yield _heading(f"Bets, each {dollars(book.limits.min)} to {dollars(book.limits.max)}")
    table = _table("Bet", "Numbers", "Pays", "Clause", right=("Numbers", "Pays"))
    rows = {}
    for text, spot in book.spots.items():
        name = text if len(text.split()) == 2 and spot.bet in ("dozen", "column") else spot.bet
        rows[name, spot.clause] = (name, str(len(spot.pockets)), str(spot.pays), spot.clause)
    for row in rows.values():
        table.add_row(words(row[0]), *row[1:])
    yield table
    zeros = " and ".join(book.pockets[: book.zeros])
    yield Text(f"The wheel has {len(book.pockets)} pockets: 1 to 36 and {zeros}.")
    if book.zero:
        yield Text(f"On a zero an even-money bet {_ON_ZERO[book.zero.on_zero]}.")
    if book.zero and book.zero.on_zero == "en_prison":
        yield Text(f"A second zero {_SECOND_ZERO[book.zero.second_zero]}.")


_ON_ZERO = {
    "lose": "loses",
    "la_partage": "loses half: la partage",
    "en_prison": "is held for the next spin: en prison",
}
_SECOND_ZERO = {"lose": "takes it", "half": "takes half of it", "stay": "holds it again"}


# Clauses and assumptions


def _clauses(book: Rulebook) -> Iterator[RenderableType]:
    yield _heading("The rules, clause by clause")
    table = _plain_table()
    for clause in book.clauses:
        table.add_row(clause.id, clause.text)
    yield Padding(table, (1, 0, 0, 0))


def _assumptions(book: Rulebook) -> Iterator[RenderableType]:
    yield _heading("What the document leaves open, and how it is read here")
    table = _plain_table()
    for item in book.assumptions:
        text = Text(item.says)
        if item.key and not isinstance(item.value, (dict, list)):
            text.append(f"\n{item.key} = {_value(item.value)}", style="italic")
            if item.others:
                text.append(f"; could be {', '.join(map(_value, item.others))}", style="italic")
        table.add_row(item.clause, text)
    yield Padding(table, (1, 0, 0, 0))


def _value(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
