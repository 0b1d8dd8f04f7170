"""Authorization of every route, and that each runs in the tables' thread."""

import asyncio
from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from queenhigh.server.app import make_app
from queenhigh.server.guard import HostPolicy
from queenhigh.server.limits import Limits
from tests.server.running_server import AT_ONCE, RunningServer


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as made:
        yield made
        assert made.errors() == ""


#: What each kind of route lets in: by its tag.
LETS_IN = {
    "anyone": {"nobody", "guest", "player", "other player", "floor"},
    "player": {"guest", "player", "other player"},
    "floor": {"floor"},
}
WHO = ("nobody", "guest", "player", "other player", "floor")
KEEPS_OUT = ("login.needed", "floor.only")


def application() -> FastAPI:
    """Return the application with nothing behind it, to look at its routes."""

    class Nothing:
        limits = Limits()
        throttle = SimpleNamespace(admit=None)
        missing_store = None
        peers = None

    services: Any = Nothing()
    made: Any = make_app(services, HostPolicy(), lambda: None)
    inner: FastAPI = made._app
    return inner


def routes(app: FastAPI | None = None) -> list[APIRoute]:
    """Return every route that the application has."""
    return [*_routes_in((app or application()).routes)]


def _routes_in(inside: Iterable[Any]) -> Iterator[APIRoute]:
    for route in inside:
        included = getattr(route, "original_router", None)
        if included is not None:
            yield from _routes_in(included.routes)
        elif isinstance(route, APIRoute):
            yield route


def test_every_described_route_is_looked_at() -> None:
    assert set(application().openapi()["paths"]) <= {route.path for route in routes()}


def cells() -> list[tuple[str, str, str]]:
    """Return method, path and tag of every route."""
    return [
        (method, route.path, str(route.tags[0]))
        for route in routes()
        for method in sorted(route.methods or ())
    ]


def test_every_route_runs_in_the_one_thread_of_the_tables() -> None:
    for route in routes():
        for needed in everything_called(route.dependant):
            assert asyncio.iscoroutinefunction(needed), f"{route.path}: {needed}"


def everything_called(dependant: Dependant) -> Iterator[Any]:
    if dependant.call is not None:
        yield dependant.call
    for inner in dependant.dependencies:
        yield from everything_called(inner)


@pytest.fixture(scope="module")
def keys(served: RunningServer) -> dict[str, dict[str, str]]:
    """Return the headers of everyone."""
    _, guest = served.guest("Guest")
    headers = {"nobody": {}, "guest": {"Cookie": guest}}
    with served.http() as client:
        for visitor, name in (("player", "Hugo"), ("other player", "Ines")):
            answer = client.post("/api/accounts", json={"name": name, "password": "long enough"})
            headers[visitor] = {"Cookie": answer.headers["set-cookie"].split(";")[0]}
    headers["floor"] = {"Authorization": f"Bearer {served.floor_token}"}
    return headers


@pytest.mark.parametrize("visitor", WHO)
@pytest.mark.parametrize(("method", "path", "tag"), cells())
def test_the_authorisation_matrix(
    served: RunningServer,
    keys: dict[str, dict[str, str]],
    method: str,
    path: str,
    tag: str,
    visitor: str,
) -> None:
    names = {
        "table": "ho",
        "round": "1",
        "player": "Nobody",
        "n": "99",
        "report": "voids",
        "form": "json",
        "name": "index.html",
        "correction": "1",
        "number": "1",
        "id": "0",
        "rulebook": "house",
        "kind": "pays",
    }
    address = path.format(**names)
    with served.http(**keys[visitor]) as client:
        if method == "DELETE" and path == "/api/sessions":
            client.headers.pop("Cookie", None)  # it may, and the session is still needed
        answer = client.request(method, address, json=[] if method in ("POST", "PUT") else None)
    kept_out = answer.status_code == 401 and answer.json()["code"] in KEEPS_OUT
    assert kept_out == (visitor not in LETS_IN[tag]), (answer.status_code, answer.text)


def test_a_table_is_closed_by_its_owner_only(
    served: RunningServer, keys: dict[str, dict[str, str]]
) -> None:
    with served.http(**keys["player"]) as owner, served.http(**keys["other player"]) as other:
        assert owner.post("/api/tables", json={"name": "Hugo's"}).status_code == 201
        assert owner.post("/api/tables", json={"name": "Hugo's"}).status_code == 409
        answer = other.delete("/api/tables/Hugo's")
        assert (answer.status_code, answer.json()["code"]) == (403, "table.not_yours")
        assert other.delete("/api/tables/ho").status_code == 403
        assert owner.delete("/api/tables/Hugo's").status_code == 204
        assert owner.delete("/api/tables/Hugo's").status_code == 404
        assert owner.post("/api/tables", json={"name": "Hugo's"}).status_code == 409, (
            "a name is used once"
        )


def test_nobody_opens_many_tables(served: RunningServer, keys: dict[str, dict[str, str]]) -> None:
    with served.http(**keys["other player"]) as client:
        codes = [client.post("/api/tables", json={"name": f"t{n}"}).status_code for n in range(4)]
        assert codes == [201, 201, 201, 429]


def test_a_player_sees_nobody_elses_history(
    served: RunningServer, keys: dict[str, dict[str, str]]
) -> None:
    with served.http(**keys["player"]) as client:
        assert client.get("/api/me/history").json() == []
        assert client.get("/api/me/history", params={"player": "Ines"}).json() == []
