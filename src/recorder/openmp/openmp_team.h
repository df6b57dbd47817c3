// What the hooks of libgomp know about the parallel region that a thread runs.
//
// libgomp waits by futexes of its own, which no other hook sees. Its team is recorded as what it stands for:
//
//     the initial thread of the team                    thread k of the team
//     creates or wakes the team                         waits: semaphore `start k`
//     posts `start 1` ... `start n-1`
//     runs its part                                     runs its part
//     arrives at the team's barrier, of n               arrives at the team's barrier
//
// Explicit barriers, and those that end loops, sections and `single`, are the same barrier. A chunk of a
// dynamic loop, a section and an explicit task are handed out: each is a lock and unlock of `hand-out`, and
// so is the last try of each thread, which finds nothing left.
//
// Regions inside a region, teams of one, and teams of `largest_team` and more, are not recorded: they are
// their thread's work. Of a team of one for which the region did not ask there is the barrier, of one thread,
// at which nobody arrives.

#pragma once

#include "recorder/real.h"
#include "recorder/stream.h"

namespace parcast::recorder {

inline constexpr unsigned largest_team = 4096;

struct OpenmpTeam {
    void* reductions;  // of GOMP_parallel_reductions, which looks for them where a region's data begins
    void (*routine)(void*);
    void* data;
    Stream* initial;  // of the thread that began the region
    unsigned size;
    void const* site;
    bool runs_tasks_before_end;  // an additional barrier: tasks are not left for the one that ends the region

    // Addresses inside the initial thread's stream: no object of the host has them.
    void const* start_of(unsigned member) const { return address(member); }
    void const* barrier() const { return address(largest_team); }
    void const* chunks() const { return address(largest_team + 1); }
    void const* tasks() const { return address(largest_team + 2); }

private:
    void const* address(unsigned offset) const { return reinterpret_cast<char const*>(initial) + offset; }
};
static_assert(sizeof(Stream) > largest_team + 2);

// Set if the host can make explicit tasks (openmp_program.cpp), at the latest by the first one: a thread that
// waits at a barrier may run tasks there, so that its time in the barrier is work.
extern constinit bool openmp_tasks_used;

inline bool tasks_are_expected() {
    return __atomic_load_n(&openmp_tasks_used, __ATOMIC_RELAXED);
}
inline void expect_tasks() {
    __atomic_store_n(&openmp_tasks_used, true, __ATOMIC_RELAXED);
}

// Expects tasks if the host has code that makes them. Does nothing after the first call.
void look_for_tasks();

// The thread is handed out work, or finds that none is left, between these two. All hand-outs of a region
// have its place, so that the first chunk of a thread and the next ones look alike. The first one may read
// the CPU clock, a system call at whose end a thread often loses the CPU: with it after the hand-out, others
// would seem to have found nothing before this thread was given its piece. REQUIRES: it runs a part of a
// recorded region.
inline void begin_hand_out(Stream* stream, void const* pool) {
    stream->event<Kind::mutex_lock>(pool, stream->openmp_team->site, no_flags);
}
inline void end_hand_out(Stream* stream, void const* pool) {
    stream->event<Kind::mutex_unlock>(pool, stream->openmp_team->site, no_flags);
}

enum class TasksAtBarrier { possible, none };

// A call of libgomp that ends with the barrier of the thread's team. Where tasks may run, the thread arrives
// when it has returned: its time in the call is theirs.
template <TasksAtBarrier tasks = TasksAtBarrier::possible, class Signature, class... Arguments>
[[gnu::always_inline]] inline auto team_barrier(void const* site, Real<Signature>& real,
                                                Arguments... arguments) {
    Stream* const stream = this_stream();
    OpenmpTeam const* const team = stream ? stream->openmp_team : nullptr;
    bool const works = tasks == TasksAtBarrier::possible && tasks_are_expected();
    if (team && !works)
        stream->blocked<Kind::barrier_wait>(team->barrier(), site);
    auto const leave = [&]() __attribute__((always_inline)) {
        if (!team)
            return;
        if (!stream->accepts_events()) {
            stream->resumed(0, no_flags);
            return;
        }
        if (works) {
            begin_hand_out(stream, team->tasks());
            end_hand_out(stream, team->tasks());
        }
        stream->event<Kind::barrier_wait>(team->barrier(), site, no_flags);
    };
    if constexpr (__is_same(decltype(real(arguments...)), void)) {
        real(arguments...);
        leave();
    } else {
        auto const result = real(arguments...);
        leave();
        return result;
    }
}

}  // namespace parcast::recorder
