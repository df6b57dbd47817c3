// Notices, while a program is recorded, that its threads wait by running: a flag that another thread sets, a
// spin lock of one's own. On one CPU such a thread keeps the CPU from the one that it waits for, for a whole
// time slice each time, and the program crawls or stands still.
//
// 1. A look (a second apart) reads what each thread ran and how long it was ready but not running
//    (/proc/PID/task/TID/schedstat). Threads that ran while others had to wait, twice in a row, are examined
//    (busy_loop.h): after 2 s, then after pauses that double up to a minute, since honest computation looks
//    the same in these numbers.
// 2. What is found in two of three examinations is said at once, and once for each place in the program.
// 3. From then on the CPU is taken from whoever runs on it every 100 us (a thread of ours that wakes up on it
//    runs at once), so that the one waited for gets on: 300 hand-overs by a flag took 0.12 s, not 2.4 s.
//
// Cost: looks take at most a hundredth of the time, or they become rarer.

#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/time.h"
#include "record/recording_folder.h"
#include "record/watch/thread_times.h"

namespace parcast::record {

struct SeenBusyWait {
    std::int64_t process = 0;
    std::uint32_t kernel_thread = 0;
    std::uint64_t address = 0;       // in the loop
    std::uint64_t monotonic_ns = 0;  // when it was first seen
    std::string place;               // "wait_for_flag (flag.c:8)"
};

class BusyWaitWatch {
public:
    explicit BusyWaitWatch(RecordingFolder const& folder) : folder_(&folder) {}  // must outlive this

    // What was seen for the first time. REQUIRES: called every now and then.
    std::vector<SeenBusyWait> look();
    // After how long to look again.
    Duration pause() const { return pause_; }

private:
    struct Seen {
        ThreadTimes times;
        unsigned look = 0;     // the last one that saw it
        bool has_run = false;  // before that look
    };

    std::vector<pid_t> suspects_of(std::int64_t process, std::int64_t elapsed_ns);
    std::vector<SeenBusyWait> examine(std::int64_t process, std::vector<pid_t> const& threads);

    RecordingFolder const* folder_;
    std::map<pid_t, Seen> threads_;
    std::set<std::pair<std::int64_t, std::string>> known_;  // process and place
    std::map<std::int64_t, unsigned> next_examination_;     // process to look
    std::map<std::int64_t, unsigned> examinations_;
    unsigned look_ = 0;
    std::int64_t last_look_ns_ = 0;
    Duration pause_{1'000'000'000};
};

// "wait_for_flag (flag.c:8)", as the executable and the libraries of a running process say.
std::string place_in_process(std::int64_t process, std::uint64_t address);

}  // namespace parcast::record
