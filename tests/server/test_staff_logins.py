"""Staff who log in by name: the first owner, sessions, passwords and roles."""

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import queenhigh
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import PASSWORD, add, first_owner, log_in, staff_client
from tests.verify.verifiers import prove

WHY = {"reason": "a change of shifts"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as room:
        yield room
        assert room.errors() == ""
    prove(room.db)


@pytest.fixture(scope="module")
def owner(served: RunningServer) -> Iterator[httpx.Client]:
    """Make the first owner, after what only holds before there is one."""
    with staff_client(served.address) as nobody:
        assert nobody.get("/api/floor/session").json() == {"has_owner": False, "member": None}
        body = {"token": "guess", "name": "Olga", "password": PASSWORD}
        refused = nobody.post("/api/floor/owner", json=body)
        assert (refused.status_code, refused.json()["code"]) == (401, "token.wrong")
    with first_owner(served) as client:
        yield client


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["code"]


def test_first_owner_is_made_once_by_the_first_token(
    served: RunningServer, owner: httpx.Client
) -> None:
    session = owner.get("/api/floor/session").json()
    assert session["has_owner"] is True
    assert (session["member"]["name"], session["member"]["role"]) == ("Olga", "owner")
    assert "change the staff" in session["member"]["permissions"]
    with staff_client(served.address) as nobody:
        body = {"token": served.floor_token, "name": "Mallory", "password": PASSWORD}
        assert code(nobody.post("/api/floor/owner", json=body)) == (409, "owner.exists")


def test_acts_are_logged_with_the_name(owner: httpx.Client) -> None:
    assert owner.post("/api/floor/tables/ho/disable", json=WHY).status_code == 200
    assert owner.post("/api/floor/tables/ho/enable", json=WHY).status_code == 200
    (entry,) = owner.get("/api/floor/log", params={"limit": 1}).json()
    assert (entry["who"], entry["action"], entry["reason"]) == (
        "staff Olga", "enable table", WHY["reason"],
    )  # fmt: skip


def test_wrong_passwords_and_unknown_names_are_refused_alike(
    served: RunningServer, owner: httpx.Client
) -> None:
    with staff_client(served.address) as client:
        for name in ("Olga", "Nobody"):
            body = {"name": name, "password": "wrong password"}
            assert code(client.post("/api/floor/sessions", json=body)) == (401, "login.wrong")
    with log_in(served.address, "OLGA") as again:
        assert again.get("/api/floor/session").json()["member"]["name"] == "Olga"


def test_cookie_is_the_staffs_own_and_strict(served: RunningServer, owner: httpx.Client) -> None:
    with staff_client(served.address) as client:
        body = {"name": "Olga", "password": PASSWORD}
        header = client.post("/api/floor/sessions", json=body).headers["set-cookie"]
        name, *attributes = header.split("; ")
        assert name.startswith("__Host-queenhigh-floor=")
        assert {"HttpOnly", "SameSite=strict", "Secure", "Path=/"} <= set(attributes)
        client.headers["Cookie"] = name
        assert client.get("/api/me").status_code == 401, "a player's login is another one"
        assert client.delete("/api/floor/sessions").status_code == 204
        assert client.get("/api/floor/session").json()["member"] is None


def test_role_changes_and_removals_count_at_once(
    served: RunningServer, owner: httpx.Client
) -> None:
    with add(owner, "Fred", "floor") as fred:
        disable, enable = "/api/floor/tables/ho/disable", "/api/floor/tables/ho/enable"
        assert fred.post(disable, json=WHY).status_code == 200
        role = {"role": "auditor", **WHY}
        assert owner.post("/api/floor/staff/Fred/role", json=role).json()["role"] == "auditor"
        assert code(fred.post(enable, json=WHY)) == (403, "role.needed")
        assert fred.get("/api/floor/log").status_code == 200
        assert owner.post("/api/floor/staff/Fred/remove", json=WHY).json()["removed"] is True
        assert code(fred.get("/api/floor/log")) == (401, "floor.only")
        assert fred.get("/api/floor/session").json()["member"] is None
        assert owner.post(enable, json=WHY).status_code == 200
    body = {"name": "fred", "role": "floor", "password": PASSWORD}
    assert code(owner.post("/api/floor/staff", json=body)) == (409, "name.taken")


def test_last_owner_stays_one(owner: httpx.Client) -> None:
    role = {"role": "floor", **WHY}
    assert code(owner.post("/api/floor/staff/Olga/role", json=role)) == (409, "owner.last")
    assert code(owner.post("/api/floor/staff/Olga/remove", json=WHY)) == (409, "owner.last")


# Sessions and requests from elsewhere


def test_sessions_are_listed_and_ended(served: RunningServer, owner: httpx.Client) -> None:
    with add(owner, "Gus", "cashier") as gus, log_in(served.address, "Gus") as other:
        own = gus.get("/api/floor/sessions").json()
        assert {row["member"] for row in own} == {"Gus"}
        assert [row["current"] for row in own].count(True) == 1
        everyones = owner.get("/api/floor/sessions").json()
        assert {row["member"] for row in everyones} >= {"Gus", "Olga"}
        olgas = next(row["id"] for row in everyones if row["member"] == "Olga")
        assert gus.delete(f"/api/floor/sessions/{olgas}").status_code == 404
        (id,) = [row["id"] for row in own if not row["current"]]
        assert gus.delete(f"/api/floor/sessions/{id}").status_code == 204
        assert other.get("/api/floor/session").json()["member"] is None
        (id,) = [row["id"] for row in gus.get("/api/floor/sessions").json()]
        assert owner.delete(f"/api/floor/sessions/{id}").status_code == 204
        assert code(gus.get("/api/floor/log")) == (401, "floor.only")


NOTICE = {"text": "Welcome."}


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Origin": "https://evil.example"}, (403, "origin.foreign")),
        ({"Origin": "null"}, (403, "origin.foreign")),
        ({"Sec-Fetch-Site": "same-site"}, (403, "origin.foreign")),
        ({"Sec-Fetch-Site": "cross-site"}, (403, "origin.foreign")),
        ({}, (403, "origin.needed")),
        ({"Sec-Fetch-Site": "same-origin"}, (201, "")),
    ],
)
def test_only_the_rooms_own_page_may_use_a_session(
    served: RunningServer,
    owner: httpx.Client,
    headers: dict[str, str],
    expected: tuple[int, str],
) -> None:
    with served.http(owner.headers["Cookie"], **headers) as page:
        answer = page.post("/api/floor/notices", json=NOTICE)
        assert (answer.status_code, answer.json().get("code", "")) == expected


def test_a_form_of_another_site_gets_nowhere(served: RunningServer, owner: httpx.Client) -> None:
    """As a browser would send it that kept no cookie back and named no origin."""
    with served.http(owner.headers["Cookie"]) as form:
        plain = {"Content-Type": "text/plain"}
        body = '{"text": "Welcome."}'
        answer = form.post("/api/floor/notices", content=body, headers=plain)
        assert code(answer) == (403, "origin.needed")
        form.headers["Origin"] = served.address
        answer = form.post("/api/floor/notices", content=body, headers=plain)
        assert code(answer) == (422, "request.invalid")


def test_the_floor_is_shown_in_no_frame(owner: httpx.Client) -> None:
    for path in ("/", "/api/floor/staff"):
        answer = owner.get(path)
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert owner.get("/api/floor/staff").headers["cache-control"] == "no-store"


def test_a_program_needs_its_token_alone(served: RunningServer, owner: httpx.Client) -> None:
    """A cookie does not help a token that is wrong, or of a smaller role."""
    body = {"name": "till", "role": "cashier", **WHY}
    token = owner.post("/api/floor/tokens", json=body).json()["token"]
    cookie = owner.headers["Cookie"]
    with served.http(cookie, Authorization=f"Bearer {token}") as program:
        assert program.get("/api/floor/log").status_code == 200
        assert code(program.post("/api/floor/notices", json=NOTICE)) == (403, "role.needed")
        assert code(program.get("/api/floor/sessions")) == (403, "staff.named")
        revoke = {"name": "till", **WHY}
        assert owner.post("/api/floor/tokens/revoke", json=revoke).json()["revoked"] is True
        assert code(program.get("/api/floor/log")) == (401, "floor.only")
        assert code(owner.post("/api/floor/tokens/revoke", json=revoke)) == (404, "nothing.there")
        assert code(owner.post("/api/floor/tokens", json=body)) == (409, "name.taken")


def test_reasons_are_logged_where_they_may_be_left_out(owner: httpx.Client) -> None:
    opened = {"name": "with a reason", "rulebook": "house", **WHY}
    assert owner.post("/api/floor/tables", json=opened).status_code == 201
    number = owner.post("/api/floor/notices", json={**NOTICE, **WHY}).json()["n"]
    assert owner.delete(f"/api/floor/notices/{number}", params=WHY).status_code == 204
    entries = owner.get("/api/floor/log", params={"limit": 3}).json()
    assert [entry["action"] for entry in entries] == [
        "take notice down", "post notice", "open table",
    ]  # fmt: skip
    assert {entry["reason"] for entry in entries} == {WHY["reason"]}
    assert {entry["who"] for entry in entries} == {"staff Olga"}


def test_tables_are_opened_from_the_text_of_a_rulebook(owner: httpx.Client) -> None:
    text = (Path(queenhigh.__file__).parent / "rulebooks" / "california.toml").read_text()
    wrong = text.replace("\nseats = ", "\nseats = 99").replace("min = ", "min = -", 1)
    answer = owner.post("/api/floor/tables", json={"name": "own", "rulebook_text": wrong})
    assert code(answer) == (400, "rulebook.invalid")
    problems = answer.json()["message"].split("\n")
    assert len(problems) == 2, "all problems at once"
    assert all(re.match(r"the file:\d+: \S+: .+; write .+", problem) for problem in problems)
    both = {"name": "own", "rulebook": "house", "rulebook_text": text}
    assert code(owner.post("/api/floor/tables", json=both)) == (400, "rulebook.two")
    hidden = text.replace('name = "california"', 'name = "custom"', 1)
    hidden = hidden.replace('title = "', 'title = "\\u202e', 1)
    answer = owner.post("/api/floor/tables", json={"name": "own", "rulebook_text": hidden})
    assert code(answer) == (400, "rulebook.text")
    body = {"name": "own", "rulebook_text": text, "bots": 2}
    assert owner.post("/api/floor/tables", json=body).status_code == 201
    assert owner.get("/api/floor/tables/own").json()["phase"] in ("between", "offering")


def test_law_binds_rulebooks_that_are_sent_as_text(owner: httpx.Client) -> None:
    text = (Path(queenhigh.__file__).parent / "rulebooks" / "california.toml").read_text()
    assert text.count('max = 10\nclause = "CA-2"') == 1
    beyond = re.sub(r"^seats = \d+", "seats = 11", text, flags=re.MULTILINE)
    beyond = beyond.replace('max = 10\nclause = "CA-2"', 'max = 12\nclause = "CA-2"')
    answer = owner.post("/api/floor/tables", json={"name": "beyond", "rulebook_text": beyond})
    assert code(answer) == (400, "rulebook.invalid")
    assert "(CA-2)" in answer.json()["message"], "whatever law the text itself claims"


# The first token, at the end: it is revoked for good


def test_first_token_changes_no_staff_and_can_be_revoked(
    served: RunningServer, owner: httpx.Client
) -> None:
    with served.floor() as first:
        assert first.post("/api/floor/tables/ho/disable", json=WHY).status_code == 200
        assert first.post("/api/floor/tables/ho/enable", json=WHY).status_code == 200
        (entry,) = owner.get("/api/floor/log", params={"limit": 1}).json()
        assert entry["who"].startswith("floor from ")
        body = {"name": "Eve", "role": "owner", "password": PASSWORD}
        assert code(first.post("/api/floor/staff", json=body)) == (403, "staff.named")
        revoked = owner.post("/api/floor/tokens/revoke", json={"name": "", **WHY})
        assert revoked.json() == {"name": "", "role": "owner", "revoked": True, "since": 0}
        assert code(first.get("/api/floor/log")) == (401, "floor.only")
        assert first.get("/metrics").status_code == 401


def test_no_new_first_token_is_made_once_it_was_revoked(
    served: RunningServer, owner: httpx.Client
) -> None:
    served.end(signal.SIGTERM)
    served.floor_token = None
    served.start()
    assert served.floor_token is None
    assert owner.get("/api/floor/session").json()["member"]["name"] == "Olga", "sessions go on"
    served.end(signal.SIGTERM)
    serve = [sys.executable, "-m", "queenhigh", "serve", "--port", "0", "--db", str(served.db)]
    done = subprocess.run(
        [*serve, "--new-floor-token"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "revoked the first token" in done.stderr
    served.start()
    assert owner.get("/api/floor/log").status_code == 200
