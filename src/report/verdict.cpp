#include "report/verdict.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "report/causes.h"
#include "report/format.h"
#include "report/names.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double worth_a_sentence = 0.05;  // share of the processor time
constexpr double nearly_always = 0.9;      // a thread that runs longer than this is what the rest waits for

std::string cpus_text(std::uint32_t cpus) {
    return counted(cpus, "CPU");
}

Row const* run_on(Answer const& prediction, std::uint32_t cpus) {
    auto const found = std::find_if(prediction.rows.begin(), prediction.rows.end(),
                                    [&](Row const& run) { return run.cpus == cpus && !run.run.deadlock; });
    return found == prediction.rows.end() ? nullptr : &*found;
}

// Of the first count that did not return enough. Only next to one CPU does it say that the program does not
// scale: between one and a distant count, the CPUs that were not predicted may do better.
std::string extent_from_one(Row const& run) {
    std::string const gain =
        fmt::format("{} are {} times as fast as one", cpus_text(run.cpus), speed_up_text(run.speed_up));
    return run.cpus == 2
               ? "Does not scale: " + gain + "."
               : gain + ": on average, each returns " + percent_text(run.efficiency) + " of its time.";
}

// What to ask for to know the counts in between; empty if nothing was left out.
std::string counts_to_add(Scaling const& scaling) {
    if (scaling.scales_to != 1 || scaling.first_beyond.value_or(2) == 2)
        return {};
    std::string counts = "1";
    for (std::uint64_t cpus = 2; cpus < *scaling.first_beyond; cpus *= 2)
        counts += fmt::format(",{}", cpus);
    return fmt::format("How far it scales: --cpus {},{}", counts, *scaling.first_beyond);
}

std::string extent(Answer const& prediction) {
    auto const& [scales_to, first_beyond] = prediction.scaling;
    if (!first_beyond) {
        return fmt::format(
            "Scales to {}, the most that was predicted: each CPU added returned at least half "
            "of its time.",
            cpus_text(scales_to));
    }
    if (scales_to == 1)
        return extent_from_one(*run_on(prediction, *first_beyond));
    return fmt::format(
        "Scales to {}: of the CPUs added beyond, up to {}, each returns {}less than half of its time.",
        cpus_text(scales_to), *first_beyond, *first_beyond > 2 * scales_to ? "on average " : "");
}

std::string loss_text(Limit const& loss, std::uint32_t cpus, Catalogue const& catalogue) {
    std::string const share = percent_text(loss.share);
    std::string const object = loss.object.is_none() ? "" : shown(catalogue, loss.object);
    std::string const on = cpus_text(cpus);
    auto const waiting_for = [&](std::string const& many) {
        return fmt::format("On {} {} of the processor time is lost to waiting for {}.", on, share,
                           object.empty() ? many : object);
    };
    switch (loss.cause) {
        case Cause::lock: return waiting_for("locks, none of which stands out");
        case Cause::condition:
            return waiting_for("conditions, semaphores and barriers, none of which stands out");
        case Cause::input_output: return waiting_for("input and output");
        case Cause::joining: return waiting_for("threads to end");
        case Cause::sleeping:
            return fmt::format("On {} {} of the processor time is lost to sleeping.", on, share);
        case Cause::no_thread:
            return fmt::format("On {} {} of the processor time finds no thread to run.", on, share);
        case Cause::ready:
            return fmt::format(
                "On {} {} of the processor time is lost while threads are ready but not yet on a CPU: "
                "wake-ups, placement, affinity.",
                on, share);
        case Cause::slowed:
            return fmt::format(
                "On {} {} of the processor time is lost because busy CPUs slow each other down: the "
                "machine's "
                "rates.",
                on, share);
        case Cause::spinning:
            return fmt::format("On {} {} of the processor time is spun away while threads wait for {}.", on,
                               share, object.empty() ? "each other" : object);
        case Cause::overhead:
            return fmt::format(
                "On {} {} of the processor time goes to switching, waking and creating threads.", on, share);
        case Cause::busy: break;
    }
    return {};
}

Verdict threads_table_of(std::string question, std::uint32_t cpus, Answer const& prediction) {
    return {
        {std::move(question)},
        fmt::format("parcast predict {} --cpus {} --threads-table", command_line({prediction.file}), cpus)};
}

bool is_nearly_always_busy(Row const& run) {
    return run.busiest && run.busiest->share >= nearly_always;
}

Verdict advice_for_more_threads(Row const& run, Answer const& prediction) {
    std::size_t const threads = prediction.recording().catalogue.threads.size();
    if (threads > run.cpus) {
        return threads_table_of(
            fmt::format(
                "It makes {} threads, but not all of them are there all the time. When each begins and "
                "ends:",
                threads),
            run.cpus, prediction);
    }
    // One thread that does all the work is not relieved by others.
    if (threads > 1 && is_nearly_always_busy(run) && run.speed_up < 1 / nearly_always)
        return threads_table_of("What each thread does:", run.cpus, prediction);
    // A program that was shown this many CPUs already has made its choice.
    if (prediction.recording().provenance.pretended_cpus.value_or(1) < static_cast<std::int64_t>(run.cpus)) {
        char const* const question =
            threads == 1 ? "It has one thread. If it makes one for each CPU that it sees, show it more:"
                         : "If the program makes a thread for each CPU that it sees, show it more:";
        return {{question},
                fmt::format("parcast record --pretend-cpus {} -- {}", run.cpus,
                            command_line(prediction.recording().provenance.command))};
    }
    return threads == 1 ? Verdict{{"The process has one thread: no number of CPUs helps it."}, {}}
                        : Verdict{{"Try: record the program with more threads."}, {}};
}

// What to try about a loss, the command last.
Verdict advice(Limit const& loss, Row const& run, Answer const& prediction) {
    switch (loss.cause) {
        case Cause::lock:
            return {{"Try: hold it for less time, or put several locks in its place. How long it is held:"},
                    "parcast info " + command_line({prediction.file})};
        case Cause::condition:
        case Cause::joining:
            return threads_table_of(
                "Try: give the threads that are waited for less to do at a time. What each of them does:",
                run.cpus, prediction);
        case Cause::input_output:
            return {{"Try: read ahead, or spread the input and output over more threads."}, {}};
        case Cause::no_thread: return advice_for_more_threads(run, prediction);
        case Cause::slowed:
            return {
                {prediction.recording().machine.memory_share > 0
                     ? "Try: touch less memory for each step of the work. How much of it is limited by "
                       "memory is "
                       "what memory_share in [rates] of the machine file says."
                     : "No change of the program helps against that: its work is taken to be limited by the "
                       "processors. If memory limits it, say how much in memory_share in [rates] of the "
                       "machine "
                       "file."},
                {}};
        case Cause::spinning:
        case Cause::overhead: return {{"Try: larger pieces of work, or fewer threads."}, {}};
        case Cause::ready:
            return threads_table_of(
                "Try: fewer hand-overs between threads, or none bound to one CPU. Who is ready "
                "and has to wait:",
                run.cpus, prediction);
        case Cause::sleeping: return threads_table_of("Who sleeps, and how long:", run.cpus, prediction);
        case Cause::busy: break;
    }
    return {};
}

std::string busiest_text(Row const& run, Catalogue const& catalogue) {
    if (!is_nearly_always_busy(run))
        return {};
    return fmt::format("There {} runs {} of the time: no number of CPUs makes the program faster than it.",
                       shown(catalogue, run.busiest->thread), percent_text(run.busiest->share));
}

}  // namespace

Verdict verdict(Answer const& prediction) {
    std::uint32_t last = 0;
    for (auto const& run : prediction.rows)
        last = run.run.deadlock ? last : run.cpus;
    if (last <= 1 || !prediction.recording().time_on_one)
        return {};
    Verdict whole{{extent(prediction), counts_to_add(prediction.scaling)}, {}};
    std::uint32_t const at = prediction.scaling.first_beyond.value_or(last);
    Row const& run = *run_on(prediction, at);
    if (auto const loss = largest_loss(run.limits, worth_a_sentence)) {
        Verdict remedy = advice(*loss, run, prediction);
        whole.sentences.push_back(loss_text(*loss, at, prediction.recording().catalogue));
        whole.sentences.push_back(busiest_text(run, prediction.recording().catalogue));
        whole.sentences.insert(whole.sentences.end(), remedy.sentences.begin(), remedy.sentences.end());
        whole.next_command = std::move(remedy.next_command);
    }
    std::erase(whole.sentences, std::string());
    return whole;
}

}  // namespace parcast::report
