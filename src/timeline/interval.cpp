#include "timeline/interval.h"

#include <array>

namespace parcast {

namespace {

// In the order of ThreadState.
constexpr std::array names = {"running", "switching", "spinning",         "ready",
                              "blocked", "sleeping",  "input and output", "communicating"};
static_assert(names.size() == thread_state_count);

}  // namespace

char const* name_of(ThreadState state) {
    return names[static_cast<std::size_t>(state)];
}

}  // namespace parcast
