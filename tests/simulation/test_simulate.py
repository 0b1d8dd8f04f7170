"""Runs: chunks and threads that change nothing, results, terms, and policies by their names."""

import json
from fractions import Fraction
from math import sqrt
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.simulation.engines import compiled, scalar
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.policy_file import find_policy
from queenhigh.simulation.run import Threads, run
from queenhigh.simulation.terms import Terms, make_plan
from tests.simulation.hard_tables import poker

HOUSE, CALIFORNIA = poker("house"), poker("california")


def test_chunks_and_threads_change_nothing() -> None:
    plan = make_plan(CALIFORNIA, {"seats": 5, "bank": 3000, "seed": 9})
    whole = compiled.sample(plan, 0, 300_001)
    for threads in (1, 2, 5):
        assert run(plan, 300_001, workers=Threads("compiled", threads)).tally == whole
    parts = [compiled.sample(plan, start, 100_001) for start in (0, 100_001)]
    assert parts[0] + parts[1] + compiled.sample(plan, 200_002, 99_999) == whole
    assert compiled.sample(plan, 1, 300_001) != whole


def test_stopped_run_holds_the_first_rounds() -> None:
    plan = make_plan(HOUSE, {"seed": 1})
    done: list[Tally] = []
    result = run(
        plan, 10**15, progress=lambda tally, _: done.append(tally), stop=lambda: len(done) > 2
    )
    assert 0 < result.rounds < 10**15
    assert result.tally == compiled.sample(plan, 0, result.rounds)


def test_money_is_conserved() -> None:
    plan = make_plan(CALIFORNIA, {"ante": [500, 900, 777], "bonus": 500, "bank": 4321, "seed": 2})
    tally = compiled.sample(plan, 0, 50_000)
    assert sum(tally.result(place).moment(1) for place in range(4)) == 0
    assert all(sum(row) == 50_000 for row in tally.results)


def test_statistics_are_those_of_the_counts() -> None:
    result = run(make_plan(HOUSE, {"seats": 2, "seed": 3}), 400, workers=Threads("scalar"))
    seat = result.seats[1]
    values = [cents / 100 for cents, count in seat.distribution.items() for _ in range(count)]
    mean = sum(values) / 400
    assert len(values) == 400
    assert seat.mean == pytest.approx(mean)
    assert seat.sd == pytest.approx(sqrt(sum((value - mean) ** 2 for value in values) / 400))
    assert seat.se == pytest.approx(seat.sd / 20)


def test_json_has_fixed_keys_in_units_of_first_ante() -> None:
    terms: Terms = {"ante": [1000, 500], "bank": 1500, "seed": 7}
    result = run(make_plan(CALIFORNIA, terms), 1000, workers=Threads("scalar")).as_json()
    assert json.loads(json.dumps(result)) == result
    assert list(result) == [
        "rulebook", "digest", "rules_digest", "seed", "rounds", "seconds", "engine", "threads",
        "seats", "banker_result", "asked", "unit_cents", "bank", "policy",
    ]  # fmt: skip
    assert (result["rulebook"], result["digest"]) == ("california", CALIFORNIA.digest)
    assert (result["seed"], result["rounds"], result["engine"]) == (7, 1000, "scalar")
    assert [seat["seat"] for seat in result["seats"]] == [1, 2]
    assert {"mean", "sd", "se", "exhausted"} <= set(result["banker_result"])
    second = result["seats"][1]
    total = sum(int(cents) * count for cents, count in second["rounds_by_cents"].items())
    assert second["mean"] == pytest.approx(total / 1000 / 1000)
    assert second["mean_fee"] == pytest.approx(0.1)


def test_defaults() -> None:
    plan = make_plan(CALIFORNIA, {})
    assert isinstance(plan, PokerPlan)
    assert [(seat.seat, seat.ante, seat.bonus) for seat in plan.seats] == [(1, 500, 0)]
    assert (plan.bank, plan.policy.name) == (None, "best")
    assert plan.seed != make_plan(CALIFORNIA, {}).seed
    assert len({wager.bet for wager in make_plan(qh.load("roulette"), {}).wagers}) == 11  # type: ignore[union-attr]


def test_bank_runs_out() -> None:
    """With one seat of $5 and $2 in the bank, every matched amount is at most $2."""
    result = run(make_plan(CALIFORNIA, {"bank": 200, "seed": 1}), 2000)
    assert set(result.seats[0].distribution) <= {-200, 0, 200}
    assert result.tally.exhausted == result.seats[0].uncovered > 1000
    assert result.seats[0].returned > 1


def test_table_with_too_many_results_is_refused() -> None:
    book = qh.load("california", {"fees.rates.2.max": 10**9})
    with pytest.raises(QueenhighError, match="different results, too many to count"):
        make_plan(book, {"ante": [10**9 - 7, 10**9]})


@pytest.mark.parametrize(
    ("terms", "message"),
    [
        ({"seats": 11}, "a table has 1 to 10 seats, not 11"),
        ({"seats": 0}, "a table has 1 to 10 seats, not 0"),
        ({"ante": 100}, "outside the limits"),
        ({"ante": [500, 600], "seats": 3}, "2 amounts of ante do not match 3 seats"),
        ({"bank": 0}, "the bank is less than one cent"),
        ({"seed": -1}, "a seed is a whole number from 0"),
        ({"seed": 2**64}, "a seed is a whole number from 0"),
        ({"bets": ["red"]}, "has no bets: its options are seed, seats, ante"),
        ({"seat": 3}, "has no seat: its options are seed, seats, ante"),
        ({"seats": 2.0}, "seats is not a whole number: 2.0"),
        ({"ante": "500"}, "ante is not a whole number: '500'"),
        ({"ante": [500, None]}, "ante is not a whole number"),
        ({"policy": "worst"}, "there is no policy 'worst': use best, q64, mimic"),
        ({"policy": "best+errors:two"}, "'two' is not a share of errors: write 2%"),
        ({"policy": "best+errors:101%"}, "errors are a share from 0% to 100%"),
    ],
)
def test_bad_terms_are_explained(terms: Terms, message: str) -> None:
    with pytest.raises(QueenhighError, match=message):
        make_plan(CALIFORNIA, terms)


def test_terms_of_the_other_game_are_refused() -> None:
    with pytest.raises(QueenhighError, match="has no bank"):
        make_plan(qh.load("roulette"), {"bank": 100})
    with pytest.raises(QueenhighError, match="the house banks here"):
        make_plan(HOUSE, {"bank": 100})
    with pytest.raises(QueenhighError, match="there is no bet 'green'"):
        make_plan(qh.load("roulette"), {"bets": ["green"]})


def test_engines_by_name() -> None:
    assert Threads().engine == "compiled"
    with pytest.raises(QueenhighError, match="there is no engine abacus"):
        Threads("abacus")
    with pytest.raises(QueenhighError, match="the scalar engine has only one thread"):
        Threads("scalar", 4)
    with pytest.raises(QueenhighError, match="use at least one round"):
        run(make_plan(HOUSE, {}), 0)


# Policies


def test_q64_and_mimic() -> None:
    q64, mimic = find_policy(HOUSE, "q64"), find_policy(HOUSE, "mimic")
    assert q64.move(_hand("Qs 6d 4c"), ()) == "play"
    assert q64.move(_hand("Qs 6d 3c"), ()) == "fold"
    assert mimic.move(_hand("Qs 3d 2c"), ()) == "play"
    assert mimic.move(_hand("Js 10d 8c"), ()) == "fold"
    assert q64.move(_hand("Qs 6d 4c"), (), errs=True) == "fold"


def test_the_best_policy_of_the_house_is_q64() -> None:
    best = find_policy(HOUSE, "best")
    assert (best.plays == find_policy(HOUSE, "q64").plays).all()


@pytest.mark.parametrize("hand", ["Qs 6d 4c", "10s 6d 4c", "As 9d 2c", "2s 2d 4c", "10s 7d 5d"])
@pytest.mark.parametrize("up", ["3d", "Qd", "Ac", "Jh"])
def test_the_best_policy_follows_advice(hand: str, up: str) -> None:
    advice = qh.advise(CALIFORNIA, _hand(hand), qh.parse_cards(up))
    assert find_policy(CALIFORNIA, "best").move(_hand(hand), qh.parse_cards(up)) == advice.best


def test_a_policy_from_a_file(tmp_path: Path) -> None:
    """The rule to remember, written down, loses as much as the exact strategy predicts."""
    file = tmp_path / "rule.txt"
    file.write_text(
        "# my rule\n2 to 10: 10-7-5 or better\nJ: J-8-2\nQ: Q-9-2\nK: k-9-2\nA: A-9-2\n"
    )
    policy = find_policy(CALIFORNIA, str(file))
    best = find_policy(CALIFORNIA, "best")
    assert policy.name == "rule.txt"
    assert policy.move(_hand("10s 7d 5d"), qh.parse_cards("9c")) == "play"
    assert policy.move(_hand("10s 7d 4d"), qh.parse_cards("9c")) == "fold"
    rounds = 40_000_000
    means = [
        run(make_plan(CALIFORNIA, {"policy": each, "seed": 5}), rounds).seats[0].mean
        for each in (best, policy)
    ]
    cost = qh.strategy(CALIFORNIA).rule_cost
    assert means[0] - means[1] == pytest.approx(float(cost), abs=1e-4)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("any: Q-6-9", "unknown hand 'Q-6-9'"),
        ("2 to 10: Q-6-4", "there is no line for up card J: add J: Q-6-4"),
        ("Z: Q-6-4", "'Z' cannot be up here: write any, Q or 2 to 10"),
        ("K-Q: Q-6-4", "'K-Q' cannot be up here"),
        ("", "no line for up card 2"),
        ("any Q-6-4", "the colon is missing"),
        ("A to 2: Q-6-4", "'A to 2' cannot be up here"),
        ("any: Q-6-4 \xe9\xff", "unknown hand"),
        ("#" * 200_000, "is not a policy"),
    ],
)
def test_bad_policy_file_is_explained(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "rule.txt"
    file.write_text(text)
    with pytest.raises(QueenhighError, match=message):
        find_policy(CALIFORNIA, str(file))


def test_words_of_a_policy_file(tmp_path: Path) -> None:
    file = tmp_path / "rule.txt"
    file.write_bytes(b"\xef\xbb\xbfany: T-7-5 # a note\nA, K: pair\n")
    policy = find_policy(CALIFORNIA, str(file))
    assert policy.move(_hand("10s 7d 5d"), qh.parse_cards("9c")) == "play"
    assert policy.move(_hand("As Kd Qd"), qh.parse_cards("Ac")) == "play"  # a straight
    assert policy.move(_hand("As Kd Jd"), qh.parse_cards("Ac")) == "fold"
    with pytest.raises(QueenhighError, match="is not a policy"):
        find_policy(CALIFORNIA, str(tmp_path))


def test_a_policy_of_another_game_is_refused() -> None:
    with pytest.raises(
        QueenhighError, match="the policy q64 is for a game with a different number of up cards"
    ):
        make_plan(HOUSE, {"policy": find_policy(CALIFORNIA, "q64")})


def test_sums_that_might_not_fit_are_refused() -> None:
    with pytest.raises(QueenhighError, match="may overflow beyond"):
        run(make_plan(CALIFORNIA, {}), 10**18)


def test_mistakes_cost() -> None:
    """Every move wrong is the opposite policy; a tenth of them wrong costs a tenth of that."""
    means = [
        run(make_plan(HOUSE, {"policy": name, "seed": 5}), 20_000_000).seats[0].mean
        for name in ("best", "best+errors:10%", "best+errors:100%")
    ]
    assert means[0] - means[1] == pytest.approx((means[0] - means[2]) / 10, abs=0.002)
    assert Fraction(1, 10) == find_policy(HOUSE, "best+errors:10%").errors


def _hand(text: str) -> tuple[int, int, int]:
    a, b, c = qh.parse_cards(text)
    return a, b, c


def test_a_plan_travels_to_another_process() -> None:
    import pickle  # noqa: PLC0415

    plan = make_plan(CALIFORNIA, {"seats": 2, "bank": 1000, "seed": 4})
    again = pickle.loads(pickle.dumps(plan))
    assert scalar.sample(again, 0, 50) == scalar.sample(plan, 0, 50)
    assert again.book.limits["ante"].min == 500
    with pytest.raises(TypeError):
        again.book.limits["ante"] = None
