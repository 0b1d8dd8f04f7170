"""The banker's book, for people and for programs."""

from collections.abc import Iterator, Sequence
from typing import Any

from queenhigh.money import dollars
from queenhigh.price.bank import BankBook, Stake
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.format import cents, number, percent
from queenhigh.sheets.tables import Block, line, plain_table, sheet, table

__all__ = ["as_json", "as_text", "wagers_text"]


def as_json(book: Rulebook, bank: BankBook) -> dict[str, Any]:
    """Return the banker's book as docs/json.md describes it."""
    seats = [
        {"seat": seat, "ante": ante, "bonus": bonus}
        for seat, (ante, bonus) in enumerate(bank.stakes, 1)
    ]
    night = bank.night
    return {
        "rulebook": book.name,
        "digest": book.digest,
        "rules_digest": book.rules_digest,
        "seats": seats,
        "unit_cents": bank.unit_cents,
        "ev": str(bank.mean),
        "sd": bank.sd,
        "seat_covariance": str(bank.seat_covariance),
        "correlation": str(bank.correlation),
        "ev_after_fee": str(bank.mean_after_fee),
        "fee_player": str(bank.fee_player),
        "fee_banker": str(bank.fee_banker),
        "player_edge": str(bank.player_edge),
        "player_edge_after_fee": str(bank.player_edge_after_fee),
        "break_even_antes": None if bank.break_even is None else str(bank.break_even),
        "per_hour_cents": str(bank.per_hour_cents),
        "night": {
            "rounds": night.rounds,
            "losing": night.losing,
            "risk": night.risk,
            "bankroll": night.bankroll,
            "method": night.method,
        },
    }


def as_text(book: Rulebook, bank: BankBook) -> Block:
    """Return the banker's book as a sheet."""
    unit, after = bank.unit_cents, bank.mean_after_fee
    antes = "Antes" if _is_even(bank) else f"Antes of {dollars(unit)}"
    rows = [
        ("Mean", number(bank.mean), cents(bank.mean * unit, signed=True)),
        ("Standard deviation", number(bank.sd), cents(bank.sd * unit)),
        ("Banker's fee", number(bank.fee_banker), cents(bank.fee_banker * unit)),
        ("Mean after fee", number(after), cents(after * unit, signed=True)),
    ]
    return sheet(
        line(f"Banking: {book.title}", style="bold"),
        line(f"{wagers_text(bank.stakes)}, best strategy."),
        table(("Per round", antes, "Money"), rows, right=(antes, "Money")),
        plain_table(_bank_lines(bank)),
    )


def _is_even(bank: BankBook) -> bool:
    """Return whether all seats wager the same."""
    return len(set(bank.stakes)) == 1


def wagers_text(stakes: Sequence[Stake]) -> str:
    """Return how many seats there are and what is on each, in words."""
    seats = f"{len(stakes)} seat{'s' * (len(stakes) > 1)}"
    ante, bonus = stakes[0]
    if len(set(stakes)) == 1:
        side = f" and {dollars(bonus)} on the side bet" if bonus else ""
        return f"{seats} with {dollars(ante)} on the Ante{side}"
    listed = [dollars(ante) + f" + {dollars(bonus)}" * bool(bonus) for ante, bonus in stakes]
    side = " and side bets" if any(stake.bonus for stake in stakes) else ""
    return f"{seats} with Antes{side} of {', '.join(listed[:-1])} and {listed[-1]}"


def _bank_lines(bank: BankBook) -> Iterator[tuple[str, str]]:
    unit, night = bank.unit_cents, bank.night
    alike = "" if _is_even(bank) else "that bet the same as seat 1 "
    yield (
        "Two seats",
        f"{alike}share the dealer's hand: covariance {bank.seat_covariance},"
        f" correlation {number(bank.correlation)}",
    )
    if bank.fee_player:
        yield (
            "Players",
            f"{'on average ' * (not _is_even(bank))}{cents(bank.fee_player * unit)} on a"
            f" {dollars(unit)} Ante turns"
            f" {percent(bank.player_edge, 2)} into {percent(bank.player_edge_after_fee, 2)}",
        )
    yield (
        "Per hour",
        (
            f"{cents(bank.per_hour_cents, signed=True)} after fees,"
            f" at {bank.rounds_per_hour} rounds per hour"
        ),
    )
    if bank.fee_banker:
        yield "Break even", _break_even(bank)
    yield (
        "A session",
        f"of {night.rounds} rounds loses money with probability {percent(night.losing, 2)}; a"
        f" bankroll of {cents(night.bankroll * unit)} is lost with probability at most"
        f" {percent(night.risk, 0)} ({night.method})",
    )


def _break_even(bank: BankBook) -> str:
    if bank.break_even is None:
        return "never: the players have the edge"
    needed = cents(bank.break_even * bank.unit_cents)
    return f"with {number(bank.break_even, 2)} Antes or more per round ({needed})"
