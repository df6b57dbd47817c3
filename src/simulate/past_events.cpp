#include "simulate/past_events.h"

#include <algorithm>

namespace parcast::simulate {

PastEvents::PastEvents(ThreadProgram const& program)
    : units_(program.objects.size()), ends_(program.lists.size()), coming_(program.lists.size()) {
    for (std::size_t object = 0; object < units_.size(); ++object)
        units_[object].initial = program.objects[object].initial_count;
}

std::optional<PastEvents::Event> PastEvents::taken_unit(Units& units) {
    if (units.initial > 0) {
        --units.initial;
        return std::nullopt;
    }
    if (units.posted.empty())
        return std::nullopt;
    auto const event = units.posted.front();
    units.posted.pop_front();
    return event;
}

std::optional<PastEvents::Event> PastEvents::executed(ThreadId thread, Operation const& operation,
                                                      semantics::Progress progress,
                                                      semantics::Operations& operations, std::int64_t now,
                                                      CpuId place) {
    using semantics::Progress;
    Event const here{now, thread, place};
    auto const& releases = operations.releases();
    switch (operation.kind()) {
        case OperationKind::semaphore_post:
        case OperationKind::condition_signal: {
            auto const tokens = static_cast<std::int64_t>(decode_grant(operation.value).tokens);
            auto const taken = static_cast<std::int64_t>(releases.size());
            auto& posted = units_[operation.object_id().index()].posted;
            posted.insert(posted.end(), static_cast<std::size_t>(std::max<std::int64_t>(0, tokens - taken)),
                          here);
            return std::nullopt;
        }
        case OperationKind::condition_wait: {
            if (progress != Progress::proceeds)
                return std::nullopt;
            auto const token = taken_unit(units_[operation.object_id().index()]);
            return decode_wait(operation.value).mutex.is_none() ? token : std::nullopt;
        }
        case OperationKind::semaphore_wait:
            return progress == Progress::proceeds ? taken_unit(units_[operation.object_id().index()])
                                                  : std::nullopt;
        case OperationKind::end: ends_[thread.index()] = here; return std::nullopt;
        case OperationKind::join:
        case OperationKind::join_any:
            return progress == Progress::proceeds && !operations.joined().is_none()
                       ? std::optional(ends_[operations.joined().index()])
                       : std::nullopt;
        case OperationKind::activate:
        case OperationKind::accept:
            if (progress == Progress::blocks)
                coming_[thread.index()] = here;
            return progress == Progress::proceeds && operation.kind() == OperationKind::accept &&
                           !releases.empty()
                       ? std::optional(coming_[releases.front().thread.index()])
                       : std::nullopt;
        default: return std::nullopt;
    }
}

}  // namespace parcast::simulate
