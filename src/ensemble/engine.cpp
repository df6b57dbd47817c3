#include "ensemble/engine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/ensure.h"

namespace parcast::ensemble {

namespace {

constexpr std::uint32_t no_join = std::numeric_limits<std::uint32_t>::max();

}  // namespace

Engine::Engine(Plan const& plan) : plan_(plan) {
    first_server_.push_back(0);
    for (auto const servers : plan.servers)
        first_server_.push_back(first_server_.back() + servers);
    free_at_.resize(first_server_.back());
}

RunOutcome Engine::run(std::uint64_t seed, std::uint64_t run) {
    random_ = RandomStream(seed, run);
    outcome_ = {};
    events_.clear();
    strands_.clear();
    free_strands_.clear();
    counters_.clear();
    joins_.clear();
    free_joins_.clear();
    std::fill(free_at_.begin(), free_at_.end(), 0);

    std::uint32_t const root = new_strand();
    strands_[root] = {0, 0, no_join};
    advance(root);
    while (!events_.empty()) {
        auto const [time, strand] = events_.first();
        first_is_done_ = true;
        Step const& use = plan_.steps[strands_[strand].step];
        double const service = checked(plan_.samplers[use.sampler].draw(random_));
        strands_[strand].time = serve(use.target, time, service);
        ++strands_[strand].step;
        ++outcome_.operations;
        advance(strand);
        if (std::exchange(first_is_done_, false))
            events_.pop();
    }
    return outcome_;
}

// Until the strand arrives at a resource, waits for its branches, or has ended.
void Engine::advance(std::uint32_t strand) {
    std::uint32_t place = strands_[strand].step;
    double time = strands_[strand].time;
    for (;;) {
        Step const& step = plan_.steps[place];
        switch (step.kind) {
            case StepKind::wait:
                time += step.value;
                ++outcome_.operations;
                ++place;
                break;
            case StepKind::draw:
                time += checked(plan_.samplers[step.sampler].draw(random_));
                ++outcome_.operations;
                ++place;
                break;
            case StepKind::greatest:
                time += checked(plan_.samplers[step.sampler].greatest(step.value, random_));
                ++outcome_.operations;
                ++place;
                break;
            case StepKind::use:
                strands_[strand].step = place;
                arrive(strand, time);
                return;
            case StepKind::loop: {
                auto const turns = times_of(step);
                counters_[strand * plan_.levels + step.level] = turns;
                place += turns == 0 ? step.target : 1;
                break;
            }
            case StepKind::next: {
                auto& left = counters_[strand * plan_.levels + step.level];
                place = --left > 0 ? place - step.target : place + 1;
                break;
            }
            case StepKind::choose: place += random_.unit() < step.value ? 1 : step.target; break;
            case StepKind::jump: place += step.target; break;
            case StepKind::fork:
                if (!fork(strand, place, time))
                    return;
                place = strands_[strand].step;
                time = strands_[strand].time;
                break;
            case StepKind::branch:  // is only met by fork()
            case StepKind::end: {
                std::uint32_t const join = strands_[strand].join;
                if (join == no_join) {
                    outcome_.time = time;
                    return;
                }
                free_strands_.push_back(strand);
                joins_[join].latest = std::max(joins_[join].latest, time);
                if (--joins_[join].waiting > 0)
                    return;
                strand = joins_[join].parent;
                place = strands_[strand].step;
                time = joins_[join].latest;
                free_joins_.push_back(join);
                break;
            }
        }
    }
}

void Engine::arrive(std::uint32_t strand, double time) {
    if (std::exchange(first_is_done_, false))
        events_.replace_first(time, strand);
    else
        events_.push(time, strand);
}

// When a request ends that arrives now: at the server that is free first.
double Engine::serve(std::uint32_t resource, double arrival, double service) {
    double* const servers = free_at_.data() + first_server_[resource];
    std::size_t const count = first_server_[resource + 1] - first_server_[resource];
    double const end = std::max(arrival, servers[0]) + service;
    std::size_t place = 0;
    for (std::size_t child = 1; child < count; child = 2 * place + 1) {
        child += child + 1 < count && servers[child + 1] < servers[child] ? 1 : 0;
        if (!(servers[child] < end))
            break;
        servers[place] = servers[child];
        place = child;
    }
    servers[place] = end;
    return end;
}

// Starts the branches; true if all have ended already, and the strand can go on.
bool Engine::fork(std::uint32_t strand, std::uint32_t step, double time) {
    std::uint32_t const join = new_join();
    joins_[join] = {time, 1, strand};
    std::uint32_t branch = step + 1;
    while (plan_.steps[branch].kind == StepKind::branch) {
        for (auto copies = times_of(plan_.steps[branch]); copies > 0; --copies)
            start_branch(join, branch + 1, time);
        branch += plan_.steps[branch].target;
    }
    strands_[strand].step = step + plan_.steps[step].target;
    if (--joins_[join].waiting > 0)
        return false;
    strands_[strand].time = joins_[join].latest;
    free_joins_.push_back(join);
    return true;
}

void Engine::start_branch(std::uint32_t join, std::uint32_t step, double time) {
    ++joins_[join].waiting;
    std::uint32_t const strand = new_strand();
    strands_[strand] = {time, step, join};
    advance(strand);
}

// Turns or copies: drawn, and what is no whole number rounded up with the probability of its fraction.
std::uint64_t Engine::times_of(Step const& step) {
    double const times =
        step.sampler == no_sampler ? step.value : checked(plan_.samplers[step.sampler].draw(random_));
    auto const whole = static_cast<std::uint64_t>(times);
    double const fraction = times - static_cast<double>(whole);
    return fraction > 0 && random_.unit() < fraction ? whole + 1 : whole;
}

double Engine::checked(double drawn) {
    if (drawn >= 0) [[likely]]
        return drawn;
    ++outcome_.clipped;
    outcome_.clipped_time -= drawn;
    return 0;
}

std::uint32_t Engine::new_strand() {
    if (!free_strands_.empty()) {
        auto const strand = free_strands_.back();
        free_strands_.pop_back();
        return strand;
    }
    ensure(strands_.size() < (std::size_t{1} << strand_bits), "no more strands at a time than have numbers");
    strands_.emplace_back();
    counters_.resize(strands_.size() * plan_.levels);
    return static_cast<std::uint32_t>(strands_.size() - 1);
}

std::uint32_t Engine::new_join() {
    if (!free_joins_.empty()) {
        auto const join = free_joins_.back();
        free_joins_.pop_back();
        return join;
    }
    joins_.emplace_back();
    return static_cast<std::uint32_t>(joins_.size() - 1);
}

}  // namespace parcast::ensemble
