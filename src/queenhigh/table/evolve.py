"""Applies events to a table. Nothing is decided here; only a broken log can fail."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from queenhigh.errors import BrokenLog
from queenhigh.game import Bet, Chosen, Dealt, Landed
from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games, Rulebook, own_game
from queenhigh.rulebook.load import from_document
from queenhigh.table import chains, corrected, events, ruled
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import TableEvent
from queenhigh.table.ledger import post, postings
from queenhigh.table.lone_player import follow_people, whole_time
from queenhigh.table.play import apply_step, first_seat
from queenhigh.table.state import (
    ActiveRound,
    BankState,
    PastRound,
    Place,
    State,
    drawn,
    in_seat_order,
    round_of,
    seat_of,
)

__all__ = ["evolve"]

_ENDS = frozenset({events.RoundSettled, events.SpinSettled, events.RoundVoided})

_Changes = dict[str, Any]


def evolve(state: State | None, event: TableEvent, games: Games = GAMES) -> State:
    """Return the table after an event; ``games`` are those that a table may be opened for."""
    if state is None:
        if not isinstance(event, events.TableOpened):
            raise BrokenLog("a table's first event opens it")
        state = _opened(event, games)
    change = _CHANGES.get(type(event))
    changes = change(state, event) if change else {}
    version = state.version + 1
    commands = state.commands
    if event.id:
        commands = commands.remember(event, version)
    if type(event) in _ENDS:
        commands = commands.start_round(version)
    if moved := postings(event):
        changes["balances"] = post(state.balances, moved)
    after = replace(state, version=version, at=event.at, commands=commands, **changes)
    return follow_people(after) if after.untimed else after


def _opened(event: events.TableOpened, games: Games) -> State:
    return State(
        table=event.table,
        book=from_document(event.rulebook, games),
        document=event.rulebook,
        digest=event.digest,
        settings=event.settings,
        deadline=event.at,
    )


def _table_changed(state: State, event: events.TableChanged) -> _Changes:
    """Restart the pause, so that everyone can see the changes before they bet."""
    book, last = from_document(event.rulebook, own_game(state.book)), state.last
    changes: _Changes = {
        "book": book,
        "document": event.rulebook,
        "digest": event.digest,
        "settings": event.settings,
        "deadline": event.at + event.settings.pace.pause,
        "offer": replace(state.offer, declined_by_all=False),
        "announced": None,
    }
    if state.phase == "offering":  # an offer under other terms: everyone is asked again
        offer = replace(state.offer, place=None, declined=(), declined_by_all=False)
        changes |= {"phase": "between", "offer": offer}
    if _first_rule(book) != _first_rule(state.book):
        changes["first"] = None  # action starts as at a new table
    if last is not None and not last.rulebook:
        played_by = msgspec.json.encode(state.document).decode()
        changes["last"] = replace(last, rulebook=played_by)
    return changes


def _first_rule(book: Rulebook) -> str | None:
    return book.bank.first if book.bank else None


def _at_place(state: State, place: int, **changes: Any) -> dict[int, Place]:
    return {**state.places, place: replace(state.places[place], **changes)}


# Seats


def _seat_taken(state: State, event: events.SeatTaken) -> _Changes:
    places = {**state.places, event.place: Place(event.player, event.bot, brought=event.cents)}
    return {"places": places, "offer": replace(state.offer, declined_by_all=False)}


def _seat_topped_up(state: State, event: events.SeatToppedUp) -> _Changes:
    brought = state.places[event.place].brought + event.cents
    places = _at_place(state, event.place, brought=brought)
    return {"places": places, "offer": replace(state.offer, declined_by_all=False)}


def _seat_aside(state: State, event: events.SeatAside) -> _Changes:
    places = _at_place(state, event.place, sitting_out=event.aside, away=False)
    return {"places": places, "offer": replace(state.offer, declined_by_all=False)}


def _seat_back(state: State, event: events.SeatBack) -> _Changes:
    places = _at_place(state, event.place, away=False)
    return {"places": places, "offer": replace(state.offer, declined_by_all=False)}


def _seat_leaving(state: State, event: events.SeatLeaving) -> _Changes:
    return {"places": _at_place(state, event.place, leaving=True)}


def _seat_left(state: State, event: events.SeatLeft) -> _Changes:
    changes: _Changes = {
        "places": {place: seat for place, seat in state.places.items() if place != event.place}
    }
    if event.place == state.offer.banker:
        # the turn belongs to the player, not to the place
        changes["offer"] = replace(state.offer, rounds_in_a_row=0)
    live = state.round
    if live is not None and (event.place in live.ready or event.place in live.committed):
        ready = tuple(place for place in live.ready if place != event.place)
        changes["round"] = replace(
            live, ready=ready, committed=chains.still_committed(live, event.place)
        )
    return changes


# The bank


def _bank_offered(state: State, event: events.BankOffered) -> _Changes:
    return {
        "phase": "offering",
        "deadline": event.at + state.settings.pace.offer,
        "offer": replace(state.offer, place=event.place, declined_by_all=False),
    }


def _bank_declined(state: State, event: events.BankDeclined) -> _Changes:
    declined = (*state.offer.declined, event.place)
    offer = replace(state.offer, place=None, declined=declined)
    return {"phase": "between", "deadline": event.at, "offer": offer}


def _bank_unwanted(state: State, event: events.BankUnwanted) -> _Changes:
    offer = replace(state.offer, place=None, declined=(), declined_by_all=True)
    return {"phase": "between", "deadline": event.at, "offer": offer}


def _bank_posted(state: State, event: events.BankPosted) -> _Changes:
    rounds_in_a_row = state.offer.rounds_in_a_row + 1 if state.offer.banker == event.place else 1
    return {"offer": BankState(event.place, rounds_in_a_row, event.cents, event.fee)}


# A round


def _round_on_chain_opened(state: State, event: events.RoundOpened2) -> _Changes:
    opened = _opened_by(state, event, "", event.chain, event.link)
    return {**opened, "chain": replace(chains.chain_of(state), used=event.link)}


def _round_opened(state: State, event: events.RoundOpened) -> _Changes:
    return _opened_by(state, event, event.seed, 0, 0)


def _opened_by(
    state: State,
    event: "events.RoundOpened | events.RoundOpened2",
    seed: str,
    chain: int,
    link: int,
) -> _Changes:
    offer, banker = state.offer, event.banker
    live = ActiveRound(
        event.round,
        seed,
        event.commitment,
        banker,
        offer.bank if banker is not None else 0,
        wagers=state.prison,
        fees={banker: offer.fee} if banker is not None else {},
        chain=chain,
        link=link,
    )
    deadline = event.at + state.settings.pace.bets if state.prison else None
    changes = {"phase": "betting", "deadline": deadline, "number": event.round}
    return {**changes, "round": live, "prison": {}}


def _seed_added(state: State, event: events.SeedAdded) -> _Changes:
    live = round_of(state)
    return {"round": replace(live, seeds={**live.seeds, event.place: event.seed})}


def _wagers_placed(state: State, event: events.WagersPlaced) -> _Changes:
    live, place = round_of(state), event.place
    wagers = (*live.wagers.get(place, ()), *event.wagers)
    changes: _Changes = {"wagers": {**live.wagers, place: wagers}}
    if event.fee:
        changes["fees"] = {**live.fees, place: live.fees.get(place, 0) + event.fee}
    if event.ready and place not in live.ready:
        changes["ready"] = (*live.ready, place)
    deadline = state.deadline
    if deadline is None:
        deadline = event.at + state.settings.pace.bets
    return {"round": replace(live, **changes), "deadline": deadline}


def _wagers_cleared(state: State, event: events.WagersCleared) -> _Changes:
    place, live = event.place, state.round
    if live is None:
        return {"prison": {other: bets for other, bets in state.prison.items() if other != place}}
    held = tuple(bet for bet in live.wagers.get(place, ()) if bet.in_prison)
    wagers = {other: bets for other, bets in live.wagers.items() if other != place}
    if held:
        wagers[place] = held
    changes = {
        "wagers": wagers,
        "fees": {other: fee for other, fee in live.fees.items() if other != place},
        "ready": tuple(other for other in live.ready if other != place),
    }
    return {"round": replace(live, **changes), "deadline": state.deadline if wagers else None}


def _seat_ready(state: State, event: events.SeatReady) -> _Changes:
    live = round_of(state)
    return {"round": replace(live, ready=(*live.ready, event.place))}


def _bets_closed(state: State, event: events.BetsClosed) -> _Changes:
    live = round_of(state)
    left = dict(live.fees)
    for charge in (*event.fees, *event.released):
        left[charge.place] -= charge.cents
    paid = {fee.place: fee.cents for fee in event.fees}
    return {"round": replace(live, fees=left, paid=paid, is_closed=True), "deadline": None}


def _bets_on_chain_closed(state: State, event: events.BetsClosed2) -> _Changes:
    deadline = event.at + chains.chain_of(state).reveal
    return {**_bets_closed(state, event), "phase": "revealing", "deadline": deadline}


def _cards_dealt(state: State, event: events.CardsDealt) -> _Changes:
    live = round_of(state)
    if event.places != in_seat_order(state, live):
        raise BrokenLog(f"other places than those with wagers have cards in round {live.number}")
    return _drawn(state, event, Dealt(event.cards, event.first), state.settings.pace.moves)


def _ball_landed(state: State, event: events.BallLanded) -> _Changes:
    if round_of(state).play is not None:
        raise BrokenLog(f"the ball has already landed in round {event.round}")
    return _drawn(state, event, Landed(event.pocket), None)


def _drawn(
    state: State,
    event: "events.CardsDealt | events.BallLanded",
    step: Dealt | Landed,
    time: int | None,
) -> _Changes:
    """Apply the cards or the ball; with a ``time``, players have so long to decide."""
    live = round_of(state)
    play, key = apply_step(state, live, step), chains.key_in(event)
    if time is None:
        return {"round": replace(live, play=play, key=key)}
    players = {place: state.places[place].player for place in live.wagers}
    return {
        "round": replace(live, play=play, key=key, players=players),
        "phase": "deciding",
        "deadline": event.at + time,
        "first": first_seat(state, step),
    }


def _move_made(state: State, event: events.MoveMade) -> _Changes:
    live, place = round_of(state), event.place
    step = Chosen(seat_of(state, place, live.banker), event.move)
    changes: _Changes = {"play": apply_step(state, live, step)}
    if event.fee:
        changes["fees"] = {**live.fees, place: live.fees.get(place, 0) + event.fee}
    if event.by == CLOCK:
        changes["by_clock"] = (*live.by_clock, place)
    return {"round": replace(live, **changes)}


def _time_given(state: State, event: "events.TimeGiven | events.TimeRebased") -> _Changes:
    """Restart the phase with its full time, unless it waits without a deadline."""
    return {} if state.deadline is None else {"deadline": event.at + whole_time(state)}


def _time_rebased(state: State, event: events.TimeRebased) -> _Changes:
    """Restart the phase, and the notice of a change: nobody has less time than before."""
    changes, announced = _time_given(state, event), state.announced
    notice = state.book.notice_seconds
    if announced is not None and notice is not None:
        changes["announced"] = replace(announced, starts=event.at + 1000 * notice)
    return changes


def _over(
    state: State, event: "events.RoundSettled | events.SpinSettled | events.RoundVoided"
) -> _Changes:
    live = round_of(state)
    took_part = {*live.wagers, *live.voided, live.banker}
    players = {place: seat.player for place, seat in state.places.items() if place in took_part}
    players |= {place: live.players[place] for place in live.voided}
    return {
        "phase": "between",
        "deadline": event.at + state.settings.pace.pause,
        "round": None,
        "last": PastRound(live, event, players),
        **chains.after_round(state, event),
    }


def _round_settled(state: State, event: events.RoundSettled) -> _Changes:
    drawn(round_of(state))
    return _over(state, event)


def _spin_settled(state: State, event: events.SpinSettled) -> _Changes:
    drawn(round_of(state))
    prison = {
        row.place: tuple(Bet(bet.bet, bet.held, True) for bet in row.bets if bet.held)
        for row in event.places
    }
    held = {place: bets for place, bets in prison.items() if bets}
    return {**_over(state, event), "prison": held}


_CHANGES: dict[type, Callable[[State, Any], _Changes]] = {
    events.TableChanged: _table_changed,
    events.ChangeAnnounced: lambda state, event: {"announced": event},
    events.ChangeWithdrawn: lambda state, event: {"announced": None},
    events.TableClosing: lambda state, event: {"closing": event.reason, "announced": None},
    events.TableClosed: lambda state, event: {"phase": "closed", "deadline": None},
    events.SeatTaken: _seat_taken,
    events.SeatToppedUp: _seat_topped_up,
    events.SeatAside: _seat_aside,
    events.SeatAway: lambda state, event: {"places": _at_place(state, event.place, away=True)},
    events.SeatBack: _seat_back,
    events.SeatLeaving: _seat_leaving,
    events.SeatLeft: _seat_left,
    events.BankOffered: _bank_offered,
    events.BankDeclined: _bank_declined,
    events.BankUnwanted: _bank_unwanted,
    events.BankPosted: _bank_posted,
    events.ChainStarted: chains.chain_started,
    events.RoundOpened: _round_opened,
    events.RoundOpened2: _round_on_chain_opened,
    events.SeedAdded: _seed_added,
    events.SeedCommitted: chains.seed_committed,
    events.SeedShown: chains.seed_shown,
    events.WagersPlaced: _wagers_placed,
    events.WagersCleared: _wagers_cleared,
    events.SeatReady: _seat_ready,
    events.BetsClosed: _bets_closed,
    events.BetsClosed2: _bets_on_chain_closed,
    events.CardsDealt: _cards_dealt,
    events.CardsDealt2: _cards_dealt,
    events.MoveMade: _move_made,
    events.BallLanded: _ball_landed,
    events.BallLanded2: _ball_landed,
    events.RoundSettled: _round_settled,
    events.SpinSettled: _spin_settled,
    events.RoundVoided: _over,
    events.IncidentRuled: ruled.incident_ruled,
    events.HandVoided: ruled.hand_voided,
    events.CorrectionAsked: corrected.asked,
    events.CorrectionRejected: corrected.rejected,
    events.CorrectionMade: corrected.made,
    events.ClockStopped: lambda state, event: {"untimed": True},
    events.TimeGiven: _time_given,
    events.TimeRebased: _time_rebased,
}
