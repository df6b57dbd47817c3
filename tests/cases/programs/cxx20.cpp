// std::async, jthread, latch, semaphore, barrier, atomic wait
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstring>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>
#include "work_loop.h"
int main(int c, char** v) {
    char const* m = v[1];
    double s = 0;
    if (!strcmp(m, "async")) {
        std::vector<std::future<double>> f;
        for (int i = 0; i < 8; i++)
            f.push_back(std::async(std::launch::async, [] { return work(8000000); }));
        for (auto& x : f)
            s += x.get();
    }
    if (!strcmp(m, "latch")) {
        std::latch l(4), go(1);
        std::vector<std::jthread> t;
        for (int i = 0; i < 4; i++)
            t.emplace_back([&] {
                go.wait();
                work(16000000);
                l.count_down();
            });
        work(4000000);
        go.count_down();
        l.wait();
    }
    if (!strcmp(m, "sem")) {
        std::counting_semaphore<8> q(2);
        std::vector<std::jthread> t;
        for (int i = 0; i < 8; i++)
            t.emplace_back([&] {
                q.acquire();
                work(8000000);
                q.release();
            });
    }
    if (!strcmp(m, "barrier")) {
        std::barrier b(4);
        std::vector<std::jthread> t;
        for (int i = 0; i < 4; i++)
            t.emplace_back([&, i] {
                for (int k = 0; k < 10; k++) {
                    work(k % 4 == i ? 3200000 : 800000);
                    b.arrive_and_wait();
                }
            });
    }
    if (!strcmp(m, "atomic")) {
        std::atomic<int> a{0};
        std::vector<std::jthread> t;
        for (int i = 0; i < 4; i++)
            t.emplace_back([&, i] {
                for (int k = 0; k < 8; k++) {
                    work(1000000);
                    int x;
                    while ((x = a.load()) % 4 != i)
                        a.wait(x);
                    work(1000000);
                    a.fetch_add(1);
                    a.notify_all();
                }
            });
    }
    if (!strcmp(m, "counter")) {
        std::atomic<int> a{0};
        std::vector<std::jthread> t;
        for (int i = 0; i < 4; i++)
            t.emplace_back([&] {
                while (a.fetch_add(1) < 64)
                    work(1000000);
            });
    }
    printf("%g\n", s);
}
