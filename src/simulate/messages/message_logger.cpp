#include "simulate/messages/message_logger.h"

#include <algorithm>
#include <tuple>

namespace parcast::simulate {

namespace {

MessagePathSegment::What what_of(MessageInterval const& interval) {
    switch (interval.state) {
        case MessageInterval::State::computing: return MessagePathSegment::What::computing;
        case MessageInterval::State::communicating: return MessagePathSegment::What::communicating;
        case MessageInterval::State::waiting: break;
    }
    return MessagePathSegment::What::gap;
}

}  // namespace

MessageLog MessageLogger::finish(Duration completion) {
    log_.critical_path = critical_path(completion);
    std::erase_if(log_.intervals,
                  [](MessageInterval const& interval) { return interval.begin == interval.end; });
    std::ranges::sort(log_.intervals, {}, [](MessageInterval const& interval) {
        return std::tuple(interval.rank, interval.cpu, interval.begin);
    });
    std::ranges::sort(log_.messages, {}, [](MessageTransfer const& message) {
        return std::tuple(message.sent, message.from, message.send);
    });
    return std::move(log_);
}

// From the completion backwards: from an interval to what it begins after.
std::vector<MessagePathSegment> MessageLogger::critical_path(Duration completion) const {
    std::vector<MessagePathSegment> path;
    Instant now{completion.ns};
    std::uint32_t rank = 0;
    std::uint32_t operation = 0;
    std::uint8_t cpu = 0;
    auto const reach = [&](Instant begin, MessagePathSegment::What what) {
        if (begin >= now)
            return;
        path.push_back({begin, now, rank, operation, what, cpu});
        now = begin;
    };
    MessageCause cause;
    for (auto const& last : last_)
        if (last.on_cpu.what == MessageCause::What::interval && cause.what == MessageCause::What::nothing &&
            log_.intervals[last.on_cpu.number].end == now)
            cause = last.on_cpu;
    while (cause.what != MessageCause::What::nothing && now > Instant{}) {
        auto number = cause.number;
        if (cause.what == MessageCause::What::message) {
            reach(log_.messages[number].left, MessagePathSegment::What::in_flight);
            number = ends_[number].send.number;
        }
        auto const& interval = log_.intervals[number];
        if (cause.what == MessageCause::What::interval)
            reach(interval.end, MessagePathSegment::What::gap);
        rank = interval.rank;
        operation = interval.operation;
        cpu = interval.cpu;
        reach(interval.begin, what_of(interval));
        cause = causes_[number];
    }
    std::ranges::reverse(path);
    return path;
}

}  // namespace parcast::simulate
