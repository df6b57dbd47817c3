// What an answer says about programs whose ranks send each other messages: steps, and whole programs.

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/time.h"
#include "machine/network.h"
#include "machine/network_parameter.h"
#include "machine/rank_placement.h"
#include "program/collectives/collective_choice.h"
#include "program/message_program.h"
#include "timeline/message_run.h"

namespace parcast {

// How the time of a row was found.
enum class MessageMethod : std::uint8_t { standard, overestimate, overlapped, replay };
inline constexpr std::array<std::string_view, 4> message_methods = {
    "standard",      // of steps: ranks send as soon as they may, and receive first what is there
    "overestimate",  // of steps: ranks receive all their messages before they send the first one
    "overlapped",    // of steps, replayed: a rank computes on as soon as it has its own messages
    "replay",        // of message programs
};

constexpr std::string_view name_of(MessageMethod method) {
    return message_methods[static_cast<std::size_t>(method)];
}

// A program of steps has three rows at each point: standard, overestimate and overlapped.
inline constexpr std::size_t step_methods = 3;

// What one rank does until it ends, on all its CPUs.
struct RankTimes {
    Duration finish;
    Duration computing;
    Duration communicating;  // a processor sends or receives
    Duration waiting;
    std::array<Duration, message_wait_count> waiting_for{};  // [MessageWait]; of replays
};

// What a cheaper value of the network would bring, by a run with it.
struct NetworkEffect {
    NetworkParameter parameter;
    std::string change;             // as --what-if takes it: "L=half", "S=never"
    std::optional<double> time_ns;  // none: it deadlocks
};

// What only the run of steps or messages has.
struct MessageTimes {
    MessageMethod method = MessageMethod::standard;
    std::vector<double> swept;           // values by MessagesBasis::swept
    std::vector<NetworkEffect> effects;  // what brings most first; empty: nobody asked
    std::vector<RankTimes> ranks;
    Duration computation;            // steps: of the slowest rank, summed over them; else of the busiest rank
    std::uint64_t cycle_breaks = 0;  // messages that the overestimate sends out of turn
    std::optional<Duration> ideal_network;  // replays: the time if messages cost nothing
    double incast_share = 0;  // replays: of the bytes, those that arrive while another sender's do
    bool is_deadlocked = false;
    std::vector<UnmatchedOperation> unmatched;  // receives, then sends; operations by number within the rank
};

// But for the time on an ideal network.
MessageTimes message_times(MessageRun const& run, MessageProgram const& program, MessageMethod method);

// Collective operations as which messages: "allreduce", "ring", 12 of them.
struct UsedCollective {
    std::string kind;
    std::string algorithm;
    std::uint64_t operations = 0;
};

// One kind of collective operations with another algorithm, or all of them as another library would choose.
struct CollectiveAlternative {
    std::string choice;             // as --collectives takes it: "allreduce=ring", "mpich"
    std::optional<double> time_ns;  // none: it deadlocks, or see left_out
    std::string left_out = {};      // why it was not tried
    bool is_chosen = false;         // it is what the prediction has
};

struct ComparedCollectives {
    std::string kind;  // "allreduce"; empty: of all kinds
    std::uint64_t operations = 0;
    std::vector<CollectiveAlternative> alternatives;  // the fastest first
};

// One of several programs side by side.
struct MessageJob {
    std::string file;
    std::string name;
    std::string format;
    std::uint32_t first_rank = 0;
    std::uint32_t ranks = 0;
};

// When the last of its ranks ends.
inline Duration job_time(MessageJob const& job, MessageTimes const& times) {
    Duration end;
    for (auto rank = job.first_rank; rank < job.first_rank + job.ranks; ++rank)
        end = std::max(end, times.ranks[rank].finish);
    return end;
}

struct MessagesBasis {
    bool is_steps = false;
    std::string format;  // "json", "goal"
    std::string name;
    std::uint32_t ranks = 0;
    std::uint64_t steps = 0;       // of steps
    std::uint64_t operations = 0;  // else: with collectives as messages
    std::vector<UsedCollective> collectives;
    CollectiveChoice choice;  // by which they became messages
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    Duration work;  // computing, of all ranks
    Network network;
    std::string network_values;           // "L 9 µs, o 2 µs, g 14 µs, G 30 ns/byte"
    std::string node_values;              // the same inside a node; empty: as between nodes
    std::string network_source;           // where the values come from, for people
    std::vector<NetworkParameter> swept;  // that have another value in each row
    RankNodes nodes;
    std::uint32_t cpus_of_node = 0;             // 0: as many as its ranks have
    std::vector<ComparedCollectives> compared;  // where that was asked for
    std::vector<MessageJob> jobs;               // programs side by side; empty: one program
    double cpu_speed = 1;                       // calculations take this factor less
    bool carries_clocks = false;                // from step to step; else each begins behind a barrier
    std::optional<std::uint64_t> tie_seed;      // ties are drawn; none: the lowest rank first
};

}  // namespace parcast
