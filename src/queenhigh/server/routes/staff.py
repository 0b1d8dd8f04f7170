"""Routes of the staff and of programs' tokens: every role may see the staff, owners change it."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.server.current_staff import STAFFING
from queenhigh.server.floor_access import Reader, may, person_who_may
from queenhigh.server.floor_responses import NewToken, StaffLine, StaffLogLine, TokenLine
from queenhigh.server.openapi import gives
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor import Reason
from queenhigh.server.services import Services, ServicesDep
from queenhigh.server.staff_accounts import StaffLogin
from queenhigh.table.staff import Member, Token

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
_Name = Annotated[str, Path(max_length=64)]
_NewName = Annotated[str, Field(max_length=200)]
_Role = Literal["owner", "floor", "cashier", "auditor"]
_Owner = Annotated[StaffLogin, person_who_may(STAFFING)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewMember(_Strict):
    """A person for the staff, and the password they log in with first."""

    name: _NewName
    role: _Role
    password: Annotated[str, Field(max_length=1000)]


class NewRole(Reason):
    """Another role, and why."""

    role: _Role


class GivenPassword(_Strict):
    """A password that an owner gives to a member."""

    password: Annotated[str, Field(max_length=1000)]


class WantedToken(Reason):
    """A token for a program: its name, its role, and why."""

    name: _NewName
    role: _Role


class RevokedToken(Reason):
    """A token that is no longer valid; the empty name is the room's first token."""

    name: _NewName


@router.get("/staff", responses=gives(list[StaffLine]))
async def see_staff(services: ServicesDep, floor: Reader) -> Response:
    """Return all who are or were on the staff, in the order they joined."""
    members = services.staff.staff.roster().members()
    return json_response([_staff_line(services, member) for member in members])


@router.get("/staff/log", responses=gives(list[StaffLogLine]))
async def see_staff_log(
    services: ServicesDep,
    floor: Reader,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return the changes of the staff, newest first."""
    return json_response(services.staff.staff.log(before, limit))


@router.post("/staff", status_code=201, responses=gives(StaffLine, status=201))
async def add_member(new: NewMember, services: ServicesDep, me: _Owner) -> Response:
    """Add a person to the staff."""
    name = await services.staff.changes.add(
        new.name, new.role, new.password, me.sender, services.now()
    )
    return json_response(_line(services, name), 201)


@router.post("/staff/{name}/role", responses=gives(StaffLine))
async def set_role(name: _Name, new: NewRole, services: ServicesDep, me: _Owner) -> Response:
    """Give a member another role, which counts at once."""
    services.staff.changes.set_role(name, new.role, me.sender, services.now(), new.reason)
    return json_response(_line(services, name))


@router.post("/staff/{name}/remove", responses=gives(StaffLine))
async def remove_member(name: _Name, why: Reason, services: ServicesDep, me: _Owner) -> Response:
    """Remove a member for good; their sessions end."""
    services.staff.changes.remove(name, me.sender, services.now(), why.reason)
    return json_response(_line(services, name))


@router.put("/staff/{name}/password", status_code=204)
async def give_password(
    name: _Name, given: GivenPassword, services: ServicesDep, me: _Owner
) -> Response:
    """Give a member another password; their sessions end."""
    await services.staff.changes.set_password(name, given.password, me.sender, services.now())
    return Response(status_code=204)


@router.post("/staff/{name}/two-factor/off", responses=gives(StaffLine))
async def drop_codes(name: _Name, services: ServicesDep, me: _Owner) -> Response:
    """Switch codes off for a member who lost the authenticator."""
    services.staff.changes.drop_codes(name, me.sender, services.now())
    return json_response(_line(services, name))


def _line(services: Services, name: str) -> StaffLine:
    """Return a present or former member as a line."""
    members = services.staff.staff.roster().members()
    return next(_staff_line(services, member) for member in members if member.name == name)


def _staff_line(services: Services, member: Member) -> StaffLine:
    since = services.staff.staff.since("member", member.name)
    return StaffLine(member.name, member.role, member.two_factor, member.removed, since)


# Tokens of programs


@router.get("/tokens", responses=gives(list[TokenLine]))
async def see_tokens(services: ServicesDep, floor: Annotated[str, may(STAFFING)]) -> Response:
    """Return all tokens that are or were valid; the first one comes first."""
    tokens = services.staff.staff.roster().tokens()
    return json_response([_token_line(services, token) for token in tokens])


@router.post("/tokens", status_code=201, responses=gives(NewToken, status=201))
async def grant_token(wanted: WantedToken, services: ServicesDep, me: _Owner) -> Response:
    """Give a program a token of a role; it is shown this once."""
    token = services.staff.changes.grant(
        wanted.name, wanted.role, me.sender, services.now(), wanted.reason
    )
    return json_response(NewToken(wanted.name, token), 201)


@router.post("/tokens/revoke", responses=gives(TokenLine))
async def revoke_token(revoked: RevokedToken, services: ServicesDep, me: _Owner) -> Response:
    """Revoke a token for good."""
    services.staff.changes.revoke(revoked.name, me.sender, services.now(), revoked.reason)
    tokens = services.staff.staff.roster().tokens()
    lines = (_token_line(services, token) for token in tokens if token.name == revoked.name)
    return json_response(next(lines))


def _token_line(services: Services, token: Token) -> TokenLine:
    since = services.staff.staff.since("token", token.name)
    return TokenLine(token.name, token.role, token.revoked, since)
