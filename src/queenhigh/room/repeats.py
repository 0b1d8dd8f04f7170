"""A command that comes again must be the same one: an id stands for one content."""

from msgspec.structs import replace

from queenhigh.errors import IllegalRound, Refused
from queenhigh.game import Bet
from queenhigh.rulebook.book import Rulebook
from queenhigh.table.commands import (
    AnnounceChange,
    ApproveCorrection,
    AskCorrection,
    ChangeTable,
    Command,
    OpenTable,
    PlaceWagers,
)
from queenhigh.table.fairness import document_digest

__all__ = ["check_same", "is_same"]


def check_same(command: Command, followed: Command | None, book: Rulebook) -> None:
    """Refuse a command whose id stands for another one."""
    if followed is not None and not is_same(command, followed, book):
        sentence = "you already used this id for another command: use a new id"
        raise Refused("id.differs", sentence)


def is_same(command: Command, followed: Command, book: Rulebook) -> bool:
    """Return whether two commands of one sender and id ask for the same, whenever they came."""
    if isinstance(command, OpenTable):  # the room looks itself whether an open table will do
        return True
    return _content(command, book) == _content(followed, book)


def _content(command: Command, book: Rulebook) -> Command:
    """Return a command without its time, and as its event has it."""
    if isinstance(command, PlaceWagers):
        wagers = tuple([_as_written(book, bet) for bet in command.wagers])
        return replace(command, at=0, wagers=wagers)
    if isinstance(command, ChangeTable | AnnounceChange):
        digest = document_digest(command.rulebook)
        return replace(command, at=0, rulebook={"digest": digest})
    if isinstance(command, AskCorrection):
        corrected = {
            place: tuple([_as_written(book, bet) for bet in bets])
            for place, bets in command.facts.wagers.items()
        }
        return replace(command, at=0, past=None, facts=replace(command.facts, wagers=corrected))
    if isinstance(command, ApproveCorrection):
        return replace(command, at=0, past=None, names={}, wallets={})
    return replace(command, at=0)


def _as_written(book: Rulebook, bet: Bet) -> Bet:
    try:
        (spelt,) = book.game.spell(book, (bet,))
        return replace(bet, spot=spelt.spot)
    except IllegalRound:
        return bet
