#include "trace/raw/tick_scale.h"

namespace parcast::trace {

Result<TickScale> TickScale::between(wire::ClockPair begin, wire::ClockPair end) {
    if (end.ticks == 0) {
        return fail(ErrorCode::truncated,
                    "the recording has no end: its program still runs, or `parcast record` was killed "
                    "before it could complete the file. Record again");
    }
    if (end.ticks <= begin.ticks || end.monotonic_ns <= begin.monotonic_ns)
        return fail(ErrorCode::malformed, "the clocks of the recording do not advance. Record again");
    __extension__ using Wide = unsigned __int128;
    Wide const ns_per_tick = (static_cast<Wide>(end.monotonic_ns - begin.monotonic_ns) << fraction_bits) /
                             (end.ticks - begin.ticks);
    // 16 ns a tick would be a counter of 62 MHz: none of these processors has one.
    if (ns_per_tick >> 64 != 0 || ns_per_tick == 0)
        return fail(ErrorCode::malformed, "the clocks of the recording contradict each other. Record again");
    return TickScale(begin.ticks, static_cast<std::uint64_t>(ns_per_tick));
}

}  // namespace parcast::trace
