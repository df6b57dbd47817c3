// Each thread searches until a point in time, as benchmarks and players of games do.
//     deadline THREADS MILLISECONDS
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "work_loop.h"

int main(int, char** words) {
    using Clock = std::chrono::steady_clock;
    auto const end = Clock::now() + std::chrono::milliseconds(atoi(words[2]));
    std::vector<std::thread> threads;
    for (int i = 0; i < atoi(words[1]); ++i)
        threads.emplace_back([&] {
            while (Clock::now() < end)
                work(20000);
        });
    for (std::thread& thread : threads)
        thread.join();
}
