"""Routes of the floor. Every action is logged: before, after, actor and time."""

from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.admin_store import Opening
from queenhigh.server.floor_access import Reader, may
from queenhigh.server.frozen_players import note_frozen
from queenhigh.server.ids import fresh_id
from queenhigh.server.live_table import LiveTable
from queenhigh.server.openapi import gives
from queenhigh.server.past_rounds import explaining_late
from queenhigh.server.responses import (
    AbandonedTable,
    DisabledTable,
    FrozenAccount,
    LogEntry,
    OpenedTable,
    PostedNotice,
    TablePhase,
    VoidedRound,
    json_response,
)
from queenhigh.server.services import ServicesDep, require
from queenhigh.server.table_spec import FloorTableSpec, refuse_preset
from queenhigh.server.text import check_plain
from queenhigh.table.commands import (
    FLOOR,
    CloseTable,
    Command,
    VoidRound,
)
from queenhigh.table.correction_events import Facts
from queenhigh.table.fairness import document_digest
from queenhigh.table.view import TableView, view

__all__ = ["Reason", "TableName", "act", "router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
TableName = Annotated[str, Path(max_length=64)]
_Text = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(check_plain)]

#: A reason that programs may leave out: they were written before it was asked for.
_Why = Annotated[str, Field(max_length=200), AfterValidator(check_plain)]


class Reason(BaseModel):
    """Why something is done."""

    model_config = ConfigDict(extra="forbid")

    reason: _Text


class VoidedForReason(Reason):
    """Why a round is voided; which one it is, or else the one under way."""

    round: Annotated[int | None, Field(ge=1, lt=2**53)] = None


class Notice(BaseModel):
    """Something for all to read, at one table or in the whole room."""

    model_config = ConfigDict(extra="forbid")

    text: _Text
    table: Annotated[str, Field(max_length=64)] = ""
    reason: _Why = ""


@router.get("/tables/{table}", responses=gives(TableView))
async def see_table(table: TableName, services: ServicesDep, floor: Reader) -> Response:
    """Return a table with its accounts; hidden cards stay hidden."""
    return json_response(view(services.host.state(table), FLOOR))


@router.post("/tables", status_code=201, responses=gives(OpenedTable, status=201))
async def open_table(
    spec: FloorTableSpec, services: ServicesDep, floor: Annotated[str, may("open table")]
) -> Response:
    """Open a table of the room, by a shipped rulebook or by the text of a rulebook file."""
    refuse_preset(spec)
    book = spec.find_rulebook()
    settings = spec.settings(book)
    after = {**spec.model_dump(mode="json", exclude={"rulebook_text", "reason"})}
    if spec.rulebook_text is not None:
        after |= {"rulebook": book.name, "digest": document_digest(book.document)}
    note = services.admin.acted(
        services.now(), floor, "open table", spec.name, change=(None, after), reason=spec.reason
    )
    services.host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank), note)
    return json_response(OpenedTable(spec.name), 201)


@router.post("/tables/{table}/close", status_code=202, responses=gives(TablePhase, status=202))
async def close_table(
    table: TableName, why: Reason, services: ServicesDep, floor: Annotated[str, may("close table")]
) -> Response:
    """Close a table once its round is over."""
    live = services.host.table(table)
    before = live.durable.committed.phase
    if waiting := len(live.durable.pending.corrections.asked):
        corrections = "1 correction waits" if waiting == 1 else f"{waiting} corrections wait"
        sentence = f"{corrections} at this table: approve, reject or withdraw them first"
        raise QueenhighError("correction.waits", sentence)
    command = CloseTable(id=fresh_id("floor"), by=FLOOR, at=services.now(), reason=why.reason)

    def acted() -> AdminChange:
        change = (before, live.durable.pending.phase)
        return services.admin.acted(
            services.now(), floor, "close table", table, change=change, reason=why.reason
        )

    await act(services, live, command, (floor, "close table"), acted)
    return json_response(TablePhase(live.durable.committed.phase), 202)


async def act(
    services: ServicesDep,
    live: LiveTable,
    command: Command,
    by: tuple[str, str] | tuple[str, str, str],
    acted: Callable[[], AdminChange],
) -> None:
    """Submit a command of the floor, and log it in the same commit.

    ``by`` is the sender and what they do: nothing is written once their role does not allow it.
    Where two people are needed, it is also who asked.
    """
    outcomes: list[Exception | None] = []

    def also() -> None:
        services.admin.rows.submit(outcomes.append, acted(), (live.durable.lineage,))

    with services.staff.staff.acting(command, *by):
        await live.submit_and_wait(command, also)
    if not outcomes:  # there was nothing to do, and nothing to wait for
        services.store.flush()
    if outcomes[0] is not None:  # the command was decided again: neither was in the first commit
        services.admin.log(acted)


@router.post("/tables/{table}/void", responses=gives(VoidedRound))
async def void_round(
    table: TableName,
    why: VoidedForReason,
    services: ServicesDep,
    floor: Annotated[str, may("void round")],
) -> Response:
    """Void the current round and return everything in one step."""
    live = services.host.table(table)
    before = live.durable.committed
    round = why.round or before.number
    held = sum(before.held(place) for place in before.places)
    command = VoidRound(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), round=round, reason=why.reason
    )
    change = ({"round": round, "held": held}, {"round": round, "held": 0})
    note = services.admin.acted(
        services.now(), floor, "void round", table, change=change, reason=why.reason
    )
    async with explaining_late(services, table, why.round, facts=Facts(void=True)):
        await act(services, live, command, (floor, "void round"), lambda: note)
    return json_response(VoidedRound(round))


@router.post("/tables/{table}/abandon", responses=gives(AbandonedTable))
async def abandon_table(
    table: TableName,
    why: Reason,
    services: ServicesDep,
    floor: Annotated[str, may("abandon table")],
) -> Response:
    """Close a damaged table for good, and return its chips as of its last good event."""
    cents, unpaid = await services.host.abandon(table, why.reason, floor)
    return json_response(AbandonedTable(table, cents, [*unpaid]))


@router.post("/tables/{table}/disable", responses=gives(DisabledTable))
async def disable_table(
    table: TableName,
    why: Reason,
    services: ServicesDep,
    floor: Annotated[str, may("disable table")],
) -> Response:
    """Start no new rounds; the current one is finished."""
    return _enable(services, floor, table, why, enabled=False)


@router.post("/tables/{table}/enable", responses=gives(DisabledTable))
async def enable_table(
    table: TableName, why: Reason, services: ServicesDep, floor: Annotated[str, may("enable table")]
) -> Response:
    """Start rounds again."""
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


# Notices and accounts


@router.post("/notices", status_code=201, responses=gives(PostedNotice, status=201))
async def post_notice(
    notice: Notice, services: ServicesDep, floor: Annotated[str, may("post notice")]
) -> Response:
    """Post a notice."""
    if notice.table:
        services.host.state(notice.table)
    subject = notice.table or "the room"
    change = (None, notice.text)
    note = services.admin.acted(
        services.now(), floor, "post notice", subject, change=change, reason=notice.reason
    )
    number = services.admin.post_notice(services.now(), notice.table, notice.text, note)
    services.host.notices.reload()
    return json_response(PostedNotice(number), 201)


@router.delete("/notices/{n}", status_code=204)
async def take_notice_down(
    n: Annotated[int, Path(ge=1, lt=2**53)],
    services: ServicesDep,
    floor: Annotated[str, may("take notice down")],
    reason: Annotated[str, Query(max_length=200), AfterValidator(check_plain)] = "",
) -> Response:
    """Take a notice down."""
    notice = require(services.admin.notice(n), "notice")
    subject, change = notice.table or "the room", (notice.text, None)
    note = services.admin.acted(
        services.now(), floor, "take notice down", subject, change=change, reason=reason
    )
    services.admin.take_notice_down(n, note)
    services.host.notices.reload()
    return Response(status_code=204)


_Player = Annotated[str, Path(max_length=64)]


@router.post("/accounts/{player}/freeze", responses=gives(FrozenAccount))
async def freeze(
    player: _Player, why: Reason, services: ServicesDep, floor: Annotated[str, may("freeze")]
) -> Response:
    """Freeze an account: the player finishes an open hand, then leaves with their chips."""
    return _freeze(services, floor, player, why, frozen=True)


@router.post("/accounts/{player}/thaw", responses=gives(FrozenAccount))
async def thaw(
    player: _Player, why: Reason, services: ServicesDep, floor: Annotated[str, may("thaw")]
) -> Response:
    """Unfreeze an account."""
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
    note_frozen(services.host.tables.values(), services.accounts.frozen_among)
    if services.membership is not None:
        services.membership.wake_others()
    return json_response(FrozenAccount(player.name, frozen))


# The log


@router.get("/log", responses=gives(list[LogEntry]))
async def see_log(
    services: ServicesDep,
    floor: Reader,
    before: Annotated[int | None, Query(ge=0, lt=2**53)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return what the floor did, newest first."""
    return json_response(services.admin.log_entries(before, limit))
