// Where the machine file of the host is: written by `parcast calibrate`, used by `predict` when it is there.

#pragma once

#include <optional>
#include <string>

namespace parcast::cli {

// ${XDG_CONFIG_HOME:-$HOME/.config}/parcast/machines/HOSTNAME.toml, whether it exists or not; none without
// either variable. XDG Base Directory Specification: a relative XDG_CONFIG_HOME counts as unset.
std::optional<std::string> host_machine_file();

}  // namespace parcast::cli
