#include "machine/thread_plan_toml.h"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "machine/shared_toml.h"
#include "machine/toml_reader.h"

namespace parcast {

namespace {

constexpr std::array<std::string_view, 2> plan_keys = {"version", "thread"};
constexpr std::array<std::string_view, 8> entry_keys = {"number", "name", "function",  "path",
                                                        "cpu",    "nice", "real_time", "lwp"};
constexpr LimitsNs number_limits_of_plan{0, 0xffffffff};
constexpr LimitsNs nice_limits{-20, 19};
constexpr LimitsNs level_limits{1, 99};

std::optional<std::int32_t> small_integer(TomlReader& reader, toml::table const& table, std::string_view key,
                                          LimitsNs limits) {
    auto const found = reader.integer(table, key, limits);
    return found ? std::optional(static_cast<std::int32_t>(*found)) : std::nullopt;
}

std::vector<std::uint32_t> read_cpus(TomlReader& reader, toml::table const& table) {
    constexpr double last_cpu = most_cpus - 1;
    std::vector<std::uint32_t> cpus;
    auto const* const node = table.get("cpu");
    if (node == nullptr)
        return cpus;
    if (!node->is_array()) {
        if (auto const cpu = reader.integer(table, "cpu", {0, most_cpus - 1}))
            cpus.push_back(static_cast<std::uint32_t>(*cpu));
        return cpus;
    }
    for (double const cpu : reader.numbers(table, "cpu", {0, last_cpu}).value_or(std::vector<double>())) {
        if (cpu != static_cast<double>(static_cast<std::uint32_t>(cpu)))
            reader.complain(ErrorCode::malformed, "'cpu' must be whole numbers", node->source().begin);
        cpus.push_back(static_cast<std::uint32_t>(cpu));
    }
    return cpus;
}

PlanEntry read_entry(TomlReader& reader, toml::table const& table, std::string const& file) {
    auto const begin = table.source().begin;
    reader.only(table, entry_keys);
    PlanEntry entry;
    entry.place = SourcePosition{file, begin.line, begin.column, std::nullopt};
    int named = 0;
    for (std::size_t key = 0; key < thread_keys.size(); ++key) {
        if (!table.contains(thread_keys[key]))
            continue;
        ++named;
        entry.key = static_cast<ThreadKey>(key);
        if (entry.key == ThreadKey::number) {
            if (auto const number = reader.integer(table, thread_keys[key], number_limits_of_plan))
                entry.value = std::to_string(*number);
        } else {
            entry.value = reader.string(table, thread_keys[key]).value_or("");
        }
    }
    if (named != 1)
        reader.complain(ErrorCode::malformed,
                        "an entry names threads by one of " + fmt::format("{}", fmt::join(thread_keys, ", ")),
                        begin);
    entry.cpus = read_cpus(reader, table);
    entry.nice = small_integer(reader, table, "nice", nice_limits);
    entry.real_time = small_integer(reader, table, "real_time", level_limits);
    if (auto const word = reader.choice(table, "lwp", lwp_words))
        entry.lwp = static_cast<LwpClass>(*word);
    if (entry.nice && entry.real_time)
        reader.complain(ErrorCode::malformed, "an entry has 'nice' or 'real_time', not both", begin);
    if (entry.cpus.empty() && !entry.nice && !entry.real_time && !table.contains("lwp"))
        reader.complain(ErrorCode::malformed, "an entry says one of cpu, nice, real_time and lwp", begin);
    return entry;
}

}  // namespace

Result<ThreadPlan> thread_plan_from_toml(std::string_view text, std::string const& file) {
    auto const document = toml_document(text, file);
    if (!document)
        return pass_on(document);
    TomlReader reader(file);
    reader.version(*document);
    reader.only(*document, plan_keys);
    ThreadPlan plan;
    for (auto const* const table : reader.tables(*document, "thread"))
        plan.entries.push_back(read_entry(reader, *table, file));
    if (auto error = reader.take_error())
        return tl::unexpected<Error>(std::move(*error));
    return plan;
}

std::string to_toml(ThreadPlan const& plan) {
    std::string text = "version = 1\n";
    for (auto const& entry : plan.entries) {
        text += "\n[[thread]]";
        text += entry.comment.empty() ? "\n" : "  # " + entry.comment + '\n';
        auto const value = entry.key == ThreadKey::number ? entry.value : quoted_toml(entry.value);
        text += fmt::format("{} = {}\n", thread_keys[static_cast<std::size_t>(entry.key)], value);
        if (entry.cpus.size() == 1)
            text += fmt::format("cpu = {}\n", entry.cpus.front());
        else if (!entry.cpus.empty())
            text += fmt::format("cpu = [{}]\n", fmt::join(entry.cpus, ", "));
        if (entry.nice)
            text += fmt::format("nice = {}\n", *entry.nice);
        if (entry.real_time)
            text += fmt::format("real_time = {}\n", *entry.real_time);
        if (entry.lwp)
            text += fmt::format("lwp = \"{}\"\n", name_of(*entry.lwp));
    }
    return text;
}

}  // namespace parcast
