// What to change first in a program, for the page: the weights of the extended critical path
// (analysis/what_to_change.h) as columns (docs/formats/execution.md), and the sentences of `parcast advise`.
// Both `parcast view` and the module that a report carries answer with this.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/what_to_change.h"
#include "core/result.h"
#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "timeline/cause_graph.h"
#include "view/sections.h"

namespace parcast::view {

class WorkWeights {
public:
    // Replays the program with a processor for every thread. It is the caller's, for the life of this. A
    // program that deadlocks has no weights. Errors: those of the replay.
    static Result<std::unique_ptr<WorkWeights const>> of(ThreadProgram const& program,
                                                         simulate::Pairing pairing, Machine const& machine);

    WorkWeights(ThreadProgram const& program, simulate::Pairing pairing, Machine const& machine,
                std::optional<CauseGraph> graph);

    // What each function, lock and thread decides on each of the counts.
    Bytes by_owner(std::span<std::uint32_t const> counts) const;
    // The weight of the work before each operation.
    Bytes by_operation(std::uint32_t cpus) const;

    // What to change first: a line for each sentence, with the last count that it is about and a tab before
    // it. `tried`: on each count, rising, the number of CPUs, the time, how many changes were tried, and for
    // each its owner by `by_owner` and the time with half of that work. A time below 0 is not known, or that
    // replay deadlocks. Empty where it is no such list.
    std::string sentences(std::span<double const> tried) const;

private:
    std::optional<AdviceOnCpus> tried_on(std::span<double const>& tried) const;
    std::optional<Overtaken> overtaken(std::size_t leader, std::uint32_t cpus) const;

    ThreadProgram const& program_;
    simulate::Pairing pairing_;
    Waiting waiting_;
    std::vector<double> speeds_;  // of so many busy processors; empty: they do not slow each other down
    std::optional<CauseGraph> graph_;
    std::optional<analysis::WhatToChange> what_;
    std::vector<ChangeableWork> work_;
    std::vector<std::uint32_t> told_;  // into work_: the owners that by_owner has
};

}  // namespace parcast::view
