"""A proxy between a page and the room that changes what the room says."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, Route, WebSocketRoute


def change_messages(page: Page, table: str, change: Callable[[str], str]) -> None:
    """Go to a table whose words to this page are changed on their way."""

    def between(ws: WebSocketRoute) -> None:
        room = ws.connect_to_server()
        ws.on_message(room.send)
        room.on_message(lambda text: ws.send(change(str(text))))

    page.route_web_socket(re.compile("socket"), between)
    page.goto(f"/#/table/{table}")


def hold(page: Page, table: str, kind: str) -> Callable[[], None]:
    """Go to a table whose room hears commands of a kind only once what is returned is called."""
    held: list[str] = []
    rooms: list[WebSocketRoute] = []
    holding = True

    def forward(text: str | bytes) -> None:
        if holding and f'"{kind}"' in str(text):
            held.append(str(text))
        else:
            rooms[-1].send(text)

    def between(ws: WebSocketRoute) -> None:
        rooms.append(ws.connect_to_server())
        ws.on_message(forward)

    def release() -> None:
        nonlocal holding
        holding = False
        for text in held:
            rooms[-1].send(text)

    page.route_web_socket(re.compile("socket"), between)
    page.goto(f"/#/table/{table}")
    return release


def rewrite(page: Page, change: Callable[[dict[str, Any]], None]) -> None:
    """Send a page other rules than its tables have; for a page that is at no table yet."""

    def between(route: Route) -> None:
        answer = route.fetch()
        rules = answer.json()
        change(rules)
        route.fulfill(response=answer, json=rules)

    page.route(re.compile("/api/tables/[^/]+/rules$"), between)
