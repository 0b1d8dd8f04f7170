"""The staff of a room: roles, what each may do, and the roster that follows from the log.

A person acts as ``staff NAME``, a program as ``token NAME``, and the room's first token as ``floor
from ADDRESS``. The command line acts as ``floor``.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from msgspec import Struct

from queenhigh.errors import QueenhighError
from queenhigh.table.commands import FLOOR
from queenhigh.table.staff_events import (
    RoleChanged,
    StaffAdded,
    StaffEvent,
    StaffPasswordSet,
    StaffRemoved,
    TokenGranted,
    TokenRevoked,
    TwoFactorSet,
    TwoPeopleRequired,
)

__all__ = [
    "AUDITOR",
    "CASHIER",
    "FIRST_TOKEN",
    "FLOOR_ROLE",
    "OWNER",
    "PERMISSIONS",
    "READ",
    "ROLES",
    "Making",
    "Member",
    "StaffRoster",
    "Token",
    "Wait",
    "is_floor",
    "is_staff",
    "is_staff_name",
    "may_role",
    "permissions_of",
    "staff_sender",
    "token_sender",
]

OWNER, FLOOR_ROLE, CASHIER, AUDITOR = "owner", "floor", "cashier", "auditor"
ROLES: Final = (OWNER, FLOOR_ROLE, CASHIER, AUDITOR)
#: The permission to see what the floor sees.
READ = "read"
#: The name by which the room's first token is revoked.
FIRST_TOKEN = ""
#: What the command line does without a token, as ``floor``; it stays when that token is revoked.
_COMMAND_LINE = frozenset({"archive"})

_FLOOR = frozenset({OWNER, FLOOR_ROLE})
_CASH = frozenset({OWNER, FLOOR_ROLE, CASHIER})
#: The roles that may do something. What is not here, such as the staff itself, is for owners.
PERMISSIONS: Final[dict[str, frozenset[str]]] = {
    READ: frozenset(ROLES),
    **dict.fromkeys(
        (
            "open table",
            "close table",
            "void round",
            "abandon table",
            "disable table",
            "enable table",
            "change rules",
            "announce change",
            "withdraw change",
            "post notice",
            "take notice down",
            "rule incident",
            "approve correction",
            "reject correction",
        ),
        _FLOOR,
    ),
    **dict.fromkeys(
        ("freeze", "thaw", "ask correction", "withdraw correction", "sign report"), _CASH
    ),
}

#: A name: letters and digits, with spaces, dots, dashes, apostrophes or _ between them.
_NAME = re.compile(r"[^\W_](?:[\w .'-]{0,22}[\w.])?")
_LONGEST_REASON = 200
_STAFF, _TOKEN = "staff ", "token "
#: How long somebody waits who was given a login, before they count as a second person.
_DAY_MS: Final = 24 * 3600 * 1000


def is_floor(by: str) -> bool:
    """Return whether a sender is the floor by its first token, from any address."""
    return by == FLOOR or by.startswith(f"{FLOOR} from ")


def is_staff(by: str) -> bool:
    """Return whether a sender is written as a member of the staff or a program's token."""
    return by.startswith((_STAFF, _TOKEN))


def staff_sender(member: str) -> str:
    """Return how a member of the staff is named as a sender."""
    return f"{_STAFF}{member}"


def token_sender(token: str) -> str:
    """Return how a program's token is named as a sender."""
    return f"{_TOKEN}{token}"


def is_staff_name(name: str) -> bool:
    """Return whether a member of the staff or a token may have a name."""
    return _NAME.fullmatch(name) is not None


def may_role(role: str, permission: str) -> bool:
    """Return whether a role has a permission; owners have all."""
    return role == OWNER or role in PERMISSIONS.get(permission, ())


def permissions_of(role: str) -> list[str]:
    """Return the named permissions of a role, in order."""
    return sorted(name for name in PERMISSIONS if may_role(role, name))


@dataclass(frozen=True)
class Member:
    """A member of the staff, present or former."""

    name: str
    role: str
    two_factor: bool = False
    removed: bool = False
    #: Who set the password, and when, if it was not the member.
    password_by: str = ""
    password_at: int = 0


@dataclass(frozen=True)
class Token:
    """A program's token, valid or revoked."""

    name: str
    role: str
    revoked: bool = False


class Making(Struct, frozen=True):
    """A member whose login or role another one made or changed; the latest time it happened.

    An empty ``maker`` is the command line, or the room's first token.
    """

    member: str
    maker: str
    at: int


class Wait(NamedTuple):
    """Until when two members count as one person, and whose login may be behind both.

    An empty ``maker`` is the command line, or the room's first token.
    """

    until: int
    maker: str


class StaffRoster:
    """The staff as of an event: a fold of the stream ``staff`` that refuses what is against L27."""

    def __init__(self) -> None:
        self._members: dict[str, Member] = {}
        self._tokens: dict[str, Token] = {}
        #: Whether the room's first token was revoked.
        self.first_revoked = False
        #: Whether the log says that from here on two people are not one with two names.
        self.two_people = False
        #: Who gave a member a login, a role, a password or no codes, and when last. Makers of a
        #: maker are among them.
        self._makers: dict[str, dict[str, int]] = {}
        #: All names that were ever given, as they are compared.
        self._names: set[str] = set()
        self._token_names: set[str] = set()

    # Questions

    def member(self, name: str) -> Member | None:
        """Return a present member by name."""
        member = self._members.get(name)
        return None if member is None or member.removed else member

    def token(self, name: str) -> Token | None:
        """Return a valid token by name."""
        token = self._tokens.get(name)
        return None if token is None or token.revoked else token

    def members(self) -> list[Member]:
        """Return all present and former members, in the order they joined."""
        return [*self._members.values()]

    def tokens(self) -> list[Token]:
        """Return all tokens, valid or revoked: the first one, then in the order they came."""
        return [Token(FIRST_TOKEN, OWNER, self.first_revoked), *self._tokens.values()]

    def owners(self) -> list[str]:
        """Return the names of the present owners."""
        members = self._members.values()
        return [each.name for each in members if each.role == OWNER and not each.removed]

    def may_member(self, name: str, permission: str) -> bool:
        """Return whether a member of the staff, by name, has a permission now."""
        member = self.member(name)
        return member is not None and may_role(member.role, permission)

    def may(self, sender: str, permission: str) -> bool:
        """Return whether a sender of an event has a permission now.

        The first token may do everything until it is revoked; then only the command line is left,
        for what it does without a token.
        """
        if sender.startswith(_STAFF):
            return self.may_member(sender.removeprefix(_STAFF), permission)
        if sender.startswith(_TOKEN):
            token = self.token(sender.removeprefix(_TOKEN))
            return token is not None and may_role(token.role, permission)
        if self.first_revoked:
            return sender == FLOOR and permission in _COMMAND_LINE
        return is_floor(sender)

    def wait(self, asker: str, approver: str) -> Wait | None:
        """Return until when two members count as one person; ``None``: they do not.

        They do for a day after one of them made the other, or a third member made both. The command
        line may be anybody, also the asker: so for a day nobody approves who was made by it.
        """
        if asker == approver:
            return None
        first, second = self._makers.get(asker, {}), self._makers.get(approver, {})
        waits = [Wait(second[asker], asker)] if asker in second else []
        if approver in first:
            waits.append(Wait(first[approver], approver))
        for maker, time_ms in second.items():
            if maker == "":
                waits.append(Wait(time_ms, maker))
            elif maker in first:
                waits.append(Wait(min(time_ms, first[maker]), maker))
        last = max(waits, default=None)
        return None if last is None else last._replace(until=last.until + _DAY_MS)

    def makings(self, names: Iterable[str], time_ms: int) -> list[Making]:
        """Return who made some members in the day before a time."""
        return [
            Making(name, maker, made)
            for name in names
            for maker, made in self._makers.get(name, {}).items()
            if time_ms - made < _DAY_MS
        ]

    # Changes

    def take(self, event: StaffEvent) -> None:
        """Take the next event of the stream; raise if it may not stand here."""
        match event:
            case StaffAdded():
                self._add(event)
            case TokenGranted():
                self._grant(event)
            case TokenRevoked():
                self._revoke(event)
            case RoleChanged() | StaffRemoved():
                self._change(event)
            case StaffPasswordSet() | TwoFactorSet():
                self._secure(event)
            case TwoPeopleRequired():
                _check(event.by == FLOOR and bool(self.owners()), "only a room with owners asks so")
                _check(not self.two_people, "two people were required before")
                self.two_people = True

    def _made(self, member: str, event: StaffEvent) -> None:
        """Note that somebody else has given a member something to log in with, or a role."""
        maker = "" if is_floor(event.by) else event.by.removeprefix(_STAFF)
        if maker == member:
            return
        recent = self._makers.get(maker, {}).items()
        behind = [other for other, time in recent if event.at - time < _DAY_MS and other != member]
        makers = self._makers.setdefault(member, {})
        makers |= {each: max(event.at, makers.get(each, event.at)) for each in (maker, *behind)}

    def _add(self, event: StaffAdded) -> None:
        if self.owners():
            self._check_owner(event.by)
        else:
            is_first = is_floor(event.by) and event.role == OWNER
            _check(is_first, "the first on the staff is an owner, added by the first token")
        _check_role(event.role)
        _check_new(event.member, self._names)
        given = (event.by, event.at) if is_staff(event.by) else ()  # the first owner chooses one
        self._members[event.member] = Member(event.member, event.role, False, False, *given)
        self._made(event.member, event)

    def _change(self, event: RoleChanged | StaffRemoved) -> None:
        self._check_owner(event.by)
        _check_reason(event.reason)
        member = self._known(event.member)
        if isinstance(event, RoleChanged):
            _check_role(event.role)
            if ROLES.index(event.role) < ROLES.index(member.role):
                self._made(member.name, event)
            member = replace(member, role=event.role)
        else:
            member = replace(member, removed=True)
        stays = member.role == OWNER and not member.removed
        _check(stays or self.owners() != [member.name], "the last owner stays one")
        self._members[member.name] = member

    def _secure(self, event: StaffPasswordSet | TwoFactorSet) -> None:
        member = self._known(event.member)
        is_own = event.by == staff_sender(member.name)
        # The command line helps owners who have lost their password or their authenticator.
        is_recovery = event.by == FLOOR and member.role == OWNER
        if not is_own and not is_recovery:
            self._check_owner(event.by)
        if isinstance(event, TwoFactorSet):
            if not is_own:
                _check(not event.on, "only the member may switch two-factor login on")
            self._members[member.name] = replace(member, two_factor=event.on)
        else:
            by, time_ms = ("", 0) if is_own else (event.by, event.at)
            self._members[member.name] = replace(member, password_by=by, password_at=time_ms)
        self._made(member.name, event)

    def _grant(self, event: TokenGranted) -> None:
        self._check_owner(event.by)
        _check_role(event.role)
        _check_reason(event.reason)
        _check_new(event.token, self._token_names)
        self._tokens[event.token] = Token(event.token, event.role)

    def _revoke(self, event: TokenRevoked) -> None:
        self._check_owner(event.by)
        _check_reason(event.reason)
        if event.token == FIRST_TOKEN:
            _check(not self.first_revoked, "the first token was already revoked")
            self.first_revoked = True
            return
        token = self.token(event.token)
        if token is None:
            raise _wrong("there is no such token")
        self._tokens[token.name] = replace(token, revoked=True)

    def _known(self, name: str) -> Member:
        member = self.member(name)
        if member is None:
            raise _wrong(f"{name[:40]} is not on the staff")
        return member

    def _check_owner(self, by: str) -> None:
        """Raise unless a sender is an owner: a person, no token."""
        member = self.member(by.removeprefix(_STAFF)) if by.startswith(_STAFF) else None
        _check(member is not None and member.role == OWNER, "only an owner may do this")


def _check_new(name: str, names: set[str]) -> None:
    """Note a new name; raise if it is none, or was ever given, in upper or lower case."""
    _check(is_staff_name(name), "this is not a valid name")
    _check(name.casefold() not in names, f"{name} was there before")
    names.add(name.casefold())


def _check_role(role: str) -> None:
    _check(role in ROLES, "there is no such role")


def _check_reason(reason: str) -> None:
    is_line = reason.strip() != "" and reason.isprintable()
    _check(is_line and len(reason) <= _LONGEST_REASON, "a reason is one line of text")


def _check(holds: bool, sentence: str) -> None:
    if not holds:
        raise _wrong(sentence)


def _wrong(sentence: str) -> QueenhighError:
    return QueenhighError("event.wrong", sentence)
