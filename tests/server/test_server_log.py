"""Text from strangers in the server's log."""

import io

import pytest
import structlog

from queenhigh.server.serve import _processors


@pytest.mark.parametrize("people", [True, False])
def test_no_name_reaches_a_terminal_as_an_escape(people: bool) -> None:
    out = io.StringIO()
    logger = structlog.wrap_logger(
        structlog.WriteLogger(out), processors=_processors(people=people)
    )
    name = "Zoë\x1b]0;owned\x07\x9b2J\r\nfake line\u202e"
    logger.warning("login failed", name=name, address="192.0.2.1")
    try:
        raise RuntimeError(name)
    except RuntimeError:
        logger.exception(f"trouble with {name}")
    written = out.getvalue()
    for letter in ("\x1b]", "\x07", "\x9b", "\r", "\u202e"):
        assert letter not in written
    assert "\nfake line" not in written.partition("trouble")[0]
    assert ("Zoë" in written) is people, "letters stay letters where people look"
    if people:
        assert r"\x1b]0;owned\x07\x9b2J\r\nfake line\u202e" in written
