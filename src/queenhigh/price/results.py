"""The odds of a bet: exact, frozen, and all of them derived from one distribution."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from html import escape
from math import sqrt
from types import MappingProxyType

from queenhigh.money import Pays

__all__ = ["BetOdds", "Distribution", "Odds", "gain_of", "html_rows", "in_order"]

#: How many deals there are by what the player gains.
Distribution = Mapping[Fraction, int]


def html_rows(rows: Mapping[str, object]) -> str:
    """Return a small table of names and values, for notebooks."""
    cells = (f"<tr><th>{escape(k)}</th><td>{escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<table>{''.join(cells)}</table>"


def in_order(counted: Distribution) -> Distribution:
    """Return a distribution from the greatest loss to the greatest gain, without empty counts."""
    return MappingProxyType({gain: n for gain, n in sorted(counted.items()) if n})


def gain_of(pays: Pays | None) -> Fraction:
    """Return what a unit gains where it is paid, or loses where it is not."""
    return Fraction(*pays) if pays else Fraction(-1)


@dataclass(frozen=True, kw_only=True)
class BetOdds:
    """One bet, per unit staked on it. ``distribution`` counts deals by what the player gains."""

    name: str
    deals: int
    distribution: Distribution
    #: All that is wagered, on average: the Ante and the Play bets that follow it.
    wagered: Fraction = Fraction(1)
    #: The share of hands that are played, where there is a choice.
    play_rate: Fraction | None = None

    def _repr_html_(self) -> str:
        return html_rows(
            {"bet": self.name, "expectation": self.ev, "edge": f"{float(self.edge):.4%}",
             "sd": f"{self.sd:.4f}"}
        )  # fmt: skip

    def moment(self, power: int, about: Fraction = Fraction(0)) -> Fraction:
        """Return the mean of a power of the gain above something."""
        total = sum((gain - about) ** power * count for gain, count in self.distribution.items())
        return total / Fraction(self.deals)

    @cached_property
    def ev(self) -> Fraction:
        """The player's average gain."""
        return self.moment(1)

    @property
    def edge(self) -> Fraction:
        """The share of the stake the banker keeps."""
        return -self.ev

    @property
    def element_of_risk(self) -> Fraction:
        """The share of all that is wagered that the banker keeps."""
        return -self.ev / self.wagered

    @cached_property
    def variance(self) -> Fraction:
        """The square of the standard deviation."""
        return self.moment(2, self.ev)

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return sqrt(self.variance)

    @property
    def skew(self) -> float:
        """The third moment about the mean, in standard deviations; 0 where nothing varies."""
        return float(self.moment(3, self.ev)) / self.sd**3 if self.variance else 0.0

    def rate(self, sign: int) -> Fraction:
        """Return the share of deals with a gain (1), none (0) or a loss (-1)."""
        signs = {gain: (gain > 0) - (gain < 0) for gain in self.distribution}
        counted = sum(n for gain, n in self.distribution.items() if signs[gain] == sign)
        return Fraction(counted, self.deals)


@dataclass(frozen=True, kw_only=True)
class Odds:
    """Every bet of a rulebook."""

    rulebook: str
    digest: str
    rules_digest: str
    deals: int
    bets: Mapping[str, BetOdds]

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(bet.name)}</td><td>{float(bet.edge):.4%}</td><td>{bet.ev}</td>"
            f"<td>{bet.sd:.4f}</td></tr>"
            for bet in self.bets.values()
        )
        head = "<tr><th>bet</th><th>edge</th><th>expectation</th><th>sd</th></tr>"
        return f"<table><caption>{escape(self.rulebook)}</caption>{head}{rows}</table>"
