"""Facts of a rulebook in words: what cases do to Ante and Play, and what a bet covers and pays."""

from collections.abc import Iterable, Sequence

from queenhigh.money import Pays, dollars
from queenhigh.rulebook.fees import Fees
from queenhigh.text import listed, words

__all__ = [
    "bets_words",
    "covers_words",
    "limits_words",
    "pays_words",
    "qualifier_words",
    "refused_words",
    "schedule_words",
    "settlement_words",
]

#: What Ante and Play do in a case: 1 is a win, 0 a push, -1 a loss. ``None`` is not spoken of.
Case = tuple[int, int] | None

_HANDS = {
    (0,): "the player's hand is lower",
    (1,): "the hands are equal",
    (2,): "the player's hand is higher",
    (0, 1): "the player's hand is not higher",
    (1, 2): "the player's hand is not lower",
    (0, 2): "the hands are not equal",
}
_BOTH = {1: "each pay even money", 0: "are returned", -1: "lose"}
_ALONE = {1: "pays even money", 0: "is returned", -1: "loses"}


def settlement_words(cases: Sequence[Case], dealer: str) -> str:
    """Return what the six cases do, dealer short and then qualified, as sentences."""
    sentences = []
    for start, verb in ((0, "does not qualify"), (3, "qualifies")):
        hands = {hand: case for hand, case in enumerate(cases[start : start + 3]) if case}
        if hands:
            when = f" and {_HANDS[tuple(hands)]}" if len(hands) < 3 else ""
            sentences.append(f"If the {dealer} {verb}{when}, {_outcomes(hands)}.")
    return " ".join(sentences)


def _outcomes(hands: dict[int, tuple[int, int]]) -> str:
    """Return what Ante and Play do with the player's hand lower (0), equal (1) or higher (2)."""
    if len({*hands.values()}) == 1:
        ante, play = next(iter(hands.values()))
        if ante == play:
            return f"Ante and Play {_BOTH[ante]}"
    ante_does = _wager("the Ante", {hand: case[0] for hand, case in hands.items()})
    play_does = _wager("Play", {hand: case[1] for hand, case in hands.items()})
    return f"{ante_does}; {play_does}"


def _wager(name: str, outcomes: dict[int, int]) -> str:
    hands: dict[int, list[int]] = {}
    for hand, outcome in outcomes.items():
        hands.setdefault(outcome, []).append(hand)
    if len(hands) == 1:
        return f"{name} {_ALONE[next(iter(hands))]}"
    if len(hands) == 2:
        first, second = sorted(hands, key=lambda outcome: (len(hands[outcome]), -outcome))
        when = _HANDS[tuple(hands[first])]
        return f"{name} {_ALONE[first]} if {when}, and {_ALONE[second]} otherwise"
    each = [f"{_ALONE[outcome]} if {_HANDS[tuple(hands[outcome])]}" for outcome in hands]
    return f"{name} {listed(each, 'and')}"


def pays_words(pays: Iterable[Pays]) -> str:
    """Return what bets pay, each payout once."""
    return listed(list(dict.fromkeys(map(str, pays))), "or")


def covers_words(pockets: Sequence[str]) -> str:
    """Return the pockets of a bet, a run of numbers as its ends."""
    numbers = [int(pocket) for pocket in pockets if not pocket.startswith("0")]
    if len(numbers) == len(pockets) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return listed(list(pockets), "and")


def bets_words(bets: Iterable[tuple[str, Pays]]) -> str:
    """Return each bet by its name with what it pays."""
    return ", ".join(dict.fromkeys(f"{bet_name(name)} {pays}" for name, pays in bets))


def refused_words(bets: Iterable[str]) -> str:
    """Return the bets that a clause leaves out."""
    return listed([bet_name(bet) for bet in bets], "or")


def bet_name(bet: str) -> str:
    """Return what people call a bet."""
    return {"line": "six-line", "five": "five-number"}.get(bet, bet.replace("_", " "))


def qualifier_words(needs: str) -> str:
    """Return what the dealer needs to qualify."""
    hand = "a pair" if needs == "pair" else needs
    return "any hand" if needs == "none" else f"{hand} or better"


def limits_words(least: int, most: int, end: str = "") -> str:
    """Return the limits of a wager, or only its ``min`` or ``max``."""
    ends = {"min": dollars(least), "max": dollars(most)}
    return ends.get(end, f"{ends['min']} to {ends['max']}")


def schedule_words(fees: Fees) -> str:
    """Return the collection rates: what is charged on, and the two amounts."""
    rates = []
    for rate in fees.rates:
        by_kind = fees.charged.kinds is None
        wager = words(rate.on) if by_kind else fees.charged.wager
        banker = f", Player/Dealer {dollars(rate.banker)}" if rate.on == "ante" else ""
        between = limits_words(rate.min, rate.max)
        rates.append(f"{wager} {between}: player {dollars(rate.player)}{banker}")
    return "; ".join(rates)
