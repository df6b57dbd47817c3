// What the rooms ask the host for besides the C library, in a module: there is one thread.

#include "ensemble/helper_threads.h"

namespace parcast::ensemble {

std::size_t cpus_of_host() {
    return 1;
}

void in_threads(std::size_t, std::function<void()> const& work) {
    work();
}

}  // namespace parcast::ensemble
