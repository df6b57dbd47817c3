// What a call of an instrumented function costs in this process: fastest of some batches of calls that do
// nothing else.

#include "recorder/function_calls.h"

#include "recorder/recording.h"
#include "recorder/scratch_stream.h"

extern "C" void __cyg_profile_func_enter(void* function, void* call_site);
extern "C" void __cyg_profile_func_exit(void* function, void* call_site);

namespace parcast::recorder {
namespace {

constexpr int calls_at_once = 64;
constexpr int rounds = 6;

uint64_t least_of(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

enum class Doing : uint8_t { calls, events, calls_and_events };

template <Doing doing>
uint64_t ticks_of_round() {
    static constinit char function = 0;
    scratch.rewind();
    uint64_t const begin = read_ticks();
    for (int i = 0; i < calls_at_once; ++i) {
        if constexpr (doing != Doing::events) {
            __cyg_profile_func_enter(&function, &function);
            __cyg_profile_func_exit(&function, &function);
        }
        if constexpr (doing != Doing::calls)
            current_stream->event<Kind::mutex_unlock>(&function, nullptr, no_flags);
    }
    return read_ticks() - begin;
}

struct Ticks {
    uint64_t calls = UINT64_MAX;
    uint64_t inside = UINT64_MAX;
    uint64_t deeper = UINT64_MAX;
    uint64_t events = UINT64_MAX;
    uint64_t calls_and_events = UINT64_MAX;
};

// Functions whose frames are above every other.
void fill(FunctionCalls& functions, uint32_t depth) {
    for (uint32_t i = 0; i < depth; ++i)
        functions.enter(&functions, &functions, reinterpret_cast<void const*>(UINTPTR_MAX - 1 - i), depth);
}

Ticks measure(FunctionCalls& functions) {
    Ticks least;
    for (int round = 0; round < rounds; ++round) {
        scratch.use(nullptr);
        least.events = least_of(least.events, ticks_of_round<Doing::events>());
        scratch.use(&functions);
        functions.go_on_from(read_ticks());
        uint64_t const calls = ticks_of_round<Doing::calls>();
        FunctionCalls::Stack& callee = functions.stack(functions.stack(0).last_child);
        if (calls < least.calls) {
            least.calls = calls;
            least.inside = callee.ticks;
        }
        callee.ticks = 0;
        least.calls_and_events = least_of(least.calls_and_events, ticks_of_round<Doing::calls_and_events>());
        callee.ticks = 0;
    }
    fill(functions, recording.call_depth);
    for (int round = 0; round < rounds; ++round)
        least.deeper = least_of(least.deeper, ticks_of_round<Doing::calls>());
    return least;
}

}  // namespace

void measure_call_cost(wire::Header& header) {
    FunctionCalls* const functions = FunctionCalls::map();
    if (!functions)
        return;
    scratch.begin();
    Ticks least = measure(*functions);
    scratch.use(nullptr);
    scratch.end();
    FunctionCalls::unmap(functions);
    double const ns_per_tick = 1e6 / static_cast<double>(recording.ticks_per_millisecond);
    auto const ns_of_one = [&](uint64_t ticks, uint64_t without) {
        return ticks > without ? static_cast<double>(ticks - without) * ns_per_tick / calls_at_once : 0;
    };
    // Where every call reads the CPU clock, the readings of both ends cost the same.
    if (recording.clock == wire::Clock::thread_clock)
        least.inside = least.calls / 2;
    header.call_inside_ns = ns_of_one(least.inside, 0);
    header.call_outside_ns = ns_of_one(least.calls, least.inside);
    header.deeper_call_ns = ns_of_one(least.deeper, 0);
    // Two stacks before each event: the function's, and that outside of it.
    header.stack_time_ns = ns_of_one(least.calls_and_events, least.calls + least.events) / 2;
}

}  // namespace parcast::recorder
