// Bytes of the trace file: little endian, LEB128 integers (7 bits a byte, least significant first), zigzag
// for signed ones, strings as length and bytes. The reader keeps its first error and then yields zeros,
// so that a decoder asks once, at the end of a record; it never reads beyond its bytes.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace parcast::trace {

inline constexpr std::size_t longest_varint = 10;

inline std::uint64_t zigzag(std::int64_t value) {
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
inline std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>(value >> 1 ^ (0 - (value & 1)));
}

// Writes at `to`, where longest_varint bytes are free; returns what follows.
inline std::byte* put_varint(std::byte* to, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        *to++ = static_cast<std::byte>(value | 0x80);
    *to++ = static_cast<std::byte>(value);
    return to;
}

class ByteWriter {
public:
    void varint(std::uint64_t value) {
        std::size_t const size = bytes_.size();
        bytes_.resize(size + longest_varint);
        std::byte* const begin = bytes_.data() + size;
        bytes_.resize(size + static_cast<std::size_t>(put_varint(begin, value) - begin));
    }
    void signed_varint(std::int64_t value) { varint(zigzag(value)); }
    void real(double value) { fixed(std::bit_cast<std::uint64_t>(value)); }
    void fixed(std::uint64_t value) { append(std::as_bytes(std::span(&value, 1))); }
    void text(std::string_view value) {
        varint(value.size());
        append(std::as_bytes(std::span(value)));
    }
    void append(std::span<std::byte const> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte> const& bytes() const { return bytes_; }

private:
    std::vector<std::byte> bytes_;
};

class ByteReader {
public:
    explicit ByteReader(std::span<std::byte const> bytes) : next_(bytes.data()), end_(next_ + bytes.size()) {}

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64 && next_ != end_; shift += 7) {
            auto const byte = static_cast<std::uint64_t>(*next_++);
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80) {
                if (shift == 63 && byte > 1)
                    break;  // more than 64 bits
                return value;
            }
        }
        return fail();
    }
    std::int64_t signed_varint() { return unzigzag(varint()); }
    // At most `limit`, else an error.
    std::uint64_t varint_up_to(std::uint64_t limit) {
        std::uint64_t const value = varint();
        return value <= limit ? value : fail();
    }
    // How many records of at least one byte each follow: never more than there are bytes.
    std::size_t count() { return varint_up_to(remaining()); }
    double real() { return std::bit_cast<double>(fixed()); }
    std::uint64_t fixed() {
        std::uint64_t value = 0;
        auto const bytes = take(sizeof value);
        if (!failed_)
            std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
    std::string text() {
        auto const bytes = take(count());
        return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
    }
    std::span<std::byte const> take(std::size_t size) {
        if (size > remaining()) {
            fail();
            return {};
        }
        next_ += size;
        return {next_ - size, size};
    }

    std::size_t remaining() const { return static_cast<std::size_t>(end_ - next_); }
    bool has_failed() const { return failed_; }
    // Everything was well-formed and nothing is left over.
    bool is_complete() const { return !failed_ && next_ == end_; }
    std::uint64_t fail() {
        failed_ = true;
        next_ = end_;
        return 0;
    }

private:
    std::byte const* next_;
    std::byte const* end_;
    bool failed_ = false;
};

}  // namespace parcast::trace
