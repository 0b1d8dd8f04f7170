"""What can be typed at the desk."""

from queenhigh.rulebook.book import PokerRulebook

__all__ = ["HAPPENED", "help_lines", "wrong_lines"]

HAPPENED = {
    "misdeal": "a misdeal",
    "exposed_player": "a player's card was exposed",
    "exposed_dealer": "a down card of the dealer was exposed",
    "wrong_cards": "a hand has a wrong number of cards",
    "foul_deck": "a foul deck",
    "outside_limits": "a bet was outside its limits",
}


def help_lines(book: PokerRulebook) -> list[str]:
    """Return what can be typed, in the long and in the short form."""
    side = "bonus" if "bonus" in book.limits else "pair plus"
    short = "b" if side == "bonus" else "pp"
    ante = 5 if book.limits["ante"].max >= 500 else 2
    rows = []
    if book.bank is not None:
        rows += [("bank 500", "b 500", "the bank"), ("start 3", "s 3", "action starts at seat 3")]
    rows += [
        (f"1 ante {ante}", f"1 {ante}", "a seat and its Ante"),
        (f"1 ante {ante} {side} 2", f"1 {ante} 2", f"with a side bet; alone: 1 {short} 2"),
        ("1 play QH TD 2C", "1 p qhtd2c", "it plays, with its cards"),
        ("1 fold", "1 f", "it folds"),
        ("fold 2 4 5", "f 2 4 5", "several seats fold, or play"),
        ("dealer QS JH 3C", "d qsjh3c", "the dealer's cards, the up card first"),
        ("went wrong", "w", "what can go wrong at the table"),
        ("settle", "Enter", "the payouts, once the hand is whole"),
        ("what is missing", "Enter, m", "what is still to be entered"),
        ("hand", "", "what is entered"),
        ("remove 1", "r 1", f"or 1 cards, 1 {short}, dealer, wrong"),
        ("undo", "u", "takes back the last entry"),
        ("line", "l", "the hand as a line for queenhigh settle"),
        ("new", "n", "the next hand"),
        ("quit", "q", "leaves; so do Ctrl-D and Ctrl-C"),
    ]
    lines = [f"  {long:<23}{brief:<13}{about}".rstrip() for long, brief, about in rows]
    return [
        *lines,
        "Amounts are dollars: 5, 5.50, 1,000. Cards are rank and suit, in either case.",
        "Entries come in any order. Without a seat, an entry is for what the prompt asks.",
    ]


def wrong_lines() -> list[str]:
    """Return what can go wrong at the table, and how to enter it."""
    rows = [
        ("w misdeal", HAPPENED["misdeal"]),
        ("w 3 exposed", "a card of seat 3 was exposed"),
        ("w dealer", HAPPENED["exposed_dealer"]),
        ("w 3 cards", "the hand of seat 3 has a wrong number of cards"),
        ("w foul", HAPPENED["foul_deck"]),
        ("w 3 ante", "the Ante of seat 3 was outside its limits"),
    ]
    return ["Type what happened:", *(f"  {typed:<14}{about}" for typed, about in rows)]
