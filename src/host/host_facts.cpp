#include "host/host_facts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

#include <dlfcn.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/leading_number.h"
#include "measure/affinity.h"
#include "measure/host_description.h"
#include "record/preloaded_library.h"
#include "record/recording_folder.h"
#include "record/start.h"

namespace parcast::host {

namespace {

constexpr char const* cpu_folder = "/sys/devices/system/cpu/";

std::string variable(char const* name) {
    char const* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::optional<std::string> first_line(std::string const& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line))
        return std::nullopt;
    return line;
}

std::optional<int> number_in_file(std::string const& path) {
    auto const line = first_line(path);
    return line ? number_in<int>(*line) : std::nullopt;
}

bool exists(std::string const& path) {
    return access(path.c_str(), F_OK) == 0;
}

// As the sampler asks for it, of this process.
int perf_refusal() {
    perf_event_attr attributes{};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.sample_period = 1'000'000;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    attributes.disabled = 1;
    auto const descriptor =
        static_cast<int>(syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (descriptor < 0)
        return errno;
    close(descriptor);
    return 0;
}

// What the runtimes leave (systemd's container interface; Docker's and Podman's own files).
std::string container_of(std::string const& root) {
    if (exists(root + "/.dockerenv"))
        return "docker";
    if (exists(root + "/run/.containerenv"))
        return "podman";
    if (!variable("KUBERNETES_SERVICE_HOST").empty())
        return "kubernetes";
    if (auto const name = first_line(root + "/run/systemd/container"))
        return *name;
    auto const groups = first_line(root + "/proc/1/cgroup").value_or("");
    for (auto const* const name : {"docker", "kubepods", "lxc", "containerd"})
        if (groups.find(name) != std::string::npos)
            return name;
    return {};
}

struct Limit {
    double cpus;
    std::string file;
};

// "200000 100000" of version 2; "max" is none.
std::optional<Limit> limit_in(std::string const& file) {
    std::istringstream words(first_line(file).value_or(""));
    double quota = 0;
    double period = 0;
    if (!(words >> quota >> period) || quota <= 0 || period <= 0)
        return std::nullopt;
    return Limit{quota / period, file};
}

// The tightest of this process's group and those around it (cgroups(7)).
std::optional<Limit> cpu_limit_of(std::string const& root) {
    std::optional<Limit> tightest;
    auto const add = [&](std::optional<Limit> limit) {
        if (limit && (!tightest || limit->cpus < tightest->cpus))
            tightest = std::move(limit);
    };
    std::ifstream groups(root + "/proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        if (!line.starts_with("0::"))
            continue;
        std::filesystem::path group = line.substr(3);
        for (;; group = group.parent_path()) {
            add(limit_in(root + "/sys/fs/cgroup" + (group == "/" ? "" : group.string()) + "/cpu.max"));
            if (group == "/" || group.empty())
                break;
        }
    }
    auto const old = root + "/sys/fs/cgroup/cpu/";
    auto const quota = number_in_file(old + "cpu.cfs_quota_us");
    auto const period = number_in_file(old + "cpu.cfs_period_us");
    if (quota && period && *quota > 0 && *period > 0)
        add(Limit{static_cast<double>(*quota) / *period, old + "cpu.cfs_quota_us"});
    return tightest;
}

// Intel names the kinds as performance monitoring units.
std::vector<unsigned> efficient_cpus(std::string const& root) {
    if (auto const list = first_line(root + "/sys/devices/cpu_atom/cpus"))
        return measure::parse_cpu_ranges(*list);
    return {};
}

std::size_t siblings_among(std::string const& root, std::vector<unsigned> const& allowed) {
    std::set<std::string> cores;
    std::size_t siblings = 0;
    for (unsigned const cpu : allowed) {
        auto const core =
            first_line(root + cpu_folder + "cpu" + std::to_string(cpu) + "/topology/thread_siblings_list");
        if (core && !cores.insert(*core).second)
            ++siblings;
    }
    return siblings;
}

std::vector<std::string> governors_of(std::string const& root, std::vector<unsigned> const& allowed) {
    std::set<std::string> names;
    for (unsigned const cpu : allowed)
        if (auto const name =
                first_line(root + cpu_folder + "cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor"))
            names.insert(*name);
    return {names.begin(), names.end()};
}

std::optional<bool> boosts(std::string const& root) {
    if (auto const off = number_in_file(root + cpu_folder + "intel_pstate/no_turbo"))
        return *off == 0;
    if (auto const on = number_in_file(root + cpu_folder + "cpufreq/boost"))
        return *on != 0;
    return std::nullopt;
}

bool is_virtual(std::string const& root) {
    std::ifstream file(root + "/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags"))
            return (line + " ").find(" hypervisor ") != std::string::npos;
    return false;
}

// ID=debian, or ID="debian"
std::string distribution_of(std::string const& root) {
    std::ifstream file(root + "/etc/os-release");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("ID="))
            continue;
        line.erase(0, 3);
        std::erase(line, '"');
        return line;
    }
    return {};
}

bool has_debuginfod_library() {
    void* const library = dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library != nullptr)
        dlclose(library);
    return library != nullptr;
}

// The ticks of all allowed CPUs: "cpu3 USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL ...".
struct Ticks {
    std::int64_t all = 0;
    std::int64_t idle = 0;
    std::int64_t steal = 0;
};

std::optional<Ticks> read_ticks(std::string const& root, std::vector<unsigned> const& cpus) {
    std::ifstream file(root + "/proc/stat");
    Ticks sum;
    std::size_t found = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string name;
        std::array<std::int64_t, 8> fields{};
        words >> name;
        for (auto& field : fields)
            words >> field;
        auto const cpu = name.starts_with("cpu") ? number_in<unsigned>(name.substr(3)) : std::nullopt;
        if (!words || !cpu || std::ranges::find(cpus, *cpu) == cpus.end())
            continue;
        for (auto const field : fields)
            sum.all += field;
        sum.idle += fields[3] + fields[4];
        sum.steal += fields[7];
        ++found;
    }
    return found > 0 ? std::optional(sum) : std::nullopt;
}

void read_event_space(HostFacts& facts) {
    auto const folder = record::RecordingFolder::create();
    if (!folder) {
        facts.event_folder = describe(folder.error());
        return;
    }
    facts.event_folder = std::filesystem::path(folder->path()).parent_path();
    facts.event_space = folder->bearable_bytes();
}

}  // namespace

std::optional<BusyShares> watch_busy_cpus(std::string const& root, Duration time) {
    auto const cpus = measure::allowed_cpus();
    auto const before = read_ticks(root, cpus);
    if (!before)
        return std::nullopt;
    std::this_thread::sleep_for(std::chrono::nanoseconds(time.ns));
    auto const after = read_ticks(root, cpus);
    if (!after || after->all <= before->all)
        return std::nullopt;
    auto const all = static_cast<double>(after->all - before->all);
    auto const steal = static_cast<double>(after->steal - before->steal);
    auto const idle = static_cast<double>(after->idle - before->idle);
    return BusyShares{steal / all, std::max(0.0, (all - idle - steal) / all)};
}

HostFacts read_host_facts(std::string const& root, std::string machine_file) {
    HostFacts facts;
    facts.recorder = record::find_preloaded_library(record::recorder_library);
    facts.forced_clock = variable("PARCAST_RECORD_CLOCK");
    read_event_space(facts);
    facts.perf_level = number_in_file(root + "/proc/sys/kernel/perf_event_paranoid");
    facts.perf_refusal = perf_refusal();
    facts.container = container_of(root);
    facts.processor = measure::processor_model();
    facts.is_virtual = is_virtual(root);
    facts.allowed = measure::allowed_cpus();
    facts.online = measure::parse_cpu_ranges(first_line(root + cpu_folder + "online").value_or("")).size();
    facts.online = std::max(facts.online, facts.allowed.size());
    facts.siblings = siblings_among(root, facts.allowed);
    facts.efficient = efficient_cpus(root);
    if (auto limit = cpu_limit_of(root)) {
        facts.cpu_limit = limit->cpus;
        facts.cpu_limit_file = std::move(limit->file);
    }
    facts.governors = governors_of(root, facts.allowed);
    facts.boosts = boosts(root);
    facts.is_calibrated = !machine_file.empty() && exists(machine_file);
    facts.machine_file = std::move(machine_file);
    facts.debuginfod_urls = variable("DEBUGINFOD_URLS");
#ifdef PARCAST_PORTABLE
    facts.is_static = true;
#endif
    facts.has_debuginfod = has_debuginfod_library();
    facts.distribution = distribution_of(root);
    facts.has_display = !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
    facts.has_opener = record::find_host_program("xdg-open").has_value();
    facts.is_remote = !variable("SSH_CONNECTION").empty();
    return facts;
}

}  // namespace parcast::host
