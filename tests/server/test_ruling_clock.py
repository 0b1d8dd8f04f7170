"""The clock stands while the floor rules on a round; who comes too late reads what became of it."""

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

import queenhigh as qh
from queenhigh.errors import Refused
from queenhigh.room.room import now, settings_for
from queenhigh.server import presence
from queenhigh.server.admin_store import Opening
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, Choose, Pace, RuleIncident, VoidRound
from queenhigh.table.events import MoveMade, TimeGiven, decode
from queenhigh.table.registry import FLOOR_LOG
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import add, first_owner
from tests.server.test_clock import Machine, bet, sit
from tests.server.test_host import Spectator
from tests.staffed_room import make_staffed_room
from tests.verify.verifiers import prove

#: People of the staff who may rule.
OLGA, FAY = "staff Olga", "staff Fay"
MOVES = 20_000
WHY = {"reason": "her card fell"}


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A machine with a room that has a staff; both verifiers accept the room afterwards."""
    machine = Machine(make_staffed_room(tmp_path / "room.db"))
    machine.opened = 1_800_000_000_000
    yield machine
    prove(machine.file)


async def deal(host: Host, *, bots: int = 0, rulebook: str = "house") -> LiveTable:
    """Open a table, at which ann has bet, and wait until somebody is asked to decide."""
    book = qh.load(rulebook)
    pace = Pace(moves=MOVES, bets=MOVES)
    host.open("ho", book, settings_for(book, pace=pace), Opening(bots))
    table = host.tables["ho"]
    await sit(host, table, "ann", 6)
    await asyncio.sleep(0.1)
    await bet(table, "ann", "ante" if rulebook == "house" else "red")
    return table


def left(table: LiveTable) -> int:
    """Return how long the players still have."""
    return (table.state.deadline or 0) - now()


def phase(table: LiveTable) -> tuple[str, int]:
    """Return the phase and the round of a table."""
    return table.state.phase, table.state.number


def hands(table: LiveTable) -> set[int]:
    """Return the places that have a bet."""
    return set(table.state.round.wagers) if table.state.round else set()


def shows_ruling(table: LiveTable) -> bool:
    """Return whether everyone at a table can see that the clock is stopped."""
    news = json.loads(table.seen_by(Spectator()))["news"]
    assert "ruling" not in news or news["ruling"] is True
    return "ruling" in news


def log_of(host: Host) -> list[tuple[str, str, Any, str]]:
    """Return what the floor's log says of clocks: by whom, where, what is so, and why."""
    acts = [json.loads(row.event) for row in host.store.read(FLOOR_LOG)]
    return [(act["by"], act["subject"], act["after"], act.get("reason", "")) for act in acts
            if act["action"] == "rule incident" and "clock" in act["after"]]  # fmt: skip


def stopped(round: int = 1, by: str = OLGA) -> tuple[str, str, Any, str]:
    return by, "ho", {"round": round, "clock": "stopped"}, ""


def runs(why: str, round: int = 1, by: str = OLGA) -> tuple[str, str, Any, str]:
    return by, "ho", {"round": round, "clock": "runs"}, why


async def hold(table: LiveTable, seconds: int, by: str = OLGA, round: int = 1) -> None:
    """Keep the dialog of a person open for some seconds: it renews the stop."""
    for _ in range(seconds // 5):
        table.ruling.open(by, round)
        await asyncio.sleep(5)


def test_hand_is_not_folded_while_the_floor_rules(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host)
        await asyncio.sleep(left(table) / 1000 - 1)
        assert table.ruling.open(OLGA, 1) is not None
        await hold(table, 60)
        assert phase(table)[0] == "deciding"
        assert shows_ruling(table)
        await asyncio.sleep(1)
        table.ruling.close(OLGA, 1)
        await asyncio.sleep(0.1)
        assert not shows_ruling(table)
        assert MOVES - 200 < left(table) <= MOVES, "they have their whole time again"
        await asyncio.sleep(MOVES / 1000 + 1)
        assert phase(table) != ("deciding", 1), "the clock runs again"
        events = [decode(row.event) for row in host.store.read("table/ho")]
        deadline = None
        for event in events:  # each time was given before the one before it was over
            if isinstance(event, TimeGiven):
                assert deadline is None or event.at <= deadline
                deadline = event.at + MOVES
        (move,) = [event for event in events if isinstance(event, MoveMade)]
        assert deadline is not None
        assert move.at >= deadline
        assert log_of(host) == [stopped(), runs("the floor's dialog was closed")]

    machine.live(main)


def test_clock_stops_for_two_minutes_once_a_round(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host)
        start = now()
        await hold(table, 60)
        first = table.ruling.open(OLGA, 1)
        second = table.ruling.open(FAY, 1)  # does not extend it, nor is it hers to end
        assert first is not None
        assert second is not None
        assert second.by == OLGA
        assert abs(table.ruling.until(second) - start - 120_000) < 50
        table.ruling.close(FAY, 1)
        await hold(table, 55)
        assert shows_ruling(table)
        await hold(table, 10)
        assert not table.ruling.is_on
        assert table.ruling.open(OLGA, 1) is None, "once a round"
        assert table.ruling.open(FAY, 1) is None
        assert log_of(host) == [stopped(), runs("two minutes were over")]
        await asyncio.sleep(MOVES / 1000 + 6)
        assert table.state.number == 2
        await bet(table, "ann", "ante")
        assert table.ruling.open(FAY, 2) is not None, "another round"
        table.ruling.close(FAY, 2)

    machine.live(main)


def test_clock_runs_again_when_the_connection_is_lost(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host)
        await hold(table, 30)
        await asyncio.sleep(11)
        assert not table.ruling.is_on
        assert log_of(host) == [stopped(), runs("the floor's page was gone")]
        await asyncio.sleep(MOVES / 1000 + 1)
        assert table.state.round is None or table.state.number > 1

    machine.live(main)


def test_ruling_or_void_ends_the_stop(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host)
        table.ruling.open(OLGA, 1)
        rule = RuleIncident(id="r", by=FLOOR, at=now(), round=1, kind="exposed_player", place=6,
                            staff="Fay", reason="seen by others")  # fmt: skip
        await asyncio.sleep(8)
        await table.submit_and_wait(rule)  # the hand plays on (IR-2)
        await asyncio.sleep(0.1)
        assert not table.ruling.is_on
        assert left(table) > MOVES - 200
        await table.submit_and_wait(Choose(id="c", by="ann", at=now(), round=1, move="play"))
        await asyncio.sleep(PAUSE)
        await bet(table, "ann", "ante")
        table.ruling.open(OLGA, 2)
        await table.submit_and_wait(
            VoidRound(id="v", by=FLOOR, at=now(), round=2, reason="a dispute")
        )
        await asyncio.sleep(0.1)
        assert not table.ruling.is_on
        ends = [runs("a ruling was made"), runs("the round was over", round=2)]
        await asyncio.sleep(PAUSE)
        assert phase(table) == ("betting", 3), "the table goes on"
        assert log_of(host) == [stopped(), ends[0], stopped(2), ends[1]]

    machine.live(main)


#: Until bets are open again, in seconds.
PAUSE = 6


def test_people_may_decide_and_bots_wait_meanwhile(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host, bots=2)
        table.arrive(Spectator())
        for _ in range(1000):
            if table.bots._all_know(table.bots.names()):
                break
            time.sleep(0.005)  # they learn in a thread, which knows no virtual time
            await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        assert table.bots._thinking, "they are about to bet"
        table.ruling.open(OLGA, 1)
        await hold(table, 30)
        assert phase(table)[0] == "betting"
        assert hands(table) == {6}, "bots wait"
        table.ruling.close(OLGA, 1)
        while phase(table)[0] == "betting":
            await asyncio.sleep(0.05)
        assert hands(table) == {1, 2, 6}, "and go on"
        choice = Choose(id="c", by="ann", at=now(), round=1, move="play")
        await asyncio.sleep(0.1)
        await table.submit_and_wait(choice)

    machine.live(main)


@pytest.mark.full
def test_bets_at_a_wheel_stay_open_while_the_floor_looks(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host, rulebook="roulette")  # one player: the ball has landed
        await asyncio.sleep(PAUSE)
        await sit(host, table, "bob", 2)
        await bet(table, "ann", "red")
        await hold(table, 45, round=2)
        assert phase(table)[0] == "betting"
        table.ruling.close(OLGA, 2)
        await asyncio.sleep(MOVES / 1000 + 1)
        assert table.state.last is not None
        assert table.state.last.live.number == 2

    machine.live(main)


def test_another_process_counts_on(machine: Machine) -> None:
    async def begin(host: Host) -> None:
        table = await deal(host)
        await hold(table, 60)

    async def go_on(host: Host) -> None:  # the first one was killed: this takes the table
        table = host.tables["ho"]
        await asyncio.sleep(0.1)
        assert table.ruling.is_on
        assert shows_ruling(table)
        assert log_of(host) == [stopped()]
        await hold(table, 65)
        assert phase(table)[0] == "deciding"
        assert log_of(host) == [stopped(), runs("two minutes were over")]

    async def end(host: Host) -> None:
        table = host.tables["ho"]
        assert table.ruling.open(FAY, 1) is None, "once a round, at any process"

    machine.live(begin)
    machine.live(go_on)
    machine.live(end)


@pytest.mark.full
def test_stop_of_a_round_that_ended_meanwhile_is_over(machine: Machine) -> None:
    async def begin(host: Host) -> None:
        table = await deal(host)
        table.ruling.open(OLGA, 1)

    async def later(host: Host) -> None:
        await asyncio.sleep(16)
        assert log_of(host)[-1] == runs("two minutes were over")
        assert host.tables["ho"].state.phase == "deciding"

    machine.live(begin)
    machine.opened += 600_000
    machine.live(later)


@pytest.mark.full
def test_untimed_round_of_one_person_is_held_too(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main(host: Host) -> None:
        monkeypatch.setattr(presence, "STOPS_CLOCK", True)
        table = await deal(host)
        await asyncio.sleep(1)
        assert table.state.untimed
        assert table.state.deadline is None
        assert table.ruling.open(OLGA, 1) is not None
        await hold(table, 30)
        assert phase(table)[0] == "deciding"
        table.ruling.close(OLGA, 1)
        assert log_of(host) == [stopped(), runs("the floor's dialog was closed")]

    machine.live(main)


def test_person_who_may_not_rule_stops_no_clock(machine: Machine) -> None:
    async def main(host: Host) -> None:
        table = await deal(host)
        with pytest.raises(qh.QueenhighError, match="may not rule incident"):
            table.ruling.open("staff Max", 1)
        assert not table.ruling.is_on
        for round, sentence in ((2, "round 2 has not started"), (7, "round 7 has not started")):
            with pytest.raises(Refused, match=sentence):
                table.ruling.open(OLGA, round)
        assert log_of(host) == []

    machine.live(main)


# Over HTTP


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    table = {"rulebook": "house", "pace": AT_ONCE, "set": {"exposed_player": "void_hand"}}
    file = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(file, rooms={"ho": table, "two": table}) as room:
        yield room
        assert room.errors() == ""
    prove(room.db)


@pytest.fixture(scope="module")
def olga(served: RunningServer) -> Iterator[httpx.Client]:
    with first_owner(served) as client:
        yield client


def post(client: httpx.Client, path: str, table: str = "ho", **body: Any) -> Any:
    return client.post(f"/api/floor/tables/{table}/{path}", json=body).json()


@pytest.mark.full
def test_too_late_says_what_is_so(served: RunningServer, olga: httpx.Client) -> None:
    async def play() -> None:
        async with PlayerClient(served, "ho", "Ann") as ann:
            await ann.sit(1)
            for round in (1, 2):
                await ann.until_phase("betting", round)
                await ann.bet({"ante": 400})
                await ann.until_phase("deciding", round)
                if round == 1:
                    await ann.do("choose", round=1, move="fold")
                    await ann.until_over(round)
            post(olga, "void", round=2, **WHY)
            await ann.until_phase("betting", 3)
            await asyncio.to_thread(check_too_late, olga)

    asyncio.run(play())


def check_too_late(olga: httpx.Client) -> None:
    exposed: dict[str, Any] = {"kind": "exposed_player", "place": 1}
    settled = {
        "code": "round.over",
        "message": "round 1 is already settled. Ask for a correction instead",
        "correction": {"table": "ho", "round": 1, "place": 1, "facts": {"wagers": {"1": []}}},
    }
    assert post(olga, "incidents", round=1, **exposed, **WHY) == settled
    assert post(olga, "incidents/preview", round=1, **exposed) == settled
    settled["correction"] = {"table": "ho", "round": 1}
    assert post(olga, "incidents/clock", round=1) == settled
    settled["correction"] = {"table": "ho", "round": 1, "facts": {"void": True}}
    assert post(olga, "void", round=1, **WHY) == settled
    assert post(olga, "incidents", round=1, kind="misdeal", **WHY) == settled
    for path in ("incidents", "void", "incidents/clock"):
        for round, code, message in ((2, "round.over", "round 2 was void"),
                                     (4, "round.ahead", "round 4 has not started")):  # fmt: skip
            body: dict[str, Any] = {"round": round}
            body |= {} if path == "incidents/clock" else WHY
            body |= exposed if path == "incidents" else {}
            assert post(olga, path, **body) == {"code": code, "message": message}


@pytest.mark.full
def test_dialog_opens_renews_and_closes_over_http(
    served: RunningServer, olga: httpx.Client
) -> None:
    async def play() -> None:
        async with PlayerClient(served, "two", "Bea") as bea:
            await bea.sit(1)
            await bea.until_phase("betting")
            await bea.bet({"ante": 400})
            await bea.until_phase("deciding")
            with add(olga, "Fay", "floor") as fay:
                await check_dialogs(olga, fay, bea)
            with served.floor() as program:
                assert post(program, CLOCK, "two", round=1)["code"] == "staff.named"

    asyncio.run(play())


CLOCK = "incidents/clock"


async def check_dialogs(olga: httpx.Client, fay: httpx.Client, bea: PlayerClient) -> None:
    opened = post(olga, CLOCK, "two", round=1)
    until = opened.pop("until")
    assert opened == {"round": 1, "stopped": True, "by": "Olga"}
    await bea.until(lambda: "ruling" in bea.news)
    seen = post(fay, CLOCK, "two", round=1)
    assert abs(seen.pop("until") - until) < 50
    assert seen == opened
    address = f"/api/floor/tables/two/{CLOCK}?round=1"
    assert fay.delete(address).status_code == 204
    assert post(fay, CLOCK, "two", round=1)["stopped"], "it is not hers to end"
    assert olga.delete(address).status_code == 204
    await bea.until(lambda: "ruling" not in bea.news)
    runs = {"round": 1, "stopped": False, "by": None, "until": None}
    assert post(olga, CLOCK, "two", round=1) == runs


@pytest.mark.full
def test_log_of_stops_is_kept(machine: Machine) -> None:
    """What the log has of a stop is as documented, to the byte."""

    async def main(host: Host) -> None:
        table = await deal(host)
        table.ruling.open(OLGA, 1)
        table.ruling.close(OLGA, 1)

    machine.live(main)
    with closing(SqliteStore(machine.file)) as store:
        acts = [json.loads(row.event) for row in store.read(FLOOR_LOG)][-2:]
    for act in acts:
        del act["id"], act["at"]
    one = {"type": "floor.acted/1", "by": OLGA, "action": "rule incident", "subject": "ho"}
    assert acts[0] == {**one, "after": {"round": 1, "clock": "stopped"}}
    assert acts[1] == {**one, "after": {"round": 1, "clock": "runs"},
                       "reason": "the floor's dialog was closed"}  # fmt: skip
