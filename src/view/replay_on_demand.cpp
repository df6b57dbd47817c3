#include "view/replay_on_demand.h"

#include <string>

#include "view/execution.h"

namespace parcast::view {

namespace {

bool is_linux(Machine const& machine) {
    return std::holds_alternative<LinuxScheduler>(machine.scheduler);
}

}  // namespace

Machine requested_machine(Machine const& machine, Request request) {
    bool const is_own = request.scheduler == SchedulerChoice::as_in_machine ||
                        (request.scheduler == SchedulerChoice::linux_fair) == is_linux(machine);
    if (!is_own) {
        return request.scheduler == SchedulerChoice::linux_fair ? linux_machine(request.cpus)
                                                                : ideal_machine(request.cpus);
    }
    auto same = machine;
    same.cpus = request.cpus;
    return same;
}

Result<Bytes> replay(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                     Request request) {
    if (request.cpus > most_cpus)
        return fail(ErrorCode::out_of_range, "a page shows at most 65,534 CPUs.");
    auto const target = requested_machine(machine, request);
    auto const options = request.detail == Detail::timeline ? options_for_view(program, pairing)
                                                            : simulate::Options{.pairing = pairing};
    auto const run = simulate::run(program, target, options);
    if (!run)
        return pass_on(run);
    return execution_bytes(*run, program, target, pairing);
}

}  // namespace parcast::view
