#include "calibrate/block_costs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "calibrate/block_kernels.h"
#include "calibrate/probes.h"
#include "calibrate/rounds.h"
#include "calibrate/statistics.h"
#include "core/leading_number.h"
#include "measure/affinity.h"
#include "measure/clock.h"
#include "measure/host_description.h"

namespace parcast::calibrate {

namespace {

constexpr std::size_t operation_count = block_operations.size();
constexpr std::int64_t least_sample_ns = 300'000;
constexpr std::size_t area_bytes = std::size_t{1} << 20;
constexpr std::size_t copied_edge = 30;
constexpr std::size_t visited_blocks = 4096;

using EdgeSamples = std::array<std::array<std::vector<double>, measured_edges.size()>, operation_count>;

struct BlockSamples {
    EdgeSamples warm;
    EdgeSamples cold;
    std::vector<double> copies;  // ns per byte
    std::vector<double> visits;  // ns
};

void add_samples(std::vector<double>& samples, std::vector<double> const& more) {
    samples.insert(samples.end(), more.begin(), more.end());
}

void append(BlockSamples& samples, BlockSamples&& round) {
    for (std::size_t each = 0; each < operation_count; ++each)
        for (std::size_t edge = 0; edge < measured_edges.size(); ++edge) {
            add_samples(samples.warm[each][edge], round.warm[each][edge]);
            add_samples(samples.cold[each][edge], round.cold[each][edge]);
        }
    add_samples(samples.copies, round.copies);
    add_samples(samples.visits, round.visits);
}

std::size_t blocks_of(std::size_t operation) {
    return operation == 0 ? 4 : 3;
}

void run(std::size_t operation, double* blocks, std::size_t edge) {
    auto const size = edge * edge;
    switch (operation) {
        case 0: factorise(blocks, blocks + size, blocks + 2 * size, blocks + 3 * size, edge); break;
        case 1: multiply_by_upper(blocks, blocks + size, blocks + 2 * size, edge); break;
        case 2: multiply_by_lower(blocks, blocks + size, blocks + 2 * size, edge); break;
        default: subtract_product(blocks, blocks + size, blocks + 2 * size, edge); break;
    }
}

// Numbers that no operation makes denormal, which would be slow.
void fill(std::span<double> numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = 1 + static_cast<double>(i % 97) / 97;
}

// Memory for blocks, larger than the caches: who goes through it from begin to end finds nothing of it in a
// cache.
class BlockMemory {
public:
    explicit BlockMemory(std::size_t last_level_cache_bytes)
        : count_(Arrays(1, last_level_cache_bytes).bytes_each() / sizeof(double)),
          exceeds_the_cache_(count_ * sizeof(double) > last_level_cache_bytes),
          numbers_(std::make_unique_for_overwrite<double[]>(count_)) {
        fill({numbers_.get(), count_});
    }

    bool exceeds_the_cache() const { return exceeds_the_cache_; }

    // The next so many numbers, which were not used for long. REQUIRES: fewer than all.
    std::span<double> next(std::size_t count) {
        if (next_ + count > count_)
            next_ = 0;
        next_ += count;
        return {numbers_.get() + next_ - count, count};
    }

private:
    std::size_t count_;
    std::size_t next_ = 0;
    bool exceeds_the_cache_;
    std::unique_ptr<double[]> numbers_;
};

double elapsed_ns(std::int64_t start) {
    return static_cast<double>(measure::wall_ns() - start);
}

double warm_ns(std::size_t operation, std::size_t edge) {
    std::vector<double> blocks(blocks_of(operation) * edge * edge);
    fill(blocks);
    run(operation, blocks.data(), edge);
    std::int64_t repeats = 0;
    auto const start = measure::wall_ns();
    while (measure::wall_ns() - start < least_sample_ns) {
        run(operation, blocks.data(), edge);
        ++repeats;
    }
    return elapsed_ns(start) / static_cast<double>(repeats);
}

// Each set of blocks is used once, in an order that no prefetcher guesses: those of a rank are no neighbours.
double cold_ns(std::size_t operation, std::size_t edge, BlockMemory& memory) {
    auto const set = blocks_of(operation) * edge * edge;
    auto const sets = std::max<std::size_t>(1, area_bytes / sizeof(double) / set);
    auto const area = memory.next(sets * set);
    std::size_t stride = sets / 2 + 1;
    while (std::gcd(stride, sets) != 1)
        ++stride;
    auto const start = measure::wall_ns();
    for (std::size_t i = 0, each = 0; i < sets; ++i, each = (each + stride) % sets)
        run(operation, area.data() + each * set, edge);
    auto const ns = elapsed_ns(start) / static_cast<double>(sets);
    fill(area);
    return ns;
}

// A block that was just computed goes to a place that was not used for long.
double copy_ns_per_byte(BlockMemory& memory) {
    constexpr std::size_t size = copied_edge * copied_edge;
    std::vector<double> block(size);
    fill(block);
    auto const area = memory.next(area_bytes / sizeof(double));
    auto const copies = area.size() / size;
    auto const start = measure::wall_ns();
    for (std::size_t i = 0; i < copies; ++i)
        std::memcpy(area.data() + i * size, block.data(), size * sizeof(double));
    return elapsed_ns(start) / static_cast<double>(copies * size * sizeof(double));
}

// What a rank that goes over its blocks asks of each: whether the wave is there in this step.
double visit_ns() {
    struct Visited {
        std::uint32_t row;
        std::uint32_t column;
        std::uint32_t eliminations;  // done
    };
    std::vector<Visited> blocks;
    for (std::uint32_t i = 0; i < visited_blocks; ++i)
        blocks.push_back({i / 64, i % 64, i % 7});
    std::uint32_t active = 0;
    std::uint32_t step = 0;
    auto const start = measure::wall_ns();
    while (measure::wall_ns() - start < least_sample_ns) {
        for (auto const& block : blocks)
            if (block.row + block.column + block.eliminations == step)
                ++active;
        ++step;
    }
    [[maybe_unused]] std::uint32_t const volatile kept = active;
    return elapsed_ns(start) / (static_cast<double>(step) * visited_blocks);
}

BlockSamples measure_round(BlockMemory& memory) {
    BlockSamples samples;
    for (std::size_t each = 0; each < operation_count; ++each)
        for (std::size_t edge = 0; edge < measured_edges.size(); ++edge) {
            samples.warm[each][edge] = {warm_ns(each, measured_edges[edge])};
            samples.cold[each][edge] = {cold_ns(each, measured_edges[edge], memory)};
        }
    samples.copies = {copy_ns_per_byte(memory)};
    samples.visits = {visit_ns()};
    return samples;
}

// A row of the answer; returns the median.
double add_value(std::vector<CalibratedValue>& values, std::string key, std::string title, std::string method,
                 std::vector<double> const& samples) {
    auto const summary = summarize(samples);
    values.push_back({std::move(key),
                      std::move(title),
                      std::move(method),
                      false,
                      {summary.median, summary.low, summary.high, std::ssize(samples)}});
    return summary.median;
}

// To four digits: more are noise.
double rounded(double ns) {
    return number_in(fmt::format("{:.4g}", ns)).value_or(ns);
}

BlockTimes add_times(std::vector<CalibratedValue>& values, EdgeSamples const& samples, char const* state,
                     char const* method) {
    BlockTimes times;
    for (std::size_t edge = 0; edge < measured_edges.size(); ++edge)
        for (std::size_t each = 0; each < operation_count; ++each) {
            auto const text = std::to_string(measured_edges[edge]);
            auto const key = std::string(block_operations[each].key);
            times[each].push_back(
                rounded(add_value(values, key + "_" + state + "_" + text,
                                  "Op" + key.substr(2) + " on " + text + " x " + text + ", " + state, method,
                                  samples[each][edge])));
        }
    return times;
}

}  // namespace

Result<CalibrationAnswer> calibrate_block_operations(unsigned seconds, std::string const& parcast_version,
                                                     Listener const& tell) {
    auto const host = measure::describe_host();
    if (host.cpus.empty())
        return fail(make_error(ErrorCode::not_permitted, "the system does not say which CPUs may be used",
                               "Allow the system call sched_getaffinity in this container."));
    std::vector<unsigned> const cpus = {host.cpus.front()};
    measure::Pinned const pinned(cpus);
    double const before = used_before(cpus, seconds);
    BlockMemory memory(host.last_level_cache_bytes);
    auto measured = measure_for<BlockSamples>(
        seconds, cpus, [&]() -> Result<BlockSamples> { return measure_round(memory); }, tell);
    if (!measured)
        return pass_on(measured);
    if (before >= most_used_by_others)
        measured->notes.push_back(used_by_others(before) + "before the measurement began.");
    if (!memory.exceeds_the_cache())
        measured->notes.emplace_back(
            "there is too little memory for blocks beyond the caches: the cold times show the caches.");
    CalibrationAnswer answer;
    answer.machine.calibration =
        Calibration{utc_date(), host.name, host.processor, parcast_version, "", measured->notes, {}};
    answer.cpus = cpus;
    answer.wall = measured->wall;
    answer.rounds = measured->rounds;
    answer.disturbed_rounds = measured->disturbed_rounds;
    answer.is_doubtful = measured->is_doubtful;
    auto& costs = answer.block_costs.emplace();
    costs.edge.assign(measured_edges.begin(), measured_edges.end());
    costs.ns =
        add_times(answer.values, measured->samples.warm, "warm", "again and again, on the same blocks");
    costs.cold_ns =
        add_times(answer.values, measured->samples.cold, "cold", "on blocks that come from memory");
    costs.copy_ns_per_byte = rounded(add_value(answer.values, "copy_ns_per_byte", "to copy a byte of a block",
                                               "a block just used, to memory", measured->samples.copies));
    costs.visit_ns = rounded(add_value(answer.values, "visit_ns", "to pass over a block",
                                       "asking whether the wave is there", measured->samples.visits));
    costs.source =
        "the measurement on " + host.name + " of " + answer.machine.calibration->date.substr(0, 10);
    return answer;
}

}  // namespace parcast::calibrate
