#include "answer/run_sentences.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "answer/finding.h"
#include "answer/lock_cycle.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/three_digits.h"
#include "core/time_text.h"

namespace parcast {

namespace {

constexpr double worth_splitting = 0.1;  // of the time: a part that one thread runs alone

std::string referring(char const* kind, std::uint32_t id) {
    return "{" + std::string(kind) + " " + std::to_string(id) + "}";
}

bool is_nearly_always(std::optional<BusiestThread> const& busiest) {
    return busiest && busiest->share >= nearly_always;
}

std::string threads_text(std::size_t threads) {
    return counted(static_cast<std::int64_t>(threads), "thread");
}

std::string cpus_text(std::uint32_t cpus) {
    return counted(cpus, "CPU");
}

std::string pretending(std::uint32_t cpus) {
    return "parcast record --pretend-cpus " + std::to_string(cpus) + " -- {command}";
}

std::string words_to_run_again(Circumstances const& circumstances) {
    return circumstances.has_files ? " (remove first what it wrote):" : ":";
}

// How to record more threads. `sentence` goes before it, and may be empty.
Sentence record_more_threads(std::string const& sentence, std::uint32_t threads,
                             Circumstances const& circumstances) {
    if (circumstances.is_written())
        return {sentence + "Try: write it with more threads."};
    if (circumstances.starts_others)
        return {sentence + "Its other processes have recordings of their own."};
    if (circumstances.is_child)
        return {sentence +
                "If it makes a thread for each CPU that it sees, record the program that started it "
                "with --pretend-cpus " +
                std::to_string(threads) + "."};
    std::string const again = words_to_run_again(circumstances);
    if (circumstances.is_told_its_threads)
        return {sentence + "If {argument} in its command is the number of its threads, raise it" + again,
                PageTable::none, "parcast record -- {command " + std::to_string(threads) + "}"};
    return {sentence + "If it makes a thread for each CPU that it sees, show it more" + again,
            PageTable::none, pretending(threads)};
}

// What many objects of a cause are, together.
char const* objects_of(Cause cause) {
    switch (cause) {
        case Cause::lock: return "locks";
        case Cause::condition: return "conditions, semaphores and barriers";
        case Cause::spinning: return "each other";
        default: return "input and output";
    }
}

// "{object 5}", "locks, none of which stands out", "conditions, semaphores and barriers, 11 % for {object 2}"
std::string awaited_text(Loss const& loss) {
    std::string const many = objects_of(loss.cause);
    bool const has_names = loss.cause == Cause::lock || loss.cause == Cause::condition;
    if (!loss.main_object)
        return has_names ? many + ", none of which stands out" : many;
    std::string const object = reference(loss.main_object->object);
    std::string const share = percent_text(loss.main_object->share);
    return share == percent_text(loss.share) ? object : many + ", " + share + " for " + object;
}

std::string loss_text(Loss const& loss, std::uint32_t cpus) {
    auto const lead = on_cpus(cpus) + " " + percent_text(loss.share) + " of the processor time ";
    switch (loss.cause) {
        case Cause::lock:
        case Cause::condition:
        case Cause::input_output: return lead + "is lost to waiting for " + awaited_text(loss) + ".";
        case Cause::joining: return lead + "is lost to waiting for threads to end.";
        case Cause::sleeping: return lead + "is lost to sleeping.";
        case Cause::no_thread: return lead + "finds no thread to run.";
        case Cause::ready:
            return lead +
                   "is lost while threads are ready but not yet on a CPU: wake-ups, placement, affinity.";
        case Cause::carrier: return lead + "is lost while threads are ready but no LWP is free to run them.";
        case Cause::slowed:
            return lead + "is lost because busy CPUs slow each other down: the machine's rates.";
        case Cause::spinning: return lead + "is spun away while threads wait for " + awaited_text(loss) + ".";
        case Cause::overhead: return lead + "goes to switching, waking and creating threads.";
        case Cause::communicating:  // answer/message_sentences.h
        case Cause::message:
        case Cause::busy: break;
    }
    return {};
}

Sentence where_it_runs(RunFacts const& run) {
    if (!run.busiest)
        return {"No thread runs in it.", PageTable::threads};
    if (is_nearly_always(run.busiest))
        return {bottleneck_text(run.busiest)};
    return {reference(run.busiest->thread) + " runs longest: " + percent_text(run.busiest->share) +
            " of the time."};
}

// Of what many objects lose together, the largest part.
Sentence largest_part(RunFacts const& run, Cause cause) {
    Limit const* largest = nullptr;
    for (auto const& limit : run.limits)
        if (limit.cause == cause && !limit.object.is_none() &&
            (largest == nullptr || limit.processor_time > largest->processor_time))
            largest = &limit;
    if (largest == nullptr)
        return {"Which objects are waited for, and how long:", PageTable::objects};
    return {"The largest part, " + percent_text(largest->share) + ", is " + reference(largest->object) + "."};
}

Sentence place_of(RunFacts const& run, ObjectId object) {
    if (!run.main_site)
        return {"How it is used is in its row: " + reference(object) + ".", PageTable::objects};
    return {percent_text(run.main_site->share) + " of the waiting for " + reference(object) + " begins at " +
            reference(run.main_site->site) + "."};
}

Sentence who_is_awaited(RunFacts const& run) {
    if (!run.most_awaited)
        return where_it_runs(run);
    return {reference(run.most_awaited->thread) +
            " is waited for longest: " + time_text(run.most_awaited->time) + "."};
}

Sentence longest_in(RunFacts const& run, ThreadState state, char const* does) {
    Duration most{0};
    auto which = ThreadId::none();
    auto const& threads = run.accounts.threads;
    for (std::size_t thread = 0; thread < threads.size(); ++thread) {
        if (threads[thread][state] > most) {
            most = threads[thread][state];
            which = ThreadId(thread);
        }
    }
    if (which.is_none())
        return where_it_runs(run);
    return {reference(which) + " " + does + " longest: " + time_text(most) + "."};
}

std::optional<Alone> worth_splitting_in(RunFacts const& run) {
    if (!run.concurrency || !run.concurrency->longest_alone ||
        run.concurrency->longest_alone->share <= worth_splitting)
        return std::nullopt;
    return run.concurrency->longest_alone;
}

// While one thread runs alone, all other CPUs find none.
Sentence who_runs_alone(RunFacts const& run) {
    auto const alone = worth_splitting_in(run);
    if (!alone || is_nearly_always(run.busiest))
        return where_it_runs(run);
    return {reference(alone->thread) + " runs alone for " + percent_text(alone->share) + " of the time."};
}

Sentence where_of(RunFacts const& run, Loss const& loss) {
    switch (loss.cause) {
        case Cause::lock:
        case Cause::condition:
        case Cause::input_output:
        case Cause::spinning:
            return loss.main_object ? place_of(run, loss.main_object->object) : largest_part(run, loss.cause);
        case Cause::joining: return who_is_awaited(run);
        case Cause::ready:
        case Cause::carrier: return longest_in(run, ThreadState::ready, "is ready but not on a CPU");
        case Cause::sleeping: return longest_in(run, ThreadState::sleeping, "sleeps");
        case Cause::overhead:
            return {counted(run.accounts.context_switches, "switch", "switches") + " between threads, " +
                        counted(run.accounts.migrations, "move") + " to another CPU.",
                    PageTable::threads};
        case Cause::no_thread: return who_runs_alone(run);
        case Cause::slowed:
        case Cause::communicating:
        case Cause::message:
        case Cause::busy: break;
    }
    return where_it_runs(run);
}

// There are more threads than CPUs, and CPUs that find none of them.
Sentence attempt_for_idle_threads(RunFacts const& run) {
    auto const cpus = run.cpus;
    auto const makes = "It makes " + threads_text(run.threads);
    if (!run.concurrency)
        return {makes + ", but they do not all run at once. When each begins and ends:", PageTable::threads};
    if (run.concurrency->most < cpus)
        return {makes + ", but at most " + threads_text(run.concurrency->most) +
                    " at a time can run. When each begins and ends:",
                PageTable::threads};
    if (auto const alone = worth_splitting_in(run))
        return {"Try: split what " + reference(alone->thread) +
                " does alone: no number of CPUs shortens that " + percent_text(alone->share) +
                " of the time."};
    return {"For " + percent_text(run.concurrency->share_below_cpus) + " of the time fewer than " +
                cpus_text(cpus) + " have a thread to run. When:",
            PageTable::parallelism};
}

Sentence attempt_for_more_threads(RunFacts const& run, Circumstances const& circumstances) {
    auto const cpus = run.cpus;
    if (run.threads > cpus)
        return attempt_for_idle_threads(run);
    // One thread that does all the work is not relieved by others.
    if (run.threads > 1 && is_nearly_always(run.busiest) && run.speed_up < 1 / nearly_always)
        return {"What each thread does:", PageTable::threads};
    // A program that was shown this many CPUs already has made its choice.
    if (circumstances.is_told_its_threads || circumstances.shown_cpus < static_cast<std::int64_t>(cpus))
        return record_more_threads(run.threads == 1 ? "It has one thread. " : "", cpus, circumstances);
    return {run.threads == 1 ? "The process has one thread: no number of CPUs helps it."
                             : "Try: record the program with more threads."};
}

// Where no CPU is lost: more of them, unless a thread that always runs would not be faster for it.
Sentence next_step(RunFacts const& run, Circumstances const& circumstances) {
    auto const cpus = run.cpus;
    if (cpus == 1)
        return {"Try: choose more CPUs. On some number of them something begins to limit it."};
    bool const can_run_again = !circumstances.is_written() && !circumstances.is_child;
    if (!is_nearly_always(run.busiest) && !can_run_again)
        return {"Nothing limits it yet: choose more CPUs."};
    if (!is_nearly_always(run.busiest))
        return {"Nothing limits it yet: choose more CPUs. Whether real CPUs do as well:", PageTable::none,
                "parcast scale --measure -- {scaled}"};
    if (circumstances.is_told_its_threads || circumstances.shown_cpus < 2 * std::int64_t{cpus})
        return record_more_threads("More CPUs need more threads, with less to do for each. ", 2 * cpus,
                                   circumstances);
    return {"Try: more threads, with less to do for each.", PageTable::threads};
}

Sentence attempt_against(Loss const& loss, RunFacts const& run, Circumstances const& circumstances) {
    switch (loss.cause) {
        case Cause::lock:
            if (!loss.main_object)
                return {"Try: take locks less often, or hold each for less time. The locks by contention:",
                        PageTable::objects};
            return {"Try: hold it for less time, or put several locks in its place. How long it is held:",
                    PageTable::objects};
        case Cause::condition:
        case Cause::joining:
            return {"Try: give the threads that are waited for less to do at a time. What each of them does:",
                    PageTable::threads};
        case Cause::input_output:
            if (circumstances.starts_others)
                return {"It may wait for its other processes, which have recordings of their own."};
            return {"Try: read ahead, or spread the input and output over more threads.", PageTable::objects};
        case Cause::no_thread: return attempt_for_more_threads(run, circumstances);
        case Cause::slowed:
            return {circumstances.memory_share > 0
                        ? "Try: touch less memory for each step of the work. How much of it is limited by "
                          "memory was sensed by record --sense-memory, or is what memory_share in [rates] of "
                          "the machine file says."
                        : "No change of the program helps against that: its work is taken to be limited by "
                          "the processors. Whether memory limits it: parcast record --sense-memory."};
        case Cause::spinning:
        case Cause::overhead: return {"Try: larger pieces of work, or fewer threads.", PageTable::threads};
        case Cause::carrier: return {"Try: more LWPs, with --lwps, such as one for each CPU."};
        case Cause::ready:
            return {
                "Try: fewer hand-overs between threads, or none bound to one CPU. Who is ready and has "
                "to wait:",
                PageTable::threads};
        case Cause::sleeping: return {"Who sleeps, and how long:", PageTable::threads};
        case Cause::communicating:
        case Cause::message:
        case Cause::busy: break;
    }
    return {};
}

// Only next to one CPU does it say that the program does not scale: between one and a distant count, the CPUs
// that were not predicted may do better.
std::string extent_from_one(std::uint32_t cpus, double speed_up) {
    auto const gain = cpus_text(cpus) + " are " + speed_up_text(speed_up) + " times as fast as one";
    return cpus == 2 ? "Does not scale: " + gain + "."
                     : gain + ": an efficiency of " + percent_text(speed_up / cpus) + ".";
}

}  // namespace

std::string extent_text(Scaling const& scaling, double speed_up_beyond) {
    auto const& [scales_to, first_beyond] = scaling;
    auto const extent = "Scales to " + cpus_text(scales_to);
    if (!first_beyond)
        return extent +
               ", the most that was predicted: each added CPU brings at least half of what one CPU does.";
    if (scales_to == 1)
        return extent_from_one(*first_beyond, speed_up_beyond);
    return extent + ": from there to " + count_text(*first_beyond) + ", each added CPU brings " +
           (*first_beyond > 2 * scales_to ? "on average " : "") + "less than half of what one CPU does.";
}

std::string reference(ThreadId thread) {
    return referring("thread", thread.value);
}
std::string reference(ObjectId object) {
    return referring("object", object.value);
}
std::string reference(SiteId site) {
    return referring("site", site.value);
}

std::string on_cpus(std::uint32_t cpus) {
    return "On " + cpus_text(cpus);
}

std::optional<Loss> notable_loss(std::span<Limit const> limits) {
    return largest_loss(limits, worth_a_sentence);
}

std::string nothing_lost_text(std::uint32_t cpus) {
    return cpus == 1 ? "On 1 CPU nothing is lost that more CPUs would not lose too."
                     : on_cpus(cpus) + " hardly anything is lost: no cause takes more than " +
                           percent_text(worth_a_sentence) + " of the processor time.";
}

std::string bottleneck_text(std::optional<BusiestThread> const& busiest) {
    if (!is_nearly_always(busiest))
        return {};
    return "There " + reference(busiest->thread) + " runs " + percent_text(busiest->share) +
           " of the time: no number of CPUs makes the program faster than it.";
}

std::string stuck_text(StuckThread const& stuck) {
    auto text = reference(stuck.thread) + " waits for ";
    if (!stuck.object.is_none())
        text += reference(stuck.object);
    else
        text += stuck.awaited_thread.is_none() ? "any thread to end" : reference(stuck.awaited_thread);
    if (!stuck.holder.is_none())
        text += ", held by " + reference(stuck.holder);
    return stuck.site.is_none() ? text : text + ", at " + reference(stuck.site);
}

std::string lock_cycle_text(Deadlock const& deadlock) {
    auto const cycle = lock_cycle(deadlock);
    if (cycle.empty())
        return {};
    std::string text;
    ObjectId held = cycle.back().object;
    for (StuckThread const& stuck : cycle) {
        text += (text.empty() ? "" : ", ") + reference(stuck.thread) + " holds " + reference(held) +
                " and wants " + reference(stuck.object);
        held = stuck.object;
    }
    return text +
           ": the program itself can hang like this, unless it takes one of these locks on a condition (as "
           "the "
           "first of several readers does).";
}

std::string model_word(std::string_view name) {
    std::string word(name);
    std::ranges::replace(word, '_', '-');
    return word;
}

std::string deadlock_text(std::uint32_t cpus, std::string_view model, Deadlock const& deadlock) {
    return on_cpus(cpus) + " the " + model_word(model) + " model deadlocks after " +
           time_text(deadlock.when - Instant{0});
}

RunSentences run_sentences(RunFacts const& run, Circumstances const& circumstances) {
    if (run.deadlock != nullptr) {
        auto const& stuck = run.deadlock->threads;
        RunSentences sentences;
        sentences.limits.text = deadlock_text(run.cpus, circumstances.model, *run.deadlock) + "; " +
                                threads_text(stuck.size()) + " cannot go on.";
        for (std::size_t i = 0; i < std::min(stuck.size(), most_stuck_threads); ++i)
            sentences.stuck.push_back({stuck_text(stuck[i])});
        if (auto cycle = lock_cycle_text(*run.deadlock); !cycle.empty())
            sentences.stuck.push_back({std::move(cycle)});
        return sentences;
    }
    if (circumstances.is_worthless)
        return {{withheld_conclusion}, {}, {}, {}};
    auto const loss = notable_loss(run.limits);
    return {{loss ? loss_text(*loss, run.cpus) : nothing_lost_text(run.cpus)},
            loss ? where_of(run, *loss) : where_it_runs(run),
            loss ? attempt_against(*loss, run, circumstances) : next_step(run, circumstances),
            {}};
}

std::string with_names(std::string_view text,
                       std::function<std::string(std::string_view kind, std::uint32_t id)> const& name) {
    std::string filled;
    while (!text.empty()) {
        auto const open = text.find('{');
        auto const close = text.find('}', open);
        filled += text.substr(0, open);
        if (close == std::string_view::npos)
            break;
        auto const inside = text.substr(open + 1, close - open - 1);
        auto const space = inside.find(' ');
        std::uint32_t id = ThreadId::none().value;
        if (space != std::string_view::npos)
            std::from_chars(inside.data() + space + 1, inside.data() + inside.size(), id);
        filled += name(inside.substr(0, space), id);
        text.remove_prefix(close + 1);
    }
    return filled;
}

}  // namespace parcast
