"""Lies about rulings and corrections, each told in a log whose hashes and signature are right.

A lie changes a log and returns the event that both verifiers must name.
"""

from collections.abc import Callable
from typing import Any

from tests.verify.forging import Entry, Forgery, Json

Lie = Callable[[Forgery], Entry]

BOB, CYD, DAN = 3, 4, 9


def asked(log: Forgery, number: int) -> Entry:
    return log.one("correction.asked", correction=number)


def made(log: Forgery, number: int) -> Entry:
    return log.one("correction.made", correction=number)


def say(entry: Entry, **fields: Any) -> Entry:
    """Change what an event says; its other fields keep their places."""
    entry.event |= fields
    return entry


def without(entry: Entry, *names: str) -> Entry:
    for name in names:
        entry.event.pop(name, None)
    return entry


def approve_it_oneself(log: Forgery) -> Entry:  # L30
    say(asked(log, 1), staff="Noor")
    return made(log, 1)


def approve_as_cashier(log: Forgery) -> Entry:  # L27, L30
    return say(made(log, 8), staff="Carl")


def approve_as_auditor(log: Forgery) -> Entry:  # L27, L30
    return say(made(log, 1), staff="Aude")


def rule_as_cashier(log: Forgery) -> Entry:  # L27, L28
    return say(log.one("incident.ruled", round=2), staff="Carl")


def ask_as_auditor(log: Forgery) -> Entry:  # L27, L29
    return say(asked(log, 1), staff="Aude")


def reject_as_cashier(log: Forgery) -> Entry:  # L29
    say(asked(log, 2), staff="Maria")
    return say(log.one("correction.rejected", correction=2), staff="Carl")


def approve_as_token(log: Forgery) -> Entry:  # L27, L30
    return say(made(log, 1), staff="till")


def approve_by_token(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), by="token till")


def approve_by_first_token(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), by="floor from 10.0.0.1")


def approve_without_a_name(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), staff="")


def approve_as_a_player(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), by="bob", staff="bob")


def get_the_role_later(log: Forgery) -> Entry:  # L27
    log.move(log.one("staff.added", member="Late"), log.one("round.settled", round=5))
    return log.move(made(log, 8), log.one("round.settled", round=5))


def lose_the_role_before(log: Forgery) -> Entry:  # L27
    change = log.repeat(log.one("staff.added", member="Late"))
    stamp = {"at": 5, "by": "staff Olga", "id": "put in", "member": "Late"}
    reason = {"role": "auditor", "reason": "a course"}
    change.event = {"type": "staff.role_changed/1"} | stamp | reason
    return made(log, 8)


def rule_after_being_removed(log: Forgery) -> Entry:  # L27
    gone = log.one("staff.removed", member="Rita")
    log.move(gone, log.one("round.settled", round=3))
    return log.one("incident.ruled", round=4)


def never_join_the_staff(log: Forgery) -> Entry:  # L27
    log.remove(log.one("staff.added", member="Noor"))
    return log.one("correction.made", staff="Noor")


def approve_during_a_round(log: Forgery) -> Entry:  # L30
    return log.move(made(log, 8), asked(log, 9))


def approve_twice(log: Forgery) -> Entry:  # L30
    return log.repeat(made(log, 1), id="again")


def approve_what_was_rejected(log: Forgery) -> Entry:  # L29
    rejected = log.one("correction.rejected", correction=2)
    log.repeat(rejected, asked(log, 1), correction=1, id="put in")
    return made(log, 1)


def approve_what_nobody_asked(log: Forgery) -> Entry:  # L30
    log.remove(asked(log, 9))
    return made(log, 9)


def correct_a_void_round(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), round=4)


def correct_another_round(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), round=3)


def correct_a_round_to_come(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), round=5)


def change_the_facts_in_between(log: Forgery) -> Entry:  # L30
    say(asked(log, 1), facts={"wagers": {str(BOB): []}})
    return made(log, 1)


def state_the_facts_out_of_order(log: Forgery) -> Entry:  # L29
    wagers = asked(log, 4).event["facts"]["wagers"]
    say(asked(log, 4), facts={"wagers": dict(reversed(wagers.items()))})
    return asked(log, 4)


def bet_beyond_the_limits(log: Forgery) -> Entry:  # L29
    bets = [{"spot": "ante", "cents": 2_000_000}]
    return say(asked(log, 6), facts={"wagers": {str(CYD): bets}})


def correct_a_void_hand(log: Forgery) -> Entry:  # L28, L29
    return say(asked(log, 5), facts={"moves": {str(BOB): "fold", str(DAN): "play"}})


def ask_for_nothing(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), facts={})


def count_corrections_wrong(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), correction=2)


def ask_for_no_reason(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), reason=" ")


def reject_for_no_reason(log: Forgery) -> Entry:  # L29
    return say(log.one("correction.rejected", correction=2), reason="")


def gift(entry: Entry, cents: int) -> Entry:
    """Move more by a correction: rows, totals and chips say the same."""
    event = entry.event
    row = event["moved"][0]
    row["cents"] += cents
    place = row["place"]
    for chips in event["chips"]:
        chips["cents"] += cents * ((chips["place"] == place) - (chips["place"] == event["banker"]))
    return entry


def move_another_amount(log: Forgery) -> Entry:  # L30
    entry = made(log, 1)
    entry.event["moved"][0]["cents"] += 100
    return entry


def move_more_of_everything(log: Forgery) -> Entry:  # L30
    return gift(made(log, 1), 100)


def settle_again_for_a_friend(log: Forgery) -> Entry:  # L29, L30
    entry = gift(made(log, 1), 100)
    row = entry.event["places"][0]
    row["wagers"][0]["net"] += 100
    row["net"] += 100
    entry.event["net"] -= 100
    return entry


def pay_others_first(log: Forgery) -> Entry:  # L30
    entry = made(log, 8)
    entry.event["moved"].reverse()
    return entry


def keep_the_fees(log: Forgery) -> Entry:  # L30
    entry = made(log, 8)
    kept = [row for row in entry.event["moved"] if row["against"] == "fees"]
    entry.event["moved"] = [row for row in entry.event["moved"] if row["against"] == "bank"]
    for row in kept:
        for chips in entry.event["chips"]:
            chips["cents"] -= row["cents"] * (chips["place"] == row["place"])
    return entry


def state_other_fees(log: Forgery) -> Entry:  # L30
    entry = made(log, 1)
    entry.event["fees"][0]["cents"] += 100
    return entry


def leave_out_what_is_owed(log: Forgery) -> Entry:  # L30
    entry = made(log, 6)
    for row in entry.event["moved"]:
        row.pop("owed", None)
    return entry


def invent_a_debt(log: Forgery) -> Entry:  # L30
    entry = gift(made(log, 1), 100)
    entry.event["moved"][0]["owed"] = -100
    return entry


def owe_more(log: Forgery) -> Entry:  # L30
    entry = made(log, 6)
    row = next(row for row in entry.event["moved"] if "owed" in row)
    row["owed"] -= 100
    return entry


def leave_out_the_wallet(log: Forgery) -> Entry:  # L4, L30
    return log.remove(log.one("wallet.corrected"))


def pay_the_wallet_twice(log: Forgery) -> Entry:  # L4, L30
    return log.repeat(log.one("wallet.corrected"))


def pay_another_wallet(log: Forgery) -> Entry:  # L30
    entry = log.one("wallet.corrected")
    entry.stream = "wallet/bob"
    return entry


def pay_the_wallet_more(log: Forgery) -> Entry:  # L30
    entry = log.one("wallet.corrected")
    return say(entry, cents=entry.event["cents"] + 100)


def pay_at_a_seat_that_was_left(log: Forgery) -> Entry:  # L30
    entry = made(log, 4)
    log.remove(log.one("wallet.corrected"))
    next(row for row in entry.event["chips"] if row["seat"] is None)["seat"] = DAN
    return entry


def pay_in_the_wallet_of_a_seated_player(log: Forgery) -> Entry:  # L30
    entry = made(log, 1)
    entry.event["chips"][1]["seat"] = None
    return entry


def pay_another_player(log: Forgery) -> Entry:  # L30
    entry = made(log, 4)
    chips = next(row for row in entry.event["chips"] if row["seat"] is None)
    chips["player"] = log.one("wallet.corrected").stream.removeprefix("wallet/") + "a"
    return entry


def settle_as_void(log: Forgery) -> Entry:  # L30
    entry = made(log, 5)
    event = {key: entry.event[key] for key in ("type", "at", "by", "id", "correction", "round")}
    rest = {key: entry.event[key] for key in ("banker", "moved", "chips")}
    entry.event = event | {"staff": "Noor", "void": True, "net": 0} | rest
    return entry


def name_another_banker(log: Forgery) -> Entry:  # L30
    return say(made(log, 1), banker=BOB)


def rule_against_the_rulebook(log: Forgery) -> Entry:  # L28
    entry = log.one("incident.ruled", round=4)
    log.remove(log.one("round.voided", round=4))
    return say(entry, ruling="play_on")


def name_another_clause(log: Forgery) -> Entry:  # L28
    return say(log.one("incident.ruled", round=4), clause="IR-1")


def rule_on_another_round(log: Forgery) -> Entry:  # L28
    return say(log.one("incident.ruled", round=4), round=3)


def rule_for_no_reason(log: Forgery) -> Entry:  # L28
    say(log.one("round.voided", round=4), reason=" ")
    return say(log.one("incident.ruled", round=4), reason=" ")


def void_for_another_reason(log: Forgery) -> Entry:  # L28
    return say(log.one("round.voided", round=4), reason="the banker asked for it")


def rule_a_misdeal_too_late(log: Forgery) -> Entry:  # L28
    entry = log.one("incident.ruled", round=3)
    log.remove(log.one("hand.voided"))
    return say(without(entry, "place"), kind="misdeal", clause="IR-1", ruling="redeal")


def void_a_hand_that_decided(log: Forgery) -> Entry:  # L28
    say(log.one("hand.voided"), place=CYD, cents=1100)
    return say(log.one("incident.ruled", round=3), place=CYD)


def void_the_hand_of_the_banker(log: Forgery) -> Entry:  # L28
    return say(log.one("incident.ruled", round=3), place=1)


def return_a_higher_fee(log: Forgery) -> Entry:  # L28
    return say(log.one("hand.voided"), fee=200)


def return_no_fee(log: Forgery) -> Entry:  # L28
    return without(log.one("hand.voided"), "fee")


def return_more_than_was_bet(log: Forgery) -> Entry:  # L28
    return say(log.one("hand.voided"), cents=700)


def void_another_hand(log: Forgery) -> Entry:  # L28
    return say(log.one("hand.voided"), place=BOB)


def void_a_hand_without_a_ruling(log: Forgery) -> Entry:  # L28
    entry = log.one("hand.voided")
    log.remove(log.one("incident.ruled", round=3))
    return entry


def keep_the_hand_in_play(log: Forgery) -> Entry:  # L28
    return log.remove(log.one("hand.voided"))


def settle_a_void_hand(log: Forgery) -> Entry:  # L28
    entry = log.one("round.settled", round=3)
    first: Json = entry.event["places"][0]
    entry.event["places"].append(first | {"place": DAN, "seat": 8})
    return entry


def deal_again_with_other_wagers(log: Forgery) -> Entry:  # L28
    entry = log.one("wagers.placed", round=3, place=CYD)
    entry.event["wagers"][0]["cents"] = 1000
    return entry


def deal_again_with_another_bank(log: Forgery) -> Entry:  # L28
    return say(log.one("bank.posted", round=3), cents=40_000)


def deal_again_without_a_player(log: Forgery) -> Entry:  # L28
    return log.remove(log.one("wagers.placed", round=3, place=CYD))


def do_not_deal_again(log: Forgery) -> Entry:  # L28
    posted = log.one("bank.posted", round=3)
    return log.remove(*log.step(posted))


def deal_again_and_be_ready(log: Forgery) -> Entry:  # L28
    return say(log.one("wagers.placed", round=3, place=CYD), ready=True)


def make_another_move(log: Forgery) -> Entry:  # L28
    return say(log.one("move.made", round=1, place=CYD), move="play", cents=500)


def make_no_move(log: Forgery) -> Entry:  # L28
    return log.remove(log.one("move.made", round=1, place=CYD))


def promote_oneself(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.added", member="Late"), by="staff Carl")


def add_by_the_first_token(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.added", member="Noor"), by="floor")


def begin_without_an_owner(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.added", member="Olga"), role="floor")


def give_a_name_again(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.added", member="Late"), member="RITA")


def remove_the_last_owner(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.removed", member="Rita"), member="Olga")


def act_after_the_token_was_revoked(log: Forgery) -> Entry:  # L27
    owner = log.one("staff.added", member="Late")
    event = {"type": "token.revoked/1", "at": 5, "by": "staff Olga", "id": "r", "token": ""}
    revoked = log.repeat(owner)
    revoked.event = event | {"reason": "lost"}
    acted = log.repeat(revoked)
    acted.stream = "floor"
    event = {"type": "floor.acted/1", "at": 5, "by": "floor from 10.0.0.1", "id": "f"}
    acted.event = event | {"action": "close table", "subject": "t"}
    return acted


def act_without_the_permission(log: Forgery) -> Entry:  # L27
    acted = log.repeat(log.one("staff.added", member="Late"))
    acted.stream = "floor"
    event = {"type": "floor.acted/1", "at": 5, "by": "staff Carl", "id": "f"}
    acted.event = event | {"action": "void round", "subject": "t"}
    return acted


# One person with two names. Carl asks for the first correction, and Noor approves it.

DAY = 24 * 3600 * 1000


def staffed(log: Forgery, kind: str, by: str, ago: int | None = 3600_000, **fields: Any) -> Entry:
    """Put an event of the staff before the first correction; without a time it is an old one."""
    entry = log.repeat(log.one("staff.removed", member="Rita"))
    time = 1_000_000 if ago is None else asked(log, 1).event["at"] - ago
    stamp = {"type": f"staff.{kind}/1", "at": time, "by": by, "id": f"put in {len(log.entries)}"}
    entry.event = stamp | fields
    log.entries.remove(entry)
    log.entries.insert(log.index(asked(log, 1)), entry)
    return entry


def own(log: Forgery, member: str) -> str:
    """Make a member an owner long ago; return how they are named as a sender."""
    staffed(log, "role_changed", "staff Olga", None, member=member, role="owner", reason="she left")
    return f"staff {member}"


def approve_as_somebody_new(log: Forgery) -> Entry:  # L30
    staffed(log, "added", own(log, "Carl"), member="Nora", role="floor")
    return say(made(log, 1), staff="Nora")


def approve_as_somebody_promoted(log: Forgery) -> Entry:  # L30
    by = own(log, "Carl")
    staffed(log, "role_changed", by, member="Aude", role="floor", reason="a course")
    return say(made(log, 1), staff="Aude")


def approve_with_a_password_of_the_asker(log: Forgery) -> Entry:  # L30
    staffed(log, "password_set", own(log, "Carl"), member="Noor")
    return made(log, 1)


def approve_a_moment_too_early(log: Forgery) -> Entry:  # L30
    staffed(log, "password_set", own(log, "Carl"), DAY - 1, member="Noor")
    return made(log, 1)


def approve_without_the_codes(log: Forgery) -> Entry:  # L30
    staffed(log, "two_factor", own(log, "Carl"), member="Noor", on=False)
    return made(log, 1)


def approve_by_a_second_hand(log: Forgery) -> Entry:  # L30
    staffed(log, "added", own(log, "Carl"), member="Otto", role="owner")
    staffed(log, "password_set", "staff Otto", member="Noor")
    return made(log, 1)


def approve_what_ones_creature_asked(log: Forgery) -> Entry:  # L30
    staffed(log, "password_set", own(log, "Noor"), member="Carl")
    return made(log, 1)


def approve_as_two_creatures(log: Forgery) -> Entry:  # L30
    for member in ("Carl", "Noor"):
        staffed(log, "password_set", "staff Olga", member=member)
    return made(log, 1)


def approve_from_the_command_line(log: Forgery) -> Entry:  # L30
    staffed(log, "password_set", "floor", member="Olga")
    return say(made(log, 1), staff="Olga")


def approve_by_the_hand_of_the_command_line(log: Forgery) -> Entry:  # L30
    staffed(log, "password_set", "floor", member="Olga")
    staffed(log, "password_set", "staff Olga", member="Noor")
    return made(log, 1)


def require_two_again(log: Forgery) -> Entry:  # L27
    return staffed(log, "two_people", "floor")


def require_two_as_an_owner(log: Forgery) -> Entry:  # L27
    return say(log.one("staff.two_people"), by="staff Olga")


def require_two_of_nobody(log: Forgery) -> Entry:  # L27
    mark = log.one("staff.two_people")
    log.entries.remove(mark)
    log.entries.insert(0, mark)
    return mark


#: Each approves as one person with two names: where nothing requires two, that is believed.
ONE_PERSON: list[Lie] = [
    approve_as_somebody_new,
    approve_as_somebody_promoted,
    approve_with_a_password_of_the_asker,
    approve_a_moment_too_early,
    approve_without_the_codes,
    approve_by_a_second_hand,
    approve_what_ones_creature_asked,
    approve_as_two_creatures,
    approve_from_the_command_line,
    approve_by_the_hand_of_the_command_line,
]


# True stories that look like lies: both verifiers accept them.


def wait_a_day(log: Forgery) -> None:
    staffed(log, "password_set", own(log, "Carl"), DAY, member="Noor")


def choose_ones_own_password(log: Forgery) -> None:
    for member in ("Carl", "Noor"):
        staffed(log, "password_set", f"staff {member}", member=member)


def take_a_role_away(log: Forgery) -> None:
    staffed(log, "role_changed", "staff Olga", None, member="Noor", role="owner", reason="a try")
    staffed(log, "role_changed", own(log, "Carl"), member="Noor", role="floor", reason="over")


def help_somebody_else(log: Forgery) -> None:
    staffed(log, "password_set", own(log, "Carl"), member="Maria")


def be_helped_by_different_people(log: Forgery) -> None:
    staffed(log, "password_set", own(log, "Maria"), member="Carl")
    staffed(log, "password_set", "staff Olga", member="Noor")


def be_taken_over_afterwards(log: Forgery) -> None:
    """Maria sets Noor's password, and only then Carl sets Maria's."""
    staffed(log, "password_set", own(log, "Maria"), member="Noor")
    staffed(log, "password_set", own(log, "Carl"), member="Maria")


TWO_PEOPLE: list[Callable[[Forgery], None]] = [
    wait_a_day,
    choose_ones_own_password,
    take_a_role_away,
    help_somebody_else,
    be_helped_by_different_people,
    be_taken_over_afterwards,
]


BANKED: list[Lie] = [
    *ONE_PERSON,
    require_two_again,
    require_two_as_an_owner,
    require_two_of_nobody,
    approve_it_oneself,
    approve_as_cashier,
    approve_as_auditor,
    rule_as_cashier,
    ask_as_auditor,
    reject_as_cashier,
    approve_as_token,
    approve_by_token,
    approve_by_first_token,
    approve_without_a_name,
    approve_as_a_player,
    get_the_role_later,
    lose_the_role_before,
    rule_after_being_removed,
    never_join_the_staff,
    approve_during_a_round,
    approve_twice,
    approve_what_was_rejected,
    approve_what_nobody_asked,
    correct_a_void_round,
    correct_another_round,
    correct_a_round_to_come,
    change_the_facts_in_between,
    state_the_facts_out_of_order,
    bet_beyond_the_limits,
    correct_a_void_hand,
    ask_for_nothing,
    count_corrections_wrong,
    ask_for_no_reason,
    reject_for_no_reason,
    move_another_amount,
    move_more_of_everything,
    settle_again_for_a_friend,
    pay_others_first,
    keep_the_fees,
    state_other_fees,
    leave_out_what_is_owed,
    invent_a_debt,
    owe_more,
    leave_out_the_wallet,
    pay_the_wallet_twice,
    pay_another_wallet,
    pay_the_wallet_more,
    pay_at_a_seat_that_was_left,
    pay_in_the_wallet_of_a_seated_player,
    pay_another_player,
    settle_as_void,
    name_another_banker,
    rule_against_the_rulebook,
    name_another_clause,
    rule_on_another_round,
    rule_for_no_reason,
    void_for_another_reason,
    rule_a_misdeal_too_late,
    void_a_hand_that_decided,
    void_the_hand_of_the_banker,
    return_a_higher_fee,
    return_no_fee,
    return_more_than_was_bet,
    void_another_hand,
    void_a_hand_without_a_ruling,
    keep_the_hand_in_play,
    settle_a_void_hand,
    deal_again_with_other_wagers,
    deal_again_with_another_bank,
    deal_again_without_a_player,
    do_not_deal_again,
    deal_again_and_be_ready,
    make_another_move,
    make_no_move,
    promote_oneself,
    add_by_the_first_token,
    begin_without_an_owner,
    give_a_name_again,
    remove_the_last_owner,
    act_after_the_token_was_revoked,
    act_without_the_permission,
]


# Where the house banks, and at the wheel


def pay_from_nowhere(log: Forgery) -> Entry:  # L30
    entry = made(log, 1)
    entry.event["moved"][0]["cents"] += 100
    entry.event["chips"][0]["cents"] += 100
    return entry


def forget_that_a_correction_moved(log: Forgery) -> Entry:  # L30
    """Move all of a second correction, as if the first one had moved nothing."""
    first, entry = made(log, 1).event, made(log, 2)
    for row in first["moved"]:
        mine = next((m for m in entry.event["moved"] if m["place"] == row["place"]), None)
        if mine is not None:
            mine["cents"] += row["cents"]
    return entry


def open_the_round_alone(log: Forgery) -> Entry:  # L28
    return log.remove(log.one("wagers.placed", round=2, place=2))


def place_a_side_bet_more(log: Forgery) -> Entry:  # L28
    entry = log.one("wagers.placed", round=2, place=2)
    entry.event["wagers"].append({"spot": "pair_plus", "cents": 100})
    return entry


def play_a_hand_that_is_void(log: Forgery) -> Entry:  # L29
    return say(asked(log, 2), facts={"moves": {"1": "play"}, "wagers": {"1": []}})


def say_more_than_void(log: Forgery) -> Entry:  # L29
    return say(asked(log, 3), facts={"moves": {"1": "play"}, "void": True})


HOUSE: list[Lie] = [
    pay_from_nowhere,
    forget_that_a_correction_moved,
    open_the_round_alone,
    place_a_side_bet_more,
    play_a_hand_that_is_void,
    say_more_than_void,
]


def let_the_ball_land_elsewhere(log: Forgery) -> Entry:  # L30
    entry = made(log, 1)
    bet = entry.event["spins"][0]["bets"][1]
    bet["net"] = 17 * bet["stake"]
    return entry


def move_at_the_wheel(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), facts={"moves": {"1": "fold"}})


def bet_on_nothing(log: Forgery) -> Entry:  # L29
    return say(asked(log, 1), facts={"wagers": {"1": [{"spot": "split 1 36", "cents": 500}]}})


def rule_at_the_wheel(log: Forgery) -> Entry:  # L28
    entry = log.repeat(log.one("spin.settled"))
    stamp = {"at": entry.event["at"], "by": "floor", "id": "put in", "round": 1}
    ruling = {"kind": "exposed_dealer", "clause": "IR-3", "ruling": "play_on"}
    words = {"staff": "Maria", "reason": "a dispute"}
    entry.event = {"type": "incident.ruled/1"} | stamp | ruling | words
    return entry


def leave_out_a_wallet(log: Forgery) -> Entry:  # L4, L30
    return log.remove(log.one("wallet.corrected"))


WHEEL: list[Lie] = [
    pay_from_nowhere,
    let_the_ball_land_elsewhere,
    move_at_the_wheel,
    bet_on_nothing,
    rule_at_the_wheel,
    approve_it_oneself,
    leave_out_a_wallet,
]


# The cards by which all of them are lies.


def _suits_a_bank(log: Forgery) -> bool:
    is_bank = made(log, 1).event["moved"][0]["against"] == "bank"
    return is_bank and log.one("wallet.corrected").stream == "wallet/dan"


def _suits_the_house(log: Forgery) -> bool:
    """Return whether two corrections in turn move chips of one place."""
    first, second = [
        {row["place"] for row in made(log, number).event["moved"] if row["cents"]}
        for number in (1, 2)
    ]
    return bool(first & second)


def _suits_a_wheel(log: Forgery) -> bool:
    spins = made(log, 1).event["spins"]
    return spins[0]["bets"][1]["net"] < 0 and bool(log.all("wallet.corrected"))


SUITS: dict[str, Callable[[Forgery], bool]] = {
    "banked": _suits_a_bank,
    "house": _suits_the_house,
    "wheel": _suits_a_wheel,
}
