// The hooks of -finstrument-functions, which gcc and clang call at the beginning and at the end of each
// function. libc has empty ones. Most functions are short, so these are the hottest of all hooks.

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {

PARCAST_HOOK void __cyg_profile_func_enter(void* function, void* call_site) {
    if (Stream* const stream = this_stream())
        stream->enter_function(function, call_site, __builtin_frame_address(0));
}

PARCAST_HOOK void __cyg_profile_func_exit(void* function, void*) {
    if (Stream* const stream = this_stream())
        stream->exit_function(function, __builtin_frame_address(0));
}

}  // namespace parcast::recorder
