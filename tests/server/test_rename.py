"""A guest changes their name: the chips and the own tables come along."""

import asyncio
from pathlib import Path

from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.verifiers import prove

ROOMS = {"ho": {"rulebook": "house", "pace": AT_ONCE}}


def test_chips_and_tables_follow_a_new_name(tmp_path: Path) -> None:
    async def play(served: RunningServer, name: str, cookie: str) -> None:
        async with PlayerClient(served, "ho", name, cookie) as player:
            await player.sit(1, 20_000)
            with served.http(cookie) as client:
                refused = client.post("/api/me/name", json={"name": "Ada"})
                assert refused.json()["code"] == "name.seated"
            await player.do("leave")
            with served.http(cookie) as client:
                client.get("/api/room")
                renamed = client.post("/api/me/name", json={"name": "Ada"})
                assert renamed.status_code == 200, renamed.text
                assert (await player.until_closed())[1] == "logout"
                assert renamed.json()["player"] == "Ada"
                assert renamed.json()["wallet"] == 500_000
                assert client.get("/api/me").json() == renamed.json(), "the session goes on"
                lines = client.get("/api/room").json()["tables"]
                assert [line["owner"] for line in lines if line["table"] == "mine"] == ["Ada"]
                assert client.delete("/api/tables/mine").status_code == 204, "still the owner"
        async with PlayerClient(served, "ho", "Ada", cookie) as ada:
            await ada.sit(1, 500_000)
            await ada.do("leave")

    with RunningServer(tmp_path / "room.db", rooms=ROOMS) as served:
        name, cookie = served.guest("Guest")
        with served.http(cookie) as client:
            assert client.post("/api/tables", json={"name": "mine"}).status_code == 201
        asyncio.run(play(served, name, cookie))
        assert served.guest("Guest")[0] == "Guest 2", "the former name stays taken"
        assert served.guest("GUEST")[0] == "GUEST 3", "and so do names that look like it"
        served.end(15)
        served.start()
        with served.http(cookie) as client:
            assert client.get("/api/me").json()["player"] == "Ada"
        assert served.errors() == ""
    prove(served.db)


def test_names_that_a_guest_cannot_have(tmp_path: Path) -> None:
    with RunningServer(tmp_path / "room.db") as served:
        served.guest("Bob")
        _, cookie = served.guest("Ann")
        with served.http(cookie) as client:
            for name, code in (("bob", "name.taken"), ("floor", "name.invalid")):
                assert client.post("/api/me/name", json={"name": name}).json()["code"] == code
            password = {"password": "a long sentence is best"}
            assert client.put("/api/me/password", json=password).status_code == 204
            refused = client.post("/api/me/name", json={"name": "Ada"}).json()
            assert refused["code"] == "name.fixed"
            assert client.get("/api/me").json()["player"] == "Ann"
