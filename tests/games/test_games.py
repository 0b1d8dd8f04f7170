"""One contract for every game, and the views of a round under way."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

import queenhigh as qh
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.roulette import Landed, Wager, Wheel
from queenhigh.games.three_card_poker import Chosen, Deal, Dealt, Round, Seat
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.settle_format import read
from tests.rules.short_rounds import load


def opened(book: qh.Rulebook, rng: random.Random) -> Any:
    if not isinstance(book, PokerRulebook):
        return roulette.open(book, [Wager("red", 100), Wager("straight 0", 200)])  # type: ignore[arg-type]
    numbers = rng.sample(range(1, book.seats + 1), rng.randint(1, book.seats))
    side: dict[str, Any] = {bet.name: book.limits[bet.name].min for bet in book.side_bets}
    seats = [Seat(n, ante=book.limits["ante"].min, **side) for n in numbers]
    terms = {"bank": rng.randint(1, 10000), "first": rng.randint(1, 10)} if book.bank else {}
    return three_card_poker.open(book, seats, **terms)


def drawn(wanted: Any, rng: random.Random) -> Any:
    if isinstance(wanted, Wheel):
        return Landed(rng.choice(wanted.pockets))
    assert isinstance(wanted, Deal)
    first = rng.choice(wanted.first_among) if wanted.first_among else None
    return Dealt(tuple(rng.sample(range(52), wanted.cards)), first)


@given(st.sampled_from(qh.shipped()), st.integers(0, 2**32), st.sampled_from(["left", "drawn"]))
def test_every_game_goes_from_open_to_settled(name: str, seed: int, first: str) -> None:
    book = load(name, {"first": first} if name == "california" else {})
    game, rng = qh.game_of(book), random.Random(seed)
    state = opened(book, rng)
    with pytest.raises(qh.IllegalRound):
        game.settle(book, state)
    before = state
    while (wanted := game.chance(book, state)) is not None:
        state = game.apply(book, state, drawn(wanted, rng))
    assert before == opened(book, random.Random(seed)), "a step leaves the state before it alone"
    for seat in range(1, 11):
        for _ in range(len(game.moves(book, state, seat)) and 1):
            move = rng.choice(game.moves(book, state, seat))
            state = game.apply(book, state, Chosen(seat, move))
            assert game.moves(book, state, seat) == ()
    settled = to_builtins(game.settle(book, state))
    rows = settled.get("seats") or settled["wagers"]
    assert settled["banker"] == -sum(row["net"] for row in rows)


def cards_in(value: Any) -> set[int]:
    """Return every card in a view, wherever it stands."""
    return {card for hand in (*value["dealer"], *sum((s["cards"] or () for s in value["seats"]), ())) for card in [hand] if card is not None}  # fmt: skip # noqa: E501


@given(st.sampled_from(["california", "house"]), st.integers(0, 2), st.integers(0, 2**32))
def test_views_hide_hidden_cards(name: str, up: int, seed: int) -> None:
    book = load(name, {"up": up})
    assert isinstance(book, PokerRulebook)
    rng = random.Random(seed)
    state: Round = opened(book, rng)
    wanted = three_card_poker.chance(book, state)
    state = three_card_poker.apply(book, state, drawn(wanted, rng))
    assert state.dealer is not None
    for hidden_seat in rng.sample(state.seats, len(state.seats)):
        for viewer in (None, *(other.seat for other in state.seats)):
            seen = to_builtins(three_card_poker.view(book, state, viewer))
            own = [other.cards for other in state.seats if other.seat == viewer and other.cards]
            allowed = {*state.dealer[:up], *(own[0] if own else ())}
            assert cards_in(seen) == allowed
        move = rng.choice(three_card_poker.moves(book, state, hidden_seat.seat))
        state = three_card_poker.apply(book, state, Chosen(hidden_seat.seat, move))
    shown = three_card_poker.view(book, state)
    for hidden_seat, seen_seat in zip(state.seats, shown.seats, strict=True):
        hidden = hidden_seat.move == "fold" and name == "california"
        assert (seen_seat.cards is None) == hidden


def test_card_search_finds_a_planted_leak() -> None:
    """The control: a whole round, looked at as a view, shows more than it may."""
    book = load("california", {})
    _, state = read(
        book,
        {"dealer": "Qs 7d 2c", "bank": 1,
         "seats": [{"seat": 1, "cards": "As Kd 9h", "ante": 500, "move": "play"}]},
    )  # fmt: skip
    assert len(cards_in(to_builtins(state))) == 6


def test_steps_out_of_turn_are_refused() -> None:
    book = load("california", {})
    assert isinstance(book, PokerRulebook)
    state = three_card_poker.open(book, [Seat(3, ante=500)], bank=100)
    cards = qh.parse_cards("As Kd 9h Qs 7d 2c")
    with pytest.raises(qh.IllegalRound, match="seat 3 cannot play now"):
        three_card_poker.apply(book, state, Chosen(3, "play"))
    with pytest.raises(qh.IllegalRound, match="not the deal"):
        three_card_poker.apply(book, state, Dealt(cards[:3]))
    with pytest.raises(qh.IllegalRound, match="dealt twice"):
        three_card_poker.apply(book, state, Dealt((0, 1, 2, 3, 4, 0)))
    with pytest.raises(qh.IllegalRound, match="not in the 52-card deck"):
        three_card_poker.apply(book, state, Dealt((0, 1, 2, 3, 4, 52)))
    with pytest.raises(qh.IllegalRound, match="only if the rulebook says so"):
        three_card_poker.apply(book, state, Dealt(cards, first=2))
    state = three_card_poker.apply(book, state, Dealt(cards))
    with pytest.raises(qh.IllegalRound, match="not the deal"):
        three_card_poker.apply(book, state, Dealt(cards))
    with pytest.raises(qh.IllegalRound, match="has not finished"):
        three_card_poker.settle(book, state)
    wheel = load("roulette", {})
    spin = roulette.open(wheel, [Wager("red", 100)])  # type: ignore[arg-type]
    landed = roulette.apply(wheel, spin, Landed("7"))  # type: ignore[arg-type]
    with pytest.raises(qh.IllegalRound, match="already landed"):
        roulette.apply(wheel, landed, Landed("7"))  # type: ignore[arg-type]
