"""A busy room for some days: every kind of fee, ruling and correction, at several tables."""

from contextlib import suppress
from datetime import datetime
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import msgspec

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room.durable_table import DurableTable
from queenhigh.room.room import settings_for
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import vary
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append
from queenhigh.table import commands
from queenhigh.table.commands import CLOCK, FLOOR, Bet, Pace
from queenhigh.table.correction_events import Facts
from queenhigh.table.decide import wakes_at
from queenhigh.table.events import RoundVoided, encode
from queenhigh.table.incidents import possible_incidents
from queenhigh.table.registry import FLOOR_LOG, FloorActed
from queenhigh.table.state import PastRound, State
from tests.oracle.plain import KIND_RATES
from tests.table.seeded_rooms import seeded_room

PACE = Pace(pause=100, offer=300, bets=500, moves=500)
#: The clocks of Los Angeles are put back in the second night.
STARTS = int(datetime(2026, 10, 30, 19, 20, tzinfo=ZoneInfo("America/Los_Angeles")).timestamp())
DAYS = 4
PLAYERS = ("Ada", "Ben", "Cleo", "Dov", "Edda", "Finn")
RULINGS = {"misdeal": "redeal", "exposed_player": "void_hand"}
RATES = [
    {"clause": "CA-7", "min": 500, "max": 5000, "player": 50, "banker": 100},
    {"clause": "CA-7", "min": 5001, "max": 100000, "player": 250, "banker": 300},
]
#: Wagers must have a rate where each of them pays.
_BY_WAGER = {"fee_per": "wager", "limits.bonus.min": 500}
BOOKS: dict[str, Rulebook] = {
    "by round": qh.load("california", RULINGS),
    "after": qh.load("california", {"collect": "after", "exposed_dealer": "play_on"}),
    "by wager": qh.load("california", {**_BY_WAGER, **RULINGS}),
    "by kind": qh.load(
        "california", {"fee_per": "kind", "fees.rates": KIND_RATES, "exposed_player": "void_hand"}
    ),
    "by kind, after": qh.load(
        "california",
        {"fee_per": "kind", "fees.rates": KIND_RATES, "collect": "after", **RULINGS},
    ),
    "house": qh.load("house"),
    "prison": qh.load("roulette-european", {"on_zero": "en_prison", "second_zero": "stay"}),
    "wheel": qh.load("roulette"),
}  # fmt: skip
ANTES = (500, 900, 5000, 10_000, 10_001, 25_000, 30_001)
BONUSES = (500, 1000, 2500)
SPOTS = ("red", "black", "low", "odd", "straight 17", "dozen 2")


class BusyRoom:
    """A room, its tables, and the time."""

    def __init__(self, file: Path, rounds: int, seed: int = 5) -> None:
        self.random = Random(seed)
        self.store = SqliteStore(file)
        self.store._writes.pragma("synchronous", "off")  # nothing here dies
        self.room = seeded_room(self.store, self.random)
        self.time_ms, self._ids = STARTS * 1000, 0
        self._step = DAYS * 86_400_000 // rounds
        self._names = {name: name for name in PLAYERS}
        with patch("queenhigh.room.room.now", lambda: self.time_ms):
            self.tables = [
                BusyTable(self, self.room.open_table(name, book, settings_for(book, pace=PACE)))
                for name, book in BOOKS.items()
            ]
        for name in PLAYERS:
            self.give(name, 80_000)
        for _ in range(rounds):
            self._play_once()
        self.store.close()

    def _play_once(self) -> None:
        self.time_ms += self.random.randint(0, 2 * self._step)
        table = self.random.choice(self.tables)
        table.play()
        table.stand_up()
        if self.random.random() < 0.06:
            self._rename(self.random.choice(PLAYERS))

    def id(self) -> str:
        """Return the id of the next command."""
        self._ids += 1
        return f"c{self._ids}"

    def give(self, name: str, cents: int) -> None:
        """Give a player chips."""
        player = self._names[name]
        self.room.wallets.issue(player, cents, id=self.id(), at=self.time_ms, reason="to play")

    def player(self, name: str) -> str:
        """Return what a player is called today."""
        return self._names[name]

    @property
    def new_names(self) -> dict[str, str]:
        """Return the names of today by every name that a player ever had."""
        return {
            former: player
            for name, player in self._names.items()
            for former in (name, *(f"{name} {n}" for n in range(2, 100)))
            if former != player
        }

    def _rename(self, name: str) -> None:
        """Give a player another name, who leaves all tables for it."""
        player, wallets = self._names[name], self.room.wallets
        for table in self.tables:
            table.do("Leave", player, when="now")
        if any(table.state.place_of(player) is not None for table in self.tables):
            return
        number = int(player.removeprefix(name) or 1) + 1
        renamed = f"{name} {number}"
        version = wallets.of(player).version
        appends = wallets.hand_over(player, renamed, id=self.id(), at=self.time_ms, version=version)
        self.store.append(*appends)
        for append in appends:
            wallets.finish(append)
        self._names[name] = renamed


class BusyTable:
    """A table at which people sit down, play a round, and leave."""

    def __init__(self, room: BusyRoom, durable: DurableTable) -> None:
        self.room, self.durable, self.random = room, durable, room.random
        self.past: list[PastRound] = []

    @property
    def state(self) -> State:
        return self.durable.committed

    def do(self, kind: str, by: str, /, **fields: Any) -> None:
        """Send a command; the table may refuse it."""
        command = getattr(commands, kind)(id=self.room.id(), by=by, at=self.room.time_ms, **fields)
        with suppress(QueenhighError):
            self.durable.execute(command)

    def tick(self) -> None:
        """Turn the clock to the next deadline."""
        self.room.time_ms = max(self.room.time_ms, wakes_at(self.state) or 0)
        self.durable.execute(commands.Tick(id="", by=CLOCK, at=self.room.time_ms))

    def play(self) -> None:
        """Play a round with some of the players, and correct an older one now and then."""
        self._sit_down()
        before = self.state.number
        for _ in range(60):
            if self.state.phase == "between" and self.state.number > before:
                break
            self._go_on()
        last = self.state.last
        if last is not None and (not self.past or self.past[-1].live.number != last.live.number):
            document = msgspec.json.encode(self.state.document).decode()
            self.past.append(msgspec.structs.replace(last, rulebook=document))
        if self.random.random() < 0.3:
            self._correct()
        if self.random.random() < 0.05:
            self._change_rates()

    def _sit_down(self) -> None:
        for place, name in enumerate(self.random.sample(PLAYERS, self.random.randint(3, 6)), 1):
            player = self.room.player(name)
            cents = self.room.room.wallets.of(player).cents
            if self.state.place_of(player) is not None:
                continue
            if cents < 2_000:
                self.room.give(name, 50_000)
                cents = self.room.room.wallets.of(player).cents
            taken = cents if self.random.random() < 0.3 else cents // 2
            self.do("Sit", player, place=place, cents=taken)

    def stand_up(self) -> None:
        """Have some leave after the round; with bets in prison they stay until it is settled."""
        for player in [seat.player for seat in self.state.places.values()]:
            if self.random.random() < 0.15:
                self.do("Leave", player, when="after_round")

    def _go_on(self) -> None:
        state, draw = self.state, self.random
        number = state.number
        if state.phase == "offering" and state.offer.place is not None and draw.random() < 0.9:
            asked = state.places[state.offer.place].player
            if draw.random() < 0.25:
                self.do("DeclineBank", asked, round=number + 1)
            cents = draw.choice((3000, 20_000, 50_000))
            self.do("AcceptBank", asked, round=number + 1, cents=cents)
        elif state.phase == "betting":
            self._bet()
        elif state.phase == "deciding" and draw.random() < 0.12:
            self._rule()
        elif state.phase == "deciding" and draw.random() < 0.9:
            for seat in [*state.places.values()]:
                move = draw.choice(("play", "play", "fold"))
                self.do("Choose", seat.player, round=number, move=move)
        else:
            self.tick()

    def _bet(self) -> None:
        draw, number = self.random, self.state.number
        for place, seat in [*self.state.places.items()]:
            if place != (self.state.round and self.state.round.banker):
                wagers = self._wagers()
                self.do("PlaceWagers", seat.player, round=number, wagers=wagers)
                if draw.random() < 0.1:
                    self.do("ClearWagers", seat.player, round=number)
        if draw.random() < 0.05:
            self._void("=a misdeal")
        for seat in [*self.state.places.values()]:
            self.do("PlaceWagers", seat.player, round=number, ready=True)
        if self.state.phase == "betting":
            self.tick()

    def _wagers(self) -> tuple[Bet, ...]:
        draw, book = self.random, self.state.book
        if not isinstance(book, PokerRulebook):
            spots = draw.sample(SPOTS, draw.randint(1, 3))
            return tuple(Bet(spot, draw.choice((200, 500, 1000))) for spot in spots)
        if book.bank is None:
            bets = [Bet("ante", draw.choice((100, 200, 400)))]
            return (*bets, Bet("pair_plus", 100)) if draw.random() < 0.5 else tuple(bets)
        bets = [Bet("ante", draw.choice(ANTES))]
        return (*bets, Bet("bonus", draw.choice(BONUSES))) if draw.random() < 0.5 else tuple(bets)

    def _rule(self) -> None:
        """Rule on something; or void the round, which may have fees that were collected."""
        state, draw = self.state, self.random
        possible = possible_incidents(state)
        if not possible or draw.random() < 0.3:
            self._void("a fire alarm")
            return
        chosen = draw.choice(possible)
        place = draw.choice(chosen.places) if chosen.places else None
        self.do(
            "RuleIncident", FLOOR, round=state.number, kind=chosen.kind, place=place,
            staff="Maria", reason="a card fell",
        )  # fmt: skip

    def _void(self, reason: str) -> None:
        """Void the round; the floor's log says who did, unless a program did."""
        number, room = self.state.number, self.room
        self.do("VoidRound", FLOOR, round=number, reason=reason)
        if self.random.random() < 0.7:
            act = FloorActed(
                id="", by="Maria", at=room.time_ms, action="void round", subject=self.durable.table,
                after={"round": number, "held": 0}, reason=reason,
            )  # fmt: skip
            room.store.append(Append(FLOOR_LOG, AT_END, (encode(act),)))

    def _correct(self) -> None:
        """Correct one of the last rounds: approved, rejected, or still waiting."""
        past = self.random.choice(self.past[-6:]) if self.past else None
        if past is None or isinstance(past.end, RoundVoided):
            return
        number = past.live.number
        fields: dict[str, Any] = {"round": number, "facts": self._facts(past), "past": past}
        self.do("AskCorrection", FLOOR, staff="Maria", reason="a dispute", **fields)
        waiting = [n for n, asked in self.state.corrections.asked.items() if asked.round == number]
        for correction in waiting[-1:]:
            draw = self.random.random()
            self.room.time_ms += self.random.choice((0, 60_000, 1_200_000))
            if draw < 0.15:
                by = self.random.choice(("Maria", "Noor"))
                self.do("RejectCorrection", FLOOR, correction=correction, staff=by, reason="no")
            elif draw < 0.95:
                self._approve(correction, past)

    def _approve(self, correction: int, past: PastRound) -> None:
        names = self.room.new_names
        people = [names.get(player, player) for player in past.players.values()]
        wallets = {player: self.room.room.wallets.of(player).cents for player in people}
        self.do(
            "ApproveCorrection", FLOOR, correction=correction, staff="Noor", past=past,
            names=names, wallets=wallets,
        )  # fmt: skip

    def _facts(self, past: PastRound) -> Facts:
        draw, places = self.random, [*past.live.wagers]
        kind, place = draw.random(), draw.choice(places)
        if kind < 0.2:
            return Facts(void=True)
        if kind < 0.4:
            return Facts(wagers={place: ()})
        if kind < 0.7 and isinstance(self.state.book, PokerRulebook):
            return Facts(moves={place: draw.choice(("play", "fold"))})
        return Facts(wagers={place: self._wagers()})

    def _change_rates(self) -> None:
        """Announce other rates, which hold after the notice; or take the old ones again."""
        name, state = self.durable.table, self.state
        if name != "by round":
            return
        other = RATES if len(state.document["fees"]["rates"]) == 3 else None
        book = vary(BOOKS[name], {"fees.rates": RATES}) if other else BOOKS[name]
        document = dict(book.document)
        self.do("AnnounceChange", FLOOR, rulebook=document, settings=state.settings, reason="busy")
