// Lets the runs of a forecast begin, but not while somebody waits for another run, and not while the forecast
// is paused. Any number of threads may use it at once.

#pragma once

#include <condition_variable>
#include <mutex>

namespace parcast::pages {

class ForecastGate {
public:
    void pass();  // waits until a run of the forecast may begin
    void pause();
    void go_on();
    bool is_paused() const;

    // A run that somebody waits for, as long as this lives.
    class FirstRun {
    public:
        explicit FirstRun(ForecastGate& gate);
        ~FirstRun();
        FirstRun(FirstRun const&) = delete;
        FirstRun& operator=(FirstRun const&) = delete;

    private:
        ForecastGate& gate_;
    };

private:
    mutable std::mutex mutex_;
    std::condition_variable opened_;
    bool is_paused_ = false;
    int first_runs_ = 0;
};

}  // namespace parcast::pages
