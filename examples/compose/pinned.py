"""Print the entries of a lock that an installation needs.

python pinned.py REPORT LOCK     REPORT is what `pip install --dry-run --report` wrote
"""

import json
import re
import sys
from pathlib import Path

_ENTRY = re.compile(r"\n(?=\S)")


def pinned(report: str, lock: str) -> list[str]:
    """Return the entries of the lock for what a report's requested package needs."""
    packages = json.loads(report)["install"]
    needed = {_plain(each["metadata"]["name"]) for each in packages if not each["requested"]}
    # A package may have several entries, each for some versions of Python.
    entries = [(_plain(each.partition("==")[0]), each) for each in _ENTRY.split(lock.strip())]
    if missing := sorted(needed - {name for name, _ in entries}):
        sys.exit(f"The lock has no {', '.join(missing)}: make lock")
    return [entry for name, entry in entries if name in needed]


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


if __name__ == "__main__":
    print("\n".join(pinned(*(Path(file).read_text() for file in sys.argv[1:3]))))
