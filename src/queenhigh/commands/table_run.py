"""``table run``: bots at a durable table."""

import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import click

from queenhigh.commands.amounts import Count
from queenhigh.commands.location import KEYS, LOCATION
from queenhigh.commands.options import json_option, load_rulebook, option, set_option, takes
from queenhigh.commands.output import print_json, print_text
from queenhigh.commands.progress import counting, stopped_by_interrupt

if TYPE_CHECKING:
    from queenhigh.room.bot_loop import Played
    from queenhigh.room.bots import Bot
    from queenhigh.room.durable_table import DurableTable
    from queenhigh.room.room import Room
    from queenhigh.rulebook.book import Rulebook
    from queenhigh.store.location import Location

__all__ = ["TableRunOptions", "run"]


class TableRunOptions(NamedTuple):
    """The options of ``table run``."""

    bots: Annotated[
        int | None,
        option("--bots", "Number of bots; fills the table by default.", type=click.IntRange(1, 20)),
    ]
    rounds: Annotated[
        int,
        option("--rounds", "Number of rounds.", type=Count(), default="1000", show_default=True),
    ]
    db: Annotated[
        "Location",
        option(
            "--db", "The database: a SQLite file or postgresql://…", type=LOCATION, required=True
        ),
    ]
    keys: Annotated[Path, KEYS]
    table: Annotated[
        str | None,
        option("--table", "Table name; the rulebook's name by default.", metavar="NAME"),
    ]
    policy: Annotated[
        tuple[str, ...],
        option(
            "--policy",
            "Strategy of the bots; if repeated, they take turns.",
            metavar="NAME|FILE",
            multiple=True,
        ),
    ]
    seed: Annotated[
        int | None,
        option("--seed", "Seed for the bots' random choices (not for the cards).", type=int),
    ]


@click.command()
@click.argument("rulebook")
@takes(TableRunOptions)
@set_option
@json_option
def run(rulebook: str, options: TableRunOptions, changes: tuple[str, ...], as_json: bool) -> None:
    """Run a table of bots and save its rounds.

    An existing table continues where it stopped. Ctrl-C stops early with exit status 130; nothing
    is lost.
    """
    from queenhigh.room.room import Room
    from queenhigh.store.open import sole_store
    from queenhigh.table.streams import table_stream

    book = load_rulebook(rulebook, changes)
    with sole_store(options.db, options.keys, table_stream("")) as store:
        is_done = _run(Room(store), book, options, as_json=as_json)
    sys.exit(0 if is_done else 130)


def _run(room: "Room", book: "Rulebook", options: TableRunOptions, *, as_json: bool) -> bool:
    from secrets import randbits

    from queenhigh.room.bot_loop import AT_ONCE, Hooks, play, seat_bots
    from queenhigh.room.bots import STYLES, make_bots
    from queenhigh.room.rebase import rebase_at_start
    from queenhigh.room.room import settings_for

    settings = settings_for(book, pace=AT_ONCE)
    durable = room.open_table(options.table or book.name, book, settings)
    rebase_at_start(durable)
    count = settings.places if options.bots is None else options.bots
    seed = randbits(64) if options.seed is None else options.seed
    bots = make_bots(book, count, seed, options.policy or STYLES)
    seat_bots(room, durable, [bot.name for bot in bots])
    before = _chips(room, durable, bots)
    start = monotonic()
    with stopped_by_interrupt() as stopped, counting(options.rounds, "rounds") as count_up:
        hooks = Hooks(watch=lambda played: count_up(played.rounds), stop=stopped.is_set)
        played = play(room, durable, bots, options.rounds, hooks)
    summary = _summary(room, durable, bots, before, played, monotonic() - start)
    summary |= {"asked": options.rounds, "db": str(options.db)}
    if as_json:
        print_json(summary)
    else:
        from queenhigh.sheets import run_sheet

        print_text(run_sheet.as_text(summary))
    return played.rounds >= options.rounds


def _chips(room: "Room", durable: "DurableTable", bots: "list[Bot]") -> dict[str, int]:
    """Return all chips of each bot, less what the room has given."""
    chips = {}
    for bot in bots:
        place = durable.committed.place_of(bot.name)
        at_table = durable.committed.stack(place) + durable.committed.held(place) if place else 0
        wallet = room.wallets.of(bot.name)
        chips[bot.name] = at_table + wallet.cents - wallet.issued
    return chips


def _summary(
    room: "Room",
    durable: "DurableTable",
    bots: "list[Bot]",
    before: dict[str, int],
    played: "Played",
    seconds: float,
) -> dict[str, Any]:
    after = _chips(room, durable, bots)
    players = [
        {
            "place": durable.committed.place_of(bot.name),
            "player": bot.name,
            "policy": bot.policy.name if bot.policy else None,
            "banks": bot.banks,
            "net": after[bot.name] - before.get(bot.name, 0),
        }
        for bot in bots
    ]
    accounts = durable.committed.balances
    return {
        "table": durable.table,
        "title": durable.committed.book.title,
        "players_bank": durable.committed.book.bank is not None,
        "rounds": played.rounds,
        "commands": played.commands,
        "seconds": round(seconds, 3),
        "events": durable.committed.version,
        "players": players,
        "fees": accounts.get("fees", 0),
        "house": accounts.get("house", 0),
    }
