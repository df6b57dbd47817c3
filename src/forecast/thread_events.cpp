#include "forecast/thread_events.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "analysis/event_counts.h"
#include "analysis/event_times.h"
#include "analysis/findings.h"
#include "core/function_name.h"
#include "core/path.h"
#include "extract/extract.h"
#include "forecast/replays.h"
#include "forecast/sensed_memory.h"
#include "forecast/thread_plan.h"
#include "program/checked_program.h"
#include "simulate/simulate.h"

namespace parcast::forecast {

namespace {

using analysis::EventCounts;
using analysis::EventTimes;
using analysis::ThreadEventCounts;

constexpr std::uint32_t most_cpus_of_machine = 65536;
constexpr std::int64_t usual_steps = 64;  // of the profile, at least

SignaturePlace named_place(analysis::EventPlace const& place, Catalogue const& catalogue) {
    SignaturePlace named;
    named.events = place.events;
    if (place.site.is_none() && place.object.is_none() && place.kind == EventKind::thread_begin) {
        named.call = "begins and ends of threads";
        return named;
    }
    named.call = name_of(place.kind);
    if (!place.object.is_none() && place.object.index() < catalogue.objects.size()) {
        auto const& object = catalogue.objects[place.object.index()];
        named.object = name_of(object.kind) + std::string(object.name.empty() ? "" : " " + object.name);
    }
    if (place.site.is_none() || place.site.index() >= catalogue.sites.size())
        return named;
    auto const& frames = catalogue.sites[place.site.index()].frames;
    if (frames.empty() || frames.front().function.empty()) {
        named.function = display_name(catalogue, place.site);
        return named;
    }
    named.function = short_function_name(frames.front().function);
    named.file = frames.front().line == 0 ? "" : file_name(frames.front().file);
    named.line = frames.front().line;
    return named;
}

// Events of threads whose work is handed out anew in the replay belong to who does that work there: in
// proportion to the operations that each has. REQUIRES: the program is as it was replayed.
bool share_out_anew(ThreadProgram const& program, EventCounts& counts) {
    if (!program.other || program.other->kind != HandOuts::recorded)
        return false;
    std::vector<std::size_t> changed;
    for (ThreadId const taker : program.other->takers)
        if (taker.index() < counts.threads.size())
            changed.push_back(taker.index());
    double all = 0;
    ThreadEventCounts sum;
    for (auto const thread : changed) {
        auto const& each = counts.threads[thread];
        all += static_cast<double>(program.lists[thread].size());
        sum.events += each.events;
        sum.writes += each.writes;
        sum.reads += each.reads;
        sum.calls += each.calls;
        sum.data_bytes += each.data_bytes;
        sum.active_ns += each.active_ns;
        sum.communicating_ns += each.communicating_ns;
        sum.writing_ns += each.writing_ns;
        sum.write_wait_ns += each.write_wait_ns;
        sum.read_wait_ns += each.read_wait_ns;
    }
    double before = 0;
    for (auto const thread : changed) {
        auto const first = before / all;
        before += static_cast<double>(program.lists[thread].size());
        auto const last = before / all;
        auto const part = [&](std::int64_t whole) {
            auto const at = [&](double share) { return std::llround(share * static_cast<double>(whole)); };
            return at(last) - at(first);
        };
        auto const share = last - first;
        counts.threads[thread] = {.events = part(sum.events),
                                  .writes = part(sum.writes),
                                  .reads = part(sum.reads),
                                  .calls = part(sum.calls),
                                  .data_bytes = part(sum.data_bytes),
                                  .active_ns = share * sum.active_ns,
                                  .communicating_ns = share * sum.communicating_ns,
                                  .writing_ns = share * sum.writing_ns,
                                  .write_wait_ns = part(sum.write_wait_ns),
                                  .read_wait_ns = part(sum.read_wait_ns)};
    }
    return !changed.empty();
}

double ns_of(Duration duration) {
    return static_cast<double>(duration.ns);
}

ThreadSignature thread_signature(ThreadEventCounts const& counted, analysis::ThreadEventTimes const& times,
                                 ThreadAccount const& account, Duration length) {
    ThreadSignature row;
    row.events = std::max<std::int64_t>(1, counted.events);
    row.writes = counted.writes;
    row.reads = counted.reads;
    row.data_bytes = static_cast<double>(counted.data_bytes);
    auto const running = ns_of(account[ThreadState::running]);
    auto const inside = std::clamp(counted.communicating_ns, 0.0, running);
    row.active_ns = running - inside;
    row.communicating_ns = inside + ns_of(times.creating) + ns_of(times.resuming);
    row.algorithmic_ns = ns_of(times.algorithmic);
    // What an account does not charge of the time on a shared processor is waiting for one.
    row.outside_ns = ns_of(length - (account.ended - account.created));
    row.other_blocking_ns = std::max(
        0.0, ns_of(length) - row.active_ns - row.communicating_ns - row.algorithmic_ns - row.outside_ns);
    auto const waits = static_cast<double>(counted.write_wait_ns + counted.read_wait_ns);
    auto const delayed_in_writes =
        waits > 0 ? ns_of(times.delayed) * static_cast<double>(counted.write_wait_ns) / waits : 0;
    auto const writing = std::min(counted.writing_ns, inside);
    row.writing_ns = writing + ns_of(times.creating) + delayed_in_writes;
    row.reading_ns = std::max(0.0, row.communicating_ns - writing - ns_of(times.creating)) +
                     row.algorithmic_ns + row.other_blocking_ns - delayed_in_writes;
    return row;
}

// At least a hundredth of the mean work.
void count_threads(RecordingSignature& signature) {
    auto const threads = static_cast<double>(signature.rows.size());
    auto const work_of = [](ThreadSignature const& row) { return row.active_ns + row.communicating_ns; };
    double work = 0;
    for (auto const& row : signature.rows)
        work += work_of(row);
    for (auto& row : signature.rows) {
        row.is_counted = work_of(row) * 100 * threads >= work;
        signature.threads += row.is_counted ? 1 : 0;
    }
}

void add_totals(RecordingSignature& signature, std::vector<ThreadEventCounts> const& counted) {
    for (std::size_t thread = 0; thread < signature.rows.size(); ++thread) {
        auto const& row = signature.rows[thread];
        signature.events += row.events;
        signature.calls += counted[thread].calls;
        signature.active_ns += row.active_ns;
        signature.work_ns += row.active_ns + row.communicating_ns;
        signature.data_bytes += row.data_bytes;
    }
}

// The share that calls took of the time on processors, which a replay does not tell apart.
void add_profile(RecordingSignature& signature, EventTimes const& times, Duration length) {
    double running = 0;
    for (auto const& thread : times.threads())
        running += ns_of(thread.running);
    auto const active_share = running > 0 ? signature.active_ns / running : 0;
    auto const threads = static_cast<double>(signature.rows.size());
    for (auto const& step : times.profile(length)) {
        auto const active = step.running * active_share;
        auto const communicating = step.communicating + step.running - active;
        signature.profile.push_back({static_cast<double>(step.begin_ns), active, communicating,
                                     std::max(0.0, threads - active - communicating)});
    }
}

constexpr std::size_t most_waits = 5;

void add_waits(RecordingSignature& signature, Accounts const& accounts, Catalogue const& catalogue) {
    for (std::size_t i = 0; i < accounts.objects.size(); ++i) {
        auto const object = ObjectId(i);
        auto const kind = catalogue.objects[i].kind;
        bool const is_lock = kind == ObjectKind::mutex || kind == ObjectKind::spin_lock ||
                             kind == ObjectKind::reader_writer_lock;
        if (accounts.objects[i].waiting.ns > 0)
            signature.waits.push_back(
                {display_name(catalogue, object), ns_of(accounts.objects[i].waiting), is_lock});
    }
    std::ranges::stable_sort(signature.waits, std::ranges::greater{}, &SignatureWait::waiting_ns);
    signature.waits.resize(std::min(signature.waits.size(), most_waits));
}

Duration first_step(ThreadProgram const& program) {
    std::int64_t longest = 0;
    for (auto const& list : program.lists) {
        std::int64_t work = 0;
        for (Operation const& operation : list)
            work += operation.work_ns;
        longest = std::max(longest, work);
    }
    return {std::max<std::int64_t>(1, longest / usual_steps)};
}

// The run of the model that can replay the program, with its intervals handed over.
struct TimedRun {
    Run run;
    simulate::Pairing pairing;
};

Result<TimedRun> timed_run(ThreadProgram& program, Machine const& machine,
                           ThreadEventsQuestion const& question, IntervalSink const& sink) {
    std::array const machines{machine};
    auto replays = replay_under(question.replay.model, program, machines, question.workers);
    if (!replays)
        return pass_on(replays);
    if (replays->runs.front().deadlock)
        return fail(make_error(ErrorCode::impossible,
                               "the replay with " + std::to_string(machine.cpus) +
                                   " CPUs deadlocks: there are no times of events",
                               "What a replay takes for granted: docs/replay.md."));
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto run = simulate::run(*checked, machine, {.intervals = &sink, .pairing = replays->pairing});
    if (!run)
        return pass_on(run);
    return TimedRun{std::move(*run), replays->pairing};
}

}  // namespace

void add_run(RecordingSignature& signature, EventCounts const& counts, EventTimes const& times,
             Accounts const& accounts, Catalogue const& catalogue) {
    signature.time_ns = ns_of(accounts.completion);
    for (std::size_t thread = 0; thread < counts.threads.size(); ++thread) {
        auto row = thread_signature(counts.threads[thread], times.threads()[thread], accounts.threads[thread],
                                    accounts.completion);
        row.thread = ThreadId(thread);
        row.name = display_name(catalogue, row.thread);
        signature.rows.push_back(std::move(row));
    }
    count_threads(signature);
    add_totals(signature, counts.threads);
    add_profile(signature, times, accounts.completion);
    add_waits(signature, accounts, catalogue);
    for (auto const& place : counts.places)
        if (place.events > 0)
            signature.places.push_back(named_place(place, catalogue));
}

namespace {

// What events cost in a replay of the program, a CPU for each thread if none are named.
Result<void> add_replay(RecordingSignature& signature, ThreadProgram& program, EventCounts counts,
                        TargetMachine const& target, ThreadEventsQuestion const& question) {
    auto const threads = static_cast<std::uint32_t>(program.lists.size());
    signature.cpus = question.cpus.value_or(std::min(threads, most_cpus_of_machine));
    if (target.plan) {
        if (auto const planned = apply_plan(*target.plan, target.plan_file, {signature.cpus}, program);
            !planned)
            return pass_on(planned);
    }
    auto const machine = with_cpus(target.shape, signature.cpus);
    signature.machine = machine_basis(target, signature.cpus).name;
    EventTimes times(threads, program.catalogue, first_step(program));
    IntervalSink const sink = [&](Interval const& interval) { times.add(interval); };
    auto const timed = timed_run(program, machine, question, sink);
    if (!timed)
        return pass_on(timed);
    signature.model = name_of(timed->pairing);
    counts.threads.resize(threads);
    if (share_out_anew(program, counts))
        signature.notes.emplace_back(
            "work is handed out at run time: the events of the threads that take it are shared out as the "
            "replay shares the work (--tasks recorded keeps them where they were)");
    add_run(signature, counts, times, timed->run.accounts, program.catalogue);
    return {};
}

}  // namespace

Result<RecordingSignature> signature_of_recording(std::string const& file, Timeline recorded,
                                                  TargetMachine const& target,
                                                  ThreadEventsQuestion const& question) {
    RecordingSignature signature;
    signature.file = file;
    signature.command = recorded.provenance.command;
    signature.is_cut_short = recorded.provenance.cut.has_value();
    signature.findings = analysis::findings(recorded);
    auto counts = analysis::count_events(recorded, question.same_event);
    extract::ExtractionOptions options;
    options.assignment = question.replay.tasks == HandedOutWork::recorded ? extract::Assignment::recorded
                                                                          : extract::Assignment::anew;
    auto const sensed = with_sensed_memory(target, recorded.provenance);
    auto program = extract::program_from(std::move(recorded), options);
    if (!program)
        return fail(with_code(ErrorCode::inconsistent, program.error(),
                              "What is in the recording: parcast info " + file));
    if (auto const timed = add_replay(signature, *program, std::move(counts), sensed, question); !timed)
        return pass_on(timed);
    signature.catalogue = std::move(program->catalogue);
    return signature;
}

}  // namespace parcast::forecast
