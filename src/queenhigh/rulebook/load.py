"""TOML in, a checked and frozen rulebook out; or every problem at once."""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Literal, NoReturn, overload

from pydantic import BaseModel, ValidationError

from queenhigh.errors import InvalidRulebook, Problem
from queenhigh.games import GAMES
from queenhigh.rulebook.book import AnyGame, Games, PokerRulebook, Rulebook, own_game
from queenhigh.rulebook.clause_text import check_texts, with_words
from queenhigh.rulebook.explain import explain
from queenhigh.rulebook.law import check_law, check_law_rows, refuse_change, refuse_wording
from queenhigh.rulebook.overrides import find_key, is_setting, keep_fixed, put, value_at
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.rulebook.schema import GameDocument
from queenhigh.rulebook.schema_paths import example, field_at, value_of
from queenhigh.rulebook.toml_lines import key_lines
from queenhigh.rulebook.wording import check_words

__all__ = ["from_document", "in_words_of", "load", "parse", "shipped", "vary"]

_MOST_BYTES = 1 << 20
_DEEP = re.compile(
    r"(?<![\w\"'-])(?:[\w\"'-]+[ \t]*\.[ \t]*){32}"
)  # a key of so many parts is no key of ours
#: The key of the notice before fees or limits change, and the seconds it usually has.
_NOTICE, _USUAL_NOTICE = ("fees", "notice_seconds"), 60
_TOO_DEEP = ("is nested too deep", "write a rulebook file")
_SHIPPED = Path(__file__).parent.parent / "rulebooks"


@cache
def shipped() -> tuple[str, ...]:
    """Return the names of the rulebooks that come with the package."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob("*.toml")))


@overload
def load(
    rulebook: Literal["california", "house"], changes: Mapping[str, object] | None = None
) -> PokerRulebook: ...
@overload
def load(
    rulebook: Literal["roulette", "roulette-american", "roulette-european"],
    changes: Mapping[str, object] | None = None,
) -> RouletteRulebook: ...
@overload
def load(
    rulebook: str | Path, changes: Mapping[str, object] | None = None, games: Games = GAMES
) -> Rulebook: ...


def load(
    rulebook: str | Path, changes: Mapping[str, object] | None = None, games: Games = GAMES
) -> Rulebook:
    """Load a rulebook by its shipped name or from a file, for one of ``games``.

    ``changes`` gives other values to keys: ``{"coverage": "net"}``. A key is its dotted path, or
    any end of it that only one key has, with dots or underscores: ``bonus_on_fold``.
    """
    if isinstance(rulebook, str) and rulebook in shipped():
        text, raw = _shipped_file(rulebook)
        return _chosen(_copied(raw), text, rulebook, changes or {}, games)
    return parse(_read(Path(rulebook)), str(rulebook), changes, games)


def vary(book: Rulebook, changes: Mapping[str, object], *, under_law: bool = True) -> Rulebook:
    """Return a rulebook with other values for some keys, as ``load`` would.

    Rules that nobody chooses, but only looks at, need not be ``under_law``.
    """
    raw = _copied(dict(book.document))
    return _parsed(raw, "", book.name, changes, own_game(book), chosen=under_law)


def from_document(document: Mapping[str, Any], games: Games = GAMES) -> Rulebook:
    """Return the rulebook that ``Rulebook.document`` came from, checked as a file would be.

    It was chosen before: its law is not asked again, and neither are its words.
    """
    name = str(document.get("name", "rulebook"))
    return _parsed(_copied(dict(document)), "", name, {}, games, chosen=False)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            content = opened.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        _suggest(path)
        reason = getattr(error, "strerror", None) or str(error)
        _refuse(
            str(path),
            f"cannot be read ({reason})",
            f"use a built-in rulebook ({', '.join(shipped())}) or the path of a file",
        )
    if len(content) > _MOST_BYTES:
        _refuse(str(path), "is larger than 1 MiB", "give a rulebook file")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse(str(path), "is not UTF-8 text", "give a rulebook file")


def _suggest(path: Path) -> None:
    """Refuse a misspelt name of a shipped rulebook with the name that was meant."""
    close = get_close_matches(str(path), shipped(), n=1)
    if close and not path.suffix and not path.exists():
        _refuse(str(path), "there is no such rulebook", f"did you mean {close[0]}?")


def parse(
    text: str, file: str, changes: Mapping[str, object] | None = None, games: Games = GAMES
) -> Rulebook:
    """Read a rulebook from TOML; ``file`` is its name in problems."""
    if _DEEP.search(text):
        _refuse(file, *_TOO_DEEP)
    try:
        raw = _toml(text, file)
    except RecursionError:
        _refuse(file, *_TOO_DEEP)
    _add_notice(raw, games)
    return _chosen(raw, text, file, changes or {}, games)


def _chosen(
    raw: dict[str, Any], text: str, file: str, changes: Mapping[str, object], games: Games
) -> Rulebook:
    """Return the rulebook that somebody chose, which its law binds."""
    try:
        return _parsed(raw, text, file, changes, games, chosen=True)
    except RecursionError:
        _refuse(file, *_TOO_DEEP)


def _add_notice(raw: dict[str, Any], games: Games) -> None:
    """Write the usual notice into a file with fees that gives none (CA-6).

    Stored documents are read as they are: a table that was opened without notice needs none.
    """
    name, fees = raw.get("game"), raw.get("fees")
    game = games.get(name) if isinstance(name, str) else None
    if game is None or not isinstance(fees, dict):
        return
    if field_at(game.document_type, _NOTICE)[1] is not None:
        fees.setdefault(_NOTICE[-1], _USUAL_NOTICE)


def _toml(text: str, file: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except ValueError as error:  # not only TOML's own: for example a number of 5,000 digits
        _refuse(file, f"is not TOML ({error})", "correct that line")


def _parsed(
    raw: dict[str, Any],
    text: str,
    file: str,
    changes: Mapping[str, object],
    games: Games,
    *,
    chosen: bool,
) -> Rulebook:
    name = raw.get("game")
    if not isinstance(name, str) or name not in games:
        _refuse(file, "the game is missing", f"write game = one of {', '.join(games)}", key="game")
    game, own_name = games[name], raw.get("name")
    changed, findings = _change(raw, game, file, changes)
    edition = _shipped_document(own_name) if isinstance(own_name, str) else None
    document, wrong = _check(raw, game, _law_checks(edition) if chosen else None)
    findings += wrong
    if document is not None and not findings:
        book = game.compile(document)
        findings += check_texts(book, document) if chosen else ()
        findings += _check_words(book, text) if text and edition else ()
        if not findings:
            return _named(_worded(replace(book, changes=changed), document, edition))
    lines = key_lines(text)
    problems = tuple(_problem(item, file, lines, changed) for item in findings)
    raise InvalidRulebook(problems, is_wording=all(item.is_wording for item in findings))


def _check_words(book: Rulebook, text: str) -> Iterator[Finding]:
    """Check the words of a file with a shipped name; those of the shipped file itself are right."""
    shipped_text, shipped_raw = _shipped_file(book.name)
    return iter(()) if text == shipped_text else check_words(book.document, shipped_raw)


def _named(book: Rulebook) -> Rulebook:
    """Return a rulebook whose title, if it is a shipped one, also has its own name."""
    titles = {_shipped_file(name)[1]["title"] for name in shipped() if name != book.name}
    return replace(book, title=f"{book.title} ({book.name})") if book.title in titles else book


def _law_checks(edition: GameDocument | None) -> "_Checks":
    """Return the checks of law: of the rows of a document and, by its name, of a shipped one."""

    def check(document: GameDocument) -> Iterator[Finding]:
        rows = dict.fromkeys((*document.law, *(edition.law if edition else ())))
        yield from check_law_rows(document)
        yield from check_law(document, list(rows), document.name)

    return check


def _change(
    raw: dict[str, Any], game: AnyGame, file: str, changes: Mapping[str, object]
) -> tuple[dict[str, object], list[Finding]]:
    """Give other values to keys; return those that differ by their whole path, and problems."""
    changed: dict[str, object] = {}
    findings: list[Finding] = []
    before = _copied(raw)
    for key, value in changes.items():
        try:
            path = find_key(raw, game.document_type, str(key))
        except LookupError as error:
            findings.append(Finding((), *error.args))
            continue
        name, dotted = str(raw.get("name")), ".".join(map(str, path))
        if path[0] == "law":
            findings.append(refuse_change(str(key), name))
            continue
        try:
            kept = _settable(before, game, path, value)
        except LookupError as error:
            findings.append(refuse_wording(str(error.args[0]), file or name))
            continue
        if put(raw, path, kept) != kept:
            changed[dotted] = kept
    return changed, findings


def _settable(before: dict[str, Any], game: AnyGame, path: Key, value: object) -> object:
    """Return a value to set, with the words of rows; raise ``LookupError`` for other words."""
    model, dotted = game.document_type, ".".join(map(str, path))
    if not is_setting(model, path):
        raise LookupError(dotted)
    return keep_fixed(model, path, value_at(before, dotted), value)


@cache
def _shipped_document(name: str) -> GameDocument | None:
    """Return the document of a shipped rulebook, as this version has it."""
    if name not in shipped():
        return None
    _, raw = _shipped_file(name)
    return GAMES[raw["game"]].document_type.model_validate(raw)


@cache
def _shipped_file(name: str) -> tuple[str, dict[str, Any]]:
    """Return the text of a shipped file and what it holds, read once."""
    text = (_SHIPPED / f"{name}.toml").read_text("utf-8")
    return text, tomllib.loads(text)


def in_words_of(book: Rulebook, other: Rulebook) -> Rulebook:
    """Return a rulebook in the words of another one of its game, or in its own as written."""
    document, words = (
        book.game.document_type.model_validate(_copied(dict(each.document)))
        for each in (book, other)
    )
    return _worded(book, document, words)


def _worded(book: Rulebook, document: GameDocument, words: GameDocument | None) -> Rulebook:
    """Return a rulebook in words, those of a shipped name in the ones that are shipped now.

    They hold where all that they speak of is there. What was stored or copied in words of an older
    edition, which did not follow its keys, says what it does now.
    """
    said = words or document
    clauses = {
        row.id: row
        for row in said.clauses
        if all(value_of(document, key) is not None for key in row.keys)
    }
    rows = [clauses.get(row.id, row) for row in document.clauses]
    says: dict[tuple[str, str | None], str] = {
        (row.clause, row.key): row.says for row in said.assumptions if row.key
    }
    assumptions = [
        replace(item, says=says.get((item.clause, item.key), item.says))
        for item in book.assumptions
    ]
    texts = with_words(book, document, rows)
    return replace(
        book,
        title=said.title,
        source=said.source,
        clauses=texts,
        assumptions=tuple(assumptions),
    )


def _refuse(file: str, message: str, write: str, key: str = "") -> NoReturn:
    raise InvalidRulebook((Problem(file, None, key, message, write),))


def _problem(
    finding: Finding, file: str, lines: Mapping[Key, int], changed: Mapping[str, object]
) -> Problem:
    key = finding.key
    dotted = ".".join(map(str, key))
    line = next((lines[key[:n]] for n in range(len(key), 0, -1) if key[:n] in lines), None)
    if any(dotted == own or dotted.startswith(own + ".") for own in changed):
        line = None
    return Problem(file, line, dotted, finding.message, finding.write, finding.clause)


# All problems at once: wrong shapes are repaired in a copy, so that the checks which need
# a whole document can run too; their findings at a repaired place are left out.


_Checks = Callable[[GameDocument], Iterator[Finding]]


def _check(
    raw: dict[str, Any], game: AnyGame, law: _Checks | None
) -> tuple[GameDocument | None, list[Finding]]:
    model = game.document_type
    shape: list[Finding] = []
    places: list[Key] = []
    repaired = _copied(raw)
    for _ in range(3):
        try:
            document = model.model_validate(repaired)
            break
        except ValidationError as error:
            details = error.errors(include_url=False)
            shape = shape or [explain(detail, model) for detail in details]
            places += [detail["loc"] for detail in details]
            for detail in reversed(details):
                _repair(repaired, detail["loc"], detail["type"], model)
    else:
        return None, shape
    proofs = [
        finding
        for finding in (*game.check(document), *(law(document) if law else ()))
        if not any(_is_echo(finding, place) for place in places)
    ]
    return document, shape + proofs


def _is_echo(finding: Finding, repaired: Key) -> bool:
    """Return whether a finding depends on a repaired place, so that it may be an echo of it."""
    place = repaired[:-1] if isinstance(repaired[-1], int) else repaired
    return any(key[: len(place)] == place for key in (finding.key, *finding.depends_on))


def _copied(value: Any) -> Any:
    """Copy a document so that no two places share a list: each is repaired for itself."""
    if isinstance(value, dict):
        return {key: _copied(item) for key, item in value.items()}
    return [_copied(item) for item in value] if isinstance(value, list) else value


def _repair(raw: Any, loc: Key, kind: str, model: type[BaseModel]) -> None:
    """Put a valid value at a wrong place; remove unknown keys."""
    *parents, last = loc
    for step in parents:
        raw = raw[step]
    if kind == "extra_forbidden" or isinstance(last, int):
        del raw[last]
    else:
        raw[last] = example(field_at(model, loc)[1])
