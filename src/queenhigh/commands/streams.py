"""Standard streams as they may be: closed, full, or without our letters."""

import os
import sys
from io import TextIOWrapper

import click

__all__ = ["mend_streams", "stop_writing"]


def mend_streams() -> None:
    """Do without streams that are closed, and without letters that a stream does not have."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        raise click.ClickException("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def stop_writing() -> None:
    """Send what is still buffered nowhere, so that ending does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
