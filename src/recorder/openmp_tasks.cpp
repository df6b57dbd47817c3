// Explicit tasks of OpenMP. Each one is handed out to the thread that runs it (openmp_team.h), often while
// that thread waits at a barrier. The task's function and arguments travel in a frame of ours around them.

#include "recorder/openmp_team.h"

namespace parcast::recorder {
namespace {

using Routine = void (*)(void*);
using Copy = void (*)(void*, void*);
using TaskSignature = void(Routine, void*, Copy, long, long, bool, unsigned, void**, int, void*);

PARCAST_REAL Real<TaskSignature> real_task{"GOMP_task"};

// libgomp writes the event of such a task into its arguments, where ours are.
constexpr unsigned task_flag_detach = 1u << 13;

// Where the task is created.
struct NewTask {
    Routine routine;
    Copy copy;
    void* data;
    size_t size;
    size_t header;
};

// What libgomp keeps of it: in front of the arguments, which begin `header` bytes after it.
struct KeptTask {
    Routine routine;
    size_t header;
};

void copy_task(void* kept_at, void* created_at) {
    auto const& created = *static_cast<NewTask const*>(created_at);
    *static_cast<KeptTask*>(kept_at) = {created.routine, created.header};
    char* const arguments = static_cast<char*>(kept_at) + created.header;
    if (created.copy)
        created.copy(arguments, created.data);
    else
        __builtin_memcpy(arguments, created.data, created.size);
}

void run_task(void* kept_at) {
    auto const& kept = *static_cast<KeptTask const*>(kept_at);
    Stream* const stream = this_stream();
    if (stream)
        stream->leave_call_for_work();
    if (stream && stream->openmp_team) {
        begin_hand_out(stream, stream->openmp_team->tasks());
        end_hand_out(stream, stream->openmp_team->tasks());
    }
    kept.routine(static_cast<char*>(kept_at) + kept.header);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK void GOMP_task(void (*routine)(void*), void* data, void (*copy)(void*, void*), long size,
                            long alignment, bool may_be_deferred, unsigned flags, void** depend, int priority,
                            void* detach) {
    Stream* const stream = this_stream();
    if (!stream || (flags & task_flag_detach)) {
        real_task(routine, data, copy, size, alignment, may_be_deferred, flags, depend, priority, detach);
        return;
    }
    expect_tasks();
    long const least = alignment > 16 ? alignment : 16;
    long const header = (static_cast<long>(sizeof(KeptTask)) + least - 1) / least * least;
    NewTask created{routine, copy, data, static_cast<size_t>(size), static_cast<size_t>(header)};
    real_task(run_task, &created, copy_task, header + size, least, may_be_deferred, flags, depend, priority,
              detach);
}
