"""What an event makes of a table. Nothing is decided here; only a broken log can fail."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from queenhigh.errors import BrokenLog
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.three_card_poker import Chosen
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import from_document
from queenhigh.table import chains
from queenhigh.table import events as happened
from queenhigh.table.commands import Bet
from queenhigh.table.events import TableEvent
from queenhigh.table.ledger import post, postings
from queenhigh.table.remembering import remember, turn_over
from queenhigh.table.state import (
    Finished,
    Live,
    Offer,
    Place,
    State,
    dealt,
    poker_rules,
    round_of,
    seat_of,
    seat_with,
    wheel_rules,
)

__all__ = ["evolve"]

_ENDS = frozenset({happened.RoundSettled, happened.SpinSettled, happened.RoundVoided})

_Changes = dict[str, Any]


def evolve(state: State | None, event: TableEvent) -> State:
    """Return the table after an event."""
    if state is None:
        if not isinstance(event, happened.TableOpened):
            raise BrokenLog("a table's first event opens it")
        state = _opened(event)
    change = _CHANGES.get(type(event))
    changes = change(state, event) if change else {}
    version = state.version + 1
    if event.id:
        remember(state, event, version, changes)
    if type(event) in _ENDS:
        turn_over(state, version, changes)
    if moved := postings(event):
        changes["balances"] = post(state.balances, moved)
    return replace(state, version=version, at=event.at, **changes)


def _opened(event: happened.TableOpened) -> State:
    return State(
        table=event.table,
        book=from_document(event.rulebook),
        document=event.rulebook,
        digest=event.digest,
        settings=event.settings,
        deadline=event.at,
    )


def _table_changed(state: State, event: happened.TableChanged) -> _Changes:
    """Let the pause begin anew, so that everyone can see what has changed before they bet."""
    book, last = from_document(event.rulebook), state.last
    changes: _Changes = {
        "book": book,
        "document": event.rulebook,
        "digest": event.digest,
        "settings": event.settings,
        "deadline": event.at + event.settings.pace.pause,
        "offer": replace(state.offer, unwanted=False),
    }
    if _way(book) != _way(state.book):
        changes["first"] = None  # action starts as at a new table
    if last is not None and not last.rulebook:
        played_by = msgspec.json.encode(state.document).decode()
        changes["last"] = replace(last, rulebook=played_by)
    return changes


def _way(book: Rulebook) -> str | None:
    return book.bank.first if isinstance(book, PokerRulebook) and book.bank else None


def _at_place(state: State, place: int, **changes: Any) -> dict[int, Place]:
    return {**state.places, place: replace(state.places[place], **changes)}


# Seats


def _seat_taken(state: State, event: happened.SeatTaken) -> _Changes:
    places = {**state.places, event.place: Place(event.player, event.bot, brought=event.cents)}
    return {"places": places, "offer": replace(state.offer, unwanted=False)}


def _seat_topped_up(state: State, event: happened.SeatToppedUp) -> _Changes:
    brought = state.places[event.place].brought + event.cents
    places = _at_place(state, event.place, brought=brought)
    return {"places": places, "offer": replace(state.offer, unwanted=False)}


def _seat_aside(state: State, event: happened.SeatAside) -> _Changes:
    places = _at_place(state, event.place, aside=event.aside)
    return {"places": places, "offer": replace(state.offer, unwanted=False)}


def _seat_leaving(state: State, event: happened.SeatLeaving) -> _Changes:
    return {"places": _at_place(state, event.place, leaving=True)}


def _seat_left(state: State, event: happened.SeatLeft) -> _Changes:
    changes: _Changes = {
        "places": {at: one for at, one in state.places.items() if at != event.place}
    }
    if event.place == state.offer.banker:
        changes["offer"] = replace(state.offer, running=0)  # a turn is a person's, not a chair's
    live = state.round
    if live is not None and (event.place in live.ready or event.place in live.committed):
        ready = tuple(at for at in live.ready if at != event.place)
        changes["round"] = replace(
            live, ready=ready, committed=chains.still_committed(live, event.place)
        )
    return changes


# The bank


def _bank_offered(state: State, event: happened.BankOffered) -> _Changes:
    return {
        "phase": "offering",
        "deadline": event.at + state.settings.pace.offer,
        "offer": replace(state.offer, place=event.place, unwanted=False),
    }


def _bank_declined(state: State, event: happened.BankDeclined) -> _Changes:
    declined = (*state.offer.declined, event.place)
    offer = replace(state.offer, place=None, declined=declined)
    return {"phase": "between", "deadline": event.at, "offer": offer}


def _bank_unwanted(state: State, event: happened.BankUnwanted) -> _Changes:
    offer = replace(state.offer, place=None, declined=(), unwanted=True)
    return {"phase": "between", "deadline": event.at, "offer": offer}


def _bank_posted(state: State, event: happened.BankPosted) -> _Changes:
    running = state.offer.running + 1 if state.offer.banker == event.place else 1
    return {"offer": Offer(event.place, running, event.cents, event.fee)}


# A round


def _round_on_chain_opened(state: State, event: happened.RoundOpened2) -> _Changes:
    opened = _opened_by(state, event, "", event.chain, event.link)
    return {**opened, "chain": replace(chains.chain_of(state), used=event.link)}


def _round_opened(state: State, event: happened.RoundOpened) -> _Changes:
    return _opened_by(state, event, event.seed, 0, 0)


def _opened_by(
    state: State,
    event: "happened.RoundOpened | happened.RoundOpened2",
    seed: str,
    chain: int,
    link: int,
) -> _Changes:
    offer, banker = state.offer, event.banker
    live = Live(
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


def _seed_added(state: State, event: happened.SeedAdded) -> _Changes:
    live = round_of(state)
    return {"round": replace(live, seeds={**live.seeds, event.place: event.seed})}


def _wagers_placed(state: State, event: happened.WagersPlaced) -> _Changes:
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


def _wagers_cleared(state: State, event: happened.WagersCleared) -> _Changes:
    place, live = event.place, state.round
    if live is None:
        return {"prison": {at: bets for at, bets in state.prison.items() if at != place}}
    kept = tuple(bet for bet in live.wagers.get(place, ()) if bet.in_prison)
    wagers = {at: bets for at, bets in live.wagers.items() if at != place}
    if kept:
        wagers[place] = kept
    changes = {
        "wagers": wagers,
        "fees": {at: fee for at, fee in live.fees.items() if at != place},
        "ready": tuple(at for at in live.ready if at != place),
    }
    return {"round": replace(live, **changes), "deadline": state.deadline if wagers else None}


def _seat_ready(state: State, event: happened.SeatReady) -> _Changes:
    live = round_of(state)
    return {"round": replace(live, ready=(*live.ready, event.place))}


def _bets_closed(state: State, event: happened.BetsClosed) -> _Changes:
    live = round_of(state)
    left = dict(live.fees)
    for one in (*event.fees, *event.released):
        left[one.place] -= one.cents
    paid = {fee.place: fee.cents for fee in event.fees}
    return {"round": replace(live, fees=left, paid=paid, is_closed=True), "deadline": None}


def _bets_on_chain_closed(state: State, event: happened.BetsClosed2) -> _Changes:
    deadline = event.at + chains.chain_of(state).reveal
    return {**_bets_closed(state, event), "phase": "revealing", "deadline": deadline}


def _cards_dealt(state: State, event: happened.CardsDealt) -> _Changes:
    live, book = round_of(state), poker_rules(state.book)
    hands = list(zip(*[iter(event.cards)] * 3, strict=True))
    seats = [
        seat_with(seat_of(state, place, live.banker), live.wagers[place], hand)
        for place, hand in zip(event.places, hands, strict=False)
    ]
    first = event.first or three_card_poker.first_seat(book, state.first) or 1
    bank = live.bank if live.banker is not None else None
    players = {place: state.places[place].player for place in event.places}
    poker = three_card_poker.Round(tuple(seats), bank, first, hands[-1])
    return {
        "phase": "deciding",
        "deadline": event.at + state.settings.pace.moves,
        "round": replace(live, poker=poker, players=players, key=chains.key_in(event)),
        "first": first,
    }


def _move_made(state: State, event: happened.MoveMade) -> _Changes:
    live, place = round_of(state), event.place
    step = Chosen(seat_of(state, place, live.banker), event.move)
    poker = three_card_poker.apply(poker_rules(state.book), dealt(live), step)
    changes: _Changes = {"poker": poker}
    if event.fee:
        changes["fees"] = {**live.fees, place: live.fees.get(place, 0) + event.fee}
    return {"round": replace(live, **changes)}


def _ball_landed(state: State, event: happened.BallLanded) -> _Changes:
    live = round_of(state)
    wheel_rules(state.book)
    if live.spin is not None:
        raise BrokenLog(f"the ball has landed before in round {live.number}")
    wagers = tuple(
        roulette.Wager(bet.spot, bet.cents, str(place), bet.in_prison or None)
        for place, bets in sorted(live.wagers.items())
        for bet in bets
    )
    spin = roulette.Spin(wagers, event.pocket)
    return {"round": replace(live, spin=spin, key=chains.key_in(event))}


def _whole_time(state: State) -> int:
    pace = state.settings.pace
    times = {
        "between": pace.pause,
        "offering": pace.offer,
        "betting": pace.bets,
        "revealing": state.chain.reveal if state.chain else 0,
        "deciding": pace.moves,
    }
    return times[state.phase]


def _time_given(state: State, event: "happened.TimeGiven | happened.TimeRebased") -> _Changes:
    """Give the phase its whole time once more, unless it waits without a deadline."""
    return {} if state.deadline is None else {"deadline": event.at + _whole_time(state)}


def _over(
    state: State, event: "happened.RoundSettled | happened.SpinSettled | happened.RoundVoided"
) -> _Changes:
    live = round_of(state)
    took_part = {*live.wagers, live.banker}
    players = {at: one.player for at, one in state.places.items() if at in took_part}
    return {
        "phase": "between",
        "deadline": event.at + state.settings.pace.pause,
        "round": None,
        "last": Finished(live, event, players),
        **chains.after_round(state, event),
    }


def _round_settled(state: State, event: happened.RoundSettled) -> _Changes:
    poker_rules(state.book)
    dealt(round_of(state))
    return _over(state, event)


def _spin_settled(state: State, event: happened.SpinSettled) -> _Changes:
    wheel_rules(state.book)
    if round_of(state).spin is None:
        raise BrokenLog(f"the ball has not landed in round {event.round}")
    prison = {
        one.place: tuple(Bet(bet.bet, bet.held, True) for bet in one.bets if bet.held)
        for one in event.places
    }
    kept = {place: bets for place, bets in prison.items() if bets}
    return {**_over(state, event), "prison": kept}


_CHANGES: dict[type, Callable[[State, Any], _Changes]] = {
    happened.TableChanged: _table_changed,
    happened.TableClosing: lambda state, event: {"closing": event.reason},
    happened.TableClosed: lambda state, event: {"phase": "closed", "deadline": None},
    happened.SeatTaken: _seat_taken,
    happened.SeatToppedUp: _seat_topped_up,
    happened.SeatAside: _seat_aside,
    happened.SeatLeaving: _seat_leaving,
    happened.SeatLeft: _seat_left,
    happened.BankOffered: _bank_offered,
    happened.BankDeclined: _bank_declined,
    happened.BankUnwanted: _bank_unwanted,
    happened.BankPosted: _bank_posted,
    happened.ChainStarted: chains.chain_started,
    happened.RoundOpened: _round_opened,
    happened.RoundOpened2: _round_on_chain_opened,
    happened.SeedAdded: _seed_added,
    happened.SeedCommitted: chains.seed_committed,
    happened.SeedShown: chains.seed_shown,
    happened.WagersPlaced: _wagers_placed,
    happened.WagersCleared: _wagers_cleared,
    happened.SeatReady: _seat_ready,
    happened.BetsClosed: _bets_closed,
    happened.BetsClosed2: _bets_on_chain_closed,
    happened.CardsDealt: _cards_dealt,
    happened.CardsDealt2: _cards_dealt,
    happened.MoveMade: _move_made,
    happened.BallLanded: _ball_landed,
    happened.BallLanded2: _ball_landed,
    happened.RoundSettled: _round_settled,
    happened.SpinSettled: _spin_settled,
    happened.RoundVoided: _over,
    happened.TimeGiven: _time_given,
    happened.TimeRebased: _time_given,
}
