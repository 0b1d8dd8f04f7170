"""What Queenhigh is made with: a bill of materials from the locks, and whether they are whole.

python .ci/supply.py check        every package of every lock has a version and a hash
python .ci/supply.py sbom         CycloneDX 1.5 as JSON, to standard output
"""

import json
import re
import sys
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parent.parent
PYTHON_LOCKS = ("requirements.lock", "web/node.lock")
PAGE_LOCK = "web/package-lock.json"
_ENTRY = re.compile(
    r"([A-Za-z0-9][A-Za-z0-9._-]*)==([^\s;]+)(?: ?;[^\\]*?)? *((?:\\\n *--hash=\S+ ?)*)$"
)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})(?=\s|$)")
_VERSION = re.compile(r'__version__ = "([^"]+)"')

Component = dict[str, Any]


class BadLock(Exception):
    """A lock that does not say exactly what is installed."""


def python_components(lock: str, text: str) -> Iterator[Component]:
    """Yield the packages of a lock as pip reads it."""
    for entry in re.split(r"\n(?=\S)", text.strip()):
        if not entry or entry.startswith("#"):
            continue
        match = _ENTRY.fullmatch(entry.strip())
        if match is None:
            raise BadLock(f"{lock}: no exact version: {entry.splitlines()[0]}")
        name, version, rest = match.groups()
        hashes = _HASH.findall(rest)
        if not hashes or len(hashes) != rest.count("--hash="):
            raise BadLock(f"{lock}: no SHA-256 for {name}: make lock")
        yield _component(name, version, f"pkg:pypi/{name.lower()}@{version}", "SHA-256", hashes)


def page_components(lock: str, text: str) -> Iterator[Component]:
    """Yield the packages of the page's lock."""
    for path, package in json.loads(text)["packages"].items():
        if not path:
            continue
        name = path.rpartition("node_modules/")[2]
        kind, _, digest = package.get("integrity", "").partition("-")
        if kind != "sha512" or "version" not in package:
            raise BadLock(f"{lock}: no SHA-512 for {name}: make lock")
        version = package["version"]
        url = f"pkg:npm/{quote(name, safe='/')}@{version}"
        yield _component(name, version, url, "SHA-512", [b64decode(digest).hex()])


def _component(name: str, version: str, url: str, kind: str, hashes: list[str]) -> Component:
    listed = [{"alg": kind, "content": one} for one in sorted(hashes)]
    return {"type": "library", "bom-ref": url, "name": name, "version": version, "purl": url,
            "hashes": listed}  # fmt: skip


def components(root: Path = ROOT) -> list[Component]:
    """Return every package of every lock, once."""
    found: dict[str, Component] = {}
    for lock in PYTHON_LOCKS:
        for one in python_components(lock, (root / lock).read_text()):
            found[one["purl"]] = one
    for one in page_components(PAGE_LOCK, (root / PAGE_LOCK).read_text()):
        found[one["purl"]] = one
    return [found[url] for url in sorted(found)]


def bill(root: Path = ROOT) -> dict[str, Any]:
    """Return the bill of materials; the same locks give the same bytes."""
    source = (root / "src/queenhigh/__init__.py").read_text()
    match = _VERSION.search(source)
    version = match[1] if match else "0"
    own = {"type": "application", "bom-ref": "queenhigh", "name": "queenhigh", "version": version}
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": components(root),
    }


def main() -> None:
    """Do what the command line says."""
    try:
        if sys.argv[1:] == ["sbom"]:
            sys.stdout.write(json.dumps(bill(), indent=2) + "\n")
        elif sys.argv[1:] == ["check"]:
            told = f"{len(components())} packages, each with its version and a hash"
            sys.stdout.write(told + "\n")
        else:
            sys.exit(__doc__)
    except BadLock as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
