"""A table's rounds as people read them."""

from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from queenhigh.cards import describe, format_cards
from queenhigh.money import dollars
from queenhigh.room.history import Record, as_settle_line
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.layout import heading, plain_table, table
from queenhigh.sheets.words import words
from queenhigh.table.fairness import round_key

__all__ = ["proof_sheet", "recall_sheet", "run_sheet"]


def run_sheet(told: dict[str, Any]) -> RenderableType:
    """Return how bots fared."""
    stopped = f" of {told['asked']:,}" if told["rounds"] < told["asked"] else ""
    rate = told["rounds"] / max(told["seconds"], 1e-9)
    columns = {
        "Place": [str(one["place"]) for one in told["players"]],
        "Player": [one["player"] for one in told["players"]],
    }
    if told["players"][0]["policy"]:
        columns["Policy"] = [one["policy"] for one in told["players"]]
    if told["players_bank"]:
        columns["Banks"] = ["yes" if one["banks"] else "" for one in told["players"]]
    columns["Net, fees paid"] = [dollars(one["net"], signed=True) for one in told["players"]]
    collected = f"Fees collected {dollars(told['fees'])}. " if told["fees"] else ""
    house = f"The house {dollars(told['house'], signed=True)}. " if told["house"] else ""
    return Group(
        Text(f"Table {told['table']}: {told['title']}", style="bold"),
        Text(
            f"{told['rounds']:,}{stopped} rounds, {told['commands']:,} commands in"
            f" {told['seconds']:.1f} s: {rate:,.0f} rounds a second, all of them on disk."
        ),
        table(
            list(columns), zip(*columns.values(), strict=True), right=("Place", "Net, fees paid")
        ),
        Text(f"{collected}{house}{told['events']:,} events in {told['db']}."),
    )


def recall_sheet(player: str, rounds: list[dict[str, Any]]) -> RenderableType:
    """Return a player's last rounds, step by step."""
    parts: list[RenderableType] = [Text(f"The last rounds of {player}", style="bold")]
    for one in rounds:
        before, after = one["credits"]["before"], one["credits"]["after"]
        net = dollars(one["net"], signed=True)
        parts.append(heading(f"Round {one['round']}, {one['ended']}: {net}"))
        parts.append(plain_table(_recalled(one)))
        parts.append(
            Text(
                f"Credits {dollars(before)} before, {dollars(after)} after"
                + (f"; fee {dollars(one['fee'])}" if one["fee"] else "")
            )
        )
    return Group(*parts)


def _recalled(one: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("", step) for step in one["steps"]]
    if "seat" in one and str(one["seat"]) in one["hands"]:
        rows.append(("Cards", one["hands"][str(one["seat"])]))
    for wager in one["wagers"]:
        net = dollars(wager["net"], signed=True)
        name = words(wager["wager"])
        rows.append((name, f"{dollars(wager['stake'])}: {net} ({wager['clause']})"))
    return rows


def proof_sheet(record: Record) -> RenderableType:
    """Return a round with every step of its proof."""
    live = record.live
    parts: list[RenderableType] = [
        Text(f"Round {record.id}: {record.book.title}", style="bold"),
        plain_table([*_seeds(record), ("Rulebook", record.digest)]),
        plain_table([(str(at), step) for at, step in enumerate(record.steps(), 1)]),
    ]
    if live.poker is not None and live.poker.dealer is not None:
        parts.append(_hands(record))
    if as_settle_line(record) is not None:
        parts.append(Text("The cards follow from the seeds, and the amounts from the cards."))
    return Group(*parts)


def _seeds(record: Record) -> list[tuple[str, str]]:
    """Return what the cards follow from, and who could have chosen them."""
    live = record.live
    rows = [("Commitment", live.commitment), ("Seed", record.end.seed)]
    for place, one in sorted(live.committed.items()):
        rows.append((f"Place {place} committed to", one.commitment))
        rows.append((f"Place {place} showed", one.shown or "nothing: its seed was left out"))
    rows += [(f"Seed of place {place}", repr(seed)) for place, seed in sorted(live.seeds.items())]
    if live.chain:
        dealt = f"Link {live.link} of chain {live.chain}"
        return [("Dealt by", dealt), *rows, *([("Key", live.key)] if live.key else [])]
    added = {place: seed.encode() for place, seed in live.seeds.items()}
    rows.append(("Key", round_key(bytes.fromhex(record.end.seed), added).hex()))
    return [("Dealt by", "Scheme 1: the room could have chosen"), *rows]


def _hands(record: Record) -> RenderableType:
    poker, book = record.live.poker, record.book
    assert poker is not None
    assert poker.dealer is not None
    assert isinstance(book, PokerRulebook)
    hands = [(f"Seat {one.seat}", one.cards, one.move or "") for one in poker.seats]
    hands.append(("Dealer", poker.dealer, ""))
    rows = []
    for name, cards, move in hands:
        assert cards is not None
        rows.append(
            (name, format_cards(cards), describe(book.ranking, book.ranking.strength(cards)), move)
        )
    return table(["", "Cards", "Hand", "Move"], rows)
