"""A table under every command anyone can think of, in any order, once and again.

The machine draws commands, sensible or not, and everything is checked after each. The same machine
is let loose on tables with a bug in them, one for each property, and must find it. A failure comes
with a recipe that repeats it: put it into ``recipes/`` (see ``recipe.py``).
"""

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from queenhigh.rulebook.book import PokerRulebook
from queenhigh.table import commands
from queenhigh.table.commands import Bet
from queenhigh.table.correction_events import Facts
from queenhigh.table.notice import needs_notice
from queenhigh.table.state import State
from tests.seeds import rng
from tests.sizes import NIGHT, sized
from tests.table import recipe
from tests.table.own_seeds import own_commitment, own_seed
from tests.table.planted_bugs import PLANTED
from tests.table.random_play import BOOKS, LIMITS, WHEEL, limit_key, other_rules
from tests.table.random_rulings import KINDS
from tests.table.watched_table import PLAYERS, WatchedTable

players = st.sampled_from(PLAYERS)
#: What was wrong with a round, by a correction of it.
WRONG = ("void", "hand", "play", "fold", "bet", "bet", "nothing")
DAY = 24 * 3600 * 1000


class Machine(RuleBasedStateMachine):
    """Four players at a table, and everything they may do."""

    books = tuple(BOOKS)
    settled = 0
    table: WatchedTable

    @initialize(
        which=st.integers(0, len(BOOKS) - 1),
        silence=st.sampled_from(("fold", "play")),
        cards=st.integers(0, 2**32),
        bots=st.sampled_from((0, 0, 3)),
    )
    def open(self, which: int, silence: Any, cards: int, bots: int) -> None:
        name = self.books[which % len(self.books)]
        self.table = type(self).table = WatchedTable(name, silence, cards)
        self.send = self.table.send
        for place, player in enumerate(PLAYERS, 1):
            is_bot = place > len(PLAYERS) - bots
            self.send(commands.Sit, player, place=place * 2 - 1, cents=40_000, bot=is_bot)

    @property
    def state(self) -> State:
        return self.table.state

    # Steps of a round

    @rule(wait=st.sampled_from((0, 1, 90, 400)))
    def pass_time(self, wait: int) -> None:
        self.table.wait(wait)

    @rule(late=st.integers(0, 2))
    def tick_when_due(self, late: int) -> None:
        self.table.wait_for_deadline(late)

    @precondition(lambda self: self.state.phase == "offering")
    @rule(cents=st.sampled_from((499, 500, 1500, 9_000, 39_000)), accept=st.integers(0, 3))
    def answer_the_offer(self, cents: int, accept: int) -> None:
        assert self.state.offer.place is not None
        asked, number = self.state.places[self.state.offer.place].player, self.state.number + 1
        if accept:
            self.send(commands.AcceptBank, asked, round=number, cents=cents)
        else:
            self.send(commands.DeclineBank, asked, round=number)

    @precondition(lambda self: self.state.phase == "betting")
    @rule(size=st.integers(0, 3), side=st.booleans())
    def everyone_bets(self, size: int, side: bool) -> None:
        number = self.state.number
        for player in PLAYERS:
            wagers = self._sensible(size, side=side)
            self.send(commands.PlaceWagers, player, round=number, wagers=wagers, ready=True)

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

    @precondition(lambda self: self.state.phase == "betting")
    @rule(player=players)
    def commit(self, player: str) -> None:
        commitment = own_commitment(self.state, player)
        self.send(commands.CommitSeed, player, round=self.state.number, commitment=commitment)

    @precondition(lambda self: self.state.phase == "revealing")
    @rule(count=st.integers(0, 4))
    def show(self, count: int) -> None:
        for player in PLAYERS[:count]:
            seed = own_seed(self.state, player).hex()
            self.send(commands.ShowSeed, player, round=self.state.number, seed=seed)

    @precondition(lambda self: self.state.phase == "deciding")
    @rule(moves=st.lists(st.sampled_from(("play", "fold")), min_size=4, max_size=4))
    def everyone_moves(self, moves: list[str]) -> None:
        number = self.state.number
        for player, move in zip(PLAYERS, moves, strict=True):
            self.send(commands.Choose, player, round=number, move=move)

    @rule(
        cents=st.sampled_from((1500, 9_000)),
        size=st.integers(0, 3),
        side=st.booleans(),
        moves=st.lists(st.sampled_from(("play", "play", "fold")), min_size=4, max_size=4),
    )
    def play_on(self, cents: int, size: int, side: bool, moves: list[str]) -> None:
        """Send the command that the table waits for until a round is over."""
        self._deal(cents, size, side=side)
        if self.state.phase == "deciding":
            self.everyone_moves(moves)

    def _deal(self, cents: int, size: int, *, side: bool) -> None:
        """Send the command that the table waits for until hands are decided, or a spin is over."""
        if self.state.phase == "between":
            self.tick_when_due(0)
        if self.state.phase == "offering":
            self.answer_the_offer(cents, 1)
        if self.state.phase == "betting":
            self.everyone_bets(size, side)
        if self.state.phase == "revealing":
            self.show(len(PLAYERS))

    @rule(kind=st.sampled_from(KINDS), place=st.sampled_from((1, 3, 5, 7)), side=st.booleans())
    def deal_and_rule(self, kind: Any, place: int, side: bool) -> None:
        self._deal(9_000, 1, side=side)
        if self.state.phase == "deciding":
            self.rule_incident(kind, place)

    @precondition(lambda self: self.state.number > 0)
    @rule(
        place=st.sampled_from((1, 3, 5, 7)),
        what=st.sampled_from(WRONG),
        size=st.integers(0, 3),
        reject=st.integers(0, 3),
    )
    def correct(self, place: int, what: str, size: int, reject: int) -> None:
        self.ask_correction(0, place, what, size, side=True)
        if self.state.corrections.asked:
            self.answer_correction(reject)

    # Actions of single players

    @rule(
        player=players,
        spot=st.sampled_from(("ante", "bonus", "pair_plus", "play", *WHEEL, "split 1 3")),
        cents=st.sampled_from((-1, 0, 1, 100, 400, 500, 10_000, 30_000, 10**9)),
        ready=st.booleans(),
        off=st.integers(-1, 1),
    )
    def bet(self, player: str, spot: str, cents: int, ready: bool, off: int) -> None:
        number = self.state.number + (off if len(self.table.sent) % 3 == 0 else 0)
        wagers = (Bet(spot, cents),)
        self.send(commands.PlaceWagers, player, round=number, wagers=wagers, ready=ready)

    @rule(player=players, move=st.sampled_from(("play", "fold")))
    def choose(self, player: str, move: Any) -> None:
        self.send(commands.Choose, player, round=self.state.number, move=move)

    @rule(player=players)
    def clear(self, player: str) -> None:
        self.send(commands.ClearWagers, player, round=self.state.number)

    @rule(player=players, seed=st.sampled_from(("", "lucky", "é" * 32, "x" * 65)))
    def add_seed(self, player: str, seed: str) -> None:
        self.send(commands.AddSeed, player, round=self.state.number, seed=seed)

    @rule(player=players, place=st.integers(0, 12), cents=st.sampled_from((0, 700, 40_000, 10**7)))
    def sit(self, player: str, place: int, cents: int) -> None:
        self.send(commands.Sit, player, place=place, cents=cents)

    @rule(player=players, cents=st.sampled_from((0, 1, 20_000, 10**7)))
    def top_up(self, player: str, cents: int) -> None:
        self.send(commands.TopUp, player, cents=cents)

    @rule(player=players, aside=st.booleans())
    def stand_aside(self, player: str, aside: bool) -> None:
        self.send(commands.SitOut, player, aside=aside)

    @rule(place=st.integers(0, 8), sender=st.sampled_from((commands.FLOOR, PLAYERS[0])))
    def mark_away(self, place: int, sender: str) -> None:
        self.send(commands.MarkAway, sender, place=place)

    @rule(place=st.integers(0, 8), sender=st.sampled_from((commands.FLOOR, PLAYERS[0])))
    def bring_back(self, place: int, sender: str) -> None:
        self.send(commands.BringBack, sender, place=place)

    @rule(sender=st.sampled_from((commands.FLOOR, commands.FLOOR, PLAYERS[0])))
    def stop_clock(self, sender: str) -> None:
        self.send(commands.StopClock, sender)

    @rule(player=players, when=st.sampled_from(("now", "after_round")))
    def leave(self, player: str, when: Any) -> None:
        self.send(commands.Leave, player, when=when)

    @rule(player=players)
    def want_the_bank(self, player: str) -> None:
        self.send(commands.WantBank, player)

    @rule(reason=st.sampled_from(("a card was exposed", "")))
    def void(self, reason: str) -> None:
        self.send(commands.VoidRound, commands.FLOOR, round=self.state.number, reason=reason)

    @precondition(lambda self: self.state.phase == "deciding")
    @rule(kind=st.sampled_from(KINDS), place=st.sampled_from((1, 3, 5, 7, None)))
    def rule_incident(self, kind: Any, place: int | None) -> None:
        is_of_place = kind in ("exposed_player", "player_gone")
        fields = {"kind": kind, "place": place if is_of_place else None}
        words = {"staff": "Maria", "reason": "a dispute"}
        self.send(commands.RuleIncident, commands.FLOOR, round=self.state.number, **fields, **words)

    @precondition(lambda self: self.state.number > 0)
    @rule(
        back=st.sampled_from((0, 0, 1)),
        place=st.sampled_from((1, 3, 5, 7)),
        what=st.sampled_from(WRONG),
        size=st.integers(0, 3),
        side=st.booleans(),
    )
    def ask_correction(self, back: int, place: int, what: str, size: int, side: bool) -> None:
        number = max(1, self.state.number - back)
        facts = {
            "void": Facts(void=True),
            "hand": Facts(wagers={place: ()}),
            "play": Facts(moves={place: "play"}),
            "fold": Facts(moves={place: "fold"}),
            "bet": Facts(wagers={place: self._sensible(size, side=side)}),
            "nothing": Facts(),
        }[what]
        past, words = self.table.past.find(number), {"staff": "Carl", "reason": "seen on video"}
        fields = {"round": number, "facts": facts, "past": past}
        self.send(commands.AskCorrection, commands.FLOOR, **fields, **words)

    @precondition(lambda self: self.state.corrections.asked)
    @rule(reject=st.integers(0, 3))
    def answer_correction(self, reject: int) -> None:
        number, asked = next(iter(self.state.corrections.asked.items()))
        if not reject:
            fields = {"correction": number, "staff": "Noor", "reason": "it was right"}
            self.send(commands.RejectCorrection, commands.FLOOR, **fields)
            return
        past = self.table.past.find(asked.round)
        fields = {"correction": number, "staff": "Noor", "past": past}
        self.send(commands.ApproveCorrection, commands.FLOOR, **fields)

    @rule(
        most=st.integers(0, 2),
        pause=st.sampled_from((100, 0, 250)),
        sender=st.sampled_from((commands.FLOOR, commands.FLOOR, PLAYERS[0])),
    )
    def change(self, most: int, pause: int, sender: str) -> None:
        limit = LIMITS[limit_key(self.state.book)][most]
        document, settings = other_rules(self.state, limit, pause)
        why = "a slow night"
        kind: type[commands.Command] = commands.ChangeTable
        if needs_notice(self.state, document, settings):
            kind = commands.AnnounceChange
        self.send(kind, sender, rulebook=document, settings=settings, reason=why)

    @rule(sender=st.sampled_from((commands.FLOOR, PLAYERS[0])))
    def withdraw_change(self, sender: str) -> None:
        self.send(commands.WithdrawChange, sender, reason="a mistake")

    @precondition(lambda self: self.state.announced is not None)
    @rule(early=st.sampled_from((1, 0, 0)))
    def wait_for_the_change(self, early: int) -> None:
        assert self.state.announced is not None
        self.table.wait(max(0, self.state.announced.starts - self.table.clock - early))

    @rule(shift=st.sampled_from((-(40 * DAY), -2_000, 300, 40 * DAY)))
    def set_clock(self, shift: int) -> None:
        self.table.set_clock(shift)

    @rule(really=st.integers(0, 9))
    def close(self, really: int) -> None:
        sender = commands.FLOOR if really == 0 else PLAYERS[0]
        self.send(commands.CloseTable, sender, reason="the night is over")

    # Once more, and late

    @precondition(lambda self: self.state.phase == "betting")
    @rule(player=players, size=st.integers(0, 3))
    def bet_twice_in_doubt(self, player: str, size: int) -> None:
        """Send a wager, hear nothing, send it again."""
        wagers = self._sensible(size, side=False)
        self.send(commands.PlaceWagers, player, round=self.state.number, wagers=wagers)
        self.table.send_again(1)

    @rule(back=st.integers(1, 12))
    def send_again(self, back: int) -> None:
        self.table.send_again(back)

    def teardown(self) -> None:
        if hasattr(self, "table"):
            self.table.finish()
            Machine.settled += self.table.watch.settled


class California(Machine):
    books = ("california",)


class Roulette(Machine):
    books = ("roulette",)


SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
QUIET = settings(
    deadline=None,
    suppress_health_check=SLOW,
    stateful_step_count=60,
    report_multiple_bugs=False,
)


def seeded(machine: type[Machine], name: str) -> type[Machine]:
    """Return a machine that draws other commands for each commit."""
    named: type[Machine] = type(f"Seeded{machine.__name__}", (machine,), {})
    return seed(rng(name).getrandbits(64))(named)


def search(machine: type[Machine], how: settings) -> None:
    """Run a machine; raise a failure with a recipe for it."""
    try:
        run_state_machine_as_test(machine, settings=how)
    except AssertionError as error:
        result = recipe.write(machine.table, "not known yet", str(error).partition("\n")[0])
        error.add_note(f"This recipe repeats it:\n\n{recipe.shorten(result)}")
        raise


def test_properties_hold_under_random_play() -> None:
    examples = sized(40, 150, 3000)
    search(seeded(Machine, "whatever anyone does"), settings(QUIET, max_examples=examples))
    assert Machine.settled > examples // 20, "the machine hardly plays"


@pytest.mark.full
@pytest.mark.parametrize("breaks", PLANTED)
def test_a_search_finds_a_planted_bug(breaks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Search; at night with other commands for each commit. The result is a recipe."""
    PLANTED[breaks](monkeypatch)
    how = settings(
        QUIET,
        max_examples=sized(400, 400, 2000),
        phases=(Phase.generate,),
        derandomize=not NIGHT,
    )
    machine: type[Machine] = Roulette if breaks == "an id has one effect" else California
    if NIGHT:
        machine = seeded(machine, breaks)
    with pytest.raises(AssertionError, match=breaks) as caught:
        search(machine, how)
    text = caught.value.__notes__[-1].partition("\n\n")[2]
    result = recipe.read(text)
    assert recipe.shows(result)
    monkeypatch.undo()
    recipe.follow(result)
