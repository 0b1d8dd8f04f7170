"""How events of seeds change a table: its chain, and the commitments of its places."""

from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from queenhigh.errors import BrokenLog
from queenhigh.table import events
from queenhigh.table.state import ActiveRound, Chain, Committed, Dealings, State, round_of

__all__ = [
    "after_round",
    "binding_seeds",
    "chain_of",
    "chain_started",
    "key_in",
    "seed_committed",
    "seed_shown",
    "still_committed",
]

_Changes = dict[str, Any]
_End = events.RoundSettled | events.SpinSettled | events.RoundVoided


def chain_started(state: State, event: events.ChainStarted) -> _Changes:
    """Return the chain that starts."""
    chain = Chain(
        event.chain,
        event.epoch,
        event.salt,
        event.length,
        event.end,
        event.reveal,
        tip=event.end,
    )
    return {"chain": chain}


def chain_of(state: State) -> Chain:
    """Return a table's chain; raise if it has none."""
    if state.chain is None:
        raise BrokenLog("this table has no chain of seeds")
    return state.chain


def seed_committed(state: State, event: events.SeedCommitted) -> _Changes:
    """Return the round with a place's commitment."""
    live = round_of(state)
    seat = state.places[event.place]
    seed = Committed(seat.player, event.commitment, bot=seat.bot or UNSET)
    return {"round": replace(live, committed={**live.committed, event.place: seed})}


def seed_shown(state: State, event: events.SeedShown) -> _Changes:
    """Return the round with the seed that a place has shown."""
    live = round_of(state)
    seed = replace(live.committed[event.place], shown=event.seed)
    return {"round": replace(live, committed={**live.committed, event.place: seed})}


def still_committed(live: ActiveRound, gone: int) -> dict[int, Committed]:
    """Return the commitments without the one of a player who leaves before bets close."""
    if live.is_closed:
        return live.committed
    return {place: seed for place, seed in live.committed.items() if place != gone}


def key_in(event: events.CardsDealt | events.BallLanded) -> str:
    """Return the key of a deal on a chain."""
    if isinstance(event, events.CardsDealt2 | events.BallLanded2):
        return event.key
    return ""


def after_round(state: State, event: _End) -> _Changes:
    """Return a table's counts after a round, and its chain if it has one."""
    live, chain = round_of(state), state.chain
    changes: _Changes = {"dealings": _count(state.dealings, live, event)}
    if chain is not None:
        shown = bool(event.seed)
        changes["chain"] = replace(chain, tip=event.seed if shown else "", is_lost=not shown)
    return changes


def _count(so_far: Dealings, live: ActiveRound, event: _End) -> Dealings:
    """Count a round; seeds count where cards were dealt with them."""
    seeds = [seed.shown is not None for seed in live.committed.values()] if live.key else []
    is_void = isinstance(event, events.RoundVoided)
    return Dealings(
        so_far.rounds + bool(live.chain),
        so_far.seeds_shown + seeds.count(True),
        so_far.seeds_left_out + seeds.count(False),
        so_far.voided_after_close + (is_void and live.is_closed),
        so_far.voided_without_seed + (is_void and bool(live.chain) and not event.seed),
    )


def binding_seeds(live: ActiveRound, room_seed: str) -> int:
    """Return how many seeds bind the deal of a round, so that the room alone could not choose it.

    Those that players hid until bets were closed and then showed, at a place with a wager or the
    bank. Not text in the clear: the room could read it in time. Not those of bots: they are the
    room's. And none where the room did not show its own seed: nothing proves which seeds it used.
    """
    if not (live.key and room_seed):
        return 0
    at_stake = {*live.wagers, *live.voided, live.banker}
    shown = {place for place, seed in live.committed.items() if seed.shown and not seed.bot}
    return len(shown & at_stake)
