#include "cli/option_forms.h"

#include <array>
#include <string>

namespace parcast::cli {

namespace {

struct GivenOption {
    char const* name;
    bool is_given;
    FormSet forms;
};

constexpr FormSet recordings{Form::recording};
constexpr FormSet graphs{Form::task_graph};
constexpr FormSet models{Form::model};

std::string forms_text(FormSet forms) {
    std::string text;
    for (std::size_t i = 0; i < form_names.size(); ++i)
        if (forms.has(static_cast<Form>(i)))
            text += (text.empty() ? "" : " and ") + std::string(form_names[i].plural);
    return text;
}

}  // namespace

std::optional<Error> misfit_of(PredictArguments const& arguments, Form form) {
    auto const& sweep = arguments.question.sweep;
    auto const& replay = arguments.question.replay;
    auto const& schedule = arguments.question.schedule;
    std::array const options{
        GivenOption{"--scheduler", arguments.scheduler.has_value(), recordings},
        GivenOption{"--machine", arguments.machine_file.has_value(), {Form::recording, Form::task_graph}},
        GivenOption{"--model", replay.model != ReplayModel::automatic, recordings},
        GivenOption{"--tasks", replay.tasks != HandedOutWork::anew, recordings},
        GivenOption{"--threads-table", arguments.threads_table, recordings},
        GivenOption{"--schedule", !schedule.schedules.empty(), graphs},
        GivenOption{"--unit", arguments.reading.unit.has_value(), graphs},
        GivenOption{"--compare", schedule.compare, graphs},
        GivenOption{"--overhead", !arguments.overhead_ns.empty(), graphs},
        GivenOption{"--retire", arguments.retire.has_value(), graphs},
        GivenOption{"--set", !arguments.reading.set.empty(), {Form::task_graph, Form::model}},
        GivenOption{"--cpus", arguments.cpus.has_value(), {Form::recording, Form::task_graph}},
        GivenOption{"--memory", arguments.memory.has_value(), {Form::recording, Form::task_graph}},
        GivenOption{"--sweep", !sweep.sweeps.empty(), models},
        GivenOption{"--quantiles", sweep.levels.has_value(), models},
        GivenOption{"--method", sweep.method.has_value(), models},
        GivenOption{"--of", sweep.of.has_value(), models},
        GivenOption{"--per", sweep.per.has_value(), models},
        GivenOption{"--plot", arguments.plot.has_value(), models},
        GivenOption{"--runs", sweep.simulation.runs.has_value(), models},
        GivenOption{"--precision", sweep.simulation.precision.has_value(), models},
        GivenOption{"--seed", sweep.simulation.seed.has_value(), models},
        GivenOption{"--phases", sweep.phases, models},
        GivenOption{"--sensitivity", sweep.sensitivity, models},
    };
    for (auto const& option : options)
        if (option.is_given && !option.forms.has(form))
            return option_misfit(option.name, forms_text(option.forms).c_str(), arguments.file, form);
    return std::nullopt;
}

Error option_misfit(std::string const& option, char const* forms, std::string const& file, Form form) {
    return make_error(ErrorCode::unasked,
                      option + " is for " + forms + ", and " + file + " is " + std::string(name_of(form).one),
                      "What each form takes: parcast help predict");
}

}  // namespace parcast::cli
