// The records of a Dimemas trace, as numbers: a table that the reader and the writer share.

#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "program/message_program.h"

namespace parcast::dimemas {

inline constexpr std::string_view mark = "#DIMEMAS:";

enum class Record : std::uint8_t {
    nothing = 0,
    burst = 1,
    send = 2,
    receive = 3,
    collective = 10,
    gpu_burst = 11,
    event = 20,
};

// The last field of a send: whether it waits for its receive, and whether the rank goes on at once.
inline constexpr std::uint32_t synchronous_bit = 1;
inline constexpr std::uint32_t immediate_bit = 2;

enum class Receive : std::uint8_t { blocking = 0, immediate = 1, wait = 2 };

// What the bytes of a call mean: one buffer, what it sends to each, what it receives, or a sum for all ranks.
enum class CallBytes : std::uint8_t { none, buffer, sent, received, sent_to_all };

struct CollectiveRow {
    CollectiveKind kind;
    CallBytes bytes;
};

// By the number of the operation.
inline constexpr std::array<CollectiveRow, 16> collective_rows{{
    {CollectiveKind::barrier, CallBytes::none},
    {CollectiveKind::broadcast, CallBytes::buffer},
    {CollectiveKind::gather, CallBytes::sent},
    {CollectiveKind::gather, CallBytes::sent},  // gatherv
    {CollectiveKind::scatter, CallBytes::received},
    {CollectiveKind::scatter, CallBytes::received},  // scatterv
    {CollectiveKind::allgather, CallBytes::sent},
    {CollectiveKind::allgather, CallBytes::sent},  // allgatherv
    {CollectiveKind::alltoall, CallBytes::sent},
    {CollectiveKind::alltoall, CallBytes::sent_to_all},  // alltoallv
    {CollectiveKind::reduce, CallBytes::buffer},
    {CollectiveKind::allreduce, CallBytes::buffer},
    {CollectiveKind::reduce_scatter, CallBytes::buffer},
    {CollectiveKind::reduce_scatter, CallBytes::buffer},  // reduce_scatter_block
    {CollectiveKind::scan, CallBytes::buffer},
    {CollectiveKind::alltoall, CallBytes::sent_to_all},  // alltoallw
}};

}  // namespace parcast::dimemas
