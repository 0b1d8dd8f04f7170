"""Passwords of players and staff: hashed with argon2id, in threads and two at a time.

Each takes a while and much memory on purpose.
"""

import asyncio

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from queenhigh.errors import QueenhighError

__all__ = ["Passwords"]

_LENGTHS = range(8, 257)
_AT_ONCE = 2


class Passwords:
    """Hashes passwords and checks them."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._hash_slots = asyncio.Semaphore(_AT_ONCE)

    async def hash(self, password: str) -> str:
        """Return the hash of a new password; refuse one that is too short or too long."""
        check_length(password)
        async with self._hash_slots:
            return await asyncio.to_thread(self._hasher.hash, password.encode(errors="replace"))

    async def is_right(self, hashed: str | None, password: str) -> bool:
        """Return whether a password has a hash; without a hash it takes as long, and is wrong."""
        given = password[: _LENGTHS[-1]]
        if hashed is None:
            await self.hash(given.ljust(_LENGTHS[0]))
            return False
        async with self._hash_slots:
            try:
                encoded = given.encode(errors="replace")
                return await asyncio.to_thread(self._hasher.verify, hashed, encoded)
            except (Argon2Error, InvalidHashError):
                return False


def check_length(password: str) -> None:
    """Refuse a password that is too short or too long."""
    if len(password) not in _LENGTHS:
        least, most = _LENGTHS[0], _LENGTHS[-1]
        raise QueenhighError("password.length", f"a password needs {least} to {most} characters")
