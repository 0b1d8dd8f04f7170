"""The start of the command line, for ``python -m queenhigh`` and for the installed script.

Loading the commands takes a moment, and Ctrl-C may come before they are loaded. Until then it ends
the process at once: nothing has been done yet, and a traceback would help nobody.
"""

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["main"]


def main() -> None:
    """Load the command line and run it."""
    try:
        restore = _end_at_once_on_interrupt()
        from queenhigh.cli import main as run  # noqa: PLC0415 (an interrupt may come meanwhile)

        run(restore)
    except KeyboardInterrupt:
        sys.exit(130)


def _end_at_once_on_interrupt() -> "Callable[[], object]":
    """Make an interrupt end the process; return what restores Python's own handling.

    A process that was started to ignore interrupts, in the background say, keeps ignoring them.
    """
    import os  # noqa: PLC0415
    import signal  # noqa: PLC0415

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return lambda: None
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    return lambda: signal.signal(signal.SIGINT, signal.default_int_handler)


if __name__ == "__main__":
    main()
