#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "extract/passes/passes.h"

namespace parcast::extract {

namespace {

constexpr KindSet beginnings{EventKind::object_init};
constexpr KindSet uses{EventKind::input, EventKind::output, EventKind::open_close};

// What is written to `writing` is read from `reading`: the same descriptor for an event counter.
struct Channel {
    std::uint32_t reading = no_object;
    std::uint32_t writing = no_object;
};

struct Transfer {
    std::int64_t began_ns = 0;
    std::int64_t ended_ns = 0;
    std::int64_t bytes = 0;
    EventReference event;
};

// By object: what was read or written, in its order, and when the descriptor was closed.
struct Use {
    std::vector<Transfer> reads;
    std::vector<Transfer> writes;
    std::int64_t closed_ns = std::numeric_limits<std::int64_t>::max();
};

bool is_descriptor(Timeline const& recorded, Event const& event) {
    return !event.object.is_none() &&
           recorded.catalogue.objects[event.object.index()].kind == ObjectKind::descriptor;
}

// The two ends of a pipe, or of a pair of sockets, are noted one after the other.
std::vector<Channel> channels_of(Timeline const& recorded, Plan const& plan) {
    std::vector<Channel> channels;
    for_each_event(recorded, plan.kinds, beginnings, [&](EventReference reference, Event const& event) {
        if (!is_descriptor(recorded, event) || event.value < 0)
            return;
        auto const& events = recorded.events[reference.thread.index()];
        auto const is_end = [&](Event const& other) {
            return other.kind == EventKind::object_init && is_descriptor(recorded, other) &&
                   std::cmp_equal(recorded.catalogue.objects[other.object.index()].address, event.value);
        };
        for (std::size_t at = reference.index == 0 ? 0 : reference.index - 1;
             at < events.size() && at <= reference.index + std::size_t{1}; ++at)
            if (Event const other = events[at]; is_end(other)) {
                channels.push_back({event.object.value, other.object.value});
                return;
            }
    });
    return channels;
}

using Uses = std::map<std::uint32_t, Use>;

Uses uses_of(Timeline const& recorded, Plan const& plan, std::vector<Channel> const& channels) {
    Uses found;
    for (Channel const& channel : channels) {
        found[channel.reading];
        found[channel.writing];
    }
    for_each_event(recorded, plan.kinds, uses, [&](EventReference reference, Event const& event) {
        auto const of = found.find(event.object.value);
        if (of == found.end() || event.outcome != Outcome::done)
            return;
        Use& use = of->second;
        if (event.kind == EventKind::open_close)
            use.closed_ns = std::min(use.closed_ns, event.wall_ns);
        else if (event.value > 0)
            (event.kind == EventKind::input ? use.reads : use.writes)
                .push_back({event.wall_ns, return_ns(event), event.value, reference});
    });
    for (auto& [object, use] : found) {
        for (auto* const transfers : {&use.reads, &use.writes}) {
            std::erase_if(*transfers, [&](Transfer const& each) { return each.began_ns >= use.closed_ns; });
            std::sort(transfers->begin(), transfers->end(), [](Transfer const& a, Transfer const& b) {
                return std::tie(a.ended_ns, a.event) < std::tie(b.ended_ns, b.event);
            });
        }
    }
    return found;
}

struct Dependency {
    std::size_t write = 0;
    std::size_t read = 0;
};

// Rule 2: the write that brought the last byte of each read. None at all if a read has more than was written:
// another process writes as well.
std::vector<Dependency> by_bytes(Use const& reading, Use const& writing) {
    std::vector<Dependency> found;
    std::int64_t written = 0;
    std::int64_t read = 0;
    std::size_t write = 0;
    for (std::size_t at = 0; at < reading.reads.size(); ++at) {
        read += reading.reads[at].bytes;
        for (; written < read; ++write) {
            if (write == writing.writes.size() ||
                writing.writes[write].began_ns >= reading.reads[at].ended_ns)
                return {};
            written += writing.writes[write].bytes;
        }
        found.push_back({write - 1, at});
    }
    return found;
}

// Rule 3: the first write that the read before did not see. Its writer may be preempted before it returns, so
// it counts from its beginning. A write that had begun when the read before ended may have taken place after
// it: a read that would have none was for the last of those.
std::vector<Dependency> by_count(Use const& counter) {
    std::vector<std::size_t> in_order(counter.writes.size());
    std::iota(in_order.begin(), in_order.end(), std::size_t{0});
    std::ranges::stable_sort(in_order, {}, [&](std::size_t each) { return counter.writes[each].began_ns; });
    std::vector<Dependency> found;
    std::size_t next = 0;
    for (std::size_t at = 0; at < counter.reads.size(); ++at) {
        auto const is_before = [&](std::size_t each) {
            return each < in_order.size() &&
                   counter.writes[in_order[each]].began_ns < counter.reads[at].ended_ns;
        };
        if (is_before(next))
            found.push_back({in_order[next], at});
        else if (next > 0)
            found.push_back({in_order[next - 1], at});
        while (is_before(next))
            ++next;
    }
    return found;
}

// Rule 4: the thread's poll before the read during which the write came. It may have waited for something
// else since, such as a lock that the writer had.
void drop_poll_before(Timeline const& recorded, EventReference read, Transfer const& write, Plan& plan) {
    auto const& events = recorded.events[read.thread.index()];
    for (std::uint32_t at = read.index; at > 0; --at) {
        Event const event = events[at - 1];
        if (event.kind == EventKind::poll && event.blocked && event.outcome == Outcome::done &&
            event.wall_ns <= write.ended_ns && write.began_ns < return_ns(event)) {
            plan.channel_events.push_back({read.thread, at - 1});
            return;
        }
        if (event.wall_ns < write.began_ns)
            return;
    }
}

void plan_channel(Timeline const& recorded, Channel const& channel, Uses const& all, Plan& plan) {
    Use const& reading = all.at(channel.reading);
    Use const& writing = all.at(channel.writing);
    auto dependencies = channel.reading == channel.writing ? by_count(reading) : by_bytes(reading, writing);
    std::erase_if(dependencies, [&](Dependency const& each) {
        return writing.writes[each.write].event.thread == reading.reads[each.read].event.thread;
    });
    std::uint32_t taken = 0;
    for (std::size_t i = 0; i < dependencies.size();) {
        auto const write = dependencies[i].write;
        std::uint32_t const first = taken;
        for (; i < dependencies.size() && dependencies[i].write == write; ++i) {
            EventReference const read = reading.reads[dependencies[i].read].event;
            plan.at(read) = operation(OperationKind::semaphore_wait, channel.reading, encode_number(taken++));
            plan.channel_events.push_back(read);
            drop_poll_before(recorded, read, writing.writes[write], plan);
        }
        plan.channel_events.push_back(writing.writes[write].event);
        plan.at(writing.writes[write].event) = operation(OperationKind::semaphore_post, channel.reading,
                                                         encode(TokenGrant{taken - first, first}));
    }
    plan.doubts.channel_waits += taken;
}

}  // namespace

void plan_channels(Timeline const& recorded, Plan& plan) {
    auto const channels = channels_of(recorded, plan);
    if (channels.empty())
        return;
    auto const all = uses_of(recorded, plan, channels);
    for (Channel const& channel : channels)
        plan_channel(recorded, channel, all, plan);
    std::sort(plan.channel_events.begin(), plan.channel_events.end());
}

}  // namespace parcast::extract
