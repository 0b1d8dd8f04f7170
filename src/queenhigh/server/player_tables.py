"""Tables that players open: how many, by which rules, and those for practice."""

from itertools import count
from secrets import randbelow

from queenhigh.errors import QueenhighError, Refused
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.accounts import Player
from queenhigh.server.client_address import network_of
from queenhigh.server.host import Host
from queenhigh.server.limits import Limits
from queenhigh.server.table_spec import TableSpec, load_shipped
from queenhigh.server.text import name_key
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import decode_wallet

__all__ = [
    "check_may_open",
    "check_own_rules",
    "find_practice",
    "has_other_odds",
    "practice_spec",
]

#: For how long an account is new, in milliseconds.
_NEW_MS = 24 * 3600 * 1000
#: Keys of a rulebook that do not change the odds; fees come from the operator's presets.
_HARMLESS = frozenset({"seats", "limits", "fees"})
#: Readings of what a zero does to even bets: with each of them the house has the edge.
_HARMLESS_KEYS = frozenset({"zero.on_zero", "zero.second_zero"})
#: How many bots a table for practice has; where players bank, so that one of them does.
_COMPANY, _COMPANY_THAT_BANKS = 2, 4
#: The most that players' own rules may pay to one, and allow as a wager: cents.
_MOST_GAIN, _MOST_WAGER = 100, 1_000_000


def check_may_open(host: Host, limits: Limits, player: Player, address: str) -> None:
    """Refuse players who have as many tables as they may; some are reserved for the floor."""
    tables = host.listed().values()
    own = sum(table.owner == player.name for table in tables)
    most = min(limits.tables_each, _allowance(host, limits, player))
    if own >= most:
        raise Refused(
            "tables.many", f"you already have {own} of {most} tables open: close one{_hint(player)}"
        )
    network = network_of(address)
    if sum(table.opened_from == network for table in tables) >= limits.tables_at_address:
        sentence = "too many tables were opened from your address: join an existing one"
        raise Refused("tables.many", sentence)
    if len(tables) >= limits.tables - limits.tables_of_floor:
        raise Refused("tables.many", "the room is full: join an existing table")


def _hint(player: Player) -> str:
    return ", or set a password for more" if player.guest else ""


def _allowance(host: Host, limits: Limits, player: Player) -> int:
    """Return how many tables a player may have open: more with an older account."""
    if player.guest:
        return limits.tables_of_guest
    return limits.tables_of_new if _age(host, player.name) < _NEW_MS else limits.tables_each


def _age(host: Host, player: str) -> int:
    """Return for how many milliseconds a player has had a wallet."""
    first = next(iter(host.store.read(wallet_stream(player))), None)
    return host.clock.now() - decode_wallet(first.event).at if first else 0


def check_own_rules(book: Rulebook) -> None:
    """Refuse changed rules by which far too many chips could be won."""
    if not book.changes:
        return
    if any(pay.gain > _MOST_GAIN * pay.stake for pay in book.all_pays):
        _refuse(f"a bet at your own table pays at most {_MOST_GAIN} to 1")
    if book.betting.most_stake > _MOST_WAGER:
        _refuse(f"a wager at your own table is at most ${_MOST_WAGER // 100:,}")


def has_other_odds(book: Rulebook) -> bool:
    """Return whether a rulebook has changes that affect the odds: not only seats or limits."""
    return any(
        key.split(".")[0] not in _HARMLESS and key not in _HARMLESS_KEYS for key in book.changes
    )


def find_practice(host: Host, player: str, rulebook: str) -> str | None:
    """Return the open table at which a player practises a rulebook."""
    for name, table in host.listed().items():
        state = table.state
        is_theirs = table.practice and table.owner == player
        if is_theirs and state.book.name == rulebook and state.closing is None:
            return name
    return None


def practice_spec(host: Host, rulebook: str) -> TableSpec:
    """Return a table to practise a rulebook at, under a free name that nobody guesses at once."""
    book = load_shipped(rulebook, {})
    bots = _COMPANY if book.bank is None else _COMPANY_THAT_BANKS
    used = set(map(name_key, host.room.tables()))
    names = (f"practice {1000 + randbelow(9000 + 9 * len(used))}" for _ in count())
    name = next(name for name in names if name_key(name) not in used)
    return TableSpec(name=name, rulebook=rulebook, bots=bots)


def _refuse(sentence: str) -> None:
    raise QueenhighError("rulebook.generous", f"{sentence}: lower it")
