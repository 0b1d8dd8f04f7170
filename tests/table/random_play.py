"""Random play at a table, from a seed.

Every command is drawn, the senseless ones too; the table may refuse them.
"""

from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from msgspec.structs import replace

import queenhigh as qh
from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.room.room import settings_for
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import vary
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.store.streams import Store
from queenhigh.table import commands
from queenhigh.table.commands import Bet, Command, Pace, Settings
from queenhigh.table.decide import wakes_at
from queenhigh.table.notice import needs_notice
from queenhigh.table.state import State
from tests.oracle.plain import KIND_RATES
from tests.table.own_seeds import own_commitment, own_seed
from tests.table.random_rulings import PastRounds, draw_ruling
from tests.table.seeded_rooms import seeded_room
from tests.table.staff_log import hire

PLAYERS = ("ann", "bob", "cyd", "dan", "eve", "fay")
PACE = Pace(pause=100, offer=300, bets=500, moves=500)

#: Every game, and every reading that a table plays differently.
BOOKS: dict[str, Rulebook] = {
    "california": qh.load("california"),
    "by wager": qh.load(
        "california",
        {
            "fee_per": "wager", "collect": "after", "limits.bonus.min": 500,
            "exposed_player": "void_hand",
        },
    ),
    "by wager, before": qh.load(
        "california",
        {"fee_per": "wager", "limits.bonus.min": 500, "exposed_player": "void_hand"},
    ),
    "net, drawn": qh.load(
        "california",
        {"coverage": "net", "first": "drawn", "rotation": "free", "misdeal": "redeal"},
    ),
    "button": qh.load(
        "california",
        {
            "first": "button", "rotation": "every_round",
            "misdeal": "redeal", "exposed_dealer": "play_on", "exposed_player": "void_hand",
        },
    ),
    "house": qh.load("house", {"misdeal": "redeal", "exposed_player": "void_hand"}),
    "roulette": qh.load("roulette"),
    "en prison": qh.load("roulette-european", {"on_zero": "en_prison", "second_zero": "stay"}),
    "half": qh.load("roulette-european", {"on_zero": "en_prison", "second_zero": "half"}),
    "partage": qh.load("roulette-european", {"on_zero": "la_partage"}),
    "in turn": qh.load(
        "california",
        {
            "settle_order": "wager", "fold_uncovered": "lost",
            "fee_per": "kind", "fees.rates": KIND_RATES,
        },
    ),
    "bonus first": qh.load(
        "california",
        {
            "settle_order": "bonus_first", "fold_uncovered": "lost", "coverage": "net",
            "fee_per": "kind", "fees.rates": KIND_RATES, "collect": "after", "first": "drawn",
        },
    ),
    "together": qh.load("house", {"scope": "total"}),
}  # fmt: skip
#: How the plain settlement calls those readings.
READINGS: dict[str, dict[str, Any]] = {
    "california": {},
    "by wager": {"fee_per": "wager"},
    "by wager, before": {"fee_per": "wager"},
    "net, drawn": {"coverage": "net"},
    "button": {},
    "house": {},
    "roulette": {},
    "en prison": {"on_zero": "en_prison", "second_zero": "stay"},
    "half": {"on_zero": "en_prison", "second_zero": "half"},
    "partage": {"on_zero": "la_partage"},
    "in turn": {"settle_order": "wager", "fold_uncovered": "lost", "fee_per": "kind"},
    "bonus first": {
        "settle_order": "bonus_first",
        "fold_uncovered": "lost",
        "coverage": "net",
        "fee_per": "kind",
    },
    "together": {"scope": "total"},
}
WHEEL = ("red", "black", "low", "odd", "dozen 2", "straight 0", "straight 17", "split 17 20")
#: Odd things to bet on, amounts to bet, and ids to use again.
ODD_SPOTS = ("ante", "bonus", "pair_plus", "play", "red", "split 1 3", "column 1")


def limit_key(book: Rulebook) -> str:
    """Return the key of a limit that a table may change; one for all bets is the Ante's too."""
    if isinstance(book, RouletteRulebook):
        return "limits.max"
    if book.betting.together is not None:
        return "limits.pair_plus.min"
    return "limits.bonus.max" if book.bank is not None else "limits.pair_plus.max"


LIMITS = {
    "limits.max": (250, 1000, 10_000),
    "limits.bonus.max": (500, 700, 10_000),
    "limits.pair_plus.max": (100, 300, 400),
    "limits.pair_plus.min": (100, 200, 300),
}


def other_rules(state: State, limit: int, pause: int) -> tuple[dict[str, Any], Settings]:
    """Return rules that a table may change to: a limit, and a pause.

    No round comes to anything else by them: a plain settlement need not know of the change.
    """
    pace = replace(state.settings.pace, pause=pause)
    document = dict(vary(state.book, {limit_key(state.book): limit}).document)
    return document, replace(state.settings, pace=pace)


class RandomPlay:
    """A table, its players, and the next thing that someone does."""

    def __init__(self, store: Store, book: Rulebook, seed: int, name: str = "t1") -> None:
        self.random = Random(seed)
        self.room = seeded_room(store, self.random)
        self.at = 1_000_000
        silence = self.random.choice(("fold", "play"))
        settings = replace(settings_for(book, pace=PACE), default_move=silence)
        if seed % 3 == 0:
            settings = replace(settings, table_chips=True)
        self.durable = self.room.open_table(name, book, settings)
        #: Whether all but one of the players are bots.
        self.has_bots = seed % 2 == 0
        self.sent: list[Command] = []
        self.past = PastRounds()
        hire(store)
        for player in PLAYERS:
            self.room.wallets.issue(player, 300_000, id="chips", at=self.at, reason="to play")

    def close(self) -> None:
        """Close the table in any phase, and play its round to the end."""
        closing = self._make(commands.CloseTable, commands.FLOOR, reason="the night is over")
        self.durable.execute(closing)
        for _ in range(100):  # bets may stay in prison for some spins
            if self.durable.committed.phase == "closed":
                return
            self.at = max(self.at, wakes_at(self.durable.committed) or 0)
            with suppress(QueenhighError):
                self.durable.execute(commands.Tick(id="", by=commands.CLOCK, at=self.at))

    def step(self) -> tuple[Command, Any]:
        """Do the next thing; return the command and its answer or refusal."""
        command = self.next_command()
        self.sent.append(command)
        try:
            return command, self.durable.execute(command)
        except BrokenLog:
            raise
        except QueenhighError as error:
            return command, error
        finally:
            self.past.note(self.durable.committed)

    def next_command(self) -> Command:
        """Draw a command: mostly one that the table waits for, at times any."""
        draw = self.random
        self.at += draw.choice((0, 1, 5, 20))
        if self.sent and draw.random() < 0.06:
            return draw.choice(self.sent[-40:])
        state = self.durable.committed
        if draw.random() < 0.05 or (state.phase == "between" and draw.random() < 0.5):
            due = wakes_at(state) or 0
            if state.announced and draw.random() < 0.1:
                due = state.announced.starts
            self.at = max(self.at, due + draw.choice((-1, 0, 3)))
            return commands.Tick(id="", by=commands.CLOCK, at=self.at)
        is_ruling = draw.random() < 0.04
        if is_ruling or draw.random() < (0.1 if state.phase == "between" else 0.02):
            return self._ruling() if is_ruling else self._floor()
        player = draw.choice(PLAYERS)
        if state.place_of(player) is None:
            place = draw.randint(1, state.settings.places)
            cents = draw.choice((900, 5000, 60_000))
            is_bot = self.has_bots and player != PLAYERS[0]
            return self._make(commands.Sit, player, place=place, cents=cents, bot=is_bot)
        if draw.random() < 0.12:
            return self._coming_and_going(player)
        return self._expected_command(state, player)

    def _make(self, kind: type[Command], player: str, /, **fields: Any) -> Command:
        return kind(id=f"{self.random.getrandbits(40):x}", by=player, at=self.at, **fields)

    def _ruling(self) -> Command:
        """Rule on an irregularity, or ask for a correction, approve or reject it."""
        state = self.durable.committed
        draw_bets = partial(self._wagers, state.book)
        kind, fields = draw_ruling(self.random, state, self.past, draw_bets)
        return self._make(kind, commands.FLOOR, **fields)

    def _floor(self) -> Command:
        draw, state = self.random, self.durable.committed
        if draw.random() < (0.7 if state.phase == "between" else 0.2):
            pause = draw.choice((100, 100, 40, 250))
            limit = LIMITS[limit_key(state.book)][draw.randrange(3)]
            document, settings = other_rules(state, limit, pause)
            fields: Any = {"rulebook": document, "settings": settings, "reason": "a slow night"}
            kind: type[Command] = commands.ChangeTable
            if needs_notice(state, document, settings):
                kind = commands.AnnounceChange
            elif state.announced:
                kind, fields = commands.WithdrawChange, {"reason": "a mistake"}
            return self._make(kind, commands.FLOOR, **fields)
        if draw.random() < 0.3:
            self.at = max(0, state.at + draw.choice((-(10**9), -40, 0, 70, 10**9)))
            fields = {"before": state.at - draw.choice((0, 0, 0, 1)), "reason": "the clock was set"}
            return self._make(commands.RebaseTime, commands.FLOOR, **fields)
        if draw.random() < 0.5:
            return self._make(commands.GiveTime, commands.FLOOR, reason="a short break")
        reason = draw.choice(("misdeal", ""))
        return self._make(commands.VoidRound, commands.FLOOR, round=state.number, reason=reason)

    def _coming_and_going(self, player: str) -> Command:
        draw = self.random
        if draw.random() < 0.3:
            return self._absence(player)
        sit_out = commands.SitOut
        kind = draw.choice((commands.Leave, sit_out, sit_out, commands.TopUp, commands.WantBank))
        if kind is commands.Leave:
            return self._make(kind, player, when=draw.choice(("now", "after_round")))
        if kind is commands.SitOut:
            return self._make(kind, player, aside=draw.random() < 0.3)
        if kind is commands.TopUp:
            return self._make(kind, player, cents=draw.choice((0, 500, 20_000, 10**9)))
        return self._make(kind, player)

    def _absence(self, player: str) -> Command:
        """Mark a player as away, or bring them back."""
        state = self.durable.committed
        place = state.place_of(player) or 1
        if self.random.random() < 0.3:
            return self._make(commands.StopClock, commands.FLOOR)
        kind = commands.BringBack if state.places[place].away else commands.MarkAway
        sender = self.random.choice((commands.FLOOR, commands.FLOOR, player))
        return self._make(kind, sender, place=place)

    def _expected_command(self, state: State, player: str) -> Command:
        draw = self.random
        round = state.number if draw.random() < 0.97 else draw.randint(0, 3)
        if state.phase == "offering":
            asked = state.places[state.offer.place or 1].player if state.offer.place else player
            player = asked if draw.random() < 0.9 else player
            if draw.random() < 0.35:
                return self._make(commands.DeclineBank, player, round=round + 1)
            cents = draw.choice((0, 500, 1500, 4000, 20_000))
            return self._make(commands.AcceptBank, player, round=round + 1, cents=cents)
        if state.phase == "revealing" and draw.random() < 0.9:
            live = state.round
            assert live is not None
            player = draw.choice([entry.player for entry in live.committed.values()])
            seed = own_seed(state, player).hex() if draw.random() < 0.9 else "00" * 32
            return self._make(commands.ShowSeed, player, round=round, seed=seed)
        if state.phase == "deciding" and draw.random() < 0.9:
            move = draw.choice(("play", "play", "fold"))
            return self._make(commands.Choose, player, round=round, move=move)
        return self._betting(state, player, round)

    def _betting(self, state: State, player: str, round: int) -> Command:
        draw = self.random
        if draw.random() < 0.08:
            return self._make(commands.ClearWagers, player, round=round)
        if draw.random() < 0.08:
            commitment = own_commitment(state, player if draw.random() < 0.95 else PLAYERS[0])
            return self._make(commands.CommitSeed, player, round=round, commitment=commitment)
        if draw.random() < 0.08:
            seed = draw.choice(("a", "é", ""))
            return self._make(commands.AddSeed, player, round=round, seed=seed)
        ready = draw.random() < 0.7
        wagers = self._wagers(state.book)
        return self._make(commands.PlaceWagers, player, round=round, wagers=wagers, ready=ready)

    def _wagers(self, book: Rulebook) -> tuple[Bet, ...]:
        draw = self.random
        if draw.random() < 0.07:
            return (Bet(draw.choice(ODD_SPOTS), draw.choice((-5, 0, 1, 77, 10**7))),)
        if not isinstance(book, PokerRulebook):
            spots = draw.sample(WHEEL, draw.randint(0, 3))
            return tuple(Bet(spot, draw.choice((100, 250, 1000, 10_000))) for spot in spots)
        ante = draw.choice((100, 300, 400) if book.bank is None else (500, 700, 10_001, 2000))
        side = "pair_plus" if book.bank is None else "bonus"
        bets = [Bet("ante", ante)] if draw.random() < 0.8 else []
        if draw.random() < 0.4:
            bets.append(Bet(side, draw.choice((100, 400) if book.bank is None else (500, 100))))
        return tuple(bets)
