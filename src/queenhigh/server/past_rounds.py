"""Rounds that are over, as a table needs them to correct them: from the history's process."""

import msgspec

from queenhigh.rulebook.book import Rulebook
from queenhigh.server.worker_pool import Workers
from queenhigh.table.snapshot import round_hook
from queenhigh.table.state import PastRound

__all__ = ["find_past_round"]


async def find_past_round(
    workers: Workers, book: Rulebook, table: str, round: int
) -> PastRound | None:
    """Return a round of a table that is over; ``None`` if there is no such round."""
    body = await workers.history("past_round", table=table, round=round)
    hook = round_hook(book.game.round_type)
    return msgspec.json.decode(body, type=PastRound | None, dec_hook=hook)
