"""A spin, step by step: bets, the ball."""

from collections.abc import Iterable

from msgspec.structs import replace

from queenhigh.errors import IllegalRound
from queenhigh.game import Landed, Move, Step, View, Wheel
from queenhigh.games.roulette.bets import check_wagers, own_name
from queenhigh.games.roulette.values import Spin, Wager
from queenhigh.rulebook.roulette_book import RouletteRulebook

__all__ = ["apply", "chance", "complete", "moves", "open", "view"]


def open(book: RouletteRulebook, wagers: Iterable[Wager], /) -> Spin:
    """Return a spin with its wagers made, those by the document's names under the rulebook's."""
    made = tuple([_by_own_name(book, wager) for wager in wagers])
    if not made:
        raise IllegalRound("wagers.empty", "a spin needs a bet")
    check_wagers(book, made)
    return Spin(made)


def _by_own_name(book: RouletteRulebook, wager: Wager) -> Wager:
    name = own_name(book, wager.bet)
    return wager if name == wager.bet else replace(wager, bet=name)


def chance(book: RouletteRulebook, spin: Spin, /) -> Wheel | None:
    """Return the wheel while the ball is still to land."""
    return Wheel(book.pockets) if spin.pocket is None else None


def moves(book: RouletteRulebook, spin: Spin, seat: int, /) -> tuple[Move, ...]:
    """Return nothing: once bets are closed there is nothing to choose."""
    return ()


def apply(book: RouletteRulebook, spin: Spin, step: Step, /) -> Spin:
    """Return the spin after the ball has landed."""
    if not isinstance(step, Landed):
        raise IllegalRound("step.cards", "there are no cards in this game")
    if spin.pocket is not None:
        raise IllegalRound("spin.over", "the ball has already landed")
    if step.pocket not in book.places:
        raise IllegalRound("pocket.unknown", f"{step.pocket!r:.20} is not a pocket of this wheel")
    return replace(spin, pocket=step.pocket)


def complete(book: RouletteRulebook, spin: Spin, /) -> Spin:
    """Return a finished spin that was written down whole, every rule checked."""
    opened = open(book, spin.wagers)
    return opened if spin.pocket is None else apply(book, opened, Landed(spin.pocket))


def view(book: RouletteRulebook, spin: Spin, seat: int | None = None, /) -> View:
    """Return where the ball is: at a roulette table nothing is hidden."""
    return View(seat, pocket=spin.pocket)
