// The options of predict that view, report, export and scale have too.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/option_table.h"
#include "cli/verbs/predict.h"

namespace parcast::cli {

void describe_jobs(OptionTable& options, PredictArguments& arguments);
// On how many CPUs; of a message program, those of a node.
void describe_cpus(OptionTable& options, PredictArguments& arguments);
// On which machine: --memory and --machine.
void describe_machine(OptionTable& options, PredictArguments& arguments);
// The same for a verb that compares several: --machine and --scheduler may be given several times.
struct SeveralMachines {
    std::vector<std::string> files;
    std::vector<SchedulerNumber> schedulers;

    friend bool operator==(SeveralMachines const&, SeveralMachines const&) = default;
};
// How a recording is replayed, on several machines.
void describe_replay_on_several(OptionTable& options, PredictArguments& arguments, SeveralMachines& machines);
// How a recording is replayed, and on which machine. `all`: of models, for a verb that shows them beside each
// other.
enum class ShownModels : std::uint8_t { one, all };
void describe_replay(OptionTable& options, PredictArguments& arguments,
                     ShownModels models = ShownModels::one);
// How a task graph is read and scheduled.
void describe_task_graph(OptionTable& options, PredictArguments& arguments);
// On which network ranks send messages; of message programs, where the ranks are and how they communicate.
void describe_messages(OptionTable& options, PredictArguments& arguments);
// How the clocks of steps go on.
void describe_steps(OptionTable& options, PredictArguments& arguments);
// Which time of a model, and by which method. `with_runs`: the forms that --runs is for.
void describe_model_method(OptionTable& options, SweepQuestion& arguments, FormSet with_runs = {Form::model});
// The same, at which points, and which moments of it. `swept`: the forms that can have several points.
void describe_model(OptionTable& options, SweepQuestion& arguments, FormSet swept = {Form::model});

// How many replays make a range, where nothing else has runs.
void describe_ranges(OptionTable& options, Question& arguments);

// What a page shows of a recording beside its prediction.
void describe_page_of_recording(OptionTable& options, std::optional<std::string>& measured,
                                bool& source_text);

// Numbers of CPUs that a page can show (docs/formats/execution.md).
Result<std::vector<std::uint32_t>> parse_page_cpus(std::string const& text);

}  // namespace parcast::cli
