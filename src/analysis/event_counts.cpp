#include "analysis/event_counts.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "timeline/event_sink.h"

namespace parcast::analysis {

namespace {

enum class Direction : std::uint8_t {
    none,   // no event: the program's work
    end,    // of the thread
    read,   // waits
    write,  // does not
};

struct EventTraits {
    EventKind kind;
    Direction direction;
    bool
        keeps_work_inside;  // CPU time in the call is the thread's, wherever it runs: not the way into a wait
    bool has_bytes;         // its value is
};

// A row for each kind of call.
constexpr auto event_traits = [] {
    using enum EventKind;
    using enum Direction;
    constexpr bool yes = true;
    constexpr bool no = false;
    return std::to_array<EventTraits>({
        {thread_begin, none, no, no},
        {thread_end, end, no, no},
        {thread_create, write, yes, no},
        {thread_join, read, no, no},
        {thread_detach, write, no, no},
        {lock, read, no, no},
        {try_lock, read, no, no},
        {timed_lock, read, no, no},
        {unlock, write, no, no},
        {read_lock, read, no, no},
        {try_read_lock, read, no, no},
        {timed_read_lock, read, no, no},
        {write_lock, read, no, no},
        {try_write_lock, read, no, no},
        {timed_write_lock, read, no, no},
        {read_write_unlock, write, no, no},
        {condition_wait, read, no, no},
        {timed_condition_wait, read, no, no},
        {condition_signal, write, no, no},
        {condition_broadcast, write, no, no},
        {barrier_wait, read, no, no},
        {semaphore_wait, read, no, no},
        {try_semaphore_wait, read, no, no},
        {timed_semaphore_wait, read, no, no},
        {semaphore_post, write, no, no},
        {once, read, no, no},
        {futex_wait, read, no, no},
        {timed_futex_wait, read, no, no},
        {futex_wake, write, no, no},
        {sleep, read, no, no},
        {yield, none, yes, no},
        {input, read, yes, yes},
        {output, write, yes, yes},
        {poll, read, yes, no},
        {open_close, write, yes, no},
        {sync, write, yes, no},
        {set_affinity, none, no, no},
        {set_priority, none, no, no},
        {fork, write, yes, no},
        {exec, write, yes, no},
        {spawn, write, yes, no},
        {wait_child, read, yes, no},
        {object_init, none, no, no},
        {object_destroy, none, no, no},
        {process_exit, end, no, no},
        {set_concurrency, none, no, no},
    });
}();
static_assert(event_traits.size() == event_kind_count);
static_assert(
    [] {
        for (std::size_t row = 0; row < event_kind_count; ++row)
            if (event_traits[row].kind != static_cast<EventKind>(row))
                return false;
        return true;
    }(),
    "a row for every kind, in the order of EventKind");

constexpr EventTraits const& traits_of_event(EventKind kind) {
    return event_traits[static_cast<std::size_t>(kind)];
}

// The last to arrive at a barrier does not wait: the call is the work of waking the others.
bool keeps_work_inside(Event const& event) {
    return traits_of_event(event.kind).keeps_work_inside ||
           (event.kind == EventKind::barrier_wait && event.value == 1);
}

// Waits whose length the replay takes from the recording.
bool lasts_as_recorded(EventKind kind) {
    switch (kind) {
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync:
        case EventKind::wait_child:
        case EventKind::sleep: return true;
        default: return false;
    }
}

// Objects of one kind and symbol, as the locks of an array have, are one for a reader; so are those without a
// name that are first used at one place.
std::vector<std::uint32_t> names_of_objects(Catalogue const& catalogue) {
    std::map<std::pair<ObjectKind, std::string>, std::uint32_t> by_name;
    std::map<std::pair<ObjectKind, std::uint32_t>, std::uint32_t> by_site;
    std::vector<std::uint32_t> names;
    names.reserve(catalogue.objects.size());
    for (std::uint32_t i = 0; i < catalogue.objects.size(); ++i) {
        Object const& object = catalogue.objects[i];
        names.push_back(object.name.empty()
                            ? by_site.try_emplace({object.kind, object.first_site.value}, i).first->second
                            : by_name.try_emplace({object.kind, object.name}, i).first->second);
    }
    return names;
}

}  // namespace

EventCounter::EventCounter(Timeline const& recorded, Duration same_event)
    : prices_(recording_prices(recorded)),
      same_event_ns_(static_cast<double>(same_event.ns)),
      name_of_object_(names_of_objects(recorded.catalogue)) {
    counts_.threads.resize(recorded.catalogue.threads.size());
    // The begins and ends of threads.
    counts_.places.push_back({});
}

void EventCounter::add(ThreadId thread, std::span<Event const> events) {
    if (has_begun_ && thread != thread_)
        end_thread();
    thread_ = thread;
    for (Event const& event : events)
        add(event);
}

void EventCounter::add(Event const& event) {
    auto& thread = counts_.threads[thread_.index()];
    if (!has_begun_) {
        has_begun_ = true;
        thread.events = 1;
        ++counts_.places.front().events;
    }
    auto const cost = recording_cost(event, prices_);
    auto const traits = traits_of_event(event.kind);
    work_ns_ += static_cast<double>(event.cpu_ns) - cost.outside_ns;
    double const inside =
        keeps_work_inside(event) ? static_cast<double>(event.cpu_inside_ns) - cost.inside_ns : 0;
    if (traits.direction == Direction::none) {
        work_ns_ += inside;
        return;
    }
    if (std::max(0.0, work_ns_) >= same_event_ns_) {
        thread.active_ns += std::max(0.0, work_ns_);
        work_ns_ = std::min(0.0, work_ns_);
        end_event();
        begin_event(event);
    } else if (work_ns_ > 0) {
        open_.communicating_ns += std::exchange(work_ns_, 0);
    }
    has_ended_ = traits.direction == Direction::end;
    if (has_ended_)
        return;
    ++thread.calls;
    open_.communicating_ns += inside;
    open_.is_read = open_.is_read || traits.direction == Direction::read;
    open_.is_write = open_.is_write || traits.direction == Direction::write;
    if (lasts_as_recorded(event.kind)) {
        auto const waited = std::max<std::int64_t>(0, event.span_ns - event.cpu_inside_ns);
        (traits.direction == Direction::read ? open_.read_wait_ns : open_.write_wait_ns) += waited;
    }
    if (traits.has_bytes && event.outcome == Outcome::done)
        thread.data_bytes += std::max<std::int64_t>(0, event.value);
}

void EventCounter::begin_event(Event const& event) {
    ++counts_.threads[thread_.index()].events;
    ++count_at(event);
}

std::int64_t& EventCounter::count_at(Event const& event) {
    if (traits_of_event(event.kind).direction == Direction::end)
        return counts_.places.front().events;
    auto const object = event.object.is_none() || event.object.index() >= name_of_object_.size()
                            ? event.object
                            : ObjectId(name_of_object_[event.object.index()]);
    auto const key = std::uint64_t{event.site.value} << 32 | object.value;
    // Most calls are made where the one before was.
    if (last_place_ == 0 || key != last_key_) {
        auto const [found, is_new] =
            place_at_.try_emplace(key, static_cast<std::uint32_t>(counts_.places.size()));
        if (is_new)
            counts_.places.push_back({object, event.site, event.kind, 0});
        last_key_ = key;
        last_place_ = found->second;
    }
    return counts_.places[last_place_].events;
}

void EventCounter::end_event() {
    auto& thread = counts_.threads[thread_.index()];
    auto const& done = std::as_const(open_);
    thread.communicating_ns += done.communicating_ns;
    thread.read_wait_ns += done.read_wait_ns;
    thread.write_wait_ns += done.write_wait_ns;
    if (done.is_read)
        ++thread.reads;
    if (done.is_write && !done.is_read) {
        ++thread.writes;
        thread.writing_ns += done.communicating_ns;
    }
    open_ = {};
}

// A thread that never ends has its last event where the recording ends.
void EventCounter::end_thread() {
    if (!has_begun_)
        return;
    auto& thread = counts_.threads[thread_.index()];
    end_event();
    if (!has_ended_) {
        thread.active_ns += std::max(0.0, work_ns_);
        ++thread.events;
        ++counts_.places.front().events;
    }
    work_ns_ = 0;
    has_begun_ = false;
    has_ended_ = false;
}

EventCounts EventCounter::finish() {
    end_thread();
    return std::move(counts_);
}

EventCounts count_events(Timeline const& recorded, Duration same_event) {
    EventCounter counter(recorded, same_event);
    hand_over_events(recorded,
                     [&](ThreadId thread, std::span<Event const> events) { counter.add(thread, events); });
    return counter.finish();
}

}  // namespace parcast::analysis
