#include "analysis/spins_before_waits.h"

#include <algorithm>
#include <cmath>

namespace parcast::analysis {

namespace {

constexpr double steps = 50;  // of a length's logarithm
constexpr int steps_of_a_tenth = 5;
constexpr double least_alike = 0.8;
constexpr double most_alike_others = 0.1;
constexpr std::int64_t waits_over_others = 4;  // with fewer others nothing tells work from spinning
constexpr Duration longest_spin{
    1'000'000};  // on the mean: chosen; a loop before a wait is shorter than a time slice

int step_of(std::int64_t ns) {
    return static_cast<int>(
        std::lround(steps * std::log(static_cast<double>(std::max<std::int64_t>(1, ns)))));
}

bool takes_mutex(EventKind kind) {
    return kind == EventKind::lock || kind == EventKind::try_lock || kind == EventKind::timed_lock;
}

bool waits_for_condition(EventKind kind) {
    return kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
}

}  // namespace

void SpinBeforeWaitSearch::add(Event const& event) {
    bool const waits = waits_for_condition(event.kind);
    if (piece_) {
        if (auto const of = mutexes_.find(piece_->mutex); of != mutexes_.end()) {
            bool const is_before_wait =
                waits && event.blocked && event.related == piece_->mutex.value && !piece_->follows_wait;
            auto& pieces =
                (is_before_wait ? of->second.before_waits : of->second.others)[step_of(piece_->cpu_ns)];
            ++pieces.count;
            pieces.cpu_ns += piece_->cpu_ns;
        }
        piece_.reset();
    }
    ObjectId const given_up = std::exchange(given_up_, ObjectId::none());
    if (waits && event.related != ObjectId::none().value) {
        Mutex& mutex = mutexes_[ObjectId(event.related)];
        mutex.site = event.site;
        mutex.has_waited = true;
    } else if (event.kind == EventKind::unlock) {
        given_up_ = event.object;
    } else if (takes_mutex(event.kind) && event.outcome == Outcome::done) {
        auto const known = mutexes_.find(event.object);
        if (known == mutexes_.end())
            return;
        if (given_up == event.object)
            piece_ = {event.object, event.cpu_ns, known->second.has_waited};
        known->second.has_waited = false;
    }
}

std::optional<Spinning> SpinBeforeWaitSearch::found_at(Mutex const& mutex) {
    auto const all = [](ByLength const& lengths) {
        std::int64_t count = 0;
        for (auto const& [length, pieces] : lengths)
            count += pieces.count;
        return count;
    };
    auto const alike = [](ByLength const& lengths, int length) {
        Pieces sum;
        for (auto at = lengths.lower_bound(length - steps_of_a_tenth);
             at != lengths.end() && at->first <= length + steps_of_a_tenth; ++at) {
            sum.count += at->second.count;
            sum.cpu_ns += at->second.cpu_ns;
        }
        return sum;
    };
    std::int64_t const waits = all(mutex.before_waits);
    if (waits < least_spins_before_waits)
        return std::nullopt;
    auto const usual = std::ranges::max_element(mutex.before_waits, {}, [&](auto const& each) {
                           return alike(mutex.before_waits, each.first).count;
                       })->first;
    Pieces const spins = alike(mutex.before_waits, usual);
    std::int64_t const others = all(mutex.others);
    bool const are_alike = static_cast<double>(spins.count) >= least_alike * static_cast<double>(waits);
    bool const are_short = spins.cpu_ns <= longest_spin.ns * spins.count;
    bool const others_differ =
        others * waits_over_others >= waits && static_cast<double>(alike(mutex.others, usual).count) <=
                                                   most_alike_others * static_cast<double>(others);
    if (!are_alike || !are_short || !others_differ)
        return std::nullopt;
    Spinning found;
    found.evidence = SpinEvidence::before_waits;
    found.site = mutex.site;
    found.count = spins.count;
    found.cpu = Duration{spins.cpu_ns};
    return found;
}

std::optional<Spinning> SpinBeforeWaitSearch::end_thread(ThreadId thread) {
    std::optional<Spinning> most;
    for (auto const& [object, mutex] : mutexes_)
        if (auto const found = found_at(mutex); found && (!most || most->cpu < found->cpu))
            most = found;
    if (most)
        most->thread = thread;
    *this = {};
    return most;
}

}  // namespace parcast::analysis
