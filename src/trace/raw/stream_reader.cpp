#include "trace/raw/stream_reader.h"

#include <algorithm>

namespace parcast::trace {

namespace {

// Threads are short when many share a stream: little is read at first.
constexpr std::size_t first_piece_bytes = 4096;

}  // namespace

Result<std::optional<RawThread>> StreamReader::read_thread(FileBytes& file,
                                                           std::optional<std::int64_t> debt_ns,
                                                           Sink const& take) {
    decoder_.expect_debt(debt_ns);
    for (std::size_t most = first_piece_bytes; !is_finished_;
         most = wire::most_chunk_pages * wire::page_bytes) {
        if (chunk_ == chunks_.size()) {
            decoder_.finish();
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
