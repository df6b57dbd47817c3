#pragma once
static inline double work(long n) {
    double volatile x = 1;
    for (long i = 0; i < n; i++)
        x = x * 1.0000001 + 1e-9;
    return x;
}
