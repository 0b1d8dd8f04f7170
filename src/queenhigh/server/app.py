"""The application: its routes, one shape for every error, and the guard in front of it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from msgspec import to_builtins
from pydantic import BaseModel
from pydantic_core import ErrorDetails
from starlette.exceptions import HTTPException

from queenhigh import __version__
from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.server.guard import Guard, HostPolicy, error_body, too_many
from queenhigh.server.held_tables import HeldTables
from queenhigh.server.limits import TooMany
from queenhigh.server.openapi import add_schemas
from queenhigh.server.past_rounds import TooLate
from queenhigh.server.peers import Forwarding
from queenhigh.server.routes import (
    corrections,
    floor,
    floor_reports,
    floor_room,
    floor_rounds,
    floor_rules,
    operations,
    page,
    players,
    room,
    rulings,
    sheets,
    signatures,
    staff,
    staff_logins,
)
from queenhigh.server.services import Services
from queenhigh.server.shared_limits import SharedLimits
from queenhigh.server.shared_rows import SharedRows
from queenhigh.server.table_spec import describe_problem

__all__ = ["make_app"]

_log = structlog.get_logger()

#: The HTTP status of each error code.
_STATUS = {
    "login.needed": 401,
    "login.wrong": 401,
    "login.busy": 429,
    "floor.only": 401,
    "token.wrong": 401,
    "code.needed": 401,
    "code.wrong": 401,
    "password.given": 401,
    "role.needed": 403,
    "origin.needed": 403,
    "staff.named": 403,
    "correction.wait": 403,
    "account.frozen": 403,
    "table.not_yours": 403,
    "name.taken": 409,
    "table.exists": 409,
    "owner.exists": 409,
    "owner.last": 409,
    "staff.refused": 409,
    "staff.changed": 409,
    "report.changed": 409,
    "correction.changed": 409,
    "report.signed": 409,
    "report.open": 409,
    "rate": 429,
    "tables.many": 429,
    "books.behind": 503,
    "books.form": 503,
    "busy": 503,
    "room.stops": 503,
    "lease.lost": 503,
    "table.moving": 503,
    "store.failed": 503,
    "store.gone": 503,
    "store.damaged": 503,
    "table.damaged": 503,
    "work.failed": 503,
    "nothing.there": 404,
}


class Error(BaseModel):
    """What every error looks like: a code that stays, and a sentence for people."""

    code: str
    message: str
    #: With ``round.over``, of a settled round: the ``table`` and ``round`` to ask a correction
    #: for, and as far as they are known its ``place`` and ``facts``.
    correction: dict[str, Any] | None = None


def make_app(
    services: Services,
    policy: HostPolicy,
    begin: Callable[[], None],
    renew_editions: Callable[[], None] = lambda: None,
) -> Guard:
    """Return the guarded application; ``begin`` is called in its loop before the first request.

    ``renew_editions`` is called when tables were taken over from another process.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        begin()
        services.host.start()
        _join_others(services, renew_editions)
        loop = asyncio.get_running_loop()
        services.health.start(
            partial(loop.call_soon_threadsafe, services.host.notices.warn_of_slow_disk)
        )
        yield
        services.health.stop()
        if not services.host.stopped:
            services.host.stop()
        services.close()

    app = FastAPI(
        title="Queenhigh",
        version=__version__,
        description="The open card room. Play money only.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # a program would follow with its token, to plain HTTP
        default_response_class=Response,
        responses={"4XX": {"description": "Refused, and why", "model": Error}},
    )
    add_schemas(app)
    app.state.services = services
    app.state.page = page.read_page()
    _add_routes(app)
    _add_error_handlers(app)
    admit, missing, peers = services.throttle.admit, services.missing_store, services.peers
    if peers is None:
        return Guard(app, policy, services.limits, admit, missing)
    forwarding = Forwarding(app, peers)
    return Guard(forwarding, policy, services.limits, admit, missing, peers.client)


def _add_routes(app: FastAPI) -> None:
    of_players = (
        room.router,
        sheets.router,
        players.entrance,
        players.router,
        staff_logins.entrance,
    )
    of_floor = (
        floor,
        floor_room,
        floor_rules,
        floor_rounds,
        floor_reports,
        signatures,
        rulings,
        corrections,
        staff,
        staff_logins,
    )
    of_room = (operations.health, operations.router, page.router)
    for router in (*of_players, *[routes.router for routes in of_floor], *of_room):
        app.include_router(router)


def _join_others(services: Services, renew_editions: Callable[[], None]) -> None:
    """Begin to hold tables, if the room is served together with other processes."""
    if services.membership is not None:
        held = HeldTables(services.host, renew_editions)
        limits = SharedLimits(services.limiter, services.accounts.logins)
        services.membership.start(held, SharedRows(services).look, limits)


#: What players and staff read in the place of a sentence that names commands of a shell.
_SAID_OVER_HTTP = {
    "rulebook.wording": "Wording can't be changed at a table. "
    "Ask the operator for a custom rulebook."
}


def _add_error_handlers(app: FastAPI) -> None:
    """Give every error the same shape."""

    @app.exception_handler(QueenhighError)
    async def refused(request: Request, error: QueenhighError) -> JSONResponse:
        if isinstance(error, BrokenLog):
            _log.error("the log is broken", path=request.url.path, error=str(error))
            return await broken(request, error)
        headers = too_many(error).headers if isinstance(error, TooMany) else None
        sentence = _SAID_OVER_HTTP.get(error.code, str(error))
        body: dict[str, Any] = {**error_body(error.code, sentence)}
        if isinstance(error, TooLate):
            body["correction"] = to_builtins(error.correction, str_keys=True)
        return JSONResponse(body, _status(error.code), headers)

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        wrong: ErrorDetails = error.errors()[0]
        where = ".".join(str(step) for step in wrong["loc"][1:]) or "the request"
        body = error_body("request.invalid", describe_problem(where, wrong))
        return JSONResponse(body, 422)

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> JSONResponse:
        code = {404: "nothing.there", 405: "method.wrong"}.get(error.status_code, "http")
        body = error_body(code, str(error.detail).lower())
        return JSONResponse(body, error.status_code, headers=error.headers)

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        sentence = "something went wrong on our side; it was logged, please try again"
        return JSONResponse(error_body("internal", sentence), 500)


def _status(code: str) -> int:
    return _STATUS.get(code, 404 if code.endswith(".none") else 400)
