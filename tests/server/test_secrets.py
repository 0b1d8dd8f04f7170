"""Every message on every socket is recorded during rounds, and none reveals a secret.

What may be seen at a version is worked out here from the log alone, without the code that makes
views: the player's own cards, the up card, and when a round is over the hands that were shown.
"""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.bot_clients import BotClient, SpectatorClient, play_for
from tests.server.running_server import AT_ONCE, RunningServer
from tests.sizes import sized

#: In each part robots make other choices.
PARTS = sized(1, 4, 16)
ROUNDS = sized(60, 125, 250)
TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette", "pace": AT_ONCE},
}
PLACES = {"ca": (1, 4, 9), "ho": (1, 2, 5), "ro": (3, 8)}
#: All keys that a message may have; those of cards are looked into.
MOST_PLACES = 11
CARDS = {"cards", "last_cards", "dealer"}
KEYS = {
    "added", "chain", "committed", "committed_by", "dealings", "epoch", "length", "link", "number",
    "reveal", "rounds", "on", "hash", "key", "receipt", "signature", "stream",
    "seeds_left_out", "seeds_shown", "shown", "tip", "used", "voided_after_close",
    "voided_without_seed",
    "change", "disabled", "news", "notices", "owner",
    "charged", "collect", "from", "limits", "new", "old", "pending",
    "action", "added_seed", "aside", "at", "bank", "bank_fee", "bank_left", "banker", "bet", "bets",
    "bot", "bots", "by", "cents", "clause", "closing", "code", "commitment", "deadline", "digest",
    "end", "fee", "fees", "first", "game", "hand", "hands", "held", "id", "in_prison", "last",
    "last_hand", "leaving", "least_bank", "max", "message", "min", "move", "moves", "net",
    "next_round", "now", "offer", "offered_to", "own", "pace", "pause", "phase", "place", "places",
    "player", "players", "pocket", "prison", "protocol", "ready", "reason", "returned", "round",
    "seat", "seed", "settings", "silence", "spot", "stack", "stake", "table", "title", "type",
    "version", "view", "wager", "wagers", "waits_for",
    "awaited", "away", "by_clock", "untimed",
} | CARDS  # fmt: skip

#: How a round ends; its seed may be shown from then on.
ENDS = ("round.settled/1", "spin.settled/1", "round.voided/1")
Json = dict[str, Any]


class Truth:
    """What happened at a table, by version, from its log."""

    def __init__(self, file: Path, table: str) -> None:
        db = sqlite3.connect(file)
        query = (
            "select version, event from event join stream on stream.id = event.stream"
            " where stream.name = ? order by version"
        )
        self.events = [json.loads(event) for _, event in db.execute(query, (f"table/{table}",))]
        db.close()
        self.up = 1 if table == "ca" else 0
        self.seeds: dict[str, int] = {}
        self._rounds = list(self._states())
        for version, event in enumerate(self.events, 1):
            if event["type"] in ENDS:
                self.seeds[event["seed"]] = version
            elif event["type"] in ("cards.dealt/2", "ball.landed/2"):
                self.seeds[event["key"]] = 10**9

    def _states(self) -> Iterator[tuple[Json, Json]]:
        """Yield, after every event, the cards of both rounds and the players who see them."""
        now: Json = {}
        last: Json = {}
        sitting: dict[int, str] = {}
        for event in self.events:
            kind = event["type"]
            if kind == "seat.taken/1":
                sitting = {**sitting, event["place"]: event["player"]}
            elif kind == "cards.dealt/2":
                cards, places = event["cards"], event["places"]
                now = {
                    "own": {sitting[p]: cards[3 * n : 3 * n + 3] for n, p in enumerate(places)},
                    "hands": {p: cards[3 * n : 3 * n + 3] for n, p in enumerate(places)},
                    "dealer": cards[-3:],
                    "folded": set(),
                    "played": False,
                }
            elif kind == "move.made/1":
                folds = event["move"] == "fold"
                now["played"] |= not folds
                now["folded"] = now["folded"] | ({event["place"]} if folds else set())
            elif kind in ENDS:
                settled = kind == "round.settled/1"
                last, now = ({**now, "settled": settled, "end": event} if now else {}), {}
            yield dict(now), dict(last)

    def allowed(self, version: int, viewer: str | None) -> set[int]:
        """Return the cards that somebody may see at a version."""
        now, last = self._rounds[version - 1]
        seen: set[int] = set()
        for round in (now, last):
            if round:
                seen |= set(round["own"].get(viewer, ())) | set(round["dealer"][: self.up])
        if last and last["settled"]:
            seen |= set(last["dealer"]) if last["played"] else set()
            for place, cards in last["hands"].items():
                if place not in last["folded"] or self._has_side_bet(last["end"], place):
                    seen |= set(cards)
        return seen

    def _has_side_bet(self, end: Json, place: int) -> bool:
        """Return whether a folded hand is shown for its Pair Plus (HO-7)."""
        wagers = [row["wagers"] for row in end["places"] if row["place"] == place]
        return any(wager["wager"] == "pair_plus" for some in wagers for wager in some)


def check(truth: Truth, viewer: str | None, text: str, keys: list[str]) -> None:
    """Fail if a message says what its hearer must not know."""
    message = json.loads(text)
    known = set(_keys(message))
    assert known <= KEYS, f"keys that nobody has looked at: {known - KEYS}"
    for key in keys:
        assert key not in text, "a key of the room"
    if message["type"] != "view":
        return
    version = message["version"]
    for seed, shown_at in truth.seeds.items():
        assert seed not in text or version >= shown_at, "a seed before its time"
    shown = {card for cards in _cards(message) for card in cards if card is not None}
    assert shown <= truth.allowed(version, viewer), f"{viewer} sees {shown} at {version}"


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if not key.isdecimal():  # places, in what is by place
                yield key
            yield from _keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _keys(inner)


def _cards(value: Any) -> Iterator[list[int | None]]:
    """Yield what lies under a key of cards, and any other list of numbers."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in CARDS and inner is not None:
                yield inner
            elif key == "awaited":
                assert all(0 < place <= MOST_PLACES for place in inner), "no places"
            else:
                yield from _cards(inner)
    elif isinstance(value, list):
        assert not any(isinstance(inner, int) for inner in value), "numbers that may be cards"
        for inner in value:
            yield from _cards(inner)


def overhear(file: Path, rounds: int, part: int) -> list[Any]:
    """Play rounds with somebody listening everywhere; return all listeners."""
    with RunningServer(file, rooms=TABLES) as served:
        robots = [
            BotClient(served, table, place, seed=place + 10 * part)
            for table, places in PLACES.items()
            for place in places
        ]
        spies = [SpectatorClient(served, table) for table in TABLES]

        def done() -> bool:
            played = {robot.table: max(robot.rounds, default=0) for robot in robots}
            return sum(played.values()) >= rounds and min(played.values()) >= rounds // 10

        async def play() -> None:
            async with asyncio.timeout(600):
                await play_for([*robots, *spies], done)

        asyncio.run(play())
        assert served.errors() == ""
    return [*robots, *spies]


def keys_of(file: Path) -> list[str]:
    secrets = [Path(f"{file}{end}").read_bytes() for end in (".key", ".dealing")]
    return [text for secret in secrets for text in (secret.hex(), secret.decode("latin-1").strip())]


@pytest.mark.parametrize("part", range(PARTS))
def test_no_message_reveals_a_secret(tmp_path: Path, part: int) -> None:
    file = tmp_path / "room.db"
    listeners = overhear(file, ROUNDS, part)
    truths = {table: Truth(file, table) for table in TABLES}
    messages = 0
    for listener in listeners:
        for text in listener.received:
            check(truths[listener.table], listener.name, text, keys_of(file))
            messages += 1
    assert messages > 5 * ROUNDS


def test_every_planted_leak_is_detected(tmp_path: Path) -> None:
    """The controls: the dealer's hand, a neighbour's, a seed, the key, a number in disguise."""
    file = tmp_path / "room.db"
    listeners = overhear(file, 10, 0)
    truth = Truth(file, "ho")
    spy = next(
        listener for listener in listeners if listener.table == "ho" and listener.name is None
    )
    version = next(n for n, event in enumerate(truth.events, 1) if event["type"] == "cards.dealt/2")
    dealt = truth.events[version - 1]
    message = next(json.loads(text) for text in spy.received if '"type":"view"' in text)
    message |= {"version": version, "own": {}}
    message["view"].pop("last", None)
    round = {"hands": [], "dealer": dealt["cards"][-3:]}
    later = next(event for event in truth.events[version:] if event["type"] in ENDS)
    leaks: list[tuple[Json, str]] = [
        ({"view": {"round": round}}, "sees"),
        ({"view": {"round": {"hands": [{"cards": dealt["cards"][:3]}]}}}, "sees"),
        ({"own": {"cards": dealt["cards"][:3]}}, "sees"),
        ({"view": {"title": later["seed"]}}, "a seed"),
        ({"view": {"title": dealt["key"]}}, "a seed"),
        ({"view": {"title": keys_of(file)[0]}}, "a key"),
        ({"view": {"places": dealt["cards"]}}, "may be cards"),
        ({"view": {"awaited": dealt["cards"]}}, "no places"),
        ({"view": {"deck": 1}}, "nobody has looked at"),
    ]
    check(truth, None, json.dumps({**message, "view": {}}), keys_of(file))
    for leak, sentence in leaks:
        with pytest.raises(AssertionError, match=sentence):
            check(truth, None, json.dumps({**message, **leak}), keys_of(file))
