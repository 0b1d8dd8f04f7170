"""Lies about seeds: rounds of scheme 2 written by hand, of which one event is not true.

Each script ends with the event that is the lie; with the true event the same script is accepted.
"""

from collections.abc import Callable

from tests.verify.by_hand import REVEAL, ByHand, seed_of

Script = Callable[[ByHand, bool], None]


def wheel() -> ByHand:
    """Return a wheel with a chain and three players."""
    table = ByHand("roulette")
    table.sit("ann", "bob", "cyd")
    table.start_chain()
    return table


def bets(table: ByHand, *committed: int) -> None:
    """Play until bets are closed, some places having committed to seeds."""
    table.open_round()
    table.commit(*committed)
    table.bet(1, "red")
    table.bet(2, "straight 17")
    table.close_bets()


def spin(table: ByHand) -> None:
    """Play a round in which nobody commits."""
    bets(table)
    table.land()


def hands() -> ByHand:
    """Return a house's table where bets are closed and a seed was shown."""
    table = ByHand("house")
    table.sit("ann", "bob")
    table.start_chain()
    table.open_round()
    table.commit(1)
    for place in (1, 2):
        table.bet(place, "ante")
    table.close_bets()
    table.show(1)
    return table


def settle_with_another_seed(table: ByHand, lie: bool) -> None:  # L13
    bets(table)
    table.land(seed="11" * 32 if lie else None)


def show_a_seed_twice(table: ByHand, lie: bool) -> None:  # L13
    spin(table)
    used = table.seed().hex()
    bets(table)
    table.land(seed=used if lie else None)


def show_the_seed_after(table: ByHand, lie: bool) -> None:  # L13
    bets(table)
    table.land(seed=table.seeds[table.link + 1].hex() if lie else None)


def skip_a_link(table: ByHand, lie: bool) -> None:  # L10
    spin(table)
    table.link += lie
    table.open_round()


def open_on_another_commitment(table: ByHand, lie: bool) -> None:  # L10
    spin(table)
    table.open_round(**({"commitment": table.seeds[0].hex()} if lie else {}))


def open_on_another_chain(table: ByHand, lie: bool) -> None:  # L10
    spin(table)
    table.start_chain()
    table.open_round(**({"chain": 1} if lie else {}))


def deal_by_another_key(table: ByHand, lie: bool) -> None:  # L13
    bets(table)
    table.land(key=bytes(32) if lie else b"")


def void_with_another_seed(table: ByHand, lie: bool) -> None:  # L13, L19
    bets(table, 1)
    table.void(seed="11" * 32 if lie else None)


def void_after_a_deal_by_another_key(table: ByHand, lie: bool) -> None:  # L13
    table.deal(key=bytes(32) if lie else b"")
    table.void()


def land_elsewhere(table: ByHand, lie: bool) -> None:  # L13
    bets(table)
    table.land(elsewhere=lie)


def deal_other_cards(table: ByHand, lie: bool) -> None:  # L13
    table.deal(swapped=lie)


def show_another_seed(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2)
    table.show(1, seed=bytes(32) if lie else b"")


def show_what_was_never_committed(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2)
    table.show(3 if lie else 1)


def show_twice(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2, 3)
    table.show(1)
    table.show(1 if lie else 2)


def show_too_late(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2)
    table.step("clock", REVEAL - 1 + lie)
    table.show(1)


def show_for_another(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2, 3)
    table.show(1)
    if lie:
        table.players[2] = "ann"
    table.show(2)


def copy_a_commitment(table: ByHand, lie: bool) -> None:  # L12
    """Commit to what another place did; it cannot be shown there."""
    table.open_round()
    table.commit(1)
    table.commit(2, copied=table.commitment(1) if lie else b"")
    table.commit(3)
    table.bet(1, "red")
    table.close_bets()
    table.show(1)
    table.show(2, seed=seed_of(1 if lie else 2))


def commit_twice(table: ByHand, lie: bool) -> None:  # L11
    table.open_round()
    table.commit(1)
    table.commit(1 if lie else 2)


def commit_too_late(table: ByHand, lie: bool) -> None:  # L11
    bets(table, 1)
    if lie:
        table.commit(2)


def claim_that_a_seed_was_shown(table: ByHand, lie: bool) -> None:  # L13
    """Deal with the seed of a place that never showed it."""
    bets(table, 1, 2)
    table.show(2)
    table.at_deadline()
    table.land(key=table.key(shown={1: seed_of(1), 2: seed_of(2)}) if lie else b"")


def claim_that_a_seed_was_left_out(table: ByHand, lie: bool) -> None:  # L13
    """Deal without a seed that was shown."""
    bets(table, 1, 2)
    table.show(1)
    table.show(2)
    table.land(key=table.key(shown={2: seed_of(2)}) if lie else b"")


def _add(table: ByHand, text: str) -> None:
    table.open_round()
    table.add_seed(1, text)


def add_a_seed_that_cannot_be_seen(table: ByHand, lie: bool) -> None:
    _add(table, "my\u200bown" if lie else "my own")


def add_a_seed_of_two_lines(table: ByHand, lie: bool) -> None:  # L8
    _add(table, "my\nown" if lie else "my own")


def add_a_seed_with_a_wide_blank(table: ByHand, lie: bool) -> None:
    _add(table, "my\u3000own" if lie else "né le 1er 𝄞")


def add_a_seed_that_turns_text_round(table: ByHand, lie: bool) -> None:
    _add(table, "my\u202eown" if lie else "my own")


def add_a_long_seed(table: ByHand, lie: bool) -> None:  # L8
    _add(table, "é" * 32 + "x" * lie)


def leave_a_seed_in_the_clear_out(table: ByHand, lie: bool) -> None:  # L13
    table.open_round()
    table.add_seed(1, "mine")
    table.bet(1, "red")
    table.close_bets()
    if lie:
        table.clear.clear()
    table.land()


def open_without_the_chain(table: ByHand, lie: bool) -> None:  # L10
    spin(table)
    if lie:
        table.open_unbound()


def close_bets_as_before(table: ByHand, lie: bool) -> None:  # L10
    table.open_round()
    table.commit(1)
    table.bet(1, "red")
    table.close_bets(version=1 if lie else 2)


def deal_too_early(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2)
    table.show(1)
    table.at_deadline(early=lie)
    table.land(elsewhere=False)
    if lie:
        table.rows.pop()


def deal_while_one_is_waited_for(table: ByHand, lie: bool) -> None:  # L12
    bets(table, 1, 2)
    table.show(1)
    if lie:
        table.land()
        table.rows.pop()


def deal_again(table: ByHand, lie: bool) -> None:  # L12
    spin(table)
    if lie:
        table.step("clock", REVEAL)
        table.land()
        table.rows.pop()


def wait_for_nobody(table: ByHand, lie: bool) -> None:  # L12
    """Deal later than in the step that shows the last seed."""
    bets(table, 1)
    table.show(1)
    if lie:
        table.step("clock", REVEAL)
    table.land()
    if lie:
        table.rows.pop()


def start_a_chain_in_a_round(table: ByHand, lie: bool) -> None:  # L10
    bets(table, 1)
    if not lie:
        table.void()
    table.start_chain()


def start_a_chain_as_a_player(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain()
    if lie:
        table.rows[-1]["event"] = table.rows[-1]["event"].replace('"floor"', '"ann"')


def skip_a_chain(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(**({"chain": 3} if lie else {}))


def go_back_an_epoch(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(epoch=2)
    table.start_chain(epoch=1 if lie else 2)


def give_no_time_to_show(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(reveal=499 if lie else 500)


def wait_for_seeds_too_long(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(reveal=60_001 if lie else 60_000)


def end_a_chain_in_large_letters(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(end="AB" * 32 if lie else "ab" * 32)


def go_on_after_a_lost_seed(table: ByHand, lie: bool) -> None:  # L10
    bets(table, 1)
    table.void(seed="" if lie else None)
    table.open_round()


def go_on_beyond_the_end(table: ByHand, lie: bool) -> None:  # L10
    table.start_chain(length=1)
    spin(table)
    if lie:
        table.open_round()


def settle_without_the_seed(table: ByHand, lie: bool) -> None:  # L13
    bets(table)
    table.land(seed="" if lie else None)


LIES: dict[Script, str] = {
    settle_with_another_seed: "the seed does not hash to the commitment",
    show_a_seed_twice: "the seed does not hash to the commitment",
    show_the_seed_after: "the seed does not hash to the commitment",
    skip_a_link: "round.opened/2 should say link 2",
    open_on_another_commitment: "round.opened/2 should say commitment",
    open_on_another_chain: "round.opened/2 should say chain 2",
    deal_by_another_key: "the key of the deal does not follow from this seed",
    void_with_another_seed: "the seed does not hash to the commitment",
    land_elsewhere: "ball.landed/2 should say pocket",
    show_another_seed: "not the seed that place 1 committed to",
    show_what_was_never_committed: "cyd has not committed to a seed",
    show_twice: "place 1 has shown its seed already",
    show_too_late: "the deadline has passed",
    show_for_another: "place 2 is bob's",
    copy_a_commitment: "not the seed that place 2 committed to",
    commit_twice: "committed to a seed already",
    commit_too_late: "the table is not betting",
    claim_that_a_seed_was_shown: "the key of the deal does not follow from this seed",
    claim_that_a_seed_was_left_out: "the key of the deal does not follow from this seed",
    add_a_seed_that_cannot_be_seen: "invisible characters",
    add_a_seed_of_two_lines: "invisible characters",
    add_a_seed_with_a_wide_blank: "invisible characters",
    add_a_seed_that_turns_text_round: "invisible characters",
    add_a_long_seed: "a seed has 1 to 64 bytes",
    leave_a_seed_in_the_clear_out: "the key of the deal does not follow from this seed",
    open_without_the_chain: "rounds by scheme 1 are over",
    close_bets_as_before: 'bets.closed should say type "bets.closed/2"',
    deal_too_early: "the deadline has not passed: the seed of place 2 is waited for",
    deal_while_one_is_waited_for: "the seed of place 2 is waited for",
    deal_again: "no seeds are waited for",
    wait_for_nobody: "ball.landed/2 should come here",
    start_a_chain_in_a_round: "a round is under way",
    start_a_chain_as_a_player: "only the floor may do that",
    skip_a_chain: "chain 3 where chain 2 comes",
    go_back_an_epoch: "the epoch is before",
    give_no_time_to_show: "reveal is 500 to 60,000",
    wait_for_seeds_too_long: "reveal is 500 to 60,000",
    end_a_chain_in_large_letters: "end is not 32 bytes in hexadecimal",
    go_on_after_a_lost_seed: "voided without its seed",
    go_on_beyond_the_end: "all 1 links of chain 2 are used",
    settle_without_the_seed: "a round that is settled shows its seed",
}
LIES_ABOUT_HANDS: dict[Script, str] = {
    void_after_a_deal_by_another_key: "the key of the deal does not follow from this seed",
    deal_other_cards: "cards.dealt/2 should say cards",
}
