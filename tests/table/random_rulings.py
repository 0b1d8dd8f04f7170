"""What the floor may rule and correct at a table, from a source of random choices."""

from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from queenhigh.game import Bet
from queenhigh.table.commands import (
    ApproveCorrection,
    AskCorrection,
    Command,
    RejectCorrection,
    RuleIncident,
)
from queenhigh.table.correction_events import Facts
from queenhigh.table.state import PastRound, State
from queenhigh.table.waiting import undecided

__all__ = ["PastRounds", "draw_ruling"]

#: By the permissions of their roles: see tests/table/staff_log.py.
FLOOR_STAFF, ASKERS = ("Maria", "Noor", "Olga"), ("Carl", "Maria", "Olga")
KINDS = ("misdeal", "exposed_player", "exposed_player", "exposed_dealer", "player_gone")


class PastRounds:
    """The rounds of a table that are over, with the rules that they were played by."""

    def __init__(self) -> None:
        self._rounds: dict[int, tuple[PastRound, dict[str, Any]]] = {}

    def note(self, state: State) -> None:
        """Remember the last round of a table; call this after each command."""
        if state.last is not None and state.last.live.number not in self._rounds:
            self._rounds[state.last.live.number] = state.last, state.document

    def numbers(self) -> list[int]:
        return list(self._rounds)

    def find(self, number: int) -> PastRound | None:
        if number not in self._rounds:
            return None
        past, document = self._rounds[number]
        return replace(past, rulebook=msgspec.json.encode(document).decode())


def draw_ruling(
    draw: Random, state: State, rounds: PastRounds, some_bets: Any
) -> tuple[type[Command], dict[str, Any]]:
    """Return a command of the floor, sensible or not: a ruling, or a step of a correction."""
    if state.phase == "deciding" and draw.random() < 0.7:
        kind = draw.choice(KINDS)
        place = None
        if kind in ("exposed_player", "player_gone") or draw.random() < 0.05:
            place = draw.choice([*undecided(state), 1])
        ruling = {"round": state.number, "kind": kind, "place": place}
        return RuleIncident, ruling | {"staff": draw.choice(FLOOR_STAFF), "reason": "a dispute"}
    waiting = state.corrections.asked
    if waiting and draw.random() < 0.6:
        number = draw.choice(list(waiting))
        staff = draw.choice(FLOOR_STAFF)
        if draw.random() < 0.2:
            words = {"staff": staff, "reason": draw.choice(("it was right", " "))}
            return RejectCorrection, {"correction": number} | words
        past = rounds.find(waiting[number].round)
        return ApproveCorrection, {"correction": number, "staff": staff, "past": past}
    number = draw.choice([*rounds.numbers()[-4:], state.number])
    past = rounds.find(number)
    facts = _draw_facts(draw, past, some_bets)
    words = {"staff": draw.choice(ASKERS), "reason": "seen on video"}
    return AskCorrection, {"round": number, "facts": facts, "past": past} | words


def _draw_facts(draw: Random, past: PastRound | None, some_bets: Any) -> Facts:
    places = sorted(past.live.wagers) if past is not None else []
    if draw.random() < 0.15 or not places:
        return Facts(void=True)
    moves: dict[int, Any] = {}
    wagers: dict[int, tuple[Bet, ...]] = {}
    for place in draw.sample(places, draw.randint(0, min(2, len(places)))):
        if draw.random() < 0.5:
            moves[place] = draw.choice(("play", "fold"))
        else:
            wagers[place] = some_bets() if draw.random() < 0.8 else ()
    return Facts(moves, wagers)
