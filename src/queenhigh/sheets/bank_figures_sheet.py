"""What one unit of each wager means for the banker, for programs."""

from typing import Any

from queenhigh.price.bank_figures import BankFigures, Moments
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["as_json"]


def as_json(book: PokerRulebook, figures: BankFigures) -> dict[str, Any]:
    """Return the figures with the fees that go with them."""
    rates = (book.fees.rates_on("ante") if book.fees else None) or ()
    return {
        "rulebook": book.name,
        "digest": book.digest,
        "rules_digest": book.rules_digest,
        "seats": book.seats,
        "players_bank": book.bank is not None,
        "side_bet": book.side_bets[0].name if book.side_bets else None,
        "ante": _moments(figures.ante),
        "side": _moments(figures.side) if figures.side else None,
        "same_seat": str(figures.same_seat),
        "two_seats": str(figures.two_seats),
        "play_rate": str(figures.play_rate),
        "losses": [{"ante": str(loss.ante), "side": str(loss.side)} for loss in figures.losses],
        "player_fees": {
            name: [row._asdict() for row in terms.ranges]
            for name, terms in book.betting.wagers.items()
        },
        "banker_fees": [{"min": rate.min, "max": rate.max, "fee": rate.banker} for rate in rates],
    }


def _moments(moments: Moments) -> dict[str, str]:
    return {name: str(figure) for name, figure in moments._asdict().items()}
