#include "page/content.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <new>

#include <zlib.h>

#include "core/ensure.h"

namespace parcast::page {

namespace {

constexpr int gzip_window = 15 + 16;  // the largest window; 16 asks for gzip's header
constexpr int memory_level = 8;
constexpr std::size_t step = std::size_t{1} << 18;
// Beyond, packing would take longer than all that comes before it: columns of a million tasks take a fifth of
// the time at the fastest level, and 2 % more room.
constexpr std::size_t most_packed_well = std::size_t{8} << 20;

}  // namespace

std::vector<std::byte> gzip(std::span<std::byte const> content) {
    z_stream stream{};
    int const level = content.size() > most_packed_well ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION;
    if (deflateInit2(&stream, level, Z_DEFLATED, gzip_window, memory_level, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::vector<std::byte> result;
    int status = Z_OK;
    while (status != Z_STREAM_END) {
        // avail_in is 32 bits wide; content may be larger.
        auto const part = std::min(content.size(), std::size_t{std::numeric_limits<std::int32_t>::max()});
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(content.data()));
        stream.avail_in = static_cast<uInt>(part);
        bool const is_last = part == content.size();
        do {
            std::size_t const used = result.size();
            result.resize(used + step);
            stream.next_out = reinterpret_cast<Bytef*>(result.data() + used);
            stream.avail_out = static_cast<uInt>(step);
            status = deflate(&stream, is_last ? Z_FINISH : Z_NO_FLUSH);
            ensure(status != Z_STREAM_ERROR, "zlib is used as it asks for");
            result.resize(used + step - stream.avail_out);
        } while (stream.avail_out == 0);
        content = content.subspan(part);
    }
    deflateEnd(&stream);
    return result;
}

std::string base64(std::span<std::byte const> bytes) {
    static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::size_t const present = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t group = 0;
        for (std::size_t k = 0; k < 3; ++k)
            group = group << 8 | (k < present ? std::to_integer<std::uint32_t>(bytes[i + k]) : 0);
        std::array<char, 4> quad{letters[group >> 18], letters[group >> 12 & 63], letters[group >> 6 & 63],
                                 letters[group & 63]};
        std::fill(quad.begin() + 1 + static_cast<std::ptrdiff_t>(present), quad.end(), '=');
        text.append(quad.data(), quad.size());
    }
    return text;
}

std::string packed(std::span<std::byte const> content) {
    return base64(gzip(content));
}

std::string packed(std::string_view content) {
    return packed(std::as_bytes(std::span(content)));
}

}  // namespace parcast::page
