// Many varints in a row, several times as fast as one by one: a recording is millions of them, nearly all of
// one to three bytes. The bytes are those of put_varint and ByteReader (byte_stream.h).

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "trace/byte_stream.h"

namespace parcast::trace {

// Writes at `to`, where longest_varint bytes a value are free; returns what follows.
std::byte* put_varints(std::byte* to, std::span<std::uint64_t const> values);

// Takes varints out of `bytes` until `values` is full. Returns the bytes taken; none if a varint is cut off
// or has more than 64 bits.
std::optional<std::size_t> take_varints(std::span<std::byte const> bytes, std::span<std::uint64_t> values);

}  // namespace parcast::trace
