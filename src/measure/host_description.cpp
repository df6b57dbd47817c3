#include "measure/host_description.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <optional>
#include <utility>

#include <unistd.h>

#include "measure/affinity.h"

namespace parcast::measure {

namespace {

std::string first_line(std::string const& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string folder_of(unsigned cpu) {
    return "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/";
}

std::vector<unsigned> siblings_of(unsigned cpu) {
    return parse_cpu_ranges(first_line(folder_of(cpu) + "topology/thread_siblings_list"));
}

std::size_t last_level_cache_of(unsigned cpu) {
    std::size_t largest = 0;
    for (int index = 0; index < 8; ++index) {
        std::string const cache = folder_of(cpu) + "cache/index" + std::to_string(index) + "/size";
        largest = std::max(largest, parse_cache_size(first_line(cache)));
    }
    return largest;
}

// Takes a number off the front of the text.
std::optional<unsigned> take_number(std::string_view& text) {
    unsigned number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

}  // namespace

std::string host_name() {
    std::array<char, 256> name{};
    bool const is_known = gethostname(name.data(), name.size() - 1) == 0 && name.front() != '\0';
    return is_known ? name.data() : "unknown";
}

// "model name	: AMD EPYC" of the first processor in /proc/cpuinfo.
std::string processor_model() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        std::size_t const colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return {};
}

std::vector<unsigned> parse_cpu_ranges(std::string_view text) {
    constexpr unsigned most_cpus = 8192;  // that Linux can be built for
    std::vector<unsigned> cpus;
    while (!text.empty()) {
        auto const first = take_number(text);
        auto last = first;
        if (first && text.starts_with('-')) {
            text.remove_prefix(1);
            last = take_number(text);
        }
        bool const is_list = first && last && *last < most_cpus && (text.empty() || text.starts_with(','));
        if (!is_list)
            return {};
        for (unsigned cpu = *first; cpu <= *last; ++cpu)
            cpus.push_back(cpu);
        text.remove_prefix(text.empty() ? 0 : 1);
    }
    return cpus;
}

std::size_t parse_cache_size(std::string_view text) {
    auto const number = take_number(text);
    if (!number || (text != "K" && text != "M"))
        return 0;
    return std::size_t{*number} << (text == "K" ? 10 : 20);
}

std::vector<unsigned> cores_first(std::vector<unsigned> const& cpus,
                                  std::vector<std::vector<unsigned>> const& siblings) {
    struct Place {
        std::size_t among_siblings;
        unsigned cpu;
    };
    std::vector<Place> places;
    for (std::size_t i = 0; i < cpus.size(); ++i) {
        // Only siblings that may be used keep a core busy.
        auto const before = std::count_if(siblings[i].begin(), siblings[i].end(), [&](unsigned sibling) {
            return sibling < cpus[i] && std::find(cpus.begin(), cpus.end(), sibling) != cpus.end();
        });
        places.push_back({static_cast<std::size_t>(before), cpus[i]});
    }
    std::stable_sort(places.begin(), places.end(),
                     [](Place a, Place b) { return a.among_siblings < b.among_siblings; });
    std::vector<unsigned> ordered;
    for (Place const place : places)
        ordered.push_back(place.cpu);
    return ordered;
}

HostDescription describe_host() {
    std::vector<unsigned> const cpus = allowed_cpus();
    std::vector<std::vector<unsigned>> siblings;
    for (unsigned const cpu : cpus)
        siblings.push_back(siblings_of(cpu));
    return {host_name(), processor_model(), cores_first(cpus, siblings),
            cpus.empty() ? 0 : last_level_cache_of(cpus.front()), first_line("/proc/sys/kernel/osrelease")};
}

bool has_eevdf(std::string_view kernel) {
    auto const major = take_number(kernel);
    if (!major || !kernel.starts_with('.'))
        return false;
    kernel.remove_prefix(1);
    auto const minor = take_number(kernel);
    return minor && std::pair(*major, *minor) >= std::pair(6U, 6U);
}

}  // namespace parcast::measure
