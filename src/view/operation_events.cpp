#include "view/columns.h"

#include <algorithm>
#include <numeric>

namespace parcast::view {

namespace {

// What the operation is about: an object, a thread, or nothing.
std::uint32_t subject(ThreadProgram const& program, Operation const& operation) {
    return names_thread(operation.kind()) ? operation.object : object_of(program, operation).value;
}

struct Events {
    std::vector<std::uint32_t> first;  // by thread; one more: all
    std::vector<double> time;
    std::vector<std::uint8_t> kind;
    std::vector<std::uint32_t> subject;
    std::vector<std::uint32_t> site;
};

// Of operations; under the client-server model that is not their order in the list.
std::vector<std::size_t> in_order_of_time(std::vector<Instant> const& arrivals) {
    std::vector<std::size_t> order(arrivals.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (!std::ranges::is_sorted(arrivals))
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return arrivals[i]; });
    return order;
}

Events events_of(ThreadProgram const& program, std::vector<std::vector<Instant>> const& arrivals) {
    Events events;
    events.first.push_back(0);
    for (std::size_t thread = 0; thread < arrivals.size(); ++thread) {
        for (std::size_t const i : in_order_of_time(arrivals[thread])) {
            auto const operation = program.lists[thread][i];
            events.time.push_back(static_cast<double>(arrivals[thread][i].ns));
            events.kind.push_back(static_cast<std::uint8_t>(operation.kind()));
            events.subject.push_back(subject(program, operation));
            events.site.push_back(operation.site().value);
        }
        events.first.push_back(static_cast<std::uint32_t>(events.time.size()));
    }
    return events;
}

// Events of one object stand together, in the order of time, then thread, then their own.
void add_by_object(SectionWriter& writer, Events const& events, std::size_t objects) {
    auto const has_object = [&](std::size_t event) {
        return !names_thread(static_cast<OperationKind>(events.kind[event])) &&
               events.subject[event] < objects;
    };
    std::vector<std::uint32_t> first(objects + 1);
    for (std::size_t event = 0; event < events.time.size(); ++event)
        if (has_object(event))
            ++first[events.subject[event] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::uint32_t> order(first.back());
    auto next = first;
    for (std::size_t event = 0; event < events.time.size(); ++event)
        if (has_object(event))
            order[next[events.subject[event]]++] = static_cast<std::uint32_t>(event);
    for (std::size_t object = 0; object < objects; ++object) {
        std::stable_sort(order.begin() + first[object], order.begin() + first[object + 1],
                         [&](std::uint32_t a, std::uint32_t b) { return events.time[a] < events.time[b]; });
    }
    writer.add("object.event.first", first);
    writer.add("object.event", order);
}

void add(SectionWriter& writer, Events const& events, std::size_t objects) {
    writer.add("event.first", events.first);
    writer.add("event.time", events.time);
    writer.add("event.kind", events.kind);
    writer.add("event.object", events.subject);
    writer.add("event.site", events.site);
    add_by_object(writer, events, objects);
}

}  // namespace

void add_events(SectionWriter& writer, ThreadProgram const& program,
                std::vector<std::vector<Instant>> const& arrivals) {
    add(writer, events_of(program, arrivals), program.objects.size());
}

void add_no_events(SectionWriter& writer, std::size_t threads, std::size_t objects) {
    Events none;
    none.first.resize(threads + 1);
    add(writer, none, objects);
}

}  // namespace parcast::view
