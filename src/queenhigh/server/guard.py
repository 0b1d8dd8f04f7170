"""What every request passes: the right host, the right origin, a bounded body, safe headers."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from queenhigh.errors import QueenhighError
from queenhigh.server.limits import Limits, TooMany, cost_of
from queenhigh.server.peers import Proxies

__all__ = ["HEADERS", "Guard", "Pay", "Trust", "Wrong", "error_body", "too_many"]

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none';"
    " form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class Wrong(NamedTuple):
    """Why somebody is not let in."""

    status: int
    code: str
    message: str
    #: In so many seconds it is worth another try.
    retry_after: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say so."""
        return {"retry-after": self.retry_after} if self.retry_after else {}


@dataclass(frozen=True)
class Trust:
    """Which hosts the room is reached by; none: any, as behind a name that only a proxy knows."""

    hosts: frozenset[str] = frozenset()
    #: Say so in a header where the room is reached by TLS only.
    tls: bool = False
    proxies: Proxies = field(default_factory=Proxies)

    def client(self, peer: str, headers: Mapping[str, str]) -> str:
        """Return the address of who asks, which a proxy may have to say."""
        return self.proxies.client(peer, headers.get("x-forwarded-for"))

    def wrong(self, headers: Mapping[str, str], *, safe: bool) -> Wrong | None:
        """Return what is wrong with where a request comes from; ``safe``: it changes nothing."""
        name, host = _place(f"//{headers.get('host', '')}")
        if self.hosts and name not in self.hosts:
            return Wrong(421, "host.unknown", "this room has another name: check the address")
        origin = headers.get("origin")
        if origin is None:
            foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        else:
            foreign = _place(origin)[1] != host
        if foreign and not safe:
            told = "another site asks for this: come to the room's own page"
            return Wrong(403, "origin.foreign", told)
        return None


def error_body(code: str, message: str) -> dict[str, str]:
    """Return what every error looks like; what cannot be written is spelled out."""
    return {"code": code, "message": message.encode(errors="backslashreplace").decode()}


def too_many(error: TooMany) -> Wrong:
    """Return how somebody is refused who asks for too much."""
    return Wrong(429, error.code, str(error), error.retry_after)


#: Takes what a request costs from whoever asks, by their address and headers, or refuses.
Pay = Callable[[str, Mapping[str, str], float], Awaitable[None]]


class Guard:
    """Stands before the app."""

    def __init__(
        self,
        app: App,
        trust: Trust,
        limits: Limits,
        pay: Pay,
        gone: Callable[[], QueenhighError | None],
    ) -> None:
        self._app, self._trust, self._pay, self._gone = app, trust, pay, gone
        self._body_bytes = limits.body_bytes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _joined(Headers(scope=scope))
        if scope.get("client"):
            scope["client"] = (self._trust.client(scope["client"][0], headers), 0)
        wrong = await self._rationed(scope, headers) or self._wrong(scope, headers)
        if wrong is not None:
            body = error_body(wrong.code, wrong.message)
            refusal = JSONResponse(body, wrong.status, headers=wrong.headers)
            await refusal(scope, receive, self._safely(send))
            return
        await self._app(scope, self._bounded(receive), self._safely(send))

    async def _rationed(self, scope: Message, headers: Mapping[str, str]) -> Wrong | None:
        """Refuse whoever has asked for too much; what is refused for another reason costs too."""
        address = scope["client"][0] if scope.get("client") else "nowhere"
        try:
            await self._pay(address, headers, cost_of(scope["method"], scope["path"]))
        except TooMany as error:
            return too_many(error)
        return None

    def _wrong(self, scope: Message, headers: Mapping[str, str]) -> Wrong | None:
        """Return why a request is refused by what it looks like, or since the store is gone."""
        safe = scope["method"] in _SAFE
        wrong = self._trust.wrong(headers, safe=safe) or self._wrong_length(headers)
        if wrong is None and not safe and (gone := self._gone()) is not None:
            wrong = Wrong(503, gone.code, str(gone))
        return wrong

    def _wrong_length(self, headers: Mapping[str, str]) -> Wrong | None:
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:12]) <= self._body_bytes:
            return None
        told = f"a request has at most {self._body_bytes} bytes: send less"
        return Wrong(413, "body.size", told)

    def _bounded(self, receive: Receive) -> Receive:
        left = self._body_bytes

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:  # sent in pieces, without its length: as if the sender had gone
                return {"type": "http.disconnect"}
            return message

        return bounded

    def _safely(self, send: Send) -> Send:
        async def safely(message: Message) -> None:
            if message["type"].endswith("response.start"):
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
                if self._trust.tls:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        return safely


def _joined(headers: Headers) -> Mapping[str, str]:
    """Return headers in which what came in several lines, as proxies do it, is one."""
    forwarded = headers.getlist("x-forwarded-for")
    if len(forwarded) < 2:
        return headers
    return {**headers, "x-forwarded-for": ", ".join(forwarded)}


def _place(address: str) -> tuple[str, str]:
    """Return the name in an address and the name with its port; nothing if it makes no sense."""
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.netloc.lower()
    except ValueError:
        return "", ""
