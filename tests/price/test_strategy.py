"""Best play: the published strategies, ties, suits, charts, rules and single hands."""

import json
import re
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.cards import Hand
from queenhigh.price import poker
from queenhigh.price.strategy import Strategy, play_text, strategy, up_text
from queenhigh.price.tables import tables
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets import rule_sheet, strategy_sheet
from queenhigh.sheets.chart import chart_page
from queenhigh.sheets.wording import label, value_in_words
from tests import seeds
from tests.oracle.plain import KIND_RATES
from tests.rules.short_rounds import load
from tests.sizes import sized


def book(name: str, **changes: object) -> PokerRulebook:
    loaded = load(name, changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


def rule(best: Strategy) -> dict[str, str]:
    return {up_text(line): play_text(best.book, line) for line in best.rule}


def test_published_strategy_of_the_house_game() -> None:
    """Wizard of Odds: play Q-6-4 or better, 14,900 of 22,100 hands."""
    best = strategy(book("house"))
    assert rule(best) == {"any": "Q-6-4 or better"}
    assert (best.played, best.sets) == (14900, 22100)
    assert best.chart_cost == best.rule_cost == 0


def test_published_strategy_with_one_dealer_card_seen() -> None:
    """Wizard of Odds newsletter, 2003-09-06."""
    best = strategy(book("house", up=1))
    assert rule(best) == {
        "2 to J": "everything", "Q": "Q-9-2 or better", "K": "K-9-2 or better",
        "A": "A-9-2 or better",
    }  # fmt: skip
    assert best.rule_cost == 0


def test_california_has_240_level_sets_and_folds_them() -> None:
    best = strategy(book("california"))
    assert best.level == 240
    assert best.ev == qh.odds(book("california")).bets["ante"].ev
    assert Fraction(best.played, best.sets) == qh.odds(book("california")).bets["ante"].play_rate


def test_california_chart_states_the_cost_of_ignoring_suits() -> None:
    best = strategy(book("california"))
    assert len(best.suit_cells) > 0
    assert 0 < best.chart_cost < best.rule_cost < Fraction(1, 1000)


def policy_worth(
    best: Strategy, plays: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> Fraction:
    """Play a chart given by up card and strength over every information set."""
    gained = sum(
        int((known.weight * known.gain * plays[known.up, known.strength]).sum())
        for known in poker.information_sets(best.book)
    )
    nothing = best.ev - sum(
        Fraction(int((known.weight * np.maximum(known.gain, 0)).sum()), best.sets * best.scale)
        for known in poker.information_sets(best.book)
    )
    return nothing + Fraction(gained, best.sets * best.scale)


def test_least_hands_and_exceptions_are_the_whole_chart() -> None:
    best = strategy(book("california"))
    for up in range(13):
        below, above = best.exceptions(up)
        plays = {h for h in range(best.least(up), 741) if h not in above} | set(below)
        there = set(np.flatnonzero(best.cells[up]).tolist())
        assert plays & there == set(np.flatnonzero(best.gains[up] > 0).tolist())


@pytest.mark.parametrize("name", ["california", "house"])
def test_costs_equal_the_loss_of_following_chart_or_rule(name: str) -> None:
    best = strategy(book(name))
    chart = best.gains > 0
    assert best.ev - policy_worth(best, chart) == best.chart_cost
    by_rule = np.zeros_like(chart)
    for line in best.rule:
        for ups in line.ups:
            by_rule[ups[0] if ups else 0, line.least :] = True
    assert best.ev - policy_worth(best, by_rule) == best.rule_cost


def test_no_other_least_hands_do_better_than_the_rule() -> None:
    """Move each line of the rule by one hand either way: it never gains."""
    best = strategy(book("california"))
    for line in best.rule:
        for least in (line.least - 1, line.least + 1, line.least - 5, line.least + 5):
            moved = np.zeros_like(best.gains, dtype=bool)
            for other in best.rule:
                for ups in other.ups:
                    moved[ups[0], least if other == line else other.least :] = True
            assert best.ev - policy_worth(best, moved) >= best.rule_cost


@pytest.mark.parametrize(("name", "up"), [("house", 0), ("california", 1), ("house", 2)])
def test_single_hands_agree_with_the_counting_of_all(name: str, up: int) -> None:
    """`advise` goes through the dealer's hands one by one; the tables never do."""
    rules = book(name, up=up)
    scale = poker.payoffs(rules).scale * poker.dealer_hand_count(rules)
    rng = seeds.rng(f"advice {name} {up}")
    for _ in range(sized(15, 30, 1000)):
        cards = rng.sample(range(52), 3 + up)
        hand, ups = (cards[0], cards[1], cards[2]), tuple(cards[3:])
        advice = qh.advise(rules, hand, ups)
        (known,) = [
            known
            for known in poker.information_sets(rules, np.array([hand], dtype=np.int32))
            if up < 2 or known.up.size == 51 - min(ups)
        ]
        column = 0 if up == 0 else max(ups) - (min(ups) + 1 if up == 2 else 0)
        gain = Fraction(int(known.gain[0, column]), scale)
        assert advice.play - advice.fold == gain, (seeds.SEED, hand, ups)
        assert (advice.best == "play") == bool(known.plays[0, column])
        assert advice.cost >= 0


def test_an_even_hand_is_a_fold() -> None:
    rules = book("california")
    for known in poker.information_sets(rules):
        row, up = np.argwhere((known.gain == 0) & (known.weight > 0))[0].tolist()
    a, b, c = tables(True).hands[row].tolist()
    advice = qh.advise(rules, (a, b, c), (up,))
    assert advice.play == advice.fold == -1
    assert (advice.best, advice.cost == 0) == ("fold", True)


def test_bad_hands_are_refused() -> None:
    rules = book("california")
    with pytest.raises(qh.QueenhighError, match="one dealer card is up"):
        qh.advise(rules, (0, 1, 2))
    with pytest.raises(qh.QueenhighError, match="appears twice"):
        qh.advise(rules, (0, 1, 2), (2,))


def test_the_drawn_chart_has_every_cell_and_its_table() -> None:
    best = strategy(book("california"))
    page = chart_page(best)
    cells = int((best.cells[:, :274] > 0).sum())
    assert page.count("<rect") == cells
    assert page.count("<circle") == len(best.suit_cells)
    assert page.count("<td>suits</td>") == len(best.suit_cells)
    assert page.count('stroke-width="2.4"') == 13, "a line for every up card"
    assert "10-7-5 or better" in page


def cells_of(name: str, **changes: object) -> tuple[PokerRulebook, dict[str, Any]]:
    rules = book(name, **changes)
    drawn = strategy_sheet.as_json(strategy(rules))["map"]
    assert drawn is not None
    return rules, drawn


def cards_of(hand: str) -> list[Hand]:
    """Return every way to hold a hand without a pair, given by its ranks."""
    ranks = ["23456789TJQKA".index(rank.replace("10", "T")) for rank in hand.split("-")]
    suits = [each for each in product(range(4), repeat=3) if len(set(each)) > 1]
    a, b, c = ranks
    return [(4 * a + x, 4 * b + y, 4 * c + z) for x, y, z in suits]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("california", {}),
        ("house", {}),
        pytest.param("house", {"up": 1, "ace_low": False}, marks=pytest.mark.full),
    ],
)
def test_map_agrees_with_advice(name: str, changes: dict[str, object]) -> None:
    """A cell is the mean over its suits of what playing is worth above folding."""
    rules, drawn = cells_of(name, **changes)
    rng = seeds.rng(f"map {name} {changes}")
    marked = {(row, column): (played, deals) for row, column, played, deals in drawn["suits"]}
    suited = sorted(marked)[:: sized(48, 20)]
    rows, columns = len(drawn["hands"]), len(drawn["ups"])
    some = [(rng.randrange(rows), rng.randrange(columns)) for _ in range(sized(3, 12))]
    for row, column in [*suited, *some]:
        ups = [(4 * column + suit,) for suit in range(4)] if rules.up else [()]
        advised = [
            qh.advise(rules, hand, up)
            for hand in cards_of(drawn["hands"][row])
            for up in ups
            if not {*hand} & {*up}
        ]
        worth = sum((advice.play - advice.fold for advice in advised), Fraction(0)) / len(advised)
        assert Fraction(drawn["gains"][row][column], drawn["over"]) == worth
        plays = sum(advice.best == "play" for advice in advised)
        assert marked.get((row, column), (plays, len(advised))) == (plays, len(advised))
        assert ((row, column) in marked) == (0 < plays < len(advised))


def test_the_map_has_every_hand_and_is_small() -> None:
    for name, columns in (("california", 13), ("house", 1)):
        rules, drawn = cells_of(name)
        assert [len(row) for row in drawn["gains"]] == [columns] * 274
        assert (drawn["hands"][0], drawn["hands"][-1]) == ("A-K-J", "5-3-2")
        assert [each["hand"] for each in drawn["classes"]] == [
            "straight flush", "three of a kind", "straight", "flush", "pair",
        ]  # fmt: skip
        assert all(each["play_rates"] == ["1"] * columns for each in drawn["classes"])
        assert len(json.dumps(strategy_sheet.as_json(strategy(rules)))) < 60_000
    best = strategy(book("california"))
    assert len(cells_of("california")[1]["suits"]) == len(best.suit_cells)


def test_map_sums_to_the_value_of_best_play_by_rank() -> None:
    best, (_, drawn) = strategy(book("house")), cells_of("house")
    high = sum(60 * Fraction(gain, drawn["over"]) for (gain,) in drawn["gains"] if gain > 0)
    sizes = dict(zip(("straight flush", "three of a kind", "straight", "flush", "pair"),
                     (48, 52, 720, 1096, 3744), strict=True))  # fmt: skip
    better = sum(sizes[each["hand"]] * Fraction(each["worth"][0]) for each in drawn["classes"])
    assert Fraction(-1) + (high + better) / 22100 == best.ev


def test_two_up_cards_have_no_map() -> None:
    rules = book("house", up=2)
    assert strategy_sheet.as_json(strategy(rules))["map"] is None


def test_rules_list_the_possible_choices() -> None:
    choices = rule_sheet.as_json(book("california"))["choices"]
    assert choices["up"] == (0, 1, 2)
    assert choices["bonus.on_fold"] == ("forfeit", "resolve")
    assert choices["royal_flush"] == (True, False)
    assert "queen-high" in choices["qualifier"]
    assert not {"title", "seats", "game", "bonus.pays.flush", "fees.rates"} & {*choices}
    assert rule_sheet.as_json(load("roulette-european", {}))["choices"] == {
        "zeros": (1, 2, 3),
        "zero.on_zero": ("lose", "la_partage", "en_prison"),
        "zero.second_zero": ("lose", "half", "stay"),
    }


def test_assumptions_under_each_reading() -> None:
    edges = {(r.key, str(r.value)): r.edges for r in qh.readings(book("california"))}
    assert edges["tie", "win"]["ante"] == qh.odds(book("california", tie="win")).bets["ante"].edge
    assert edges["short_ante", "push"]["ante"] > edges["short_ante", "ahead"]["ante"]
    roulette = {(r.key, str(r.value)): r.edges for r in qh.readings(load("roulette", {}))}
    assert roulette["zeros", "3"]["red"] == Fraction(1, 13)
    wheel = {(r.key, str(r.value)): r for r in qh.readings(load("roulette-european", {}))}
    assert wheel["zero.second_zero", "half"].edges["red"] == Fraction(1, 74)
    assert wheel["zero.second_zero", "half"].under == {"zero.on_zero": "en_prison"}
    assert not wheel["zero.on_zero", "en_prison"].under
    prison = qh.readings(load("roulette-european", {"on_zero": "en_prison"}))
    assert not any(reading.under for reading in prison), "it is so already"


def test_compare_names_clauses_and_their_effects() -> None:
    comparison = qh.compare(book("california"), book("california", tie="win", flush=4))
    assert [(change.what, change.clauses) for change in comparison.changes] == [
        ("dealer qualified, player level", ("CA-18",)),
        ("bonus.pays", ("CA-10",)),
    ]
    tie, side = comparison.changes
    assert tie.edges["ante"] == comparison.after["ante"]
    assert side.edges["bonus"] == comparison.after["bonus"]
    (short,) = qh.compare(book("california"), book("california", short_ante="win")).changes
    assert short.clauses == ("CA-15",)
    assert short.edges["ante"] == qh.odds(book("california", short_ante="win")).bets["ante"].edge
    (fold,) = qh.compare(book("house"), book("house", pair_plus_on_fold="forfeit")).changes
    assert fold.clauses == ("HO-6",)
    half = load("roulette-european", {"on_zero": "la_partage"})
    (partage,) = qh.compare(load("roulette-european", {}), half).changes
    assert (partage.clauses, partage.edges["red"]) == (("RO-21",), Fraction(1, 74))
    assert qh.compare(book("house"), book("house")).changes == ()
    wheels = qh.compare(load("roulette", {}), load("roulette-european", {}))
    assert wheels.changes[0].edges["red"] == Fraction(1, 37)
    with pytest.raises(qh.QueenhighError, match="different games"):
        qh.compare(book("house"), load("roulette", {}))


def test_every_difference_of_the_two_games_is_named() -> None:
    comparison = qh.compare(book("california"), book("house"))
    what = {change.what for change in comparison.changes}
    assert {"up", "ante_bonus", "bonus", "pair_plus", "fees", "bank", "seats"} <= what
    assert {"ante.required", "limits.ante", "royal_flush", "banker"} <= what
    assert all(change.clauses for change in comparison.changes)


@pytest.mark.parametrize(
    ("key", "value", "clauses"),
    [
        ("bank.coverage", "net", ("CA-20", "CA-21")),
        ("bank.settle_order", "wager", ("CA-20",)),
        ("bank.fold_uncovered", "lost", ("CA-20",)),
        ("bank.first", "button", ("CA-22",)),
        ("bank.rotation", "free", ("CA-23",)),
        ("fees.collect", "after", ("CA-5",)),
        ("fees.fee_per", "wager", ("CA-7",)),
    ],
)
def test_each_difference_cites_the_clause_of_its_key(
    key: str, value: object, clauses: tuple[str, ...]
) -> None:
    changes = qh.compare(book("california"), load("california", {key: value})).changes
    assert {change.what: change.clauses for change in changes}[key] == clauses


def test_bank_of_only_one_rulebook_cites_all_its_clauses() -> None:
    clauses = {c.what: c.clauses for c in qh.compare(book("california"), book("house")).changes}
    assert clauses["bank"] == ("CA-20", "CA-21", "CA-22", "CA-23")
    assert clauses["fees"] == ("CA-5", "CA-7")


def test_total_limit_is_a_difference_with_its_clause() -> None:
    (total,) = qh.compare(book("house"), book("house", scope="total")).changes
    assert (total.what, total.clauses) == ("limits.scope", ("HO-1",))


#: A key for every kind of value, with what a comparison says of both.
SAID = [
    ("california", {"royal_flush": False, "bonus.pays.royal_flush": None},
     "A-K-Q of one suit: is a separate hand class, is a straight flush"),
    ("california", {"limits.bonus.max": 5000}, "Bonus limits: $1.00 to $100.00, $1.00 to $50.00"),
    ("california", {"first": "button"}, "Action starts: with seat 1, one seat later each round"),
    ("california", {"settle_order": "bonus_first"},
     "Bank covers bets: seat by seat, side bets last, seat by seat, side bets first"),
    ("california", {"fold_uncovered": "lost"},
     "Folded bets the bank cannot cover: are returned, are lost in full"),
    ("california", {"fee_per": "kind"},
     "A fee is paid: once a round, on each kind of wager that has a rate"),
    ("california", {"fee_per": "kind", "fees.rates": KIND_RATES},
     "Collection rates: $5.00 to $100.00: player $1.00, banker $2.00; $100.01 to $300.00: player"
     " $2.00, banker $4.00; $300.01 to $1,000.00: player $3.00, banker $5.00,"
     " Ante $5.00 to $1,000.00: player $1.00, banker $2.00; Play $5.00 to $1,000.00: player $0.50,"
     " banker $0.00; Bonus $1.00 to $100.00: player $0.25, banker $0.00"),
    ("house", {"scope": "total"},
     "Maximum applies to: each bet, all bets of a seat combined"),
    ("california", {"flush": 4}, "Bonus pays: flush 3 to 1, flush 4 to 1"),
    ("house", {"increment": 100}, "Bets are multiples of: $0.01, $1.00"),
    ("house", {"ante_bonus.on_fold": "pay"}, "Ante bonus after a fold: is not paid, is paid"),
    ("house", {"qualifier": "pair"},
     "Dealer qualifies with: queen-high or better, a pair or better"),
    ("house", {"up": 2}, "Dealer cards up: none, two"),
    ("roulette-european", {"on_zero": "la_partage"},
     "On a zero, an even-money bet: loses, loses half (la partage)"),
    ("roulette-european", {"limits.min": 200}, "Minimum bet: $1.00, $2.00"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "said"), SAID)
def test_differences_are_described_in_words(
    name: str, changes: dict[str, object], said: str
) -> None:
    differences = qh.compare(load(name, {}), load(name, changes)).changes
    words = [
        f"{label(c.what)}: {value_in_words(c.what, c.before)}, {value_in_words(c.what, c.after)}"
        for c in differences
    ]
    assert said in words


OF_ONE_GAME = [
    pair
    for pair in permutations(qh.shipped(), 2)
    if len({"roulette" in name for name in pair}) == 1
]


@pytest.mark.parametrize(("one", "other"), OF_ONE_GAME)
def test_no_difference_shows_a_raw_value(one: str, other: str) -> None:
    for change in qh.compare(load(one, {}), load(other, {})).changes:
        texts = (
            label(change.what),
            *(value_in_words(change.what, v) for v in (change.before, change.after)),
        )
        assert not re.search(
            r"[a-z]_[a-z]|True|False|None|\(|(?<![$,.\d])\d{3,}\b", " ".join(texts)
        ), texts


def test_every_pair_of_hands_has_an_up_text() -> None:
    best = strategy(book("house", up=2))
    pairs = {tuple(sorted(ups)) for line in best.rule for ups in line.ups}
    assert pairs == {*combinations(range(13), 2), *((rank, rank) for rank in range(13))}
