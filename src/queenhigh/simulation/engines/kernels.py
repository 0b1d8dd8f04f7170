"""A table, compiled: kernels over blocks of rounds, a round a lane, in whole numbers.

The loops over lanes are written so that the compiler turns them into vector instructions: narrow
unsigned numbers, no tables, no branches. Casts keep them narrow; a bare literal would widen them.
They are in one module, because a compiled function is kept until its own file changes.
"""

from collections import namedtuple

import numpy as np
from numba import njit

from queenhigh.simulation.engines.splitmix import GAMMA, MIX

__all__ = ["LANES", "mix", "sample_rounds"]

#: Rounds in a block: few enough to stay in a near cache, many enough to make its start cheap.
LANES = 2048

_GAMMA, _MIX_1, _MIX_2 = np.uint64(GAMMA), np.uint64(MIX[0]), np.uint64(MIX[1])
_LOW = np.uint64(0xFFFFFFFF)
_30, _27, _31, _32, _1 = (np.uint64(n) for n in (30, 27, 31, 32, 1))

_jit = njit(nogil=True, cache=True)


@_jit
def mix(state):
    """Mix a state of SplitMix64 into its output."""
    state = (state ^ (state >> _30)) * _MIX_1
    state = (state ^ (state >> _27)) * _MIX_2
    return state ^ (state >> _31)


@_jit
def _draw_pair(key, start, bounds, least, numbers, refused):
    """Draw three numbers from each word of a pair; mark the rounds in which one is refused."""
    a, b, c = bounds[0, 0], bounds[0, 1], bounds[0, 2]
    d, e, f = bounds[1, 0], bounds[1, 1], bounds[1, 2]
    least_low, least_high = least[0], least[1]
    n0, n1, n2, n3, n4, n5 = (
        numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5],
    )  # fmt: skip
    for lane in range(LANES):
        both = mix(key + (start + np.uint64(lane) + _1) * _GAMMA)
        low = (both & _LOW) * a
        n0[lane] = low >> _32
        low = (low & _LOW) * b
        n1[lane] = low >> _32
        low = (low & _LOW) * c
        n2[lane] = low >> _32
        high = (both >> _32) * d
        n3[lane] = high >> _32
        high = (high & _LOW) * e
        n4[lane] = high >> _32
        high = (high & _LOW) * f
        n5[lane] = high >> _32
        either = np.uint8((low & _LOW) < least_low) | np.uint8((high & _LOW) < least_high)
        refused[lane] = refused[lane] | either


@_jit
def _err(key, start, half, errors, least, errs, refused):
    """Draw whether a seat errs, from the low (0) or the high (32) half of a word pair."""
    wrong, among = np.uint64(errors[0]), np.uint64(errors[1])
    for lane in range(LANES):
        both = mix(key + (start + np.uint64(lane) + _1) * _GAMMA)
        number = ((both >> half) & _LOW) * among
        errs[lane] = np.uint8((number >> _32) < wrong)
        refused[lane] = refused[lane] | np.uint8((number & _LOW) < least)


@_jit
def _deal(numbers, cards):
    """Turn drawn numbers into cards: Fisher and Yates, the deck left implicit.

    A place of the deck holds its own card unless a swap put the last card of that time there. So
    the card at a place is looked up by going back through the swaps, from the latest.
    """
    for start in range(0, len(cards), 3):
        _deal_hand(numbers, cards, start)
        for before in range(start - 1, -1, -3):
            swaps = numbers[before - 2 : before + 1]
            for card in range(start, start + 3):
                _go_back(cards[card], swaps[2], swaps[1], swaps[0], np.uint8(51 - before))


@_jit
def _deal_hand(numbers, cards, start):
    """Find the places of a hand's cards before the first of its own three swaps."""
    n0, n1, n2 = numbers[start], numbers[start + 1], numbers[start + 2]
    first, second, third = cards[start], cards[start + 1], cards[start + 2]
    last, next_last = np.uint8(51 - start), np.uint8(50 - start)
    for lane in range(LANES):
        first[lane] = n0[lane]
        second[lane] = last if n1[lane] == n0[lane] else n1[lane]
        place = next_last if n2[lane] == n1[lane] else n2[lane]
        third[lane] = last if place == n0[lane] else place


@_jit
def _go_back(places, latest, middle, earliest, last):
    """Go back through three swaps: the latest brought the card of ``last``, the others the next."""
    last_1, last_2 = np.uint8(last + np.uint8(1)), np.uint8(last + np.uint8(2))
    for lane in range(LANES):
        place = places[lane]
        place = last if place == latest[lane] else place
        place = last_1 if place == middle[lane] else place
        places[lane] = last_2 if place == earliest[lane] else place


@_jit
def _rank(cards, ace_low, keys):
    """Write the keys of hands."""
    first, second, third = cards[0], cards[1], cards[2]
    ace = np.uint8(12) if ace_low else np.uint8(255)
    for lane in range(LANES):
        a, b, c = first[lane], second[lane], third[lane]
        suited = np.uint8(((a ^ b) | (a ^ c)) & np.uint8(3)) == np.uint8(0)
        x, y = np.uint8(a >> np.uint8(2)), np.uint8(b >> np.uint8(2))
        z = np.uint8(c >> np.uint8(2))
        low, high = min(x, y), max(x, y)
        middle = max(low, min(high, z))
        low, high = min(low, z), max(high, z)
        trips = high == low
        paired = (high == middle) | (middle == low)
        wheel = (high == ace) & (middle == np.uint8(1)) & (low == np.uint8(0))
        straight = ((np.uint8(high - low) == np.uint8(2)) & (not paired)) | wheel
        kind = np.uint8(1) if paired else np.uint8(0)
        kind = np.uint8(2) if suited else kind
        kind = np.uint8(3) if straight else kind
        kind = np.uint8(4) if trips else kind
        kind = np.uint8(5) if straight & suited else kind
        last = high if paired & (middle == low) else low
        top = middle if paired else high
        top = np.uint8(1) if wheel else top
        middle = np.uint8(0) if wheel else middle
        decides = (np.uint16(top) << np.uint16(8)) | (np.uint16(middle) << np.uint16(4))
        keys[lane] = (np.uint16(kind) << np.uint16(12)) | decides | np.uint16(last)


@_jit
def _up_cards(dealer, up, column):
    """Write the place of the dealer's up cards among all that may be up."""
    first, second = dealer[0], dealer[1]
    for lane in range(LANES):
        if up == 1:
            column[lane] = first[lane]
        elif up == 2:
            low, high = min(first[lane], second[lane]), max(first[lane], second[lane])
            column[lane] = np.int64(high) * (np.int64(high) - 1) // 2 + np.int64(low)


@_jit
def _act(keys, folds_below, plays_from, moves, unsure):
    """Write which hands are played, and of which only a look into the policy can tell."""
    for lane in range(LANES):
        moves[lane] = np.uint8(keys[lane] >= plays_from[lane])
        unsure[lane] = np.uint8(keys[lane] >= folds_below[lane]) & np.uint8(
            keys[lane] < plays_from[lane]
        )


@_jit
def _outcome(keys, dealer, qualifying, moves, outcomes):
    """Write the outcome of a seat: its class of hand, and the case or a fold."""
    least, royal = np.uint16(qualifying), np.uint16(0x5CBA)
    for lane in range(LANES):
        key, dealer_key = keys[lane], dealer[lane]
        case = np.uint8(4) if dealer_key >= least else np.uint8(1)
        case = np.uint8(case + np.uint8(key > dealer_key) - np.uint8(key < dealer_key))
        case = case if moves[lane] else np.uint8(6)
        kind = np.uint8(key >> np.uint16(12))
        kind = np.uint8(6) if key == royal else kind
        outcomes[lane] = np.uint8(kind << np.uint8(3)) | case


@_jit
def _count(outcomes, rounds, counts):
    """Count outcomes, in four rows by turns so that one count need not wait for another."""
    whole = rounds - rounds % 4
    for lane in range(0, whole, 4):
        counts[0, outcomes[lane]] += 1
        counts[1, outcomes[lane + 1]] += 1
        counts[2, outcomes[lane + 2]] += 1
        counts[3, outcomes[lane + 3]] += 1
    for lane in range(whole, rounds):
        counts[0, outcomes[lane]] += 1


# Blocks of rounds


#: Room for a block of rounds, a column a lane.
_Block = namedtuple(
    "_Block", "numbers refused errs cards keys ups folds_below plays_from moves unsure outcomes"
)


@_jit
def _room(seats, folds_below, plays_from):
    hands = seats + 1
    return _Block(
        np.zeros((6 * ((hands + 2) // 2), LANES), dtype=np.uint8),
        np.zeros(LANES, dtype=np.uint8),
        np.zeros((seats, LANES), dtype=np.uint8),
        np.zeros((3 * hands, LANES), dtype=np.uint8),
        np.zeros((hands, LANES), dtype=np.uint16),
        np.zeros(LANES, dtype=np.int64),
        np.full(LANES, folds_below),
        np.full(LANES, plays_from),
        np.zeros(LANES, dtype=np.uint8),
        np.zeros(LANES, dtype=np.uint8),
        np.zeros((seats, LANES), dtype=np.uint8),
    )


@_jit
def sample_rounds(a, start, rounds, uncovered, returned, results, kept):
    """Sample rounds block by block; return the seats' outcomes and the number of empty banks.

    A single seat's outcomes give the banker's results too, if the bank is unlimited. Outcomes, and
    numbers drawn for the first seat, are kept where a bank meets wagers in turns.
    """
    block = _room(a.seats, a.folds_below[0], a.plays_from[0])
    counts = np.zeros((a.seats, 4, uncovered.shape[1]), dtype=np.int64)
    exhausted = 0
    for done in range(0, rounds, LANES):
        lanes = min(LANES, rounds - done)
        number = start + np.uint64(done)
        _draw(a, number, block)
        _deal(block.numbers, block.cards)
        for hand in range(a.seats + 1):
            _rank(block.cards[3 * hand : 3 * hand + 3], a.ace_low, block.keys[hand])
        _decide(a, block)
        for seat in range(a.seats):
            _count(block.outcomes[seat], lanes, counts[seat])
        if a.bank and a.in_turns:
            kept[: a.seats, done : done + lanes] = block.outcomes[:, :lanes]
            kept[a.seats, done : done + lanes] = block.numbers[3 * (a.seats + 1), :lanes]
        elif a.bank:
            exhausted += _cover(a, number, lanes, block, uncovered, returned, results)
        elif a.seats > 1:
            _sum(a, lanes, block.outcomes, results)
    return counts, exhausted


@_jit
def _draw(a, number, block):
    """Draw everything that chance decides in a block of rounds."""
    refused = block.refused
    refused[:] = 0
    for pair in range((a.seats + 1 + a.drawn + 1) // 2):
        two = slice(2 * pair, 2 * pair + 2)
        rows = block.numbers[6 * pair : 6 * pair + 6]
        _draw_pair(a.word_keys[pair], number, a.bounds[two], a.least[two], rows, refused)
    for seat in range(a.seats):
        word = a.error_words[seat]
        if word >= 0:
            key, half = a.word_keys[word // 2], np.uint64(32 * (word % 2))
            _err(key, number, half, a.errors, a.least[word], block.errs[seat], refused)
    eights = refused.view(np.uint64)
    for eight in range(len(eights)):
        if eights[eight]:
            for lane in range(8 * eight, 8 * eight + 8):
                if refused[lane]:
                    _redraw(a, number + np.uint64(lane), lane, block.numbers, block.errs)


@_jit
def _redraw(a, number, lane, numbers, errs):
    """Draw for one round with care: a refused word gives way to the round's next one."""
    word, seat = 0, 0
    for word_index in range(len(a.bounds)):
        while True:
            key = mix(np.uint64(a.seed) + np.uint64(word // 2 + 1) * _GAMMA)
            both = mix(key + (number + np.uint64(1)) * _GAMMA)
            rest = (both >> _32) if word % 2 else (both & _LOW)
            word += 1
            for digit in range(3):
                product = rest * a.bounds[word_index, digit]
                rest = product & _LOW
                if word_index < a.seats + 1 + a.drawn:
                    numbers[3 * word_index + digit, lane] = product >> _32
                elif digit == 0:
                    drawn = product >> _32
            if rest >= a.least[word_index]:
                break
        if word_index >= a.seats + 1 + a.drawn:
            while seat < a.seats and a.error_words[seat] != word_index:
                seat += 1
            if seat < a.seats:
                errs[seat, lane] = drawn < np.uint64(a.errors[0])


@_jit
def _decide(a, block):
    """Write each seat's outcome: its move by the policy, or the other one where it errs."""
    ups, moves = block.ups, block.moves
    folds_below, plays_from = block.folds_below, block.plays_from
    if a.up:
        _up_cards(block.cards[3 * a.seats :], a.up, ups)
        for lane in range(LANES):
            folds_below[lane] = a.folds_below[ups[lane]]
            plays_from[lane] = a.plays_from[ups[lane]]
    for seat in range(a.seats):
        keys = block.keys[seat]
        _act(keys, folds_below, plays_from, moves, block.unsure)
        _look_up(a, block.cards[3 * seat : 3 * seat + 3], ups, block.unsure, moves)
        if a.error_words[seat] >= 0:
            errs = block.errs[seat]
            for lane in range(LANES):
                moves[lane] ^= errs[lane]
        _outcome(keys, block.keys[a.seats], a.qualifying, moves, block.outcomes[seat])


@_jit
def _look_up(a, hand, column, unsure, moves):
    """Look the few moves up that depend on more than strength."""
    eights = unsure.view(np.uint64)
    for eight in range(len(eights)):
        if eights[eight]:
            for lane in range(8 * eight, 8 * eight + 8):
                if unsure[lane]:
                    x, y, z = np.int64(hand[0, lane]), np.int64(hand[1, lane]), hand[2, lane]
                    low, high = min(x, y), max(x, y)
                    middle = max(low, min(high, np.int64(z)))
                    low, high = min(low, np.int64(z)), max(high, np.int64(z))
                    index = high * (high - 1) * (high - 2) // 6 + middle * (middle - 1) // 2 + low
                    moves[lane] = a.plays[column[lane], index]


@_jit
def _sum(a, rounds, outcomes, results):
    """Count the banker's results where the bank covers everything."""
    total = np.full(LANES, np.int32(a.offsets[a.seats] - a.lows[a.seats]))
    for seat in range(a.seats):
        nets, seat_outcomes = a.nets[seat], outcomes[seat]
        for lane in range(LANES):
            total[lane] -= nets[seat_outcomes[lane]]
    for lane in range(rounds):
        results[total[lane]] += 1


@_jit
def _cover(a, number, rounds, block, uncovered, returned, results):
    """Settle rounds in action order as far as the bank covers; count those that used it up."""
    outcomes, drawn = block.outcomes, block.numbers[3 * (a.seats + 1)]
    base, exhausted = a.offsets[a.seats] - a.lows[a.seats], 0
    for lane in range(rounds):
        first = 0
        if a.drawn:
            first = np.int64(drawn[lane])
        elif a.button:
            first = np.int64((number + np.uint64(lane)) % np.uint64(a.places))
        left, total = a.bank, 0
        for turn in range(a.seats):
            seat = a.order[first, turn]
            outcome = outcomes[seat, lane]
            wins, losses = a.wins[seat, outcome], a.losses[seat, outcome]
            net = wins - losses
            if a.by_action and wins + losses <= left:
                left -= wins + losses
            elif not a.by_action and wins <= left and left + losses <= 2 * a.bank:
                left -= net
            else:
                net, left, back = _match(a, a.dues[seat, outcome], left)
                if back:
                    uncovered[seat, outcome] += 1
                    returned[seat] += back
                    results[a.offsets[seat] - a.lows[seat] + net] += 1
            total -= net
        exhausted += left == 0
        results[base + total] += 1
    return exhausted


@_jit
def _match(a, dues, left):
    """Match wager by wager; return the seat's gain, the rest of the bank, the stakes returned."""
    net, back = 0, 0
    for due in dues:
        if due > 0 or a.by_action:
            matched = min(abs(due), left)
            left -= matched
        else:
            matched = min(-due, 2 * a.bank - left)
            left += matched
        net += matched if due > 0 else -matched
        back += abs(due) - matched
    return net, left, back
