"""Both verifiers find lies about chips that go to a player's new name, at the same event."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verify.by_hand import ByHand
from tests.verify.forging import Json
from tests.verify.test_away import verdicts
from tests.verify.verifiers import BOTH

Script = Callable[[ByHand, bool], None]


def guest() -> ByHand:
    """Return a room in which ann has chips and sits nowhere."""
    table = ByHand("house")
    issue(table, "ann")
    return table


def issue(table: ByHand, player: str) -> None:
    table.step("floor")
    table.to_wallet(player, "wallet.issued/1", cents=500, reason="to play")


def hand_over(table: ByHand, cents: int = 500, by: str = "ann", to: str = "ada") -> None:
    table.step(by)
    table.to_wallet("ann", "wallet.handed_over/1", cents=cents, to=to)


def take_over(table: ByHand, cents: int = 500, name: str = "ada", former: str = "ann") -> None:
    table.to_wallet(name, "wallet.taken_over/1", **{"cents": cents, "from": former})


def part_of_the_chips(table: ByHand, lie: bool) -> None:
    hand_over(table, cents=499 if lie else 500)
    if not lie:
        take_over(table)


def handed_over_by_another(table: ByHand, lie: bool) -> None:
    hand_over(table, by="floor" if lie else "ann")
    if not lie:
        take_over(table)


def handed_over_to_a_known_wallet(table: ByHand, lie: bool) -> None:
    issue(table, "bob")
    hand_over(table, to="bob" if lie else "ada")
    if not lie:
        take_over(table)


def handed_over_to_the_clock(table: ByHand, lie: bool) -> None:
    hand_over(table, to="clock" if lie else "ada")
    if not lie:
        take_over(table)


def handed_over_twice(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table)
    if lie:
        hand_over(table, to="eve")


def more_taken_over(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table, cents=501 if lie else 500)


def taken_over_from_another(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table, former="bob" if lie else "ann")


def taken_over_by_another(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table, name="eve" if lie else "ada")


def taken_over_from_nobody(table: ByHand, lie: bool) -> None:
    if not lie:
        hand_over(table)
    take_over(table)


def taken_over_in_another_step(table: ByHand, lie: bool) -> None:
    hand_over(table)
    if lie:
        table.step("ann")
    take_over(table)


def forgotten(table: ByHand, lie: bool) -> None:
    hand_over(table)
    if lie:
        issue(table, "bob")
    else:
        take_over(table)


def spent_under_the_former_name(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table)
    name = "ann" if lie else "ada"
    table.step(name)
    table.add("seat.taken/1", place=1, player=name, cents=500)
    if not lie:
        table.to_wallet(name, "wallet.bought_in/1", cents=500, table="t", version=2)


def chips_for_the_former_name(table: ByHand, lie: bool) -> None:
    hand_over(table)
    take_over(table)
    issue(table, "ann" if lie else "ada")


def cashed_out_under_the_former_name(table: ByHand, lie: bool) -> None:
    """A player who sits at a table hands nothing over: the chips there would be lost."""
    table.step("ann")
    table.add("seat.taken/1", place=1, player="ann", cents=200)
    table.to_wallet("ann", "wallet.bought_in/1", cents=200, table="t", version=2)
    if lie:
        hand_over(table, cents=300)
        take_over(table, cents=300)
    table.step("ann")
    table.add("seat.leaving/1", place=1)
    table.add("seat.left/1", place=1, player="ann", cents=200)
    table.to_wallet("ann", "wallet.cashed_out/1", cents=200, table="t", version=4)


LIES: tuple[Script, ...] = (
    chips_for_the_former_name,
    cashed_out_under_the_former_name,
    part_of_the_chips,
    handed_over_by_another,
    handed_over_to_a_known_wallet,
    handed_over_to_the_clock,
    handed_over_twice,
    more_taken_over,
    taken_over_from_another,
    taken_over_by_another,
    taken_over_from_nobody,
    taken_over_in_another_step,
    forgotten,
    spent_under_the_former_name,
)


@pytest.mark.parametrize("script", LIES, ids=lambda script: script.__name__)
def test_lie_about_a_new_name_is_detected(script: Script, tmp_path: Path) -> None:  # L26
    truth, lie = guest(), guest()
    script(truth, False)
    assert verdicts(truth, tmp_path) == dict.fromkeys(BOTH), "the truth is accepted"
    script(lie, True)
    assert verdicts(lie, tmp_path) == dict.fromkeys(BOTH, len(lie.rows))


@pytest.mark.parametrize(
    ("by", "name", "is_bad"),
    [("ann", "ada", False), ("bob", "ada", True), ("ann", "ann", True), ("ann", "clock", True)],
)
def test_accounts_are_renamed_by_their_player(
    by: str, name: str, is_bad: bool, tmp_path: Path
) -> None:  # L26
    table = guest()
    table.step("ann")
    table.append("accounts", {"type": "account.opened/1"} | table.stamp | {"player": "ann"})
    table.step(by)
    renamed = {"type": "account.renamed/1"} | table.stamp | {"player": "ann", "name": name}
    table.append("accounts", renamed)
    bad = len(table.rows) if is_bad else None
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, bad)


@pytest.mark.parametrize("lie", [False, True])
@pytest.mark.parametrize("kind", ["renamed", "password_set", "frozen"])
def test_a_former_name_has_no_account(kind: str, lie: bool, tmp_path: Path) -> None:  # L26
    fields: dict[str, Json] = {"renamed": {"name": "eve"}, "frozen": {"frozen": True}}
    table, name = guest(), "ann" if lie else "ada"
    table.step("ann")
    renamed = {"type": "account.renamed/1"} | table.stamp | {"player": "ann", "name": "ada"}
    table.append("accounts", renamed)
    table.step("floor" if kind == "frozen" else name)
    later = {"type": f"account.{kind}/1"} | table.stamp | {"player": name} | fields.get(kind, {})
    table.append("accounts", later)
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, len(table.rows) if lie else None)
