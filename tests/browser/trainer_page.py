"""A trainee at the payout trainer, who reads only what is on the page and works everything out."""

import re
from collections.abc import Callable
from typing import Any, Literal

from playwright.sync_api import Locator, Page, expect

from tests.browser.expected_text import RANKS
from tests.oracle import plain
from tests.trainer_rounds import ASKS, Answer, answers, chips

Json = dict[str, Any]
RESULTS = {
    "win": "Player wins",
    "lose": "Dealer wins",
    "push": "Push",
    "short": "Dealer doesn't qualify",
    "used_up": "Bank used up",
}
KEYS = {"win": "w", "lose": "l", "push": "p", "short": "n", "used_up": "b"}
_SPOTS = {"Ante": "ante", "Bonus": "bonus", "Pair Plus": "pair_plus"}


class Trainee:
    """Answers by ``press``: with the keyboard alone, or by taps."""

    def __init__(self, page: Page, press: Literal["key", "tap", "click"] = "click") -> None:
        self.page, self._press = page, press

    # What is on the page

    def line(self) -> Json:
        """Return the round as a line of the settle format."""
        table = self.page.get_by_role("region", name="The table")
        facts = table.inner_text()
        line: Json = {"dealer": _cards(table.get_by_label("The dealer's cards")), "seats": []}
        if bank := re.search(r"\$([\d,.]+) left in the bank", facts):
            line["bank"] = _cents(bank[1])
        elif "a player banks" in facts:
            line["bank"] = 10**12
        if first := re.search(r"Action starts at seat (\d+)", facts):
            line["first"] = int(first[1])
        for row in table.get_by_role("listitem").all():
            line["seats"].append(_seat(row))
        return line

    def spin(self) -> tuple[str, list[tuple[str, int]]]:
        """Return the number and the chips that are listed."""
        name = self.page.locator(".ask label").inner_text()
        pocket = re.search(r"The ball is on (\w+)\.", name)
        assert pocket
        piles = []
        for row in self.page.get_by_role("list", name="Chips on the layout").locator("li").all():
            bet, high = row.inner_text().rsplit(": ", 1)
            piles.append((_bet(bet), int(high.split()[0])))
        return pocket[1], piles

    # Answers

    def round(self, level: int, wrong: Callable[[int], bool] = lambda _: False) -> int:
        """Answer a round; return how many answers it took, of which some are made wrong."""
        if level >= 8:
            return self._spins(wrong)
        line = self.line()
        book = "house" if "bank" not in line else "california"
        due = answers(book, line, ASKS[level])
        for number, answer in enumerate(due):
            self._question(answer[0])
            self.give(answer, wrong(number))
        return len(due)

    def _spins(self, wrong: Callable[[int], bool]) -> int:
        number = 0
        while self.page.locator(".ask").count():
            self.give(("chips", None, chips(*self.spin())), wrong(number))
            number += 1
        return number

    def _question(self, ask: str) -> None:
        expect(self.page.locator(".ask")).to_have_attribute("data-ask", ask)

    def give(self, answer: Answer, make_wrong: bool = False) -> None:
        """Answer a question; see that the page marks it so."""
        ask, _, right = answer
        answered = self.page.locator("[data-score]").inner_text()
        if ask in ("order", "outcome"):
            self._choose(ask, right, make_wrong)
        else:
            assert isinstance(right, int)
            amount = right + make_wrong * (1 if ask == "chips" else 100)
            self._amount(str(amount if ask == "chips" else amount / 100))
        expect(self.page.locator("[data-score]")).not_to_have_text(answered)
        feedback = self.page.get_by_role("region", name="Last answer")
        if make_wrong:
            expect(feedback.get_by_text("Wrong:")).to_be_visible()
            self.press("Next", "Enter")
        elif feedback.count():
            assert "Wrong" not in feedback.inner_text(), (answer, feedback.inner_text())

    def _choose(self, ask: str, right: int | str, make_wrong: bool) -> None:
        if ask == "order":
            buttons = self.page.locator(".ask .order button").all_inner_texts()
            given = next(seat for seat in map(int, buttons) if (seat == right) != make_wrong)
            self.press(f"Seat {given}", str(given % 10))
            return
        result = str(right)
        if make_wrong:
            result = "win" if right != "win" else "lose"
        self.press(RESULTS[result], KEYS[result])

    def _amount(self, digits: str) -> None:
        if self._press == "key":
            expect(self.page.locator(".ask input")).to_be_focused()
            self.page.keyboard.type(digits)
            self.page.keyboard.press("Enter")
            return
        pad = self.page.get_by_role("group", name="Number pad")
        for digit in digits.removesuffix(".0"):
            name = "Decimal point" if digit == "." else digit
            self._tap(pad.get_by_role("button", name=name, exact=True))
        self._tap(pad.get_by_role("button", name="Enter"))

    def press(self, name: str, key: str) -> None:
        """Press a button, or its key."""
        if self._press == "key":
            self.page.keyboard.press(key)
        else:
            self._tap(self.page.get_by_role("button", name=name, exact=False).first)

    def _tap(self, button: Locator) -> None:
        button.tap() if self._press == "tap" else button.click()


def _cents(text: str) -> int:
    return round(100 * float(text.replace(",", "")))


def _cards(hand: Locator) -> str:
    label = hand.get_attribute("aria-label") or ""
    return _from_words(label)


def _from_words(label: str) -> str:
    """Read "Cards of seat 3: ace of spades, king of hearts, two of clubs"."""
    names = [name.split(" of ") for name in label.split(": ", 1)[1].split(", ")]
    return " ".join("23456789TJQKA"[RANKS.index(rank)] + suit[0] for rank, suit in names)


def _seat(row: Locator) -> Json:
    text = row.inner_text()
    number = re.search(r"Seat (\d+)", text)
    assert number
    seat: Json = {"seat": int(number[1])}
    for name, amount in re.findall(r"(Ante|Bonus|Pair Plus) \$([\d,.]+)", text):
        seat[_SPOTS[name]] = _cents(amount)
    hand = row.get_by_role("img").first.get_attribute("aria-label") or ""
    # A hand that nothing depends on stays face down: any cards do.
    is_hidden = "face down" in hand
    seat["cards"] = "2c 3d 5h" if is_hidden else _from_words(hand)
    if "ante" in seat:
        seat["move"] = "fold" if "Folded" in text else "play"
    return seat


#: The page's names of bets by those of the oracle.
_PRINTED = {
    "1 to 18": "low", "19 to 36": "high", "1st 12": "dozen 1", "2nd 12": "dozen 2",
    "3rd 12": "dozen 3", "First four": "first_four",
}  # fmt: skip


def _bet(name: str) -> str:
    """Return a bet as the oracle names it: "Corner 16, 17, 19 and 20"."""
    if name in _PRINTED:
        return _PRINTED[name]
    kind, *numbers = name.lower().replace(",", "").replace(" and ", " ").split()
    if "to" in numbers:
        low, _, high = numbers
        numbers = [str(n) for n in range(int(low), int(high) + 1)]
    bet = " ".join([kind, *numbers])
    plain.roulette_bet(bet)
    return bet
