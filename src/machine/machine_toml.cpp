#include "machine/machine_toml.h"

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "machine/limits.h"

namespace parcast {

namespace {

constexpr std::int64_t format_version = 1;

constexpr std::array<std::string_view, 6> top_keys = {"version",     "name",      "cpus",
                                                      "lock_policy", "scheduler", "costs"};
constexpr std::array<std::string_view, 4> scheduler_keys = {"kind", "slice_ns", "wake_up_granularity_ns",
                                                            "balance_interval_ns"};
constexpr std::array<std::string_view, 3> cost_keys = {"context_switch_ns", "wake_up_ns", "create_thread_ns"};

// Levenshtein's distance, in one row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            auto const replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row.back();
}

std::string nearest(std::string_view unknown, std::span<std::string_view const> known) {
    return std::string(*std::min_element(known.begin(), known.end(), [&](auto a, auto b) {
        return edit_distance(unknown, a) < edit_distance(unknown, b);
    }));
}

// Keeps the first error, so that the reading below is a list of fields.
class Reader {
public:
    explicit Reader(std::string file) : file_(std::move(file)) {}

    void complain(ErrorCode code, std::string message, toml::source_position at) {
        if (error_)
            return;
        error_ = Error{code, std::move(message), SourcePosition{file_, at.line, at.column, std::nullopt}};
    }

    void only(toml::table const& table, std::span<std::string_view const> known) {
        for (auto const& [key, node] : table) {
            if (std::find(known.begin(), known.end(), key.str()) != known.end())
                continue;
            complain(ErrorCode::unsupported,
                     "the key '" + std::string(key.str()) + "' is unknown; did you mean '" +
                         nearest(key.str(), known) + "'?",
                     key.source().begin);
        }
    }

    toml::table const* table(toml::table const& parent, char const* key) {
        auto const* node = parent.get(key);
        if (node != nullptr && !node->is_table()) {
            complain(ErrorCode::malformed, std::string("'") + key + "' must be a table: write [" + key + "]",
                     node->source().begin);
        }
        return node != nullptr ? node->as_table() : nullptr;
    }

    std::optional<std::int64_t> integer(toml::table const& table, char const* key, std::int64_t low,
                                        std::int64_t high) {
        auto const* node = table.get(key);
        if (node == nullptr)
            return std::nullopt;
        auto const* found = node->as_integer();
        if (found == nullptr) {
            complain(ErrorCode::malformed, std::string("'") + key + "' must be a whole number",
                     node->source().begin);
            return std::nullopt;
        }
        if (found->get() < low || found->get() > high) {
            complain(ErrorCode::out_of_range,
                     std::string("'") + key + "' is " + std::to_string(found->get()) + "; it must be " +
                         std::to_string(low) + " to " + std::to_string(high),
                     node->source().begin);
            return std::nullopt;
        }
        return found->get();
    }

    void duration(toml::table const& table, char const* key, std::int64_t low, std::int64_t high,
                  Duration& field) {
        if (auto const found = integer(table, key, low, high))
            field = {*found};
    }

    std::optional<std::string> string(toml::table const& table, char const* key) {
        auto const* node = table.get(key);
        if (node == nullptr)
            return std::nullopt;
        if (auto const* found = node->as_string())
            return found->get();
        complain(ErrorCode::malformed, std::string("'") + key + "' must be a string in quotes",
                 node->source().begin);
        return std::nullopt;
    }

    // The index of the word among `words`.
    std::optional<std::size_t> choice(toml::table const& table, char const* key,
                                      std::span<std::string_view const> words) {
        auto const word = string(table, key);
        if (!word)
            return std::nullopt;
        auto const found = std::find(words.begin(), words.end(), *word);
        if (found != words.end())
            return static_cast<std::size_t>(found - words.begin());
        complain(ErrorCode::unsupported,
                 std::string("'") + key + "' is '" + *word + "', which is unknown; did you mean '" +
                     nearest(*word, words) + "'?",
                 table.get(key)->source().begin);
        return std::nullopt;
    }

    std::optional<Error> take_error() { return std::move(error_); }

private:
    std::string file_;
    std::optional<Error> error_;
};

void read_version(Reader& reader, toml::table const& root) {
    if (!root.contains("version")) {
        reader.complain(ErrorCode::unsupported, "the key 'version' is missing; write 'version = 1' first",
                        {1, 1});
        return;
    }
    auto const version = reader.integer(root, "version", INT64_MIN, INT64_MAX);
    if (version && *version != format_version) {
        reader.complain(ErrorCode::unsupported,
                        "version " + std::to_string(*version) + " is unknown; this parcast reads version 1",
                        root.get("version")->source().begin);
    }
}

void read_scheduler(Reader& reader, toml::table const& table, Machine& machine) {
    static constexpr std::array<std::string_view, 2> kinds = {"ideal", "linux"};
    reader.only(table, scheduler_keys);
    if (auto const kind = reader.choice(table, "kind", kinds)) {
        auto const is_already = name_of(machine.scheduler) == kinds[*kind];
        if (!is_already && *kind == 0)
            machine.scheduler = IdealScheduler{};
        if (!is_already && *kind == 1)
            machine.scheduler = LinuxScheduler{};
    }
    auto* const linux_scheduler = std::get_if<LinuxScheduler>(&machine.scheduler);
    if (linux_scheduler == nullptr) {
        for (auto const& [key, node] : table) {
            if (key.str() == "kind")
                continue;
            reader.complain(ErrorCode::inconsistent,
                            "the ideal scheduler has no '" + std::string(key.str()) +
                                "'; remove it, or set kind = \"linux\"",
                            key.source().begin);
        }
        return;
    }
    reader.duration(table, "slice_ns", slice_limits.low_ns, slice_limits.high_ns, linux_scheduler->slice);
    reader.duration(table, "wake_up_granularity_ns", granularity_limits.low_ns, granularity_limits.high_ns,
                    linux_scheduler->wake_up_granularity);
    reader.duration(table, "balance_interval_ns", balance_limits.low_ns, balance_limits.high_ns,
                    linux_scheduler->balance_interval);
}

void read_costs(Reader& reader, toml::table const& table, Costs& costs) {
    reader.only(table, cost_keys);
    auto const [low, high] = cost_limits;
    reader.duration(table, "context_switch_ns", low, high, costs.context_switch);
    reader.duration(table, "wake_up_ns", low, high, costs.wake_up);
    reader.duration(table, "create_thread_ns", low, high, costs.create_thread);
}

void read_machine(Reader& reader, toml::table const& root, Machine& machine) {
    static constexpr std::array<std::string_view, 2> policies = {"barging", "hand_off"};
    read_version(reader, root);
    reader.only(root, top_keys);
    if (auto name = reader.string(root, "name"))
        machine.name = std::move(*name);
    if (auto const cpus = reader.integer(root, "cpus", 1, most_cpus)) {
        machine.cpus = static_cast<std::uint32_t>(*cpus);
    }
    if (auto const policy = reader.choice(root, "lock_policy", policies)) {
        machine.lock_policy = *policy == 0 ? LockPolicy::barging : LockPolicy::hand_off;
    }
    if (auto const* table = reader.table(root, "scheduler"))
        read_scheduler(reader, *table, machine);
    if (auto const* table = reader.table(root, "costs"))
        read_costs(reader, *table, machine.costs);
}

}  // namespace

Result<Machine> machine_from_toml(std::string_view text, std::string const& file, Machine const& defaults) {
    // The library's only way to report bad syntax is an exception; it ends here.
    try {
        auto const root = toml::parse(text, file);
        Reader reader(file);
        auto machine = defaults;
        read_machine(reader, root, machine);
        if (auto error = reader.take_error())
            return tl::unexpected<Error>(std::move(*error));
        return machine;
    } catch (toml::parse_error const& error) {
        auto const at = error.source().begin;
        return fail(ErrorCode::malformed, "not TOML: " + std::string(error.description()),
                    SourcePosition{file, at.line, at.column, std::nullopt});
    }
}

std::string to_toml(Machine const& machine) {
    toml::table scheduler{{"kind", name_of(machine.scheduler)}};
    if (auto const* parameters = std::get_if<LinuxScheduler>(&machine.scheduler)) {
        scheduler.insert("slice_ns", parameters->slice.ns);
        scheduler.insert("wake_up_granularity_ns", parameters->wake_up_granularity.ns);
        scheduler.insert("balance_interval_ns", parameters->balance_interval.ns);
    }
    toml::table const costs{{"context_switch_ns", machine.costs.context_switch.ns},
                            {"wake_up_ns", machine.costs.wake_up.ns},
                            {"create_thread_ns", machine.costs.create_thread.ns}};
    toml::table const root{
        {"version", format_version},
        {"name", machine.name},
        {"cpus", static_cast<std::int64_t>(machine.cpus)},
        {"lock_policy", machine.lock_policy == LockPolicy::barging ? "barging" : "hand_off"},
        {"scheduler", scheduler},
        {"costs", costs}};
    std::ostringstream text;
    text << root << '\n';
    return text.str();
}

}  // namespace parcast
