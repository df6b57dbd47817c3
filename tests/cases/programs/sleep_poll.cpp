#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
#include "churn.h"
// a pool whose idle workers sleep for a moment and look again; the submitter waits the same way
std::queue<std::function<void()>> q;
std::mutex m;
std::atomic<bool> on{true};
std::atomic<int> left{0};
int nap_us = 1000;
std::uint64_t volatile sink;
bool take(std::function<void()>& f) {
    std::lock_guard<std::mutex> l(m);
    if (q.empty())
        return false;
    f = std::move(q.front());
    q.pop();
    return true;
}
void nap() {
    std::this_thread::sleep_for(std::chrono::microseconds(nap_us));
}
void worker() {
    while (on) {
        std::function<void()> f;
        if (take(f)) {
            f();
            --left;
        } else
            nap();
    }
}
int main(int argc, char** argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 4, rounds = 40, tasks = 16;
    std::vector<std::thread> t;
    for (int i = 0; i < n; ++i)
        t.emplace_back(worker);
    for (int r = 0; r < rounds; ++r) {
        left = tasks;
        for (int i = 0; i < tasks; ++i) {
            std::lock_guard<std::mutex> l(m);
            q.push([] { sink = churn(600000); });
        }
        while (left > 0)
            nap();
    }
    on = false;
    for (auto& x : t)
        x.join();
    std::puts("ok");
}
