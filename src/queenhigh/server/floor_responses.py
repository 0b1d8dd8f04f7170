"""The types of what the floor's routes answer, for the floor's page and for programs."""

from msgspec import UNSET, Struct, UnsetType, field

from queenhigh.game import Move
from queenhigh.history.correction_lines import Correction
from queenhigh.server.responses import OfferMade, SeatChips
from queenhigh.table.correction_events import MovedChips, MovedDifference
from queenhigh.table.incident_events import IncidentKind, RuledAs
from queenhigh.table.incidents import PossibleIncident
from queenhigh.table.state import Phase

__all__ = [
    "AskedForCorrection",
    "BankTurn",
    "CorrectionPreview",
    "FloorPlayer",
    "FloorRound",
    "FloorSession",
    "FloorTable",
    "FloorWager",
    "Glance",
    "IncidentLine",
    "IncidentPreview",
    "IncidentRow",
    "Incidents",
    "NewToken",
    "PlacePlayed",
    "Rotation",
    "RoundLine",
    "RuledIncident",
    "Signature",
    "StaffLine",
    "StaffLogLine",
    "StaffSession",
    "Staffer",
    "TokenLine",
    "TwoFactorKey",
]

# Who is on the floor


class Staffer(Struct, frozen=True):
    """A member of the staff who is logged in, and what they may do."""

    name: str
    role: str
    two_factor: bool
    permissions: list[str]


class FloorSession(Struct, frozen=True):
    """Who is logged in to the floor, if anybody; without an owner the first one can be made."""

    has_owner: bool
    member: Staffer | None


class TwoFactorKey(Struct, frozen=True):
    """The key for an authenticator, as text and as a link; a first code must confirm it."""

    secret: str
    uri: str


class StaffSession(Struct, frozen=True):
    """A session of a member of the staff."""

    id: str
    member: str
    address: str
    started: int
    seen: int
    until: int
    current: bool


class StaffLine(Struct, frozen=True):
    """A member of the staff, present or former."""

    name: str
    role: str
    two_factor: bool
    removed: bool
    since: int


class TokenLine(Struct, frozen=True):
    """A program's token; the empty name is the room's first token."""

    name: str
    role: str
    revoked: bool
    since: int


class NewToken(Struct, frozen=True):
    """A token that was granted, shown this once."""

    name: str
    token: str


class StaffLogLine(Struct, frozen=True):
    """A change of the staff, in words."""

    n: int
    at: int
    by: str
    type: str
    text: str


# The room at a glance


class FloorTable(Struct, frozen=True):
    """A table as the floor lists it; ``alarms`` are codes of what needs a look."""

    table: str
    title: str
    game: str
    phase: Phase
    round: int
    #: The player who banks this round.
    banker: str | None
    house_banks: bool
    people: int
    bots: int
    away: int
    watching: int
    #: Rounds that were over in the last hour, by the index.
    rounds_an_hour: int
    #: Chips at the table: stacks and what the round holds.
    chips: int
    disabled: bool
    closing: str | None
    #: When an announced change holds from.
    change_from: int | None
    corrections_waiting: int
    alarms: list[str]


class Glance(Struct, frozen=True):
    """The room at a glance; ``alarms`` are codes of what concerns all of it."""

    now: int
    tables: list[FloorTable]
    people: int
    bots: int
    alarms: list[str]


class FloorPlayer(Struct, frozen=True):
    """A player as the floor lists one."""

    player: str
    guest: bool
    frozen: bool
    #: 0 if the wallet is damaged.
    wallet: int
    seats: list[SeatChips]


# Rounds


class RoundLine(Struct, frozen=True):
    """A round that is over, as a search lists it."""

    n: int
    at: int
    table: str
    round: int
    ended: str
    banker: str | None
    players: list[str]
    wagered: int
    #: The bank's gain, and the fees of all, as settled at first.
    net: int
    fees: int
    incidents: int
    corrections: int


class FloorWager(Struct, frozen=True):
    """A wager on a spot."""

    spot: str
    cents: int


class PlacePlayed(Struct, frozen=True):
    """What a place did in a round, and what came of it."""

    place: int
    player: str
    wagers: list[FloorWager]
    move: Move | None
    cards: str
    net: int
    fee: int
    #: Whether the hand was void by a ruling.
    voided: bool


class IncidentLine(Struct, frozen=True):
    """A ruling of the floor."""

    table: str
    round: int
    at: int
    kind: IncidentKind
    place: int | None
    player: str | None
    clause: str
    ruling: RuledAs
    staff: str
    reason: str
    #: Chips that came back by it, fees included.
    returned: int


class FloorRound(Struct, frozen=True):
    """A round that is over, for the floor: its facts, its steps in words, what was corrected."""

    table: str
    round: int
    at: int
    title: str
    ended: str
    reason: str | None
    banker: str | None
    net: int
    dealer: str
    pocket: str | None
    places: list[PlacePlayed]
    steps: list[str]
    incidents: list[IncidentLine]
    corrections: list[Correction]
    #: Why the round cannot be corrected; ``None``: it can.
    fixed: str | None


class BankTurn(Struct, frozen=True):
    """Rounds in a row that one player banked."""

    player: str
    place: int
    first_round: int
    last_round: int
    rounds: int
    since: int
    until: int
    #: The bank's gain over all wagers, and the fees the banker paid.
    net: int
    fees: int


class Rotation(Struct, frozen=True):
    """Who was offered the bank of a table and what they said, and who banked; newest first."""

    offers: list[OfferMade]
    turns: list[BankTurn]


# Rulings and corrections


class IncidentRow(Struct, frozen=True):
    """What a ruling means for a place."""

    place: int
    player: str
    #: Chips that come back, and the part of them that was a fee.
    returned: int
    fee: int
    #: The move that is made for the place.
    move: Move | None
    #: The wager is put down again in the new deal.
    redealt: bool


class IncidentPreview(Struct, frozen=True):
    """What follows from a ruling before it is made, for everyone, and in words."""

    kind: IncidentKind
    place: int | None
    clause: str
    ruling: RuledAs
    rows: list[IncidentRow]
    banker: IncidentRow | None
    steps: list[str]


class Incidents(Struct, frozen=True):
    """What may be ruled at a table now, and what was ruled, the newest first."""

    round: int
    possible: list[PossibleIncident]
    past: list[IncidentLine]


class RulingClockState(Struct, frozen=True):
    """Whether the clock of a round stands for a ruling: by whom, and at most until when."""

    round: int
    stopped: bool
    by: str | None = None
    until: int | None = None


class RuledIncident(Struct, frozen=True):
    """A ruling that was made, and what followed, in words."""

    round: int
    clause: str
    ruling: RuledAs
    steps: list[str]


class CorrectionPreview(Struct, frozen=True):
    """What a correction would move: between the bank or the fees and each place, and in chips."""

    round: int
    void: bool
    #: The bank's gain as it stands, and as corrected.
    net_before: int
    net_after: int
    moved: list[MovedDifference]
    chips: list[MovedChips]


class AskedForCorrection(Struct, frozen=True):
    """The number of a correction at its table."""

    table: str
    correction: int


# Reports


class Signature(Struct, frozen=True):
    """A report that someone signed: which one, its filter, and the hash of its figures."""

    n: int
    at: int
    by: str
    report: str
    filter: dict[str, str]
    digest: str
    note: str
    #: Whether the report still has the signed figures; ``None``: not checked.
    holds: bool | None = field(default=None)
    #: The columns whose figures were signed; older signatures do not name them.
    columns: list[str] | UnsetType = UNSET
