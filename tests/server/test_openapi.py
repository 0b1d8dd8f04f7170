"""Every response matches its description, and no request makes the server fail."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from typing import Any

import httpx
import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import Phase, given, settings
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from queenhigh.server import openapi
from tests.server.bot_clients import BotClient, play_for
from tests.server.floor_requests import FIRST, FLOOR, Asked, Clients, in_a_round
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import GIVEN, enter, staff_client
from tests.server.test_authorization import application
from tests.server.test_damaged_tables import damage, play
from tests.simulation.compile_once import compile_engine
from tests.sizes import sized

BOOKS = {"ca": "california", "ho": "house", "ro": "roulette", "shut": "house", "still": "house",
         "ir": "house"}  # fmt: skip
LOGIN = {"name": "Hugo", "password": "long enough"}
WAGERS = {"ante": 400, "pair_plus": 100}
DESCRIBED = application().openapi()


def book(name: str, **more: Any) -> dict[str, Any]:
    return {"rulebook": name, **more}


#: By operation: requests that have an answer, in an order in which they have one.
ASKED: dict[str, list[Asked]] = {
    **FIRST,
    "GET /api/room": [Asked("GET", "/api/room")],
    "GET /api/tables/{table}": [Asked("GET", f"/api/tables/{name}") for name in ("ca", "ho", "ro")],
    "GET /api/tables/{table}/rules": [
        Asked("GET", f"/api/tables/{name}/rules{more}")
        for name in ("ca", "ro")
        for more in ("", "?edges=true")
    ],
    "GET /api/tables/{table}/odds": [Asked("GET", "/api/tables/ho/odds")],
    "GET /api/tables/{table}/strategy": [Asked("GET", "/api/tables/ca/strategy")],
    "GET /api/tables/{table}/bank": [Asked("GET", "/api/tables/ho/bank")],
    "POST /api/tables/{table}/advice": [
        Asked("POST", "/api/tables/ho/advice", {"hand": "Qs 6d 4c", "wagers": WAGERS})
    ],
    "GET /api/tables/{table}/numbers": [Asked("GET", "/api/tables/ro/numbers")],
    "GET /api/tables/{table}/rounds/{round}": [
        Asked("GET", f"/api/tables/{name}/rounds/1") for name in ("ca", "ho", "ro")
    ],
    "GET /api/tables/{table}/receipt": [
        Asked("GET", "/api/tables/ho/receipt"),
        Asked("GET", "/api/tables/ca/receipt?version=1"),
    ],
    "GET /api/rulebooks": [Asked("GET", "/api/rulebooks")],
    "GET /api/rulebooks/{rulebook}/sheets/{kind}.{form}": [
        Asked("GET", f"/api/rulebooks/{name}/sheets/{sheet}")
        for name in ("california", "roulette")
        for sheet in ("rule-card.json", "felt.json?paper=a4", "pays.html", "felt.pdf")
    ],
    "GET /api/tables/{table}/sheets/{kind}.{form}": [
        Asked("GET", f"/api/tables/ca/sheets/{sheet}")
        for sheet in ("strategy.json", "fees.json", "fees.html", "fees.pdf?paper=a4")
    ],
    "GET /api/fee-presets": [Asked("GET", "/api/fee-presets")],
    "POST /api/rules": [
        Asked("POST", "/api/rules", book("california")),
        Asked("POST", "/api/rules", book("roulette", set={"zeros": 1})),
        Asked("POST", "/api/rules", {"table": "ho", "set": {"up": 1}}),
    ],
    "POST /api/rulebook-file": [Asked("POST", "/api/rulebook-file", {"table": "ca"})],
    "POST /api/odds": [
        Asked("POST", "/api/odds", book(name)) for name in ("california", "house", "roulette")
    ],
    "POST /api/strategy": [
        Asked("POST", "/api/strategy", book("house")),
        Asked("POST", "/api/strategy", book("california", set={"up": 2})),
    ],
    "POST /api/bank": [Asked("POST", "/api/bank", {"table": "ho"})],
    "POST /api/bank/sample": [
        Asked("POST", "/api/bank/sample", {"table": "ca", "seats": 2, "ante": 500, "bank": 900})
    ],
    "POST /api/advice": [
        Asked("POST", "/api/advice", book("california", hand="Qs 6d 4c", up="Kd")),
    ],
    "POST /api/drill": [Asked("POST", "/api/drill", book("california", hands=3))],
    "POST /api/guests": [Asked("POST", "/api/guests", {"name": "Nora"})],
    "POST /api/accounts": [Asked("POST", "/api/accounts", LOGIN)],
    "POST /api/sessions": [Asked("POST", "/api/sessions", LOGIN)],
    "GET /api/me": [Asked("GET", "/api/me")],
    "POST /api/me/chips": [Asked("POST", "/api/me/chips")],
    "GET /api/me/receipt": [Asked("GET", "/api/me/receipt?version=1")],
    "GET /api/me/history": [Asked("GET", "/api/me/history")],
    "GET /api/me/bankroll": [Asked("GET", "/api/me/bankroll")],
    "GET /api/me/rounds.jsonl": [Asked("GET", "/api/me/rounds.jsonl")],
    "GET /api/me/rounds.phhs": [Asked("GET", "/api/me/rounds.phhs")],
    "POST /api/tables": [Asked("POST", "/api/tables", {"name": "mine"})],
    "POST /api/me/name": [Asked("POST", "/api/me/name", {"name": "Ada"}, "guest")],
    "POST /api/practice": [Asked("POST", "/api/practice", {"rulebook": "house"})],
    **FLOOR,
    "GET /api/me/corrections": [Asked("GET", "/api/me/corrections", None, "Irma")],
    "GET /healthz": [Asked("GET", "/healthz")],
    "GET /readyz": [Asked("GET", "/readyz")],
    "GET /metrics": [Asked("GET", "/metrics")],
}
#: What is somebody else's to say: a rulebook, what was changed in it, what the floor changed, and
#: the events of a history, which docs/log.md describes.
OPEN = {"document", "rulebook", "changes", "value", "before", "after", "events"}


#: Every operation that answers with something, and what it answers.
RESPONSES = {
    f"{method.upper()} {path}": operation["responses"]
    for path, methods in DESCRIBED["paths"].items()
    for method, operation in methods.items()
    if "204" not in operation["responses"]
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    compile_engine()  # or the server would, for its samples
    file = tmp_path_factory.mktemp("room") / "room.db"
    rooms = {name: book(of, pace=AT_ONCE) for name, of in BOOKS.items()}
    play(file)  # at "bad" and "good"
    damage(file, 4)
    # Everyone is broke, and wrong passwords cost no time.
    constants = {"services": {"BROKE": 10**9}, "login_delays": {"_FREE": 10**9}}
    with RunningServer(file, rooms=rooms, constants=constants, hired_ago=48) as room:
        yield room
        assert room.errors().count("\n") == 0, "but for the table that is damaged"


@pytest.fixture(scope="module")
def answers(served: RunningServer) -> dict[str, list[httpx.Response]]:
    """Run bots at every kind of table, then call every operation in order."""
    robots = [BotClient(served, table, place, place) for table, place in
              (("ca", 1), ("ca", 2), ("ho", 3), ("ro", 4))]  # fmt: skip
    asyncio.run(play_for(robots, lambda: all(max(r.rounds, default=0) > 2 for r in robots)))
    return asyncio.run(ask_everything(served, robots[0].cookie))


async def ask_everything(served: RunningServer, cookie: str) -> dict[str, list[httpx.Response]]:
    """Call every operation while a player is in a round, for the floor to rule on."""
    async with in_a_round(served) as irma:
        with all_clients(served, cookie, irma) as clients:
            return await asyncio.to_thread(send_all, served, clients)


def send_all(served: RunningServer, clients: Clients) -> dict[str, list[httpx.Response]]:
    return {
        name: [send(served, clients, request) for request in asked] for name, asked in ASKED.items()
    }


@contextmanager
def all_clients(served: RunningServer, cookie: str, irma: str) -> Iterator[Clients]:
    """Return the clients that send requests; staff log in when they do."""
    robot = served.http(cookie, Authorization=f"Bearer {served.floor_token}")
    staff = {name: staff_client(served.address) for name in ("nobody", "Olga", "Max")}
    made = {"robot": robot, "Irma": served.http(irma)} | staff
    with ExitStack() as stack:
        yield {name: stack.enter_context(each) for name, each in made.items()}


def send(served: RunningServer, clients: Clients, request: Asked) -> httpx.Response:
    """Send a request by the client that it is of."""
    headers = {"Cookie": served.guest("Guest")[1]} if request.by == "guest" else None
    client = clients[{"guest": "robot"}.get(request.by, request.by)]
    if request.by in ("Olga", "Max") and "Cookie" not in client.headers:
        client.headers["Cookie"] = enter(
            served.address, request.by, GIVEN if request.by == "Max" else None
        )
    body = request.body_of(clients)
    return client.request(request.method, request.path, json=body, headers=headers)


# What is answered


def wrong(schema: Any, value: Any) -> str | None:
    """Return what is wrong with a value by a schema of the description."""
    whole = {**schema, "components": DESCRIBED["components"]}
    results = best_match(Draft202012Validator(whole).iter_errors(value))
    return None if results is None else f"{results.json_path}: {results.message[:200]}"


def test_every_operation_is_called() -> None:
    assert set(ASKED) == set(RESPONSES)
    assert len(ASKED) > 85


@pytest.mark.parametrize("name", RESPONSES)
def test_responses_match_their_description(
    answers: dict[str, list[httpx.Response]], name: str
) -> None:
    for answer in answers[name]:
        assert answer.is_success, answer.text
        kinds = RESPONSES[name][str(answer.status_code)]["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in kinds, f"{kind} is not described"
        assert answer.content
        if kind == "application/json":
            schema, value = kinds[kind]["schema"], answer.json()
            assert schema, "anything would do"
            assert value != [], "there is nothing to compare"
            assert wrong(schema, value) is None
            for where, planted in with_a_wrong_field(value):
                assert wrong(schema, planted) is not None, f"{where} may have any field"


def with_a_wrong_field(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value again and again, each time with one field too many somewhere in it."""
    for path in objects(value):
        planted = deepcopy(value)
        part = planted
        for step in path:
            part = part[step]
        part["planted"] = {"wrong": True}
        yield ".".join(map(str, path)), planted


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all objects that are ours to describe; of a list, only its first's."""
    if isinstance(value, dict):
        yield path
        for name, part in value.items():
            if name not in OPEN:
                yield from objects(part, (*path, name))
    elif isinstance(value, list) and value:
        yield from objects(value[0], (*path, 0))


def test_missing_fields_and_wrong_types_are_detected() -> None:
    me = {"player": "Ann", "guest": True, "frozen": False, "wallet": 1, "seats": []}
    schema = {"$ref": "#/components/schemas/Me"}
    assert wrong(schema, me) is None
    assert wrong(schema, {**me, "wallet": "1"}) == "$.wallet: '1' is not of type 'integer'"
    del me["frozen"]
    assert wrong(schema, me) == "$: 'frozen' is a required property"


def test_response_types_and_requests_share_no_name() -> None:
    asked = {
        part["$ref"].rpartition("/")[2]
        for part in find(DESCRIBED["paths"], "requestBody")
        if "$ref" in part
    }
    assert len(asked) > 5
    assert asked & set(openapi._schemas) == set()


def find(value: Any, name: str) -> Iterator[Any]:
    """Yield the schemas under every key of a name."""
    if isinstance(value, dict):
        for key, part in value.items():
            if key == name:
                yield part["content"]["application/json"]["schema"]
            else:
                yield from find(part, name)


def test_openapi_references_exist() -> None:
    text = json.dumps(DESCRIBED)
    for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in DESCRIBED["components"]["schemas"]


# Whatever is sent


def operations(app: FastAPI) -> dict[str, Any]:
    """Return all that the API offers, by name."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    results: list[Any] = list(schema.get_all_operations())
    made = [result.ok() for result in results]
    return {f"{request.method.upper()} {request.path}": request for request in made}


OPERATIONS = operations(application())
AS_DESCRIBED = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def headers(served: RunningServer) -> dict[str, str]:
    """Return a session and the floor's token, so that every door is open."""
    _, cookie = served.guest("Ann")
    return {"Cookie": cookie, "Authorization": f"Bearer {served.floor_token}"}


@pytest.mark.parametrize("name", OPERATIONS)
def test_generated_requests_get_described_responses(
    served: RunningServer, answers: object, headers: dict[str, str], name: str
) -> None:
    if " /api/floor/" in name:  # a person opens doors that no token does; some requests log out
        headers = {"Cookie": enter(served.address, "Olga"), "Origin": served.address}

    @settings(max_examples=sized(8, 40, 500))
    @given(case=OPERATIONS[name].as_strategy())
    def ask(case: Any) -> None:
        answer = case.call(base_url=served.address, headers=headers, timeout=300)
        busy = name == "GET /readyz" and answer.status_code == 503  # a slow disk, and it says so
        checks = [check for check in AS_DESCRIBED if not (busy and check is not_a_server_error)]
        case.validate_response(answer, checks=checks)
        if answer.status_code >= 400 and not busy:
            assert set(answer.json()) == {"code", "message"}, "every error has the same shape"

    ask()


def test_a_server_error_is_detected() -> None:
    """The control: a route that breaks."""
    app = FastAPI()

    @app.get("/broken")
    async def broken(number: int) -> int:
        return 1 // (number - number)

    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    results: Any = next(iter(schema.get_all_operations()))

    @settings(max_examples=10, database=None, phases=[Phase.generate])
    @given(case=results.ok().as_strategy())
    def ask(case: Any) -> None:
        case.validate_response(case.call(), checks=[not_a_server_error])

    with pytest.raises((ZeroDivisionError, FailureGroup, ExceptionGroup)):
        ask()
