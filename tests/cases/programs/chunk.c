#include <stdint.h>
#include <stdio.h>
static uint64_t churn(uint64_t n) {
    uint64_t x = 88172645463325252ull;
    for (uint64_t i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
/* few long items, but they are handed out a thousand at a time */
int main(void) {
    uint64_t s = 0;
#ifndef CHUNK
#define CHUNK 1000
#endif
#pragma omp parallel for schedule(dynamic, CHUNK) reduction(+ : s)
    for (int i = 0; i < 24; ++i)
        s += churn(10000000);
    printf("%lu\n", (unsigned long)(s & 1));
    return 0;
}
