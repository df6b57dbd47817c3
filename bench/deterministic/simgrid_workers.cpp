#include "deterministic/simgrid_workers.h"

#include <sys/wait.h>
#include <unistd.h>
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "measure/claims.h"

namespace parcast::bench {

namespace {

namespace s4u = simgrid::s4u;

// The speed of a host, so that a nanosecond of work is one of these.
constexpr double operations_a_second = 1e9;

// Actors take turns, so the queue needs no lock; idle ones sleep on a semaphore.
class Workers {
public:
    Workers(TaskGraph const& graph, std::uint32_t processors)
        : graph_(graph),
          waiting_for_(predecessor_groups(graph)),
          left_(graph.tasks()),
          processors_(processors) {
        for (std::uint32_t task = 0; task < graph.tasks(); ++task)
            if (waiting_for_[task] == 0)
                put(task);
        auto* const zone = s4u::create_full_zone("processors");
        for (std::uint32_t processor = 0; processor < processors; ++processor)
            hosts_.push_back(zone->create_host("cpu" + std::to_string(processor), operations_a_second));
        zone->seal();
        for (auto* const host : hosts_)
            s4u::Actor::create("worker", host, [this] { work(); });
    }

private:
    void put(std::uint32_t task) {
        ready_.push_back(task);
        tasks_->release();
    }

    void work() {
        for (;;) {
            tasks_->acquire();
            if (left_ == 0)
                return;
            auto const task = ready_.front();
            ready_.pop_front();
            s4u::this_actor::execute(graph_.cpu_ns[task]);
            for (auto const successor : graph_.successors_of(TaskGroupId(std::size_t{task})))
                if (--waiting_for_[successor.index()] == 0)
                    put(successor.value);
            if (--left_ == 0)
                for (std::uint32_t other = 0; other < processors_; ++other)
                    tasks_->release();
        }
    }

    TaskGraph const& graph_;
    std::vector<std::uint32_t> waiting_for_;
    std::deque<std::uint32_t> ready_;
    s4u::SemaphorePtr tasks_ = s4u::Semaphore::create(0);
    std::size_t left_;
    std::uint32_t processors_;
    std::vector<s4u::Host*> hosts_;
};

SimgridRun run_here(TaskGraph const& graph, std::uint32_t processors) {
    std::string name = "deterministic_bench";
    std::string quiet = "--log=root.thresh:error";
    std::string precise = "--cfg=surf/precision:1e-12";  // finishes 1 ns apart are not simultaneous
    char* words[] = {name.data(), quiet.data(), precise.data(), nullptr};
    int count = 3;
    s4u::Engine engine(&count, words);
    Workers const workers(graph, processors);
    double const cpu_s = seconds_of([&] { engine.run(); });
    return {1e9 * s4u::Engine::get_clock(), cpu_s};
}

}  // namespace

bool const has_simgrid = true;

// A process has one engine for all its life, so each run has a process.
std::optional<SimgridRun> run_in_simgrid(TaskGraph const& graph, std::uint32_t processors) {
    int ends[2];
    if (pipe(ends) != 0)
        return std::nullopt;
    std::fflush(stdout);  // what is buffered would be written by both
    pid_t const child = fork();
    if (child == 0) {
        SimgridRun const run = run_here(graph, processors);
        bool const is_told = write(ends[1], &run, sizeof run) == sizeof run;
        _exit(is_told ? 0 : 1);
    }
    close(ends[1]);
    SimgridRun run;
    bool const is_told = read(ends[0], &run, sizeof run) == sizeof run;
    close(ends[0]);
    int status = 0;
    bool const succeeded = waitpid(child, &status, 0) == child && status == 0 && is_told;
    return succeeded ? std::optional(run) : std::nullopt;
}

}  // namespace parcast::bench
