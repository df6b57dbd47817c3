// parcast signature GRAPH --cpus 4,16: the static analysis of a mapping, without a clock.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/files/inputs.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs/signature.h"
#include "cli/version.h"
#include "core/counted.h"
#include "core/leading_number.h"
#include "forecast/signature_mapping.h"
#include "machine/ready_policy.h"
#include "report/names.h"
#include "report/signature_mapping.h"

namespace parcast::cli {

namespace {

constexpr std::uint32_t most_mapped_threads = 1'000'000;

// A thread of each task, a line each.
Result<std::vector<std::uint32_t>> read_mapping(std::string const& file) {
    auto const text = read_text(file);
    if (!text)
        return pass_on(text);
    std::vector<std::uint32_t> threads;
    std::istringstream lines(*text);
    std::uint32_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        auto const first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#')
            continue;
        auto const last = line.find_last_not_of(" \t\r");
        auto const thread = number_in<std::uint32_t>(std::string_view(line).substr(first, last - first + 1));
        if (!thread || *thread >= most_mapped_threads)
            return fail(ErrorCode::malformed, "it is no number of a thread from 0 on, such as 3",
                        SourcePosition{file, number, {}, {}});
        threads.push_back(*thread);
    }
    return threads;
}

Result<forecast::MappingQuestion> question_of(SignatureArguments const& arguments) {
    auto const& mapping = arguments.mapping;
    forecast::MappingQuestion question{mapping.cv, mapping.correlation.value_or(0), {}, mapping.matrices};
    if (!mapping.law)
        return question;
    auto const law = forecast::parse_work_law(*mapping.law);
    if (!law)
        return fail(make_error(ErrorCode::unasked, "signature: --law: " + law.error().message,
                               "Try: parcast help signature"));
    question.law = *law;
    return question;
}

std::uint32_t pinned_threads(TaskGraph const& graph) {
    std::uint32_t threads = 1;
    for (auto const process : graph.process)
        if (process != any_process)
            threads = std::max(threads, process + 1);
    return threads;
}

bool is_pinned(TaskGraph const& graph) {
    return std::ranges::any_of(graph.process, [](auto process) { return process != any_process; });
}

Result<ReadyPolicy> policy_of(std::optional<std::string> const& schedule, TaskGraph const& graph) {
    if (!schedule)
        return is_pinned(graph) ? ReadyPolicy(ready::Explicit{}) : ReadyPolicy(ready::StaticBlock{});
    auto policy = parse_ready_policy(*schedule);
    if (!policy)
        return fail(make_error(ErrorCode::unasked, "signature: --schedule: " + policy.error().message,
                               "Schedules: parcast help signature"));
    return policy;
}

// The tasks pinned as the file says.
Result<void> take_mapping(ImportedGraph& imported, std::string const& file) {
    if (imported.for_cpus)
        return fail(make_error(
            ErrorCode::unasked,
            "the tasks of this graph depend on the number of CPUs: a list of threads fits one of them",
            "Take a schedule: --schedule block"));
    auto threads = read_mapping(file);
    if (!threads)
        return pass_on(threads);
    if (threads->size() != imported.graph.tasks())
        return fail(make_error(
            ErrorCode::inconsistent,
            file + " has " + counted(static_cast<std::int64_t>(threads->size()), "thread") +
                ", and there are " + counted(static_cast<std::int64_t>(imported.graph.tasks()), "task"),
            "A line each, in the order of the tasks."));
    imported.graph.process = std::move(*threads);
    return {};
}

Result<SignatureMapping> mapping_of_graph(SignatureArguments const& arguments,
                                          forecast::MappingQuestion const& question) {
    auto const& [schedule, mapping_file, cv, correlation, law, matrices] = arguments.mapping;
    if (schedule && mapping_file)
        return fail(make_error(ErrorCode::unasked,
                               "--schedule and --mapping both say which thread does which task",
                               "Leave one of them out."));
    auto imported = read_task_graph(arguments.files.front(), arguments.replay.reading);
    if (!imported)
        return pass_on(imported);
    if (mapping_file)
        if (auto const taken = take_mapping(*imported, *mapping_file); !taken)
            return pass_on(taken);
    auto const policy = policy_of(schedule, imported->graph);
    if (!policy)
        return pass_on(policy);
    std::vector<std::uint32_t> threads;
    if (arguments.replay.cpus)
        threads = *arguments.replay.cpus;
    else if (is_pinned(imported->graph) && std::holds_alternative<ready::Explicit>(*policy))
        threads = {pinned_threads(imported->graph)};
    else
        return fail(make_error(ErrorCode::unasked, "a mapping needs numbers of threads",
                               "Such as: parcast signature " + arguments.files.front() + " --cpus 4,16"));
    auto mapping = forecast::mapped_graph(*imported, threads, *policy, question);
    if (mapping && mapping_file)
        mapping->schedule = *mapping_file;
    return mapping;
}

// Ranks are threads, as many as the program has.
Result<void> check_ranks(SignatureArguments const& arguments, std::uint32_t ranks) {
    auto const& cpus = arguments.replay.cpus;
    if (!cpus || (cpus->size() == 1 && cpus->front() == ranks))
        return {};
    return fail(make_error(ErrorCode::unasked,
                           arguments.files.front() + " has " + counted(ranks, "rank") +
                               ", and a rank is a thread: --cpus is for task graphs",
                           "Leave it out; or generate the program for other ranks: parcast help generate"));
}

Result<SignatureMapping> mapping_of_ranks(SignatureArguments const& arguments, Form form,
                                          forecast::MappingQuestion const& question) {
    auto const& file = arguments.files.front();
    if (form == Form::steps) {
        auto const program = read_steps(file);
        if (!program)
            return pass_on(program);
        if (auto const checked = check_ranks(arguments, program->ranks); !checked)
            return pass_on(checked);
        return forecast::mapped_steps(*program, question);
    }
    auto const imported = read_messages(file, {});
    if (!imported)
        return pass_on(imported);
    if (auto const checked = check_ranks(arguments, imported->program.ranks()); !checked)
        return pass_on(checked);
    return forecast::mapped_messages(imported->program, question);
}

// How long it takes, by the same schedule: a list of threads is none.
std::string next_command(SignatureMapping const& mapping, SignatureArguments const& arguments,
                         GivenOptions const& given, Form form) {
    std::vector<std::string> words{"parcast", "predict", mapping.file};
    if (form == Form::task_graph) {
        words.insert(words.end(), {"--cpus", std::to_string(mapping.rows.back().threads.size())});
        if (!arguments.mapping.mapping)
            words.insert(words.end(), {"--schedule", mapping.schedule});
    } else {
        words.insert(words.end(), {"--network", "meiko-cs2"});
    }
    auto const typed = given.next_words();
    words.insert(words.end(), typed.begin(), typed.end());
    return report::command_line(words);
}

Result<SignatureMapping> mapping_of(SignatureArguments const& arguments, GivenOptions const& given) {
    auto const question = question_of(arguments);
    if (!question)
        return pass_on(question);
    auto const form = form_of(arguments.files.front());
    auto mapping = form == Form::task_graph ? mapping_of_graph(arguments, *question)
                                            : mapping_of_ranks(arguments, form, *question);
    if (mapping) {
        mapping->file = arguments.files.front();
        std::string const by_another =
            arguments.mapping.mapping ? " by a schedule, since predict takes no list" : "";
        mapping->notes.push_back("Without a clock nobody is ever blocked. How long it takes" + by_another +
                                 ": " + next_command(*mapping, arguments, given, form));
    }
    return mapping;
}

}  // namespace

int signature_of_mapping(SignatureArguments const& arguments, GivenOptions const& given) {
    auto const mapping = mapping_of(arguments, given);
    if (!mapping)
        return print_failure(mapping.error());
    if (arguments.json)
        return print_result(report::signature_mapping_json(*mapping, version));
    return print_result(report::signature_mapping_text(*mapping, output_layout()));
}

void describe_mapping(OptionTable& options, SignatureArguments& arguments) {
    auto& mapping = arguments.mapping;
    options.section({Form::task_graph});
    options
        .option("--schedule NAME", mapping.schedule, any_text,
                "which thread does which task: block, cyclic, split or pinned. Default: pinned if the "
                "tasks are, else block")
        .completes({"block", "cyclic", "split", "pinned"});
    options.option("--mapping FILE", mapping.mapping, file_name,
                   "the thread of each task, from 0 on, a line each");
    options
        .list("--set NAME=VALUE", arguments.replay.reading.set, any_text,
              "the value of a parameter of the graph, such as k=n/2")
        .for_next_command();
    options
        .option("--unit UNIT", arguments.replay.reading.unit, any_text,
                "the unit of time in STG and Graphviz files: ns (default), us, ms or s")
        .completes({"ns", "us", "ms", "s"})
        .for_next_command();
    options.section({Form::task_graph, Form::steps, Form::messages});
    options.option("--cv X", mapping.cv, number(0.0),
                   "coefficient of variation of a task's work; default: that of the program's tasks");
    options.option("--correlation X", mapping.correlation, number(-1.0, 1.0),
                   "of the work of two tasks; default: 0");
    options.option("--law NAME", mapping.law, any_text,
                   "of the work of a thread, for the expected load imbalance: exponential, uniform, normal, "
                   "erlang:K");
    options.flag("--matrices", mapping.matrices, "the mapping matrices of computation and data, in full");
}

}  // namespace parcast::cli
