#include "simulate/takes_on_one_cpu.h"

#include "semantics/recorded_takes.h"
#include "simulate/simulate.h"

namespace parcast::simulate {

Result<bool> take_as_on_one_cpu(ThreadProgram& program) {
    if (!semantics::lacks_takes(program))
        return true;
    if (!semantics::may_have_takes(program))
        return false;
    auto machine = ideal_machine(1);
    machine.scheduler = RoundRobinScheduler{.slice = Duration{0}};
    machine.lock_policy = LockPolicy::hand_off;
    auto const recording = run(program, machine, {.with_order = true});
    if (!recording)
        return pass_on(recording);
    if (recording->deadlock)
        return false;
    semantics::add_takes(recording->order, program);
    return true;
}

bool knows_takes(ThreadProgram const& program) {
    return !semantics::lacks_takes(program);
}

std::vector<bool> conditions_without_takes(ThreadProgram const& program) {
    return semantics::conditions_without_takes(program);
}

}  // namespace parcast::simulate
