"""The fees of a settled round, one by one, each by the rate that it was charged by."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from queenhigh.history.records import Record, fees_of
from queenhigh.money import dollars
from queenhigh.rulebook.fees import KINDS, FeePer, Fees, Kind, Rate, kind_of

__all__ = ["KIND_ORDER", "FeeRow", "PostedRate", "Role", "fee_rows", "rate_words"]

#: As what somebody paid a fee.
Role = Literal["player", "banker"]


class PostedRate(NamedTuple):
    """A collection rate as it is posted: what pays, from how much to how much, and what.

    Rates that read alike are one rate, whatever rulebook they are in.
    """

    fee_per: FeePer
    on: Kind
    min: int
    max: int
    player: int
    banker: int


class FeeRow(NamedTuple):
    """A fee: who paid it, for which wager, and by which rate; without one the rest of a sum."""

    place: int
    role: Role
    wager: str
    rate: PostedRate | None
    cents: int


@lru_cache(maxsize=1024)
def rate_words(rate: PostedRate) -> str:
    """Return a rate in words: ``Ante $5.00 to $100.00: $1.00, banker $2.00``."""
    heads = {"round": "Ante", "wager": "Each wager", "kind": _KIND_WORDS[rate.on]}
    sizes = (
        dollars(rate.min) if rate.min == rate.max else f"{dollars(rate.min)} to {dollars(rate.max)}"
    )
    banker = f", banker {dollars(rate.banker)}" if rate.banker else ""
    return f"{heads[rate.fee_per]} {sizes}: {dollars(rate.player)}{banker}"


#: Where the kinds of wagers stand among rates.
KIND_ORDER = {kind: place for place, kind in enumerate(KINDS)}
_KIND_WORDS: dict[Kind, str] = {"ante": "Ante", "play": "Play", "bonus": "Bonus bet"}


def fee_rows(record: Record) -> Iterator[FeeRow]:
    """Yield the fees of a settled round: those of each place in order, the banker's too.

    The fees of a place add up to what the log says, even if no rate explains a part of it.
    """
    fees, moves = record.book.fees, _moves(record)
    for place, cents in fees_of(record.live).items():
        left = cents
        if fees is not None:
            for row in _rows(record, fees, place, moves.get(place)):
                if row.cents:
                    left -= row.cents
                    yield row
        if left:
            yield FeeRow(place, _role(record, place), "", None, left)


def _rows(record: Record, fees: Fees, place: int, move: str | None) -> Iterator[FeeRow]:
    if place == record.live.banker:
        yield from _banker_row(record, fees, place)
        return
    for bet in record.live.wagers.get(place, ()):
        kinds: list[tuple[str, Kind]] = [(bet.spot, kind_of(bet.spot))]
        if move == "play" and record.book.betting.of(bet.spot).reserve:
            kinds.append(("play", "play"))
        for wager, kind in kinds:
            rate = fees.rate_of(kind, bet.cents)
            if rate is not None:
                yield FeeRow(place, "player", wager, _posted(fees, rate), rate.player)


def _banker_row(record: Record, fees: Fees, place: int) -> Iterator[FeeRow]:
    """Yield the banker's fee: by the rate of the largest Ante put down, of void hands too."""
    made = {**record.live.wagers, **record.live.voided}
    antes = [bet.cents for bets in made.values() for bet in bets if bet.spot == "ante"]
    rate = fees.rate_of("ante", max(antes)) if antes else None
    if rate is not None:
        yield FeeRow(place, "banker", "ante", _posted(fees, rate), rate.banker)


def _posted(fees: Fees, rate: Rate) -> PostedRate:
    on = rate.on if fees.charged.kinds is None else "ante"
    return PostedRate(fees.fee_per, on, rate.min, rate.max, rate.player, rate.banker)


def _role(record: Record, place: int) -> Role:
    return "banker" if place == record.live.banker else "player"


def _moves(record: Record) -> dict[int, str]:
    """Return the moves of a round by place."""
    seen = record.seen()
    moves = {row.seat: row.move for row in seen.seats} if seen else {}
    return {
        place: move for place, seat in record.seats.items() if (move := moves.get(seat)) is not None
    }
