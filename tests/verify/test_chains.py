"""Both verifiers on logs of scheme 2 that were written by hand, and on every way to lie."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import queenhigh as qh
from tests.in_process import call
from tests.verify.by_hand import REVEAL, ByHand, draw, draw_words, sha
from tests.verify.seed_lies import (
    LIES,
    LIES_ABOUT_HANDS,
    Script,
    bets,
    go_on_beyond_the_end,
    hands,
    settle_with_another_seed,
    spin,
    wheel,
)
from tests.verify.verifiers import BOTH, FILE, Verdict

Play = Callable[[ByHand], None]


# What may happen.


def everyone_shows(table: ByHand) -> None:
    bets(table, 1, 2, 3)
    for place in (3, 1, 2):
        table.show(place)
    table.land()


def one_is_silent(table: ByHand) -> None:
    bets(table, 1, 2)
    table.show(2)
    table.at_deadline()
    table.land()


def one_goes(table: ByHand) -> None:
    """Leave while the others have shown: the deal comes at once, and that seed is left out."""
    bets(table, 1, 3)
    table.show(1)
    table.leave(3)
    table.land()
    table.cash_out("cyd")


def one_comes_back(table: ByHand) -> None:
    """Leave and take the same place again: the seed can be shown all the same."""
    bets(table, 1, 3)
    table.leave(3)
    table.cash_out("cyd")
    table.sit("cyd")
    table.show(1)
    table.show(3)
    table.land()


def another_takes_the_place(table: ByHand) -> None:
    """Sit down where somebody has gone: that seed is left out, and nobody waits for it."""
    bets(table, 1, 3)
    table.leave(3)
    table.cash_out("cyd")
    table.sit("dan")
    table.show(1)
    table.land()


def one_goes_while_bets_are_open(table: ByHand) -> None:
    """Leave before bets are closed: what was committed there is forgotten."""
    table.open_round()
    table.commit(1, 3)
    table.leave(3)
    table.cash_out("cyd")
    del table.committed[3]
    table.sit("dan")
    table.commit(3)
    table.bet(1, "red")
    table.close_bets()
    table.show(1)
    table.show(3)
    table.land()


def seeds_of_both_kinds(table: ByHand) -> None:
    table.open_round()
    table.add_seed(2, "né le 1er")
    table.commit(1)
    table.bet(1, "red")
    table.close_bets()
    table.show(1)
    table.land()


def nobody_shows_anything_hidden(table: ByHand) -> None:
    """Add text that the room could read in time: it binds nobody."""
    table.open_round()
    table.add_seed(1, "lucky")
    table.bet(1, "red")
    table.close_bets()
    table.land()


def only_an_onlooker_shows(table: ByHand) -> None:
    bets(table, 3)
    table.show(3)
    table.land()


def only_a_bot_shows(table: ByHand) -> None:
    table.sit("dan", bot=True)
    table.open_round()
    table.commit(4)
    for place in (1, 4):
        table.bet(place, "red")
    table.close_bets()
    table.show(4)
    table.land()


def time_is_given(table: ByHand) -> None:
    bets(table, 1)
    table.step("floor", REVEAL)
    table.add("time.given/1", reason="a slow connection")
    table.deadline = table.at + REVEAL
    table.show(1)
    table.land()


def voided_while_seeds_are_shown(table: ByHand) -> None:
    bets(table, 1, 2)
    table.show(1)
    table.void()
    spin(table)


def voided_without_its_seed(table: ByHand) -> None:
    bets(table, 1)
    table.void(seed="")
    table.start_chain(length=1)
    spin(table)
    table.start_chain()
    spin(table)


#: Rounds, chains, seeds shown and left out, voids after bets closed and without the seed; then
#: rounds bound by players' seeds, those seeds, and rounds that the room could have chosen.
GOOD: dict[Play, tuple[int, ...]] = {
    spin: (1, 1, 0, 0, 0, 0, 0, 0, 1),
    everyone_shows: (1, 1, 3, 0, 0, 0, 1, 2, 0),
    one_is_silent: (1, 1, 1, 1, 0, 0, 1, 1, 0),
    one_goes: (1, 1, 1, 1, 0, 0, 1, 1, 0),
    one_comes_back: (1, 1, 2, 0, 0, 0, 1, 1, 0),
    another_takes_the_place: (1, 1, 1, 1, 0, 0, 1, 1, 0),
    one_goes_while_bets_are_open: (1, 1, 2, 0, 0, 0, 1, 1, 0),
    seeds_of_both_kinds: (1, 1, 1, 0, 0, 0, 1, 1, 0),
    nobody_shows_anything_hidden: (1, 1, 0, 0, 0, 0, 0, 0, 1),
    only_an_onlooker_shows: (1, 1, 1, 0, 0, 0, 0, 0, 1),
    only_a_bot_shows: (1, 1, 1, 0, 0, 0, 0, 0, 1),
    time_is_given: (1, 1, 1, 0, 0, 0, 1, 1, 0),
    voided_while_seeds_are_shown: (2, 1, 0, 0, 1, 0, 0, 0, 1),
    voided_without_its_seed: (3, 3, 0, 0, 1, 1, 0, 0, 2),
}


@pytest.mark.parametrize("script", GOOD)
def test_legal_rounds_pass_and_are_counted(script: Play, tmp_path: Path) -> None:
    table = wheel()
    script(table)
    table.write(tmp_path / "log.jsonl")
    names = ("scheme_2", "chains", "seeds_shown", "seeds_left_out", "voided_after_close",
             "voided_without_seed", "bound_by_players", "binding_seeds",
             "room_could_choose")  # fmt: skip
    expected = {"scheme_1": 0} | dict(zip(names, GOOD[script], strict=True))
    for name, verify in BOTH.items():
        verdict = verify(tmp_path / "log.jsonl", check_head=False)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
        assert verdict.dealing == expected, name


def test_poker_round_passes_and_is_summarised(tmp_path: Path) -> None:
    table = hands()
    table.deal()
    table.move(1)
    table.move(2, "fold")
    table.settle()
    table.write(tmp_path / "log.jsonl")
    said = []
    for option in ([], ["--json"]):
        command = [sys.executable, str(FILE), str(tmp_path / "log.jsonl"), *option]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        said += done.stdout.splitlines()
    first, second, report = said
    assert first.startswith("OK: ")
    assert json.loads(report)["dealing"]["scheme_2"] == 1
    assert second == (
        "Dealing: 1 of 1 round bound by a chain and by 1 player's seed. 1 chain for 1 round."
        " Players' seeds: 1 shown, 0 left out. 0 rounds voided after bets closed."
    )


def test_voids_without_a_seed_are_summarised(tmp_path: Path) -> None:
    table, file = wheel(), tmp_path / "log.jsonl"
    for rounds in ("1 round", "2 rounds"):
        bets(table, 1)
        table.void(seed="")
        table.write(file)
        deal = "its deal" if rounds == "1 round" else "their deal"
        sentence = f" {rounds} voided without revealing the seed: {deal} cannot be verified.\n"
        command = [sys.executable, str(FILE), str(file)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        for said in (done.stdout, call("verify", str(file)).stdout):
            assert sentence in said
        table.start_chain()


def test_deal_that_is_not_proved_binds_nobody(tmp_path: Path) -> None:
    """Void a round after its deal without the room's seed: the key may be of any seeds."""
    table = hands()
    table.deal()
    table.void(seed="")
    for name, verdict in judged(table, tmp_path).items():
        counts = verdict.dealing
        assert (counts["seeds_shown"], counts["voided_without_seed"]) == (1, 1), name
        assert (counts["bound_by_players"], counts["room_could_choose"]) == (0, 1), name


def seed_for(table: ByHand, place: int, pocket: int) -> bytes:
    """Return a seed with which a place brings the ball into a pocket, counted from 0."""
    for number in range(10_000):
        seed = number.to_bytes(32, "big")
        parts = (table.name, table.chain, table.round, place, table.players[place], seed)
        table.committed = {place: (table.players[place], sha("queenhigh/seed/1", *parts))}
        if draw(draw_words(table.key(shown={place: seed})), 37) == pocket:
            return seed
    raise AssertionError("no seed will do")


def sit_elsewhere(table: ByHand, player: str, id: int) -> None:
    """Sit down at another table by an id that moved no chips yet."""
    elsewhere = ByHand("house", "u")
    opened = json.loads(elsewhere.rows[0]["event"])
    elsewhere.rows, elsewhere.ids = table.rows, id - 2
    elsewhere.append("table/u", opened)
    elsewhere.sit(player)


@pytest.mark.parametrize("pocket", [0, 1])
def test_rest_of_a_step_may_depend_on_the_pocket(pocket: int, tmp_path: Path) -> None:
    """Leave after a round: a zero puts the bet in prison and keeps its player there."""
    table = ByHand(qh.load("roulette-european", {"on_zero": "en_prison"}))
    table.sit("ann", "bob")
    table.start_chain()
    table.open_round()
    table.bet(1, "red")
    table.step("ann")
    table.add("seat.leaving/1", place=1)
    seed = seed_for(table, 1, pocket)
    table.commit(1, copied=table.committed[1][1])
    table.close_bets()
    table.show(1, seed)
    table.land()
    if pocket:  # 1 is red
        table.add("seat.left/1", place=1, player="ann", cents=50_100)
        table.cash_out("ann", 50_100)
    else:
        sit_elsewhere(table, "ann", table.ids)
    for name, verdict in judged(table, tmp_path).items():
        assert verdict.ok, f"{name}: {verdict}"


# Lies.


def judged(table: ByHand, tmp_path: Path) -> dict[str, Verdict]:
    """Return what the verifiers say of a log."""
    table.write(tmp_path / "log.jsonl")
    return {name: verify(tmp_path / "log.jsonl", check_head=False) for name, verify in BOTH.items()}


def reason_of(table: ByHand, tmp_path: Path) -> str:
    """Return why both verifiers refuse the last event of a log, as the second one says it."""
    verdicts = judged(table, tmp_path)
    for name, verdict in verdicts.items():
        assert verdict.n == len(table.rows), f"{name}: {verdict}"
    return str(verdicts["other"].reason)


@pytest.mark.parametrize("script", LIES | LIES_ABOUT_HANDS)
def test_lie_is_reported_at_its_event(script: Script, tmp_path: Path) -> None:
    for lie in (True, False):
        table = hands() if script in LIES_ABOUT_HANDS else wheel()
        script(table, lie)
        if lie:
            assert (LIES | LIES_ABOUT_HANDS)[script] in reason_of(table, tmp_path)
        else:
            for name, verdict in judged(table, tmp_path).items():
                assert verdict.ok, f"{name}: {verdict}"


@pytest.mark.parametrize(
    ("check", "script"),
    [("uncover", settle_with_another_seed), ("can_open", go_on_beyond_the_end)],
)
def test_verifier_without_a_check_is_noticed(
    check: str, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Remove a check: the lie passes, so it is that check which finds it."""
    monkeypatch.setattr(sys.modules["verify_log"].Table, check, lambda *_: None)
    table = wheel()
    script(table, True)
    verdicts = judged(table, tmp_path)
    assert verdicts["other"].ok
    assert not verdicts["package"].ok


def test_chain_events_without_a_chain_are_detected(tmp_path: Path) -> None:
    table = ByHand("roulette")
    table.sit("ann")
    table.seeds = [bytes(32)] * 2
    table.open_round()
    assert reason_of(table, tmp_path) == "no chain has begun at this table"
    del table.rows[-1]
    table.round = 0
    table.open_unbound()
    table.commit(1)
    assert reason_of(table, tmp_path) == "no chain has begun at this table"


def test_a_round_voided_by_scheme_1_shows_its_seed(tmp_path: Path) -> None:
    table = ByHand("roulette")
    table.sit("ann")
    table.seeds = [bytes(32)]
    table.open_unbound()
    table.void(seed="")
    assert reason_of(table, tmp_path).startswith('round.voided should say seed "00')
