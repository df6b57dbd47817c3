// Claims: message programs are replayed with at least 5 million operations a second on 8 and 64 ranks, 3 on
// 1,024 and 2 on 16,384; program and replay take at most 32 bytes an operation and 1 kB a rank. Beside it,
// LogGOPSim with the same program as a GOAL binary, where LOGGOPSIM names its program: the whole process
// there, reading the binary and replaying it here. Both predict the same time, or the line says by how much
// they differ.
//
// SimGrid's replay (smpirun) is beside it on up to 1,024 ranks, with a hundred thousand operations: its whole
// process there, reading the trace and replaying it here. Its network is another, and so are its times.
//
// messages_bench [ROUNDS [OPERATIONS]]    (default 3; 1 and 10 million)

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"
#include "measure/claims.h"
#include "messages/counted_memory.h"
#include "messages/loggopsim.h"
#include "messages/patterns.h"
#include "messages/smpi.h"
#include "simulate/messages/replay_messages.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

constexpr double million = 1e6;

// LogGOPSim's default.
Network network() {
    Network values;
    values.values = {.latency_ns = 2500,
                     .overhead_ns = 1500,
                     .overhead_per_byte_ns = 0,
                     .gap_ns = 1000,
                     .gap_per_byte_ns = 6,
                     .rendezvous_bytes = 65535};
    return values;
}

MessageRun replayed(MessageProgram const& program) {
    auto run = simulate::replay_messages(program, network());
    if (!run || run->is_deadlocked)
        std::abort();
    return std::move(*run);
}

struct Memory {
    double operations = 0;
    double bytes = 0;
};

// Reading the binary and replaying it, in turn with LogGOPSim.
void print_beside_loggopsim(MessageProgram const& program, std::string const& name, int rounds) {
    auto const binary = to_goal_binary(program);
    std::string const file = "/dev/shm/messages_bench." + std::to_string(getpid()) + ".bin";
    if (!binary || !(std::ofstream(file, std::ios::binary) << binary->bytes).flush())
        std::abort();
    auto const operations = static_cast<double>(program.operations()) / million;
    std::vector<double> ours;
    std::vector<double> theirs;
    double difference = 0;
    for (int round = 0; round < rounds; ++round) {
        MessageRun run;
        ours.push_back(operations / seconds_of([&] {
                           auto const read = messages_from_goal_binary(binary->bytes, "");
                           if (!read)
                               std::abort();
                           run = replayed(*read);
                       }));
        auto const other = run_loggopsim(file);
        if (!other) {
            std::printf("LogGOPSim does not end with this program\n");
            break;
        }
        theirs.push_back(operations / other->cpu_s);
        difference = static_cast<double>(run.completion.ns) / static_cast<double>(other->completion_ns) - 1;
    }
    std::remove(file.c_str());
    if (theirs.empty())
        return;
    print({name + ", with reading", "M/s", summary_of(ours), {}, "LogGOPSim", summary_of(theirs)});
    if (std::abs(difference) > 0)
        std::printf("    predicts a time that is %+.4f %% of LogGOPSim's longer\n", 100 * difference);
}

void print_beside_smpi(Pattern const& pattern, std::uint32_t ranks, int rounds) {
    constexpr std::uint64_t wanted = 100'000;
    auto const program = pattern.program(ranks, wanted);
    auto const trace = to_simgrid_ti(program);
    if (!trace)
        std::abort();
    auto const operations = static_cast<double>(program.operations()) / million;
    std::vector<double> ours;
    std::vector<double> theirs;
    for (int round = 0; round < rounds; ++round) {
        ours.push_back(operations / seconds_of([&] {
                           NamedText const text{"trace.ti", trace->bytes};
                           auto const read = messages_from_simgrid_ti({&text, 1});
                           if (!read)
                               std::abort();
                           keep(replayed(*read));
                       }));
        auto const cpu_s = smpi_replay_cpu_s(trace->bytes, ranks);
        if (!cpu_s) {
            std::printf("SimGrid does not end with this program\n");
            return;
        }
        theirs.push_back(operations / *cpu_s);
    }
    print({std::string(pattern.name) + " " + std::to_string(ranks) + ", 0.1M, with reading a trace",
           "M/s",
           summary_of(ours),
           {},
           "SimGrid",
           summary_of(theirs)});
}

Memory print_replay(Pattern const& pattern, std::uint32_t ranks, std::uint64_t wanted, double target,
                    int rounds) {
    auto const before = allocated_bytes();
    take_most_allocated_bytes();
    auto const program = pattern.program(ranks, wanted);
    take_most_allocated_bytes();
    keep(replayed(program));
    Memory const memory{static_cast<double>(program.operations()),
                        static_cast<double>(take_most_allocated_bytes() - before)};

    std::vector<double> rates;
    for (int round = 0; round < rounds; ++round)
        rates.push_back(memory.operations / million / seconds_of([&] { keep(replayed(program)); }));
    std::string const name = std::string(pattern.name) + " " + std::to_string(ranks) + ", " +
                             std::to_string(wanted / 1'000'000) + "M";
    print({name, "M/s", summary_of(rates), Target{Target::Kind::at_least, target}, "", {}});
    if (has_loggopsim())
        print_beside_loggopsim(program, name, rounds);
    return memory;
}

// A line through both sizes: the rest is a rank's.
void print_memory(Pattern const& pattern, std::uint32_t ranks, Memory const& small, Memory const& large) {
    double const an_operation = (large.bytes - small.bytes) / (large.operations - small.operations);
    double const a_rank = (small.bytes - an_operation * small.operations) / ranks;
    std::string const name = std::string(pattern.name) + " " + std::to_string(ranks);
    auto const exactly = [](double value) { return Measured{value, value, value}; };
    print({name + ", an operation", "B", exactly(an_operation), Target{Target::Kind::at_most, 32}, "", {}});
    if (ranks >= 1024)  // of few ranks it is lost beside the buffers that do not depend on them
        print({name + ", a rank", "B", exactly(a_rank), Target{Target::Kind::at_most, 1024}, "", {}});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 3;
    std::vector<std::uint64_t> sizes = {1'000'000, 10'000'000};
    if (argc > 2)
        sizes = {std::strtoull(argv[2], nullptr, 10)};
    struct Target {
        std::uint32_t ranks;
        double million_a_second;
    };
    print_title("Replays of message programs on RANKS, of OPERATIONS; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    for (auto const& [ranks, target] : {Target{8, 5}, Target{64, 5}, Target{1024, 3}, Target{16384, 2}})
        for (auto const& pattern : patterns()) {
            std::vector<Memory> memory;
            for (auto const size : sizes)
                memory.push_back(print_replay(pattern, ranks, size, target, rounds));
            if (memory.size() == 2)
                print_memory(pattern, ranks, memory[0], memory[1]);
            if (has_smpi() && ranks <= 1024)
                print_beside_smpi(pattern, ranks, rounds);
        }
}
