"""Roulette: a list of bets, the pockets each covers, and what each pays."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from queenhigh.errors import IllegalRound
from queenhigh.games.game import Move
from queenhigh.money import dollars
from queenhigh.rulebook.book import RouletteRulebook, Spot

__all__ = [
    "Landed",
    "SettledBet",
    "SettledSpin",
    "Spin",
    "Wager",
    "Wheel",
    "apply",
    "chance",
    "complete",
    "find_spot",
    "find_text",
    "moves",
    "open",
    "settle",
    "view",
]


class Wager(Struct, frozen=True, omit_defaults=True):
    """A stake in cents on a bet: ``"split 17 20"``. ``in_prison``: held over from a zero."""

    bet: str
    stake: int
    player: str | None = None
    in_prison: bool | None = None


class Spin(Struct, frozen=True):
    """A spin of the wheel; ``pocket`` is where the ball landed."""

    wagers: tuple[Wager, ...]
    pocket: str | None = None


class Wheel(Struct, frozen=True):
    """What chance must bring: one of these pockets."""

    pockets: tuple[str, ...]


class Landed(Struct, frozen=True):
    """What chance brought."""

    pocket: str


class SettledBet(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A wager settled; ``held`` is the stake that waits for the next spin."""

    player: str | None = None
    bet: str
    stake: int
    in_prison: bool | None = None
    net: int
    clause: str
    held: int = 0


class SettledSpin(Struct, frozen=True):
    """A spin settled, its wagers in the order they came."""

    wagers: tuple[SettledBet, ...]
    banker: int


def open(book: RouletteRulebook, wagers: Iterable[Wager], /) -> Spin:
    """Return a spin with its wagers made."""
    made = tuple(wagers)
    if not made:
        raise IllegalRound("wagers.empty", "a spin needs a wager")
    for wager in made:
        _check(book, wager)
    return Spin(made)


def chance(book: RouletteRulebook, spin: Spin, /) -> Wheel | None:
    """Return the wheel while the ball is still to land."""
    return Wheel(book.pockets) if spin.pocket is None else None


def moves(book: RouletteRulebook, spin: Spin, seat: int, /) -> tuple[Move, ...]:
    """Return nothing: once bets are closed there is nothing to choose."""
    return ()


def apply(book: RouletteRulebook, spin: Spin, step: Landed, /) -> Spin:
    """Return the spin after the ball has landed."""
    if spin.pocket is not None:
        raise IllegalRound("spin.over", "the ball has landed already")
    if step.pocket not in book.places:
        raise IllegalRound("pocket.unknown", f"{step.pocket!r:.20} is not a pocket of this wheel")
    return replace(spin, pocket=step.pocket)


def complete(book: RouletteRulebook, spin: Spin, /) -> Spin:
    """Return a finished spin that was written down whole, every rule checked."""
    opened = open(book, spin.wagers)
    return opened if spin.pocket is None else apply(book, opened, Landed(spin.pocket))


def view(book: RouletteRulebook, spin: Spin, seat: int | None = None, /) -> Spin:
    """Return the spin: at a roulette table nothing is hidden."""
    return spin


# Bets


def find_spot(book: RouletteRulebook, bet: str) -> Spot:
    """Return the place on the layout a bet names, or say why there is none."""
    spot = book.spots.get(bet)
    return spot if spot else book.spots[find_text(book, bet)]


def find_text(book: RouletteRulebook, bet: str) -> str:
    """Return a bet as the rulebook writes it, ``split 17 20``, or say why there is none."""
    if bet in book.spots:
        return bet
    words = bet.lower().split()
    if not words or len(words) > 8 or len(bet) > 100 or not bet.isascii():
        raise IllegalRound("bet.unknown", _offered(book, bet))
    name = book.aliases.get(words[0], words[0])
    if name in book.refused:
        raise IllegalRound("bet.refused", f"{name} is not offered here", clause=book.refused[name])
    names = {spot.bet for spot in book.spots.values()}
    if name not in names:
        raise IllegalRound("bet.unknown", _offered(book, bet))
    numbers = words[1:]
    if all(number in book.places for number in numbers):
        numbers.sort(key=book.places.__getitem__)
    text = " ".join([name, *numbers])
    if text not in book.spots:
        raise IllegalRound(
            "bet.layout",
            f"{' '.join(words)[:40]} is not on the layout: {_legal(book, name, words[1:])}",
            clause=book.layout_clause,
        )
    return text


def _offered(book: RouletteRulebook, bet: str) -> str:
    names = dict.fromkeys(spot.bet for spot in book.spots.values())
    return f"there is no bet {bet[:20]!r}: the bets are {', '.join(names)}"


def _legal(book: RouletteRulebook, name: str, numbers: list[str]) -> str:
    """Say which bets of this name there are: all if few, else those with the first number."""
    texts = [text for text, spot in book.spots.items() if spot.bet == name]
    if len(texts) <= 6:
        return f"write {' or '.join(texts)}"
    number = numbers[0] if numbers else ""
    if number not in book.places:
        return f"write {texts[0]} or the like"
    near = [text.split()[1:] for text in texts if number in text.split()[1:]]
    if not near:
        return f"no {name} has {number}"
    return f"each {name} with {number}: {', '.join(map('-'.join, near))}"


def _check(book: RouletteRulebook, wager: Wager) -> None:
    spot = find_spot(book, wager.bet)
    least, most, clause = book.limits
    if not least <= wager.stake <= most:
        raise IllegalRound(
            "wager.limits",
            f"{dollars(wager.stake)} on {wager.bet} is outside the limits"
            f" {dollars(least)} to {dollars(most)}",
            clause=clause,
        )
    if wager.stake % book.increment:
        raise IllegalRound(
            "wager.increment",
            f"{dollars(wager.stake)} is not a multiple of {dollars(book.increment)}",
            clause=book.increment_clause,
        )
    _check_zero_rule(book, wager, spot)


def _check_zero_rule(book: RouletteRulebook, wager: Wager, spot: Spot) -> None:
    zero = book.zero
    if zero and zero.halves and spot.even_money and wager.stake % 2:
        raise IllegalRound(
            "wager.odd",
            f"{dollars(wager.stake)} on {wager.bet} is not an even number of cents",
            clause=zero.la_partage if zero.on_zero == "la_partage" else zero.en_prison,
        )
    if wager.in_prison and not (zero and zero.on_zero == "en_prison" and spot.even_money):
        raise IllegalRound("wager.prison", f"{wager.bet} cannot be in prison at this table")


# Settlement


def settle(book: RouletteRulebook, spin: Spin, /) -> SettledSpin:
    """Return what each wager gains, with its clause."""
    if spin.pocket is None:
        raise IllegalRound("round.unfinished", "the ball has not landed")
    settled = tuple([_settle_bet(book, wager, spin.pocket) for wager in spin.wagers])
    return SettledSpin(settled, -sum([one.net for one in settled]))


def _settle_bet(book: RouletteRulebook, wager: Wager, pocket: str) -> SettledBet:
    spot = find_spot(book, wager.bet)
    hit, on_zero = pocket in spot.pockets, pocket[0] == "0"
    if wager.in_prison:
        net, held, clause = _held_again(book, wager.stake, hit=hit, on_zero=on_zero)
    elif hit:
        net, held, clause = spot.pays.on(wager.stake), 0, spot.clause
    elif on_zero and spot.even_money:
        net, held, clause = _on_zero(book, wager.stake, spot)
    else:
        net, held, clause = -wager.stake, 0, spot.clause
    return SettledBet(
        player=wager.player,
        bet=wager.bet,
        stake=wager.stake,
        in_prison=wager.in_prison,
        net=net,
        clause=clause,
        held=held,
    )


def _on_zero(book: RouletteRulebook, stake: int, spot: Spot) -> tuple[int, int, str]:
    """Return gain, stake held and clause of an even-money bet when a zero comes."""
    zero = book.zero
    if zero and zero.on_zero == "la_partage":
        return -(stake // 2), 0, zero.la_partage
    if zero and zero.on_zero == "en_prison":
        return 0, stake, zero.en_prison
    return -stake, 0, spot.clause


def _held_again(
    book: RouletteRulebook, stake: int, *, hit: bool, on_zero: bool
) -> tuple[int, int, str]:
    """Return gain, stake still held and clause of a bet that a zero had put in prison."""
    assert book.zero is not None
    clause = book.zero.en_prison
    if hit:
        return 0, 0, clause
    if on_zero and book.zero.second_zero == "half":
        return -(stake // 2), 0, clause
    if on_zero and book.zero.second_zero == "stay":
        return 0, stake, clause
    return -stake, 0, clause
