#include "cli/tuning/shard.h"

#include <array>
#include <cstdlib>
#include <string_view>

#include "core/leading_number.h"

namespace parcast::cli {

namespace {

struct Launcher {
    char const* index;
    char const* count;
};
// Open MPI; MPICH, Intel MPI and others with PMI; Slurm, whose step may have fewer tasks than its job.
constexpr std::array<Launcher, 4> launchers{{
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
    {"SLURM_PROCID", "SLURM_NTASKS"},
}};

std::optional<std::uint64_t> number_of(char const* variable) {
    char const* const text = std::getenv(variable);
    return text == nullptr ? std::nullopt : number_in<std::uint64_t>(text);
}

}  // namespace

Result<Shard> parse_shard(std::string const& text) {
    std::string_view const all = text;
    auto const slash = std::min(all.find('/'), all.size());
    auto const place = number_in<std::uint64_t>(all.substr(0, slash));
    auto const count = number_in<std::uint64_t>(all.substr(std::min(slash + 1, all.size())));
    if (place && count && *place >= 1 && *place <= *count)
        return Shard{*place - 1, *count, "--shard " + text};
    return fail(ErrorCode::unasked, "it is a part of a number of parts, such as 1/4, not \"" + text + "\"");
}

std::optional<Shard> shard_of_environment() {
    for (auto const& launcher : launchers) {
        auto const index = number_of(launcher.index);
        auto const count = number_of(launcher.count);
        if (index && count && *index < *count)
            return *count > 1 ? std::optional(Shard{*index, *count, launcher.index}) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace parcast::cli
