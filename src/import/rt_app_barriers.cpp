#include "import/rt_app_barriers.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace parcast {

namespace {

// At one barrier: how many each arrival of each thread waits for.
using Arrivals = std::map<ThreadId, std::vector<std::int64_t>>;

std::int64_t participants_of(ThreadProgram const& program, Operation const& operation) {
    return operation.kind() == OperationKind::barrier_wait
               ? operation.value
               : program.barriers[static_cast<std::size_t>(operation.value)].participants;
}

std::map<ObjectId, Arrivals> arrivals_of(ThreadProgram const& program, std::vector<bool> const& begins) {
    std::map<ObjectId, Arrivals> barriers;
    for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
        for (Operation const& operation : program.lists[thread])
            if (begins[thread] && is_arrival(operation.kind()))
                barriers[object_of(program, operation)][ThreadId(thread)].push_back(
                    participants_of(program, operation));
    return barriers;
}

// Who arrives, one after the other; empty: not known, or of no importance.
std::vector<ThreadId> recorded_order(std::vector<Turn> const& turns, Arrivals const& arrivals) {
    std::map<ThreadId, std::size_t> counts;
    for (Turn const& turn : turns)
        counts[turn.thread] += turn.takes;
    bool is_whole = counts.size() == arrivals.size();
    for (auto const& [thread, of_thread] : arrivals)
        is_whole = is_whole && counts.contains(thread) && counts.at(thread) == of_thread.size();
    std::vector<ThreadId> order;
    for (Turn const& turn : turns)
        order.insert(order.end(), is_whole ? turn.takes : 0, turn.thread);
    return order;
}

std::map<ThreadId, std::vector<std::uint32_t>> meetings_at(Arrivals const& arrivals,
                                                           std::vector<Turn> const& turns) {
    std::map<ThreadId, std::vector<std::uint32_t>> meetings;
    auto const order = recorded_order(turns, arrivals);
    std::uint32_t meeting = 0;
    std::int64_t arrived = 0;
    for (ThreadId const thread : order) {
        auto& of_thread = meetings[thread];
        auto const waits_for = arrivals.at(thread)[of_thread.size()];
        of_thread.push_back(meeting);
        if (++arrived >= waits_for) {
            ++meeting;
            arrived = 0;
        }
    }
    if (order.empty())
        for (auto const& [thread, of_thread] : arrivals)
            for (std::uint32_t i = 0; i < of_thread.size(); ++i)
                meetings[thread].push_back(i);
    return meetings;
}

Result<void> check_meetings(ThreadProgram const& program, ObjectId object, Arrivals const& arrivals,
                            std::map<ThreadId, std::vector<std::uint32_t>> const& meetings) {
    std::map<std::uint32_t, std::int64_t> present;
    for (auto const& [thread, of_thread] : meetings)
        for (auto const meeting : of_thread)
            ++present[meeting];
    for (auto const& [thread, of_thread] : meetings)
        for (std::size_t i = 0; i < of_thread.size(); ++i)
            if (present[of_thread[i]] != arrivals.at(thread)[i])
                return fail(ErrorCode::unsupported, display_name(program.catalogue, object) + " waits for " +
                                                        std::to_string(arrivals.at(thread)[i]) +
                                                        " threads, and at its meeting " +
                                                        std::to_string(of_thread[i] + 1) + " there are " +
                                                        std::to_string(present[of_thread[i]]) +
                                                        ": rt-app waits for all that name a barrier");
    return {};
}

}  // namespace

Result<RtAppMeetings> rt_app_meetings(ThreadProgram const& program, std::vector<bool> const& begins) {
    RtAppMeetings all;
    for (auto const& [object, arrivals] : arrivals_of(program, begins)) {
        auto meetings = meetings_at(arrivals, program.objects[object.index()].turns);
        if (auto const checked = check_meetings(program, object, arrivals, meetings); !checked)
            return pass_on(checked);
        for (auto& [thread, of_thread] : meetings)
            all[{object, thread}] = std::move(of_thread);
    }
    return all;
}

}  // namespace parcast
