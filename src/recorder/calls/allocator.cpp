// How many arenas libc's malloc may have: threads that outnumber them wait for each other in it. Allocations
// themselves are not recorded, which would cost more than they do.

#include <malloc.h>

#include "recorder/real.h"
#include "recorder/recording.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::mallopt)> real_mallopt{"mallopt"};

}  // namespace
}  // namespace parcast::recorder

PARCAST_HOOK int mallopt(int parameter, int value) noexcept {
    int const is_done = parcast::recorder::real_mallopt(parameter, value);
    if (is_done && parameter == M_ARENA_MAX && value >= 0)
        parcast::recorder::note_setting("mallopt(M_ARENA_MAX)", static_cast<uint64_t>(value));
    return is_done;
}
