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
        auto state = present();
        auto const is_same = [](RunningClass one, RunningClass other) {
            return one.klass == other.klass && one.tasks == other.tasks;
        };
        if (!std::ranges::equal(state, last_state_, is_same)) {
            last_delays_ = running_ <= processors_ ? delays_in(state) : delays_of_samples(state);
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

RateClock::State RateClock::present() const {
    State state;
    for (auto const& one : classes_)
        if (one.klass != fetching_class)
            state.push_back({one.klass, static_cast<std::uint32_t>(one.tasks.size())});
    return state;
}

std::vector<double> RateClock::delays_of_samples(State const& state) {
    std::vector<double> sums(state.size());
    std::vector<std::uint32_t> samples(state.size());
    std::size_t before = 0;  // tasks of the classes before
    for (std::size_t place = 0; place < state.size(); before += state[place++].tasks) {
        if (samples[place] > 0)
            continue;
        auto const places = sample(state, before + state[place].tasks / 2);
        State running;
        for (auto const drawn : places) {
            if (running.empty() || running.back().klass != state[drawn].klass)
                running.push_back({state[drawn].klass, 0});
            ++running.back().tasks;
        }
        auto const delays = delays_in(running);
        for (std::size_t i = 0, next = 0; i < running.size(); next += running[i++].tasks) {
            sums[places[next]] += delays[i];
            ++samples[places[next]];
        }
    }
    for (std::size_t place = 0; place < state.size(); ++place)
        sums[place] /= samples[place];
    return sums;
}

// As many tasks as processors, evenly spaced from one of them on: the places of their classes, ascending.
std::vector<std::size_t> RateClock::sample(State const& state, std::size_t from) const {
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < processors_; ++i)
        tasks.push_back((from + i * running_ / processors_) % running_);
    std::ranges::sort(tasks);
    std::vector<std::size_t> places;
    std::size_t place = 0;
    std::size_t end = state.front().tasks;
    for (auto const task : tasks) {
        while (task >= end)
            end += state[++place].tasks;
        places.push_back(place);
    }
    return places;
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
    is_approximate_ = is_approximate_ || (law_->is_approximate && law_->is_approximate(state));
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
