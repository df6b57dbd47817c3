#include "cli/verbs/measured_side.h"

#include <algorithm>
#include <utility>

#include "cli/files/files.h"
#include "core/counted.h"
#include "core/path.h"
#include "trace/scheduled/perf_sched.h"

namespace parcast::cli {

namespace {

ComparedSide side_of_measurement(std::string const& file, std::string const& program,
                                 trace::ScheduledProgram const& measured) {
    ComparedSide side;
    side.file = file;
    side.origin = SideOrigin::measured;
    if (measured.lost > 0)
        side.doubts.push_back("perf lost " + count_text(measured.lost) +
                              " events; what threads do meanwhile is guessed");
    if (!measured.ended)
        side.doubts.push_back("threads of " + program + " go on beyond the end of the measurement");
    side.is_doubtful = !side.doubts.empty();
    return side;
}

// The names of the recording, where the threads are surely the same.
Catalogue catalogue_of_measurement(trace::ScheduledProgram const& measured, Catalogue const& recorded) {
    auto catalogue =
        measured.catalogue.threads.size() == recorded.threads.size() ? recorded : measured.catalogue;
    catalogue.objects.clear();
    return catalogue;
}

Timeline timeline_of_measurement(trace::ScheduledProgram& measured) {
    Timeline timeline;
    timeline.origin = Origin::recorded;
    timeline.cpus = measured.accounts.cpus;
    timeline.length = measured.accounts.completion;
    timeline.intervals = std::move(measured.intervals);
    // It wandered over more CPUs than it had at once: there are not as many lanes.
    if (measured.cpu_numbers.size() > measured.accounts.cpus) {
        std::ranges::fill(timeline.intervals->cpu, CpuId::none());
        measured.cpu_numbers.clear();
    }
    return timeline;
}

}  // namespace

Result<MeasuredSide> read_measured_side(std::string const& file, Timeline const& recorded,
                                        std::optional<std::uint32_t> cpus) {
    auto const text = read_text(file);
    if (!text)
        return pass_on(text);
    auto const& command = recorded.provenance.command;
    auto const program = command.empty() ? std::string() : parcast::file_name(command.front());
    auto measured = trace::scheduled_program_from_perf(*text, file, {program, cpus});
    if (!measured)
        return pass_on(measured);
    MeasuredSide side;
    side.answers.side = side_of_measurement(file, program, *measured);
    side.run.catalogue = catalogue_of_measurement(*measured, recorded.catalogue);
    side.run.run.timeline = timeline_of_measurement(*measured);
    side.run.run.accounts = measured->accounts;
    side.run.facts = {file, command, measured->accounts.cpus, std::move(measured->cpu_numbers)};
    RecordingBasis basis;
    basis.catalogue = side.run.catalogue;
    Answer answer;
    answer.file = file;
    answer.basis = std::move(basis);
    Row row;
    row.cpus = measured->accounts.cpus;
    row.time_ns = to_real(measured->accounts.completion).ns;
    row.run.accounts = std::move(measured->accounts);
    answer.rows.push_back(std::move(row));
    side.answers.answers.push_back(std::move(answer));
    return side;
}

}  // namespace parcast::cli
