"""The rule that the ledger keeps by itself: no place owes anything."""

import pytest

from queenhigh.table import ledger


@pytest.mark.parametrize("account", [ledger.STACK[1], ledger.HELD[1], ledger.FEES])
def test_no_posting_leaves_an_account_below_zero(account: str) -> None:
    after = ledger.post({account: 5}, [(account, -5), (ledger.HOUSE, 5)])
    assert after == {account: 0, ledger.HOUSE: 5}
    with pytest.raises(AssertionError, match=f"{account} would be below zero"):
        ledger.post({account: 5}, [(account, -6), (ledger.HOUSE, 6)])


@pytest.mark.parametrize("account", [ledger.HOUSE, ledger.IN_TRANSIT])
def test_house_and_transit_may_owe(account: str) -> None:
    assert ledger.post({}, [(account, -6), (ledger.STACK[1], 6)])[account] == -6
