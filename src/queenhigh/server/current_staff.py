"""The staff as the log has it now: every request reads the events that are new.

So a role that was taken away at another process is gone at the next request here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice

from msgspec.structs import replace

from queenhigh.errors import QueenhighError
from queenhigh.history.correction_lines import Correction
from queenhigh.history.staff_lines import describe_staff_event
from queenhigh.server.floor_responses import StaffLogLine
from queenhigh.store.durable_store import DurableStore
from queenhigh.store.streams import GENESIS, Append
from queenhigh.table.commands import Command
from queenhigh.table.registry import STAFF
from queenhigh.table.staff import ROLES, StaffRoster, may_role, staff_sender
from queenhigh.table.staff_events import StaffAdded, StaffEvent, TokenGranted, decode_staff

__all__ = ["STAFFING", "CurrentStaff", "explain_role", "utc"]

#: What only owners may do: change the staff and the tokens of programs.
STAFFING = "change the staff"


@dataclass(frozen=True)
class _Read:
    """How far the stream was read: the room's epoch, the version, and its hash."""

    epoch: int = -1
    version: int = 0
    hash: bytes = GENESIS


class CurrentStaff:
    """The staff of a room, with the times since which people and tokens are on it."""

    def __init__(self, store: DurableStore) -> None:
        self._store = store
        #: The commands of the floor that are under way, by their ids: who does what, and who asked.
        self._acting: dict[str, tuple[str, str, str]] = {}
        self._forget()

    def _forget(self) -> None:
        self._read, self._roster = _Read(self._store.epoch), StaffRoster()
        self._since: dict[tuple[str, str], int] = {}

    @property
    def version(self) -> int:
        """The version of the stream that was read last."""
        return self._read.version

    def roster(self) -> StaffRoster:
        """Return the staff as of the last event of the stream."""
        version = self._store.version(STAFF)
        if version < self._read.version or self._store.epoch != self._read.epoch:
            self._forget()  # the database is another one, which may have less
        if version > self._read.version:
            self._read_on()
        return self._roster

    def _read_on(self) -> None:
        before = self._read
        since = before.hash if before.version else None
        for row in self._store.read(STAFF, before.version, since):
            event = decode_staff(row.event)
            self._roster.take(event)
            self._note_time(event)
            self._read = _Read(before.epoch, row.version, row.hash)

    def _note_time(self, event: StaffEvent) -> None:
        if isinstance(event, StaffAdded):
            self._since["member", event.member] = event.at
        elif isinstance(event, TokenGranted):
            self._since["token", event.token] = event.at

    def since(self, kind: str, name: str) -> int:
        """Return since when a ``member`` or a ``token`` is known; 0 for the first token."""
        return self._since.get((kind, name), 0)

    def has_had(self, kind: str, name: str) -> bool:
        """Return whether a name was ever given to a ``member`` or a ``token``."""
        self.roster()
        return any(
            key == kind and given.casefold() == name.casefold() for key, given in self._since
        )

    def log(self, before: int | None, limit: int) -> list[StaffLogLine]:
        """Return the changes of the staff in words, the newest first."""
        end = self._store.version(STAFF)
        if before is not None:
            end = min(end, max(0, before - 1))
        start = max(0, end - limit)
        rows = islice(self._store.read(STAFF, start), end - start)
        return [_line(row.version, decode_staff(row.event)) for row in rows][::-1]

    def check(self, sender: str, permission: str) -> int:
        """Refuse a sender without a permission; return the version that this was decided at."""
        if not self.roster().may(sender, permission):
            raise QueenhighError("role.needed", f"{sender} may not {permission} any more")
        return self.version

    def check_second(self, asker: str, approver: str, time_ms: int) -> None:
        """Refuse an approver who may be the one who asked, by another name, and say until when."""
        wait = self.roster().wait(asker, approver)
        if wait is None or time_ms >= wait.until:
            return
        maker = "you" if wait.maker == approver else wait.maker or "the command line"
        which = {"": "your login", asker: "your login", approver: f"the login of {asker}"}
        sentence = f"you can approve this from {utc(wait.until)} on, a day after {maker} made"
        raise QueenhighError(
            "correction.wait", f"{sentence} or changed {which.get(wait.maker, 'both your logins')}"
        )

    def with_wait(self, correction: Correction, sender: str, time_ms: int) -> Correction:
        """Return a correction with from when on a sender may approve it, if that is not now."""
        wait = self.roster().wait(correction.asked_by, sender.removeprefix(staff_sender("")))
        may = self._roster.may(sender, "approve correction") and correction.status == "waiting"
        if not may or wait is None or time_ms >= wait.until:
            return correction
        return replace(correction, approve_from=wait.until, made_by=wait.maker)

    @contextmanager
    def acting(
        self, command: Command, sender: str, permission: str, asker: str = ""
    ) -> Iterator[None]:
        """Guard a command: it is written only while the sender has a permission.

        With an ``asker`` it needs two people: the sender has to be another one.
        """
        self._acting[command.id] = (sender, permission, asker)
        try:
            yield
        finally:
            del self._acting[command.id]

    def guard(self, command: Command) -> tuple[Append, ...]:
        """Return what has to hold when a command is written; refuse it if the role is gone."""
        acting = self._acting.get(command.id)
        if acting is None:
            return ()
        sender, permission, asker = acting
        version = self.check(sender, permission)
        if asker:
            self.check_second(asker, sender.removeprefix(staff_sender("")), command.at)
        return (Append(STAFF, version, ()),)


def utc(time_ms: int) -> str:
    """Return a time in UTC, to the minute that follows it."""
    minute = -(-time_ms // 60_000) * 60
    return datetime.fromtimestamp(minute, UTC).strftime("%Y-%m-%d %H:%M UTC")


def _line(version: int, event: StaffEvent) -> StaffLogLine:
    kind = str(event.__struct_config__.tag).partition("/")[0]
    return StaffLogLine(version, event.at, event.by, kind, describe_staff_event(event))


def explain_role(permission: str, role: str) -> str:
    """Return what a role may not do, and which roles may."""
    able = [name for name in ROLES if may_role(name, permission)]
    return f"{role} may not {permission}: this needs the role {' or '.join(able)}"
