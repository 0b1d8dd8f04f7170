"""Who may do what on the floor: the dependencies that its routes declare.

A route says what it needs: ``floor: Annotated[str, may("void round")]``, or ``floor: Reader`` if it
only shows something. It gets the sender for the log: ``staff NAME`` of a person who is logged in,
``token NAME`` of a program, or ``floor from ADDRESS`` by the room's first token.
"""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends
from fastapi.requests import HTTPConnection

from queenhigh.errors import QueenhighError
from queenhigh.server.client_address import network_of
from queenhigh.server.current_staff import STAFFING, explain_role
from queenhigh.server.services import Services, address, bearer_of
from queenhigh.server.staff_accounts import StaffLogin
from queenhigh.server.worker_pool import Client
from queenhigh.table.staff import (
    OWNER,
    PERMISSIONS,
    READ,
    may_role,
    staff_sender,
    token_sender,
)

__all__ = ["FloorClient", "Needs", "Person", "Reader", "may", "named_person", "person_who_may"]


@dataclass(frozen=True)
class Needs:
    """The permission that a route needs; ``named``: a person must do it, no program."""

    permission: str
    named: bool = False

    async def sender(self, connection: HTTPConnection) -> str:
        """Return the sender of a request; refuse one who may not do this."""
        services: Services = connection.app.state.services
        sender, role = _find_sender(services, connection)
        if not may_role(role, self.permission):
            raise QueenhighError("role.needed", explain_role(self.permission, role))
        if self.named:
            named_person(sender)
        return sender

    async def login(self, connection: HTTPConnection) -> StaffLogin:
        """Return the login of the person who sends a request; refuse everyone else."""
        named_person(await self.sender(connection))
        login = find_login(connection.app.state.services, connection)
        assert login is not None, "a person is logged in"
        return login


def may(permission: str, *, named: bool = False) -> Any:
    """Return the dependency of a route that needs a permission, for ``Annotated[str, ...]``.

    The route gets the sender for the log. With ``named`` only a person gets in, no token.
    """
    if permission not in PERMISSIONS and permission != STAFFING:
        raise ValueError(f"there is no permission {permission!r}")
    return Depends(Needs(permission, named).sender)


def person_who_may(permission: str) -> Any:
    """Return the dependency of a route that a person calls, for ``Annotated[StaffLogin, ...]``."""
    return Depends(Needs(permission, named=True).login)


#: The sender of a request that only looks; every role may.
Reader = Annotated[str, may(READ)]
#: The login of a person of any role.
Person = Annotated[StaffLogin, person_who_may(READ)]


async def _client(connection: HTTPConnection, sender: Reader) -> Client:
    return Client(f"floor {sender}", network_of(address(connection)))


#: The sender of a request that only looks, and asks for heavy work: of each a few may wait.
FloorClient = Annotated[Client, Depends(_client)]


def named_person(by: str) -> str:
    """Return the name of the person who sends a request; refuse tokens, which have none."""
    name = by.removeprefix(staff_sender(""))
    if name == by:
        sentence = "a person has to do this: log in to the floor with your own name"
        raise QueenhighError("staff.named", sentence)
    return name


def find_login(services: Services, connection: HTTPConnection) -> StaffLogin | None:
    """Return the login of the member of the staff who sends a request by a session."""
    if "authorization" in connection.headers:
        return None
    token = services.floor_token_of(connection.headers)
    return services.staff.login_of(token, services.now())


def _find_sender(services: Services, connection: HTTPConnection) -> tuple[str, str]:
    """Return the sender of a request, and the role that the sender has now."""
    token = bearer_of(connection.headers)
    if token and services.admin.is_floor(token):
        return f"floor from {address(connection)}", OWNER
    program = services.staff.program_of(token) if token else None
    if program is not None:
        return token_sender(program.name), program.role
    login = find_login(services, connection)
    if login is not None:
        _check_origin(connection)
        services.staff.used_from(login.member.name, address(connection))
        return login.sender, login.member.role
    raise QueenhighError("floor.only", "only the floor may do this: log in, or send a token")


def _check_origin(connection: HTTPConnection) -> None:
    """Refuse a change by a session that is not from a page; the guard refuses foreign pages."""
    is_safe = connection.scope.get("method") in ("GET", "HEAD", "OPTIONS")
    if not is_safe and not {"origin", "sec-fetch-site"} & set(connection.headers):
        sentence = "a session works from the room's own page only: a program needs a token"
        raise QueenhighError("origin.needed", sentence)
