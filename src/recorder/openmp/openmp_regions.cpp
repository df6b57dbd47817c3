// Parallel regions of libgomp, and their barriers: openmp_team.h says what becomes of them.
//
// GOMP_parallel(f, data, n, flags) is GOMP_parallel_start, f(data), GOMP_parallel_end in one, and is taken
// apart here, so that the size of the team is known before its initial thread begins its part. (What is lost
// is the flags' clause proc_bind: on one CPU there is nothing to bind to.) The same holds for regions that
// are one loop or one list of sections. GOMP_parallel_loop_nonmonotonic_dynamic and its like, which have no
// such parts, are allowed to hand out their pieces in order, as GOMP_parallel_loop_dynamic_start does.

#include "recorder/openmp/openmp_team.h"
#include "recorder/real.h"
#include "recorder/recording.h"
#include "recorder/stream.h"

namespace parcast::recorder {

namespace {

using Routine = void (*)(void*);

// A region is begun by a function that takes routine, data and threads before arguments of its own.
template <class... Arguments>
using BeginRegion = void(Routine, void*, unsigned, Arguments...);

PARCAST_REAL Real<BeginRegion<unsigned>> real_parallel{"GOMP_parallel"};
PARCAST_REAL Real<BeginRegion<>> real_start{"GOMP_parallel_start"};
PARCAST_REAL Real<BeginRegion<unsigned, unsigned>> real_sections{"GOMP_parallel_sections"};
PARCAST_REAL Real<BeginRegion<unsigned>> real_sections_start{"GOMP_parallel_sections_start"};
PARCAST_REAL Real<unsigned(Routine, void*, unsigned, unsigned)> real_parallel_reductions{
    "GOMP_parallel_reductions"};
PARCAST_REAL Real<void()> real_end{"GOMP_parallel_end"};
PARCAST_REAL Real<void(bool)> real_unregister{"GOMP_workshare_task_reduction_unregister"};
PARCAST_REAL Real<void()> real_barrier{"GOMP_barrier"};
PARCAST_REAL Real<bool()> real_barrier_cancel{"GOMP_barrier_cancel"};
PARCAST_REAL Real<void()> real_loop_end{"GOMP_loop_end"};
PARCAST_REAL Real<bool()> real_loop_end_cancel{"GOMP_loop_end_cancel"};
PARCAST_REAL Real<void()> real_sections_end{"GOMP_sections_end"};
PARCAST_REAL Real<bool()> real_sections_end_cancel{"GOMP_sections_end_cancel"};
PARCAST_REAL Real<void*()> real_copy_start{"GOMP_single_copy_start"};
PARCAST_REAL Real<void(void*)> real_copy_end{"GOMP_single_copy_end"};
PARCAST_REAL Real<int()> real_thread_number{"omp_get_thread_num"};
PARCAST_REAL Real<int()> real_team_size{"omp_get_num_threads"};
PARCAST_REAL Real<int()> real_most_threads{"omp_get_max_threads"};
PARCAST_REAL Real<int()> real_active_level{"omp_get_active_level"};
PARCAST_REAL Real<int()> real_cancellation{"omp_get_cancellation"};

bool is_recorded(unsigned team_size) {
    return team_size > 1 && team_size < largest_team;
}

// Tasks that are left when a region ends are run in libgomp's last barrier, where a member is no longer seen.
// A cancelled region cannot have another barrier: threads that left one are missing in its count.
bool needs_barrier_before_end() {
    look_for_tasks();
    return tasks_are_expected() && !real_cancellation();
}

// What the reader has to know about the team's objects, if it does not know it yet.
void announce(Stream* stream, OpenmpTeam const& team) {
    OpenmpAnnounced& known = stream->openmp_announced;
    if (known.generation != recording.generation)
        known = {recording.generation, 0, 1};
    if (known.team_size != team.size) {
        known.team_size = team.size;
        stream->event<Kind::barrier_init>(team.barrier(), team.site, no_flags, team.size);
    }
    for (; known.members < team.size; ++known.members)
        stream->event<Kind::semaphore_init>(team.start_of(known.members), team.site, no_flags, 0);
}

// A team of one is not recorded, but that there was one that nobody had asked for: on more CPUs it is larger.
void note_lone_team(Stream* stream, OpenmpTeam const& team, unsigned asked) {
    if (asked == 0 && team.size == 1 && stream->accepts_events())
        announce(stream, team);
}

void run_part(OpenmpTeam const& team) {
    team.routine(team.data);
    if (team.runs_tasks_before_end)
        team_barrier(team.site, real_barrier);
}

void start_members(Stream* stream, OpenmpTeam const& team) {
    announce(stream, team);  // again, if it is smaller than asked for
    for (unsigned member = 1; member < team.size; ++member)
        stream->event<Kind::semaphore_post>(team.start_of(member), team.site, no_flags);
    stream->openmp_team = &team;
}

// What the initial thread runs: the size of the team is known now.
void run_initial_part(OpenmpTeam& team) {
    team.size = static_cast<unsigned>(real_team_size());
    if (is_recorded(team.size))
        start_members(team.initial, team);
    run_part(team);
}

// What every thread of the team but the initial one runs, and all of a region that cannot be taken apart. Its
// wait for the next region begins here and ends in the next call, which has the same frame, or never.
[[gnu::noinline]] void run_member(void* argument) {
    if (real_thread_number() == 0) {
        run_initial_part(*static_cast<OpenmpTeam*>(argument));
        return;
    }
    auto const& team = *static_cast<OpenmpTeam const*>(argument);
    Stream* const stream = this_stream();
    if (!stream || !is_recorded(static_cast<unsigned>(real_team_size()))) {
        if (stream)
            stream->leave_call_for_work();
        run_part(team);
        return;
    }
    void const* const start = team.start_of(static_cast<unsigned>(real_thread_number()));
    if (stream->accepts_events())
        stream->event<Kind::semaphore_wait>(start, team.site, no_flags);
    else
        stream->resumed(0, no_flags);
    stream->openmp_team = &team;
    run_part(team);
    stream->openmp_team = nullptr;
    stream->event<Kind::barrier_wait>(team.barrier(), team.site, no_flags);
    stream->blocked<Kind::semaphore_wait>(start, team.site);
}

// Also in the threads that an inner region has made.
bool is_outermost() {
    return real_active_level() == 0;
}

// REQUIRES: the region is the outermost one. `arguments`: of `start`, after the threads.
template <class... Arguments>
[[gnu::always_inline]] inline void run_region(Stream* stream, void const* site, Routine routine, void* data,
                                              unsigned threads, Real<BeginRegion<Arguments...>>& start,
                                              Arguments... arguments) {
    unsigned const asked = threads ? threads : static_cast<unsigned>(real_most_threads());
    OpenmpTeam team{nullptr, routine, data, stream, asked, site, needs_barrier_before_end()};
    // Before any member runs: the lives of objects begin with their announcement.
    if (is_recorded(team.size))
        announce(stream, team);
    start(run_member, &team, threads, arguments...);
    run_initial_part(team);
    team_barrier<TasksAtBarrier::none>(site, real_end);
    stream->openmp_team = nullptr;
    note_lone_team(stream, team, threads);
}

// A region in a region is not recorded: its calls are not those of the outer team.
template <class Result, class... Arguments>
[[gnu::always_inline]] inline Result run_inner_region(
    Stream* stream, Routine routine, void* data, unsigned threads,
    Real<Result(Routine, void*, unsigned, Arguments...)>& whole, Arguments... arguments) {
    OpenmpTeam const* const outer = stream ? stream->openmp_team : nullptr;
    if (outer)
        stream->openmp_team = nullptr;
    auto const restore = [&] {
        if (outer)
            stream->openmp_team = outer;
    };
    if constexpr (__is_same(Result, void)) {
        whole(routine, data, threads, arguments...);
        restore();
    } else {
        Result const result = whole(routine, data, threads, arguments...);
        restore();
        return result;
    }
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK void GOMP_parallel(void (*routine)(void*), void* data, unsigned threads, unsigned flags) {
    Stream* const stream = this_stream();
    if (stream && is_outermost())
        run_region(stream, call_site(), routine, data, threads, real_start);
    else
        run_inner_region(stream, routine, data, threads, real_parallel, flags);
}

// There is no such region in two parts, so its initial thread arrives at the end when all others have.
PARCAST_HOOK unsigned GOMP_parallel_reductions(void (*routine)(void*), void* data, unsigned threads,
                                               unsigned flags) {
    Stream* const stream = this_stream();
    if (!stream || !is_outermost())
        return run_inner_region(stream, routine, data, threads, real_parallel_reductions, flags);
    unsigned const asked = threads ? threads : static_cast<unsigned>(real_most_threads());
    OpenmpTeam team{*static_cast<void**>(data), routine, data, stream, asked, call_site(),
                    needs_barrier_before_end()};
    if (is_recorded(asked))
        announce(stream, team);
    unsigned const size = real_parallel_reductions(run_member, &team, threads, flags);
    if (stream->openmp_team)
        stream->event<Kind::barrier_wait>(team.barrier(), team.site, no_flags);
    stream->openmp_team = nullptr;
    team.size = size;
    note_lone_team(stream, team, threads);
    return size;
}

PARCAST_HOOK void GOMP_workshare_task_reduction_unregister(bool cancelled) {
    if (cancelled)
        real_unregister(cancelled);
    else
        team_barrier(call_site(), real_unregister, cancelled);
}

PARCAST_HOOK void GOMP_parallel_sections(void (*routine)(void*), void* data, unsigned threads, unsigned count,
                                         unsigned flags) {
    Stream* const stream = this_stream();
    if (stream && is_outermost())
        run_region(stream, call_site(), routine, data, threads, real_sections_start, count);
    else
        run_inner_region(stream, routine, data, threads, real_sections, count, flags);
}

// A macro, since the names are the interface.
#define PARCAST_PARALLEL_LOOP(schedule, in_order)                                                         \
    PARCAST_REAL Real<BeginRegion<long, long, long, long, unsigned>> real_##schedule{                     \
        "GOMP_parallel_loop_" #schedule};                                                                 \
    PARCAST_REAL Real<BeginRegion<long, long, long, long>> real_##schedule##_start{                       \
        "GOMP_parallel_loop_" #in_order "_start"};                                                        \
    PARCAST_HOOK void GOMP_parallel_loop_##schedule(void (*routine)(void*), void* data, unsigned threads, \
                                                    long begin, long end, long step, long chunk,          \
                                                    unsigned flags) {                                     \
        Stream* const stream = this_stream();                                                             \
        if (stream && is_outermost())                                                                     \
            run_region(stream, call_site(), routine, data, threads, real_##schedule##_start, begin, end,  \
                       step, chunk);                                                                      \
        else                                                                                              \
            run_inner_region(stream, routine, data, threads, real_##schedule, begin, end, step, chunk,    \
                             flags);                                                                      \
    }

#define PARCAST_PARALLEL_RUNTIME_LOOP(schedule)                                                           \
    PARCAST_REAL Real<BeginRegion<long, long, long, unsigned>> real_##schedule{                           \
        "GOMP_parallel_loop_" #schedule};                                                                 \
    PARCAST_REAL Real<BeginRegion<long, long, long>> real_##schedule##_start{                             \
        "GOMP_parallel_loop_runtime_start"};                                                              \
    PARCAST_HOOK void GOMP_parallel_loop_##schedule(void (*routine)(void*), void* data, unsigned threads, \
                                                    long begin, long end, long step, unsigned flags) {    \
        Stream* const stream = this_stream();                                                             \
        if (stream && is_outermost())                                                                     \
            run_region(stream, call_site(), routine, data, threads, real_##schedule##_start, begin, end,  \
                       step);                                                                             \
        else                                                                                              \
            run_inner_region(stream, routine, data, threads, real_##schedule, begin, end, step, flags);   \
    }

PARCAST_PARALLEL_LOOP(dynamic, dynamic)
PARCAST_PARALLEL_LOOP(nonmonotonic_dynamic, dynamic)
PARCAST_PARALLEL_LOOP(guided, guided)
PARCAST_PARALLEL_LOOP(nonmonotonic_guided, guided)
PARCAST_PARALLEL_RUNTIME_LOOP(runtime)
PARCAST_PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime)
PARCAST_PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

PARCAST_HOOK void GOMP_barrier() {
    team_barrier(call_site(), real_barrier);
}

PARCAST_HOOK bool GOMP_barrier_cancel() {
    return team_barrier(call_site(), real_barrier_cancel);
}

PARCAST_HOOK void GOMP_loop_end() {
    team_barrier(call_site(), real_loop_end);
}

PARCAST_HOOK bool GOMP_loop_end_cancel() {
    return team_barrier(call_site(), real_loop_end_cancel);
}

PARCAST_HOOK void GOMP_sections_end() {
    team_barrier(call_site(), real_sections_end);
}

PARCAST_HOOK bool GOMP_sections_end_cancel() {
    return team_barrier(call_site(), real_sections_end_cancel);
}

// The thread that runs the block gets nothing here; the others get what it publishes with copy_end.
PARCAST_HOOK void* GOMP_single_copy_start() {
    Stream* const stream = this_stream();
    void* const published = real_copy_start();
    if (published && stream && stream->openmp_team)
        stream->event<Kind::barrier_wait>(stream->openmp_team->barrier(), call_site(), no_flags);
    return published;
}

PARCAST_HOOK void GOMP_single_copy_end(void* published) {
    team_barrier(call_site(), real_copy_end, published);
}
