"""Settle one round under every reading of a tie, and print what each moves."""

import queenhigh as qh

ROUND = {
    "dealer": "Qs 7d 2c",
    "bank": 100_000,
    "seats": [{"seat": 1, "cards": "Qh 7c 2d", "ante": 1000, "move": "play"}],
}


def main() -> None:
    """Print a line for each reading."""
    for tie in ("push", "win", "lose"):
        book = qh.load("california", {"tie": tie})
        settled = qh.settle(book, ROUND)
        print(f"tie = {tie}: the banker's result is {qh.dollars(settled.banker, signed=True)}")


if __name__ == "__main__":
    main()
