"""Rounds that are over: as a table needs them to correct them, and what comes too late for one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from msgspec import Struct

from queenhigh.errors import QueenhighError, Refused
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.services import Services
from queenhigh.server.worker_pool import Workers
from queenhigh.table.correction_events import Facts
from queenhigh.table.events import RoundVoided
from queenhigh.table.rounds import refuse_round
from queenhigh.table.snapshot import round_hook
from queenhigh.table.state import PastRound, State

__all__ = ["InsteadCorrection", "TooLate", "explaining_late", "find_past_round"]


class InsteadCorrection(Struct, frozen=True, omit_defaults=True):
    """The correction to ask for instead of a ruling that came too late, as far as it is known."""

    table: str
    round: int
    place: int | None = None
    facts: Facts | None = None


class TooLate(Refused):
    """What was meant for a round that is settled: a correction can do it instead."""

    def __init__(self, refused: Refused, correction: InsteadCorrection) -> None:
        super().__init__(refused.code, str(refused))
        self.correction = correction


@asynccontextmanager
async def explaining_late(
    services: Services,
    table: str,
    round: int | None,
    place: int | None = None,
    facts: Facts | None = None,
) -> AsyncIterator[None]:
    """Refuse what comes too late for a round with what became of it, and what to ask for instead.

    ``facts`` are those of a correction that comes to the same. ``None``: no round was named.
    """
    try:
        yield
    except Refused as refused:
        if round is None or refused.code not in ("round.none", "round.over"):
            raise
        state = services.host.table(table).durable.pending
        past = await _past_of(services, state, round)
        try:
            refuse_round(state, round, past)
        except Refused as now:
            if past is None or now.code != "round.over" or isinstance(past.end, RoundVoided):
                raise now from None
            instead = InsteadCorrection(table, round, place, facts)
            raise TooLate(now, instead) from None


async def _past_of(services: Services, state: State, round: int) -> PastRound | None:
    """Return a round of a table, if it is over, and known."""
    if state.last is not None and state.last.live.number == round:
        return state.last
    if round > state.number:
        return None
    with suppress(QueenhighError):  # the history may be busy
        return await find_past_round(services.workers, state.book, state.table, round)
    return None


async def find_past_round(
    workers: Workers, book: Rulebook, table: str, round: int
) -> PastRound | None:
    """Return a round of a table that is over; ``None`` if there is no such round."""
    body = await workers.history("past_round", table=table, round=round)
    hook = round_hook(book.game.round_type)
    return msgspec.json.decode(body, type=PastRound | None, dec_hook=hook)
