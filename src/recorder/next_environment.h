// The environment of a program that the host executes: as the host gives it, until the recorder has stepped
// aside. From then on it asks for no recording. The host may keep variables of its own, with another copy of
// the request than the one that step_aside() took back.

#pragma once

#include <alloca.h>
#include <stddef.h>
#include <string.h>

#include "recorder/recording.h"

namespace parcast::recorder {

inline constexpr char directory_variable[] = "PARCAST_RECORD_DIR";

inline bool is_request(char const* variable) {
    constexpr size_t length = sizeof directory_variable - 1;
    return strncmp(variable, directory_variable, length) == 0 && variable[length] == '=';
}

// Calls `execute` with the environment that the next program is to get. That lies on the caller's stack, as
// exec may be called where nothing can be allocated, and only as long as `execute` runs: to g++, memory that
// an inlined function takes by alloca() ends with its body, so that what a returned array held was never
// stored.
template <class Execute>
[[gnu::always_inline]] inline int with_next_environment(char* const* environment, Execute&& execute) {
    if (!recording.is_aside || !environment)
        return execute(environment);
    size_t count = 0;
    while (environment[count])
        ++count;
    auto** const quiet = static_cast<char**>(alloca((count + 1) * sizeof(char*)));
    char** end = quiet;
    for (size_t i = 0; i < count; ++i)
        if (!is_request(environment[i]))
            *end++ = environment[i];
    *end = nullptr;
    return execute(static_cast<char* const*>(quiet));
}

}  // namespace parcast::recorder
