"""Routes of players: logging in, their own data, and their own tables."""

import json
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from fastapi.requests import Request
from fastapi.responses import Response
from msgspec.json import decode
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError, Refused
from queenhigh.history.hand_history import number_hands
from queenhigh.server.accounts import Player
from queenhigh.server.admin_store import Opening, hash_token
from queenhigh.server.client_address import network_of
from queenhigh.server.event_receipt import EventReceipt
from queenhigh.server.fee_presets import check_fees
from queenhigh.server.frozen_players import ASK
from queenhigh.server.history_responses import BankrollRow, CorrectedPart, Recalled
from queenhigh.server.limits import cost_of_bots
from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.player_tables import (
    check_may_open,
    check_own_rules,
    find_practice,
    has_other_odds,
    practice_spec,
)
from queenhigh.server.responses import Me, OpenedTable, json_response
from queenhigh.server.routes.receipts import Version, receipt_response
from queenhigh.server.services import (
    PlayerDep,
    Services,
    ServicesDep,
    address,
    check_deed,
    check_entry,
    check_units,
    check_work,
    encoded_json,
    token_of,
)
from queenhigh.server.table_spec import TableSpec, find_rulebook
from queenhigh.table.streams import wallet_stream

__all__ = ["entrance", "router"]

entrance = APIRouter(prefix="/api", tags=["anyone"])
_entry = [Depends(check_entry)]
router = APIRouter(prefix="/api", tags=["player"])
_OneLine = Annotated[str, Field(max_length=200)]


class Name(BaseModel):
    """Who somebody wants to be."""

    model_config = ConfigDict(extra="forbid")

    name: _OneLine


class Password(BaseModel):
    """A password."""

    model_config = ConfigDict(extra="forbid")

    password: Annotated[str, Field(max_length=1000)]


class NewPassword(Password):
    """A password, and the one before it if there was one."""

    old: Annotated[str | None, Field(max_length=1000)] = None


class Login(Name, Password):
    """A name and its password."""


def _me(services: Services, player: Player) -> Me:
    return Me(player.name, player.guest, player.frozen, *services.host.chips(player.name))


def _welcome(services: Services, entered: tuple[Player, str]) -> Response:
    player, token = entered
    if not player.frozen:
        services.give_chips(player.name)
    response = json_response(_me(services, player), 201)
    services.enter(response, token)
    return response


@entrance.post("/guests", status_code=201, dependencies=_entry, responses=gives(Me, status=201))
async def enter_as_guest(name: Name, services: ServicesDep) -> Response:
    """Enter as a guest with a name and play chips; a cookie keeps the session."""
    return _welcome(services, services.accounts.new_guest(name.name, services.now()))


@entrance.post("/accounts", status_code=201, dependencies=_entry, responses=gives(Me, status=201))
async def register(login: Login, services: ServicesDep) -> Response:
    """Create an account."""
    return _welcome(
        services, await services.accounts.register(login.name, login.password, services.now())
    )


@entrance.post("/sessions", status_code=201, dependencies=_entry, responses=gives(Me, status=201))
async def log_in(login: Login, request: Request, services: ServicesDep) -> Response:
    """Log in."""
    where = address(request)
    return _welcome(
        services, await services.accounts.log_in(login.name, login.password, services.now(), where)
    )


@entrance.delete("/sessions", status_code=204)
async def log_out(request: Request, services: ServicesDep) -> Response:
    """End the session, and leave every table, unless you are there with another session."""
    token = token_of(request)
    player = services.accounts.player(token, services.now())
    if token:
        services.accounts.log_out(token)
        services.host.sockets.end_session(hash_token(token))
    if token and player is not None:
        services.host.log_out(player.name, hash_token(token))
    response = Response(status_code=204)
    cookie = services.cookie
    response.delete_cookie(cookie.name, path="/", secure=cookie.secure, httponly=True)
    return response


# The player


@router.get("/me", responses=gives(Me))
async def see_me(request: Request, services: ServicesDep, me: PlayerDep) -> Response:
    """Return who you are, what is in your wallet, and where you sit; the session lasts on."""
    response, token = json_response(_me(services, me)), token_of(request)
    if token and services.accounts.renew(hash_token(token), services.now()):
        services.enter(response, token)
    return response


@router.post("/me/chips", responses=gives(Me))
async def ask_for_chips(services: ServicesDep, me: PlayerDep) -> Response:
    """Get new chips if you have almost none left."""
    _check_thawed(me)
    if not services.give_chips(me.name):
        raise Refused("chips.enough", "you still have chips: play them first")
    return json_response(_me(services, me))


@router.post("/me/name", dependencies=[Depends(check_deed)], responses=gives(Me))
async def change_name(name: Name, services: ServicesDep, me: PlayerDep) -> Response:
    """Change a guest's name while they sit at no table; the chips come along."""
    _check_thawed(me)
    new = services.accounts.check_rename(me, name.name)
    services.give_chips(me.name)
    change = services.accounts.rename(me.name, new, services.now())
    services.host.rename(me.name, new, change)
    return json_response(_me(services, Player(new, guest=True)))


@router.put("/me/password", status_code=204, dependencies=[Depends(check_deed)])
async def set_password(
    password: NewPassword, request: Request, services: ServicesDep, me: PlayerDep
) -> Response:
    """Make a guest an account, or change the password; other sessions of yours end."""
    token = token_of(request)
    old, new, where = password.old, password.password, address(request)
    await services.accounts.set_password(me, old, new, token, services.now(), where)
    services.host.sockets.end_other_sessions(hash_token(token or ""), me.name)
    return Response(status_code=204)


_Table = Annotated[str | None, Query(max_length=64)]
_Limit = Annotated[int, Query(ge=1, le=1000)]


@router.get("/me/history", dependencies=[Depends(check_work)], responses=gives(list[Recalled]))
async def see_history(
    services: ServicesDep,
    me: PlayerDep,
    table: _Table = None,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
    limit: _Limit = 10,
) -> Response:
    """Return your rounds, newest first; ``before`` the ``n`` of the last one for more."""
    asked = {"player": me.name, "table": table, "before": before, "limit": limit}
    return encoded_json(await services.workers.history("history", **asked))


@router.get("/me/receipt", dependencies=[Depends(check_work)], responses=gives(EventReceipt))
async def see_receipt(services: ServicesDep, me: PlayerDep, version: Version = None) -> Response:
    """Return a signed receipt of an event of your wallet, by default of the last one."""
    return receipt_response(services.store, wallet_stream(me.name), version)


@router.get("/me/bankroll", dependencies=[Depends(check_work)], responses=gives(list[BankrollRow]))
async def see_bankroll(
    services: ServicesDep,
    me: PlayerDep,
    table: _Table = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1000,
) -> Response:
    """Return your results in your last rounds, and the totals."""
    asked = {"player": me.name, "table": table, "limit": limit}
    return encoded_json(await services.workers.history("bankroll", **asked))


@router.get(
    "/me/corrections",
    dependencies=[Depends(check_work)],
    responses=gives(list[CorrectedPart]),
)
async def see_corrections(
    services: ServicesDep, me: PlayerDep, limit: Annotated[int, Query(ge=1, le=100)] = 20
) -> Response:
    """Return the corrections of your rounds, newest first, wherever your chips are."""
    parts = await services.workers.history("corrections", player=me.name, limit=limit)
    return encoded_json(parts)


@router.get(
    "/me/rounds.jsonl",
    dependencies=[Depends(check_work)],
    responses=gives_text("application/jsonl"),
)
async def export_rounds(
    services: ServicesDep, me: PlayerDep, table: _Table = None, limit: _Limit = 100
) -> Response:
    """Return your rounds as ``queenhigh settle`` reads them."""
    asked = {"player": me.name, "table": table, "limit": limit}
    lines = decode(await services.workers.history("settle_lines", **asked))
    text = "".join(_line(line) for line in lines)
    return Response(text, media_type="application/jsonl")


@router.get(
    "/me/rounds.phhs", dependencies=[Depends(check_work)], responses=gives_text("application/toml")
)
async def export_histories(
    services: ServicesDep, me: PlayerDep, table: _Table = None, limit: _Limit = 100
) -> Response:
    """Return your rounds of poker as hand histories in the PHH format."""
    asked = {"player": me.name, "table": table, "limit": limit}
    histories = decode(await services.workers.history("hand_histories", **asked))
    return Response("".join(number_hands(histories)), media_type="application/toml")


def _line(line: object) -> str:
    return json.dumps(line, ensure_ascii=False) + "\n"


# Own tables


def _check_thawed(me: Player) -> None:
    if me.frozen:
        raise QueenhighError("account.frozen", ASK)


@router.post(
    "/tables",
    status_code=201,
    dependencies=[Depends(check_deed)],
    responses=gives(OpenedTable, status=201),
)
async def open_table(
    spec: TableSpec, request: Request, services: ServicesDep, me: PlayerDep
) -> Response:
    """Open your own table."""
    _open_own(spec, request, services, me)
    return json_response(OpenedTable(spec.name), 201)


class Practice(BaseModel):
    """The game that somebody wants to practise: a shipped rulebook."""

    model_config = ConfigDict(extra="forbid")

    rulebook: Annotated[str, Field(max_length=1000)] = "house"


@router.post(
    "/practice",
    dependencies=[Depends(check_deed)],
    responses=gives(OpenedTable),
)
async def practise(
    request: Request, services: ServicesDep, me: PlayerDep, wanted: Practice | None = None
) -> Response:
    """Open your own table with bots, which the lobby does not list, or return it."""
    rulebook = (wanted or Practice()).rulebook
    name = find_practice(services.host, me.name, rulebook)
    if name is None:
        spec = practice_spec(services.host, rulebook)
        _open_own(spec, request, services, me, practice=True)
        name = spec.name
    return json_response(OpenedTable(name))


def _open_own(
    spec: TableSpec, request: Request, services: Services, me: Player, *, practice: bool = False
) -> None:
    """Open a player's own table, if they may have one more and its rules are allowed."""
    _check_thawed(me)
    check_may_open(services.host, services.limits, me, address(request))
    book = find_rulebook(spec)
    fees = check_fees(book, services.presets, spec.fees)
    if book.fees is not None:
        book = find_rulebook(spec.model_copy(update={"set": {**spec.set, **fees}}))
    check_own_rules(book)
    settings = spec.settings(book)
    check_units(request, cost_of_bots(spec.bots))
    if has_other_odds(book):
        settings = replace(settings, table_chips=True)
    opening = Opening(spec.bots, spec.bots_bank, me.name, practice)
    services.host.open(spec.name, book, settings, opening)
    services.host.table(spec.name).opened_from = network_of(address(request))


@router.delete("/tables/{table}", status_code=204)
async def close_table(
    table: Annotated[str, Path(max_length=64)], services: ServicesDep, me: PlayerDep
) -> Response:
    """Close your own table after its round, once no bet is in prison."""
    live = services.host.table(table)
    if live.owner != me.name:
        raise QueenhighError(
            "table.not_yours", "this is not your table: only its owner can close it"
        )
    await live.closing.request()
    return Response(status_code=204)
