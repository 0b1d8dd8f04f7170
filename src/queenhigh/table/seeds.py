"""Seeds: the room's chain of them, and those that places add, hidden or in the clear."""

import re

from queenhigh.table import events
from queenhigh.table.commands import AddSeed, CommitSeed, ShowSeed, StartChain
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.fairness import OnChain, place_commitment
from queenhigh.table.rounds import deal_if_shown

__all__ = ["add", "commit", "show", "start_chain"]

_MOST_ADDED = 64
_MOST_LINKS = 1_000_000
#: How many milliseconds places have to show their seeds: enough for a round trip.
_LEAST_REVEAL, _MOST_REVEAL = 500, 60_000
_HASH = re.compile(r"[0-9a-f]{64}")


def start_chain(draft: Draft, command: StartChain) -> None:
    """Start a chain of the room's seeds, between rounds."""
    state, before = draft.state, draft.state.chain
    if state.round is not None:
        refuse("chain.round", "a chain can start only between rounds: wait until the round is over")
    number, epoch = (before.number + 1, before.epoch) if before else (1, 0)
    if command.chain != number:
        refuse("chain.number", f"the next chain of this table is number {number}")
    if command.epoch < epoch:
        refuse("chain.epoch", f"the epoch must be at least {epoch}")
    if not (_HASH.fullmatch(command.salt) and _HASH.fullmatch(command.end)):
        refuse("chain.bytes", "salt and end of a chain must be 32 bytes each, in hexadecimal")
    if not 1 <= command.length <= _MOST_LINKS:
        refuse("chain.range", f"a chain has 1 to {_MOST_LINKS:,} links")
    if not _LEAST_REVEAL <= command.reveal <= _MOST_REVEAL:
        time = f"{_LEAST_REVEAL:,} to {_MOST_REVEAL:,} milliseconds"
        refuse("chain.range", f"the time to reveal seeds must be {time}")
    draft.emit(
        events.ChainStarted,
        chain=command.chain,
        epoch=command.epoch,
        salt=command.salt,
        length=command.length,
        end=command.end,
        reveal=command.reveal,
    )


def commit(draft: Draft, command: CommitSeed) -> None:
    """Take a place's commitment to a seed."""
    draft.in_time("betting", command.round)
    place, _ = draft.own_place()
    live = draft.live
    if not live.chain:
        refuse("seed.scheme", "this round has no hidden seeds: add one in the clear")
    if place in live.committed:
        refuse("seed.committed", "you have already committed to a seed in this round")
    if not _HASH.fullmatch(command.commitment):
        refuse("seed.bytes", "a commitment must be 32 bytes in lowercase hexadecimal")
    draft.emit(
        events.SeedCommitted,
        round=command.round,
        place=place,
        commitment=command.commitment,
    )


def show(draft: Draft, command: ShowSeed) -> None:
    """Take the seed that a place has committed to; the last one brings the deal."""
    draft.in_time("revealing", command.round)
    place, seat = draft.own_place()
    state, live = draft.state, draft.live
    committed = live.committed.get(place)
    if committed is None or committed.player != seat.player:
        refuse("seed.none", "you have not committed to a seed in this round")
    if committed.shown is not None:
        refuse("seed.shown", "you have already revealed your seed")
    if not _HASH.fullmatch(command.seed):
        refuse("seed.bytes", "a seed must be 32 bytes in lowercase hexadecimal")
    of = OnChain(state.table, live.chain, live.number)
    made = place_commitment(of, place, seat.player, bytes.fromhex(command.seed))
    if made.hex() != committed.commitment:
        refuse("seed.other", "this is not the seed you committed to")
    draft.emit(events.SeedShown, round=command.round, place=place, seed=command.seed)
    deal_if_shown(draft)


def add(draft: Draft, command: AddSeed) -> None:
    """Take a seed in the clear."""
    draft.in_time("betting", command.round)
    place, _ = draft.own_place()
    size = len(command.seed.encode(errors="surrogatepass"))
    if not 1 <= size <= _MOST_ADDED:
        refuse("seed.long", f"a seed must be one line of text of 1 to {_MOST_ADDED} bytes")
    if not command.seed.isprintable():
        refuse("seed.long", "a seed cannot contain invisible characters")
    draft.emit(events.SeedAdded, round=command.round, place=place, seed=command.seed)
