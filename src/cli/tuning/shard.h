// Which part of a search a process evaluates, where several share one folder of results.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/result.h"

namespace parcast::cli {

struct Shard {
    std::uint64_t index = 0;  // from 0
    std::uint64_t count = 1;
    std::string source;  // "--shard 1/4", or the variable that said so

    // Consecutive points go to different processes, and so do those of one value of the last axes.
    bool has(std::uint64_t point) const { return (point + point / count) % count == index; }

    friend bool operator==(Shard const&, Shard const&) = default;
};

// "1/4": the first of four. Errors: unasked.
Result<Shard> parse_shard(std::string const& text);

// The place that mpirun or srun gives; none: this process was not started by one, or alone.
std::optional<Shard> shard_of_environment();

}  // namespace parcast::cli
