"""What only the floor may do and see. Everything done is logged: before, after, who and when."""

import csv
import io
from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec import to_builtins
from msgspec.json import decode, encode
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.room.room import now
from queenhigh.rulebook.load import from_document, vary
from queenhigh.server.answers import (
    ChangedRules,
    Collected,
    DisabledTable,
    FrozenAccount,
    LogEntry,
    OfferMade,
    OpenedTable,
    PostedNotice,
    Result,
    TablePhase,
    VoidedRound,
    VoidRow,
    answer,
)
from queenhigh.server.damage_answers import AbandonedTable
from queenhigh.server.ids import fresh_id
from queenhigh.server.live import LiveTable
from queenhigh.server.office import Opening
from queenhigh.server.openapi import gives
from queenhigh.server.opening import PACES, Changes, TableSpec, check_modest, find_rulebook
from queenhigh.server.papers import Change as Note
from queenhigh.server.premises import Floor, Here, as_json, found
from queenhigh.server.text import check_plain
from queenhigh.table.commands import FLOOR, ChangeTable, CloseTable, Command, Settings, VoidRound
from queenhigh.table.fairness import document_digest
from queenhigh.table.view import TableView, view

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
_Table = Annotated[str, Path(max_length=64)]
_Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(check_plain)]


class Reason(BaseModel):
    """Why something is done."""

    model_config = ConfigDict(extra="forbid")

    reason: _Text


class Notice(BaseModel):
    """Something for all to read, at one table or in the whole room."""

    model_config = ConfigDict(extra="forbid")

    text: _Text
    table: Annotated[str, Field(max_length=64)] = ""


class Change(Reason):
    """What is to be different at a table from the next round on."""

    #: Keys of the rulebook: limits and rates, say.
    set: Changes = {}
    pace: Literal["quick", "normal", "slow"] | None = None
    silence: Literal["fold", "play"] | None = None
    least_bank: Annotated[int | None, Field(ge=1, le=10**12)] = None


@router.get("/tables/{table}", responses=gives(TableView))
async def see_table(table: _Table, here: Here, floor: Floor) -> Response:
    """Return a table with its accounts; hidden cards stay hidden."""
    return answer(view(here.host.table(table).desk.state, FLOOR))


@router.post("/tables", status_code=201, responses=gives(OpenedTable, status=201))
async def open_table(spec: TableSpec, here: Here, floor: Floor) -> Response:
    """Open a table of the room."""
    book = find_rulebook(spec)
    settings = spec.settings(book)
    after = spec.model_dump(mode="json")
    note = here.office.acted(now(), floor, "open table", spec.name, change=(None, after), reason="")
    here.host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank), note)
    return answer(OpenedTable(spec.name), 201)


@router.post("/tables/{table}/close", status_code=202, responses=gives(TablePhase, status=202))
async def close_table(table: _Table, why: Reason, here: Here, floor: Floor) -> Response:
    """Close a table once its round is over."""
    live = here.host.table(table)
    before = live.desk.state.phase
    command = CloseTable(id=fresh_id("floor"), by=FLOOR, at=now(), reason=why.reason)

    def acted() -> Note:
        change = (before, live.desk.ahead.phase)
        return here.office.acted(
            now(), floor, "close table", table, change=change, reason=why.reason
        )

    await _act(here, live, command, acted)
    return answer(TablePhase(live.desk.state.phase), 202)


async def _act(here: Here, live: LiveTable, command: Command, acted: Callable[[], Note]) -> None:
    """Follow a command of the floor, and log it in the same commit."""
    outcomes: list[Exception | None] = []
    notes: list[Note] = []

    def also() -> None:
        notes.append(acted())
        here.office.papers.submit(outcomes.append, notes[0], (live.desk.belief,))

    await live.ask(command, also)
    if not outcomes:  # there was nothing to do, and nothing to wait for
        here.store.flush()
    if outcomes[0] is not None:  # the command was decided again, and the first commit has neither
        here.office.papers.write(*notes)


@router.post("/tables/{table}/void", responses=gives(VoidedRound))
async def void_round(table: _Table, why: Reason, here: Here, floor: Floor) -> Response:
    """Void the round under way: everything goes back in one step."""
    live = here.host.table(table)
    before = live.desk.state
    held = sum(before.held(place) for place in before.places)
    command = VoidRound(id=fresh_id("floor"), by=FLOOR, at=now(), reason=why.reason)
    change = ({"round": before.number, "held": held}, {"round": before.number, "held": 0})
    note = here.office.acted(now(), floor, "void round", table, change=change, reason=why.reason)
    await _act(here, live, command, lambda: note)
    return answer(VoidedRound(before.number))


@router.post("/tables/{table}/abandon", responses=gives(AbandonedTable))
async def abandon_table(table: _Table, why: Reason, here: Here, floor: Floor) -> Response:
    """Close a damaged table for good, and return its chips as of its last good event."""
    cents, unpaid = await here.host.abandon(table, why.reason, floor)
    return answer(AbandonedTable(table, cents, [*unpaid]))


@router.post("/tables/{table}/disable", responses=gives(DisabledTable))
async def disable_table(table: _Table, why: Reason, here: Here, floor: Floor) -> Response:
    """Let no new round begin; the one under way is finished."""
    return _enable(here, floor, table, why, enabled=False)


@router.post("/tables/{table}/enable", responses=gives(DisabledTable))
async def enable_table(table: _Table, why: Reason, here: Here, floor: Floor) -> Response:
    """Let rounds begin again."""
    return _enable(here, floor, table, why, enabled=True)


def _enable(here: Here, floor: str, table: str, why: Reason, *, enabled: bool) -> Response:
    live = here.host.table(table)
    change = ({"disabled": live.disabled}, {"disabled": not enabled})
    action = "enable table" if enabled else "disable table"
    note = here.office.acted(now(), floor, action, table, change=change, reason=why.reason)
    live.enable(enabled=enabled, note=note)
    return answer(DisabledTable(live.disabled))


@router.post("/tables/{table}/rules", status_code=202, responses=gives(ChangedRules, status=202))
async def change_rules(table: _Table, change: Change, here: Here, floor: Floor) -> Response:
    """Change limits, rates or pace, from the next round on."""
    live = here.host.table(table)
    state, waiting = live.desk.state, live.change
    book = vary(from_document(waiting.rulebook) if waiting else state.book, change.set)
    check_modest(book)
    settings = _settings(waiting.settings if waiting else state.settings, change)
    command = ChangeTable(
        id=fresh_id("floor"), by=FLOOR, at=now(), rulebook=dict(book.document), settings=settings,
        reason=change.reason,
    )  # fmt: skip
    digest = document_digest(book.document)
    old = {"digest": state.digest, "settings": to_builtins(state.settings)}
    new = {"digest": digest, "settings": to_builtins(settings), "set": change.set}
    reason = change.reason
    note = here.office.acted(now(), floor, "change rules", table, change=(old, new), reason=reason)
    live.change_soon(command, note)
    return answer(ChangedRules(digest), 202)


def _settings(now: Settings, change: Change) -> Settings:
    return Settings(
        places=now.places,
        pace=PACES[change.pace] if change.pace else now.pace,
        silence=change.silence or now.silence,
        least_bank=change.least_bank or now.least_bank,
        bots=now.bots,
        table_chips=now.table_chips,
    )


# Notices and accounts


@router.post("/notices", status_code=201, responses=gives(PostedNotice, status=201))
async def post_notice(notice: Notice, here: Here, floor: Floor) -> Response:
    """Post a notice."""
    if notice.table:
        here.host.table(notice.table)
    subject = notice.table or "the room"
    change = (None, notice.text)
    note = here.office.acted(now(), floor, "post notice", subject, change=change, reason="")
    number = here.office.post_notice(now(), notice.table, notice.text, note)
    here.host.notices_changed()
    return answer(PostedNotice(number), 201)


@router.delete("/notices/{n}", status_code=204)
async def take_notice_down(
    n: Annotated[int, Path(ge=1, lt=2**53)], here: Here, floor: Floor
) -> Response:
    """Take a notice down."""
    notice = found(here.office.notice(n), "notice")
    subject, change = notice["table"] or "the room", (notice["text"], None)
    note = here.office.acted(now(), floor, "take notice down", subject, change=change, reason="")
    here.office.take_notice_down(n, note)
    here.host.notices_changed()
    return Response(status_code=204)


_Player = Annotated[str, Path(max_length=64)]


@router.post("/accounts/{player}/freeze", responses=gives(FrozenAccount))
async def freeze(player: _Player, why: Reason, here: Here, floor: Floor) -> Response:
    """Freeze an account: it may only leave its tables, and does so after the round."""
    return _freeze(here, floor, player, why, frozen=True)


@router.post("/accounts/{player}/thaw", responses=gives(FrozenAccount))
async def thaw(player: _Player, why: Reason, here: Here, floor: Floor) -> Response:
    """Let an account play again."""
    return _freeze(here, floor, player, why, frozen=False)


def _freeze(here: Here, floor: str, name: str, why: Reason, *, frozen: bool) -> Response:
    player = here.accounts.named(name)
    if player is None:
        raise QueenhighError("name.none", f"there is no player {name[:40]!r}: check the name")
    change = ({"frozen": player.frozen}, {"frozen": frozen})
    action = "freeze" if frozen else "thaw"
    at = now()
    note = here.office.acted(at, floor, action, player.name, change=change, reason=why.reason)
    here.accounts.freeze(player.name, frozen=frozen, at=at, by=floor, note=note)
    for table in here.host.tables.values():
        for watcher in table.watchers:
            if watcher.player == player.name:
                watcher.frozen = frozen
        if frozen:
            table.leave(player.name, "frozen")
    return answer(FrozenAccount(player.name, frozen))


# What was done, and what came of it


@router.get("/log", responses=gives(list[LogEntry]))
async def see_log(
    here: Here,
    floor: Floor,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return what the floor did, newest first."""
    return answer(here.office.log_entries(before, limit))


_Report = Literal["collection", "offers", "voids", "results"]
_COLUMNS = {
    "collection": ("table", "hour", "rounds", "cents"),
    "offers": ("n", "at", "table", "round", "place", "player", "what", "cents"),
    "voids": ("n", "at", "table", "round", "reason", "by", "cents"),
    "results": ("table", "rulebook", "digest", "banker", "rounds", "wagered", "net", "counted",
                "theoretical", "sd", "z"),
}  # fmt: skip


_ROWS = gives(list[Collected], list[OfferMade], list[VoidRow], list[Result], or_text="text/csv")


@router.get("/reports/{report}.{form}", responses=_ROWS)
async def see_report(
    report: _Report,
    form: Literal["json", "csv"],
    here: Here,
    floor: Floor,
    limit: Annotated[int, Query(ge=1, le=100_000)] = 10_000,
) -> Response:
    """Return a report: collection by table and hour, bank offers, voids, or results.

    Offers and voids come newest first, ``limit`` of them.
    """
    asked = {"limit": limit} if report in ("offers", "voids") else {}
    body = await here.workers.books(report, **asked)
    if form == "json":
        return as_json(body)
    text = _csv(_COLUMNS[report], decode(body))
    return Response(text, media_type="text/csv; charset=utf-8")


def _csv(names: tuple[str, ...], rows: list[dict[str, Any]]) -> str:
    """Return rows as CSV; what a sheet would take for a formula is told apart by a quote."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, dict | list):
        return encode(value).decode()
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value
