"""What can be typed at the desk."""

from collections.abc import Iterator

from queenhigh.desk.check import least_bet
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import words

__all__ = ["HAPPENED", "amount", "help_lines", "wrong_lines"]

HAPPENED = {
    "misdeal": "a misdeal",
    "exposed_player": "a player's card was exposed",
    "exposed_dealer": "a down card of the dealer was exposed",
    "wrong_cards": "a hand has a wrong number of cards",
    "foul_deck": "a foul deck",
    "outside_limits": "a bet was outside its limits",
}
_SHORT = {"bonus": "b", "pair_plus": "pp"}
_UP = ("the dealer's cards", "the dealer's cards, the up card first",
       "the dealer's cards, the up cards first")  # fmt: skip


def help_lines(book: PokerRulebook) -> list[str]:
    """Return what can be typed, in the long and in the short form; all of it is of this game."""
    rows = [*_rows(book)]
    wide = max(22, *(len(long) for long, _, _ in rows)) + 1
    return [
        *(f"  {long:<{wide}}{brief:<13}{about}".rstrip() for long, brief, about in rows),
        "Amounts are dollars: 5, 5.50, 1,000. Cards are rank and suit, in either case.",
        "Entries come in any order. Without a seat, an entry is for what the prompt asks.",
    ]


def _rows(book: PokerRulebook) -> Iterator[tuple[str, str, str]]:
    """Yield what can be typed, its short form, and what it does."""
    number, parts = min(3, book.seats), ["1 cards", "dealer", "wrong"]
    if book.bank is not None:
        yield "bank 500", "b 500", "the bank"
        yield f"start {number}", f"s {number}", f"action starts at seat {number}"
        parts.insert(1, "bank")
    ante = amount(book, "ante")
    yield f"1 ante {ante}", f"1 {ante}", "a seat and its Ante"
    for index, bet in enumerate(book.side_bets):
        name, short, cents = words(bet.name).lower(), _SHORT[bet.name], amount(book, bet.name)
        if index:
            yield f"1 {name} {cents}", f"1 {short} {cents}", "with another side bet"
        else:
            about = f"with a side bet; alone: 1 {short} {cents}"
            yield f"1 ante {ante} {name} {cents}", f"1 {ante} {cents}", about
            parts.insert(1, f"1 {short}")
    yield "1 play QH TD 2C", "1 p qhtd2c", "it plays, with its cards"
    yield "1 fold", "1 f", "it folds"
    several = " ".join(str(seat) for seat in (2, 4, 5) if seat <= book.seats)
    if " " in several:
        yield f"fold {several}", f"f {several}", "several seats fold, or play"
    yield "dealer QS JH 3C", "d qsjh3c", _UP[book.up]
    yield "went wrong", "w", "what can go wrong at the table"
    yield "settle", "Enter", "the payouts, once the hand is whole"
    yield "what is missing", "Enter, m", "what is still to be entered"
    yield "hand", "", "what is entered"
    yield "remove 1", "r 1", f"or {', '.join(parts)}"
    yield "undo", "u", "takes back the last entry"
    yield "line", "l", "the hand as a line for queenhigh settle"
    yield "new", "n", "the next hand"
    yield "quit", "q", "leaves; so do Ctrl-D and Ctrl-C"


def amount(book: PokerRulebook, wager: str) -> str:
    """Return an example of a bet that is legal here, in dollars as they are typed."""
    terms, cents = book.betting.of(wager), 500 if wager == "ante" else 200
    is_legal = terms.find(cents) and cents % book.increment == 0 and book.betting.together is None
    typed = dollars(cents if is_legal else least_bet(book, wager))
    return typed.lstrip("$").removesuffix(".00")


def wrong_lines(book: PokerRulebook) -> list[str]:
    """Return what can go wrong at the table, and how to enter it."""
    number = min(3, book.seats)
    rows = [
        ("w misdeal", HAPPENED["misdeal"]),
        (f"w {number} exposed", f"a card of seat {number} was exposed"),
        ("w dealer", HAPPENED["exposed_dealer"]),
        (f"w {number} cards", f"the hand of seat {number} has a wrong number of cards"),
        ("w foul", HAPPENED["foul_deck"]),
        (f"w {number} ante", f"the Ante of seat {number} was outside its limits"),
    ]
    return ["Type what happened:", *(f"  {typed:<14}{about}" for typed, about in rows)]
