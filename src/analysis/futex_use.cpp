#include "analysis/futex_use.h"

#include <algorithm>

namespace parcast::analysis {

namespace {

bool is_wait(EventKind kind) {
    return kind == EventKind::futex_wait || kind == EventKind::timed_futex_wait;
}

}  // namespace

void FutexUseSearch::add(Event const& event) {
    if (!has_begun_)
        begin_ = Duration{event.wall_ns};
    has_begun_ = true;
    end_ = Duration{event.wall_ns + event.span_ns};
    cpu_ += Duration{event.cpu_ns};
    if ((is_wait(event.kind) || event.kind == EventKind::futex_wake) && !event.object.is_none()) {
        own_.try_emplace(event.object, OwnUse{cpu_, cpu_}).first->second.last_at = cpu_;
        FutexUse& use = uses_[event.object];
        use.object = event.object;
        if (is_wait(event.kind) && event.blocked) {
            ++use.waits;
            use.waiting += Duration{event.span_ns};
        }
    }
    cpu_ += Duration{event.cpu_inside_ns};
}

void FutexUseSearch::end_thread() {
    for (auto const& [object, own] : own_) {
        uses_[object].lifetimes += end_ - begin_;
        uses_[object].between += own.last_at - own.first_at;
    }
    own_.clear();
    cpu_ = {};
    has_begun_ = false;
}

std::vector<FutexUse> FutexUseSearch::finish() {
    std::vector<FutexUse> uses;
    for (auto const& [object, use] : uses_)
        uses.push_back(use);
    std::ranges::stable_sort(uses, std::greater(), &FutexUse::waiting);
    return uses;
}

}  // namespace parcast::analysis
