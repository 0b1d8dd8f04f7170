"""A table at one moment: a fold of its events, and nothing else."""

from typing import Any, Literal

from msgspec import Struct

from queenhigh.cards import Hand
from queenhigh.errors import BrokenLog
from queenhigh.games.roulette import Spin
from queenhigh.games.three_card_poker import Round, Seat
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.table import ledger
from queenhigh.table.commands import Bet, Command, Settings
from queenhigh.table.events import Event, RoundSettled, RoundVoided, SpinSettled

__all__ = [
    "Answer",
    "Chain",
    "Committed",
    "Dealings",
    "Finished",
    "Live",
    "Offer",
    "Phase",
    "Place",
    "State",
    "answer",
    "answer_key",
    "dealt",
    "is_banked",
    "poker_rules",
    "round_of",
    "seat_of",
    "seat_with",
    "wheel_rules",
]

#: Between rounds; the bank is offered; bets are open; seeds are shown; players decide; all over.
Phase = Literal["between", "offering", "betting", "revealing", "deciding", "closed"]


class Place(Struct, frozen=True, gc=False):
    """Who sits at a place."""

    player: str
    bot: bool = False
    aside: bool = False
    leaving: bool = False
    #: All the chips that were brought here from the wallet.
    brought: int = 0

    @property
    def is_in(self) -> bool:
        """Tell whether the place takes part in the next round."""
        return not (self.aside or self.leaving)


class Offer(Struct, frozen=True, gc=False):
    """Where the bank is: who had it last and for how many rounds running; who is asked now.

    ``bank`` and ``fee`` are what the banker posted and what is held for the banker's fee.
    """

    banker: int | None = None
    running: int = 0
    bank: int = 0
    fee: int = 0
    place: int | None = None
    declined: tuple[int, ...] = ()
    unwanted: bool = False


class Chain(Struct, frozen=True, gc=False):
    """The room's seeds: ``end`` was shown first, ``tip`` is the last one shown.

    ``used`` is the link of the last round that opened; a chain that ``is_lost`` has a void round
    whose seed the room could not show, and takes no more rounds.
    """

    number: int
    epoch: int
    salt: str
    length: int
    end: str
    reveal: int
    tip: str
    used: int = 0
    is_lost: bool = False

    @property
    def is_over(self) -> bool:
        """Tell whether no more rounds can open on this chain."""
        return self.is_lost or self.used >= self.length


class Committed(Struct, frozen=True, gc=False):
    """What a player has committed to, and the bytes once they are shown."""

    player: str
    commitment: str
    shown: str | None = None


class Dealings(Struct, frozen=True, gc=False):
    """What a table's dealing came to: counted, so that anyone can see.

    Rounds on chains that ended, seeds of places in deals, seeds that were left out of one, rounds
    that were voided after bets were closed, and rounds whose void did not show the room's seed.
    """

    rounds: int = 0
    seeds_shown: int = 0
    seeds_left_out: int = 0
    voided_after_close: int = 0
    voided_without_seed: int = 0


class Live(Struct, frozen=True, gc=False):
    """A round under way. ``fees`` are held and not yet collected, ``paid`` are collected.

    In a round of scheme 1 ``chain`` is 0, and ``seed`` is known from the start. ``key`` is what
    the cards followed from, once they are dealt.
    """

    number: int
    seed: str
    commitment: str
    banker: int | None = None
    bank: int = 0
    wagers: dict[int, tuple[Bet, ...]] = {}
    fees: dict[int, int] = {}
    paid: dict[int, int] = {}
    seeds: dict[int, str] = {}
    ready: tuple[int, ...] = ()
    players: dict[int, str] = {}
    poker: Round | None = None
    spin: Spin | None = None
    chain: int = 0
    link: int = 0
    committed: dict[int, Committed] = {}
    key: str = ""
    is_closed: bool = False


class Finished(Struct, frozen=True, gc=False):
    """A round that is over, and how it ended.

    ``players`` are who took part, by place: others may sit there since. ``rulebook`` is the
    document it was played by, as JSON, where the table has another one since.
    """

    live: Live
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str] = {}
    rulebook: str = ""


class Answer(Struct, frozen=True, gc=False):
    """What a command came to: the versions of its first and its last event."""

    first: int
    last: int


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table. ``balances`` are by account.

    ``answers`` are by sender and id, the latest ones; those before them in this round and the last
    stand in chunks, so that remembering one more does not mean to copy them all. ``asked`` is how
    many commands of each sender were followed in this round.
    """

    table: str
    book: Rulebook
    document: dict[str, Any]
    digest: str
    settings: Settings
    version: int = 0
    at: int = 0
    phase: Phase = "between"
    deadline: int | None = None
    number: int = 0
    places: dict[int, Place] = {}
    balances: dict[str, int] = {}
    offer: Offer = Offer()
    first: int | None = None
    round: Live | None = None
    prison: dict[int, tuple[Bet, ...]] = {}
    last: Finished | None = None
    closing: str | None = None
    chain: Chain | None = None
    dealings: Dealings = Dealings()
    answers: dict[str, Answer] = {}
    asked: dict[str, int] = {}
    this_round: tuple[dict[str, Answer], ...] = ()
    last_round: tuple[dict[str, Answer], ...] = ()

    def stack(self, place: int) -> int:
        """Return the chips of a place that are not on the table."""
        return self.balances.get(ledger.STACK[place], 0)

    def held(self, place: int) -> int:
        """Return what a place has on the table."""
        return self.balances.get(ledger.HELD[place], 0)

    def place_of(self, player: str) -> int | None:
        """Return where a player sits."""
        for place, one in self.places.items():
            if one.player == player:
                return place
        return None


def is_banked(book: Rulebook) -> bool:
    """Tell whether one of the players banks."""
    return isinstance(book, PokerRulebook) and book.bank is not None


def poker_rules(book: Rulebook) -> PokerRulebook:
    """Return the rulebook of a card table; raise at any other."""
    if not isinstance(book, PokerRulebook):
        raise BrokenLog(f"there are no cards in {book.name}")
    return book


def wheel_rules(book: Rulebook) -> RouletteRulebook:
    """Return the rulebook of a wheel; raise at any other table."""
    if not isinstance(book, RouletteRulebook):
        raise BrokenLog(f"there is no wheel in {book.name}")
    return book


def round_of(state: State) -> Live:
    """Return the round under way; raise if there is none."""
    if state.round is None:
        raise BrokenLog("no round is under way")
    return state.round


def dealt(live: Live) -> Round:
    """Return the cards of a round; raise if they are not dealt."""
    if live.poker is None:
        raise BrokenLog(f"no cards are dealt in round {live.number}")
    return live.poker


def seat_of(state: State, place: int, banker: int | None) -> int:
    """Return the seat of a place in a round: clockwise from the banker's left (CA-2)."""
    if banker is None:
        return place
    return (place - banker - 1) % state.settings.places + 1


def seat_with(seat: int, bets: tuple[Bet, ...], cards: Hand | None = None) -> Seat:
    """Return a seat of a round of poker with its wagers, and its cards once it has them."""
    stakes: dict[str, Any] = {bet.spot: bet.cents for bet in bets}
    return Seat(seat, cards=cards, **stakes)


def answer(state: State, command: Command) -> Answer | None:
    """Return what a command came to if it was followed already."""
    key = answer_key(command)
    if key in state.answers:
        return state.answers[key]
    for chunk in (*state.this_round, *state.last_round):
        if key in chunk:
            return chunk[key]
    return None


def answer_key(sent: Command | Event) -> str:
    """Return how a table remembers a command: by sender and id. No name has a line break."""
    return f"{sent.by}\n{sent.id}"
