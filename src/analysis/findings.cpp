#include "analysis/findings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "analysis/hidden_hand_outs.h"
#include "analysis/kernel_time.h"
#include "analysis/libc_locks.h"
#include "analysis/one_cpu_seen.h"
#include "analysis/timed_teams.h"
#include "analysis/uneven_phases.h"
#include "analysis/uneven_regions.h"
#include "analysis/user_space_waits.h"
#include "core/catalogue.h"
#include "core/counted.h"
#include "core/path.h"
#include "core/percent_text.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

constexpr double tolerated_mismatch = 0.01;
constexpr Duration negligible_mismatch{2'000'000};
// If a run went on unrecorded: with less of it recorded, nothing is concluded.
constexpr double least_share_to_conclude = 0.5;
// What the kernel spends on beginning and ending a thread lies outside its first and last event; 33 us were
// measured for the 226 threads of an example.
constexpr Duration unseen_in_each_thread{50'000};

bool is_notable(Duration difference, Duration whole) {
    return difference > negligible_mismatch &&
           to_real(difference).ns > tolerated_mismatch * to_real(whole).ns;
}

// cut_short() says how much is missing.
bool goes_on_unrecorded(Provenance const& provenance) {
    return provenance.cut && provenance.cut->reason != CutReason::time_limit;
}

std::string reason_text(Provenance const& provenance) {
    switch (provenance.cut->reason) {
        case CutReason::time_limit: return "The program was ended at its time limit";
        case CutReason::size_limit: return "The recording reached its largest size";
        case CutReason::no_space: return "The recording could not grow any more";
        case CutReason::sandbox:
            return "The program restricted its own system calls (seccomp), and the recording ended,";
        case CutReason::ticks_forbidden:
            return "The program forbade itself to read the time stamp counter (PR_SET_TSC), and the "
                   "recording "
                   "ended,";
        case CutReason::shared_thread:
            return "The program made a process that shares the variables of one of its threads (clone), and "
                   "the "
                   "recording ended,";
        case CutReason::clock_failed:
            return "The system stopped giving the CPU time of a thread, and the recording ended,";
        case CutReason::unrecorded_program:
            return "The process went on as " + provenance.replaced_by.value_or("another program") +
                   " (exec), of which there is no recording,";
    }
    return "The recording was cut";
}

std::string advice_text(CutReason reason) {
    switch (reason) {
        case CutReason::time_limit: return "";
        case CutReason::size_limit:
            return " Record with a larger --max-size, or let the program do less: a tenth of its work, or "
                   "fewer and "
                   "larger steps.";
        case CutReason::no_space:
            return " Events are kept in /dev/shm, or in $TMPDIR or /tmp, until the program ends. Either that "
                   "was full: "
                   "set TMPDIR to a folder with more space. Or files may not be so large (ulimit -f), or "
                   "programs may not map so much memory (ulimit -v): raise that limit. "
                   "Or the program could not reach it any more, since it changed its user or its root folder "
                   "(chroot): "
                   "let it do that later, or not at all, while it is recorded.";
        case CutReason::sandbox:
            return " The recorder needs system calls that may be forbidden now, so it leaves the program "
                   "alone: "
                   "switch its sandbox off while it is recorded.";
        case CutReason::ticks_forbidden:
            return " The recorder reads that counter at every event, so it leaves the program alone: let the "
                   "program keep it while it is recorded.";
        case CutReason::shared_thread:
            return " The calls of that process cannot be told from those of the thread: make a thread or "
                   "fork "
                   "instead while it is recorded.";
        case CutReason::clock_failed:
            return " Allow the program the system call clock_gettime: a container or a sandbox may forbid "
                   "it.";
        case CutReason::unrecorded_program:
            return " That program may run as another user or in another root folder, and cannot write to "
                   "parcast's; or it has no dynamic loader, or an environment of its own: record it itself.";
    }
    return "";
}

std::optional<Finding> cut_short(Provenance const& provenance) {
    if (!provenance.cut)
        return std::nullopt;
    Cut const& cut = *provenance.cut;
    Duration const recorded{provenance.wall_ns};
    Duration const run{std::max(cut.run_ns, provenance.wall_ns)};
    double const share = to_real(recorded).ns / std::max(1.0, to_real(run).ns);
    std::string message = reason_text(provenance) + " after " + time_text(recorded);
    if (goes_on_unrecorded(provenance)) {
        message += " of " + time_text(run) + ": the recording and every prediction cover the first " +
                   percent_text(share) + " of the run" +
                   (provenance.lost_events > 0
                        ? ", and " + counted(provenance.lost_events, "event", "events") + " are missing."
                        : ".");
    } else {
        message += ": the recording and every prediction cover what it did until then.";
    }
    return Finding{FindingKind::cut_short,
                   Severity::warning,
                   message + advice_text(cut.reason),
                   ThreadId::none(),
                   SiteId::none(),
                   goes_on_unrecorded(provenance) && share < least_share_to_conclude};
}

// Shares of the CPU time: spinning is worth a word, and a prediction is that of another program.
constexpr double notable_spinning = 0.01;
constexpr double ruinous_spinning = 0.1;

// By samples: all threads together, at the place of the one that did it most.
std::optional<Finding> sampled_spinning(Timeline const& recorded) {
    BusyWait const* most = nullptr;
    std::int64_t threads = 0;
    Duration all;
    for (BusyWait const& wait : recorded.provenance.busy_waits) {
        if (wait.cpu_ns == 0)
            continue;
        ++threads;
        all += Duration{wait.cpu_ns};
        if (!most || wait.cpu_ns > most->cpu_ns)
            most = &wait;
    }
    double const share = recorded.provenance.cpu_ns > 0
                             ? to_real(all).ns / static_cast<double>(recorded.provenance.cpu_ns)
                             : 0;
    if (share < notable_spinning)
        return std::nullopt;
    auto const first = display_name(recorded.catalogue, most->thread);
    return Finding{
        FindingKind::busy_waiting,
        Severity::warning,
        (threads == 1 ? first + " waits" : std::to_string(threads) + " threads (" + first + " most) wait") +
            " by running: samples found " + time_text(all) + ", " + percent_text(share) +
            " of the CPU time, in loops with the instruction PAUSE. This waiting is counted as work, and a "
            "replay does not know what it waits for. Let the program block on a condition or semaphore "
            "instead, after a shorter loop at most.",
        threads == 1 ? most->thread : ThreadId::none(),
        most->site,
        share > ruinous_spinning};
}

void add_busy_waiting(Timeline const& recorded, std::vector<Finding>& result) {
    for (BusyWait const& wait : recorded.provenance.busy_waits) {
        if (wait.cpu_ns > 0)
            continue;
        std::string const who =
            wait.thread.is_none() ? "A thread" : display_name(recorded.catalogue, wait.thread);
        result.push_back(
            {FindingKind::busy_waiting, Severity::warning,
             who + " was seen waiting by running, " + time_text(Duration{wait.at_ns}) +
                 " into the recording, while others needed the CPU: a loop that changes nothing. "
                 "Its waiting is counted as work, and a replay does not know what it waits for, so "
                 "predictions are wrong. Let the program block on a condition or semaphore instead.",
             wait.thread, wait.site, true});
    }
    if (auto found = sampled_spinning(recorded))
        result.push_back(std::move(*found));
}

std::optional<Module> module_among(Provenance const& provenance,
                                   std::initializer_list<std::string_view> names) {
    for (Module const& module : provenance.modules) {
        std::string const file = file_name(module.path);
        bool const is_listed = std::any_of(names.begin(), names.end(),
                                           [&](std::string_view name) { return file.starts_with(name); });
        if (is_listed)
            return module;
    }
    return std::nullopt;
}

std::optional<Module> gnu_openmp(Provenance const& provenance) {
    return module_among(provenance, {"libgomp.so", "libgomp-"});
}

std::optional<Module> other_openmp(Provenance const& provenance) {
    return module_among(provenance, {"libomp.so", "libomp5", "libiomp5.so"});
}

// Where the recording ended early, or an OpenMP runtime made one thread, that is why.
std::optional<Finding> no_events(Provenance const& provenance, Survey const& survey) {
    if (survey.has_calls || goes_on_unrecorded(provenance))
        return std::nullopt;
    bool const has_openmp = gnu_openmp(provenance) || other_openmp(provenance);
    return Finding{
        FindingKind::no_events, Severity::warning,
        std::string(
            "No call that synchronises, waits or does I/O was recorded, so the program is one piece of "
            "work.") +
            (has_openmp ? ""
                        : " If it has threads, they do not use the C library's calls (Go, for instance, "
                          "does not)."),
        ThreadId::none(), SiteId::none()};
}

std::optional<Finding> lost_events(Provenance const& provenance, Survey const& survey) {
    std::int64_t const lost = provenance.lost_events;
    if (lost == 0 || goes_on_unrecorded(provenance))
        return std::nullopt;
    return Finding{
        FindingKind::lost_events, Severity::warning,
        counted(lost, "event was", "events were") + " lost, " +
            percent_text(static_cast<double>(lost) /
                         static_cast<double>(lost + event_count(survey.profile))) +
            " of all: what waits for them may be predicted wrong. Common reasons are a full disk, calls made "
            "in signal handlers, and with --memory-map changes that come faster than parcast reads them; "
            "events are kept in /dev/shm or in $TMPDIR until the program ends: give the one that has more "
            "space.",
        ThreadId::none(), SiteId::none()};
}

// A program that had made no thread yet when it was killed may have been about to.
std::optional<Finding> killed(Timeline const& recorded) {
    Provenance const& provenance = recorded.provenance;
    bool const ended_by_itself =
        !provenance.death_signal && (provenance.ended_regularly || provenance.replaced_by);
    if (provenance.cut || ended_by_itself)
        return std::nullopt;  // of a cut one cut_short() says it
    if (!provenance.death_signal && provenance.exit_status)
        return Finding{FindingKind::killed, Severity::note,
                       "The program ended by a system call of its own, with status " +
                           std::to_string(*provenance.exit_status) +
                           ": what it did after its last recorded call is missing.",
                       ThreadId::none(), SiteId::none()};
    bool const had_one_thread = recorded.catalogue.threads.size() <= 1;
    std::string const message =
        provenance.death_signal
            ? "The program was killed by signal " + std::to_string(*provenance.death_signal) +
                  ": the recording and every prediction cover what it did until then."
            : "The recording has no end mark: the program was killed, or the recorder "
              "was. Predictions cover what was recorded until then.";
    return Finding{
        FindingKind::killed,
        Severity::warning,
        message + (had_one_thread ? " It had one thread; what would have followed is not known." : ""),
        ThreadId::none(),
        SiteId::none(),
        had_one_thread};
}

// "libgomp.so.1+0x1cc40", or its name where the runtime has symbols. They wait for the next region until the
// process ends.
bool is_worker_of_openmp(Thread const& thread) {
    constexpr std::array runtimes = {"libgomp.so", "libgomp-", "gomp_thread_start"};
    return std::ranges::any_of(runtimes, [&](char const* name) { return thread.function.starts_with(name); });
}

// A signal ends all threads wherever they are: that the process was killed says it.
std::optional<Finding> threads_alive(Timeline const& recorded, Survey const& survey) {
    if (recorded.provenance.death_signal || recorded.provenance.cut)
        return std::nullopt;
    ThreadId first = ThreadId::none();
    std::int64_t alive = 0;
    for (ThreadProfile const& thread : survey.profile.threads) {
        if (thread.alive_at_exit && !is_worker_of_openmp(recorded.catalogue.threads[thread.thread.index()])) {
            first = alive == 0 ? thread.thread : first;
            ++alive;
        }
    }
    if (alive == 0)
        return std::nullopt;
    return Finding{
        FindingKind::threads_alive, Severity::note,
        counted(alive, "thread had", "threads had") + " not ended when the process did (the first is " +
            display_name(recorded.catalogue, first) +
            "). A prediction stops them where they stopped then; if they still had work to do, join "
            "them before the program ends.",
        alive == 1 ? first : ThreadId::none(), SiteId::none()};
}

// Compared with the process's CPU clock at its last call; without one, with what wait4 reported.
std::optional<Finding> cpu_time_mismatch(Provenance const& provenance, Survey const& survey) {
    if (!provenance.ended_regularly && !provenance.rusage_cpu_ns)
        return std::nullopt;
    Duration const truth{provenance.ended_regularly ? provenance.cpu_ns : *provenance.rusage_cpu_ns};
    Duration const attributed = survey.cpu();
    Duration const difference{std::abs((attributed - truth).ns)};
    Duration const unseen =
        attributed < truth ? unseen_in_each_thread * std::ssize(survey.profile.threads) : Duration{};
    if (!is_notable(difference - unseen, truth))
        return std::nullopt;
    char const* const direction = attributed < truth ? " less" : " more";
    return Finding{FindingKind::cpu_time_mismatch, Severity::warning,
                   "The threads account for " + time_text(attributed) + " of CPU time, " +
                       time_text(difference) + direction + " than the " + time_text(truth) +
                       " that the system charged to the process: work is missing or counted twice. "
                       "Record again; if it stays, force another clock (see docs/recording.md).",
                   ThreadId::none(), SiteId::none()};
}

// The kernel takes a process apart after its last call: mostly its memory.
std::optional<Finding> cpu_time_after_the_end(Provenance const& provenance) {
    if (!provenance.ended_regularly || !provenance.rusage_cpu_ns)
        return std::nullopt;
    Duration const charged{*provenance.rusage_cpu_ns};
    Duration const after = charged - Duration{provenance.cpu_ns};
    if (!is_notable(after, charged))
        return std::nullopt;
    return Finding{FindingKind::cpu_time_mismatch, Severity::note,
                   "The system charged the process " + time_text(after) +
                       " of CPU time after its last call, as it freed its memory: they are in no prediction.",
                   ThreadId::none(), SiteId::none()};
}

std::optional<Finding> recording_dominates(Provenance const& provenance, Survey const& survey) {
    double const share = survey.recording_cost_ns / std::max(1.0, to_real(survey.cpu()).ns);
    if (share < notable_recording_cost)
        return std::nullopt;
    if (share > 1) {
        return Finding{
            FindingKind::recording_cost,
            Severity::warning,
            "Recording took more than the CPU time that this recording has: it is too short to tell the "
            "program's work from the recorder's.",
            ThreadId::none(),
            SiteId::none(),
            true};
    }
    return Finding{
        FindingKind::recording_cost, Severity::warning,
        "Recording took " + percent_text(share) + " \u00b1 " +
            percent_text(share * provenance.event_cost_uncertainty) +
            " of the CPU time. It is taken out of the work, which is uncertain by as much; and threads met "
            "each other at other times than without it.",
        ThreadId::none(), SiteId::none()};
}

std::optional<Finding> openmp_runtime(Timeline const& recorded) {
    Provenance const& provenance = recorded.provenance;
    if (auto const module = other_openmp(provenance)) {
        return Finding{
            FindingKind::openmp_runtime, Severity::warning,
            "The program uses OpenMP (" + file_name(module->path) +
                "). Regions and barriers of this runtime are not recorded: if it runs any, what "
                "they wait for is missing, and predictions may be too fast, or too slow. Built with gcc, the "
                "program uses "
                "libgomp, which is recorded.",
            ThreadId::none(), SiteId::none()};
    }
    if (auto const module = gnu_openmp(provenance)) {
        return Finding{
            FindingKind::openmp_runtime, Severity::note,
            "The program uses OpenMP (" + file_name(module->path) +
                "). Its regions, barriers, loops, critical sections and tasks are recorded. If it uses them: "
                "taskwait, taskgroup (the end of a taskloop, too), ordered, doacross and regions inside "
                "regions are not waited for.",
            ThreadId::none(), SiteId::none()};
    }
    return std::nullopt;
}

// The runtime of Haskell (GHC) is part of the program: its lock, and what its threads begin with.
std::optional<Finding> runtime_of_haskell(Catalogue const& catalogue) {
    bool const has_lock =
        std::ranges::find(catalogue.objects, "all_tasks_mutex", &Object::name) != catalogue.objects.end();
    bool const has_thread =
        std::ranges::find(catalogue.threads, "workerStart", &Thread::function) != catalogue.threads.end();
    if (!has_lock || !has_thread)
        return std::nullopt;
    Finding found{
        FindingKind::static_locks, Severity::warning,
        "The program uses the runtime of Haskell (GHC), which hands its work to its threads by means that "
        "leave "
        "no trace: on one CPU one thread may do what several share on more, and predictions are too slow "
        "then. With +RTS -N its threads meet for each collection of garbage: they wait there by running, and "
        "on several CPUs that takes longer than on one. Predictions may be too fast by that.",
        ThreadId::none(), SiteId::none()};
    found.may_wait_less = true;
    return found;
}

std::optional<Finding> static_locks(Provenance const& provenance) {
    auto const module = module_among(provenance, {"libtbb.so", "libgo.so", "libgo-", "libtbb_debug.so",
                                                  "libitm.so", "liburcu.so", "liburcu-"});
    if (!module)
        return std::nullopt;
    return Finding{FindingKind::static_locks, Severity::warning,
                   "The program uses " + file_name(module->path) +
                       ", whose waits do not go through the C library: what threads wait for there is "
                       "seen in part or not at all.",
                   ThreadId::none(), SiteId::none()};
}

std::optional<Finding> clock_fallback(Provenance const& provenance) {
    if (provenance.clock != ClockMethod::thread_clock)
        return std::nullopt;
    return Finding{
        FindingKind::clock_fallback, Severity::warning,
        "Neither rseq nor perf_event_open was available, so the thread clock was read at every event: an "
        "event cost " +
            time_text(Duration{static_cast<std::int64_t>(std::llround(provenance.event_cost_ns))}) +
            ". Short critical sections are disturbed. With glibc 2.35 or later, do not "
            "set glibc.pthread.rseq=0 in GLIBC_TUNABLES.",
        ThreadId::none(), SiteId::none()};
}

std::optional<Finding> replaced(Provenance const& provenance) {
    bool const is_recorded = !provenance.cut || provenance.cut->reason != CutReason::unrecorded_program;
    if (!provenance.replaced_by || !is_recorded)
        return std::nullopt;
    return Finding{FindingKind::replaced, Severity::note,
                   "The process went on as " + *provenance.replaced_by +
                       " (exec): that part is in a recording of its own, with the same process number.",
                   ThreadId::none(), SiteId::none()};
}

// A program that failed before it made a thread mostly did nothing of what it is for.
std::optional<Finding> exit_status(Timeline const& recorded) {
    auto const status = recorded.provenance.exit_status.value_or(0);
    if (status == 0)
        return std::nullopt;
    bool const had_one_thread = recorded.catalogue.threads.size() <= 1;
    return Finding{FindingKind::exit_status,
                   had_one_thread ? Severity::warning : Severity::note,
                   "The program ended with exit status " + std::to_string(status) +
                       ": if that means that it failed, it may not have done its work.",
                   ThreadId::none(),
                   SiteId::none(),
                   had_one_thread};
}

// Of the CPU time of all processes while this one ran: from so much on, its prediction is not that of the
// job.
constexpr double notable_share_of_others = 0.05;
constexpr Duration negligible_others{20'000'000};  // `date` in a shell takes 2 ms, most of it to start

std::optional<Finding> other_processes_at_work(Provenance const& provenance, Duration own) {
    Duration const others{provenance.others_cpu_ns.value_or(0)};
    double const share = to_real(others).ns / std::max(1.0, to_real(others + own).ns);
    if (others < negligible_others || share < notable_share_of_others)
        return std::nullopt;
    return Finding{FindingKind::further_processes,
                   Severity::warning,
                   "Other processes of this job used " + time_text(others) +
                       " of CPU time while this one ran, " + percent_text(share) +
                       " of all: they are in no prediction of this one, and how the processes of a job run "
                       "beside each other on several CPUs is not predicted.",
                   ThreadId::none(),
                   SiteId::none(),
                   true};
}

// A child may have no recording, and wait for others in turn: psql for its server.
std::optional<Finding> waits_for_other_processes(Provenance const& provenance, Duration by_all_threads) {
    // While another thread works, its time is the process's own.
    Duration const waited = std::min(by_all_threads, Duration{provenance.wall_ns - provenance.cpu_ns});
    double const share = to_real(waited).ns / std::max(1.0, to_real(Duration{provenance.wall_ns}).ns);
    if (waited < negligible_others || share < notable_share_of_others)
        return std::nullopt;
    return Finding{FindingKind::further_processes,
                   Severity::warning,
                   "This process waited " + time_text(waited) + " for its children, " + percent_text(share) +
                       " of the recorded time: how long these take on several CPUs is not predicted.",
                   ThreadId::none(),
                   SiteId::none(),
                   true};
}

std::optional<Finding> further_processes(Provenance const& provenance, Survey const& survey) {
    if (auto at_work = other_processes_at_work(provenance, survey.cpu()))
        return at_work;
    if (auto waits = waits_for_other_processes(provenance, survey.waited_for_children))
        return waits;
    if (survey.children == 0 && !survey.waits_for_children)
        return std::nullopt;
    std::string const started = survey.children == 0
                                    ? "further processes"
                                    : counted(survey.children, "further process", "further processes");
    return Finding{FindingKind::further_processes, Severity::note,
                   "The process started " + started +
                       ". The work of other processes is in recordings of their own, and in no prediction of "
                       "this one; where this one waits for them, it waits as long as in the recording.",
                   ThreadId::none(), SiteId::none()};
}

void add(std::optional<Finding> finding, std::vector<Finding>& result) {
    if (finding)
        result.push_back(std::move(*finding));
}

}  // namespace

std::vector<Finding> findings(Timeline const& recorded, Survey const& survey) {
    Provenance const& provenance = recorded.provenance;
    std::vector<Finding> result;
    add(no_events(provenance, survey), result);
    add_busy_waiting(recorded, result);
    add_spin_findings(recorded, survey, result);
    add_hidden_hand_outs(recorded.catalogue, survey, result);
    add_uneven_phases(recorded.catalogue, survey, result);
    add_uneven_regions(recorded.catalogue, survey, result);
    add_timed_teams(recorded.catalogue, survey, result);
    add(cut_short(provenance), result);
    add(lost_events(provenance, survey), result);
    add(killed(recorded), result);
    add(cpu_time_mismatch(provenance, survey), result);
    add(recording_dominates(provenance, survey), result);
    add(kernel_time(recorded, survey.file_ns, survey.inside_ns), result);
    add(cpu_time_after_the_end(provenance), result);
    add(user_space_synchronisation(recorded, survey), result);
    add_libc_locks(recorded, survey, result);
    add(openmp_runtime(recorded), result);
    add(one_cpu_seen(recorded, survey), result);
    add(runtime_of_haskell(recorded.catalogue), result);
    add(static_locks(provenance), result);
    add(clock_fallback(provenance), result);
    add(threads_alive(recorded, survey), result);
    add(exit_status(recorded), result);
    add(further_processes(provenance, survey), result);
    add(replaced(provenance), result);
    std::stable_sort(result.begin(), result.end(),
                     [](Finding const& a, Finding const& b) { return a.severity > b.severity; });
    return result;
}

std::vector<Finding> findings(Timeline const& recorded) {
    return findings(recorded, survey(recorded));
}

}  // namespace parcast::analysis
