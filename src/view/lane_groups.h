// Lanes that are alike, so that a page can fold them into one: threads with one start function and one
// pattern of names, tasks of one group. For each such group, how many of its threads run, are ready and wait.

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/catalogue.h"
#include "program/task_graph.h"
#include "timeline/accounts.h"
#include "timeline/interval.h"
#include "view/sections.h"

namespace parcast::view {

// By thread or task: equal numbers are alike. Numbers rise from 0 by their first lane.
using AlikeLanes = std::vector<std::uint32_t>;

// By name and start function, or else by the place that created them. Names are alike if they differ in
// numbers only, as "worker 1" and "worker 12".
AlikeLanes alike_threads(Catalogue const& catalogue);

// By group; of a graph with more than most_task_lanes groups, those with names that are alike together.
inline constexpr std::size_t most_task_lanes = 64;
AlikeLanes alike_tasks(TaskGraph const& graph);

// Ranks by their node; without nodes all together. `lanes`: of each rank.
AlikeLanes alike_ranks(std::size_t ranks, std::size_t lanes, std::span<std::uint32_t const> node_of_rank);

// A group has steps at which the numbers of its threads change, but no more than these: then cells of equal
// length, with means.
inline constexpr std::size_t most_group_steps = 16'384;

// Sections group.*. Lanes that are like no other are in no group. REQUIRES: alike is empty, or has a number
// for each thread. Cost: time O(intervals * log(most_group_steps) + groups * most_group_steps).
void add_lane_groups(SectionWriter& writer, AlikeLanes const& alike, IntervalColumns const& rows,
                     Accounts const& accounts);

}  // namespace parcast::view
