// Rounds on a GPU, a thread a round at a time: the same words, cards, moves and settlements as everywhere.
//
// What a plan fixes is defined before this text: SEATS, DRAWN, BUTTON, PLACES, ERRORS, AMONG,
// ERROR_WORDS, QUALIFYING, UP, MIXED, PLAYS_FROM, DUES, BANK, BY_ACTION, IN_TURNS, BINS; for a wheel POCKETS,
// WAITS and WAITS_AGAIN. It also compiles for the host, as one thread that does everything, so that it can be
// compared where there is no GPU.

typedef unsigned long long u64;
typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned char u8;

#ifndef __CUDACC__
#define __device__
#define __global__
#define __shared__ static
#define __forceinline__ inline
#define __noinline__
#define __restrict__
static const struct { u32 x; } threadIdx = {0}, blockIdx = {0}, blockDim = {1}, gridDim = {1};
template <class T> static void atomicAdd(T *at, T more) { *at += more; }
static void __syncthreads() {}
#endif

#define GAMMA 0x9E3779B97F4A7C15ull

// Multiply a fraction of 2^32: return the whole part and leave the rest.
__device__ __forceinline__ u32 times(u32 *rest, u32 bound)
{
#ifdef __CUDACC__
    u32 whole; // one instruction; from plain C the compiler makes three
    asm("{ .reg .b64 t; mul.wide.u32 t, %2, %3; mov.b64 {%1, %0}, t; }"
        : "=r"(whole), "=r"(*rest) : "r"(*rest), "r"(bound));
    return whole;
#else
    u64 product = (u64)*rest * bound;
    *rest = product;
    return product >> 32;
#endif
}

__device__ __forceinline__ u64 mix(u64 state)
{
    state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9ull;
    state = (state ^ state >> 27) * 0x94D049BB133111EBull;
    return state ^ state >> 31;
}

// Word k of a round, the slow way.
__device__ inline u32 word(u64 seed, u64 round, u32 k)
{
    u64 both = mix(mix(seed + (k / 2 + 1) * GAMMA) + (round + 1) * GAMMA);
    return k % 2 ? both >> 32 : both;
}

#ifdef SEATS

#define HANDS (SEATS + 1)
#define OUTCOMES 64
#define FOLDED 6
// Copies of the counts, so that threads seldom meet at one.
#define COPIES (SEATS == 1 ? 32 : SEATS < 3 ? 16 : SEATS < 5 ? 8 : SEATS < 9 ? 4 : 2)
#define SHARED_BINS (BINS <= 1024 ? BINS : 1)

constexpr int UNROLL = SEATS == 1 ? 4 : 1; // rounds that a thread has under way at once

struct Round {
    u32 number[3 * HANDS]; // what was drawn for each card
    u32 first;             // the seat action starts at, from 0
    u32 errs;              // a bit for each seat
};

// Draw three numbers from a word; tell whether it is refused.
__device__ __forceinline__ bool draw(u32 rest, u32 hand, u32 *number)
{
    u32 left = 52 - 3 * hand;
    for (u32 i = 0; i < 3; i++) number[i] = times(&rest, left - i);
    return rest < (u32)((1ull << 32) % (left * (left - 1) * (left - 2)));
}

__device__ __forceinline__ bool draw_one(u32 rest, u32 bound, u32 *number)
{
    *number = times(&rest, bound);
    return rest < (u32)((1ull << 32) % bound);
}

// Draw a round with care: a refused word gives way to the next.
__device__ __noinline__ void redraw(u64 seed, u64 round, Round *r)
{
    const int error_word[SEATS] = ERROR_WORDS;
    u32 k = 0, number;
    for (u32 hand = 0; hand < HANDS; hand++)
        while (draw(word(seed, round, k++), hand, r->number + 3 * hand));
    if (DRAWN)
        while (draw_one(word(seed, round, k++), PLACES, &r->first));
    r->errs = 0;
    for (u32 seat = 0; seat < SEATS; seat++)
        if (error_word[seat] >= 0) {
            while (draw_one(word(seed, round, k++), AMONG, &number));
            r->errs |= (u32)(number < ERRORS) << seat;
        }
}

// Draw a round from its first words; tell whether one of them is refused.
__device__ __forceinline__ bool draw_round(const u64 *__restrict__ keys, u64 state, Round *r)
{
    const int error_word[SEATS] = ERROR_WORDS;
    bool refused = false;
    u64 both = 0;
    u32 number;
    r->first = r->errs = 0;
#pragma unroll
    for (u32 hand = 0; hand < HANDS; hand++) {
        both = hand % 2 ? both >> 32 : mix(keys[hand / 2] + state);
        refused |= draw(both, hand, r->number + 3 * hand);
    }
    if (DRAWN) {
        both = HANDS % 2 ? both >> 32 : mix(keys[HANDS / 2] + state);
        refused |= draw_one(both, PLACES, &r->first);
    }
#pragma unroll
    for (u32 seat = 0; seat < SEATS; seat++)
        if (error_word[seat] >= 0) {
            u64 pair = mix(keys[error_word[seat] / 2] + state);
            refused |= draw_one(error_word[seat] % 2 ? pair >> 32 : pair, AMONG, &number);
            r->errs |= (u32)(number < ERRORS) << seat;
        }
    return refused;
}

// Find the cards of a hand by going back through the swaps of the shuffle, from the latest.
__device__ __forceinline__ void deal(const Round *r, u32 hand, u32 *card)
{
#pragma unroll
    for (u32 i = 0; i < 3; i++) {
        card[i] = r->number[3 * hand + i];
#pragma unroll
        for (int before = 3 * hand + i - 1; before >= 0; before--)
            if (card[i] == r->number[before]) card[i] = 51 - before;
    }
}

// Look a hand up: its key in the low half, its class times eight in the high half.
__device__ __forceinline__ u32 rank(const u32 *table, const u32 *card)
{
    u32 at = (card[0] << 6 & 0xF00) | (card[1] << 2 & 0xF0) | card[2] >> 2;
    bool suited = (((card[0] ^ card[1]) | (card[0] ^ card[2])) & 3) == 0;
    return table[suited ? at + 4096 : at];
}

__device__ __forceinline__ u32 smaller(u32 a, u32 b) { return a < b ? a : b; }
__device__ __forceinline__ u32 larger(u32 a, u32 b) { return a < b ? b : a; }

// A hand's place among all 22,100.
__device__ inline u32 hand_index(const u32 *card)
{
    u32 low = smaller(card[0], card[1]), high = larger(card[0], card[1]);
    u32 middle = larger(low, smaller(high, card[2]));
    low = smaller(low, card[2]);
    high = larger(high, card[2]);
    return high * (high - 1) * (high - 2) / 6 + middle * (middle - 1) / 2 + low;
}

__device__ __forceinline__ u32 up_index(const u32 *dealer)
{
    if (UP == 0) return 0;
    if (UP == 1) return dealer[0];
    u32 low = smaller(dealer[0], dealer[1]), high = larger(dealer[0], dealer[1]);
    return high * (high - 1) / 2 + low;
}

// Match one wager against what is left of the bank; add the stake that comes back.
__device__ __forceinline__ int match_due(int due, int *left, int *back)
{
    int size = due < 0 ? -due : due;
    int room = due > 0 || BY_ACTION ? *left : 2 * BANK - *left;
    int matched = size < room ? size : room;
    *left += due > 0 || BY_ACTION ? -matched : matched;
    *back += size - matched;
    return due > 0 ? matched : -matched;
}

// Match a seat's wagers one by one.
__device__ inline int match(const int *dues, int *left, int *back)
{
    int net = 0;
    for (u32 i = 0; i < DUES; i++) net += match_due(dues[i], left, back);
    return net;
}

// Count a result, nearby if all results fit there.
__device__ __forceinline__ void count(u32 *bins, u64 *results, u32 at)
{
    if (BINS == SHARED_BINS)
        atomicAdd(bins + at, 1u);
    else
        atomicAdd(results + at, (u64)1);
}

extern "C" __global__ void sample_rounds(
    u64 seed, u64 start, u64 rounds, const u64 *__restrict__ keys, const u32 *__restrict__ ranks,
    const u16 *__restrict__ folds_below, const u16 *__restrict__ plays_from,
    const u8 *__restrict__ plays, const int *__restrict__ dues, const int *__restrict__ wins,
    const int *__restrict__ losses, const int *__restrict__ order, const int *__restrict__ queue,
    const int *__restrict__ taken, const int *__restrict__ bases,
    u64 *outcomes, u64 *uncovered, u64 *returned, u64 *results, u64 *exhausted)
{
    __shared__ u32 table[8192];
    __shared__ u32 counts[SEATS * OUTCOMES * COPIES];
    __shared__ u32 misses[BANK ? SEATS * OUTCOMES : 1]; // outcomes that were not covered
    __shared__ u32 bins[SHARED_BINS];                   // the results, if they are few
    for (u32 i = threadIdx.x; i < 8192; i += blockDim.x) table[i] = ranks[i];
    for (u32 i = threadIdx.x; i < SEATS * OUTCOMES * COPIES; i += blockDim.x) counts[i] = 0;
    for (u32 i = threadIdx.x; i < (BANK ? SEATS * OUTCOMES : 1); i += blockDim.x) misses[i] = 0;
    for (u32 i = threadIdx.x; i < SHARED_BINS; i += blockDim.x) bins[i] = 0;
    __syncthreads();

    const u32 threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
    const u32 turns = rounds / threads + (thread < rounds % threads);
    const u64 step = threads * GAMMA;
    u64 state = (start + thread + 1) * GAMMA;
    u32 *mine = counts + threadIdx.x % COPIES;
    u64 empty = 0, backs[SEATS] = {};
#pragma unroll UNROLL
    for (u32 turn = 0; turn < turns; turn++, state += step) {
        const u64 round = start + thread + (u64)turn * threads;
        Round r;
        if (draw_round(keys, state, &r)) {
            Round careful; // only this one needs an address, so the other stays in registers
            redraw(seed, round, &careful);
            r = careful;
        }
        u32 dealer_cards[3], outcome[SEATS];
        deal(&r, SEATS, dealer_cards);
        const u32 its = rank(table, dealer_cards) & 0xFFFF;
        const u32 up = up_index(dealer_cards), least = UP ? plays_from[up] : PLAYS_FROM;
#pragma unroll
        for (u32 seat = 0; seat < SEATS; seat++) {
            u32 card[3];
            deal(&r, seat, card);
            const u32 found = rank(table, card), key = found & 0xFFFF;
            bool moves = key >= least;
            if (MIXED && !moves && key >= folds_below[up])
                moves = plays[up * 22100 + hand_index(card)];
            if (ERRORS) moves ^= r.errs >> seat & 1;
            u32 where = its >= QUALIFYING ? 4 : 1;
            where = where + (key > its) - (key < its);
            outcome[seat] = (found >> 16) + (moves ? where : FOLDED);
            atomicAdd(mine + (seat * OUTCOMES + outcome[seat]) * COPIES, 1u);
        }
        if (BANK || SEATS > 1) {
            const u32 first = DRAWN ? r.first : BUTTON ? (u32)(round % PLACES) : 0;
            int left = BANK, total = 0;
            if (BANK && IN_TURNS) {
                int net[SEATS], back[SEATS] = {};
                for (u32 seat = 0; seat < SEATS; seat++)
                    net[seat] = -taken[seat * OUTCOMES + outcome[seat]];
                for (u32 next = 0; next < SEATS * DUES; next++) {
                    const int *its_turn = queue + 2 * (first * SEATS * DUES + next);
                    const u32 seat = its_turn[0], at = seat * OUTCOMES + outcome[seat];
                    net[seat] += match_due(dues[at * DUES + its_turn[1]], &left, back + seat);
                }
                for (u32 seat = 0; seat < SEATS; seat++) {
                    if (back[seat]) {
                        atomicAdd(misses + seat * OUTCOMES + outcome[seat], 1u);
                        backs[seat] += back[seat];
                        count(bins, results, bases[seat] + net[seat]);
                    }
                    total -= net[seat];
                }
            }
            for (u32 next = 0; next < (BANK && IN_TURNS ? 0 : SEATS); next++) {
                // An index known only at run time would put the outcomes into slow memory.
                const u32 seat = BANK ? order[first * SEATS + next] : next;
                u32 at = 0;
#pragma unroll
                for (u32 i = 0; i < SEATS; i++)
                    if (i == seat) at = i * OUTCOMES + outcome[i];
                const int win = wins[at], lose = losses[at];
                int net = win - lose;
                if (BANK) {
                    bool full = BY_ACTION ? win + lose <= left
                                          : win <= left && left + lose <= 2 * BANK;
                    if (full) {
                        left -= BY_ACTION ? win + lose : net;
                    } else {
                        int back = 0;
                        net = match(dues + at * DUES, &left, &back);
                        if (back) {
                            atomicAdd(misses + at, 1u);
#pragma unroll
                            for (u32 i = 0; i < SEATS; i++)
                                if (i == seat) backs[i] += back;
                            count(bins, results, bases[seat] + net);
                        }
                    }
                }
                total -= net;
            }
            empty += BANK && left == 0;
            count(bins, results, bases[SEATS] + total);
        }
    }
    if (empty) atomicAdd(exhausted, empty);
    for (u32 seat = 0; seat < (BANK ? SEATS : 0); seat++)
        if (backs[seat]) atomicAdd(returned + seat, backs[seat]);
    __syncthreads();
    for (u32 i = threadIdx.x; i < SEATS * OUTCOMES; i += blockDim.x) {
        u64 sum = 0;
        for (u32 copy = 0; copy < COPIES; copy++) sum += counts[i * COPIES + copy];
        if (sum) atomicAdd(outcomes + i, sum);
    }
    for (u32 i = threadIdx.x; i < (BANK ? SEATS * OUTCOMES : 0); i += blockDim.x)
        if (misses[i]) atomicAdd(uncovered + i, (u64)misses[i]);
    for (u32 i = threadIdx.x; i < SHARED_BINS; i += blockDim.x)
        if (bins[i]) atomicAdd(results + i, (u64)bins[i]);
}

#else // a wheel

extern "C" __global__ void spin_rounds(u64 seed, u64 start, u64 rounds, u64 *landed)
{
    __shared__ u32 counts[POCKETS * 32];
    for (u32 i = threadIdx.x; i < POCKETS * 32; i += blockDim.x) counts[i] = 0;
    __syncthreads();
    const u32 least = (u32)((1ull << 32) % POCKETS);
    const u64 threads = (u64)gridDim.x * blockDim.x, key = mix(seed + GAMMA);
    u64 round = (u64)blockIdx.x * blockDim.x + threadIdx.x;
    for (; round < rounds; round += threads) {
        u64 product = (mix(key + (start + round + 1) * GAMMA) & 0xFFFFFFFF) * POCKETS;
        u32 first = product >> 32;
        if ((u32)product >= least && first >= WAITS) {
            atomicAdd(counts + first * 32 + threadIdx.x % 32, 1u);
            continue;
        }
        u32 last = POCKETS;
        first = POCKETS;
        for (u32 k = 0; last == POCKETS; k++) {
            product = (u64)word(seed, start + round, k) * POCKETS;
            u32 pocket = product >> 32;
            if ((u32)product < least) continue;
            if (first < POCKETS ? pocket >= WAITS_AGAIN : pocket >= WAITS) last = pocket;
            if (first == POCKETS) first = pocket;
        }
        atomicAdd(landed + first * POCKETS + last, (u64)1);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < POCKETS; i += blockDim.x) {
        u64 sum = 0;
        for (u32 copy = 0; copy < 32; copy++) sum += counts[i * 32 + copy];
        if (sum) atomicAdd(landed + i * POCKETS + i, sum);
    }
}

#endif
