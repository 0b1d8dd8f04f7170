"""The prover in the browser's console; web/src/lib/proof has the tests of what it proves."""

import json

from tests.browser.guests import Guests
from tests.page_data import play, proofs


def test_console_proves_a_round(guest: Guests) -> None:
    guest.allow("404 (Not Found)")
    page = guest(None, "/#/history/ho/1")
    page.wait_for_function("() => globalThis.queenhigh?.prove")
    proof = json.loads(json.dumps(proofs(play(200, 8, ["house"]))[0]))
    failed = "async proof => (await queenhigh.prove(proof)).checks.filter(c => c.fits === false)"
    assert page.evaluate(failed, proof) == []
    proof["end"]["seed"] = "00" * 32
    assert [check["id"] for check in page.evaluate(failed, proof)] == ["commitment"]
