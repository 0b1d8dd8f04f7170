"""Somebody at a table, over a socket: commands in, views and answers out.

A reader that is slow is shown the newest view and skips the ones between; one that does not read
at all is let go. Nobody slows a table down.
"""

import asyncio
from functools import partial
from urllib.parse import parse_qs

from starlette.requests import cookie_parser

from queenhigh.errors import QueenhighError
from queenhigh.room.desk import Outcome
from queenhigh.room.room import now
from queenhigh.server.accounts import HOUR_MS, Player
from queenhigh.server.guard import Trust, Wrong, too_many
from queenhigh.server.limits import LOOK, MALFORMED, Bucket, TooMany, cost_of, cost_of_command
from queenhigh.server.live import LiveTable
from queenhigh.server.office import hash_token
from queenhigh.server.peers import network_of
from queenhigh.server.premises import Premises
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
from queenhigh.server.sockets import NotLetIn, Socket
from queenhigh.table.commands import Command, Leave

__all__ = ["Visit", "welcome"]

#: How many answers may wait to be read.
_MOST_ANSWERS = 64
#: Codes of the WebSocket protocol.
_RESTART, _POLICY = 1012, 1008
_BEFORE, _AFTER = "/api/tables/", "/socket"
#: A session is renewed by messages after so long; the page asks sooner, and renews its cookie.
_RENEW_MS = 2 * HOUR_MS


class Visit:
    """A player at a table, or with no name whoever looks on."""

    def __init__(
        self,
        socket: Socket,
        table: LiveTable,
        player: Player | None,
        session: bytes,
        premises: Premises,
    ) -> None:
        self._socket, self._table, self.session = socket, table, session
        self.player = player.name if player else None
        #: When the floor has frozen the account, only leaving is left.
        self.frozen = bool(player and player.frozen)
        self.address = ""
        self._premises = premises
        self._limits, self._metrics = premises.limits, premises.metrics
        self._renew_at = asyncio.get_running_loop().time() + _RENEW_MS / 1000
        self._limiter = premises.limiter
        self._bucket = Bucket(self._limits.messages, self._limits.messages_at_once)
        self._answers: list[bytes] = []
        self._newest: bytes | None = None
        self._bye: Bye | None = None
        #: Whether the socket is closed: answers that come later have no reader.
        self._closed = False
        self._waiting: asyncio.TimerHandle | None = None

    def begin(self, since: int | None) -> None:
        """Greet, and show the table to who does not know it as it is."""
        version = self._table.desk.state.version
        key = self._table.host.store.key.hex()
        self._answers.append(encode(Hello(VERSION, self.player, version, now(), key)))
        if since != version or self._table.has_own(self.player):
            self._answers.append(self._table.seen_by(self.player))
        self._table.arrive(self)

    # Out

    def show(self, message: bytes) -> None:
        """Take a view; an older one that was not sent yet is not worth sending."""
        self._newest = message
        self._table.host.talk_soon(self)

    def tell(self, message: Answered | Refusal) -> None:
        """Say what must not be skipped; too much that is not read ends the visit."""
        if self._closed:
            return
        self._answers.append(encode(message))
        if len(self._answers) > _MOST_ANSWERS:
            self.end("slow", "too many answers wait to be read: read faster, and come back")
        self._table.host.talk_soon(self)

    def end(self, code: str, message: str) -> None:
        """End the visit, and say why."""
        if self._bye is None:
            self._bye = Bye(code, message)
            self._metrics.closed.labels(code).inc()
            self._socket.say([*self._unsaid(), encode(self._bye)])
            self._socket.close(_RESTART if code == "stop" else _POLICY, code)

    def write(self) -> None:
        """Say everything in one go, if the other side takes it."""
        if self._bye is not None or self._closed:
            return
        if not self._socket.has_room:
            self._wait()
            return
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        said = self._unsaid()
        if said:
            self._socket.say(said)

    def _unsaid(self) -> list[bytes]:
        said = self._answers if self._newest is None else [self._newest, *self._answers]
        self._newest, self._answers = None, []
        return said

    def _wait(self) -> None:
        """Let a reader go that takes nothing for too long."""
        if self._waiting is None:
            told = "nothing was read for too long: come back"
            give_up = partial(self.end, "slow", told)
            loop = asyncio.get_running_loop()
            self._waiting = loop.call_later(self._limits.patience, give_up)

    def gone(self) -> None:
        """Leave the table, and let nothing keep the visit: no timer and no answer to come."""
        self._closed = True
        if self._waiting is not None:
            self._waiting.cancel()
        self._table.depart(self)

    # In

    def may_send(self) -> bool:
        """Count a frame; end the visit of who sends too many."""
        if self._bye is not None:
            return False
        if self._bucket.take(asyncio.get_running_loop().time()):
            return True
        self.end("rate", f"more than {self._limits.messages:g} messages a second: send fewer")
        return False

    def hear(self, text: bytes) -> None:
        """Take a message: refuse it, or follow it and answer once that is on disk."""
        id = ""
        try:
            message = self._read(text)
            if isinstance(message, Look):
                self._pay(LOOK)
                self.show(self._table.seen_by(self.player))
                return
            id = message.id
            self._pay(cost_of_command(message))
            self._check(message)
            self._renew()
            self._table.submit(message, partial(self._answer, id))
        except QueenhighError as error:
            self._refuse(id, error)

    def _read(self, text: bytes) -> Command | Look:
        try:
            return read_message(text, by=self.player or "", at=now())
        except Malformed:
            self._pay(MALFORMED)
            raise

    def _pay(self, cost: float) -> None:
        """Take what a message costs; one session's sockets share what it has, and nobody else."""
        at = asyncio.get_running_loop().time()
        if self.player is None:
            self._limiter.check(self.address, None, cost, at)
        else:
            self._limiter.check_session(self.session, cost, at)

    def _check(self, command: Command) -> None:
        if self.player is None:
            told = "only players may ask for anything: enter with a name first"
            raise QueenhighError("login.needed", told)
        if self.frozen and not isinstance(command, Leave):
            told = "the floor has frozen your account: you may leave, and ask them why"
            raise QueenhighError("account.frozen", told)

    def _renew(self) -> None:
        """Keep the session of who plays."""
        time = asyncio.get_running_loop().time()
        if time >= self._renew_at:
            self._renew_at = time + _RENEW_MS / 1000
            self._premises.accounts.renew(self.session, now(), after=_RENEW_MS)

    def _answer(self, id: str, outcome: Outcome) -> None:
        if isinstance(outcome, QueenhighError):
            self._refuse(id, outcome)
        elif isinstance(outcome, Exception):
            raise outcome
        elif outcome is None:
            self.tell(Answered(id, None, None))
        else:
            self.tell(Answered(id, outcome.first, outcome.last))

    def _refuse(self, id: str, error: QueenhighError) -> None:
        self._metrics.refusals.labels(error.code).inc()
        self.tell(Refusal(id, error.code, str(error)))


def welcome(
    premises: Premises, trust: Trust, socket: Socket, path: str, query: str, headers: dict[str, str]
) -> Visit:
    """Let somebody visit a table over a socket, or say why not."""
    address = network_of(trust.client(socket.address, headers))
    try:
        premises.rations.take(address, headers, cost_of("GET", path))
    except TooMany as error:
        raise NotLetIn(too_many(error)) from None
    wrong = trust.wrong(headers, safe=False)
    if wrong is not None:
        raise NotLetIn(wrong)
    if not path.startswith(_BEFORE) or not path.endswith(_AFTER):
        raise NotLetIn(Wrong(404, "nothing.there", "there is no socket here"))
    table = path.removeprefix(_BEFORE).removesuffix(_AFTER)
    token = cookie_parser(headers.get("cookie", "")).get(premises.cookie.name)
    player = premises.accounts.player(token, now())
    _check_room(premises, table, player, address)
    visit = Visit(socket, premises.host.table(table), player, hash_token(token or ""), premises)
    visit.address = address
    visit.begin(_since(query))
    return visit


def _check_room(premises: Premises, table: str, player: Player | None, address: str) -> None:
    limits, host = premises.limits, premises.host
    gone = premises.gone()
    if gone is not None:
        raise NotLetIn(Wrong(503, gone.code, str(gone)))
    if table not in host.tables:
        raise NotLetIn(Wrong(404, "table.none", "there is no such table here: see the list"))
    if player is not None and host.sockets_of(player.name) >= limits.sockets_each:
        told = f"you have {limits.sockets_each} sockets open: close one"
        raise NotLetIn(Wrong(429, "sockets.many", told))
    if player is None and host.nameless_at(address) >= limits.sockets_at_address:
        told = "too many look on from your address: come in with a name"
        raise NotLetIn(Wrong(429, "sockets.many", told))
    if host.sockets_at(address) >= limits.sockets_of_network:
        told = "too many sockets are open at your address: close one"
        raise NotLetIn(Wrong(429, "sockets.many", told))
    if host.stopped or host.sockets() >= limits.sockets:
        raise NotLetIn(Wrong(503, "busy", "the room is full or closing: try again soon"))


def _since(query: str) -> int | None:
    (last,) = parse_qs(query).get("since", [""])[-1:]
    return int(last) if last.isascii() and last.isdecimal() and len(last) < 20 else None
