"""Proofs of rounds that are over, with what was ruled in them and corrected since."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from queenhigh.history.records import Record, event_data, fees_of, first_seat, how_ended
from queenhigh.table.correction_events import CorrectionAsked, CorrectionMade
from queenhigh.table.events import CardsDealt, HandVoided, IncidentRuled, TableEvent
from queenhigh.table.staff import Making
from queenhigh.table.state import ActiveRound

__all__ = [
    "CorrectionPair",
    "as_proof",
    "committed_seeds",
    "correction_as_json",
    "made_corrections",
]

#: A correction as one person asked for it, and as another one approved it.
CorrectionPair = tuple[CorrectionAsked, CorrectionMade]


def made_corrections(events: Iterable[TableEvent]) -> Iterator[CorrectionPair]:
    """Yield the corrections of a table that were made, in the order they were."""
    asked: dict[int, CorrectionAsked] = {}
    for event in events:
        if isinstance(event, CorrectionAsked):
            asked[event.correction] = event
        elif isinstance(event, CorrectionMade):
            yield asked[event.correction], event


def as_proof(
    record: Record,
    document: dict[str, Any],
    corrections: Iterable[CorrectionPair] = (),
    makers: Mapping[int, list[Making]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return all that is needed to deal a round again and to check how it ended.

    It has the seed: with the seeds of the places it gives every card, folded ones too. Rulings, the
    hands that they made void, and corrections are there if the round had any. ``makers`` has the
    corrections that two people had to make, and who made those people.
    """
    live, end, seen = record.live, record.end, record.seen()
    dealt = [event for event, _ in record.events if isinstance(event, CardsDealt)]
    proof = {
        "table": record.table,
        "round": live.number,
        "at": end.at,
        "ended": how_ended(end),
        "digest": record.digest,
        "rulebook": document,
        "commitment": live.commitment,
        "seed": end.seed,
        "seeds": {str(place): seed for place, seed in sorted(live.seeds.items())},
        "chain": live.chain,
        "link": live.link,
        "committed": committed_seeds(live),
        "banker": live.banker,
        "bank": live.bank if live.banker is not None else None,
        "first": first_seat(record),
        "hands": [
            _hand(record, place) for place in sorted(record.seats, key=record.seats.__getitem__)
        ],
        "fees": [
            {"place": place, "cents": cents} for place, cents in fees_of(live).items() if cents
        ],
        "places": [place for event in dealt for place in event.places],
        "cards": [card for event in dealt for card in event.cards],
        "pocket": seen.pocket if seen else None,
        "end": event_data(end),
    }
    more = {
        "voided": _voided(record),
        "incidents": [_incident(incident) for incident in live.incidents],
        "corrections": [
            correction_as_json(*pair) | _makers_of(makers.get(pair[1].correction))
            for pair in corrections
        ],
    }
    return proof | {key: rows for key, rows in more.items() if rows}


def _makers_of(makers: list[Making] | None) -> dict[str, Any]:
    return {} if makers is None else {"makers": msgspec.to_builtins(makers)}


def committed_seeds(live: ActiveRound) -> list[dict[str, Any]]:
    """Return the places that committed to a seed in a round, and the seeds that were shown."""
    return [
        {"place": place, **msgspec.to_builtins(committed)}
        for place, committed in sorted(live.committed.items())
    ]


def _hand(record: Record, place: int) -> dict[str, Any]:
    """Return a place's part in a round: its seat, its wagers before the deal, its move."""
    live, seat = record.live, record.seats[place]
    hand = {"place": place, "seat": seat, "wagers": msgspec.to_builtins(live.wagers[place])}
    seen = record.seen()
    moves = {shown.seat: shown.move for shown in seen.seats} if seen else {}
    return hand | ({"move": moves[seat]} if moves.get(seat) else {})


def _voided(record: Record) -> list[dict[str, Any]]:
    """Return the hands that a ruling made void: what they bet, and what they got back."""
    chairs = record.book.game.places(record.book).most
    banker = record.live.banker
    return [
        {
            "place": event.place,
            "seat": event.place if banker is None else (event.place - banker - 1) % chairs + 1,
            "wagers": msgspec.to_builtins(record.live.voided[event.place]),
            "cents": event.cents,
            "fee": event.fee,
        }
        for event, _ in record.events
        if isinstance(event, HandVoided)
    ]


def _incident(event: IncidentRuled) -> dict[str, Any]:
    names = ("kind", "place", "clause", "ruling", "staff", "reason")
    return {name: getattr(event, name) for name in names}


def correction_as_json(asked: CorrectionAsked, made: CorrectionMade) -> dict[str, Any]:
    """Return a correction: what was wrong, who found so, and what moved."""
    data = event_data(made)
    moved = ("void", "places", "spins", "net", "fees", "moved")
    return {
        "correction": asked.correction,
        "at": made.at,
        "asked_by": asked.staff,
        "approved_by": made.staff,
        "reason": asked.reason,
        "facts": event_data(asked)["facts"],
        **{name: data[name] for name in moved if name in data},
    }
