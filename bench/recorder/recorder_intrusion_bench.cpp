// How much slower a program is while it is recorded. Everything runs on one CPU, a process a run, and the
// variants in turn (bare, recorded, and traced by LTTng-UST's pthread wrapper where it sees the calls), so
// that a noisy machine disturbs all alike. Printed are medians with quartiles, and the goal of each figure.
// With whole programs the cost is so small that noise hides it: they run three times a round, their medians
// come with an interval, and beside them stands what the events that they recorded cost by their prices.
//
//     recorder_intrusion_bench [ROUNDS [NAME]]    (default: 11, and all; else rows with NAME in their name)

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "command.h"
#include "lttng_session.h"
#include "measure/time_slice.h"
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

// The median of the ratios of neighbours: a slow minute of the machine is in both.
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

// CPU time of neighbours: how much more the second takes, in percent, and between what 95 of 100 medians lie
// that are drawn from the same runs (bootstrap).
struct Comparison {
    double median = 0;
    double low = 0;
    double high = 0;
};

Comparison compared(std::vector<double> const& values, std::vector<double> const& base) {
    constexpr int samples = 2'000;
    std::vector<double> percents;
    for (std::size_t i = 0; i < values.size(); ++i)
        percents.push_back(percent_more(values[i] / base[i]));
    std::mt19937_64 random(1);
    std::vector<double> medians;
    for (int sample = 0; sample < samples; ++sample) {
        std::vector<double> drawn;
        for (std::size_t i = 0; i < percents.size(); ++i)
            drawn.push_back(percents[random() % percents.size()]);
        medians.push_back(median(drawn));
    }
    return {median(percents), quantile(medians, 0.025), quantile(medians, 0.975)};
}

std::string text_of(Comparison const& percent) {
    char text[60];
    std::snprintf(text, sizeof text, "%+.2f (%+.2f..%+.2f) %%", percent.median, percent.low, percent.high);
    return text;
}

std::string verdict(Comparison const& percent, double priced_percent, double most_percent) {
    if (percent.high <= most_percent)
        return "met, at most 1 %";
    if (percent.low > most_percent)
        return "MISSED, at most 1 %";
    return priced_percent <= most_percent ? "met by its events; the runs cannot tell" : "cannot tell";
}

// Each variant is first, second and third in turn: what a run leaves to the next one falls on all alike.
std::vector<std::vector<double>> in_turned_turn(std::vector<Variant> const& variants, int rounds,
                                                Measure const& measure) {
    std::vector<std::vector<double>> results(variants.size());
    for (int round = 0; round < rounds; ++round)
        for (std::size_t i = 0; i < variants.size(); ++i) {
            std::size_t const turn = (i + static_cast<std::size_t>(round)) % variants.size();
            results[turn].push_back(measure(variants[turn].environment));
        }
    return results;
}

void empty(std::string const& folder) {
    for (auto const& file : std::filesystem::directory_iterator(folder))
        std::filesystem::remove(file);
}

void compare_program(std::string const& name, std::string const& command, std::string const& raw,
                     int rounds) {
    constexpr double most_percent = 1;
    std::vector<Variant> const variants = {{"bare", ""}, {"bare again", ""}, recorded_in(raw)};
    auto const results = in_turned_turn(variants, rounds, [&](std::string const& environment) {
        double const ms = 1e3 * cpu_seconds_of(command + " >/dev/null", environment);
        empty(raw);
        return ms;
    });
    double const priced = 100 * priced_cost_of(command, raw);
    empty(raw);
    Comparison const recorded = compared(results[2], results[0]);
    std::printf("%-8s %22s %24s %24s %9.2f %%  %s\n", name.c_str(), with_quartiles(results[0]).c_str(),
                text_of(compared(results[1], results[0])).c_str(), text_of(recorded).c_str(), priced,
                verdict(recorded, priced, most_percent).c_str());
    std::fflush(stdout);
}

// All with long time slices, bare and recorded runs alike: with the usual ones, in which order
// threads take turns decides about their caches, and a recording that shifts the order costs xz up to a third
// more or less. Many short runs: the machine's noise comes in spells that are longer than a round.
void compare_programs(int rounds, std::string_view filter) {
    SharedFolder const folder;
    std::string const text = folder.path() + "/text";
    std::string const raw = folder.path() + "/raw";
    parcast::measure::TimeSlice const slices(parcast::measure::long_slice);
    write_text(text);
    std::filesystem::create_directory(raw);
    std::printf("\n%-8s %22s %24s %24s %11s  %s\n", "CPU ms", "bare (quartiles)", "bare again (95 %)",
                "recorded (95 %)", "its events", "goal");
    for (Program const& program : programs()) {
        std::string const name(program.name);
        if (name.find(filter) == name.npos)
            continue;
        if (is_installed(name))
            compare_program(name, name + " " + std::string(program.arguments) + " '" + text + "'", raw,
                            3 * rounds);
        else
            std::printf("%-8s skipped: not installed\n", name.c_str());
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
