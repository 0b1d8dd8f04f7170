"""``table``: bots at a durable table; and rounds out of it, to recall or to take elsewhere."""

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from secrets import randbits
from time import monotonic
from typing import Any

from queenhigh.commands.output import dump, show
from queenhigh.commands.progress import counting, stopped_by_interrupt
from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.room.bots import STYLES, Bot, make_bots
from queenhigh.room.desk import Desk, stream_of
from queenhigh.room.hand_history import as_hand_history, number_hands
from queenhigh.room.history import Record, as_recall, as_settle_line, rounds_of
from queenhigh.room.log import BadLine, Row, read_log, write_log
from queenhigh.room.play import AT_ONCE, Hooks, Played, play, seat_bots
from queenhigh.room.rebase import rebase_at_start
from queenhigh.room.room import Room, settings_for
from queenhigh.rulebook.book import Rulebook
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.state import is_banked

__all__ = ["Asked", "print_recall", "run_table", "write_export"]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What ``table run`` was asked for."""

    bots: int | None
    rounds: int
    db: Path
    table: str | None
    policy: tuple[str, ...]
    seed: int | None


def run_table(book: Rulebook, asked: Asked, *, as_json: bool) -> bool:
    """Let bots play, print how it went, and tell whether all rounds were played."""
    with sole_writer(asked.db), closing(SqliteStore(asked.db)) as store:
        return _run(Room(store), book, asked, as_json=as_json)


def _run(room: Room, book: Rulebook, asked: Asked, *, as_json: bool) -> bool:
    settings = settings_for(book, pace=AT_ONCE)
    desk = room.open_table(asked.table or book.name, book, settings)
    rebase_at_start(desk)
    count = settings.places if asked.bots is None else asked.bots
    seed = randbits(64) if asked.seed is None else asked.seed
    bots = make_bots(book, count, seed, asked.policy or STYLES)
    seat_bots(room, desk, [bot.name for bot in bots])
    before = _chips(room, desk, bots)
    start = monotonic()
    with stopped_by_interrupt() as stopped, counting(asked.rounds, "rounds") as count_up:
        hooks = Hooks(watch=lambda played: count_up(played.rounds), stop=stopped.is_set)
        played = play(room, desk, bots, asked.rounds, hooks)
    told = _summary(room, desk, bots, before, played, monotonic() - start)
    told |= {"asked": asked.rounds, "db": str(asked.db)}
    _print(told, as_json=as_json)
    return played.rounds >= asked.rounds


def _chips(room: Room, desk: Desk, bots: list[Bot]) -> dict[str, int]:
    """Return all chips of each bot, less what the room has given."""
    chips = {}
    for bot in bots:
        place = desk.state.place_of(bot.name)
        at_table = desk.state.stack(place) + desk.state.held(place) if place else 0
        wallet = room.wallets.of(bot.name)
        chips[bot.name] = at_table + wallet.cents - wallet.issued
    return chips


def _summary(
    room: Room, desk: Desk, bots: list[Bot], before: dict[str, int], played: Played, seconds: float
) -> dict[str, Any]:
    after = _chips(room, desk, bots)
    players = [
        {
            "place": desk.state.place_of(bot.name),
            "player": bot.name,
            "policy": bot.policy.name if bot.policy else None,
            "banks": bot.banks,
            "net": after[bot.name] - before.get(bot.name, 0),
        }
        for bot in bots
    ]
    accounts = desk.state.balances
    return {
        "table": desk.table,
        "title": desk.state.book.title,
        "players_bank": is_banked(desk.state.book),
        "rounds": played.rounds,
        "commands": played.commands,
        "seconds": round(seconds, 3),
        "events": desk.state.version,
        "players": players,
        "fees": accounts.get("fees", 0),
        "house": accounts.get("house", 0),
    }


def _print(told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        dump(told)
        return
    from queenhigh.sheets.table_sheet import run_sheet  # noqa: PLC0415

    show(run_sheet(told))


# Rounds that were played


def print_recall(db: Path, table: str | None, player: str, last: int, *, as_json: bool) -> None:
    """Print the last rounds of a player."""
    found = [told for record in _records(db, table) if (told := as_recall(record, player))]
    recalled = found[-last:]
    if not recalled:
        raise QueenhighError("recall.none", f"{player} has played no round there: check the name")
    if as_json:
        dump(recalled)
        return
    from queenhigh.sheets.table_sheet import recall_sheet  # noqa: PLC0415

    show(recall_sheet(player, recalled))


def write_export(db: Path, table: str | None, form: str) -> None:
    """Write rounds to standard output: for ``settle``, as hand histories, or the log."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if form == "log":
        _check_store(db)
        write_log(db, sys.stdout)
        return
    records = _records(db, table)
    if form == "phh":
        histories = filter(None, map(as_hand_history, records))
        sys.stdout.writelines(number_hands(histories))
        return
    for line in filter(None, map(as_settle_line, records)):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


def _check_store(db: Path) -> None:
    if not db.is_file():
        raise QueenhighError("file.unreadable", f"{db}: there is no such store")


def _records(db: Path, table: str | None) -> Iterator[Record]:
    """Yield the rounds of a table, or of all tables; the store is only read."""
    _check_store(db)
    events: dict[str, list[TableEvent]] = {}
    for row in read_log(db):
        if isinstance(row, BadLine):
            raise QueenhighError("log.line", f"line {row.n}: {row.told}; see queenhigh verify")
        if isinstance(row, Row) and row.stream.startswith(stream_of("")):
            known = events.setdefault(row.stream.removeprefix(stream_of("")), [])
            if not row.is_archived:
                known.append(decode(row.event))
    if table is not None and table not in events:
        told = f"there is no table {table[:40]!r} in {db}: it has {', '.join(events) or 'none'}"
        raise QueenhighError("table.none", told)
    for name in [table] if table is not None else sorted(events):
        try:
            yield from rounds_of(events[name])
        except (BrokenLog, LookupError, RecursionError):
            told = f"the events of table {name} do not fit together: see queenhigh verify"
            raise QueenhighError("table.broken", told) from None
