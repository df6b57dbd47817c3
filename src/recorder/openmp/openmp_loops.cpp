// Loops and sections that libgomp hands out in pieces: `schedule(dynamic)`, guided and runtime. On one CPU
// the first thread of the team may get all of them. Recorded piece by piece (openmp_team.h), a replay can
// hand them out anew.

#include "recorder/openmp/openmp_team.h"

namespace parcast::recorder {
namespace {

using Wide = unsigned long long;
using Start = bool(long, long, long, long, long*, long*);
using RuntimeStart = bool(long, long, long, long*, long*);
using Next = bool(long*, long*);
using WideStart = bool(bool, Wide, Wide, Wide, Wide, Wide*, Wide*);
using WideRuntimeStart = bool(bool, Wide, Wide, Wide, Wide*, Wide*);
using WideNext = bool(Wide*, Wide*);

PARCAST_REAL Real<unsigned(unsigned)> real_sections_start{"GOMP_sections_start"};
PARCAST_REAL Real<unsigned()> real_sections_next{"GOMP_sections_next"};

// For loops and sections that reduce over tasks, or keep memory for the team. A loop whose pieces are fixed
// asks for none.
using GeneralStart = bool(long, long, long, long, long, long*, long*, uintptr_t*, void**);
using WideGeneralStart = bool(bool, Wide, Wide, Wide, long, Wide, Wide*, Wide*, uintptr_t*, void**);
PARCAST_REAL Real<GeneralStart> real_loop_start{"GOMP_loop_start"};
PARCAST_REAL Real<WideGeneralStart> real_loop_ull_start{"GOMP_loop_ull_start"};
PARCAST_REAL Real<unsigned(unsigned, uintptr_t*, void**)> real_sections2_start{"GOMP_sections2_start"};

template <class Signature, class... Arguments>
[[gnu::always_inline]] inline auto handed_out(Real<Signature>& real, Arguments... arguments) {
    Stream* const stream = this_stream();
    if (!stream || !stream->openmp_team)
        return real(arguments...);
    begin_hand_out(stream, stream->openmp_team->chunks());
    auto const piece = real(arguments...);
    end_hand_out(stream, stream->openmp_team->chunks());
    return piece;
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

// The functions of one schedule, in both widths. A macro, since the names are the interface.
#define PARCAST_LOOP_NEXT(schedule)                                                             \
    PARCAST_REAL Real<Next> real_##schedule##_next{"GOMP_loop_" #schedule "_next"};             \
    PARCAST_REAL Real<WideNext> real_ull_##schedule##_next{"GOMP_loop_ull_" #schedule "_next"}; \
    PARCAST_HOOK bool GOMP_loop_##schedule##_next(long* first, long* last) {                    \
        return handed_out(real_##schedule##_next, first, last);                                 \
    }                                                                                           \
    PARCAST_HOOK bool GOMP_loop_ull_##schedule##_next(Wide* first, Wide* last) {                \
        return handed_out(real_ull_##schedule##_next, first, last);                             \
    }

#define PARCAST_LOOP(schedule)                                                                               \
    PARCAST_LOOP_NEXT(schedule)                                                                              \
    PARCAST_REAL Real<Start> real_##schedule##_start{"GOMP_loop_" #schedule "_start"};                       \
    PARCAST_REAL Real<WideStart> real_ull_##schedule##_start{"GOMP_loop_ull_" #schedule "_start"};           \
    PARCAST_HOOK bool GOMP_loop_##schedule##_start(long begin, long end, long step, long chunk, long* first, \
                                                   long* last) {                                             \
        return handed_out(real_##schedule##_start, begin, end, step, chunk, first, last);                    \
    }                                                                                                        \
    PARCAST_HOOK bool GOMP_loop_ull_##schedule##_start(bool up, Wide begin, Wide end, Wide step, Wide chunk, \
                                                       Wide* first, Wide* last) {                            \
        return handed_out(real_ull_##schedule##_start, up, begin, end, step, chunk, first, last);            \
    }

#define PARCAST_RUNTIME_LOOP(schedule)                                                                    \
    PARCAST_LOOP_NEXT(schedule)                                                                           \
    PARCAST_REAL Real<RuntimeStart> real_##schedule##_start{"GOMP_loop_" #schedule "_start"};             \
    PARCAST_REAL Real<WideRuntimeStart> real_ull_##schedule##_start{"GOMP_loop_ull_" #schedule "_start"}; \
    PARCAST_HOOK bool GOMP_loop_##schedule##_start(long begin, long end, long step, long* first,          \
                                                   long* last) {                                          \
        return handed_out(real_##schedule##_start, begin, end, step, first, last);                        \
    }                                                                                                     \
    PARCAST_HOOK bool GOMP_loop_ull_##schedule##_start(bool up, Wide begin, Wide end, Wide step,          \
                                                       Wide* first, Wide* last) {                         \
        return handed_out(real_ull_##schedule##_start, up, begin, end, step, first, last);                \
    }

PARCAST_LOOP(dynamic)
PARCAST_LOOP(nonmonotonic_dynamic)
PARCAST_LOOP(guided)
PARCAST_LOOP(nonmonotonic_guided)
PARCAST_RUNTIME_LOOP(runtime)
PARCAST_RUNTIME_LOOP(nonmonotonic_runtime)
PARCAST_RUNTIME_LOOP(maybe_nonmonotonic_runtime)

PARCAST_HOOK unsigned GOMP_sections_start(unsigned count) {
    return handed_out(real_sections_start, count);
}

PARCAST_HOOK bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long* first,
                                  long* last, uintptr_t* reductions, void** memory) {
    if (!first)
        return real_loop_start(begin, end, step, schedule, chunk, first, last, reductions, memory);
    return handed_out(real_loop_start, begin, end, step, schedule, chunk, first, last, reductions, memory);
}

PARCAST_HOOK bool GOMP_loop_ull_start(bool up, Wide begin, Wide end, Wide step, long schedule, Wide chunk,
                                      Wide* first, Wide* last, uintptr_t* reductions, void** memory) {
    if (!first)
        return real_loop_ull_start(up, begin, end, step, schedule, chunk, first, last, reductions, memory);
    return handed_out(real_loop_ull_start, up, begin, end, step, schedule, chunk, first, last, reductions,
                      memory);
}

PARCAST_HOOK unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
    return handed_out(real_sections2_start, count, reductions, memory);
}

PARCAST_HOOK unsigned GOMP_sections_next() {
    return handed_out(real_sections_next);
}
