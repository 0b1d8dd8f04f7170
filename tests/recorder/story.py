"""What staff and players do in a recorded room, one after another."""

import hmac
import json
import re
from base64 import b32decode
from pathlib import Path
from typing import Any

from tests.recorder.programs import Room, Socket
from tests.recorder.visitors import Player, Visitors, play

__all__ = ["FEES", "TABLES", "Story"]

_PASSWORD = "correct horse battery"
_HOUSE = Path(__file__).parents[2] / "src/queenhigh/rulebooks/house.toml"
_CHAPTERS = re.split(
    r"^\[(.*)\]\n", Path(__file__).with_name("requests.txt").read_text(), flags=re.M
)
_REQUESTS = dict(zip(_CHAPTERS[1::2], _CHAPTERS[2::2], strict=True))

#: The files of the room's tables, and its presets of fees.
TABLES = {
    "duel": 'rulebook = "california"\npace = "slow"',
    "ir": 'rulebook = "house"\npace = "slow"\nset = {"irregularities.misdeal" = "redeal"}',
    "wheel": 'rulebook = "roulette-european"\npace = "quick"\n'
    'set = {"zero.on_zero" = "en_prison", "zeros" = 3}',
    "still": 'rulebook = "house"',
    "shut": 'rulebook = "house"',
}
FEES = """
[posted]
title = "As in the rulebook"
[evening]
title = "50 cents, and a dollar for the bank"
rates = [{ min = 500, max = 100000, player = 50, banker = 100 }]
"""

#: What stands for the variables of a route, when everybody tries every route.
_SAMPLES = {
    "table": "duel", "round": "1", "number": "1", "correction": "1", "rulebook": "house",
    "kind": "pays", "form": "json", "n": "1", "player": "Bob", "report": "voids", "name": "Aud",
    "id": "0",
}  # fmt: skip


class Story:
    """All that happens in a room. Sockets are recorded at its end, by their names."""

    def __init__(self, room: Room, people: Visitors) -> None:
        self.room, self.people = room, people
        self.sockets: dict[str, Socket] = {}
        self._said = 0
        #: The password that somebody else set for a member, and the one that they chose instead.
        self._passwords: dict[str, tuple[str, str]] = {}

    def tell(self) -> None:
        """Do everything, in order."""
        self._hire()
        self._ask_all("entry")
        self._ask_all("own tables")
        self._say_anything()
        self._duel()
        self._announce_fees()
        self._rule_and_correct()
        self._spin()
        self._bank_against_bots()
        self._lose_everything()
        self._ask_all("looked up")
        self._run_the_floor()
        self._report()
        self._leave()
        self._try_every_route()

    def _ask_all(self, chapter: str) -> None:
        for line in _REQUESTS[chapter].strip().splitlines():
            person, method, path, body = (
                line.split(" ", 3) if line.count(" ") > 2 else [*line.split(" "), ""]
            )
            self._ask(person.removesuffix(":"), f"{method} {path}", json.loads(body or "null"))

    def _ask(self, person: str, request: str, body: Any) -> None:
        """Send a request; a password that somebody else set makes its member choose another."""
        if person in self._passwords and body is not None:
            old, new = self._passwords[person]
            body = {key: new if given == old else given for key, given in body.items()}
        answer = self.people.ask(person, request, body)
        if answer.status == 401 and answer.json["code"] == "password.given":
            chosen = f"{body['password']} again"
            self._passwords[person] = body["password"], chosen
            self.people.ask(person, request, {**body, "new_password": chosen})

    def _connect(self, name: str, person: str, table: str, query: str = "") -> Socket:
        path = f"/api/tables/{table}/socket{query}"
        socket = self.sockets[name] = self.room.open_socket(path, self.people.cookie(person))
        return socket

    def _sit(
        self, person: str, table: str, place: int, wagers: dict[str, int], **more: Any
    ) -> Player:
        """Seat somebody at a table."""
        socket = self._connect(f"{person} at {table}", person, table)
        cents = min(sum(wagers.values()) * 100, 200_000)
        socket.send(type="sit", id=f"sit.{table}", place=place, cents=cents)
        self.room.advance(0.2)
        assert "own" in socket.newest["view"], socket.messages[-1]
        return Player(socket, socket.newest["hello"]["player"], wagers, **more)

    def _say(self, socket: Socket, kind: str, **fields: Any) -> None:
        self._said += 1
        socket.send(type=kind, id=f"{kind}.said.{self._said}", **fields)
        self.room.advance(0.2)

    # Chapters

    def _hire(self) -> None:
        ask = self.people.ask
        token = json.loads(self.room.printed.splitlines()[-1])["floor_token"]
        self.people.tokens["robot"] = token
        owner = {"token": token, "name": "Olga", "password": _PASSWORD}
        ask("nobody", "POST /api/floor/owner", {**owner, "token": "wrong"})
        ask("Olga", "POST /api/floor/owner", owner)
        ask("nobody", "POST /api/floor/owner", owner)
        self._ask_all("staff")
        own = {"password": "another horse battery"}
        secret = ask("Max", "POST /api/floor/me/two-factor", own).json["secret"]
        ask("Max", "PUT /api/floor/me/two-factor", {"code": "000000"})
        ask("Max", "PUT /api/floor/me/two-factor", {"code": self._code(secret)})
        ask("Max", "DELETE /api/floor/sessions")
        login = {"name": "Max", **own}
        ask("Max", "POST /api/floor/sessions", login)
        ask("Max", "POST /api/floor/sessions", {**login, "code": "000000"})
        self.room.advance(60)  # a code counts once
        ask("Max", "POST /api/floor/sessions", {**login, "code": self._code(secret)})
        ask("Max", "POST /api/floor/me/two-factor/off", {"password": "wrong"})
        ask("Max", "POST /api/floor/me/two-factor/off", own)
        self.people.tokens["till"] = ask(
            "Olga", "POST /api/floor/tokens", {"name": "desk", "role": "cashier", "reason": "open"}
        ).json["token"]
        ask("till", "GET /api/floor/glance")
        self._ask("Cass", "POST /api/floor/sessions", {"name": "Cass", "password": _PASSWORD})
        sessions = ask("Olga", "GET /api/floor/sessions").json
        older = min((row["started"], row["id"]) for row in sessions if row["member"] == "Cass")[1]
        ask("Olga", f"DELETE /api/floor/sessions/{older}")
        ask("Aud", f"DELETE /api/floor/sessions/{older}")
        for _ in range(3):  # on their first day none of them is a second person; sessions go on
            self.room.advance(9 * 3600, step=600)
            for person in ("Olga", "Max", "Cass", "Aud", "Nan"):
                ask(person, "GET /api/floor/session")

    def _code(self, secret: str) -> str:
        """Return the code that an authenticator shows now (RFC 6238)."""
        count = (self.room.now // 30_000).to_bytes(8, "big")
        mac = hmac.digest(b32decode(secret), count, "sha1")
        place = mac[-1] & 15
        return f"{(int.from_bytes(mac[place : place + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"

    def _say_anything(self) -> None:
        """Send messages that are refused, and too many."""
        spectator = self._connect("a spectator", "nobody", "house")
        self._say(spectator, "sit", place=1, cents=1000)
        for text in ("{", '{"type": "dance", "id": "1"}', '{"type": "look"}'):
            spectator.send_text(text)
            self.room.advance(0.2)
        spectator.send_text(*['{"type": "look"}'] * 30)
        self.room.advance(1)
        self._connect("nowhere", "Ann", "nowhere")
        self._connect("damaged", "Ann", "bad")

    def _duel(self) -> None:
        """Play with two people, who send every kind of message."""
        ann = self._sit("Ann", "duel", 1, {"ante": 1000, "bonus": 500}, bank=2500)
        bob = self._sit("Bob", "duel", 2, {"ante": 2000, "bonus": 200}, bank=100_000)
        watching = self._connect("a spectator at duel", "nobody", "duel", "?since=1")
        say, one, two = self._say, ann.socket, bob.socket
        say(one, "sit", place=3, cents=1000)
        say(two, "choose", round=1, move="play")
        say(one, "top_up", cents=5000)
        say(one, "top_up", cents=10**9)
        say(two, "stand_aside", aside=True)
        say(two, "stand_aside", aside=False)
        say(two, "want_bank")
        players = [ann, bob]
        play(self.room, players, lambda: ann.is_in("offering") or ann.is_in("betting"))
        if ann.is_in("offering"):
            offered = (
                ann.socket if "own" in one.newest["view"] and ann.view["offered_to"] == 1 else two
            )
            say(offered, "accept_bank", round=1, cents=1)
            say(offered, "decline_bank", round=ann.view["next_round"])
        play(self.room, players, lambda: ann.is_in("betting"))
        better = two if ann.view["round"]["banker"] == 1 else one
        number = ann.round
        say(better, "place_wagers", round=number, wagers=[{"spot": "ante", "cents": 1}])
        say(better, "place_wagers", round=number, wagers=[{"spot": "moon", "cents": 500}])
        say(better, "place_wagers", round=number, wagers=[{"spot": "ante", "cents": 700}])
        say(better, "clear_wagers", round=number)
        say(better, "clear_wagers", round=99)
        say(better, "add_seed", round=number, seed="my own chance")
        say(better, "commit_seed", round=number, commitment="no hash")
        play(self.room, players, lambda: ann.last >= 7)
        say(watching, "look")
        socket = self._connect("Bob at duel again", "Bob", "duel")
        self.room.advance(1)
        socket.close()
        self.room.advance(1)

    def _announce_fees(self) -> None:
        """Announce other fees, twice, withdraw them, and announce them once more."""
        rates = [{"min": 500, "max": 50_000, "player": 150, "banker": 300, "clause": "CA-7"}]
        fees, ask = {"set": {"fees.rates": rates}, "reason": "a long night"}, self.people.ask
        wrong = {"set": {"fees.rates": [{**rates[0], "player": "1%"}]}, "reason": "a share"}
        ask("Max", "POST /api/floor/tables/duel/rules", wrong)
        ask("Max", "POST /api/floor/tables/duel/rules", fees)
        ask("Max", "POST /api/floor/tables/duel/rules", {"least_bank": 700, "reason": "and more"})
        ask("nobody", "GET /api/tables/duel")
        ask("Max", "POST /api/floor/tables/duel/rules/withdraw", {"reason": "a mistake"})
        ask("Max", "POST /api/floor/tables/duel/rules", fees)
        players = [Player(self.sockets[f"{person} at duel"], person, {"ante": 800}, bank=9000)
                   for person in ("Ann", "Bob")]  # fmt: skip
        players[1].name = players[1].socket.newest["hello"]["player"]
        start = players[0].last
        play(self.room, players, lambda: players[0].last >= start + 2)
        self.room.advance(61)
        play(self.room, players, lambda: players[0].last >= start + 5)
        ask("nobody", "GET /api/tables/duel/rules")

    def _rule_and_correct(self) -> None:
        """Rule in a round, deal it again, and correct one that was settled."""
        irma = self._sit("Irma", "ir", 1, {"ante": 400, "pair_plus": 100})
        hugo = self._sit("Hugo", "ir", 2, {"ante": 200}, seeds=False)
        players = [irma, hugo]
        play(self.room, players, lambda: irma.last == 1)
        play(self.room, players, lambda: irma.is_in("revealing") or irma.is_in("deciding"))
        while not irma.is_in("deciding"):
            irma.act()
            self.room.advance(0.25)
        self._ask_all("rulings")
        play(self.room, players, lambda: irma.last == 3)
        play(self.room, players, lambda: irma.is_in("deciding"))
        self._ask_all("corrections")
        play(self.room, players, lambda: irma.last == 6)
        self._say(irma.socket, "leave", when="after_round")
        play(self.room, players, lambda: irma.last == 7)
        self._say(hugo.socket, "leave", when="now")
        self.room.advance(2)

    def _spin(self) -> None:
        """Play at a wheel until bets are in prison, and free again."""
        ann = self._sit("Ann", "wheel", 1, {"red": 1000, "straight 7": 100, "dozen 2": 300})
        irma = self._sit("Irma", "wheel", 2, {"odd": 2000, "split 17 20": 100}, seeds=False)
        self._say(ann.socket, "place_wagers", round=1, wagers=[{"spot": "split 1 3", "cents": 100}])
        play(self.room, [ann, irma], lambda: ann.last >= 4 and "prison" in ann.view)
        play(self.room, [ann, irma], lambda: ann.is_in("betting") and "prison" not in ann.view)
        self._say(irma.socket, "leave")

    def _bank_against_bots(self) -> None:
        """Play and bank at a table of bots; leave the room for a while."""
        ann = self._sit("Ann", "california", 8, {"ante": 500, "bonus": 100}, bank=50_000)
        self._say(ann.socket, "want_bank")
        play(self.room, [ann], lambda: ann.last >= 4)
        ann.socket.close()
        self.room.advance(20)
        socket = self._connect("Ann comes back", "Ann", "california")
        self.room.advance(5)
        self._say(socket, "leave")

    def _lose_everything(self) -> None:
        """Lose all chips, and ask for more."""
        pia = self._sit("Pia", "high", 1, {"straight 7": 200_000})
        self._say(pia.socket, "top_up", cents=295_000)
        pia.wagers[0]["cents"] = 495_000
        play(self.room, [pia], lambda: pia.last == 1)
        self.people.ask("Pia", "POST /api/me/chips")
        self._say(pia.socket, "leave")
        self.people.ask("Pia", "DELETE /api/tables/high")
        self.room.advance(5)

    def _run_the_floor(self) -> None:
        """Do what the floor can do beside that."""
        hugo = self._connect("Hugo at house", "Hugo", "house")
        self._say(hugo, "sit", place=7, cents=100_000)
        self._ask_all("floor")
        text = {"name": "other", "rulebook_text": _HOUSE.read_text(), "reason": "a trial"}
        self.people.ask("Max", "POST /api/floor/tables", text)
        self._say(hugo, "sit", place=7, cents=100_000)

    def _report(self) -> None:
        """Look at every report, in every form, and sign two."""
        ask, until = self.people.ask, self.room.now - 60_000
        self._ask_all("reports")
        for name in ("voids", "collection"):
            report = ask("Cass", f"GET /api/floor/reports/{name}?until={until}").json
            signed = {"report": name, "filter": report["filter"], "digest": report["digest"]}
            ask("Cass", "POST /api/floor/signatures", {**signed, "note": "counted"})
            ask("Cass", "POST /api/floor/signatures", {**signed, "note": "again"})
            ask("Cass", "POST /api/floor/signatures", {**signed, "digest": "00", "note": ""})
            ask("Aud", f"GET /api/floor/reports/{name}.pdf?until={until}")
        self._ask_all("signatures")

    def _leave(self) -> None:
        """Log out at a table, be at one that closes, and at one when the room stops."""
        self._connect("Ann logs out", "Ann", "house")
        self.people.ask("Ann", "DELETE /api/sessions")
        self._connect("at a table that closes", "Bob", "new")
        self.people.ask("Max", "POST /api/floor/tables/new/close", {"reason": "late"})
        self.room.advance(5)
        bob = self._sit("Bob", "house", 6, {"ante": 400, "pair_plus": 100})
        play(self.room, [bob], lambda: bob.is_in("deciding"))  # until the room stops

    def _try_every_route(self) -> None:
        """Send a request to every route from every role, with an empty body."""
        ends = "/api/floor/sessions", "/api/sessions"
        names = sorted(self.people.answered, key=lambda name: (name.endswith(ends), name))
        for name in names:
            request = name
            for variable, value in _SAMPLES.items():
                request = request.replace(f"{{{variable}}}", value)
            body: Any = None if name.startswith(("GET", "DELETE")) else {}
            for person in ("nobody", "Pia", "till", "Aud", "Cass", "Max"):
                self.people.ask(person, request, body)
            self.room.advance(1)
