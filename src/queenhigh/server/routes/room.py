"""What anyone may see: the lobby, rules, odds, best play, and proofs of rounds."""

from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.requests import Request
from fastapi.responses import Response
from msgspec.json import encode
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.room.desk import stream_of
from queenhigh.rulebook.load import load, shipped
from queenhigh.server.answers import (
    LastNumber,
    RoomView,
    answer,
)
from queenhigh.server.event_receipt import EventReceipt
from queenhigh.server.openapi import gives
from queenhigh.server.opening import RulebookChoice
from queenhigh.server.premises import Heavy, Here, as_json, asker, check_work, found
from queenhigh.server.price_answers import (
    Advice,
    Drill,
    Odds,
    RulebookLine,
    Rules,
    Strategy,
    TableRules,
)
from queenhigh.server.proof_answers import Proof
from queenhigh.server.receipts import Version, give_receipt
from queenhigh.server.workers import Asker
from queenhigh.sheets.data import rules_data, rules_summary
from queenhigh.table.view import TableView, view

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["anyone"])
Table = Annotated[str, Path(max_length=64)]
_Wager = Literal["ante", "bonus", "pair_plus"]
_Cents = Annotated[int, Field(ge=1, le=10**12)]


class _Hand(BaseModel):
    """A hand to weigh."""

    model_config = ConfigDict(extra="forbid")

    hand: str = Field(max_length=100)
    up: str | None = Field(None, max_length=100)
    #: In cents: what both moves are worth is then told in money too.
    wagers: Annotated[dict[_Wager, _Cents], Field(min_length=1)] | None = None

    def parts(self) -> tuple[str, str | None, str | None]:
        """Return it as the workers want it."""
        wagers = None if self.wagers is None else encode(self.wagers, order="sorted").decode()
        return self.hand, self.up, wagers


class _Weighed(RulebookChoice, _Hand):
    """A hand to weigh by a rulebook."""


class _Drill(RulebookChoice):
    """So many hands to practise on."""

    hands: Annotated[int, Field(ge=1, le=50)] = 20


@router.get("/room", responses=gives(RoomView))
async def see_room(request: Request, here: Here) -> Response:
    """Return who asks, the room's time, notices and tables, and what its log is signed with."""
    player = asker(request)
    return as_json(here.lobby.seen_by(player.name if player else None))


@router.get("/tables/{table}", responses=gives(TableView))
async def see_table(table: Table, here: Here) -> Response:
    """Return a table as everyone sees it."""
    return answer(view(here.host.table(table).desk.state))


@router.get("/tables/{table}/rules", responses=gives(TableRules))
async def see_rules(table: Table, here: Here) -> Response:
    """Return the rulebook that a table plays by."""
    state = here.host.table(table).desk.state
    return answer({**rules_data(state.book), "settings": state.settings})


@router.get("/tables/{table}/strategy", responses=gives(Strategy))
async def see_strategy(table: Table, here: Here, asker: Heavy) -> Response:
    """Return best play at a table."""
    return await _price_table(here, asker, "strategy", table)


@router.post("/tables/{table}/advice", responses=gives(Advice))
async def weigh_at_table(table: Table, weighed: _Hand, here: Here, asker: Heavy) -> Response:
    """Return what both moves are worth with one hand at a table."""
    return await _price_table(here, asker, "advice", table, *weighed.parts())


async def _price_table(
    here: Here, asker: Asker, kind: str, table: str, *more: str | None
) -> Response:
    document = here.host.table(table).desk.state.document
    return as_json(await here.workers.price_table(asker, kind, document, *more))


@router.get(
    "/tables/{table}/numbers", dependencies=[Depends(check_work)], responses=gives(list[LastNumber])
)
async def see_numbers(table: Table, here: Here) -> Response:
    """Return where the ball lay in the last spins, the newest first."""
    name = here.host.table(table).desk.table
    return as_json(await here.workers.books("numbers", table=name))


@router.get(
    "/tables/{table}/rounds/{round}", dependencies=[Depends(check_work)], responses=gives(Proof)
)
async def see_proof(
    table: Table, round: Annotated[int, Path(ge=1, lt=2**53)], here: Here
) -> Response:
    """Return all it takes to verify a round that is over."""
    body = await here.workers.books("proof", table=table, round=round)
    return as_json(found(None if body == b"null" else body, "round that is over"))


@router.get(
    "/tables/{table}/receipt", dependencies=[Depends(check_work)], responses=gives(EventReceipt)
)
async def see_receipt(table: Table, here: Here, version: Version = None) -> Response:
    """Return a signed receipt of a table's event, by default of the last one."""
    return give_receipt(here.store, stream_of(table), version)


@router.get("/rulebooks", responses=gives(list[RulebookLine]))
async def list_rulebooks() -> Response:
    """Return the shipped rulebooks."""
    return answer(_shipped())


@cache
def _shipped() -> list[RulebookLine]:
    return [RulebookLine(**rules_summary(load(name))) for name in shipped()]


@router.post("/rules", responses=gives(Rules))
async def read_rules(choice: RulebookChoice, here: Here, asker: Heavy) -> Response:
    """Return a rulebook, changed on request."""
    return await _price(here, asker, "rules", choice)


@router.post("/odds", responses=gives(Odds))
async def count_odds(choice: RulebookChoice, here: Here, asker: Heavy) -> Response:
    """Return the exact odds of every bet."""
    return await _price(here, asker, "odds", choice)


@router.post("/strategy", responses=gives(Strategy))
async def find_strategy(choice: RulebookChoice, here: Here, asker: Heavy) -> Response:
    """Return best play: chart, rule, and what each costs."""
    return await _price(here, asker, "strategy", choice)


@router.post("/advice", responses=gives(Advice))
async def weigh_hand(choice: _Weighed, here: Here, asker: Heavy) -> Response:
    """Return what both moves are worth with one hand."""
    return await _price(here, asker, "advice", choice, *choice.parts())


@router.post("/drill", responses=gives(Drill))
async def deal_drill(choice: _Drill, here: Here, asker: Heavy) -> Response:
    """Return hands to practise on, most of them hard, with what both moves are worth."""
    return as_json(await here.workers.drill(asker, choice.rulebook, choice.set, choice.hands))


async def _price(
    here: Here, asker: Asker, kind: str, choice: RulebookChoice, *more: str | None
) -> Response:
    return as_json(await here.workers.price(asker, kind, choice.rulebook, choice.set, *more))
