// parcast run --plan plan.toml -- PROGRAM: binds the threads of an unmodified program as it creates them, and
// ends as the program does.

#include <algorithm>
#include <csignal>

#include <sys/resource.h>

#include "cli/exit_status.h"
#include "cli/files/files.h"
#include "cli/options/option_values.h"
#include "cli/options/target_machine.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "record/planned_run.h"

namespace parcast::cli {

namespace {

struct RunArguments {
    std::vector<std::string> command;
    std::string plan;
    std::vector<unsigned> cpu_ids;  // empty: all that parcast may use

    friend bool operator==(RunArguments const&, RunArguments const&) = default;
};

// Whoever waits for parcast sees what it would see of the program. The core file is the program's.
void die_by(int signal) {
    rlimit const no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

int run(RunArguments const& arguments) {
    if (arguments.plan.empty())
        return print_failure(
            make_error(ErrorCode::unasked, "run needs a plan",
                       "parcast bind FILE --cpus 4 -o plan.toml writes one; then: parcast run "
                       "--plan plan.toml -- PROGRAM"));
    auto const plan = read_thread_plan(arguments.plan);
    if (!plan)
        return print_failure(plan.error());
    auto const run = record::run_planned(*plan, arguments.command, arguments.cpu_ids);
    if (!run)
        return print_failure(run.error());
    std::ranges::for_each(run->notices, print_notice);
    if (run->end.death_signal)
        die_by(*run->end.death_signal);
    return record::shell_status(run->end);
}

void describe_options(OptionTable& options, RunArguments& arguments) {
    options.program(arguments.command);
    options
        .option("--plan FILE", arguments.plan, file_name,
                "on which CPUs its threads run, and how urgent they are: docs/formats/plan.md")
        .completes_files(".toml");
    options.option(
        "--cpu-ids LIST", arguments.cpu_ids, parse_cpu_ids,
        "the CPUs of this machine that are the plan's CPUs 0, 1, ..., such as 0,2,4,6; the program "
        "runs on these alone. Default: all that it may use");
}

}  // namespace

Verb const run_verb{
    .name = "run",
    .example = "run --plan plan.toml -- ./solver",
    .summary = "run a program with its threads bound by a plan",
    .examples = R"(
  parcast run --plan plan.toml -- pigz -p 8 -k big.tar
  parcast run --plan plan.toml --cpu-ids 0,2,4,6 -- ./solver input.txt
)",
    .description = R"(
Binds and ranks the threads of an unmodified program as it creates them, as a plan says: one of
bind -o, or your own. Its output, signals and exit status stay its own. It needs no privileges; what
the system refuses is reported, and the program goes on.
)",
    .exit_status =
        "otherwise the status of the program, or its signal; 3 the plan is missing or damaged; 125 parcast "
        "could not run it; 126 it is not executable; 127 it was not found",
    .see_also = "bind record",
    .prepare = prepared<RunArguments, describe_options, run>,
};

}  // namespace parcast::cli
