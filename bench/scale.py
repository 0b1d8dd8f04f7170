"""A room on PostgreSQL, served by one process and by several, beside a room on SQLite.

    python -m bench.scale [--size tiny|usual|long] [--json]

Four rooms take turns: on SQLite, and on PostgreSQL with one, two and three processes. Players of
each table are connected to all processes of its room in turn, so most of their messages are passed
on. Processor time is that of the servers, and beside it that of PostgreSQL. Then: commits of
several processes at once, rooms with more and more events, a start, a crash, a planned stop, and
tables at rest.
"""

import asyncio
import gc
import signal
import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bench.databases import Database, DatabaseServer, find
from bench.filled_room import fill
from bench.load import Play
from bench.measure import NotComputed
from bench.moves import seconds_to_answer
from bench.results import Bench, Recorder, Size, main
from bench.serve import Server, add_answers, follow_timetable, part, seat_players
from bench.served import Served, SharedProcess, end
from bench.store import count_rows
from bench.writers import EVENTS, STREAMS, Commits, Writers, commit_once, hold_streams


def _counts(size: Size) -> tuple[int, ...]:
    """Return how many processes serve or write the rooms that are compared."""
    return size.pick((1, 2), (1, 2, 3), (1, 2, 3))


@dataclass
class Contender:
    """A room that is compared with others: its servers, its players, and its figures by turn."""

    name: str
    servers: Sequence[Served]
    database: DatabaseServer
    play: Play = field(default_factory=Play)
    rates: list[float] = field(default_factory=list)
    #: Microseconds of processor time for each command: of the servers, and of PostgreSQL.
    used: list[float] = field(default_factory=list)
    used_by_database: list[float] = field(default_factory=list)

    async def turn(self, seconds: float) -> None:
        """Measure how many commands the room can take; the players pause afterwards."""
        self.play.resume()
        await self.play.measure_rate(seconds / 3)
        before = self._seconds()
        self.rates.append(await self.play.measure_rate(seconds))
        after, count = self._seconds(), len(self.play.answers)
        await self.play.pause()
        self.check_sockets()
        used = [1e6 * (two - one) / count for one, two in zip(before, after, strict=True)]
        self.used.append(used[0])
        self.used_by_database.append(used[1])

    def check_sockets(self) -> None:
        """Raise if a player was disconnected: fewer players would be an easier load."""
        closed = sum(player.socket.closed for player in self.play.players if player.socket)
        if closed:
            raise NotComputed(f"{closed} players of {self.name} were disconnected")

    def _seconds(self) -> tuple[float, float]:
        return sum(server.seconds() for server in self.servers), self.database.seconds()

    def record(self, against: "Contender", how: str, recorder: Recorder) -> None:
        """Record the medians, with their ratios to those of another room."""
        rate, used = statistics.median(self.rates), statistics.median(self.used)
        rates = _ratio(self.rates, against.rates)
        recorder.add(f"commands, {self.name}", rate, "commands/s", f"{rates} x {against.name}", how)
        ratio = f"{_ratio(self.used, against.used)} x {against.name}"
        recorder.add(f"processor time of a command, {self.name}", used, "µs", ratio, how)
        if against.name != self.name or len(self.servers) > 1:
            own = statistics.median(self.used_by_database)
            recorder.add(f"the same of PostgreSQL, {self.name}", own, "µs", how=how)


def _ratio(ones: list[float], others: list[float]) -> str:
    return f"{statistics.median(one / two for one, two in zip(ones, others, strict=True)):.2f}"


async def measure_load(
    size: Size, recorder: Recorder, folder: Path, database: DatabaseServer
) -> None:
    """Measure what rooms can take, in turns; then answers at half of that load, one by one."""
    rates = await _measure_rates(size, recorder, folder / "rates", database)
    rooms = [*zip((0, *_counts(size)), rates, strict=True)]
    for count, rate in size.pick(rooms[1:2], rooms, rooms):
        await _measure_answers(size, recorder, folder / f"answers{count}", database, count, rate)


async def _measure_answers(
    size: Size,
    recorder: Recorder,
    folder: Path,
    database: DatabaseServer,
    count: int,
    rate: float,
) -> None:
    """Measure answers of a new room at half of the load that one like it can take.

    Nothing else runs meanwhile: the rooms before it would still build their histories.
    """
    folder.mkdir()
    tables, seconds = size.pick(2, 50, 50), size.pick(0.3, 15.0, 30.0)
    with ExitStack() as stack:
        room = Database(database, folder, f"answers{count}") if count else None
        (contender,) = await _seated(size, recorder, folder, [(room, count)], database, stack)
        answers = await follow_timetable(contender.play, tables, rate / 2, seconds)
        contender.check_sockets()
        add_answers(f"answer at half load, {contender.name}", answers, contender.play, recorder)
        part(contender.play)
    _check_stored(contender, _stored(contender, room))
    if room is not None:
        room.drop()


def _stored(contender: Contender, room: Database | None) -> int:
    """Return how many events a room has stored."""
    if room is not None:
        return room.events()
    (server,) = contender.servers
    assert isinstance(server, Server)
    return count_rows(server.file, "event")


async def _seated(
    size: Size,
    recorder: Recorder,
    folder: Path,
    rooms: Sequence[tuple[Database | None, int]],
    database: DatabaseServer,
    stack: ExitStack,
) -> list[Contender]:
    """Start rooms, each in a database by some processes or in a file, and seat players there."""
    tables, contenders = size.pick(2, 50, 50), list[Contender]()
    for room, count in rooms:
        if room is None:
            contenders.append(
                Contender("SQLite", [stack.enter_context(Server(folder, tables))], database)
            )
        else:
            servers = start_processes(room, count, tables, stack)
            contenders.append(Contender(_named(count), servers, database))
    for contender in contenders:
        recorder.note(f"  seating {10 * tables} players: {contender.name}")
        await seat_players(contender.servers, contender.play, tables)
    return contenders


async def _measure_rates(
    size: Size, recorder: Recorder, folder: Path, database: DatabaseServer
) -> list[float]:
    """Measure what rooms can take, in turns; return how many commands a second."""
    folder.mkdir()
    tables, turns = size.pick(2, 50, 50), size.pick(1, 5, 15)
    seconds, counts = size.pick(0.2, 1.5, 3.0), _counts(size)
    databases = [Database(database, folder, f"load{count}") for count in counts]
    with ExitStack() as stack:
        wanted = [(None, 0), *zip(databases, counts, strict=True)]
        rooms = await _seated(size, recorder, folder, wanted, database, stack)
        for _ in range(turns):
            for contender in rooms:
                await contender.turn(seconds)
        how = f"{tables} tables of 10; median of {turns} turns of {seconds} s"
        for contender in rooms:
            contender.record(rooms[1] if contender in rooms[2:] else rooms[0], how, recorder)
        for contender in rooms:
            part(contender.play)
    for contender, room in zip(rooms, (None, *databases), strict=True):
        _check_stored(contender, _stored(contender, room))
    for room in databases:
        room.drop()
    return [statistics.median(contender.rates) for contender in rooms]


def _named(count: int) -> str:
    return f"PostgreSQL, {count} process{'es' if count > 1 else ''}"


def _check_stored(contender: Contender, events: int) -> None:
    """Check that what was answered is stored, and that nothing was refused."""
    if events < contender.play.answered or contender.play.refused:
        answered, refused = contender.play.answered, contender.play.refused
        raise NotComputed(f"{answered} answers, {events} events, refused: {refused}")


def start_processes(
    room: Database, count: int, tables: int, stack: ExitStack
) -> list[SharedProcess]:
    """Open tables and serve them by some processes, each of which holds its share."""
    room.open_tables(tables)
    servers = [stack.enter_context(SharedProcess(room.url, room.keys)) for _ in range(count)]
    room.wait_for_shares(count)
    return servers


def measure_commits(size: Size, recorder: Recorder, folder: Path, database: DatabaseServer) -> None:
    """Measure commits of one, two and three processes at once, in turns."""
    turns, seconds, counts = size.pick(1, 5, 15), size.pick(0.2, 1.5, 3.0), _counts(size)
    room = Database(database, folder, "commits")
    room.store().close()
    writers = Writers(room, max(counts))
    commits: dict[int, list[Commits]] = {count: [] for count in counts}
    used: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(turns):
        for count in counts:
            before = database.seconds()
            turn = writers.run(count, seconds)
            commits[count].append(turn)
            used[count].append(1e6 * (database.seconds() - before) / turn.count)
    writers.close()
    total = sum(turn.count for turns in commits.values() for turn in turns) + max(counts)
    if room.events() != total * STREAMS * EVENTS:
        raise NotComputed(f"{total} commits were acknowledged, {room.events()} events are stored")
    room.drop()
    first = [turn.rate for turn in commits[1]]
    how = f"{STREAMS} streams x {EVENTS} events each; median of {turns} turns of {seconds} s"
    for count in counts:
        rates = [turn.rate for turn in commits[count]]
        own = [1e6 * turn.seconds / turn.count for turn in commits[count]]
        name = f"{count} process{'es' if count > 1 else ''} writing"
        ratio = f"{_ratio(rates, first)} x 1 process" if count > 1 else ""
        recorder.add(f"commits, {name}", statistics.median(rates), "commits/s", ratio, how)
        recorder.add(f"processor time of a commit, {name}", statistics.median(own), "µs", how=how)
        label = f"the same of PostgreSQL, {name}"
        recorder.add(label, statistics.median(used[count]), "µs", how=how)
        times = [taken for turn in commits[count] for taken in turn.milliseconds]
        recorder.add_times(f"commit, {name}", times, "with the wait for the others")


def measure_sizes(size: Size, recorder: Recorder, folder: Path, database: DatabaseServer) -> None:
    """Measure commits, reading and a start in rooms with more and more events."""
    sizes = (2_000,) if size is Size.TINY else (10**5, 10**6, 10**7)
    tables, repeats = size.pick(2, 50, 50), size.pick(3, 100, 300)
    for events in sizes:
        room = Database(database, folder, f"size{events}")
        recorder.note(f"  writing {events:,} events")
        written = fill(room, events, tables)
        name = f"room of {events:,} events"
        size_of_event = (room.bytes_of("event") + room.bytes_of("used")) / written
        how = f"with indexes, as filled; {written:,} events in {tables} tables"
        recorder.add(f"size of an event on disk, {name}", size_of_event, "bytes", how=how)
        asyncio.run(_measure_resume(room, tables, size, name, recorder))
        _measure_store(room, repeats, name, recorder)
        room.drop()


def _measure_store(room: Database, repeats: int, name: str, recorder: Recorder) -> None:
    """Measure commits, and reading the end of a stream."""
    store = room.store()
    hold_streams(store, "writer")
    times = [commit_once(store, "writer") for _ in range(repeats)]
    how = f"{STREAMS} streams x {EVENTS} events; {repeats} commits"
    recorder.add_times(f"commit, {name}", times, how)
    reads, last = [], store.version("table/t0")
    for _ in range(repeats):
        start = time.perf_counter()
        count = sum(1 for _ in store.read("table/t0", max(0, last - 1000)))
        reads.append(1000 * (time.perf_counter() - start))
        if count != min(last, 1000):
            raise NotComputed(f"{count} events were read")
    store.close()
    recorder.add_times(f"last 1,000 events of a table read and proved, {name}", reads)


async def _measure_resume(
    room: Database, tables: int, size: Size, name: str, recorder: Recorder
) -> None:
    """Measure a start until all tables answer; the first one may void rounds, and is not timed."""
    names = [f"t{number}" for number in range(tables)]
    since_shell, since_open = [], []
    untimed = size.pick(0, 1, 1)
    for number in range(size.pick(1, 3, 9) + untimed):
        start = time.monotonic()
        with SharedProcess(room.url, room.keys) as server:
            opened = time.monotonic()
            last = max(await seconds_to_answer(server.port, names, opened))
        if number >= untimed:
            since_open.append(last)
            since_shell.append(opened - start + last)
    how = f"{tables} tables, a snapshot every 250 events; median of {len(since_open)} starts"
    label = f"{tables} tables answer after the room is open, {name}"
    recorder.add(label, statistics.median(since_open), "s", how=how)
    label = f"the same from the shell, {name}"
    recorder.add(label, statistics.median(since_shell), "s", how=how)


async def measure_moves(
    size: Size, recorder: Recorder, folder: Path, database: DatabaseServer
) -> None:
    """Measure how long tables are away after a crash and after a planned stop."""
    tables, repeats = size.pick(2, 50, 50), size.pick(1, 3, 9)
    room = Database(database, folder, "moves")
    ways = {signal.SIGKILL: "kill -9", signal.SIGTERM: "a planned stop"}
    taken: dict[signal.Signals, list[float]] = {how: [] for how in ways}
    room.open_tables(tables)
    with ExitStack() as stack:
        stays = stack.enter_context(SharedProcess(room.url, room.keys))
        for _ in range(repeats):
            for how in ways:
                taken[how] += await _measure_move(room, stays, how)
    room.drop()
    for how, name in ways.items():
        label = f"table answers at another process after {name}"
        each = f"{tables} tables, half of which move; {repeats} times; from the signal"
        recorder.add_times(label, [1000 * seconds for seconds in taken[how]], each)


async def _measure_move(room: Database, stays: Served, how: signal.Signals) -> list[float]:
    """Start a second process, end it, and return how long each of its tables was away."""
    before = set(room.held())
    goes = SharedProcess(room.url, room.keys)
    room.wait_for_shares(2)
    (held,) = [names for id, names in room.held().items() if id not in before]
    start = time.monotonic()
    goes.process.send_signal(how)
    seconds = await seconds_to_answer(stays.port, held, start)
    end(goes.process, how)
    room.wait_for_shares(1)
    return seconds


def measure_rest(size: Size, recorder: Recorder, folder: Path, database: DatabaseServer) -> None:
    """Measure the memory and the processor time of tables at which nothing happens."""
    tables, seconds = size.pick(4, 1000, 1000), size.pick(0.3, 20, 60)
    memory, used, used_by_database = [], [], []
    for count in (0, tables):
        room = Database(database, folder, f"rest{count}")
        with ExitStack() as stack:
            (server,) = start_processes(room, 1, count, stack)
            time.sleep(size.pick(0.1, 20, 20))  # until all tables are resumed
            before = server.seconds(), database.seconds()
            time.sleep(seconds)
            used.append((server.seconds() - before[0]) / seconds)
            used_by_database.append((database.seconds() - before[1]) / seconds)
            memory.append(server.memory())
        room.drop()
    how = f"{tables:,} California tables at which nobody sits, against none"
    each = 1024 * (memory[1] - memory[0]) / tables
    recorder.add("memory of a table at rest", max(each, 0), "KiB", how=how)
    for name, shares in (("a process", used), ("PostgreSQL", used_by_database)):
        ratio = f"{100 * shares[0]:.1f} % without tables"
        label = f"processor of {name} at rest, {tables:,} tables"
        recorder.add(label, 100 * shares[1], "%", ratio, f"of one core, over {seconds} s")


def measure(size: Size, recorder: Recorder) -> None:
    """Measure load, commits, sizes, moves and rest."""
    if not Path("/proc/self/stat").exists() or find() is None:
        recorder.lacks("It needs a PostgreSQL server and Linux's /proc: not here.")
        return
    gc.disable()
    try:
        with tempfile.TemporaryDirectory(dir=".") as name, DatabaseServer() as database:
            folder = Path(name)
            asyncio.run(measure_load(size, recorder, folder, database))
            measure_commits(size, recorder, folder, database)
            measure_sizes(size, recorder, folder, database)
            asyncio.run(measure_moves(size, recorder, folder, database))
            measure_rest(size, recorder, folder, database)
            recorder.stop_watching()
    finally:
        gc.enable()


BENCH = Bench(
    "scale",
    "A room on PostgreSQL",
    "A room on SQLite and rooms on PostgreSQL with one, two and three processes, in turns. Players"
    " of one table connect to all processes, so that most connections are given to the process"
    " that holds the table. Answers at half load are those of a new room each, one after another."
    " Then processes that commit at once, rooms with more and more events,"
    " and how long tables are away after a start, a crash and a planned stop. Servers, PostgreSQL"
    " and players share this machine's processors.",
    "The processors: with several processes on one machine, they and PostgreSQL share its cores."
    " Commits of all processes follow one another, each under the lock of one row.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
