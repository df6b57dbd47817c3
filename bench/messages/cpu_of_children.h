// CPU time of the programs that this one started and waited for.

#pragma once

#include <sys/resource.h>

namespace parcast::bench {

inline double cpu_s_of_children() {
    rusage used{};
    getrusage(RUSAGE_CHILDREN, &used);
    auto const seconds = [](timeval time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

}  // namespace parcast::bench
