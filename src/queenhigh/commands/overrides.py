"""``--set KEY=VALUE``: other values for keys of a rulebook."""

import click

__all__ = ["read_changes"]


def read_changes(pairs: tuple[str, ...]) -> dict[str, object]:
    """Read KEY=VALUE: the value as TOML would have it, or else as plain text."""
    changes: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            message = f"--set {pair}: write KEY=VALUE, for example --set coverage=net"
            raise click.ClickException(message)
        changes[key.strip()] = _value(text.strip())
    return changes


def _value(text: str) -> object:
    import tomllib  # noqa: PLC0415 (seldom needed)

    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text
