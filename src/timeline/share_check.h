// Checks shares of work against the invariants of WorkShare and Timeline while they go by. The first
// violation stays.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/catalogue.h"
#include "core/result.h"
#include "core/work_share.h"

namespace parcast {

class ShareCheck {
public:
    // `catalogue` is the caller's, as long as it checks.
    explicit ShareCheck(Catalogue const& catalogue) : catalogue_(catalogue) {}

    // In the order of a ShareSink.
    void add(ThreadId thread, std::span<WorkShare const> shares);
    bool is_sound() const { return !violation_; }
    // After the last share. `events`: how many each thread has. Errors: inconsistent, the first violation.
    Result<void> finish(std::span<std::uint64_t const> events) const;

private:
    Catalogue const& catalogue_;
    std::size_t thread_ = 0;
    std::vector<std::uint64_t> pieces_;  // pieces_[thread]: one more than the last
    std::int64_t total_ns_ = 0;          // sums over any of them fit then, too
    std::optional<std::string> violation_;
};

}  // namespace parcast
