"""Corrections: a settled round is settled again with other facts, and the difference moves.

One person asks and another approves. A round is never edited, and a correction is undone only by
another one. What the payer's chips do not cover is not moved: it is recorded as owed, and a later
correction with the same facts moves it. Cards and pockets follow from the seeds, so they are no
facts that could be wrong.
"""

from typing import NoReturn

from queenhigh.errors import IllegalRound, QueenhighError
from queenhigh.table import events
from queenhigh.table.changing import check_staff, check_text
from queenhigh.table.commands import ApproveCorrection, AskCorrection, RejectCorrection
from queenhigh.table.correction_events import Facts
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.resettled import Resettled, as_moved, settle_again
from queenhigh.table.settled_rows import charges
from queenhigh.table.settling_up import Chips, Transfers
from queenhigh.table.state import AskedCorrection, PastRound, State

__all__ = ["approve", "ask", "foresee", "reject", "why_fixed"]


def ask(draft: Draft, command: AskCorrection) -> None:
    """Ask for a correction; refuse facts by which nothing is different."""
    state, facts = draft.state, _in_order(command.facts)
    check_staff(command.staff)
    _check_reason(command.reason)
    _check_chips(state)
    past = _settled(command.past, command.round)
    again = _settle(state, past, facts)
    if not again.differences(as_moved(state, past)):
        refuse("correction.same", "nothing changes by this: every amount is already so")
    draft.emit(
        events.CorrectionAsked,
        correction=state.corrections.count + 1,
        round=command.round,
        facts=again.facts,
        staff=command.staff,
        reason=command.reason,
    )


def reject(draft: Draft, command: RejectCorrection) -> None:
    """Reject a correction that waits."""
    check_staff(command.staff)
    _check_reason(command.reason)
    _waiting(draft.state, command.correction)
    draft.emit(
        events.CorrectionRejected,
        correction=command.correction,
        staff=command.staff,
        reason=command.reason,
    )


def approve(draft: Draft, command: ApproveCorrection) -> None:
    """Make a correction that another person asked for; only while no round is under way."""
    state, number = draft.state, command.correction
    check_staff(command.staff)
    asked = _waiting(state, number)
    if command.staff == asked.staff:
        refuse("correction.self", "you asked for this correction: another person must approve it")
    if state.round is not None:
        sentence = f"round {state.number} is in progress: pause the table, or try again after it"
        refuse("correction.round", sentence)
    again, transfers = foresee(state, asked.round, asked.facts, command)
    if not transfers.rows:
        refuse("correction.same", "nothing changes by this any more: reject it instead")
    draft.emit(
        events.CorrectionMade,
        correction=number,
        round=asked.round,
        staff=command.staff,
        void=again.is_void,
        places=again.places,
        spins=again.spins,
        net=again.net,
        banker=transfers.chips.banker,
        fees=charges(again.fees),
        moved=tuple(transfers.rows),
        chips=transfers.chips.rows(),
    )


def foresee(
    state: State, round: int, facts: Facts, approval: ApproveCorrection
) -> tuple[Resettled, Transfers]:
    """Return a round as corrected and what would move, with an approval's round and wallets."""
    _check_chips(state)
    past = _settled(approval.past, round)
    again = _settle(state, past, _in_order(facts))
    transfers = Transfers(Chips(state, past, approval.names, approval.wallets))
    transfers.move(again.differences(as_moved(state, past)))
    return again, transfers


def _in_order(facts: Facts) -> Facts:
    """Return facts with their places in order: each correction has one form."""
    return Facts(dict(sorted(facts.moves.items())), dict(sorted(facts.wagers.items())), facts.void)


def _settle(state: State, past: PastRound, facts: Facts) -> Resettled:
    """Return a round settled again; refuse facts that the rules do not allow."""
    try:
        return settle_again(state, past, facts)
    except IllegalRound as illegal:
        _refuse_facts(illegal)


def _refuse_facts(illegal: QueenhighError) -> NoReturn:
    refuse("correction.facts", f"the round cannot have been like that: {illegal}")


def why_fixed(past: PastRound) -> tuple[str, str] | None:
    """Return why a round cannot be corrected, as a code and a sentence; ``None``: it can."""
    live, end = past.live, past.end
    if isinstance(end, events.RoundVoided):
        return "correction.void", f"round {live.number} is void: there is nothing to correct"
    if any(bet.in_prison for bets in live.wagers.values() for bet in bets):
        return "correction.prison", f"round {live.number} had bets in prison: it is final"
    if isinstance(end, events.SpinSettled) and any(
        bet.held for row in end.places for bet in row.bets
    ):
        return "correction.prison", f"round {live.number} put bets in prison: it is final"
    return None


def _settled(past: PastRound | None, round: int) -> PastRound:
    """Return the round to correct; refuse one that is not settled, or has bets in prison."""
    if past is None or past.live.number != round:
        refuse("correction.none", f"round {round} is not over at this table: check the number")
    if (fixed := why_fixed(past)) is not None:
        refuse(*fixed)
    return past


def _check_chips(state: State) -> None:
    """Refuse where chips stay at the table: a wallet would pay for, or get, what never left it."""
    if state.settings.table_chips:
        refuse("correction.chips", "chips stay at this table: its rounds cannot be corrected")


def _waiting(state: State, correction: int) -> AskedCorrection:
    asked = state.corrections.asked.get(correction)
    if asked is None:
        refuse("correction.none", f"no correction {correction} is waiting: reload the list")
    return asked


def _check_reason(reason: str) -> None:
    check_text(reason)
    if not reason.strip():
        refuse("correction.reason", "this needs a reason: give one")
