"""A round from its commitment to its end: settled, or voided with everything returned."""

from collections.abc import Iterator
from typing import NoReturn

from queenhigh.game import Deal, Move, SettledSpin, Wheel
from queenhigh.table import events
from queenhigh.table.commands import Choose, VoidRound
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.events import Charge
from queenhigh.table.fairness import draw, shuffle, words
from queenhigh.table.keys import fresh_commitment, key_of, seed_to_show
from queenhigh.table.notice import is_due
from queenhigh.table.play import start_play
from queenhigh.table.settled_rows import by_player, by_seat, charges
from queenhigh.table.state import PastRound, State, drawn, in_seat_order, seat_of, seats_of
from queenhigh.table.waiting import unshown

__all__ = [
    "apply_default_moves",
    "choose",
    "close_bets",
    "deal",
    "deal_if_shown",
    "open_round",
    "refuse_round",
    "release_leavers",
    "settle_if_over",
    "void",
    "void_round",
]


def open_round(draft: Draft, banker: int | None) -> None:
    """Commit to the cards and open bets; refuse while the clock has to change the table first."""
    if is_due(draft.state, draft.at):
        refuse("change.due", "fees or limits are changing: wait until the bank is offered again")
    number, chain = draft.state.number + 1, draft.state.chain
    if chain is None:
        seed, shown = fresh_commitment(draft, number)
        draft.emit(events.RoundOpened, round=number, commitment=shown, seed=seed, banker=banker)
        return
    if chain.is_over:
        refuse("chain.over", "the room's chain of seeds is used up: start a new one first")
    draft.emit(
        events.RoundOpened2,
        round=number,
        chain=chain.number,
        link=chain.used + 1,
        commitment=chain.tip,
        banker=banker,
    )


def close_bets(draft: Draft) -> None:
    """Close bets, collect the fees due before the deal, and deal once seeds are shown."""
    live, book = draft.live, draft.state.book
    due = dict(live.fees)
    released: tuple[Charge, ...] = ()
    if live.banker is not None and book.fees:
        fee = book.game.banker_fee(book, live.wagers)
        if due[live.banker] > fee:
            released = (Charge(live.banker, due[live.banker] - fee),)
        due[live.banker] = fee
    fees = charges(due) if book.fees and book.fees.collect == "before" else ()
    kind = events.BetsClosed2 if live.chain else events.BetsClosed
    draft.emit(kind, round=live.number, fees=fees, released=released)
    deal_if_shown(draft)


def deal_if_shown(draft: Draft) -> None:
    """Deal unless a seated player has still to show the seed they committed to."""
    if not unshown(draft.state):
        deal(draft)


def deal(draft: Draft) -> None:
    """Draw the cards or the ball that the game asks for, by the key of the round."""
    state, live, book = draft.state, draft.live, draft.state.book
    key = key_of(draft)
    on_chain = {"key": key.hex()} if live.chain else {}
    wanted = book.game.chance(book, start_play(state, live))
    if isinstance(wanted, Wheel):
        pocket = wanted.pockets[draw(words(key), len(wanted.pockets))]
        landed = events.BallLanded2 if live.chain else events.BallLanded
        draft.emit(landed, round=live.number, pocket=pocket, **on_chain)
    elif wanted is not None:
        cards, first = _draw_cards(words(key), wanted)
        dealt = events.CardsDealt2 if live.chain else events.CardsDealt
        places = in_seat_order(state, live)
        draft.emit(dealt, round=live.number, places=places, cards=cards, first=first, **on_chain)
    settle_if_over(draft)


def _draw_cards(source: Iterator[int], wanted: Deal) -> tuple[tuple[int, ...], int | None]:
    """Draw cards, and the seat that action starts at if the game draws it."""
    if not wanted.first_among:
        return shuffle(source, 52, dealt=wanted.cards), None
    cards = shuffle(source, 52)[: wanted.cards]
    return cards, wanted.first_among[draw(source, len(wanted.first_among))]


def choose(draft: Draft, command: Choose) -> None:
    """Make a player's move."""
    draft.in_time("deciding", command.round)
    place, _ = draft.own_place()
    live, book = draft.live, draft.state.book
    if place not in live.wagers:
        refuse("move.none", f"you have no hand in round {command.round}")
    if not book.game.moves(book, drawn(live), seat_of(draft.state, place, live.banker)):
        refuse("move.made", f"you have nothing to decide in round {command.round}")
    make_move(draft, place, command.move)
    settle_if_over(draft)


def make_move(draft: Draft, place: int, move: Move) -> None:
    """Make a place's move, with the wager that it takes and the fee for that."""
    live, terms = draft.live, draft.state.book.betting
    stakes = [(bet.spot, bet.cents) for bet in live.wagers[place]] if move == "play" else []
    cents, fee = terms.reserve(stakes), terms.reserve_fee(stakes)
    draft.emit(events.MoveMade, round=live.number, place=place, move=move, cents=cents, fee=fee)


def apply_default_moves(draft: Draft, places: list[int]) -> None:
    """Make the table's default move for players who have not decided."""
    for place in places:
        make_move(draft, place, draft.state.settings.default_move)
    settle_if_over(draft)


# The end


def settle_if_over(draft: Draft) -> None:
    """Settle the round if nobody has a move to make."""
    live, book = draft.live, draft.state.book
    play = drawn(live)
    if book.game.deciding(book, play):
        return
    settled = book.game.settle(book, play)
    common = {"round": live.number, "seed": seed_to_show(draft), "net": settled.banker}
    if isinstance(settled, SettledSpin):
        draft.emit(events.SpinSettled, places=by_player(live.wagers, settled), **common)
    else:
        draft.emit(
            events.RoundSettled,
            places=by_seat(seats_of(draft.state, live), settled),
            banker=live.banker,
            bank=live.bank,
            bank_left=settled.bank_left,
            fees=charges(live.fees),
            **common,
        )
    release_leavers(draft)


def void_round(draft: Draft, command: VoidRound) -> None:
    """Void the round under way."""
    if draft.state.round is None:
        refuse("round.none", "no round is in progress")
    if command.round != draft.state.number:
        refuse_round(draft.state, command.round)
    if not command.reason.strip():
        refuse("void.reason", "voiding a round needs a reason: give one")
    void(draft, command.reason)


def refuse_round(state: State, round: int, past: PastRound | None = None) -> NoReturn:
    """Refuse what is meant for a round that is not under way: say what became of it.

    ``past`` is that round, where it is known though it was not the last one.
    """
    if round > state.number:
        refuse("round.ahead", f"round {round} has not started")
    last = past or state.last
    if last is None or last.live.number != round:
        refuse("round.over", f"round {round} is over")
    if isinstance(last.end, events.RoundVoided):
        refuse("round.over", f"round {round} was void")
    refuse("round.over", f"round {round} is already settled. Ask for a correction instead")


def void(draft: Draft, reason: str) -> None:
    """Return everything a round holds in one step, fees too (CA-7), and show its seed."""
    live, state = draft.live, draft.state
    returned = {place: state.held(place) for place in state.places}
    draft.emit(
        events.RoundVoided,
        round=live.number,
        seed=seed_to_show(draft),
        reason=reason,
        returned=charges(returned),
        fees=charges(live.paid),
    )
    release_leavers(draft)


def release_leavers(draft: Draft) -> None:
    """Release the players who are leaving and hold nothing; at a closing table, everyone."""
    closing = draft.state.closing is not None and draft.state.round is None
    for place, seat in sorted(draft.state.places.items()):
        if closing and (held := draft.state.held(place)):
            number = draft.state.number
            draft.emit(events.WagersCleared, round=number, place=place, cents=held)
        if closing or (seat.leaving and not draft.state.held(place)):
            stack = draft.state.stack(place)
            cents = min(stack, seat.brought) if draft.state.settings.table_chips else stack
            gone = {"place": place, "player": seat.player, "cents": cents, "kept": stack - cents}
            draft.emit(events.SeatLeft, **gone)
    if closing:
        draft.emit(events.TableClosed)
