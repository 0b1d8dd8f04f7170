"""The exceptions of the package, in one small tree.

*Invalid* input cannot be read; *illegal* input can be read and is against the rules. Each error
carries a stable ``code`` for programs and one sentence for people.
"""

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "BrokenLog",
    "IllegalRound",
    "InvalidRound",
    "InvalidRulebook",
    "Missing",
    "Problem",
    "QueenhighError",
    "Refused",
]


class QueenhighError(Exception):
    """The base of every error this package raises on purpose."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Missing:
    """Something that a round still lacks; ``seat`` is ``None`` for the round and the dealer."""

    field: Literal["bank", "seats", "bets", "move", "cards"]
    seat: int | None = None


class InvalidRound(QueenhighError):
    """A round, a card or a bet that cannot be read."""

    def __init__(self, code: str, message: str, *, missing: Missing | None = None) -> None:
        super().__init__(code, message)
        self.missing = missing


class IllegalRound(QueenhighError):
    """A round that can be read and is against the rulebook; ``clause`` names the rule.

    ``missing`` is there if the round is not wrong, but not yet whole.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        clause: str | None = None,
        missing: Missing | None = None,
    ) -> None:
        super().__init__(code, f"{message} ({clause})" if clause else message)
        self.clause = clause
        self.missing = missing


class Refused(QueenhighError):
    """A command that a table does not follow; nothing has changed by it."""


class BrokenLog(QueenhighError):
    """An event that cannot follow: it overdraws an account, say, or deals cards at a wheel.

    The table decides no such event, so the log was damaged or forged, or there is a bug.
    """

    def __init__(self, message: str) -> None:
        super().__init__("log.broken", message)


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem of a rulebook: its place, a sentence about it, and the remedy."""

    file: str
    line: int | None
    key: str
    message: str
    write: str
    clause: str | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        where = f"{place}: {self.key}" if self.key else place
        clause = f" ({self.clause})" if self.clause else ""
        return f"{where}: {self.message}{clause}; {self.write}"


class InvalidRulebook(QueenhighError):
    """A rulebook that cannot be used, with every problem found in it.

    Its code is ``rulebook.wording`` if nothing is wrong but words: with others it would do.
    """

    def __init__(self, problems: tuple[Problem, ...], *, is_wording: bool = False) -> None:
        assert problems, "an invalid rulebook has a problem"
        super().__init__(
            "rulebook.wording" if is_wording else "rulebook.invalid",
            "\n".join(str(problem) for problem in problems),
        )
        self.problems = problems
