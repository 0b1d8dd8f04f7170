"""Routes of the whole room, for those who run a shift: all tables at a glance, and its players."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from msgspec.structs import replace
from pydantic import AfterValidator

from queenhigh.server.accounts import Player
from queenhigh.server.floor_access import Reader
from queenhigh.server.floor_responses import FloorPlayer, Glance
from queenhigh.server.frozen_players import what_holds
from queenhigh.server.openapi import gives
from queenhigh.server.responses import SeatChips, json_response
from queenhigh.server.services import Services, ServicesDep
from queenhigh.server.text import check_plain, name_key
from queenhigh.store.streams import DamagedStream

__all__ = ["router"]

router = APIRouter(prefix="/api/floor", tags=["floor"])


@router.get("/glance", responses=gives(Glance))
async def see_glance(services: ServicesDep, floor: Reader) -> Response:
    """Return the room at a glance: its tables, who is there, and what needs a look."""
    return json_response(await services.glance.look(is_slow=services.health.is_slow))


@router.get("/players", responses=gives(list[FloorPlayer]))
async def see_players(
    services: ServicesDep,
    floor: Reader,
    search: Annotated[str, Query(max_length=64), AfterValidator(check_plain)] = "",
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> Response:
    """Return players whose names contain a text: those at tables first, then by name."""
    seated = {name for table in services.host.listed().values() for name in table.state.people()}
    known = services.accounts.search(search, limit)
    names = {player.name for player in known}
    more = [services.accounts.named(name) for name in sorted(seated - names)]
    key = name_key(search)
    known += [player for player in more if player and key in name_key(player.name)]
    known.sort(key=lambda player: (player.name not in seated, name_key(player.name)))
    return json_response([_line(services, player) for player in known[:limit]])


def _line(services: Services, player: Player) -> FloorPlayer:
    try:
        wallet, seats = services.host.chips(player.name)
    except DamagedStream:  # the list is shown all the same
        wallet, seats = 0, []
    if player.frozen:
        seats = [_held(services, player, seat) for seat in seats]
    return FloorPlayer(player.name, player.guest, player.frozen, wallet, seats)


def _held(services: Services, player: Player, seat: SeatChips) -> SeatChips:
    """Return a seat of a frozen player, with what keeps them there."""
    return replace(seat, holds=what_holds(services.host.state(seat.table), player.name))
