"""The fees that players may choose for their own tables: presets of the operator (CA-8)."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from queenhigh.errors import InvalidRulebook, QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import load
from queenhigh.server.table_spec import describe_problem
from queenhigh.table.posted import PostedRate, posted_rates

__all__ = [
    "BUILT_IN",
    "FeePreset",
    "PresetLine",
    "Presets",
    "check_fees",
    "presets_of",
    "read_presets",
]


class FeePreset(BaseModel):
    """A schedule of fees by its name: keys of ``[fees]`` in a rulebook, and a title for people."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: Annotated[str, Field(min_length=1, max_length=100)]
    fee_per: Literal["round", "wager", "kind"] = "round"
    collect: Literal["before", "after"] = "before"
    rates: tuple[dict[str, Any], ...] | None = None

    def changes(self) -> dict[str, object]:
        """Return what this changes in a rulebook; nothing if it is the rulebook's own schedule."""
        if self.rates is None:
            return {}
        rates = {"fees.rates": [*self.rates]}
        return {"fees.fee_per": self.fee_per, "fees.collect": self.collect, **rates}


Presets = Mapping[str, FeePreset]

#: The presets of a room whose operator names none.
BUILT_IN: Presets = {
    "posted": FeePreset(title="As in the rulebook"),
    "free": FeePreset(
        title="No fees", rates=({"min": 500, "max": 100_000, "player": 0, "banker": 0},)
    ),
}


class PresetLine(Struct, frozen=True):
    """A preset as players choose it, with the rates that would be posted."""

    name: str
    title: str
    fee_per: str
    collect: str
    fees: list[PostedRate]


def read_presets(file: Path) -> Presets:
    """Read presets from a TOML file: a table for each, by its name."""
    try:
        raw = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise QueenhighError("file.unreadable", f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise QueenhighError("fees.file", f"{file}: this is not TOML: {error}") from None
    presets = {}
    for name, table in raw.items():
        try:
            presets[name] = FeePreset.model_validate(table)
            load("california", presets[name].changes())
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            where = ".".join(map(str, (name, *wrong["loc"])))
            raise QueenhighError("fees.file", f"{file}: {describe_problem(where, wrong)}") from None
        except InvalidRulebook as error:
            problem = error.problems[0]
            sentence = f"{file}: {name}: {problem.key}: {problem.message}; {problem.write}"
            raise QueenhighError("fees.file", sentence) from None
    if not presets:
        raise QueenhighError("fees.file", f"{file}: there are no presets: add a table for one")
    return presets


def presets_of(presets: Presets) -> list[PresetLine]:
    """Return the presets as they are posted."""
    lines = []
    for name, preset in presets.items():
        fees = load("california", preset.changes()).fees
        if fees is not None:
            rates = [*posted_rates(fees)]
            lines.append(PresetLine(name, preset.title, fees.fee_per, fees.collect, rates))
    return lines


def check_fees(book: Rulebook, presets: Presets, chosen: str | None) -> dict[str, object]:
    """Return the changes of the preset that a player chose; refuse fees of their own (CA-8)."""
    names = ", ".join(presets)
    if any(key == "fees" or key.startswith("fees.") for key in book.changes):
        sentence = f"fees at your own table must be a preset of the room: choose {names} as fees"
        raise QueenhighError("fees.own", f"{sentence} (CA-8)")
    if chosen is None:
        return {} if "posted" in presets else next(iter(presets.values())).changes()
    if chosen not in presets:
        sentence = f"there is no preset {chosen[:40]!r}: choose {names}"
        raise QueenhighError("fees.preset", sentence)
    return presets[chosen].changes()
