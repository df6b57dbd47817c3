// Claim: a recording becomes a program at 10 million events a second or more, and looking for work that the
// threads were handed out (extract/hand_outs.h) takes less than the rest of it, also where all of the work
// was. Eight threads take pieces under one mutex until nothing is left; beside them, threads that lock as
// they please. The baseline is the same recording without the search (`predict --tasks recorded`).
//
//     extract_bench [ROUNDS]    (default 7)

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "extract/extract.h"
#include "measure/claims.h"
#include "measure/recorded_threads.h"

namespace {

using namespace parcast;
using namespace parcast::bench;
using extract::Assignment;

constexpr std::uint32_t threads = 8;

ThreadProgram program_of(Timeline const& recorded, Assignment assignment) {
    auto program = extract::program_from(recorded, {.assignment = assignment});
    if (!program)
        std::abort();
    return std::move(*program);
}

// A row about a recording in which nothing is found would not be about the search.
void check_that_work_is_handed_out(Timeline const& recorded) {
    if (program_of(recorded, Assignment::anew).lists == program_of(recorded, Assignment::recorded).lists) {
        std::puts("extract_bench: no work is handed out anew in the recording that is made of it");
        std::exit(EXIT_FAILURE);
    }
}

void print_search(std::int64_t size, Habit habit, int rounds) {
    Timeline const recorded = recorded_threads(threads, size, habit);
    if (habit == Habit::hand_outs)
        check_that_work_is_handed_out(recorded);
    auto const rates = rates_in_turn(
        static_cast<double>(event_count(recorded)) / 1e6, rounds,
        [&] { keep(program_of(recorded, Assignment::anew)); },
        [&] { keep(program_of(recorded, Assignment::recorded)); });
    std::string const name = std::string(habit == Habit::hand_outs ? "handed-out work, " : "locks, ") +
                             std::to_string(size / 1000) + "k events";
    print({name, "M/s", rates.subject, Target{Target::Kind::at_least, 10}, "no search", rates.baseline});
}

}  // namespace

int main(int argc, char** argv) {
    int const rounds = argc > 1 ? std::atoi(argv[1]) : 7;
    print_title("Recordings of 8 threads made into programs; medians of " + std::to_string(rounds) +
                " rounds, CPU time of one thread; no search: each piece stays with who got it");
    for (std::int64_t const size : {10'000, 100'000, 1'000'000}) {
        print_search(size, Habit::hand_outs, rounds);
        print_search(size, Habit::locks, rounds);
    }
}
