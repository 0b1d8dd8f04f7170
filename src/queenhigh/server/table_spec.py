"""The specification of a table: JSON in a request, or TOML in a file, with the same keys."""

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from queenhigh.errors import InvalidRulebook, Problem, QueenhighError
from queenhigh.room.room import settings_for
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import load, parse, shipped, vary
from queenhigh.rulebook.toml_lines import key_lines
from queenhigh.server.text import check_plain, is_plain, mixes_scripts
from queenhigh.table.commands import Pace, Settings

__all__ = [
    "DEFAULT_TABLES",
    "PACES",
    "Changes",
    "FloorTableSpec",
    "RulebookChoice",
    "TableSpec",
    "check_payout_limit",
    "describe_problem",
    "find_rulebook",
    "load_shipped",
    "read_table_file",
    "refuse_preset",
]

#: The paces of tables, in milliseconds for each time limit.
PACES = {
    "quick": Pace(pause=1_500, offer=8_000, bets=10_000, moves=10_000),
    "normal": Pace(),
    "slow": Pace(pause=8_000, offer=45_000, bets=60_000, moves=60_000),
}

#: The most that one round may pay a place, in cents: ten thousand million dollars.
_MOST = 10**12


def _is_text(changes: dict[str, Any]) -> dict[str, Any]:
    """Refuse lone surrogates, which cannot be encoded."""
    try:
        json.dumps(changes, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise ValueError("set contains invalid Unicode: fix it") from None
    return changes


Changes = Annotated[
    dict[str, Any], Field(max_length=50), AfterValidator(_is_text), AfterValidator(check_plain)
]


def describe_problem(where: str, error: ErrorDetails) -> str:
    """Return pydantic's error for a key as a sentence; our own sentences stay as they are."""
    ours = error["type"] == "value_error"
    return str(error["ctx"]["error"]) if ours else f"{where}: {error['msg']}"


_NAME = r"^[^\W_](?:[\w .'-]{0,38}[\w.])?$"


def _check_name(name: str) -> str:
    if not re.fullmatch(_NAME, name) or not is_plain(name):
        sentence = (
            "a table name needs 1 to 40 letters and digits, with spaces, dots, ' or - between them"
        )
        raise ValueError(sentence)
    if mixes_scripts(name):
        raise ValueError("a table name must have letters of one script: choose another")
    return name


class RulebookChoice(BaseModel):
    """A shipped rulebook by its name, and the keys of it that are to be different."""

    model_config = ConfigDict(extra="forbid")

    rulebook: Annotated[str, Field(max_length=1000)] = "california"
    set: Changes = {}


class TableSpec(RulebookChoice):
    """A table that somebody wants to open."""

    name: Annotated[str, AfterValidator(_check_name), Field(json_schema_extra={"pattern": _NAME})]
    bots: Annotated[int, Field(ge=0, le=20)] = 0
    #: Whether bots take the bank when it is offered: if not, it is yours.
    bots_bank: bool = True
    #: How many may sit at a wheel; at a card table the rulebook decides.
    places: Annotated[int | None, Field(ge=1, le=20)] = None
    pace: Literal["quick", "normal", "slow"] = "normal"
    #: The move of a player whose time runs out.
    silence: Literal["fold", "play"] = "fold"
    least_bank: Annotated[int | None, Field(ge=1, le=10**12)] = None
    #: The room's preset of fees, at a table of your own.
    fees: Annotated[str | None, Field(max_length=64)] = None

    def settings(self, book: Rulebook) -> Settings:
        """Return the settings of the table."""
        usual = settings_for(book, pace=PACES[self.pace])
        allowed = book.game.places(book)
        if self.places is not None and allowed.least == allowed.most:
            sentence = "the rulebook sets the seats of a card table: set its seats instead"
            raise QueenhighError("settings.places", sentence)
        return Settings(
            places=self.places or usual.places,
            pace=usual.pace,
            default_move=self.silence,
            least_bank=self.least_bank or usual.least_bank,
            bots=self.bots > 0,
        )


class FloorTableSpec(TableSpec):
    """A table that the floor wants to open: by a shipped rulebook, or by the text of a file."""

    rulebook_text: Annotated[str | None, Field(max_length=60_000)] = None
    reason: Annotated[str, Field(max_length=200), AfterValidator(check_plain)] = ""

    def find_rulebook(self) -> Rulebook:
        """Return the rulebook, if its payouts are within the limit."""
        if self.rulebook_text is None:
            return find_rulebook(self)
        if "rulebook" in self.model_fields_set:
            sentence = "a table has one rulebook: send rulebook or rulebook_text, not both"
            raise QueenhighError("rulebook.two", sentence)
        book = self._read_file(self.rulebook_text)
        check_payout_limit(book)
        try:
            check_plain(dict(book.document))  # players read it
        except ValueError as error:
            raise QueenhighError("rulebook.text", f"the file: {error}") from None
        return book

    def _read_file(self, text: str) -> Rulebook:
        try:
            book = parse(text, "the file")
        except InvalidRulebook as error:  # the file's own words can be mended in the file
            raise QueenhighError("rulebook.invalid", str(error)) from None
        return vary(book, self.set) if self.set else book


#: The tables of every room.
DEFAULT_TABLES = (
    TableSpec(name="california", rulebook="california", bots=6),
    TableSpec(name="house", rulebook="house", bots=3),
    TableSpec(name="roulette", rulebook="roulette", bots=3),
)


def refuse_preset(spec: TableSpec) -> None:
    """Refuse a preset of fees where the operator sets the fees themselves."""
    if spec.fees is not None:
        sentence = "presets are for players' own tables: write the fees under set"
        raise QueenhighError("fees.preset", sentence)


def find_rulebook(choice: RulebookChoice) -> Rulebook:
    """Return the rulebook of a choice, if its payouts are within the limit."""
    book = load_shipped(choice.rulebook, choice.set)
    check_payout_limit(book)
    return book


def check_payout_limit(book: Rulebook) -> None:
    """Refuse a rulebook by which a round could pay more than a room can count."""
    stake = book.betting.most_stake
    largest = max([stake, *(pays.on(stake) for pays in book.all_pays)])
    if book.most_winners * largest > _MOST:
        sentence = "the possible winnings are too large: lower the limits or the pays"
        raise QueenhighError("rulebook.huge", sentence)


def load_shipped(name: str, changes: dict[str, Any]) -> Rulebook:
    """Return a shipped rulebook with its changes; a client cannot name a file."""
    if name not in shipped():
        sentence = f"there is no rulebook {name[:40]!r}: choose {', '.join(shipped())}"
        raise QueenhighError("rulebook.none", sentence)
    return load(name, changes)


def read_table_file(file: Path) -> tuple[TableSpec, Rulebook | InvalidRulebook]:
    """Read a table from a file; its rulebook may be a file beside it.

    If nothing is wrong with the rules but words, the problem stands in their place: a table that
    is stored already goes on.
    """
    try:
        text = file.read_text("utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise QueenhighError("file.unreadable", f"{file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise QueenhighError("table.file", f"{file}: this is not TOML: {error}") from None
    try:
        spec = TableSpec.model_validate({"name": file.stem, **raw})
    except ValidationError as error:
        wrong = error.errors(include_url=False)[0]
        key = ".".join(map(str, wrong["loc"]))
        raise QueenhighError("table.file", f"{file}: {describe_problem(key, wrong)}") from None
    refuse_preset(spec)
    beside = file.parent / spec.rulebook
    named = spec.rulebook if spec.rulebook in shipped() else str(beside)
    try:
        return spec, load(named, spec.set)
    except InvalidRulebook as error:
        if error.code != "rulebook.wording":
            raise
        return spec, _in_table_file(error, file, text, named, spec)


def _in_table_file(
    error: InvalidRulebook, file: Path, text: str, named: str, spec: TableSpec
) -> InvalidRulebook:
    """Return a problem of words with the lines of a table file that set them."""
    lines, problems = key_lines(text), list[Problem]()
    for key, value in spec.set.items():
        try:
            load(named, {key: value})
        except InvalidRulebook as one:
            line = lines.get(("set", *key.split(".")), lines.get(("set",)))
            problems += [
                each if each.line else replace(each, file=str(file), line=line)
                for each in one.problems
            ]
    return InvalidRulebook(tuple(dict.fromkeys(problems)) or error.problems, is_wording=True)
