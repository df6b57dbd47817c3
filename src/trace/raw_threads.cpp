#include "trace/raw_threads.h"

#include <algorithm>
#include <memory>

#include "trace/raw_stream.h"

namespace parcast::trace {

namespace {

// A process that died before its first event still had an initial thread.
RawThread thread_without_events(std::int64_t end_ns) {
    RawThread thread;
    thread.events.resize(2);
    thread.events[1].kind = EventKind::thread_end;
    thread.events[1].wall_ns = end_ns;
    thread.events[1].outcome = Outcome::cut_off;
    return thread;
}

}  // namespace

Result<RawThreads> decode_threads(RawLayout const& layout, TickScale const& scale, std::int64_t end_ns) {
    RawThreads result;
    for (auto const& chunks : layout.streams) {
        auto const decoder = std::make_unique<StreamDecoder>(scale, end_ns, result);  // its slots: 48 KiB
        for (RawChunk const& chunk : chunks) {
            if (auto decoded = decoder->decode(chunk); !decoded) {
                return pass_on(decoded);
            }
        }
        decoder->finish();
    }
    std::sort(result.threads.begin(), result.threads.end(),
              [](RawThread const& a, RawThread const& b) { return a.number < b.number; });
    for (std::size_t i = 1; i < result.threads.size(); ++i) {
        if (result.threads[i].number == result.threads[i - 1].number) {
            return fail(ErrorCode::malformed, "thread " + std::to_string(result.threads[i].number) +
                                                  " begins twice in the recording.");
        }
    }
    if (result.threads.empty() || result.threads.front().number != 0) {
        result.threads.insert(result.threads.begin(), thread_without_events(end_ns));
    }
    return result;
}

}  // namespace parcast::trace
