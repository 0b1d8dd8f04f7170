"""A command that comes again: the same one is answered, another one with its id is refused."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.durable_table import DurableTable, Outcome
from queenhigh.room.room import Room
from queenhigh.rulebook.load import vary
from queenhigh.table import commands
from queenhigh.table.commands import FLOOR, Bet, Command
from queenhigh.table.correction_events import Facts
from tests.table.own_seeds import own_commitment, own_seed
from tests.table.table_driver import FOUR, Table

Step = Callable[[Table], Command]


def sit(table: Table) -> Command:
    table.room.wallets.issue("eve", 5000, id="chips", at=0, reason="to play")
    return table.command("Sit", "eve", place=7, cents=500)


def answer_offer(kind: str, **fields: Any) -> Step:
    def step(table: Table) -> Command:
        table.tick()
        asked = table.state.places[table.state.offer.place or 0].player
        return table.command(kind, asked, round=1, **fields)

    return step


def want(table: Table) -> Command:
    table.tick()
    while not table.state.offer.declined_by_all:
        table.do("DeclineBank", table.state.places[table.state.offer.place or 0].player)
    return table.command("WantBank", "ann")


def betting(kind: str, **fields: Any) -> Step:
    def step(table: Table) -> Command:
        table.banked_by("ann")
        return table.command(kind, "bob", round=1, **fields)

    return step


def clear(table: Table) -> Command:
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    return table.command("ClearWagers", "bob", round=1)


def choose(table: Table) -> Command:
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    return table.command("Choose", "bob", round=1, move="play")


def floor(kind: str, **fields: Any) -> Step:
    def step(table: Table) -> Command:
        table.banked_by("ann")
        table.bet("bob", ready=False, ante=500)
        return table.command(kind, FLOOR, **fields)

    return step


def rebase(table: Table) -> Command:
    before = table.state.at
    return replace(
        table.command("RebaseTime", FLOOR, before=before, reason="set"), at=before - 10**6
    )


def change(kind: str, changes: dict[str, object]) -> Step:
    def step(table: Table) -> Command:
        rules: Any = {"rulebook": dict(vary(table.book, changes).document)}
        rules |= {"settings": table.state.settings, "reason": "a slow night"}
        return table.command(kind, FLOOR, **rules)

    return step


def withdraw(table: Table) -> Command:
    table.durable.execute(change("AnnounceChange", {"limits.bonus.max": 700})(table))
    return table.command("WithdrawChange", FLOOR, reason="a mistake")


def between(kind: str, by: str, **fields: Any) -> Step:
    return lambda table: table.command(kind, by, **fields)


def show(table: Table) -> Command:
    table.banked_by("ann")
    table.do("CommitSeed", "bob", commitment=own_commitment(table.state, "bob"))
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    return table.command("ShowSeed", "bob", round=1, seed=own_seed(table.state, "bob").hex())


def start_chain(table: Table) -> Command:
    """Start the very chain that the table has due, so that it is not replaced at once."""
    state = table.state
    return replace(table.room.dealing.start(state, table.at), id="c99")


def back(table: Table) -> Command:
    table.do("MarkAway", FLOOR, place=1)
    return table.command("BringBack", FLOOR, place=1)


def stop_clock(table: Table) -> Command:
    for player in ("bob", "cyd", "dan"):
        table.do("Leave", player)
    return table.command("StopClock", FLOOR)


def rule(table: Table) -> Command:
    choose(table)
    exposed: Any = {"kind": "exposed_player", "place": 3, "staff": "Noor", "reason": "dropped"}
    return table.command("RuleIncident", FLOOR, round=1, **exposed)


def correction(*steps: str) -> Step:
    """Return a step that settles a round, and does all but the last of some commands about it."""

    def step(table: Table) -> Command:
        table.banked_by("ann")
        for player in ("bob", "cyd", "dan"):
            table.bet(player, ante=500)
        for player in ("bob", "cyd", "dan"):
            table.do("Choose", player, move="play")
        fields: dict[str, dict[str, Any]] = {
            "AskCorrection": {"round": 1, "facts": FACTS, "staff": "Maria", "reason": "disputed"},
            "RejectCorrection": {"correction": 1, "staff": "Noor", "reason": "as it was"},
            "ApproveCorrection": {"correction": 1, "staff": "Noor"},
        }
        for kind in ("AskCorrection", "ApproveCorrection"):
            fields[kind]["past"] = table.state.last
        made = [table.command(kind, FLOOR, **fields[kind]) for kind in steps]
        for command in made[:-1]:
            table.durable.execute(command)
        return made[-1]

    return step


HASH = "00" * 32
FACTS = Facts(moves={3: "fold"})
ANTE, BONUS = Bet("ante", 500), Bet("bonus", 500)
#: How a table comes to follow a command of each kind, and the same with something else in it.
EACH: dict[str, tuple[Step, list[dict[str, Any]]]] = {
    "Sit": (sit, [{"place": 8}, {"cents": 501}, {"bot": True}]),
    "TopUp": (between("TopUp", "ann", cents=300), [{"cents": 301}]),
    "SitOut": (between("SitOut", "ann", aside=True), [{"aside": False}]),
    "MarkAway": (between("MarkAway", FLOOR, place=1), [{"place": 3}]),
    "BringBack": (back, [{"place": 3}]),
    "Leave": (between("Leave", "ann", when="now"), [{"when": "after_round"}]),
    "Leave later": (between("Leave", "ann", when="after_round"), [{"when": "now"}]),
    "AcceptBank": (answer_offer("AcceptBank", cents=9000), [{"cents": 9001}, {"round": 2}]),
    "DeclineBank": (answer_offer("DeclineBank"), [{"round": 2}]),
    "WantBank": (want, []),
    "AddSeed": (betting("AddSeed", seed="lucky"), [{"seed": "luckier"}, {"round": 2}]),
    "CommitSeed": (betting("CommitSeed", commitment=HASH), [{"commitment": "11" * 32}]),
    "ShowSeed": (show, [{"seed": "11" * 32}, {"round": 2}]),
    "StartChain": (start_chain, [{"end": "11" * 32}, {"length": 6}, {"reveal": 1}]),
    "PlaceWagers": (
        betting("PlaceWagers", wagers=(ANTE, BONUS)),
        [
            {"wagers": (ANTE,)},
            {"wagers": (BONUS, ANTE)},
            {"wagers": (Bet("ante", 600), BONUS)},
            {"wagers": ()},
            {"ready": True},
            {"round": 2},
        ],
    ),
    "PlaceWagers, ready": (
        betting("PlaceWagers", wagers=(), ready=True),
        [{"wagers": (ANTE,)}, {"round": 2}],
    ),
    "ClearWagers": (clear, [{"round": 2}]),
    "Choose": (choose, [{"move": "fold"}, {"round": 2}]),
    "StopClock": (stop_clock, []),
    "GiveTime": (floor("GiveTime", reason="a break"), [{"reason": "another"}]),
    "RebaseTime": (rebase, [{"before": 5}, {"reason": "another"}]),
    "VoidRound": (
        floor("VoidRound", round=1, reason="a misdeal"),
        [{"reason": "another"}, {"round": 2}],
    ),
    "CloseTable": (floor("CloseTable", reason="it is late"), [{"reason": "another"}]),
    "ChangeTable": (
        change("ChangeTable", {"up": 2}),
        [{"reason": "another"}, {"rulebook": {"game": "chess"}}],
    ),
    "AnnounceChange": (
        change("AnnounceChange", {"limits.bonus.max": 700}),
        [{"reason": "another"}, {"rulebook": {"game": "chess"}}],
    ),
    "WithdrawChange": (withdraw, [{"reason": "another"}]),
    "RuleIncident": (
        rule,
        [{"place": 5}, {"kind": "player_gone"}, {"staff": "Maria"}, {"reason": "another"}],
    ),
    "AskCorrection": (
        correction("AskCorrection"),
        [{"facts": Facts(moves={5: "fold"})}, {"round": 2}, {"staff": "Noor"}],
    ),
    "RejectCorrection": (
        correction("AskCorrection", "RejectCorrection"),
        [{"correction": 2}, {"staff": "Maria"}, {"reason": "another"}],
    ),
    "ApproveCorrection": (
        correction("AskCorrection", "ApproveCorrection"),
        [{"correction": 2}, {"staff": "Maria"}],
    ),
}


def differs(durable: DurableTable, command: Command) -> None:
    before = durable.committed
    with pytest.raises(Refused) as refused:
        durable.execute(command)
    assert refused.value.code == "id.differs"
    assert durable.committed is before


def before_and_after_a_restart(table: Table) -> Iterator[DurableTable]:
    yield table.durable
    again = Room(table.room.store, dealing_key=table.room.dealing.key).table("t")
    again.prepare(table.at)
    yield again


@pytest.mark.parametrize("kind", EACH)
def test_another_command_with_the_id_is_refused(kind: str) -> None:
    step, others = EACH[kind]
    table = Table("california", FOUR)
    command = step(table)
    first = table.durable.execute(command)
    assert first is not None
    for durable in before_and_after_a_restart(table):
        assert durable.execute(replace(command, at=command.at + 1)) == first
        for other in others:
            differs(durable, replace(command, **other))
        differs(durable, commands.TopUp(id=command.id, by=command.by, at=5, cents=1))
        assert durable.execute(command) == first


def test_every_command_is_among_them() -> None:
    made = {name.partition(" ")[0].rstrip(",") for name in EACH}
    kinds = {kind.__name__ for kind in Command.__subclasses__()}
    assert kinds - made == {"OpenTable", "Tick"}


def test_spots_of_a_wheel_have_many_spellings() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("Split 20  17", 500),))
    first = table.durable.execute(command)
    for durable in before_and_after_a_restart(table):
        for spot in ("Split 20  17", "split 17 20"):
            assert durable.execute(replace(command, wagers=(Bet(spot, 500),))) == first
        for spot in ("split 17 18", "red", "split 1 36", "nonsense"):
            differs(durable, replace(command, wagers=(Bet(spot, 500),)))


def test_repeat_of_a_queued_command_is_compared() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    outcomes: list[Outcome] = []
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 500),))
    table.durable.submit(command, outcomes.append)
    table.durable.submit(replace(command, at=7), outcomes.append)
    with pytest.raises(Refused, match="another command"):
        table.durable.submit(replace(command, ready=True), outcomes.append)
    table.room.store.flush()
    assert len(outcomes) == 2
    assert outcomes[0] == outcomes[1]


def test_id_of_a_refused_command_is_free() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 1),))
    with pytest.raises(QueenhighError, match="limit"):
        table.durable.execute(command)
    assert table.durable.execute(replace(command, wagers=(Bet("red", 500),))) is not None


def test_earlier_commands_are_read_from_the_log() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    sent = [table.command("AddSeed", "ann", round=1, seed=f"seed {n}") for n in range(9)]
    answers = [table.durable.execute(command) for command in sent]
    assert [table.durable.execute(command) for command in sent] == answers
    for command in sent:
        differs(table.durable, replace(command, seed="another"))
