// A stream that is measured with: what recording costs in this process.

#pragma once

#include "recorder/stream.h"

namespace parcast::recorder {

// Takes events of the calling thread, and forgets them again.
class ScratchStream {
public:
    void begin() {
        begin_watch(stream_.watch_, recording.clock);
        rewind();
        stream_.state_ = StreamState::open;
        stream_.evictions_ = 1u << 31;  // past the number at which a stream takes more slots
        current_stream = &stream_;
    }
    // Ready for a batch. A switch in an earlier one has made a sync due at every event, since how many ticks
    // a millisecond has is not known yet.
    void rewind() {
        stream_.next_ = words_;
        stream_.last_word_ = nullptr;
        stream_.reading_end_ = nullptr;
        stream_.end_ = words_ + word_count;
        stream_.sync_due_ticks_ = UINT64_MAX;
        stream_.attention_ticks_ = stream_.functions_ ? 0 : UINT64_MAX;
    }
    uint64_t words() const { return static_cast<uint64_t>(stream_.next_ - words_); }
    // Another address that has the slot of `address`.
    void const* rival_of(void const* address) const {
        auto rival = reinterpret_cast<uintptr_t>(address) + 1;
        while (stream_.slot_of(reinterpret_cast<void const*>(rival)) != stream_.slot_of(address))
            ++rival;
        return reinterpret_cast<void const*>(rival);
    }
    // Divides the time of functions from now on; nullptr: no longer.
    void use(FunctionCalls* functions) {
        stream_.functions_ = functions;
        stream_.attention_ticks_ = functions ? 0 : UINT64_MAX;
    }
    void end() {
        current_stream = nullptr;
        end_watch(stream_.watch_);
    }

private:
    static constexpr size_t word_count = 4096;
    Stream stream_;
    uint64_t words_[word_count] = {};
};

// One thread at a time measures.
extern constinit ScratchStream scratch;

}  // namespace parcast::recorder
