// What the tasks of rt-app do, event by event: the operations of a program's threads in its words. Private to
// the writer.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "program/thread_program.h"

namespace parcast {

enum class RtAppWord : std::uint8_t { run, sleep, timer, lock, unlock, barrier, sem_post, sem_wait, yield };

// As rt-app spells them: it goes by how a key begins, and keys of an object are unique.
inline constexpr std::array<char const*, 9> rt_app_words{"run",     "sleep",    "timer",    "lock", "unlock",
                                                         "barrier", "sem_post", "sem_wait", "yield"};

struct RtAppEvent {
    RtAppWord word = RtAppWord::run;
    std::int64_t value =
        0;  // run, sleep, timer: us, less than 2^31; of others, but yield: index of its resource
    friend bool operator==(RtAppEvent const&, RtAppEvent const&) = default;
};

// CPUs from 64 * word on; no bits: all.
struct RtAppCpus {
    std::uint64_t bits = 0;
    std::uint32_t word = 0;
    friend bool operator==(RtAppCpus const&, RtAppCpus const&) = default;
};

// What a task does on the same CPUs, with the same priority.
struct RtAppStretch {
    RtAppCpus cpus;
    std::optional<Priority> priority;  // from here on
    std::vector<RtAppEvent> events;
};

struct RtAppTask {
    std::string name;
    bool runs = true;  // the program begins this thread
    std::vector<RtAppStretch> stretches;
};

struct RtAppTasks {
    std::vector<RtAppTask> tasks;        // by ThreadId
    std::vector<std::string> resources;  // names of mutexes, barriers and semaphores
    std::vector<std::string> notes;
};

// Errors: as to_rt_app. REQUIRES: check(program).
Result<RtAppTasks> rt_app_tasks(ThreadProgram const& program);

}  // namespace parcast
