"""What goes over a table's WebSocket, as JSON. docs/protocol.md describes it.

A message from a player is a command without its sender and its time, which are the server's to
say. What comes back is a view, an answer, a refusal, or a word of parting.
"""

import re
from typing import Any

import msgspec
from msgspec import Struct

from queenhigh.errors import QueenhighError
from queenhigh.server.event_receipt import EventReceipt
from queenhigh.table import commands
from queenhigh.table.commands import Command
from queenhigh.table.view import OwnView

__all__ = [
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

#: What players may ask for over the network.
_FOR_PLAYERS = (
    commands.Sit,
    commands.TopUp,
    commands.StandAside,
    commands.Leave,
    commands.AcceptBank,
    commands.DeclineBank,
    commands.WantBank,
    commands.AddSeed,
    commands.CommitSeed,
    commands.ShowSeed,
    commands.PlaceWagers,
    commands.ClearWagers,
    commands.Choose,
)
#: What a player does not say: who they are, when it is, and that they are no person.
_NOT_SAID = frozenset({"by", "at", "bot"})


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """The first message: the protocol's version, who you are, and where the table is.

    ``key`` is the public half of the key that the room signs its log with.
    """

    protocol: int
    player: str | None
    version: int
    now: int
    key: str


class News(Struct, frozen=True, omit_defaults=True):
    """What the room says about a table: whose it is, and what the floor has to say.

    ``change`` is why other rules come after this round.
    """

    owner: str | None = None
    disabled: bool = False
    change: str | None = None
    notices: tuple[str, ...] = ()


class Seen(Struct, frozen=True, tag_field="type", tag="view", omit_defaults=True):
    """The table at a version: ``view`` is what everyone sees, ``own`` what only you do.

    ``receipt`` comes while seeds are shown: signed, of all events up to the close of bets.
    """

    version: int
    now: int
    view: msgspec.Raw
    news: News
    own: OwnView | None = None
    receipt: EventReceipt | None = None


class Answered(Struct, frozen=True, tag_field="type", tag="answer"):
    """A command was followed; what it led to has these versions. None: there was nothing to do."""

    id: str
    first: int | None
    last: int | None


class Refusal(Struct, frozen=True, tag_field="type", tag="refused"):
    """A command was not followed, and why."""

    id: str
    code: str
    message: str


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The connection ends, and why."""

    code: str
    message: str


class Look(Struct, frozen=True, tag_field="type", tag="look", forbid_unknown_fields=True):
    """Asks to be shown the table once more."""


class Malformed(QueenhighError):
    """A message that cannot be read."""


def _name(kind: type) -> str:
    """Return what a command is called on the wire: ``place_wagers``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _wire(kind: type[Command]) -> Any:
    """Return the shape of a command on the wire."""
    fields = [
        (field.name, field.type) if field.required else (field.name, field.type, field.default)
        for field in msgspec.structs.fields(kind)
        if field.name not in _NOT_SAID
    ]
    ordered = sorted(fields, key=len)
    return msgspec.defstruct(
        f"_{kind.__name__}", ordered, tag_field="type", tag=_name(kind), forbid_unknown_fields=True
    )


_KINDS = {_wire(kind): kind for kind in _FOR_PLAYERS}
_shapes: Any = Look
for _shape in _KINDS:
    _shapes = _shapes | _shape
_decoder = msgspec.json.Decoder(_shapes)
encode = msgspec.json.Encoder().encode


def read_message(text: str | bytes, *, by: str, at: int) -> Command | Look:
    """Read a message; say who sent it and when."""
    try:
        said = _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise Malformed("message.malformed", f"this message cannot be read: {error}") from None
    if isinstance(said, Look):
        return said
    fields = {name: getattr(said, name) for name in said.__struct_fields__}
    made: Command = _KINDS[type(said)](by=by, at=at, **fields)
    return made
