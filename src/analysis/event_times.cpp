#include "analysis/event_times.h"

#include <algorithm>

namespace parcast::analysis {

namespace {

bool is_lock(Catalogue const& catalogue, ObjectId object) {
    if (object.is_none())
        return false;
    switch (catalogue.objects[object.index()].kind) {
        case ObjectKind::mutex:
        case ObjectKind::spin_lock:
        case ObjectKind::reader_writer_lock: return true;
        default: return false;
    }
}

}  // namespace

EventTimes::EventTimes(std::size_t threads, Catalogue const& catalogue, Duration bin, std::size_t bins)
    : catalogue_(catalogue),
      threads_(threads),
      last_(threads, ThreadState::ready),
      bins_(bins),
      bin_ns_(bin.ns) {}

void EventTimes::add(Interval const& interval) {
    auto& before = last_[interval.thread.index()];
    count(threads_[interval.thread.index()], before, interval);
    before = interval.state;
    bool const is_running = interval.state == ThreadState::running;
    auto const part = is_running                        ? Part::running
                      : is_on_processor(interval.state) ? Part::communicating
                                                        : Part::blocked;
    add_to_profile(part, interval.begin.ns, interval.end.ns);
}

void EventTimes::count(ThreadEventTimes& times, ThreadState before, Interval const& interval) {
    auto const lasted = interval.end - interval.begin;
    switch (interval.state) {
        case ThreadState::running: times.running += lasted; return;
        // A thread that goes on running afterwards without having waited was charged for what it gave others.
        case ThreadState::switching:
            (before == ThreadState::running ? times.creating : times.resuming) += lasted;
            return;
        case ThreadState::spinning:
        case ThreadState::communicating: times.resuming += lasted; return;
        case ThreadState::ready: times.ready += lasted; return;
        case ThreadState::sleeping:
        case ThreadState::input_output: times.delayed += lasted; return;
        case ThreadState::blocked:
            if (is_lock(catalogue_, interval.object))
                times.contended += lasted;
            else
                times.algorithmic += algorithmic_blocking(interval.begin, interval.end);
            return;
    }
}

void EventTimes::halve_bins() {
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        bool const is_there = bin < bins_.size() / 2;
        for (std::size_t part = 0; part < 3; ++part)
            bins_[bin].ns[part] = is_there ? bins_[2 * bin].ns[part] + bins_[2 * bin + 1].ns[part] : 0;
    }
    bin_ns_ *= 2;
}

void EventTimes::add_to_profile(Part part, std::int64_t begin, std::int64_t end) {
    while (end > bin_ns_ * static_cast<std::int64_t>(bins_.size()))
        halve_bins();
    for (auto bin = begin / bin_ns_; begin < end; ++bin) {
        auto const until = std::min(end, (bin + 1) * bin_ns_);
        bins_[static_cast<std::size_t>(bin)].ns[static_cast<std::size_t>(part)] += until - begin;
        begin = until;
    }
}

std::vector<EventProfileStep> EventTimes::profile(Duration length) const {
    std::vector<EventProfileStep> steps;
    for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
        auto const begin = static_cast<std::int64_t>(bin) * bin_ns_;
        if (begin >= length.ns)
            break;
        auto const lasts = static_cast<double>(std::min(bin_ns_, length.ns - begin));
        auto const& ns = bins_[bin].ns;
        steps.push_back({begin, static_cast<double>(ns[0]) / lasts, static_cast<double>(ns[1]) / lasts,
                         static_cast<double>(ns[2]) / lasts});
    }
    return steps;
}

}  // namespace parcast::analysis
