#include "trace/varint_column.h"

#include <bit>
#include <cstring>

namespace parcast::trace {

namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
constexpr std::uint64_t continuation_bits = 0x8080808080808080;

std::uint64_t load(std::byte const* from) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof word);
    return word;
}

// Closes the gaps that continuation bits leave: eight groups of 7 bits become 56.
std::uint64_t pack_groups(std::uint64_t word) {
    word = (word & 0x007f007f007f007f) | (word & 0x7f007f007f007f00) >> 1;
    word = (word & 0x00003fff00003fff) | (word & 0x3fff00003fff0000) >> 2;
    return (word & 0x000000000fffffff) | (word & 0x0fffffff00000000) >> 4;
}

// Reads values as long as a whole word can be loaded.
class FastTaker {
public:
    FastTaker(std::span<std::byte const> bytes, std::span<std::uint64_t> values)
        : from_(bytes.data()), end_(from_ + bytes.size()), to_(values.data()), last_(to_ + values.size()) {}

    // Stops before a value that it leaves to the slow way: a longer one, or one near the end.
    void run() {
        while (to_ != last_ && end_ - from_ >= static_cast<std::ptrdiff_t>(word_bytes)) {
            std::uint64_t const word = load(from_);
            std::uint64_t const ends = ~word & continuation_bits;
            if (ends == continuation_bits && last_ - to_ >= static_cast<std::ptrdiff_t>(word_bytes))
                take_eight(word);
            else if (ends != 0)
                take_one(word, ends);
            else
                return;
        }
    }

    std::byte const* from() const { return from_; }
    std::uint64_t* to() const { return to_; }

private:
    void take_eight(std::uint64_t word) {
        for (std::size_t i = 0; i < word_bytes; ++i)
            to_[i] = word >> 8 * i & 0xff;
        to_ += word_bytes;
        from_ += word_bytes;
    }
    void take_one(std::uint64_t word, std::uint64_t ends) {
        int const end_bit = std::countr_zero(ends);  // the highest bit of the value's last byte
        *to_++ = pack_groups(word & ~std::uint64_t{0} >> (63 - end_bit));
        from_ += end_bit / 8 + 1;
    }

    std::byte const* from_;
    std::byte const* end_;
    std::uint64_t* to_;
    std::uint64_t* last_;
};

}  // namespace

std::byte* put_varints(std::byte* to, std::span<std::uint64_t const> values) {
    std::uint64_t all_bits = 0;
    for (std::uint64_t const value : values)
        all_bits |= value;
    if (all_bits < 0x80) {
        for (std::uint64_t const value : values)
            *to++ = static_cast<std::byte>(value);
        return to;
    }
    for (std::uint64_t const value : values)
        to = put_varint(to, value);
    return to;
}

std::optional<std::size_t> take_varints(std::span<std::byte const> bytes, std::span<std::uint64_t> values) {
    std::uint64_t* const last = values.data() + values.size();
    std::size_t taken = 0;
    for (std::uint64_t* next = values.data(); next != last;) {
        FastTaker fast(bytes.subspan(taken), {next, last});
        fast.run();
        taken = static_cast<std::size_t>(fast.from() - bytes.data());
        next = fast.to();
        if (next == last)
            break;
        ByteReader slow(bytes.subspan(taken));
        std::size_t const left = slow.remaining();
        *next++ = slow.varint();
        if (slow.has_failed())
            return std::nullopt;
        taken += left - slow.remaining();
    }
    return taken;
}

}  // namespace parcast::trace
