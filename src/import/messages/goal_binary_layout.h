// The layout of GOAL's binary form, little endian and without padding:
//
//     0   u64  4223, or 2342 in a file that a run of LogGOPSim has used up
//     8   u32  number of ranks N; u8 highest CPU; u8 highest interface
//    14   N x {u64 begin, u64 end} of the ranks, from byte 8
//
// and for each rank: u32 operations n; u32 of them that wait for nothing, and their numbers (u32); n records;
// the list of operations (u32) that wait for others: a record says where its successors begin in it.

#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace parcast::goal_binary {

static_assert(std::endian::native == std::endian::little, "GOAL files are read and written as they lie");

inline constexpr std::uint64_t mark = 4223;
inline constexpr std::uint64_t used_up_mark = 2342;
inline constexpr std::size_t counted_from = 8;
inline constexpr std::size_t header_bytes = 14;
inline constexpr std::size_t block_place_bytes = 16;
inline constexpr std::size_t record_bytes = 39;

inline constexpr std::uint8_t send_type = 1;
inline constexpr std::uint8_t receive_type = 2;
inline constexpr std::uint8_t calc_type = 3;

// Where the fields of a record lie.
inline constexpr std::size_t predecessors_at = 0;  // u32: how many
inline constexpr std::size_t type_at = 4;          // u8
inline constexpr std::size_t peer_at = 5;          // u32
inline constexpr std::size_t amount_at = 9;        // u64: bytes, or ns
inline constexpr std::size_t tag_at = 17;          // u32
inline constexpr std::size_t cpu_at = 21;          // u8
inline constexpr std::size_t nic_at = 22;          // u8
inline constexpr std::size_t after_end_at = 23;    // u32 how many wait for its end, u32 from where
inline constexpr std::size_t after_start_at = 31;  // the same for its start

template <class Number>
Number number_at(char const* place) {
    Number value;
    std::memcpy(&value, place, sizeof(Number));
    return value;
}

template <class Number>
char* put_number(char* place, Number value) {
    std::memcpy(place, &value, sizeof(Number));
    return place + sizeof(Number);
}

}  // namespace parcast::goal_binary
