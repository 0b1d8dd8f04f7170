"""The proof of a store or a log, for people and for programs."""

from collections.abc import Iterable
from typing import Any

from queenhigh.history.proofs import CorrectionPair
from queenhigh.history.records import Record
from queenhigh.sheets import proof_sheet
from queenhigh.sheets.format import count_of, one_line
from queenhigh.store.signing import Head
from queenhigh.verify.receipts import Verdict
from queenhigh.verify.verifier import Report

__all__ = ["as_json", "as_text", "bad_as_json"]


def as_json(
    report: Report, record: Record | None = None, corrections: Iterable[CorrectionPair] = ()
) -> dict[str, Any]:
    """Return a report, and a round with its proof, as docs/json.md describes them."""
    answer: dict[str, Any] = {
        "ok": report.ok,
        "events": report.events,
        "rounds": report.rounds,
        "rebased": report.rebased,
        "hash_only": report.hash_only,
        "signed_by": report.key,
        "bad": bad_as_json(report),
        "dealing": report.dealing or None,
        "rulebooks": [
            {
                "table": table,
                "rulebook": book.name,
                "digest": book.digest,
                "rules_digest": book.rules_digest,
            }
            for table, book in report.rulebooks.items()
        ],
    }
    if report.receipts:
        answer["receipts"] = [_receipt_as_json(verdict) for verdict in report.receipts]
    if record is not None:
        answer["proof"] = proof_sheet.as_json(record, corrections)
    return answer


def bad_as_json(report: Report) -> dict[str, Any] | None:
    """Return the first thing that is wrong."""
    if report.bad is None:
        return None
    place = {"n": report.n, "stream": report.stream, "stream_version": report.version}
    return {**place, "reason": report.bad}


def as_text(report: Report) -> str:
    """Return a report as sentences, one to a line."""
    if report.bad is not None:
        return _sentence(report)
    receipts = map(_receipt_sentence, report.receipts)
    return "\n".join([_sentence(report), _dealing(report.dealing), *receipts])


def _receipt_sentence(verdict: Verdict) -> str:
    signed, bad = verdict
    if isinstance(signed, Head):
        place = f"head of {signed.events:,} events"
    else:
        place = f"receipt of {one_line(signed.stream)} {signed.version}, epoch {signed.epoch}"
    return f"{'OK' if bad is None else 'BAD'}: {place}: {bad or 'found in the log'}"


def _receipt_as_json(verdict: Verdict) -> dict[str, object]:
    signed, bad = verdict
    answer: dict[str, object] = {"ok": bad is None, "reason": bad}
    if isinstance(signed, Head):
        return {"events": signed.events, **answer}
    return {
        "stream": signed.stream,
        "stream_version": signed.version,
        "epoch": signed.epoch,
        **answer,
    }


def _sentence(report: Report) -> str:
    if report.bad is None:
        rounds = count_of(report.rounds, "round")
        rebased = f", time rebased {report.rebased:,} times" if report.rebased else ""
        sentence = f"OK: {report.events:,} events, {rounds}{rebased}, signed by {report.key}"
        return sentence + (f"; {report.hash_only:,} checked by hash" if report.hash_only else "")
    place = (
        f" ({one_line(report.stream or '')} {report.version})" if report.version is not None else ""
    )
    where = f"event {report.n}{place}"
    if report.n is None:
        where = f"after{place}" if place else report.part
    return f"BAD: {where}: {one_line(report.bad or '')}"


def _dealing(counted: dict[str, int]) -> str:
    """Return in sentences how the rounds were dealt, and which ones the room could have chosen."""
    bound, free = counted["bound_by_players"], counted["room_could_choose"]
    chained, unchained = counted["scheme_2"], counted["scheme_1"]
    seeds, unseen = counted["binding_seeds"], counted["voided_without_seed"]
    undealt = chained + unchained - bound - free
    whose = "player's seed" if seeds == 1 else "players' seeds"
    rounds = count_of(chained + unchained, "round")
    parts = [f"{bound:,} of {rounds} bound by a chain and by {seeds:,} {whose}"]
    if free:
        parts.append(
            f"{count_of(free, 'round')}: no player's seed is known to bind the deal,"
            f" so the room could have chosen {'it' if free == 1 else 'these'}"
        )
    if undealt:
        parts.append(f"{count_of(undealt, 'round')} voided before the deal")
    if counted["chains"]:
        parts.append(f"{count_of(counted['chains'], 'chain')} for {count_of(chained, 'round')}")
    if unchained:
        parts.append(f"{count_of(unchained, 'round')} by scheme 1, without a chain")
    parts.append(
        f"Players' seeds: {counted['seeds_shown']:,} shown, {counted['seeds_left_out']:,} left out"
    )
    parts.append(f"{count_of(counted['voided_after_close'], 'round')} voided after bets closed")
    if unseen:
        parts.append(
            f"{count_of(unseen, 'round')} voided without revealing the seed:"
            f" {'its' if unseen == 1 else 'their'} deal cannot be verified"
        )
    return f"Dealing: {'. '.join(parts)}."
