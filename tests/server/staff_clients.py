"""Members of the staff as clients of a running server."""

import httpx

from tests.server.running_server import RunningServer, http_of

__all__ = [
    "GIVEN",
    "PASSWORD",
    "add",
    "cookie_of",
    "enter",
    "first_owner",
    "log_in",
    "staff_client",
]

PASSWORD = "correct horse battery"
#: The password that an owner gives somebody.
GIVEN = "your first password"


def staff_client(address: str, cookie: str | None = None) -> httpx.Client:
    """Return a client that sends what a page sends, with a session of the staff or without."""
    return http_of(address, cookie, Origin=address)


def first_owner(served: RunningServer, name: str = "Olga") -> httpx.Client:
    """Make the first owner of a room; return their client."""
    with staff_client(served.address) as client:
        body = {"token": served.floor_token, "name": name, "password": PASSWORD}
        answer = client.post("/api/floor/owner", json=body)
    assert answer.status_code == 201, answer.text
    return staff_client(served.address, cookie_of(answer))


def add(owner: httpx.Client, name: str, role: str) -> httpx.Client:
    """Add a member to the staff; return their client, logged in."""
    body = {"name": name, "role": role, "password": GIVEN}
    answer = owner.post("/api/floor/staff", json=body)
    assert answer.status_code == 201, answer.text
    return log_in(str(owner.base_url).rstrip("/"), name, GIVEN)


def enter(address: str, name: str, given: str | None = None) -> str:
    """Log a member in, who may be given a password that is new; return the session's cookie."""
    body = {"name": name, "password": PASSWORD}
    if given is not None:
        body |= {"password": given, "new_password": PASSWORD}
    with staff_client(address) as client:
        answer = client.post("/api/floor/sessions", json=body)
    assert answer.status_code == 200, answer.text
    return cookie_of(answer)


def log_in(address: str, name: str, given: str | None = None) -> httpx.Client:
    """Log a member in; return their client."""
    return staff_client(address, enter(address, name, given))


def cookie_of(answer: httpx.Response) -> str:
    """Return the cookie that an answer sets."""
    return answer.headers["set-cookie"].split(";")[0]
