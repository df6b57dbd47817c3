#include "trace/raw/raw_threads.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <unordered_map>

#include "trace/raw/raw_stream.h"

namespace parcast::trace {

namespace {

// A process that died before its first event still had an initial thread.
RawThread thread_without_events(std::int64_t end_ns) {
    RawThread thread;
    Event end;
    end.kind = EventKind::thread_end;
    end.wall_ns = end_ns;
    end.outcome = Outcome::cut_off;
    thread.events = {Event{}, end};
    return thread;
}

// By thread number. A record that is cut off is no record.
std::unordered_map<std::uint64_t, std::int64_t> final_clocks(RawLayout const& layout) {
    std::unordered_map<std::uint64_t, std::int64_t> clocks;
    for (std::size_t at = 0; at + sizeof(wire::FinalClock) <= layout.final_clocks.size();
         at += sizeof(wire::FinalClock)) {
        wire::FinalClock record{};
        std::memcpy(&record, layout.final_clocks.data() + at, sizeof record);
        if (record.cpu_ns <= static_cast<std::uint64_t>(longest_ns))
            clocks[record.thread_number] = static_cast<std::int64_t>(record.cpu_ns);
    }
    return clocks;
}

}  // namespace

Result<RawThreads> decode_threads(RawLayout const& layout, TickScale const& scale, std::int64_t end_ns) {
    RawThreads result;
    auto const clocks = final_clocks(layout);
    for (auto const& chunks : layout.streams) {
        auto const decoder =
            std::make_unique<StreamDecoder>(scale, layout.header.clock, end_ns, result);  // its slots: 48 KiB
        for (RawChunk const& chunk : chunks)
            if (auto decoded = decoder->decode(chunk); !decoded)
                return pass_on(decoded);
        decoder->finish(clocks);
    }
    std::sort(result.threads.begin(), result.threads.end(),
              [](RawThread const& a, RawThread const& b) { return a.number < b.number; });
    for (std::size_t i = 1; i < result.threads.size(); ++i) {
        if (result.threads[i].number == result.threads[i - 1].number) {
            return fail(ErrorCode::malformed, "thread " + std::to_string(result.threads[i].number) +
                                                  " begins twice in the recording");
        }
    }
    if (result.threads.empty() || result.threads.front().number != 0)
        result.threads.insert(result.threads.begin(), thread_without_events(end_ns));
    return result;
}

}  // namespace parcast::trace
