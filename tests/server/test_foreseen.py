"""What the floor sees before it confirms is what follows, and never how a round will end."""

import pytest

from queenhigh.server.floor_responses import IncidentPreview, IncidentRow
from queenhigh.server.foreseen import preview_correction, preview_incident
from queenhigh.table.commands import FLOOR, ApproveCorrection, RuleIncident
from queenhigh.table.correction_events import Facts
from tests.table.table_driver import FOUR, Table, kinds
from tests.table.test_corrections import BOB, approve, ask, played
from tests.table.test_incidents import dealt, rule

RULINGS = [
    ("misdeal", None, {}),
    ("misdeal", None, {"misdeal": "redeal"}),
    ("exposed_player", BOB, {}),
    ("exposed_player", BOB, {"exposed_player": "void_hand", "collect": "before"}),
    ("exposed_player", BOB, {"exposed_player": "void_hand"}),
    ("exposed_dealer", None, {}),
    ("exposed_dealer", None, {"exposed_dealer": "play_on"}),
    ("player_gone", BOB, {}),
]


def preview(table: Table, kind: str, place: int | None) -> IncidentPreview:
    command = table.command(
        "RuleIncident", FLOOR, round=table.state.number, kind=kind, place=place,
        staff="Maria", reason="a dispute",
    )  # fmt: skip
    assert isinstance(command, RuleIncident)
    return preview_incident(table.state, command)


@pytest.mark.parametrize(("kind", "place", "keys"), RULINGS)
def test_ruling_returns_what_was_foreseen(
    kind: str, place: int | None, keys: dict[str, object]
) -> None:
    table = dealt(keys=keys)
    before = {name: table.stack(name) for name in FOUR}
    foreseen = preview(table, kind, place)
    version = table.state.version
    rule(table, kind, place)
    assert table.state.version > version, "the preview alone changed nothing"
    assert foreseen.banker is not None
    for row in [foreseen.banker, *foreseen.rows]:
        moved = table.stack(row.player) - before[row.player]
        assert row.redealt or row.returned == moved
        assert row.fee <= row.returned
    is_redeal = keys.get("misdeal") == "redeal"
    assert {row.redealt for row in [foreseen.banker, *foreseen.rows]} == {is_redeal}


def test_preview_names_clause_and_moves() -> None:
    foreseen = preview(dealt(), "player_gone", BOB)
    assert (foreseen.clause, foreseen.ruling) == ("IR-7", "default_move")
    assert IncidentRow(BOB, "bob", 0, 0, "fold", False) in foreseen.rows
    assert "bob (3) folds" in foreseen.steps


def test_preview_hides_how_the_round_would_end() -> None:
    table = dealt()
    for name in ("cyd", "dan"):
        table.do("Choose", name, move="play")
    foreseen = preview(table, "player_gone", BOB)
    assert foreseen.steps[-2:] == ["bob (3) folds", "Then the round is settled."]
    assert [row.returned for row in foreseen.rows] == [0, 0, 0]
    assert kinds(rule(table, "player_gone", BOB))[-1] == "RoundSettled"


@pytest.mark.parametrize(
    "facts", [Facts(moves={BOB: "play"}), Facts(wagers={BOB: ()}), Facts(void=True)]
)
def test_correction_moves_what_was_foreseen(facts: Facts) -> None:
    table, past = played()
    approval = ApproveCorrection(id="x", by=FLOOR, at=0, correction=0, staff="", past=past)
    approval = table.room.wallets.with_chips(approval)
    foreseen = preview_correction(table.state, 1, facts, approval)
    ask(table, past, facts)
    made = approve(table, past)
    assert (foreseen.moved, foreseen.chips) == ([*made.moved], [*made.chips])
    assert (foreseen.net_before, foreseen.net_after) == (past.end.net, made.net)  # type: ignore[union-attr]
    again = preview_correction(table.state, 1, facts, approval)
    assert (again.moved, again.net_before) == ([], made.net)
