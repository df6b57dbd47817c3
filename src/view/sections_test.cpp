#include "view/sections.h"

#include <gtest/gtest.h>

#include <cstring>

namespace parcast::view {
namespace {

Bytes two_columns() {
    SectionWriter writer(program_magic, 0);
    writer.add("bytes", std::vector<std::uint8_t>{1, 2, 3});
    writer.add("times", std::vector<double>{0.5, 1e15 + 1});
    return writer.finish();
}

std::uint32_t& number_at(Bytes& bytes, std::size_t offset) {
    return *reinterpret_cast<std::uint32_t*>(bytes.data() + offset);
}

constexpr std::size_t head = 16;
constexpr std::size_t type_of_first = head + 24;
constexpr std::size_t length_of_first = head + 28;
constexpr std::size_t offset_of_first = head + 32;

TEST(Sections, ComeBackAsTheyWereWritten) {
    auto const bytes = two_columns();
    auto const reader = SectionReader::open(bytes, program_magic);
    ASSERT_TRUE(reader);
    auto const column = reader->column<double>("times");
    ASSERT_TRUE(column);
    EXPECT_EQ(std::vector<double>(column->begin(), column->end()), (std::vector<double>{0.5, 1e15 + 1}));
    EXPECT_EQ(reader->column<std::uint8_t>("bytes")->size(), 3U);
}

TEST(Sections, BeginAtMultiplesOfEight) {
    auto bytes = two_columns();
    for (std::size_t section = 0; section < 2; ++section)
        EXPECT_EQ(number_at(bytes, offset_of_first + section * 40) % 8, 0U);
}

TEST(Sections, OfAnotherTypeAreNotFound) {
    auto const bytes = two_columns();
    auto const reader = SectionReader::open(bytes, program_magic);
    EXPECT_EQ(reader->column<float>("times").error().code, ErrorCode::not_found);
    EXPECT_EQ(reader->column<double>("time").error().code, ErrorCode::not_found);
}

struct Damage {
    std::size_t offset;
    std::uint32_t value;
    ErrorCode expected;
    char const* because;
};

TEST(Sections, AreRefusedWhereTheTableLies) {
    for (auto const& damage : {
             Damage{0, 0, ErrorCode::unsupported, "another magic"},
             Damage{4, 1, ErrorCode::unsupported, "another version"},
             Damage{8, 65, ErrorCode::malformed, "more sections than there may be"},
             Damage{type_of_first, 8, ErrorCode::malformed, "a type that is not known"},
             Damage{type_of_first, 0, ErrorCode::malformed, "no type"},
             Damage{length_of_first, 0xffffffff, ErrorCode::truncated, "longer than the file"},
             Damage{offset_of_first, 0xfffffff8, ErrorCode::truncated, "beyond the file"},
             Damage{offset_of_first, 2580, ErrorCode::malformed, "not aligned"},
         }) {
        auto bytes = two_columns();
        number_at(bytes, damage.offset) = damage.value;
        auto const reader = SectionReader::open(bytes, program_magic);
        ASSERT_FALSE(reader) << damage.because;
        EXPECT_EQ(reader.error().code, damage.expected) << damage.because;
    }
}

TEST(Sections, ThatAreCutOffAreRefusedOrWhole) {
    auto const bytes = two_columns();
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        auto const reader = SectionReader::open(std::span(bytes).first(size), program_magic);
        EXPECT_TRUE(!reader || size + 8 > bytes.size()) << "only the filling at the end may be missing";
    }
}

}  // namespace
}  // namespace parcast::view
