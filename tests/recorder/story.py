"""What staff and players do in a recorded room, one after another."""

import hmac
import json
from base64 import b32decode
from pathlib import Path
from typing import Any

from tests.recorder.programs import Room, Socket
from tests.recorder.visitors import Player, Visitors, play

__all__ = ["FEES", "TABLES", "Story"]

_PASSWORD = "correct horse battery"
_HOUSE = Path(__file__).parents[2] / "src/queenhigh/rulebooks/house.toml"

#: The files of the room's tables, and its presets of fees.
TABLES = {
    "duel": 'rulebook = "california"\npace = "slow"',
    "ir": 'rulebook = "house"\npace = "slow"\nset = {"irregularities.misdeal" = "redeal"}',
    "wheel": 'rulebook = "roulette-european"\npace = "slow"\nset = {"zero.on_zero" = "en_prison"}',
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

#: The staff comes in. Requests are one a line: who sends it, what, and its body.
_STAFF = f"""
nobody: GET /api/floor/session
Olga: GET /api/floor/session
Olga: POST /api/floor/staff {{"name": "Max", "role": "floor", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "Cass", "role": "cashier", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "Aud", "role": "auditor", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "Nan", "role": "cashier", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "max", "role": "floor", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "Kim", "role": "king", "password": "{_PASSWORD}"}}
Olga: POST /api/floor/staff {{"name": "Kim", "role": "floor", "password": "short"}}
Max: POST /api/floor/sessions {{"name": "Max", "password": "wrong"}}
Max: POST /api/floor/sessions {{"name": "Max", "password": "{_PASSWORD}"}}
Cass: POST /api/floor/sessions {{"name": "Cass", "password": "{_PASSWORD}"}}
Aud: POST /api/floor/sessions {{"name": "Aud", "password": "{_PASSWORD}"}}
Nan: POST /api/floor/sessions {{"name": "Nan", "password": "{_PASSWORD}"}}
Max: GET /api/floor/session
Olga: GET /api/floor/sessions
Max: GET /api/floor/sessions
Max: PUT /api/floor/me/password {{"old": "{_PASSWORD}", "password": "another horse battery"}}
Max: PUT /api/floor/me/password {{"old": "wrong", "password": "another horse battery"}}
Olga: PUT /api/floor/staff/Nan/password {{"password": "another horse battery"}}
Nan: GET /api/floor/staff
Olga: POST /api/floor/staff/Nan/role {{"role": "auditor", "reason": "a new start"}}
Olga: POST /api/floor/staff/Nan/role {{"role": "auditor"}}
Olga: POST /api/floor/staff/Olga/role {{"role": "floor", "reason": "tired"}}
Olga: POST /api/floor/staff/Nan/two-factor/off
Olga: POST /api/floor/staff/Nan/remove {{"reason": "moved away"}}
Olga: POST /api/floor/staff/Olga/remove {{"reason": "tired"}}
Olga: GET /api/floor/staff
Aud: GET /api/floor/staff
Aud: GET /api/floor/staff/log
Aud: GET /api/floor/staff/log?before=2&limit=1
Olga: POST /api/floor/tokens {{"name": "till", "role": "cashier", "reason": "the till"}}
Olga: POST /api/floor/tokens {{"name": "till", "role": "cashier", "reason": "again"}}
Olga: POST /api/floor/tokens {{"name": "sign", "role": "auditor", "reason": "the sign"}}
Olga: POST /api/floor/tokens/revoke {{"name": "sign", "reason": "sold"}}
Olga: GET /api/floor/tokens
Olga: POST /api/floor/notices {{"text": "The room closes at two."}}
Max: POST /api/floor/notices {{"text": "No smoking.", "table": "duel", "reason": "the law"}}
Max: POST /api/floor/notices {{"text": "A mistake.", "table": "nowhere"}}
Max: POST /api/floor/notices {{"text": "A mistake."}}
Max: DELETE /api/floor/notices/3?reason=a%20mistake
Max: DELETE /api/floor/notices/99
"""
#: Players come in, look around and calculate.
_ENTRY = f"""
nobody: GET /api/room
nobody: GET /api/me
Ann: POST /api/guests {{"name": "Ann"}}
Bob: POST /api/guests {{"name": "Bob"}}
Irma: POST /api/guests {{"name": "Irma"}}
Pia: POST /api/guests {{"name": "Pia"}}
nobody: POST /api/guests {{"name": "Ann"}}
nobody: POST /api/guests {{"name": "<b>"}}
nobody: POST /api/guests {{}}
Hugo: POST /api/accounts {{"name": "Hugo", "password": "{_PASSWORD}"}}
nobody: POST /api/accounts {{"name": "Hugo", "password": "{_PASSWORD}"}}
nobody: POST /api/accounts {{"name": "Hal", "password": "short"}}
Hugo: DELETE /api/sessions
nobody: POST /api/sessions {{"name": "Hugo", "password": "wrong"}}
Hugo: POST /api/sessions {{"name": "Hugo", "password": "{_PASSWORD}"}}
Hugo: PUT /api/me/password {{"old": "{_PASSWORD}", "password": "another horse battery"}}
Hugo: PUT /api/me/password {{"password": "another horse battery"}}
Hugo: POST /api/me/name {{"name": "Hugh"}}
Bob: POST /api/me/name {{"name": "Ann"}}
Bob: POST /api/me/name {{"name": "Robert"}}
Ann: GET /api/me
Ann: POST /api/me/chips
Ann: GET /api/room
nobody: GET /api/tables/nowhere
nobody: GET /api/tables/bad
nobody: GET /api/tables/duel
nobody: GET /api/tables/roulette
nobody: GET /api/tables/duel/rules
nobody: GET /api/tables/wheel/rules?edges=true
nobody: GET /api/tables/house/odds
nobody: GET /api/tables/duel/strategy
nobody: GET /api/tables/roulette/strategy
nobody: GET /api/tables/house/bank
nobody: POST /api/tables/house/advice {{"hand": "Qs 6d 4c", "wagers": {{"ante": 400, "pair_plus": 100}}}}
nobody: POST /api/tables/duel/advice {{"hand": "Qs 6d 4c", "up": "Qs"}}
nobody: GET /api/rulebooks
nobody: GET /api/fee-presets
nobody: POST /api/rules {{"rulebook": "california"}}
nobody: POST /api/rules {{"rulebook": "roulette", "set": {{"zeros": 1}}}}
nobody: POST /api/rules {{"table": "house", "set": {{"up": 1}}}}
nobody: POST /api/rules {{"rulebook": "california", "set": {{"clauses": []}}}}
nobody: POST /api/rulebook-file {{"table": "duel"}}
nobody: POST /api/odds {{"rulebook": "house"}}
nobody: POST /api/odds {{"rulebook": "roulette", "set": {{"nothing": 1}}}}
nobody: POST /api/strategy {{"rulebook": "house"}}
nobody: POST /api/bank {{"rulebook": "california"}}
nobody: POST /api/bank/sample {{"rulebook": "california", "seats": 3, "ante": 500, "bank": 900}}
nobody: POST /api/advice {{"rulebook": "california", "hand": "Qs 6d 4c", "up": "Kd"}}
nobody: POST /api/drill {{"rulebook": "california", "hands": 3}}
nobody: GET /api/rulebooks/california/sheets/rule-card.json
nobody: GET /api/rulebooks/california/sheets/felt.pdf
nobody: GET /api/rulebooks/roulette/sheets/felt.json?paper=a4
nobody: GET /api/rulebooks/house/sheets/pays.html
nobody: GET /api/rulebooks/house/sheets/fees.json
nobody: GET /api/tables/duel/sheets/strategy.json
nobody: GET /api/tables/duel/sheets/fees.html
nobody: GET /api/tables/duel/sheets/fees.pdf?paper=a4
nobody: GET /nowhere
nobody: PUT /api/room
"""
#: Tables of one's own.
_OWN_TABLES = """
Pia: POST /api/tables {"name": "high", "rulebook": "roulette", "set": {"limits.max": 500000}}
Pia: POST /api/tables {"name": "second"}
Ann: POST /api/tables {"name": "Ann's", "bots": 10, "bots_bank": false, "pace": "quick", "fees": "evening"}
Hugo: POST /api/tables {"name": "duel"}
Hugo: POST /api/tables {"name": "x", "set": {"law": []}}
Hugo: POST /api/tables {"name": "generous", "set": {"bonus.pays.pair": "500 to 1"}}
Hugo: POST /api/practice {"rulebook": "house"}
Hugo: POST /api/practice {"rulebook": "nowhere"}
Ann: GET /api/tables/Ann's/rules
Pia: DELETE /api/tables/Ann's
Ann: DELETE /api/tables/Ann's
"""
#: What a player may look up.
_LOOKED_UP = """
Ann: GET /api/me/history
Ann: GET /api/me/history?table=duel&limit=1
Ann: GET /api/me/bankroll
Ann: GET /api/me/bankroll?table=duel&limit=2
Ann: GET /api/me/rounds.jsonl
Ann: GET /api/me/rounds.phhs?table=duel
Ann: GET /api/me/receipt?version=1
Ann: GET /api/me/receipt?version=999
Irma: GET /api/me/corrections
Irma: GET /api/me/history
Irma: GET /api/me
nobody: GET /api/tables/duel/receipt
nobody: GET /api/tables/duel/receipt?version=2
nobody: GET /api/tables/duel/rounds/1
nobody: GET /api/tables/duel/rounds/3
nobody: GET /api/tables/ir/rounds/1
nobody: GET /api/tables/ir/rounds/2
nobody: GET /api/tables/wheel/rounds/1
nobody: GET /api/tables/duel/rounds/99
nobody: GET /api/tables/wheel/numbers
nobody: GET /api/tables/wheel/numbers?limit=1
"""
_FACTS = '"round": 1, "facts": {"moves": {"1": "fold"}}'
_VOID = '"round": 1, "facts": {"void": true}'
#: Before and after a ruling on the round under way at ``ir``.
_RULINGS = """
Max: GET /api/floor/tables/ir/incidents
Max: POST /api/floor/tables/ir/incidents/preview {"kind": "exposed_player", "place": 1}
Max: POST /api/floor/tables/ir/incidents/preview {"kind": "exposed_dealer"}
Max: POST /api/floor/tables/ir/incidents/preview {"kind": "exposed_player", "place": 9}
Max: POST /api/floor/tables/ir/incidents {"kind": "exposed_player", "place": 1, "round": 9, "reason": "seen"}
Max: POST /api/floor/tables/ir/incidents {"kind": "exposed_player", "place": 1, "round": 2, "reason": "seen"}
Max: POST /api/floor/tables/ir/incidents {"kind": "misdeal", "round": 2, "reason": "a card too many"}
Aud: GET /api/floor/tables/ir/incidents
"""
_CORRECTIONS = f"""
Cass: POST /api/floor/tables/ir/corrections/preview {{{_FACTS}}}
Cass: POST /api/floor/tables/ir/corrections/preview {{"round": 99, "facts": {{"void": true}}}}
Cass: POST /api/floor/tables/ir/corrections {{{_FACTS}, "reason": "she folded"}}
Cass: POST /api/floor/tables/ir/corrections {{{_VOID}, "reason": "a foul deck"}}
Cass: POST /api/floor/tables/ir/corrections {{{_VOID}, "reason": "once more"}}
Max: POST /api/floor/tables/ir/corrections {{{_VOID}, "reason": "mine"}}
Aud: GET /api/floor/corrections
Aud: GET /api/floor/corrections?table=ir&limit=1
Aud: GET /api/floor/tables/ir/corrections/1
Aud: GET /api/floor/tables/ir/corrections/99
Aud: GET /api/floor/tables/ir/corrections/1/preview
Cass: POST /api/floor/tables/ir/corrections/1/approve
Max: POST /api/floor/tables/ir/corrections/4/approve
Cass: POST /api/floor/tables/ir/corrections/3/withdraw {{"reason": "a slip"}}
Max: POST /api/floor/tables/ir/corrections/2/withdraw {{"reason": "not mine"}}
Olga: POST /api/floor/tables/ir/corrections/2/reject {{"reason": "it was not"}}
Max: POST /api/floor/tables/ir/corrections/1/approve
Max: POST /api/floor/tables/ir/disable {{"reason": "to correct"}}
Max: POST /api/floor/tables/ir/close {{"reason": "too early"}}
Max: POST /api/floor/tables/ir/void {{"reason": "to correct"}}
Max: POST /api/floor/tables/ir/corrections/1/approve {{"moved": []}}
Max: POST /api/floor/tables/ir/corrections/1/approve
Max: POST /api/floor/tables/ir/corrections/1/approve
Aud: GET /api/floor/tables/ir/corrections/1
Max: POST /api/floor/tables/ir/enable {{"reason": "corrected"}}
"""
_FLOOR = """
Aud: GET /api/floor/glance
Aud: GET /api/floor/players
Aud: GET /api/floor/players?search=irm&limit=1
Aud: GET /api/floor/tables/duel
Aud: GET /api/floor/tables/nowhere
Aud: GET /api/floor/tables/duel/log
Aud: GET /api/floor/tables/duel/log?before=20&limit=5
Aud: GET /api/floor/tables/wheel/log
Aud: GET /api/floor/tables/duel/rotation
Aud: GET /api/floor/tables/ir/rotation
Aud: GET /api/floor/rounds
Aud: GET /api/floor/rounds?table=ir&number=1
Aud: GET /api/floor/rounds?player=Ann&limit=2
Aud: GET /api/floor/rounds/duel/1
Aud: GET /api/floor/rounds/ir/1
Aud: GET /api/floor/rounds/ir/2
Aud: GET /api/floor/rounds/wheel/1
Aud: GET /api/floor/rounds/wheel/99
Max: POST /api/floor/tables {"name": "new"}
Max: POST /api/floor/tables {"name": "duel"}
Max: POST /api/floor/tables {"name": "worse", "rulebook_text": "game = 1", "reason": "a trial"}
Max: POST /api/floor/tables/shut/close {"reason": "a slow night"}
Max: POST /api/floor/tables/still/disable {"reason": "a slow night"}
Max: POST /api/floor/tables/still/enable {"reason": "a slow night"}
Max: POST /api/floor/tables/still/rules {"reason": "a slow night", "pace": "quick", "set": {"seats": 3}}
Max: POST /api/floor/tables/still/rules {"reason": "more", "set": {"limits.ante.max": 900}}
Max: POST /api/floor/tables/still/rules/withdraw {"reason": "nothing was announced"}
Max: POST /api/floor/tables/still/void {"reason": "nothing is played"}
Max: POST /api/floor/tables/still/abandon {"reason": "nothing is wrong"}
Max: POST /api/floor/tables/bad/abandon {"reason": "it cannot go on"}
Cass: POST /api/floor/accounts/Hugo/freeze {"reason": "a complaint"}
Hugo: GET /api/me
Cass: POST /api/floor/accounts/Hugo/thaw {"reason": "it was nothing"}
Cass: POST /api/floor/accounts/Nobody/freeze {"reason": "a complaint"}
Aud: GET /api/floor/log
Aud: GET /api/floor/log?before=3&limit=1
robot: GET /api/floor/log?limit=1
Aud: GET /api/floor/processes
robot: GET /metrics
nobody: GET /healthz
nobody: GET /readyz
"""
_REPORTS = ("collection", "fees", "bankers", "results", "voids", "incidents", "corrections", "offers")
_OLDER_REPORTS = ("collection", "offers", "voids", "results")
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

    def tell(self) -> None:
        """Do everything, in order."""
        self._hire()
        self.people.ask_all(_ENTRY)
        self.people.ask_all(_OWN_TABLES)
        self._say_anything()
        self._duel()
        self._announce_fees()
        self._rule_and_correct()
        self._spin()
        self._bank_against_bots()
        self._lose_everything()
        self.people.ask_all(_LOOKED_UP)
        self._run_the_floor()
        self._report()
        self._leave()
        self._try_every_route()

    def _connect(self, name: str, who: str, table: str, query: str = "") -> Socket:
        path = f"/api/tables/{table}/socket{query}"
        socket = self.sockets[name] = self.room.open_socket(path, self.people.cookie(who))
        return socket

    def _sit(self, who: str, table: str, place: int, wagers: dict[str, int], **more: Any) -> Player:
        """Seat somebody at a table."""
        socket = self._connect(f"{who} at {table}", who, table)
        socket.send(type="sit", id=f"sit.{table}", place=place, cents=200_000)
        self.room.advance(0.2)
        return Player(socket, socket.newest["hello"]["player"], wagers, **more)

    def _say(self, socket: Socket, kind: str, **fields: Any) -> None:
        self._said += 1
        socket.send(type=kind, id=f"{kind}.said.{self._said}", **fields)
        self.room.advance(0.2)

    # Chapters

    def _hire(self) -> None:
        token, ask = self.room.opened["floor_token"], self.people.ask
        self.people.tokens["robot"] = token
        owner = {"token": token, "name": "Olga", "password": _PASSWORD}
        ask("nobody", "POST /api/floor/owner", {**owner, "token": "wrong"})
        ask("Olga", "POST /api/floor/owner", owner)
        ask("nobody", "POST /api/floor/owner", owner)
        self.people.ask_all(_STAFF)
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
        other = ask("Cass", "POST /api/floor/sessions", {"name": "Cass", "password": _PASSWORD})
        assert other.status == 200
        sessions = ask("Olga", "GET /api/floor/sessions").json
        older = min((row["started"], row["id"]) for row in sessions if row["member"] == "Cass")[1]
        ask("Olga", f"DELETE /api/floor/sessions/{older}")
        ask("Aud", f"DELETE /api/floor/sessions/{older}")

    def _code(self, secret: str) -> str:
        """Return the code that an authenticator shows now (RFC 6238)."""
        count = (self.room.now // 30_000).to_bytes(8, "big")
        mac = hmac.digest(b32decode(secret), count, "sha1")
        place = mac[-1] & 15
        return f"{(int.from_bytes(mac[place : place + 4], 'big') & 0x7FFFFFFF) % 10**6:06}"

    def _say_anything(self) -> None:
        """Say what is refused, and too much."""
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
        """Let two people play against each other, with everything that can be said."""
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
            offered = ann.socket if "own" in one.newest["view"] and ann.view["offered_to"] == 1 else two
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
        players = [Player(self.sockets[f"{who} at duel"], who, {"ante": 800}, bank=9000)
                   for who in ("Ann", "Bob")]  # fmt: skip
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
        self.people.ask_all(_RULINGS)
        play(self.room, players, lambda: irma.last == 3)
        play(self.room, players, lambda: irma.is_in("deciding"))
        self.people.ask_all(_CORRECTIONS)
        play(self.room, players, lambda: irma.last == 6)
        self._say(irma.socket, "leave", when="after_round")
        play(self.room, players, lambda: irma.last == 7)
        self._say(hugo.socket, "leave", when="now")
        self.room.advance(2)

    def _spin(self) -> None:
        """Let two people play at a wheel, until bets are in prison and a while longer."""
        ann = self._sit("Ann", "wheel", 1, {"red": 1000, "straight 7": 100, "dozen 2": 300})
        irma = self._sit("Irma", "wheel", 2, {"odd": 2000, "split 17 20": 100}, seeds=False)
        self._say(ann.socket, "place_wagers", round=1, wagers=[{"spot": "split 1 3", "cents": 100}])
        play(self.room, [ann, irma], lambda: ann.last >= 8)
        self._say(irma.socket, "leave")

    def _bank_against_bots(self) -> None:
        """Let somebody play, and bank, at a table of bots; then go away and come back."""
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
        self.people.ask_all(_FLOOR)
        text = {"name": "other", "rulebook_text": _HOUSE.read_text(), "reason": "a trial"}
        self.people.ask("Max", "POST /api/floor/tables", text)
        self._say(hugo, "sit", place=7, cents=100_000)

    def _report(self) -> None:
        """Look at every report, in every form, and sign two."""
        ask, until = self.people.ask, self.room.now - 60_000
        for name in _REPORTS:
            ask("Aud", f"GET /api/floor/reports/{name}")
            ask("Aud", f"GET /api/floor/reports/{name}.csv?zone=America/Los_Angeles")
        for name in _OLDER_REPORTS:
            ask("Aud", f"GET /api/floor/reports/{name}.json")
        ask("Aud", "GET /api/floor/reports/collection?by=shift,rate,role&table=duel&limit=2")
        ask("Aud", "GET /api/floor/reports/fees?player=Ann&shifts=5,17")
        ask("Aud", "GET /api/floor/reports/fees?zone=Mars")
        ask("Aud", "GET /api/floor/reports/nothing")
        for name in ("voids", "collection"):
            report = ask("Cass", f"GET /api/floor/reports/{name}?until={until}").json
            signed = {"report": name, "filter": report["filter"], "digest": report["digest"]}
            ask("Cass", "POST /api/floor/signatures", {**signed, "note": "counted"})
            ask("Cass", "POST /api/floor/signatures", {**signed, "note": "again"})
            ask("Cass", "POST /api/floor/signatures", {**signed, "digest": "00", "note": ""})
            ask("Aud", f"GET /api/floor/reports/{name}.pdf?until={until}")
        ask("Aud", "GET /api/floor/signatures")
        ask("Aud", "GET /api/floor/signatures?check=true&limit=1")

    def _leave(self) -> None:
        """Log out at a table, be at one that closes, and at one when the room stops."""
        self._connect("Ann logs out", "Ann", "house")
        self.people.ask("Ann", "DELETE /api/sessions")
        self._connect("at a table that closes", "Bob", "new")
        self.people.ask("Max", "POST /api/floor/tables/new/close", {"reason": "late"})
        self.room.advance(5)
        self._connect("until the room stops", "Bob", "house")

    def _try_every_route(self) -> None:
        """Let everybody try every route, without a body."""
        ends = "/api/floor/sessions", "/api/sessions"
        names = sorted(self.people.answered, key=lambda name: (name.endswith(ends), name))
        for name in names:
            request = name
            for variable, value in _SAMPLES.items():
                request = request.replace(f"{{{variable}}}", value)
            body = None if name.startswith(("GET", "DELETE")) else {}
            for who in ("nobody", "Bob", "till", "Aud", "Cass", "Max"):
                self.people.ask(who, request, body)
            self.room.advance(1)
