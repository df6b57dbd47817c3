#include "record/perf_records.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include <linux/perf_event.h>

namespace parcast::record {
namespace {

// A ring into which records were written before, up to `begin`.
class Ring {
public:
    explicit Ring(std::uint64_t begin) : begin_(begin), written_(begin) {}

    // `more`: bytes, as the header has it, than there are.
    Ring& write(std::uint32_t type, std::vector<std::uint64_t> const& words, int more = 0) {
        auto const bytes = static_cast<int>(sizeof(perf_event_header) + words.size() * 8);
        auto const size = static_cast<std::uint16_t>(bytes + more);
        perf_event_header const header{type, 0, size};
        std::array<std::byte, sizeof header> head{};
        std::memcpy(head.data(), &header, sizeof header);
        append(head);
        append(std::as_bytes(std::span(words)));
        return *this;
    }

    // The words behind the headers of those that were handed over.
    std::vector<std::vector<std::uint64_t>> read() {
        std::vector<std::vector<std::uint64_t>> found;
        records.hand_over(bytes_, begin_, written_, [&](std::span<std::byte const> record) {
            std::vector<std::uint64_t> words((record.size() - sizeof(perf_event_header)) / 8);
            std::memcpy(words.data(), record.data() + sizeof(perf_event_header), words.size() * 8);
            found.push_back(words);
        });
        begin_ = written_;
        return found;
    }

    PerfRecords records;

private:
    void append(std::span<std::byte const> some) {
        for (std::byte const each : some)
            bytes_[written_++ % bytes_.size()] = each;
    }

    std::array<std::byte, 128> bytes_{};
    std::uint64_t begin_;
    std::uint64_t written_;
};

using Words = std::vector<std::vector<std::uint64_t>>;

TEST(PerfRecords, ComeWholeAndInTheirOrderAlsoWhereTheyWrapAroundTheEnd) {
    for (std::uint64_t begin = 0; begin <= 256; begin += 8) {
        Ring ring(begin);
        ring.write(PERF_RECORD_SAMPLE, {1, 2}).write(4'711, {3, 4, 5}).write(PERF_RECORD_MMAP, {6});
        EXPECT_EQ(ring.read(), (Words{{1, 2}, {3, 4, 5}, {6}})) << "from byte " << begin << " on";
        EXPECT_EQ(ring.read(), Words{}) << "once each";
    }
}

TEST(PerfRecords, FillTheRingToItsLastByte) {
    Ring ring(72);
    std::vector<std::uint64_t> const words(15, 7);
    EXPECT_EQ(ring.write(PERF_RECORD_SAMPLE, words).read(), Words{words});
}

TEST(PerfRecords, ThatWereLostAreCountedAndNotHandedOver) {
    Ring ring(96);
    ring.write(PERF_RECORD_LOST, {99, 12, 0, 0})
        .write(PERF_RECORD_SAMPLE, {1})
        .write(PERF_RECORD_LOST, {99, 3});
    EXPECT_EQ(ring.read(), (Words{{1}}));
    EXPECT_EQ(ring.records.lost(), 15);
    EXPECT_EQ(ring.write(PERF_RECORD_LOST, {99}).read(), Words{}) << "too short to say how many";
    EXPECT_EQ(ring.records.lost(), 15);
}

TEST(PerfRecords, BehindOneThatCannotBeAreSkipped) {
    Ring shorter(0);
    shorter.write(PERF_RECORD_SAMPLE, {1}).write(PERF_RECORD_SAMPLE, {}, -4).write(PERF_RECORD_SAMPLE, {3});
    EXPECT_EQ(shorter.read(), (Words{{1}})) << "shorter than its own header";
    EXPECT_EQ(shorter.write(PERF_RECORD_SAMPLE, {4}).read(), (Words{{4}})) << "what comes later is whole";
    Ring longer(0);
    longer.write(PERF_RECORD_SAMPLE, {1}).write(PERF_RECORD_SAMPLE, {2}, 1);
    EXPECT_EQ(longer.read(), (Words{{1}})) << "longer than what was written";
}

}  // namespace
}  // namespace parcast::record
