/* The one-seat house game as one would write it in C: hands by index into all 22,100 of them.

   simulate KIND ROUNDS THREADS LEAST QUALIFYING  plays with a do-while loop until the dealer's hand has none
   of the player's cards (KIND 0), or without branches, where a deal that clashes counts nothing (KIND 1).
   Standard input has a line for each hand: its three cards, its strength, its class. It prints the rounds
   played and what they came to for the player, in Antes; pthreads share the work. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HANDS 22100

/* A hand in one number: a bit for each of its cards, its strength above them. */
#define CARDS ((1ull << 52) - 1)
static uint64_t hand[HANDS];
static int8_t bonus[1024];
static int least, qualifying;

struct job { uint64_t seed; long rounds, played, total; int how; };

static inline uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9E3779B97F4A7C15ull);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ z >> 27) * 0x94D049BB133111EBull;
    return z ^ z >> 31;
}

static inline uint32_t below(uint32_t word) { return (uint64_t)word * HANDS >> 32; }

/* What a round brings; without branches, so that both kinds differ only in how they deal. */
static inline int worth(uint64_t p, uint64_t d)
{
    int s = p >> 52, x = d >> 52;
    int ahead = (s > x) - (s < x), qualified = -(x >= qualifying), folded = -(s < least);
    int played = (2 * ahead & qualified) + (1 & ~qualified) + bonus[s];
    return (played & ~folded) + folded;
}

static void *play(void *given)
{
    struct job *job = given;
    uint64_t state = job->seed;
    long total = 0, played = 0;
    if (job->how == 0) {
        for (long i = 0; i < job->rounds; i++) {
            uint64_t word = splitmix(&state);
            uint64_t p = hand[below(word)], d = hand[below(word >> 32)];
            while (p & d & CARDS) d = hand[below(splitmix(&state))];
            total += worth(p, d);
        }
        played = job->rounds;
    } else {
        for (long i = 0; i < job->rounds; i++) {
            uint64_t word = splitmix(&state);
            uint64_t p = hand[below(word)], d = hand[below(word >> 32)];
            long free = (p & d & CARDS) == 0;
            total += -free & worth(p, d);
            played += free;
        }
    }
    job->total = total;
    job->played = played;
    return 0;
}

int main(int argc, char **argv)
{
    int how = atoi(argv[1]), threads = atoi(argv[3]);
    long rounds = atol(argv[2]), played = 0, total = 0;
    least = atoi(argv[4]);
    qualifying = atoi(argv[5]);
    for (int h = 0; h < HANDS; h++) {
        int a, b, c, s, k;
        if (scanf("%d %d %d %d %d", &a, &b, &c, &s, &k) != 5) return 1;
        hand[h] = 1ull << a | 1ull << b | 1ull << c | (uint64_t)s << 52;
        bonus[s] = k < 3 ? 0 : k == 3 ? 1 : k;
    }
    pthread_t thread[64];
    struct job job[64];
    for (int t = 0; t < threads; t++) {
        job[t] = (struct job){.seed = 1 + t, .rounds = rounds / threads, .how = how};
        pthread_create(thread + t, 0, play, job + t);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(thread[t], 0);
        played += job[t].played;
        total += job[t].total;
    }
    printf("%ld %ld\n", played, total);
    return 0;
}
