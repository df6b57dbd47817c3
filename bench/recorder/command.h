// Running something on one CPU with a set of environment variables: how the benchmark compares a program
// bare, recorded, and traced by another tool.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "afterwards.h"

namespace parcast::bench {

// A way to run a program: variables as the shell writes them, "A='b' C='d'".
struct Variant {
    std::string name;
    std::string environment;
};

// The calling process and all that it starts stay on the last CPU that they are allowed.
void stay_on_one_cpu();

// A folder in shared memory that is removed with all that is in it, also if this process is killed.
class SharedFolder {
public:
    // `before` is done before it is removed, by another process.
    explicit SharedFolder(std::function<void(std::string const& path)> const& before = {});
    std::string const& path() const { return path_; }

private:
    std::string path_;
    Afterwards removal_;
};

// With the recorder preloaded, which writes to `folder`.
Variant recorded_in(std::string const& folder);

// What `command` (for the shell) prints: one number. Aborts if it does not.
double number_printed_by(std::string const& command, std::string const& environment);

// All that `command` (for the shell) prints. Aborts if it fails.
std::string output_of(std::string const& command);

// CPU time of `command` with its children, s, user and system together. Aborts if it fails.
double cpu_seconds_of(std::string const& command, std::string const& environment);

// What recording `command` costs by its events and their prices, as a share of its CPU time: no clock is
// compared with another, so that no noise hides it. Leaves files in `folder`. Aborts if it fails.
double priced_cost_of(std::string const& command, std::string const& folder);

bool is_installed(std::string const& program);

double quantile(std::vector<double> values, double share);
inline double median(std::vector<double> const& values) {
    return quantile(values, 0.5);
}

}  // namespace parcast::bench
