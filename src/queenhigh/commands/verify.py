"""``verify``: proof of a store or a log, or of one round with every step."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from queenhigh.commands.output import dump, show
from queenhigh.commands.progress import counting
from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.room.history import Record, as_settle_line, committed_seeds, rounds_of
from queenhigh.room.log import Row, is_store, read_log
from queenhigh.room.receipts import Verdict, read_receipts
from queenhigh.room.verify import Report, verify
from queenhigh.sheets.words import one_line
from queenhigh.store.checks import file_damage
from queenhigh.store.signing import Head
from queenhigh.table.events import TableEvent, decode

__all__ = ["bad_as_json", "print_verification"]


def print_verification(
    file: Path,
    round: str | None,
    key: str | None,
    receipts: Sequence[Path],
    archives: Sequence[Path],
    *,
    as_json: bool,
) -> bool:
    """Verify a file, print what came of it, and tell whether all is well."""
    read = [receipt for one in receipts for receipt in read_receipts(one)]
    with counting(None, "events") as count_up:
        report = verify(file, key=key, receipts=read, archives=archives, watch=count_up)
    damage = file_damage(file, lambda: False) if report.bad is None and is_store(file) else None
    if damage is not None:
        report = replace(report, bad=f"it is damaged: {damage}", part="file")
    record = _find(file, round, archives) if round is not None and report.ok else None
    if as_json:
        dump(_as_json(report, record))
        return report.ok
    if record is not None:
        from queenhigh.sheets.table_sheet import proof_sheet  # noqa: PLC0415

        show(proof_sheet(record))
    click.echo(_sentence(report))
    if report.bad is None:
        click.echo(_dealing(report.dealing))
        for verdict in report.receipts:
            click.echo(_receipt_sentence(verdict))
    return report.ok


def _receipt_sentence(verdict: Verdict) -> str:
    kept, bad = verdict
    if isinstance(kept, Head):
        place = f"head of {kept.events:,} events"
    else:
        place = f"receipt of {one_line(kept.stream)} {kept.version}, epoch {kept.epoch}"
    return f"{'OK' if bad is None else 'BAD'}: {place}: {bad or 'the log has it'}"


def _receipt_json(verdict: Verdict) -> dict[str, object]:
    kept, bad = verdict
    told: dict[str, object] = {"ok": bad is None, "reason": bad}
    if isinstance(kept, Head):
        return {"events": kept.events, **told}
    return {"stream": kept.stream, "stream_version": kept.version, "epoch": kept.epoch, **told}


def _sentence(report: Report) -> str:
    if report.bad is None:
        rounds = _many(report.rounds, "round")
        rebased = f", time rebased {report.rebased:,} times" if report.rebased else ""
        told = f"OK: {report.events:,} events, {rounds}{rebased}, signed by {report.key}"
        return told + (f"; {report.hash_only:,} by their hash only" if report.hash_only else "")
    place = (
        f" ({one_line(report.stream or '')} {report.version})" if report.version is not None else ""
    )
    where = f"event {report.n}{place}"
    if report.n is None:
        where = f"after{place}" if place else report.part
    return f"BAD: {where}: {one_line(report.bad or '')}"


def _dealing(counted: dict[str, int]) -> str:
    """Return in words how the rounds were dealt."""
    chained, free = _many(counted["scheme_2"], "round"), counted["scheme_1"]
    chains, voided = _many(counted["chains"], "chain"), counted["voided_after_close"]
    unseen = counted["voided_without_seed"]
    told = f"; {_many(unseen, 'round')} voided without showing the seed:"
    told += f" {'its' if unseen == 1 else 'their'} deal is not proved"
    return (
        f"Dealing: {chained} bound by {chains}, {free:,} by scheme 1 (where the room could have"
        f" chosen); seeds of places: {counted['seeds_shown']:,} shown,"
        f" {counted['seeds_left_out']:,} left out;"
        f" {_many(voided, 'round')} voided after bets were closed{told if unseen else ''}"
    )


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' if count != 1 else ''}"


def bad_as_json(report: Report) -> dict[str, object] | None:
    """Return the first thing that is wrong, for programs."""
    if report.bad is None:
        return None
    place = {"n": report.n, "stream": report.stream, "stream_version": report.version}
    return {**place, "reason": report.bad}


def _as_json(report: Report, record: Record | None) -> dict[str, object]:
    told: dict[str, object] = {
        "ok": report.ok,
        "events": report.events,
        "rounds": report.rounds,
        "rebased": report.rebased,
        "hash_only": report.hash_only,
        "signed_by": report.key,
        "bad": bad_as_json(report),
        "dealing": report.dealing or None,
    }
    if report.receipts:
        told["receipts"] = [_receipt_json(one) for one in report.receipts]
    if record is not None:
        told["proof"] = {
            "round": record.id,
            "commitment": record.live.commitment,
            "table_seed": record.end.seed,
            "seeds": {str(place): seed for place, seed in record.live.seeds.items()},
            "chain": record.live.chain,
            "link": record.live.link,
            "committed": committed_seeds(record.live),
            "settle": as_settle_line(record),
            "steps": record.steps(),
        }
    return told


def _find(file: Path, round: str, archives: Sequence[Path]) -> Record:
    table, _, number = round.rpartition("/")
    stream = stream_of(table)
    events: list[TableEvent] = [
        decode(row.event)
        for row in read_log(file, archives)
        if isinstance(row, Row) and row.stream == stream and not row.is_archived
    ]
    for record in rounds_of(events):
        if str(record.live.number) == number:
            return record
    told = f"there is no finished round {round[:40]!r}: write TABLE/NUMBER, for example t1/17"
    raise QueenhighError("round.none", told)
