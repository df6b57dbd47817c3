// Which threads change the map of a program's memory, and which touch pages for the first time: Linux keeps
// the map under a lock, which changes (mmap, mprotect, brk, and so glibc's heaps that grow) take for
// themselves and, before Linux 6.4, page faults share. The kernel notes both as they happen
// (perf_event_open). Giving memory back (munmap) is not noted.
//
// It makes creating a thread some 10 us dearer, a switch 2 us, a change 1 us and a fault by a third; so it
// has to be asked for.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "core/result.h"
#include "record/perf_ring.h"

namespace parcast::record {

// CPU time of one, and of the kernel's note of it.
struct MemoryMapCosts {
    std::int64_t change_ns = 0;
    std::int64_t fault_ns = 0;
    std::int64_t change_note_ns = 0;
    std::int64_t fault_note_ns = 0;
};

struct MemoryMapUse {
    std::int64_t monotonic_ns = 0;
    std::uint32_t process = 0;
    std::uint32_t kernel_thread = 0;
    bool is_fault = false;      // else the map was changed
    std::uint64_t address = 0;  // of a fault
};

struct MemoryMapUses {
    MemoryMapCosts costs;  // here, now
    bool faults_share_lock = false;
    std::int64_t lost = 0;           // more, of all processes
    std::vector<MemoryMapUse> uses;  // by time
};

// Whether page faults take the lock under Linux of this release: before 6.4.
bool faults_share_lock(std::string_view kernel);

// A heap of two hundred pages that grows by two each time, as glibc's do; medians. Zero where there is no
// memory.
MemoryMapCosts memory_map_costs();

// Takes what a record of the kernel's says of the map, if it does. `record`: whole, with the thread and the
// time that MemoryMapWatch asks for: at the end of a change, before the address of a page fault.
void add_use(std::span<std::byte const> record, MemoryMapUses& uses);

class MemoryMapWatch {
public:
    // From when the process executes its program on. Errors: not_recorded, with what forbids it.
    Result<void> attach(pid_t process, unsigned cpu);
    // To be called as often as Sampler::drain.
    void drain();
    int ring() const { return ring_.descriptor(); }

    MemoryMapUses const& uses() const { return uses_; }

private:
    PerfRing ring_;
    MemoryMapUses uses_;
};

}  // namespace parcast::record
