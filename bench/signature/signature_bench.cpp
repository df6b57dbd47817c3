// Claim: `parcast signature` of a recording of ten million events takes less than 5 s and at most 1.5 times
// the memory of `parcast predict` of it on one number of CPUs, also where one event in four waits: intervals
// are summed up as they close. A characteristic function is fitted to 100 counts within 1 ms.
//
//     signature_bench [EVENTS [ROUNDS]]    (default 10000000 events, 3 rounds)

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "measure/claims.h"
#include "measure/commands.h"
#include "measure/recorded_threads.h"
#include "model/events_threads/characteristic_fit.h"
#include "trace/recording_file.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr std::uint32_t threads = 8;

Target at_most(double value) {
    return {Target::Kind::at_most, value};
}

void print_commands(std::int64_t size, int rounds, Habit habit) {
    auto timeline = recorded_threads(threads, size, habit);
    TemporaryFile const trace(".parcast", trace::write_recording(timeline));
    timeline = {};
    std::vector<double> wall, cpu, bytes, predict_cpu, predict_bytes, memory_ratio;
    for (int round = 0; round < rounds; ++round) {
        auto const signature =
            run_command({PARCAST_COMMAND, "signature", trace.path(), "--machine", "default"});
        auto const predict =
            run_command({PARCAST_COMMAND, "predict", trace.path(), "--cpus", "9", "--machine", "default"});
        wall.push_back(signature.wall_s);
        cpu.push_back(signature.cpu_s);
        bytes.push_back(signature.peak_bytes / 1e6);
        predict_cpu.push_back(predict.cpu_s);
        predict_bytes.push_back(predict.peak_bytes / 1e6);
        memory_ratio.push_back(signature.peak_bytes / predict.peak_bytes);
    }
    std::string const name = habit == Habit::locks ? "locks: " : "hand-offs: ";
    auto const most_seconds = 5.0 * static_cast<double>(size) / 10'000'000;
    print({name + "signature, wall", "s", summary_of(wall), at_most(most_seconds), "", {}});
    print({name + "signature, CPU", "s", summary_of(cpu), {}, "predict", summary_of(predict_cpu)});
    print({name + "signature, peak", "MB", summary_of(bytes), {}, "predict", summary_of(predict_bytes)});
    print({name + "peak over predict's", "", summary_of(memory_ratio), at_most(1.5), "", {}});
}

void print_fit(int rounds) {
    std::vector<model::EventCount> counts;
    for (int i = 1; i <= 100; ++i) {
        auto const noise = 1 + 0.02 * std::sin(7.0 * i);
        counts.push_back({static_cast<double>(i), std::pow(i, 1.5) * 40 * noise});
    }
    std::vector<double> ms;
    for (int round = 0; round < 10 * rounds; ++round)
        ms.push_back(1e3 * seconds_of([&] { keep(model::fit_characteristic(counts)); }));
    print({"fit of 100 counts", "ms", summary_of(ms), at_most(1), "", {}});
}

}  // namespace

int main(int argc, char** argv) {
    std::int64_t const size = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 10'000'000;
    int const rounds = argc > 2 ? static_cast<int>(std::strtol(argv[2], nullptr, 10)) : 3;
    print_title("parcast signature of a recording of " + std::to_string(size) +
                " events of 8 threads; medians of " + std::to_string(rounds) + " rounds");
    print_commands(size, rounds, Habit::locks);
    print_commands(size, rounds, Habit::hand_offs);
    print_fit(rounds);
}
