"""Readings at a table: samples against the plain settlement, fees against a count of all deals."""

import json
import random
from collections.abc import Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from threading import Event
from typing import Any, cast

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.games.policy import HANDS
from queenhigh.price.best_policy import best_policy
from queenhigh.price.compare import Reading
from queenhigh.rulebook.load import vary
from queenhigh.simulation.engines import compiled, scalar
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.paired import PairedSimulation, sample_paired
from queenhigh.simulation.readings import NO_MONEY, TableReading, TableTerms, price_at_table
from queenhigh.simulation.run import Threads
from queenhigh.simulation.terms import Terms, make_plan
from tests.in_process import call
from tests.oracle.deals import DECK
from tests.oracle.plain import california_fee, settle_california
from tests.simulation.hard_tables import poker

BOOK = poker("california")
READINGS = qh.readings(BOOK)
COVERAGE = [reading for reading in READINGS if reading.key == "bank.coverage"]
#: A small bank, side bets and unequal Antes: every reading of the bank matters.
TABLE: TableTerms = {"ante": [500, 700, 500, 600], "bonus": [500, 0, 600, 500], "bank": 2000}
ROUNDS = 400
POLICY = best_policy(BOOK)
PLANS = [
    cast(
        PokerPlan,
        make_plan(
            vary(BOOK, {"bank.coverage": each}),
            {"seats": 3, "bank": 1500, "seed": 7, "policy": POLICY},
        ),
    )
    for each in ("action", "net")
]


@pytest.fixture(autouse=True)
def _priced_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count edges and best play once for all these tests; other tests of the command do not."""
    listed, policies = cache(qh.readings), cache(best_policy)
    monkeypatch.setattr(qh, "readings", lambda book: READINGS if _is_own(book) else listed(book))
    monkeypatch.setattr(
        "queenhigh.simulation.readings.best_policy",
        lambda book: POLICY if _is_own(book) else policies(book),
    )


def _is_own(book: qh.Rulebook) -> bool:
    return book.digest == BOOK.digest


def sample(plans: Sequence[PokerPlan]) -> list[PairedSimulation]:
    return sample_paired(plans, ROUNDS)


def of_the_bank(rows: Sequence[TableReading]) -> list[TableReading]:
    return [row for row in rows if row.measure == "bank"]


def plain_gains(row: TableReading, rounds: int = ROUNDS) -> list[int]:
    """Return the banker's gain in each round, settled by the plain implementation."""
    plan, key = row.plan, str(row.reading.key)
    assert plan is not None
    reading = {key.rpartition(".")[2]: row.reading.value}
    return [
        int(settle_california(line_of(plan, number), reading)["banker"]) for number in range(rounds)
    ]


def line_of(plan: PokerPlan, number: int) -> dict[str, Any]:
    line = plan.book.game.to_line(plan.book, scalar.play(plan, number), {})
    return json.loads(json.dumps(line))  # type: ignore[no-any-return]


def disagreements(rows: Sequence[TableReading]) -> list[object]:
    """Return the readings whose sampled figures are not those of the plain settlement."""
    wrong = []
    own: dict[str | None, list[int]] = {}
    for row in of_the_bank(rows):
        assert row.bank is not None
        gains = plain_gains(row)
        before = own.setdefault(row.reading.key, gains)
        changes = [(new - old) / 500 for new, old in zip(gains, before, strict=True)]
        figures = (row.bank.simulation.banker.mean, row.bank.change, row.bank.change_se)
        se = stdev(changes) / sqrt(ROUNDS)
        if figures[:2] != pytest.approx((fmean(gains) / 500, fmean(changes))) or (
            figures[2] != pytest.approx(se, rel=0.3)
        ):
            wrong.append(row.reading.value)
    return wrong


def test_figures_of_the_bank_are_the_plain_ones() -> None:
    rows = price_at_table(BOOK, READINGS, TABLE, sample)
    assert len(of_the_bank(rows)) >= 5
    assert disagreements(rows) == []
    changes = [row.bank.change for row in of_the_bank(rows) if row.bank]
    assert any(changes)


def test_ignored_reading_is_caught() -> None:
    rows = price_at_table(BOOK, READINGS, TABLE, lambda plans: sample([plans[0]] * len(plans)))
    assert {"net", "button", "drawn"} <= {*disagreements(rows)}


def test_ten_antes_agree_with_plain_settlement_of_other_deals() -> None:
    rng, deck = random.Random(1), list(range(52))
    gains, endless = [], []
    for _ in range(1_500):
        rng.shuffle(deck)
        hands = [deck[start : start + 3] for start in range(0, 33, 3)]
        cards = [" ".join(DECK[card] for card in hand) for hand in hands]
        seats = [
            {"seat": seat, "ante": 500, "cards": cards[seat],
             "move": POLICY.move((hands[seat][0], hands[seat][1], hands[seat][2]), (hands[0][0],))}
            for seat in range(1, 11)
        ]  # fmt: skip
        round = {"dealer": cards[0], "seats": seats}
        gains.append(settle_california({**round, "bank": 5000}, {"coverage": "net"})["banker"])
        endless.append(settle_california({**round, "bank": 10**9}, {})["banker"])
    rows = price_at_table(BOOK, COVERAGE, {}, lambda plans: sample_paired(plans, 100_000))
    figure = next(row.bank for row in rows if row.reading.value == "net")
    assert figure is not None
    banker = figure.simulation.banker

    def errors(results: list[int]) -> float:
        se = sqrt(banker.se**2 + (stdev(results) / 500) ** 2 / len(results))
        return abs(fmean(results) / 500 - banker.mean) / se

    assert errors(gains) < 4
    assert errors(endless) > 4, "a bank without end would be noticed"


def brute_fee(reading: dict[str, Any], ante: int, bonus: int) -> Fraction:
    """Return the average fee of a seat: all hands against all up cards, one by one."""
    hands, plays = np.array(HANDS), POLICY.plays
    total = deals = 0
    for up in range(52):
        possible = ~(hands == up).any(axis=1)
        for move, count in (
            ("play", int(plays[up][possible].sum())),
            ("fold", int((1 - plays[up][possible]).sum())),
        ):
            seat = {"ante": ante, "move": move} | ({"bonus": bonus} if bonus else {})
            total += count * california_fee(seat, reading)
            deals += count
    return Fraction(total, deals)


def test_fees_are_those_of_every_deal() -> None:
    terms: TableTerms = {"ante": [500, 20000], "bonus": [0, 600], "bank": 500}
    rows = [row for row in price_at_table(BOOK, READINGS, terms, sample) if row.measure == "fees"]
    assert [row.reading.value for row in rows][:2] == ["round", "wager"]
    for row in rows[:2]:
        reading = {"fee_per": row.reading.value}
        assert row.fees is not None
        assert row.fees.seats == (brute_fee(reading, 500, 0), brute_fee(reading, 20000, 600))
        assert row.fees.banker == 400, "by the largest Ante"
    assert rows[0].fees != rows[1].fees
    assert brute_fee({"fee_per": "wager"}, 500, 0) != brute_fee({"fee_per": "wager"}, 500, 600)


def test_readings_without_money_settle_alike() -> None:
    def tally(changes: dict[str, object]) -> Tally:
        terms: Terms = {**TABLE, "seed": 7, "policy": "q64"}  # type: ignore[typeddict-item]
        return compiled.sample(make_plan(vary(BOOK, changes), terms), 0, 5_000)

    own = tally({})
    for reading in READINGS:
        if reading.key in NO_MONEY:
            assert tally({reading.key: reading.value}) == own
    assert {reading.key for reading in READINGS} >= set(NO_MONEY)
    assert tally({"bank.coverage": "net"}) != own, "money that moves is noticed"
    assert tally({"fees.fee_per": "wager"}) != own


def test_new_keys_of_the_bank_and_the_fees_are_measured() -> None:
    new = [
        Reading("CA-20", "New.", key, value, value == "old", READINGS[0].edges)
        for key in ("bank.new_key", "fees.new_key", "tie")
        for value in ("old", "new")
    ]
    rows = price_at_table(BOOK, new, {}, sample)
    assert [row.measure for row in rows[::2]] == ["bank", "fees", "edge"]
    assert [row.refused for row in rows] == [None, "not possible alone"] * 2 + [None] * 2
    assert rows[0].bank is not None
    assert rows[2].fees is not None


def test_order_of_action_makes_seats_equal() -> None:
    rows = price_at_table(BOOK, READINGS, {}, lambda plans: sample_paired(plans, 100_000))
    spreads = {}
    for row in of_the_bank(rows):
        assert row.bank is not None
        seats = [seat.mean for seat in row.bank.simulation.seats]
        spreads[row.reading.value] = max(seats) - min(seats)
        if row.reading.key == "bank.first":
            assert abs(row.bank.change) <= 4 * row.bank.change_se
    assert spreads["button"] < 0.04
    assert spreads["drawn"] < 0.04
    assert spreads["left"] > 0.2


def test_stopped_samples_have_the_same_rounds() -> None:
    done: list[int] = []
    stopped = sample_paired(PLANS, 10**6, progress=done.append, stop=lambda: len(done) >= 4)
    (rounds,) = {each.simulation.rounds for each in stopped}
    assert 0 < rounds < 10**6 == stopped[0].simulation.asked
    assert done[-1] == rounds * len(PLANS)
    assert all(before < after for before, after in pairwise(done))
    assert sample_paired(PLANS, 10**6, stop=lambda: True) == []


def test_every_engine_gives_the_same_figures() -> None:
    slow, fast = (sample_paired(PLANS, 150, Threads(engine)) for engine in ("scalar", "compiled"))
    for one, other in zip(slow, fast, strict=True):
        assert one.simulation.tally == other.simulation.tally
        assert (one.change, one.change_se) == (other.change, other.change_se)


def test_sufficient_bank_leaves_no_difference() -> None:
    rows = price_at_table(BOOK, COVERAGE, {"bank": 10**9}, sample)
    assert all(row.bank and row.bank.is_same for row in rows)
    rows = price_at_table(BOOK, COVERAGE, {"bank": 5000}, sample)
    assert not all(row.bank and row.bank.is_same for row in rows)


def test_fees_without_a_bank_are_priced() -> None:
    """A house may charge fees too; its rulebook is put together by hand here."""
    book = replace(BOOK, bank=None)
    rows = price_at_table(book, [r for r in READINGS if r.key == "fees.fee_per"], {})
    assert rows[0].fees is not None
    assert rows[0].fees.seats[0] == 100


@pytest.mark.parametrize("name", ["house", "roulette"])
def test_terms_of_no_use_are_refused(name: str) -> None:
    book = qh.load(name)
    assert all(row.plan is None for row in price_at_table(book, qh.readings(book), {}))
    with pytest.raises(QueenhighError, match="remove bank"):
        price_at_table(book, qh.readings(book), {"bank": 500})


def test_few_rounds_are_refused() -> None:
    with pytest.raises(QueenhighError, match="use 100 or more"):
        price_at_table(BOOK, READINGS, {}, lambda plans: sample_paired(plans, 99))


# The command


def test_sheet_states_the_table_and_its_figures() -> None:
    done = call("assumptions", "california")
    text = " ".join(done.stdout.split())
    for words in (
        "10 seats with $5.00 on the Ante, no side bets, best strategy. The bank is $50.00.",
        "1,000,000 rounds with seed 7, the same cards for every alternative.",
        "± is 1.96 standard errors (95 %)",
        "action −0.557 ± 0.012 −0.0451 0.1937",
        "net −0.396 ± 0.014 +0.1611 ± 0.0053 −0.0451 0.1763",
        "the banker's mean is the same.",
        "round 0.2000 ($1.00) 0.4000 ($2.00)",
        "wager 0.3495 ($1.75) 0.4000 ($2.00)",
        "fees.collect = before (or after) decides when a fee is collected.",
        "bank.rotation = two_rounds (or every_round, free) decides who banks next.",
    ):
        assert words in text
    said = [row for row in done.stdout.splitlines() if "bank." in row or "fees." in row]
    assert said
    assert not any("no change" in row or "as above" in row for row in said)
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_json_has_the_figures() -> None:
    words = ("--bank", "$30", "--ante", "500,600", "--bonus", "$5", "--rounds", "5000", "--seed")
    listed = json.loads(call("assumptions", "california", *words, "3", "--json").stdout)
    rows = {(row["key"], row["value"]): row for row in listed if row["measure"]}
    action, net = (rows["bank.coverage", value]["at_table"] for value in ("action", "net"))
    assert (net["bank"], net["seed"], net["rounds"], net["method"]) == (3000, 3, 5000, "sampled")
    assert [(seat["ante"], seat["bonus"]) for seat in net["seats"]] == [(500, 500), (600, 500)]
    means = [each["banker_result"]["mean"] for each in (action, net)]
    assert net["change"]["mean"] == pytest.approx(means[1] - means[0])
    assert action["change"] is None
    exact = rows["fees.fee_per", "wager"]["at_table"]
    assert exact["method"] == "exact"
    assert exact["seats"][0]["fee_player"] == str(brute_fee({"fee_per": "wager"}, 500, 500) / 500)
    assert exact["fee_banker"] == "2/5"
    assert "moves no money" in rows["fees.collect", "after"]["note"]
    assert rows["tie", "win"]["at_table"] is None


def test_refused_stake_says_why() -> None:
    done = call("assumptions", "california", "--bonus", "$1", "--rounds", "100")
    text = " ".join(done.stdout.split())
    assert "fees.fee_per = wager: the bonus of seat 1, $1.00, is outside the limits" in text
    assert done.returncode == 0


def test_table_where_a_reading_is_the_same() -> None:
    done = call("assumptions", "california", "--seats", "1", "--rounds", "100")
    assert "the same" in done.stdout
    assert "Seat 1\n" in done.stdout
    covered = call("assumptions", "california", "--bank", "$9999", "--rounds", "100").stdout
    assert "which covers every wager." in " ".join(covered.split())


def test_slow_engine_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    notice = "Using the slow pure-Python engine. For the fast one: pip install 'queenhigh[sim]'\n"
    monkeypatch.setattr("queenhigh.simulation.run.find_spec", lambda _: None)
    done = call("assumptions", "california", "--seats", "2", "--rounds", "100")
    assert done.stderr == notice
    assert "so errors are large." in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["california", "--rounds", "99"], "use 100 or more"),
        (["california", "--seats", "11"], "a table has 1 to 10 seats, not 11"),
        (["california", "--bank", "0"], "less than one cent"),
        (["california", "--ante", "5"], "outside the limits"),
        (["california", "--seed", "-1"], "a seed is a whole number"),
        (["house", "--bonus", "100"], "remove bonus"),
        (["roulette", "--rounds", "1000"], "remove --rounds"),
    ],
)
def test_bad_table_is_one_sentence(words: list[str], message: str) -> None:
    done = call("assumptions", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize("rounds", [0, 3])
def test_interrupt_ends_with_status_130(rounds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped, seen = Event(), []

    @contextmanager
    def counting(total: int, unit: str) -> Any:
        def report(done: int) -> None:
            seen.append(done)
            if len(seen) >= rounds:
                stopped.set()

        yield report

    @contextmanager
    def interrupt() -> Any:
        if not rounds:
            stopped.set()
        yield stopped

    monkeypatch.setattr("queenhigh.commands.assumptions.counting", counting)
    monkeypatch.setattr("queenhigh.commands.assumptions.stopped_by_interrupt", interrupt)
    done = call("assumptions", "california", "--rounds", "1e6")
    assert done.returncode == 130
    if rounds:
        assert " of 1,000,000 rounds with seed 7" in " ".join(done.stdout.split())
    else:
        assert (done.stdout, done.stderr) == ("", "Stopped: there are no results yet.\n")


def test_own_reading_may_be_another_one() -> None:
    """The difference is from the rulebook as it is used, here with net coverage."""
    book = vary(BOOK, {"bank.coverage": "net"})
    own = [replace(each, is_default=each.value == "net") for each in reversed(COVERAGE)]
    there = {row.reading.value: row.bank for row in price_at_table(book, own, TABLE, sample)}
    here = {row.reading.value: row.bank for row in price_at_table(BOOK, COVERAGE, TABLE, sample)}
    assert there["action"] is not None
    assert here["net"] is not None
    assert there["action"].change == pytest.approx(-here["net"].change)
    assert here["net"].change != 0
