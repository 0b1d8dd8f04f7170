"""A connection to a table over a socket: commands in, views and replies out.

A slow reader gets the newest view and skips those before it; the connection of a reader that takes
nothing is closed. No reader slows a table down.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from queenhigh.errors import QueenhighError
from queenhigh.room.durable_table import Outcome
from queenhigh.server.accounts import HOUR_MS, Player
from queenhigh.server.frozen_players import check_command
from queenhigh.server.limits import LOOK, MALFORMED, Bucket, Limiter, Limits, cost_of_command
from queenhigh.server.live_table import LiveTable
from queenhigh.server.ports import Clock, Sender
from queenhigh.server.protocol import (
    VERSION,
    Answered,
    Bye,
    Hello,
    Look,
    Malformed,
    Refusal,
    encode,
    read_message,
)
from queenhigh.server.sockets import Socket
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import Command

__all__ = ["Connection", "ConnectionPorts", "Renew"]

#: How many replies may wait to be read.
_MOST_ANSWERS = 64
#: Codes of the WebSocket protocol.
_RESTART, _POLICY = 1012, 1008
#: Reasons to close a socket after which the client finds its table again at once.
_COMES_BACK = frozenset({"stop", "moved"})
#: Messages renew a session after this time; requests of the page renew it and its cookie sooner.
_RENEW_MS = 2 * HOUR_MS


class Renew(Protocol):
    """Renews the session of a player who plays, given by its hash."""

    def __call__(self, session: bytes, time_ms: int, *, after: int) -> object:
        """Renew a session unless it was renewed less than ``after`` milliseconds ago."""


class ConnectionMetrics(Protocol):
    """The figures of connections."""

    def count_refusal(self, code: str) -> None:
        """Count a refused command."""

    def count_close(self, code: str) -> None:
        """Count a socket that the server closed."""


@dataclass(frozen=True)
class ConnectionPorts:
    """What the server gives to a connection."""

    clock: Clock
    limits: Limits
    limiter: Limiter
    metrics: ConnectionMetrics
    renew: Renew
    #: Calls ``write`` soon, and not before what is queued is on disk.
    schedule_send: Callable[[Sender], None]
    #: The public half of the key that signs the log, in hexadecimal.
    key: str


class Connection:
    """A player at a table, or a spectator without a name."""

    def __init__(
        self,
        socket: Socket,
        table: LiveTable,
        player: Player | None,
        session: bytes,
        ports: ConnectionPorts,
    ) -> None:
        self._socket, self._table, self.session = socket, table, session
        self.player = player.name if player else None
        #: Whether the floor has frozen the account: then the player only finishes a hand.
        self.frozen = bool(player and player.frozen)
        self.address = ""
        self._ports, self._limits, self._limiter = ports, ports.limits, ports.limiter
        self._time = asyncio.get_running_loop().time
        self._renew_at = self._time() + _RENEW_MS / 1000
        self._bucket = Bucket(self._limits.messages, self._limits.messages_at_once)
        self._answers: list[bytes] = []
        self._newest: bytes | None = None
        self._bye: Bye | None = None
        #: Whether the socket is closed: later replies have no reader.
        self._closed = False
        self._waiting: asyncio.TimerHandle | None = None

    def begin(self, since: int | None) -> None:
        """Queue the first messages: a hello, and a view unless the client has this version."""
        version = self._table.durable.committed.version
        hello = Hello(VERSION, self.player, version, self._ports.clock.now(), self._ports.key)
        self._answers.append(encode(hello))
        if since != version or self.frozen or self._table.has_own(self.player):
            self._answers.append(self._table.seen_by(self))
        self._table.arrive(self)

    # Out

    def show(self, message: bytes) -> None:
        """Queue a view, in place of an older one that was not sent yet."""
        self._newest = message
        self._ports.schedule_send(self)

    def send_reply(self, message: Answered | Refusal) -> None:
        """Queue a reply, which is never skipped; close the connection if too many are unread."""
        if self._closed:
            return
        self._answers.append(encode(message))
        if len(self._answers) > _MOST_ANSWERS:
            self.end("slow", "too many messages are unread: read faster and reconnect")
        self._ports.schedule_send(self)

    def end(self, code: str, message: str) -> None:
        """Close the connection with a code and a message."""
        if self._bye is None:
            self._bye = Bye(code, message)
            self._ports.metrics.count_close(code)
            self._socket.send([*self._take_unsent(), encode(self._bye)])
            self._socket.close(_RESTART if code in _COMES_BACK else _POLICY, code)

    def write(self) -> None:
        """Send everything that is queued in one write, if the reader takes it."""
        if self._bye is not None or self._closed:
            return
        if not self._socket.has_room:
            self._wait()
            return
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        messages = self._take_unsent()
        if messages:
            self._socket.send(messages)

    def _take_unsent(self) -> list[bytes]:
        messages = self._answers if self._newest is None else [self._newest, *self._answers]
        self._newest, self._answers = None, []
        return messages

    def _wait(self) -> None:
        """Close the connection if the reader takes nothing for too long."""
        if self._waiting is None:
            sentence = "nothing was read for too long: reconnect"
            give_up = partial(self.end, "slow", sentence)
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._limits.patience, give_up)

    def on_close(self) -> None:
        """Leave the table; no timer and no later reply keeps this connection alive."""
        self._closed = True
        if self._waiting is not None:
            self._waiting.cancel()
        self._table.depart(self)

    # In

    def may_send(self) -> bool:
        """Count a frame; close the connection if there are too many."""
        if self._bye is not None:
            return False
        if self._bucket.take(self._time()):
            return True
        self.end("rate", f"more than {self._limits.messages:g} messages per second: send fewer")
        return False

    def on_message(self, text: bytes) -> None:
        """Refuse a message, or submit its command and reply once that is on disk."""
        id, time_s = "", self._time()
        try:
            message = self._read(text, time_s)
            if isinstance(message, Look):
                self._pay(LOOK, time_s)
                self.show(self._table.seen_by(self))
                return
            id = message.id
            self._pay(cost_of_command(message), time_s)
            self._check(message)
            if time_s >= self._renew_at:
                self._renew(time_s)
            self._table.submit_with_reply(message, partial(self._answer, id))
        except QueenhighError as error:
            self._refuse(id, error)

    def _read(self, text: bytes, time_s: float) -> Command | Look:
        try:
            return read_message(text, by=self.player or "", time_ms=self._ports.clock.now())
        except Malformed:
            self._pay(MALFORMED, time_s)
            raise

    def _pay(self, cost: float, time_s: float) -> None:
        """Charge for a message; all sockets of a session share one budget, nobody else does."""
        if self.player is None:
            self._limiter.check(self.address, None, cost, time_s)
        else:
            self._limiter.check_session(self.session, cost, time_s)

    def _check(self, command: Command) -> None:
        if self.player is None:
            sentence = "log in first"
            raise QueenhighError("login.needed", sentence)
        if self.frozen:
            check_command(self._table.state, command)

    def _renew(self, time_s: float) -> None:
        """Renew the session of a player who plays."""
        self._renew_at = time_s + _RENEW_MS / 1000
        self._ports.renew(self.session, self._ports.clock.now(), after=_RENEW_MS)

    def _answer(self, id: str, outcome: Outcome) -> None:
        if isinstance(outcome, EventSpan):
            self.send_reply(Answered(id, outcome.first, outcome.last))
        elif outcome is None:
            self.send_reply(Answered(id, None, None))
        elif isinstance(outcome, QueenhighError):
            self._refuse(id, outcome)
        else:
            raise outcome

    def _refuse(self, id: str, error: QueenhighError) -> None:
        self._ports.metrics.count_refusal(error.code)
        self.send_reply(Refusal(id, error.code, str(error)))
