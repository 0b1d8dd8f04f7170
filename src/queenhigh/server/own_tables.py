"""Tables that players open: how many, and by which rules."""

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.room import now
from queenhigh.room.wallets import wallet_stream
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.server.accounts import Player
from queenhigh.server.host import Host
from queenhigh.server.limits import Limits
from queenhigh.server.peers import network_of
from queenhigh.table.wallet import decode_wallet

__all__ = ["check_may_open", "check_own_rules", "plays_otherwise"]

#: An account is new for so long, in milliseconds.
_NEW_MS = 24 * 3600 * 1000
#: Keys of a rulebook that leave what a bet is worth as it is.
_HARMLESS = frozenset({"seats", "title", "limits"})
#: What players' own rules may say at most: gain for one, and cents.
_MOST_GAIN, _MOST_WAGER, _MOST_FEE = 100, 1_000_000, 10_000


def check_may_open(host: Host, limits: Limits, player: Player, address: str) -> None:
    """Refuse who has as many tables open as they may; some are kept for the floor."""
    tables = host.tables.values()
    own = sum(table.owner == player.name for table in tables)
    most = min(limits.tables_each, _allowance(host, limits, player))
    if own >= most:
        raise Refused(
            "tables.many", f"you have {own} of {most} tables open: close one{_hint(player)}"
        )
    network = network_of(address)
    if sum(table.opened_from == network for table in tables) >= limits.tables_at_address:
        told = "too many tables were opened from your address: sit down at one that is there"
        raise Refused("tables.many", told)
    if len(tables) >= limits.tables - limits.tables_of_floor:
        raise Refused("tables.many", "the room is full: sit down at a table that is there")


def _hint(player: Player) -> str:
    return ", or set a password for more" if player.guest else ""


def _allowance(host: Host, limits: Limits, player: Player) -> int:
    """Return how many tables somebody may have open, by how well the room knows them."""
    if player.guest:
        return limits.tables_of_guest
    return limits.tables_of_new if _age(host, player.name) < _NEW_MS else limits.tables_each


def _age(host: Host, player: str) -> int:
    """Return for how many milliseconds a player has had a wallet."""
    first = next(iter(host.room.store.read(wallet_stream(player))), None)
    return now() - decode_wallet(first.event).at if first else 0


def check_own_rules(book: Rulebook) -> None:
    """Refuse rules of a player's own by which chips would be made, or taken, by the heap."""
    if not book.changes:
        return
    if isinstance(book, RouletteRulebook):
        pays = [spot.pays for spot in book.spots.values()]
        most, fees = book.limits.max, [0]
    else:
        assert isinstance(book, PokerRulebook)
        tables = [bet.pays for bet in book.side_bets]
        tables += [book.ante_bonus.pays] if book.ante_bonus else []
        pays = [pay for table in tables for pay in table if pay is not None]
        most = max(limit.max for limit in book.limits.values())
        rates = book.fees.rates if book.fees else ()
        fees = [0, *[max(rate.player, rate.banker) for rate in rates]]
    if any(pay.gain > _MOST_GAIN * pay.stake for pay in pays):
        _refuse(f"a bet at your own table pays at most {_MOST_GAIN} to 1")
    if most > _MOST_WAGER:
        _refuse(f"a wager at your own table is at most ${_MOST_WAGER // 100:,}")
    if max(fees) > _MOST_FEE:
        _refuse(f"a fee at your own table is at most ${_MOST_FEE // 100:,}")


def plays_otherwise(book: Rulebook) -> bool:
    """Tell whether a rulebook was changed so that it may play better: not in seats and limits."""
    return any(key.split(".")[0] not in _HARMLESS for key in book.changes)


def _refuse(told: str) -> None:
    raise QueenhighError("rulebook.generous", f"{told}: set less")
