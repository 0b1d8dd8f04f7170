"""What a ruling or a correction would lead to, for the floor to see before it confirms."""

from collections.abc import Iterable

from msgspec.structs import replace

from queenhigh.game import Move
from queenhigh.history.table_narration import describe_log
from queenhigh.server.floor_responses import CorrectionPreview, IncidentPreview, IncidentRow
from queenhigh.table import events
from queenhigh.table.commands import ApproveCorrection, RuleIncident
from queenhigh.table.correction_events import Facts
from queenhigh.table.corrections import foresee
from queenhigh.table.decide import step
from queenhigh.table.events import TableEvent
from queenhigh.table.fairness import SEED_BYTES
from queenhigh.table.resettled import as_moved
from queenhigh.table.state import State, round_of

__all__ = ["describe_steps", "preview_correction", "preview_incident"]

_SETTLED = "Then the round is settled."


def preview_incident(state: State, command: RuleIncident) -> IncidentPreview:
    """Return what follows from a ruling for everyone, without the outcome of the round."""
    followed, _ = step(_without_seeds(state), command, bytes(SEED_BYTES))
    ruling = followed[0]
    assert isinstance(ruling, events.IncidentRuled)
    shown = _before_the_end(followed)
    live = round_of(state)
    rows = [_row(state, place, shown) for place in sorted(live.wagers)]
    banker = None if live.banker is None else _row(state, live.banker, shown)
    steps = describe_steps(state, shown)
    if len(shown) < len(followed):
        steps.append(_SETTLED)
    return IncidentPreview(
        ruling.kind, ruling.place, ruling.clause, ruling.ruling, rows, banker, steps
    )


def _without_seeds(state: State) -> State:
    """Return a table that needs no seed of the room: nothing of it may be known beforehand."""
    if state.chain is None or state.round is None:
        return state
    live = replace(state.round, chain=0, seed="")
    ended = None if not state.chain.is_over else replace(state.chain, is_lost=True)
    return replace(state, chain=ended, round=live)


def _before_the_end(followed: Iterable[TableEvent]) -> list[TableEvent]:
    """Return events up to the settlement: its result must not be known before the ruling."""
    shown: list[TableEvent] = []
    for event in followed:
        if isinstance(event, events.RoundSettled):
            break
        shown.append(event)
    return shown


def _row(state: State, place: int, followed: Iterable[TableEvent]) -> IncidentRow:
    """Return what events mean for a place."""
    returned = fee = 0
    move: Move | None = None
    is_redealt = False
    for event in followed:
        if isinstance(event, events.RoundVoided):
            fee += _of(place, event.fees)
            returned += _of(place, event.returned) + _of(place, event.fees)
        elif isinstance(event, events.HandVoided) and event.place == place:
            fee += event.fee
            returned += event.cents + event.fee
        elif isinstance(event, events.MoveMade) and event.place == place:
            move = event.move
        elif isinstance(event, events.WagersPlaced | events.BankPosted) and event.place == place:
            is_redealt = True
    return IncidentRow(place, state.places[place].player, returned, fee, move, is_redealt)


def _of(place: int, charges: Iterable[events.Charge]) -> int:
    return sum(charge.cents for charge in charges if charge.place == place)


def describe_steps(state: State, followed: Iterable[TableEvent]) -> list[str]:
    """Return events that follow at a table in words, in their order."""
    players = {place: seat.player for place, seat in state.places.items()}
    lines = describe_log(enumerate(followed, state.version + 1), players)
    return [line.text for line in reversed(lines) if line.text]


def preview_correction(
    state: State, round: int, facts: Facts, approval: ApproveCorrection
) -> CorrectionPreview:
    """Return what a correction would move now; its approval has the round and the wallets."""
    again, transfers = foresee(state, round, facts, approval)
    before = as_moved(state, approval.past).nets
    banker = transfers.chips.banker
    stood = before.get(banker, 0) if banker is not None else -sum(before.values())
    return CorrectionPreview(
        round=round,
        void=again.is_void,
        net_before=stood,
        net_after=again.net,
        moved=transfers.rows,
        chips=[*transfers.chips.rows()],
    )
