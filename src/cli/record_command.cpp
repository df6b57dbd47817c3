#include "cli/record_command.h"

#include <utility>

#include "cli/exit_status.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/record_report.h"
#include "cli/version.h"
#include "record/trace_files.h"

namespace parcast::cli {

int record(RecordArguments const& arguments) {
    if (auto const reason = record::reason_not_to_write(arguments.output))
        return print_failure(*reason);
    Progress progress;
    Listener const tell = print_notices(progress);
    auto run = record::run_recorded({arguments.command,
                                     arguments.cpu,
                                     arguments.pretend_cpus,
                                     {},
                                     arguments.time_limit,
                                     arguments.max_bytes,
                                     version,
                                     tell});
    if (!run)
        return print_failure(run.error());

    std::string const further_folder = record::write_traces(*run, arguments.output, tell);
    progress.clear();
    RecordReport const report{arguments.command,      run->cpu,      run->end, std::move(run->images),
                              std::move(run->unseen), further_folder};
    if (arguments.json)
        print_report_as_json(report);
    else
        print_report(report);
    if (report.images.empty()) {
        print_error("nothing was recorded: the recorder did not start in " + run->program,
                    "See \"When nothing is recorded\" in docs/record.md.");
    }
    return run->end.stopped ? int{exit_time_limit} : record::shell_status(run->end);
}

}  // namespace parcast::cli
