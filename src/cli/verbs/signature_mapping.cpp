// parcast signature GRAPH --cpus 4,16: the static analysis of a mapping, without a clock.

#include "cli/exit_status.h"
#include "cli/options/option_values.h"
#include "cli/terminal.h"
#include "cli/verbs/signature.h"

namespace parcast::cli {

int signature_of_mapping(SignatureArguments const& /*arguments*/) {
    return print_failure(make_error(ErrorCode::unsupported, "static analysis is not there yet",
                                    "From recordings: parcast signature FOLDER"));
}

void describe_mapping(OptionTable& options, SignatureArguments& arguments) {
    auto& mapping = arguments.mapping;
    options.section({Form::task_graph});
    options.option("--schedule NAME", mapping.schedule, any_text,
                   "which thread does which task: block, cyclic, split or pinned. Default: pinned if the "
                   "tasks are, else block");
    options.option("--mapping FILE", mapping.mapping, file_name,
                   "the thread of each task, from 0 on, a line each");
    options.option("--cv X", mapping.cv, number(0.0),
                   "coefficient of variation of a task's work; default: that of the graph's tasks");
    options.option("--correlation X", mapping.correlation, number(-1.0, 1.0),
                   "of the work of two tasks; default: 0");
    options.list("--set NAME=VALUE", arguments.replay.reading.set, any_text,
                 "the value of a parameter of the graph, such as k=n/2");
    options.option("--unit UNIT", arguments.replay.reading.unit, any_text,
                   "the unit of time in STG and Graphviz files: ns (default), us, ms or s");
    options.section({Form::task_graph, Form::steps, Form::messages});
    options.option("--law NAME", mapping.law, any_text,
                   "of the work of a thread, for the expected load imbalance: exponential, uniform, normal, "
                   "erlang:K");
    options.flag("--matrices", mapping.matrices, "the mapping matrices of computation and data, in full");
}

}  // namespace parcast::cli
