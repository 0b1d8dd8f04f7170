"""What each role may do: every route of the floor, tried by every role and by nobody."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Annotated, Any

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from fastapi.routing import APIRoute

from queenhigh.server.floor_access import Needs, may
from queenhigh.server.row_copy import TABLES
from queenhigh.table.staff import OWNER, READ, ROLES, may_role
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import PASSWORD, add, first_owner, staff_client
from tests.server.test_authorization import everything_called, routes
from tests.verify.verifiers import prove

WHY = {"reason": "a change of shifts"}
SAFE = {"GET", "HEAD"}
#: Routes of the floor that nobody needs a role for.
OPEN = {
    ("GET", "/api/floor/session"),
    ("POST", "/api/floor/owner"),
    ("POST", "/api/floor/sessions"),
    ("DELETE", "/api/floor/sessions"),
}
#: What everyone on the staff may change: their own login.
OWN = {
    ("DELETE", "/api/floor/sessions/{id}"),
    ("PUT", "/api/floor/me/password"),
    ("POST", "/api/floor/me/two-factor"),
    ("PUT", "/api/floor/me/two-factor"),
    ("POST", "/api/floor/me/two-factor/off"),
}
NAMES = {
    "table": "ho", "round": "1", "number": "1", "player": "Ann", "n": "1", "name": "Fay", "id": "x",
    "correction": "1", "report": "voids",
}  # fmt: skip


def floor_routes(app: FastAPI | None = None) -> list[tuple[str, APIRoute]]:
    """Return every method and route of the floor that needs a role."""
    return [
        (method, route)
        for route in routes(app)
        for method in sorted(route.methods or ())
        if (route.path.startswith("/api/floor/") or "floor" in route.tags)
        and (method, route.path) not in OPEN
    ]


def needs_of(route: APIRoute) -> Needs | None:
    """Return what a route needs, by its dependencies."""
    owners = [getattr(call, "__self__", None) for call in everything_called(route.dependant)]
    needs = [owner for owner in owners if isinstance(owner, Needs)]
    return needs[0] if needs else None


def unguarded(app: FastAPI | None = None) -> list[str]:
    """Return the routes of the floor that ask for no permission, or change something by READ."""
    wrong = []
    for method, route in floor_routes(app):
        needs = needs_of(route)
        changes = method not in SAFE and (method, route.path) not in OWN
        if needs is None or (changes and needs.permission == READ):
            wrong.append(f"{method} {route.path}")
    return wrong


def test_every_route_of_the_floor_declares_its_permission() -> None:
    assert len(floor_routes()) > 50
    assert unguarded() == []


def test_a_planted_route_without_permission_is_found() -> None:
    planted = APIRouter(prefix="/api/floor", tags=["floor"])

    @planted.post("/planted")
    async def forgotten() -> None: ...

    @planted.post("/other")
    async def reading(floor: Annotated[str, may(READ)]) -> None: ...

    @planted.get("/fine")
    async def fine(floor: Annotated[str, may(READ)]) -> None: ...

    app = FastAPI()
    app.include_router(planted)
    assert unguarded(app) == ["POST /api/floor/planted", "POST /api/floor/other"]


# By HTTP


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    file = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(file, rooms=rooms, standing=[]) as room:
        room.guest("Ann")
        yield room
        assert room.errors() == ""
    prove(room.db)


@pytest.fixture(scope="module")
def clients(served: RunningServer) -> Iterator[dict[str, httpx.Client]]:
    """Return a client of every role, of a program of every role, and of others."""
    owner = first_owner(served)
    everyone = {
        "nobody": staff_client(served.address),
        "player": served.http(served.guest("Pia")[1]),
        "first token": served.floor(),
        "owner": owner,
        **{role: add(owner, f"The {role}", role) for role in ROLES if role != OWNER},
    }
    for role in ROLES:
        body: dict[str, Any] = {"name": f"{role}s", "role": role, **WHY}
        token = owner.post("/api/floor/tokens", json=body).json()["token"]
        everyone[f"program {role}"] = served.http(Authorization=f"Bearer {token}")
    add(owner, "Fay", "cashier").close()
    assert owner.post("/api/floor/notices", json={"text": "Welcome."}).json() == {"n": 1}
    yield everyone
    for client in everyone.values():
        client.close()


VISITORS = (
    "nobody", "player", "first token", *ROLES, *(f"program {role}" for role in ROLES),
)  # fmt: skip


def refusal(visitor: str, needs: Needs) -> tuple[int, str] | None:
    """Return how a visitor is refused, by the table of permissions alone."""
    if visitor in ("nobody", "player"):
        return 401, "floor.only"
    role = OWNER if visitor == "first token" else visitor.removeprefix("program ")
    if not may_role(role, needs.permission):
        return 403, "role.needed"
    if needs.named and visitor not in ROLES:
        return 403, "staff.named"
    return None


def attempt(client: httpx.Client, method: str, path: str, body: Any = None) -> tuple[int, str]:
    answer = client.request(method, path.format(**NAMES), json=body)
    is_error = answer.status_code >= 400
    return answer.status_code, answer.json()["code"] if is_error else ""


@pytest.mark.parametrize("visitor", VISITORS)
def test_roles_get_in_where_they_may(clients: dict[str, httpx.Client], visitor: str) -> None:
    wrong = []
    for method, route in floor_routes():
        needs = needs_of(route)
        assert needs is not None
        body: Any = [] if method in ("POST", "PUT") else None
        result = attempt(clients[visitor], method, route.path, body)
        expected = refusal(visitor, needs)
        if expected is None:
            is_right = result[1] not in ("floor.only", "role.needed", "staff.named")
        else:
            is_right = result == expected
        if not is_right or result[0] >= 500:
            wrong.append((method, route.path, result, expected))
    assert wrong == []


#: Requests that would change something, if the role allowed it.
BODIES: dict[str, Any] = {
    "POST /api/floor/tables": {"name": "new"},
    "POST /api/floor/notices": {"text": "No smoking."},
    "POST /api/floor/tables/{table}/rules": {"set": {"limits.ante.max": 300}, **WHY},
    "POST /api/floor/staff": {"name": "Eve", "role": "owner", "password": PASSWORD},
    "POST /api/floor/staff/{name}/role": {"role": "owner", **WHY},
    "PUT /api/floor/staff/{name}/password": {"password": PASSWORD},
    "POST /api/floor/tokens": {"name": "more", "role": "owner", **WHY},
    "POST /api/floor/tokens/revoke": {"name": "auditors", **WHY},
}


def contents(file: Path) -> str:
    """Return the log's head and all rows of a server, but for when sessions were used."""
    with closing(sqlite3.connect(file)) as db:
        rows = {table: db.execute(f"select * from {table}").fetchall() for table in TABLES}
        rows["staff_session"] = [row[:5] for row in rows["staff_session"]]
        del rows["session_time"]
        return repr((db.execute("select * from head").fetchall(), rows))


def tried_changes(client: httpx.Client) -> Iterator[tuple[str, tuple[int, str]]]:
    """Try everything that changes more than the sender's own login."""
    last = ("/close", "/remove")  # nothing can be changed after these
    for method, route in sorted(floor_routes(), key=lambda each: each[1].path.endswith(last)):
        if method not in SAFE and (method, route.path) not in OWN:
            name = f"{method} {route.path}"
            yield name, attempt(client, method, route.path, BODIES.get(name, WHY))


@pytest.mark.parametrize("visitor", ["auditor", "program auditor"])
def test_an_auditor_can_change_nothing(
    served: RunningServer, clients: dict[str, httpx.Client], visitor: str
) -> None:
    before = contents(served.db)
    refused = dict(tried_changes(clients[visitor]))
    assert len(refused) > 25
    assert set(refused.values()) == {(403, "role.needed")}
    assert contents(served.db) == before


def test_the_same_requests_change_something_for_an_owner(
    served: RunningServer, clients: dict[str, httpx.Client]
) -> None:
    """The control: these requests are no empty threats."""
    before = contents(served.db)
    results = dict(tried_changes(clients["owner"]))
    done = {name for name, (status, _) in results.items() if status < 300}
    assert done >= set(BODIES), json.dumps(results, indent=1)
    assert contents(served.db) != before
