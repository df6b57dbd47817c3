#include "timeline/run_of_messages.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace parcast {

namespace {

using State = MessageInterval::State;

ThreadId lane_of(MessageRun const& run, std::uint32_t rank, std::uint32_t cpu) {
    return ThreadId(std::size_t{rank} * run.cpus + cpu);
}

Accounts accounts_of(MessageRun const& run) {
    Accounts accounts;
    accounts.cpus = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(run.accounts.size()));
    accounts.completion = run.completion;
    accounts.operations = run.operations;
    accounts.objects.resize(message_wait_count);
    for (auto const& cpu : run.accounts) {
        auto& thread = accounts.threads.emplace_back();
        thread.ended = cpu.ended;
        thread[ThreadState::running] = cpu.computing;
        thread[ThreadState::communicating] = cpu.communicating;
        thread[ThreadState::blocked] = cpu.waiting();
        accounts.busy += cpu.computing;
        accounts.communicating += cpu.communicating;
        for (std::size_t wait = 0; wait < message_wait_count; ++wait) {
            accounts.objects[wait].waiting += cpu.waiting_for[wait];
            accounts.objects[wait].idle_processors += cpu.waiting_for[wait];
        }
        accounts.idle.message += cpu.waiting();
        accounts.idle.no_thread += run.completion - (cpu.ended - Instant{});
    }
    return accounts;
}

Deadlock deadlock_of(MessageRun const& run) {
    Deadlock deadlock{Instant{run.completion.ns}, {}};
    std::vector<bool> is_told(run.ranks.size(), false);
    for (auto const* list : {&run.unmatched_receives, &run.unmatched_sends})
        for (auto const& each : *list) {
            if (!each.is_stuck || is_told[each.rank])
                continue;
            is_told[each.rank] = true;
            bool const is_known = each.peer < run.ranks.size();
            deadlock.threads.push_back(
                {.thread = lane_of(run, each.rank, 0),
                 .awaited_thread = is_known ? lane_of(run, each.peer, 0) : ThreadId::none(),
                 .awaited = is_known ? Awaited::thread : Awaited::any_thread});
        }
    std::ranges::sort(deadlock.threads, {}, &StuckThread::thread);
    return deadlock;
}

IntervalColumns columns_of(MessageRun const& run) {
    IntervalColumns rows;
    auto const& intervals = run.log->intervals;
    for (auto* const column : {&rows.begin, &rows.end})
        column->reserve(intervals.size());
    for (auto const& each : intervals) {
        auto const lane = lane_of(run, each.rank, each.cpu);
        bool const waits = each.state == State::waiting;
        auto const by = lane_of(run, each.peer, each.peer_cpu);
        rows.begin.push_back(each.begin);
        rows.end.push_back(each.end);
        rows.thread.push_back(lane);
        rows.cpu.push_back(CpuId::none());
        rows.state.push_back(waits                                ? ThreadState::blocked
                             : each.state == State::communicating ? ThreadState::communicating
                                                                  : ThreadState::running);
        rows.object.push_back(waits ? ObjectId(static_cast<std::size_t>(each.wait)) : ObjectId::none());
        rows.releaser.push_back(waits && by != lane ? by : ThreadId::none());
        rows.site.push_back(SiteId::none());
    }
    return rows;
}

// What a rank's CPUs do over time, to look a part of it up.
class LanesOfRun {
public:
    explicit LanesOfRun(MessageRun const& run) : run_(run), first_(run.accounts.size() + 1) {
        for (auto const& each : run.log->intervals)
            ++first_[lane_of(run, each.rank, each.cpu).index() + 1];
        for (std::size_t lane = 1; lane < first_.size(); ++lane)
            first_[lane] += first_[lane - 1];
    }

    // What the lane does for most of the time between two instants; before its first interval it computes.
    State mostly(std::size_t lane, Instant begin, Instant end) const {
        auto const& intervals = run_.log->intervals;
        auto const rows = intervals.begin();
        auto row = std::partition_point(rows + first_[lane], rows + first_[lane + 1],
                                        [&](auto const& each) { return each.end <= begin; });
        std::array<Duration, 3> times{};
        for (; row != rows + first_[lane + 1] && row->begin < end; ++row)
            times[static_cast<std::size_t>(row->state)] +=
                std::min(row->end, end) - std::max(row->begin, begin);
        return static_cast<State>(std::ranges::max_element(times) - times.begin());
    }

private:
    MessageRun const& run_;
    std::vector<std::int64_t> first_;
};

MessageDelay delay_by(State sender) {
    switch (sender) {
        case State::computing: return MessageDelay::sender_computes;
        case State::communicating: return MessageDelay::sender_communicates;
        case State::waiting: break;
    }
    return MessageDelay::sender_waits;
}

// What the log says about the reception of a message, by the number of its send.
struct Reception {
    std::optional<Instant> begin;  // of the receiver's overhead
    std::optional<Instant> waits_since;
    Duration waits;      // the receiver for it
    Duration interface;  // it for the receiver's interface
};

std::vector<Reception> receptions_of(MessageLog const& log) {
    std::vector<std::uint32_t> by_send;
    for (std::uint32_t message = 0; message < log.messages.size(); ++message) {
        auto const send = log.messages[message].send;
        if (by_send.size() <= send)
            by_send.resize(std::size_t{send} + 1, std::numeric_limits<std::uint32_t>::max());
        by_send[send] = message;
    }
    std::vector<Reception> all(log.messages.size());
    for (auto const& each : log.intervals) {
        if (each.operation >= by_send.size() || by_send[each.operation] >= all.size())
            continue;
        auto const number = by_send[each.operation];
        auto const& message = log.messages[number];
        // Of a message of a rank to itself, what begins with the send is not its reception.
        if (each.rank != message.to || (message.from == message.to && each.begin <= message.sent))
            continue;
        auto& reception = all[number];
        if (each.state == State::communicating) {
            reception.begin = each.begin;
        } else if (each.state == State::waiting && each.wait == MessageWait::gap) {
            reception.interface += each.end - each.begin;
        } else if (each.state == State::waiting && each.end == message.arrived) {
            reception.waits_since = each.begin;
            reception.waits += each.end - each.begin;
        }
    }
    return all;
}

void explain(Message& message, MessageTransfer const& transfer, Reception const& reception,
             LanesOfRun const& lanes) {
    auto const say = [&](MessageDelay delay, Duration late) {
        message.delay = delay;
        message.late = late;
    };
    if (!transfer.receive)
        return say(MessageDelay::never_received, {});
    if (reception.waits_since && *reception.waits_since < transfer.sent)
        return say(delay_by(lanes.mostly(message.from.index(), *reception.waits_since, transfer.sent)),
                   reception.waits);
    if (reception.waits_since)
        return say(MessageDelay::in_flight, reception.waits);
    if (reception.interface > Duration{0})
        return say(MessageDelay::receiver_interface, reception.interface);
    if (transfer.received > transfer.taken)
        return say(MessageDelay::not_posted, transfer.received - transfer.taken);
    if (auto const begin = reception.begin.value_or(transfer.taken); begin > transfer.arrived)
        return say(MessageDelay::receiver_busy, begin - transfer.arrived);
}

std::vector<Message> messages_of(MessageRun const& run) {
    auto const& log = *run.log;
    auto const receptions = receptions_of(log);
    LanesOfRun const lanes(run);
    std::vector<Message> messages;
    messages.reserve(log.messages.size());
    for (std::size_t each = 0; each < log.messages.size(); ++each) {
        auto const& transfer = log.messages[each];
        auto& message = messages.emplace_back(
            Message{.from = lane_of(run, transfer.from, transfer.cpu),
                    .to = lane_of(run, transfer.to, transfer.cpu),
                    .sent = transfer.sent,
                    .left = transfer.left,
                    .arrived = transfer.arrived,
                    .received = std::max({transfer.arrived, transfer.taken,
                                          transfer.receive ? transfer.received : transfer.taken}),
                    .bytes = transfer.bytes,
                    .tag = transfer.tag,
                    .delay = MessageDelay::none,
                    .late = {}});
        explain(message, transfer, receptions[each], lanes);
    }
    return messages;
}

// What follows on one lane is one segment; on it, the interface's gap is the rank's own time.
std::vector<PathSegment> path_of(MessageRun const& run) {
    std::vector<PathSegment> path;
    for (auto const& each : run.log->critical_path) {
        PathSegment const segment{lane_of(run, each.rank, each.cpu), each.begin, each.end,
                                  each.what == MessagePathSegment::What::in_flight};
        if (!path.empty() && path.back().thread == segment.thread &&
            path.back().is_in_flight == segment.is_in_flight)
            path.back().end = segment.end;
        else
            path.push_back(segment);
    }
    return path;
}

}  // namespace

Catalogue catalogue_of_messages(std::uint32_t ranks, std::uint32_t cpus) {
    Catalogue catalogue;
    for (std::uint32_t rank = 0; rank < ranks; ++rank)
        for (std::uint32_t cpu = 0; cpu < cpus; ++cpu) {
            auto& thread = catalogue.threads.emplace_back();
            thread.name = "rank " + std::to_string(rank);
            if (cpus > 1)
                thread.name += ", CPU " + std::to_string(cpu);
        }
    for (auto const& wait : message_waits) {
        auto& object = catalogue.objects.emplace_back();
        object.kind = ObjectKind::message;
        object.name = wait.name;
    }
    return catalogue;
}

Run run_of(MessageRun run) {
    Run whole;
    whole.accounts = accounts_of(run);
    if (run.is_deadlocked)
        whole.deadlock = deadlock_of(run);
    if (!run.log)
        return whole;
    for (auto const& each : run.log->critical_path)
        if (each.what == MessagePathSegment::What::computing)
            whole.accounts.path_busy += each.end - each.begin;
    auto& timeline = whole.timeline.emplace();
    timeline.origin = Origin::predicted;
    timeline.catalogue = catalogue_of_messages(static_cast<std::uint32_t>(run.ranks.size()), run.cpus);
    timeline.cpus = whole.accounts.cpus;
    timeline.length = run.completion;
    timeline.messages = messages_of(run);
    timeline.intervals = columns_of(run);
    if (!run.is_deadlocked)
        timeline.critical_path = path_of(run);
    return whole;
}

}  // namespace parcast
