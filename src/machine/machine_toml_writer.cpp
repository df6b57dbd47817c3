// Writes a machine as people would: sections in the order of docs/formats/machine.md, a measured value a
// line, numbers in their shortest form that reads back as the same.

#include <string>

#include <fmt/format.h>

#include "machine/fields.h"
#include "machine/machine_toml.h"

namespace parcast {

namespace {

std::string quoted(std::string_view text) {
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

std::string key(std::string_view name) {
    constexpr std::string_view bare = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    bool const is_bare = !name.empty() && name.find_first_not_of(bare) == std::string_view::npos;
    return is_bare ? std::string(name) : quoted(name);
}

template <class Part, class Fields>
std::string durations(Part const& part, Fields const& fields) {
    std::string text;
    for (auto const& field : fields)
        text += fmt::format("{} = {}\n", field.key, (part.*field.member).ns);
    return text;
}

std::string scheduler_text(Scheduler const& scheduler) {
    auto const head = fmt::format("\n[scheduler]\nkind = \"{}\"\n", name_of(scheduler));
    auto const* parameters = std::get_if<LinuxScheduler>(&scheduler);
    if (!parameters)
        return head;
    auto text = head + durations(*parameters, scheduler_fields);
    for (auto const& field : percent_fields)
        text += fmt::format("{} = {}\n", field.key, parameters->*field.member);
    return text;
}

std::string rates_text(Rates const& rates) {
    return fmt::format("\n[rates]\ncompute = [{}]\nmemory = [{}]\nmemory_share = {}\n",
                       fmt::join(rates.compute, ", "), fmt::join(rates.memory, ", "), rates.memory_share);
}

std::string calibration_text(Calibration const& calibration) {
    std::string notes;
    for (auto const& note : calibration.notes)
        notes += fmt::format("    {},\n", quoted(note));
    auto text = fmt::format(
        "\n[calibration]\ndate = {}\nhost = {}\nprocessor = {}\nparcast = {}\nrange = {}\nnotes = [{}]\n",
        quoted(calibration.date), quoted(calibration.host), quoted(calibration.processor),
        quoted(calibration.parcast), quoted(calibration.range), notes.empty() ? notes : '\n' + notes);
    text += "\n[calibration.values]\n";
    for (auto const& [name, value] : calibration.values) {
        text += fmt::format("{} = {{ median = {}, low = {}, high = {}, samples = {} }}\n", key(name),
                            value.median, value.low, value.high, value.samples);
    }
    return text;
}

}  // namespace

std::string to_toml(Machine const& machine) {
    auto text =
        fmt::format("version = 1\nname = {}\ncpus = {}\nlock_policy = \"{}\"\n", quoted(machine.name),
                    machine.cpus, machine.lock_policy == LockPolicy::barging ? "barging" : "hand_off");
    text += scheduler_text(machine.scheduler);
    text += "\n[costs]\n" + durations(machine.costs, cost_fields);
    text += "\n[waiting]\n" + durations(machine.waiting, waiting_fields);
    text += rates_text(machine.rates);
    return machine.calibration ? text + calibration_text(*machine.calibration) : text;
}

}  // namespace parcast
