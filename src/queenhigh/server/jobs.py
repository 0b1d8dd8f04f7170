"""The jobs of the worker processes. They return JSON, or the code and sentence of an error."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import TypeVar

from msgspec import structs
from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports.report import Report
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.history.index.schema import Note
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import from_document, vary
from queenhigh.server.table_spec import load_shipped
from queenhigh.sheets import rule_sheet
from queenhigh.sheets.printed.blocks import Kind, Paper, PrintedSheet
from queenhigh.sheets.printed.letterhead import Letterhead, Signed
from queenhigh.sheets.rulebook_file import copy_name, own_copy
from queenhigh.store.location import parse_location

__all__ = [
    "JobReply",
    "Noted",
    "close_history",
    "held_signatures",
    "price",
    "print_report",
    "print_sheet",
    "query_history",
    "update_history",
]

_T = TypeVar("_T")

#: How many seconds an update may take: one that somebody waits for, and one in the background.
#: How many events it reads before it checks that.
_TURN, _BACKGROUND_TURN, _EVENTS_AT_ONCE = 2.0, 0.1, 2_000
#: The indexes that are open in this process, by store.
_indexes: dict[str, ReportIndex] = {}
#: What the operator has read about files that cannot be used.
_reported: set[str] = set()
JobReply = bytes | tuple[str, str]
_DATABASE_IS_GONE = "the database does not answer: try again in a moment"
#: Codes of an index that cannot be used, and what players read then.
_UNUSABLE = ("books.file", "books.form", "books.other")
_HISTORY_IS_GONE = "the history cannot be used: ask the operator to look at the log"


@dataclass(frozen=True)
class Noted:
    """A reply, and lines for the operator's log, which is another process's."""

    reply: JobReply
    notes: list[Note]


def price(kind: str, rulebook: str | bytes, changes: bytes, *more: str | None) -> JobReply:
    """Return the rules, odds, best play, the bank's figures, a sample, advice or a drill.

    ``rulebook`` is the name of a shipped one, or the document that a table plays by.
    """
    return _reply_of(lambda: _PRICES[kind](_book(rulebook, decode(changes)), *more))


def _book(rulebook: str | bytes, changes: dict[str, object]) -> Rulebook:
    if isinstance(rulebook, str):
        return load_shipped(rulebook, changes)
    book = from_document(decode(rulebook))
    return vary(book, changes) if changes else book


# What follows loads numpy and the counting tables: only a process that works does that.


def _odds(book: Rulebook) -> object:
    from queenhigh.price.odds import odds  # noqa: PLC0415
    from queenhigh.sheets import odds_sheet  # noqa: PLC0415

    return odds_sheet.as_json(odds(book))


def _strategy(book: Rulebook) -> object:
    from queenhigh.price.games import poker_only  # noqa: PLC0415
    from queenhigh.price.strategy import strategy  # noqa: PLC0415
    from queenhigh.sheets import strategy_sheet  # noqa: PLC0415

    return strategy_sheet.as_json(strategy(poker_only(book)))


def _bank(book: Rulebook) -> object:
    from queenhigh.price.bank_figures import bank_figures  # noqa: PLC0415
    from queenhigh.price.games import poker_only  # noqa: PLC0415
    from queenhigh.sheets import bank_figures_sheet  # noqa: PLC0415

    poker = poker_only(book)
    return bank_figures_sheet.as_json(poker, bank_figures(poker))


def _sample(book: Rulebook, table: str) -> object:
    from queenhigh.price.games import poker_only  # noqa: PLC0415
    from queenhigh.sheets import bank_sample_sheet  # noqa: PLC0415
    from queenhigh.simulation.quick import quick_sample  # noqa: PLC0415

    return bank_sample_sheet.as_json(quick_sample(poker_only(book), decode(table)))


def _advice(book: Rulebook, hand: str, up: str | None, wagers: str | None) -> object:
    from queenhigh.price.coach import coach  # noqa: PLC0415
    from queenhigh.price.games import poker_only  # noqa: PLC0415
    from queenhigh.sheets import coach_sheet  # noqa: PLC0415

    stakes = None if wagers is None else decode(wagers)
    return coach_sheet.as_json(coach(poker_only(book), hand, up, stakes))


def _drill(book: Rulebook, count: str) -> object:
    from numpy.random import default_rng  # noqa: PLC0415

    from queenhigh.price.drill import exercises  # noqa: PLC0415
    from queenhigh.price.games import poker_only  # noqa: PLC0415
    from queenhigh.sheets import drill_sheet  # noqa: PLC0415

    poker = poker_only(book)
    return drill_sheet.as_json(poker, exercises(poker, int(count), default_rng()))


def _file(book: Rulebook) -> tuple[str, str]:
    name = copy_name(f"my-{book.name}")
    return name, own_copy(book, name)


_PRICES: dict[str, Callable[..., object]] = {
    "file": _file,
    "rules": rule_sheet.as_json,
    "odds": _odds,
    "strategy": _strategy,
    "bank": _bank,
    "sample": _sample,
    "advice": _advice,
    "drill": _drill,
}


def print_sheet(
    rulebook: str | bytes, changes: bytes, kind: Kind, paper: Paper, form: str, table: str | None
) -> JobReply:
    """Return a sheet to print, as JSON, as HTML or as PDF.

    ``changes`` lead to the rules of a table, whose document has them already.
    """
    from queenhigh.sheets.printed import as_html, as_pdf, blocks, sheets  # noqa: PLC0415

    forms: dict[str, Callable[[PrintedSheet], bytes]] = {
        "json": lambda made: encode(blocks.as_json(made)),
        "html": lambda made: as_html.as_html(made).encode(),
        "pdf": as_pdf.as_pdf,
    }

    def make() -> bytes:
        book = replace(_book(rulebook, {}), changes=decode(changes))
        return forms[form](sheets.make_sheet(kind, book, paper, table))

    return _reply_of(make, lambda body: body)


def query_history(
    store: str, file: str, report: str, query: Mapping[str, str | int | None]
) -> JobReply | Noted:
    """Query the history of a store, if its index in a file can be brought up to date soon."""
    reply = _reply_of(lambda: getattr(_updated_index(store, file), report)(**query))
    return _with_notes(store, reply)


def print_report(
    store: str, file: str, query: Mapping[str, str], letterhead: bytes
) -> JobReply | Noted:
    """Return a report as PDF; ``letterhead`` has the name of the room, and who signed it."""
    from queenhigh.sheets.printed import report  # noqa: PLC0415

    given = decode(letterhead, type=Letterhead)

    def print_it() -> bytes:
        index = _updated_index(store, file)
        made = index.report(limit=report.MOST_PRINTED, **query)
        signatures = held_signatures(index, made, given.signatures)
        return report.print_report(made, structs.replace(given, signatures=signatures))

    return _with_notes(store, _reply_of(print_it, lambda pdf: pdf))


def held_signatures(
    index: ReportIndex, report: Report, signatures: tuple[Signed, ...]
) -> tuple[Signed, ...]:
    """Return signatures with the digest of a report, where it has the figures they signed.

    Their digests are of the columns that there were, and the report may have more by now.
    """

    def holds(signed: Signed) -> bool:
        if signed.digest == report.digest:
            return True
        again = index.report(report.report, limit=0, columns=signed.columns, **report.filter)
        return again.digest == signed.digest

    return tuple(
        structs.replace(each, digest=report.digest) if holds(each) else each for each in signatures
    )


def _updated_index(store: str, file: str) -> ReportIndex:
    """Return the index of a store, up to date; refuse if that takes too long."""
    index = _index_of(store, file)
    if not _update_for_a_while(index, _TURN):
        entered, events, _ = index.progress()
        progress = f"{entered:,} of {events:,} events are in it"
        message = f"the history is being built, {progress}: try again soon"
        raise QueenhighError("books.behind", message)
    return index


def update_history(store: str, file: str) -> JobReply | Noted:
    """Update the history of a store, in a file, for a moment; return how far it is."""

    def enter() -> dict[str, object]:
        index = _index_of(store, file)
        is_done = _update_for_a_while(index, _BACKGROUND_TURN)
        return {"done": is_done, **index.progress()._asdict()}

    return _with_notes(store, _reply_of(enter), is_for_players=False)


def close_history() -> JobReply:
    """Close all indexes, so that each is one file again."""
    while _indexes:
        _indexes.popitem()[1].close()
    return b""


def _with_notes(store: str, reply: JobReply, *, is_for_players: bool = True) -> JobReply | Noted:
    """Return a reply with what the operator has to know about the index of a store."""
    notes = _indexes[store].take_notes() if store in _indexes else []
    if is_for_players and isinstance(reply, tuple) and reply[0] in _UNUSABLE:
        code, message = reply
        if message not in _reported:
            _reported.add(message)
            notes.append(("the history cannot be used", {"error": message}))
        reply = (code, _HISTORY_IS_GONE)  # they must not see where it is
    return Noted(reply, notes) if notes else reply


def _index_of(store: str, file: str) -> ReportIndex:
    if store not in _indexes:
        _indexes[store] = ReportIndex(parse_location(store), Path(file))
    return _indexes[store]


def _update_for_a_while(index: ReportIndex, seconds: float) -> bool:
    """Update an index for some seconds; return whether it is up to date."""
    end = monotonic() + seconds
    while not (is_done := index.catch_up(_EVENTS_AT_ONCE)) and monotonic() < end:
        pass
    return is_done


def _reply_of(work: Callable[[], _T], written: Callable[[_T], bytes] = encode) -> JobReply:
    try:
        return written(work())
    except QueenhighError as error:
        if error.code == "store.failed" or error.code.startswith("postgres."):
            sys.stderr.write(f"{error}\n")
            return "store.failed", _DATABASE_IS_GONE  # players must not see where it is
        return error.code, str(error)
    except Exception as error:  # an error in one job must not end the process
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return "work.failed", "this could not be calculated: please report it to the operator"
