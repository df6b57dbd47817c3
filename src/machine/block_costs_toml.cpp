#include "machine/block_costs_toml.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/counted.h"
#include "machine/shared_toml.h"
#include "machine/toml_reader.h"

namespace parcast {

namespace {

constexpr std::array<std::string_view, 8> top_keys = {"version",  "program", "source",  "copy_ns_per_byte",
                                                      "visit_ns", "edge",    "warm_ns", "cold_ns"};
constexpr std::array<std::string_view, 1> programs = {"gaussian-elimination"};
constexpr RealLimits edge_limits{1, 1e6};
constexpr RealLimits time_limits{1e-3, 1e15};
constexpr RealLimits rate_limits_of_costs{0, 1e6};

BlockTimes read_times(TomlReader& reader, toml::table const& table, std::size_t edges) {
    std::vector<std::string_view> keys;
    for (auto const& operation : block_operations)
        keys.push_back(operation.key);
    reader.only(table, keys);
    BlockTimes times;
    for (std::size_t each = 0; each < keys.size(); ++each) {
        if (!table.contains(keys[each]))
            reader.complain(ErrorCode::malformed, "the key '" + std::string(keys[each]) + "' is missing",
                            table.source().begin);
        times[each] = reader.numbers(table, keys[each], time_limits).value_or(std::vector<double>());
        if (auto const* const node = table.get(keys[each]); node != nullptr && times[each].size() != edges)
            reader.complain(ErrorCode::inconsistent,
                            fmt::format("'{}' has {}, and 'edge' has {}: a time for each edge", keys[each],
                                        counted(std::ssize(times[each]), "time"), edges),
                            node->source().begin);
    }
    return times;
}

std::string times_toml(std::string_view name, BlockTimes const& times) {
    auto text = fmt::format("\n[{}]\n", name);
    for (std::size_t each = 0; each < times.size(); ++each)
        text += fmt::format("{} = [{}]  # {}\n", block_operations[each].key, fmt::join(times[each], ", "),
                            block_operations[each].meaning);
    return text;
}

}  // namespace

Result<BlockCosts> block_costs_from_toml(std::string_view text, std::string const& file) {
    auto const document = toml_document(text, file);
    if (!document)
        return pass_on(document);
    TomlReader reader(file);
    reader.version(*document);
    reader.only(*document, top_keys);
    for (auto const* const key : {"edge", "warm_ns", "program"})
        if (!document->contains(key))
            reader.complain(ErrorCode::malformed, "the key '" + std::string(key) + "' is missing",
                            document->source().begin);
    reader.choice(*document, "program", programs);
    BlockCosts costs;
    costs.source = reader.string(*document, "source").value_or("");
    if (costs.source.empty())
        costs.source = file;
    costs.edge = reader.numbers(*document, "edge", edge_limits).value_or(std::vector<double>());
    if (std::ranges::adjacent_find(costs.edge, std::greater_equal()) != costs.edge.end())
        reader.complain(ErrorCode::inconsistent, "the edges do not rise",
                        document->get("edge")->source().begin);
    if (auto const* const warm = reader.table(*document, "warm_ns"))
        costs.ns = read_times(reader, *warm, costs.edge.size());
    if (auto const* const cold = reader.table(*document, "cold_ns"))
        costs.cold_ns = read_times(reader, *cold, costs.edge.size());
    costs.copy_ns_per_byte = reader.number(*document, "copy_ns_per_byte", rate_limits_of_costs);
    costs.visit_ns = reader.number(*document, "visit_ns", rate_limits_of_costs);
    if (auto error = reader.take_error())
        return tl::unexpected<Error>(std::move(*error));
    if (auto const sound = check(costs); !sound)
        return fail(sound.error().code, sound.error().message, SourcePosition{file, 1, 1, std::nullopt});
    return costs;
}

std::string to_toml(BlockCosts const& costs) {
    auto text = fmt::format("version = 1\nprogram = \"{}\"\n", programs.front());
    if (!costs.source.empty())
        text += fmt::format("source = {}\n", quoted_toml(costs.source));
    if (costs.copy_ns_per_byte)
        text += fmt::format("copy_ns_per_byte = {}\n", *costs.copy_ns_per_byte);
    if (costs.visit_ns)
        text += fmt::format("visit_ns = {}\n", *costs.visit_ns);
    text += fmt::format("edge = [{}]  # of a block, in elements\n", fmt::join(costs.edge, ", "));
    text += times_toml("warm_ns", costs.ns);
    return costs.has_cold() ? text + times_toml("cold_ns", costs.cold_ns) : text;
}

}  // namespace parcast
