"""Simulate tables whose bank may run out: print the table of docs/simulate.md, draw its picture.

It takes some minutes: `.venv/bin/python docs/finite_bank.py`.
"""

from pathlib import Path

import queenhigh as qh
from queenhigh.simulation.result import Simulation

DOCS = Path(__file__).parent
ANTE, SEATS, ROUNDS, SEED = 500, 10, 100_000_000, 7
BANKS = (1, 2, 4, 6, 8, 10, 12, 14, 15, 16, 18, 19, 20)
COVERAGES = ("action", "net")


def simulate(coverage: str, antes: int | None) -> Simulation:
    """Simulate a full table with a bank of so many Antes."""
    book = qh.load("california", {"coverage": coverage})
    if antes is None:
        return qh.simulate(book, ROUNDS, seats=SEATS, ante=ANTE, seed=SEED)
    return qh.simulate(book, ROUNDS, seats=SEATS, ante=ANTE, bank=antes * ANTE, seed=SEED)


def main() -> None:
    """Print the table and write the picture."""
    full = simulate("action", None)
    # Without a side bet whatever a seat wins or loses is its action.
    results = full.seats[0].distribution.items()
    action = sum(abs(cents) * count for cents, count in results) / full.rounds / ANTE
    simulations = {(how, bank): simulate(how, bank) for how in COVERAGES for bank in BANKS}
    print("| bank in Antes | used up | banker | first seat | last seat | its action |", end="")
    print(" banker, net |")
    print("|" + "--:|" * 7)
    for bank in BANKS:
        limited, net = simulations["action", bank], simulations["net", bank]
        last = 1 - limited.seats[-1].returned / action
        cells = [
            f"{bank}",
            f"{limited.tally.exhausted / limited.rounds:.1%}",
            f"{limited.banker.mean:+.4f}",
        ]
        cells += [f"{limited.seats[0].mean:+.4f}", f"{limited.seats[-1].mean:+.4f}", f"{last:.1%}"]
        print("|", " | ".join([*cells, f"{net.banker.mean:+.4f}"]).replace("-", "−"), "|")
    means = {how: [simulations[how, bank].banker.mean for bank in BANKS] for how in COVERAGES}
    shares = {
        how: [1 - simulations[how, bank].seats[-1].returned / action for bank in BANKS]
        for how in COVERAGES
    }
    panels = [
        panel(0, "The banker's gain a round, in Antes", means, (-0.8, -0.4, 0, 0.4)),
        panel(1, "The last seat's action, of all it wagered", shares, (0, 0.25, 0.5, 0.75, 1)),
    ]
    picture = DOCS / "finite-bank.svg"
    picture.write_text(HEAD + "".join(panels) + "</svg>\n", "utf-8")


WIDTH, HEIGHT, LEFT, TOP = 340, 220, 60, 46
COLORS = {"action": "#b4531f", "net": "#2f6b4f"}
HEAD = (
    f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {2 * (WIDTH + LEFT) + 40} 330" '
    'font-family="Georgia, serif" font-size="13" fill="#2b2b2b">\n'
    '<rect width="100%" height="100%" fill="#fbf8f1"/>\n'
)


def panel(column: int, title: str, lines: dict[str, list[float]], ticks: tuple[float, ...]) -> str:
    """Draw one panel: a line for each way of coverage over the size of the bank."""
    left, low, high = LEFT + column * (WIDTH + LEFT + 10), min(ticks), max(ticks)
    high += (high - low) / 8

    def x(bank: float) -> float:
        return left + bank / max(BANKS) * WIDTH

    def y(value: float) -> float:
        return TOP + HEIGHT * (high - value) / (high - low)

    parts = [f'<text x="{left}" y="24" font-size="15" font-weight="bold">{title}</text>\n']
    for tick in ticks:
        dark = "#2b2b2b" if tick == 0 else "#d8d0bf"
        label = (f"{tick:.0%}" if column else f"{tick:+.1f}" if tick else "0").replace("-", "−")
        line = f'x1="{left}" x2="{left + WIDTH}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"'
        parts.append(f'<line {line} stroke="{dark}"/>\n')
        where = f'x="{left - 8}" y="{y(tick) + 4:.1f}"'
        parts.append(f'<text {where} text-anchor="end">{label}</text>\n')
    for bank in range(0, 21, 5):
        where = f'x="{x(bank):.1f}" y="{TOP + HEIGHT + 20}"'
        parts.append(f'<text {where} text-anchor="middle">{bank}</text>\n')
    middle = f'x="{left + WIDTH / 2}" y="{TOP + HEIGHT + 42}"'
    parts.append(f'<text {middle} text-anchor="middle">the bank, in Antes of one seat</text>\n')
    for how, values in lines.items():
        points = " ".join(f"{x(b):.1f},{y(v):.1f}" for b, v in zip(BANKS, values, strict=True))
        drawn = f'fill="none" stroke="{COLORS[how]}" stroke-width="2.5"'
        parts.append(f'<polyline points="{points}" {drawn}/>\n')
    for row, how in enumerate(lines):
        key = f'x="{left + WIDTH - 8}" y="{TOP + HEIGHT - 14 - 18 * row}"'
        parts.append(f'<text {key} text-anchor="end" fill="{COLORS[how]}">{how}</text>\n')
    return "".join(parts)


if __name__ == "__main__":
    main()
