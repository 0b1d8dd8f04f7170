"""Three Card Poker, banked by the house or by a player, as its rulebook says."""

from queenhigh.games.three_card_poker.legal import check_stakes
from queenhigh.games.three_card_poker.play import (
    apply,
    chance,
    complete,
    deciding,
    first_seat,
    moves,
    open,
    view,
)
from queenhigh.games.three_card_poker.settlement import dues, fee, settle, turns
from queenhigh.games.three_card_poker.values import (
    Chosen,
    Deal,
    Dealt,
    Round,
    Seat,
    SettledRound,
    SettledSeat,
    SettledWager,
    View,
)

__all__ = [
    "Chosen",
    "Deal",
    "Dealt",
    "Round",
    "Seat",
    "SettledRound",
    "SettledSeat",
    "SettledWager",
    "View",
    "apply",
    "chance",
    "check_stakes",
    "complete",
    "deciding",
    "dues",
    "fee",
    "first_seat",
    "moves",
    "open",
    "settle",
    "turns",
    "view",
]
