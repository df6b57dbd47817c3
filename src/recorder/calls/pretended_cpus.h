// --pretend-cpus: how many processors the host shall see. Without it, everything is as the system answers.

#pragma once

#include "recorder/recording.h"

namespace parcast::recorder {

// 0: it sees what there is. Also in processes whose recording ended, so that exit handlers see no change.
inline unsigned pretended_cpus() {
    return recording.header ? recording.header->pretended_cpus : 0;
}

// A descriptor that reads like the system's file about processors at `path`, but tells of the pretended
// ones; -1 with errno unchanged if that file is none of these, or nothing is pretended.
int open_pretended_file(char const* path, int flags);

}  // namespace parcast::recorder
