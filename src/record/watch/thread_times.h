// What the kernel says about the threads of a running process (/proc/PID/task).

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace parcast::record {

struct ThreadTimes {
    std::int64_t run_ns = 0;    // CPU time, as of its last switch or timer tick
    std::int64_t ready_ns = 0;  // in the queue of a CPU
};

// Empty if there is no such process.
std::vector<pid_t> threads_of(std::int64_t process);

// None if it has ended.
std::optional<ThreadTimes> times_of(std::int64_t process, pid_t thread);

// Running or ready to.
bool is_ready(std::int64_t process, pid_t thread);

// False for one that has ended, also if nobody has asked for its status yet.
bool is_alive(std::int64_t process);

// It has the variable that asks for a recording in `folder`: its number was not given to a stranger
// meanwhile, nor is it one that the number has only in another pid namespace.
bool is_recorded_in(std::string const& folder, std::int64_t process);

}  // namespace parcast::record
