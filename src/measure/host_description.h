// What the system says about the machine that parcast runs on, as far as a calibration needs it.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace parcast::measure {

struct HostDescription {
    std::string name;
    std::string processor;       // model name; empty if the system does not say
    std::vector<unsigned> cpus;  // allowed ones; one hardware thread a core first, then the others
    std::size_t last_level_cache_bytes = 0;  // 0 if the system does not say
    std::string kernel;  // its release, as "6.1.0-18-amd64"; empty if the system does not say
};

// As the kernel has it; "unknown" if it does not say.
std::string host_name();

// Whether Linux of this release has the fair class that 6.6 brought, EEVDF. No, if it does not begin with two
// numbers.
bool has_eevdf(std::string_view kernel);

// The model of the first processor; empty if the system does not say.
std::string processor_model();

// With the CPUs that this process may use.
HostDescription describe_host();

// "0-3,8" is 0, 1, 2, 3, 8: the lists in /sys. What is no such list is empty.
std::vector<unsigned> parse_cpu_ranges(std::string_view text);

// "32768K" and "16M": the sizes of caches in /sys. 0 for anything else.
std::size_t parse_cache_size(std::string_view text);

// `cpus` in an order that fills the cores first: siblings[i] are the hardware threads of the core of cpus[i].
std::vector<unsigned> cores_first(std::vector<unsigned> const& cpus,
                                  std::vector<std::vector<unsigned>> const& siblings);

}  // namespace parcast::measure
