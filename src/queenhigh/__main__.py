"""``python -m queenhigh`` is the command line."""

from queenhigh.cli import main

main()
