#include "page/content.h"

#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace parcast::page {

namespace {

std::span<std::byte const> bytes_of(std::string_view text) {
    return std::as_bytes(std::span(text));
}

// What zlib itself makes of it.
std::string unpacked(std::vector<std::byte> const& packed, std::size_t size) {
    std::string text(size + 1, '\0');
    z_stream stream{};
    EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(text.size());
    EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
    text.resize(stream.total_out);
    inflateEnd(&stream);
    return text;
}

}  // namespace

TEST(Base64, IsThatOfTheStandard) {
    // RFC 4648, section 10.
    EXPECT_EQ(base64(bytes_of("")), "");
    EXPECT_EQ(base64(bytes_of("f")), "Zg==");
    EXPECT_EQ(base64(bytes_of("fo")), "Zm8=");
    EXPECT_EQ(base64(bytes_of("foo")), "Zm9v");
    EXPECT_EQ(base64(bytes_of("foob")), "Zm9vYg==");
    EXPECT_EQ(base64(bytes_of("fooba")), "Zm9vYmE=");
    EXPECT_EQ(base64(bytes_of("foobar")), "Zm9vYmFy");
    EXPECT_EQ(base64(bytes_of("\xff\xef\xbe")), "/+++");
}

TEST(Gzip, GivesBackWhatWentIn) {
    for (std::size_t const size : {0UL, 1UL, 100'000UL, 3'000'000UL, 9'000'000UL}) {
        std::string text(size, '\0');
        std::uint32_t state = 1;  // random enough to be larger than one step of output
        for (char& letter : text)
            letter = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
        EXPECT_EQ(unpacked(gzip(bytes_of(text)), size), text) << size;
    }
}

TEST(Gzip, MakesTheSameOfTheSame) {
    EXPECT_EQ(gzip(bytes_of("a run")), gzip(bytes_of("a run")));
    auto const head = gzip(bytes_of("a run"));
    EXPECT_EQ(std::vector<std::byte>(head.begin() + 4, head.begin() + 8), std::vector<std::byte>(4))
        << "RFC 1952: no modification time";
}

}  // namespace parcast::page
