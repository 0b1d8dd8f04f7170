"""The document's own names for bets: ``straight-up 7``, ``1 to 18``, ``1st 12`` (RO-15).

They are read for every rulebook and never written: a bet goes on under the rulebook's name.
"""

from queenhigh.rulebook.roulette_book import RouletteRulebook

__all__ = ["own_words"]


#: The names that stand for a run of numbers, each with its pockets.
_RUNS = {
    name: frozenset(map(str, range(low, high + 1)))
    for low, high, names in (
        (1, 18, ("1 to 18", "1-18")),
        (19, 36, ("19 to 36", "19-36")),
        (1, 12, ("1st 12", "first 12", "1st dozen", "first dozen")),
        (13, 24, ("2nd 12", "second 12", "2nd dozen", "second dozen")),
        (25, 36, ("3rd 12", "third 12", "3rd dozen", "third dozen")),
    )
    for name in names
}


def own_words(book: RouletteRulebook, words: list[str]) -> list[str]:
    """Return the words of a bet with the document's name replaced by the rulebook's.

    A run of numbers is the bet that covers just these, whatever the rulebook calls it.
    """
    text = " ".join(words)
    if text in book.spots:
        return words
    if words[:1] == ["straight-up"]:
        return ["straight", *words[1:]]
    if words[:2] == ["straight", "up"]:
        return ["straight", *words[2:]]
    pockets = _RUNS.get(text)
    if pockets is None:
        return words
    return next((own.split() for own, spot in book.spots.items() if spot.pockets == pockets), words)
