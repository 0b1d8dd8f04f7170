"""The page's own prover: hashes as the standards have them, and every round there can be."""

import hashlib
import hmac
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from queenhigh.room.history import as_proof, rounds_of
from queenhigh.store.memory import MemoryStore
from queenhigh.table.events import decode
from tests.browser.guests import Guests
from tests.conftest import FULL
from tests.table.chaos import BOOKS, Chaos

Json = dict[str, Any]
DOCS = Path(__file__).parents[2] / "docs"

# Hashes

#: FIPS 180-4's examples, and RFC 4231's for HMAC: key, message, tag.
SHA_256 = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    "a" * 1_000_000: "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
}
HMAC = [
    ("0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe".hex(),
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        "aa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
]


@pytest.fixture
def prover(guest: Guests) -> Page:
    """Return a page that has the code that proves, under its name in the console."""
    guest.allow("404 (Not Found)")
    page = guest(None, "/#/history/ho/1")
    page.wait_for_function("() => globalThis.queenhigh?.prove")
    return page


def test_the_pages_own_sha_256_is_sha_256(prover: Page) -> None:
    own = "text => queenhigh.hex(queenhigh.ownSha256(new TextEncoder().encode(text)))"
    for text, digest in SHA_256.items():
        assert prover.evaluate(own, text) == digest
    tag = "([k, m]) => queenhigh.hex(queenhigh.ownHmac(queenhigh.unhex(k), queenhigh.unhex(m)))"
    for key, message, expected in HMAC:
        assert prover.evaluate(tag, [key, message.hex()]) == expected
        assert hmac.digest(bytes.fromhex(key), message, "sha256").hex() == expected
    draw = Random(7)
    messages = [draw.randbytes(size).hex() for size in range(200)]
    both = """async all => {
        const { hex, hmac, native, ownHmac, ownSha256, sha256, unhex } = queenhigh;
        const made = [];
        for (const text of all) {
            const [bytes, key] = [unhex(text), unhex(text.slice(0, 64))];
            made.push([hex(ownSha256(bytes)), hex(await sha256(bytes))]);
            if (key.length) made.push([hex(ownHmac(key, bytes)), hex(await hmac(key, bytes))]);
        }
        return [native(), made];
    }"""
    is_native, made = prover.evaluate(both, messages)
    assert is_native
    assert all(own == browsers for own, browsers in made)
    digests = [hashlib.sha256(bytes.fromhex(text)).hexdigest() for text in messages]
    assert set(digests) <= {own for own, _ in made}


# All rounds there are


def test_the_worked_example_of_the_docs_comes_out(prover: Page) -> None:
    cells = dict(re.findall(r"^\| ([^|`]+?) \| `?([^|`]+?)`? \|$", DOCS.joinpath("fairness.md").read_text(), re.MULTILINE))  # noqa: E501  # fmt: skip
    proof = {
        "table": "t1", "round": 7, "at": 0, "ended": "settled", "digest": "sha256:" + "ab" * 32,
        "rulebook": {"game": "three_card_poker"}, "commitment": cells["commitment"],
        "seed": bytes(range(32)).hex(), "seeds": {"1": "lucky", "4": "seven"}, "hands": [],
        "fees": [], "places": [1, 4], "cards": [0] * 9, "banker": None, "bank": None,
        "first": None, "pocket": None,
        "end": {"type": "round.settled/1", "round": 7, "seed": bytes(range(32)).hex()},
    }  # fmt: skip
    told = prover.evaluate("proof => queenhigh.prove(proof)", proof)
    values = dict(told["values"])
    assert values["Commitment"] == cells["commitment"]
    assert values["Key"] == cells["key"]
    assert values["Words 0 to 7"] == cells["words 0 to 7"]
    assert values["Place 1"] == "eight of clubs, ace of clubs, three of spades"
    assert values["The dealer"] == "six of diamonds, nine of diamonds, three of hearts"
    told = prover.evaluate(
        "proof => queenhigh.prove(proof)",
        proof | {"rulebook": {"game": "roulette", "zeros": 1}, "pocket": "23"},
    )
    assert dict(told["values"])["Pocket"] == "23"


def everything_played(steps: int) -> list[Json]:
    """Return proofs of rounds of every reading, settled and void."""
    proofs = []
    for name, book in BOOKS.items():
        store = MemoryStore()
        chaos = Chaos(store, book, 8, name)
        for _ in range(steps):
            chaos.step()
        events = (decode(row.event) for row in store.read(f"table/{name}"))
        proofs += [as_proof(one, dict(one.book.document)) for one in rounds_of(events)]
    made: list[Json] = json.loads(json.dumps(proofs))
    return made


PROVE = """async proofs => {
    const failed = [];
    for (const [n, proof] of proofs.entries()) {
        const { checks } = await queenhigh.prove(proof);
        failed.push(checks.filter(one => one.fits === false).map(one => [one.id, ...one.wrong]));
    }
    return failed;
}"""


def test_every_round_of_every_reading_is_proved(prover: Page) -> None:
    proofs = everything_played(2500 if FULL else 500)
    failed = prover.evaluate(PROVE, proofs)
    assert [found for found in failed if found] == []
    assert len(proofs) > 150
    assert {proof["ended"] for proof in proofs} == {"settled", "voided"}
    short = [row for proof in proofs if proof["ended"] == "settled"
             for place in proof["end"]["places"] for row in place.get("wagers", [])
             if row["clause"] == "CA-21"]  # fmt: skip
    assert short, "no bank ran short"


def test_what_a_void_gave_back_is_told(prover: Page) -> None:
    told = """async proof => (await queenhigh.prove(proof)).checks
        .find(one => one.id === "settlement").says"""
    voids = [proof for proof in everything_played(500) if proof["ended"] == "voided"]
    for proof in voids:
        wheel = proof["rulebook"]["game"] == "roulette"
        back = "every bet" if wheel else "every wager"
        more = ["the bank"] * (proof["bank"] is not None) + ["the fees"] * bool(proof["fees"])
        back = " and ".join([", ".join([back, *more[:-1]]), *more[-1:]])
        said = f"The round is void, and {back} came back."
        assert prover.evaluate(told, proof) == said
    games = {proof["rulebook"]["game"] for proof in voids}
    assert games == {"roulette", "three_card_poker"}


def test_no_amount_can_be_changed_unseen(prover: Page) -> None:
    """The control of the test before: every number of every settlement, one by one."""
    changed, draw = [], Random(3)
    for proof in everything_played(400):
        ends = [
            (place, key, row)
            for place in proof["end"].get("places", [])
            for row in [place, *place.get("wagers", []), *place.get("bets", [])]
            for key in ("net", "stake", "action", "held")
            if key in row
        ]
        if not ends:
            continue
        for _, key, row in draw.sample(ends, min(len(ends), 3)):
            row[key] += 1
            changed.append(json.loads(json.dumps(proof)))
            row[key] -= 1
    failed = prover.evaluate(PROVE, changed)
    assert len(changed) > 200
    assert all(any(check[0] == "settlement" for check in found) for found in failed)
