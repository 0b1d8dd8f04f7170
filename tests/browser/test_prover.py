"""The page's own prover: hashes as the standards have them, and every round there can be."""

import hashlib
import hmac
import json
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page

from queenhigh.room.history import as_proof, rounds_of
from queenhigh.store.memory import MemoryStore
from queenhigh.table.events import decode
from tests.browser.guests import Guests
from tests.sizes import FULL
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


# Money that no rule gives

Lie = Callable[[Json], None]


def rows_of(proof: Json) -> list[tuple[Json, Json]]:
    """Return each settled wager or bet of a round with its place."""
    places = proof["end"].get("places", [])
    return [(one, row) for one in places for row in one.get("wagers") or one["bets"]]


def is_wheel(proof: Json) -> bool:
    return bool(proof["rulebook"]["game"] == "roulette")


def gain(proof: Json, one: Json, row: Json, net: int) -> None:
    """Let a row come to something else, and every sum with it."""
    one["net"] += net - row["net"]
    proof["end"]["net"] -= net - row["net"]
    row["net"] = net


def push_in_prison(proof: Json) -> None:
    """Take a win for a bet that was in prison, and only freed."""
    one, row = next(found for found in rows_of(proof) if found[1]["net"] > 0)
    (hand,) = [hand for hand in proof["hands"] if hand["place"] == one["place"]]
    bet = hand["wagers"][one["bets"].index(row)]
    bet["in_prison"] = row["in_prison"] = True
    gain(proof, one, row, 0)
    clause = proof["rulebook"].get("zero", {}).get("en_prison_clause")
    del row["clause"]
    row |= {"clause": clause} if clause else {}


def bet_more(proof: Json) -> None:
    """Bet a thousand times what was bet, above every limit, and settle that rightly."""
    one = proof["end"]["places"][0]
    for bet in next(hand for hand in proof["hands"] if hand["place"] == one["place"])["wagers"]:
        bet["cents"] *= 1000
    for row in one["bets"]:
        row["stake"] *= 1000
        gain(proof, one, row, row["net"] * 1000)
        row.update({"held": 1000 * row["held"]} if "held" in row else {})


def forget_the_ante(proof: Json) -> None:
    """Make a move that is none, after which nobody asks for the Ante."""
    one, row = next(found for found in rows_of(proof) if found[1]["wager"] == "ante")
    (hand,) = [hand for hand in proof["hands"] if hand["place"] == one["place"]]
    hand["move"] = "lucky"
    for row in [row for row in one["wagers"] if row["wager"] in ("ante", "play")]:
        gain(proof, one, row, 0)
        one["wagers"].remove(row)


def never_dealt(proof: Json, *places: str) -> None:
    """Pay Pair Plus as three of a kind for a hand whose cards are not there."""
    row = {"wager": "pair_plus", "stake": 100, "net": 3000, "action": 3000, "clause": "HO-4"}
    wagers = [{"spot": "pair_plus", "cents": 100}]
    proof["hands"] = [{"place": 1, "seat": 1, "wagers": wagers}]
    proof |= {"places": list(places), "cards": proof["cards"][: 3 * (len(places) + 1)]}
    proof["end"]["places"] = [{"place": 1, "seat": 1, "wagers": [row], "net": 3000}]
    proof["end"]["net"] = -3000


def house_banks(proof: Json) -> None:
    """Let the house bank a game of players: no bank runs short, and no banker pays a fee."""
    place = proof["hands"][0]["place"]
    proof["fees"] = [fee for fee in proof["fees"] if fee["place"] != proof["banker"]]
    proof |= {"banker": None, "bank": None}
    for key in ("banker", "bank", "bank_left", "fees"):
        proof["end"].pop(key, None)
    proof["hands"][0]["seat"] = proof["end"]["places"][0]["seat"] = place


def a_house(proof: Json) -> bool:
    return bool(proof["ended"] == "settled" and proof["rulebook"].get("banker") == "house")


def a_spin(proof: Json) -> bool:
    return proof["ended"] == "settled" and is_wheel(proof)


def a_free_spin(proof: Json) -> bool:
    """Tell whether a bet won at a wheel where none can be in prison."""
    free = proof["rulebook"].get("zero", {}).get("on_zero") != "en_prison"
    return a_spin(proof) and free and any(row["net"] > 0 for _, row in rows_of(proof))


def a_lone_hand(proof: Json) -> bool:
    """Tell whether a lone hand of a bank that covered it all could be one against the house."""
    early = proof["rulebook"].get("fees", {}).get("collect") == "before"
    lone = len(proof["hands"]) == 1 and proof["banker"] is not None and proof["first"] == 1
    return early and lone and bool(proof["end"].get("bank_left"))


def a_hand(proof: Json) -> bool:
    return a_house(proof) and any(row["wager"] == "ante" for _, row in rows_of(proof))


def a_void(proof: Json) -> bool:
    return proof["ended"] == "voided" and bool(proof["hands"]) and not is_wheel(proof)


def with_wager(spot: str) -> Lie:
    return lambda proof: proof["hands"][0]["wagers"].append({"spot": spot, "cents": 300})


def come_again(proof: Json) -> None:
    """Let a place's wagers come back twice."""
    hand = deepcopy(proof["hands"][0])
    proof["hands"].append(hand)
    down = [bet["cents"] for bet in hand["wagers"]]
    if hand.get("move") == "play":
        down += [bet["cents"] for bet in hand["wagers"] if bet["spot"] == "ante"]
    back = {"place": hand["place"], "cents": sum(down)}
    proof["end"].setdefault("returned", []).append(back)


def keep_the_fees(proof: Json) -> None:
    """Say nothing of fees in a void round, and give none back."""
    for fee in proof["fees"]:
        back = [one for key in ("returned", "fees") for one in proof["end"].get(key, [])
                if one["place"] == fee["place"] and one["cents"] >= fee["cents"]]  # fmt: skip
        back[-1]["cents"] -= fee["cents"]
    proof["fees"] = []


def second_hand(proof: Json) -> None:
    place = proof["hands"][0]["place"]
    bet = {"spot": "straight 17", "cents": 9900}
    proof["hands"].append({"place": place, "seat": place, "wagers": [bet]})


def paid_twice(proof: Json) -> None:
    again = deepcopy(proof["end"]["places"][0])
    proof["end"]["places"].append(again | {"net": 77_777})


LIES: dict[str, tuple[Callable[[Json], bool], Lie]] = {
    "a win in prison": (a_free_spin, push_in_prison),
    "a bet above the limit": (a_spin, bet_more),
    "a bet that disappears": (a_spin, second_hand),
    "a spin paid twice": (a_spin, paid_twice),
    "a fee at a wheel": (a_spin, lambda p: p["fees"].append({"place": 1, "cents": 99_999})),
    "a late fee at a wheel": (a_spin, lambda p: p["end"].update(fees=[{"place": 1, "cents": 999}])),
    "a bank at a wheel": (a_spin, lambda p: p["end"].update(banker=1, bank=5000, bank_left=0)),
    "what comes back of a spin": (a_spin, lambda p: p["end"].update(returned=[])),
    "a tip": (a_spin, lambda p: p["end"]["places"][0].update(tip=500)),
    "a lucky spot": (a_house, with_wager("lucky")),
    "a second Ante": (a_hand, with_wager("ante")),
    "a move that is none": (a_hand, forget_the_ante),
    "a hand paid twice": (a_house, paid_twice),
    "a hand that was not dealt": (a_house, never_dealt),
    "a hand that lies elsewhere": (a_house, lambda p: never_dealt(p, "1")),
    "a banker of the house": (a_house, lambda p: p["end"].update(banker=3, bank=5000)),
    "no banker": (a_lone_hand, house_banks),
    "a hand that comes back twice": (a_void, come_again),
    "a void that pays": (a_void, lambda p: p["end"].update(places=[], net=-500)),
    "a void that keeps fees": (lambda p: a_void(p) and p["fees"] != [], keep_the_fees),
}


def test_money_that_no_rule_gives_is_found(prover: Page) -> None:
    proofs, lies = everything_played(500), []
    for what, (has, lie) in LIES.items():
        told = deepcopy([proof for proof in proofs if has(proof)][:3])
        for proof in told:
            lie(proof)
        assert told, what
        lies += [(what, proof) for proof in told]
    assert prover.evaluate(PROVE, proofs) == [[]] * len(proofs)
    found = prover.evaluate(PROVE, [proof for _, proof in lies])
    believed = {what for (what, _), wrong in zip(lies, found, strict=True) if not wrong}
    assert believed == set()


# What a browser saw

JUDGE = """async ([proof, seen, id]) => {
    const found = (await queenhigh.prove(proof, seen)).checks.find(one => one.id === id);
    return found && found.fits;
}"""


def test_a_bank_is_the_one_that_was_shown(prover: Page) -> None:
    proof = next(one for one in everything_played(300) if one["bank"] and one["cards"])
    for shown, fits in ((proof["bank"], True), (proof["bank"] + 1, False)):
        assert prover.evaluate(JUDGE, [proof, {"bank": shown}, "bank"]) is fits


def test_wagers_are_those_that_were_seen(prover: Page) -> None:
    proof = next(one for one in everything_played(300) if a_spin(one))
    hand = proof["hands"][0]
    held = [bet | {"in_prison": True} for bet in hand["wagers"]]
    for wagers, away, fits in (
        (hand["wagers"], False, True),
        (held, False, False),
        ([], False, False),
        (hand["wagers"], True, True),
        (held, True, None),
    ):
        seen = {"place": hand["place"], "wagers": wagers, "away": away}
        assert prover.evaluate(JUDGE, [proof, seen, "wagers"]) is fits
