#include "machine/machine_toml.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "machine/network_toml.h"
#include "machine/shared_toml.h"

namespace parcast {

namespace {

using Words = std::string_view;
constexpr std::array<Words, 13> top_keys = {
    "version", "name",  "cpus",   "lock_policy", "scheduler", "costs",      "waiting",
    "devices", "rates", "shared", "ready_tasks", "network",   "calibration"};
constexpr std::array<Words, 4> shared_keys = {"name", "memory", "station", "bus"};
constexpr std::array<Words, 3> ready_keys = {"policy", "retire", "fetch_ns"};
constexpr std::array<Words, 3> rate_keys = {"compute", "memory", "memory_share"};
constexpr std::array<Words, 7> calibration_keys = {"date",  "host",  "processor", "parcast",
                                                   "range", "notes", "values"};
constexpr std::array<Words, 4> value_keys = {"median", "low", "high", "samples"};
constexpr std::array<Words, 2> lock_policies = {"barging", "hand_off"};
constexpr RealLimits any_number{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};

template <class Part>
std::vector<Words> keys_of(Part const& /*part*/) {
    std::vector<Words> keys;
    for (auto const& field : Part::fields())
        keys.emplace_back(field.key);
    return keys;
}

std::vector<Words> keys_of_scheduler(Scheduler const& scheduler) {
    return std::visit([](auto const& parameters) { return keys_of(parameters); }, scheduler);
}

template <class Part>
void read_fields(TomlReader& reader, toml::table const& table, Part& part) {
    for (auto const& field : Part::fields())
        if (auto const found = reader.integer(table, field.key, field.limits))
            field.set(part, *found);
}

// A table of such fields and of nothing else.
template <class Part>
void read_part(TomlReader& reader, toml::table const& root, char const* name, Part& part) {
    auto const* table = reader.table(root, name);
    if (table == nullptr)
        return;
    reader.only(*table, keys_of(part));
    read_fields(reader, *table, part);
}

// "the ideal scheduler has no 'slice_ns'; remove it, or set kind = "linux"".
void complain_of_foreign_key(TomlReader& reader, Scheduler const& scheduler, toml::key const& key) {
    for (auto const& row : schedulers)
        if (std::ranges::count(keys_of_scheduler(row.scheduler), key.str()) > 0)
            return reader.complain(ErrorCode::inconsistent,
                                   "the " + std::string(name_of(scheduler)) + " scheduler has no '" +
                                       std::string(key.str()) + "'; remove it, or set kind = \"" +
                                       std::string(row.word) + "\"",
                                   key.source().begin);
}

void read_scheduler(TomlReader& reader, toml::table const& table, Machine& machine) {
    std::vector<Words> kinds;
    std::vector<Words> known = {"kind"};
    for (auto const& row : schedulers) {
        kinds.push_back(row.word);
        std::ranges::copy(keys_of_scheduler(row.scheduler), std::back_inserter(known));
    }
    reader.only(table, known);
    auto const kind = reader.choice(table, "kind", kinds);
    if (kind && *kind != number_of(machine.scheduler))
        machine.scheduler = schedulers[*kind].scheduler;
    std::visit([&](auto& parameters) { read_fields(reader, table, parameters); }, machine.scheduler);
    auto const own = keys_of_scheduler(machine.scheduler);
    for (auto const& [key, node] : table)
        if (key.str() != "kind" && std::ranges::count(own, key.str()) == 0)
            complain_of_foreign_key(reader, machine.scheduler, key);
}

void read_rate_list(TomlReader& reader, toml::table const& table, char const* key,
                    std::vector<double>& rates) {
    auto found = reader.numbers(table, key, rate_limits);
    if (!found)
        return;
    auto const at = table.get(key)->source().begin;
    if (found->size() > most_cpus) {
        reader.complain(ErrorCode::out_of_range,
                        std::string("'") + key + "' has more than " + std::to_string(most_cpus) + " rates",
                        at);
    }
    if (!found->empty() && found->front() != 1) {
        reader.complain(
            ErrorCode::out_of_range,
            std::string("'") + key + "' must begin with 1.0: the rates are relative to one processor alone",
            at);
    }
    rates = std::move(*found);
}

void read_rates(TomlReader& reader, toml::table const& table, Rates& rates) {
    reader.only(table, rate_keys);
    read_rate_list(reader, table, "compute", rates.compute);
    read_rate_list(reader, table, "memory", rates.memory);
    if (auto const share = reader.number(table, "memory_share", share_limits))
        rates.memory_share = *share;
}

void read_shared_table(TomlReader& reader, toml::table const& table, Machine& machine) {
    reader.only(table, shared_keys);
    auto const& shared = machine.shared.emplace(read_shared(reader, table));
    if (auto const sound = check(shared); !sound)
        reader.complain(sound.error().code, sound.error().message, table.source().begin);
}

void read_ready_tasks(TomlReader& reader, toml::table const& table, ReadyTasks& tasks) {
    reader.only(table, ready_keys);
    if (auto const word = reader.string(table, "policy")) {
        auto const policy = parse_ready_policy(*word);
        if (policy)
            tasks.policy = *policy;
        else
            reader.complain(policy.error().code, policy.error().message, table.get("policy")->source().begin);
    }
    if (auto const word = reader.choice(table, "retire", retire_words))
        tasks.retire = static_cast<Retire>(*word);
    if (auto fetch_ns = reader.numbers(table, "fetch_ns", fetch_limits))
        tasks.fetch_ns = std::move(*fetch_ns);
}

MeasuredValue read_value(TomlReader& reader, toml::table const& table) {
    reader.only(table, value_keys);
    return {.median = reader.number(table, "median", any_number).value_or(0),
            .low = reader.number(table, "low", any_number).value_or(0),
            .high = reader.number(table, "high", any_number).value_or(0),
            .samples = reader.integer(table, "samples", {0, INT64_MAX}).value_or(0)};
}

Calibration read_calibration(TomlReader& reader, toml::table const& table) {
    reader.only(table, calibration_keys);
    Calibration calibration{.date = reader.string(table, "date").value_or(""),
                            .host = reader.string(table, "host").value_or(""),
                            .processor = reader.string(table, "processor").value_or(""),
                            .parcast = reader.string(table, "parcast").value_or(""),
                            .range = reader.string(table, "range").value_or(""),
                            .notes = reader.strings(table, "notes").value_or(std::vector<std::string>{}),
                            .values = {}};
    auto const* values = reader.table(table, "values");
    if (values == nullptr)
        return calibration;
    for (auto const& [key, node] : *values)
        if (auto const* value = reader.table(*values, key.str()))
            calibration.values.emplace(key.str(), read_value(reader, *value));
    return calibration;
}

void read_machine(TomlReader& reader, toml::table const& root, Machine& machine) {
    reader.version(root);
    reader.only(root, top_keys);
    if (auto name = reader.string(root, "name"))
        machine.name = std::move(*name);
    if (auto const cpus = reader.integer(root, "cpus", {1, most_cpus}))
        machine.cpus = static_cast<std::uint32_t>(*cpus);
    if (auto const policy = reader.choice(root, "lock_policy", lock_policies))
        machine.lock_policy = *policy == 0 ? LockPolicy::barging : LockPolicy::hand_off;
    if (auto const* table = reader.table(root, "scheduler"))
        read_scheduler(reader, *table, machine);
    read_part(reader, root, "costs", machine.costs);
    read_part(reader, root, "waiting", machine.waiting);
    read_part(reader, root, "devices", machine.devices);
    if (auto const* table = reader.table(root, "rates"))
        read_rates(reader, *table, machine.rates);
    if (auto const* table = reader.table(root, "shared"))
        read_shared_table(reader, *table, machine);
    if (auto const* table = reader.table(root, "ready_tasks"))
        read_ready_tasks(reader, *table, machine.ready_tasks);
    if (auto const* table = reader.table(root, "network"))
        machine.network = read_network(reader, *table);
    if (auto const* table = reader.table(root, "calibration"))
        machine.calibration = read_calibration(reader, *table);
}

}  // namespace

Result<Machine> machine_from_toml(std::string_view text, std::string const& file, Machine const& defaults) {
    auto const document = toml_document(text, file);
    if (!document)
        return pass_on(document);
    TomlReader reader(file);
    auto machine = defaults;
    read_machine(reader, *document, machine);
    if (auto error = reader.take_error())
        return tl::unexpected<Error>(std::move(*error));
    return machine;
}

}  // namespace parcast
