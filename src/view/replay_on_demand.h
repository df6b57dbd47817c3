// What the page asks for, answered in the same way by `parcast view` and by the module that a report carries:
// one replay, and how far a program scales by several of them.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "analysis/scaling.h"
#include "core/result.h"
#include "machine/machine.h"
#include "program/thread_program.h"
#include "simulate/simulate.h"
#include "view/sections.h"

namespace parcast::view {

inline constexpr std::uint32_t most_cpus =
    0xfffe;  // a lane's column has 16 bits, and the last number is none

enum class Detail : std::uint8_t { totals, timeline };

struct Request {
    std::uint32_t cpus = 1;
    std::optional<SchedulerNumber> scheduler = std::nullopt;  // none: as in the machine
    Detail detail = Detail::timeline;
    std::string scenario = {};  // a change (program/work_change.h); empty: none

    friend bool operator==(Request const&, Request const&) = default;
};

// The machine with another number of CPUs; under another scheduler than its own the built-in machine of that
// name, which is what `parcast predict --scheduler NAME` replays on.
Machine requested_machine(Machine const& machine, Request const& request);

// The execution, as bytes (docs/formats/execution.md). `shown_cpus`: to the program when it was recorded.
// Errors: those of simulate::run, of parse_scenario and changed, and out_of_range (more CPUs than a lane's
// column can number).
Result<Bytes> replay(ThreadProgram const& program, Machine const& machine, simulate::Pairing pairing,
                     Request const& request, std::int64_t shown_cpus = 1);

// The program, and the machine that it runs on, as a scenario changes them. Errors: those of parse_scenario
// and changed.
struct ChangedProgram {
    ThreadProgram program;
    Machine machine;
};
Result<ChangedProgram> changed_by(ThreadProgram const& program, Machine const& machine,
                                  std::string_view scenario);

// What a page says about an error: all of it, sentences.
std::string error_sentences(Error const& error);

// The sentence of `parcast predict` for these speed-ups; empty if nothing but one CPU is among them.
// REQUIRES: cpus rise strictly.
std::string extent_sentence(std::span<analysis::SpeedUpAt const> points);

}  // namespace parcast::view
