"""The guard of every request: the right host and origin, a bounded body, safe headers."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse

from queenhigh.errors import QueenhighError
from queenhigh.server.client_address import Proxies
from queenhigh.server.limits import Limits, TooMany, cost_of

__all__ = [
    "HEADERS",
    "Admit",
    "App",
    "Guard",
    "HostPolicy",
    "Message",
    "Receive",
    "Rejection",
    "Send",
    "error_body",
    "too_many",
]

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


class Rejection(NamedTuple):
    """Why a request or a socket is refused."""

    status: int
    code: str
    message: str
    #: How many seconds to wait before another try.
    retry_after: str | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the refusal."""
        return {"retry-after": self.retry_after} if self.retry_after else {}


@dataclass(frozen=True)
class HostPolicy:
    """The host names that requests may use; none: any, if only a proxy knows the name."""

    hosts: frozenset[str] = frozenset()
    #: Whether the server is reached by TLS only: a header tells browsers so.
    tls: bool = False
    proxies: Proxies = field(default_factory=Proxies)

    def client(self, peer: str, headers: Mapping[str, str]) -> str:
        """Return the address of the client, which a trusted proxy reports."""
        return self.proxies.client(peer, headers.get("x-forwarded-for"))

    def reject(self, headers: Mapping[str, str], *, safe: bool) -> Rejection | None:
        """Return why a host or origin is refused, if it is; ``safe``: it changes nothing."""
        name, host = _place(f"//{headers.get('host', '')}")
        if self.hosts and name not in self.hosts:
            return Rejection(421, "host.unknown", "this room has another name: check the address")
        origin = headers.get("origin")
        if origin is None:
            foreign = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        else:
            foreign = _place(origin)[1] != host
        if foreign and not safe:
            sentence = "this request came from another site: use the room's own page"
            return Rejection(403, "origin.foreign", sentence)
        return None


def error_body(code: str, message: str) -> dict[str, str]:
    """Return the body of an error; characters that cannot be encoded are escaped."""
    return {"code": code, "message": message.encode(errors="backslashreplace").decode()}


def too_many(error: TooMany) -> Rejection:
    """Return the rejection of a client that is over its limit."""
    return Rejection(429, error.code, str(error), error.retry_after)


#: Charges the client for a request, by address, headers and cost, or refuses.
Admit = Callable[[str, Mapping[str, str], float], Awaitable[None]]


class Guard:
    """An ASGI application that guards another one."""

    def __init__(
        self,
        app: App,
        policy: HostPolicy,
        limits: Limits,
        admit: Admit,
        missing_store: Callable[[], QueenhighError | None],
        passed_on: Callable[[Mapping[str, str]], str | None] = lambda headers: None,
    ) -> None:
        """Guard an application.

        ``passed_on`` returns the client's address of a request that another process has checked.
        """
        self._app, self._policy, self._admit, self._passed_on = app, policy, admit, passed_on
        self._missing_store = missing_store
        self._body_bytes = limits.body_bytes

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass a request to the app, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = _joined(Headers(scope=scope))
        passed_on = self._passed_on(headers)
        if scope.get("client"):
            client = passed_on or self._policy.client(scope["client"][0], headers)
            scope["client"] = (client, 0)
        rejection = None
        if passed_on is None:
            rejection = await self._refuse_over_limit(scope, headers)
            rejection = rejection or self._reject(scope, headers)
        if rejection is not None:
            body = error_body(rejection.code, rejection.message)
            refusal = JSONResponse(body, rejection.status, headers=rejection.headers)
            await refusal(scope, receive, self._safely(send))
            return
        await self._app(scope, self._bounded(receive), self._safely(send))

    async def _refuse_over_limit(
        self, scope: Message, headers: Mapping[str, str]
    ) -> Rejection | None:
        """Return the rejection of a client over its limit; requests refused later cost too."""
        address = scope["client"][0] if scope.get("client") else "nowhere"
        try:
            await self._admit(address, headers, cost_of(scope["method"], scope["path"]))
        except TooMany as error:
            return too_many(error)
        return None

    def _reject(self, scope: Message, headers: Mapping[str, str]) -> Rejection | None:
        """Return why a request is refused by its headers, or because the store is missing."""
        safe = scope["method"] in _SAFE
        rejection = self._policy.reject(headers, safe=safe) or self._reject_length(headers)
        if rejection is None and not safe and (missing := self._missing_store()) is not None:
            rejection = Rejection(503, missing.code, str(missing))
        return rejection

    def _reject_length(self, headers: Mapping[str, str]) -> Rejection | None:
        length = headers.get("content-length", "0")
        if length.isdecimal() and int(length[:12]) <= self._body_bytes:
            return None
        sentence = f"a request may have at most {self._body_bytes} bytes: send less"
        return Rejection(413, "body.size", sentence)

    def _bounded(self, receive: Receive) -> Receive:
        left = self._body_bytes

        async def bounded() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:  # sent in chunks without a length: handled like a disconnect
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
                if self._policy.tls:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
            await send(message)

        return safely


def _joined(headers: Headers) -> Mapping[str, str]:
    """Return headers in which several lines of X-Forwarded-For are joined."""
    forwarded = headers.getlist("x-forwarded-for")
    if len(forwarded) < 2:
        return headers
    return {**headers, "x-forwarded-for": ", ".join(forwarded)}


def _place(address: str) -> tuple[str, str]:
    """Return the host name in an address, and the name with its port; empty if invalid."""
    try:
        parts = urlsplit(address)
        return parts.hostname or "", parts.netloc.lower()
    except ValueError:
        return "", ""
