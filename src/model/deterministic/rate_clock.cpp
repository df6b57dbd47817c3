#include <algorithm>
#include <cmath>
#include <limits>

#include "model/deterministic/clock.h"

namespace parcast::model {

namespace {

// Sums of rates round: finishes closer than this part of the time are simultaneous.
constexpr double simultaneous = 1e-13;

// A law is solved again rather than all its states kept, if a graph has more than so many.
constexpr std::size_t most_states_kept = 100'000;

bool is_later(Finish one, Finish other) {
    return other < one;
}

bool is_delay(double value) {
    return std::isfinite(value) && value >= 0;
}

}  // namespace

void RateClock::begin(Begin const& what) {
    if (what.fetch > 0) {
        fetching_.emplace(what.process, what);
        join(fetching_class, what.fetch, what);
    } else {
        ++running_;
        join(what.klass, what.cpu, what);
    }
}

void RateClock::join(std::uint32_t klass, double cpu, Begin const& what) {
    auto place = std::ranges::lower_bound(classes_, klass, {}, &Running::klass);
    if (place == classes_.end() || place->klass != klass) {
        place = classes_.insert(place, Running{});
        place->klass = klass;
    }
    place->tasks.emplace_back(place->served + cpu, what.task, what.process);
    std::ranges::push_heap(place->tasks, is_later);
    is_solved_ = false;
}

// REQUIRES: a process is busy, and the state is solved.
RateClock::Next RateClock::first_finish() const {
    Next next{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t place = 0; place < classes_.size(); ++place) {
        auto const& one = classes_[place];
        double const elapse = std::max(0.0, (one.tasks.front().time - one.served) / one.rate);
        bool const is_tie =
            elapse == next.elapse && one.tasks.front().order < classes_[next.place].tasks.front().order;
        if (elapse < next.elapse || is_tie)
            next = {elapse, place};
    }
    return next;
}

Finish RateClock::next() {
    for (;;) {
        solve();
        auto const next = first_finish();
        bool const is_fetch = classes_[next.place].klass == fetching_class;
        auto const finish = take(next);
        if (!is_fetch) {
            --running_;
            return finish;
        }
        auto const fetched = fetching_.extract(finish.process()).mapped();
        ++running_;
        join(fetched.klass, fetched.cpu, fetched);
    }
}

Finish RateClock::take(Next next) {
    advance(next.elapse);
    auto& finishing = classes_[next.place];
    auto const finish = finishing.tasks.front();
    finishing.served = finish.time;  // free of the rounding of rates
    std::ranges::pop_heap(finishing.tasks, is_later);
    finishing.tasks.pop_back();
    if (finishing.tasks.empty())
        classes_.erase(classes_.begin() + static_cast<std::ptrdiff_t>(next.place));
    is_solved_ = false;
    return {now_, finish.task(), finish.process()};
}

bool RateClock::has_another_now() {
    if (running_ == 0)
        return false;
    solve();
    auto const next = first_finish();
    return classes_[next.place].klass != fetching_class && next.elapse <= simultaneous * now_;
}

void RateClock::advance(double elapse) {
    for (auto& one : classes_) {
        one.served += elapse * one.rate;
        double const cpu = elapse * one.rate * static_cast<double>(one.tasks.size());
        latency_ += cpu * std::min(one.alone, one.delay);
        contention_ += cpu * std::max(0.0, one.delay - one.alone);
    }
    busy_time_.add(std::min<std::size_t>(busy(), processors_), elapse);
    now_ += elapse;
}

void RateClock::solve() {
    if (is_solved_)
        return;
    is_solved_ = true;
    auto const processors = static_cast<double>(processors_);
    double const share = std::min(1.0, processors / static_cast<double>(std::max<std::size_t>(1, busy())));
    if (law_ != nullptr && running_ > 0) {
        auto state = customers();
        auto const is_same = [](RunningClass one, RunningClass other) {
            return one.klass == other.klass && one.tasks == other.tasks;
        };
        if (!std::ranges::equal(state, last_state_, is_same)) {
            last_delays_ = delays_in(state);
            last_state_ = std::move(state);
        }
    }
    for (std::size_t place = 0; place < classes_.size(); ++place) {
        auto& one = classes_[place];
        if (law_ != nullptr && one.klass != fetching_class) {
            one.delay = last_delays_[place];
            one.alone = delay_alone(one.klass);
        }
        one.rate = share / (1 + one.delay);
    }
}

// As many as processors, if more tasks run: in proportion to the tasks of each class, the largest remainders
// rounded up, and at least one of each class.
RateClock::State RateClock::customers() const {
    State state;
    for (auto const& one : classes_)
        if (one.klass != fetching_class)
            state.push_back({one.klass, static_cast<std::uint32_t>(one.tasks.size())});
    if (running_ <= processors_)
        return state;
    std::vector<std::pair<double, std::size_t>> remainders;  // negative, so that the largest comes first
    std::uint32_t given = 0;
    for (std::size_t place = 0; place < state.size(); ++place) {
        double const exact = static_cast<double>(state[place].tasks) * static_cast<double>(processors_) /
                             static_cast<double>(running_);
        state[place].tasks = static_cast<std::uint32_t>(exact);
        given += state[place].tasks;
        remainders.emplace_back(state[place].tasks - exact, place);
    }
    std::ranges::sort(remainders);
    for (std::size_t next = 0; given < processors_; ++next, ++given)
        ++state[remainders[next].second].tasks;
    for (auto& one : state)
        one.tasks = std::max(1U, one.tasks);
    return state;
}

std::vector<double> RateClock::delays_in(State const& state) {
    std::vector<std::uint32_t> key;
    for (auto const& one : state)
        key.insert(key.end(), {one.klass, one.tasks});
    if (auto const known = solved_.find(key); known != solved_.end())
        return known->second;
    std::vector<double> delays(state.size());
    if (auto solved = law_->solve(state, delays); !solved)
        failure_ = solved.error();
    else if (!std::ranges::all_of(delays, is_delay))
        failure_ =
            Error{ErrorCode::inconsistent,
                  "the law of contention '" + law_->name + "' gives a delay that is not a number from 0",
                  std::nullopt};
    if (failure_)
        std::ranges::fill(delays, 0.0);
    if (solved_.size() >= most_states_kept)
        solved_.clear();
    return solved_.emplace(std::move(key), std::move(delays)).first->second;
}

double RateClock::delay_alone(std::uint32_t klass) {
    if (auto const known = alone_.find(klass); known != alone_.end())
        return known->second;
    return alone_.emplace(klass, delays_in({{klass, 1}})[0]).first->second;
}

}  // namespace parcast::model
