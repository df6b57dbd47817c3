// Executes a plan once: strands of steps that meet at contended resources, first come first served.
//
// A server is known by when it will be free, since arrivals are handled in the order of their times: whoever
// arrives takes the server that is free first. So a use is one event, its arrival, and nobody is ever queued.
//
// Cost: time O(operations * log strands), no allocation after the first run.

#pragma once

#include <cstdint>
#include <vector>

#include "ensemble/event_heap.h"
#include "ensemble/plan.h"

namespace parcast::ensemble {

struct RunOutcome {
    double time = 0;
    std::uint64_t operations = 0;  // times and uses
    std::uint64_t clipped = 0;     // draws that were negative and are taken as 0
    double clipped_time = 0;       // what that adds
};

class Engine {
public:
    // Keeps a reference to the plan.
    explicit Engine(Plan const& plan);

    RunOutcome run(std::uint64_t seed, std::uint64_t run);

private:
    struct Strand {
        double time = 0;
        std::uint32_t step = 0;
        std::uint32_t join = 0;
    };
    struct Join {
        double latest = 0;
        std::uint32_t waiting = 0;  // branches that have not ended, and one for the fork while it starts them
        std::uint32_t parent = 0;
    };

    void advance(std::uint32_t strand);
    void arrive(std::uint32_t strand, double time);
    double serve(std::uint32_t resource, double arrival, double service);
    bool fork(std::uint32_t strand, std::uint32_t step, double time);
    void start_branch(std::uint32_t join, std::uint32_t step, double time);
    std::uint64_t times_of(Step const& step);
    double checked(double drawn);
    std::uint32_t new_strand();
    std::uint32_t new_join();

    Plan const& plan_;
    RandomStream random_{0, 0};
    RunOutcome outcome_;
    EventHeap events_;
    bool first_is_done_ = false;  // the first event of the heap is that of the strand that advances
    std::vector<Strand> strands_;
    std::vector<std::uint32_t> free_strands_;
    std::vector<std::uint64_t> counters_;  // by strand and level
    std::vector<Join> joins_;
    std::vector<std::uint32_t> free_joins_;
    std::vector<double> free_at_;  // of the servers, by resource: a heap each, the first to be free first
    std::vector<std::size_t> first_server_;  // by resource, and the end
};

}  // namespace parcast::ensemble
