// Claim: at least 5 million tasks a second on 8 processors, of a graph of a million tasks with three
// predecessors each; ten million tasks within 2 GB, the graph included. Beside it, the same list schedule as
// a program would write it down for itself, with std::priority_queue and vectors of vectors; and SimGrid,
// where it is installed.
//
//     deterministic_bench [ROUNDS]    (default 5)

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "deterministic/simgrid_workers.h"
#include "measure/claims.h"
#include "model/deterministic/deterministic.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double million = 1e6;

// Each task waits for three of the `reach` before it.
TaskGraph random_graph(std::uint32_t tasks, std::uint32_t reach) {
    std::mt19937_64 random(1993);
    TaskGraph graph;
    std::vector<std::uint32_t> before;  // three a task; of the first tasks, itself: none
    graph.cpu_ns.reserve(tasks);
    before.reserve(std::size_t{3} * tasks);
    std::vector<std::uint32_t> count(tasks + 1);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        graph.cpu_ns.push_back(static_cast<double>(1000 + random() % 1'000'000));
        auto const width = std::min(task, reach);
        for (std::uint32_t place = 0; place < 3; ++place) {
            // One of each third, so that they differ.
            auto const first = width * place / 3;
            auto const last = width * (place + 1) / 3;
            auto const chosen = last > first
                                    ? task - 1 - first - static_cast<std::uint32_t>(random() % (last - first))
                                    : task;
            before.push_back(chosen);
            count[chosen] += chosen != task;
        }
    }
    graph.first_successor.reserve(std::size_t{tasks} + 1);
    graph.first_task.reserve(std::size_t{tasks} + 1);
    for (std::uint32_t task = 0; task < tasks; ++task) {
        graph.first_task.push_back(task + 1);
        graph.first_successor.push_back(graph.first_successor.back() + count[task]);
    }
    graph.successors.resize(graph.first_successor.back());
    auto next = graph.first_successor;
    for (std::uint32_t task = 0; task < tasks; ++task) {
        for (std::uint32_t place = 0; place < 3; ++place) {
            auto const one = before[3 * std::size_t{task} + place];
            if (one != task)
                graph.successors[next[one]++] = TaskGroupId(std::size_t{task});
        }
    }
    return graph;
}

// First in, first out, on std::priority_queue.
class PlainListSchedule {
public:
    explicit PlainListSchedule(TaskGraph const& graph)
        : graph_(graph), cpu_ns_(graph.cpu_ns), successors_(graph.groups()) {
        for (std::size_t task = 0; task < graph.groups(); ++task) {
            auto const all = graph.successors_of(TaskGroupId(task));
            for (auto const successor : all)
                successors_[task].push_back(successor.value);
        }
    }

    double time_on(std::uint32_t processors) const {
        auto waiting_for = predecessor_groups(graph_);
        std::deque<std::uint32_t> ready;
        for (std::uint32_t task = 0; task < waiting_for.size(); ++task)
            if (waiting_for[task] == 0)
                ready.push_back(task);
        std::priority_queue<Finish, std::vector<Finish>, std::greater<>> running;
        double now = 0;
        for (;;) {
            for (; running.size() < processors && !ready.empty(); ready.pop_front())
                running.emplace(now + cpu_ns_[ready.front()], ready.front());
            if (running.empty())
                return now;
            auto const [time, task] = running.top();
            running.pop();
            now = time;
            for (auto const successor : successors_[task])
                if (--waiting_for[successor] == 0)
                    ready.push_back(successor);
        }
    }

private:
    using Finish = std::pair<double, std::uint32_t>;
    TaskGraph const& graph_;
    std::vector<double> cpu_ns_;
    std::vector<std::vector<std::uint32_t>> successors_;
};

double time_ns(TaskGraph const& graph, std::uint32_t processors, ReadyPolicy const& policy,
               model::ExecutionOptions const& options = {}) {
    Machine machine;
    machine.cpus = processors;
    machine.ready_tasks.policy = policy;
    auto const execution = model::execute(graph, machine, options);
    if (!execution)
        std::abort();
    return execution->time_ns;
}

struct Case {
    char const* policy;
    std::uint32_t processors;
    std::uint32_t tasks;
    std::uint32_t reach;
    std::optional<double> target = std::nullopt;  // million tasks a second
};

std::string shape_of(Case const& test) {
    return std::string(test.policy) + " on " + std::to_string(test.processors) + ", " +
           std::to_string(test.tasks / 1000) + "k tasks, of the last " + std::to_string(test.reach);
}

Measured in_millions(Measured rate) {
    return {rate.median / million, rate.lowest / million, rate.highest / million};
}

std::optional<Target> at_least(std::optional<double> value) {
    return value ? std::optional(Target{Target::Kind::at_least, *value}) : std::nullopt;
}

void print_rate(Case const& test, int rounds) {
    auto const graph = random_graph(test.tasks, test.reach);
    auto const policy = *parse_ready_policy(test.policy);
    PlainListSchedule const plain(graph);
    auto const rates = rates_in_turn(
        test.tasks, rounds, [&] { keep(time_ns(graph, test.processors, policy)); },
        [&] { keep(plain.time_on(test.processors)); });
    print({shape_of(test), "M tasks/s", in_millions(rates.subject), at_least(test.target), "plain fifo",
           in_millions(rates.baseline)});
}

// A law that knows the number of running tasks alone; it is solved once a number.
void print_with_contention(int rounds) {
    Case const test = {"fifo", 8, 1'000'000, 1000};
    auto const graph = random_graph(test.tasks, test.reach);
    model::ContentionLaw law;
    law.solve = [](std::span<model::RunningClass const> running, std::span<double> delay) -> Result<void> {
        delay[0] = 0.1 * (running[0].tasks - 1);
        return {};
    };
    auto const rates = rates_in_turn(
        test.tasks, rounds, [&] { keep(time_ns(graph, 8, ready::Fifo{}, {.contention = &law})); },
        [&] { keep(time_ns(graph, 8, ready::Fifo{})); });
    print({shape_of(test) + ", contention",
           "M tasks/s",
           in_millions(rates.subject),
           {},
           "without",
           in_millions(rates.baseline)});
}

void print_beside_simgrid(std::uint32_t processors, int rounds) {
    Case const test = {"fifo", processors, 20'000, 1000};
    auto const graph = random_graph(test.tasks, test.reach);
    std::vector<double> ours, theirs;
    for (int round = 0; round < rounds; ++round) {
        double time = 0;
        auto const many = 20;  // 20,000 tasks take a millisecond or two
        double const cpu_s = seconds_of([&] {
            for (int run = 0; run < many; ++run)
                keep(time = time_ns(graph, processors, ready::Fifo{}));
        });
        auto const other = run_in_simgrid(graph, processors);
        if (!other || std::abs(other->time_ns - time) > 1e-3 * time) {
            std::printf("SimGrid predicts another time: %.9g instead of %.9g ns\n",
                        other ? other->time_ns : 0, time);
            std::exit(EXIT_FAILURE);
        }
        ours.push_back(test.tasks * many / million / cpu_s);
        theirs.push_back(test.tasks / million / other->cpu_s);
    }
    print({shape_of(test) + ", as in SimGrid",
           "M tasks/s",
           summary_of(ours),
           {},
           "SimGrid",
           summary_of(theirs)});
}

// Peak memory of a process that makes the graph and executes it.
double peak_bytes(std::uint32_t tasks, char const* policy) {
    std::fflush(stdout);
    pid_t const child = fork();
    if (child == 0) {
        auto const graph = random_graph(tasks, 1000);
        keep(time_ns(graph, 8, *parse_ready_policy(policy)));
        _exit(0);
    }
    int status = 0;
    rusage usage{};
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        std::puts("the run that measures memory failed");
        std::exit(EXIT_FAILURE);
    }
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    print_title("Task graphs executed by the deterministic model; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread; each task waits for three before it");
    constexpr double gigabyte = 1e9;
    for (char const* policy : {"fifo", "critical-path"}) {
        double const bytes = peak_bytes(10'000'000, policy) / gigabyte;
        print({"peak memory, 10M tasks, " + std::string(policy),
               "GB",
               {bytes, bytes, bytes},
               Target{Target::Kind::at_most, 2},
               "",
               {}});
    }
    Case const cases[] = {
        {"fifo", 8, 1'000'000, 1000, 5},
        {"fifo", 64, 1'000'000, 1000},
        {"fifo", 1024, 1'000'000, 10'000},
        {"fifo", 8, 1'000'000, 1'000'000},  // predecessors anywhere: nothing is in a cache
        {"lpt", 8, 1'000'000, 1000, 5},
        {"list", 8, 1'000'000, 1000, 5},
        {"critical-path", 8, 1'000'000, 1000, 5},
        {"cyclic", 8, 1'000'000, 1000},
        {"guided", 8, 1'000'000, 1000},
        {"ps", 8, 1'000'000, 1000},
        {"fifo", 8, 10'000, 1000},
        {"fifo", 8, 10'000'000, 1000, 5},
    };
    for (Case const& test : cases)
        print_rate(test, rounds);
    print_with_contention(rounds);
    if (!has_simgrid) {
        std::puts(
            "No comparison with SimGrid: it was not there when this was built (package libsimgrid-dev).");
        return EXIT_SUCCESS;
    }
    print_beside_simgrid(8, rounds);
    print_beside_simgrid(64, rounds);
}
