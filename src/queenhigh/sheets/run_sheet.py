"""A run of bots at a table, for people. It is made from the JSON of the run."""

from typing import Any

from queenhigh.money import dollars
from queenhigh.sheets.tables import Block, line, sheet, table

__all__ = ["as_text"]


def as_text(run: dict[str, Any]) -> Block:
    """Return the results of bots, from the JSON of their run, as a sheet."""
    stopped = f" of {run['asked']:,}" if run["rounds"] < run["asked"] else ""
    rate = run["rounds"] / max(run["seconds"], 1e-9)
    columns = {
        "Place": [str(player["place"]) for player in run["players"]],
        "Player": [player["player"] for player in run["players"]],
    }
    if run["players"][0]["policy"]:
        columns["Policy"] = [player["policy"] for player in run["players"]]
    if run["players_bank"]:
        columns["Banks"] = ["yes" if player["banks"] else "" for player in run["players"]]
    columns["Net after fees"] = [dollars(player["net"], signed=True) for player in run["players"]]
    collected = f"Fees collected {dollars(run['fees'])}. " if run["fees"] else ""
    house = f"The house {dollars(run['house'], signed=True)}. " if run["house"] else ""
    return sheet(
        line(f"Table {run['table']}: {run['title']}", style="bold"),
        line(
            f"{run['rounds']:,}{stopped} rounds, {run['commands']:,} commands in"
            f" {run['seconds']:.1f} s: {rate:,.0f} rounds per second, all saved to disk."
        ),
        table(
            list(columns), zip(*columns.values(), strict=True), right=("Place", "Net after fees")
        ),
        line(f"{collected}{house}{run['events']:,} events in {run['db']}."),
    )
