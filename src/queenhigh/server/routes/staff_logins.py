"""Routes by which staff log in: the first owner, sessions, their own password and authenticator."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from fastapi.requests import Request
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.server import totp
from queenhigh.server.current_staff import STAFFING
from queenhigh.server.floor_access import Person, find_login
from queenhigh.server.floor_responses import FloorSession, Staffer, StaffSession, TwoFactorKey
from queenhigh.server.openapi import gives
from queenhigh.server.responses import json_response
from queenhigh.server.services import Services, ServicesDep, address, check_entry, require
from queenhigh.server.staff_accounts import StaffLogin
from queenhigh.server.staff_rows import SessionRow
from queenhigh.table.staff import OWNER, Member, permissions_of

__all__ = ["entrance", "router"]

#: What nobody needs a role for.
entrance = APIRouter(prefix="/api/floor", tags=["anyone"])
router = APIRouter(prefix="/api/floor", tags=["floor"])
_entry = [Depends(check_entry)]
_Password = Annotated[str, Field(max_length=1000)]
_Name = Annotated[str, Field(max_length=200)]
_Code = Annotated[str, Field(max_length=20)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FirstOwner(_Strict):
    """The first owner of a room, and the token that the server printed at its first start."""

    token: Annotated[str, Field(max_length=200)]
    name: _Name
    password: _Password


class StaffCredentials(_Strict):
    """A name, its password and, if the login needs one, the code of an authenticator.

    With a password that somebody else has set (``password.given``), also a new one.
    """

    name: _Name
    password: _Password
    code: _Code | None = None
    new_password: _Password | None = None


class ChangedPassword(_Strict):
    """A new password, and the one before it."""

    old: _Password
    password: _Password


class AuthenticatorCode(_Strict):
    """A code of an authenticator."""

    code: _Code


class OwnPassword(_Strict):
    """One's password."""

    password: _Password


def _staffer(member: Member) -> Staffer:
    permissions = permissions_of(member.role)
    if member.role == OWNER:
        permissions.append(STAFFING)
    return Staffer(member.name, member.role, member.two_factor, permissions)


def _welcome(services: Services, entered: tuple[Member, str], status: int) -> Response:
    member, token = entered
    response = json_response(_staffer(member), status)
    services.enter_floor(response, token)
    return response


@entrance.get("/session", responses=gives(FloorSession))
async def see_session(request: Request, services: ServicesDep) -> Response:
    """Return who is logged in to the floor, if anybody, and whether the room has an owner."""
    login = find_login(services, request)
    member = None if login is None else _staffer(login.member)
    has_owner = bool(services.staff.staff.roster().owners())
    return json_response(FloorSession(has_owner, member))


@entrance.post("/owner", status_code=201, dependencies=_entry, responses=gives(Staffer, status=201))
async def add_first_owner(owner: FirstOwner, request: Request, services: ServicesDep) -> Response:
    """Make yourself the room's first owner, with the token of its first start."""
    services.staff.changes.check_no_owner()
    if not services.admin.is_floor(owner.token):
        sentence = "this is not the floor token that the server printed at its first start"
        raise QueenhighError("token.wrong", f"{sentence}: --new-floor-token prints a new one")
    entered = await services.staff.add_first_owner(
        owner.name, owner.password, services.now(), address(request)
    )
    return _welcome(services, entered, 201)


@entrance.post("/sessions", dependencies=_entry, responses=gives(Staffer))
async def log_in_to_floor(
    login: StaffCredentials, request: Request, services: ServicesDep
) -> Response:
    """Log in to the floor by name."""
    entered = await services.staff.log_in(
        login.name,
        login.password,
        login.code,
        services.now,
        address(request),
        login.new_password,
    )
    return _welcome(services, entered, 200)


@entrance.delete("/sessions", status_code=204)
async def log_out_of_floor(request: Request, services: ServicesDep) -> Response:
    """Log out of the floor."""
    login = find_login(services, request)
    if login is not None:
        services.staff.end_session(login.session.id)
    response, cookie = Response(status_code=204), services.cookie
    response.delete_cookie(
        cookie.floor_name, path="/", secure=cookie.secure, httponly=True, samesite="strict"
    )
    return response


# Sessions


def _sees(login: StaffLogin, session: SessionRow) -> bool:
    """Return whether a person may see and end a session."""
    return login.member.role == OWNER or session.member == login.member.name


@router.get("/sessions", responses=gives(list[StaffSession]))
async def see_sessions(services: ServicesDep, me: Person) -> Response:
    """Return your sessions; owners see everybody's."""
    sessions = [row for row in services.staff.sessions(services.now()) if _sees(me, row)]
    return json_response([_session(row, me) for row in sessions])


def _session(row: SessionRow, me: StaffLogin) -> StaffSession:
    is_current = row.id == me.session.id
    return StaffSession(
        row.id, row.member, row.address, row.started, row.seen, row.until, is_current
    )


@router.delete("/sessions/{id}", status_code=204)
async def end_session(
    id: Annotated[str, Path(max_length=64)], services: ServicesDep, me: Person
) -> Response:
    """End one of your sessions; owners may end any."""
    ids = [row.id for row in services.staff.sessions(services.now()) if _sees(me, row)]
    services.staff.end_session(require(id if id in ids else None, "session"))
    return Response(status_code=204)


# One's own password and authenticator


@router.put("/me/password", status_code=204)
async def change_password(
    password: ChangedPassword, request: Request, services: ServicesDep, me: Person
) -> Response:
    """Change your password; your other sessions end."""
    await services.staff.change_password(
        me, password.old, password.password, services.now(), address(request)
    )
    return Response(status_code=204)


@router.post("/me/two-factor", responses=gives(TwoFactorKey))
async def ask_for_key(
    own: OwnPassword, request: Request, services: ServicesDep, me: Person
) -> Response:
    """Return a new key for your authenticator; it counts once a first code has confirmed it."""
    key = await services.staff.ask_for_key(me, own.password, address(request))
    return json_response(TwoFactorKey(totp.key_text(key), totp.key_uri(key, me.member.name)))


@router.put("/me/two-factor", responses=gives(Staffer))
async def confirm_key(
    code: AuthenticatorCode, request: Request, services: ServicesDep, me: Person
) -> Response:
    """Confirm the key by a first code: from now on your login needs a code."""
    member = await services.staff.confirm_key(me, code.code, services.now, address(request))
    return json_response(_staffer(member))


@router.post("/me/two-factor/off", responses=gives(Staffer))
async def switch_codes_off(
    own: OwnPassword, request: Request, services: ServicesDep, me: Person
) -> Response:
    """Log in without codes from now on."""
    member = await services.staff.drop_key(me, own.password, services.now(), address(request))
    return json_response(_staffer(member))
