// How long does a program of threads take at least, however its threads are bound to P processors, in
// whatever order they get its locks, and whatever scheduling costs? What a search for a binding is judged by.
// The greatest of
//
//     work       all work / P
//     thread     the work of the largest
//     sharing    of the j P + 1 threads with most work, j + 1 share a processor: the least work of j + 1 of
//                them
//     span       a processor for each thread and no locks. A wait that any of several releases may end counts
//                from the earliest: the k-th of a thread on an object needs k of them, from whomever
//     lock       what one lock is held in all, with the shortest way to it and from it
//
// A replay with a processor for each thread is no bound: locks in another order may take less (Broberg 2002,
// paper IV, figure 2: 16, and a binding to 2 processors takes 13).

#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/id.h"
#include "core/time.h"
#include "program/thread_program.h"

namespace parcast::model {

enum class BindingBoundBy : std::uint8_t { work, thread, sharing, span, lock };
inline constexpr std::array<std::string_view, 5> binding_bounds = {"work", "thread", "sharing", "span",
                                                                   "lock"};

struct BindingBound {
    Duration time{0};
    BindingBoundBy by = BindingBoundBy::work;
    ObjectId lock = ObjectId::none();  // if that decides

    friend bool operator==(BindingBound const&, BindingBound const&) = default;
};

// What does not depend on the number of processors.
struct ThreadBounds {
    std::vector<std::int64_t> work_ns;  // of threads, falling
    Duration span{0};
    Duration lock_time{0};  // the longest of all locks
    ObjectId lock = ObjectId::none();
};

// Cost: O(operations * log(threads)). REQUIRES: check(program) holds.
ThreadBounds thread_bounds(ThreadProgram const& program);

// REQUIRES: processors >= 1.
BindingBound binding_bound(ThreadBounds const& bounds, std::uint32_t processors);

}  // namespace parcast::model
