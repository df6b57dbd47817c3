#include "cli/options/memory_option.h"

#include <algorithm>
#include <charconv>

#include "cli/files/files.h"
#include "machine/memory_toml.h"

namespace parcast::cli {

namespace {

std::string preset_names() {
    std::string names;
    for (auto const name : memory_preset_names())
        names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
}

// "4.5" behind the colon of a preset.
Result<SharedResources> preset_with_accesses(std::string_view preset, std::string const& name,
                                             std::string_view accesses) {
    constexpr double most = 1e6;  // as in a file
    auto resources = shared_resources_from_toml(preset, name);
    double per_us = 0;
    auto const [end, error] = std::from_chars(accesses.data(), accesses.data() + accesses.size(), per_us);
    bool const is_number = error == std::errc() && end == accesses.data() + accesses.size();
    if (!is_number || !(per_us >= 0 && per_us <= most)) {
        return fail(ErrorCode::out_of_range, name +
                                                 ": behind the colon is how often memory is accessed per us "
                                                 "of CPU time, a number from 0 to 1e6");
    }
    if (resources)
        resources->accesses_per_us = per_us;
    return resources;
}

}  // namespace

Result<SharedResources> read_shared_resources(std::string const& name) {
    if (auto const preset = memory_preset(name))
        return shared_resources_from_toml(*preset, name);
    auto const colon = std::min(name.find(':'), name.size());
    if (auto const preset = memory_preset(name.substr(0, colon)))
        return preset_with_accesses(*preset, name, std::string_view(name).substr(colon + 1));
    auto text = read_text(name);
    if (!text && text.error().code == ErrorCode::not_found) {
        return fail(ErrorCode::not_found,
                    "there is no file " + name + ", and no preset of that name: there are " + preset_names());
    }
    if (!text)
        return pass_on(text);
    return shared_resources_from_toml(*text, name);
}

}  // namespace parcast::cli
