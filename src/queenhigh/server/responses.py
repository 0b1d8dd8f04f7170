"""The types of HTTP responses; routes build or describe their responses with them.

A response that another process has encoded as JSON is described here and not decoded; a test
compares real responses of every route with these types. Rules and odds are in ``price_answers``,
the view of a table in ``queenhigh.table.view``.
"""

from typing import Any, Literal

from fastapi.responses import Response
from msgspec import Struct, field
from msgspec.json import encode

from queenhigh.game import Move
from queenhigh.rulebook.fees import FeePer
from queenhigh.server.price_answers import FeeSchedule
from queenhigh.table.commands import Pace
from queenhigh.table.posted import PendingChange, PostedRate
from queenhigh.table.state import Phase

__all__ = [
    "AbandonedTable",
    "ChangedRules",
    "Collected",
    "DamagedTable",
    "DisabledTable",
    "FrozenAccount",
    "Health",
    "Holds",
    "KeptRules",
    "LastNumber",
    "Limit",
    "LogEntry",
    "Me",
    "NotWell",
    "OfferMade",
    "OpenedTable",
    "PostedNotice",
    "Ready",
    "Result",
    "RoomHead",
    "RoomNotice",
    "RoomView",
    "SeatChips",
    "TableLine",
    "TablePhase",
    "VoidRow",
    "VoidedRound",
    "json_response",
]

# Players

#: What keeps a frozen player at a table: a hand to decide, other bets, the bank, a bet in prison.
Holds = Literal["hand", "bets", "bank", "prison"]


class SeatChips(Struct, frozen=True, omit_defaults=True):
    """A place where a player sits, and the chips there.

    ``holds`` tells the floor what keeps a frozen player there until it is decided.
    """

    table: str
    place: int
    cents: int
    holds: Holds | None = None


class Me(Struct, frozen=True):
    """A player, what is in their wallet, and where they sit."""

    player: str
    guest: bool
    frozen: bool
    wallet: int
    seats: list[SeatChips]


class OpenedTable(Struct, frozen=True):
    """The name of a table that was opened."""

    table: str


# The room


class RoomNotice(Struct, frozen=True):
    """A notice; ``table`` is where it is to be read, or the whole room."""

    n: int
    at: int
    table: str | None
    text: str


class Limit(Struct, frozen=True):
    """The least and the most of a wager in cents."""

    min: int
    max: int


class TableLine(Struct, frozen=True, kw_only=True):
    """A table as the lobby lists it."""

    table: str
    title: str
    rules: str
    game: str
    rulebook: str
    digest: str
    #: The digest of what the rules mean, in how many points they differ from the shipped rulebook
    #: that they are most like, if there is one, and whether the rulebook is a custom one.
    rules_digest: str
    differences: int | None
    is_custom: bool
    limits: dict[str, Limit]
    fees: list[PostedRate]
    schedule: FeeSchedule | None
    places: int
    players: int
    bots: int
    banker: str | None
    last_banker: str | None
    least_bank: int | None
    phase: Phase
    waits_for: Literal["banker", "players"] | None
    round: int
    pace: Pace
    silence: Move
    owner: str | None
    disabled: bool
    closing: str | None
    watching: int
    #: Whether fees are charged on a round or on each wager, and before or after the start of play.
    charged: FeePer | None
    collect: Literal["before", "after"] | None
    pending: PendingChange | None


class RoomHead(Struct, frozen=True):
    """How many events the room's log has, the hash over all of them, and its signature."""

    events: int
    hash: str
    signature: str


class DamagedTable(Struct, frozen=True):
    """A table that cannot go on, and why."""

    table: str
    reason: str


class RoomView(Struct, frozen=True):
    """The player who asks, the room's time, its notices and its tables.

    ``key`` is the public half of the key that signs the room's log, in hexadecimal; ``head`` is
    what it signed last; ``epoch`` is a number that every restore from a backup raises.
    """

    player: str | None
    version: str
    now: int
    key: str
    epoch: int
    head: RoomHead | None
    notices: list[RoomNotice]
    tables: list[TableLine]
    damaged: list[DamagedTable]


class LastNumber(Struct, frozen=True):
    """Where the ball lay in a spin."""

    round: int
    pocket: str


# The floor


class TablePhase(Struct, frozen=True):
    """The phase of a table that is to close."""

    phase: Phase


class AbandonedTable(Struct, frozen=True):
    """A damaged table that is closed: cents by player, and players whose wallets are damaged too.

    While there are such players the table stays listed, and can be abandoned again for them.
    """

    table: str
    returned: dict[str, int]
    unpaid: list[str]


class VoidedRound(Struct, frozen=True):
    """The number of a round that is void."""

    round: int


class DisabledTable(Struct, frozen=True):
    """Whether no round may begin."""

    disabled: bool


class ChangedRules(Struct, frozen=True):
    """The digest of the rulebook that a table is to have, and from when on.

    An announced change holds for rounds that open at that time or later; a change that needs no
    notice has no time and holds from the next round on.
    """

    digest: str
    #: Sent as ``from``.
    starts: int | None = field(name="from")


class KeptRules(Struct, frozen=True):
    """The digest of the rulebook that a table keeps, since a change was withdrawn."""

    digest: str


class PostedNotice(Struct, frozen=True):
    """The number of a notice that was posted."""

    n: int


class FrozenAccount(Struct, frozen=True):
    """Whether an account is frozen."""

    player: str
    frozen: bool


class LogEntry(Struct, frozen=True):
    """Something the floor did; ``before`` and ``after`` are what it changed."""

    n: int
    at: int
    who: str
    action: str
    subject: str
    before: Any
    after: Any
    reason: str


class Collected(Struct, frozen=True):
    """The fees of a table in an hour."""

    table: str
    hour: str
    cents: int
    rounds: int


class OfferMade(Struct, frozen=True):
    """An offer of the bank, and what became of it."""

    n: int
    at: int
    table: str
    round: int
    place: int | None
    player: str | None
    what: str
    cents: int | None


class VoidRow(Struct, frozen=True):
    """A void round, and what was returned."""

    n: int
    at: int
    table: str
    round: int
    reason: str
    by: str
    cents: int


class Result(Struct, frozen=True):
    """What the bank of a table gained by a rulebook, and should have by the odds."""

    table: str
    digest: str
    rulebook: str
    banker: Literal["player", "house"]
    rounds: int
    wagered: dict[str, int]
    net: int
    counted: float
    theoretical: float
    sd: float
    z: float | None


class Health(Struct, frozen=True):
    """The process is alive and its store can be written; the last commit was so long ago."""

    ok: Literal[True]
    tables: int
    commit_age_ms: int


class Ready(Struct, frozen=True):
    """The room takes players."""

    ok: Literal[True]


class NotWell(Struct, frozen=True):
    """The room is not open, and why."""

    ok: Literal[False]
    why: str


# Encoding


def json_response(value: object, status: int = 200) -> Response:
    """Return a response of a value as JSON."""
    return Response(encode(value), status, media_type="application/json")
