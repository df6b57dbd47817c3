// A loop whose iterations grow: equal numbers of them are uneven shares.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static uint64_t churn(uint64_t n) {
    uint64_t x = 88172645463325252ull;
    for (uint64_t i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}
int main(int argc, char** argv) {
    int rows = 400;
    uint64_t sum = 0;
#ifdef DYN
#pragma omp parallel for schedule(dynamic) reduction(+ : sum)
#else
#pragma omp parallel for schedule(static) reduction(+ : sum)
#endif
    for (int i = 0; i < rows; ++i)
        sum += churn(7000ull * i);
    printf("%lu\n", (unsigned long)sum);
    return 0;
}
