// How much slower synchronisation is while it is recorded. Each workload runs in a process of its own on
// one CPU, bare and recorded in alternation, so that a noisy machine disturbs both alike. Printed are the
// medians of all rounds with the quartiles, and the median of the ratios of neighbours.
//
//     recorder_intrusion_bench [ROUNDS]    (default 11)

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "workloads.h"

namespace {

using namespace parcast::bench;

void stay_on_one_cpu() {
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &allowed))
        --last;
    CPU_ZERO(&allowed);
    CPU_SET(last, &allowed);
    sched_setaffinity(0, sizeof allowed, &allowed);
}

// The command prints one number. The recording goes to shared memory, and is removed at once.
double run(std::string const& program, std::string_view workload, bool recorded) {
    std::string folder = "/dev/shm/parcast-bench-XXXXXX";
    if (!mkdtemp(folder.data()))
        std::abort();
    std::string command = "'" + program + "' --workload '" + std::string(workload) + "'";
    if (recorded)
        command = "PARCAST_RECORD_DIR='" + folder + "' LD_PRELOAD='" + PARCAST_RECORDER + "' " + command;
    FILE* const output = popen(command.c_str(), "r");
    double ns = 0;
    if (!output || std::fscanf(output, "%lf", &ns) != 1)
        std::abort();
    pclose(output);
    std::filesystem::remove_all(folder);
    return ns;
}

double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

void compare(std::string const& program, std::string_view workload, int rounds) {
    std::vector<double> bare;
    std::vector<double> recorded;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        bare.push_back(run(program, workload, false));
        recorded.push_back(run(program, workload, true));
        ratios.push_back(recorded.back() / bare.back());
    }
    std::printf("%-20s %10.1f (%.1f-%.1f) %10.1f (%.1f-%.1f) %7.2f\n", std::string(workload).c_str(),
                quantile(bare, 0.5), quantile(bare, 0.25), quantile(bare, 0.75), quantile(recorded, 0.5),
                quantile(recorded, 0.25), quantile(recorded, 0.75), quantile(ratios, 0.5));
    std::fflush(stdout);
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
    stay_on_one_cpu();
    std::printf("%-20s %24s %24s %8s\n", "ns (quartiles)", "bare", "recorded", "ratio");
    for (Workload const& workload : workloads())
        compare(std::filesystem::canonical("/proc/self/exe"), workload.name, rounds);
    return EXIT_SUCCESS;
}
