"""Routes of the floor that change the rules of a table: at once, or after notice (CA-6)."""

from typing import Annotated, Any, Literal, NamedTuple

from fastapi import APIRouter
from fastapi.responses import Response
from msgspec import to_builtins
from pydantic import Field

from queenhigh.rulebook.load import from_document, vary
from queenhigh.server.admin_rows import AdminChange
from queenhigh.server.floor_access import may
from queenhigh.server.ids import fresh_id
from queenhigh.server.live_table import LiveTable
from queenhigh.server.openapi import gives
from queenhigh.server.responses import ChangedRules, KeptRules, json_response
from queenhigh.server.routes.floor import Reason, TableName, act
from queenhigh.server.services import ServicesDep
from queenhigh.server.table_spec import PACES, Changes, check_payout_limit
from queenhigh.table.commands import FLOOR, AnnounceChange, ChangeTable, Settings, WithdrawChange
from queenhigh.table.fairness import document_digest
from queenhigh.table.notice import needs_notice

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])


class Change(Reason):
    """What is to be different at a table from the next round on."""

    #: Keys of the rulebook, such as limits and rates.
    set: Changes = Field(default_factory=dict)
    pace: Literal["quick", "normal", "slow"] | None = None
    silence: Literal["fold", "play"] | None = None
    least_bank: Annotated[int | None, Field(ge=1, le=10**12)] = None


@router.post("/tables/{table}/rules", status_code=202, responses=gives(ChangedRules, status=202))
async def change_rules(
    table: TableName,
    change: Change,
    services: ServicesDep,
    floor: Annotated[str, may("change rules")],
) -> Response:
    """Change limits, rates or pace: amounts after notice, where the table gives it (CA-6)."""
    live = services.host.table(table)
    state = live.durable.committed
    waiting = state.announced or live.change
    book = from_document(waiting.rulebook) if waiting else state.book
    if change.set:  # rules that are only kept are not asked for their law again
        book = vary(book, change.set)
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

    await act(services, live, command, (rules.floor, "announce change"), acted)
    live.drop_change()
    return json_response(ChangedRules(document_digest(rules.document), starts[-1]), 202)


@router.post("/tables/{table}/rules/withdraw", responses=gives(KeptRules))
async def withdraw_change(
    table: TableName,
    why: Reason,
    services: ServicesDep,
    floor: Annotated[str, may("withdraw change")],
) -> Response:
    """Withdraw the announced change of fees or limits."""
    live = services.host.table(table)
    announced, digest = live.durable.committed.announced, live.durable.committed.digest
    command = WithdrawChange(id=fresh_id("floor"), by=FLOOR, at=services.now(), reason=why.reason)
    before = {"digest": announced.digest, "from": announced.starts} if announced else None
    note = services.admin.acted(
        services.now(), floor, "withdraw change", table, change=(before, None), reason=why.reason
    )
    await act(services, live, command, (floor, "withdraw change"), lambda: note)
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
