// How much slower a program is while it is recorded. Everything runs on one CPU, a process a run, and the
// variants in turn (bare, recorded, and traced by LTTng-UST's pthread wrapper where it sees the calls), so
// that a noisy machine disturbs all alike. Printed are medians with quartiles, and the goal of each figure.
//
//     recorder_intrusion_bench [ROUNDS [NAME]]    (default: 11, and all; else rows with NAME in their name)

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "lttng_session.h"
#include "programs.h"
#include "workloads.h"

namespace {

using namespace parcast::bench;

using Measure = std::function<double(std::string const& environment)>;

// One run of each variant a round; a vector of results each.
std::vector<std::vector<double>> in_turn(std::vector<Variant> const& variants, int rounds,
                                         Measure const& measure) {
    std::vector<std::vector<double>> results(variants.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < variants.size(); ++i)
            results[i].push_back(measure(variants[i].environment));
    return results;
}

// Of the ratios of neighbours: a slow minute of the machine is in both.
double median_ratio(std::vector<double> const& values, std::vector<double> const& to) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < values.size(); ++i)
        ratios.push_back(values[i] / to[i]);
    return median(ratios);
}

std::string with_quartiles(std::vector<double> const& values) {
    char text[80];
    std::snprintf(text, sizeof text, "%.1f (%.1f-%.1f)", median(values), quantile(values, 0.25),
                  quantile(values, 0.75));
    return text;
}

std::string verdict(double value, double goal) {
    if (goal <= 0)
        return "";
    char text[40];
    std::snprintf(text, sizeof text, "%s %g", value <= goal ? "met, at most" : "MISSED, at most", goal);
    return text;
}

// What the figures of a tracer are worth that does not wait for its daemon.
std::string lost_text(std::uint64_t events) {
    return events == 0 ? "no event lost" : std::to_string(events) + " EVENTS LOST: not comparable";
}

void compare_operation(std::string const& program, Workload const& workload, std::string const& folder,
                       LttngSession const& lttng, int rounds) {
    std::vector<Variant> variants = {{"bare", ""}, recorded_in(folder)};
    bool const has_peer = workload.peer_sees_it && lttng.why_not().empty();
    if (has_peer)
        variants.push_back(lttng.variant());
    std::uint64_t const lost_before = has_peer ? lttng.discarded_events() : 0;
    auto const results = in_turn(variants, rounds, [&](std::string const& environment) {
        double const ns = number_printed_by(
            "'" + program + "' --workload '" + std::string(workload.name) + "'", environment);
        for (auto const& file : std::filesystem::directory_iterator(folder))
            std::filesystem::remove(file);
        return ns;
    });
    double const ratio = median_ratio(results[1], results[0]);
    double const dearer = median(results[1]) - median(results[0]);
    std::printf("%-24s %26s %26s %9.1f %7.2f  %s\n", std::string(workload.name).c_str(),
                with_quartiles(results[0]).c_str(), with_quartiles(results[1]).c_str(), dearer, ratio,
                workload.most_dearer_ns > 0 ? verdict(dearer, workload.most_dearer_ns).c_str()
                                            : verdict(ratio, workload.highest_ratio).c_str());
    if (has_peer)
        std::printf("%-24s %26s %26s %9.1f %7.2f  %s\n", "    LTTng-UST", "",
                    with_quartiles(results[2]).c_str(), median(results[2]) - median(results[0]),
                    median_ratio(results[2], results[0]),
                    lost_text(lttng.discarded_events() - lost_before).c_str());
    std::fflush(stdout);
}

void compare_operations(std::string const& program, LttngSession const& lttng, int rounds,
                        std::string_view name) {
    SharedFolder const folder;
    std::printf("%-24s %26s %26s %9s %7s  %s\n", "ns (quartiles)", "bare", "recorded", "dearer", "ratio",
                "goal");
    for (Workload const& workload : workloads())
        if (workload.name.find(name) != workload.name.npos)
            compare_operation(program, workload, folder.path(), lttng, rounds);
    if (!lttng.why_not().empty())
        std::printf("without LTTng-UST: %s\n", lttng.why_not().c_str());
}

double percent_more(double ratio) {
    return 100 * (ratio - 1);
}

// By the median of neighbours, and best against best.
std::string more_than(std::vector<double> const& values, std::vector<double> const& base) {
    char text[60];
    std::snprintf(text, sizeof text, "%+.2f (%+.2f) %%", percent_more(median_ratio(values, base)),
                  percent_more(quantile(values, 0) / quantile(base, 0)));
    return text;
}

void compare_programs(int rounds, std::string_view filter) {
    constexpr double most_percent = 1;
    SharedFolder const folder;
    std::string const text = folder.path() + "/text";
    std::string const raw = folder.path() + "/raw";
    write_text(text);
    std::filesystem::create_directory(raw);
    std::vector<Variant> const variants = {{"bare", ""}, {"bare again", ""}, recorded_in(raw)};
    std::printf("\n%-12s %26s %26s %18s %18s  %s\n", "CPU ms", "bare", "recorded", "bare again (best)",
                "recorded (best)", "goal");
    for (Program const& program : programs()) {
        std::string const name(program.name);
        if (name.find(filter) == name.npos)
            continue;
        if (!is_installed(name)) {
            std::printf("%-24s skipped: not installed\n", name.c_str());
            continue;
        }
        std::string const command =
            name + " " + std::string(program.arguments) + " '" + text + "' >/dev/null";
        auto const results = in_turn(variants, rounds, [&](std::string const& environment) {
            double const ms = 1e3 * cpu_seconds_of(command, environment);
            for (auto const& file : std::filesystem::directory_iterator(raw))
                std::filesystem::remove(file);
            return ms;
        });
        double const recorded = percent_more(median_ratio(results[2], results[0]));
        std::printf("%-12s %26s %26s %18s %18s  %s\n", name.c_str(), with_quartiles(results[0]).c_str(),
                    with_quartiles(results[2]).c_str(), more_than(results[1], results[0]).c_str(),
                    more_than(results[2], results[0]).c_str(), verdict(recorded, most_percent).c_str());
        std::fflush(stdout);
    }
}

int run_workload(std::string_view name) {
    for (Workload const& workload : workloads()) {
        if (workload.name == name) {
            std::printf("%f\n", workload.ns_per_operation());
            return EXIT_SUCCESS;
        }
    }
    return EXIT_FAILURE;
}

}  // namespace

int main(int count, char** arguments) {
    if (count == 3 && std::string_view(arguments[1]) == "--workload")
        return run_workload(arguments[2]);
    int const rounds = count > 1 ? std::max(1, std::atoi(arguments[1])) : 11;
    std::string_view const name = count > 2 ? arguments[2] : "";
    LttngSession const lttng;  // not bound to the one CPU: its daemon collects beside the program
    stay_on_one_cpu();
    compare_operations(std::filesystem::canonical("/proc/self/exe"), lttng, rounds, name);
    compare_programs(rounds, name);
    return EXIT_SUCCESS;
}
