"""A recording: a folder of texts, written entry by entry, and how two of them differ."""

import difflib
import json
import re
from collections import Counter
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["MASKS", "Mask", "Recording", "as_text", "differences"]

#: Lines that begin an entry of a file.
_ENTRY = "## "
_MOST_LINES = 40


class Mask(NamedTuple):
    """What is left out of a recording: in these files, what the pattern has in its group."""

    files: str
    pattern: str
    reason: str


#: Everything that two recordings of one program may differ in, and why it cannot be given.
MASKS = (
    Mask("", r"127\.0\.0\.1:(\d{4,5})\b", "the port is any free one of the machine"),
    Mask("commands/serve", r'"timestamp": "(.*?)"', "lines of a log have the machine's time"),
    Mask("commands/serve", r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)", "so have those of its start"),
)


class Recording:
    """A folder that is being written."""

    def __init__(self, folder: Path, masks: tuple[Mask, ...] = MASKS) -> None:
        self.folder, self._masks = folder, masks
        folder.mkdir(parents=True)

    def add(self, file: str, title: str, text: str) -> None:
        """Write an entry at the end of a file, whose name has a folder before its first slash."""
        folder, _, name = file.partition("/")
        path = self.folder / folder / f"{re.sub('[ /]+', '_', name)}.txt"
        path.parent.mkdir(exist_ok=True)
        with path.open("a", encoding="utf-8") as writing:
            writing.write(self.masked(file, f"{_ENTRY}{title}\n{text.rstrip()}\n\n"))

    def masked(self, file: str, text: str) -> str:
        """Return a text without what cannot be given."""
        for mask in self._masks:
            if file.startswith(mask.files):
                text = re.sub(mask.pattern, _hide, text, flags=re.MULTILINE)
        return text


def _hide(match: re.Match[str]) -> str:
    whole, start = match.group(), match.start()
    return whole[: match.start(1) - start] + "…" + whole[match.end(1) - start :]


def as_text(body: bytes, media: str = "application/json") -> str:
    """Return a body as it is recorded: JSON in lines, other text as it is, else its hash."""
    if b"\0" in body or media == "application/pdf":
        return f"{len(body)} bytes, sha256 {sha256(body).hexdigest()}"
    if media == "application/json":
        with suppress(ValueError):
            return json.dumps(json.loads(body), indent=1, ensure_ascii=False)
    return body.decode()


def differences(before: Path, after: Path) -> list[str]:
    """Return what differs between two recordings: by file, and in it by entry."""
    lines: list[str] = []
    for name in sorted({*_files(before), *_files(after)}):
        old, new = _entries(before / name), _entries(after / name)
        if [*old] != [*new]:
            lines.append(f"{name}: other entries")
            lines += _diff("\n".join(old), "\n".join(new))
        changed = [key for key in old if key in new and old[key] != new[key]]
        if changed:
            lines.append(f"{name}: {len(changed)} of {len(old)} entries differ")
        for key in changed:
            lines += [f"  {key}", *_diff(old[key], new[key])]
    return lines


def _diff(old: str, new: str) -> list[str]:
    lines = [*difflib.unified_diff(old.splitlines(), new.splitlines(), n=2, lineterm="")][2:]
    more = [f"… {len(lines) - _MOST_LINES} more lines"] * (len(lines) > _MOST_LINES)
    return [f"    {line}" for line in lines[:_MOST_LINES] + more]


def _files(folder: Path) -> list[str]:
    return [str(file.relative_to(folder)) for file in folder.rglob("*.txt")]


def _entries(file: Path) -> dict[str, str]:
    """Return the entries of a file by their titles; repeated titles are numbered."""
    if not file.exists():
        return {}
    parts: list[Any] = re.split(rf"^{_ENTRY}(.*)\n", file.read_text(), flags=re.MULTILINE)[1:]
    entries: dict[str, str] = {}
    counts = Counter[str]()
    for title, text in zip(parts[::2], parts[1::2], strict=True):
        counts[title] += 1
        entries[f"{title} ({counts[title]})" if counts[title] > 1 else title] = text
    return entries
