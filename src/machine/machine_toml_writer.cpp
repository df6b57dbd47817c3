// Writes a machine as people would: sections in the order of docs/formats/machine.md, a measured value a
// line, numbers in their shortest form that reads back as the same.

#include <string>
#include <variant>

#include <fmt/format.h>

#include "machine/machine_toml.h"
#include "machine/network_toml.h"
#include "machine/shared_toml.h"

namespace parcast {

namespace {

std::string key(std::string_view name) {
    constexpr std::string_view bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    bool const is_bare = !name.empty() && name.find_first_not_of(bare) == std::string_view::npos;
    return is_bare ? std::string(name) : quoted_toml(name);
}

template <class Part>
std::string fields_text(Part const& part) {
    std::string text;
    for (auto const& field : Part::fields())
        text += fmt::format("{} = {}\n", field.key, field.value(part));
    return text;
}

std::string scheduler_text(Scheduler const& scheduler) {
    return fmt::format("\n[scheduler]\nkind = \"{}\"\n", name_of(scheduler)) +
           std::visit([](auto const& parameters) { return fields_text(parameters); }, scheduler);
}

std::string rates_text(Rates const& rates) {
    return fmt::format("\n[rates]\ncompute = [{}]\nmemory = [{}]\nmemory_share = {}\n",
                       fmt::join(rates.compute, ", "), fmt::join(rates.memory, ", "), rates.memory_share);
}

std::string ready_tasks_text(ReadyTasks const& tasks) {
    return fmt::format("\n[ready_tasks]\npolicy = \"{}\"\nretire = \"{}\"\nfetch_ns = [{}]\n",
                       name_of(tasks.policy), retire_words[static_cast<std::size_t>(tasks.retire)],
                       fmt::join(tasks.fetch_ns, ", "));
}

std::string calibration_text(Calibration const& calibration) {
    std::string notes;
    for (auto const& note : calibration.notes)
        notes += fmt::format("    {},\n", quoted_toml(note));
    auto text = fmt::format(
        "\n[calibration]\ndate = {}\nhost = {}\nprocessor = {}\nparcast = {}\nrange = {}\nnotes = [{}]\n",
        quoted_toml(calibration.date), quoted_toml(calibration.host), quoted_toml(calibration.processor),
        quoted_toml(calibration.parcast), quoted_toml(calibration.range),
        notes.empty() ? notes : '\n' + notes);
    text += "\n[calibration.values]\n";
    for (auto const& [name, value] : calibration.values) {
        text += fmt::format("{} = {{ median = {}, low = {}, high = {}, samples = {} }}\n", key(name),
                            value.median, value.low, value.high, value.samples);
    }
    return text;
}

}  // namespace

std::string quoted_toml(std::string_view text) {
    std::string result = "\"";
    for (char const character : text) {
        auto const code = static_cast<unsigned char>(character);
        if (character == '"' || character == '\\')
            result += {'\\', character};
        else if (code < 0x20 || code == 0x7f)
            result += fmt::format("\\u{:04X}", code);
        else
            result += character;
    }
    return result + '"';
}

std::string to_toml(Machine const& machine) {
    auto text =
        fmt::format("version = 1\nname = {}\ncpus = {}\nlock_policy = \"{}\"\n", quoted_toml(machine.name),
                    machine.cpus, machine.lock_policy == LockPolicy::barging ? "barging" : "hand_off");
    text += scheduler_text(machine.scheduler);
    text += "\n[costs]\n" + fields_text(machine.costs);
    text += "\n[waiting]\n" + fields_text(machine.waiting);
    if (machine.devices != Devices{})
        text += "\n[devices]\n" + fields_text(machine.devices);
    text += rates_text(machine.rates);
    if (machine.shared)
        text += shared_text(*machine.shared);
    if (machine.ready_tasks != ReadyTasks{})
        text += ready_tasks_text(machine.ready_tasks);
    if (machine.network)
        text += network_toml(*machine.network);
    return machine.calibration ? text + calibration_text(*machine.calibration) : text;
}

}  // namespace parcast
