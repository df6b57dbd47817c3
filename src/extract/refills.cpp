#include "extract/refills.h"

#include <algorithm>

namespace parcast::extract {

namespace {

// Takes `excess_ns` out of the operations, of each in proportion to its work: the whole nanoseconds that are
// due up to it are gone. REQUIRES: 0 <= excess_ns <= all_ns, which is the work of all of them.
void shorten(OperationList& operations, std::int64_t excess_ns, std::int64_t all_ns) {
    auto const due = [&](std::int64_t done_ns) {
        return static_cast<std::int64_t>(static_cast<__int128>(excess_ns) * done_ns / all_ns);
    };
    std::int64_t done_ns = 0;
    for (std::size_t i = 0; i < operations.size(); ++i) {
        std::int64_t const work_ns = operations[i].work_ns;
        std::int64_t const before_ns = due(done_ns);
        done_ns += work_ns;
        operations.set_work(i, work_ns - (due(done_ns) - before_ns));
    }
}

std::int64_t work_of(OperationList const& operations) {
    std::int64_t sum_ns = 0;
    for (Operation const& operation : operations)
        sum_ns += operation.work_ns;
    return sum_ns;
}

}  // namespace

Duration take_out_refills(ThreadProgram& program, std::vector<std::int64_t> const& turns, Duration refill) {
    Duration taken{0};
    for (std::size_t thread = 0; thread < turns.size(); ++thread) {
        if (turns[thread] == 0)
            continue;
        std::int64_t const all_ns = work_of(program.lists[thread]);
        std::int64_t const most_ns = all_ns / 2;
        std::int64_t const excess_ns = turns[thread] > most_ns / std::max<std::int64_t>(refill.ns, 1)
                                           ? most_ns
                                           : turns[thread] * refill.ns;
        if (excess_ns > 0) {
            shorten(program.lists[thread], excess_ns, all_ns);
            taken += Duration{excess_ns};
        }
    }
    program.refill = refill;
    return taken;
}

}  // namespace parcast::extract
