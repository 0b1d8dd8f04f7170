"""One person with two names does not pass for two: a new login approves nothing for a day."""

import signal
import time
from base64 import b32decode
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from queenhigh.server import staff_recovery, totp
from tests.server.running_server import RunningServer
from tests.server.staff_clients import GIVEN, PASSWORD, add, first_owner, log_in
from tests.server.test_correction_routes import ROOT, WHY, code, play
from tests.verify.verifiers import prove

HOUR = 3_600_000


class Club:
    """A room whose staff is old: Olga and Oscar own it, Fred and Fay are of the floor."""

    def __init__(self, served: RunningServer) -> None:
        self.served = served
        with first_owner(served) as owner:
            for name, role in {
                "Oscar": "owner", "Fred": "floor", "Fay": "floor", "Gus": "floor", "Ada": "auditor",
            }.items():  # fmt: skip
                add(owner, name, role).close()
        served.wait(25)
        self.clients: dict[str, httpx.Client] = {}
        #: The correction that waits, and those whose approver has to wait.
        self.waiting, self.waited = 0, list[tuple[str, int]]()
        for path in ("disable", "void"):
            self.of("Olga").post(f"{ROOT}/{path}", json=WHY)

    def of(self, name: str) -> httpx.Client:
        """Return somebody's client, logged in."""
        if name not in self.clients:
            self.clients[name] = log_in(self.served.address, name)
        return self.clients[name]

    def add(self, by: str, name: str, role: str = "floor") -> str:
        self.clients[name] = add(self.of(by), name, role)
        return name

    def do(self, by: str, path: str, body: Any = WHY, method: str = "POST") -> None:
        answer = self.of(by).request(method, f"/api/floor/{path}", json=body)
        assert answer.is_success, answer.text

    def ask(self, by: str, round: int = 1) -> int:
        """Ask for a correction that moves something; return its number."""
        for facts in ({"void": True}, {}):
            body = {"round": round, "facts": facts, **WHY}
            answer = self.of(by).post(f"{ROOT}/corrections", json=body)
            if answer.status_code == 201:
                return int(answer.json()["correction"])
        raise AssertionError(answer.text)

    def approve(self, by: str, number: int) -> httpx.Response:
        return self.of(by).post(f"{ROOT}/corrections/{number}/approve")

    def wait(self, hours: float) -> None:
        """Wait some hours, after which everybody logs in again."""
        self.served.wait(hours)
        self.forget()

    def forget(self) -> None:
        """Forget all clients, whose sessions have ended."""
        for client in self.clients.values():
            client.close()
        self.clients.clear()


Way = Callable[[Club], tuple[str, str]]


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    folder = tmp_path_factory.mktemp("club")
    file = folder / "room.db"
    play(file)
    (folder / "clock").write_text("0")
    with RunningServer(file, clock=str(folder / "clock")) as served:
        club = Club(served)
        yield club
        club.forget()
        assert served.errors() == ""
    prove(file)


def added(club: Club) -> tuple[str, str]:
    return "Olga", club.add("Olga", "Eve")


def added_by_the_one_who_approves(club: Club) -> tuple[str, str]:
    return club.add("Olga", "Bea"), "Olga"


def both_added_by_a_third(club: Club) -> tuple[str, str]:
    return club.add("Olga", "Ann"), club.add("Olga", "Amy")


def added_by_somebody_who_was_added(club: Club) -> tuple[str, str]:
    return "Olga", club.add(club.add("Olga", "Otto", "owner"), "Pia")


def promoted(club: Club) -> tuple[str, str]:
    club.do("Olga", "staff/Ada/role", {"role": "floor", **WHY})
    return "Olga", "Ada"


def given_a_password(club: Club) -> tuple[str, str]:
    club.do("Olga", "staff/Fay/password", {"password": GIVEN}, "PUT")
    club.clients["Fay"] = log_in(club.served.address, "Fay", GIVEN)
    return "Olga", "Fay"


def freed_of_codes(club: Club) -> tuple[str, str]:
    """Fred has an authenticator, which Olga switches off."""
    secret = club.of("Fred").post("/api/floor/me/two-factor", json={"password": PASSWORD})
    key = b32decode(secret.json()["secret"])
    shown = totp.code_at(key, (int(time.time()) + 25 * 3600) // 30)
    club.do("Fred", "me/two-factor", {"code": shown}, "PUT")
    club.do("Olga", "staff/Fred/two-factor/off", None)
    return "Olga", "Fred"


def asked_before_the_other_was_added(club: Club) -> tuple[str, str]:
    """The one who asks adds the other only afterwards, and is then removed."""
    owner = club.add("Oscar", "Odd", "owner")
    club.waiting = club.ask(owner)
    club.add(owner, "Max", "owner")
    club.do("Max", f"staff/{owner}/remove")
    return owner, "Max"


#: The ways of being two people, and what the refusal says was changed.
SAYS: dict[Way, str] = {
    added: "your login",
    added_by_the_one_who_approves: "the login of Bea",
    both_added_by_a_third: "both your logins",
    added_by_somebody_who_was_added: "your login",
    promoted: "your login",
    given_a_password: "your login",
    freed_of_codes: "your login",
    asked_before_the_other_was_added: "your login",
}


@pytest.mark.parametrize("way", SAYS, ids=lambda way: way.__name__)
def test_one_person_with_two_names_waits(club: Club, way: Way) -> None:
    club.waiting = 0
    asker, approver = way(club)
    number = club.waiting or club.ask(asker)
    answer = club.approve(approver, number)
    assert code(answer) == (403, "correction.wait"), answer.text
    line = club.of(approver).get(f"{ROOT}/corrections/{number}").json()
    day = line["approve_from"] - line["at"]
    assert 23 * HOUR < day < 25 * HOUR
    assert f" made or changed {SAYS[way]}" in answer.json()["message"]
    assert line["made_by"] in {"Olga", "Otto", "Odd"}
    for path in ("corrections", "rounds/t/1"):
        seen = club.of(approver).get(f"/api/floor/{path}").json()
        lines = seen["corrections"] if "round" in path else seen
        assert line in lines
    assert "approve_from" not in club.of("Gus").get(f"{ROOT}/corrections/{number}").json()
    club.waited.append((approver, number))


def test_two_old_colleagues_correct_at_once(club: Club) -> None:
    """The control, after all of that: others were added and helped, they were not."""
    number = club.ask("Oscar", 2)
    assert club.approve("Gus", number).json()["status"] == "made"


def test_a_day_later_they_may_approve(club: Club) -> None:
    assert len(club.waited) == len(SAYS)
    club.wait(23.9)
    assert code(club.approve(*club.waited[0])) == (403, "correction.wait")
    club.wait(0.1)
    first, *others = [club.approve(*each) for each in club.waited]
    assert first.json()["status"] == "made"
    with club.served.http() as anyone:
        proof = anyone.get("/api/tables/t/rounds/1").json()
    assert [each["makers"] for each in proof["corrections"]] == [[]], "nobody since a day"
    assert {code(each) for each in others} == {(400, "correction.same")}, "they moved the same"


@pytest.mark.full
def test_nobody_approves_whom_the_command_line_helped(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An owner whose password was set in a shell, and those they help in turn, approve nothing."""
    owner, server = "Oscar", club.served
    club.forget()
    server.end(signal.SIGTERM)
    ahead = int(server.db.with_name("clock").read_text())
    monkeypatch.setattr(staff_recovery, "now", lambda: time.time_ns() // 1_000_000 + ahead)
    staff_recovery.help_owner(server.db, server.db.with_name("keys"), owner, GIVEN, codes_off=False)
    server.start()
    club.clients[owner] = log_in(server.address, owner, GIVEN)
    club.do(owner, "staff/Fay/password", {"password": GIVEN}, "PUT")
    club.clients["Fay"] = log_in(server.address, "Fay", GIVEN)
    number = club.ask("Gus", 2)
    for name in (owner, "Fay"):
        answer = club.approve(name, number)
        assert code(answer) == (403, "correction.wait")
        assert answer.json()["message"].endswith(
            "after the command line made or changed your login"
        )
    assert club.approve("Fred", number).json()["status"] == "made"
    club.do(owner, "staff/Ada/password", {"password": GIVEN}, "PUT")
    club.clients["Ada"] = log_in(server.address, "Ada", GIVEN)
    number = club.ask("Ada", 2)
    assert club.approve("Gus", number).json()["status"] == "made"
    with server.http() as anyone:
        proof = anyone.get("/api/tables/t/rounds/2").json()
    *_, last = proof["corrections"]
    made = {(each["member"], each["maker"]) for each in last["makers"]}
    assert made == {("Ada", owner), ("Ada", "")}, "which makes them two people all the same"
