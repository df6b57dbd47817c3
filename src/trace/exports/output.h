// Bytes on their way out, in large pieces: what a writer of a foreign format writes to. Where they go is the
// caller's matter. Keeps its first error and drops everything after it, so that writers ask once, at the end.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace parcast::trace {

class Output {
public:
    using Sink = std::function<Result<void>(std::string_view)>;

    explicit Output(Sink sink) : sink_(std::move(sink)) { waiting_.reserve(piece + piece / 4); }

    void add(std::string_view bytes) {
        waiting_ += bytes;
        if (waiting_.size() >= piece)
            hand_on();
    }
    void add(std::int64_t number) { add(std::string_view(std::to_string(number))); }

    // Hands on what is left. The number of bytes written, or the first error.
    Result<std::uint64_t> finish() {
        hand_on();
        if (!state_)
            return pass_on(state_);
        return written_;
    }

private:
    static constexpr std::size_t piece = std::size_t{256} * 1024;

    void hand_on() {
        if (state_ && !waiting_.empty())
            state_ = sink_(waiting_);
        written_ += waiting_.size();
        waiting_.clear();
    }

    Sink sink_;
    std::string waiting_;
    Result<void> state_;
    std::uint64_t written_ = 0;
};

}  // namespace parcast::trace
