"""The rule sheet: what a patron may read before sitting down, made from the rulebook alone."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.text import Text

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays, dollars
from queenhigh.rulebook.book import Assumption, Fees, PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.sheets.layout import heading, plain_table, table
from queenhigh.sheets.words import value_text, words

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
    rows = [(book.name, book.version, book.title) for book in books]
    return table(("Rulebook", "Version", "What it is"), rows)


def _changes(book: Rulebook) -> Iterator[RenderableType]:
    yield heading("Changed for this table: this comes before what is said below")
    rows = [
        (f"{key} = {value_text(value)}", _by(book, key).strip())
        for key, value in book.changes.items()
    ]
    yield plain_table(rows)


def _by(book: Rulebook, key: str) -> str:
    ids = book.governing(key)
    return f" ({', '.join(ids)})" if ids else ""


# Three Card Poker


def _poker(book: PokerRulebook) -> Iterator[RenderableType]:
    yield heading("Wagers")
    yield table(
        ("Wager", "Least", "Most", "Clause"),
        [
            (words(name), dollars(limits.min), dollars(limits.max), limits.clause)
            for name, limits in book.limits.items()
        ],
        right=("Least", "Most"),
    )
    yield heading("Ante and Play")
    yield _settlement(book)
    for bet in book.side_bets:
        yield heading(f"{words(bet.name)} pays{_by(book, f'{bet.name}.pays')}")
        yield _pays(bet.pays)
    if book.ante_bonus:
        yield heading(f"The Ante also earns, whoever wins{_by(book, 'ante_bonus.pays')}")
        yield _pays(book.ante_bonus.pays)
    if book.fees:
        yield heading("Collection fees")
        yield from _fees(book.fees)


def _settlement(book: PokerRulebook) -> RenderableType:
    always = book.qualifier == "none"
    dealer = [f"below {book.qualifier}", "any hand" if always else f"{book.qualifier} or better"]
    does = ("loses", "comes back", "pays 1 to 1")
    rows = [
        (
            dealer[at // 3],
            ("lower", "equal", "higher")[at % 3],
            does[cell.ante + 1],
            does[cell.play + 1],
            cell.clause,
        )
        for at, cell in enumerate(book.cells)
    ]
    return table(("Dealer", "Your hand", "Ante", "Play", "Clause"), rows[3:] if always else rows)


def _pays(pays: tuple[Pays | None, ...]) -> RenderableType:
    rows = [
        (words(hand), str(ratio)) for hand, ratio in zip(HAND_CLASSES, pays, strict=True) if ratio
    ]
    return table(("Hand", "Pays"), reversed(rows), right=("Pays",))


def _fees(fees: Fees) -> Iterator[RenderableType]:
    once = fees.fee_per == "round"
    rows = [
        (
            f"{dollars(rate.min)} to {dollars(rate.max)}",
            dollars(rate.player),
            dollars(rate.banker),
            rate.clause,
        )
        for rate in fees.rates
    ]
    yield table(
        ("Ante" if once else "Wager", "Player", "Player/Dealer", "Clause"),
        rows,
        right=("Player", "Player/Dealer"),
    )
    player = "once a round, by the Ante" if once else "on each wager, by its size"
    yield Text(
        f"Flat amounts. A player pays {player}; the Player/Dealer pays once a round, by the largest"
        f" Ante. They are known before the round and collected {fees.collect} the start of play."
    )


# Roulette


def _roulette(book: RouletteRulebook) -> Iterator[RenderableType]:
    yield heading(f"Bets, each {dollars(book.limits.min)} to {dollars(book.limits.max)}")
    rows = {}
    for text, spot in book.spots.items():
        name = text if spot.bet in ("dozen", "column") else spot.bet
        rows[name, spot.clause] = (
            words(name), str(len(spot.pockets)), str(spot.pays), spot.clause,
        )  # fmt: skip
    yield table(("Bet", "Numbers", "Pays", "Clause"), rows.values(), right=("Numbers", "Pays"))
    zeros = book.pockets[: book.zeros]
    yield Text(f"The wheel has {len(book.pockets)} pockets: 1 to 36 and {' and '.join(zeros)}.")
    joined = [
        text
        for text, spot in book.spots.items()
        if spot.bet != "straight" and spot.pockets & set(zeros)
    ]
    if joined:
        yield Text(f"Beyond straight-up, these reach a zero: {', '.join(joined)}.")
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
    yield heading("The rules, clause by clause")
    yield plain_table((clause.id, clause.text) for clause in book.clauses)


def _assumptions(book: Rulebook) -> Iterator[RenderableType]:
    yield heading("What was left open, and how it is read here")
    yield plain_table((item.clause, _assumption(book, item)) for item in book.assumptions)


def _assumption(book: Rulebook, item: Assumption) -> Text:
    own = f"{item.key}."
    changed = [key for key in book.changes if key == item.key or key.startswith(own)]
    if changed:
        said = ", ".join(f"{key} = {value_text(book.changes[key])}" for key in changed)
        return Text(f"Changed for this table: {said}. The rulebook as written: {item.says}")
    text = Text(item.says)
    if item.key and not isinstance(item.value, dict | list):
        text.append(f"\n{item.key} = {value_text(item.value)}", style="italic")
        if item.others:
            text.append(f"; could be {', '.join(map(value_text, item.others))}", style="italic")
    return text
