"""What sheets say, as plain data for programs: ``--json`` prints it and the server sends it.

docs/json.md has the rule for every value: exact figures are fractions as text.
"""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from math import gcd, lcm
from typing import TYPE_CHECKING, Any

from queenhigh.cards import HAND_CLASSES, RANKS, Hand, parse_cards
from queenhigh.errors import InvalidRound, QueenhighError
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.rulebook.fields import field_at, readings
from queenhigh.rulebook.schema import PokerDocument, RouletteDocument

if TYPE_CHECKING:
    from queenhigh.price.results import BetOdds
    from queenhigh.price.strategy import Advice, Strategy

__all__ = [
    "advice_data",
    "advise_on",
    "odds_data",
    "poker_only",
    "rules_data",
    "rules_line",
    "rules_summary",
    "strategy_data",
]


def rules_summary(book: Rulebook) -> dict[str, str]:
    """Return what a rulebook is called."""
    names = ("name", "title", "version", "digest")
    return {**{name: getattr(book, name) for name in names}, "game": book.document["game"]}


def rules_data(book: Rulebook) -> dict[str, Any]:
    """Return a rulebook, what it assumes and what could be chosen; of a wheel also its bets."""
    assumptions = [asdict(item) for item in book.assumptions]
    known = {"changes": dict(book.changes), "assumptions": assumptions}
    document = dict(book.document)
    told = {"line": rules_line(book), "choices": _choices(document)}
    wheel = _wheel(book) if isinstance(book, RouletteRulebook) else {}
    return {**rules_summary(book), **known, **told, **wheel, "document": document}


def _choices(document: Mapping[str, Any]) -> dict[str, tuple[object, ...]]:
    """Return the keys that take one of a few values, each with all of them."""
    model = PokerDocument if document["game"] == "three_card_poker" else RouletteDocument
    found = {}
    for path in _paths(document):
        _, info = field_at(model, path)
        values = readings(info.annotation) if info else ()
        if len(values) > 1:
            found[".".join(path)] = values
    return found


def _paths(table: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key in a table and in the tables within."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _paths(value, (*at, name))
        else:
            yield (*at, name)


def _wheel(book: RouletteRulebook) -> dict[str, Any]:
    """Return a wheel's pockets and every bet it offers, as a wager names it."""
    spots = [
        {
            "spot": text,
            "bet": spot.bet,
            "pockets": sorted(spot.pockets, key=book.places.__getitem__),
            "pays": str(spot.pays),
            "clause": spot.clause,
        }
        for text, spot in book.spots.items()
    ]
    return {"pockets": list(book.pockets), "spots": spots}


def rules_line(book: Rulebook) -> str:
    """Return in a line what a patron wants to know before sitting down."""
    if isinstance(book, RouletteRulebook):
        return _wheel_line(book)
    assert isinstance(book, PokerRulebook)
    banker = "A player banks" if book.banker == "player" else "The house banks"
    up = ("no dealer card is up", "one dealer card is up", "two dealer cards are up")[book.up]
    needs = "a pair" if book.qualifier == "pair" else book.qualifier
    plays = "always plays" if needs == "none" else f"plays with {needs} or better"
    return f"{banker}, {up}; the dealer {plays}"


def _wheel_line(book: RouletteRulebook) -> str:
    """Return how many zeros a wheel has, what a number pays, and what a zero takes."""
    zeros = ("", "One zero", "Two zeros", "Three zeros")[book.zeros]
    straight = [spot.pays for spot in book.spots.values() if spot.bet == "straight"][:1]
    told = _ON_ZERO[book.zero.on_zero if book.zero else "lose"]
    if book.zero and book.zero.on_zero == "en_prison":
        told += f", a second one {_SECOND_ZERO[book.zero.second_zero]}"
    return "; ".join([zeros, *(f"straight up pays {pays}" for pays in straight), told])


_ON_ZERO = {
    "lose": "a zero takes every outside bet",
    "la_partage": "la partage: a zero takes half of an even-money bet",
    "en_prison": "en prison: a zero holds an even-money bet",
}
_SECOND_ZERO = {"lose": "takes it", "half": "takes half of it", "stay": "holds it again"}


def odds_data(book: Rulebook) -> dict[str, Any]:
    """Return the exact odds of every bet."""
    from queenhigh.price.odds import odds  # noqa: PLC0415 (numpy takes its time)

    found = odds(book)
    bets = {name: _bet(bet) for name, bet in found.bets.items()}
    head = {"rulebook": found.rulebook, "digest": found.digest, "deals": found.deals}
    return {**head, "bets": bets}


def _bet(bet: "BetOdds") -> dict[str, Any]:
    return {
        "ev": str(bet.ev),
        "edge": str(bet.edge),
        "element_of_risk": str(bet.element_of_risk),
        "sd": bet.sd,
        "skew": bet.skew,
        "win_rate": str(bet.rate(1)),
        "push_rate": str(bet.rate(0)),
        "lose_rate": str(bet.rate(-1)),
        "play_rate": None if bet.play_rate is None else str(bet.play_rate),
        "distribution": {str(gain): count for gain, count in bet.distribution.items()},
    }


def poker_only(book: Rulebook) -> PokerRulebook:
    """Return the rulebook if it is of a game with a decision."""
    if not isinstance(book, PokerRulebook):
        raise QueenhighError("game.poker", f"{book.title}: there is nothing to decide or to bank")
    return book


def strategy_data(book: PokerRulebook, found: "Strategy") -> dict[str, Any]:
    """Return best play with its chart and its rule."""
    from queenhigh.price.strategy import play_text, up_text  # noqa: PLC0415

    lines = [{"up": up_text(line), "play_with": play_text(book, line)} for line in found.rule]
    return {
        "rulebook": book.name,
        "digest": book.digest,
        "ev": str(found.ev),
        "sets": found.sets,
        "played": found.played,
        "level": found.level,
        "suit_cells": len(found.suit_cells),
        "chart_cost": str(found.chart_cost),
        "rule_cost": str(found.rule_cost),
        "rule": lines,
        "chart": _chart(found),
        "map": None if book.up == 2 else _map(found),
    }


def _chart(found: "Strategy") -> list[dict[str, Any]]:
    """Return the best chart by rank, and the cells where suits decide."""
    from queenhigh.price.strategy import Line, hand_text, play_text, up_text  # noqa: PLC0415

    rows = []
    for key in [key for key, cells in enumerate(found.cells) if cells.any()]:
        ups = found.ranks(key)
        below, above = found.exceptions(key)
        suits = [h for each, h in found.suit_cells if each == ups]
        line = Line((ups,), found.least(key))
        names = {"also_play": below, "but_fold": above, "suits_decide": suits}
        rows.append(
            {
                "up": up_text(line),
                "play_with": play_text(found.book, line),
                **{n: [hand_text(found.book.ranking, h) for h in hs] for n, hs in names.items()},
            }
        )
    return rows


def _map(found: "Strategy") -> dict[str, Any]:
    """Return what playing is worth above folding, by hand and up card, in units of the Ante.

    ``hands`` are those without a pair, the strongest first. ``gains`` has a row for each and a
    column for each up card, whole numbers over ``over``; above 0 is played. ``suits`` marks where
    suits decide: row, column, deals that are played, deals. ``classes`` are the better hands.
    """
    from queenhigh.price.strategy import hand_text  # noqa: PLC0415

    kinds = found.book.ranking.classes
    hands = [h for h, kind in enumerate(kinds) if kind == 0][::-1]
    deals, plays, sums = (
        each[:, hands].T.tolist() for each in (found.cells, found.plays, found.gains)
    )
    common = lcm(*{n for row in deals for n in row})
    gains = [
        [gain * (common // n) for gain, n in zip(*both, strict=True)]
        for both in zip(sums, deals, strict=True)
    ]
    over = common * found.scale
    part = gcd(over, *(gain for row in gains for gain in row))
    names = [rank.replace("T", "10") for rank in RANKS]
    return {
        "ups": names if found.book.up else ["any"],
        "hands": [hand_text(found.book.ranking, h) for h in hands],
        "over": over // part,
        "gains": [[gain // part for gain in row] for row in gains],
        "suits": [
            [row, column, played, deals[row][column]]
            for row, line in enumerate(plays)
            for column, played in enumerate(line)
            if 0 < played < deals[row][column]
        ],
        "classes": [_class(found, kind) for kind in sorted(set(kinds) - {0}, reverse=True)],
    }


def _class(found: "Strategy", kind: int) -> dict[str, Any]:
    """Return what playing a class of hands is worth above folding, and how much of it is played."""
    of_kind = [h for h, each in enumerate(found.book.ranking.classes) if each == kind]
    deals, plays, gains = (
        each[:, of_kind].sum(axis=1).tolist() for each in (found.cells, found.plays, found.gains)
    )
    return {
        "hand": HAND_CLASSES[kind].replace("_", " "),
        "worth": [str(Fraction(g, n * found.scale)) for g, n in zip(gains, deals, strict=True)],
        "play_rates": [str(Fraction(p, n)) for p, n in zip(plays, deals, strict=True)],
    }


def advise_on(book: PokerRulebook, hand: str, up: str | None) -> "Advice":
    """Return what both moves are worth with one hand, given as text."""
    from queenhigh.price.strategy import advise  # noqa: PLC0415

    cards = parse_cards(hand)
    if len(cards) != 3:
        raise InvalidRound("cards.count", f"a hand has three cards, not {len(cards)}")
    given = parse_cards(up or "")
    if len(given) != book.up or (up is not None and book.up == 0):
        names = ("no card is", "one card is", "two cards are")
        told = f"{names[book.up]} up in this game: " + (
            "leave --up out" if book.up == 0 else f'write --up "{"Kd 7c"[: 3 * book.up - 1]}"'
        )
        raise InvalidRound("up.count", told)
    return advise(book, _hand(cards), given)


def _hand(cards: tuple[int, ...]) -> Hand:
    a, b, c = cards
    return a, b, c


def advice_data(found: "Advice") -> dict[str, Any]:
    """Return what both moves are worth."""
    both = {"play": str(found.play), "fold": str(found.fold)}
    return {**both, "best": found.best, "cost": str(found.cost)}
