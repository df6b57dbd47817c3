// Claim: on a recording of ten million events, `parcast predict` for seven numbers of CPUs takes less than 4
// s, and at most 40 bytes of memory an operation, all told, also where one event in four waits. The commands
// run as a user runs them, one after the other, on a machine without a file of its own. Beside the time, the
// textbook event loop (measure/heap_loop.h) with an event for each operation of each replay; beside the
// memory, what arrays of the events and of the operations would take.
//
//     predict_bench [EVENTS [ROUNDS]]    (default 10000000 events, 3 rounds)

#include <cstdlib>
#include <string>
#include <vector>

#include "measure/claims.h"
#include "measure/commands.h"
#include "measure/heap_loop.h"
#include "measure/recorded_threads.h"
#include "trace/recording_file.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr std::uint32_t cpu_counts[] = {1, 2, 4, 8, 16, 32, 64};
constexpr std::uint32_t threads = 8;

struct Series {
    std::vector<double> wall, cpu, bytes;

    void add(Usage const& usage, double events) {
        wall.push_back(usage.wall_s);
        cpu.push_back(usage.cpu_s);
        bytes.push_back(usage.peak_bytes / events);
    }
};

void print_commands(std::int64_t size, int rounds, Habit habit) {
    auto timeline = recorded_threads(threads, size, habit);
    auto const events = static_cast<double>(event_count(timeline));
    TemporaryFile const trace(".parcast", trace::write_recording(timeline));
    timeline = {};
    Series info, predict;
    std::vector<double> loops;
    for (int round = 0; round < rounds; ++round) {
        info.add(run_command({PARCAST_COMMAND, "info", trace.path()}), events);
        predict.add(run_command({PARCAST_COMMAND, "predict", trace.path(), "--cpus", "1,2,4,8,16,32,64",
                                 "--machine", "default"}),
                    events);
        loops.push_back(seconds_of([&] {
            for (std::uint32_t const cpus : cpu_counts)
                keep(heap_loop(size, cpus));
        }));
    }
    double const arrays = sizeof(Event) + 24;
    auto const at_most = [](double value) { return Target{Target::Kind::at_most, value}; };
    std::string const name = habit == Habit::locks ? "locks: " : "hand-offs: ";
    print({name + "info, wall", "s", summary_of(info.wall), {}, "", {}});
    print({name + "info, peak memory", "bytes an event", summary_of(info.bytes), {}, "", {}});
    print({name + "predict, wall",
           "s",
           summary_of(predict.wall),
           at_most(4.0 * static_cast<double>(size) / 10'000'000),
           "",
           {}});
    print({name + "predict, CPU", "s", summary_of(predict.cpu), {}, "heap, 7 replays", summary_of(loops)});
    print({name + "predict, peak",
           "bytes an op",
           summary_of(predict.bytes),
           at_most(40),
           "arrays",
           {arrays, arrays, arrays}});
}

}  // namespace

int main(int argc, char** argv) {
    std::int64_t const size = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 10'000'000;
    int const rounds = argc > 2 ? static_cast<int>(std::strtol(argv[2], nullptr, 10)) : 3;
    print_title("parcast on a recording of " + std::to_string(size) +
                " events of 8 threads, predict --cpus 1,2,4,8,16,32,64; medians of " +
                std::to_string(rounds) + " rounds");
    print_commands(size, rounds, Habit::locks);
    print_commands(size, rounds, Habit::hand_offs);
}
