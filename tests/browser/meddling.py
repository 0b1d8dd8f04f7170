"""Somebody between a page and the room who changes what the room says."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute


def meddle(page: Page, table: str, change: Callable[[str], str]) -> None:
    """Go to a table whose words to this page are changed on their way."""

    def between(ws: WebSocketRoute) -> None:
        room = ws.connect_to_server()
        ws.on_message(room.send)
        room.on_message(lambda text: ws.send(change(str(text))))

    page.route_web_socket(re.compile("socket"), between)
    page.goto(f"{page.url}#/table/{table}")
