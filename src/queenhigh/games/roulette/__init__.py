"""Roulette: a list of bets, the pockets each covers, and the payout of each."""

from queenhigh.games.roulette.bets import find_spot, find_text, own_name
from queenhigh.games.roulette.play import apply, chance, complete, moves, open, view
from queenhigh.games.roulette.settlement import settle
from queenhigh.games.roulette.values import Landed, SettledBet, SettledSpin, Spin, Wager, Wheel

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
    "own_name",
    "settle",
    "view",
]
