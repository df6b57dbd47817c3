#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "answer/advice_sentences.h"
#include "answer/circumstances.h"
#include "core/counted.h"
#include "core/percent_text.h"
#include "core/time_text.h"
#include "report/binding.h"
#include "report/names.h"
#include "report/sentences/sentences.h"
#include "report/table.h"
#include "report/text.h"
#include "report/text/parts.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_shown_threads = 64;
constexpr std::size_t widest_origin = 60;
constexpr double told_gap = 0.001;
constexpr double least_doubtful_gain = 0.1;
// Up to here gains were predicted and not found: Linux keeps new and woken threads waiting on a busy CPU for
// longer than the replay does, and a bound thread cannot go elsewhere.
constexpr double least_confirmed_gain = 0.2;

std::string time_or_deadlock(std::optional<Duration> const& time) {
    return time ? time_text(*time) : "deadlock";
}

// Why no binding takes less: the rest of a sentence.
std::string reason_of_bound(Answer const& basis, BindingOnCpus const& at) {
    if (at.lower_bound_by == "work")
        return "all CPUs work all the time";
    if (at.lower_bound_by == "sharing")
        return "there are fewer CPUs than threads, and threads that must share a CPU work as long";
    if (at.lower_bound_by == "thread")
        return "one thread alone works as long";
    if (at.lower_bound_by == "lock")
        return "one thread after the other holds " + shown(basis.recording().catalogue, at.lock) +
               " for as long";
    return "what must happen one after the other takes as long, with a CPU for each thread and without locks";
}

std::string proof_sentence(Answer const& basis, BindingOnCpus const& at) {
    auto const best = fmt::format("On {} CPUs the best binding that was found takes {}", at.cpus,
                                  time_text(*at.best_time()));
    if (at.is_at_bound())
        return best + ", and no binding takes less: " + reason_of_bound(basis, at) + ".";
    if (at.gap() < told_gap)
        return best +
               ", which is within 0.1 % of what any binding takes at least: " + reason_of_bound(basis, at) +
               ".";
    if (at.tried_all)
        return best + fmt::format(", and all {} were tried.",
                                  counted(static_cast<std::int64_t>(*at.bindings), "binding"));
    return best + fmt::format(". None takes less than {} ({}): at most {} can be gained.",
                              time_text(at.lower_bound), reason_of_bound(basis, at), percent_text(at.gap()));
}

// Under a warning about the recording, small gains are none.
double least_told_gain(Answer const& basis) {
    return has_warning(basis.findings) ? least_doubtful_gain : least_gain_of_binding;
}

bool is_worth_it(Answer const& basis, BindingOnCpus const& at) {
    return at.gain() && *at.gain() >= least_told_gain(basis);
}

std::string gain_sentence(Answer const& basis, BindingOnCpus const& at) {
    if (!at.unbound)
        return "Without binding the replay deadlocks, and binding does not repair that: parcast predict " +
               command_line(input_words(basis)) + " names who waits for whom.";
    auto const gain = *at.gain();
    auto const unbound =
        time_text(*at.unbound) +
        (at.unbound_range_ns ? " (" + time_range_text(*at.unbound_range_ns) + ")" : std::string());
    if (is_worth_it(basis, at)) {
        bool const is_small = basis.form() == Form::recording && gain < least_confirmed_gain && !at.measured;
        bool const may_be_nothing = at.gain_range && at.gain_range->low <= 0;
        return fmt::format("Without binding it takes {}: binding {} {}.{}", unbound,
                           is_small || may_be_nothing ? "may save" : "saves", gain_text(gain, at.gain_range),
                           is_small ? " Gains of that size did not come true where they were measured "
                                      "(docs/accuracy.md): try it with --measure."
                                    : "");
    }
    if (gain > -least_told_gain(basis))
        return fmt::format("Do not bind: without binding it takes {}, about the same.", unbound);
    return fmt::format("Do not bind: without binding it takes {}, {} less.", unbound,
                       percent_text(-gain / (1 - gain)));
}

// Empty where the search says more.
std::string reachable_sentence(BindingOnCpus const& at) {
    auto const& reachable = *at.reachable;
    bool const is_slower = static_cast<double>(at.best_time()->ns) > *reachable.time_ns;
    if (is_slower && at.is_proved_best())
        return {};
    auto const time = time_text(Duration{static_cast<std::int64_t>(*reachable.time_ns)});
    return fmt::format(
        "Some binding surely takes no more than {} where scheduling costs nothing and each CPU "
        "has the best order (p = {:.4g} times the time with a CPU for each thread, Broberg 2002, "
        "paper VII){}",
        time, reachable.factor,
        is_slower ? ": search on, with more --tests, or scheduling costs the rest." : ".");
}

std::string tried_table(Bindings const& bindings, Layout const& layout) {
    std::vector<std::string_view> algorithms;
    for (auto const& at : bindings.counts)
        for (auto const& tried : at.tried)
            if (std::ranges::find(algorithms, tried.algorithm) == algorithms.end())
                algorithms.push_back(tried.algorithm);
    std::vector<Column> columns{{"CPUs"}, {"unbound"}};
    for (auto const algorithm : algorithms)
        columns.push_back({std::string(algorithm) + "  "});  // room for the mark
    columns.push_back({"at least"});
    columns.push_back({"by", Align::left});
    columns.push_back({"replays"});
    Table table(columns);
    for (auto const& at : bindings.counts) {
        std::vector<Cell> row{{std::to_string(at.cpus)}, {time_or_deadlock(at.unbound)}};
        std::uint64_t tests = 0;
        for (auto const algorithm : algorithms) {
            auto const tried = std::ranges::find(at.tried, algorithm, &TriedBinding::algorithm);
            bool const is_best = tried != at.tried.end() && tried->time && *tried->time == *at.best_time();
            row.push_back(
                {(tried == at.tried.end() ? "-" : time_or_deadlock(tried->time)) + (is_best ? " *" : "  ")});
            tests += tried == at.tried.end() ? 0 : tried->tests;
        }
        row.push_back({time_text(at.lower_bound)});
        row.push_back({std::string(at.lower_bound_by)});
        row.push_back({count_text(static_cast<std::int64_t>(tests))});
        table.add(std::move(row));
    }
    return table.text(layout.colour, layout.table_width());
}

// "2-4, 7"
std::string ranges_text(std::vector<std::size_t> const& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        auto end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : ", ") + std::to_string(numbers[i]);
        if (end - i > 1)
            text += (end - i > 2 ? "-" : ", ") + std::to_string(numbers[end - 1]);
        i = end;
    }
    return text;
}

// "CPU 0: main, threads 2-4, 7 (producer)"
std::string threads_of_cpu(Catalogue const& catalogue, BindingOnCpus const& at, std::uint32_t cpu) {
    std::vector<std::pair<std::string, std::vector<std::size_t>>> groups;  // by origin, or with a name
    for (std::size_t thread = 0; thread < at.cpu_of_thread.size(); ++thread) {
        if (at.cpu_of_thread[thread] != cpu)
            continue;
        auto const name = shown(catalogue, ThreadId(thread));
        auto const number = "thread " + std::to_string(thread);
        if (!name.starts_with(number)) {
            groups.push_back({name, {}});
            continue;
        }
        auto const origin = name.substr(number.size());  // " (producer)"
        auto const same = std::ranges::find_if(
            groups, [&](auto const& each) { return !each.second.empty() && each.first == origin; });
        if (same == groups.end())
            groups.push_back({origin, {thread}});
        else
            same->second.push_back(thread);
    }
    std::string text;
    for (auto const& [name, numbers] : groups) {
        text += text.empty() ? "" : "; ";
        text += numbers.empty() ? name
                                : (numbers.size() == 1 ? "thread " : "threads ") + ranges_text(numbers) +
                                      shorten_middle(name, widest_origin);
    }
    return fmt::format("CPU {}: {}", cpu, text);
}

std::string placement_text(Answer const& basis, BindingOnCpus const& at, Layout const& layout) {
    std::string text;
    for (std::uint32_t cpu = 0; cpu < at.cpus; ++cpu)
        if (std::ranges::find(at.cpu_of_thread, cpu) != at.cpu_of_thread.end())
            text += paragraph("    " + threads_of_cpu(basis.recording().catalogue, at, cpu), layout);
    return text;
}

std::string about_limits(Answer const& basis, bool is_measured) {
    return fmt::format(
        "Caches and memory nodes are not modelled: a binding may also gain or lose by them. {}{}",
        is_measured ? "" : "Measure it. ",
        basis.form() == Form::recording ? "Threads keep the work that they have without a binding." : "");
}

}  // namespace

std::vector<std::string> binding_sentences(Answer const& basis, BindingOnCpus const& at) {
    if (circumstances_of(basis).is_worthless)
        return {withheld_conclusion};
    if (!at.best_time())
        return {fmt::format("On {} CPUs the replay deadlocks with every binding that was tried.", at.cpus)};
    std::vector<std::string> sentences{proof_sentence(basis, at), gain_sentence(basis, at)};
    if (auto reachable = at.reachable ? reachable_sentence(at) : std::string(); !reachable.empty())
        sentences.push_back(std::move(reachable));
    return sentences;
}

std::string bindings_text(Answer const& basis, Bindings const& bindings, Layout const& layout) {
    auto text = findings_text(basis.findings, basis.recording().catalogue, layout);
    text += (text.empty() ? "" : "\n") + origin_text(basis, layout) + paragraph(replayed_by(basis), layout) +
            '\n';
    text += tried_table(bindings, layout) +
            paragraph("* the best; at least: what no binding can beat, and by what", layout);
    for (auto const& at : bindings.counts) {
        std::string sentences;
        for (auto const& sentence : binding_sentences(basis, at))
            sentences += (sentences.empty() ? "" : " ") + sentence;
        if (!sentences.empty())
            text += '\n' + paragraph(sentences, layout);
        bool const is_short = at.cpu_of_thread.size() <= most_shown_threads || layout.detail == Detail::all;
        if (is_worth_it(basis, at) && !circumstances_of(basis).is_worthless && is_short)
            text += placement_text(basis, at, layout) + how_to_bind(basis, bindings.plan, at, layout);
        if (auto const measured = measured_binding_text(at, layout); !measured.empty())
            text += '\n' + measured;
    }
    if (!bindings.no_reachable.empty())
        text += '\n' + paragraph(
                           "What is surely reachable (paper VII) is not known: the theory is about waits and "
                           "activations alone, and " +
                               bindings.no_reachable + ".",
                           layout);
    bool const is_measured =
        std::ranges::any_of(bindings.counts, [](auto const& at) { return at.measured.has_value(); });
    return text + '\n' + paragraph(about_limits(basis, is_measured), layout);
}

std::string reachable_text(ReachableBinding const& reachable, std::uint32_t cpus, Layout const& layout) {
    auto text = fmt::format("p = {:.6g}\n\n", reachable.factor);
    text += paragraph(
        fmt::format("Every program with {}, this profile, {:.4g} activations in a unit of work and a "
                    "latency of {:.4g} can be bound to {} so that it takes at most p times as long as "
                    "with a CPU for each process and no latency. For some program no binding takes "
                    "less (Broberg 2002, paper VII). The CPUs then have {}.",
                    counted(reachable.threads, "process", "processes"), reachable.granularity,
                    reachable.latency, counted(cpus, "CPU"),
                    fmt::format("{}", fmt::join(reachable.allocation, ",")) +
                        (reachable.allocation == std::vector<std::uint32_t>{1} ? " process" : " processes")),
        layout);
    return text;
}

}  // namespace parcast::report
