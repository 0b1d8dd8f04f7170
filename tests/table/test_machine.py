"""A table under every command anyone can think of, in any order, once and again.

The machine draws commands, sensible or not, and looks at the table after each. Then the same
machine is let loose on tables with a bug in them, one for each property, and must find it.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec.structs import replace

from queenhigh.errors import QueenhighError
from queenhigh.games import three_card_poker
from queenhigh.room import desk as desk_module
from queenhigh.room.room import Room, settings_for
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import vary
from queenhigh.store.memory import MemoryStore
from queenhigh.table import commands as ask
from queenhigh.table import decide as decide_module
from queenhigh.table import events as happened
from queenhigh.table import evolve, ledger
from queenhigh.table.commands import Bet, Command
from queenhigh.table.decide import wakes_at
from queenhigh.table.draft import Draft
from queenhigh.table.fairness import document_digest
from queenhigh.table.state import Answer, State
from tests.sizes import FULL
from tests.table.chaos import BOOKS, PACE, READINGS, WHEEL, other_rules
from tests.table.properties import Watch

PLAYERS = ("ann", "bob", "cyd", "dan")
players = st.sampled_from(PLAYERS)
CHIPS = 200_000


class Table(RuleBasedStateMachine):
    """Four players at a table, and whatever they do."""

    books = tuple(BOOKS)
    settled = 0

    @initialize(
        which=st.integers(0, len(BOOKS) - 1),
        silence=st.sampled_from(("fold", "play")),
        cards=st.integers(0, 2**32),
    )
    def open(self, which: int, silence: Any, cards: int) -> None:
        name = self.books[which % len(self.books)]
        self.room = Room(MemoryStore(), Random(cards).randbytes)
        book = BOOKS[name]
        settings = replace(settings_for(book, pace=PACE), silence=silence)
        self.desk = self.room.open_table("t1", book, settings)
        self.watch = Watch(self.room, self.desk, PLAYERS, READINGS[name])
        self.at, self.ids = 1_000_000, 0
        self.sent: list[Command] = []
        self.told: dict[str, Answer | None] = {}
        for place, player in enumerate(PLAYERS, 1):
            self.room.wallets.issue(player, CHIPS, id="chips", at=0, reason="to play")
            self.watch.issued += CHIPS
            self.send(ask.Sit, player, place=place * 2 - 1, cents=40_000)

    @property
    def state(self) -> State:
        return self.desk.state

    def send(self, kind: type[Command], by: str, **fields: Any) -> None:
        self.ids += 1
        id = "" if kind is ask.Tick else f"c{self.ids}"
        self.give(kind(id=id, by=by, at=self.at, **fields))

    def give(self, command: Command) -> None:
        self.sent.append(command)
        before = self.state
        try:
            told = self.desk.execute(command)
            if command.id:
                first = self.told.setdefault(f"{command.by}/{command.id}", told)
                assert told == first, "an id has one effect"
        except QueenhighError as refused:
            _is_polite(refused)
            assert self.state is before
        self.watch.after(command)

    # What moves a round along

    @rule(wait=st.sampled_from((0, 1, 90, 400)))
    def pass_time(self, wait: int) -> None:
        self.at += wait
        self.send(ask.Tick, ask.CLOCK)

    @rule(late=st.integers(0, 2))
    def tick_when_due(self, late: int) -> None:
        self.at = max(self.at, (wakes_at(self.state) or 0) + late)
        self.send(ask.Tick, ask.CLOCK)

    @precondition(lambda self: self.state.phase == "offering")
    @rule(cents=st.sampled_from((499, 500, 1500, 9_000, 39_000)), accept=st.integers(0, 3))
    def answer_the_offer(self, cents: int, accept: int) -> None:
        assert self.state.offer.place is not None
        asked, number = self.state.places[self.state.offer.place].player, self.state.number + 1
        if accept:
            self.send(ask.AcceptBank, asked, round=number, cents=cents)
        else:
            self.send(ask.DeclineBank, asked, round=number)

    @precondition(lambda self: self.state.phase == "betting")
    @rule(size=st.integers(0, 3), side=st.booleans())
    def everyone_bets(self, size: int, side: bool) -> None:
        number = self.state.number
        for player in PLAYERS:
            wagers = self._sensible(size, side=side)
            self.send(ask.PlaceWagers, player, round=number, wagers=wagers, ready=True)

    def _sensible(self, size: int, *, side: bool) -> tuple[Bet, ...]:
        book = self.state.book
        if not isinstance(book, PokerRulebook):
            extra = (Bet(WHEEL[-1 - size], 200),) if side else ()
            return (Bet(WHEEL[size], 100 * (size + 1)), *extra)
        if book.bank is None:
            ante, name, bonus = 100 * (size + 1), "pair_plus", 300
        else:
            ante, name, bonus = (500, 1200, 10_001, 2000)[size], "bonus", 500
        return (Bet("ante", ante), *((Bet(name, bonus),) if side else ()))

    @precondition(lambda self: self.state.phase == "deciding")
    @rule(moves=st.lists(st.sampled_from(("play", "fold")), min_size=4, max_size=4))
    def everyone_moves(self, moves: list[str]) -> None:
        number = self.state.number
        for player, move in zip(PLAYERS, moves, strict=True):
            self.send(ask.Choose, player, round=number, move=move)

    @rule(
        cents=st.sampled_from((1500, 9_000)),
        size=st.integers(0, 3),
        side=st.booleans(),
        moves=st.lists(st.sampled_from(("play", "play", "fold")), min_size=4, max_size=4),
    )
    def play_on(self, cents: int, size: int, side: bool, moves: list[str]) -> None:
        """Do what the table waits for until a round is over, or it waits for something else."""
        if self.state.phase == "between":
            self.tick_when_due(0)
        if self.state.phase == "offering":
            self.answer_the_offer(cents, 1)
        if self.state.phase == "betting":
            self.everyone_bets(size, side)
        if self.state.phase == "deciding":
            self.everyone_moves(moves)

    # What single players do

    @rule(
        player=players,
        spot=st.sampled_from(("ante", "bonus", "pair_plus", "play", *WHEEL, "split 1 3")),
        cents=st.sampled_from((-1, 0, 1, 100, 400, 500, 10_000, 30_000, 10**9)),
        ready=st.booleans(),
        off=st.integers(-1, 1),
    )
    def bet(self, player: str, spot: str, cents: int, ready: bool, off: int) -> None:
        number = self.state.number + (off if self.ids % 3 == 0 else 0)
        self.send(ask.PlaceWagers, player, round=number, wagers=(Bet(spot, cents),), ready=ready)

    @rule(player=players, move=st.sampled_from(("play", "fold")))
    def choose(self, player: str, move: Any) -> None:
        self.send(ask.Choose, player, round=self.state.number, move=move)

    @rule(player=players)
    def clear(self, player: str) -> None:
        self.send(ask.ClearWagers, player, round=self.state.number)

    @rule(player=players, seed=st.sampled_from(("", "lucky", "é" * 32, "x" * 65)))
    def add_seed(self, player: str, seed: str) -> None:
        self.send(ask.AddSeed, player, round=self.state.number, seed=seed)

    @rule(player=players, place=st.integers(0, 12), cents=st.sampled_from((0, 700, 40_000, 10**7)))
    def sit(self, player: str, place: int, cents: int) -> None:
        self.send(ask.Sit, player, place=place, cents=cents)

    @rule(player=players, cents=st.sampled_from((0, 1, 20_000, 10**7)))
    def top_up(self, player: str, cents: int) -> None:
        self.send(ask.TopUp, player, cents=cents)

    @rule(player=players, aside=st.booleans())
    def stand_aside(self, player: str, aside: bool) -> None:
        self.send(ask.StandAside, player, aside=aside)

    @rule(player=players, when=st.sampled_from(("now", "after_round")))
    def leave(self, player: str, when: Any) -> None:
        self.send(ask.Leave, player, when=when)

    @rule(player=players)
    def want_the_bank(self, player: str) -> None:
        self.send(ask.WantBank, player)

    @rule(reason=st.sampled_from(("a card was exposed", "")))
    def void(self, reason: str) -> None:
        self.send(ask.VoidRound, ask.FLOOR, reason=reason)

    @rule(
        most=st.integers(0, 2),
        pause=st.sampled_from((100, 0, 250)),
        sender=st.sampled_from((ask.FLOOR, ask.FLOOR, PLAYERS[0])),
    )
    def change(self, most: int, pause: int, sender: str) -> None:
        document, settings = other_rules(self.state, most, pause)
        why = "a slow night"
        self.send(ask.ChangeTable, sender, rulebook=document, settings=settings, reason=why)

    @rule(really=st.integers(0, 9))
    def close(self, really: int) -> None:
        sender = ask.FLOOR if really == 0 else PLAYERS[0]
        self.send(ask.CloseTable, sender, reason="the night is over")

    # Once more, and late

    @precondition(lambda self: self.state.phase == "betting")
    @rule(player=players, size=st.integers(0, 3))
    def bet_twice_in_doubt(self, player: str, size: int) -> None:
        """Send a wager, hear nothing, send it again."""
        wagers = self._sensible(size, side=False)
        self.send(ask.PlaceWagers, player, round=self.state.number, wagers=wagers)
        self.give(self.sent[-1])

    @rule(back=st.integers(1, 12))
    def send_again(self, back: int) -> None:
        if back > len(self.sent):
            return
        self.give(self.sent[-back])

    def teardown(self) -> None:
        if hasattr(self, "watch"):
            self.watch.at_the_end()
            Table.settled += self.watch.settled


def _is_polite(refused: QueenhighError) -> None:
    """A refusal has a code for programs and one sentence for people."""
    assert refused.code
    assert str(refused)
    assert "\n" not in str(refused)


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
QUIET = settings(
    deadline=None,
    suppress_health_check=SLOW,
    stateful_step_count=60,
    report_multiple_bugs=False,
)


def test_whatever_anyone_does() -> None:
    examples = 500 if FULL else 40
    run_state_machine_as_test(Table, settings=settings(QUIET, max_examples=examples))
    assert Table.settled > examples // 4, "the machine hardly plays"


# Planted bugs, one for each property


def pays_a_cent_too_much(patch: pytest.MonkeyPatch) -> None:
    right = ledger._POSTINGS[happened.RoundSettled]
    wrong = lambda event: [*right(event), (ledger.FEES, 1)]  # noqa: E731
    patch.setitem(ledger._POSTINGS, happened.RoundSettled, wrong)


def bets_more_than_there_is(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ledger, "MAY_OWE", _Everything())
    patch.setattr(State, "stack", lambda state, place: 10**6)


class _Everything:
    def __contains__(self, account: object) -> bool:
        return True


def forgets_what_it_answered(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evolve, "_remember", lambda *_: None)


def keeps_what_it_voids(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(ledger._POSTINGS, happened.RoundVoided, lambda event: [])


def banks_beyond_the_bank(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.settle

    def wrong(book: Any, round: Any) -> Any:
        fair = right(book, round)
        bank = round.bank * 100 if round.bank is not None else None
        greedy = right(book, replace(round, bank=bank))
        return fair if fair.seats == greedy.seats else greedy

    patch.setattr(three_card_poker, "settle", wrong)


def stores_something_else(patch: pytest.MonkeyPatch) -> None:
    right = happened.encode

    def wrong(event: Any) -> bytes:
        if isinstance(event, happened.WagersPlaced):
            event = replace(event, ready=False)
        return right(event)

    patch.setattr(desk_module, "encode", wrong)


def lets_someone_off_the_fee(patch: pytest.MonkeyPatch) -> None:
    right = Draft.emit

    def wrong(draft: Draft, kind: type, **fields: Any) -> None:
        if kind is happened.BetsClosed and sum(bytes.fromhex(draft.live.seed)) % 2:
            lucky, *others = fields["fees"]
            fields |= {"fees": tuple(others), "released": (*fields["released"], lucky)}
        right(draft, kind, **fields)

    patch.setattr(Draft, "emit", wrong)


def pays_the_ante_of_who_is_behind(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.settle
    other: Any = vary(BOOKS["california"], {"short_ante": "win"})
    patch.setattr(three_card_poker, "settle", lambda book, round: right(other, round))


def shows_the_dealers_hand(patch: pytest.MonkeyPatch) -> None:
    right = three_card_poker.view

    def wrong(book: Any, round: Any, seat: Any = None) -> Any:
        return replace(right(book, round, seat), dealer=round.dealer)

    patch.setattr(three_card_poker, "view", wrong)


def changes_the_rules_in_the_middle(patch: pytest.MonkeyPatch) -> None:
    def wrong(draft: Draft, command: ask.ChangeTable) -> None:
        draft.emit(
            happened.TableChanged,
            rulebook=command.rulebook,
            digest=document_digest(command.rulebook),
            settings=command.settings,
            reason=command.reason,
        )

    patch.setitem(decide_module._HANDLERS, ask.ChangeTable, wrong)


PLANTED: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "chips are conserved": pays_a_cent_too_much,
    "nothing is negative": bets_more_than_there_is,
    "an id has one effect": forgets_what_it_answered,
    "every hold ends": keeps_what_it_voids,
    "the bank is the limit": banks_beyond_the_bank,
    "replay is live": stores_something_else,
    "fees do not know results": lets_someone_off_the_fee,
    "settlement is the plain one": pays_the_ante_of_who_is_behind,
    "views hide what is hidden": shows_the_dealers_hand,
    "rules stay through a round": changes_the_rules_in_the_middle,
}


ONCE = (Phase.generate,)


class California(Table):
    books = ("california",)


class Roulette(Table):
    books = ("roulette",)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_is_found(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    PLANTED[name](monkeypatch)
    once = settings(QUIET, max_examples=400, phases=ONCE, derandomize=True)
    where = Roulette if name == "an id has one effect" else California
    with pytest.raises(AssertionError, match=name):
        run_state_machine_as_test(where, settings=once)
