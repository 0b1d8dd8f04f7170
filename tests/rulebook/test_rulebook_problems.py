"""The loader: it lists all problems at once, each with its key and remedy."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import parse

SHIPPED = Path(qh.__file__).parent / "rulebooks"
TEXTS = {name: (SHIPPED / f"{name}.toml").read_text() for name in qh.shipped()}


def problems(text: str) -> dict[str, qh.Problem]:
    with pytest.raises(qh.InvalidRulebook) as caught:
        parse(text, "my.toml")
    for problem in caught.value.problems:
        assert not re.search("None|\\^|\\$$", problem.write), problem
    assert len(set(caught.value.problems)) == len(caught.value.problems), "nothing is told twice"
    return {problem.key: problem for problem in reversed(caught.value.problems)}


def edited(name: str, *edits: tuple[str, str]) -> str:
    text = TEXTS[name]
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


FOURTH = """
[[fees.rates]]
clause = "CA-7"
min = 100001
max = 200000
player = 400
banker = 600
"""

REFUSALS: list[tuple[Any, ...]] = [
    # the rulebook, an edit, the problem's key and clause, its sentence, keys of others that follow
    ("california", ("player = 100", 'player = "1%"'), "fees.rates.0.player", "CA-4", "whole number"),
    ("california", ("player = 100", "player = 0.01"), "fees.rates.0.player", "CA-4", "whole number"),
    ("california", ("player = 100", 'player = "1/100"'), "fees.rates.0.player", "CA-4", "1/100"),
    ("california", ("player = 100", "player = 100.0"), "fees.rates.0.player", "CA-4", "100.0"),
    ("california", ("player = 100", "player = 1e2"), "fees.rates.0.player", "CA-4", "100.0"),
    ("california", ("player = 100", "player = nan"), "fees.rates.0.player", "CA-4", "NaN"),
    ("california", ("player = 100", "player = {percent = 1}"), "fees.rates.0.player", "CA-4", "percent"),
    ("california", ("player = 100", "player = 100\npercent = 2"), "fees.rates.0.percent", "CA-4", "not a key"),
    ("california", ("max_rates = 3", "max_rates = 3\nrake = '5%'"), "fees.rake", "CA-4", "not a key"),
    ("california", ("# The clauses in", FOURTH + "# The"), "fees.rates", "CA-7", "the maximum is 3"),
    ("california", ("min = 10001", "min = 9999"), "fees.rates.1.min", "CA-7", "overlaps"),
    ("california", ("min = 10001", "min = 10000"), "fees.rates.1.min", "CA-7", "overlaps 500 to 10000"),
    ("california", ("min = 10001", "min = 30001"), "fees.rates.1.max", "CA-7", "less than min"),
    ("california", ('player = ["level"]', "player = []"), "settlement", None, "player level is not covered"),
    ("california", ('player = ["level"]', 'player = ["level", "ahead"]'), "settlement.3", "CA-18", "covered twice", "settlement.3.ante", "settlement.3.play"),
    ("california", ('tie = "push"', 'tie = "draw"'), "tie", None, '"draw" is not allowed'),
    ("california", ('tie = "push" ', ""), "tie", None, "is missing", "assumptions.17.key", "clauses.22.keys.0"),
    ("house", ("seats = 7", 'seats = 7\ntie = "push"'), "tie", None, "no clause governs"),
    ("california", ("seats = 10", "seats = 10\ncolour = 3"), "colour", None, "not a key"),
    ("california", ("seats = 10", "seats = true"), "seats", None, "not a whole number"),
    ("california", ("up = 1", "up = 3"), "up", None, "not allowed"),
    ("california", ('flush = "3 to 1"', 'flush = "3.5 to 1"'), "bonus.pays.flush", None, "ratio"),
    ("california", ('flush = "3 to 1"', "flush = 3.5"), "bonus.pays.flush", None, "ratio"),
    ("california", ('flush = "3 to 1"', 'flush = "3 to 0"'), "bonus.pays.flush", None, "ratio"),
    ("california", ('flush = "3 to 1"', 'flush = "3 to 2"'), "bonus.pays.flush", "TCP-4", "whole cents"),
    ("california", ("max_rates = 3", "max_rates = 3\npercentage = {ante = 1}"), "fees.percentage", "CA-4", "not a key"),
    ("california", ("seats = 10", "seats = 10\nrake = '5%'"), "rake", "CA-4", "not a key"),
    ("california", ("up = 1", "up = true"), "up", None, "not allowed"),
    ("california", ("up = 1", "up = 1.0"), "up", None, "not allowed"),
    ("california", ("required = true", "required = false"), "ante.required", "CA-9", "fees depend on the Ante"),
    ("california", ('dealer = "short"', 'dealer = "shrt"'), "settlement.0.dealer", None, "not allowed"),
    ("california", ('["behind", "level", "ahead"]', '["behnd", "level", "ahead"]'), "settlement.0.player.0", None, "not allowed"),
    ("california", ('ante = "lose"', 'ante = "tie"'), "settlement.2.ante", "CA-17", "does not apply"),
    ("california", ('play = "push"', 'play = "short_ante"'), "settlement.0.play", "CA-15", "does not apply"),
    ("california", ("royal_flush = true", 'royal_flush = "yes"'), "royal_flush", None, "not allowed"),
    ("california", ("[[fees.rates]]", "[[fees.rates]]\nextra = 0x" + "f" * 5000), "fees.rates.0.extra", "CA-4", "not a key"),
    ("california", ("seats = 10", "seats = 0x" + "f" * 5000), "seats", None, "a huge number"),
    ("house", ('banker = "house"', 'banker = "hose"'), "banker", None, "not allowed"),
    ("roulette", ('aliases = ["square"]', 'aliases = ["red"]'), "bets.3.aliases", "RO-4", "is already a bet"),
    ("roulette", ('aliases = ["square"]', 'aliases = ["column"]'), "refused.0.bets", "RO-16", "offered and refused"),
    ("roulette", ('aliases = ["square"]', 'aliases = ["Square"]'), "bets.3.aliases.0", None, "is not valid"),
    ("roulette", ('name = "dozen 1"', 'name = "dozen 1"\naliases = ["first"]'), "bets.10.aliases", None, "several bets"),
    ("roulette-american", ("zeros = 2", 'zeros = "two"'), "zeros", None, "not allowed"),
    ("roulette-european", ('[["0", 1, 2], ["0", 2, 3]]', "[]"), "bets.18.spots", None, "at least 1"),
    ("roulette-european", ('[["0", 1, 2], ["0", 2, 3]]', "[[]]"), "bets.18.spots.0", None, "at least 1", "bets.18.spots"),
    ("california", ("increment = 1", "increment = 2"), "fees.rates.1.min", "TCP-4", "multiple", "fees.rates.2.min"),
    ("california", ("min = 100\n", "min = 20000\n"), "limits.bonus.max", "CA-7", "less than min"),
    ("california", ('clause = "CA-16"', 'clause = "CA-99"'), "settlement.1.clause", None, "no clause CA-99"),
    ("california", ('clause = "CA-16"', 'clause = "sixteen"'), "settlement.1.clause", None, "sixteen"),
    ("california", ('clause = "CA-16"', ""), "settlement.1.clause", None, "is missing"),
    ("california", ('keys = ["tie"]', ""), "tie", None, "no clause governs"),
    ("california", ('keys = ["tie"]', 'keys = ["tie", "ties"]'), "clauses.22.keys.1", None, "no key ties"),
    ("california", ('id = "CA-16"', 'id = "CA-15"'), "clauses.20.id", None, "appears twice", "settlement.1.clause"),
    ("california", ('banker = "player"', 'banker = "house"'), "bank", None, "banked by a player", "fees"),
    ("house", ("[limits.ante]", "[limits.bonus]"), "limits.bonus", None, "no bonus bet", "limits.ante", "clauses.5.keys.0", "law.0.key"),
    ("house", ("[limits.ante]", "[limits.bonus]"), "limits.ante", None, "is missing", "limits.bonus", "clauses.5.keys.0", "law.0.key"),
    ("house", ("seats = 7", "seats = 17"), "seats", None, "is not valid"),
    ("roulette", ("zeros = 2", "zeros = 4"), "zeros", None, "not allowed"),
    ("roulette", ('pays = "17 to 1"', 'pays = "17 to 3"'), "bets.1.pays", "RO-17", "whole cents"),
    ("roulette", ('bets = ["column"', 'bets = ["red", "column"'), "refused.0.bets", "RO-16", "offered and refused"),
    ("roulette", ('shape = "split"', ""), "bets.1", None, "sets 0 of shape, spots and covers"),
    ("roulette-american", ('["0", "00", 1, 2, 3]', '["0", "00", 1, 2, 37]'), "bets.17.covers.4", None, "37"),
    ("roulette-american", ('["0", "00", 1, 2, 3]', '["0", "00", 1, 2, 2]'), "bets.17", "RO-20", "twice"),
    ("roulette-american", ('name = "five"', 'name = "dozen 1"'), "bets.17", "RO-20", "cover different numbers", "bets.17.pays"),
    ("roulette-american", ('spots = [["0", "00"], ', 'spots = [["0", "00"], ["00", "0"], '), "bets.18", "RO-20", "listed twice"),
]  # fmt: skip


@pytest.mark.parametrize("row", REFUSALS, ids=[f"{row[2]} {row[4]}" for row in REFUSALS])
def test_refused_by_key_and_clause(row: tuple[Any, ...]) -> None:
    name, edit, key, clause, says, *also = row
    text = edited(name, edit)
    result = problems(text)
    assert set(result) == {key, *also}, "this is reported, and nothing else"
    problem = result[key]
    assert (problem.file, problem.clause) == ("my.toml", clause)
    assert says in problem.message
    assert problem.write
    assert problem.line or "missing" in problem.message


def test_all_problems_at_once_each_on_its_line() -> None:
    text = edited(
        "california",
        ("seats = 10", "seats = 10\ncolour = 3"),
        ("player = 100", 'player = "1%"'),
        ('player = ["level"]', "player = []"),
        ('flush = "3 to 1"', "flush = 3.5"),
        ('straight = "6 to 1"', 'straight = "6 to 5"'),
        ('tie = "push"', 'tie = "draw"'),
        ("# The clauses in", FOURTH + "# The"),
        ("min = 10001", "min = 9999"),
    )
    result = problems(text)
    assert set(result) == {
        "colour", "fees.rates.0.player", "settlement", "bonus.pays.flush", "bonus.pays.straight",
        "tie", "fees.rates", "fees.rates.1.min",
    }  # fmt: skip
    lines = text.splitlines()
    for key, problem in result.items():
        assert problem.line is not None
        if key not in ("settlement", "fees.rates"):
            assert key.split(".")[-1] in lines[problem.line - 1]


def test_a_problem_reads_as_one_sentence() -> None:
    (problem,) = problems(edited("california", ("player = 100", 'player = "1%"'))).values()
    assert re.fullmatch(
        r'my\.toml:\d+: fees\.rates\.0\.player: "1%" is not a whole number \(CA-4\);'
        r" write player = 100",
        str(problem),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a = " + "9" * 5000,
        "a = 2021-02-30",
        "game = 3",
        'game = "chess"',
        "a = [",
        "\x00",
        "game = 'roulette'",
    ],
)
def test_non_rulebook_is_refused(text: str) -> None:
    assert problems(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'")
    (tmp_path / "big.toml").write_bytes(b"#" * (1 << 20) + b"\n")
    (tmp_path / "deep.toml").write_text("a = " + "[" * 5000 + "]" * 5000)
    wanted = {
        "latin.toml": "UTF-8",
        "big.toml": "1 MiB",
        "deep.toml": "too deep",
        "none": "built-in",
    }
    for name, said in wanted.items():
        with pytest.raises(qh.InvalidRulebook, match=said):
            qh.load(tmp_path / name)
    with pytest.raises(qh.InvalidRulebook, match="cannot be read"):
        qh.load(str(tmp_path))
    with pytest.raises(qh.InvalidRulebook, match="cannot be read"):
        qh.load("nul\0l")


@pytest.mark.parametrize("parts", [40, 600, 40_000])
def test_keys_with_too_many_parts_are_refused_fast(parts: int) -> None:
    assert "too deep" in problems(".".join("a" * parts) + " = 1")[""].message


def test_many_bad_rows_take_no_time() -> None:
    text = TEXTS["roulette"] + "[[clauses]]\n" * 20_000
    assert all(key.startswith("clauses") for key in problems(text))


def test_all_bad_overrides_are_listed_together() -> None:
    with pytest.raises(qh.InvalidRulebook) as caught:
        qh.load("california", {"colour": 1, "shape": 2, "tie": "draw"})
    assert len(caught.value.problems) == 3
    shared = ["a"]
    with pytest.raises(qh.InvalidRulebook):
        qh.load("roulette", {"refused": shared, "bets.11.covers": shared})
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(qh.InvalidRulebook, match="too deep"):
        qh.load("california", {"tie": endless})


def test_ranges_are_legal_up_to_their_last_cent() -> None:
    one_cent_wide = qh.load("california", {"fees.rates.1.min": 30_000})
    assert isinstance(one_cent_wide, PokerRulebook)
    assert one_cent_wide.betting.fee([("ante", 30_000)]) == 200
    for most, legal in ((500, True), (499, False)):
        with nullcontext() if legal else pytest.raises(qh.InvalidRulebook, match="no collection"):
            qh.load("california", {"fee_per": "wager", "limits.bonus.max": most})


def test_three_ranges_that_overlap_are_two_problems() -> None:
    text = edited("california", ("min = 10001", "min = 600"), ("min = 30001", "min = 800"))
    assert set(problems(text)) == {"fees.rates.1.min", "fees.rates.2.min"}


def test_line_numbers_after_multi_line_values() -> None:
    text = edited(
        "roulette-european",
        ("zeros = 1", '# """ a comment\nzeros = 1'),
        ('spots = [["0", 1], ["0", 2], ["0", 3]]', 'spots = [\n  ["0", 1],\n  ["0", 2],\n]'),
        ('name = "first_four"', 'name = "first_four"\ncolour = 3'),
    )
    (problem,) = problems(text).values()
    assert problem.line is not None
    assert text.splitlines()[problem.line - 1] == "colour = 3"


def test_a_frozen_rulebook_is_frozen() -> None:
    book: Any = qh.load("california")
    with pytest.raises(TypeError):
        book.limits["ante"] = None
    with pytest.raises(TypeError):
        book.document["seats"] = 3
    with pytest.raises(AttributeError):
        book.seats = 3


# Changes


@pytest.mark.parametrize(
    ("key", "value", "path"),
    [
        ("coverage", "net", ("bank", "coverage")),
        ("bank.coverage", "net", ("bank", "coverage")),
        ("bonus_on_fold", "resolve", ("bonus", "on_fold")),
        ("flush", 4, ("bonus", "pays", "flush")),
        ("bonus.pays.high_card", "1 to 1", ("bonus", "pays", "high_card")),
        ("fees.rates.0.player", 75, ("fees", "rates", 0, "player")),
        ("ace_low", False, ("ace_low",)),
        ("qualifier", "pair", ("qualifier",)),
    ],
)
def test_override_changes_only_its_key(
    key: str, value: object, path: tuple[str | int, ...]
) -> None:
    before, after = qh.load("california"), qh.load("california", {key: value})
    assert before.digest != after.digest
    changed = [
        leaf
        for leaf, item in leaves(dict(after.document))
        if dict(leaves(dict(before.document))).get(leaf) != item
    ]
    assert changed == [path]
    assert list(after.changes) == [".".join(map(str, path))]


def leaves(
    value: Any, path: tuple[str | int, ...] = ()
) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from leaves(item, (*path, i))
    else:
        yield path, value


@pytest.mark.parametrize(
    ("name", "key", "value", "said"),
    [
        ("california", "min", 3, "write one of limits.bonus.min, fees.rates.0.min"),
        ("california", "coverige", "net", "did you mean bank.coverage"),
        ("california", "coverage", "nett", 'write one of "action", "net"'),
        ("california", "qualifier", "duck-high", '"queen-high"'),
        ("house", "bonus_on_fold", "resolve", "there is no key bonus_on_fold"),
        ("house", "tie", "win", "has no effect"),
        ("roulette", "on_zero", "la_partage", "there is no key on_zero"),
    ],
)
def test_bad_override_lists_valid_values(name: str, key: str, value: object, said: str) -> None:
    with pytest.raises(qh.InvalidRulebook) as caught:
        qh.load(name, {key: value})
    assert said in str(caught.value)


@pytest.mark.parametrize("spaces", [10, 20_000])
def test_long_lines_are_read_as_short_ones_are(spaces: int) -> None:
    """The larger one took hours, character by character, and stopped the room that read it."""
    gap = " " * spaces
    header = f'[{gap}"{gap}/"]\n'
    known = problems(edited("california", ("seats = 10", "seats = 99")) + header)
    assert "seats" in known
    text = f"unknown = '''{'x' * spaces}'''\n"
    assert "seats" in problems(text + edited("california", ("seats = 10", "seats = 99")))
