// Explicit tasks of OpenMP, and those that a taskloop is cut into. Each one is handed out to the thread that
// runs it (openmp_team.h), often while that thread waits at a barrier. The task's function and arguments
// travel in a frame of ours around them:
//
//     KeptTask  routine ...                  | arguments
//     KeptPiece first last reductions ...    | arguments: first last reductions ...
//
// libgomp writes the first and last index of a piece of a taskloop to where its arguments begin, and reads
// there what it reduces: so the frame begins as they do, and the arguments get the indices when it runs.

#include "recorder/openmp/openmp_team.h"

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

void note_task() {
    Stream* const stream = this_stream();
    if (stream)
        stream->leave_call_for_work();
    if (stream && stream->openmp_team) {
        begin_hand_out(stream, stream->openmp_team->tasks());
        end_hand_out(stream, stream->openmp_team->tasks());
    }
}

void run_task(void* kept_at) {
    auto const& kept = *static_cast<KeptTask const*>(kept_at);
    note_task();
    kept.routine(static_cast<char*>(kept_at) + kept.header);
}

// Where arguments begin that follow a frame of `bytes`.
size_t header_before(size_t alignment, size_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

constexpr long least_alignment = 16;
long alignment_of(long arguments) {
    return arguments > least_alignment ? arguments : least_alignment;
}

// What arguments of a taskloop begin with, for both widths of indices.
struct Indices {
    uint64_t first;
    uint64_t last;
};
struct KeptPiece {
    Indices indices;
    void* reductions;
    Routine routine;
    size_t header;
};

// Where the loop is met, if its arguments are copied by a function of the host.
struct NewPieces {
    KeptPiece kept;
    Copy copy;
    void* data;
};

void copy_piece(void* kept_at, void* created_at) {
    auto const& created = *static_cast<NewPieces const*>(created_at);
    *static_cast<KeptPiece*>(kept_at) = created.kept;
    created.copy(static_cast<char*>(kept_at) + created.kept.header, created.data);
}

void run_piece(void* kept_at) {
    auto const& kept = *static_cast<KeptPiece const*>(kept_at);
    char* const arguments = static_cast<char*>(kept_at) + kept.header;
    __builtin_memcpy(arguments, &kept.indices, sizeof kept.indices);
    note_task();
    kept.routine(arguments);
}

constexpr unsigned task_flag_reduction = 1u << 12;

// `whole`: the loop's own arguments, from its flags on. What libgomp copies by itself must be in one piece,
// on our stack; a function of ours instead would make it take stack for all tasks at once where it runs them
// one after the other.
template <class Signature, class... Whole>
void run_taskloop(Real<Signature>& real, Routine routine, void* data, Copy copy, long size, long alignment,
                  unsigned flags, Whole... whole) {
    if (!this_stream()) {
        real(routine, data, copy, size, alignment, flags, whole...);
        return;
    }
    expect_tasks();
    long const least = alignment_of(alignment);
    size_t const header = header_before(static_cast<size_t>(least), sizeof(KeptPiece));
    long const kept_size = static_cast<long>(header) + size;
    void* const reductions = flags & task_flag_reduction ? static_cast<void**>(data)[2] : nullptr;
    KeptPiece const kept{{}, reductions, routine, header};
    if (copy) {
        NewPieces created{kept, copy, data};
        real(run_piece, &created, copy_piece, kept_size, least, flags, whole...);
        return;
    }
    auto* const block = static_cast<char*>(
        __builtin_alloca_with_align(static_cast<size_t>(kept_size + least), 8 * least_alignment));
    size_t const misplaced = reinterpret_cast<uintptr_t>(block) % static_cast<size_t>(least);
    char* const frame = misplaced == 0 ? block : block + (static_cast<size_t>(least) - misplaced);
    __builtin_memcpy(frame, &kept, sizeof kept);
    __builtin_memcpy(frame + header, data, static_cast<size_t>(size));
    real(run_piece, frame, nullptr, kept_size, least, flags, whole...);
}

using Wide = unsigned long long;
using LoopSignature = void(Routine, void*, Copy, long, long, unsigned, unsigned long, int, long, long, long);
using WideLoopSignature = void(Routine, void*, Copy, long, long, unsigned, unsigned long, int, Wide, Wide,
                               Wide);
PARCAST_REAL Real<LoopSignature> real_taskloop{"GOMP_taskloop"};
PARCAST_REAL Real<WideLoopSignature> real_taskloop_ull{"GOMP_taskloop_ull"};

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
    long const least = alignment_of(alignment);
    size_t const header = header_before(static_cast<size_t>(least), sizeof(KeptTask));
    NewTask created{routine, copy, data, static_cast<size_t>(size), header};
    real_task(run_task, &created, copy_task, static_cast<long>(header) + size, least, may_be_deferred, flags,
              depend, priority, detach);
}

PARCAST_HOOK void GOMP_taskloop(void (*routine)(void*), void* data, void (*copy)(void*, void*), long size,
                                long alignment, unsigned flags, unsigned long tasks, int priority, long first,
                                long last, long step) {
    run_taskloop(real_taskloop, routine, data, copy, size, alignment, flags, tasks, priority, first, last,
                 step);
}

PARCAST_HOOK void GOMP_taskloop_ull(void (*routine)(void*), void* data, void (*copy)(void*, void*), long size,
                                    long alignment, unsigned flags, unsigned long tasks, int priority,
                                    unsigned long long first, unsigned long long last,
                                    unsigned long long step) {
    run_taskloop(real_taskloop_ull, routine, data, copy, size, alignment, flags, tasks, priority, first, last,
                 step);
}
