// The scripts that complete a command line in a shell. They are made of the table of verbs and of their
// tables of options: what an option takes, it says there (OptionTable). A script needs no parcast when it
// completes.

#pragma once

#include <array>
#include <string>
#include <string_view>

namespace parcast::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

struct Shell {
    std::string_view name;
    std::string (*script)();
};

inline constexpr std::array<Shell, 3> shells{{
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
}};

}  // namespace parcast::cli
