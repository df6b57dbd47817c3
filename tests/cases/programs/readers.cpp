#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>
// every thread reads one pointer under a lock, many times: shared or plain mutex
std::shared_mutex sm;
std::mutex pm;
long value = 7;
long volatile out;
__attribute__((noinline)) long look_shared() {
    std::shared_lock<std::shared_mutex> l(sm);
    return value;
}
__attribute__((noinline)) long look_plain() {
    std::lock_guard<std::mutex> l(pm);
    return value;
}
int main(int argc, char** argv) {
    int n = std::atoi(argv[1]);
    bool shared = !std::strcmp(argv[2], "shared");
    long total = 4000000;
    std::vector<std::thread> t;
    for (int i = 0; i < n; ++i)
        t.emplace_back([=] {
            long s = 0;
            for (long k = 0; k < total / n; ++k)
                s += shared ? look_shared() : look_plain();
            out = s;
        });
    for (auto& x : t)
        x.join();
    std::puts("ok");
}
