#include "pages/forecast_gate.h"

namespace parcast::pages {

void ForecastGate::pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [this] { return !is_paused_ && first_runs_ == 0; });
}

void ForecastGate::pause() {
    std::lock_guard const lock(mutex_);
    is_paused_ = true;
}

void ForecastGate::go_on() {
    {
        std::lock_guard const lock(mutex_);
        is_paused_ = false;
    }
    opened_.notify_all();
}

bool ForecastGate::is_paused() const {
    std::lock_guard const lock(mutex_);
    return is_paused_;
}

ForecastGate::FirstRun::FirstRun(ForecastGate& gate) : gate_(gate) {
    std::lock_guard const lock(gate_.mutex_);
    ++gate_.first_runs_;
}

ForecastGate::FirstRun::~FirstRun() {
    {
        std::lock_guard const lock(gate_.mutex_);
        --gate_.first_runs_;
    }
    gate_.opened_.notify_all();
}

}  // namespace parcast::pages
