"""The floor gives a table other limits, fees or times between rounds; in a round nobody does."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.room import desk as desk_module
from queenhigh.room.history import rounds_of
from queenhigh.room.log import write_log
from queenhigh.rulebook.load import vary
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Store
from queenhigh.table import commands as ask
from queenhigh.table import decide as decide_module
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR, Bet, Command, Settings
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.fairness import commitment, document_digest
from queenhigh.table.view import view
from tests.sizes import FULL
from tests.table.at_the_table import FOUR, Table, kinds
from tests.table.chaos import Chaos
from tests.table.test_tampering import chained, forge
from tests.table.verifiers import BOTH

Json = dict[str, Any]


def rules(table: Table, changes: Json | None = None, **settings: Any) -> Json:
    """Return what a table would change to."""
    document = dict(vary(table.state.book, changes or {}).document)
    made = replace(table.state.settings, **settings)
    return {"rulebook": document, "settings": made, "reason": "a slow night"}


def change(table: Table, changes: Json | None = None, **settings: Any) -> list[TableEvent]:
    """Let the floor change keys of the rulebook, and settings."""
    return table.do("ChangeTable", FLOOR, **rules(table, changes, **settings))


def refused(table: Table, code: str, changes: Json | None = None, **fields: Any) -> str:
    return table.refused(code, "ChangeTable", FLOOR, **rules(table, changes) | fields)


def paced(table: Table, **times: int) -> Settings:
    settings = table.state.settings
    return replace(settings, pace=replace(settings.pace, **times))


def play(table: Table, ante: int = 500) -> happened.RoundSettled:
    """Let bob fold against ann."""
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=ante)
    table.tick()
    end = table.do("Choose", "bob", move="fold")[-1]
    assert isinstance(end, happened.RoundSettled)
    return end


# From the next round on


def test_limits_and_fees_are_those_of_the_next_round() -> None:
    table = Table("california", FOUR)
    play(table)
    assert table.state.balances["fees"] == 100 + 200
    dearer = {"fees.rates.0.player": 150, "fees.rates.0.banker": 250, "limits.bonus.max": 400}
    (event,) = change(table, dearer)
    assert isinstance(event, happened.TableChanged)
    assert (event.by, event.reason) == (FLOOR, "a slow night")
    assert [rate["player"] for rate in view(table.state).fees] == [150, 200, 300]
    table.banked_by("ann")
    wagers = (Bet("ante", 500), Bet("bonus", 500))
    table.refused("wager.limits", "PlaceWagers", "bob", wagers=wagers)
    table.bet("bob", ready=False, ante=500, bonus=400)
    assert table.held("bob") == 500 + 400 + 150
    table.tick()
    assert table.state.balances["fees"] == 300 + 150 + 250


def test_a_round_is_committed_to_with_its_own_rulebook() -> None:
    table = Table("california", FOUR)
    digests = [table.state.digest]
    play(table)
    change(table, {"limits.bonus.max": 400})
    digests.append(table.state.digest)
    play(table)
    assert view(table.state).digest == digests[1] == document_digest(table.state.document)
    records = list(rounds_of(decode(row.event) for row in table.room.store.read("table/t")))
    assert [record.digest for record in records] == digests
    for record in records:
        seed, number = bytes.fromhex(record.end.seed), record.live.number
        made = commitment("t", number, record.digest, seed)
        assert record.live.commitment == made.hex()


def test_times_silence_and_the_least_bank_are_settings() -> None:
    table = Table("california", FOUR)
    pace = paced(table, offer=9_000, moves=7_000).pace
    change(table, pace=pace, silence="play", least_bank=20_000, bots=False)
    table.tick()
    assert table.state.deadline == table.at + 9_000
    table.refused("bank.least", "AcceptBank", "ann", cents=19_999)
    table.do("AcceptBank", "ann", cents=20_000)
    table.bet("bob", ready=False, ante=500)
    table.tick()
    assert table.state.deadline == table.at + 7_000
    moved = table.tick()[0]
    assert isinstance(moved, happened.MoveMade)
    assert moved.move == "play"
    table.refused("table.bots", "Sit", "eve", place=7, cents=500, bot=True)


def test_the_pause_begins_anew() -> None:
    table = Table("house", {"ann": 1})
    table.at = table.state.at + 1000
    change(table, {"limits.ante.max": 300})
    assert table.tick(wait=99) == []
    assert kinds(table.tick(wait=1)) == ["RoundOpened"]


def test_a_bank_that_nobody_wanted_goes_round_again() -> None:
    table = Table("california", FOUR)
    for _ in range(5):
        table.tick()
    assert table.tick() == []
    change(table, least_bank=1000)
    assert view(table.state).waits_for is None
    table.refused("bank.in_turn", "WantBank", "cyd")
    assert kinds(table.tick()) == ["BankOffered"]


def test_a_button_stays_where_it_is_unless_action_starts_otherwise() -> None:
    table = Table(qh.load("california", {"first": "button"}), FOUR)
    firsts = []
    ways: list[Json] = [{}, {"limits.bonus.max": 400}, {"first": "left"}, {}, {"first": "button"}]
    for changes in ways:
        if changes:
            change(table, changes)
        play(table)
        assert table.state.last is not None
        assert table.state.last.live.poker is not None
        firsts.append(table.state.last.live.poker.first)
    assert firsts == [1, 2, 1, 1, 1]


def test_the_last_round_is_shown_as_it_was_played() -> None:
    """Two cards up are two cards up from the next round on, not in the last one."""
    table = Table("california", FOUR)
    play(table)
    before = {who: view(table.state, who).last for who in (None, FLOOR, *FOUR)}
    shown = before[None]
    assert shown is not None
    assert shown.round.dealer[1:] == (None, None)
    change(table, {"up": 2, "bonus.on_fold": "resolve"})
    change(table, {"up": 0})
    assert {who: view(table.state, who).last for who in before} == before
    table.desk.reload()
    assert {who: view(table.state, who).last for who in before} == before
    play(table)
    last = view(table.state).last
    assert last is not None
    assert last.round.dealer == (None, None, None)


def test_limits_may_begin_where_no_fee_is_posted(tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        table = Table("california", {"ann": 1, "bob": 2}, store=store, stack=40_700)
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


# Refusals


def test_nothing_changes_while_a_round_is_under_way() -> None:
    table = Table("california", FOUR)
    more = {"limits.bonus.max": 400}
    steps: list[Callable[[], object]] = [
        table.tick,
        lambda: table.do("AcceptBank", "ann", cents=5000),
        lambda: table.bet("bob", ready=False, ante=500),
        table.tick,
    ]
    phases = []
    for go_on in steps:
        go_on()
        phases.append(table.state.phase)
        told = refused(table, "change.round", more)
        assert "wait until the round is over" in told
    assert phases == ["offering", "betting", "betting", "deciding"]
    table.tick()
    change(table, more)


def with_a_bet_in_prison(store: Store | None = None) -> Table:
    book = qh.load("roulette-european", {"on_zero": "en_prison"})
    table = Table(book, {"ann": 1}, store=store)
    for seed in range(400):
        table.tick()
        table.do("AddSeed", "ann", seed=str(seed))
        table.bet("ann", red=100)
        if table.state.prison:
            return table
    raise AssertionError("no zero came")


def test_nothing_changes_while_a_bet_is_in_prison() -> None:
    table = with_a_bet_in_prison()
    told = refused(table, "change.round", {"limits.max": 500})
    assert "wait until the round is over" in told
    while table.state.prison:
        table.tick()
        table.tick()
    change(table, {"limits.max": 500})


@pytest.mark.parametrize(
    ("name", "other", "places"),
    [
        ("california", "house", 11),
        ("california", "house", 7),
        ("house", "california", 7),
        ("house", "roulette", 7),
        ("roulette", "house", 8),
    ],
)
def test_a_table_keeps_its_game_and_who_banks(name: str, other: str, places: int) -> None:
    table = Table(name, {"ann": 1})
    document = dict(qh.load(other).document)
    settings = replace(table.state.settings, places=places)
    refused(table, "change.game", rulebook=document, settings=settings)


def test_a_table_keeps_its_places() -> None:
    table = Table("california", {"ann": 1})
    refused(table, "change.game", {"seats": 9})
    fewer = replace(table.state.settings, places=10)
    refused(table, "change.game", {"seats": 9}, settings=fewer)
    refused(table, "change.game", settings=fewer)
    wheel = Table("roulette", {"ann": 1})
    refused(wheel, "change.game", settings=replace(wheel.state.settings, places=9))


def test_settings_are_checked_as_when_a_table_is_opened() -> None:
    table = Table("house", {"ann": 1})
    refused(table, "settings.range", settings=paced(table, bets=-1))
    refused(table, "settings.range", settings=replace(table.state.settings, least_bank=0))


def test_a_change_changes_something_for_a_reason_by_the_floor() -> None:
    table = Table("house", {"ann": 1})
    refused(table, "change.nothing")
    turned = dict(reversed(table.state.document.items()))
    refused(table, "change.nothing", rulebook=turned)
    refused(table, "text.length", {"limits.ante.max": 300}, reason="x" * 201)
    refused(table, "text.length", {"limits.ante.max": 300}, reason="two\nlines")
    fields = rules(table, {"limits.ante.max": 300})
    table.refused("sender.wrong", "ChangeTable", "ann", **fields)
    table.refused("sender.wrong", "ChangeTable", "clock", **fields)


def test_a_closing_table_does_not_change() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    table.do("CloseTable", FLOOR, reason="the night is over")
    refused(table, "table.closing", {"limits.bonus.max": 400})
    table.tick()
    table.tick()
    refused(table, "table.closed", {"limits.bonus.max": 400})


def spoil(document: Json, at: int) -> Json:
    """Return a document with something wrong in it."""
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    odd: list[Any] = [deep, "\ud800", 1.5, float("nan"), -1, None, {}, [], 10**30, "x", True]
    keys = [key for key in document if key not in ("clauses", "assumptions", "refused")]
    key = keys[at % len(keys)]
    return {**document, key: odd[at // len(keys) % len(odd)]}


def test_a_rulebook_that_cannot_be_read_is_refused_by_the_loader() -> None:
    table = Table("california", {"ann": 1})
    for document in ({}, {"game": "chess"}, {"game": ["roulette"]}):
        refused(table, "rulebook.invalid", rulebook=document)
    told = refused(
        table, "rulebook.invalid", rulebook={**table.state.document, "limits": {"bonus": 5}}
    )
    assert "limits.bonus" in told
    document, codes = table.state.document, set()
    for at in range(11 * len(document)):
        try:
            table.do("ChangeTable", FLOOR, **{**rules(table), "rulebook": spoil(document, at)})
        except qh.QueenhighError as error:
            codes.add(error.code)
    assert codes <= {"rulebook.invalid", "change.game", "change.nothing"}
    assert table.state.digest == document_digest(table.state.document)


# Read again, and proved


def test_a_change_is_read_again_from_events_and_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "_BETWEEN_SNAPSHOTS", 1)
    kept, plain = MemoryStore(), MemoryStore()
    for store in (kept, plain):
        if store is plain:
            monkeypatch.setattr(desk_module, "_BETWEEN_SNAPSHOTS", 10**6)
        table = Table("california", FOUR, store=store)
        play(table)
        change(table, {"fees.rates.0.player": 150})
        changed = table.state.book
        again = Table(changed, store=store)
        assert (store.snapshot("table/t") is None) == (store is plain)
        assert replace(again.state, book=changed) == table.state
        again.at = table.at
        again.ids = table.ids
        play(again)
        assert again.state.balances["fees"] == 300 + 150 + 200


def test_the_same_command_changes_a_table_once() -> None:
    table = Table("house", {"ann": 1})
    command = table.command("ChangeTable", FLOOR, **rules(table, {"limits.ante.max": 300}))
    first = table.desk.execute(command)
    change(table, {"limits.ante.max": 400})
    assert table.desk.execute(command) == first
    assert table.state.document["limits"]["ante"]["max"] == 400


def log_of(file: Path, fill: Callable[[Store], object]) -> list[Json]:
    store = SqliteStore(file)
    fill(store)
    store.close()
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
    log = file.with_suffix(".jsonl")
    with log.open("w", encoding="utf-8") as out:
        write_log(file, out)
    return [json.loads(line) for line in log.read_text().splitlines()]


def play_out_the_bank(table: Table) -> None:
    """Let ann bank so little that it matters where action starts."""
    table.banked_by("ann", 600)
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")


def several_changes(store: Store) -> None:
    """Play under other fees, rotations and starts of action, and void a round in between."""
    table = Table("california", FOUR, store=store)
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


class Restless(Chaos):
    """A table whose floor cannot leave the rules alone."""

    def __init__(self, store: Store, book: str, seed: int) -> None:
        super().__init__(store, qh.load(book), seed, f"t{seed}")
        self.moods = GAMES[book]

    def next_command(self) -> Command:
        state, draw = self.desk.state, self.random
        if state.phase != "between" or draw.random() > 0.2:
            return super().next_command()
        keys = draw.sample(sorted(self.moods), draw.randint(0, 2))
        book = vary(state.book, {key: draw.choice(self.moods[key]) for key in keys})
        settings = replace(
            state.settings,
            pace=replace(state.settings.pace, pause=draw.choice((0, 50, 100))),
            silence=draw.choice(("fold", "play")),
            least_bank=draw.choice((1, 500, 3000)),
        )
        fields: Json = {"rulebook": dict(book.document), "settings": settings, "reason": ""}
        return self._ask(ask.ChangeTable, FLOOR, **fields)


@pytest.mark.parametrize("name", GAMES)
def test_both_verifiers_follow_a_restless_floor(name: str, tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        for seed in range(20 if FULL else 2):
            table = Restless(store, name, seed)
            for _ in range(500):
                table.step()
            table.close()

    heads = [row.get("event", "")[:40] for row in log_of(tmp_path / "room.db", fill)]
    for kind in ("table.changed/1", "settled/1"):
        assert sum(kind in head for head in heads) > 5, kind


def test_a_document_may_be_written_as_a_file_is(tmp_path: Path) -> None:
    """A pay may be a number, and a key that is null is one that is left out."""

    def fill(store: Store) -> None:
        table = Table("california", FOUR, store=store)
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
    found = {name: verify(file, check_head=False) for name, verify in BOTH.items()}
    return {name: None if verdict.ok else verdict.n for name, verdict in found.items()}


def california(store: Store) -> None:
    table = Table("california", FOUR, store=store)
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
        "round.opened/1",
        "wagers.placed/1",
        "cards.dealt/1",
        "table.closing/1",
        "table.closed/1",
    ],
)
def test_no_change_stands_in_the_middle_of_a_round(kind: str, tmp_path: Path) -> None:
    rows = log_of(tmp_path / "room.db", california)
    at = max(at for at, row in enumerate(rows[:-1]) if kind in row["event"][:40])
    lines = put_in(rows, changed_to(rows), at)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, at + 2)


def between_rounds(store: Store) -> None:
    play(Table("california", FOUR, store=store))


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
def test_no_change_is_against_the_rules(wrong: Callable[[Json], None], tmp_path: Path) -> None:
    rows = log_of(tmp_path / "room.db", between_rounds)
    last = len(rows) - 2
    right = changed_to(rows)
    assert verdicts(put_in(rows, right, last), tmp_path / "log") == dict.fromkeys(BOTH)
    wrong(right)
    lines = put_in(rows, right, last)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, last + 2)


@pytest.mark.parametrize("name", ["california", "house"])
def test_no_round_begins_before_the_new_pause_is_over(name: str, tmp_path: Path) -> None:
    def fill(store: Store) -> None:
        table = Table(name, {"ann": 1, "bob": 2}, store=store)
        table.at = table.state.at + 1000
        change(table, pace=paced(table, pause=300).pace)
        table.tick()

    rows = log_of(tmp_path / "room.db", fill)
    last = len(rows) - 2
    event = json.loads(rows[last]["event"])
    assert event["type"] in ("bank.offered/1", "round.opened/1")
    for at, good in ((0, True), (1, True), (-1, False)):
        moved = {**event, "at": event["at"] + at}
        lines = forge([json.dumps(row).encode() for row in rows], last, moved)
        expected = None if good else last + 1
        assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, expected)


def test_no_change_stands_where_a_bet_is_in_prison(tmp_path: Path) -> None:
    rows = log_of(tmp_path / "room.db", with_a_bet_in_prison)
    last = len(rows) - 2
    lines = put_in(rows, changed_to(rows), last)
    assert verdicts(lines, tmp_path / "log") == dict.fromkeys(BOTH, last + 2)


def test_a_room_that_names_another_rulebook_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The room itself is wrong: all that follows fits the digest, which is not the document's."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table("california", FOUR, store=store)
    play(table)
    with monkeypatch.context() as patch:
        patch.setattr(decide_module, "document_digest", lambda document: "sha256:" + "ab" * 32)
        change(table, {"limits.bonus.max": 400})
    play(table)
    store.close()
    for name, verify in BOTH.items():
        verdict = verify(tmp_path / "room.db")
        assert not verdict.ok, f"{name} believes it"
        assert "digest" in str(verdict.reason)
