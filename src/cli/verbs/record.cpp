#include "cli/verbs/record.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <utility>

#include "cli/exit_status.h"
#include "cli/options/option_values.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "cli/version.h"
#include "measure/affinity.h"
#include "measure/ending_signals.h"
#include "record/trace_files.h"
#include "report/record.h"
#include "study/bare_price.h"
#include "study/measured_runs.h"
#include "study/memory_sensing.h"
#include "study/repeated_recording.h"
#include "study/wake_ups.h"

namespace parcast::cli {

namespace {

// The recorder takes a page for what it knows of the process, and then pieces of a MiB.
constexpr std::uint64_t smallest_recording_bytes = 2U << 20;

// The recorder keeps the frames of so many functions a thread.
constexpr unsigned most_call_depth = 64;

Result<std::uint64_t> parse_max_size(std::string const& text) {
    auto const bytes = parse_size(text);
    if (bytes && *bytes < smallest_recording_bytes)
        return fail(ErrorCode::unasked, "\"" + text + "\" holds no event: 2M is the least");
    return bytes;
}

Result<Duration> parse_sampling_period(std::string const& text) {
    constexpr Duration shortest{100'000};
    constexpr Duration longest{1'000'000'000};
    auto const period = parse_duration(text);
    if (period && (*period < shortest || *period > longest))
        return fail(ErrorCode::unasked, "\"" + text + "\" is not between 0.1ms and 1s");
    return period;
}

// The recording is whole without it.
void add_memory(record::RecordingRequest const& request, study::RepeatableInput const& input,
                record::RecordedRun& run, Listener const& tell) {
    auto const sensed = study::sense_memory(request, run, input);
    if (!sensed) {
        tell({Notice::Kind::warning, "the memory was not sensed: " + describe(sensed.error()),
              sensed.error().advice});
        return;
    }
    for (auto& image : run.images)
        image.timeline.provenance.memory = *sensed;
}

// Likewise, with the recorder's own price.
std::optional<EventPrice> add_price(record::RecordingRequest const& request,
                                    study::RepeatableInput const& input, record::RecordedRun& run,
                                    Listener const& tell) {
    tell({Notice::Kind::progress, "running the program without the recorder, for the price of an event"});
    auto price = study::price_by_bare_runs(request, run, input);
    if (price)
        return *price;
    tell({Notice::Kind::warning, "the price of an event was not measured: " + describe(price.error()),
          price.error().advice});
    return std::nullopt;
}

// The main image gets it: it alone is compared with a whole run.
void add_measured(record::RecordingRequest const& request, study::RepeatableInput const& input,
                  std::vector<std::uint32_t> const& cpus, record::RecordedRun& run, Listener const& tell) {
    if (!run.images.front().is_main)
        return;
    auto measured = study::measure_again(request, run, input, cpus);
    if (measured)
        run.images.front().timeline.provenance.measured = std::move(*measured);
    else
        tell({Notice::Kind::warning, "nothing was measured: " + describe(measured.error()),
              measured.error().advice});
}

int record(RecordArguments const& arguments) {
    record::TraceOutput const output{
        arguments.output, arguments.force ? record::FormerTrace::replace : record::FormerTrace::keep};
    if (auto const reason = record::reason_not_to_write(output))
        return print_failure(*reason);
    auto const input = study::RepeatableInput::of_this_process();
    if (arguments.runs_again() && !input)
        return print_failure(input.error());
    Progress progress;
    Listener const tell = print_notices(progress);
    record::RecordingRequest const request{arguments.command,
                                           arguments.cpu,
                                           arguments.pretend_cpus,
                                           {},
                                           arguments.time_limit,
                                           arguments.max_bytes,
                                           version,
                                           tell,
                                           record::SignalsAreFor::program,
                                           record::EventsLie::in_raw_files,
                                           arguments.call_depth,
                                           arguments.sample,
                                           arguments.memory_map};
    auto const measured_cpus = arguments.measure_cpus.value_or(std::vector<std::uint32_t>{2});
    if (arguments.measure)
        if (auto const checked = study::check_measurable(request, measured_cpus); !checked)
            return print_failure(checked.error());
    auto run = arguments.repeat > 1 ? study::record_repeatedly(request, arguments.repeat, *input)
                                    : record::run_recorded(request);
    if (!run)
        return print_failure(run.error());
    std::optional<measure::EndingSignals> held_back;  // until the traces are written
    std::optional<EventPrice> event_price;
    if (!run->images.empty()) {
        held_back.emplace();
        if (auto const wake_ups = study::sense_wake_ups())
            for (auto& image : run->images)
                image.timeline.provenance.wake_ups = *wake_ups;
    }
    if (arguments.runs_again() && !run->images.empty()) {
        if (arguments.bare_run)
            event_price = add_price(request, *input, *run, tell);
        if (arguments.sense_memory)
            add_memory(request, *input, *run, tell);
        if (arguments.measure)
            add_measured(request, *input, measured_cpus, *run, tell);
    }

    std::string const further_folder = record::write_traces(*run, output, tell);
    progress.clear();
    auto const next = record::most_worthwhile(run->images);
    RecordAnswer const answer{arguments.command,
                              run->cpu,
                              run->end.exit_status,
                              run->end.death_signal,
                              std::move(run->images),
                              std::move(run->unseen),
                              further_folder,
                              next,
                              measure::allowed_cpus().size(),
                              std::move(event_price),
                              run->end.others_share,
                              run->recordings};
    if (arguments.json)
        std::fputs(report::record_json(answer, version).c_str(), stderr);
    else
        std::ranges::for_each(report::record_notices(answer), print_notice);
    if (answer.images.empty()) {
        print_error(std::string("nothing was recorded: ") +
                        (answer.death_signal ? "a signal ended the program before the recorder started in "
                                             : "the recorder did not start in ") +
                        run->program,
                    "See \"When nothing is recorded\" in docs/record.md.");
    }
    return run->end.stopped ? int{exit_time_limit} : record::shell_status(run->end);
}

void describe_options(OptionTable& options, RecordArguments& arguments) {
    options.program(arguments.command);
    options
        .option(
            "-o, --output FILE", arguments.output, file_name,
            "write the trace to FILE, in which %p is the process, %h the host and %e the program; default: "
            "%e.%p.parcast in the working directory. Other processes get files of their own")
        .typed_only();
    options.flag("--force", arguments.force, "replace an existing FILE").needs("--output");
    options.option("--pretend-cpus N", arguments.pretend_cpus, number(1U, most_cpus),
                   "let the program see N CPUs, so that it creates the threads for them");
    options.option("--cpu K", arguments.cpu, number(0U, most_cpus - 1),
                   "run on CPU K; default: the highest one allowed");
    options.option("--time-limit TIME", arguments.time_limit, parse_duration,
                   "end the program after TIME (30s, 2m, 1h); what it did until then is kept");
    options.option("--max-size SIZE", arguments.max_bytes, parse_max_size,
                   "record at most SIZE (500M, 2G) per process, in memory, about 8 bytes per event; then the "
                   "program runs on unrecorded. Default: what this machine has room for");
    options.option(
        "--sample TIME", arguments.sample, parse_sampling_period,
        "look after each TIME (1ms; 0.1ms to 1s) of CPU time which function runs, so that info and "
        "advise know the functions of any program");
    options.option(
        "--call-depth N", arguments.call_depth, number(0U, most_call_depth),
        "of a program built with -finstrument-functions, tell calls apart down to depth N; default: "
        "16. 0: do not record its functions");
    options.flag("--memory-map", arguments.memory_map,
                 "record how threads change the map of the program's memory, which the kernel lets one of "
                 "them do at a time, and which of them touch pages first: for programs that allocate much "
                 "at once, or write all over common memory. Needs perf_event_open");
    options.option("--repeat N", arguments.repeat, number(1U, study::most_recordings),
                   "record the program N times and keep the recording that others disturbed least: on a busy "
                   "host. What it prints after the first time is thrown away");
    options.flag("--sense-memory", arguments.sense_memory,
                 "run the program again, once if it takes 5 s, else up to 14 times, beside CPUs that move "
                 "memory, so that predictions know what busy memory does to it. What it prints then is "
                 "thrown away, and its exit status is that of the first run");
    options.flag(
        "--bare-run", arguments.bare_run,
        "run the program three more times without the recorder, so that the price of an event is that "
        "of this program; for programs with millions of locks. What it prints then is thrown away");
    options.flag(
        "--measure", arguments.measure,
        "after recording, run the program without the recorder on one CPU and on two, in turn, three "
        "to five times each or for some 5 s, so that predict tells whether its prediction holds "
        "there. What the program prints then is thrown away; whatever else it does it does again");
    options
        .option("--measure-cpus LIST", arguments.measure_cpus, parse_cpu_list,
                "measure on these numbers of CPUs beside one, such as 2,4; default: 2")
        .needs("--measure");
    options.flag("--json", arguments.json,
                 "report as JSON, on standard error: standard output is the program's");
}

}  // namespace

Verb const record_verb{
    .name = "record",
    .example = "record -- pigz -p 8 -k big.tar",
    .summary = "run a program on one CPU and record its threads",
    .examples = R"(
  parcast record -- pigz -p 8 -k big.tar
  parcast record -o eight.parcast --pretend-cpus 8 -- ./solver input.txt
  parcast record --time-limit 2m --max-size 500M -- ./server --threads 16
  parcast record --sense-memory -- ./stencil 4000
  parcast record --measure -- ./solver 8
)",
    .description = R"(
Runs a program on one CPU and records what its threads do. The program is any dynamically linked
Linux program, unmodified and without privileges. Its output, signals and exit status stay its own.
)",
    .exit_status =
        "otherwise the status of the program; 128 + signal if a signal killed it; 124 its time limit ended "
        "it; "
        "125 parcast could not record it; 126 it is not executable; 127 it was not found",
    .see_also = "info predict",
    .prepare = prepared<RecordArguments, describe_options, record>,
};

}  // namespace parcast::cli
