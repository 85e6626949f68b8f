/* Print the value of a position from a file of an endgame table: cc -o read_table read_table.c -lm
   ./read_table layer-03.awt 6  0 1 0 0 1 0  0 0 0 0 0 1   (pits a side, the mover's pits, the other's) */
#define _POSIX_C_SOURCE 200112L
#define _FILE_OFFSET_BITS 64
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static long long choose(int n, int k) {
    long long found = 1;
    for (int i = 1; i <= k; i++) found = found * (n - k + i) / i;
    return found;
}
static long long halves(int pits, int seeds) { return choose(seeds + pits - 1, pits - 1); }
static long long rank_of(const int *half, int pits) {
    long long found = 0;
    for (int pit = 0, sum = 0; pit < pits - 1; pit++) found += choose((sum += half[pit]) + pit, pit + 1);
    return found;
}
static int grid(int i, int steps, int seeds) { /* the i-th bound that has codes */
    return (int)rint(abs(i - steps) * (double)seeds / steps) * (i < steps ? -1 : 1);
}
int main(int argc, char **argv) {
    int half[2][6], sum[2] = {0, 0}, pits = argc > 2 ? atoi(argv[2]) : 0;
    FILE *file = argc > 1 ? fopen(argv[1], "rb") : NULL;
    char page[4097] = {0};
    if (pits < 1 || pits > 6 || argc != 3 + 2 * pits || !file || fread(page, 1, 4096, file) != 4096) return 2;
    for (int i = 0; i < 2 * pits; i++) sum[i / pits] += half[i / pits][i % pits] = atoi(argv[3 + i]);
    int seeds = sum[0] + sum[1];
    long long at = rank_of(half[1], pits) * halves(pits, sum[0]) + rank_of(half[0], pits);
    for (int other = 0; other < sum[1]; other++) at += halves(pits, other) * halves(pits, seeds - other);
    if (fseeko(file, (off_t)(4096 + at), SEEK_SET)) return 2;
    int code = fgetc(file), value = code < 128 ? code : code - 256, size = 3, low = 0, high;
    if (abs(value) <= seeds) return printf("%d\n", value) < 0;
    if (!strstr(page + 20, "\"cycles\":\"open\"")) return printf("unknown\n") < 0;
    while ((size + 2) * (size + 1) / 2 <= 255 - 2 * seeds && size + 2 <= 2 * seeds + 1) size += 2;
    for (high = code - seeds; high > size - 1 - low; low++) high -= size - 1 - low;
    return printf("%d..%d\n", grid(low, size / 2, seeds), grid(low + high, size / 2, seeds)) < 0;
}
