"""Requests to every route of the floor that have an answer, in an order in which they have one.

An owner, Olga, and Max of the floor send them, and a player is in a round at the table ``ir``.
"""

import time
from base64 import b32decode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx

import queenhigh
from queenhigh.server import totp
from tests.server.player_client import PlayerClient
from tests.server.running_server import RunningServer
from tests.server.staff_clients import GIVEN, PASSWORD

__all__ = ["FIRST", "FLOOR", "Asked", "Clients", "in_a_round"]

WHY = {"reason": "a slow night"}
HOUSE = Path(queenhigh.__file__).parent / "rulebooks" / "house.toml"
ROOT = "/api/floor"
#: The clients that send requests, by name.
Clients = dict[str, httpx.Client]


class Asked(NamedTuple):
    """A request: who sends it, and a body, which may depend on answers before it."""

    method: str
    path: str
    body: Any = None
    #: A robot with the floor's token, a new guest, nobody, Irma who plays, or Olga and Max of the
    #: staff.
    by: str = "robot"

    def body_of(self, clients: Clients) -> Any:
        """Return the body to send now."""
        return self.body(clients) if callable(self.body) else self.body


def olga(method: str, path: str, body: Any = None) -> Asked:
    return Asked(method, f"{ROOT}{path}", body, "Olga")


def max_(method: str, path: str, body: Any = None) -> Asked:
    return Asked(method, f"{ROOT}{path}", body, "Max")


def first_code(clients: Clients) -> dict[str, str]:
    """Return the code that confirms a new key."""
    key = clients["Olga"].post(f"{ROOT}/me/two-factor", json=OWN).json()["secret"]
    return {"code": totp.code_at(b32decode(key), int(time.time()) // 30)}


def voids_to_sign(clients: Clients) -> dict[str, Any]:
    """Return what a signature of a report is given."""
    until = str(int(time.time() * 1000) - 60_000)
    report = clients["Olga"].get(f"{ROOT}/reports/voids", params={"until": until}).json()
    return {"report": "voids", "filter": report["filter"], "digest": report["digest"], "note": ""}


def owner(clients: Clients) -> dict[str, str]:
    """Return the first owner, with the token that the robot has."""
    token = clients["robot"].headers["Authorization"].removeprefix("Bearer ")
    return {"token": token, "name": "Olga", "password": PASSWORD}


def member(name: str, role: str) -> dict[str, str]:
    return {"name": name, "role": role, "password": GIVEN}


OWN = {"password": PASSWORD}
FACTS = {"round": 1, "facts": {"void": True}}
RULING = {"kind": "exposed_player", "place": 1}
REPORTS = (
    "collection",
    "fees",
    "bankers",
    "results",
    "voids",
    "incidents",
    "corrections",
    "offers",
)
OLDER = ("collection", "offers", "voids", "results")


def names(*each: str) -> Callable[[str], list[Asked]]:
    return lambda end: [olga("GET", f"/reports/{name}{end}") for name in each]


#: What comes before everything else: the staff, and notices for the room to show.
FIRST: dict[str, list[Asked]] = {
    "POST /api/floor/owner": [Asked("POST", f"{ROOT}/owner", owner, "nobody")],
    "POST /api/floor/staff": [
        olga("POST", "/staff", member("Max", "floor")),
        olga("POST", "/staff", member("Nan", "cashier")),
    ],
    "POST /api/floor/notices": [
        olga("POST", "/notices", {"text": "The room closes at two."}),
        olga("POST", "/notices", {"text": "No smoking.", "table": "ca", **WHY}),
    ],
}
FLOOR: dict[str, list[Asked]] = {
    "GET /api/floor/session": [
        Asked("GET", f"{ROOT}/session", None, "nobody"),
        olga("GET", "/session"),
    ],
    "POST /api/floor/sessions": [
        Asked("POST", f"{ROOT}/sessions", {"name": "Olga", "password": PASSWORD}, "nobody")
    ],
    "GET /api/floor/sessions": [olga("GET", "/sessions"), max_("GET", "/sessions")],
    "POST /api/floor/staff/{name}/role": [
        olga("POST", "/staff/Nan/role", {"role": "auditor", **WHY})
    ],
    "POST /api/floor/staff/{name}/two-factor/off": [olga("POST", "/staff/Nan/two-factor/off")],
    "POST /api/floor/staff/{name}/remove": [olga("POST", "/staff/Nan/remove", WHY)],
    "GET /api/floor/staff": [olga("GET", "/staff"), max_("GET", "/staff")],
    "GET /api/floor/staff/log": [max_("GET", "/staff/log"), max_("GET", "/staff/log?before=2")],
    "POST /api/floor/tokens": [olga("POST", "/tokens", {"name": "till", "role": "cashier", **WHY})],
    "GET /api/floor/tokens": [olga("GET", "/tokens")],
    "POST /api/floor/tokens/revoke": [olga("POST", "/tokens/revoke", {"name": "till", **WHY})],
    "POST /api/floor/me/two-factor": [olga("POST", "/me/two-factor", OWN)],
    "PUT /api/floor/me/two-factor": [olga("PUT", "/me/two-factor", first_code)],
    "POST /api/floor/me/two-factor/off": [
        olga("POST", "/me/two-factor/off", {"password": PASSWORD})
    ],
    "GET /api/floor/glance": [max_("GET", "/glance")],
    "GET /api/floor/players": [max_("GET", "/players"), max_("GET", "/players?search=Irma")],
    "GET /api/floor/tables/{table}": [max_("GET", "/tables/ca")],
    "GET /api/floor/tables/{table}/log": [
        max_("GET", f"/tables/{name}/log") for name in ("ca", "ro")
    ],
    "GET /api/floor/tables/{table}/rotation": [max_("GET", "/tables/ca/rotation")],
    "GET /api/floor/rounds": [max_("GET", "/rounds"), max_("GET", "/rounds?table=ir&number=1")],
    "GET /api/floor/rounds/{table}/{number}": [
        max_("GET", f"/rounds/{name}/1") for name in ("ca", "ho", "ro")
    ],
    "POST /api/floor/tables/{table}/incidents/preview": [
        max_("POST", "/tables/ir/incidents/preview", RULING)
    ],
    "POST /api/floor/tables/{table}/incidents/clock": [
        max_("POST", "/tables/ir/incidents/clock", {"round": 2}) for _ in range(2)
    ],
    "POST /api/floor/tables/{table}/incidents": [
        max_("POST", "/tables/ir/incidents", {"round": 2, **RULING, **WHY})
    ],
    "GET /api/floor/tables/{table}/incidents": [max_("GET", "/tables/ir/incidents")],
    "POST /api/floor/tables/{table}/corrections/preview": [
        max_("POST", "/tables/ir/corrections/preview", FACTS)
    ],
    "POST /api/floor/tables/{table}/corrections": [
        max_("POST", "/tables/ir/corrections", {**FACTS, **WHY}) for _ in range(3)
    ],
    "GET /api/floor/corrections": [max_("GET", "/corrections")],
    "GET /api/floor/tables/{table}/corrections/{correction}": [
        max_("GET", "/tables/ir/corrections/1")
    ],
    "GET /api/floor/tables/{table}/corrections/{correction}/preview": [
        max_("GET", "/tables/ir/corrections/1/preview")
    ],
    "POST /api/floor/tables/{table}/corrections/{correction}/withdraw": [
        max_("POST", "/tables/ir/corrections/3/withdraw", WHY)
    ],
    "POST /api/floor/tables/{table}/corrections/{correction}/reject": [
        olga("POST", "/tables/ir/corrections/2/reject", WHY)
    ],
    "POST /api/floor/tables": [
        olga("POST", "/tables", {"name": "new"}),
        olga("POST", "/tables", {"name": "other", "rulebook_text": HOUSE.read_text(), **WHY}),
    ],
    "POST /api/floor/tables/{table}/close": [olga("POST", "/tables/shut/close", WHY)],
    "POST /api/floor/tables/{table}/abandon": [olga("POST", "/tables/bad/abandon", WHY)],
    "POST /api/floor/tables/{table}/disable": [
        olga("POST", "/tables/still/disable", WHY),
        olga("POST", "/tables/ir/disable", WHY),
    ],
    "POST /api/floor/tables/{table}/void": [
        olga("POST", "/tables/ho/void", WHY),
        olga("POST", "/tables/ir/void", WHY),
    ],
    "POST /api/floor/tables/{table}/corrections/{correction}/approve": [
        olga("POST", "/tables/ir/corrections/1/approve")
    ],
    "POST /api/floor/tables/{table}/enable": [olga("POST", "/tables/still/enable", WHY)],
    "POST /api/floor/tables/{table}/rules": [
        olga("POST", "/tables/still/rules", {**WHY, "pace": "quick"}),
        olga("POST", "/tables/ca/rules", {**WHY, "least_bank": 700}),
    ],
    "POST /api/floor/tables/{table}/rules/withdraw": [
        olga("POST", "/tables/ca/rules/withdraw", WHY)
    ],
    "POST /api/floor/accounts/{player}/freeze": [olga("POST", "/accounts/Hugo/freeze", WHY)],
    "POST /api/floor/accounts/{player}/thaw": [olga("POST", "/accounts/Hugo/thaw", WHY)],
    "GET /api/floor/log": [olga("GET", "/log"), Asked("GET", f"{ROOT}/log")],
    "GET /api/floor/processes": [max_("GET", "/processes")],
    "GET /api/floor/reports/{report}.json": names(*OLDER)(".json"),
    "GET /api/floor/reports/{report}.csv": names(*REPORTS)(".csv"),
    "GET /api/floor/reports/{report}.pdf": names("voids")(".pdf"),
    "GET /api/floor/reports/{report}": names(*REPORTS)(""),
    "POST /api/floor/signatures": [olga("POST", "/signatures", voids_to_sign)],
    "GET /api/floor/signatures": [
        max_("GET", "/signatures"),
        max_("GET", "/signatures?check=true"),
    ],
}


@asynccontextmanager
async def in_a_round(served: RunningServer) -> AsyncIterator[str]:
    """Keep a player at the table ``ir``, who has settled one round and decides in the next.

    Yield the cookie of the player.
    """
    async with PlayerClient(served, "ir", "Irma") as irma:
        await irma.sit(1)
        for round in (1, 2):
            await irma.until_phase("betting", round)
            await irma.bet({"ante": 400})
            await irma.until_phase("deciding", round)
            if round == 1:
                await irma.do("choose", round=1, move="play")
                await irma.until_over(1)
        yield irma.cookie
