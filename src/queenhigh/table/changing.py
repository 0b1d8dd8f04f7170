"""Changing a table: another rulebook of its game or other settings, with notice where it is due."""

from typing import Any

from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.rulebook.load import from_document
from queenhigh.table import events
from queenhigh.table.commands import AnnounceChange, ChangeTable, Settings, WithdrawChange
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.fairness import document_digest
from queenhigh.table.ledger import MOST_PLACES
from queenhigh.table.notice import amounts, needs_notice, notice_ms

__all__ = [
    "announce",
    "apply_announced",
    "change",
    "check_settings",
    "check_staff",
    "check_text",
    "read_rulebook",
    "withdraw",
]

_LONGEST_TEXT, _LONGEST_NAME = 200, 64


def change(draft: Draft, command: ChangeTable) -> None:
    """Change a table between rounds; refuse a change that must be announced."""
    state = draft.state
    if state.closing is not None:
        refuse("table.closing", f"this table closes: {state.closing}")
    if state.phase != "between":
        refuse("change.round", "a table changes only between rounds: wait until the round is over")
    if state.prison:
        refuse("change.round", "bets are in prison: wait until a round frees them")
    digest = _check_change(draft, command)
    if state.announced is not None:
        refuse("change.announced", "another change is already announced: withdraw it first")
    if needs_notice(state, command.rulebook, command.settings):
        refuse("change.notice", "fees and limits need notice: announce the change (CA-6)")
    draft.emit(
        events.TableChanged,
        rulebook=dict(command.rulebook),
        digest=digest,
        settings=command.settings,
        reason=command.reason,
    )


def announce(draft: Draft, command: AnnounceChange) -> None:
    """Announce other fees or limits; a second notice replaces the first (CA-6)."""
    state, notice = draft.state, notice_ms(draft.state)
    if state.closing is not None:
        refuse("table.closing", f"this table closes: {state.closing}")
    digest = _check_change(draft, command)
    if notice is None or not needs_notice(state, command.rulebook, command.settings):
        refuse("change.no_notice", "this needs no notice: change the table between rounds")
    draft.emit(
        events.ChangeAnnounced,
        starts=draft.at + notice,
        old=amounts(state.document, state.settings),
        new=amounts(command.rulebook, command.settings),
        rulebook=dict(command.rulebook),
        digest=digest,
        settings=command.settings,
        reason=command.reason,
    )


def withdraw(draft: Draft, command: WithdrawChange) -> None:
    """Withdraw the announced change."""
    if draft.state.announced is None:
        refuse("change.none", "no change is announced: there is nothing to withdraw")
    check_text(command.reason)
    draft.emit(events.ChangeWithdrawn, reason=command.reason)


def apply_announced(draft: Draft) -> None:
    """Change the table as announced; an offer of the bank lapses."""
    announced = draft.state.announced
    if announced is None:
        return
    draft.emit(
        events.TableChanged,
        rulebook=announced.rulebook,
        digest=announced.digest,
        settings=announced.settings,
        reason=announced.reason,
    )


def _check_change(draft: Draft, command: ChangeTable | AnnounceChange) -> str:
    """Refuse rules that an open table cannot get; return the digest of their document."""
    state, settings = draft.state, command.settings
    check_text(command.reason)
    book = read_rulebook(command.rulebook, draft.games)
    if _fixed_while_open(book, settings) != _fixed_while_open(state.book, state.settings):
        sentence = "the game, places and banker of a table cannot change: open another table"
        refuse("change.game", sentence)
    check_settings(book, settings)
    digest = document_digest(command.rulebook)
    if (digest, settings) == (state.digest, state.settings):
        refuse("change.nothing", "the table already has this rulebook and these settings")
    return digest


def _fixed_while_open(book: Rulebook, settings: Settings) -> tuple[object, ...]:
    """Return the properties of a table that cannot change while it is open."""
    places = book.game.places(book)
    is_banked = book.bank is not None
    return book.game.name, is_banked, places, settings.places, settings.table_chips


def read_rulebook(document: dict[str, Any], games: Games) -> Rulebook:
    """Read a rulebook's document; the loader raises if it is wrong."""
    try:
        return from_document(document, games)
    except RecursionError:
        refuse("rulebook.invalid", "this is nested too deep: give the document of a rulebook")


def check_settings(book: Rulebook, settings: Settings) -> None:
    """Refuse settings that a table of this rulebook cannot have."""
    places = book.game.places(book)
    if not places.least <= settings.places <= min(places.most, MOST_PLACES):
        if places.least == places.most:
            refuse("settings.places", f"a table of {book.name} has {places.most} places")
        refuse("settings.places", f"a table has {places.least} to {places.most} places")
    if settings.table_chips is False:
        refuse("settings.range", "omit table_chips unless it is true")
    pace = settings.pace
    if min(pace.pause, pace.offer, pace.bets, pace.moves) < 0 or settings.least_bank < 1:
        refuse("settings.range", "times cannot be negative, and a bank is at least one cent")


def check_text(text: str) -> None:
    """Refuse a reason that is not a line of text."""
    if len(text) > _LONGEST_TEXT or not text.isprintable():
        refuse("text.length", f"a reason is one line of at most {_LONGEST_TEXT} characters")


def check_staff(name: str) -> None:
    """Refuse an act without the name of a person of the staff."""
    if not 1 <= len(name) <= _LONGEST_NAME or not name.isprintable():
        refuse("staff.name", "this needs a person of the staff: log in by name")
