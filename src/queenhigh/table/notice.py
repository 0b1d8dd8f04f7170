"""Notice of changed fees and limits (CA-5, CA-6): what needs it, and when a change is due.

The notice is an event. It states the amounts that hold, those that are to come, and the time from
which they hold. The clock changes the table at that time or, if a round is under way then, as soon
as the round is over: no round opens in between.
"""

from collections.abc import Mapping
from typing import Any

from queenhigh.table.commands import Settings
from queenhigh.table.events import Amounts
from queenhigh.table.state import State

__all__ = ["amounts", "due_at", "is_due", "needs_notice", "notice_ms"]


def notice_ms(state: State) -> int | None:
    """Return how long a table announces a change of amounts; ``None``: it need not."""
    seconds = state.book.notice_seconds
    return None if seconds is None else seconds * 1000


def amounts(document: Mapping[str, Any], settings: Settings) -> Amounts:
    """Return the fees and limits of a rulebook's document, and the least bank."""
    tables = {name: _stated(document.get(name)) or {} for name in ("fees", "limits")}
    return Amounts(**tables, least_bank=settings.least_bank)


def _stated(value: Any) -> Any:
    """Return a part of a document without its nulls, which count as left out."""
    if isinstance(value, Mapping):
        return {key: _stated(item) for key, item in value.items() if item is not None}
    return [_stated(item) for item in value] if isinstance(value, list) else value


def needs_notice(state: State, document: Mapping[str, Any], settings: Settings) -> bool:
    """Return whether players must be given notice of another rulebook or other settings."""
    if notice_ms(state) is None:
        return False
    return amounts(document, settings) != amounts(state.document, state.settings)


def due_at(state: State) -> int | None:
    """Return when the clock applies the announced change; ``None`` while it has to wait."""
    is_free = state.phase in ("between", "offering") and not state.prison
    return state.announced.starts if state.announced and is_free else None


def is_due(state: State, time_ms: int) -> bool:
    """Return whether the announced change holds for a round that would open now."""
    due = due_at(state)
    return due is not None and time_ms >= due
