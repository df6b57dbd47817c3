// Reads the inputs of verbs: recordings, task graphs in any of the forms of import/, written programs of
// threads (docs/formats/threads.md) and of steps (docs/formats/steps.md), and models in the PAMELA language
// (docs/formats/pamela.md). Errors have advice.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/survey.h"
#include "answer/form.h"
#include "core/result.h"
#include "import/messages/message_format.h"
#include "import/task_graph_format.h"
#include "pamela/compile.h"
#include "program/step_program.h"
#include "program/thread_program.h"
#include "timeline/timeline.h"

namespace parcast::cli {

// By the name or the first words of the file. A recording also if it cannot be read: opening it reports why.
Form form_of(std::string const& path);

// Errors: those of InputFile, trace::read_recording and check(Timeline); each names the file.
Result<Timeline> load_recording(std::string const& path);

struct SurveyedRecording {
    Timeline recording;  // without its events
    analysis::Survey survey;
};

// The same in little memory, for those that need no event twice.
Result<SurveyedRecording> survey_recording(std::string const& path);

struct TaskGraphReading {
    std::vector<std::string> set;     // "n=1024", in their order
    std::optional<std::string> unit;  // "us"

    friend bool operator==(TaskGraphReading const&, TaskGraphReading const&) = default;
};

// What is none of the other forms is read as a recording; whether it is one.
bool is_recording_file(std::string const& path);

// REQUIRES: its form is a task graph.
Result<ImportedGraph> read_task_graph(std::string const& path, TaskGraphReading const& reading);

// Passes check(). REQUIRES: its form is that of a thread program.
Result<ThreadProgram> read_threads(std::string const& path);

// Passes check(). REQUIRES: its form is that of a step program.
Result<StepProgram> read_steps(std::string const& path);

// Passes check(). REQUIRES: its form is that of a message program.
Result<ImportedMessages> read_messages(std::string const& path, MessageImportOptions const& options);

// From --set: "P=100", "N=1e6". Errors: unasked.
Result<std::vector<pamela::Setting>> settings_in(std::span<std::string const> assignments);

// Reads the files that a model names: they lie beside it.
pamela::ReadFile files_beside(std::string const& path);

// Quiet where a model is compiled once more with other settings.
enum class Diagnostics : std::uint8_t { print, keep_quiet };

// Warnings and errors of the text go to standard error, as compilers print them.
// Files that the model names are looked for beside it.
Result<ProcessModel> read_process_model(std::string const& path, std::span<pamela::Setting const> settings,
                                        Diagnostics diagnostics = Diagnostics::print);

}  // namespace parcast::cli
