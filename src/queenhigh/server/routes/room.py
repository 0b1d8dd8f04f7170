"""Routes for anyone: the lobby, rules, odds, best play, and proofs of rounds."""

from functools import cache
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.requests import Request
from fastapi.responses import Response
from msgspec.json import decode, encode
from pydantic import BaseModel, ConfigDict, Field

from queenhigh.rulebook.load import load, shipped
from queenhigh.server.bank_answers import BankFigures, BankSample
from queenhigh.server.event_receipt import EventReceipt
from queenhigh.server.fee_presets import PresetLine, presets_of
from queenhigh.server.house_rules import changes_of, differences_of, schedule_of, standard_of
from queenhigh.server.openapi import gives, gives_text
from queenhigh.server.price_answers import (
    Advice,
    Drill,
    Odds,
    RulebookLine,
    Rules,
    Strategy,
    TableRules,
)
from queenhigh.server.proof_responses import Proof
from queenhigh.server.responses import (
    LastNumber,
    RoomView,
    json_response,
)
from queenhigh.server.routes.receipts import Version, receipt_response
from queenhigh.server.services import (
    Heavy,
    Services,
    ServicesDep,
    check_work,
    current_player,
    encoded_json,
    require,
)
from queenhigh.server.table_spec import RulebookChoice
from queenhigh.server.worker_pool import Client, RulesSource
from queenhigh.sheets import rule_sheet
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream
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
    #: In cents: with these the values of both moves are in money too.
    wagers: Annotated[dict[_Wager, _Cents], Field(min_length=1)] | None = None

    def parts(self) -> tuple[str, str | None, str | None]:
        """Return it as the workers want it."""
        wagers = None if self.wagers is None else encode(self.wagers, order="sorted").decode()
        return self.hand, self.up, wagers


class _Priced(RulebookChoice):
    """Rules to price: of a shipped rulebook, or of a table, with changes."""

    #: Instead of a shipped rulebook: the rules that this table plays by.
    table: Annotated[str | None, Field(max_length=64)] = None


class _Weighed(_Priced, _Hand):
    """A hand to weigh by a rulebook."""


class _Drill(_Priced):
    """So many hands to practise on."""

    hands: Annotated[int, Field(ge=1, le=50)] = 20


class _Banked(_Priced):
    """A table whose seats all wager the same, and its bank, in cents."""

    seats: Annotated[int, Field(ge=1, le=100)]
    ante: _Cents
    #: On the side bet of the rulebook.
    bonus: Annotated[int, Field(ge=0, le=10**12)] = 0
    bank: _Cents

    def table_json(self) -> str:
        """Return it as the workers want it."""
        return self.model_dump_json(include={"seats", "ante", "bonus", "bank"})


@router.get("/room", responses=gives(RoomView))
async def see_room(request: Request, services: ServicesDep) -> Response:
    """Return the player, the room's time, notices and tables, and the key and head of its log."""
    player = current_player(request)
    return encoded_json(services.lobby.seen_by(player.name if player else None))


@router.get("/tables/{table}", responses=gives(TableView))
async def see_table(table: Table, services: ServicesDep) -> Response:
    """Return a table as everyone sees it."""
    return json_response(view(services.host.state(table)))


@router.get("/tables/{table}/rules", responses=gives(TableRules))
async def see_rules(
    table: Table, request: Request, services: ServicesDep, edges: bool = False
) -> Response:
    """Return the rules of a table, what differs from the shipped ones, and on request the edges."""
    state = services.host.state(table)
    book = state.book
    standard = standard_of(book)
    rules = {
        **rule_sheet.as_json(book),
        "digest": state.digest,
        "changes": changes_of(book),
        "settings": state.settings,
        "differences": differences_of(book),
        "standard": standard and rule_sheet.name_as_json(standard),
        "is_custom": book.is_custom,
        "schedule": schedule_of(book),
    }
    if edges:
        rules |= await _edges(services, await check_work(request), state)
    return json_response(rules)


async def _edges(services: Services, client: Client, state: State) -> dict[str, object]:
    """Return the edge of every bet at a table, and by the standard rules."""
    book, document = state.book, state.document
    standard = standard_of(book)
    if standard is None:
        return {"edges": await _edges_of(services, client, document), "shipped_edges": None}
    shipped_edges = await _edges_of(services, client, standard.name)
    if standard.rules_digest == book.rules_digest:
        return {"edges": shipped_edges, "shipped_edges": shipped_edges}
    own = await _edges_of(services, client, document)
    return {"edges": own, "shipped_edges": shipped_edges}


async def _edges_of(services: Services, client: Client, rulebook: RulesSource) -> dict[str, str]:
    odds = decode(await services.workers.price(client, "odds", rulebook, {}), type=Odds)
    return {name: bet.edge for name, bet in odds.bets.items()}


@router.get("/tables/{table}/odds", responses=gives(Odds))
async def see_odds(table: Table, services: ServicesDep, client: Heavy) -> Response:
    """Return the exact odds of every bet at a table."""
    return await _price_table(services, client, "odds", table)


@router.get("/tables/{table}/strategy", responses=gives(Strategy))
async def see_strategy(table: Table, services: ServicesDep, client: Heavy) -> Response:
    """Return best play at a table."""
    return await _price_table(services, client, "strategy", table)


@router.get("/tables/{table}/bank", responses=gives(BankFigures))
async def see_bank_figures(table: Table, services: ServicesDep, client: Heavy) -> Response:
    """Return what a unit of each wager means for the banker of a table."""
    return await _price_table(services, client, "bank", table)


@router.post("/tables/{table}/advice", responses=gives(Advice))
async def weigh_at_table(
    table: Table, weighed: _Hand, services: ServicesDep, client: Heavy
) -> Response:
    """Return what both moves are worth with one hand at a table."""
    return await _price_table(services, client, "advice", table, *weighed.parts())


async def _price_table(
    services: ServicesDep, client: Client, kind: str, table: str, *more: str | None
) -> Response:
    document = services.host.state(table).document
    return encoded_json(await services.workers.price(client, kind, document, {}, *more))


@router.get(
    "/tables/{table}/numbers", dependencies=[Depends(check_work)], responses=gives(list[LastNumber])
)
async def see_numbers(
    table: Table, services: ServicesDep, limit: Annotated[int, Query(ge=1, le=200)] = 24
) -> Response:
    """Return where the ball landed in the last spins, the newest first."""
    name = services.host.state(table).table
    return encoded_json(await services.workers.history("numbers", table=name, limit=limit))


@router.get(
    "/tables/{table}/rounds/{round}", dependencies=[Depends(check_work)], responses=gives(Proof)
)
async def see_proof(
    table: Table, round: Annotated[int, Path(ge=1, lt=2**53)], services: ServicesDep
) -> Response:
    """Return all it takes to verify a round that is over."""
    body = await services.workers.history("proof", table=table, round=round)
    return encoded_json(require(None if body == b"null" else body, "round that is over"))


@router.get(
    "/tables/{table}/receipt", dependencies=[Depends(check_work)], responses=gives(EventReceipt)
)
async def see_receipt(table: Table, services: ServicesDep, version: Version = None) -> Response:
    """Return a signed receipt of a table's event, by default of the last one."""
    return receipt_response(services.store, table_stream(table), version)


@router.get("/rulebooks", responses=gives(list[RulebookLine]))
async def list_rulebooks() -> Response:
    """Return the shipped rulebooks."""
    return json_response(_shipped())


@cache
def _shipped() -> list[RulebookLine]:
    return [RulebookLine(**rule_sheet.name_as_json(load(name))) for name in shipped()]


@router.get("/fee-presets", responses=gives(list[PresetLine]))
async def list_fee_presets(services: ServicesDep) -> Response:
    """Return the schedules of fees that players may choose for their own tables."""
    return json_response(presets_of(services.presets))


@router.post("/rules", responses=gives(Rules))
async def read_rules(choice: _Priced, services: ServicesDep, client: Heavy) -> Response:
    """Return a rulebook, changed on request."""
    return await _price(services, client, "rules", choice)


@router.post("/rulebook-file", responses=gives_text("application/toml"))
async def copy_rulebook(choice: _Priced, services: ServicesDep, client: Heavy) -> Response:
    """Return a rulebook, changed on request, as a file with another name, for you to edit."""
    rules = _rules(services, choice)
    name, text = decode(await services.workers.price(client, "file", rules, choice.set))
    headers = {"Content-Disposition": f'attachment; filename="{name}.toml"'}
    return Response(text, media_type="application/toml", headers=headers)


@router.post("/odds", responses=gives(Odds))
async def count_odds(choice: _Priced, services: ServicesDep, client: Heavy) -> Response:
    """Return the exact odds of every bet."""
    return await _price(services, client, "odds", choice)


@router.post("/strategy", responses=gives(Strategy))
async def find_strategy(choice: _Priced, services: ServicesDep, client: Heavy) -> Response:
    """Return best play: chart, rule, and what each costs."""
    return await _price(services, client, "strategy", choice)


@router.post("/bank", responses=gives(BankFigures))
async def count_bank_figures(choice: _Priced, services: ServicesDep, client: Heavy) -> Response:
    """Return what a unit of each wager means for the banker."""
    return await _price(services, client, "bank", choice)


@router.post("/bank/sample", responses=gives(BankSample))
async def sample_bank(choice: _Banked, services: ServicesDep, client: Heavy) -> Response:
    """Return what a bank that may run out earns and risks, sampled with a fixed seed."""
    rules = _rules(services, choice)
    return encoded_json(
        await services.workers.sample(client, rules, choice.set, choice.table_json())
    )


@router.post("/advice", responses=gives(Advice))
async def weigh_hand(choice: _Weighed, services: ServicesDep, client: Heavy) -> Response:
    """Return what both moves are worth with one hand."""
    return await _price(services, client, "advice", choice, *choice.parts())


@router.post("/drill", responses=gives(Drill))
async def deal_drill(choice: _Drill, services: ServicesDep, client: Heavy) -> Response:
    """Return hands to practise on, most of them hard, with what both moves are worth."""
    return encoded_json(
        await services.workers.drill(client, _rules(services, choice), choice.set, choice.hands)
    )


async def _price(
    services: ServicesDep, client: Client, kind: str, choice: _Priced, *more: str | None
) -> Response:
    return encoded_json(
        await services.workers.price(client, kind, _rules(services, choice), choice.set, *more)
    )


def _rules(services: Services, choice: _Priced) -> RulesSource:
    """Return the rules that a choice starts from."""
    if choice.table is None:
        return choice.rulebook
    return services.host.state(choice.table).document
