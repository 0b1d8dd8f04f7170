"""The digest is of the meaning, and no file, however strange, brings more than problems."""

import tomllib
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import queenhigh as qh
from queenhigh.rulebook.load import parse
from tests.own_rules import own
from tests.rulebook.test_rulebook_problems import TEXTS, leaves
from tests.sizes import sized

# Digest


def shuffled(value: Any, draw: Any) -> str:
    """Write a document as TOML again with its keys in another order."""
    lines, tables = [], []
    keys = draw(st.permutations(sorted(value)))
    for key in keys:
        item = value[key]
        if isinstance(item, dict):
            tables.append((f"[{key}]", item))
        elif isinstance(item, list) and item and isinstance(item[0], dict):
            tables += [(f"[[{key}]]", row) for row in item]
        else:
            lines.append(f"{key} = {inline(item)}  # said again")
    for head, table in tables:
        inner = draw(st.permutations(sorted(table)))
        lines += [head, *(f"{key} = {inline(table[key])}" for key in inner), ""]
    return "\n".join(lines)


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {inline(item)}' for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else '"' + value.replace('"', '\\"') + '"'


@settings(max_examples=sized(50, 150, 1000))  # a whole rulebook is written and read for each
@given(st.data())
def test_comments_order_and_prose_do_not_change_the_digest(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(qh.shipped()))
    document = tomllib.loads(TEXTS[name])
    document |= {"name": "ours", "title": document["title"] + " of ours"}
    again = parse(shuffled(document, data.draw), "again")
    assert again.rules_digest == qh.load(name).rules_digest


#: What the shipped rulebooks have meant since they were written.
DIGESTS = {
    "california": "baf5b820c2d8a94b811f1192de993f0063871637c33fee2c087751fda5808285",
    "house": "87b690786fd9b456ac4822ff85fcab13e9373b5f4e4f4cd94ffa3f3a64579a9d",
    "roulette": "41d67f7c1bddd137ee3eee35b48a32c3150fb821db6743b30d35db5ce1945f43",
    "roulette-american": "7c78dfe015df7065129d7ad1ae32d28eaecfd2f44fe5dc28ced34f2752142e3c",
    "roulette-european": "be16f006f469e28ba8562375dbf91155eda4927f3eeec78a594ec14c1d1c6b41",
}


def test_shipped_rulebooks_mean_what_they_always_did() -> None:
    digests = {name: qh.load(name).rules_digest for name in qh.shipped()}
    assert digests == {name: f"sha256:{digest}" for name, digest in DIGESTS.items()}


def test_every_meaningful_value_changes_the_digest() -> None:
    changes: list[dict[str, Any]] = [
        {"seats": 9}, {"up": 0}, {"ace_low": False}, {"qualifier": "pair"}, {"tie": "lose"},
        {"short_ante": "win"}, {"coverage": "net"}, {"first": "drawn"}, {"rotation": "free"},
        {"fee_per": "wager"}, {"collect": "after"}, {"max_rates": 5}, {"bonus.on_fold": "resolve"},
        {"bonus.pays.pair": 2}, {"limits.bonus.max": 9999}, {"fees.rates.2.banker": 501},
        {"settle_order": "wager"}, {"fold_uncovered": "lost"},
        {"misdeal": "redeal"}, {"exposed_player": "void_hand"}, {"exposed_dealer": "play_on"},
    ]  # fmt: skip
    digests = [own("california", **change).rules_digest for change in changes]
    assert len({*digests, qh.load("california").rules_digest}) == len(changes) + 1


# No file, however strange, brings anything but problems.

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["push", "win", "1%", "3 to 2", "CA-7", "player", 10**30, -1, 0]),
)  # fmt: skip
PROSE = ("clauses", "assumptions")
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
)


@cache
def keys_of(name: str) -> list[str]:
    """Return the keys of a shipped rulebook, dotted, but not those of its prose."""
    paths = [path for path, _ in leaves(tomllib.loads(TEXTS[name]))]
    return [".".join(map(str, path)) for path in paths if path[0] not in PROSE]


@given(st.data())
def test_any_value_loads_or_is_explained(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(qh.shipped()))
    changes: dict[str, object] = {
        data.draw(st.sampled_from(keys_of(name))): data.draw(VALUES)
        for _ in range(data.draw(st.integers(1, 4)))
    }
    with suppress(qh.InvalidRulebook):
        qh.load(name, changes)


@given(st.data())
def test_damaged_text_loads_or_is_explained(data: st.DataObject) -> None:
    text = TEXTS[data.draw(st.sampled_from(qh.shipped()))]
    lines = text.splitlines()
    for _ in range(data.draw(st.integers(1, 5))):
        index = data.draw(st.integers(0, len(lines) - 1))
        damage = data.draw(st.integers(0, 3))
        if damage == 0:
            lines[index] = ""
        elif damage == 1:
            lines.insert(index, lines[data.draw(st.integers(0, len(lines) - 1))])
        elif damage == 2:
            lines[index] = lines[index][: data.draw(st.integers(0, len(lines[index])))]
        else:
            lines[index] = data.draw(st.text(max_size=20))
    with suppress(qh.InvalidRulebook):
        parse("\n".join(lines), "damaged.toml")


@given(st.text(max_size=200))
def test_any_text_is_explained(text: str) -> None:
    with pytest.raises(qh.InvalidRulebook):
        parse(text, "text.toml")
