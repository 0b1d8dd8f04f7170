"""Best play, for people and for programs."""

from fractions import Fraction
from math import gcd, lcm
from typing import Any

from queenhigh.cards import HAND_CLASSES, RANKS
from queenhigh.price.strategy import Line, Strategy, hand_text, play_text, up_text
from queenhigh.sheets.format import percent
from queenhigh.sheets.tables import Block, heading, line, sheet, table

__all__ = ["as_json", "as_text"]


def as_json(best: Strategy) -> dict[str, Any]:
    """Return best play with its chart and its rule as docs/json.md describes it."""
    book = best.book
    lines = [{"up": up_text(each), "play_with": play_text(book, each)} for each in best.rule]
    return {
        "rulebook": book.name,
        "digest": book.digest,
        "rules_digest": book.rules_digest,
        "ev": str(best.ev),
        "sets": best.sets,
        "played": best.played,
        "level": best.level,
        "suit_cells": len(best.suit_cells),
        "chart_cost": str(best.chart_cost),
        "rule_cost": str(best.rule_cost),
        "rule": lines,
        "chart": _chart_as_json(best),
        "map": None if book.up == 2 else _map_as_json(best),
    }


def _chart_as_json(best: Strategy) -> list[dict[str, Any]]:
    """Return the best chart by rank, and the cells where suits decide."""
    rows = []
    for key in [key for key, cells in enumerate(best.cells) if cells.any()]:
        ups = best.ranks(key)
        below, above = best.exceptions(key)
        suits = [h for each, h in best.suit_cells if each == ups]
        row = Line((ups,), best.least(key))
        names = {"also_play": below, "but_fold": above, "suits_decide": suits}
        rows.append(
            {
                "up": up_text(row),
                "play_with": play_text(best.book, row),
                **{n: [hand_text(best.book.ranking, h) for h in hs] for n, hs in names.items()},
            }
        )
    return rows


def _map_as_json(best: Strategy) -> dict[str, Any]:
    """Return what playing is worth above folding, by hand and up card, in units of the Ante.

    ``hands`` are those without a pair, the strongest first. ``gains`` has a row for each and a
    column for each up card, whole numbers over ``over``; above 0 is played. ``suits`` marks where
    suits decide: row, column, deals that are played, deals. ``classes`` are the better hands.
    """
    kinds = best.book.ranking.classes
    hands = [h for h, kind in enumerate(kinds) if kind == 0][::-1]
    deals, plays, sums = (
        each[:, hands].T.tolist() for each in (best.cells, best.plays, best.gains)
    )
    common = lcm(*{n for row in deals for n in row})
    gains = [
        [gain * (common // n) for gain, n in zip(*both, strict=True)]
        for both in zip(sums, deals, strict=True)
    ]
    over = common * best.scale
    part = gcd(over, *(gain for row in gains for gain in row))
    names = [rank.replace("T", "10") for rank in RANKS]
    return {
        "ups": names if best.book.up else ["any"],
        "hands": [hand_text(best.book.ranking, h) for h in hands],
        "over": over // part,
        "gains": [[gain // part for gain in row] for row in gains],
        "suits": [
            [row, column, played, deals[row][column]]
            for row, line in enumerate(plays)
            for column, played in enumerate(line)
            if 0 < played < deals[row][column]
        ],
        "classes": [_class_as_json(best, kind) for kind in sorted(set(kinds) - {0}, reverse=True)],
    }


def _class_as_json(best: Strategy, kind: int) -> dict[str, Any]:
    """Return what playing a class of hands is worth above folding, and how much of it is played."""
    of_kind = [h for h, each in enumerate(best.book.ranking.classes) if each == kind]
    deals, plays, gains = (
        each[:, of_kind].sum(axis=1).tolist() for each in (best.cells, best.plays, best.gains)
    )
    return {
        "hand": HAND_CLASSES[kind].replace("_", " "),
        "worth": [str(Fraction(g, n * best.scale)) for g, n in zip(gains, deals, strict=True)],
        "play_rates": [str(Fraction(p, n)) for p, n in zip(plays, deals, strict=True)],
    }


def as_text(best: Strategy) -> Block:
    """Return best play as a sheet: its chart, its rule, and what both cost."""
    book = best.book
    parts: list[Block] = [
        line(f"Best strategy: {book.title}", style="bold"),
        line(
            f"Worth {str(best.ev).replace('-', '−')} of the Ante ({percent(best.ev)}). Of"
            f" {best.sets:,} deals of hand and up card, {best.played:,} are played;"
            f" {best.level:,} are worth the same either way and are folded (TCP-5)."
        ),
    ]
    if book.up < 2:
        cost = _cost(best.chart_cost)
        parts += [heading(f"Best chart by rank: costs {cost}"), _chart_table(best)]
    parts += [heading(f"A simple rule: costs {_cost(best.rule_cost)}")]
    rows = [(up_text(each), play_text(book, each)) for each in best.rule[:20]]
    parts.append(table(("Up card", "Play"), rows))
    if len(best.rule) > 20:
        parts.append(line(f"… and {len(best.rule) - 20} more; use --json for all."))
    parts += [heading("Suits"), line(_suits(best))]
    return sheet(*parts)


def _cost(cost: Fraction) -> str:
    return f"{percent(cost, 5)} of the Ante ({cost})" if cost else "nothing"


def _chart_table(best: Strategy) -> Block:
    rows = []
    for up in range(len(best.cells)):
        row = Line(((up,) if best.book.up else (),), best.least(up))
        suits = [h for ups, h in best.suit_cells if ups in ((up,), ())]
        lists = [_some(best, hands) for hands in (*best.exceptions(up), suits)]
        least = play_text(best.book, row).removesuffix(" or better")
        rows.append((up_text(row), least, *lists))
    if not any("".join(row[2:]) for row in rows):
        return table(("Up card", "Play from"), [row[:2] for row in rows])
    return table(("Up card", "Play from", "Play also", "But fold", "Depends on suits"), rows)


def _some(best: Strategy, hands: list[int]) -> str:
    """Name a hand or two; the page drawn with --chart and the JSON have them all."""
    named = ", ".join(hand_text(best.book.ranking, h) for h in hands[:2])
    return named + (f" + {len(hands) - 2}" if len(hands) > 2 else "")


def _suits(best: Strategy) -> str:
    if not best.suit_cells:
        return "Suits never matter: the chart by rank is the best strategy."
    return f"The best move depends on suits in {len(best.suit_cells)} cells of the chart."
