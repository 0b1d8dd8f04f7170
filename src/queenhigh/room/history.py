"""Rounds that were played, out of a table's events: to recall, to replay, to settle once more."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from queenhigh.cards import format_cards
from queenhigh.games import three_card_poker
from queenhigh.room.telling import tell
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.table.events import (
    RoundSettled,
    RoundVoided,
    SeatTaken,
    SeatToppedUp,
    SpinSettled,
    TableEvent,
)
from queenhigh.table.evolve import evolve
from queenhigh.table.state import Live, State, seat_of

__all__ = ["Record", "as_recall", "as_settle_line", "rounds_of"]


@dataclass(frozen=True)
class Record:
    """A round that is over: who took part, every event of it, and chips before and after."""

    table: str
    digest: str
    book: Rulebook
    live: Live
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str]
    seats: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    #: Each with who sat where when it happened.
    events: tuple[tuple[TableEvent, dict[int, str]], ...]

    @property
    def id(self) -> str:
        """The round's name in its room."""
        return f"{self.table}/{self.live.number}"

    def steps(self) -> list[str]:
        """Return what happened, in sentences; folded hands are not shown (CA-11)."""
        return [text for event, who in self.events if (text := tell(event, who, self.live))]


def rounds_of(events: Iterable[TableEvent]) -> Iterator[Record]:
    """Yield the rounds that are over, from the first."""
    state: State | None = None
    before: dict[int, int] = {}
    players: dict[int, str] = {}
    steps: list[tuple[TableEvent, dict[int, str]]] = []
    for event in events:
        was, state = state, evolve(state, event)
        if was is not None and was.round is None and state.round is not None:
            before, steps = _chips(was), steps[-1:] if state.round.banker is not None else []
            players = {place: one.player for place, one in state.places.items()}
            steps = [(event, players) for event, _ in steps]
        if isinstance(event, SeatTaken):
            players = {**players, event.place: event.player}
            before[event.place] = event.cents
        elif isinstance(event, SeatToppedUp):
            before[event.place] = before.get(event.place, 0) + event.cents
        steps.append((event, players))
        if isinstance(event, RoundSettled | SpinSettled | RoundVoided) and state.last:
            live = state.last.live
            seats = {place: seat_of(state, place, live.banker) for place in live.wagers}
            yield Record(
                state.table,
                state.digest,
                state.book,
                live,
                event,
                dict(players),
                seats,
                dict(before),
                _chips(state),
                tuple(steps),
            )
            steps = []


def _chips(state: State) -> dict[int, int]:
    """Return what each place has, on the table and in the stack."""
    return {place: state.stack(place) + state.held(place) for place in state.places}


def as_settle_line(record: Record) -> dict[str, Any] | None:
    """Return a settled round as ``queenhigh settle`` reads it; ``None`` for a void one."""
    live = record.live
    if isinstance(record.end, RoundVoided):
        return None
    if live.spin is not None:
        wagers = [
            {"bet": bet.bet, "stake": bet.stake, "player": record.players[int(bet.player or 0)]}
            | ({"in_prison": True} if bet.in_prison else {})
            for bet in live.spin.wagers
        ]
        return {"id": record.id, "pocket": live.spin.pocket, "wagers": wagers}
    poker = live.poker
    assert poker is not None
    assert poker.dealer is not None
    line: dict[str, Any] = {"id": record.id, "dealer": format_cards(poker.dealer)}
    if live.banker is not None:
        line |= {"bank": poker.bank, "first": poker.first}
    line["seats"] = [_seat_line(one) for one in poker.seats]
    return line


def _seat_line(one: three_card_poker.Seat) -> dict[str, Any]:
    stakes = {name: getattr(one, name) for name in ("ante", "bonus", "pair_plus")}
    line = {"seat": one.seat, "cards": format_cards(one.cards or ())}
    line |= {name: stake for name, stake in stakes.items() if stake}
    return line | ({"move": one.move} if one.move else {})


def as_recall(record: Record, player: str) -> dict[str, Any] | None:
    """Return a round as a player of it may recall it; ``None`` to who had no part in it.

    The outcome, every step, wagers by kind and what each brought, and credits before and after.
    """
    live, end = record.live, record.end
    took_part = [
        at
        for at, name in record.players.items()
        if name == player and (at in live.wagers or at == live.banker)
    ]
    if not took_part:
        return None
    (place,) = took_part
    told: dict[str, Any] = {"round": record.id, "at": end.at, "ended": _ended(end)}
    if isinstance(end, RoundVoided):
        told |= {"reason": end.reason, "net": 0, "wagers": []}
    elif place == live.banker:
        told |= {"banked": live.bank, "net": end.net, "wagers": []}
    else:
        told |= _result(end, place)
    told["fee"] = live.fees.get(place, 0) + live.paid.get(place, 0)
    if isinstance(end, RoundVoided):
        told["fee"] = 0
    told |= _cards_seen(record, place)
    told["credits"] = {"before": record.before[place], "after": record.after[place]}
    return told | {"seed": end.seed, "commitment": live.commitment, "steps": record.steps()}


def _ended(end: RoundSettled | SpinSettled | RoundVoided) -> str:
    return "voided" if isinstance(end, RoundVoided) else "settled"


def _result(end: RoundSettled | SpinSettled, place: int) -> dict[str, Any]:
    if isinstance(end, SpinSettled):
        for one in end.places:
            if one.place == place:
                bets = [(bet.bet, bet.stake, bet.net, bet.clause) for bet in one.bets]
                return {"net": one.net, "wagers": [_wager(*bet) for bet in bets]}
        return {"net": 0, "wagers": []}
    for row in end.places:
        if row.place == place:
            rows = [(one.wager, one.stake, one.net, one.clause) for one in row.wagers]
            return {"net": row.net, "wagers": [_wager(*wager) for wager in rows]}
    return {"net": 0, "wagers": []}


def _wager(name: str, stake: int, net: int, clause: str) -> dict[str, Any]:
    return {"wager": name, "stake": stake, "net": net, "clause": clause}


def _cards_seen(record: Record, place: int) -> dict[str, Any]:
    """Return the cards that a place saw in a round."""
    live = record.live
    if live.spin is not None:
        return {"pocket": live.spin.pocket}
    if live.poker is None:
        return {}
    assert isinstance(record.book, PokerRulebook)
    seen = three_card_poker.view(record.book, live.poker, record.seats.get(place))
    hands = {str(one.seat): format_cards(one.cards) for one in seen.seats if one.cards is not None}
    dealer = tuple(card for card in seen.dealer if card is not None)
    return {"seat": record.seats.get(place), "hands": hands, "dealer": format_cards(dealer)}
