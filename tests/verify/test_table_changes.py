"""Both verifiers accept every legal change of a table, and detect the others."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.rulebook.load import vary
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Store
from queenhigh.table import changing as changing_module
from queenhigh.table import commands
from queenhigh.table.commands import FLOOR, Bet, Command
from queenhigh.table.fairness import document_digest
from queenhigh.table.notice import needs_notice
from queenhigh.table.view import view
from tests.sizes import sized
from tests.table.random_play import RandomPlay
from tests.table.table_changes import (
    change,
    log_of,
    paced,
    play,
    rules,
    with_a_bet_in_prison,
    without_notice,
)
from tests.table.table_driver import FOUR, Table
from tests.verify.forging import Json, chained, forge
from tests.verify.verifiers import BOTH


def test_limits_may_begin_where_no_fee_is_posted(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        table = Table(without_notice(), {"ann": 1, "bob": 2}, store=store, stack=40_700)
        document = json.loads(json.dumps(table.state.document))
        document["limits"]["ante"] = {"clause": "CA-7", "min": 15_000, "max": 90_000}
        document["fees"]["rates"][1]["min"] = 20_000
        table.do("ChangeTable", FLOOR, **{**rules(table), "rulebook": document})
        table.banked_by("ann", 500)
        table.refused("wager.rate", "PlaceWagers", "bob", wagers=(Bet("ante", 15_000),))
        table.bet("bob", ante=20_000)
        table.do("Choose", "bob", move="fold")
        table.tick()
        assert table.state.offer.place == 2, "bob has less than the least bet now"

    log_of(tmp_path / "room.db", fill)


def play_out_the_bank(table: Table) -> None:
    """Make ann bank so little that it matters where action starts."""
    table.banked_by("ann", 600)
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")


def several_changes(store: Store) -> None:
    """Play under other fees, rotations and starts of action, and void a round in between."""
    table = Table(without_notice(), FOUR, store=store)
    several: list[Json] = [
        {"fees.rates.0.player": 150, "fees.rates.0.banker": 700},
        {"first": "button", "rotation": "free"},
        {"fee_per": "wager", "limits.bonus.min": 500, "collect": "after"},
        {"first": "drawn", "coverage": "net", "short_ante": "win"},
        {"first": "button", "bonus.pays.pair": "2 to 1", "up": 2},
        {"qualifier": "none", "ace_low": False, "rotation": "every_round"},
    ]
    for changes in several:
        play(table)
        table.banked_by("ann")
        table.do("VoidRound", FLOOR, reason="a card was exposed")
        change(table, changes)
        play_out_the_bank(table)
    for _ in range(9):
        table.tick()
        if view(table.state).waits_for == "banker":
            break
    change(table, pace=paced(table, pause=7).pace)
    play(table)


def test_both_verifiers_follow_every_change(tmp_path: Path) -> None:
    rows = log_of(tmp_path / "room.db", several_changes)
    assert sum("table.changed/1" in str(row) for row in rows) == 7


#: What a floor may take it into its head to change, by game.
BANKED: Json = {
    "fees.rates.0.player": (100, 0, 250),
    "fees.rates.2.banker": (500, 0, 9_000),
    "fees.fee_per": ("round", "wager"),
    "fees.collect": ("before", "after"),
    "bank.first": ("left", "button", "drawn"),
    "bank.rotation": ("two_rounds", "every_round", "free"),
    "bank.coverage": ("action", "net"),
    "short_ante": ("ahead", "win", "push"),
    "up": (0, 1, 2),
}
POKER: Json = {
    "limits.ante.max": (400, 300),
    "ante.required": (True, False),
    "qualifier": ("queen-high", "pair"),
    "up": (0, 1),
}
WHEEL: Json = {"limits.min": (100, 200), "limits.max": (500, 10_000), "increment": (1, 50)}
ZERO: Json = {
    "zero.on_zero": ("lose", "la_partage", "en_prison"),
    "zero.second_zero": ("lose", "half", "stay"),
}
GAMES: Json = {
    "california": BANKED,
    "house": POKER,
    "roulette": WHEEL,
    "roulette-european": WHEEL | ZERO,
}


class Restless(RandomPlay):
    """A table whose floor cannot leave the rules alone."""

    def __init__(self, store: Store, book: str, seed: int) -> None:
        super().__init__(store, qh.load(book), seed, f"t{seed}")
        self.moods = GAMES[book]

    def next_command(self) -> Command:
        state, draw = self.durable.committed, self.random
        if state.announced and draw.random() < 0.05:
            self.at = max(self.at, state.announced.starts - draw.choice((0, 1)))
        if state.phase != "between" or draw.random() > 0.4:
            return super().next_command()
        keys = draw.sample(sorted(self.moods), draw.randint(0, 2))
        book = vary(state.book, {key: draw.choice(self.moods[key]) for key in keys})
        settings = replace(
            state.settings,
            pace=replace(state.settings.pace, pause=draw.choice((0, 50, 100))),
            default_move=draw.choice(("fold", "play")),
            least_bank=draw.choice((1, 500, 3000)),
        )
        fields: Json = {"rulebook": dict(book.document), "settings": settings, "reason": ""}
        if needs_notice(state, book.document, settings):
            return self._make(commands.AnnounceChange, FLOOR, **fields)
        return self._make(commands.ChangeTable, FLOOR, **fields)


@pytest.mark.parametrize("name", GAMES)
def test_both_verifiers_follow_many_changes(name: str, tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        for seed in range(sized(1, 3, 20)):
            table = Restless(store, name, seed)
            for _ in range(500):
                table.step()
            table.close()

    heads = [row.get("event", "")[:40] for row in log_of(tmp_path / "room.db", fill)]
    for kind in ("table.changed/1", "settled/1"):
        assert sum(kind in head for head in heads) > 5, kind


def test_document_may_have_the_layout_of_a_file(tmp_path: Path) -> None:
    """A pay may be a number, and a key that is null is one that is left out."""

    def fill(store: Store) -> None:
        table = Table(without_notice(), FOUR, store=store)
        document = json.loads(json.dumps(table.state.document))
        document["bonus"]["pays"] |= {"pair": 2, "high_card": None}
        document["ante_bonus"] = None
        table.do("ChangeTable", FLOOR, **{**rules(table), "rulebook": document})
        play(table)

    log_of(tmp_path / "room.db", fill)


# A change that is put into a log where none may be


def changed_to(rows: list[Json], **changes: Any) -> Json:
    """Return a change that a table's first rulebook and settings allow."""
    first = next(json.loads(row["event"]) for row in rows if "table.opened/1" in str(row))
    document = json.loads(json.dumps(first["rulebook"]))
    limits = document["limits"].get("bonus", document["limits"])
    limits["max"] = 500
    event = {"type": "table.changed/1", "at": 0, "by": FLOOR, "id": "put in", "rulebook": document}
    event |= {"digest": document_digest(document), "settings": first["settings"]}
    return event | {"reason": "a slow night"} | changes


def put_in(rows: list[Json], event: Json, after: int) -> list[bytes]:
    """Put an event of the table into a log; what comes after it counts on."""
    rows = json.loads(json.dumps(rows))
    own = [row for row in rows[: after + 1] if row["stream"] == "table/t"]
    event["at"] = json.loads(own[-1]["event"])["at"]
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    for row in rows[after + 1 : -1]:
        row["n"] += 1
        row["version"] += row["stream"] == "table/t"
    new = {"n": after + 2, "stream": "table/t", "version": len(own) + 1, "event": text, "hash": ""}
    return chained([*rows[: after + 1], new, *rows[after + 1 :]])


def verdicts(lines: list[bytes], file: Path) -> dict[str, int | None]:
    file.write_bytes(b"".join(lines))
    verdicts = {name: verify(file, check_head=False) for name, verify in BOTH.items()}
    return {name: None if verdict.ok else verdict.n for name, verdict in verdicts.items()}


def california(store: Store) -> None:
    table = Table(without_notice(), FOUR, store=store)
    play(table)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    table.do("CloseTable", FLOOR, reason="the night is over")
    table.tick()
    table.tick()


@pytest.mark.parametrize(
    "kind",
    [
        "bank.offered/1",
        "round.opened/2",
        "wagers.placed/1",
        "cards.dealt/2",
        "table.closing/1",
        "table.closed/1",
    ],
)
def test_change_in_the_middle_of_a_round_is_detected(kind: str, tmp_path: Path) -> None:  # L17
    rows = log_of(tmp_path / "room.db", california)
    index = max(index for index, row in enumerate(rows[:-1]) if kind in row["event"][:40])
    lines = put_in(rows, changed_to(rows), index)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, index + 2)


def between_rounds(store: Store) -> None:
    play(Table(without_notice(), FOUR, store=store))


def other_digest(event: Json) -> None:
    event["digest"] = "sha256:" + "00" * 32


def other_game(event: Json) -> None:
    event["rulebook"] = dict(qh.load("roulette").document)
    event["digest"] = document_digest(event["rulebook"])


def house_banks(event: Json) -> None:
    event["rulebook"] = {**qh.load("house").document, "seats": 11}
    event["digest"] = document_digest(event["rulebook"])


def fewer_seats(event: Json) -> None:
    event["rulebook"]["seats"] = 9
    event["digest"] = document_digest(event["rulebook"])
    event["settings"]["places"] = 10


def fewer_places(event: Json) -> None:
    event["settings"]["places"] = 10


def no_such_reading(event: Json) -> None:
    event["rulebook"]["bank"]["coverage"] = "all"
    event["digest"] = document_digest(event["rulebook"])


def too_many_up(event: Json) -> None:
    event["rulebook"]["up"] = 3
    event["digest"] = document_digest(event["rulebook"])


def a_truth_up(event: Json) -> None:
    event["rulebook"]["up"] = True
    event["digest"] = document_digest(event["rulebook"])


def too_deep(event: Json) -> None:
    deep: Any = 1
    for _ in range(600):
        deep = [deep]
    event["rulebook"]["up"] = deep
    event["digest"] = document_digest(event["rulebook"])


def back_in_time(event: Json) -> None:
    event["settings"]["pace"]["bets"] = -1


def no_bank(event: Json) -> None:
    event["settings"]["least_bank"] = 0


def no_move(event: Json) -> None:
    event["settings"]["silence"] = "raise"


def a_players(event: Json) -> None:
    event["by"] = "ann"


def an_essay(event: Json) -> None:
    event["reason"] = "so " * 70


def nothing(event: Json) -> None:
    event["rulebook"]["limits"]["bonus"]["max"] = 10_000
    event["digest"] = document_digest(event["rulebook"])


def and_more(event: Json) -> None:
    event["table"] = "t"


WRONG = (
    other_digest,
    other_game,
    house_banks,
    fewer_seats,
    fewer_places,
    no_such_reading,
    too_many_up,
    a_truth_up,
    too_deep,
    back_in_time,
    no_bank,
    no_move,
    a_players,
    an_essay,
    nothing,
    and_more,
)


@pytest.mark.parametrize("wrong", WRONG)
def test_illegal_changes_are_detected(wrong: Callable[[Json], None], tmp_path: Path) -> None:  # L17
    rows = log_of(tmp_path / "room.db", between_rounds)
    last = len(rows) - 2
    right = changed_to(rows)
    assert verdicts(put_in(rows, right, last), tmp_path / "log") == dict.fromkeys(BOTH)
    wrong(right)
    lines = put_in(rows, right, last)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, last + 2)


@pytest.mark.parametrize("name", ["california", "house"])
def test_round_before_the_new_pause_ends_is_detected(name: str, tmp_path: Path) -> None:  # L6
    def fill(store: Store) -> None:
        table = Table(name, {"ann": 1, "bob": 2}, store=store)
        table.at = table.state.at + 1000
        change(table, pace=paced(table, pause=300).pace)
        table.tick()

    rows = log_of(tmp_path / "room.db", fill)
    last = len(rows) - 2
    event = json.loads(rows[last]["event"])
    assert event["type"] in ("bank.offered/1", "round.opened/2")
    for later, good in ((0, True), (1, True), (-1, False)):
        moved = {**event, "at": event["at"] + later}
        lines = forge([json.dumps(row).encode() for row in rows], last, moved)
        expected = None if good else last + 1
        assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, expected)


def test_change_with_a_bet_in_prison_is_detected(tmp_path: Path) -> None:  # L17
    rows = log_of(tmp_path / "room.db", with_a_bet_in_prison)
    last = len(rows) - 2
    lines = put_in(rows, changed_to(rows), last)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, last + 2)


def test_wrong_rulebook_digest_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The room itself is wrong: all that follows fits the digest, which is not the document's."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table(without_notice(), FOUR, store=store)
    play(table)
    with monkeypatch.context() as patch:
        patch.setattr(changing_module, "document_digest", lambda document: "sha256:" + "ab" * 32)
        change(table, {"limits.bonus.max": 400})
    play(table)
    store.close()
    for name, verify in BOTH.items():
        verdict = verify(tmp_path / "room.db")
        assert not verdict.ok, f"{name} believes it"
        assert "digest" in str(verdict.reason)
