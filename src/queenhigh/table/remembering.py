"""What a table remembers of the commands it has followed, so that none has an effect twice."""

from typing import Any

from queenhigh.table.events import TableEvent
from queenhigh.table.state import Answer, State, answer_key

__all__ = ["remember", "turn_over"]

#: Answers stand in chunks of so many.
_CHUNK = 16
_Changes = dict[str, Any]


def remember(state: State, event: TableEvent, version: int, changes: _Changes) -> None:
    """Remember what a command came to, through this round and the next."""
    key, answers = answer_key(event), state.answers
    known = answers.get(key)
    mine = {key: Answer(known.first if known else version, version)}
    if known is None:
        changes["asked"] = {**state.asked, event.by: state.asked.get(event.by, 0) + 1}
    if known is None and len(answers) >= _CHUNK:
        changes["this_round"] = (*state.this_round, answers)
        changes["answers"] = mine
    else:
        changes["answers"] = {**answers, **mine}


def turn_over(state: State, version: int, changes: _Changes) -> None:
    """Let the answers of this round become those of the last; the command at work stays new."""
    answers = changes.get("answers", state.answers)
    chunks = changes.get("this_round", state.this_round)
    changes["last_round"], changes["this_round"] = (*chunks, answers), ()
    changes["answers"] = {key: one for key, one in answers.items() if one.last == version}
    changes["asked"] = {}
