"""A desk: text in, a desk and a reply out. It reads and writes nothing else."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from queenhigh.desk import requests
from queenhigh.desk.changing import AlreadyEntered, changed
from queenhigh.desk.check import Checked, check
from queenhigh.desk.entry import Entry, Wrong, entry_of
from queenhigh.desk.reading import read_entry
from queenhigh.errors import InvalidRound, Missing, QueenhighError
from queenhigh.games.three_card_poker.irregular import rule
from queenhigh.games.three_card_poker.lines import PokerLine
from queenhigh.games.three_card_poker.values import SettledRound
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.settle_format import parse_line, settle_checked

__all__ = ["LONGEST_ENTRY", "Desk", "Offer", "Reply", "next_lack", "open_desk", "type_entry"]

#: How many characters an entry has at most: far more than any hand as a line.
LONGEST_ENTRY = 10_000
#: How many changes can be undone.
_MOST_UNDONE = 100
#: The order in which a seat's parts are entered.
_PARTS = ("bets", "move", "cards")

#: Refusals whose advice is about a line, as a desk words them.
_WORDED = {"bank.needless": "the house banks: there is no bank to enter, and no start of action"}

ReplyKind = Literal[
    "entered", "undone", "cleared", "refused", "missing", "hand", "settled", "line", "help",
    "wrong", "quit",
]  # fmt: skip


class Offer(Struct, frozen=True):
    """A hand that ``yes`` makes of a refused entry.

    ``wrong`` is what went wrong at the table then, by its ``clause``; without it the entry takes
    the place of what is there.
    """

    entry: Entry
    wrong: Wrong | None = None
    clause: str | None = None


class Desk(Struct, frozen=True):
    """A desk at which a hand is entered."""

    book: PokerRulebook
    checked: Checked
    entry: Entry = Entry()
    past: tuple[Entry, ...] = ()
    offer: Offer | None = None
    is_settled: bool = False

    @property
    def missing(self) -> tuple[Missing, ...]:
        """What the hand still lacks."""
        return self.checked.missing


class Reply(Struct, frozen=True):
    """The answer to an entry; ``code`` and ``message`` only of a refusal."""

    kind: ReplyKind
    code: str | None = None
    message: str | None = None
    settled: SettledRound | None = None


def open_desk(book: PokerRulebook) -> Desk:
    """Return a desk without an entry."""
    return Desk(book, check(book, Entry()))


def next_lack(desk: Desk) -> Missing | None:
    """Return what is most likely to be entered next; ``None`` for a whole hand.

    That is the bank, then seats in order of action, then the dealer's cards.
    """
    first = desk.entry.first or 1

    def place(lack: Missing) -> tuple[int, int, int]:
        if lack.field == "bank":
            return 0, 0, 0
        if lack.seat is None:
            return (1 if lack.field == "seats" else 3), 0, 0
        return 2, (lack.seat - first) % desk.book.seats, _PARTS.index(lack.field)

    return min(desk.missing, key=place, default=None)


def type_entry(desk: Desk, text: str) -> tuple[Desk, Reply]:
    """Return the desk after an entry, and the answer; a refused entry changes nothing."""
    if not text.strip():
        text = "missing" if desk.missing else "settle"
    try:
        if len(text) > LONGEST_ENTRY:
            sentence = f"this line is too long: an entry has at most {LONGEST_ENTRY:,} characters"
            raise InvalidRound("entry.long", sentence)
        request = read_entry(text)
        if isinstance(request, requests.Command):
            return _command(desk, request.name)
        return _enter(desk, request)
    except QueenhighError as error:
        return _refused(replace(desk, offer=None), error)


def _refused(desk: Desk, error: QueenhighError) -> tuple[Desk, Reply]:
    return desk, Reply("refused", error.code, _WORDED.get(error.code, str(error)))


def _command(desk: Desk, name: requests.CommandName) -> tuple[Desk, Reply]:
    if name == "yes":
        if not desk.offer:
            raise InvalidRound("entry.yes", "there is nothing to confirm: type an entry")
        return _taken(desk, desk.offer.entry)
    desk = replace(desk, offer=None)
    if name == "undo":
        if not desk.past:
            raise InvalidRound("entry.undo", "there is nothing to undo")
        *past, before = desk.past
        return _at(replace(desk, past=tuple(past)), before), Reply("undone")
    if name == "new":
        return replace(_taken(desk, Entry())[0], is_settled=False), Reply("cleared")
    if name == "settle":
        return _settle(desk)
    kinds: dict[requests.CommandName, ReplyKind] = {
        "no": "hand", "help": "help", "missing": "missing", "hand": "hand", "line": "line",
        "wrong": "wrong", "quit": "quit",
    }  # fmt: skip
    return desk, Reply(kinds[name])


def _settle(desk: Desk) -> tuple[Desk, Reply]:
    if desk.missing:
        return desk, Reply("missing")
    settled = settle_checked(desk.book, desk.checked.round)
    assert isinstance(settled, SettledRound)
    return replace(desk, is_settled=True), Reply("settled", settled=settled)


def _enter(desk: Desk, request: requests.Request) -> tuple[Desk, Reply]:
    """Take an entry if the hand is possible with it; otherwise offer what would make it so."""
    if isinstance(request, requests.Line):
        line = parse_line(desk.book, request.text.encode())
        assert isinstance(line, PokerLine)
        return _taken(desk, entry_of(line))
    try:
        after = changed(desk.book, desk.entry, request, next_lack(desk))
    except AlreadyEntered as error:
        if error.instead is None:
            raise
        check(desk.book, error.instead)
        return _refused(replace(desk, offer=Offer(error.instead)), error)
    try:
        return _taken(desk, after)
    except QueenhighError as error:
        offers = _remedies(desk.book, after, request, error.code)
        offer = next((each for each in offers if _is_possible(desk.book, each.entry)), None)
        return _refused(replace(desk, offer=offer), error)


def _taken(desk: Desk, entry: Entry) -> tuple[Desk, Reply]:
    if entry == desk.entry:
        return replace(desk, offer=None), Reply("entered")
    past = (*desk.past, desk.entry)[-_MOST_UNDONE:]
    return _at(replace(desk, past=past), entry), Reply("entered")


def _at(desk: Desk, entry: Entry) -> Desk:
    checked = check(desk.book, entry)
    return replace(desk, entry=entry, checked=checked, offer=None, is_settled=False)


def _is_possible(book: PokerRulebook, entry: Entry) -> bool:
    try:
        check(book, entry)
    except QueenhighError:
        return False
    return True


def _remedies(
    book: PokerRulebook, entry: Entry, request: requests.Request, code: str
) -> list[Offer]:
    """Return what may have gone wrong at the table, so that an impossible entry is true."""
    offers = []
    for causes in _causes(entry, request, code):
        clause = rule(book.irregularities, causes[0].kind, causes[0].seat, causes[0].wager).clause
        with_causes = replace(entry, wrong=(*entry.wrong, *causes))
        offers.append(Offer(with_causes, causes[0], clause))
    return offers


def _causes(entry: Entry, request: requests.Request, code: str) -> Iterator[tuple[Wrong, ...]]:
    """Yield what may have gone wrong, alone or together."""
    if code == "cards.twice":
        yield (Wrong("foul_deck"),)
    elif code == "cards.count" and len(entry.dealer) > 3:
        yield (Wrong("misdeal"),)
    elif code == "cards.count":
        for seat in entry.seats:
            if len(seat.cards) > 3:
                yield (Wrong("wrong_cards", seat.seat),)
    elif code.startswith("wager.") and isinstance(request, requests.Seat | requests.Amount):
        for seat in entry.seats:
            bets = [Wrong("outside_limits", seat.seat, spot) for spot in seat.stakes]
            yield from [(bet,) for bet in bets]
            if bets:
                yield tuple(bets)
