"""The messages on a table's WebSocket, as JSON. docs/protocol.md describes them.

A message from a player is a command without its sender and its time, which the server adds. The
server sends a hello, views, answers, refusals, and a bye.
"""

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import asdict

from queenhigh.errors import QueenhighError
from queenhigh.server.event_receipt import EventReceipt
from queenhigh.table import commands
from queenhigh.table.commands import Command
from queenhigh.table.own_view import OwnView

__all__ = [
    "MESSAGES",
    "VERSION",
    "Answered",
    "Bye",
    "Hello",
    "Look",
    "Malformed",
    "News",
    "Refusal",
    "Seen",
    "encode",
    "read_message",
]

VERSION = 1

#: The commands that players may send, by their names on the wire.
_FOR_PLAYERS: dict[str, type[Command]] = {
    "sit": commands.Sit,
    "top_up": commands.TopUp,
    "stand_aside": commands.SitOut,
    "leave": commands.Leave,
    "accept_bank": commands.AcceptBank,
    "decline_bank": commands.DeclineBank,
    "want_bank": commands.WantBank,
    "add_seed": commands.AddSeed,
    "commit_seed": commands.CommitSeed,
    "show_seed": commands.ShowSeed,
    "place_wagers": commands.PlaceWagers,
    "clear_wagers": commands.ClearWagers,
    "choose": commands.Choose,
}
#: Fields that the server sets: the player, the time, and whether it is a bot.
_NOT_SAID = frozenset({"by", "at", "bot"})


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the protocol's version, the player, and the table's version.

    ``key`` is the public half of the key that the room signs its log with.
    """

    protocol: int
    player: str | None
    version: int
    now: int
    key: str


class News(Struct, frozen=True, omit_defaults=True):
    """The room's news of a table: its owner, and what the floor has decided or posted.

    ``change`` is the reason for other rules after this round. ``ruling``: the floor rules on the
    round under way, and its clock stands meanwhile.
    """

    owner: str | None = None
    disabled: bool = False
    change: str | None = None
    notices: tuple[str, ...] = ()
    ruling: bool = False


class Seen(Struct, frozen=True, tag_field="type", tag="view", omit_defaults=True):
    """The table at a version: ``view`` is for everyone, ``own`` for this player only.

    ``frozen`` tells the player that the floor has frozen their account.
    ``receipt`` comes while seeds are shown: signed, of all events up to the close of bets.
    """

    version: int
    now: int
    view: msgspec.Raw
    news: News
    own: OwnView | None = None
    frozen: bool = False
    receipt: EventReceipt | None = None


class Answered(Struct, frozen=True, tag_field="type", tag="answer"):
    """A command was accepted; its events have these versions. None: there was nothing to do."""

    id: str
    first: int | None
    last: int | None


class Refusal(Struct, frozen=True, tag_field="type", tag="refused"):
    """A command was refused, and why."""

    id: str
    code: str
    message: str


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The connection ends, and why."""

    code: str
    message: str


class Look(Struct, frozen=True, tag_field="type", tag="look", forbid_unknown_fields=True):
    """Asks for the view once more."""


class Malformed(QueenhighError):
    """A message that cannot be read."""


def _wire(name: str, kind: type[Command]) -> type[Struct]:
    """Return the shape of a command on the wire."""
    fields = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
        if field.name not in _NOT_SAID
    ]
    ordered = sorted(fields, key=len)
    return msgspec.defstruct(
        f"_{kind.__name__}", ordered, tag_field="type", tag=name, forbid_unknown_fields=True
    )


_KINDS = {_wire(name, kind): kind for name, kind in _FOR_PLAYERS.items()}
_shapes: Any = Look
for _shape in _KINDS:
    _shapes = _shapes | _shape
#: Everything that a player may send, as a union of its shapes on the wire.
MESSAGES: Any = _shapes
_decoder = msgspec.json.Decoder(MESSAGES)
encode = msgspec.json.Encoder().encode


def read_message(text: str | bytes, *, by: str, time_ms: int) -> Command | Look:
    """Read a message, and add its sender and its time."""
    try:
        message = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed("message.malformed", f"this message is not valid: {error}") from None
    if isinstance(message, Look):
        return message
    return _KINDS[type(message)](by=by, at=time_ms, **asdict(message))
