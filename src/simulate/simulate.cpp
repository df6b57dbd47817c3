#include "simulate/simulate.h"

#include <algorithm>

#include "simulate/ideal.h"
#include "simulate/linux.h"

namespace parcast::simulate {

Result<Run> run(ThreadProgram const& program, Machine const& machine, Options const& options) {
    if (auto checked = check(program); !checked)
        return pass_on(checked);
    if (auto checked = check(machine); !checked)
        return pass_on(checked);
    if (std::holds_alternative<LinuxScheduler>(machine.scheduler))
        return run_linux(program, machine, options);
    return run_ideal(program, machine, options);
}

Result<Run> run_unbounded(ThreadProgram const& program, Pairing pairing) {
    if (auto checked = check(program); !checked)
        return pass_on(checked);
    auto const threads = static_cast<std::uint32_t>(program.lists.size());
    return run_ideal(program, ideal_machine(threads), {.pairing = pairing});
}

}  // namespace parcast::simulate
