"""The process around a command: its streams, its errors and its exit status."""

import os
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import NoReturn

import click

from queenhigh.errors import QueenhighError

__all__ = ["run_process"]


def run_process(cli: click.Command, ready: Callable[[], object]) -> NoReturn:
    """Run a command line and end: every error becomes one sentence, never a traceback.

    ``ready`` is called when an interrupt can be handled here.
    """
    try:
        ready()
        _mend_streams()
        status = cli(prog_name="queenhigh", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "queenhigh"
        _end(f"{_sentence(error.format_message())} See {where} --help")
    except click.ClickException as error:
        _end(error.format_message())
    except QueenhighError as error:
        _end(str(error))
    except BrokenPipeError:
        _stop_writing()
        status = 1
    except OSError as error:
        _stop_writing()
        _end(f"standard output: {error.strerror}")
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status)


def _end(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)


def _sentence(text: str) -> str:
    """Return a message with an end, so that another sentence can follow it."""
    return text if text.endswith((".", "?", "!", "?)")) else f"{text}."


def _mend_streams() -> None:
    """Replace a closed error stream, and letters that a stream does not have."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        raise click.ClickException("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _stop_writing() -> None:
    """Discard buffered output, so that ending does not fail once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
