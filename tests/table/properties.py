"""Properties that hold at a table under any play. Each names itself when it fails."""

from collections import Counter
from typing import Any

from msgspec import to_builtins
from msgspec.json import decode as from_json
from msgspec.json import encode as to_json
from msgspec.structs import replace

from queenhigh.cards import DECK, format_cards
from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import Room
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR, Command, Settings
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.evolve import evolve
from queenhigh.table.fairness import document_digest
from queenhigh.table.own_view import OwnEncoder, own_views
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.state import ActiveRound, State, seat_of
from queenhigh.table.view import ViewEncoder, view
from tests.oracle import plain
from tests.table.game_rounds import poker_of, poker_or_none, spin_of

Json = dict[str, Any]


class Watch:
    """Looks at a table after every command."""

    def __init__(
        self, room: Room, durable: DurableTable, players: tuple[str, ...], reading: Json
    ) -> None:
        self.room, self.durable, self.players, self.reading = room, durable, players, reading
        self.issued = 0
        self.seen = durable.committed.version
        self.effects: Counter[str] = Counter()
        self.rounds: dict[int, list[TableEvent]] = {}
        self.settled = 0
        #: What places gained in each round, with all that corrections moved.
        self.nets: dict[int, Counter[int]] = {}
        self.rules: dict[int, tuple[str, Settings]] = {}
        self.checked: State | None = None
        self.document: Json | None = None
        self.encoder, self.own_encoder = ViewEncoder(), OwnEncoder()

    def after(self, command: Command) -> None:
        """Check everything after a command was followed or refused."""
        rows = list(self.durable._store.read(self.durable.stream, self.seen))
        events = [decode(row.event) for row in rows]
        self.seen += len(events)
        chips_are_conserved(self)
        changed = self.durable.committed is not self.checked  # nothing else can differ
        if changed:
            nothing_is_negative(self.durable.committed)
            every_hold_ends(self.durable.committed)
            rules_stay_through_a_round(self)
        self._one_effect(command, events)
        for event in events:
            number = getattr(event, "round", None)
            if number is not None:
                self.rounds.setdefault(number, []).append(event)
            if isinstance(event, happened.TimeRebased):
                a_set_clock_takes_no_time_away(self.durable.committed, event)
            if isinstance(event, happened.CorrectionMade):
                a_correction_moves_the_difference(self, event)
            if isinstance(event, happened.RoundSettled | happened.SpinSettled):
                self.nets[event.round] = Counter({row.place: row.net for row in event.places})
                self.settled += 1
                last = self.durable.committed.last
                assert last is not None
                the_bank_is_the_limit(last.end, self.reading)
                fees_do_not_know_results(self, last.live)
                settlement_is_the_plain_one(self, last.live, last.end)
        if changed:
            self._look()
        self.checked = self.durable.committed

    def _look(self) -> None:
        """Check the views of everyone."""
        state = self.durable.committed
        seen = {viewer: to_json(view(state, viewer)) for viewer in (None, FLOOR, *self.players)}
        for viewer, shown in seen.items():
            views_hide_what_is_hidden(state, viewer, shown, self.durable._dealing.seed(state))
        own_views_complete_the_view(state, self.players, seen)
        assert self.encoder.public(state) == seen[None], "the public view is encoded as it is"
        owns = {player: to_json(own) for player, own in own_views(state).items()}
        assert self.own_encoder.own(state) == owns, "own views are encoded as they are"

    def _one_effect(self, command: Command, events: list[TableEvent]) -> None:
        if not events or not command.id:
            return
        key = f"{command.by}/{command.id}"
        self.effects[key] += 1
        assert self.effects[key] == 1, "an id has one effect"
        assert {(event.by, event.id) for event in events} == {(command.by, command.id)}

    def at_the_end(self) -> None:
        """Run the slow checks."""
        replay_is_live(self.durable)


def chips_are_conserved(watch: Watch) -> None:
    wallets = sum(watch.room.wallets.of(player).cents for player in watch.players)
    at_table = sum(
        cents
        for account, cents in watch.durable.committed.balances.items()
        if account != "in_transit"
    )
    assert wallets + at_table == watch.issued, "chips are conserved"


def nothing_is_negative(state: State) -> None:
    for account, cents in state.balances.items():
        assert cents >= 0 or account in ("house", "in_transit"), "nothing is negative"


def every_hold_ends(state: State) -> None:
    """Check that held chips are the bets on the table; between rounds only those in prison."""
    for place in range(1, state.settings.places + 1):
        expected = sum(bet.cents for bet in state.prison.get(place, ()))
        if state.round is not None:
            expected += _on_the_table(state, state.round, place)
        assert state.held(place) == expected, "every hold ends"


def _on_the_table(state: State, live: ActiveRound, place: int) -> int:
    cents = sum(bet.cents for bet in live.wagers.get(place, ())) + live.fees.get(place, 0)
    if place == live.banker:
        cents += live.bank
    poker = poker_or_none(live)
    if poker is not None and place in live.wagers:
        seat = seat_of(state, place, live.banker)
        cents += sum(row.ante for row in poker.seats if row.seat == seat and row.move == "play")
    return cents


def rules_stay_through_a_round(watch: Watch) -> None:
    state = watch.durable.committed
    if state.round is not None:
        now = (state.digest, state.settings)
        assert watch.rules.setdefault(state.number, now) == now, "rules stay through a round"
    if state.document is not watch.document:  # hashing is slow
        assert state.digest == document_digest(state.document), "rules stay through a round"
        watch.document = state.document


def a_set_clock_takes_no_time_away(state: State, event: happened.TimeRebased) -> None:
    pace = state.settings.pace
    reveal = state.chain.reveal if state.chain else 0
    times = {"between": pace.pause, "offering": pace.offer, "revealing": reveal}
    whole = times.get(state.phase, pace.bets)
    due = state.deadline if state.deadline is not None else event.at + whole
    assert (state.at, due) == (event.at, event.at + whole), "a set clock takes no time away"


def the_bank_is_the_limit(end: object, reading: Json) -> None:
    if not isinstance(end, happened.RoundSettled) or end.banker is None:
        return
    wagers = [wager for row in end.places for wager in row.wagers]
    taken = 0
    if reading.get("fold_uncovered") == "lost":
        taken = sum(wager.action for wager in wagers if wager.clause == "CA-13")
    assert -end.bank <= end.net <= end.bank + taken, "the bank is the limit"
    if reading.get("coverage", "action") == "action":
        matched = sum(wager.action for wager in wagers) - taken
        assert matched <= end.bank, "the bank is the limit"


def a_correction_moves_the_difference(watch: Watch, event: happened.CorrectionMade) -> None:
    """Check that places have what the round gives them now, but for what is owed."""
    nets, due = watch.nets[event.round], Counter[int]()
    due.update({row.place: row.net for row in event.places})
    due.update({row.place: row.net for row in event.spins})
    for row in event.moved:
        if row.against == "bank":
            nets[row.place] += row.cents
            due[row.place] -= row.owed
    places = {*due, *nets}
    is_all = all(due[place] == nets[place] for place in places)
    assert is_all, "a correction moves the difference"


def fees_do_not_know_results(watch: Watch, live: ActiveRound) -> None:
    """Check that the fees of a round follow from its wagers alone."""
    poker = poker_or_none(live)
    if live.banker is None or poker is None:
        return
    paid: Counter[int] = Counter()
    for event in watch.rounds[live.number]:
        for fee in getattr(event, "fees", ()):
            paid[fee.place] += fee.cents
        if isinstance(event, happened.HandVoided):
            paid[event.place] -= event.fee
    voided = [bet.cents for bets in live.voided.values() for bet in bets if bet.spot == "ante"]
    of_banker = plain.fee_row(max([row.ante for row in poker.seats] + voided))[3]
    expected = {live.banker: 200 if watch.reading.get("fee_per") == "kind" else of_banker}
    for place in live.wagers:
        seat = seat_of(watch.durable.committed, place, live.banker)
        row = next(row for row in poker.seats if row.seat == seat)
        expected[place] = plain.california_fee(_seat_line(row), watch.reading)
    assert {place: cents for place, cents in paid.items() if cents} == expected, (
        "fees do not know results"
    )


def _seat_line(seat: Any) -> Json:
    stakes = {name: getattr(seat, name) for name in ("ante", "bonus", "pair_plus")}
    line = {"seat": seat.seat, "cards": format_cards(seat.cards)}
    line |= {name: stake for name, stake in stakes.items() if stake}
    return line | ({"move": seat.move} if seat.move else {})


def settlement_is_the_plain_one(watch: Watch, live: ActiveRound, end: Any) -> None:
    book = watch.durable.committed.book
    if isinstance(book, RouletteRulebook):
        spin = spin_of(live)
        wagers = [to_builtins(wager) for wager in spin.wagers]
        expected = plain.settle_roulette({"pocket": spin.pocket, "wagers": wagers}, watch.reading)
        rows = [to_builtins(bet) for row in end.places for bet in row.bets]
        plainly = (expected["wagers"], expected["banker"])
        assert (rows, end.net) == plainly, "settlement is the plain one"
        return
    assert isinstance(book, PokerRulebook)
    poker = poker_of(live)
    assert poker.dealer is not None
    line: Json = {
        "dealer": format_cards(poker.dealer),
        "seats": [_seat_line(row) for row in poker.seats],
    }
    if live.banker is not None:
        line |= {"bank": live.bank, "first": poker.first}
        expected = plain.settle_california(line, watch.reading)
    else:
        expected = plain.settle_house(line, watch.reading)
    wanted = [(seat["seat"], seat["wagers"], seat["net"]) for seat in expected["seats"]]
    result = [(row.seat, to_builtins(row.wagers), row.net) for row in end.places]
    same = [(seat, list(wagers), net) for seat, wagers, net in result] == wanted
    assert same, "settlement is the plain one"
    assert end.net == expected["banker"], "settlement is the plain one"
    assert end.bank_left == expected.get("bank_left"), "settlement is the plain one"


def own_views_complete_the_view(
    state: State, players: tuple[str, ...], seen: dict[str | None, bytes]
) -> None:
    """Check that everyone's view and a player's own make up the player's whole view, no more."""
    owns = own_views(state)
    for player in players:
        made = from_json(seen[None])
        if player in owns:
            own = owns[player]
            if own.place is not None:
                made["you"] = own.place
            _lay_down(made.get("round"), own.hand, own.cards)
            _lay_down((made.get("last") or {}).get("round"), own.last_hand, own.last_cards)
        assert made == from_json(seen[player]), "own views complete the view"


def _lay_down(round: Json | None, place: int | None, cards: tuple[int, ...] | None) -> None:
    if cards is None:
        return
    assert round is not None
    for hand in round["hands"]:
        if hand["place"] == place:
            hand["cards"] = list(cards)


def replay_is_live(durable: DurableTable) -> None:
    state: State | None = None
    for row in durable._store.read(durable.stream):
        state = evolve(state, decode(row.event))
    assert state is not None
    live = replace(durable.committed, book=state.book)
    assert state == live, "replay is live"
    again = restore(snapshot(state))
    assert again is not None
    assert replace(again, book=state.book) == state, "replay is live"


# Hidden values have no influence on any view.


def views_hide_what_is_hidden(
    state: State, viewer: str | None, seen: bytes, seed: bytes | None
) -> None:
    assert seen == to_json(view(_other_hidden(state, viewer), viewer)), "views hide what is hidden"
    assert seed is None or seed.hex().encode() not in seen, "views hide what is hidden"
    live = state.round
    if live is not None and live.key:
        assert live.key.encode() not in seen, "views hide what is hidden"


def _other_hidden(state: State, viewer: str | None) -> State:
    """Return a table that differs in all that this viewer may not see, and in nothing else."""
    you = state.place_of(viewer) if viewer else None
    changes: Json = {}
    if state.round is not None:
        live = state.round
        seeds = live.seeds
        if not live.chain:  # otherwise they are shown
            seeds = {place: seed if place == you else seed + "?" for place, seed in seeds.items()}
        changes["round"] = _other_cards(
            state, replace(live, seed="00" * 32, key="11" * 32, seeds=seeds), viewer, over=False
        )
    if state.last is not None:
        over = isinstance(state.last.end, happened.RoundSettled)
        changes["last"] = replace(
            state.last, live=_other_cards(state, state.last.live, viewer, over=over)
        )
    return replace(state, **changes)


def _other_cards(state: State, live: ActiveRound, viewer: str | None, *, over: bool) -> ActiveRound:
    """Deal other cards wherever this viewer sees none."""
    poker, book = poker_or_none(live), state.book
    if poker is None or poker.dealer is None:
        return live
    assert isinstance(book, PokerRulebook)
    used = {card for row in poker.seats for card in row.cards or ()} | set(poker.dealer)
    fresh = iter([card for card in DECK if card not in used] * 4)
    places = [place for place, player in live.players.items() if player == viewer]
    own = [seat_of(state, place, live.banker) for place in places]
    seats = []
    for row in poker.seats:
        is_own = row.seat in own
        shown = over and (row.move != "fold" or (book.bank is None and row.pair_plus))
        cards = row.cards if is_own or shown else (next(fresh), next(fresh), next(fresh))
        seats.append(replace(row, cards=cards))
    dealer = poker.dealer
    if not (over and any(row.move == "play" for row in poker.seats)):
        hidden = [next(fresh) for _ in range(3 - book.up)]
        a, b, c = [*dealer[: book.up], *hidden]
        dealer = (a, b, c)
    return replace(live, play=replace(poker, seats=tuple(seats), dealer=dealer))
