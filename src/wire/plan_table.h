// A plan for threads as the binder gets it inside a host program, and what the binder leaves for the
// launcher. One block of memory that both have mapped; the launcher writes the plan before the program
// starts, the binder counts.
//
//     PlanTable | PlanTableEntry[entry_count] | uint32_t numbers[number_count]

#pragma once

#include <stddef.h>
#include <stdint.h>

namespace parcast::wire {

inline constexpr uint64_t plan_magic = 0x6e616c7074736163;
inline constexpr uint32_t plan_version = 2;

// The variable that names the file to map.
inline constexpr char plan_variable[] = "PARCAST_PLAN_TABLE";

// A name, function or path, with the zero at its end. A pipeline whose stages create each other has paths
// as long as it is.
inline constexpr size_t plan_text_bytes = 4096;
inline constexpr size_t plan_mask_words = 128;  // 8192 processors: the most that Linux can be built for

// By what an entry names threads: the rows of parcast::thread_keys.
enum class PlanKey : uint32_t { number, name, function, path };

// A request that the kernel refused.
struct PlanRefusal {
    uint32_t count;
    int32_t reason;  // the first one's errno
};

struct PlanTableEntry {
    PlanKey key;
    uint32_t number;  // of a thread, by key
    char text[plan_text_bytes];
    // Parts of `numbers`: host processors, taken by turn; function entries: where such functions begin in
    // the program's file, low and high halves of addresses.
    uint32_t cpus_begin;
    uint32_t cpus_end;
    uint32_t functions_begin;
    uint32_t functions_end;
    int32_t nice;
    int32_t real_time;
    uint32_t has_nice;
    uint32_t has_real_time;
    // Left by the binder. In the last image of the process: how many threads it named; in all: how many of
    // them another entry had planned before.
    uint32_t named;
    uint32_t planned_before;
};

struct PlanTable {
    uint64_t magic;
    uint32_t version;
    uint32_t bytes;  // of the whole block
    uint32_t entry_count;
    uint32_t number_count;
    uint64_t cpus[plan_mask_words];  // of the program, by the launcher
    // Left by the binder.
    uint32_t process;    // the first one that loaded it: the planned one
    uint32_t images;     // programs that this process became
    uint32_t threads;    // of the last of them
    uint32_t sandboxed;  // it forbade itself system calls; later threads are not bound
    PlanRefusal cpu;
    PlanRefusal real_time;
    PlanRefusal nice;
    PlanRefusal nice_back;  // for a thread that the plan does not rank, created by one that it does
};

static_assert(sizeof(PlanTableEntry) % alignof(uint64_t) == 0);
static_assert(sizeof(PlanTable) % alignof(uint64_t) == 0);

inline PlanTableEntry* entries_of(PlanTable* table) {
    return reinterpret_cast<PlanTableEntry*>(table + 1);
}
inline uint32_t* numbers_of(PlanTable* table) {
    return reinterpret_cast<uint32_t*>(entries_of(table) + table->entry_count);
}

}  // namespace parcast::wire
