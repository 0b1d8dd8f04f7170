"""The room's front door for browsers: its tables in plain HTML."""

from html import escape

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from queenhigh.server.premises import Here

__all__ = ["router"]

router = APIRouter(tags=["anyone"], include_in_schema=False)

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Queenhigh</title>
<h1>Queenhigh</h1>
<p>The open card room. Play money only.</p>
<ul>
{}
</ul>
<p>Programs: <a href="/openapi.json">the API</a>.</p>
</html>
"""


@router.get("/")
async def see_front_door(here: Here) -> HTMLResponse:
    """Return the tables as a page."""
    lines = []
    for name, table in here.host.tables.items():
        state = table.desk.state
        taken = f"{len(state.places)} of {state.settings.places} places taken"
        address = f"/api/tables/{escape(name)}"
        rules = f'<a href="{address}/rules">rules</a>'
        lines.append(
            f'<li><a href="{address}">{escape(name)}</a>: {escape(state.book.title)},'
            f" {taken} ({rules})</li>"
        )
    return HTMLResponse(_PAGE.format("\n".join(lines)))
