"""A live table: commands in, views out, a clock, and who watches."""

import asyncio
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Raw
from msgspec.json import encode as to_json
from msgspec.structs import replace

from queenhigh.errors import BrokenLog, QueenhighError, Refused
from queenhigh.room import clock
from queenhigh.room.desk import Desk, Outcome, Then
from queenhigh.room.rebase import rebase_at_start, rebase_command
from queenhigh.room.room import now
from queenhigh.server.attendance import Attendance
from queenhigh.server.closing import Closing
from queenhigh.server.company import Company
from queenhigh.server.event_receipt import ClosedBets
from queenhigh.server.idle import Idle
from queenhigh.server.ids import fresh_id
from queenhigh.server.papers import NOTHING, Change
from queenhigh.server.protocol import News, Seen, encode
from queenhigh.server.watching import Watcher
from queenhigh.store.streams import Conflict, DamagedStream
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    AcceptBank,
    ChangeTable,
    CloseTable,
    Command,
    GiveTime,
    Leave,
    Sit,
    Tick,
    VoidRound,
    WantBank,
)
from queenhigh.table.decide import step, wakes_at
from queenhigh.table.events import RoundVoided
from queenhigh.table.fairness import SEED_BYTES
from queenhigh.table.state import Answer
from queenhigh.table.view import own_views, view

if TYPE_CHECKING:
    from queenhigh.server.host import Host

__all__ = ["LiveTable"]

_TRIES = 3
#: So many seconds lie between views of the same phase, whatever happens in it.
_BETWEEN_VIEWS = 0.04
#: After a failure the clock tries again so many seconds later.
_AGAIN = 1.0
_TABLE_CHIPS = "This table has rules of its own: you take away at most what you brought."
#: What nobody may do at a table where no round may begin.
_BEGINS = frozenset({Sit, AcceptBank, WantBank})


class LiveTable:
    """One table of the host."""

    def __init__(self, host: "Host", desk: Desk) -> None:
        self.host, self.desk = host, desk
        opened = host.office.opened(desk.table)
        self.owner: str | None = opened["owner"]
        self.disabled: bool = opened["disabled"]
        #: The floor's change of the rules that waits for the round to end.
        self.change: ChangeTable | None = opened["change"]
        #: From which address its owner opened it, as long as the room is open.
        self.opened_from: str | None = None
        self.company = Company(self, banks=opened["bots_bank"])
        self.watchers: set[Watcher] = set()
        since = clock.ROOM.elapsed()
        self.attendance, self._idle = Attendance(since), Idle(since)
        self.closing = Closing(self, is_asked=opened["closing"])
        self._closed_bets = ClosedBets(host.store, desk.stream)
        #: Where the table was when it woke last; nothing: wake, whatever has happened.
        self._version: int | None = None
        self._seen: tuple[int, News] | None = None
        self._ended = self._last_round()
        self._phase: tuple[str, int] | None = None
        self._shown = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._showing: asyncio.TimerHandle | None = None

    # Commands

    def submit(self, command: Command, then: Then) -> None:
        """Follow a command; ``then`` is told its answer once its events are on disk."""
        if self.disabled and type(command) in _BEGINS:
            raise Refused("table.disabled", "the floor lets no round begin here now: wait a while")
        if self.host.stopped:
            raise Refused("room.stops", "the room closes for a moment: come back soon")
        self._decide(command, partial(self._told, command, then, perf_counter(), _TRIES))
        if self._idle.hear(command, clock.ROOM.elapsed()):
            self.wake_soon()
        self.host.flush_soon()

    def _decide(self, command: Command, then: Then) -> None:
        try:
            self.desk.submit(command, then)
        except BrokenLog as broken:  # our fault, not the sender's
            self.host.note(self.desk.table, broken)
            raise

    def _told(
        self, command: Command, then: Then, start: float, tries: int, outcome: Outcome
    ) -> None:
        if isinstance(outcome, Conflict) and tries:
            again = partial(self._told, command, then, start, tries - 1)
            asyncio.get_running_loop().call_soon(self._again, command, again)
            return
        self.host.metrics.command.observe(perf_counter() - start)
        then(outcome)

    def _again(self, command: Command, then: Then) -> None:
        """Let the table decide again, since another process was faster."""
        try:
            self._decide(command, then)
        except QueenhighError as refused:
            then(refused)
        self.host.flush_soon()

    async def ask(self, command: Command, also: Callable[[], None] = lambda: None) -> Answer | None:
        """Follow a command; its events are on disk when this returns.

        What ``also`` queues is written in the same commit.
        """
        answered: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if isinstance(outcome, Exception):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self.submit(command, then)
        also()
        return await asyncio.shield(answered)

    def do(self, command: Command) -> None:
        """Follow a command that nobody waits for."""
        try:
            self.desk.submit(command, partial(self._note, command))
        except QueenhighError as refused:
            self._note(command, refused)
        self.host.flush_soon()

    def _note(self, command: Command, outcome: Outcome) -> None:
        """Let a clock that could not be heard try again; what comes too late is nothing unusual."""
        if not isinstance(outcome, Exception) or isinstance(outcome, Refused):
            return
        if isinstance(command, Tick) and isinstance(outcome, DamagedStream):
            self.host.isolate(self.desk.table, outcome)  # no time would have an effect
            return
        self.host.note(self.desk.table, outcome)
        if isinstance(command, Tick):
            self._set_timer(_AGAIN)

    # What has changed

    def wake_soon(self) -> None:
        """Wake, although no event says so: somebody came, or the floor said something."""
        self._version = None
        self.host.flush_soon()

    def wake(self) -> None:
        """If the table has changed, show it, set its clock, and let its bots think."""
        version = self.desk.state.version
        if version == self._version:
            return
        self._version = version
        self._count()
        if not self.host.stopped:
            self._change_if_due()
            self.closing.go_on()
        seen = (version, self._news())
        if seen != self._seen:
            self._seen = seen
            self._show_soon()
        if self.host.stopped:
            return
        if self.desk.state.phase == "closed":
            self._close()
            return
        self._set_clock()
        self.company.keep_going()
        if self.desk.state.version != version:  # bots got chips: show that, and set the clock anew
            self.wake_soon()

    def fail(self, error: Exception) -> None:
        """After something went wrong at this table, try again in a while."""
        self.host.note(self.desk.table, error)
        self._version = None
        self._set_timer(_AGAIN)

    def _show_soon(self) -> None:
        """Show a new phase at once, and what happens within one so often that people see it."""
        loop, phase = asyncio.get_running_loop(), (self.desk.state.phase, self.desk.state.number)
        due = self._shown + _BETWEEN_VIEWS
        if phase != self._phase or loop.time() >= due or self.host.stopped:
            self._phase = phase
            self._show()
        elif self._showing is None:
            self._showing = loop.call_at(due, self._show)

    def _show(self) -> None:
        self._shown = asyncio.get_running_loop().time()
        if self._showing is not None:
            self._showing.cancel()
            self._showing = None
        if not self.watchers:
            return
        public, owns = self._public(), own_views(self.desk.state)
        for_all = encode(public)
        for watcher in tuple(self.watchers):
            own = owns.get(watcher.player) if watcher.player is not None else None
            watcher.show(for_all if own is None else encode(replace(public, own=own)))

    def _public(self) -> Seen:
        """Return what everyone sees."""
        state = self.desk.state
        shown, receipt = Raw(to_json(view(state))), self._closed_bets.receipt(state)
        return Seen(state.version, now(), shown, self._news(), receipt=receipt)

    def _news(self) -> News:
        change = self.change.reason if self.change else None
        notices = (*self.host.notices(self.desk.table), *self._idle.notices())
        notices += self.closing.notices()
        if self.desk.state.settings.table_chips:
            notices = (_TABLE_CHIPS, *notices)
        return News(self.owner, self.disabled, change, notices)

    def seen_by(self, player: str | None) -> bytes:
        """Return the table as a message to one player, or to who looks on."""
        own = own_views(self.desk.state).get(player) if player is not None else None
        return encode(replace(self._public(), own=own))

    def has_own(self, player: str | None) -> bool:
        """Tell whether a player sees more than everyone does."""
        return player is not None and player in own_views(self.desk.state)

    def _last_round(self) -> int:
        """Return the number of the round that ended last."""
        last = self.desk.state.last
        return last.live.number if last else 0

    def _count(self) -> None:
        ended, last = self._last_round(), self.desk.state.last
        if ended != self._ended and last is not None:
            self._ended = ended
            how = "void" if isinstance(last.end, RoundVoided) else "settled"
            self.host.metrics.rounds.labels(self.desk.state.document["game"], how).inc()

    def _close(self) -> None:
        self.end("table.closed", "this table is closed: choose another in the lobby")
        self.host.forget(self.desk.table)

    def end(self, code: str, message: str) -> None:
        """Let time stand still, and let everyone go who watches."""
        self.stop()
        for watcher in tuple(self.watchers):
            watcher.end(code, message)

    # Time

    @property
    def is_held_back(self) -> bool:
        """Whether the floor lets no round begin, and none is under way."""
        return self.disabled and self.desk.state.phase in ("between", "offering")

    def _set_clock(self) -> None:
        due = wakes_at(self.desk.state)
        if due is None or self.is_held_back:
            self.stop()
        else:
            self._set_timer(max(0.0, (due - now()) / 1000))

    def _set_timer(self, seconds: float) -> None:
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)

    def _ring(self) -> None:
        """Let time have its effect; where there is none, look what is the matter."""
        due = wakes_at(self.desk.state)
        if due is None or self.is_held_back:
            self.wake_soon()
        else:
            self.do(Tick(id="", by=CLOCK, at=max(now(), due)))

    def stop(self) -> None:
        """Let time stand still."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def give_time(self) -> None:
        """After the room was closed, give those who are asked the whole time once more.

        A pause that is over need not begin again.
        """
        state, at = self.desk.state, now()
        if rebase_at_start(self.desk) or state.deadline is None:
            return
        if state.phase != "between" or state.deadline > at:
            reason = "the room was closed for a moment"
            self.desk.execute(GiveTime(id=fresh_id("time"), by=FLOOR, at=at, reason=reason))

    def rebase(self, *, jumped: bool) -> None:
        """Bring the table to the time of the room's clock, if it needs that."""
        command = rebase_command(self.desk.ahead, now(), jumped=jumped)
        if command is not None:
            self.do(command)

    # The floor

    def enable(self, *, enabled: bool, note: Change = NOTHING) -> None:
        """Let rounds begin, or let no new one begin."""
        self.host.office.disable(self.desk.table, disabled=not enabled, note=note)
        self.disabled = not enabled
        self.wake_soon()

    def change_soon(self, change: ChangeTable, note: Change = NOTHING) -> None:
        """Change the rules as soon as no round is under way; refuse now what would be then."""
        later = replace(self.desk.state, phase="between", round=None, prison={})
        step(later, change, bytes(SEED_BYTES))
        self.host.office.keep_change(self.desk.table, change, note)
        self.change = change
        self.wake_soon()

    def _change_if_due(self) -> None:
        state, change = self.desk.state, self.change
        if change is None or state.phase == "closed":
            return
        if (state.document, state.settings) == (change.rulebook, change.settings):
            self.host.office.keep_change(self.desk.table, None)
            self.change = None
        elif state.round is not None and not state.round.wagers:
            id, reason = fresh_id("void"), "the rules change"
            self.do(VoidRound(id=id, by=FLOOR, at=now(), reason=reason))
        elif state.phase == "between" and not state.prison:
            self.do(replace(change, at=now()))

    # Who comes and goes

    def arrive(self, watcher: Watcher) -> None:
        """Let somebody watch."""
        self.watchers.add(watcher)
        if len(self.watchers) == 1:
            self.wake_soon()

    def depart(self, watcher: Watcher) -> None:
        """Let somebody go; their seat stays theirs for a while."""
        self.watchers.discard(watcher)
        if watcher.player is not None:
            self.attendance.depart(watcher.player, clock.ROOM.elapsed())

    def people(self) -> list[str]:
        """Return who sits here and is no bot."""
        return [one.player for one in self.desk.state.places.values() if not one.bot]

    def look_round(self) -> None:
        """Let players go who have been away for long; close a player's table that is deserted."""
        at, here = clock.ROOM.elapsed(), {watcher.player for watcher in self.watchers}
        for player in self.attendance.away(self.people(), here, at):
            self.leave(player, "away")
        self._look_for_idle(at)
        if self.owner is None or self.desk.state.closing is not None:
            return
        crowded = self.host.is_crowded
        minutes = self.attendance.minutes_deserted(self.people(), here, at, crowded=crowded)
        if minutes is not None:
            reason = f"nobody was here for {minutes} minutes"
            self.do(CloseTable(id=fresh_id("empty"), by=FLOOR, at=now(), reason=reason))

    def _look_for_idle(self, at: int) -> None:
        warned = self._idle.warned
        for player in self._idle.look(self.people(), at):
            self.leave(player, "idle")
        if self._idle.warned != warned:
            self.wake_soon()

    def leave(self, player: str, why: str) -> None:
        """Let a player leave after the round."""
        place = self.desk.state.place_of(player)
        if place is not None and not self.desk.state.places[place].leaving:
            self.do(Leave(id=fresh_id(why), by=player, at=now(), when="after_round"))
