"""Routes of corrections: a person asks, another approves, exactly the difference moves."""

from typing import Annotated, Any, Literal

import msgspec
from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from msgspec.json import decode
from msgspec.structs import replace
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.errors import QueenhighError
from queenhigh.game import Bet, Move
from queenhigh.history.correction_lines import Correction
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.floor_access import Reader, may, named_person
from queenhigh.server.floor_responses import AskedForCorrection, CorrectionPreview
from queenhigh.server.foreseen import preview_correction
from queenhigh.server.ids import fresh_id
from queenhigh.server.live_table import LiveTable
from queenhigh.server.openapi import gives
from queenhigh.server.past_rounds import find_past_round
from queenhigh.server.responses import json_response
from queenhigh.server.routes.floor import Reason, TableName, act
from queenhigh.server.services import Services, ServicesDep, require
from queenhigh.table.commands import FLOOR, ApproveCorrection, AskCorrection, RejectCorrection
from queenhigh.table.correction_events import CorrectionMade, Facts
from queenhigh.table.corrections import foresee
from queenhigh.table.state import AskedCorrection, PastRound

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])
_Round = Annotated[int, Field(ge=1, lt=2**53)]
_Place = Annotated[int, Field(ge=1, le=100)]
_Number = Annotated[int, Path(ge=1, lt=2**53)]
_Asker = Annotated[str, may("ask correction", named=True)]
_Approver = Annotated[str, may("approve correction", named=True)]
_Rejecter = Annotated[str, may("reject correction", named=True)]
_Withdrawer = Annotated[str, may("withdraw correction", named=True)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class FactWager(_Strict):
    """A wager as it should have been."""

    spot: Annotated[str, Field(min_length=1, max_length=64)]
    cents: Annotated[int, Field(ge=1, le=10**12)]


class CorrectedFacts(_Strict):
    """The facts of a round that were wrong, as they should have been, by place.

    A place without wagers had no part in the round: its hand is void. ``void``: nobody had.
    """

    moves: Annotated[dict[_Place, Move], Field(max_length=100)] = Field(default_factory=dict)
    wagers: Annotated[
        dict[_Place, Annotated[list[FactWager], Field(max_length=200)]], Field(max_length=100)
    ] = Field(default_factory=dict)
    void: bool = False

    def facts(self) -> Facts:
        """Return the facts as the table takes them."""
        wagers = {
            place: tuple(Bet(bet.spot, bet.cents) for bet in bets)
            for place, bets in self.wagers.items()
        }
        return Facts(self.moves, wagers, self.void)


class WrongRound(_Strict):
    """A round and its facts as they should have been."""

    round: _Round
    facts: CorrectedFacts


class Asked(Reason):
    """A round, its facts as they should have been, and why."""

    round: _Round
    facts: CorrectedFacts


class SeenDifference(_Strict):
    """A difference as a preview has it."""

    place: int
    against: Literal["bank", "fees"]
    cents: int
    owed: int = 0


class Approval(_Strict):
    """What moves by the preview that the approver has seen, if one was seen."""

    moved: Annotated[list[SeenDifference], Field(max_length=100)] | None = None


@router.get("/corrections", responses=gives(list[Correction]))
async def see_corrections(
    services: ServicesDep,
    floor: Reader,
    table: Annotated[str | None, Query(max_length=64)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """Return corrections: those that wait first, then the newest."""
    body = await services.workers.history("correction_lines", table=table, limit=limit)
    staff, now = services.staff.staff, services.now()
    lines = decode(body, type=list[Correction])
    return json_response([staff.with_wait(line, floor, now) for line in lines])


@router.get("/tables/{table}/corrections/{correction}", responses=gives(Correction))
async def see_correction(
    table: TableName, correction: _Number, services: ServicesDep, floor: Reader
) -> Response:
    """Return a correction of a table."""
    line = await _line(services, table, correction)
    return json_response(services.staff.staff.with_wait(line, floor, services.now()))


async def _line(services: Services, table: str, correction: int) -> Correction:
    body = await services.workers.history("correction_line", table=table, correction=correction)
    line: Correction | None = decode(body, type=Correction | None)
    return require(line, "correction")


@router.post("/tables/{table}/corrections/preview", responses=gives(CorrectionPreview))
async def foresee_facts(
    table: TableName, wrong: WrongRound, services: ServicesDep, floor: _Asker
) -> Response:
    """Return what a correction by these facts would move now; nothing is done."""
    return await _preview(services, table, wrong.round, wrong.facts.facts())


@router.get("/tables/{table}/corrections/{correction}/preview", responses=gives(CorrectionPreview))
async def foresee_correction(
    table: TableName, correction: _Number, services: ServicesDep, floor: Reader
) -> Response:
    """Return what a correction that waits would move now."""
    asked = _waiting(services, table, correction)
    return await _preview(services, table, asked.round, asked.facts)


async def _preview(services: Services, table: str, round: int, facts: Facts) -> Response:
    state = services.host.state(table)
    past = await find_past_round(services.workers, state.book, table, round)
    approval = ApproveCorrection(
        id="preview", by=FLOOR, at=services.now(), correction=0, staff="", past=past
    )
    approval = services.host.room.wallets.with_chips(approval)
    return json_response(preview_correction(services.host.state(table), round, facts, approval))


@router.post(
    "/tables/{table}/corrections", status_code=201, responses=gives(AskedForCorrection, status=201)
)
async def ask_correction(
    table: TableName, asked: Asked, services: ServicesDep, floor: _Asker
) -> Response:
    """Ask for a correction of a settled round; another person must approve it."""
    live, facts = services.host.table(table), asked.facts.facts()
    past = await _past(services, live, asked.round)
    if live.durable.pending.closing is not None:
        sentence = "this table is closing: its rounds cannot be corrected any more"
        raise QueenhighError("table.closing", sentence)
    command = AskCorrection(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), round=asked.round, facts=facts,
        staff=named_person(floor), reason=asked.reason, past=past,
    )  # fmt: skip
    numbers: list[int] = []

    def acted() -> AdminChange:
        numbers.append(live.durable.pending.corrections.count)
        after = {"correction": numbers[-1], "round": asked.round, "facts": _plain(facts)}
        return services.admin.acted(
            services.now(), floor, "ask correction", table, change=(None, after),
            reason=asked.reason,
        )  # fmt: skip

    await act(services, live, command, (floor, "ask correction"), acted)
    return json_response(AskedForCorrection(table, numbers[-1]), 201)


@router.post("/tables/{table}/corrections/{correction}/approve", responses=gives(Correction))
async def approve_correction(
    table: TableName,
    correction: _Number,
    services: ServicesDep,
    floor: _Approver,
    seen: Approval | None = None,
) -> Response:
    """Approve a correction that another person asked for: the difference moves."""
    live, asked = services.host.table(table), _waiting(services, table, correction)
    past = await _past(services, live, asked.round)
    command = ApproveCorrection(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), correction=correction,
        staff=named_person(floor), past=past,
    )  # fmt: skip
    if seen is not None and seen.moved is not None and live.durable.pending.round is None:
        _check_seen(services, live, asked, command, seen.moved)
    before = {"correction": correction, "round": asked.round, "asked by": asked.staff}

    made: list[CorrectionMade] = []

    def acted() -> AdminChange:
        if (latest := live.durable.pending.corrections.latest) is not None:
            made.append(latest)
        after = {"moved": _plain(made[-1].moved) if made else []}
        return services.admin.acted(
            services.now(), floor, "approve correction", table, change=(before, after),
            reason=asked.reason,
        )  # fmt: skip

    await act(services, live, command, (floor, "approve correction", asked.staff), acted)
    line = _decided(table, asked, command)
    if made:
        line = replace(line, status="made", moved=made[-1].moved, chips=made[-1].chips)
    return json_response(line)


def _check_seen(
    services: Services,
    live: LiveTable,
    asked: AskedCorrection,
    approval: ApproveCorrection,
    seen: list[SeenDifference],
) -> None:
    """Refuse to move anything else than the approver has seen."""
    approval = services.host.room.wallets.with_chips(approval)
    _, transfers = foresee(live.durable.pending, asked.round, asked.facts, approval)
    moves = [(row.place, row.against, row.cents, row.owed) for row in transfers.rows]
    if moves != [(row.place, row.against, row.cents, row.owed) for row in seen]:
        sentence = "other chips would move now than you were shown: look at the correction again"
        raise QueenhighError("correction.changed", sentence)


@router.post("/tables/{table}/corrections/{correction}/reject", responses=gives(Correction))
async def reject_correction(
    table: TableName, correction: _Number, why: Reason, services: ServicesDep, floor: _Rejecter
) -> Response:
    """Reject a correction that somebody asked for."""
    return await _end(services, (table, correction), floor, "reject correction", why.reason)


@router.post("/tables/{table}/corrections/{correction}/withdraw", responses=gives(Correction))
async def withdraw_correction(
    table: TableName, correction: _Number, why: Reason, services: ServicesDep, floor: _Withdrawer
) -> Response:
    """Withdraw a correction that you asked for."""
    if _waiting(services, table, correction).staff != named_person(floor):
        sentence = "only the person who asked may withdraw this: reject it instead"
        raise QueenhighError("correction.other", sentence)
    return await _end(services, (table, correction), floor, "withdraw correction", why.reason)


async def _end(
    services: Services, which: tuple[str, int], floor: str, action: str, reason: str
) -> Response:
    """Reject or withdraw a correction that waits."""
    (table, correction), live = which, services.host.table(which[0])
    asked = _waiting(services, table, correction)
    command = RejectCorrection(
        id=fresh_id("floor"), by=FLOOR, at=services.now(), correction=correction,
        staff=named_person(floor), reason=reason,
    )  # fmt: skip
    before = {"correction": correction, "round": asked.round, "asked by": asked.staff}
    note = services.admin.acted(
        services.now(), floor, action, table, change=(before, None), reason=reason
    )
    await act(services, live, command, (floor, action), lambda: note)
    line = _decided(table, asked, command)
    return json_response(replace(line, status="rejected", why=reason))


def _decided(
    table: str, asked: AskedCorrection, command: ApproveCorrection | RejectCorrection
) -> Correction:
    """Return a correction as decided, without the history, which may be busy."""
    return Correction(
        table, command.correction, asked.round, asked.at, asked.staff, asked.reason, asked.facts,
        decided_by=command.staff, decided_at=command.at,
    )  # fmt: skip


async def _past(services: Services, live: LiveTable, round: int) -> PastRound | None:
    return await find_past_round(services.workers, live.state.book, live.name, round)


def _waiting(services: Services, table: str, correction: int) -> AskedCorrection:
    """Return a correction that waits, or raise ``nothing.there``."""
    asked = services.host.state(table).corrections.asked
    return require(asked.get(correction), "correction that waits")


def _plain(value: Any) -> Any:
    return msgspec.to_builtins(value, str_keys=True)
