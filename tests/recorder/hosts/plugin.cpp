// The library that late.c loads.
#include <mutex>
#include <thread>

extern "C" int work_in_thread() {
    std::mutex mutex;
    std::thread([&] { std::lock_guard const lock(mutex); }).join();
    return 0;
}
