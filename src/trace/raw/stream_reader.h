// Reads one stream of a raw recording, thread after thread. A copy goes on from the same place.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/raw/raw_stream.h"

namespace parcast::trace {

class StreamReader {
public:
    // The chunks are cut to what was read of them. All are the caller's, as long as it reads.
    StreamReader(StreamSetting const& setting, std::vector<RawChunk>& chunks, RawNumbers& numbers,
                 RawRemarks& remarks)
        : chunks_(chunks), decoder_(setting, numbers, remarks) {}

    // Takes events of a thread, which nothing that follows can change any more, and the shares of the work
    // before them.
    using Sink =
        std::function<void(RawThread& thread, std::span<Event> events, std::span<WorkShare const> shares)>;

    // Reads the next thread to its end, or to that of the recording. None if there is none. If its debt
    // is not known yet, it is noted in the thread and not taken back from the events.
    // Errors: malformed, with the byte offset.
    Result<std::optional<RawThread>> read_thread(FileBytes& file, std::optional<std::int64_t> debt_ns,
                                                 Sink const& take);

private:
    Result<void> read_piece(FileBytes& file, std::size_t most);

    std::vector<RawChunk>& chunks_;
    StreamDecoder decoder_;
    std::size_t chunk_ = 0;
    std::size_t byte_ = 0;  // in the chunk
    bool is_finished_ = false;
};

}  // namespace parcast::trace
