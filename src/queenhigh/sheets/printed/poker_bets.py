"""The bets of a table of Three Card Poker that can be made: their stakes, pays and rates."""

from typing import NamedTuple

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays
from queenhigh.rulebook.book import PokerRulebook, Rate, SideBet
from queenhigh.rulebook.fees import kind_of
from queenhigh.sheets.printed.common import no_sheet

__all__ = ["PostedRate", "Spans", "ante_spans", "limits", "pay_tables", "posted_rates", "side_bets"]

Spans = tuple[tuple[int, int], ...]


class PostedRate(NamedTuple):
    """A rate with the stakes that pay it here; ``of_ante`` if an Ante may be among them."""

    rate: Rate
    least: int
    most: int
    of_ante: bool


def ante_spans(book: PokerRulebook) -> Spans:
    """Return the legal stakes of the Ante; refuse a sheet of a table that has none."""
    spans = book.betting.spans("ante")
    if not spans:
        reason = "no Ante is within its limits and a collection rate; change limits or rates"
        raise no_sheet(book, reason)
    return spans


def side_bets(book: PokerRulebook) -> list[SideBet]:
    """Return the side bets that have a legal stake."""
    return [bet for bet in book.side_bets if book.betting.spans(bet.name)]


def limits(book: PokerRulebook) -> dict[str, Spans]:
    """Return the legal stakes of every bet before the deal, by its name."""
    return {"ante": ante_spans(book)} | {
        bet.name: book.betting.spans(bet.name) for bet in side_bets(book)
    }


def pay_tables(book: PokerRulebook) -> list[tuple[str, list[tuple[int, Pays]]]]:
    """Return the pay tables of the bets that can be made: each class of hands, the best first."""
    tables = [(bet.name, bet.pays) for bet in side_bets(book)]
    if book.ante_bonus and any(book.ante_bonus.pays):
        tables.append(("ante_bonus", book.ante_bonus.pays))
    kinds = range(len(HAND_CLASSES) - 1, -1, -1)
    return [
        (name, [(kind, ratio) for kind in kinds if (ratio := pays[kind])]) for name, pays in tables
    ]


def posted_rates(book: PokerRulebook) -> list[PostedRate]:
    """Return the rates that a legal bet pays, each with the stakes that it is for here."""
    assert book.fees is not None
    posted = []
    for rate in book.fees.rates:
        kinds = book.fees.charged.kinds or (rate.on,)
        spans = []
        for name, legal in limits(book).items():
            if kind_of(name) in kinds or (name == "ante" and "play" in kinds):
                cut = [(max(low, rate.min), min(high, rate.max)) for low, high in legal]
                spans += [(low, high, name) for low, high in cut if low <= high]
        if spans:
            of_ante = rate.on == "ante" and any(name == "ante" for _, _, name in spans)
            least, most = min(span[0] for span in spans), max(span[1] for span in spans)
            posted.append(PostedRate(rate, least, most, of_ante))
    return posted
