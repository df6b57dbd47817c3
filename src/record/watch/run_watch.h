// Watches the recorded program while it runs: ends it at its time limit, detects threads that wait by
// running, and tells the listener both.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "core/notice.h"
#include "core/time.h"
#include "measure/descendants.h"
#include "record/launcher.h"
#include "record/memory_map_watch.h"
#include "record/recording_folder.h"
#include "record/sampler.h"
#include "record/watch/busy_wait_watch.h"
#include "record/watch/ended_files.h"
#include "record/watch/preemption.h"
#include "wire/record.h"

namespace parcast::record {

// CPU time of a thread when its program was ended: its recorder could not write it down any more.
struct ThreadClock {
    std::int64_t process = 0;
    std::uint32_t kernel_thread = 0;
    std::int64_t cpu_ns = 0;
};

// What was noticed about a program's processes from outside.
struct Observations {
    std::vector<SeenBusyWait> busy_waits;
    std::vector<ThreadClock> clocks_when_stopped;
    Samples const* samples = nullptr;           // the caller's; null: nobody took any
    MemoryMapUses const* memory_map = nullptr;  // likewise
};

class RunWatch {
public:
    // `folder` and `tell` must outlive this.
    RunWatch(RecordingFolder const& folder, unsigned cpu, std::optional<Duration> time_limit,
             SignalsAreFor signals, Listener const& tell);

    // Once the program's process exists, and again after at most the returned time, until it has ended.
    Duration look();
    // After its end. At a time limit, or when a signal ends parcast (measure::EndingSignals), what it left
    // running is ended as well, recorded or not.
    void finish();

    // When the time limit was reached.
    std::optional<wire::ClockPair> stopped() const { return stopped_; }
    Observations const& observations() const { return observations_; }

private:
    Duration look_for_busy_waits(std::int64_t now_ns);
    Duration enforce_limit(std::int64_t now_ns);
    std::vector<pid_t> recorded_processes() const;

    RecordingFolder const* folder_;
    unsigned cpu_;
    std::optional<Duration> time_limit_;
    Listener const* tell_;
    std::optional<measure::Adoption> family_;  // where there is a limit
    std::int64_t begin_ns_;
    std::int64_t next_look_ns_;
    BusyWaitWatch busy_wait_watch_;
    EndedFiles ended_files_;
    Observations observations_;
    std::optional<Preemption> preemption_;
    std::optional<wire::ClockPair> stopped_;
    std::int64_t kill_at_ns_ = 0;
};

}  // namespace parcast::record
