// A pool that is handed tasks of next to no work, one at a time: a second CPU makes it slower.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>
class Crew {
public:
    explicit Crew(int n) {
        for (int i = 0; i < n; ++i)
            hands.emplace_back([this] { run(); });
    }
    template <class F>
    auto give(F f) {
        auto job = std::make_shared<std::packaged_task<void()>>(f);
        auto r = job->get_future();
        {
            std::unique_lock<std::mutex> l(m);
            q.emplace([job] { (*job)(); });
        }
        cv.notify_one();
        return r;
    }
    ~Crew() {
        {
            std::unique_lock<std::mutex> l(m);
            over = true;
        }
        cv.notify_all();
        for (auto& h : hands)
            h.join();
    }

private:
    void run() {
        for (;;) {
            std::function<void()> f;
            {
                std::unique_lock<std::mutex> l(m);
                cv.wait(l, [this] { return over || !q.empty(); });
                if (over && q.empty())
                    return;
                f = std::move(q.front());
                q.pop();
            }
            f();
        }
    }
    std::vector<std::thread> hands;
    std::queue<std::function<void()>> q;
    std::mutex m;
    std::condition_variable cv;
    bool over = false;
};
std::atomic<long> hits{0};
int main(int argc, char** argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 10;
    long tasks = argc > 2 ? std::atol(argv[2]) : 200000;
    {
        Crew c(n);
        for (long i = 0; i < tasks; ++i)
            c.give([] { hits++; });
    }
    std::printf("%ld\n", hits.load());
}
