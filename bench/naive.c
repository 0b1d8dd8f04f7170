/* Every deal of Three Card Poker one after another, best play, no symmetry: what the bench compares
   with. Arguments: up cards (0 or 1), the payoffs of the six cases, and the ante bonus by class
   (high card, pair, flush, straight, three of a kind, straight flush). Prints the expectation. */
#include <stdio.h>
#include <stdlib.h>

static int hand[22100][3], strength[22100], kind[22100];
static int at[52][52][52];

static int rate(const int *c, int *class) {
    int r[3] = {c[0] / 4, c[1] / 4, c[2] / 4}, t;
    int suited = c[0] % 4 == c[1] % 4 && c[1] % 4 == c[2] % 4;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (r[j] < r[j + 1]) { t = r[j]; r[j] = r[j + 1]; r[j + 1] = t; }
    int straight = r[0] - r[1] == 1 && r[1] - r[2] == 1;
    if (r[0] == 12 && r[1] == 1 && r[2] == 0) { straight = 1; r[0] = 1; r[1] = 0; r[2] = -1; }
    if (r[0] == r[1] && r[1] == r[2]) *class = 4;
    else if (straight) *class = suited ? 5 : 3;
    else if (suited) *class = 2;
    else if (r[0] == r[1] || r[1] == r[2]) {
        *class = 1;
        if (r[0] != r[1]) { t = r[0]; r[0] = r[2]; r[2] = t; }
    } else *class = 0;
    return ((*class * 20 + r[0] + 1) * 20 + r[1] + 1) * 20 + r[2] + 1;
}

int main(int argc, char **argv) {
    int up = atoi(argv[1]), pay[6], bonus[6], n = 0;
    for (int i = 0; i < 6; i++) { pay[i] = atoi(argv[2 + i]); bonus[i] = atoi(argv[8 + i]); }
    for (int a = 0; a < 52; a++)
        for (int b = a + 1; b < 52; b++)
            for (int c = b + 1; c < 52; c++, n++) {
                hand[n][0] = a; hand[n][1] = b; hand[n][2] = c;
                strength[n] = rate(hand[n], &kind[n]);
                at[a][b][c] = at[a][c][b] = at[b][a][c] = n;
                at[b][c][a] = at[c][a][b] = at[c][b][a] = n;
            }
    int q[3] = {40, 5, 0}, queen_class; /* Q-3-2, the least queen-high */
    int queen = rate(q, &queen_class);
    long long total = 0, deals = 0;
    for (int h = 0; h < 22100; h++) {
        int left[49], m = 0;
        for (int c = 0; c < 52; c++)
            if (c != hand[h][0] && c != hand[h][1] && c != hand[h][2]) left[m++] = c;
        for (int u = 0; u < (up ? 49 : 1); u++) {
            long long played = 0, hands = 0;
            for (int i = 0; i < 49; i++)
                for (int j = i + 1; j < 49; j++)
                    for (int k = up ? u : j + 1; k < (up ? u + 1 : 49); k++) {
                        if (up && (i == u || j == u)) continue;
                        int d = strength[at[left[i]][left[j]][left[k]]], s = strength[h];
                        int base = d >= queen ? 4 : 1;
                        played += pay[base + (s > d) - (s < d)] + bonus[kind[h]];
                        hands++;
                    }
            total += played > -hands ? played : -hands;
            deals += hands;
        }
    }
    printf("%lld %lld\n", total, deals);
    return 0;
}
