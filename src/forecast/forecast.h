// Program x machine x question -> answer, for every form of program.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "forecast/replays.h"
#include "forecast/target.h"
#include "forecast/varied_replays.h"
#include "import/messages/message_format.h"
#include "import/task_graph_format.h"
#include "machine/machine.h"
#include "model/deterministic/contention.h"
#include "program/program.h"
#include "timeline/run.h"
#include "timeline/timeline.h"

namespace parcast::forecast {

// A model, and the values that its reader was given for some of its numbers. What is swept stays a parameter.
struct GivenModel {
    ProcessModel model;
    std::vector<std::pair<std::string, double>> given;
};

// What a forecast starts from: the content of a file, read once. The program of a recording is extracted from
// its timeline by the forecast; a program that was written down is there.
struct Input {
    std::string file;
    std::variant<Timeline, ImportedGraph, GivenModel, ThreadProgram, StepProgram, ImportedMessages>
        content;                            // by Form
    std::vector<MessageJob> jobs = {};      // that one message program was made of; empty: one
    std::vector<std::string> options = {};  // Answer::options

    Form form() const { return static_cast<Form>(content.index()); }
};

// An answer together with its program and machine, for callers that execute it again.
struct Forecast {
    Program program;
    Machine machine;  // with any number of CPUs
    Answer answer;
    simulate::Pairing pairing = simulate::Pairing::any;  // replayed_forms: the replays' model
    std::optional<model::ContentionLaw> contention =
        std::nullopt;  // task graphs; none: tasks are undisturbed
    // Message programs with collective operations: as they are called. `program` has them as messages.
    std::optional<MessageProgram> called = std::nullopt;
    std::optional<VariedReplays> varied = std::nullopt;  // where ranges were asked for

    ThreadProgram const& threads() const { return std::get<ThreadProgram>(program); }
    TaskGraph const& graph() const { return std::get<TaskGraph>(program); }
};

// The numbers of CPUs are question.cpus. A model runs on no machine. Move the input in: the events of a
// recording are freed while its program is made of them. Errors: those of forecast_recording,
// forecast_threads, forecast_task_graph, forecast_model, forecast_steps and
// forecast_messages.
Result<Forecast> forecast(Input input, TargetMachine const& target, Question const& question);

// The forecast's machine with so many CPUs under a schedule: a scheduler for replayed_forms, a policy for a
// task graph. Errors: malformed (no such schedule). REQUIRES: not a model.
Result<Machine> machine_with(Forecast const& forecast, std::uint32_t cpus, std::string_view schedule);

// The program of the forecast once more, on a machine. Errors: those of simulate::run and model::execute.
// REQUIRES: not a model.
Result<Run> execute(Forecast const& forecast, Machine const& machine, RunDetail detail);

}  // namespace parcast::forecast
