"""What a dealer does with the chips of a settled hand, in order."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from queenhigh.game import SettledRound, SettledWager
from queenhigh.games.three_card_poker import Round
from queenhigh.games.three_card_poker.bank_left import as_matched, bank_left_after
from queenhigh.games.three_card_poker.irregular import EnteredRound
from queenhigh.games.three_card_poker.irregular_settlement import SettledEntered, as_played
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Payout", "clauses_of", "payouts"]

Do = Literal["pay", "take", "push", "none"]


class Payout(Struct, frozen=True):
    """What to do with a bet; ``none``: the bank does not reach it.

    ``cents`` are paid or taken, and ``back`` go back to the player of a bet that the bank
    matches in part or not at all. ``left`` is the rest of the bank, if a player banks.
    """

    seat: int
    wager: str
    stake: int
    do: Do
    cents: int
    clause: str
    back: int = 0
    left: int | None = None


def payouts(book: PokerRulebook, round: Round, settled: SettledRound) -> Iterator[Payout]:
    """Yield the payouts of the hands that are settled, in the order of settlement."""
    played: Round | None = round
    if isinstance(round, EnteredRound):
        played, settled = round.played, as_played(round, settled)
    if played is None:
        return
    left = bank_left_after(book, played, settled)
    for seat, wager in as_matched(book, played, settled):
        yield _payout(book, seat, wager, left.get((seat, wager.wager)))


def _payout(book: PokerRulebook, seat: int, row: SettledWager, left: int | None) -> Payout:
    is_unmatched = book.bank is not None and row.clause == book.bank.unmatched
    back = row.stake - row.action if row.net < 0 else row.stake if is_unmatched else 0
    do: Do = "pay" if row.net > 0 else "take" if row.net else "none" if is_unmatched else "push"
    return Payout(seat, row.wager, row.stake, do, abs(row.net), row.clause, back, left)


def clauses_of(book: PokerRulebook, settled: SettledRound) -> list[str]:
    """Return the clauses by which a hand is settled, each once, in the rulebook's order."""
    used = {wager.clause for seat in settled.seats for wager in seat.wagers}
    if isinstance(settled, SettledEntered):
        used |= {each.clause for each in settled.irregularities}
        used |= {row.clause for row in settled.returned}
    if book.fees and (settled.banker_fee or any(seat.fee for seat in settled.seats)):
        used.add(book.fees.clause)
    return [clause.id for clause in book.clauses if clause.id in used]
