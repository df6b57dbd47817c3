#include "report/text/parts.h"

#include <cstdlib>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace parcast::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Catalogue named(std::vector<std::string> const& names) {
    Catalogue catalogue;
    for (auto const& name : names) {
        catalogue.threads.emplace_back();
        catalogue.threads.back().name = name;
    }
    return catalogue;
}

std::vector<std::uint32_t> allowed_here() {
    cpu_set_t set;
    sched_getaffinity(0, sizeof set, &set);
    std::vector<std::uint32_t> cpus;
    for (std::uint32_t cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set))
            cpus.push_back(cpu);
    return cpus;
}

TEST(TasksetLines, BindTheThreadsOfARunningProcessByTheirNames) {
    auto const cpus = allowed_here();
    if (cpus.size() < 2 || std::system("command -v taskset >/dev/null") != 0)
        GTEST_SKIP() << "this needs two CPUs and taskset";
    std::vector<std::string> const names{"", "worker", "it's $odd", "worker", "other", "worker"};
    std::latch ready(static_cast<std::ptrdiff_t>(names.size()));
    std::latch done(1);
    std::vector<pthread_t> handles;
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < names.size(); ++i) {
        threads.emplace_back([&] {
            ready.count_down();
            done.wait();
        });
        handles.push_back(threads.back().native_handle());
        pthread_setname_np(handles.back(), names[i].c_str());
    }
    ready.count_down();
    ready.wait();
    // "other" is left out of the plan, as is what it has no name for.
    auto catalogue = named(names);
    catalogue.threads[4].name.clear();
    auto const lines = taskset_lines(catalogue, {cpus[0], cpus[1], cpus[1], cpus[0], cpus[0], cpus[1]});
    auto const command = "PID=" + std::to_string(getpid()) + "\nexec >/dev/null\n" + lines;
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::vector<std::vector<std::uint32_t>> bound;
    for (auto const handle : handles) {
        cpu_set_t set;
        pthread_getaffinity_np(handle, sizeof set, &set);
        bound.emplace_back();
        for (auto const cpu : cpus)
            if (CPU_ISSET(cpu, &set))
                bound.back().push_back(cpu);
    }
    done.count_down();
    EXPECT_THAT(bound, ElementsAre(ElementsAre(cpus[1]), ElementsAre(cpus[1]), ElementsAre(cpus[0]), cpus,
                                   ElementsAre(cpus[1])));
}

// The kernel keeps 15 letters of a name.
TEST(TasksetLines, NamesAreThoseOfTheKernel) {
    EXPECT_THAT(taskset_lines(named({"", "a_very_long_thread_name"}), {0, 1}),
                HasSubstr("= a_very_long_thr ]"));
    EXPECT_EQ(taskset_lines(named({"main", "", ""}), {0, 1, 1}), "") << "the first one is the process";
}

TEST(MeasuredBindingText, StandsBesideThePrediction) {
    BindingOnCpus at;
    at.cpus = 2;
    EXPECT_EQ(measured_binding_text(at, {}), "");
    at.unbound = Duration{1'000'000'000};
    at.tried.push_back({"binpack", Duration{900'000'000}, 1});
    at.measured = {5,
                   1,
                   {1.1e9, 1.0e9, 1.2e9},
                   {1.2e9, 1.1e9, 1.3e9},
                   {-0.09, -0.12, -0.05},
                   BindingVerdict::refuted,
                   {"no thread had the path \"0.7\" in this run"}};
    auto const text = measured_binding_text(at, {});
    for (auto const* const part :
         {"not bound    1.10 s  1.00 s  1.20 s     1.00 s", "-9 %", "-12 %", "-5 %", "10 %",
          "refutes the prediction, in 5 rounds", "Other programs disturbed 1 run.", "note: no thread had"})
        EXPECT_THAT(text, HasSubstr(part));
    at.not_measured = "this machine has 1 CPU for the program, not 2";
    EXPECT_EQ(measured_binding_text(at, {}),
              "Not measured on 2 CPUs: this machine has 1 CPU for the program, not 2.\n");
}

}  // namespace
}  // namespace parcast::report
