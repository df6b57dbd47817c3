// The states of the Markov chain of a task graph on P processors with a FIFO queue (Thomasian and Bay 1986):
// how many there are, and which follow which. A state is the running tasks and the queue in its order; what
// is done follows from these.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "program/task_graph.h"

namespace parcast::model {

// Tasks that run, ascending, and those that wait for a processor, the first first: as ranges that do not
// touch.
struct MarkovState {
    std::vector<std::uint32_t> running;
    std::vector<std::uint32_t> queue;  // begin and end of a range, and of the next

    friend bool operator==(MarkovState const&, MarkovState const&) = default;
};

// A set of states, numbered from 0 in the order in which they were added. Cost: 4 bytes a number of a state,
// and some 16 more.
class MarkovStates {
public:
    std::size_t size() const { return begin_.size(); }
    std::size_t words() const { return words_.size(); }  // numbers in all
    void copy(std::size_t state, MarkovState& to) const;
    // Its number, also if it was there before.
    std::size_t add(MarkovState const& state);

private:
    std::span<std::uint32_t const> words_of(std::size_t state) const;
    void make_room();

    std::vector<std::uint32_t> words_;  // of a state: how many run, which, the queue
    std::vector<std::size_t> begin_;    // by state
    std::vector<std::uint32_t> slots_;  // a hash table of numbers of states + 1; 0: free. A power of 2
    std::vector<std::uint32_t> candidate_;
};

// Newly ready tasks enter the queue in ascending order; tasks that take no time end at once.
class MarkovSteps {
public:
    // Lends the graph. REQUIRES: it passes its check, processors >= 1. Cost: memory groups^2 bits.
    MarkovSteps(TaskGraph const& graph, std::uint32_t processors);

    struct Step {
        MarkovState const& to;  // until the next call
        std::size_t ended = 0;  // tasks
    };
    Step first();
    // The state that the next steps lead from.
    void leave(MarkovState const& state);
    // When its task running[which] has ended.
    Step after(std::size_t which);

private:
    using Bits = std::vector<std::uint64_t>;  // one a group

    Step settle(std::size_t ended);
    void dispatch();
    void end_task(std::size_t which);
    void enqueue(TaskGroupId group);
    bool has_task_of(TaskGroupId group) const;
    bool awaits_another(TaskGroupId group) const;

    TaskGraph const& graph_;
    std::size_t processors_;
    std::vector<TaskGroupId> group_of_;  // by task
    std::size_t words_;                  // of Bits
    Bits before_;                        // by group: the groups before it, on any way
    bool has_tasks_of_no_time_;
    MarkovState from_;
    Bits present_in_from_;  // groups with a task in it
    MarkovState now_;
    Bits present_;
};

inline constexpr std::size_t most_markov_states = 500'000;  // that are solved

// How many states there are, beside the last one, in which all is done.
struct MarkovSize {
    double states = 0;
    bool is_exact = true;  // otherwise there are at least so many
};

// Without making them: exactly of a sequence of parallel phases. Otherwise of tasks that wait for the same
// groups: if all others end first, each set of at most P of them runs alone at some time. Cost: that of a
// sort of the edges.
MarkovSize markov_size_by_formula(TaskGraph const& graph, std::uint32_t processors);

// Also by making them, up to one more than most_markov_states. REQUIRES: at most most_markov_groups groups.
MarkovSize markov_size(TaskGraph const& graph, std::uint32_t processors);

}  // namespace parcast::model
