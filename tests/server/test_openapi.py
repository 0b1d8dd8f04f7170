"""Whatever is sent to whatever route, the server has an answer that is not its own failure."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from fastapi import FastAPI
from hypothesis import Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup

from tests.server.served import AT_ONCE, Served
from tests.server.test_who_may import application
from tests.sizes import sized

TABLES = {"ho": {"rulebook": "house", "pace": AT_ONCE}}


def operations(app: FastAPI) -> dict[str, Any]:
    """Return all that the API offers, by name."""
    schema = schemathesis.openapi.from_dict(app.openapi())
    found: list[Any] = list(schema.get_all_operations())
    made = [result.ok() for result in found]
    return {f"{one.method.upper()} {one.path}": one for one in made}


OPERATIONS = operations(application())


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("room") / "room.db", rooms=TABLES) as room:
        yield room
        assert room.errors() == ""


@pytest.fixture(scope="module")
def headers(served: Served) -> dict[str, str]:
    """Return a session and the floor's token, so that every door is open."""
    _, cookie = served.guest("Ann")
    return {"Cookie": cookie, "Authorization": f"Bearer {served.floor_token}"}


@pytest.mark.parametrize("name", OPERATIONS)
def test_no_request_is_too_much(served: Served, headers: dict[str, str], name: str) -> None:
    @settings(max_examples=sized(15, 100, 500))
    @given(case=OPERATIONS[name].as_strategy())
    def ask(case: Any) -> None:
        answer = case.call(base_url=served.address, headers=headers, timeout=300)
        case.validate_response(answer, checks=[not_a_server_error])
        if answer.status_code >= 400:
            assert set(answer.json()) == {"code", "message"}, "every error has the same shape"

    ask()


def test_a_failure_of_the_server_would_be_seen() -> None:
    """The control: a route that breaks."""
    app = FastAPI()

    @app.get("/broken")
    async def broken(number: int) -> int:
        return 1 // (number - number)

    schema = schemathesis.openapi.from_asgi("/openapi.json", app)
    found: Any = next(iter(schema.get_all_operations()))

    @settings(max_examples=10, database=None, phases=[Phase.generate])
    @given(case=found.ok().as_strategy())
    def ask(case: Any) -> None:
        case.validate_response(case.call(), checks=[not_a_server_error])

    with pytest.raises((ZeroDivisionError, FailureGroup, ExceptionGroup)):
        ask()
