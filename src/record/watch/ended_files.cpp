#include "record/watch/ended_files.h"

#include <algorithm>
#include <vector>

#include "measure/clock.h"

namespace parcast::record {

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;

}  // namespace

// A file in use is left to the next time. Few files are left alone: there is little to be had.
Duration EndedFiles::trim(std::int64_t now_ns) {
    if (now_ns < next_ns_)
        return Duration{next_ns_ - now_ns};
    constexpr std::size_t many = 64;
    std::int64_t const begin = measure::wall_ns();
    std::vector<RawFile> const files = folder_->raw_files();
    for (RawFile const& file : files) {
        Name const name{file.process, file.generation};
        if (files.size() >= many && !done_.contains(name) && trim_raw_file(file))
            done_.insert(name);
    }
    Duration const pause{std::max(second_ns, 20 * (measure::wall_ns() - begin))};
    next_ns_ = now_ns + pause.ns;
    return pause;
}

}  // namespace parcast::record
