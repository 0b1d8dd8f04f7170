"""Recipes: the commands of a table, one in a line, to be sent again.

A head names the bug that the recipe shows and the table; the lines after it are read from the top::

    Bug: a void keeps what the round held.
    Breaks: every hold ends
    Rulebook: house
    Silent players: fold
    Shuffle seed: 0

    ann sits at place 1 with $400.00
    the clock reaches the deadline
    ann bets $1.00 on ante
    the floor voids the round
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from queenhigh.money import dollars
from queenhigh.rulebook.book import Rulebook
from queenhigh.table import commands
from queenhigh.table.commands import FLOOR, Bet, Command
from queenhigh.table.correction_events import Facts
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import State
from tests.table.own_seeds import own_commitment, own_seed
from tests.table.random_play import BOOKS, limit_key, other_rules
from tests.table.watched_table import PLAYERS, Sent, WatchedTable

FOLDER = Path(__file__).parent / "recipes"
HEAD = ("Bug", "Breaks", "Rulebook", "Silent players", "Shuffle seed")
DEADLINE = "the clock reaches the deadline"

Step = Callable[[WatchedTable], None]


class BadRecipeError(ValueError):
    """A recipe that cannot be read; it names the file and the line."""


class Recipe(NamedTuple):
    """The commands of a table."""

    bug: str
    breaks: str
    rulebook: str
    silence: Any
    seed: int
    lines: tuple[str, ...]

    def __str__(self) -> str:
        values = (self.bug, self.breaks, self.rulebook, self.silence, str(self.seed))
        head = [f"{name}: {value}" for name, value in zip(HEAD, values, strict=True)]
        return "\n".join([*head, "", *self.lines, ""])


# The words for each command: a template, and the fields that it stands for.


class Words(NamedTuple):
    template: str
    kind: type[Command]
    fixed: dict[str, Any]


def _words(template: str, kind: type[Command], **fixed: Any) -> Words:
    return Words(template, kind, fixed)


RULING = {"staff": "Maria", "reason": "a dispute"}
ASKING = {"staff": "Carl", "reason": "seen on video"}
REJECTING = {"staff": "Noor", "reason": "it was right"}
WORDS = (
    _words("{by} sits at place {place} with {cents}", commands.Sit, bot=False),
    _words("{by} sits as a bot at place {place} with {cents}", commands.Sit, bot=True),
    _words("{by} tops up with {cents}", commands.TopUp),
    _words("{by} sits out", commands.SitOut, aside=True),
    _words("{by} comes back", commands.SitOut, aside=False),
    _words("{by} marks place {place} as away", commands.MarkAway),
    _words("{by} brings back place {place}", commands.BringBack),
    _words("{by} stops the clock", commands.StopClock),
    _words("{by} leaves now", commands.Leave, when="now"),
    _words("{by} leaves after the round", commands.Leave, when="after_round"),
    _words("{by} takes the bank with {cents}", commands.AcceptBank),
    _words("{by} declines the bank", commands.DeclineBank),
    _words("{by} asks for the bank", commands.WantBank),
    _words("{by} adds the seed {seed}", commands.AddSeed),
    _words("{by} commits to a seed", commands.CommitSeed),
    _words("{by} shows the seed", commands.ShowSeed),
    _words("{by} bets {wagers} and is ready", commands.PlaceWagers, ready=True),
    _words("{by} bets {wagers}", commands.PlaceWagers, ready=False),
    _words("{by} takes the bets back", commands.ClearWagers),
    _words("{by} plays", commands.Choose, move="play"),
    _words("{by} folds", commands.Choose, move="fold"),
    _words("{by} voids the round", commands.VoidRound, reason="a card was exposed"),
    _words("{by} voids the round without a reason", commands.VoidRound, reason=""),
    _words("{by} sets the limit to {limit} and the pause to {pause}", commands.ChangeTable),
    _words("{by} announces the limit {limit} and the pause {pause}", commands.AnnounceChange),
    _words("{by} withdraws the change", commands.WithdrawChange, reason="a mistake"),
    _words("{by} rules {kind}", commands.RuleIncident, place=None, **RULING),
    _words("{by} rules {kind} at place {place}", commands.RuleIncident, **RULING),
    _words("{by} asks to correct by {facts}", commands.AskCorrection, **ASKING),
    _words("{by} approves correction {correction}", commands.ApproveCorrection, staff="Noor"),
    _words("{by} rejects correction {correction}", commands.RejectCorrection, **REJECTING),
    _words("{by} closes the table", commands.CloseTable, reason="the night is over"),
)


class _Field(NamedTuple):
    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str]


def _read_money(text: str) -> int:
    return int(re.sub(r"[$,.]", "", text).replace("−", "-"))


def _read_wagers(text: str) -> tuple[Bet, ...]:
    bets = (bet.split(" on ") for bet in text.split(", "))
    return tuple(Bet(spot, _read_money(cents)) for cents, spot in bets)


def _write_wagers(bets: tuple[Bet, ...]) -> str:
    return ", ".join(f"{dollars(bet.cents)} on {bet.spot}" for bet in bets)


def _read_facts(text: str) -> Facts:
    return msgspec.json.decode(text, type=Facts)


def _write_facts(facts: Facts) -> str:
    return msgspec.json.encode(facts).decode()


_MONEY = r"−?\$[0-9,]+\.[0-9]{2}"
_BET = rf"{_MONEY} on [a-z0-9_ ]+?"
_FIELDS = {
    "by": _Field("|".join((*PLAYERS, "the floor")),
                 lambda text: FLOOR if text == "the floor" else text,
                 lambda by: "the floor" if by == FLOOR else by),
    "place": _Field("-?[0-9]+", int, str),
    "cents": _Field(_MONEY, _read_money, dollars),
    "limit": _Field(_MONEY, _read_money, dollars),
    "pause": _Field("[0-9]+ ms", lambda text: int(text[:-3]), lambda pause: f"{pause} ms"),
    "seed": _Field('"[^"]*"', json.loads, lambda seed: json.dumps(seed, ensure_ascii=False)),
    "kind": _Field("[a-z_]+", str, str),
    "facts": _Field(r"\{.*?\}(?= in round|$)", _read_facts, _write_facts),
    "correction": _Field("[0-9]+", int, str),
    "wagers": _Field(rf"{_BET}(?:, {_BET})*", _read_wagers, _write_wagers),
}  # fmt: skip


def _pattern(template: str) -> re.Pattern[str]:
    names = {name: f"(?P<{name}>{field.pattern})" for name, field in _FIELDS.items()}
    return re.compile(template.format(**names) + "(?: in round (?P<round>-?[0-9]+))?")


_PATTERNS = [(_pattern(words.template), words) for words in WORDS]


# Reading


def read(text: str, file: str = "recipe") -> Recipe:
    """Read a recipe; ``BadRecipeError`` says which line is wrong."""
    lines = text.splitlines()
    values = []
    for number in range(1, max(len(lines), len(HEAD)) + 1):
        line = lines[number - 1] if number <= len(lines) else ""
        try:
            if number <= len(HEAD):
                values.append(_read_head(HEAD[number - 1], line))
            elif number > len(HEAD) + 1:
                read_line(line)
            elif line:
                raise ValueError("this should be empty, between the head and what is done")
        except ValueError as error:
            raise BadRecipeError(f"{file}, line {number}: {error}") from None
    bug, breaks, rulebook, silence, seed = values
    return Recipe(bug, breaks, rulebook, silence, int(seed), tuple(lines[len(HEAD) + 1 :]))


def _read_head(name: str, line: str) -> str:
    if not line.startswith(f"{name}: "):
        raise ValueError(f"this should start with '{name}: '")
    value = line[len(name) + 2 :]
    if name == "Rulebook" and value not in BOOKS:
        raise ValueError(f"there is no rulebook '{value}' here but {', '.join(BOOKS)}")
    if name == "Silent players" and value not in ("play", "fold"):
        raise ValueError(f"'{value}' is not play or fold")
    if name == "Shuffle seed" and not value.isdecimal():
        raise ValueError(f"'{value}' is not a number")
    return value


def read_line(line: str) -> Step:
    """Return the step of a line."""
    if line == DEADLINE:
        return lambda table: table.wait_for_deadline()
    if match := re.fullmatch("([0-9]+) ms pass", line):
        time_ms = int(match[1])
        return lambda table: table.wait(time_ms)
    if match := re.fullmatch("the clock is set ([0-9]+) ms (on|back)", line):
        shift = int(match[1]) if match[2] == "on" else -int(match[1])
        return lambda table: table.set_clock(shift)
    if match := re.fullmatch("the command ([1-9][0-9]*) back is sent again", line):
        back = int(match[1])
        return lambda table: table.send_again(back)
    for pattern, words in _PATTERNS:
        if match := pattern.fullmatch(line):
            said = {name: text for name, text in match.groupdict().items() if text is not None}
            round = said.pop("round", None)
            fields = {name: _FIELDS[name].read(text) for name, text in said.items()}
            fields |= words.fixed
            return lambda table: _send(table, words.kind, fields, round)
    raise ValueError(f"nobody can follow '{line}'")


def _send(
    table: WatchedTable, kind: type[Command], said: dict[str, Any], round: str | None
) -> None:
    fields = dict(said)
    if kind in (commands.ChangeTable, commands.AnnounceChange):
        document, settings = other_rules(table.state, fields.pop("limit"), fields.pop("pause"))
        fields |= {"rulebook": document, "settings": settings, "reason": "a slow night"}
    if kind is commands.CommitSeed:
        fields["commitment"] = own_commitment(table.state, fields["by"])
    if kind is commands.ShowSeed:
        fields["seed"] = own_seed(table.state, fields["by"]).hex()
    if "round" in kind.__struct_fields__:
        fields["round"] = int(round) if round is not None else _current_round(kind, table.state)
    if kind is commands.AskCorrection:
        fields["past"] = table.past.find(fields["round"])
    if kind is commands.ApproveCorrection:
        asked = table.state.corrections.asked.get(fields["correction"])
        fields["past"] = table.past.find(asked.round) if asked else None
    table.send(kind, **fields)


def _current_round(kind: type[Command], state: State) -> int:
    """Return the round that a command means when it names none."""
    return state.number + (kind in (commands.AcceptBank, commands.DeclineBank))


# Writing


def write(table: WatchedTable, bug: str, breaks: str) -> Recipe:
    """Return the recipe for all that a table was sent."""
    lines = tuple(_write_line(sent) for sent in table.sent)
    return Recipe(bug, breaks, table.rulebook, table.silence, table.seed, lines)


def _write_line(sent: Sent) -> str:
    command, state = sent.command, sent.before
    if sent.back:
        return f"the command {sent.back} back is sent again"
    if isinstance(command, commands.Tick):
        due = wakes_at(state)
        on_time = due is not None and command.at == max(due, sent.clock)
        return DEADLINE if on_time else f"{command.at - sent.clock} ms pass"
    if isinstance(command, commands.RebaseTime):
        shift = command.at - state.at
        return f"the clock is set {abs(shift)} ms {'on' if shift >= 0 else 'back'}"
    values = {name: getattr(command, name) for name in command.__struct_fields__}
    if isinstance(command, commands.ChangeTable | commands.AnnounceChange):
        values["limit"] = _limit(state.book, command.rulebook)
        values["pause"] = command.settings.pace.pause
    for template, kind, fixed in WORDS:
        if type(command) is kind and fixed.items() <= values.items():
            names = [name for name in _FIELDS if f"{{{name}}}" in template]
            said = {name: _FIELDS[name].write(values[name]) for name in names}
            line = template.format(**said)
            named = values.get("round")
            is_current = named is None or named == _current_round(kind, state)
            return line if is_current else f"{line} in round {named}"
    raise ValueError(f"no words for {command}")


def _limit(book: Rulebook, document: dict[str, Any]) -> int:
    value: Any = document
    for key in limit_key(book).split("."):
        value = value[key]
    cents: int = value
    return cents


# Following, and making shorter


def follow(recipe: Recipe) -> WatchedTable:
    """Follow a recipe at a table that is watched."""
    table = WatchedTable(recipe.rulebook, recipe.silence, recipe.seed)
    for line in recipe.lines:
        read_line(line)(table)
    table.finish()
    return table


def shows(recipe: Recipe) -> bool:
    """Return whether following a recipe breaks the property that it names."""
    try:
        follow(recipe)
    except AssertionError as error:
        return recipe.breaks in str(error)
    return False


def shorten(recipe: Recipe) -> Recipe:
    """Leave out lines while the rest still shows the bug; none is left that could be left out."""
    size = max(1, len(recipe.lines) // 2)
    while True:
        before = recipe
        start = len(recipe.lines)
        while start > 0:
            start = max(0, start - size)
            left = recipe.lines[:start] + recipe.lines[start + size :]
            if shows(shorter := recipe._replace(lines=left)):
                recipe = shorter
        if size == 1 and recipe == before:
            return recipe
        size = max(1, size // 2)
