"""Tables that players open: how many, and by which rules."""

from queenhigh.errors import QueenhighError, Refused
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.accounts import Player
from queenhigh.server.client_address import network_of
from queenhigh.server.host import Host
from queenhigh.server.limits import Limits
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import decode_wallet

__all__ = ["check_may_open", "check_own_rules", "has_other_odds"]

#: For how long an account is new, in milliseconds.
_NEW_MS = 24 * 3600 * 1000
#: Keys of a rulebook that do not change the odds; fees come from the operator's presets.
_HARMLESS = frozenset({"seats", "title", "limits", "fees"})
#: The most that players' own rules may pay to one, and allow as a wager: cents.
_MOST_GAIN, _MOST_WAGER = 100, 1_000_000


def check_may_open(host: Host, limits: Limits, player: Player, address: str) -> None:
    """Refuse players who have as many tables as they may; some are reserved for the floor."""
    tables = host.tables.values()
    own = sum(table.owner == player.name for table in tables)
    most = min(limits.tables_each, _allowance(host, limits, player))
    if own >= most:
        raise Refused(
            "tables.many", f"you have {own} of {most} tables open: close one{_hint(player)}"
        )
    network = network_of(address)
    if sum(table.opened_from == network for table in tables) >= limits.tables_at_address:
        sentence = "too many tables were opened from your address: sit down at one that is there"
        raise Refused("tables.many", sentence)
    if len(tables) >= limits.tables - limits.tables_of_floor:
        raise Refused("tables.many", "the room is full: sit down at a table that is there")


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
    return any(key.split(".")[0] not in _HARMLESS for key in book.changes)


def _refuse(sentence: str) -> None:
    raise QueenhighError("rulebook.generous", f"{sentence}: set less")
