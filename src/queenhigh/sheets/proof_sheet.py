"""A round with every step of its proof, for people and for programs."""

from collections.abc import Iterable
from typing import Any

from queenhigh.history.proofs import CorrectionPair, committed_seeds, correction_as_json
from queenhigh.history.records import Record, as_settle_line
from queenhigh.money import dollars
from queenhigh.sheets.games import game_sheet
from queenhigh.sheets.tables import Block, line, plain_table, sheet
from queenhigh.table.chains import binding_seeds
from queenhigh.table.correction_events import CorrectionAsked, CorrectionMade
from queenhigh.table.fairness import round_key

__all__ = ["as_json", "as_text"]


def as_json(record: Record, corrections: Iterable[CorrectionPair] = ()) -> dict[str, Any]:
    """Return a round with its seeds and steps as docs/json.md describes it."""
    since = [correction_as_json(*pair) for pair in corrections]
    return {
        "round": record.id,
        "commitment": record.live.commitment,
        "table_seed": record.end.seed,
        "seeds": {str(place): seed for place, seed in record.live.seeds.items()},
        "chain": record.live.chain,
        "link": record.live.link,
        "committed": committed_seeds(record.live),
        "settle": as_settle_line(record),
        "steps": record.steps(),
        "digest": record.digest,
        "rules_digest": record.book.rules_digest,
        **({"corrections": since} if since else {}),
    }


def as_text(record: Record, corrections: Iterable[CorrectionPair] = ()) -> Block:
    """Return a round with every step of its proof as a sheet."""
    parts: list[Block] = [
        line(f"Round {record.id}: {record.book.title}", style="bold"),
        plain_table(
            [*_seeds(record), ("Rulebook", record.digest), ("Rules", record.book.rules_digest)]
        ),
        plain_table([(str(number), step) for number, step in enumerate(record.steps(), 1)]),
        *game_sheet(record.book).hands(record.book, record),
    ]
    if as_settle_line(record) is not None:
        parts.append(line("Verified: the seeds give the cards, and the cards give the amounts."))
    parts += [line(_correction(*pair)) for pair in corrections]
    return sheet(*parts)


def _correction(asked: CorrectionAsked, made: CorrectionMade) -> str:
    """Return in words what a correction of the round moved, and who made it."""
    moved = [f"place {row.place} {dollars(row.cents, signed=True)}" for row in made.chips]
    owed = sum(abs(row.owed) for row in made.moved)
    more = [f"{dollars(owed)} owed"] if owed else []
    people = f"{asked.staff} asked for it, {made.staff} approved it"
    return f"Corrected: {', '.join([*moved, *more])}: {asked.reason} ({people})"


def _players(seeds: int) -> str:
    """Return whose seeds bind a deal beside the room's."""
    if not seeds:
        return "No player's seed: the room could have chosen the cards"
    return "1 player's seed" if seeds == 1 else f"{seeds} players' seeds"


def _seeds(record: Record) -> list[tuple[str, str]]:
    """Return the seeds that the cards follow from, and whether the room could have chosen them."""
    live = record.live
    rows = [("Commitment", live.commitment), ("Seed", record.end.seed)]
    for place, seed in sorted(live.committed.items()):
        rows.append((f"Place {place} committed to", seed.commitment))
        rows.append((f"Place {place} showed", seed.shown or "nothing (its seed was left out)"))
    rows += [(f"Seed of place {place}", repr(text)) for place, text in sorted(live.seeds.items())]
    if live.chain:
        dealt = [("Dealt by", f"Link {live.link} of chain {live.chain}")]
        if live.key:
            dealt.append(("Bound by", _players(binding_seeds(live, record.end.seed))))
            rows.append(("Key", live.key))
        return dealt + rows
    added = {place: text.encode() for place, text in live.seeds.items()}
    rows.append(("Key", round_key(bytes.fromhex(record.end.seed), added).hex()))
    return [("Dealt by", "Scheme 1: the room could have chosen the cards"), *rows]
