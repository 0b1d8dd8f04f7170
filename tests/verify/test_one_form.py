"""An event has one form: both verifiers detect one that is written in another way."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.seeds import rng
from tests.sizes import sized
from tests.verify.forging import chained
from tests.verify.verifiers import BOTH

GOLDEN = Path(__file__).parent.parent / "golden" / "room.jsonl"
LINES = GOLDEN.read_bytes().splitlines(keepends=True)


def with_blanks(event: str) -> str:
    return event.replace('":', '": ', 1)


def in_another_order(event: str) -> str:
    """Put the fields the other way round, those of objects in lists too."""
    turned = json.loads(event, object_pairs_hook=lambda pairs: dict(pairs[::-1]))
    return json.dumps(turned, ensure_ascii=False, separators=(",", ":"))


def with_letters_escaped(event: str) -> str:
    return event.replace("e", "\\u0065", 1)


def with_a_blank_line(event: str) -> str:
    return event + "\n"


def with_a_fraction(event: str) -> str:
    at = json.loads(event)["at"]
    return event.replace(f'"at":{at}', f'"at":{at}.0', 1)


def with_a_default(event: str) -> str:
    return event.removesuffix("}") + ',"fee":0}'


@pytest.mark.parametrize(
    "rewrite",
    [
        with_blanks,
        in_another_order,
        with_letters_escaped,
        with_a_blank_line,
        with_a_fraction,
        with_a_default,
    ],
)
def test_event_in_another_form_is_detected(
    rewrite: Callable[[str], str], tmp_path: Path
) -> None:  # L2
    draw, file = rng(rewrite.__name__), tmp_path / "log.jsonl"
    for _ in range(sized(4, 12, 60)):
        rows = [json.loads(line) for line in LINES]
        row = rows[draw.randrange(len(rows) - 1)]
        row["event"] = rewrite(row["event"])
        file.write_bytes(b"".join(chained(rows)))
        for name, verify in BOTH.items():
            verdict = verify(file, check_head=False)
            assert verdict.n == row["n"], f"{name}: {row['event'][:80]}: {verdict}"


def test_event_in_its_own_form_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"".join(chained([json.loads(line) for line in LINES])))
    for name, verify in BOTH.items():
        assert verify(file).ok, name
