#include "cli/options/host_machine_file.h"

#include <algorithm>
#include <cstdlib>

#include "measure/host_description.h"

namespace parcast::cli {

namespace {

// The folder that the variable names, if it is a whole path.
std::optional<std::string> folder_of(char const* variable) {
    char const* const value = std::getenv(variable);
    return value != nullptr && *value == '/' ? std::optional<std::string>(value) : std::nullopt;
}

}  // namespace

std::optional<std::string> host_machine_file() {
    auto folder = folder_of("XDG_CONFIG_HOME");
    if (!folder) {
        folder = folder_of("HOME");
        if (!folder)
            return std::nullopt;
        *folder += "/.config";
    }
    std::string name = measure::host_name();
    std::replace(name.begin(), name.end(), '/', '_');
    return *folder + "/parcast/machines/" + name + ".toml";
}

}  // namespace parcast::cli
