"""Edges of all bets, for people and for programs."""

from queenhigh.price.compare import Edges
from queenhigh.sheets.format import percent, words

__all__ = ["edges_as_json", "edges_as_text"]


def edges_as_json(edges: Edges) -> dict[str, str]:
    """Return the edge of every bet as a fraction."""
    return {name: str(edge) for name, edge in edges.items()}


def edges_as_text(edges: Edges, base: Edges) -> str:
    """Return the edges that differ from the base, or that none does."""
    if not edges:
        return "not possible alone"
    changed = [name for name in edges if edges[name] != base.get(name)]
    if not changed:
        return "no change"
    if len(changed) > 3 and len({edges[name] for name in changed}) == 1:
        return f"{len(changed)} bets {percent(edges[changed[0]])}"
    return ", ".join(f"{words(name)} {percent(edges[name])}" for name in changed)
