#include <fcntl.h>
#include <unistd.h>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>
#include "churn.h"
// One thread reads blocks and hands them to n workers over a bounded queue; reading takes about as long as
// all the work.
std::mutex m;
std::condition_variable room, item;
std::deque<std::vector<char>> q;
bool over = false;
std::uint64_t volatile sink;
void worker() {
    for (;;) {
        std::unique_lock<std::mutex> l(m);
        item.wait(l, [] { return over || !q.empty(); });
        if (q.empty())
            return;
        auto b = std::move(q.front());
        q.pop_front();
        l.unlock();
        room.notify_one();
        sink = churn(b.size() / 4);
    }
}
int main(int argc, char** argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 4;
    std::vector<std::thread> t;
    for (int i = 0; i < n; ++i)
        t.emplace_back(worker);
    int fd = open("/dev/urandom", O_RDONLY);
    for (int k = 0; k < 300; ++k) {
        std::vector<char> b(1 << 20);
        if (read(fd, b.data(), b.size()) < 0)
            return 1;
        std::unique_lock<std::mutex> l(m);
        room.wait(l, [] { return q.size() < 8; });
        q.push_back(std::move(b));
        l.unlock();
        item.notify_one();
    }
    {
        std::lock_guard<std::mutex> l(m);
        over = true;
    }
    item.notify_all();
    for (auto& x : t)
        x.join();
    std::puts("ok");
}
