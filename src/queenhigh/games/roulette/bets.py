"""Bets on the layout: the spot that a text names, and the limits of a bet."""

from collections.abc import Iterable, Sequence

from queenhigh.errors import IllegalRound
from queenhigh.game import Bet
from queenhigh.games.roulette.document_names import own_words
from queenhigh.games.roulette.values import Wager
from queenhigh.money import dollars
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot
from queenhigh.text import one_line

__all__ = ["check_bets", "check_wagers", "find_spot", "find_text", "own_name", "spell"]


def find_spot(book: RouletteRulebook, bet: str) -> Spot:
    """Return the place on the layout a bet names, or say why there is none."""
    spot = book.spots.get(bet)
    return spot if spot else book.spots[find_text(book, bet)]


def find_text(book: RouletteRulebook, bet: str) -> str:
    """Return a bet as the rulebook writes it, ``split 17 20``, or say why there is none."""
    if bet in book.spots:
        return bet
    words = own_words(book, bet.lower().split())
    if not words or len(words) > 8 or len(bet) > 100 or not bet.isascii():
        raise IllegalRound("bet.unknown", _offered(book, bet))
    name = book.aliases.get(words[0], words[0])
    if name in book.refused:
        raise IllegalRound("bet.refused", f"{name} is not offered here", clause=book.refused[name])
    names = {spot.bet for spot in book.spots.values()}
    if name not in names:
        raise IllegalRound("bet.unknown", _offered(book, bet))
    numbers = words[1:]
    if all(number in book.places for number in numbers):
        numbers.sort(key=book.places.__getitem__)
    text = " ".join([name, *numbers])
    if text not in book.spots:
        raise IllegalRound(
            "bet.layout",
            f"{' '.join(words)[:40]} is not on the layout: {_legal(book, name, words[1:])}",
            clause=book.layout_clause,
        )
    return text


def own_name(book: RouletteRulebook, bet: str) -> str:
    """Return a bet by the rulebook's name if it came by the document's; any other as it came."""
    if bet in book.spots:
        return bet
    words = bet.lower().split()
    return bet if own_words(book, words) == words else find_text(book, bet)


def _offered(book: RouletteRulebook, bet: str) -> str:
    names = dict.fromkeys(spot.bet for spot in book.spots.values())
    return f"there is no bet {bet[:20]!r}: the bets are {', '.join(names)}"


def _legal(book: RouletteRulebook, name: str, numbers: list[str]) -> str:
    """Return a list of the bets of this name: all if few, else those with the first number."""
    texts = [text for text, spot in book.spots.items() if spot.bet == name]
    if len(texts) <= 6:
        return f"write {' or '.join(texts)}"
    number = numbers[0] if numbers else ""
    if number not in book.places:
        return f"for example {texts[0]}"
    near = [text.split()[1:] for text in texts if number in text.split()[1:]]
    if not near:
        return f"no {name} covers {number}"
    return f"each {name} with {number}: {', '.join(map('-'.join, near))}"


def spell(book: RouletteRulebook, bets: Sequence[Bet], /) -> tuple[Bet, ...]:
    """Return bets with their spots as the rulebook writes them: ``split 17 20``."""
    return tuple([Bet(find_text(book, bet.spot), bet.cents) for bet in bets])


def check_bets(book: RouletteRulebook, seat: int, bets: Sequence[Bet], /) -> None:
    """Refuse a player's bets that the rulebook does not allow; those in prison were checked."""
    made = [Wager(bet.spot, bet.cents) for bet in bets if not bet.in_prison]
    check_wagers(book, made, to_player=True)


def check_wagers(
    book: RouletteRulebook, wagers: Iterable[Wager], *, to_player: bool = False
) -> None:
    """Refuse wagers that the rulebook does not allow, or too many chips on one spot (RO-17).

    A player's chips on one spot count together, wagers in prison separately. Wagers without a
    player are those of one player. ``to_player`` words a refusal as spoken to that player.
    """
    together: dict[tuple[str | None, str], int] = {}
    for wager in wagers:
        spot = find_text(book, wager.bet)
        _check_wager(book, wager, book.spots[spot])
        if not wager.in_prison:
            chips = together.get((wager.player, spot), 0) + wager.stake
            together[wager.player, spot] = chips
            if chips > book.limits.max:
                whose = "your bets" if to_player else _bets_of(wager.player)
                raise IllegalRound(
                    "wager.limits",
                    f"{whose} on {spot} total {dollars(chips)}, above the limit of"
                    f" {dollars(book.limits.max)}",
                    clause=book.limits.clause,
                )


def _bets_of(player: str | None) -> str:
    return "the bets" if player is None else f"the bets of {one_line(player, 40)}"


def _check_wager(book: RouletteRulebook, wager: Wager, spot: Spot) -> None:
    least, most, clause = book.limits
    if not least <= wager.stake <= most:
        raise IllegalRound(
            "wager.limits",
            f"{dollars(wager.stake)} on {wager.bet} is outside the limits"
            f" {dollars(least)} to {dollars(most)}",
            clause=clause,
        )
    if wager.stake % book.increment:
        raise IllegalRound(
            "wager.increment",
            f"{dollars(wager.stake)} is not a multiple of {dollars(book.increment)}",
            clause=book.increment_clause,
        )
    _check_zero_rule(book, wager, spot)


def _check_zero_rule(book: RouletteRulebook, wager: Wager, spot: Spot) -> None:
    zero = book.zero
    if zero and zero.halves and spot.even_money and wager.stake % 2:
        raise IllegalRound(
            "wager.odd",
            f"{dollars(wager.stake)} on {wager.bet} is not an even number of cents",
            clause=zero.la_partage if zero.on_zero == "la_partage" else zero.en_prison,
        )
    if wager.in_prison and not (zero and zero.on_zero == "en_prison" and spot.even_money):
        raise IllegalRound("wager.prison", f"{wager.bet} cannot be in prison at this table")
