#include "machine/machine_toml.h"

#include <array>
#include <cstdint>
#include <limits>
#include <utility>

#include "machine/fields.h"
#include "machine/toml_reader.h"

namespace parcast {

namespace {

using Words = std::string_view;
constexpr std::array<Words, 9> top_keys = {"version", "name",    "cpus",  "lock_policy", "scheduler",
                                           "costs",   "waiting", "rates", "calibration"};
constexpr std::array<Words, 3> rate_keys = {"compute", "memory", "memory_share"};
constexpr std::array<Words, 7> calibration_keys = {"date",  "host",  "processor", "parcast",
                                                   "range", "notes", "values"};
constexpr std::array<Words, 4> value_keys = {"median", "low", "high", "samples"};
constexpr std::array<Words, 2> scheduler_kinds = {"ideal", "linux"};
constexpr std::array<Words, 2> lock_policies = {"barging", "hand_off"};
constexpr RealLimits any_number{std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max()};

template <class Fields>
std::vector<std::string_view> keys_of(Fields const& fields) {
    std::vector<std::string_view> keys;
    for (auto const& field : fields)
        keys.emplace_back(field.key);
    return keys;
}

template <class Part, class Fields>
void read_durations(TomlReader& reader, toml::table const& table, Fields const& fields, Part& part) {
    for (auto const& field : fields)
        if (auto const found = reader.integer(table, field.key, field.limits))
            part.*field.member = {*found};
}

// A table of times and of nothing else.
template <class Part, class Fields>
void read_part(TomlReader& reader, toml::table const& root, char const* name, Fields const& fields,
               Part& part) {
    auto const* table = reader.table(root, name);
    if (table == nullptr)
        return;
    reader.only(*table, keys_of(fields));
    read_durations(reader, *table, fields, part);
}

void read_linux(TomlReader& reader, toml::table const& table, LinuxScheduler& scheduler) {
    read_durations(reader, table, scheduler_fields, scheduler);
    for (auto const& field : percent_fields)
        if (auto const found = reader.integer(table, field.key, percent_limits))
            scheduler.*field.member = *found;
}

void read_scheduler(TomlReader& reader, toml::table const& table, Machine& machine) {
    auto known = keys_of(scheduler_fields);
    for (auto const& field : percent_fields)
        known.emplace_back(field.key);
    known.emplace_back("kind");
    reader.only(table, known);
    if (auto const kind = reader.choice(table, "kind", scheduler_kinds)) {
        auto const is_already = name_of(machine.scheduler) == scheduler_kinds[*kind];
        if (!is_already && *kind == 0)
            machine.scheduler = IdealScheduler{};
        if (!is_already && *kind == 1)
            machine.scheduler = LinuxScheduler{};
    }
    if (auto* const parameters = std::get_if<LinuxScheduler>(&machine.scheduler))
        return read_linux(reader, table, *parameters);
    for (auto const& [key, node] : table) {
        if (key.str() == "kind")
            continue;
        reader.complain(
            ErrorCode::inconsistent,
            "the ideal scheduler has no '" + std::string(key.str()) + "'; remove it, or set kind = \"linux\"",
            key.source().begin);
    }
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
    read_part(reader, root, "costs", cost_fields, machine.costs);
    read_part(reader, root, "waiting", waiting_fields, machine.waiting);
    if (auto const* table = reader.table(root, "rates"))
        read_rates(reader, *table, machine.rates);
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
