"""What is answered over HTTP about banks, as types: exact figures, and samples."""

from typing import Literal

from msgspec import Struct

from queenhigh.server.price_answers import Figure, StakeRangeLine

__all__ = ["BankFigures", "BankSample"]


class MomentsLine(Struct, frozen=True):
    """The banker's gain from one unit of a wager; ``covariance`` is that of two seats."""

    mean: Figure
    variance: Figure
    covariance: Figure


class LossLine(Struct, frozen=True):
    """What a hand that costs the banker most wins, for a unit of each wager."""

    ante: Figure
    side: Figure


class BankerRateLine(Struct, frozen=True):
    """The banker's fee in cents while the largest Ante is in a range."""

    min: int
    max: int
    fee: int


class BankFigures(Struct, frozen=True):
    """The banker's exact gain per unit of Ante and of side bet, and the fees.

    ``same_seat`` is the covariance of an Ante and the side bet beside it, ``two_seats`` that of an
    Ante and the side bet of another seat.
    """

    rulebook: str
    digest: str
    rules_digest: str
    seats: int
    players_bank: bool
    side_bet: str | None
    ante: MomentsLine
    side: MomentsLine | None
    same_seat: Figure
    two_seats: Figure
    play_rate: Figure
    losses: list[LossLine]
    player_fees: dict[str, list[StakeRangeLine]]
    banker_fees: list[BankerRateLine]


class SampledSeat(Struct, frozen=True):
    """The rounds of a seat in a sample, in units of its Ante, before fees.

    ``uncovered`` counts rounds in which the bank did not cover all of its wagers.
    """

    seat: int
    ante: int
    bonus: int
    mean: float
    sd: float
    se: float
    mean_fee: float
    played_share: float
    uncovered: int
    returned: float


class SampledBanker(Struct, frozen=True):
    """The banker's rounds in a sample; ``exhausted`` counts those that used up the bank."""

    mean: float
    sd: float
    se: float
    mean_fee: float
    exhausted: int


class BankSample(Struct, frozen=True):
    """A table with a bank that may run out, sampled as ``queenhigh simulate`` does.

    If it is ``covered``, the bank covers everything that can change hands in a round. While the
    compiled engine is ``preparing``, the scalar engine plays fewer rounds: ask again later.
    """

    rulebook: str
    digest: str
    rules_digest: str
    seed: int
    rounds: int
    engine: Literal["scalar", "compiled"]
    seats: list[SampledSeat]
    banker_result: SampledBanker
    unit_cents: int
    bank: int
    policy: str
    covered: bool
    preparing: bool
