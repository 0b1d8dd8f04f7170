"""The names, pockets and pays of a wheel's bets, written a second time: nothing of ours is used."""

from dataclasses import dataclass

_RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
_ALL = range(1, 37)


#: The pockets clockwise, as they lie on each wheel.
AROUND = {
    name: order.split()
    for name, order in {
        "roulette-european": "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20"
        " 14 31 9 22 18 29 7 28 12 35 3 26",
        "roulette-american": "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1 00 27 10 25 29 12"
        " 8 19 31 18 6 21 33 16 4 23 35 14 2",
    }.items()
}


@dataclass(frozen=True)
class Bet:
    """A bet as the layout names it; ``pays`` is to one."""

    name: str
    pays: int
    pockets: frozenset[str]
    #: What the layout adds to the name.
    more: str = ""

    @property
    def label(self) -> str:
        """What the spot is called."""
        return f"{self.name}{self.more}, pays {self.pays} to 1"

    def net(self, pocket: str, cents: int) -> int:
        """Return what a stake gains or loses."""
        return cents * self.pays if pocket in self.pockets else -cents

    def sentence(self, pocket: str, cents: int) -> str:
        """Return the sentence that the page shows for the result."""
        net = self.net(pocket, cents)
        return f"{self.name} {'wins' if net > 0 else 'loses'} {money(abs(net))}."


def money(cents: int) -> str:
    """Write an amount as the page does."""
    return f"{'−' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02d}"


def words(pocket: str) -> str:
    """Return number, colour, parity and half of a pocket, in words."""
    if pocket in ("0", "00", "000"):
        return f"{pocket}, green."
    n = int(pocket)
    colour = "red" if n in _RED else "black"
    return f"{n}, {colour}, {'odd' if n % 2 else 'even'}, {'low' if n < 19 else 'high'}."


def _bet(name: str, pays: int, *numbers: int | str, more: str = "") -> Bet:
    return Bet(name, pays, frozenset(map(str, numbers)), more)


def _inside() -> list[Bet]:
    bets = [_bet(f"Straight {n}", 35, n) for n in _ALL]
    bets += [_bet(f"Split {n} and {n + 1}", 17, n, n + 1) for n in _ALL if n % 3]
    bets += [_bet(f"Split {n} and {n + 3}", 17, n, n + 3) for n in range(1, 34)]
    bets += [_bet(f"Street {n} to {n + 2}", 11, n, n + 1, n + 2) for n in range(1, 37, 3)]
    for n in range(1, 34):
        if n % 3:
            four = (n, n + 1, n + 3, n + 4)
            bets.append(_bet(f"Corner {n}, {n + 1}, {n + 3} and {n + 4}", 8, *four))
    return bets


def _outside() -> list[Bet]:
    halves = {
        "1 to 18": [n for n in _ALL if n < 19],
        "19 to 36": [n for n in _ALL if n > 18],
        "Even": [n for n in _ALL if n % 2 == 0],
        "Odd": [n for n in _ALL if n % 2],
        "Red": [n for n in _ALL if n in _RED],
        "Black": [n for n in _ALL if n not in _RED],
    }
    bets = [_bet(name, 1, *numbers) for name, numbers in halves.items()]
    for k, nth in enumerate(("1st", "2nd", "3rd"), 1):
        dozen = range(12 * k - 11, 12 * k + 1)
        bets.append(_bet(f"{nth} 12", 2, *dozen, more=f", {dozen[0]} to {dozen[-1]}"))
    return bets


def _full() -> list[Bet]:
    bets = [_bet(f"Line {n} to {n + 5}", 5, *range(n, n + 6)) for n in range(1, 34, 3)]
    for k in (1, 2, 3):
        column = list(range(k, 37, 3))
        listed = ", ".join(map(str, column[:-1]))
        bets.append(_bet(f"Column {k}", 2, *column, more=f", {listed} and {column[-1]}"))
    return bets


_OWN = {
    "roulette": [_bet("Straight 0", 35, "0"), _bet("Straight 00", 35, "00")],
    "roulette-european": [
        _bet("Straight 0", 35, "0"),
        *(_bet(f"Split 0 and {n}", 17, "0", n) for n in (1, 2, 3)),
        _bet("Trio 0, 1 and 2", 11, "0", 1, 2),
        _bet("Trio 0, 2 and 3", 11, "0", 2, 3),
        _bet("First four", 8, "0", 1, 2, 3),
    ],
    "roulette-american": [
        _bet("Straight 0", 35, "0"),
        _bet("Straight 00", 35, "00"),
        _bet("Split 0 and 00", 17, "0", "00"),
        _bet("Split 0 and 1", 17, "0", 1),
        _bet("Split 0 and 2", 17, "0", 2),
        _bet("Split 00 and 2", 17, "00", 2),
        _bet("Split 00 and 3", 17, "00", 3),
        _bet("Trio 0, 1 and 2", 11, "0", 1, 2),
        _bet("Trio 0, 00 and 2", 11, "0", "00", 2),
        _bet("Trio 00, 2 and 3", 11, "00", 2, 3),
        _bet("Five numbers", 6, "0", "00", 1, 2, 3),
    ],
}


def offered(rulebook: str) -> dict[str, Bet]:
    """Return every bet that a shipped rulebook offers, by name."""
    full = [] if rulebook == "roulette" else _full()
    return {bet.name: bet for bet in (*_inside(), *_outside(), *full, *_OWN[rulebook])}


def groups(rulebook: str) -> dict[str, frozenset[str]]:
    """Return the groups that last numbers are counted by, in the order of the page."""
    bets = offered(rulebook)
    zeros = frozenset(name.removeprefix("Straight ") for name in bets if " 0" in name)
    order = ("Red", "Black", "Even", "Odd", "1 to 18", "19 to 36", "1st 12", "2nd 12", "3rd 12")
    named = [(name, bets[name].pockets) for name in order]
    return dict([*named[:2], ("Zero", zeros), *named[2:]])
