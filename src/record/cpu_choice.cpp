#include "record/start.h"

#include <algorithm>
#include <string>
#include <vector>

#include "measure/affinity.h"

namespace parcast::record {

namespace {

// "0-3,8"
std::string ranges_of(std::vector<unsigned> const& cpus) {
    std::string text;
    for (std::size_t first = 0; first < cpus.size();) {
        std::size_t last = first;
        while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(cpus[first]);
        if (last > first)
            text += "-" + std::to_string(cpus[last]);
        first = last + 1;
    }
    return text;
}

}  // namespace

Error no_cpus() {
    return make_error(ErrorCode::not_recorded, "the system does not say which CPUs may be used",
                      "Allow the system call sched_getaffinity in this container.");
}

Result<std::vector<unsigned>> choose_cpus(std::vector<unsigned> const& wanted) {
    std::vector<unsigned> allowed = measure::allowed_cpus();
    if (allowed.empty())
        return fail(no_cpus());
    for (unsigned const cpu : wanted)
        if (!std::ranges::binary_search(allowed, cpu))
            return fail(make_error(ErrorCode::not_recorded,
                                   "CPU " + std::to_string(cpu) + " may not be used here",
                                   "These may be: " + ranges_of(allowed) + "."));
    return wanted.empty() ? allowed : wanted;
}

Result<unsigned> choose_cpu(std::optional<unsigned> wanted) {
    std::vector<unsigned> const allowed = measure::allowed_cpus();
    if (allowed.empty())
        return fail(no_cpus());
    if (!wanted)
        return allowed.back();
    for (unsigned const cpu : allowed)
        if (cpu == *wanted)
            return cpu;
    return fail(make_error(ErrorCode::not_recorded,
                           "CPU " + std::to_string(*wanted) + " may not be used here",
                           "Choose one of --cpu " + ranges_of(allowed) + ", or leave --cpu away."));
}

}  // namespace parcast::record
