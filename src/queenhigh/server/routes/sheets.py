"""Routes of the sheets to print: of a shipped rulebook, or of a table as it plays now."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response

from queenhigh.server.house_rules import changes_of
from queenhigh.server.openapi import Responses, gives, gives_file
from queenhigh.server.services import Heavy, ServicesDep, encoded_json
from queenhigh.server.worker_pool import SheetOrder
from queenhigh.sheets.printed.as_html import style_hash
from queenhigh.sheets.printed.blocks import Kind, Paper, PrintedSheet

__all__ = ["router"]

router = APIRouter(prefix="/api", tags=["anyone"])
_Form = Literal["json", "html", "pdf"]
_Paper = Annotated[Paper, Query(description="The size of the paper.")]


def _gives_sheet() -> Responses:
    """Return the types of a sheet: as plain values, as a page, and for the printer."""
    described: dict[int | str, dict[str, Any]] = gives(PrintedSheet, or_text="text/html")
    described[200]["content"].update(gives_file("application/pdf")[200]["content"])
    return described


@router.get("/rulebooks/{rulebook}/sheets/{kind}.{form}", responses=_gives_sheet())
async def see_sheet_of_rulebook(
    rulebook: Annotated[str, Path(max_length=64)],
    kind: Kind,
    form: _Form,
    services: ServicesDep,
    client: Heavy,
    paper: _Paper = "letter",
) -> Response:
    """Return a sheet of a shipped rulebook, to print."""
    order = SheetOrder(kind, paper, form)
    return _response(await services.workers.sheet(client, rulebook, order), rulebook, order)


@router.get("/tables/{table}/sheets/{kind}.{form}", responses=_gives_sheet())
async def see_sheet_of_table(
    table: Annotated[str, Path(max_length=64)],
    kind: Kind,
    form: _Form,
    services: ServicesDep,
    client: Heavy,
    paper: _Paper = "letter",
) -> Response:
    """Return a sheet of a table, by the rules that it plays now."""
    state = services.host.state(table)
    order = SheetOrder(kind, paper, form, state.table, changes_of(state.book))
    return _response(await services.workers.sheet(client, state.document, order), table, order)


def _response(body: bytes, name: str, order: SheetOrder) -> Response:
    if order.form == "json":
        return encoded_json(body)
    if order.form == "pdf":
        plain = "".join(char if char.isascii() and char.isalnum() else "-" for char in name)
        headers = {"Content-Disposition": f'inline; filename="{plain}-{order.kind}.pdf"'}
        return Response(body, media_type="application/pdf", headers=headers)
    policy = f"default-src 'none'; style-src '{style_hash(body.decode())}'; frame-ancestors 'none'"
    return Response(body, media_type="text/html", headers={"Content-Security-Policy": policy})
