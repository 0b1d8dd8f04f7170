"""Checks of a rulebook of roulette."""

from collections.abc import Iterator

from queenhigh.rulebook.checks import check_clauses, check_limits, check_whole
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.roulette_schema import BetRow, RouletteDocument
from queenhigh.wheel import pockets, spots_of

__all__ = ["check_roulette", "covering"]


def check_roulette(document: RouletteDocument) -> Iterator[Finding]:
    """Yield everything wrong with a document whose shape is right."""
    yield from check_clauses(document)
    yield from check_limits(document.limits, ("limits",), document)
    first_of: dict[str, BetRow] = {}
    taken: set[str] = set()
    for i, row in enumerate(document.bets):
        key: Key = ("bets", i)
        yield from _row(row, key, set(pockets(document.zeros)))
        yield from check_whole(row.pays, (*key, "pays"), document)
        first = first_of.setdefault(row.name.split()[0], row)
        if first.pays != row.pays:
            yield Finding(
                (*key, "pays"),
                f"another bet named {first.name} pays {first.pays}",
                f'write pays = "{first.pays}", or give this bet another name',
                row.clause,
                depends_on=(*((("bets", j, "pays")) for j in range(i)), (*key, "name")),
            )
        sizes = {len(spot) for each in (first, row) for spot in covering(each, 3).values()}
        if len(sizes) > 1:
            yield Finding(
                key,
                f"bets named {first.name.split()[0]} cover different numbers of pockets",
                "give this bet another name",
                row.clause,
                depends_on=tuple(
                    ("bets", j, field) for j in range(i + 1) for field in ("spots", "covers")
                ),
            )
        for spot in covering(row, document.zeros):
            if spot in taken:
                yield Finding(
                    key, f"{spot} is listed twice", "remove one", row.clause,
                    depends_on=tuple(("bets", j, "name") for j in range(i + 1)),
                )  # fmt: skip
            taken.add(spot)
    yield from _names(document, set(first_of))


def _row(row: BetRow, key: Key, wheel: set[str]) -> Iterator[Finding]:
    given = [field for field in ("shape", "spots", "covers") if getattr(row, field) is not None]
    if len(given) != 1:
        yield Finding(
            key,
            f"{row.name} sets {len(given)} of shape, spots and covers",
            "set exactly one of them",
            depends_on=((*key, "shape"), (*key, "spots"), (*key, "covers")),
        )
    covered = [pocket for spot in (*(row.spots or ()), row.covers or ()) for pocket in spot]
    for pocket in dict.fromkeys(covered):
        if pocket not in wheel:
            yield Finding(
                key,
                f"{row.name} covers {pocket}, which is not on this wheel",
                "remove the bet, or change zeros",
                row.clause,
                depends_on=(("zeros",),),
            )
    if row.spots and len({frozenset(spot) for spot in row.spots}) != len(row.spots):
        yield Finding(key, f"a {row.name} is listed twice", "remove one", row.clause)
    if any(len(set(spot)) != len(spot) for spot in (*(row.spots or ()), row.covers or ())):
        yield Finding(key, f"{row.name} lists a pocket twice", "list each pocket once", row.clause)


def _names(document: RouletteDocument, names: set[str]) -> Iterator[Finding]:
    """Check that a word means one bet, or none on purpose, and never both."""
    aliases: set[str] = set()
    for i, row in enumerate(document.bets):
        for alias in row.aliases:
            key: Key = ("bets", i, "aliases")
            if alias in names or alias in aliases:
                yield Finding(key, f"{alias} is already a bet", "remove it", row.clause)
            if " " in row.name:
                yield Finding(
                    key, f"{row.name} names several bets and cannot have an alias", "remove it"
                )
            aliases.add(alias)
    for i, refused in enumerate(document.refused):
        for bet in refused.bets:
            if bet in names or bet in aliases:
                yield Finding(
                    ("refused", i, "bets"),
                    f"{bet} is both offered and refused",
                    "remove it from one of them",
                    refused.clause,
                )


def covering(row: BetRow, zeros: int) -> dict[str, frozenset[str]]:
    """Return the pockets of every spot of a bet by its plain text: ``"split 17 20"``."""
    if row.covers is not None:
        return {row.name: frozenset(row.covers)}
    place = {pocket: i for i, pocket in enumerate(pockets(3))}
    spots = row.spots if row.spots is not None else spots_of(row.shape, zeros) if row.shape else ()
    return {
        " ".join([row.name, *sorted(spot, key=place.__getitem__)]): frozenset(spot)
        for spot in spots
    }
