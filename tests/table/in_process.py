"""Commands run in this process, where nothing depends on a process of their own."""

import io
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from unittest.mock import patch

from queenhigh.cli import main


def run(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """Run ``queenhigh`` with these words, as ``tests.test_command_line.run`` does, but faster."""
    out, err = io.StringIO(), io.StringIO()
    with (
        chdir(cwd or "."),
        redirect_stdout(out),
        redirect_stderr(err),
        patch("sys.argv", ["queenhigh", *words]),
        patch("os.nice"),  # the tests after this one keep their priority
    ):
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
    assert isinstance(status, int)
    return CompletedProcess(words, status, out.getvalue(), err.getvalue())
