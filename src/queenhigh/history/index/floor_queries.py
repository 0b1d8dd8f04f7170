"""What only the floor asks of the index: rounds by number, player and time, logs, rotation."""

from contextlib import closing
from typing import Any

from queenhigh.history.correction_lines import Correction
from queenhigh.history.floor_rounds import as_floor_round, as_round_line, incident_rows
from queenhigh.history.index.archived_tables import check_entered
from queenhigh.history.index.log_reader import LogReader
from queenhigh.history.index.queries import ROUND, HistoryIndex
from queenhigh.history.records import Record, as_past_round
from queenhigh.history.rotation import as_banked, turns_of
from queenhigh.history.table_narration import LogLine, describe_log
from queenhigh.table.events import CorrectionMade, decode
from queenhigh.table.state import PastRound

__all__ = ["FloorIndex"]

_MADE = CorrectionMade.__struct_config__.tag
#: How many rounds of a table the rotation log looks at.
_ROTATION = 500
#: How rounds are found: by table and number, by player, by time, before another one.
_TERMS = {
    "table": "name = ?",
    "number": "number = ?",
    "player": "player = ?",
    "since": "at >= ?",
    "until": "at < ?",
    "before": "rounds.n < ?",
}


class FloorIndex(HistoryIndex):
    """The index, with the queries of the floor."""

    def past_round(self, table: str, round: int) -> PastRound | None:
        """Return a round as its table needs it to correct it."""
        record = self._record(table, round)
        return None if record is None else as_past_round(record)

    def floor_round(self, table: str, round: int) -> dict[str, Any] | None:
        """Return a round with its facts and its steps, its rulings and corrections."""
        record = self._record(table, round)
        if record is None:
            return None
        return {**as_floor_round(record), "corrections": self._corrections_of(record)}

    def find_rounds(
        self, *, player: str | None = None, limit: int = 50, **wanted: Any
    ) -> list[dict[str, Any]]:
        """Return rounds that are over, the newest first, by all that is given.

        Besides a player these are the names of ``_TERMS``.
        """
        query = f"{ROUND} rounds cross join tables on id = rounds.tbl"
        if player is not None:  # from the player's parts, however many rounds others have played
            query = f"{ROUND} parts cross join rounds using (n) join tables on id = rounds.tbl"
            wanted |= {"player": player}
        given = {name: value for name, value in wanted.items() if value is not None}
        where = " and ".join(_TERMS[name] for name in given) or "true"
        query = f"{query} where {where} order by rounds.n desc limit ?"
        with self._reading():
            records = list(self._records(query, *given.values(), limit))
            return [
                {"n": n, **as_round_line(record), "corrections": self._times_corrected(record)}
                for n, record in records
            ]

    def rounds_since(self, since: int) -> dict[str, int]:
        """Return how many rounds of each table were over at a time or later."""
        query = (
            "select name, count(*) from rounds join tables on id = tbl where n > coalesce("
            "(select n from rounds where at < ? order by n desc limit 1), 0) group by name"
        )
        with self._reading():
            return {str(name): int(count) for name, count in self._query(query, since)}

    def _times_corrected(self, record: Record) -> int:
        """Return how many corrections of a round were made."""
        query = (
            "select count(*) from corrections join tables on id = tbl where name = ? and round = ?"
            " and event ->> 'type' = ?"
        )
        values = (record.table, record.live.number, _MADE)
        ((count,),) = self._query(query, *values)
        return int(count)

    def incident_lines(self, table: str, *, limit: int = 100) -> list[dict[str, Any]]:
        """Return the rulings at a table in rounds that are over, the newest first."""
        query = (
            f"{ROUND} tables join rounds on tbl = id where name = ? and number in"
            " (select round from incidents where tbl = id order by n desc limit ?)"
            " order by number desc"
        )
        with self._reading():
            records = self._records(query, table, limit)
            return [row for _, record in records for row in reversed(incident_rows(record))]

    def correction_lines(self, *, table: str | None = None, limit: int = 100) -> list[Correction]:
        """Return corrections: those that wait first, then by when they were asked for."""
        lines = self._corrections("name = ?", table) if table else self._corrections("true")
        return sorted(lines, key=lambda line: line.status != "waiting")[:limit]

    def correction_line(self, table: str, correction: int) -> Correction | None:
        """Return a correction of a table."""
        lines = self._corrections("name = ? and correction = ?", table, correction)
        return lines[0] if lines else None

    def rotation(self, table: str, *, limit: int = 100) -> dict[str, Any]:
        """Return the last offers of the bank of a table, and the turns at it."""
        query = f"{ROUND} tables join rounds on tbl = id where name = ?"
        query += " order by number desc limit ?"
        with self._reading():
            banked = [as_banked(record) for _, record in self._records(query, table, _ROTATION)]
        turns = turns_of(reversed(banked))
        return {"offers": self.offers(table, limit=limit), "turns": turns[:limit]}

    def table_log(
        self, table: str, *, before: int | None = None, limit: int = 100
    ) -> list[LogLine] | None:
        """Return events of a table in words, the newest first; ``None``: there is no such table."""
        with self._reading(), closing(LogReader(self.store)) as log:
            check_entered(self._query, table)
            entered = self._ingest.table(log, table)
            if entered is None or entered.rounds.state is None:
                return None
            last = entered.version if before is None else min(before - 1, entered.version)
            start = max(0, last - limit)
            rows = log.table_events(table, start, entered.version, entered.hash)
            stored = [(version, decode(row)) for version, row in enumerate(rows, start + 1)]
            players = {place: seat.player for place, seat in entered.rounds.state.places.items()}
        lines = describe_log(stored, players)
        return [line for line in lines if line.version <= last]

    def _record(self, table: str, round: int) -> Record | None:
        query = f"{ROUND} tables join rounds on tbl = id where name = ? and number = ?"
        with self._reading():
            for _, record in self._records(query, table, round):
                return record
            check_entered(self._query, table)
        return None
