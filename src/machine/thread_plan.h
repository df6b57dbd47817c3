// How threads are to be run, whatever their program says: docs/formats/plan.md.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/lwp_class.h"

namespace parcast {

struct PlannedThread {
    std::optional<std::uint32_t> cpu = std::nullopt;       // the only one that runs it
    std::optional<std::int32_t> nice = std::nullopt;       // -20..19
    std::optional<std::int32_t> real_time = std::nullopt;  // level 1..99 of SCHED_FIFO
    std::optional<LwpClass> lwp = std::nullopt;            // with LWPs, on which

    friend bool operator==(PlannedThread const&, PlannedThread const&) = default;
};

// By what threads are named. A path is the way of creations from the first thread on: "0.2.0" is the first
// thread that the third thread of the first one created.
enum class ThreadKey : std::uint8_t { number, name, function, path };
inline constexpr std::array<std::string_view, 4> thread_keys = {"number", "name", "function", "path"};

// One entry of a plan. The threads that it names take its CPUs by turn, in the order of their numbers.
struct PlanEntry {
    ThreadKey key = ThreadKey::number;
    std::string value;                // of a number its digits; else a text in which * stands for any letters
    std::vector<std::uint32_t> cpus;  // empty: any
    std::optional<std::int32_t> nice;
    std::optional<std::int32_t> real_time;
    std::string comment;  // for people; not read again
    std::optional<LwpClass> lwp = {};
    std::optional<SourcePosition> place = {};  // where it was read

    friend bool operator==(PlanEntry const& a, PlanEntry const& b) {
        return a.key == b.key && a.value == b.value && a.cpus == b.cpus && a.nice == b.nice &&
               a.real_time == b.real_time && a.lwp == b.lwp;
    }
};

struct ThreadPlan {
    std::vector<PlanEntry> entries;
    friend bool operator==(ThreadPlan const&, ThreadPlan const&) = default;
};

}  // namespace parcast
