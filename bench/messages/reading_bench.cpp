// Claims: GOAL is read with at least 3 million operations a second of text, and 20 million of the binary
// form. LogGOPSim's own converter reads 1.1 million of text.
//
// messages_reading_bench [ROUNDS [OPERATIONS]]    (default 5; 1 million)

#include <cstdlib>
#include <string>
#include <vector>

#include "import/messages/message_readers.h"
#include "import/messages/message_writers.h"
#include "measure/claims.h"
#include "messages/patterns.h"

namespace {

using namespace parcast;
using namespace parcast::bench;

template <class Read>
void print_rate(std::string const& name, double operations, double target, int rounds, Read read) {
    std::vector<double> rates;
    for (int round = 0; round < rounds; ++round)
        rates.push_back(operations / 1e6 / seconds_of([&] {
                            if (!read())
                                std::abort();
                        }));
    print({name, "M/s", summary_of(rates), Target{Target::Kind::at_least, target}, "", {}});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 5;
    std::uint64_t const wanted = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1'000'000;
    print_title("Reading of message programs on RANKS; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread");
    for (std::uint32_t const ranks : {8, 1024})
        for (auto const& pattern : patterns()) {
            auto const program = pattern.program(ranks, wanted);
            auto const text = to_goal(program);
            auto const binary = to_goal_binary(program);
            if (!text || !binary)
                std::abort();
            auto const operations = static_cast<double>(program.operations());
            auto const name = std::string(pattern.name) + " " + std::to_string(ranks);
            print_rate(name + ", text", operations, 3, rounds,
                       [&] { return messages_from_goal(text->bytes, "").has_value(); });
            print_rate(name + ", binary", operations, 20, rounds,
                       [&] { return messages_from_goal_binary(binary->bytes, "").has_value(); });
        }
}
