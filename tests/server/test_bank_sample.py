"""A bank that may run out is sampled, and `queenhigh simulate` gives the same figures."""

import asyncio
from concurrent.futures import Future
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest
from msgspec.json import decode, encode

import queenhigh as qh
from queenhigh.server import jobs
from queenhigh.server.worker_pool import Client, Workers
from queenhigh.simulation import quick
from tests.simulation.compile_once import compile_engine

FULL = {"seats": 10, "ante": 500, "bonus": 0}
#: What depends on the machine, or is a row for every result.
LEFT_OUT = {"rounds_by_cents", "seconds", "threads", "asked"}


@pytest.fixture(autouse=True)
def fewer_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Play fewer rounds than for people, which takes less time."""
    monkeypatch.setattr(quick, "ROUNDS", {"compiled": 100_000, "scalar": 200})


def sample(rulebook: str = "california", /, changes: Any = None, **table: Any) -> Any:
    compile_engine()
    reply = jobs.price("sample", rulebook, encode(changes or {}), encode(table).decode())
    return decode(reply) if isinstance(reply, bytes) else reply


def simulated(engine: str, **table: Any) -> Any:
    """Return what `queenhigh simulate` says with the rounds and the seed of a sample."""
    book = qh.load("california", table.pop("changes", None))
    run = qh.simulate(book, quick.ROUNDS[engine], seed=quick.SEED, **table).as_json()
    return plain({**run, "engine": engine})


def plain(figures: Any) -> Any:
    if isinstance(figures, list):
        return [plain(each) for each in figures]
    if isinstance(figures, dict):
        return {name: plain(value) for name, value in figures.items() if name not in LEFT_OUT}
    return figures


def mean_and_error(answer: Any) -> tuple[float, float]:
    return answer["banker_result"]["mean"], answer["banker_result"]["se"]


@pytest.mark.parametrize(
    ("table", "changes"),
    [
        ({**FULL, "bank": 5000}, {}),
        ({"seats": 3, "ante": 2500, "bonus": 500, "bank": 50_000}, {"coverage": "net"}),
    ],
)
def test_sample_equals_simulate(table: dict[str, int], changes: dict[str, Any]) -> None:
    answer = sample(changes=changes, **table)
    assert (answer.pop("covered"), answer.pop("preparing")) == (False, False)
    assert answer == simulated("compiled", changes=changes, **table)
    other = simulated("compiled", changes=changes, **{**table, "bank": table["bank"] + 500})
    assert other["banker_result"] != answer["banker_result"], "the bank matters"


def test_bank_that_covers_everything_has_the_exact_mean() -> None:
    exact = 10 * float(qh.odds(qh.load("california")).bets["ante"].edge)
    covering = sample(**FULL, bank=10_000)
    assert covering["covered"]
    mean, error = mean_and_error(covering)
    assert abs(mean - exact) < 3 * error
    assert not sample(**FULL, bank=9_900)["covered"], "an Ante less than everybody can win"
    short, _ = mean_and_error(sample(**FULL, bank=5000))
    assert abs(short - exact) > 20 * error, "the comparison can fail"


def test_other_rules_of_the_bank_have_another_mean() -> None:
    mean, error = mean_and_error(sample(**FULL, bank=5000))
    net, _ = mean_and_error(sample(**FULL, bank=5000, changes={"coverage": "net"}))
    assert net - mean > 5 * error


def test_rules_refuse_what_they_do_not_allow() -> None:
    assert sample("house", **{**FULL, "seats": 6, "ante": 400}, bank=5000)[0] == "bank.needless"
    assert sample("roulette", **FULL, bank=5000)[0] == "game.poker"
    assert sample(**{**FULL, "seats": 11}, bank=5000)[0] == "simulate.seats"
    assert sample(**{**FULL, "ante": 499}, bank=5000)[0] == "wager.limits"


# Before the engine is compiled


def use_engine(monkeypatch: pytest.MonkeyPatch, engine: "Future[Any]") -> None:
    monkeypatch.setattr(quick, "_compiled_engine", lambda: (engine, perf_counter() - 60))


def test_coarse_sample_until_the_engine_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"seats": 2, "ante": 500, "bank": 1000}
    use_engine(monkeypatch, Future())
    answer = sample(**table)
    assert answer.pop("preparing")
    del answer["covered"]
    assert answer == simulated("scalar", **table), "with fewer rounds, but the same ones"
    broken: Future[Any] = Future()
    broken.set_exception(RuntimeError("cannot cache function"))
    use_engine(monkeypatch, broken)
    assert not sample(**table)["preparing"], "there will be no other"
    monkeypatch.setattr(quick, "find_engine", lambda name: "scalar")
    answer = sample(**table)
    assert (answer["engine"], answer["preparing"]) == ("scalar", False)


def test_coarse_sample_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_engine(monkeypatch, Future())
    table = encode({"seats": 1, "ante": 500, "bank": 1000}).decode()
    ran: list[Any] = []

    async def run(work: Any, *args: Any, client: Client) -> bytes:
        ran.append(args)
        reply = jobs.price(*args)
        assert isinstance(reply, bytes)
        return reply

    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        monkeypatch.setattr(workers._prices, "run", run)

        async def ask() -> bool:
            body = await workers.sample(Client("Ann", "203.0.113.7"), "california", {}, table)
            return bool(decode(body)["preparing"])

        assert [await ask(), await ask()] == [True, True]
        monkeypatch.setattr(quick, "find_engine", lambda name: "scalar")
        assert [await ask(), await ask()] == [False, False]
        assert len(ran) == 3, "the last answer was kept"

    asyncio.run(main())
