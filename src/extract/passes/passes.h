// The passes of a plan that are a function: one for each family of calls.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "extract/passes/broadcasts.h"
#include "extract/passes/conditions.h"
#include "extract/passes/releases.h"
#include "extract/plan.h"
#include "timeline/recording_cost.h"
#include "timeline/timeline.h"

namespace parcast::extract {

// Barriers.
//
// 1. The participants of a barrier are those seen at its initialisation; else waits divided by generations (a
//    generation has one wait that was told to be the last). If that is no whole number, its waits are delays.
// 2. A round is found by time: all of its arrivals are before the first return of one that waited. An
//    arrival after that, or of a thread that has arrived, is of a later round. (Who did not wait was the last
//    to arrive, or goes on at once and waits elsewhere, as the members of an OpenMP team do at the end of a
//    region.) A recording that was cut off, or of which another process takes part, may have rounds with
//    fewer arrivals than participants. Whoever left such a round waited for an arrival that is not recorded,
//    which is a delay; whoever did not leave it stops there.
// 3. An arrival that was cut off counts in the first round that lacks one: the last to arrive lets the others
//    go before its own call returns.
//
// Cost: O(events), and O(n log n) in the waits of the barriers that may have incomplete rounds.
void plan_barriers(Timeline const& recorded, Plan& plan);

// What waking the others at a barrier took, in the thread that was the last to arrive in the recording. In
// the replay another one may be: so that CPU time leaves the lists, and becomes ObjectParameters::waking.
//
// 1. The last arrival at a barrier of pthreads is told so, and its call is the work of waking the others. The
//    members of an OpenMP team are not told: of as many arrivals as there are participants, by time, the
//    last. A barrier at which nobody is told is that of a team.
// 2. At a barrier of a mutex and a condition, whoever broadcast has that work behind the broadcast, in the
//    segment until it gives up the mutex. It is what that segment has more than those of the threads that
//    waited, on average, have behind their waits. Where something else than the unlock comes next, or where
//    it is more than 50 us for each thread that waited, nothing is known.
// 3. Barriers of a futex, and those with incomplete rounds, keep their work where it is.
// 4. Members of a team wait for its next region at semaphores of its own, as they wait at its barrier.
//
// REQUIRES: plan_conditions and plan_barriers have run. Cost: O(events), and O(n log n) in the arrivals at
// the barriers of OpenMP teams.
void plan_wakings(Timeline const& recorded, RecordingPrices const& prices, Plan& plan);

// Futexes behind `syscall`: std::atomic::wait, latch, barrier, counting_semaphore of libstdc++.
//
// As conditions (conditions.h), but every wait that returned is a wait of its own: two phases of a barrier
// with little work in between look like a predicate that was false, so nothing is put together. A wait
// that failed found its value changed and did not wait.
void plan_futexes(Timeline const& recorded, Plan& plan);

// Joins by a thread that holds a mutex which the joined thread uses as well.
//
// Such a join can only have chosen a thread that was known to be done, or the program would deadlock: a flag
// under the mutex said so, as in pigz, which waits until some thread has set its flag and joins that one. In
// the replay another thread may be the first that is done. So (1) it joins any thread that has ended, and (2)
// the replay lets go of the mutex while it waits, so that the joiner never keeps a thread from ending that
// had ended in the recording. Read locks, and locks that the joined thread never takes, stay held.
//
// REQUIRES: plan_threads and plan_locks have run.
void plan_joins_under_locks(Timeline const& recorded, Plan& plan);

// Pipes, pairs of sockets and event counters through which threads of the program wait for each other.
//
// 1. The recorder notes which descriptor is written for which one to be read. A transfer counts until the
//    descriptor is closed for the first time.
// 2. A read of a pipe or socket waits for the write that brought its last byte, in the order of the bytes. If
//    more was read than the program wrote, another process writes as well, and all of it is input and output.
// 3. A read of an event counter waits for the first write that began since the read before; else for the last
//    one, which may have begun before that read ended.
// 4. Polling during which the write came waits there, if the thread reads next: it has no other wait between.
// 5. A write never waits for room.
//
// The reading descriptor is the program's semaphore. Cost: O(n log n) in input and output.
void plan_channels(Timeline const& recorded, Plan& plan);

// Semaphores and once.
//
// 1. A semaphore's initial value is the one seen at its initialisation; else the smallest with which no
//    wait of the recording went below zero.
// 2. A wait that ended although no unit was left got one from another process: it is a delay of the recorded
//    time. Units that are posted later do not make up for it.
// 3. Once: a call that did not run the routine waits for the last one before it that did. There are several
//    runs where a flag lies where an earlier one was.
// Tries that failed are boundaries; timed waits that timed out are delays of the time asked for.
void plan_semaphores(Timeline const& recorded, Plan& plan);
void plan_once(Timeline const& recorded, Plan& plan);

// Creating, joining and ending threads, and their scheduling parameters.
//
// 1. A thread's list starts at the first `create` that names it. A thread whose creation was not recorded
//    is created by its parent, or by the initial thread, at the first event after it began.
// 2. A join that succeeded waits for the joined thread; one that failed is a boundary; a timed one that
//    timed out is a delay of the requested time. A join of an unknown thread is a delay.
//    Joins under a lock: above.
// 3. A thread may set its own affinity and priority at any time. What another thread sets for it counts if
//    it had not begun yet (its initial parameters), and is left out, with a doubt, if it ran already.
void plan_threads(Timeline const& recorded, Plan& plan);
void plan_parameters(Timeline const& recorded, Plan& plan);

// Waiting for the world outside: I/O, sleeps, child processes, and yields.
//
// 1. A sleep is a delay of the requested time, a yield a yield.
// 2. I/O waits as long as the recording lets us know (input_output of its descriptor). The recorded time of
//    a call is its CPU time, the wait for the device, and time in which the data was there but another
//    thread held the one CPU. The last part is not the device's: see processor_use.h for the estimate.
// 3. A call that was not interrupted did not wait.
// 4. Waiting for a child process is like I/O, without a descriptor.
// 5. A thread that was still alive at the end, and hands nothing to any other thread after some point, sleeps
//    and waits from there on for nobody: those delays are left out, since in the replay the program does not
//    end before its last thread (background threads with a timer would set the end). So is its input and
//    output, if it does next to nothing meanwhile: it waits for descriptors until the process ends. A server
//    that works keeps its own.
void plan_waits(Timeline const& recorded, Plan& plan);

// Rule 5. REQUIRES: every other pass is done.
void drop_background_sleeps(Timeline const& recorded, Plan& plan);

// Sleeps until points in time: frames of a game, ticks, the rate of a player.
//
// 1. A row: four or more sleeps, or timed waits that ran out, of one thread from one place, between which it
//    sleeps nowhere else. When each was asked to end is when it began, and the length asked for.
// 2. It is periodic if nine of ten of these ends lie a multiple of the middle distance after the one before,
//    to 20 us or a fiftieth of it, and most of them nearer to that than the length is to that of the sleep
//    before: who sleeps for a length asks for the same one again. A program that is late does not sleep, so
//    distances may be multiples.
// 3. The first keeps its length, and each other one is a sleep_until: no matter how soon the thread comes to
//    it, it ends so long after the one before.
// REQUIRES: plan_polling and drop_background_sleeps are done. Cost: O(events) of the threads that sleep.
void plan_periods(Timeline const& recorded, Plan& plan);

// The steps that conditions and futexes share: what a release becomes.
//
// Index of the barrier in the plan, none for none. Its yields become arrivals.
std::optional<std::size_t> add_barrier(std::optional<FoundBarrier> const& found, Plan& plan);

// For each chain the token that it takes: numbered by release, then by arrival.
std::vector<std::uint32_t> tokens_of(Exchange const& exchange, std::span<Chain const> chains);

// A release becomes an arrival at `barrier` if there is one, else a signal with a token for each chain that
// it satisfied; a release that satisfied none is a boundary.
void plan_releases(Exchange const& exchange, std::span<Chain const> chains,
                   std::optional<std::size_t> barrier, Plan& plan);

}  // namespace parcast::extract
