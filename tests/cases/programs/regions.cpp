// A pool's parallel_for: wakes its threads, hands out 64 pieces by an atomic counter, and waits for all.
//     regions THREADS REGIONS
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "work_loop.h"

class Pool {
public:
    explicit Pool(int threads) {
        for (int i = 1; i < threads; ++i)
            workers_.emplace_back([this] { serve(); });
    }
    ~Pool() {
        start(-1);
        for (std::thread& worker : workers_)
            worker.join();
    }
    void parallel_for() {
        start(64);
        take_pieces();
        std::unique_lock lock(mutex_);
        done_.wait(lock, [this] { return busy_ == 0; });
    }

private:
    void start(int pieces) {
        {
            std::lock_guard const lock(mutex_);
            pieces_ = pieces;
            next_ = 0;
            ++region_;
            busy_ = int(workers_.size());
        }
        go_.notify_all();
    }
    void take_pieces() {
        while (next_.fetch_add(1) < pieces_)
            work(8000);
    }
    void serve() {
        for (long region = 0;;) {
            {
                std::unique_lock lock(mutex_);
                go_.wait(lock, [&] { return region_ != region; });
                region = region_;
                if (pieces_ < 0)
                    return;
            }
            take_pieces();
            std::lock_guard const lock(mutex_);
            if (--busy_ == 0)
                done_.notify_one();
        }
    }

    std::vector<std::thread> workers_;
    std::mutex mutex_;
    std::condition_variable go_, done_;
    std::atomic<int> next_{0};
    int pieces_ = 0, busy_ = 0;
    long region_ = 0;
};

int main(int, char** words) {
    Pool pool(atoi(words[1]));
    for (int i = 0; i < atoi(words[2]); ++i) {
        pool.parallel_for();
        work(30000);
    }
}
