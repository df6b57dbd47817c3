#include "analysis/futex_use.h"

#include <algorithm>

namespace parcast::analysis {

namespace {

// A thread that works for less of its life than this, between its parks, does not wait for its turn.
constexpr double least_work_between_parks = 0.01;

bool is_wait(EventKind kind) {
    return kind == EventKind::futex_wait || kind == EventKind::timed_futex_wait ||
           kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
}

}  // namespace

FutexUseSearch::FutexUseSearch(Catalogue const& catalogue) : is_parking_(catalogue.objects.size()) {
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i) {
        SiteId const first = catalogue.objects[i].first_site;
        is_parking_[i] = catalogue.objects[i].kind == ObjectKind::condition && !first.is_none() &&
                         catalogue.sites[first.index()].library_type == java_park;
        if (is_parking_[i] && parking_.is_none())
            parking_ = ObjectId(i);
    }
}

ObjectId FutexUseSearch::word_of(Event const& event) const {
    using enum EventKind;
    if (event.object.is_none())
        return ObjectId::none();
    switch (event.kind) {
        case futex_wait:
        case timed_futex_wait:
        case futex_wake: return event.object;
        case condition_wait:
        case timed_condition_wait:
            return event.object.index() < is_parking_.size() && is_parking_[event.object.index()]
                       ? parking_
                       : ObjectId::none();
        default: return ObjectId::none();
    }
}

void FutexUseSearch::add(Event const& event) {
    if (!has_begun_)
        begin_ = Duration{event.wall_ns};
    has_begun_ = true;
    end_ = Duration{event.wall_ns + event.span_ns};
    cpu_ += Duration{event.cpu_ns};
    if (auto const word = word_of(event); !word.is_none()) {
        OwnUse& own = own_.try_emplace(word, OwnUse{cpu_, cpu_, 0, Duration{0}}).first->second;
        own.last_at = cpu_;
        if (is_wait(event.kind) && event.blocked) {
            ++own.waits;
            own.waiting += Duration{event.span_ns};
        }
    }
    cpu_ += Duration{event.cpu_inside_ns};
}

void FutexUseSearch::end_thread() {
    for (auto const& [word, own] : own_) {
        Duration const life = end_ - begin_;
        Duration const between = own.last_at - own.first_at;
        if (word == parking_ && to_real(between).ns < least_work_between_parks * to_real(life).ns)
            continue;
        FutexUse& use = uses_[word];
        use.object = word;
        use.waits += own.waits;
        use.waiting += own.waiting;
        use.lifetimes += life;
        use.between += between;
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
