"""Both verifiers settle and charge by every reading: a lie about one is found where it is told."""

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

import queenhigh as qh
from queenhigh.games.three_card_poker import Round
from queenhigh.history.records import rounds_of
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import settings_for
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import from_document, vary
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import RoundSettled, decode
from queenhigh.verify.log_file import write_log
from tests.oracle.plain import KIND_RATES
from tests.seeds import rng
from tests.table.deciding_rounds import deciding_seed
from tests.table.random_play import BOOKS, RandomPlay
from tests.table.seeded_rooms import seeded_room
from tests.verify.forging import Json, forge
from tests.verify.verifiers import BOTH, _other, prove

SEAT, FIRST = {"settle_order": "seat"}, {"settle_order": "bonus_first"}
#: Rulebooks, each with the readings that must matter in some round of random play.
TABLES: dict[str, tuple[Mapping[str, object], ...]] = {
    "in turn": (SEAT, FIRST, {"fold_uncovered": "returned"}),
    "bonus first": (SEAT, {"fold_uncovered": "returned"}),
    "together": (),
}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[bytes]]:
    """Return the log of random play at a table of each of these rulebooks."""
    return {name: _log(name, tmp_path_factory.mktemp("readings") / "room.db") for name in TABLES}


def _log(name: str, file: Path) -> list[bytes]:
    store = SqliteStore(file)
    random_play = RandomPlay(store, BOOKS[name], deciding_seed(name, *TABLES[name]), name)
    for _ in range(160):
        random_play.step()
    store.close()
    with file.with_suffix(".jsonl").open("w", encoding="utf-8") as out:
        write_log(file, out)
    prove(file)
    return file.with_suffix(".jsonl").read_bytes().splitlines(keepends=True)


def events_of(lines: list[bytes], table: str) -> Iterator[tuple[int, Json]]:
    for index, line in enumerate(lines[:-1]):
        row = json.loads(line)
        if row["stream"] == f"table/{table}":
            yield index, json.loads(row["event"])


def settled_by(lines: list[bytes], table: str, changes: dict[str, object]) -> tuple[int, Json]:
    """Return the first settlement that another reading changes, as that reading has it."""
    index_of = {event["round"]: (index, event) for index, event in events_of(lines, table)
                if event["type"] == "round.settled/1"}  # fmt: skip
    events = [decode(json.dumps(event).encode()) for _, event in events_of(lines, table)]
    for record in rounds_of(events, table):
        if not isinstance(record.end, RoundSettled):
            continue
        assert isinstance(record.live.play, Round)
        settled: Any = record.book.game.settle(vary(record.book, changes), record.live.play)
        index, event = index_of[record.live.number]
        wagers = {seat.seat: list(msgspec.to_builtins(seat.wagers)) for seat in settled.seats}
        nets = {seat.seat: seat.net for seat in settled.seats}
        places = [
            {**row, "wagers": wagers[row["seat"]], "net": nets[row["seat"]]}
            for row in event["places"]
        ]
        lie = {**event, "places": places, "net": settled.banker, "bank_left": settled.bank_left}
        if lie != event:
            return index, lie
    raise AssertionError(f"no round of {table} differs by {changes}")


def charged(lines: list[bytes], kind: str, spot: str | None) -> tuple[int, Json]:
    """Return the first event that charges for a kind of wager, with a cent less."""
    for index, event in events_of(lines, "in turn"):
        spots = [bet["spot"] for bet in event.get("wagers", [])]
        if event["type"] == kind and event.get("fee") and (spot is None or spot in spots):
            return index, {**event, "fee": event["fee"] - 1}
    raise AssertionError(f"there is no fee in {kind}")


def too_much_together(lines: list[bytes]) -> tuple[int, Json]:
    """Return a bet on both spots, raised until both together are a cent too much."""
    for index, event in events_of(lines, "together"):
        wagers = event.get("wagers", [])
        if event["type"] == "wagers.placed/1" and len(wagers) == 2:
            rest = wagers[1]["cents"]
            return index, {**event, "wagers": [{**wagers[0], "cents": 401 - rest}, wagers[1]]}
    raise AssertionError("nobody bets on both spots")


LIES: dict[str, Callable[[list[bytes]], tuple[int, Json]]] = {
    "settled seat by seat": lambda log: settled_by(log, "in turn", {"settle_order": "seat"}),
    "settled bonus first": lambda log: settled_by(log, "in turn", {"settle_order": "bonus_first"}),
    "settled bonus last": lambda log: settled_by(log, "bonus first", {"settle_order": "seat"}),
    "a forfeit returned": lambda log: settled_by(log, "in turn", {"fold_uncovered": "returned"}),
    "a forfeit of net returned": lambda log: settled_by(
        log, "bonus first", {"fold_uncovered": "returned"}
    ),
    "a smaller fee of an Ante": lambda log: charged(log, "wagers.placed/1", "ante"),
    "a smaller fee of a bonus bet": lambda log: charged(log, "wagers.placed/1", "bonus"),
    "a smaller fee of Play": lambda log: charged(log, "move.made/1", None),
    "bets above the total": too_much_together,
}
#: Lies that are told at another table than the first.
ELSEWHERE = {
    "bonus first": {"settled bonus last", "a forfeit of net returned"},
    "together": {"bets above the total"},
}


@pytest.mark.parametrize("lie", LIES)
def test_lie_about_a_reading_is_found(
    lie: str, logs: dict[str, list[bytes]], tmp_path: Path
) -> None:
    table = next((name for name, lies in ELSEWHERE.items() if lie in lies), "in turn")
    lines = logs[table]
    index, event = LIES[lie](lines)
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(forge(lines, index, event)))
    for name, verify in BOTH.items():
        verdict = verify(file, check_head=False)
        assert not verdict.ok, f"{name} believes it"
        assert verdict.n == index + 1, f"{name}: {index + 1} is a lie, {verdict} was found"


# Bots, who keep to every reading


def _books() -> dict[str, Rulebook]:
    """Return each reading alone, mixtures of all, and fees for bonus bets alone."""
    kinds: dict[str, object] = {"fee_per": "kind", "fees.rates": KIND_RATES}
    readings: list[dict[str, object]] = [
        {"settle_order": "wager"}, {"settle_order": "bonus_first"}, {"fold_uncovered": "lost"},
        kinds, {**kinds, "collect": "after"},
    ]  # fmt: skip
    draw = rng("readings")
    for _ in range(2):
        readings.append(
            {
                "settle_order": draw.choice(["seat", "wager", "bonus_first"]),
                "fold_uncovered": draw.choice(["returned", "lost"]),
                "coverage": draw.choice(["action", "net"]),
                "collect": draw.choice(["before", "after"]),
                "bonus_on_fold": draw.choice(["forfeit", "resolve"]),
                **draw.choice([kinds, {}]),
            }
        )
    books = {f"california {n}": qh.load("california", made) for n, made in enumerate(readings)}
    tight = {"scope": "total", "limits.ante.min": 300, "limits.pair_plus.min": 200}
    return {**books, "free": free_antes(), "total": qh.load("house", tight)}


def free_antes() -> Rulebook:
    """Return a rulebook by which only Play and bonus bets pay, and so no banker."""
    document: Any = json.loads(json.dumps(dict(qh.load("california").document)))
    document["fees"] |= {"fee_per": "kind", "rates": KIND_RATES[1:]}
    document["limits"]["ante"] = {"clause": "CA-7", "min": 500, "max": 20000}
    return from_document(document)


def test_bots_play_by_every_reading_and_both_accept(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    room = seeded_room(store, rng("bots of readings"))
    for name, book in _books().items():
        durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 5, 5, ("q64",))
        seat_bots(room, durable, [bot.name for bot in bots])
        play(room, durable, bots, 3)
        assert durable.committed.number == 3
    store.close()
    prove(file)


# Keys that older verifiers do not know


def test_second_verifier_passes_over_words_and_law() -> None:
    document: Any = json.loads(json.dumps(dict(BOOKS["in turn"].document)))
    plain = _other.read_rules(document)
    document["law"] = [{"key": "seats", "max": 10, "clause": "CA-2"}]
    document["clauses"][0]["words"] = "in other words"
    document["fees"]["notice_seconds"] = 60
    rules = _other.read_rules(document)
    assert (rules.least, rules.banker_most) == (plain.least, plain.banker_most) == (1150, 200)
    assert rules.owed({"ante": 500, "bonus": 100}) + rules.play_fee(500) == 175


@pytest.mark.parametrize(
    ("table", "key", "value"),
    [("bank", "settle_order", "hand"), ("bank", "fold_uncovered", 1), ("limits", "scope", "all")],
)
def test_second_verifier_refuses_a_reading_there_is_not(table: str, key: str, value: Any) -> None:
    document: Any = json.loads(json.dumps(dict(BOOKS["in turn"].document)))
    document[table][key] = value
    with pytest.raises(_other.Bad, match=key):
        _other.read_rules(document)


# Schedules that nobody would post


def random_schedule(draw: Random) -> Rulebook | None:
    """Return a rulebook with rates of any kinds and ranges; nothing where they do not fit."""
    document: Any = json.loads(json.dumps(dict(qh.load("california").document)))
    rates = []
    for _ in range(draw.randint(1, 3)):
        rate = {"clause": "CA-7", "on": draw.choice(["ante", "play", "bonus"]), "banker": 0}
        if rate["on"] == "ante":
            rate["banker"] = draw.randint(0, 3)
        if draw.random() < 0.7:
            low = draw.randint(1, 12)
            rate |= {"min": low, "max": low + draw.randint(0, 8)}
        rates.append(rate | {"player": draw.randint(0, 3)})
    document["fees"] |= {"fee_per": "kind", "rates": rates}
    most = draw.randint(8, 15)
    document["limits"] = {
        "scope": draw.choice(["each", "total"]),
        "ante": {"clause": "CA-7", "min": draw.randint(1, 5), "max": most},
        "bonus": {"clause": "CA-7", "min": draw.randint(1, 5), "max": most},
    }
    try:
        return from_document(document)
    except qh.InvalidRulebook:
        return None


def test_both_read_any_schedule_by_kind_alike() -> None:
    draw, compared = rng("schedules"), 0
    for _ in range(120):
        book: Any = random_schedule(draw)
        if book is None or not book.betting.of("ante").ranges:
            continue
        rules, terms = _other.read_rules(dict(book.document)), book.betting
        assert (rules.least, rules.banker_most) == (terms.least_stack, terms.banker_fee[1])
        for ante, bonus in product(range(1, 17), (0, 1, 4, 9, 14)):
            stakes = {"ante": ante, **({"bonus": bonus} if bonus else {})}
            legal = terms.fits(stakes.items()) and all(
                terms.of(name).find(cents) for name, cents in stakes.items()
            )
            assert is_accepted(rules, stakes) == legal, (stakes, book.document["fees"])
            if legal:
                fees = (terms.fee(stakes.items()), terms.reserve_fee(stakes.items()))
                assert (rules.owed(stakes), rules.play_fee(ante)) == fees
                assert rules.banker_fee(ante) == book.fees.banker_fee(ante)
                compared += 1
    assert compared > 100


def is_accepted(rules: Any, stakes: dict[str, int]) -> bool:
    try:
        rules.check([], [], list(stakes.items()))
    except _other.Bad:
        return False
    return True


@pytest.mark.parametrize(
    ("part", "wrong"),
    [
        ("together", lambda rules: 10**9),
        ("rates_on", lambda rules, kind: rules.rates),
        ("spans", lambda rules, spot: iter(())),
    ],
)
def test_comparison_of_schedules_catches_a_planted_bug(
    part: str, wrong: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_other.Poker, part, wrong)
    with pytest.raises((AssertionError, _other.Bad)):
        test_both_read_any_schedule_by_kind_alike()
