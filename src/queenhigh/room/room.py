"""Tables and wallets on one store."""

import secrets

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room import clock
from queenhigh.room.dealing import Chance, Dealing
from queenhigh.room.desk import Desk, stream_of
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.store.streams import Append, Belief, Conflict, Store
from queenhigh.table.commands import FLOOR, Command, OpenTable, Pace, Settings
from queenhigh.table.events import SeatLeft, SeatTaken, SeatToppedUp, encode
from queenhigh.table.fairness import document_digest
from queenhigh.table.wallet import Wallet, decode_wallet, evolve_wallet, issue, transfer, used_key

__all__ = ["Room", "Wallets", "now", "settings_for", "wallet_stream"]

_WHEEL_PLACES = 8
_TRIES = 5


def now() -> int:
    """Return the time in milliseconds since 1970, by the room's clock."""
    return clock.ROOM.now()


def wallet_stream(player: str) -> str:
    """Return the name of a player's stream."""
    return f"wallet/{player}"


def settings_for(book: Rulebook, *, pace: Pace | None = None, bots: bool = True) -> Settings:
    """Return the settings a table of a rulebook has unless told otherwise."""
    places, least_bank = _WHEEL_PLACES, 1
    if isinstance(book, PokerRulebook):
        places = book.seats + 1 if book.bank else book.seats
        least_bank = book.limits["ante"].min
    return Settings(places, pace or Pace(), least_bank=least_bank, bots=bots)


class Wallets:
    """The wallets of a room, each a fold of its stream."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[str, Wallet] = {}
        self._belief = Belief()

    @property
    def belief(self) -> Belief:
        """What transfers are decided upon."""
        return self._belief

    def of(self, player: str) -> Wallet:
        """Return a player's wallet, with what is queued for it."""
        if self._belief.failed:
            self._known, self._belief = {}, Belief()
        if player not in self._known:
            wallet = Wallet(player)
            for row in self._store.read(wallet_stream(player)):
                wallet = evolve_wallet(wallet, decode_wallet(row.event))
            self._known[player] = wallet
        return self._known[player]

    def check(self, command: Command) -> None:
        """Refuse a command that moved chips before, however long ago."""
        if used_key(command.by, command.id) in self.of(command.by).used:
            raise Refused("id.used", "this command was followed before: make a new id")

    def issue(self, player: str, cents: int, *, id: str, at: int, reason: str) -> None:
        """Give a player play chips."""
        for _ in range(_TRIES):
            wallet = self.of(player)
            event = issue(wallet, id=id, by=FLOOR, at=at, cents=cents, reason=reason)
            if event is None:
                return
            append = Append(wallet_stream(player), wallet.version, (encode(event),))
            outcomes: list[Exception | None] = []
            self._store.flush()
            self._store.submit(outcomes.append, append, upon=(self._belief,))
            self._known[player] = evolve_wallet(wallet, event)
            self._store.flush()
            if outcomes[0] is None:
                return
            if not isinstance(outcomes[0], Conflict):
                raise outcomes[0]
            # Another process was faster: read, and decide again.
        raise QueenhighError("store.busy", "others write too fast: try again")

    def transfer(
        self, event: SeatTaken | SeatToppedUp | SeatLeft, table: str, version: int
    ) -> Append:
        """Return what a wallet's stream gets when chips go to a table or come back."""
        wallet = self.of(event.player)
        moved = transfer(wallet, event, table, version)
        self._known[event.player] = evolve_wallet(wallet, moved)
        return Append(wallet_stream(event.player), wallet.version, (encode(moved),))


class Room:
    """All tables and wallets of a store. Use it from one thread."""

    def __init__(
        self,
        store: Store,
        chance: Chance = secrets.token_bytes,
        dealing_key: bytes | None = None,
    ) -> None:
        self.store = store
        self.dealing = Dealing(store, chance, dealing_key)
        self.wallets = Wallets(store)
        self._desks: dict[str, Desk] = {}

    def table(self, name: str) -> Desk:
        """Return a table by its name."""
        if name not in self._desks:
            desk = Desk(self.store, self.wallets, name, self.dealing)
            if not desk.is_open:
                raise QueenhighError("table.none", f"there is no table {name[:40]!r} here")
            self._desks[name] = desk
        return self._desks[name]

    def forget(self, name: str) -> None:
        """Keep a table in the store only."""
        self._desks.pop(name, None)
        self.dealing.forget(name)

    def tables(self) -> list[str]:
        """Return the names of all tables."""
        prefix = stream_of("")
        names = self.store.streams()
        return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]

    def open_table(self, name: str, book: Rulebook, settings: Settings) -> Desk:
        """Open a table, or return the one of this name and rulebook that is open already."""
        if not name.isprintable():
            raise QueenhighError("name.length", "a table's name is a line of text: choose another")
        desk = self._desks.get(name) or Desk(self.store, self.wallets, name, self.dealing)
        if not desk.is_open:
            document = dict(book.document)
            desk.execute(
                OpenTable(
                    id="open", by=FLOOR, at=now(), table=name, rulebook=document, settings=settings
                )
            )
            desk.prepare(desk.state.at)
        if desk.state.digest != document_digest(book.document):
            told = f"table {name} plays other rules: name another table"
            raise QueenhighError("table.rules", told)
        self._desks[name] = desk
        return desk
