"""Where a room is: a SQLite file, or a PostgreSQL database by its URL."""

from importlib.util import find_spec
from pathlib import Path

from queenhigh.errors import QueenhighError

__all__ = ["Location", "PostgresUrl", "is_url", "parse_location", "shown"]

_SCHEMES = ("postgresql://", "postgres://")


class PostgresUrl(str):
    """The URL of a PostgreSQL database."""

    __slots__ = ()

    def __str__(self) -> str:
        """Return the URL without its password, to be shown."""
        return shown(self)

    @property
    def secret(self) -> str:
        """The URL with its password, to connect with."""
        return str.__str__(self)


#: A file, or a database.
Location = Path | PostgresUrl


def is_url(text: str) -> bool:
    """Return whether a text is the URL of a PostgreSQL database."""
    return text.startswith(_SCHEMES)


def parse_location(text: str) -> Location:
    """Return a location: a URL is one of PostgreSQL, everything else is a file."""
    if not is_url(text):
        return Path(text)
    if find_spec("psycopg") is None:
        message = "PostgreSQL needs one more package: pip install 'queenhigh[postgres]'"
        raise QueenhighError("postgres.missing", message)
    return PostgresUrl(text)


def shown(location: Location) -> str:
    """Return a location as it may be shown: without a password."""
    if isinstance(location, Path):
        return str(location)
    scheme, _, rest = location.secret.partition("://")
    # A password may have characters that end the part it stands in, if they are not encoded.
    user, has_user, place = rest.rpartition("@")
    name, has_password, _ = user.partition(":")
    shown_user = f"{name}{':***' if has_password else ''}@" if has_user else ""
    return f"{scheme}://{shown_user}{place.partition('?')[0]}"
