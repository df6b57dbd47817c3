#include "record/perf_records.h"

#include <algorithm>
#include <cstring>

#include <linux/perf_event.h>

namespace parcast::record {

namespace {

struct RecordOfLoss {
    perf_event_header header;
    std::uint64_t event;
    std::uint64_t lost;
};

template <class Begin>
Begin begin_of(std::span<std::byte const> record) {
    Begin begin{};
    std::memcpy(&begin, record.data(), sizeof begin);
    return begin;
}

}  // namespace

void PerfRecords::hand_over(std::span<std::byte const> ring, std::uint64_t read, std::uint64_t written,
                            std::function<void(std::span<std::byte const>)> const& take) {
    auto const copy = [&](std::size_t bytes) {
        record_.resize(bytes);
        auto const at = static_cast<std::size_t>(read % ring.size());
        auto const before_end = ring.subspan(at, std::min(bytes, ring.size() - at));
        auto const behind = std::ranges::copy(before_end, record_.begin()).out;
        std::ranges::copy(ring.first(bytes - before_end.size()), behind);
    };
    while (written - read >= sizeof(perf_event_header)) {
        copy(sizeof(perf_event_header));
        auto const header = begin_of<perf_event_header>(record_);
        if (header.size < sizeof header || header.size > written - read)
            return;
        copy(header.size);
        read += header.size;
        if (header.type != PERF_RECORD_LOST)
            take(record_);
        else if (record_.size() >= sizeof(RecordOfLoss))
            lost_ += static_cast<std::int64_t>(begin_of<RecordOfLoss>(record_).lost);
    }
}

}  // namespace parcast::record
