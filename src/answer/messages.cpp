#include "answer/messages.h"

#include <algorithm>

namespace parcast {

namespace {

RankTimes times_of_rank(MessageRun const& run, std::uint32_t rank) {
    RankTimes times;
    times.finish = run.ranks[rank].finished - Instant{};
    for (std::uint32_t cpu = 0; cpu < run.cpus; ++cpu) {
        auto const& account = run.account(rank, cpu);
        times.computing += account.computing;
        times.communicating += account.communicating;
        times.waiting += account.waiting();
        for (std::size_t wait = 0; wait < message_wait_count; ++wait)
            times.waiting_for[wait] += account.waiting_for[wait];
    }
    return times;
}

}  // namespace

MessageTimes message_times(MessageRun const& run, MessageProgram const& program, MessageMethod method) {
    MessageTimes times;
    times.method = method;
    for (std::uint32_t rank = 0; rank < run.ranks.size(); ++rank) {
        times.ranks.push_back(times_of_rank(run, rank));
        times.computation = std::max(times.computation, times.ranks.back().computing);
    }
    if (run.bytes_received > 0)
        times.incast_share =
            static_cast<double>(run.bytes_in_incast) / static_cast<double>(run.bytes_received);
    times.is_deadlocked = run.is_deadlocked;
    for (auto const* list : {&run.unmatched_receives, &run.unmatched_sends})
        for (auto each : *list) {
            each.operation -= program.first_operation[each.rank];
            times.unmatched.push_back(each);
        }
    return times;
}

}  // namespace parcast
