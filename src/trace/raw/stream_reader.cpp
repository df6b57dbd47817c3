#include "trace/raw/stream_reader.h"

#include <algorithm>
#include <cstring>

namespace parcast::trace {

namespace {

// Threads are short when many share a stream: little is read at first.
constexpr std::size_t first_piece_bytes = 4096;

// A record that is cut off is no record.
std::unordered_map<std::uint64_t, std::int64_t> final_clocks_in(RawLayout const& layout) {
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

StreamSetting::StreamSetting(RawLayout const& layout, TickScale const& ticks, std::int64_t end)
    : scale(ticks), clock(layout.header.clock), end_ns(end), final_clocks(final_clocks_in(layout)) {}

Result<std::optional<RawThread>> StreamReader::read_thread(FileBytes& file,
                                                           std::optional<std::int64_t> debt_ns,
                                                           Sink const& take) {
    decoder_.expect_debt(debt_ns);
    for (std::size_t most = first_piece_bytes; !is_finished_;
         most = wire::most_chunk_pages * wire::page_bytes) {
        if (chunk_ == chunks_.size()) {
            decoder_.finish(setting_.final_clocks);
            is_finished_ = true;
        } else if (auto read = read_piece(file, most); !read) {
            return pass_on(read);
        }
        if (auto const events = decoder_.final_events(); !events.empty()) {
            take(decoder_.thread(), events, decoder_.final_shares(events.size()));
            decoder_.drop(events.size());
        }
        if (auto ended = decoder_.take_ended(); ended)
            return ended;
    }
    return std::optional<RawThread>();
}

Result<void> StreamReader::read_piece(FileBytes& file, std::size_t most) {
    RawChunk& chunk = chunks_[chunk_];
    std::size_t const left = chunk.bytes - byte_;
    auto const words = file.at(chunk.offset + byte_, std::min(left, most));
    if (!words)
        return pass_on(words);
    auto const rest = words->size() < left ? StreamDecoder::Rest::more
                      : chunk.is_cut_off   ? StreamDecoder::Rest::cut_off
                                           : StreamDecoder::Rest::nothing;
    auto const decoded = decoder_.decode(*words, chunk.offset + byte_, rest);
    if (!decoded)
        return pass_on(decoded);
    byte_ += decoded->bytes;
    if (decoded->is_chunk_over) {
        chunk.bytes = byte_;
        ++chunk_;
        byte_ = 0;
    }
    return {};
}

}  // namespace parcast::trace
