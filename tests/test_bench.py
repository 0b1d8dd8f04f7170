"""Benches measure computations, not caches, and each of them runs."""

import asyncio
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from functools import cache, cached_property, lru_cache, partial, wraps
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import queenhigh as qh
from bench import delay, load, machine, report, serve, simulate
from bench.caches import clear_caches, find_caches
from bench.load import Answer, Play, Player, make_timetables
from bench.measure import Counter, Job, NotComputed, Timing, counted, tail, take_turns
from bench.results import Bench, Recorder, Result, Row, Size, figure, run
from bench.spectators import Spectator, ages_of_changes
from queenhigh.price import poker
from queenhigh.price.odds import odds
from queenhigh.rulebook.book import PokerRulebook
from tests.virtual_time import run_virtually

ROOT = Path(__file__).parent.parent
SLOW = ("simulate", "table", "serve", "scale", "page")


def nothing() -> None:
    """Clear no cache."""


def test_answer_from_a_cache_is_not_timed() -> None:
    work = Counter()

    @lru_cache
    def compute() -> None:
        work.count += 1

    with pytest.raises(NotComputed, match="repetition 2 did no work"):
        take_turns([Job("cached", compute, work)], 2)


def test_half_an_answer_from_a_cache_is_not_timed() -> None:
    work = Counter()

    @lru_cache
    def half() -> None:
        work.count += 1

    def compute() -> None:
        half()
        work.count += 1

    with pytest.raises(NotComputed, match="did 1 of work, the first 2"):
        take_turns([Job("half cached", compute, work)], 2)


def test_odds_from_a_cache_are_not_timed() -> None:
    book = qh.load("house")
    with counted(poker, "_info_sets") as blocks:
        take_turns([Job("cleared", partial(odds, book), blocks)], 3)
        with pytest.raises(NotComputed):
            take_turns([Job("remembered", partial(odds, book), blocks, before=nothing)], 2)


def test_calls_of_a_cached_function_are_no_proof() -> None:
    module = ModuleType("made_up")
    vars(module)["compute"] = lru_cache(lambda: 1)
    with pytest.raises(NotComputed, match="count a function inside"), counted(module, "compute"):
        pass


def test_compared_jobs_take_turns() -> None:
    order: list[str] = []

    def job(name: str) -> Job:
        return Job(name, lambda: order.append(name), lambda: order.count(name), nothing)

    timings = take_turns([job("a"), job("b")], 3)
    assert order == ["a", "b"] * 3
    assert [len(timing.seconds) for timing in timings] == [3, 3]


@pytest.mark.parametrize(("count", "rank"), [(1, 1), (99, 99), (100, 99), (101, 100), (1000, 990)])
def test_tail_is_the_99th_percentile(count: int, rank: int) -> None:
    assert tail([float(value) for value in range(count, 0, -1)]) == rank


def test_times_have_median_and_99th_percentile() -> None:
    recorder = Recorder(io.StringIO())
    recorder.add_times("answer", [float(value) for value in range(1, 201)], "200 answers")
    assert recorder.rows == [
        Row("answer, median", 100.5, "ms", "", "200 answers"),
        Row("answer, 99th percentile", 198.0, "ms", "", "200 answers"),
    ]
    with pytest.raises(NotComputed, match="nothing was timed"):
        recorder.add_times("answer", [])


def test_delay_is_as_long_as_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((10.0, 10.0021))
    monkeypatch.setattr(delay, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(delay, "sleep", lambda seconds: None)
    disk = delay.Delay(0.001)
    disk.wait()
    assert disk.times == [pytest.approx(2.1)]
    none = delay.Delay(0)
    none.wait()
    assert not none.times


#: Rounds a second in made-up turns; the third C kernel is the best.
RATES = {"house, 1 seat": 120, "house, 1 seat, scalar engine": 12, "C 2": 40, "Kuhn poker": 3}


def made_up_turns(jobs: list[Job], times: int) -> list[Timing]:
    return [Timing(seconds=[1.0] * times, work=[RATES.get(job.name, 20)] * times) for job in jobs]


def test_simulation_is_compared_with_the_best_c_first(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [Job(f"C {number}", nothing, Counter()) for number in range(4)]
    library = Job("Kuhn poker", nothing, Counter())
    monkeypatch.setattr("bench.simulate.shutil.which", lambda program: program)
    monkeypatch.setattr(simulate, "compile_kernels", lambda *_: kernels)
    monkeypatch.setattr(simulate, "libraries", lambda *_: [library])
    monkeypatch.setattr(simulate, "take_turns", made_up_turns)
    book, recorder = qh.load("house"), Recorder(io.StringIO())
    assert isinstance(book, PokerRulebook)
    simulate.measure_one_seat(book, Size.TINY, recorder)
    assert (recorder.rows[0].value, recorder.rows[0].unit) == (3.0, "x")
    assert recorder.rows[0].how.endswith("the best is C 2")
    ratios = {row.name: row.ratio for row in recorder.rows}
    assert ratios["C 2"] == "the compiled engine plays 3.0 x as many"
    assert ratios["Kuhn poker"] == "the scalar engine plays 4.0 x as many"


class FakeTable:
    """A table of one player who may always bet: answers after 2 ms, but not while it stalls."""

    def __init__(
        self, play: Play, *, stall: tuple[float, float] = (0, 0), refuses: bool = False
    ) -> None:
        self.player, self.stall, self.refuses, self.round = Player(play, 0, 1), stall, refuses, 1
        self.player.socket, self.closed = self, False

    def send(self, text: bytes) -> None:
        loop = asyncio.get_running_loop()
        begin, end = self.stall
        ready = end if begin <= loop.time() < end else loop.time()
        loop.call_at(ready + 0.002, self._answer, json.loads(text))

    def _answer(self, message: dict[str, Any]) -> None:
        if self.refuses and message["type"] != "look":
            self._tell(type="refused", id=message["id"], code="round.over")
        elif message["type"] != "look":
            self.round += 1
            self._tell(type="answer", id=message["id"], last=self.round)
        self._tell(type="view", view={"phase": "betting", "round": {"round": self.round}})

    def _tell(self, **message: object) -> None:
        self.player.hear(json.dumps(message).encode())

    def close(self) -> None:
        pass


async def times_in_a_closed_loop(play: Play, seconds: float) -> list[float]:
    play.resume()
    await play.measure_rate(seconds)
    await play.pause()
    return [answer.milliseconds for answer in play.answers]


async def times_in_an_open_loop(play: Play, rate: float, seconds: float) -> list[float]:
    answers = await play.follow(make_timetables(1, rate, seconds, start=0.5))
    return [answer.milliseconds for answer in answers]


def test_stall_shows_in_the_99th_percentile() -> None:
    """A closed loop would hide it: of its many commands only one meets the stall."""
    closed, opened = Play(), Play()
    FakeTable(closed, stall=(3, 4))
    FakeTable(opened, stall=(3, 4))
    hidden = run_virtually(times_in_a_closed_loop(closed, 10))
    shown = run_virtually(times_in_an_open_loop(opened, 100, 10))
    assert tail(hidden) == pytest.approx(2)
    assert sum(time > 2.1 for time in hidden) == 1
    assert tail(shown) > 900
    assert sum(time > 2.1 for time in shown) > 100  # all that were due while the table stalled
    assert max(opened.late) == pytest.approx(0)  # the bench itself sent in time


def test_timetable_is_kept_without_a_stall() -> None:
    play = Play()
    FakeTable(play)
    times = run_virtually(times_in_an_open_loop(play, 100, 10))
    assert times == [pytest.approx(2)] * len(times)
    assert len(times) == pytest.approx(1000, rel=0.05)


def test_command_without_an_answer_fails_the_bench() -> None:
    play = Play()
    FakeTable(play, stall=(3, 1e9))
    with pytest.raises(NotComputed, match="commands have no answer"):
        run_virtually(times_in_an_open_loop(play, 100, 10))


def test_refused_command_fails_the_bench() -> None:
    play = Play()
    FakeTable(play, refuses=True)
    with pytest.raises(NotComputed, match=r"round\.over"):
        run_virtually(times_in_an_open_loop(play, 100, 10))


def test_timetables_are_fixed_beforehand() -> None:
    made = make_timetables(5, 50, 10, start=7)
    assert made == make_timetables(5, 50, 10, start=7)
    assert sum(map(len, made)) == pytest.approx(500, rel=0.05)
    for timetable in made:
        assert min(after - before for before, after in pairwise(timetable)) > 0.0499
        assert 7 <= timetable[0] < timetable[-1] < 17


#: Commands that were due at these seconds led to these versions of table 0.
CHANGES = [Answer(0, due, due + 0.002, version) for due, version in ((1.0, 10), (1.02, 11))]


async def spectate(views: list[tuple[float, int]], table: int = 0) -> list[float]:
    """Send a spectator views at some seconds; return the ages of the changes."""
    spectator, loop = Spectator(table), asyncio.get_running_loop()
    spectator.hear(b'{"type":"hello","version":9}')
    for time, version in views:
        message = json.dumps({"type": "view", "version": version}).encode()
        loop.call_at(time, spectator.hear, message)
    return await ages_of_changes(CHANGES, [spectator])


def test_view_of_several_changes_counts_for_each() -> None:
    views = [(0.5, 9), (1.05, 11)]
    assert run_virtually(spectate(views)) == [pytest.approx(50), pytest.approx(30)]
    assert run_virtually(spectate([(1.01, 10), *views[1:]])) == [
        pytest.approx(10), pytest.approx(30)
    ]  # fmt: skip


@pytest.mark.parametrize("views", [[], [(0.5, 9)], [(0.5, 9), (1.01, 10)]])
def test_spectator_who_misses_a_change_fails_the_bench(views: list[tuple[float, int]]) -> None:
    with pytest.raises(NotComputed, match="never reached a spectator"):
        run_virtually(spectate(views))


def test_spectator_who_is_shown_an_older_table_fails_the_bench() -> None:
    with pytest.raises(NotComputed, match="older table after a newer one"):
        run_virtually(spectate([(1.01, 10), (1.03, 9), (1.04, 11)]))


@pytest.mark.full
def test_spectator_who_is_cut_off_fails_the_bench(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seat = serve.seat_spectators

    async def cut_one_off(*arguments: Any) -> list[Spectator]:
        spectators = await seat(*arguments)
        assert spectators[3].socket is not None
        spectators[3].socket.close()
        return spectators

    monkeypatch.setattr(load, "PATIENCE", 2.0)
    monkeypatch.setattr(serve, "seat_spectators", cut_one_off)
    watched = serve.measure_watched(Size.TINY, Recorder(io.StringIO()), tmp_path)
    with pytest.raises(NotComputed, match="never reached a spectator"):
        asyncio.run(watched)


def plain_decorator(function: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(function)
    def wrapper(*arguments: object) -> object:
        return function(*arguments)

    return wrapper


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module with every kind of cache, as somebody may add it later."""
    calls = Counter()

    class Thing:
        @cached_property
        def width(self) -> int:
            calls.count += 1
            return 1

        @lru_cache  # noqa: B019
        def height(self) -> int:
            calls.count += 1
            return 2

        @staticmethod
        @cache
        def depth() -> int:
            calls.count += 1
            return 3

        @property
        @lru_cache  # noqa: B019
        def area(self) -> int:
            calls.count += 1
            return 4

    @cache
    def plain() -> int:
        calls.count += 1
        return 5

    @plain_decorator
    @cache
    def wrapped() -> int:
        calls.count += 1
        return 6

    Thing.__module__ = plain.__module__ = wrapped.__module__ = "made_up.part"
    module = ModuleType("made_up.part")
    thing = Thing()
    vars(module).update(Thing=Thing, plain=plain, wrapped=wrapped, calls=calls, thing=thing)
    monkeypatch.setitem(sys.modules, "made_up.part", module)
    return module


def ask_all(module: Any) -> int:
    """Ask for every value; return how many were computed."""
    thing, before = module.thing, module.calls()
    values = (thing.width, thing.height(), thing.depth(), thing.area)
    assert (*values, module.plain(), module.wrapped()) == (1, 2, 3, 4, 5, 6)
    return int(module.calls() - before)


def test_caches_added_later_are_found_and_cleared(made_up: ModuleType) -> None:
    assert [ask_all(made_up), ask_all(made_up)] == [6, 0]
    clear_caches(package="made_up")
    assert ask_all(made_up) == 6
    assert len(find_caches("made_up")) == 5  # the property leaves its value on the object


def test_kept_modules_stay_warm(made_up: ModuleType) -> None:
    ask_all(made_up)
    clear_caches(package="made_up", keep=("made_up.part",))
    assert ask_all(made_up) == 0


def test_caches_of_the_package_are_found() -> None:
    names = {cache.name for cache in find_caches()}
    assert {"queenhigh.price.poker_odds._count", "queenhigh.price.tables.tables"} <= names


def test_busyness_leaves_out_own_work(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = {"all": 100.0, "own": 10.0, "now": 1000.0}
    monkeypatch.setattr(machine, "_all_seconds", lambda: clock["all"])
    monkeypatch.setattr(machine, "own_seconds", lambda: clock["own"])
    monkeypatch.setattr(machine, "perf_counter", lambda: clock["now"])
    monkeypatch.setattr(machine, "_processors", lambda: 2)
    busyness = machine.Busyness()
    clock.update(all=118.0, own=23.0, now=1010.0)  # 18 s of work in 10 s, 13 of them ours
    assert busyness.free() == pytest.approx(1.5)
    assert busyness.sentence().startswith("1.5 of 2 processors free")


def bench_of(name: str) -> Bench:
    bench: Bench = import_module(f"bench.{name}").BENCH
    return bench


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.full if name in SLOW else ()) for name in report.BENCHES],
)
def test_bench_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(bench_of(name), Size.TINY, io.StringIO())
    assert result.name == name
    assert result.rows or result.absent
    assert all(row.value >= 0 and row.unit for row in result.rows)
    assert not list(tmp_path.iterdir())  # it cleans up


def test_every_bench_is_in_the_report() -> None:
    modules = {
        file.stem for file in (ROOT / "bench").glob("*.py") if "BENCH = " in file.read_text()
    }
    assert modules == set(report.BENCHES)


def test_bench_gives_json_to_the_report() -> None:
    result = report.run_bench("store", Size.TINY)
    assert [row.unit for row in result.rows] == ["commits/s", "appends/s"]


def test_failed_bench_stops_the_report() -> None:
    with pytest.raises(SystemExit, match=r"bench\.missing failed"):
        report.run_bench("missing", Size.TINY)


def made_result(name: str, *rows: Row) -> Result:
    return Result(name, f"Title of {name}", "Measures.", "Limit.", list(rows), [], "2 of 2 free")


def test_page_keeps_gpu_figures_without_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"# Old\n\n{report.GPU}\n- Date: 2000-01-01\n")
    monkeypatch.setattr(report, "PAGE", page)
    row = Row("rounds", 12345.6, "rounds/s", "2 x", "median of 3")
    report.write_page(
        {"store": made_result("store", row), "gpu": made_result("gpu")}, "- Date: now"
    )
    text = page.read_text()
    assert "# Old" not in text
    assert "| rounds | 12,346 rounds/s | 2 x | median of 3 |" in text
    assert text.endswith(f"{report.GPU}\n- Date: 2000-01-01\n")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.0588, "0.0588"), (1.234, "1.23"), (99.94, "99.9"), (1234.5, "1,234")],
)
def test_figures_have_three_digits(value: float, text: str) -> None:
    assert figure(value) == text


def test_page_names_commit_date_and_machine() -> None:
    text = (ROOT / report.NAME).read_text()
    head, _, gpu = text.partition(report.GPU)
    for part in (head, gpu):
        for line in (r"- Date: \d{4}-\d\d-\d\d", r"- Commit: [0-9a-f]{12}", r"- Machine: \w+"):
            assert re.search(f"^{line}", part, re.MULTILINE), line
    for name in report.BENCHES:
        assert f"`python -m bench.{name}`" in head or name == "gpu"


@pytest.mark.full
def test_interrupted_report_changes_nothing() -> None:
    before = (ROOT / report.NAME).read_bytes()
    command = [sys.executable, "-m", "bench.report", "odds", "settle"]
    process = subprocess.Popen(
        command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    while "every cache cleared" not in process.stderr.readline():  # much is still to be measured
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    rest = process.stderr.read()
    assert process.wait() == 130
    process.stderr.close()
    assert f"Stopped; {report.NAME} is as it was." in rest
    assert "Traceback" not in rest
    assert (ROOT / report.NAME).read_bytes() == before
