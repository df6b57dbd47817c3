#include "analysis/held_locks.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace parcast::analysis {

namespace {

struct Span {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Held {
    ObjectId lock;
    std::int64_t since = 0;
    int depth = 1;
};

// The time that at least one of them covers.
std::int64_t covered(std::vector<Span>& spans) {
    std::ranges::sort(spans, {}, &Span::begin);
    std::int64_t sum = 0;
    std::int64_t until = INT64_MIN;
    for (auto const& span : spans) {
        auto const begin = std::max(span.begin, until);
        if (span.end > begin) {
            sum += span.end - begin;
            until = span.end;
        }
    }
    return sum;
}

bool is_waiting(ThreadState state) {
    return state == ThreadState::blocked || state == ThreadState::spinning;
}

// The intervals of one thread, in the order of time.
class ThreadIntervals {
public:
    ThreadIntervals(IntervalColumns const& columns, std::size_t first, std::size_t end)
        : columns_(columns), at_(first), end_(end) {}

    // When the waiting is over that begins at `arrival`; arrival itself if there is none. REQUIRES: rising.
    std::int64_t waits_until(std::int64_t arrival) {
        while (at_ < end_ && columns_.end[at_].ns <= arrival)
            ++at_;
        auto until = arrival;
        for (auto i = at_; i < end_ && columns_.begin[i].ns == until && is_waiting(columns_.state[i]); ++i)
            until = columns_.end[i].ns;
        return until;
    }

private:
    IntervalColumns const& columns_;
    std::size_t at_;
    std::size_t end_;
};

class Holdings {
public:
    Holdings(ThreadProgram const& program, Timeline const& run) : program_(program), run_(run) {
        of_lock_.resize(program.objects.size());
    }

    void add_thread(std::size_t thread, ThreadIntervals intervals) {
        held_.clear();
        auto const& list = program_.lists[thread];
        auto const& arrivals = run_.arrivals[thread];
        for (std::size_t i = 0; i < list.size() && i < arrivals.size(); ++i)
            execute(list[i], arrivals[i].ns, intervals);
        for (auto const& each : held_)
            add(each, run_.length.ns);
    }

    std::vector<Duration> take() {
        std::vector<Duration> held;
        for (auto& spans : of_lock_)
            held.push_back(Duration{covered(spans)});
        return held;
    }

private:
    void execute(Operation const& operation, std::int64_t now, ThreadIntervals& intervals) {
        switch (operation.kind()) {
            case OperationKind::lock:
            case OperationKind::read_lock:
            case OperationKind::write_lock: return acquire(operation.object_id(), intervals.waits_until(now));
            case OperationKind::unlock:
            case OperationKind::read_write_unlock: return release(operation.object_id(), now);
            case OperationKind::condition_wait:
                return lend(decode_wait(operation.value).mutex, now, intervals);
            case OperationKind::condition_barrier:
                return lend(program_.barriers[static_cast<std::size_t>(operation.value)].mutex, now,
                            intervals);
            default: return;
        }
    }

    void acquire(ObjectId lock, std::int64_t now) {
        if (auto const found = std::ranges::find(held_, lock, &Held::lock); found != held_.end())
            ++found->depth;
        else
            held_.push_back({lock, now});
    }

    void release(ObjectId lock, std::int64_t now) {
        auto const found = std::ranges::find(held_, lock, &Held::lock);
        if (found == held_.end() || --found->depth > 0)
            return;
        add(*found, now);
        held_.erase(found);
    }

    void lend(ObjectId mutex, std::int64_t now, ThreadIntervals& intervals) {
        auto const until = intervals.waits_until(now);
        auto const found = std::ranges::find(held_, mutex, &Held::lock);
        if (mutex.is_none() || found == held_.end() || until == now)
            return;
        add(*found, now);
        found->since = until;
    }

    void add(Held const& held, std::int64_t end) {
        if (!held.lock.is_none() && held.lock.index() < of_lock_.size())
            of_lock_[held.lock.index()].push_back({held.since, std::max(held.since, end)});
    }

    ThreadProgram const& program_;
    Timeline const& run_;
    std::vector<Held> held_;  // by the thread
    std::vector<std::vector<Span>> of_lock_;
};

}  // namespace

std::vector<Duration> held_times(ThreadProgram const& program, Timeline const& run) {
    Holdings holdings(program, run);
    auto const& columns = *run.intervals;
    std::size_t first = 0;
    for (std::size_t thread = 0; thread < program.lists.size() && thread < run.arrivals.size(); ++thread) {
        while (first < columns.size() && columns.thread[first].index() < thread)
            ++first;
        auto end = first;
        while (end < columns.size() && columns.thread[end].index() == thread)
            ++end;
        holdings.add_thread(thread, ThreadIntervals(columns, first, end));
        first = end;
    }
    return holdings.take();
}

}  // namespace parcast::analysis
