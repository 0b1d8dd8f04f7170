"""Roulette as the rest of the system knows it."""

from collections.abc import Iterator, Mapping, Sequence

from queenhigh.errors import IllegalRound
from queenhigh.game import Bet, Bets, Move, Places, Settled, SettledSpin, Whims
from queenhigh.games.roulette import bets as layout
from queenhigh.games.roulette import lines, play, settlement, text
from queenhigh.games.roulette.values import Spin, Wager
from queenhigh.rulebook.compile import compile_roulette
from queenhigh.rulebook.problem import Finding
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.rulebook.roulette_checks import check_roulette
from queenhigh.rulebook.roulette_schema import RouletteDocument

__all__ = ["Roulette"]

_MOST_PLACES = 20
_USUAL_PLACES = 8
#: How many bets a bot makes on one spin.
_MOST_BOT_BETS = 4


class Roulette:
    """Roulette, on whatever wheel and layout the rulebook has."""

    name = "roulette"
    document_type = RouletteDocument
    round_type = Spin
    line_type = lines.SpinLine

    spell = staticmethod(layout.spell)
    check_bets = staticmethod(layout.check_bets)
    chance = staticmethod(play.chance)
    moves = staticmethod(play.moves)
    apply = staticmethod(play.apply)
    view = staticmethod(play.view)
    complete = staticmethod(play.complete)
    settle = staticmethod(settlement.settle)
    from_line = staticmethod(lines.from_line)
    to_line = staticmethod(lines.to_line)

    def check(self, document: RouletteDocument, /) -> Iterator[Finding]:
        """Yield everything wrong with a document whose shape is right."""
        return check_roulette(document)

    def compile(self, document: RouletteDocument, /) -> RouletteRulebook:
        """Return the rulebook that a checked document means."""
        return compile_roulette(document, self)

    def places(self, book: RouletteRulebook, /) -> Places:
        """Return how many may sit at a wheel."""
        return Places(1, _MOST_PLACES, _USUAL_PLACES)

    def least_bank(self, book: RouletteRulebook, /) -> int:
        """Return a cent: nobody banks at a wheel but the house."""
        return 1

    def banker_fee(self, book: RouletteRulebook, bets: Bets, /) -> int:
        """Return 0: the house banks."""
        return 0

    def bot_bets(self, book: RouletteRulebook, stack: int, whims: Whims, /) -> tuple[Bet, ...]:
        """Return a few small bets anywhere on the layout."""
        spots = whims.sample(sorted(book.spots), whims.randint(1, _MOST_BOT_BETS))
        least, most, _ = book.limits
        stake = 2 * least if 2 * least <= most else least
        return tuple([Bet(spot, stake) for spot in spots][: stack // stake])

    def start(
        self, book: RouletteRulebook, bets: Bets, /, *, bank: int | None = None, first: int = 1
    ) -> Spin:
        """Return a spin with its bets made; a player is called by their seat."""
        wagers = [
            Wager(bet.spot, bet.cents, str(seat), bet.in_prison or None)
            for seat in sorted(bets)
            for bet in bets[seat]
        ]
        return Spin(tuple(wagers))

    def first_seat(self, book: RouletteRulebook, previous: int | None, /) -> int | None:
        """Return 1: bets are settled all at once."""
        return 1

    def deciding(self, book: RouletteRulebook, spin: Spin, /) -> Sequence[int]:
        """Return nobody: once bets are closed there is nothing to choose."""
        return ()

    def hand(self, spin: Spin, seat: int, /) -> tuple[int, ...] | None:
        """Return ``None``: nobody has cards."""
        return None

    def amended(
        self, book: RouletteRulebook, spin: Spin, bets: Bets, moves: Mapping[int, Move], /
    ) -> Spin | None:
        """Return a spin with other bets of some players, every rule checked; nobody has moves."""
        if moves:
            raise IllegalRound("move.illegal", "there is nothing to choose in this game")
        others = [wager for wager in spin.wagers if int(wager.player or 0) not in bets]
        made = [Wager(bet.spot, bet.cents, str(seat)) for seat, row in bets.items() for bet in row]
        wagers = sorted([*others, *made], key=lambda wager: int(wager.player or 0))
        return play.complete(book, Spin(tuple(wagers), spin.pocket)) if wagers else None

    def held(self, book: RouletteRulebook, settled: Settled, /) -> Spin | None:
        """Return the spin that bets in prison wait for."""
        if not isinstance(settled, SettledSpin):
            return None
        held = [Wager(bet.bet, bet.held, bet.player, True) for bet in settled.wagers if bet.held]
        return play.open(book, held) if held else None

    def without(self, spin: Spin, seats: set[int], /) -> Spin | None:
        """Return the spin unchanged: no bets are hidden."""
        return spin

    def describe(
        self, book: RouletteRulebook, name: str, spin: Spin, settled: Settled, /
    ) -> Iterator[str]:
        """Yield the lines of a settled spin as a dealer would tell it."""
        if not isinstance(settled, SettledSpin):
            raise IllegalRound("round.game", f"this is not a round of {book.title}")
        return text.describe(name, spin, settled)
