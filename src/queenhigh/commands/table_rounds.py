"""``table recall`` and ``table export``: rounds that were played."""

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queenhigh.commands.location import LOCATION
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json, print_text
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.history.records import Record
    from queenhigh.store.location import Location
    from queenhigh.table.events import TableEvent

__all__ = ["export", "recall"]


@click.command()
@click.argument("db", type=LOCATION)
@click.option("--player", required=True, help="Name of the player.")
@click.option("--table", metavar="NAME", help="Only this table; all tables by default.")
@click.option(
    "--last", type=click.IntRange(1), default=10, show_default=True, help="Number of rounds."
)
@json_option
def recall(db: "Location", player: str, table: str | None, last: int, as_json: bool) -> None:
    """Show a player's last rounds.

    For each round: the result, every step, the wagers, and the chips before and after.
    """
    played = list(_recalled(db, table, player))
    recalled = played[-last:]
    if not recalled:
        raise QueenhighError("recall.none", f"{player} has played no rounds here: check the name")
    if as_json:
        print_json(recalled)
        return
    from queenhigh.sheets import recall_sheet

    print_text(recall_sheet.as_text(player, recalled))


@click.command()
@click.argument("db", type=LOCATION)
@click.option("--table", metavar="NAME", help="Only this table; all tables by default.")
@click.option(
    "--as", "form", type=click.Choice(["settle", "phh", "log"]), default="settle",
    show_default=True, help="Format: input for settle, a PHH file (.phhs), or the log.",
)  # fmt: skip
def export(db: "Location", table: str | None, form: str) -> None:
    """Export finished rounds, or the whole log, to standard output.

    The log contains the seeds of unfinished rounds. Do not share it before those rounds are over.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    if form == "log":
        from queenhigh.verify.log_file import write_log

        _check_store(db)
        write_log(db, sys.stdout)
        return
    import json

    from queenhigh.history.hand_history import as_hand_history, number_hands
    from queenhigh.history.records import as_settle_line

    records = _records(db, table)
    if form == "phh":
        histories = filter(None, map(as_hand_history, records))
        sys.stdout.writelines(number_hands(histories))
        return
    for line in filter(None, map(as_settle_line, records)):
        sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")


def _recalled(db: "Location", table: str | None, player: str) -> "Iterator[dict[str, Any]]":
    """Yield a player's rounds, each with its corrections."""
    from queenhigh.history.correction_lines import corrections_of
    from queenhigh.history.recall import as_recall
    from queenhigh.history.records import rounds_of

    for name, events in _events(db, table).items():
        corrections = corrections_of((name, event) for event in events)
        for record in rounds_of(events, name):
            of_round = [each for each in corrections if each.round == record.live.number]
            if recalled := as_recall(record, player, of_round):
                yield recalled


def _check_store(db: "Location") -> None:
    from queenhigh.store.open import check_complete

    if isinstance(db, Path) and not db.is_file():
        raise QueenhighError("file.unreadable", f"{db}: no such database")
    check_complete(db)


def _records(db: "Location", table: str | None) -> "Iterator[Record]":
    """Yield the rounds of a table, or of all tables; the store is only read."""
    from queenhigh.history.records import rounds_of

    for name, events in _events(db, table).items():
        yield from rounds_of(events, name)


def _events(db: "Location", table: str | None) -> "dict[str, list[TableEvent]]":
    """Return the events of a table, or of all tables by name."""
    from queenhigh.table.events import decode
    from queenhigh.table.streams import table_stream
    from queenhigh.verify.log_file import BadLine, Row, read_log

    _check_store(db)
    events: dict[str, list[TableEvent]] = {}
    for row in read_log(db):
        if isinstance(row, BadLine):
            raise QueenhighError("log.line", f"line {row.n}: {row.message}; run queenhigh verify")
        if isinstance(row, Row) and row.stream.startswith(table_stream("")):
            of_table = events.setdefault(row.stream.removeprefix(table_stream("")), [])
            if not row.is_archived:
                of_table.append(decode(row.event))
    if table is not None and table not in events:
        names = ", ".join(events) or "none"
        message = f"there is no table {table[:40]!r} in {db}; its tables: {names}"
        raise QueenhighError("table.none", message)
    return {name: events[name] for name in ([table] if table is not None else sorted(events))}
