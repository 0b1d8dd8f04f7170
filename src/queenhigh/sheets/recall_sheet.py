"""A player's last rounds, for people. They are made from their JSON."""

from typing import Any

from queenhigh.money import dollars
from queenhigh.sheets.format import words
from queenhigh.sheets.tables import Block, heading, line, plain_table, sheet

__all__ = ["as_text"]


def as_text(player: str, rounds: list[dict[str, Any]]) -> Block:
    """Return a player's last rounds, step by step, as a sheet."""
    parts: list[Block] = [line(f"Last rounds of {player}", style="bold")]
    for recalled in rounds:
        before, after = recalled["credits"]["before"], recalled["credits"]["after"]
        result = dollars(recalled["net"] - recalled["fee"], signed=True)
        fee = f" after the {dollars(recalled['fee'])} fee" if recalled["fee"] else ""
        parts.append(heading(f"Round {recalled['round']}, {recalled['ended']}: {result}{fee}"))
        parts.append(plain_table(_rows(recalled)))
        parts.append(line(f"Chips: {dollars(before)} before, {dollars(after)} after"))
        parts += [line(_correction(row)) for row in recalled.get("corrections", ())]
    return sheet(*parts)


def _rows(recalled: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [("", step) for step in recalled["steps"]]
    if "seat" in recalled and str(recalled["seat"]) in recalled["hands"]:
        rows.append(("Cards", recalled["hands"][str(recalled["seat"])]))
    for wager in recalled["wagers"]:
        net = dollars(wager["net"], signed=True)
        name = words(wager["wager"])
        rows.append((name, f"{dollars(wager['stake'])}: {net} ({wager['clause']})"))
    return rows


def _correction(row: dict[str, Any]) -> str:
    """Return a correction of the round in a line: what moved, and what is still owed."""
    result = dollars(row["net"] - row["fee"], signed=True)
    owed = row["owed"]
    rest = (
        f"; {dollars(abs(owed))} still owed {'to' if owed > 0 else 'by'} the player" if owed else ""
    )
    return f"Corrected: {result}{rest} (correction {row['correction']}: {row['reason']})"
