"""Bots at some tables of one store, until the process is killed. Says what was acknowledged.

With ``--again`` a new process plays for each line of input: it is forked, as Python and all that
is imported take longer to start than a kill takes.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

import queenhigh as qh
from queenhigh.games.three_card_poker import Round
from queenhigh.room.bot_loop import AT_ONCE, Hooks, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import Room, settings_for
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import Command
from queenhigh.table.state import State


def say(**words: Any) -> None:
    print(json.dumps(words), flush=True)


def summary(state: State) -> dict[str, Any]:
    """Return what must be the same before a kill and after it."""
    live = state.round
    play = live.play if live else None
    cards = [list(seat.cards or ()) for seat in play.seats] if isinstance(play, Round) else None
    return {
        "version": state.version,
        "phase": state.phase,
        "commitment": live.commitment if live else None,
        "key": live.key if live else None,
        "cards": cards,
        "held": {str(place): state.held(place) for place in sorted(state.places)},
        "stacks": {str(place): state.stack(place) for place in sorted(state.places)},
    }


def main(file: str, *names: str) -> None:
    room = Room(SqliteStore(Path(file)))
    playing = []
    for name in names:
        changes = {"on_zero": "en_prison"} if name.startswith("roulette") else {}
        book = qh.load(name, changes)
        known = name in room.tables()
        durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        say(resumed=name if known else None, state=summary(durable.committed))
        bots = make_bots(
            book, min(5, durable.committed.settings.places), 1, ("q64", "mimic+errors:5%")
        )
        seat_bots(room, durable, [bot.name for bot in bots])
        playing.append((durable, bots))
    while True:
        for durable, bots in playing:

            def heard(command: Command, answer: EventSpan, table: str = durable.table) -> None:
                if command.id:
                    said = {"by": command.by, "id": command.id}
                    say(table=table, first=answer.first, last=answer.last, **said)

            play(room, durable, bots, 1, Hooks(on_commit=heard))


def play_again(file: str, *names: str) -> None:
    """Play in a new process for each line of input, and say when that one has ended."""
    for _ in sys.stdin:
        child = os.fork()
        if child == 0:
            say(process=os.getpid())
            main(file, *names)
        os.waitpid(child, 0)
        print()  # the last line may lack its end
        say(ended=child)


if __name__ == "__main__":
    play_again(*sys.argv[2:]) if sys.argv[1] == "--again" else main(*sys.argv[1:])
