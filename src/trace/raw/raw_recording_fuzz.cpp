// Any bytes as a raw recording: no crash, no unbounded memory; what is accepted is a sound timeline that
// survives being written and read.

#include <cstdint>

#include "core/ensure.h"
#include "trace/raw/raw_recording.h"
#include "trace/recording_file.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    using namespace parcast;
    auto const timeline = trace::read_raw_recording(std::as_bytes(std::span(data, size)));
    if (timeline) {
        auto const again = trace::read_recording(trace::write_recording(*timeline));
        ensure(again.has_value(), "a trace that was just written can be read");
        ensure(again->events == timeline->events && again->catalogue == timeline->catalogue &&
                   again->provenance == timeline->provenance && again->shares == timeline->shares,
               "reading gives back what was written");
    }
    return 0;
}
