#include "cli/options/host_machine_file.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "measure/host_description.h"

namespace parcast::cli {
namespace {

// Sets a variable or removes it, and gives it its value back.
class Variable {
public:
    Variable(char const* name, char const* value) : name_(name) {
        if (char const* const former = std::getenv(name))
            former_ = former;
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    ~Variable() { former_ ? setenv(name_, former_->c_str(), 1) : unsetenv(name_); }
    Variable(Variable const&) = delete;
    Variable& operator=(Variable const&) = delete;

private:
    char const* name_;
    std::optional<std::string> former_;
};

struct Row {
    char const* configuration;
    char const* home;
    char const* folder;  // null: there is no such file
    char const* because;
};

TEST(HostMachineFile, IsInTheFolderOfTheUsersConfiguration) {
    Row const rows[] = {
        {"/etc/me", "/home/me", "/etc/me", "XDG_CONFIG_HOME comes first"},
        {nullptr, "/home/me", "/home/me/.config", "its default is in the home folder"},
        {"", "/home/me", "/home/me/.config", "empty is unset"},
        {"config", "/home/me", "/home/me/.config",
         "a relative folder is to be ignored, says the specification"},
        {nullptr, nullptr, nullptr, "without a home there is no place"},
    };
    for (auto const& row : rows) {
        Variable const configuration("XDG_CONFIG_HOME", row.configuration);
        Variable const home("HOME", row.home);
        auto const expected = row.folder != nullptr
                                  ? std::optional(std::string(row.folder) + "/parcast/machines/" +
                                                  measure::host_name() + ".toml")
                                  : std::nullopt;
        EXPECT_EQ(host_machine_file(), expected) << row.because;
    }
}

}  // namespace
}  // namespace parcast::cli
