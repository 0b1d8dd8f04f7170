"""A round from its commitment to its end: settled, or voided with everything returned."""

from queenhigh.errors import BrokenLog
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.game import Move
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook
from queenhigh.table import events as happened
from queenhigh.table.commands import Bet, Choose, VoidRound
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.events import Charge, SettledPlace, SettledPlayer
from queenhigh.table.fairness import draw, shuffle, words
from queenhigh.table.keys import fresh_commitment, key_of, seed_to_show
from queenhigh.table.state import Live, State, dealt, poker_rules, seat_of, wheel_rules

__all__ = [
    "choose",
    "close_bets",
    "deal",
    "deal_if_shown",
    "open_round",
    "see_off",
    "take_silence",
    "undecided",
    "void",
    "void_round",
]


def open_round(draft: Draft, banker: int | None) -> None:
    """Commit to the cards, then let bets be made."""
    number, chain = draft.state.number + 1, draft.state.chain
    if chain is None:
        seed, shown = fresh_commitment(draft, number)
        draft.emit(happened.RoundOpened, round=number, commitment=shown, seed=seed, banker=banker)
        return
    if chain.is_over:
        refuse("chain.over", "the room's chain of seeds is used up: a new one has to start first")
    draft.emit(
        happened.RoundOpened2,
        round=number,
        chain=chain.number,
        link=chain.used + 1,
        commitment=chain.tip,
        banker=banker,
    )


def close_bets(draft: Draft) -> None:
    """Take no more bets, collect what is due before the deal, and deal once seeds are shown."""
    live, book = draft.live, draft.state.book
    due = dict(live.fees)
    released: tuple[Charge, ...] = ()
    if live.banker is not None and isinstance(book, PokerRulebook) and book.fees:
        largest = max([ante_of(bets) for bets in live.wagers.values()])
        fee = book.fees.rate(largest).banker
        if due[live.banker] > fee:
            released = (Charge(live.banker, due[live.banker] - fee),)
        due[live.banker] = fee
    before = isinstance(book, PokerRulebook) and book.fees and book.fees.collect == "before"
    fees = _charges(due) if before else ()
    kind = happened.BetsClosed2 if live.chain else happened.BetsClosed
    draft.emit(kind, round=live.number, fees=fees, released=released)
    deal_if_shown(draft)


def deal_if_shown(draft: Draft) -> None:
    """Deal unless somebody who sits here has still to show the seed they committed to."""
    places = draft.state.places
    for at, one in draft.live.committed.items():
        if one.shown is None and at in places and places[at].player == one.player:
            return
    deal(draft)


def _charges(cents: dict[int, int]) -> tuple[Charge, ...]:
    return tuple([Charge(place, cents[place]) for place in sorted(cents) if cents[place]])


def deal(draft: Draft) -> None:
    """Deal the cards or spin the wheel, as the key of the round has it."""
    state, live, book = draft.state, draft.live, draft.state.book
    key = key_of(draft)
    source = words(key)
    on_chain = {"key": key.hex()} if live.chain else {}
    if isinstance(book, RouletteRulebook):
        pocket = book.pockets[draw(source, len(book.pockets))]
        landed = happened.BallLanded2 if live.chain else happened.BallLanded
        draft.emit(landed, round=live.number, pocket=pocket, **on_chain)
        _settle_spin(draft)
        return
    book = poker_rules(book)
    places = tuple(sorted(live.wagers, key=lambda place: seat_of(state, place, live.banker)))
    count = 3 * (len(places) + 1)
    if book.bank is not None and book.bank.first == "drawn":
        cards, first = shuffle(source, 52)[:count], draw(source, book.seats) + 1
    else:
        cards, first = shuffle(source, 52, dealt=count), None
    dealt_by = happened.CardsDealt2 if live.chain else happened.CardsDealt
    draft.emit(dealt_by, round=live.number, places=places, cards=cards, first=first, **on_chain)
    _settle_if_over(draft)


def choose(draft: Draft, command: Choose) -> None:
    """Let a seat play or fold."""
    draft.in_time("deciding", command.round)
    place, _ = draft.own_place()
    if place not in draft.live.wagers:
        refuse("move.none", f"you have no hand in round {command.round}")
    if seat_of(draft.state, place, draft.live.banker) not in _silent(draft.live):
        refuse("move.made", f"you have nothing to decide in round {command.round}")
    make_move(draft, place, command.move)
    _settle_if_over(draft)


def make_move(draft: Draft, place: int, move: Move) -> None:
    """Make a seat's move, with its Play wager and the fee for that."""
    live, book = draft.live, poker_rules(draft.state.book)
    cents = ante_of(live.wagers[place]) if move == "play" else 0
    by_wager = book.fees is not None and book.fees.fee_per == "wager"
    fee = book.fees.rate(cents).player if book.fees and by_wager and cents else 0
    draft.emit(happened.MoveMade, round=live.number, place=place, move=move, cents=cents, fee=fee)


def ante_of(bets: tuple[Bet, ...]) -> int:
    """Return the Ante among a place's wagers; 0 is none."""
    for bet in bets:
        if bet.spot == "ante":
            return bet.cents
    return 0


def take_silence(draft: Draft, places: list[int]) -> None:
    """Take the silence of places for what the table announced that it means."""
    for place in places:
        make_move(draft, place, draft.state.settings.silence)
    _settle_if_over(draft)


def undecided(state: State) -> list[int]:
    """Return the places that have a move to make, in order."""
    live = state.round
    if live is None or live.poker is None:
        return []
    waiting = _silent(live)
    return [place for place in sorted(live.wagers) if seat_of(state, place, live.banker) in waiting]


def _silent(live: Live) -> list[int]:
    """Return the seats that have a move to make."""
    return [one.seat for one in dealt(live).seats if one.move is None and one.ante]


# The end


def _settle_if_over(draft: Draft) -> None:
    live, state = draft.live, draft.state
    poker = dealt(live)
    if not poker.is_over:
        return
    settled = three_card_poker.settle(poker_rules(state.book), poker)
    place_at = {seat_of(state, place, live.banker): place for place in live.wagers}
    places = tuple(
        [SettledPlace(place_at[one.seat], one.seat, one.wagers, one.net) for one in settled.seats]
    )
    draft.emit(
        happened.RoundSettled,
        round=live.number,
        seed=seed_to_show(draft),
        places=places,
        net=settled.banker,
        banker=live.banker,
        bank=live.bank,
        bank_left=settled.bank_left,
        fees=_charges(live.fees),
    )
    see_off(draft)


def _settle_spin(draft: Draft) -> None:
    live, book = draft.live, wheel_rules(draft.state.book)
    if live.spin is None:
        raise BrokenLog(f"no ball has landed in round {live.number}")
    settled = roulette.settle(book, live.spin)
    places = []
    for place in sorted(live.wagers):
        bets = tuple([bet for bet in settled.wagers if bet.player == str(place)])
        places.append(SettledPlayer(place, bets, sum(bet.net for bet in bets)))
    draft.emit(
        happened.SpinSettled,
        round=live.number,
        seed=seed_to_show(draft),
        places=tuple(places),
        net=settled.banker,
    )
    see_off(draft)


def void_round(draft: Draft, command: VoidRound) -> None:
    """Void the round under way."""
    if draft.state.round is None:
        refuse("round.none", "no round is under way")
    if not command.reason.strip():
        refuse("void.reason", "a round is voided for a reason: give one")
    void(draft, command.reason)


def void(draft: Draft, reason: str) -> None:
    """Return everything a round holds in one step, fees too (CA-7), and show its seed."""
    live, state = draft.live, draft.state
    returned = {place: state.held(place) for place in state.places}
    draft.emit(
        happened.RoundVoided,
        round=live.number,
        seed=seed_to_show(draft),
        reason=reason,
        returned=_charges(returned),
        fees=_charges(live.paid),
    )
    see_off(draft)


def see_off(draft: Draft) -> None:
    """Let those go who wanted to, once nothing of theirs is held; at a closing table, everyone."""
    closing = draft.state.closing is not None and draft.state.round is None
    for place, one in sorted(draft.state.places.items()):
        if closing and (kept := draft.state.held(place)):
            number = draft.state.number
            draft.emit(happened.WagersCleared, round=number, place=place, cents=kept)
        if closing or (one.leaving and not draft.state.held(place)):
            stack = draft.state.stack(place)
            cents = min(stack, one.brought) if draft.state.settings.table_chips else stack
            gone = {"place": place, "player": one.player, "cents": cents, "kept": stack - cents}
            draft.emit(happened.SeatLeft, **gone)
    if closing:
        draft.emit(happened.TableClosed)
