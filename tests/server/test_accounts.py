"""Guests, accounts, sessions and frozen accounts."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server import passwords as passwords_module
from queenhigh.server.accounts import Accounts, Player
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.admin_store import hash_token
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.server_process import QUICK_HASHER

MINUTE = 60_000
DAY = 24 * 60 * MINUTE


@pytest.fixture
def accounts(monkeypatch: pytest.MonkeyPatch) -> Accounts:
    monkeypatch.setattr(passwords_module, "PasswordHasher", QUICK_HASHER)
    return Accounts(apsw.Connection(":memory:"))


def test_guest_has_a_session_and_a_unique_name(accounts: Accounts) -> None:
    ann, token = accounts.new_guest(" Ann ", 0)
    other, _ = accounts.new_guest("ann", 0)
    assert (ann.name, other.name) == ("Ann", "ann 2")
    assert accounts.player(token, MINUTE) == Player("Ann", guest=True)
    assert accounts.player("guess", MINUTE) is None
    accounts.log_out(token)
    assert accounts.player(token, MINUTE) is None


def test_a_session_ends_thirty_days_after_it_was_used_last(accounts: Accounts) -> None:
    _, idle = accounts.new_guest("Ann", 0)
    _, used = accounts.new_guest("Bob", 0)
    for day in range(1, 60):
        assert (accounts.player(idle, day * DAY) is None) == (day >= 30), "sessions end"
        assert accounts.renew(hash_token(used), day * DAY)
        assert not accounts.renew(hash_token(used), day * DAY + 59 * MINUTE)
    assert not accounts.renew(hash_token(idle), 60 * DAY), "what has ended has ended"
    assert accounts.player(used, 60 * DAY) == Player("Bob", guest=True)
    assert accounts.player(used, 60 * DAY + 30 * DAY) is not None, "nobody was here: one day"


@pytest.mark.parametrize("jump", [-40, 40, 400, 20_000])
def test_setting_the_clock_and_back_ends_no_session(tmp_path: Path, jump: int) -> None:
    """Twelve seconds at another date, in which somebody comes in; put right, and restarted."""
    began = 20_000 * DAY

    def room() -> Accounts:
        db = apsw.Connection(str(tmp_path / "room.db"))
        db.pragma("synchronous", "off")
        return Accounts(db)

    open_room = room()
    tokens = [open_room.new_guest(name, began)[1] for name in ("Ann", "Bob")]
    wrong = began + MINUTE + jump * DAY
    assert all(open_room.player(token, wrong) for token in tokens), "at the wrong time"
    tokens.append(open_room.new_guest("Cyd", wrong + 6_000)[1])
    again = room()
    assert all(again.player(token, wrong + 12_000) for token in tokens), "started at it"
    open_room = room()
    for day in range(28):
        players = [open_room.player(token, began + 2 * MINUTE + day * DAY) for token in tokens]
        assert [player.name for player in players if player] == ["Ann", "Bob", "Cyd"], f"day {day}"


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "floor",
        "Floor from here",
        "Clock",
        "Ada (bot)",
        "a/b",
        "x" * 25,
        "_x",
        "\ud800",
        "Ｆｌｏｏｒ",
        "Eve\u3164",
        "Еve",
    ],
)
def test_invalid_names_are_refused(accounts: Accounts, name: str) -> None:
    with pytest.raises(QueenhighError) as refusal:
        accounts.new_guest(name, 0)
    assert refusal.value.code == "name.invalid"


def test_existing_wallet_cannot_be_taken_over() -> None:
    accounts = Accounts(apsw.Connection(":memory:"), lambda name: name == "Ada")
    assert accounts.new_guest("Ada", 0)[0].name == "Ada 2"
    with pytest.raises(QueenhighError, match="taken"):
        asyncio.run(accounts.register("Ada", "correct horse", 0))


def test_a_password_is_needed(accounts: Accounts) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        with pytest.raises(QueenhighError, match="taken"):
            await accounts.register("bea", "not your current password", 0)
        with pytest.raises(QueenhighError, match="8 to 256"):
            await accounts.register("Cy", "short", 0)
        player, token = await accounts.log_in("BEA", "correct horse", 0)
        assert player == Player("Bea", guest=False)
        assert accounts.player(token, 1) == player
        for name in ("Bea", "Nobody"):
            with pytest.raises(QueenhighError, match="wrong"):
                await accounts.log_in(name, "a wrong one", 0)

    asyncio.run(go())


def test_a_password_is_not_set_for_a_name_that_has_changed(accounts: Accounts) -> None:
    ann, token = accounts.new_guest("Ann", 0)
    change = AdminChange(accounts.rename("Ann", "Ada", 0).rows)

    async def go() -> None:
        hashing = asyncio.create_task(accounts.set_password(ann, None, "correct horse", token, 0))
        await asyncio.sleep(0)
        accounts._rows.write(change)
        with pytest.raises(QueenhighError, match="your name has changed"):
            await hashing
        with pytest.raises(QueenhighError, match="your name has changed"):
            await accounts.set_password(ann, None, "correct horse", token, 0)

    asyncio.run(go())
    assert accounts.named("Ada") == Player("Ada", guest=True)


def test_cancelled_login_blocks_nobody(accounts: Accounts) -> None:
    async def go() -> None:
        await accounts.register("Bea", "correct horse", 0)
        for _ in range(3):
            given_up = asyncio.create_task(accounts.log_in("Bea", "correct horse", 0))
            await asyncio.sleep(0)
            given_up.cancel()
        assert (await accounts.log_in("Bea", "correct horse", 0))[0].name == "Bea"

    asyncio.run(go())


def test_file_has_no_secrets(tmp_path: Path) -> None:
    async def go() -> str:
        accounts = Accounts(apsw.Connection(str(tmp_path / "room.db")))
        _, token = await accounts.register("Bea", "correct horse", 0)
        return token

    token = asyncio.run(go())
    content = (tmp_path / "room.db").read_bytes()
    assert b"correct horse" not in content
    assert token.encode() not in content
    assert b"$argon2id$v=19$m=65536,t=3,p=4$" in content, "as slow to guess as it should be"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {
        "ho": {"rulebook": "house", "pace": AT_ONCE},
        "mine": {"rulebook": "house", "pace": AT_ONCE},
        "wheel": {
            "rulebook": "roulette-european",
            "pace": AT_ONCE,
            "set": {"limits.max": 2**20 * 1_000},
        },
    }
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as made:
        yield made
        assert made.errors() == ""


def test_a_guest_becomes_an_account_and_keeps_everything(served: RunningServer) -> None:
    name, cookie = served.guest("Dee")
    other_name, _ = served.guest("Dee")
    assert other_name != name
    with served.http(cookie) as client:
        assert client.put("/api/me/password", json={"password": "long enough"}).status_code == 204
        me = client.get("/api/me").json()
        assert (me["player"], me["guest"], me["wallet"]) == (name, False, 500_000)
    with served.http() as client:
        login = {"name": name, "password": "long enough"}
        answer = client.post("/api/sessions", json=login)
        assert answer.status_code == 201
        again = answer.headers["set-cookie"].split(";")[0]
        assert (
            client.post("/api/sessions", json=login | {"password": "wrong one"}).status_code == 401
        )
    with served.http(again) as client:
        assert client.delete("/api/sessions").status_code == 204
        assert client.get("/api/me").status_code == 401
    with served.http(cookie) as client:
        assert client.get("/api/me").status_code == 200, "another session lives on"


def test_page_requests_renew_session_and_cookie(served: RunningServer) -> None:
    _, cookie = served.guest("Uma")
    session = hash_token(cookie.partition("=")[2])

    def set_until(shift: int) -> None:
        with closing(sqlite3.connect(served.db)) as db, db:
            change = "update session set until = until + ? where hash = ?"
            db.execute(change, (shift, session))

    with served.http(cookie) as client:
        assert "set-cookie" not in client.get("/api/me").headers, "it is new"
        set_until(-2 * 60 * MINUTE)
        renewed = client.get("/api/me").headers["set-cookie"]
        assert renewed.startswith(cookie)
        assert "max-age=2592000" in renewed.lower()
        assert "set-cookie" not in client.get("/api/me").headers
        set_until(-40 * DAY)
        assert client.get("/api/me").status_code == 401


def test_cookie_is_bound_to_this_host(served: RunningServer) -> None:
    with served.http() as client:
        cookie = client.post("/api/guests", json={"name": "Eli"}).headers["set-cookie"].lower()
    assert cookie.startswith("__host-queenhigh=")
    for part in ("; secure", "; httponly", "; path=/", "; samesite=lax"):
        assert part in cookie
    assert "domain" not in cookie


def test_only_broke_players_get_chips(served: RunningServer) -> None:
    name, cookie = served.guest("Fin")

    async def lose() -> None:
        async with PlayerClient(served, "ho", name, cookie) as fin:
            await fin.sit(7, 495_000)
            await fin.until_phase("betting")

    with served.http(cookie) as client:
        asyncio.run(lose())
        answer = client.post("/api/me/chips")
        assert (answer.status_code, answer.json()["code"]) == (400, "chips.enough")
        wallet = wallet_events(served, name)
        assert [(event["cents"], event["reason"]) for event in wallet if "reason" in event] == [
            (500_000, "to begin with")
        ]
        assert client.get("/api/me").json()["seats"] == [
            {"table": "ho", "place": 7, "cents": 495_000}
        ]


def wallet_events(served: RunningServer, player: str) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(served.db)) as db:
        query = "select event from event join stream on stream.id = stream where name = ?"
        return [json.loads(event) for (event,) in db.execute(query, (f"wallet/{player}",))]


def test_broke_player_gets_a_logged_refill(served: RunningServer) -> None:
    async def lose() -> PlayerClient:
        async with PlayerClient(served, "wheel", "Ivo") as ivo:
            await ivo.sit(1, 500_000)
            while True:
                await ivo.until(lambda: ivo.view["phase"] == "betting" or "waits_for" in ivo.view)
                stack = ivo.view["places"][0]["stack"]
                if not stack:
                    break
                round = ivo.round
                await ivo.bet({"red": min(stack, 2**20 * 1_000)})
                await ivo.until_over(round)
            return ivo

    ivo = asyncio.run(lose())
    with served.http(ivo.cookie) as client:
        before = client.get("/api/me").json()
        assert before["wallet"] == 0
        assert client.post("/api/me/chips").json()["wallet"] == 500_000
        assert client.post("/api/me/chips").status_code == 400
    reasons = [
        event["reason"] for event in wallet_events(served, ivo.name or "") if "reason" in event
    ]
    assert reasons == ["to begin with", "a refill"]


def test_logout_and_new_password_close_open_sockets(served: RunningServer) -> None:
    async def go() -> None:
        name, cookie = served.guest("Jo")
        with served.http(cookie) as client:
            client.put("/api/me/password", json={"password": "long enough"})
        with served.http() as client:
            login = {"name": name, "password": "long enough"}
            entered = client.post("/api/sessions", json=login)
            other = entered.headers["set-cookie"].split(";")[0]
        async with (
            PlayerClient(served, "ho", name, cookie) as thief,
            PlayerClient(served, "ho", name, other) as jo,
        ):
            with served.http(other) as client:
                wrong = {"password": "another sentence", "old": "a guess of mine"}
                assert client.put("/api/me/password", json=wrong).json()["code"] == "password.old"
                client.put("/api/me/password", json=wrong | {"old": "long enough"})
            assert (await thief.until_closed())[1] == "logout"
            await jo.send('{"type":"look"}')
            with served.http(other) as client:
                client.delete("/api/sessions")
            assert (await jo.until_closed())[1] == "logout"

    asyncio.run(go())


def test_a_frozen_account_gets_no_chips_by_logging_in(served: RunningServer) -> None:
    with served.http() as client, served.floor() as admin:
        login = {"name": "Lea", "password": "long enough"}
        assert client.post("/api/accounts", json=login).json()["wallet"] == 500_000
        admin.post("/api/floor/accounts/Lea/freeze", json={"reason": "a bad night"})
        before = wallet_events(served, "Lea")
        assert client.post("/api/sessions", json=login).json()["frozen"] is True
        assert wallet_events(served, "Lea") == before


def test_a_frozen_account_leaves_every_table(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ho", "Kay") as kay:
            await kay.sit(4, 1000)
            async with PlayerClient(served, "mine", kay.name, kay.cookie) as there:
                await there.sit(4, 1000)
                with served.floor() as admin:
                    why = {"reason": "asks too much"}
                    admin.post(f"/api/floor/accounts/{kay.name}/freeze", json=why)
                await kay.until(lambda: "place" not in kay.own)
                await there.until(lambda: "place" not in there.own)

    asyncio.run(play())


def test_a_frozen_account_may_only_leave(served: RunningServer) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ho", "Gil") as gil:
            await gil.sit(2)
            with served.floor() as admin:
                why = {"reason": "counts cards"}
                answer = admin.post(f"/api/floor/accounts/{gil.name}/freeze", json=why)
                assert answer.json() == {"player": gil.name, "frozen": True}
                await gil.refused("account.frozen", "sit", place=3, cents=1000)
                await gil.until(lambda: "place" not in gil.own)
                with served.http(gil.cookie) as client:
                    assert client.post("/api/tables", json={"name": "x"}).status_code == 403
                admin.post(f"/api/floor/accounts/{gil.name}/thaw", json=why)
                await gil.sit(2)
                entries = admin.get("/api/floor/log").json()
                assert [entry["action"] for entry in entries[:2]] == ["thaw", "freeze"]
                assert entries[1]["before"] == {"frozen": False}
                assert entries[1]["after"] == {"frozen": True}
                assert entries[1]["subject"] == gil.name

    asyncio.run(play())
