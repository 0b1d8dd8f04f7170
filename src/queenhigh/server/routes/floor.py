"""Routes of the floor. Every action is logged: before, after, actor and time."""

import csv
import io
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec import to_builtins
from msgspec.json import decode, encode
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.load import from_document, vary
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.admin_store import Opening
from queenhigh.server.ids import fresh_id
from queenhigh.server.live_table import LiveTable
from queenhigh.server.openapi import gives
from queenhigh.server.responses import (
    AbandonedTable,
    ChangedRules,
    Collected,
    DisabledTable,
    FrozenAccount,
    KeptRules,
    LogEntry,
    OfferMade,
    OpenedTable,
    PostedNotice,
    Result,
    TablePhase,
    VoidedRound,
    VoidRow,
    json_response,
)
from queenhigh.server.services import Floor, ServicesDep, encoded_json, require
from queenhigh.server.table_spec import PACES, Changes, TableSpec, check_payout_limit, find_rulebook
from queenhigh.server.text import check_plain
from queenhigh.table.commands import (
    FLOOR,
    AnnounceChange,
    ChangeTable,
    CloseTable,
    Command,
    Settings,
    VoidRound,
    WithdrawChange,
)
from queenhigh.table.fairness import document_digest
from queenhigh.table.notice import needs_notice
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

    #: Keys of the rulebook, such as limits and rates.
    set: Changes = {}
    pace: Literal["quick", "normal", "slow"] | None = None
    silence: Literal["fold", "play"] | None = None
    least_bank: Annotated[int | None, Field(ge=1, le=10**12)] = None


@router.get("/tables/{table}", responses=gives(TableView))
async def see_table(table: _Table, services: ServicesDep, floor: Floor) -> Response:
    """Return a table with its accounts; hidden cards stay hidden."""
    return json_response(view(services.host.table(table).durable.committed, FLOOR))


@router.post("/tables", status_code=201, responses=gives(OpenedTable, status=201))
async def open_table(spec: TableSpec, services: ServicesDep, floor: Floor) -> Response:
    """Open a table of the room."""
    book = find_rulebook(spec)
    settings = spec.settings(book)
    after = spec.model_dump(mode="json")
    note = services.admin.acted(
        services.now(), floor, "open table", spec.name, change=(None, after), reason=""
    )
    services.host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank), note)
    return json_response(OpenedTable(spec.name), 201)


@router.post("/tables/{table}/close", status_code=202, responses=gives(TablePhase, status=202))
async def close_table(table: _Table, why: Reason, services: ServicesDep, floor: Floor) -> Response:
    """Close a table once its round is over."""
    live = services.host.table(table)
    before = live.durable.committed.phase
    command = CloseTable(id=fresh_id("floor"), by=FLOOR, at=services.now(), reason=why.reason)

    def acted() -> AdminChange:
        change = (before, live.durable.pending.phase)
        return services.admin.acted(
            services.now(), floor, "close table", table, change=change, reason=why.reason
        )

    await _act(services, live, command, acted)
    return json_response(TablePhase(live.durable.committed.phase), 202)


async def _act(
    services: ServicesDep, live: LiveTable, command: Command, acted: Callable[[], AdminChange]
) -> None:
    """Submit a command of the floor, and log it in the same commit."""
    outcomes: list[Exception | None] = []
    notes: list[AdminChange] = []

    def also() -> None:
        notes.append(acted())
        services.admin.rows.submit(outcomes.append, notes[0], (live.durable.lineage,))

    await live.submit_and_wait(command, also)
    if not outcomes:  # there was nothing to do, and nothing to wait for
        services.store.flush()
    if outcomes[0] is not None:  # the command was decided again: neither was in the first commit
        services.admin.rows.write(*notes)


@router.post("/tables/{table}/void", responses=gives(VoidedRound))
async def void_round(table: _Table, why: Reason, services: ServicesDep, floor: Floor) -> Response:
    """Void the round under way: everything goes back in one step."""
    live = services.host.table(table)
    before = live.durable.committed
    held = sum(before.held(place) for place in before.places)
    command = VoidRound(id=fresh_id("floor"), by=FLOOR, at=services.now(), reason=why.reason)
    change = ({"round": before.number, "held": held}, {"round": before.number, "held": 0})
    note = services.admin.acted(
        services.now(), floor, "void round", table, change=change, reason=why.reason
    )
    await _act(services, live, command, lambda: note)
    return json_response(VoidedRound(before.number))


@router.post("/tables/{table}/abandon", responses=gives(AbandonedTable))
async def abandon_table(
    table: _Table, why: Reason, services: ServicesDep, floor: Floor
) -> Response:
    """Close a damaged table for good, and return its chips as of its last good event."""
    cents, unpaid = await services.host.abandon(table, why.reason, floor)
    return json_response(AbandonedTable(table, cents, [*unpaid]))


@router.post("/tables/{table}/disable", responses=gives(DisabledTable))
async def disable_table(
    table: _Table, why: Reason, services: ServicesDep, floor: Floor
) -> Response:
    """Let no new round begin; the one under way is finished."""
    return _enable(services, floor, table, why, enabled=False)


@router.post("/tables/{table}/enable", responses=gives(DisabledTable))
async def enable_table(table: _Table, why: Reason, services: ServicesDep, floor: Floor) -> Response:
    """Let rounds begin again."""
    return _enable(services, floor, table, why, enabled=True)


def _enable(
    services: ServicesDep, floor: str, table: str, why: Reason, *, enabled: bool
) -> Response:
    live = services.host.table(table)
    change = ({"disabled": live.disabled}, {"disabled": not enabled})
    action = "enable table" if enabled else "disable table"
    note = services.admin.acted(
        services.now(), floor, action, table, change=change, reason=why.reason
    )
    live.enable(enabled=enabled, note=note)
    return json_response(DisabledTable(live.disabled))


@router.post("/tables/{table}/rules", status_code=202, responses=gives(ChangedRules, status=202))
async def change_rules(
    table: _Table, change: Change, services: ServicesDep, floor: Floor
) -> Response:
    """Change limits, rates or pace: amounts after notice, where the table gives it (CA-6)."""
    live = services.host.table(table)
    state = live.durable.committed
    waiting = state.announced or live.change
    book = vary(from_document(waiting.rulebook) if waiting else state.book, change.set)
    check_payout_limit(book)
    settings = _settings(waiting.settings if waiting else state.settings, change)
    new = {"digest": document_digest(book.document), "settings": to_builtins(settings)}
    rules = _Rules(live, floor, dict(book.document), settings, change.reason)
    if needs_notice(state, book.document, settings):
        return await _announce(services, rules, {**new, "set": change.set})
    command = ChangeTable(id=fresh_id("floor"), by=FLOOR, at=services.now(), **rules.fields())
    note = _note(services, rules, "change rules", {**new, "set": change.set})
    live.change_soon(command, note)
    return json_response(ChangedRules(document_digest(book.document), None), 202)


class _Rules(NamedTuple):
    """The rules that the floor wants at a table."""

    live: LiveTable
    floor: str
    document: dict[str, Any]
    settings: Settings
    reason: str

    def fields(self) -> dict[str, Any]:
        """Return the fields of the command."""
        return {"rulebook": self.document, "settings": self.settings, "reason": self.reason}


def _note(
    services: ServicesDep, rules: _Rules, action: str, after: dict[str, object]
) -> AdminChange:
    """Return the entry of the floor's log about a change of the rules."""
    state, table = rules.live.durable.committed, rules.live.durable.table
    before = {"digest": state.digest, "settings": to_builtins(state.settings)}
    return services.admin.acted(
        services.now(), rules.floor, action, table, change=(before, after), reason=rules.reason
    )


async def _announce(services: ServicesDep, rules: _Rules, after: dict[str, object]) -> Response:
    """Announce a change of fees or limits, and answer from when on it holds."""
    live, starts = rules.live, list[int | None]()
    command = AnnounceChange(id=fresh_id("floor"), by=FLOOR, at=services.now(), **rules.fields())

    def acted() -> AdminChange:
        announced = live.durable.pending.announced
        starts.append(announced.starts if announced else None)
        return _note(services, rules, "announce change", {**after, "from": starts[-1]})

    await _act(services, live, command, acted)
    live.drop_change()
    return json_response(ChangedRules(document_digest(rules.document), starts[-1]), 202)


@router.post("/tables/{table}/rules/withdraw", responses=gives(KeptRules))
async def withdraw_change(
    table: _Table, why: Reason, services: ServicesDep, floor: Floor
) -> Response:
    """Withdraw the announced change of fees or limits."""
    live = services.host.table(table)
    announced, digest = live.durable.committed.announced, live.durable.committed.digest
    command = WithdrawChange(id=fresh_id("floor"), by=FLOOR, at=services.now(), reason=why.reason)
    before = {"digest": announced.digest, "from": announced.starts} if announced else None
    note = services.admin.acted(
        services.now(), floor, "withdraw change", table, change=(before, None), reason=why.reason
    )
    await _act(services, live, command, lambda: note)
    return json_response(KeptRules(digest))


def _settings(now: Settings, change: Change) -> Settings:
    return Settings(
        places=now.places,
        pace=PACES[change.pace] if change.pace else now.pace,
        default_move=change.silence or now.default_move,
        least_bank=change.least_bank or now.least_bank,
        bots=now.bots,
        table_chips=now.table_chips,
    )


# Notices and accounts


@router.post("/notices", status_code=201, responses=gives(PostedNotice, status=201))
async def post_notice(notice: Notice, services: ServicesDep, floor: Floor) -> Response:
    """Post a notice."""
    if notice.table:
        services.host.table(notice.table)
    subject = notice.table or "the room"
    change = (None, notice.text)
    note = services.admin.acted(
        services.now(), floor, "post notice", subject, change=change, reason=""
    )
    number = services.admin.post_notice(services.now(), notice.table, notice.text, note)
    services.host.notices.reload()
    return json_response(PostedNotice(number), 201)


@router.delete("/notices/{n}", status_code=204)
async def take_notice_down(
    n: Annotated[int, Path(ge=1, lt=2**53)], services: ServicesDep, floor: Floor
) -> Response:
    """Take a notice down."""
    notice = require(services.admin.notice(n), "notice")
    subject, change = notice.table or "the room", (notice.text, None)
    note = services.admin.acted(
        services.now(), floor, "take notice down", subject, change=change, reason=""
    )
    services.admin.take_notice_down(n, note)
    services.host.notices.reload()
    return Response(status_code=204)


_Player = Annotated[str, Path(max_length=64)]


@router.post("/accounts/{player}/freeze", responses=gives(FrozenAccount))
async def freeze(player: _Player, why: Reason, services: ServicesDep, floor: Floor) -> Response:
    """Freeze an account: it may only leave its tables, and does so after the round."""
    return _freeze(services, floor, player, why, frozen=True)


@router.post("/accounts/{player}/thaw", responses=gives(FrozenAccount))
async def thaw(player: _Player, why: Reason, services: ServicesDep, floor: Floor) -> Response:
    """Let an account play again."""
    return _freeze(services, floor, player, why, frozen=False)


def _freeze(services: ServicesDep, floor: str, name: str, why: Reason, *, frozen: bool) -> Response:
    player = services.accounts.named(name)
    if player is None:
        raise QueenhighError("name.none", f"there is no player {name[:40]!r}: check the name")
    change = ({"frozen": player.frozen}, {"frozen": frozen})
    action = "freeze" if frozen else "thaw"
    time_ms = services.now()
    note = services.admin.acted(
        time_ms, floor, action, player.name, change=change, reason=why.reason
    )
    services.accounts.freeze(player.name, frozen=frozen, time_ms=time_ms, by=floor, note=note)
    for table in services.host.tables.values():
        for watcher in table.watchers:
            if watcher.player == player.name:
                watcher.frozen = frozen
        if frozen:
            table.leave(player.name, "frozen")
    return json_response(FrozenAccount(player.name, frozen))


# The log and reports


@router.get("/log", responses=gives(list[LogEntry]))
async def see_log(
    services: ServicesDep,
    floor: Floor,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return what the floor did, newest first."""
    return json_response(services.admin.log_entries(before, limit))


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
    services: ServicesDep,
    floor: Floor,
    limit: Annotated[int, Query(ge=1, le=100_000)] = 10_000,
) -> Response:
    """Return a report: collection by table and hour, bank offers, voids, or results.

    Offers and voids come newest first, ``limit`` of them.
    """
    asked = {"limit": limit} if report in ("offers", "voids") else {}
    body = await services.workers.history(report, **asked)
    if form == "json":
        return encoded_json(body)
    text = _csv(_COLUMNS[report], decode(body))
    return Response(text, media_type="text/csv; charset=utf-8")


def _csv(names: tuple[str, ...], rows: list[dict[str, object]]) -> str:
    """Return rows as CSV; a quote before formulas keeps spreadsheets from running them."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, dict | list):
        return encode(value).decode()
    if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r"):
        return "'" + value
    return value
