"""Commands run within the test's own process, which saves the start of Python for each.

What a process of its own is needed for (closed streams, signals, terminals, pipes) starts one.
"""

import os
import sys
from contextlib import chdir
from io import BytesIO, TextIOWrapper
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from queenhigh.cli import main


def call(
    *words: str, stdin: str | bytes = b"", cwd: Path | None = None, columns: int = 80
) -> CompletedProcess[str]:
    """Run a command as if it were given these words, and return what a process would."""
    given = stdin.encode() if isinstance(stdin, str) else stdin
    streams = [TextIOWrapper(BytesIO(each), "utf-8") for each in (given, b"", b"")]
    with (
        patch.multiple(sys, argv=["queenhigh", *words], stdin=streams[0], stdout=streams[1],
                       stderr=streams[2]),
        patch.dict(os.environ, COLUMNS=str(columns), LINES="25"),  # 80: as without one
        patch("os.nice"),  # the tests after this one keep their priority
        chdir(cwd or "."),
    ):  # fmt: skip
        try:
            main()
        except SystemExit as end:
            status = end.code
    out, err = (_text(stream) for stream in streams[1:])
    assert "Traceback" not in err
    return CompletedProcess(
        words, status if isinstance(status, int) else int(bool(status)), out, err
    )


def _text(stream: TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, BytesIO)
    return buffer.getvalue().decode()
