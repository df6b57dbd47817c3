// Named algorithms of collective operations: which there are, and what each rank sends and receives.
//
// Sources: Thakur, Rabenseifner and Gropp 2005, "Optimization of collective communication operations in
// MPICH"; Chan, Heimlich, Purkayastha and van de Geijn 2007; Bruck, Ho, Kipnis, Upfal and Weathersby 1997;
// Hensgen, Finkel and Manber 1988 (dissemination).

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "program/message_program_builder.h"

namespace parcast {

inline constexpr std::size_t collective_kind_count = 11;

// By CollectiveKind.
struct CollectiveKindRow {
    CollectiveKind kind;
    std::string_view name;
    bool has_root;
};
inline constexpr std::array<CollectiveKindRow, collective_kind_count> collective_kinds{{
    {CollectiveKind::barrier, "barrier", false},
    {CollectiveKind::broadcast, "broadcast", true},
    {CollectiveKind::reduce, "reduce", true},
    {CollectiveKind::allreduce, "allreduce", false},
    {CollectiveKind::gather, "gather", true},
    {CollectiveKind::scatter, "scatter", true},
    {CollectiveKind::allgather, "allgather", false},
    {CollectiveKind::alltoall, "alltoall", false},
    {CollectiveKind::reduce_scatter, "reduce-scatter", false},
    {CollectiveKind::scan, "scan", false},
    {CollectiveKind::exclusive_scan, "exclusive-scan", false},
}};
constexpr CollectiveKindRow const& row_of(CollectiveKind kind) {
    return collective_kinds[static_cast<std::size_t>(kind)];
}

enum class CollectiveAlgorithm : std::uint8_t {
    linear,
    chain,
    pipeline,
    binary,
    binomial,
    k_nomial,
    tree,
    dissemination,
    recursive_doubling,
    recursive_halving,
    rabenseifner,
    ring,
    neighbour_exchange,
    bruck,
    pairwise,
    scatter_allgather,
    scatter_ring,
    non_overlapping,
};

std::string_view name_of(CollectiveAlgorithm algorithm);     // "recursive-doubling"
std::string_view meaning_of(CollectiveAlgorithm algorithm);  // a line for help
std::span<CollectiveAlgorithm const> algorithms_of(CollectiveKind kind);
// The algorithm, or the one that takes its place where it does not exist: for a number of ranks, or for an
// alltoall whose sizes differ.
CollectiveAlgorithm existing_algorithm(CollectiveKind kind, CollectiveAlgorithm algorithm,
                                       std::uint32_t ranks, bool is_varied);

// Bytes cut into a block for each rank: as even as possible, or given.
class CollectiveBlocks {
public:
    CollectiveBlocks() = default;
    CollectiveBlocks(std::uint64_t bytes, std::uint32_t blocks)
        : blocks_(blocks), each_(bytes / blocks), more_(bytes % blocks) {}
    explicit CollectiveBlocks(std::span<std::uint64_t const> sizes);

    // The bytes of so many blocks from the first one on; behind the last one comes block 0.
    std::uint64_t bytes(std::uint32_t first, std::uint32_t count = 1) const;
    std::uint64_t bytes() const { return begin(blocks_); }

private:
    std::uint64_t begin(std::uint32_t block) const {
        return ends_.empty() ? block * each_ + (block < more_ ? block : more_)
                             : (block == 0 ? 0 : ends_[block - 1]);
    }

    std::uint32_t blocks_ = 0;
    std::uint64_t each_ = 0;
    std::uint64_t more_ = 0;
    std::vector<std::uint64_t> ends_ = {};
};

// One collective operation of all ranks of a communicator, which are counted from 0 here.
struct CollectiveInstance {
    CollectiveKind kind = CollectiveKind::barrier;
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::linear;
    std::uint32_t ranks = 1;
    std::uint32_t root = 0;
    std::uint64_t bytes = 0;  // of the one buffer: broadcast, reduce, allreduce, reduce_scatter and the scans
    CollectiveBlocks blocks;  // of that buffer, or of what ranks give or get
    // Alltoall: what each sends to each, by sender. One row: the same of all; one value: to all. Loans.
    std::vector<std::span<std::uint64_t const>> exchanged = {};
    std::int64_t reduce_ns = 0;
    // For those that are made of two others: non_overlapping.
    CollectiveAlgorithm first_half = CollectiveAlgorithm::binomial;
    CollectiveAlgorithm second_half = CollectiveAlgorithm::binomial;

    std::uint64_t exchanged_bytes(std::uint32_t from, std::uint32_t to) const {
        auto const row = exchanged[exchanged.size() == 1 ? 0 : from];
        return row[row.size() == 1 ? 0 : to];
    }
};

// What an algorithm needs of the rank that it runs on.
struct CollectiveRank {
    std::uint32_t rank = 0;                  // in the communicator
    std::span<std::uint32_t const> members;  // ranks of the program; empty: all, in their order
    std::uint32_t tag = 0;
    std::uint8_t cpu = 0;
    std::uint8_t nic = 0;
};

// Adds the operations of one rank. They begin with one operation, which waits for nothing; `order` knows what
// must be done for the rank to have ended. REQUIRES: it is an existing_algorithm(). Cost: of the operations.
void add_collective(CollectiveInstance const& instance, CollectiveRank const& rank,
                    MessageProgramBuilder& builder, CallingOrder& order);

}  // namespace parcast
