"""Budgets that hold across the processes of a room: what clients take at one, all subtract.

Every half second each process notifies the others of what its clients took since. A client that
spreads requests over processes gets the burst of each of them once, and never more than one rate.
"""

from collections.abc import Iterator

from msgspec import MsgspecError
from msgspec.json import decode, encode

from queenhigh.server.limits import Limiter
from queenhigh.server.login_delays import LoginDelays

__all__ = ["SharedLimits"]

#: PostgreSQL takes 8,000 bytes in a notification.
_MOST_BYTES = 7_000
#: Of how many clients of each budget the others are notified at a time: those who came last.
_MOST_CLIENTS = 500
#: The budget of wrong passwords, beside those of the limiter.
_FAILURES = "failures"
#: A client of a budget, and what it took.
_Entry = tuple[str, str, float]


class SharedLimits:
    """The budgets of this process, as the others hear of them. Use it from one thread."""

    def __init__(self, limiter: Limiter, logins: LoginDelays) -> None:
        self._budgets, self._logins = limiter.shared(), logins

    def news(self, process: int) -> list[str]:
        """Return what clients took since the last call, as texts for the other processes."""
        texts, entries, size = [], list[_Entry](), 0
        for entry in self._entries():
            size += len(encode(entry)) + 1
            if size > _MOST_BYTES:
                texts.append(encode((process, entries)).decode())
                entries, size = [], 0
            entries.append(entry)
        if entries:
            texts.append(encode((process, entries)).decode())
        return texts

    def _entries(self) -> Iterator[_Entry]:
        for name, budget in self._budgets.items():
            for key, cost in budget.take_news(_MOST_CLIENTS).items():
                yield name, _as_text(key), round(cost, 2)
        failures, self._logins.news = self._logins.news, []
        for player, network in failures:
            yield _FAILURES, f"{network}\n{player}", 1.0

    def take(self, text: str, process: int, time_s: float) -> None:
        """Subtract what clients took at another process; ignore what this one has sent."""
        try:
            sender, entries = decode(text, type=tuple[int, list[_Entry]])
        except MsgspecError:
            return
        for name, key, cost in entries if sender != process else ():
            if name in self._budgets:
                self._budgets[name].of(_from_text(key)).drain(time_s, cost)
            elif name == _FAILURES:
                network, _, player = key.partition("\n")
                self._logins.count_failure(player, network)


def _as_text(key: object) -> str:
    """Return a client of a budget as text: a network, a session's hash, or a player."""
    if isinstance(key, bytes):
        return f"session {key.hex()}"
    return f"player {key[1]}" if isinstance(key, tuple) else f"network {key}"


def _from_text(text: str) -> object:
    kind, _, value = text.partition(" ")
    if kind == "session":
        return bytes.fromhex(value)
    return ("player", value) if kind == "player" else value
