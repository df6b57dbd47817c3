#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "timeline/event_check.h"
#include "timeline/event_sink.h"
#include "timeline/run_delay.h"
#include "timeline/share_check.h"
#include "timeline/timeline.h"

namespace parcast {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

tl::unexpected<Error> violation(std::string message) {
    return fail(ErrorCode::inconsistent, std::move(message));
}

bool is_in(std::uint32_t id, std::size_t size) {
    return id == none || id < size;
}

Result<void> check_catalogue(Catalogue const& catalogue) {
    std::size_t const sites = catalogue.sites.size();
    if (catalogue.threads.empty())
        return violation("the catalogue has no initial thread");
    for (std::size_t i = 0; i < catalogue.threads.size(); ++i) {
        Thread const& thread = catalogue.threads[i];
        if (!is_in(thread.start_site.value, sites) || !is_in(thread.created_at.value, sites) ||
            !is_in(thread.parent.value, catalogue.threads.size())) {
            return violation("thread " + std::to_string(i) +
                             " refers to a thread or site that does not exist");
        }
    }
    for (std::size_t i = 0; i < catalogue.stacks.size(); ++i)
        if (!is_in(catalogue.stacks[i].caller.value, i) || !is_in(catalogue.stacks[i].function.value, sites))
            return violation("call stack " + std::to_string(i) +
                             " refers to a stack or site that does not come before it");
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i)
        if (!is_in(catalogue.objects[i].first_site.value, sites))
            return violation("object " + std::to_string(i) + " refers to a site that does not exist");
    return {};
}

Result<void> check_busy_waits(Timeline const& timeline) {
    Catalogue const& catalogue = timeline.catalogue;
    for (BusyWait const& wait : timeline.provenance.busy_waits) {
        if (!is_in(wait.thread.value, catalogue.threads.size()) ||
            !is_in(wait.site.value, catalogue.sites.size())) {
            return violation("a busy wait refers to a thread or site that does not exist");
        }
    }
    return {};
}

std::size_t related_limit(EventKind kind, Catalogue const& catalogue) {
    switch (kind) {
        case EventKind::thread_create:
        case EventKind::thread_join:
        case EventKind::thread_detach:
        case EventKind::set_affinity:
        case EventKind::set_priority: return catalogue.threads.size();
        case EventKind::condition_wait:
        case EventKind::timed_condition_wait: return catalogue.objects.size();
        default: return waits_outside(kind) ? none : 0;
    }
}

// What is wrong with an event after one at `previous_wall_ns`, or null.
char const* problem_with(Event const& event, std::int64_t previous_wall_ns, Catalogue const& catalogue) {
    if (static_cast<std::size_t>(event.kind) >= event_kind_count || event.outcome > Outcome::cut_off)
        return "has an unknown kind or outcome";
    if (event.wall_ns < previous_wall_ns)
        return "happens before its predecessor";
    if (event.cpu_ns < 0 || event.cpu_inside_ns < 0 || event.span_ns < 0)
        return "has a negative time";
    if (event.wall_ns > std::numeric_limits<std::int64_t>::max() - event.span_ns)
        return "ends beyond the range of times";
    if (!is_in(event.object.value, catalogue.objects.size()) ||
        !is_in(event.site.value, catalogue.sites.size()) ||
        !is_in(event.related, related_limit(event.kind, catalogue))) {
        return "refers to a thread, object or site that does not exist";
    }
    return nullptr;
}

Result<void> check_events(Timeline const& timeline) {
    if (timeline.events.size() != timeline.catalogue.threads.size())
        return violation("a recorded timeline needs a list of events for every thread");
    EventCheck events(timeline.catalogue, timeline.length);
    hand_over_events(timeline,
                     [&](ThreadId thread, std::span<Event const> some) { events.add(thread, some); });
    return events.finish();
}

Result<void> check_shares(Timeline const& timeline) {
    ShareCheck shares(timeline.catalogue);
    hand_over_shares(timeline,
                     [&](ThreadId thread, std::span<WorkShare const> some) { shares.add(thread, some); });
    std::vector<std::uint64_t> events;
    for (auto const& of_thread : timeline.events)
        events.push_back(of_thread.size());
    return shares.finish(events);
}

bool columns_have_equal_length(IntervalColumns const& rows) {
    std::size_t const size = rows.size();
    return rows.end.size() == size && rows.thread.size() == size && rows.cpu.size() == size &&
           rows.state.size() == size && rows.object.size() == size && rows.releaser.size() == size &&
           rows.site.size() == size;
}

char const* problem_with_row(IntervalColumns const& rows, std::size_t i, Timeline const& timeline) {
    Catalogue const& catalogue = timeline.catalogue;
    if (rows.begin[i] >= rows.end[i])
        return "has no length";
    if (rows.thread[i].index() >= catalogue.threads.size() || !is_in(rows.cpu[i].value, timeline.cpus) ||
        static_cast<std::size_t>(rows.state[i]) >= thread_state_count ||
        !is_in(rows.object[i].value, catalogue.objects.size()) ||
        !is_in(rows.releaser[i].value, catalogue.threads.size()) ||
        !is_in(rows.site[i].value, catalogue.sites.size())) {
        return "refers to a thread, processor, object, state or site that does not exist";
    }
    if (i > 0 && rows.thread[i] < rows.thread[i - 1])
        return "is not in the order of threads";
    if (i > 0 && rows.thread[i] == rows.thread[i - 1] && rows.begin[i] != rows.end[i - 1])
        return "overlaps its predecessor or leaves a gap after it";
    return nullptr;
}

Result<void> check_processors(IntervalColumns const& rows, std::uint32_t cpus) {
    std::vector<std::vector<std::pair<Instant, Instant>>> on_cpu(cpus);
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (!rows.cpu[i].is_none())
            on_cpu[rows.cpu[i].index()].emplace_back(rows.begin[i], rows.end[i]);
    for (std::size_t cpu = 0; cpu < on_cpu.size(); ++cpu) {
        std::sort(on_cpu[cpu].begin(), on_cpu[cpu].end());
        for (std::size_t i = 1; i < on_cpu[cpu].size(); ++i) {
            if (on_cpu[cpu][i].first < on_cpu[cpu][i - 1].second) {
                return violation("processor " + std::to_string(cpu) + " runs two threads at " +
                                 std::to_string(on_cpu[cpu][i].first.ns) + " ns");
            }
        }
    }
    return {};
}

Result<void> check_intervals(Timeline const& timeline) {
    IntervalColumns const& rows = *timeline.intervals;
    if (!columns_have_equal_length(rows))
        return violation("the columns of the intervals differ in length");
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (char const* const problem = problem_with_row(rows, i, timeline))
            return violation("interval " + std::to_string(i) + " " + problem + "");
    return check_processors(rows, timeline.cpus);
}

}  // namespace

void EventCheck::add(ThreadId thread, std::span<Event const> events) {
    end_threads_before(thread.index());
    for (Event const& event : events) {
        if (violation_)
            return;
        check(event);
    }
    if (!events.empty())
        last_ = events.back();
}

Result<void> EventCheck::finish() {
    end_threads_before(catalogue_.threads.size());
    if (violation_)
        return violation(*violation_);
    return {};
}

void EventCheck::end_threads_before(std::size_t thread) {
    for (; thread_ < thread && !violation_; ++thread_)
        end_thread();
}

void EventCheck::end_thread() {
    std::string const name = "thread " + std::to_string(thread_);
    bool const has_end =
        count_ > 0 && (last_.kind == EventKind::thread_end || last_.kind == EventKind::process_exit);
    if (!has_end)
        violation_ = "the events of " + name + " do not end with its end";
    else if (last_.wall_ns + last_.span_ns > length_.ns)
        violation_ = name + " ends after the timeline does";
    count_ = 0;
    previous_wall_ns_ = 0;
}

void EventCheck::check(Event const& event) {
    if (char const* const problem = problem_with(event, previous_wall_ns_, catalogue_)) {
        violation_ =
            "event " + std::to_string(count_) + " of thread " + std::to_string(thread_) + " " + problem;
    } else if (__builtin_add_overflow(cpu_ns_, event.cpu_ns, &cpu_ns_) ||
               __builtin_add_overflow(cpu_ns_, event.cpu_inside_ns, &cpu_ns_)) {
        violation_ = "the CPU time of thread " + std::to_string(thread_) + " is beyond the range of times";
    }
    previous_wall_ns_ = event.wall_ns;
    ++count_;
}

Result<void> check_names(Timeline const& timeline) {
    auto catalogue = check_catalogue(timeline.catalogue);
    return catalogue ? check_busy_waits(timeline) : catalogue;
}

Result<void> check(Timeline const& timeline) {
    if (auto names = check_names(timeline); !names)
        return names;
    if (timeline.origin == Origin::recorded) {
        auto events = check_events(timeline);
        return events ? check_shares(timeline) : events;
    }
    return timeline.intervals ? check_intervals(timeline) : Result<void>{};
}

}  // namespace parcast
