"""Fees and limits as they are on view, and those that are announced (CA-6)."""

import json
from functools import lru_cache
from typing import Literal, TypedDict, cast

import msgspec
from msgspec import Struct, field

from queenhigh.rulebook.book import AnyGame, Fees, Rulebook
from queenhigh.rulebook.fees import FeePer, Kind
from queenhigh.rulebook.load import from_document
from queenhigh.table.commands import Settings
from queenhigh.table.state import State

__all__ = [
    "PendingChange",
    "PostedAmounts",
    "PostedLimit",
    "PostedRate",
    "pending_change",
    "posted_rates",
    "read_document",
]


class PostedRate(TypedDict):
    """A collection rate: flat fees for wagers from ``min`` to ``max`` cents.

    ``on`` is the kind of wager that pays, where each rate names its own.
    """

    min: int
    max: int
    player: int
    banker: int
    clause: str
    on: Kind


class PostedLimit(TypedDict):
    """The least and the most cents of a wager."""

    min: int
    max: int


class PostedAmounts(Struct, frozen=True):
    """The fees of a table, what they are charged on and when, its limits, and the least bank."""

    fees: tuple[PostedRate, ...]
    charged: FeePer | None
    collect: Literal["before", "after"] | None
    limits: dict[str, PostedLimit]
    least_bank: int


class PendingChange(Struct, frozen=True):
    """Announced fees or limits: they hold for rounds that open at a time or later (CA-6)."""

    #: Sent as ``from``.
    starts: int = field(name="from")
    reason: str
    old: PostedAmounts
    new: PostedAmounts


def pending_change(state: State) -> PendingChange | None:
    """Return the announced fees and limits of a table beside those that hold."""
    announced = state.announced
    if announced is None:
        return None
    new = read_document(msgspec.json.encode(announced.rulebook).decode(), state.book.game)
    return PendingChange(
        announced.starts,
        announced.reason,
        _posted(state.book, state.settings),
        _posted(new, announced.settings),
    )


def _posted(book: Rulebook, settings: Settings) -> PostedAmounts:
    fees, wagers = book.fees, book.betting.wagers
    return PostedAmounts(
        posted_rates(fees),
        fees.fee_per if fees else None,
        fees.collect if fees else None,
        {name: PostedLimit(min=terms.min, max=terms.max) for name, terms in wagers.items()},
        settings.least_bank,
    )


def posted_rates(fees: Fees | None) -> tuple[PostedRate, ...]:
    """Return the collection rates as they are on view (CA-6)."""
    return tuple([cast(PostedRate, rate._asdict()) for rate in fees.rates]) if fees else ()


@lru_cache(maxsize=64)
def read_document(document: str, game: AnyGame) -> Rulebook:
    """Return the rulebook of a document, the last few from memory."""
    return from_document(json.loads(document), {game.name: game})
