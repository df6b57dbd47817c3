// When the line of progress is due: on a terminal a second after the work began, elsewhere every ten seconds.
// Work is that of the command: a stage that begins, or ends, changes nothing. After a rest of ten seconds, as
// of a server, other work begins.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

namespace parcast::cli {

class ProgressClock {
public:
    static constexpr std::int64_t before_first_ns = 1'000'000'000;  // on a terminal
    static constexpr std::int64_t between_lines_ns = 10'000'000'000;

    // Something is going on.
    void work(std::int64_t now_ns) {
        bool const has_rested = rest_ns_ && now_ns - *rest_ns_ > between_lines_ns;
        if (!begin_ns_ || has_rested)
            begin_ns_ = now_ns;
        rest_ns_.reset();
    }
    // Nothing is, any more.
    void rest(std::int64_t now_ns) {
        if (!rest_ns_)
            rest_ns_ = now_ns;
    }
    void show(std::int64_t now_ns) { shown_ns_ = now_ns; }

    // REQUIRES: work.
    std::int64_t due_on_terminal_ns() const { return *begin_ns_ + before_first_ns; }
    std::int64_t due_elsewhere_ns() const {
        return std::max(*begin_ns_, shown_ns_.value_or(*begin_ns_)) + between_lines_ns;
    }

private:
    std::optional<std::int64_t> begin_ns_;
    std::optional<std::int64_t> rest_ns_;
    std::optional<std::int64_t> shown_ns_;
};

}  // namespace parcast::cli
