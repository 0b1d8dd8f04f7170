"""The rounds of a log that are over: how they were dealt, and those that corrections name.

A log may have millions of rounds and few corrections, so the rounds to keep are looked for
beforehand.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import msgspec
from msgspec.structs import asdict, replace

from queenhigh.errors import QueenhighError
from queenhigh.store.reader import Row
from queenhigh.table.chains import binding_seeds
from queenhigh.table.commands import ApproveCorrection, AskCorrection, Command
from queenhigh.table.events import CorrectionAsked, CorrectionMade, decode
from queenhigh.table.state import PastRound, State
from queenhigh.table.streams import table_stream

__all__ = ["NamedRound", "PastRounds", "RoundNeeded", "most_taken", "rounds_named"]

_DEALING = (
    "scheme_1", "scheme_2", "chains", "seeds_shown", "seeds_left_out", "voided_after_close",
    "voided_without_seed", "bound_by_players", "binding_seeds", "room_could_choose",
)  # fmt: skip
_ASKED = f'{{"type":"{CorrectionAsked.__struct_config__.tag}"'.encode()

#: A table and the number of a round.
NamedRound = tuple[str, int]


class RoundNeeded(Exception):
    """A correction names a round that was not kept: replay the log again and keep it."""

    def __init__(self, round: NamedRound) -> None:
        super().__init__(f"round {round[1]} of {round[0]}")
        self.round = round


def rounds_named(rows: Iterable[Any]) -> set[NamedRound]:
    """Return the rounds that the corrections of a log name."""
    prefix, named = table_stream(""), set[NamedRound]()
    for row in rows:
        if not isinstance(row, Row) or not row.event.startswith(_ASKED):
            continue
        try:
            event = decode(row.event)
        except QueenhighError:  # the replay says what is wrong with it
            continue
        if isinstance(event, CorrectionAsked):
            named.add((row.stream.removeprefix(prefix), event.round))
    return named


def most_taken(made: CorrectionMade, place: int, banker: int | None) -> int:
    """Return the most that a correction had taken of a place's chips in sum, at any of its rows."""
    taken = has = 0
    for row in made.moved:
        has += row.cents if row.place == place else 0
        has -= row.cents if row.against == "bank" and place == banker else 0
        taken = max(taken, -has)
    return taken


class PastRounds:
    """The rounds that are over: all are counted, and those that corrections name are kept."""

    def __init__(self, named: Collection[NamedRound]) -> None:
        self._named = frozenset(named)
        self._kept: dict[NamedRound, PastRound] = {}
        self._counts = Counter[str]()

    def count(self, past: PastRound | None) -> None:
        """Count a round, and whether players' seeds bind its deal or the room could choose it."""
        if past is None:
            return
        self._counts["scheme_2" if past.live.chain else "scheme_1"] += 1
        if past.live.play is not None:
            seeds = binding_seeds(past.live, past.end.seed)
            self._counts["binding_seeds"] += seeds
            self._counts["bound_by_players" if seeds else "room_could_choose"] += 1

    def dealing(self, tables: Iterable[State]) -> dict[str, int]:
        """Return how the rounds of tables were dealt."""
        counts = Counter(self._counts)
        for table in tables:
            counts.update(asdict(table.dealings))
            counts["chains"] += table.chain.number if table.chain else 0
        return {name: counts[name] for name in _DEALING}

    def note(self, state: State) -> None:
        """Keep the last round of a table if a correction names it.

        A step may be played several times, until the log has shown its key: the last one counts.
        """
        last = state.last
        if not self._named or last is None:
            return
        round = (state.table, last.live.number)
        kept = self._kept.get(round)
        if round in self._named and (kept is None or kept.end is not last.end):
            document = msgspec.json.encode(state.document).decode()
            self._kept[round] = replace(last, rulebook=last.rulebook or document)

    def complete(self, command: Command, state: State | None) -> Command:
        """Return a command with the round that it corrects."""
        if state is None:
            return command
        if isinstance(command, AskCorrection):
            return replace(command, past=self._find(state, command.round))
        if isinstance(command, ApproveCorrection):
            asked = state.corrections.asked.get(command.correction)
            past = self._find(state, asked.round) if asked is not None else None
            return replace(command, past=past)
        return command

    def _find(self, state: State, number: int) -> PastRound | None:
        """Return a round that is over; ``None`` if there is none of this number."""
        round = (state.table, number)
        is_over = number < state.number or (number == state.number and state.round is None)
        if is_over and number >= 1 and round not in self._named:
            raise RoundNeeded(round)
        return self._kept.get(round)
