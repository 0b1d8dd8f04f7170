"""Both verifiers detect any change of a log, at the same event."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

import queenhigh as qh
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import settings_for
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, ChangeTable
from queenhigh.table.fairness import document_digest
from queenhigh.verify.log_file import write_log
from tests.history.made_once import made_once
from tests.seeds import rng
from tests.sizes import sized
from tests.table.random_play import BOOKS, LIMITS, RandomPlay, limit_key, other_rules
from tests.table.seeded_rooms import seeded_room
from tests.table.table_changes import without_notice
from tests.verify.forging import Json, forge
from tests.verify.verifiers import BOTH, Verdict, prove

CHANGES = sized(20, 80, 1000)  # of each kind


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store and beside it its log."""
    return made_once(tmp_path_factory, "tampering", _make) / "room.db"


def _make(folder: Path) -> None:
    """Play a few rounds of each game at tables that take turns, hands that play among them."""
    file = folder / "room.db"
    opened = SqliteStore(file)
    room = seeded_room(opened, Random(17))
    playing = []
    for name in ("california", "house", "roulette"):
        book = without_notice() if name == "california" else qh.load(name)
        durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 3, 5, ("q64",))
        seat_bots(room, durable, [bot.name for bot in bots])
        playing.append((durable, bots))
    for number in range(3):
        for durable, bots in playing:
            play(room, durable, bots, 1)
            if number == 0:
                change(durable)
    opened.close()
    with file.with_suffix(".jsonl").open("w", encoding="utf-8") as out:
        write_log(file, out)


def change(durable: DurableTable) -> None:
    limit = LIMITS[limit_key(durable.committed.book)][1]
    document, settings = other_rules(durable.committed, limit, 0)
    rules: Any = {"rulebook": document, "settings": settings, "reason": "a slow night"}
    durable.execute(ChangeTable(id="change", by=FLOOR, at=durable.committed.at, **rules))


@pytest.fixture(scope="module")
def lines(store: Path) -> list[bytes]:
    return store.with_suffix(".jsonl").read_bytes().splitlines(keepends=True)


def change_a_byte(lines: list[bytes], draw: Random) -> tuple[list[bytes], int]:
    index = draw.randrange(len(lines))
    where = draw.randrange(len(lines[index]))
    old = lines[index][where]
    new = draw.choice([byte for byte in range(256) if byte != old])
    changed = lines[index][:where] + bytes([new]) + lines[index][where + 1 :]
    return [*lines[:index], changed, *lines[index + 1 :]], index + 1


def delete_a_line(lines: list[bytes], draw: Random) -> tuple[list[bytes], int]:
    index = draw.randrange(len(lines))
    return [*lines[:index], *lines[index + 1 :]], index + 1


def swap_two_lines(lines: list[bytes], draw: Random) -> tuple[list[bytes], int]:
    one, two = sorted(draw.sample(range(len(lines)), 2))
    swapped = list(lines)
    swapped[one], swapped[two] = lines[two], lines[one]
    return swapped, one + 1


def names_it(verdict: Verdict, expected: int, events: int) -> bool:
    """Return whether the first bad event was named; the head has no number."""
    if expected <= events:
        return not verdict.ok and verdict.n == expected
    return not verdict.ok and verdict.n in (None, expected)


@pytest.mark.parametrize("name", BOTH)
def test_unchanged_log_passes(store: Path, lines: list[bytes], name: str) -> None:
    assert len(lines) > 80
    for file in (store, store.with_suffix(".jsonl")):
        verdict = BOTH[name](file)
        assert verdict.ok, f"event {verdict.n}: {verdict.reason}"
        assert verdict.rounds == 9


@pytest.mark.parametrize("tamper", [change_a_byte, delete_a_line, swap_two_lines])
def test_changed_log_is_detected(  # L1
    tamper: Callable[[list[bytes], Random], tuple[list[bytes], int]],
    lines: list[bytes],
    tmp_path: Path,
) -> None:
    draw, file = rng(tamper.__name__), tmp_path / "log.jsonl"
    for _ in range(CHANGES):
        changed, expected = tamper(lines, draw)
        file.write_bytes(b"".join(changed))
        for name, verify in BOTH.items():
            verdict = verify(file)
            assert names_it(verdict, expected, len(lines) - 1), (
                f"{name}: {expected} was changed, {verdict} was found"
            )


TAMPERED = {
    "update event set event = cast(cast(event as text) || ' ' as blob) where id = :n": 0,
    "update event set hash = zeroblob(32) where id = :n": 0,
    "update event set version = version + 1000 where id = :n": 0,
    "delete from event where id = :n": 0,
    "delete from event where id >= :n": 0,
    "update event set id = -id where id in (:n, :n + 1);"
    " update event set id = :n + 1 where id = -:n;"
    " update event set id = :n where id = -(:n + 1)": 0,
    "update head set events = events - 1": None,
    "update head set signature = zeroblob(64)": None,
    "update head set key = zeroblob(32)": None,
    "delete from head": None,
}


@pytest.mark.parametrize("change", TAMPERED)
def test_changed_store_is_detected(change: str, store: Path, tmp_path: Path) -> None:  # L1
    draw = rng(change)
    for _ in range(sized(2, 10, 40)):
        file = tmp_path / "room.db"
        file.write_bytes(store.read_bytes())
        db = apsw.Connection(str(file))
        ((events,),) = db.execute("select count(*) from event")
        n = draw.randrange(1, int(str(events)))
        for part in change.split(";"):
            db.execute(part.replace(":n", str(n)))
        db.close()
        expected = n if TAMPERED[change] == 0 else None
        for name, verify in BOTH.items():
            verdict = verify(file)
            assert not verdict.ok, f"{name} found nothing wrong"
            # Streams that know nothing of each other may swap: it shows later, or at the head.
            is_named = verdict.n == expected or "-id" in change
            assert is_named, f"{name}: {n} was changed, {verdict} was found"


# Lies with correct hashes: only the content of an event is wrong.


def pay_a_friend(event: Json) -> None:
    wager = next(place for place in event["places"][0]["wagers"] if place["stake"])
    wager["net"] += 100
    event["places"][0]["net"] += 100
    event["net"] -= 100


def name_another_clause(event: Json) -> None:
    event["places"][0]["wagers"][0]["clause"] = "CA-99"


def charge_less(event: Json) -> None:
    event["fees"][0]["cents"] -= 50


def deal_other_cards(event: Json) -> None:
    event["cards"][0], event["cards"][-1] = event["cards"][-1], event["cards"][0]


def commit_to_another_seed(event: Json) -> None:
    event["seed"] = "00" * 32


def bet_beyond_the_limit(event: Json) -> None:
    event["wagers"][0]["cents"] = 100_001


def ask_somebody_else(event: Json) -> None:
    event["place"] = event["place"] % 3 + 1


def move_too_late(event: Json) -> None:
    event["at"] += 10**9


def play_for_less(event: Json) -> None:
    event["cents"] -= 1


def bring_more(event: Json) -> None:
    event["cents"] += 1


def land_elsewhere(event: Json) -> None:
    event["pocket"] = "17" if event["pocket"] != "17" else "18"


def post_a_smaller_bank(event: Json) -> None:
    event["cents"] = 499


def name_another_rulebook(event: Json) -> None:
    event["digest"] = "sha256:" + "00" * 32


def print_other_fees(event: Json) -> None:
    event["rulebook"]["fees"]["rates"][0]["player"] += 100


def change_the_game(event: Json) -> None:
    event["rulebook"] = dict(qh.load("house").document)
    event["digest"] = document_digest(event["rulebook"])


def change_nothing(event: Json) -> None:
    event["rulebook"] = dict(without_notice().document)
    event["digest"] = document_digest(event["rulebook"])


def change_as_a_player(event: Json) -> None:
    event["by"] = "Ada"


LIES: dict[Callable[[Json], None], tuple[str, str]] = {
    pay_a_friend: ("california", "round.settled/1"),  # L15
    name_another_clause: ("california", "round.settled/1"),  # L15
    charge_less: ("california", "bets.closed/2"),  # L9
    deal_other_cards: ("house", "cards.dealt/2"),  # L13
    commit_to_another_seed: ("roulette", "round.opened/2"),  # L10
    bet_beyond_the_limit: ("house", "wagers.placed/1"),  # L8
    ask_somebody_else: ("california", "bank.offered/1"),  # L7
    move_too_late: ("house", "move.made/1"),  # L14
    play_for_less: ("california", "move.made/1"),  # L14
    bring_more: ("house", "seat.taken/1"),  # L4
    land_elsewhere: ("roulette", "ball.landed/2"),  # L13
    post_a_smaller_bank: ("california", "bank.posted/1"),  # L7
    name_another_rulebook: ("california", "table.changed/1"),  # L17
    print_other_fees: ("california", "table.changed/1"),  # L17
    change_the_game: ("california", "table.changed/1"),  # L17
    change_nothing: ("california", "table.changed/1"),  # L17
    change_as_a_player: ("roulette", "table.changed/1"),  # L17
}


def find(lines: list[bytes], table: str, kind: str) -> int:
    """Return where the first event of a kind stands that is not a fold."""
    for index, line in enumerate(lines[:-1]):
        row = json.loads(line)
        event = json.loads(row["event"])
        is_wanted = (row["stream"], event["type"]) == (f"table/{table}", kind)
        if is_wanted and event.get("move") != "fold":
            return index
    raise AssertionError(f"there is no {kind}")


@pytest.mark.parametrize("lie", LIES)
def test_lie_with_correct_hashes_is_detected(
    lie: Callable[[Json], None], lines: list[bytes], tmp_path: Path
) -> None:
    index = find(lines, *LIES[lie])
    truth = json.loads(json.loads(lines[index])["event"])
    event = json.loads(json.loads(lines[index])["event"])
    lie(event)
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(forge(lines, index, event)))
    for name, verify in BOTH.items():
        verdict = verify(file, check_head=False)
        reported_at = index + 2 if lie is bring_more else index + 1
        assert not verdict.ok, f"{name} believes it"
        assert verdict.n in (index + 1, reported_at), (
            f"{name}: {index + 1} is a lie, {verdict} was found"
        )
    file.write_bytes(b"".join(forge(lines, index, truth)))
    assert all(verify(file, check_head=False).ok for verify in BOTH.values())


def test_log_that_ends_within_a_step_is_detected(lines: list[bytes], tmp_path: Path) -> None:  # L3
    """Bets close and no card is dealt: wrong even if the room signs what is left."""
    index = find(lines, "house", "bets.closed/2")
    ids = [json.loads(json.loads(line)["event"]).get("id") for line in lines[: index + 1]]
    begins = ids.index(ids[index])
    file = tmp_path / "log.jsonl"
    for end, expected in ((begins, None), (index + 1, index + 2)):
        file.write_bytes(b"".join([*lines[:end], lines[-1]]))
        for name, verify in BOTH.items():
            verdict = verify(file, check_head=False)
            assert verdict.n == expected, f"{name}: {verdict}"
            assert verdict.ok == (expected is None), name


@pytest.mark.parametrize("book", BOOKS)
def test_both_accept_whatever_a_table_allows(book: str, tmp_path: Path) -> None:
    file, draw = tmp_path / "room.db", rng(book)
    opened = SqliteStore(file)
    for number, steps in enumerate(sized((5, 300), (5, 300, 600) * 2, (5, 300, 600) * 20)):
        random_play = RandomPlay(opened, BOOKS[book], draw.getrandbits(32), f"t{number}")
        for _ in range(steps):
            random_play.step()
        random_play.close()
        assert random_play.durable.committed.phase == "closed"
        assert not any(random_play.durable.committed.held(place) for place in range(12))
    opened.close()
    prove(file)
