#include "simulate/simgrid_replay.h"

#include <sys/wait.h>
#include <unistd.h>
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "measure/claims.h"

namespace parcast::bench {

namespace {

namespace s4u = simgrid::s4u;

// The speed of a host, so that a nanosecond of work is one of these.
constexpr double operations_a_second = 1e9;

class Platform {
public:
    explicit Platform(ThreadProgram const& program) : program_(program) {
        for (std::size_t object = 0; object < program.objects.size(); ++object)
            mutexes_.push_back(s4u::Mutex::create());
        auto* const zone = s4u::create_full_zone("processors");
        for (std::size_t thread = 0; thread < program.lists.size(); ++thread)
            hosts_.push_back(zone->create_host("cpu" + std::to_string(thread), operations_a_second));
        zone->seal();
        start(0);
    }

private:
    void start(std::size_t thread) {
        s4u::Actor::create("thread" + std::to_string(thread), hosts_[thread],
                           [this, thread] { run(program_.lists[thread]); });
    }

    void run(OperationList const& list) {
        for (Operation const& operation : list) {
            if (operation.work_ns > 0)
                s4u::this_actor::execute(static_cast<double>(operation.work_ns));
            switch (operation.kind()) {
                case OperationKind::create: start(operation.object); break;
                case OperationKind::lock: mutexes_[operation.object]->lock(); break;
                case OperationKind::unlock: mutexes_[operation.object]->unlock(); break;
                default: break;
            }
        }
    }

    ThreadProgram const& program_;
    std::vector<s4u::MutexPtr> mutexes_;
    std::vector<s4u::Host*> hosts_;
};

SimgridReplay replay_here(ThreadProgram const& program) {
    std::string name = "simulate_bench";
    std::string quiet = "--log=root.thresh:error";
    char* words[] = {name.data(), quiet.data(), nullptr};
    int count = 2;
    s4u::Engine engine(&count, words);
    Platform const platform(program);
    double const cpu_s = seconds_of([&] { engine.run(); });
    return {s4u::Engine::get_clock(), cpu_s};
}

}  // namespace

bool const has_simgrid = true;

// A process has one engine for all its life, so each replay has a process.
std::optional<SimgridReplay> replay_in_simgrid(ThreadProgram const& program) {
    int ends[2];
    if (pipe(ends) != 0)
        return std::nullopt;
    std::fflush(stdout);  // what is buffered would be written by both
    pid_t const child = fork();
    if (child == 0) {
        SimgridReplay const replay = replay_here(program);
        bool const is_told = write(ends[1], &replay, sizeof replay) == sizeof replay;
        _exit(is_told ? 0 : 1);
    }
    close(ends[1]);
    SimgridReplay replay;
    bool const is_told = read(ends[0], &replay, sizeof replay) == sizeof replay;
    close(ends[0]);
    int status = 0;
    bool const succeeded = waitpid(child, &status, 0) == child && status == 0 && is_told;
    return succeeded ? std::optional(replay) : std::nullopt;
}

}  // namespace parcast::bench
