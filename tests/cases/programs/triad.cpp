// STREAM triad by threads, in rounds with a barrier: bound by memory bandwidth
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
    int threads = argc > 1 ? atoi(argv[1]) : (int)std::thread::hardware_concurrency();
    size_t n = argc > 2 ? atol(argv[2]) : 16000000;
    int rounds = argc > 3 ? atoi(argv[3]) : 20;
    std::vector<double> a(n), b(n, 1.0), c(n, 2.0);
    std::barrier<> sync(threads);
    auto triad = [&](int t) {
        size_t from = n * t / threads, to = n * (t + 1) / threads;
        for (int r = 0; r < rounds; ++r) {
            for (size_t i = from; i < to; ++i)
                a[i] = b[i] + 3.0 * c[i];
            sync.arrive_and_wait();
        }
    };
    std::vector<std::thread> pool;
    for (int t = 0; t < threads; ++t)
        pool.emplace_back(triad, t);
    for (auto& t : pool)
        t.join();
    printf("%d threads, a[1]=%g\n", threads, a[1]);
}
