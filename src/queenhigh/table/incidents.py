"""Irregularities at a table: what may be ruled, and what follows by the rulebook's readings.

The server deals, so these come about by the floor's ruling only: a wrong display, or a dispute.
"""

from collections.abc import Callable, Mapping

from msgspec import Struct

from queenhigh.rulebook.book import Irregularities, Rulebook
from queenhigh.table import events
from queenhigh.table.changing import check_staff, check_text
from queenhigh.table.commands import RuleIncident
from queenhigh.table.correction_events import Facts
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.incident_events import IncidentKind, RuledAs
from queenhigh.table.notice import is_due
from queenhigh.table.rounds import (
    apply_default_moves,
    open_round,
    refuse_round,
    release_leavers,
    settle_if_over,
    void,
)
from queenhigh.table.state import ActiveRound, State
from queenhigh.table.waiting import undecided

__all__ = [
    "PossibleIncident",
    "facts_after",
    "is_redeal",
    "possible_incidents",
    "rule_incident",
]


class PossibleIncident(Struct, frozen=True):
    """An irregularity that may be ruled now, by its clause; some concern one of ``places``."""

    kind: IncidentKind
    clause: str
    ruling: RuledAs
    places: tuple[int, ...] = ()


class _Kind(Struct, frozen=True):
    """A kind of irregularity: its clause, its ruling, and whether it concerns one place."""

    clause: str
    ruling: Callable[[Irregularities], RuledAs]
    is_of_place: bool
    refusal: str = ""


_KINDS: Mapping[IncidentKind, _Kind] = {
    "misdeal": _Kind(
        "IR-1",
        lambda rules: rules.misdeal,
        is_of_place=False,
        refusal="a player has already decided: it is too late for a misdeal (IR-1)",
    ),
    "exposed_player": _Kind(
        "IR-2",
        lambda rules: rules.exposed_player,
        is_of_place=True,
        refusal="this place has no hand that is still to be decided (IR-2)",
    ),
    "exposed_dealer": _Kind("IR-3", lambda rules: rules.exposed_dealer, is_of_place=False),
    "player_gone": _Kind(
        "IR-7",
        lambda rules: "default_move",
        is_of_place=True,
        refusal="this place has no hand that is still to be decided (IR-7)",
    ),
}


def possible_incidents(state: State) -> list[PossibleIncident]:
    """Return the irregularities that may be ruled now, and what each leads to."""
    rules, waiting = _rules(state.book), tuple(undecided(state))
    if rules is None or state.phase != "deciding" or state.round is None:
        return []
    possible = []
    for kind, each in _KINDS.items():
        if kind == "misdeal" and _has_moves(state, state.round):
            continue
        places = waiting if each.is_of_place else ()
        possible.append(PossibleIncident(kind, each.clause, each.ruling(rules), places))
    return possible


def _rules(book: Rulebook) -> Irregularities | None:
    return book.irregularities


def is_redeal(state: State, command: RuleIncident) -> bool:
    """Return whether a ruling leads to another round, dealt at once."""
    rules = _rules(state.book)
    return rules is not None and _KINDS[command.kind].ruling(rules) == "redeal"


def facts_after(state: State, kind: IncidentKind, place: int | None) -> Facts | None:
    """Return the facts of a correction that comes to what a ruling would have; ``None``: none."""
    rules = _rules(state.book)
    if rules is None:
        return None
    ruling = _KINDS[kind].ruling(rules)
    if ruling in ("void", "redeal"):
        return Facts(void=True)
    if place is None or ruling == "play_on":
        return None
    if ruling == "void_hand":
        return Facts(wagers={place: ()})
    return Facts(moves={place: state.settings.default_move})


def _has_moves(state: State, live: ActiveRound) -> bool:
    """Return whether a player has already decided."""
    play, game = live.play, state.book.game
    if play is None:
        return False
    return any(seat.move is not None for seat in game.view(state.book, play).seats)


def rule_incident(draft: Draft, command: RuleIncident) -> None:
    """Rule on an irregularity, and let follow what its clause says."""
    state = draft.state
    check_staff(command.staff)
    check_text(command.reason)
    if not command.reason.strip():
        refuse("incident.reason", "a ruling needs a reason: give one")
    if state.round is None or command.round != state.number:
        refuse_round(state, command.round)
    incident = _find(state, command)
    draft.emit(
        events.IncidentRuled,
        round=command.round,
        kind=incident.kind,
        place=command.place,
        clause=incident.clause,
        ruling=incident.ruling,
        staff=command.staff,
        reason=command.reason,
    )
    _apply(draft, incident.ruling, command)


def _find(state: State, command: RuleIncident) -> PossibleIncident:
    """Return the irregularity of a command; refuse one that cannot be ruled now."""
    if _rules(state.book) is None:
        refuse("incident.game", f"{state.book.title} has no irregularities: void the round instead")
    if state.phase != "deciding":
        refuse("incident.phase", "nobody is deciding now: void the round instead")
    possible = [each for each in possible_incidents(state) if each.kind == command.kind]
    kind = _KINDS[command.kind]
    if not possible or (kind.is_of_place and command.place not in possible[0].places):
        refuse("incident.late", kind.refusal)
    if not kind.is_of_place and command.place is not None:
        refuse("incident.place", "this concerns the whole round: leave the place out")
    return possible[0]


def _apply(draft: Draft, ruling: RuledAs, command: RuleIncident) -> None:
    place = command.place
    if ruling == "void":
        void(draft, command.reason)
    elif ruling == "redeal":
        _redeal(draft, command.reason)
    elif ruling == "void_hand" and place is not None:
        _void_hand(draft, place, command.reason)
    elif ruling == "default_move" and place is not None:
        apply_default_moves(draft, [place])


def _void_hand(draft: Draft, place: int, reason: str) -> None:
    """Return the wagers and the fee of a hand; without any other hand the round is void."""
    live = draft.live
    if len(live.wagers) == 1:
        void(draft, reason)
        return
    draft.emit(
        events.HandVoided,
        round=live.number,
        place=place,
        cents=draft.state.held(place),
        fee=live.paid.get(place, 0),
    )
    if undecided(draft.state):
        release_leavers(draft)
    else:
        settle_if_over(draft)


def _redeal(draft: Draft, reason: str) -> None:
    """Void the round, and open another one at once with the same wagers, if that is possible."""
    live = draft.live
    void(draft, reason)
    if not _can_reopen(draft, live):
        return
    if live.banker is not None:
        fee = draft.state.book.betting.banker_fee[1]
        number = draft.state.number + 1
        draft.emit(events.BankPosted, round=number, place=live.banker, cents=live.bank, fee=fee)
    open_round(draft, live.banker)
    for place, wagers in sorted(live.wagers.items()):
        if _is_in(draft.state, place):
            fee = draft.state.book.betting.fee([(bet.spot, bet.cents) for bet in wagers])
            number = draft.state.number
            draft.emit(events.WagersPlaced, round=number, place=place, wagers=wagers, fee=fee)


def _can_reopen(draft: Draft, live: ActiveRound) -> bool:
    """Return whether a void round can be dealt again: nothing ends, and its people stay."""
    state = draft.state
    if state.closing is not None or is_due(state, draft.at):
        return False
    if state.chain is not None and state.chain.is_over:
        return False
    if live.banker is not None and not _is_in(state, live.banker):
        return False
    return any(_is_in(state, place) for place in live.wagers)


def _is_in(state: State, place: int) -> bool:
    return place in state.places and state.places[place].is_in
