"""The commands that are recorded, in folders with the same files for every program."""

import shutil
import zipfile
from pathlib import Path
from shlex import split
from typing import Any

from tests.recorder.programs import Program
from tests.recorder.recording import Recording, as_text

__all__ = ["record_commands", "unrecorded"]

_ROOT = Path(__file__).parents[2]
#: When commands run: a day after the room was served.
NOW = 1_790_100_000_000_000_000
#: A command a line, ``< FILE`` is its standard input. Commands with --json run once more with it;
#: FORM says then which of the two runs it is, in the names of what they write.
_RUNS = """
rules
rules california
rules house --set pair_plus.on_fold=forfeit
rules roulette-european
rules california --schema
rules california --copy mine-FORM.toml
rules --check california
rules --check bad.toml
rules nowhere
settle california < california.jsonl
settle california < california-irregular.jsonl
settle california < california-all-endings.jsonl
settle house < house.jsonl
settle house < house-all-endings.jsonl
settle house < house-irregular.jsonl
settle roulette < roulette.jsonl
settle roulette < roulette-all-bets.jsonl
settle roulette-american < roulette-american.jsonl
settle roulette-european < roulette-european.jsonl
settle roulette-european --set zero.on_zero=en_prison < roulette-european-en-prison.jsonl
settle roulette-european --set zero.on_zero=la_partage < roulette-european-la-partage.jsonl
settle california --set coverage=net california.jsonl
settle california house.jsonl
settle california nowhere.jsonl
desk california < desk.txt
desk house < desk-house.txt
desk roulette
odds california
odds california --set short_ante=win --set fees.fee_per=wager
odds house
odds house --set limits.scope=total
odds roulette
odds roulette-european --set zero.on_zero=en_prison
odds california --set nothing=1
strategy california
strategy house
strategy california --hand "Qs 6d 4c" --up Kd
strategy house --chart chart-FORM.html
strategy roulette
bank california
bank house --seats 3 --ante 400 --bonus 100
bank california --seats 2 --ante 500,$10 --rounds-per-hour 60 --hours 4
bank roulette
simulate california --seats 4 --bank 900 --rounds 400 --seed 3 --engine scalar --threads 1
simulate california --seats 2 --rounds 1000 --seed 3 --engine compiled --threads 1
simulate house --bonus 100 --rounds 300 --seed 3 --engine scalar --threads 1 --policy mimic
simulate roulette --bet red --bet "split 17 20" --rounds 300 --seed 3 --engine scalar --threads 1
simulate roulette --engine nothing
assumptions california --rounds 1000 --seed 3
assumptions house --rounds 1000 --seed 3
assumptions roulette-european
compare california house
compare california california --set tie=win --set fees.collect=after
compare roulette roulette-european
sheet rule-card california
sheet rule-card roulette-american --paper a4 --pdf card-FORM.pdf
sheet fees california
sheet fees house
sheet pays house --html pays-FORM.html
sheet strategy california --pdf strategy-FORM.pdf
sheet strategy house
sheet felt california --html felt-FORM.html
sheet felt roulette --pdf felt-FORM.pdf
table run california --bots 8 --rounds 12 --seed 1 --db bots-FORM.db
table run california --rounds 3 --seed 2 --set coverage=net --table net --db bots-FORM.db
table run house --bots 3 --rounds 12 --seed 1 --policy best --policy mimic --db bots-FORM.db
table run roulette --bots 2 --rounds 12 --seed 1 --db bots-FORM.db
table run house --bots 30 --db bots-FORM.db
table recall bots-FORM.db --player Ada
table recall bots-text.db --player Ben --table house --last 2
table recall bots-text.db --player Nobody
table export bots-text.db
table export bots-text.db --table california --as phh
table export bots-text.db --as log
verify bots-FORM.db
verify bots-text.db --round california/3
verify bots-text.db --round roulette/2
verify bots-text.db --key 00
verify golden.jsonl
verify cut.jsonl
verify nowhere.db
serve --db served.db --host 0.0.0.0
serve --db served.db --table bad.toml
staff list --db room.db
staff list --db nowhere.db
verify room.db
verify room.db --receipt receipt.json --round duel/1
verify room.db --round roulette/1
table export room.db --as settle
table export room.db --table duel --as phh
table export room.db --as log
table recall room.db --player Ann --last 50
table recall room.db --player Bob
staff password Max --db room.db < password.txt
staff password Olga --db room.db --codes-off < password.txt
backup room.db copy-FORM.db
backup room.db copy-FORM.db
backup room.db quick-FORM.db --no-verify
restore copy-FORM.db again-FORM.db
verify again-FORM.db
archive again-FORM.db --to all-FORM.qha --remove
archive again-FORM.db --to none-FORM.qha --before 2020-01-01
verify all-FORM.qha
verify again-FORM.db --archive all-FORM.qha
verify again-FORM.db
copy again-FORM.db moved-FORM.db
verify moved-FORM.db
table recall moved-text.db --player Ann
db upgrade room.db --check
db upgrade room.db
"""
_OLDER_RUNS = """
db upgrade OLDER.db --check
db upgrade OLDER.db
verify OLDER.db
staff list --db OLDER.db
table export OLDER.db --as settle
table export OLDER.db --as log
table recall OLDER.db --player Ada
archive OLDER.db --to OLDER-FORM.qha
"""
_DESK = "bank 500\nstart 5\n1 ante 10 bonus 5 play QH TD 2C\n5 20 f\nhand\nmissing\n5 2000\nyes\n"
_DESK += "undo\nd qsjh3c\nsettle\nline\nw\nw exposed\nhelp\nremove 1\nnew\n1 1\nm\nquit\n"
_FILES = {
    "desk.txt": _DESK,
    "desk-house.txt": "1 ante 2 pp 1 play AS KS QS\n2 4 f\nd 2c 3d 7h\n\nw 3 cards\nl\nq\n",
    "bad.toml": 'game = "roulette"\n',
    "password.txt": "correct horse battery\n",
}


def record_commands(
    program: Program, recording: Recording, folder: Path, runs: str = _RUNS
) -> list[str]:
    """Record commands in a folder, which may have a room; return what has no recorded run."""
    older = _prepare(folder)
    known, _ = program.run(folder, [], NOW)
    lines = runs.strip().splitlines()
    if runs == _RUNS:
        lines += [line.replace("OLDER", name) for name in older for line in _OLDER_RUNS.split("\n")]
    jobs = [([*name.split(), "--help"], "") for name in known]
    for line in filter(None, lines):
        words, _, given = line.partition(" < ")
        stdin = (folder / given).read_text() if given else ""
        has_json = known.get(_command(split(words), known), {}).get("json")
        jobs.append((split(words.replace("FORM", "text")), stdin))
        if has_json:
            jobs.append(([*split(words.replace("FORM", "json")), "--json"], stdin))
    _, results = program.run(folder, jobs, NOW)
    for (words, _), result in zip(jobs, results, strict=True):
        name = _command(words, known)
        recording.add(f"commands/{name or 'queenhigh'}", " ".join(["queenhigh", *words]), _text(result))
    return unrecorded(known, [words for words, _ in jobs])


def unrecorded(known: dict[str, dict[str, bool]], runs: list[list[str]]) -> list[str]:
    """Return the commands of which a run is missing: their help, text or JSON."""
    missing = []
    for name, kind in known.items():
        ran = {_form(words) for words in runs if _command(words, known) == name}
        forms = ["help"] + ["text"] * (not kind["group"]) + ["json"] * kind["json"]
        missing += [f"{name}: no recorded run of its {form}" for form in forms if form not in ran]
    return missing


def _form(words: list[str]) -> str:
    return next((form for form in ("help", "json") if f"--{form}" in words), "text")


def _command(words: list[str], known: dict[str, Any]) -> str:
    """Return the name of the command that words begin with."""
    most = (" ".join(words[:count]) for count in range(len(words), -1, -1))
    return next(name for name in most if name in known)


def _text(result: dict[str, Any]) -> str:
    """Return what a run printed and wrote."""
    parts = [f"exit status {result['status']}"]
    parts += [f"--- {name}\n{result[name]}" for name in ("out", "err") if result[name]]
    for name, content in result["files"].items():
        parts.append(f"--- {name}\n{content}")
    return "\n".join(parts)


def _prepare(folder: Path) -> list[str]:
    """Put into a folder what the commands read; return the names of older rooms."""
    for file in [*(_ROOT / "examples").glob("*.jsonl"), *(_ROOT / "tests/golden").glob("*.jsonl")]:
        shutil.copy(file, folder)
    lines = (folder / "room.jsonl").rename(folder / "golden.jsonl").read_text().splitlines(True)
    (folder / "cut.jsonl").write_text("".join(lines[:5] + lines[6:]))
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    older = []
    for packed in sorted((_ROOT / "tests").glob("*/old*/*.zip")):
        with zipfile.ZipFile(packed) as files:
            for file in ("room.db", "room.db.key"):
                (folder / file.replace("room", packed.stem)).write_bytes(files.read(file))
        older.append(packed.stem)
    return older
