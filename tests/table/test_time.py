"""The floor gives who is waited for the whole time once more; nobody else does."""

import json
from pathlib import Path

from queenhigh.room.log import write_log
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR
from tests.table.at_the_table import FOUR, PACE, Table, kinds
from tests.table.forging import chained
from tests.table.verifiers import BOTH


def test_every_deadline_begins_anew() -> None:
    table = Table("california", FOUR)
    table.tick()
    for phase, whole in (
        ("offering", PACE.offer),
        ("betting", PACE.bets),
        ("deciding", PACE.moves),
    ):
        if phase == "betting":
            asked = table.state.places[table.state.offer.place or 0].player
            table.do("AcceptBank", asked, cents=10_000)
            better = next(one for one in FOUR if one != asked)
            table.bet(better, ready=False, ante=500)
        elif phase == "deciding":
            table.at = table.state.deadline or 0
            table.tick()
        assert table.state.phase == phase
        table.at = (table.state.deadline or 0) + 1000
        assert kinds(table.do("GiveTime", FLOOR, reason="the lights went out")) == ["TimeGiven"]
        assert table.state.deadline == table.at + whole
        assert table.state.phase == phase


def test_there_must_be_time_to_give() -> None:
    table = Table("house", {"ann": 1})
    table.refused("time.none", "GiveTime", FLOOR, reason="")
    table.tick()
    assert table.state.phase == "betting"
    table.refused("time.none", "GiveTime", FLOOR, reason="nobody has bet yet")
    table.bet("ann", ready=False, ante=100)
    table.refused("sender.wrong", "GiveTime", "ann", reason="I want to think")
    table.refused("text.length", "GiveTime", FLOOR, reason="x" * 201)


def test_both_verifiers_know_when_time_may_be_given(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    table = Table("house", {"ann": 1}, store=SqliteStore(file))
    table.tick()
    table.bet("ann", ready=False, ante=100)
    table.at += 10**6
    table.do("GiveTime", FLOOR, reason="a break")
    table.do("PlaceWagers", "ann", ready=True)
    table.room.store.close()
    for name, verify in BOTH.items():
        assert verify(file).ok, name
    log = tmp_path / "log.jsonl"
    with log.open("w") as out:
        write_log(file, out)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    at = next(n for n, line in enumerate(lines) if "time.given" in json.dumps(line))
    changed = json.dumps(lines[at]).replace("floor", "ann")
    lines[at] = json.loads(changed)
    log.write_bytes(b"".join(chained(lines)))
    for name, verify in BOTH.items():
        verdict = verify(log)
        assert not verdict.ok, name
        assert verdict.n == at + 1, name
