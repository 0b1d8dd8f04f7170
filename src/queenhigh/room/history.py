"""Rounds that were played, out of a table's events: to recall, to replay, to settle once more."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from queenhigh.cards import format_cards
from queenhigh.games import three_card_poker
from queenhigh.room.telling import tell
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import (
    CardsDealt,
    MoveMade,
    RoundSettled,
    RoundVoided,
    SeatTaken,
    SeatToppedUp,
    SeedAdded,
    SeedShown,
    SpinSettled,
    TableEvent,
    encode,
)
from queenhigh.table.evolve import evolve
from queenhigh.table.state import Live, State, seat_of

__all__ = [
    "Record",
    "Rounds",
    "Step",
    "as_own_line",
    "as_proof",
    "as_recall",
    "as_settle_line",
    "committed_seeds",
    "hidden_seats",
    "part_of",
    "rounds_of",
]


Step = tuple[TableEvent, dict[int, str]]


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
    events: tuple[Step, ...]

    @property
    def id(self) -> str:
        """The round's name in its room."""
        return f"{self.table}/{self.live.number}"

    def steps(self) -> list[str]:
        """Return what happened, in sentences; folded hands are not shown (CA-11)."""
        return [text for event, who in self.events if (text := tell(event, who, self.live))]

    def shown(self) -> list[dict[str, Any]]:
        """Return the events of those sentences, without cards and without the table's seed."""
        return [_shown(event, who) for event, who in self.events if tell(event, who, self.live)]


class Rounds:
    """Rounds out of a table's events as they come: the table, and its round as far as it is.

    ``before`` and ``players`` are the chips and the names of the round by place, ``steps`` its
    events, each with who sat where when it happened.
    """

    def __init__(
        self,
        state: State | None = None,
        before: dict[int, int] | None = None,
        players: dict[int, str] | None = None,
        steps: list[Step] | None = None,
    ) -> None:
        self.state = state
        self.before, self.players, self.steps = before or {}, players or {}, steps or []

    def add(self, event: TableEvent) -> Record | None:
        """Take the next event; return the round that it ends, if it ends one."""
        was, state = self.state, evolve(self.state, event)
        self.state = state
        if was is not None and was.round is None and state.round is not None:
            self.before = _chips(was)
            self.players = {place: one.player for place, one in state.places.items()}
            posted = self.steps[-1:] if state.round.banker is not None else []
            self.steps = [(step, self.players) for step, _ in posted]
        if isinstance(event, SeatTaken):
            self.players = {**self.players, event.place: event.player}
            self.before[event.place] = event.cents
        elif isinstance(event, SeatToppedUp):
            self.before[event.place] = self.before.get(event.place, 0) + event.cents
        self.steps.append((event, self.players))
        if isinstance(event, RoundSettled | SpinSettled | RoundVoided):
            return self._end(state, event)
        if state.round is None:
            del self.steps[:-1]  # of all that is between rounds only who banks belongs to one
        return None

    def _end(self, state: State, event: RoundSettled | SpinSettled | RoundVoided) -> Record:
        assert state.last is not None
        live = state.last.live
        steps, self.steps = tuple(self.steps), []
        return Record(
            state.table,
            state.digest,
            state.book,
            live,
            event,
            dict(self.players),
            {place: seat_of(state, place, live.banker) for place in live.wagers},
            dict(self.before),
            _chips(state),
            steps,
        )


def rounds_of(events: Iterable[TableEvent]) -> Iterator[Record]:
    """Yield the rounds that are over, from the first."""
    rounds = Rounds()
    for event in events:
        record = rounds.add(event)
        if record is not None:
            yield record


def _chips(state: State) -> dict[int, int]:
    """Return what each place has, on the table and in the stack."""
    return {place: state.stack(place) + state.held(place) for place in state.places}


# To settle once more


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


def hidden_seats(record: Record, player: str) -> set[int]:
    """Return the seats whose hands a player did not get to see: those of others who folded."""
    poker, book = record.live.poker, record.book
    if poker is None or not isinstance(book, PokerRulebook):
        return set()
    own = [seat for place, seat in record.seats.items() if record.players.get(place) == player]
    seen = three_card_poker.view(book, poker, own[0] if own else None)
    return {one.seat for one in seen.seats if one.cards is None}


def as_own_line(record: Record, player: str) -> dict[str, Any] | None:
    """Return a settled round for ``queenhigh settle``, without the seats hidden from a player.

    ``None`` if there is no such line: the round is void, nothing of it was shown, or the bank ran
    short, so that the others come to something else without the hidden ones.
    """
    line, hidden = as_settle_line(record), hidden_seats(record, player)
    poker, book = record.live.poker, record.book
    if line is None or not hidden or poker is None:
        return line
    assert isinstance(book, PokerRulebook)
    assert isinstance(record.end, RoundSettled)
    shown = replace(poker, seats=tuple([one for one in poker.seats if one.seat not in hidden]))
    came_to = {one.seat: one.wagers for one in record.end.places}
    again = three_card_poker.settle(book, shown).seats if shown.seats else ()
    if not again or any(one.wagers != came_to[one.seat] for one in again):
        return None
    return line | {"seats": [one for one in line["seats"] if one["seat"] not in hidden]}


# To recall


def as_recall(record: Record, player: str) -> dict[str, Any] | None:
    """Return a round as a player of it may recall it; ``None`` to who had no part in it.

    The outcome, every step as a sentence and as data, wagers by kind and what each brought, and
    credits before and after.
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
    told: dict[str, Any] = {"round": record.id, "at": end.at, "ended": _ended(end), "place": place}
    told |= _table(record)
    if isinstance(end, RoundVoided):
        told |= {"reason": end.reason, "net": 0, "wagers": []}
    elif place == live.banker:
        told |= {"banked": live.bank, "net": end.net, "wagers": []}
    else:
        told |= _result(end, place)
    told["fee"] = 0 if isinstance(end, RoundVoided) else _fees(live).get(place, 0)
    told |= _cards_seen(record, place)
    told["credits"] = {"before": record.before[place], "after": record.after[place]}
    told |= {"seed": end.seed, "commitment": live.commitment}
    return told | {"steps": record.steps(), "events": record.shown()}


def _table(record: Record) -> dict[str, Any]:
    """Return who sat where in a round, who banked, and where action started.

    ``up`` is how many of the dealer's cards all saw before they decided; ``ace_low``: an ace also
    counts low, in a straight with a deuce and a three.
    """
    live, book = record.live, record.book
    places = sorted({*live.wagers, *([] if live.banker is None else [live.banker])})
    return {
        "game": "three_card_poker" if isinstance(book, PokerRulebook) else "roulette",
        "up": book.up if isinstance(book, PokerRulebook) else 0,
        "ace_low": isinstance(book, PokerRulebook) and book.ace_low,
        "players": {str(place): record.players[place] for place in places},
        "seats": {str(place): seat for place, seat in sorted(record.seats.items())},
        "banker": live.banker,
        "first": _first(live),
    }


def _first(live: Live) -> int | None:
    """Return the seat where action started, where a player banked."""
    return live.poker.first if live.poker and live.banker is not None else None


def _shown(event: TableEvent, who: dict[int, str]) -> dict[str, Any]:
    hidden = {"at", "by", "id", "cards", "key"}
    if not isinstance(event, SeedAdded | SeedShown):
        hidden.add("seed")
    told = {key: value for key, value in _data(event).items() if key not in hidden}
    if "place" in told:
        told["player"] = who.get(told["place"])
    if isinstance(event, MoveMade) and event.by == CLOCK:
        told["silent"] = True
    return told


def _data(event: TableEvent) -> dict[str, Any]:
    data: dict[str, Any] = msgspec.json.decode(encode(event))
    return data


def part_of(record: Record) -> dict[str, tuple[int, int]]:
    """Return what each player of a round gained and the fee they paid."""
    live, end = record.live, record.end
    places = {*live.wagers, *([] if live.banker is None else [live.banker])}
    if isinstance(end, RoundVoided):
        return {record.players[place]: (0, 0) for place in places}
    nets = {one.place: one.net for one in end.places}
    if live.banker is not None:
        nets[live.banker] = end.net
    fees = _fees(live)
    return {record.players[place]: (nets.get(place, 0), fees.get(place, 0)) for place in places}


def as_proof(record: Record, document: dict[str, Any]) -> dict[str, Any]:
    """Return what anyone needs to deal a round again and to check how it ended.

    The seed is shown, and from it and the seeds of the places every card follows, folded ones too.
    """
    live, end = record.live, record.end
    dealt = [event for event, _ in record.events if isinstance(event, CardsDealt)]
    return {
        "table": record.table,
        "round": live.number,
        "at": end.at,
        "ended": _ended(end),
        "digest": record.digest,
        "rulebook": document,
        "commitment": live.commitment,
        "seed": end.seed,
        "seeds": {str(place): seed for place, seed in sorted(live.seeds.items())},
        "chain": live.chain,
        "link": live.link,
        "committed": committed_seeds(live),
        "banker": live.banker,
        "bank": live.bank if live.banker is not None else None,
        "first": _first(live),
        "hands": [
            _hand(record, place) for place in sorted(record.seats, key=record.seats.__getitem__)
        ],
        "fees": [{"place": place, "cents": cents} for place, cents in _fees(live).items() if cents],
        "places": [place for event in dealt for place in event.places],
        "cards": [card for event in dealt for card in event.cards],
        "pocket": live.spin.pocket if live.spin else None,
        "end": _data(end),
    }


def committed_seeds(live: Live) -> list[dict[str, Any]]:
    """Return who committed to a seed in a round, and the seeds that were shown."""
    return [
        {"place": place, **msgspec.to_builtins(one)}
        for place, one in sorted(live.committed.items())
    ]


def _hand(record: Record, place: int) -> dict[str, Any]:
    """Return a place's part in a round: its seat, what it wagered before the deal, its move."""
    live, seat = record.live, record.seats[place]
    told = {"place": place, "seat": seat, "wagers": msgspec.to_builtins(live.wagers[place])}
    moves = {one.seat: one.move for one in live.poker.seats} if live.poker else {}
    return told | ({"move": moves[seat]} if moves.get(seat) else {})


def _fees(live: Live) -> dict[int, int]:
    """Return the fees of a round by place, held or collected."""
    return {
        place: live.fees.get(place, 0) + live.paid.get(place, 0)
        for place in sorted({*live.fees, *live.paid})
    }


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
