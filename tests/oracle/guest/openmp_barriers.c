// A parallel region whose speed-up on N processors with N threads is N: 600 balanced phases that end at a
// barrier.

#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { phases = 600 };

static uint64_t volatile sink;

// xorshift64 (Marsaglia 2003): every step needs the one before.
static void work(long rounds) {
    uint64_t state = 88172645463325252u;
    for (long round = 0; round < rounds; ++round) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    sink = state;
}

int main(int argc, char** argv) {
    int const threads = argc == 2 ? atoi(argv[1]) : 0;
    if (threads < 1) {
        fprintf(stderr, "usage: %s THREADS\n", argv[0]);
        return 2;
    }
    omp_set_num_threads(threads);
    long const rounds = 15000000;
#pragma omp parallel
    for (int phase = 0; phase < phases; ++phase) {
        work(rounds / threads / phases);
#pragma omp barrier
    }
    return 0;
}
