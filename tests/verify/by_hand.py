"""Logs of scheme 2 written by hand, event by event, with the chain, keys and cards worked out here.

Nothing of how the package deals is used: only the amounts of a settlement are asked of it.
"""

import hashlib
import hmac
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

import queenhigh as qh
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from tests.verify.forging import Json, write_signed

PACE = {"pause": 100, "offer": 300, "bets": 500, "moves": 500}
REVEAL = 1000
RANKS, SUITS = "23456789TJQKA", "cdhs"


@cache
def loaded(book: str) -> Rulebook:
    return qh.load(book)


def joined(*parts: str | int | bytes) -> bytes:
    """Return parts as fields: each after its length in four bytes."""
    raw = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in raw)


def sha(*parts: str | int | bytes) -> bytes:
    return hashlib.sha256(joined(*parts)).digest()


def mac(key: bytes, *parts: str | int | bytes) -> bytes:
    return hmac.new(key, joined(*parts), "sha256").digest()


def make_chain(table: str, number: int, length: int, epoch: int, salt: bytes) -> list[bytes]:
    """Return the seeds of a chain, from its end to its last link."""
    seeds = [mac(b"the dealing key", "queenhigh/chain/1", table, number, epoch, salt)]
    for link in range(length, 0, -1):
        seeds.append(sha("queenhigh/link/1", table, number, link, seeds[-1]))
    return seeds[::-1]


def draw_words(key: bytes) -> Iterator[int]:
    for block in range(100):
        raw = mac(key, "queenhigh/words/1", block)
        yield from (int.from_bytes(raw[start : start + 4], "big") for start in range(0, 32, 4))


def draw(words: Iterator[int], bound: int) -> int:
    while (word := next(words)) >= 2**32 // bound * bound:
        pass
    return word % bound


def shuffled(key: bytes) -> list[int]:
    """Return the deck in the order of dealing."""
    words, deck = draw_words(key), list(range(52))
    for size in range(52, 1, -1):
        other = draw(words, size)
        deck[size - 1], deck[other] = deck[other], deck[size - 1]
    deck.reverse()
    return deck


def in_letters(cards: list[int]) -> str:
    return " ".join(RANKS[card // 4] + SUITS[card % 4] for card in cards)


def seed_of(place: int) -> bytes:
    """Return the seed that the player of a place draws."""
    return bytes([place]) * 32


class ByHand:
    """A table whose events are written by hand one after another, lies included."""

    def __init__(self, book: str | Rulebook, name: str = "t", places: int = 7) -> None:
        self.book: Rulebook = loaded(book) if isinstance(book, str) else book
        self.name, self.rows = name, list[Json]()
        self.at, self.stamp, self.ids = 1_000_000, Json(), 0
        self.players: dict[int, str] = {}
        self.round = self.chain = self.link = self.deadline = 0
        self.seeds: list[bytes] = []
        self.wagers: dict[int, dict[str, int]] = {}
        self.moves: dict[int, str] = {}
        self.committed: dict[int, tuple[str, bytes]] = {}
        self.shown: dict[int, bytes] = {}
        self.clear: dict[int, str] = {}
        document = msgspec.to_builtins(dict(self.book.document))
        text = json.dumps(document, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        self.digest = "sha256:" + hashlib.sha256(text.encode()).hexdigest()
        settings = {"places": places, "pace": PACE, "silence": "fold", "least_bank": 1}
        settings["bots"] = True
        self.step("floor")
        given = {"table": name, "rulebook": document, "digest": self.digest}
        self.add("table.opened/1", **given, settings=settings)

    # Writing.

    def step(self, by: str, wait: int = 1) -> None:
        """Begin a step: the events that follow are of this sender and moment."""
        self.at, self.ids = self.at + wait, self.ids + 1
        self.stamp = {"at": self.at, "by": by, "id": f"c{self.ids}"}
        if by == "clock":
            del self.stamp["id"]

    def at_deadline(self, early: int = 0) -> None:
        """Begin a step of the clock at the deadline, or so much too early."""
        self.step("clock", self.deadline - self.at - early)

    def add(self, kind: str, **fields: Any) -> None:
        self.append(f"table/{self.name}", {"type": kind} | self.stamp | fields)

    def to_wallet(self, player: str, kind: str, **fields: Any) -> None:
        self.append(f"wallet/{player}", {"type": kind} | self.stamp | fields)

    def append(self, stream: str, event: Json) -> None:
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        version = 1 + sum(row["stream"] == stream for row in self.rows)
        row = {"n": len(self.rows) + 1, "stream": stream, "version": version, "event": text}
        self.rows.append(row | {"hash": ""})

    def write(self, file: Path) -> None:
        """Write the log with its hashes and a signed head."""
        write_signed(self.rows, file)

    # What happens at the table.

    def sit(self, *players: str, **more: Any) -> None:
        for player in players:
            place = next(place for place in range(1, 5) if place not in self.players)
            self.players[place] = player
            self.step("floor")
            self.to_wallet(player, "wallet.issued/1", cents=50_000, reason="to play")
            self.step(player)
            self.add("seat.taken/1", place=place, player=player, cents=50_000, **more)
            version = sum(row["stream"] == f"table/{self.name}" for row in self.rows)
            passed = {"cents": 50_000, "table": self.name, "version": version}
            self.to_wallet(player, "wallet.bought_in/1", **passed)

    def leave(self, place: int) -> None:
        """Leave with the whole stack, which only a player who never bet has."""
        player = self.players.pop(place)
        self.step(player)
        self.add("seat.leaving/1", place=place)
        self.add("seat.left/1", place=place, player=player, cents=50_000)

    def cash_out(self, player: str, cents: int = 50_000) -> None:
        """Write the other side of leaving, once all that follows at the table is written."""
        version = next(
            row["version"]
            for row in reversed(self.rows)
            if "seat.left/1" in row["event"] and row["stream"] == f"table/{self.name}"
        )
        passed = {"cents": cents, "table": self.name, "version": version}
        self.to_wallet(player, "wallet.cashed_out/1", **passed)

    def start_chain(self, length: int = 6, **lies: Any) -> None:
        self.chain, self.link = self.chain + 1, 0
        salt = bytes([self.chain]) * 32
        self.seeds = make_chain(self.name, self.chain, length, 0, salt)
        self.step("floor")
        body: Json = {"chain": self.chain, "epoch": 0, "salt": salt.hex(), "length": length}
        body |= {"end": self.seeds[0].hex(), "reveal": REVEAL}
        self.add("chain.started/1", **(body | lies))

    def open_round(self, **lies: Any) -> None:
        self.step("clock", PACE["pause"])
        self.round, self.link = self.round + 1, self.link + 1
        self.wagers, self.moves, self.committed, self.shown, self.clear = {}, {}, {}, {}, {}
        body: Json = {"round": self.round, "chain": self.chain, "link": self.link}
        body |= {"commitment": self.seeds[min(self.link, len(self.seeds)) - 1].hex()}
        self.add("round.opened/2", **(body | lies))

    def open_unbound(self) -> None:
        """Open a round by scheme 1."""
        self.step("clock", PACE["pause"])
        self.round, seed = self.round + 1, bytes(32)
        made = sha("queenhigh/commit/1", self.name, self.round, self.digest, seed).hex()
        self.add("round.opened/1", round=self.round, commitment=made, seed=seed.hex())

    def commitment(self, place: int) -> bytes:
        body = (self.name, self.chain, self.round, place, self.players[place], seed_of(place))
        return sha("queenhigh/seed/1", *body)

    def commit(self, *places: int, copied: bytes = b"") -> None:
        for place in places:
            made = copied or self.commitment(place)
            self.committed[place] = (self.players[place], made)
            self.step(self.players[place])
            self.add("seed.committed/1", round=self.round, place=place, commitment=made.hex())

    def add_seed(self, place: int, text: str) -> None:
        self.clear[place] = text
        self.step(self.players[place])
        self.add("seed.added/1", round=self.round, place=place, seed=text)

    def bet(self, place: int, spot: str, cents: int = 100) -> None:
        self.step(self.players[place])
        if not self.wagers:
            self.deadline = self.at + PACE["bets"]
        self.wagers[place] = {spot: cents}
        wagers = [{"spot": spot, "cents": cents}]
        self.add("wagers.placed/1", round=self.round, place=place, wagers=wagers)

    def close_bets(self, version: int = 2) -> None:
        self.at_deadline()
        self.add(f"bets.closed/{version}", round=self.round)
        self.deadline = self.at + REVEAL

    def show(self, place: int, seed: bytes = b"") -> None:
        self.step(self.players[place])
        self.shown[place] = seed or seed_of(place)
        body = {"round": self.round, "place": place, "seed": self.shown[place].hex()}
        self.add("seed.shown/1", **body)

    # How it ends.

    def seed(self) -> bytes:
        return self.seeds[self.link]

    def key(self, seed: bytes = b"", shown: dict[int, bytes] | None = None) -> bytes:
        """Return the key of the round, or that of another seed or other seeds of places."""
        shown = self.shown if shown is None else shown
        parts: list[str | int] = [self.name, self.chain, self.round, self.digest]
        parts.append(len(self.committed))
        for place, (player, commitment) in sorted(self.committed.items()):
            text = shown[place].hex() if place in shown else "left out"
            parts += [place, player, commitment.hex(), text]
        for place, text in sorted(self.clear.items()):
            parts += [place, text]
        return mac(seed or self.seed(), "queenhigh/key/2", *parts)

    def land(self, key: bytes = b"", seed: str | None = None, elsewhere: bool = False) -> None:
        """Land the ball and settle the spin, in the step under way."""
        book, key = self.book, key or self.key()
        assert isinstance(book, RouletteRulebook)
        pockets = len(book.pockets)
        pocket = book.pockets[(draw(draw_words(key), pockets) + elsewhere) % pockets]
        self.add("ball.landed/2", round=self.round, pocket=pocket, key=key.hex())
        if elsewhere:
            return
        wagers = [
            {"player": str(place), "bet": spot, "stake": cents}
            for place, bets in sorted(self.wagers.items())
            for spot, cents in bets.items()
        ]
        settled: Json = msgspec.to_builtins(
            qh.settle(book, {"pocket": pocket, "wagers": wagers}), str_keys=True
        )
        places = [
            {"place": int(row["player"]), "bets": [row], "net": row["net"]}
            for row in settled["wagers"]
        ]
        body = {"seed": self.seed().hex() if seed is None else seed, "places": places}
        self.add("spin.settled/1", round=self.round, **body, net=settled["banker"])

    def deal(self, key: bytes = b"", swapped: bool = False) -> None:
        """Deal the cards in the step under way, or two of them in each other's place."""
        self.places, key = sorted(self.wagers), key or self.key()
        self.cards = shuffled(key)[: 3 * len(self.places) + 3]
        if swapped:
            self.cards[0], self.cards[-1] = self.cards[-1], self.cards[0]
        body: Json = {"places": self.places, "cards": self.cards, "key": key.hex()}
        self.add("cards.dealt/2", round=self.round, **body)

    def move(self, place: int, move: str = "play") -> None:
        self.step(self.players[place])
        self.moves[place] = move
        cost = {"cents": self.wagers[place]["ante"]} if move == "play" else {}
        self.add("move.made/1", round=self.round, place=place, move=move, **cost)

    def settle(self, seed: str | None = None) -> None:
        """Settle the hands in the step under way."""
        seats = [
            {"seat": place, "cards": in_letters(self.cards[3 * n : 3 * n + 3])}
            | {"move": self.moves[place]}
            | self.wagers[place]
            for n, place in enumerate(self.places)
        ]
        dealer = in_letters(self.cards[-3:])
        settled: Json = msgspec.to_builtins(
            qh.settle(self.book, {"dealer": dealer, "seats": seats}), str_keys=True
        )
        places = [{"place": row["seat"]} | row for row in settled["seats"]]
        body = {"seed": self.seed().hex() if seed is None else seed, "places": places}
        self.add("round.settled/1", round=self.round, **body, net=settled["banker"])

    def void(self, seed: str | None = None) -> None:
        self.step("floor")
        held = [
            {"place": place, "cents": sum(bets.values())}
            for place, bets in sorted(self.wagers.items())
        ]
        body = {"seed": self.seed().hex() if seed is None else seed, "reason": "a mistake"}
        self.add("round.voided/1", round=self.round, **body, **({"returned": held} if held else {}))
