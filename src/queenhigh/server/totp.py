"""Codes of an authenticator: RFC 6238, six digits by SHA-1, a new one every 30 seconds."""

import hmac
import secrets
from base64 import b32encode
from urllib.parse import quote

__all__ = ["code_at", "key_text", "key_uri", "matching_step", "new_key"]

_STEP_MS = 30_000
_DIGITS = 6
#: How many steps a clock may be ahead or behind.
_SKEW = 1


def new_key() -> bytes:
    """Return a key that an authenticator and the room share."""
    return secrets.token_bytes(20)


def key_text(key: bytes) -> str:
    """Return a key as people type it into an authenticator."""
    return b32encode(key).decode().rstrip("=")


def key_uri(key: bytes, name: str) -> str:
    """Return a key as a link that authenticators read, for example from a QR code."""
    return f"otpauth://totp/Queenhigh:{quote(name)}?secret={key_text(key)}&issuer=Queenhigh"


def code_at(key: bytes, step: int) -> str:
    """Return the code of a step: the number of half minutes since 1970."""
    digest = hmac.digest(key, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFF_FFFF
    return str(number % 10**_DIGITS).zfill(_DIGITS)


def matching_step(key: bytes, code: str, time_ms: int, used: int) -> int | None:
    """Return the step that a code is of, if it is valid now and later than the step used last."""
    now = time_ms // _STEP_MS
    given = "".join(code.split()).encode(errors="replace")
    steps = range(max(now - _SKEW, used + 1, 0), now + _SKEW + 1)
    matching = [step for step in steps if hmac.compare_digest(code_at(key, step).encode(), given)]
    return matching[-1] if matching else None
