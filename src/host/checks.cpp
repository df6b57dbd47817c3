#include "host/checks.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "core/bytes_text.h"
#include "core/counted.h"
#include "core/listed.h"
#include "core/percent_text.h"

namespace parcast::host {

namespace {

struct Outcome {
    HostState state = HostState::ok;
    std::string found;
    std::string follows = {};
    std::string remedy = {};
};
using enum HostState;

struct CheckRow {
    std::string_view area;
    std::string_view name;
    std::optional<Outcome> (*check)(HostFacts const& facts);  // none: nothing to report
};

// Recording.

std::optional<Outcome> recorder_library(HostFacts const& facts) {
    if (facts.recorder)
        return Outcome{ok, *facts.recorder};
    return Outcome{missing, facts.recorder.error().message, "Nothing can be recorded, in no way.",
                   "Install parcast with its libraries: cmake --install BUILD --prefix PREFIX"};
}

std::optional<Outcome> cpu_clock(HostFacts const& facts) {
    if (!facts.trial)
        return Outcome{missing, "a recording of /bin/true failed: " + facts.trial.error().message,
                       "Nothing can be recorded here.", facts.trial.error().advice};
    auto const price = fmt::format("{:.0f} ns an event", facts.trial->event_cost_ns);
    auto const forced = facts.forced_clock.empty() ? "" : ", as PARCAST_RECORD_CLOCK says";
    switch (facts.trial->clock) {
        case ClockMethod::rseq: return Outcome{ok, "rseq, " + price + forced};
        case ClockMethod::perf_page:
            return Outcome{limited, "the page of perf_event_open, " + price + forced,
                           "The C library offers no rseq; recording costs a little more.",
                           "Use glibc 2.35 or later, without glibc.pthread.rseq=0: unset GLIBC_TUNABLES"};
        case ClockMethod::thread_clock: break;
    }
    return Outcome{limited, "the thread's clock, read at every event, " + price + forced,
                   "Short critical sections are disturbed (clock_fallback).",
                   facts.forced_clock.empty()
                       ? "Use glibc 2.35 or later, without glibc.pthread.rseq=0: unset GLIBC_TUNABLES"
                       : "unset PARCAST_RECORD_CLOCK"};
}

std::optional<Outcome> event_space(HostFacts const& facts) {
    constexpr std::uint64_t enough = std::uint64_t{64} << 20;
    auto const found = "up to " + bytes_text(facts.event_space) + " a process, in " + facts.event_folder;
    if (facts.event_space >= enough)
        return Outcome{ok, found};
    return Outcome{limited, found, "Events are kept there until the program ends: long recordings are cut.",
                   "export TMPDIR=A_FOLDER_WITH_SPACE, or in a container: docker run --shm-size 1g"};
}

// Sampling.

std::optional<Outcome> sampling(HostFacts const& facts) {
    auto const level = facts.perf_level ? fmt::format("kernel.perf_event_paranoid is {}", *facts.perf_level)
                                        : std::string("kernel.perf_event_paranoid is unknown");
    constexpr auto follows = "record --sample cannot tell which functions run; recording itself works.";
    if (facts.perf_refusal == 0)
        return Outcome{ok, "it works; " + level};
    if (facts.perf_refusal == ENOSYS || facts.perf_refusal == ENOENT)
        return Outcome{missing, "this kernel has no perf_event_open", follows,
                       "Compile with -finstrument-functions, or record on another host"};
    if (facts.perf_level.value_or(0) > 2)
        return Outcome{missing, level, follows, "sudo sysctl kernel.perf_event_paranoid=2"};
    if (!facts.container.empty())
        return Outcome{missing, facts.container + " forbids perf_event_open", follows,
                       "docker run --cap-add PERFMON, or --security-opt seccomp=unconfined"};
    return Outcome{missing, "the system forbids perf_event_open; " + level, follows,
                   "sudo setcap cap_perfmon=ep $(command -v parcast)"};
}

// Calibrating, and all that measures.

std::optional<Outcome> cpus(HostFacts const& facts) {
    if (facts.allowed.empty())
        return Outcome{missing, "the system does not say which CPUs may be used", "Nothing can be recorded.",
                       "Allow the system call sched_getaffinity in this container"};
    auto found = counted(std::ssize(facts.allowed), "CPU");
    if (facts.online > facts.allowed.size())
        found += fmt::format(" of {}", facts.online);
    found += facts.processor.empty() ? "" : ", " + facts.processor;
    found += facts.is_virtual ? ", in a virtual machine" : "";
    if (facts.allowed.size() < facts.online)
        return Outcome{limited, found,
                       "Only these CPUs may be used (affinity or cpuset); a calibration is of them alone.",
                       fmt::format("taskset -c 0-{} parcast calibrate", facts.online - 1)};
    if (facts.allowed.size() == 1)
        return Outcome{limited, found,
                       "Recording works. calibrate cannot measure what busy CPUs do to each "
                       "other.",
                       "Calibrate on the target, and copy its file: parcast calibrate -o machine.toml"};
    return Outcome{ok, found};
}

std::optional<Outcome> smt(HostFacts const& facts) {
    if (facts.siblings == 0)
        return std::nullopt;
    return Outcome{
        ok, fmt::format("{} of {} CPUs share a core with another one", facts.siblings, facts.allowed.size()),
        "calibrate fills the cores first and measures what sharing one costs."};
}

std::optional<Outcome> hybrid(HostFacts const& facts) {
    if (facts.efficient.empty() || facts.allowed.empty())
        return std::nullopt;
    bool const records_there =
        std::ranges::find(facts.efficient, facts.allowed.back()) != facts.efficient.end();
    auto const fast = std::ranges::find_if(facts.allowed, [&](unsigned cpu) {
        return std::ranges::find(facts.efficient, cpu) == facts.efficient.end();
    });
    auto const found = fmt::format("{} of the CPUs are of a slower kind", facts.efficient.size());
    if (!records_there || fast == facts.allowed.end())
        return Outcome{limited, found, "A prediction takes all CPUs for alike.",
                       "Give the slower ones a speed in a machine file: docs/formats/machine.md"};
    return Outcome{limited, found,
                   fmt::format("record takes CPU {}, a slow one; a prediction takes all CPUs for alike.",
                               facts.allowed.back()),
                   fmt::format("parcast record --cpu {} -- PROGRAM", *fast)};
}

std::optional<Outcome> cpu_limit(HostFacts const& facts) {
    if (!facts.cpu_limit || *facts.cpu_limit >= static_cast<double>(facts.allowed.size()))
        return Outcome{ok,
                       facts.container.empty() ? "none" : "none, in a container (" + facts.container + ")"};
    return Outcome{
        limited, fmt::format("{:.3g} CPUs by the control group ({})", *facts.cpu_limit, facts.cpu_limit_file),
        "Measurements on more CPUs are stopped and go on: calibrate and scale --measure show the "
        "limit, not the machine.",
        fmt::format("docker run --cpus {0}, or: systemctl set-property UNIT CPUQuota={0}00%",
                    facts.allowed.size())};
}

std::optional<Outcome> frequency(HostFacts const& facts) {
    if (facts.governors.empty())
        return Outcome{ok, "not shown by the system",
                       facts.is_virtual ? "The host of the virtual machine sets it." : ""};
    auto const boost = facts.boosts ? (*facts.boosts ? ", boost on" : ", boost off") : "";
    auto const found = "governor " + listed(facts.governors, " and ") + boost;
    if (facts.governors != std::vector<std::string>{"performance"})
        return Outcome{limited, found,
                       "CPUs take a moment to speed up: short recordings and measurements vary.",
                       "sudo cpupower frequency-set -g performance"};
    if (facts.boosts == true)
        return Outcome{ok, found,
                       "One busy CPU runs faster than many; the rates that calibrate measures include that."};
    return Outcome{ok, found};
}

std::optional<Outcome> other_load(HostFacts const& facts) {
    constexpr double notable_steal = 0.01;
    constexpr double notable_others = 0.1;
    if (!facts.busy)
        return Outcome{limited, "/proc/stat cannot be read", "Whether others use the CPUs is not known.", ""};
    auto const found = fmt::format("steal time {}, other processes {}", percent_text(facts.busy->steal),
                                   percent_text(facts.busy->others));
    if (facts.busy->steal > notable_steal)
        return Outcome{limited, found,
                       "The host of this virtual machine gives its CPUs to others: times vary by that much.",
                       "Ask for dedicated CPUs, or measure when the host is idle: parcast doctor shows it"};
    if (facts.busy->others > notable_others)
        return Outcome{limited, found, "Others use the CPUs: calibrate waits for them, and times vary.",
                       "Stop what runs (top -o %CPU), then try again"};
    return Outcome{ok, found};
}

std::optional<Outcome> calibration(HostFacts const& facts) {
    if (facts.is_calibrated)
        return Outcome{ok, facts.machine_file};
    return Outcome{limited, "none for this host",
                   "Predictions use usual costs of switches, locks and busy memory.", "parcast calibrate"};
}

// Viewing.

std::optional<Outcome> browser(HostFacts const& facts) {
    if (facts.has_display && facts.has_opener)
        return Outcome{ok, "xdg-open, on a display"};
    auto const found = facts.has_display ? "there is no xdg-open" : "there is no display";
    return Outcome{limited, found, "view prints its address instead of opening a browser.",
                   !facts.has_display && facts.is_remote
                       ? "ssh -L 8420:localhost:8420 HOST, there: parcast view FILE --port 8420"
                       : (facts.has_display ? "sudo apt install xdg-utils"
                                            : "parcast report FILE writes the page as a file to carry away")};
}

// Names of functions and lines.

constexpr std::array<std::array<std::string_view, 2>, 4> debuginfod_servers{{
    {"debian", "https://debuginfod.debian.net"},
    {"ubuntu", "https://debuginfod.ubuntu.com"},
    {"fedora", "https://debuginfod.fedoraproject.org"},
    {"arch", "https://debuginfod.archlinux.org"},
}};

std::string debuginfod_remedy(HostFacts const& facts) {
    for (auto const& [distribution, address] : debuginfod_servers)
        if (facts.distribution == distribution)
            return fmt::format("export DEBUGINFOD_URLS={}", address);
    return "export DEBUGINFOD_URLS=https://debuginfod.elfutils.org";
}

std::optional<Outcome> debuginfod(HostFacts const& facts) {
    if (facts.is_static)
        return Outcome{
            limited, "this static parcast asks no server",
            "Names of functions in packages without debug information stay unknown.",
            "Use parcast from its .deb, or built here, or install debug information (NAME-dbgsym)"};
    if (!facts.has_debuginfod)
        return Outcome{limited, "there is no libdebuginfod",
                       "Names of functions in packages without debug information stay unknown.",
                       facts.distribution == "debian" || facts.distribution == "ubuntu"
                           ? "sudo apt install libdebuginfod1"
                           : "Install libdebuginfod of elfutils"};
    if (facts.debuginfod_urls.empty())
        return Outcome{limited, "no server is named (DEBUGINFOD_URLS)",
                       "Names of functions in packages without debug information stay unknown.",
                       debuginfod_remedy(facts)};
    return Outcome{ok, facts.debuginfod_urls};
}

// The program.

std::optional<Outcome> program_file(HostFacts const& facts) {
    auto const& program = *facts.program;
    if (!program.path)
        return Outcome{missing, program.path.error().message, "", program.path.error().advice};
    if (program.no_recording)
        return Outcome{missing, program.no_recording->message, "It cannot be recorded.",
                       program.no_recording->advice};
    if (!program.interpreter.empty())
        return Outcome{ok, *program.path + ", a script of " + program.interpreter};
    return Outcome{ok, *program.path + ", dynamically linked"};
}

bool is_native_program(HostFacts const& facts) {
    return facts.program->path && facts.program->interpreter.empty();
}

std::optional<Outcome> debug_information(HostFacts const& facts) {
    if (!is_native_program(facts))
        return std::nullopt;
    auto const& program = *facts.program;
    if (program.has_debug_information)
        return Outcome{ok, "in the program: functions, files and lines"};
    if (!program.debug_file.empty())
        return Outcome{ok, program.debug_file};
    constexpr auto follows = "Places are shown without files and lines.";
    if (facts.has_debuginfod && !facts.debuginfod_urls.empty() && !program.build_id.empty())
        return Outcome{limited, "none here; debuginfod is asked for build id " + program.build_id,
                       "Places have files and lines if the server knows this program.",
                       "Compile it with -g to be sure"};
    auto const found = program.has_symbols ? "names of functions only" : "none, and no names of functions";
    return Outcome{program.has_symbols ? limited : missing, found, follows,
                   "Compile it with -g; for a package: " + debuginfod_remedy(facts)};
}

std::optional<Outcome> openmp(HostFacts const& facts) {
    if (!is_native_program(facts))
        return std::nullopt;
    for (auto const& library : facts.program->libraries) {
        if (library.starts_with("libgomp"))
            return Outcome{ok, library + ", whose regions, barriers, loops and tasks are recorded"};
        if (library.starts_with("libomp") || library.starts_with("libiomp"))
            return Outcome{limited, library, "Regions and barriers of this runtime are not recorded.",
                           "Compile with gcc -fopenmp, which uses libgomp"};
    }
    return std::nullopt;
}

std::optional<Outcome> hidden_locks(HostFacts const& facts) {
    if (!is_native_program(facts))
        return std::nullopt;
    for (auto const& library : facts.program->libraries)
        if (library.starts_with("libtbb") || library.starts_with("libgo.") || library.starts_with("libgo-"))
            return Outcome{limited, library,
                           "Its locks and task queues are not recorded: predictions can be too fast.",
                           "parcast help static_locks"};
    return std::nullopt;
}

constexpr CheckRow rows[] = {
    {"recording", "recorder_library", recorder_library},
    {"recording", "cpu_clock", cpu_clock},
    {"recording", "event_space", event_space},
    {"sampling", "perf_event_open", sampling},
    {"calibrating", "cpus", cpus},
    {"calibrating", "shared_cores", smt},
    {"calibrating", "kinds_of_cpus", hybrid},
    {"calibrating", "cpu_limit", cpu_limit},
    {"calibrating", "frequency", frequency},
    {"calibrating", "other_load", other_load},
    {"calibrating", "calibration", calibration},
    {"names", "debuginfod", debuginfod},
    {"viewing", "browser", browser},
};

constexpr CheckRow program_rows[] = {
    {"program", "program_file", program_file},
    {"program", "debug_information", debug_information},
    {"program", "openmp", openmp},
    {"program", "hidden_locks", hidden_locks},
};

}  // namespace

std::vector<HostCheck> check_host(HostFacts const& facts) {
    std::vector<HostCheck> checks;
    auto const add = [&](CheckRow const& row) {
        if (auto outcome = row.check(facts))
            checks.push_back({row.area, row.name, outcome->state, std::move(outcome->found),
                              std::move(outcome->follows), std::move(outcome->remedy)});
    };
    if (facts.program)
        std::ranges::for_each(program_rows, add);
    std::ranges::for_each(rows, add);
    return checks;
}

}  // namespace parcast::host
