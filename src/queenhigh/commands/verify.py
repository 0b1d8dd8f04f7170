"""``verify``: proof of a store or a log, or of a round with every step."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from queenhigh.commands.location import LOCATION
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json, print_text
from queenhigh.commands.progress import counting
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.history.proofs import CorrectionPair
    from queenhigh.history.records import Record
    from queenhigh.store.location import Location
    from queenhigh.table.events import TableEvent
    from queenhigh.verify.verifier import Report

__all__ = ["verify"]


@click.command()
@click.argument("file", type=LOCATION, metavar="DB|FILE")
@click.option("--round", metavar="TABLE/N", help="Also print one round, step by step.")
@click.option("--key", metavar="HEX", help="Fail unless this key signed the file.")
@click.option("--receipt", "receipts", type=click.Path(path_type=Path), multiple=True,
              metavar="FILE", help="A receipt issued by the room. Repeatable.")  # fmt: skip
@click.option("--archive", "archives", type=click.Path(path_type=Path), multiple=True,
              metavar="FILE", help="An archive of DB. Repeatable.")  # fmt: skip
@json_option
def verify(
    file: "Location",
    round: str | None,
    key: str | None,
    receipts: tuple[Path, ...],
    archives: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Verify a room's database, a log or an archive, event by event.

    Checks hashes, commitments, cards, legality, settlement and balances. Reports the first bad
    event, if any, and exits with status 1. For archived events only the hashes are checked, unless
    --archive gives the file that contains them.
    """
    from queenhigh.sheets import proof_sheet, verify_sheet

    report = _verify(file, key, receipts, archives)
    record: Record | None = None
    corrections: list[CorrectionPair] = []
    if round is not None and report.ok:
        record, corrections = _find_round(file, round, archives)
    if as_json:
        print_json(verify_sheet.as_json(report, record, corrections))
    else:
        if record is not None:
            print_text(proof_sheet.as_text(record, corrections))
        click.echo(verify_sheet.as_text(report))
    sys.exit(0 if report.ok else 1)


def _verify(
    file: "Location", key: str | None, receipts: tuple[Path, ...], archives: tuple[Path, ...]
) -> "Report":
    """Return the report on a file; a store must also be sound as a database."""
    from dataclasses import replace

    from queenhigh.store.checks import file_damage
    from queenhigh.store.open import check_complete
    from queenhigh.verify import verifier
    from queenhigh.verify.log_file import is_store
    from queenhigh.verify.receipts import read_receipts

    read = [receipt for each in receipts for receipt in read_receipts(each)]
    check_complete(file)
    with counting(None, "events") as count_up:
        report = verifier.verify(file, key=key, receipts=read, archives=archives, watch=count_up)
    is_file = isinstance(file, Path) and is_store(file)
    damage = file_damage(Path(file), lambda: False) if report.bad is None and is_file else None
    if damage is None:
        return report
    return replace(report, bad=f"it is damaged: {damage}", part="file")


def _find_round(
    file: "Location", round: str, archives: tuple[Path, ...]
) -> "tuple[Record, list[CorrectionPair]]":
    """Return a round of a log, and its corrections."""
    from queenhigh.history.proofs import made_corrections
    from queenhigh.history.records import rounds_of
    from queenhigh.table.events import decode
    from queenhigh.table.streams import table_stream
    from queenhigh.verify.log_file import Row, read_log

    table, _, number = round.rpartition("/")
    stream = table_stream(table)
    events: list[TableEvent] = [
        decode(row.event)
        for row in read_log(file, archives)
        if isinstance(row, Row) and row.stream == stream and not row.is_archived
    ]
    for record in rounds_of(events, table):
        if str(record.live.number) == number:
            made = made_corrections(events)
            return record, [pair for pair in made if pair[1].round == record.live.number]
    message = f"no finished round {round[:40]!r}: write TABLE/NUMBER, for example t1/17"
    raise QueenhighError("round.none", message)
