#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cpu_list.h"
#include "cli/option_kinds.h"
#include "cli/sweep.h"
#include "cli/verb_options.h"
#include "import/time_unit.h"
#include "view/replay_on_demand.h"

namespace parcast::cli {

namespace {

// Only counts that a page can show (docs/formats/execution.md).
void add_page_cpus(CLI::App& parser, std::optional<std::vector<std::uint32_t>>& counts) {
    parser.add_option_function<std::string>("--cpus", [&counts](std::string const& text) {
        counts = value_of(parse_cpu_list(text), "--cpus");
        if (counts->back() > view::most_cpus) {
            throw CLI::ValidationError("--cpus: a page shows at most " + std::to_string(view::most_cpus) +
                                       " CPUs");
        }
    });
}

// On which machine and under which model a recording is replayed: the same for all verbs that do.
void describe_replay(CLI::App& parser, PredictArguments& arguments) {
    Choices<SchedulerNumber> kinds;
    for (auto const& row : schedulers)
        kinds.emplace_back(row.word, number_of(row.scheduler));
    add_choice<SchedulerNumber>(parser, "--scheduler", arguments.scheduler, kinds);
    add_choice<ReplayModel>(
        parser, "--model", arguments.question.replay.model,
        {{"auto", ReplayModel::automatic}, {"direct", ReplayModel::direct}, {"strict", ReplayModel::strict}});
    add_choice<HandedOutWork>(parser, "--tasks", arguments.question.replay.tasks,
                              {{"auto", HandedOutWork::anew}, {"recorded", HandedOutWork::recorded}});
    parser.add_option("--machine", arguments.machine_file);
    parser.add_option("--memory", arguments.memory);
    parser.add_option("--jobs", arguments.jobs)->check(CLI::Range(1U, 1024U));
}

// "2us", "500ns"; of 0 the unit may be left out.
double overhead_ns(std::string const& text) {
    double number = 0;
    auto const parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    auto const unit = unit_ns(std::string_view(parsed.ptr, text.data() + text.size()));
    bool const is_zero = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && number == 0;
    bool const is_time = parsed.ec == std::errc() && unit && number >= 0 && std::isfinite(number * *unit);
    if (!is_zero && !is_time) {
        throw CLI::ValidationError("--overhead: \"" + text + "\" is no time with its unit (" + time_units +
                                   "), such as 2us");
    }
    return is_zero ? 0 : in_ns(number, *unit);
}

// How a task graph is read and scheduled.
void describe_task_graph(CLI::App& parser, PredictArguments& arguments) {
    parser.add_option("--schedule", arguments.question.schedule.schedules)
        ->delimiter(',')
        ->allow_extra_args(false);
    parser.add_option("--set", arguments.reading.set)->allow_extra_args(false);
    parser.add_option("--unit", arguments.reading.unit);
    add_list(parser, "--overhead", arguments.overhead_ns, overhead_ns)->delimiter(',');
    add_choice<Retire>(parser, "--retire", arguments.retire, {{"one", Retire::one}, {"all", Retire::all}});
}

// "50", "99.9": per cent.
double quantile_level(std::string const& text) {
    double level = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), level);
    bool const is_number = problem == std::errc() && end == text.data() + text.size();
    if (!is_number || !(level > 0 && level < 100))
        throw CLI::ValidationError("--quantiles: \"" + text + "\" is no per cent between 0 and 100");
    return level;
}

// "0.5", "0.5%": per cent of the mean.
double precision(std::string const& text) {
    double percent = 0;
    auto const [end, problem] = std::from_chars(text.data(), text.data() + text.size(), percent);
    auto const rest = text.substr(static_cast<std::size_t>(end - text.data()));
    if (problem != std::errc() || (!rest.empty() && rest != "%" && rest != " %") ||
        !(percent > 0 && percent <= 100)) {
        throw CLI::ValidationError("--precision: \"" + text + "\" is no per cent of the mean, such as 0.5%");
    }
    return percent;
}

// Of models only; --set is the one of task graphs.
void describe_model(CLI::App& parser, SweepQuestion& arguments) {
    add_list(parser, "--sweep", arguments.sweeps,
             [](std::string const& text) { return value_of(parse_sweep(text), "--sweep"); });
    add_list(parser, "--quantiles", arguments.levels, quantile_level)->delimiter(',');
    add_choice<ModelMethod>(parser, "--method", arguments.method,
                            {{"moments", ModelMethod::moments},
                             {"simulate", ModelMethod::simulate},
                             {"both", ModelMethod::both}});
    parser.add_option("--of", arguments.of);
    parser.add_option("--per", arguments.per);
    parser.add_option("--runs", arguments.simulation.runs)->check(CLI::Range(1U, 10'000'000U));
    parser.add_option_function<std::string>("--precision", [&arguments](std::string const& text) {
        arguments.simulation.precision = precision(text);
    });
    parser.add_option("--seed", arguments.simulation.seed);
    parser.add_flag("--phases", arguments.phases);
    parser.add_flag("--sensitivity", arguments.sensitivity);
}

}  // namespace

void describe(CLI::App& parser, PredictArguments& arguments) {
    parser.add_option("FILE", arguments.file)->required();
    add_parsed(parser, "--cpus", arguments.cpus, parse_cpu_list);
    describe_replay(parser, arguments);
    describe_task_graph(parser, arguments);
    describe_model(parser, arguments.question.sweep);
    parser.add_option("--plot", arguments.plot);
    parser.add_flag("--compare", arguments.question.schedule.compare);
    parser.add_flag("--threads-table", arguments.threads_table);
    parser.add_flag("--assumptions", arguments.assumptions);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ReportArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    add_output(parser, arguments.output);
    add_page_cpus(parser, arguments.replay.cpus);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay);
    describe_model(parser, arguments.replay.question.sweep);
    parser.add_option("--measured", arguments.measured);
    parser.add_flag("--force", arguments.force);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ViewArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    parser.add_option("--port", arguments.port)->check(CLI::Range(1U, 65535U));
    parser.add_flag_callback("--no-browser", [&] { arguments.browser = false; });
    parser.add_option("--compare", arguments.compare);
    parser.add_option("--measured", arguments.measured);
    add_page_cpus(parser, arguments.replay.cpus);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay);
    parser.add_flag_callback("--no-source-text", [&] { arguments.source_text = false; });
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ExportArguments& arguments) {
    parser.add_option("FILE", arguments.replay.file)->required();
    add_parsed(parser, "--cpus", arguments.replay.cpus, parse_cpu_list);
    add_choice<ExportFormat>(parser, "--format", arguments.format,
                             {{"perfetto", ExportFormat::perfetto},
                              {"chrome", ExportFormat::chrome},
                              {"paraver", ExportFormat::paraver},
                              {"csv", ExportFormat::csv}});
    add_output(parser, arguments.output);
    parser.add_flag("--force", arguments.force);
    parser.add_flag("--recorded", arguments.recorded);
    parser.add_flag("--events", arguments.events);
    describe_replay(parser, arguments.replay);
    describe_task_graph(parser, arguments.replay);
    parser.add_flag("--json", arguments.json);
}

void describe(CLI::App& parser, ScaleArguments& arguments) {
    add_parsed(parser, "--cpus", arguments.cpus, parse_cpu_list);
    parser.add_flag("--measure", arguments.measure);
    parser.add_option("--runs", arguments.runs)->check(CLI::Range(1U, 1000U));
    parser.add_flag_callback("--no-bare-runs", [&] { arguments.bare_runs = false; });
    parser.add_option("--before", arguments.before);
    parser.add_option("--keep", arguments.keep);
    parser
        .add_option_function<unsigned>(
            "--time-limit",
            [&](unsigned seconds) { arguments.time_limit = Duration{std::int64_t{seconds} * 1'000'000'000}; })
        ->check(CLI::Range(1U, 604'800U));
    describe_replay(parser, arguments.replay);
    parser.add_flag("--json", arguments.json);
    parser.prefix_command();
}

}  // namespace parcast::cli
