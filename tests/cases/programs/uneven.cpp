// unbalanced split: rows of a triangular matrix product are split in equal numbers of rows
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static std::vector<double> a, b, c;

static void multiply_rows(int n, int from, int to) {
    for (int i = from; i < to; ++i)
        for (int j = 0; j <= i; ++j) {
            double s = 0;
            for (int k = j; k <= i; ++k)
                s += a[size_t(i) * n + k] * b[size_t(k) * n + j];
            c[size_t(i) * n + j] = s;
        }
}

static double checksum(int n) {
    double s = 0;
    for (int i = 0; i < n; ++i)
        s += c[size_t(i) * n + i];
    return s;
}

int main(int argc, char** argv) {
    int threads = argc > 1 ? atoi(argv[1]) : (int)std::thread::hardware_concurrency();
    int n = argc > 2 ? atoi(argv[2]) : 1600;
    a.assign(size_t(n) * n, 1.5);
    b.assign(size_t(n) * n, 0.5);
    c.assign(size_t(n) * n, 0);
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t)
        pool.emplace_back(multiply_rows, n, n * t / threads, n * (t + 1) / threads);
    for (auto& t : pool)
        t.join();
    printf("%d threads, checksum %g\n", threads, checksum(n));
}
