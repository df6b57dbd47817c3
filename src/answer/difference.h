// How two executions of a program differ, on each number of CPUs, and where the difference comes from.
//
// Each side is an answer to the same question, or a measurement. On k CPUs the time of a side is the sum,
// over all causes, of its processor time of that cause over k (conservation, timeline/accounts.h). So the
// difference of two times splits exactly into the differences of these parts. Nothing is replayed here.
//
// Functions, locks and threads of two programs are aligned by name and place. What one side alone has is gone
// or new; what keeps its place, but not its name, is renamed; what keeps its name or function, but not its
// line, has moved.

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/limit.h"
#include "answer/range.h"
#include "timeline/interval.h"

namespace parcast {

enum class Alignment : std::uint8_t { same, moved, renamed, gone, added };
inline constexpr std::array alignment_names = {"same", "moved", "renamed", "gone", "new"};
constexpr char const* name_of(Alignment alignment) {
    return alignment_names[static_cast<std::size_t>(alignment)];
}

// One thing, or several that are one row: 1,024 mutexes of one place.
struct NamedThing {
    std::string name;         // "mutex sums", "compress_thread"
    std::string place;        // "n_body.cpp:111"; empty: unknown, or part of the name
    std::uint32_t count = 0;  // 0: this side has none
};

struct AlignedThing {
    Alignment alignment = Alignment::same;
    NamedThing first;
    NamedThing second;

    // The one that there is; of both, the first.
    NamedThing const& known() const { return first.count > 0 ? first : second; }
};

struct TwoTimes {
    double first_ns = 0;
    double second_ns = 0;

    double change_ns() const { return second_ns - first_ns; }
};

// Parts that a measured run and a predicted one have in common.
enum class RunPart : std::uint8_t {
    own_code,  // running, spinning included
    system,    // the system's work: switching and waking threads; measured: its CPU time, where it is known
    ready,     // a CPU idles, or runs another program, though a thread could run
    waiting,   // CPUs idle because threads wait
    idling,    // fewer threads than CPUs
};
inline constexpr std::array run_part_names = {"own_code", "system", "ready", "waiting", "idling"};
constexpr char const* name_of(RunPart part) {
    return run_part_names[static_cast<std::size_t>(part)];
}

// Of the wall-clock time: processor time over the number of CPUs.
struct CauseDifference {
    Cause cause = Cause::busy;
    TwoTimes time;
};

struct PartDifference {
    RunPart part = RunPart::own_code;
    TwoTimes time;
};

struct ObjectDifference {
    AlignedThing object;
    Cause cause = Cause::lock;  // of the processor time that it loses
    TwoTimes lost;              // wall-clock time: processors that idle or spin because of it
    TwoTimes waiting;           // summed over threads
};

// Threads of one function.
struct ThreadsDifference {
    AlignedThing threads;
    TwoTimes running;  // summed over them
    TwoTimes ready;
    TwoTimes waiting;  // blocked, spinning, in I/O or sleeping
};

// CPU time, which is the same on every number of CPUs.
struct FunctionDifference {
    AlignedThing function;
    TwoTimes self;
};

struct SideRun {
    double time_ns = 0;
    std::optional<Range> range;
    std::optional<double> speed_up;  // over one CPU of the same side; none: its time there is not known
};

// On one number of CPUs.
struct CountDifference {
    std::uint32_t cpus = 1;
    SideRun first;
    SideRun second;
    double ratio = 1;                       // of the times, second over first
    std::optional<Range> ratio_range;       // none: a side has no range
    std::vector<CauseDifference> causes;    // greatest first; they sum to the difference. Empty: not known
    std::vector<PartDifference> parts;      // likewise, of fewer parts; where a side is measured
    std::vector<ObjectDifference> objects;  // greatest difference of lost time first
    std::vector<ThreadsDifference> threads;
    std::vector<FunctionDifference> functions;

    // Beyond what the ranges leave open, and more than half a per cent. Without ranges: more than a per cent.
    bool is_beyond() const {
        auto const differs_by = [this](double least) { return ratio > 1 + least || ratio < 1 / (1 + least); };
        if (!ratio_range)
            return differs_by(0.01);
        return differs_by(0.005) && (ratio_range->low > 1 || ratio_range->high < 1);
    }
};

struct Difference {
    std::size_t first = 0;  // sides of ComparedSides
    std::size_t second = 1;
    std::vector<CountDifference> counts;    // rising; those that both sides have
    std::vector<std::uint32_t> deadlocked;  // counts on which a side has no time
    // The count that the sentences are about: the lowest on which the difference is nearly as great as
    // anywhere. None: no count is beyond the ranges, or a side is worthless.
    std::optional<std::size_t> telling;
};

enum class SideOrigin : std::uint8_t { predicted, measured };
inline constexpr std::array side_origin_names = {"predicted", "measured"};
constexpr char const* name_of(SideOrigin origin) {
    return side_origin_names[static_cast<std::size_t>(origin)];
}

// What is compared with another, for people.
struct ComparedSide {
    std::string letter;  // "A"
    std::string file;
    std::vector<std::string> command;  // that was recorded; empty: it was written down
    std::string date;                  // of the recording; empty: unknown
    std::string machine;               // "linux, built-in values"; empty: measured
    std::string change;                // of the program, as it was typed; empty: none
    SideOrigin origin = SideOrigin::predicted;
    bool is_doubtful = false;              // a warning says why, or `doubts`
    bool is_worthless = false;             // nothing is concluded from it: withholds_conclusions()
    std::vector<std::string> doubts = {};  // about a measurement; sentences
    // By rising number of CPUs; a deadlock has none.
    std::vector<std::pair<std::uint32_t, SideRun>> runs;
};

struct ComparedSides {
    std::vector<ComparedSide> sides;      // at least two
    std::vector<Difference> differences;  // each against the first, or of a history against the one before
    bool is_history = false;
    std::vector<std::string> notes;  // what makes the comparison doubtful; sentences
};

}  // namespace parcast
