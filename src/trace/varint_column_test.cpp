#include "trace/varint_column.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace parcast::trace {
namespace {

std::vector<std::byte> written(std::vector<std::uint64_t> const& values) {
    std::vector<std::byte> bytes(values.size() * longest_varint);
    bytes.resize(static_cast<std::size_t>(put_varints(bytes.data(), values) - bytes.data()));
    return bytes;
}

struct Case {
    unsigned most_bits;
    char const* because;
};

class VarintColumn : public testing::TestWithParam<Case> {};

TEST_P(VarintColumn, HoldsTheBytesOfSingleVarintsAndReadsThemBack) {
    std::mt19937_64 random(GetParam().most_bits);
    for (std::size_t count = 0; count < 100; ++count) {
        std::vector<std::uint64_t> values(count);
        ByteWriter singly;
        for (auto& value : values) {
            value = random() >> (64 - 1 - random() % GetParam().most_bits);
            singly.varint(value);
        }
        auto const bytes = written(values);
        ASSERT_EQ(bytes, singly.bytes()) << GetParam().because;
        std::vector<std::uint64_t> read(count);
        auto const taken = take_varints(bytes, read);
        ASSERT_TRUE(taken.has_value());
        EXPECT_EQ(*taken, bytes.size());
        EXPECT_EQ(read, values) << GetParam().because;
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, VarintColumn,
                         testing::Values(Case{7, "one byte each"}, Case{8, "one byte or two"},
                                         Case{20, "times of a lock"}, Case{56, "a whole word"},
                                         Case{57, "more than a word"}, Case{64, "ten bytes"}));

TEST(VarintColumn, LeavesAloneWhatFollows) {
    auto const bytes = written({1, 2, 300, 4, 5, 6, 7, 8, 9, 10, 11, 12});
    std::vector<std::uint64_t> read(3);
    EXPECT_EQ(take_varints(bytes, read), 4u);
    EXPECT_EQ(read, (std::vector<std::uint64_t>{1, 2, 300}));
}

TEST(VarintColumn, IsRefusedIfItIsCutOffOrHasMoreThan64Bits) {
    std::vector<std::uint64_t> read(20);
    auto bytes = written(std::vector<std::uint64_t>(20, 1u << 20));
    bytes.pop_back();
    EXPECT_FALSE(take_varints(bytes, read).has_value());
    EXPECT_FALSE(take_varints({}, read).has_value());
    std::vector<std::byte> const endless(30, std::byte{0xff});
    EXPECT_FALSE(take_varints(endless, read).has_value());
    std::vector<std::byte> too_large(9, std::byte{0xff});
    too_large.insert(too_large.end(), 21, std::byte{2});
    EXPECT_FALSE(take_varints(too_large, read).has_value());
}

}  // namespace
}  // namespace parcast::trace
