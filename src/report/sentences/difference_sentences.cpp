#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "answer/finding.h"
#include "core/catalogue.h"
#include "core/listed.h"
#include "report/difference.h"
#include "report/format.h"
#include "report/text.h"

namespace parcast::report {

namespace {

constexpr double many_times = 1.25;    // from here on "1.3 times as fast", below "20 % less time"
constexpr double worth_besides = 0.2;  // of the difference
constexpr double worth_against = 0.1;
constexpr double worth_a_name = 0.01;  // of the time
constexpr std::size_t most_names = 4;

std::string time_of(double ns) {
    return time_text(Duration{std::llround(ns)});
}

// "mutex sums (n_body.cpp:41)", "1,024 mutexes of n_body.cpp:41", "mutex of n_body.cpp:41".
std::string label_of(NamedThing const& thing) {
    auto const plural = [](std::string const& name) {
        return name.ends_with('x') || name.ends_with('h') ? name + "es" : name + "s";
    };
    bool is_kind_alone = false;
    for (std::size_t kind = 0; kind < object_kind_count; ++kind)
        is_kind_alone |= thing.name == name_of(static_cast<ObjectKind>(kind));
    bool const has_place_already = thing.place.empty() || thing.name.find(thing.place) != std::string::npos;
    auto const place = has_place_already ? "" : " (" + thing.place + ")";
    if (thing.count > 1 && is_kind_alone)
        return printable(count_text(thing.count) + " " + plural(thing.name) +
                         (thing.place.empty() ? "" : " of " + thing.place));
    if (is_kind_alone && !thing.place.empty())
        return printable(thing.name + " of " + thing.place);
    return printable((thing.count > 1 ? count_text(thing.count) + " of " : "") + thing.name + place);
}

struct Letters {
    std::string first;
    std::string second;
};

Letters letters_of(ComparedSides const& compared, Difference const& difference) {
    return {compared.sides[difference.first].letter, compared.sides[difference.second].letter};
}

struct Shares {
    double first = 0;
    double second = 0;
};

Shares shares_of(CountDifference const& count, TwoTimes const& time) {
    return {time.first_ns / count.first.time_ns, time.second_ns / count.second.time_ns};
}

// A part of the difference that can be told.
struct Clause {
    std::string label;
    TwoTimes time;
    ObjectDifference const* object = nullptr;
    std::optional<Cause> cause;
    std::optional<RunPart> part;
};

char const* label_of(RunPart part) {
    switch (part) {
        case RunPart::own_code:
        case RunPart::system: return "own code and system";
        case RunPart::ready: return "ready, not on a CPU";
        case RunPart::waiting: return "waiting";
        case RunPart::idling: break;
    }
    return "no thread to run";
}

std::string label_of(Cause cause) {
    return cause == Cause::busy ? "own code" : row_of(cause).beside;
}

std::vector<Clause> clauses_of(CountDifference const& count) {
    std::vector<Clause> clauses;
    // A measurement does not tell the system's work from the program's own: one clause has both.
    TwoTimes running;
    for (auto const& part : count.parts) {
        if (part.part == RunPart::own_code || part.part == RunPart::system) {
            running.first_ns += part.time.first_ns;
            running.second_ns += part.time.second_ns;
        } else {
            clauses.push_back({label_of(part.part), part.time, nullptr, std::nullopt, part.part});
        }
    }
    if (!count.parts.empty())
        clauses.push_back({label_of(RunPart::own_code), running, nullptr, std::nullopt, RunPart::own_code});
    TwoTimes of_objects;
    for (auto const& object : count.objects) {
        if (object.lost.first_ns <= 0 && object.lost.second_ns <= 0)
            continue;
        clauses.push_back(
            {label_of(object.object.known()), object.lost, &object, std::nullopt, std::nullopt});
        of_objects.first_ns += object.lost.first_ns;
        of_objects.second_ns += object.lost.second_ns;
    }
    TwoTimes with_objects;
    for (auto const& cause : count.causes) {
        if (row_of(cause.cause).has_objects) {
            with_objects.first_ns += cause.time.first_ns;
            with_objects.second_ns += cause.time.second_ns;
        } else {
            clauses.push_back({label_of(cause.cause), cause.time, nullptr, cause.cause, std::nullopt});
        }
    }
    TwoTimes const rest{with_objects.first_ns - of_objects.first_ns,
                        with_objects.second_ns - of_objects.second_ns};
    if (std::max(std::abs(rest.first_ns), std::abs(rest.second_ns)) >= 1)
        clauses.push_back({"other waiting", rest, nullptr, std::nullopt, std::nullopt});
    std::ranges::stable_sort(clauses, std::greater(),
                             [](Clause const& clause) { return std::abs(clause.time.change_ns()); });
    return clauses;
}

// "; deflate takes 1.20 s instead of 2.40 s; copy is new and takes 300 ms": what is a large part of the
// change, or against it, as where work goes from one function to another.
std::string functions_text(CountDifference const& count, double change_ns) {
    constexpr double large = 0.3;
    constexpr std::size_t most = 2;
    std::string text;
    std::size_t named = 0;
    for (auto const& each : count.functions) {
        if (std::abs(each.self.change_ns()) <= large * std::abs(change_ns) || named++ == most)
            break;
        auto const name = printable(each.function.known().name);
        if (each.function.alignment == Alignment::gone)
            text += fmt::format("; {} is gone, which took {}", name, time_of(each.self.first_ns));
        else if (each.function.alignment == Alignment::added)
            text += fmt::format("; {} is new and takes {}", name, time_of(each.self.second_ns));
        else
            text += fmt::format("; {} takes {} instead of {}", name, time_of(each.self.second_ns),
                                time_of(each.self.first_ns));
    }
    return text;
}

// "8 compress_thread threads instead of 4"
std::string threads_text(CountDifference const& count) {
    std::string text;
    for (auto const& each : count.threads) {
        auto const& [alignment, first, second] = each.threads;
        if (first.count == second.count)
            continue;
        if (!text.empty())
            text += ", ";
        text += fmt::format("{} {} {} instead of {}", second.count == 0 ? "no" : count_text(second.count),
                            printable(each.threads.known().name), second.count == 1 ? "thread" : "threads",
                            first.count == 0 ? "none" : count_text(first.count));
    }
    return text;
}

std::string object_clause(CountDifference const& count, ObjectDifference const& object,
                          Letters const& letters) {
    auto const share = shares_of(count, object.lost);
    auto const label = label_of(object.object.known());
    bool const is_one = object.object.known().count == 1;
    auto const the = "the " + label;
    if (object.object.alignment == Alignment::gone)
        return fmt::format("{}, to which {} loses {} of its processor time, {} gone", the, letters.first,
                           percent_text(share.first), is_one ? "is" : "are");
    if (object.object.alignment == Alignment::added)
        return fmt::format("{}, to which {} loses {} of its processor time, {} new", the, letters.second,
                           percent_text(share.second), is_one ? "is" : "are");
    auto const renamed = object.object.alignment == Alignment::renamed
                             ? fmt::format(" (in {}: {})", letters.second, label_of(object.object.second))
                             : "";
    return fmt::format("{} loses {} of its processor time to {}{}, {} {}", letters.second,
                       percent_text(share.second), the, renamed, letters.first, percent_text(share.first));
}

std::string cause_clause(CountDifference const& count, Cause cause, TwoTimes const& time,
                         Letters const& letters) {
    auto const share = shares_of(count, time);
    auto const both = [&](std::string const& what) {
        return fmt::format("{} {} of {}'s processor time, {} of {}'s", what, percent_text(share.second),
                           letters.second, percent_text(share.first), letters.first);
    };
    switch (cause) {
        case Cause::busy:
            return fmt::format("its own code takes {} of CPU time instead of {}{}",
                               time_of(time.second_ns * count.cpus), time_of(time.first_ns * count.cpus),
                               functions_text(count, time.change_ns() * count.cpus));
        case Cause::slowed: return both("busy CPUs slow each other down for");
        case Cause::overhead: return both("switching and waking threads takes");
        case Cause::ready: return both("a thread is ready, but not on a CPU, for");
        case Cause::joining: return both("waiting for threads to end takes");
        case Cause::sleeping: return both("sleeping takes");
        case Cause::communicating: return both("sending and receiving messages takes");
        case Cause::carrier: return both("no LWP is free for a ready thread for");
        case Cause::no_thread: {
            auto const threads = threads_text(count);
            return both("there is no thread to run for") + (threads.empty() ? "" : "; it has " + threads);
        }
        default: return both(std::string(row_of(cause).alone) + " take");
    }
}

std::string part_clause(CountDifference const& count, RunPart part, TwoTimes const& time,
                        Letters const& letters) {
    auto const times = fmt::format("{} instead of {} of CPU time", time_of(time.second_ns * count.cpus),
                                   time_of(time.first_ns * count.cpus));
    auto const share = shares_of(count, time);
    auto const both = [&](char const* what) {
        return fmt::format("{} for {} of {}'s processor time, {} of {}'s", what, percent_text(share.second),
                           letters.second, percent_text(share.first), letters.first);
    };
    switch (part) {
        case RunPart::own_code:
        case RunPart::system: return "its own code and the system take " + times;
        case RunPart::ready: return both("a thread could run, but has no CPU,");
        case RunPart::waiting: return both("CPUs idle because threads wait");
        case RunPart::idling: break;
    }
    return both("there are fewer threads than CPUs");
}

std::string text_of(CountDifference const& count, Clause const& clause, Letters const& letters) {
    if (clause.object != nullptr)
        return object_clause(count, *clause.object, letters);
    if (clause.cause)
        return cause_clause(count, *clause.cause, clause.time, letters);
    if (clause.part)
        return part_clause(count, *clause.part, clause.time, letters);
    return fmt::format("other waiting takes {} instead of {}", time_of(clause.time.second_ns),
                       time_of(clause.time.first_ns));
}

// "3 %", "3 to 8 %"; of less and more time.
std::string percents(double ratio) {
    return percent_text(std::abs(1 - ratio));
}

// "B is 2.1 times as fast as A (1.9 - 2.3)", "B takes 4 % more time than A (1 to 7 %)".
std::string ratio_text(CountDifference const& count, Letters const& letters) {
    auto const& range = count.ratio_range;
    if (count.ratio <= 1 / many_times)
        return fmt::format(
            "{} is {} times as fast as {}{}", letters.second, speed_up_text(1 / count.ratio), letters.first,
            range ? fmt::format(" ({} - {})", speed_up_text(1 / range->high), speed_up_text(1 / range->low))
                  : "");
    if (count.ratio >= many_times)
        return fmt::format(
            "{} takes {} times as long as {}{}", letters.second, speed_up_text(count.ratio), letters.first,
            range ? fmt::format(" ({} - {})", speed_up_text(range->low), speed_up_text(range->high)) : "");
    bool const is_less = count.ratio < 1;
    auto const end = [&](double ratio) {
        double const share = is_less ? 1 - ratio : ratio - 1;
        return std::lround(100 * share);
    };
    return fmt::format("{} takes {} {} time than {}{}", letters.second, percents(count.ratio),
                       is_less ? "less" : "more", letters.first,
                       range ? fmt::format(" ({} to {} %)", end(is_less ? range->high : range->low),
                                           end(is_less ? range->low : range->high))
                             : "");
}

std::string counts_text(std::vector<std::uint32_t> const& cpus) {
    std::vector<std::string> words;
    for (auto const count : cpus)
        words.push_back(fmt::format("{}", count));
    return (words.size() == 1 && cpus.front() == 1) ? "1 CPU" : listed(words, " and ") + " CPUs";
}

bool has_one_within(std::optional<Range> const& range) {
    return range && range->low <= 1 && range->high >= 1;
}

std::string no_difference(Difference const& difference, Letters const& letters) {
    auto const largest = std::ranges::max_element(
        difference.counts, {}, [](CountDifference const& count) { return std::abs(std::log(count.ratio)); });
    std::string text = fmt::format("{} and {} ", letters.first, letters.second);
    if (has_one_within(largest->ratio_range))
        text += "show no difference that the ranges would show";
    else
        text += fmt::format("take the same time within {} per cent", largest->ratio_range ? "half a" : "a");
    if (largest->ratio == 1)
        return text + ".";
    return text + fmt::format(". The largest is on {}: {}.", counted(largest->cpus, "CPU"),
                              ratio_text(*largest, letters));
}

// What the other counts say.
void add_other_counts(Difference const& difference, Letters const& letters,
                      std::vector<std::string>& sentences) {
    auto const& telling = difference.counts[*difference.telling];
    std::map<std::string, std::vector<std::uint32_t>> same;  // by the reason
    for (auto const& count : difference.counts)
        if (!count.is_beyond())
            same[reason_for_none(count)].push_back(count.cpus);
        else if ((count.ratio < 1) != (telling.ratio < 1))
            sentences.push_back(
                fmt::format("On {} {}.", counted(count.cpus, "CPU"), ratio_text(count, letters)));
    for (auto const& [reason, cpus] : same)
        sentences.push_back(fmt::format("On {} the difference is {}.", counts_text(cpus), reason));
}

}  // namespace

std::string reason_for_none(CountDifference const& count) {
    if (!count.ratio_range)
        return "less than a per cent";
    return has_one_within(count.ratio_range) ? "within the ranges" : "less than half a per cent";
}

std::vector<DifferencePart> difference_parts(CountDifference const& count) {
    std::vector<DifferencePart> parts;
    for (auto& clause : clauses_of(count))
        parts.push_back({std::move(clause.label), clause.time});
    return parts;
}

std::vector<std::string> difference_sentences(ComparedSides const& compared, Difference const& difference) {
    auto const letters = letters_of(compared, difference);
    if (difference.counts.empty())
        return {fmt::format("{} and {} have no number of CPUs in common on which both have a time.",
                            letters.first, letters.second)};
    if (compared.sides[difference.first].is_worthless || compared.sides[difference.second].is_worthless)
        return {withheld_conclusion};
    if (!difference.telling)
        return {no_difference(difference, letters)};
    auto const& count = difference.counts[*difference.telling];
    double const change_ns = count.second.time_ns - count.first.time_ns;
    auto const clauses = clauses_of(count);
    auto const explains = [&](Clause const& clause) { return clause.time.change_ns() * change_ns > 0; };
    auto const main = std::ranges::find_if(clauses, explains);
    std::string const head = fmt::format("On {} {}", counted(count.cpus, "CPU"), ratio_text(count, letters));
    std::vector<std::string> sentences;
    if (main == clauses.end()) {
        sentences.push_back(head + ".");
        add_other_counts(difference, letters, sentences);
        return sentences;
    }
    sentences.push_back(head + ": " + text_of(count, *main, letters) + ".");
    auto const next = std::find_if(std::next(main), clauses.end(), explains);
    if (next != clauses.end() && std::abs(next->time.change_ns()) > worth_besides * std::abs(change_ns))
        sentences.push_back("Besides, " + text_of(count, *next, letters) + ".");
    auto const against = std::ranges::find_if_not(clauses, explains);
    if (against != clauses.end() && std::abs(against->time.change_ns()) > worth_against * std::abs(change_ns))
        sentences.push_back("Against that, " + text_of(count, *against, letters) + ".");
    add_other_counts(difference, letters, sentences);
    return sentences;
}

std::vector<std::string> alignment_sentences(ComparedSides const& compared, Difference const& difference) {
    if (difference.counts.empty())
        return {};
    auto const letters = letters_of(compared, difference);
    auto const& count = difference.counts[difference.telling.value_or(difference.counts.size() - 1)];
    std::vector<std::string> names[alignment_names.size()];
    auto const add = [&](AlignedThing const& thing, TwoTimes const& time, double whole_ns) {
        bool const matters = std::max(time.first_ns, time.second_ns) > worth_a_name * whole_ns;
        if (!matters || thing.alignment == Alignment::same)
            return;
        auto& list = names[static_cast<std::size_t>(thing.alignment)];
        bool const has_both = thing.first.count > 0 && thing.second.count > 0;
        list.push_back(has_both ? label_of(thing.first) + " -> " + label_of(thing.second)
                                : label_of(thing.known()));
    };
    double const whole_ns = std::max(count.first.time_ns, count.second.time_ns);
    double const thread_ns = whole_ns * count.cpus;
    for (auto const& object : count.objects)
        add(object.object, object.waiting, thread_ns);
    for (auto const& threads : count.threads)
        add(threads.threads, threads.running, thread_ns);
    for (auto const& function : count.functions)
        add(function.function, function.self, thread_ns);
    std::vector<std::string> sentences;
    auto const say = [&](Alignment alignment, std::string const& head) {
        auto& list = names[static_cast<std::size_t>(alignment)];
        if (list.empty())
            return;
        auto const left_out = list.size() > most_names ? list.size() - most_names : 0;
        list.resize(list.size() - left_out);
        std::string text = head;
        for (auto const& name : list)
            text += (&name == &list.front() ? " " : ", ") + name;
        sentences.push_back(text + (left_out == 0 ? "" : fmt::format(", and {} more", left_out)) + ".");
    };
    say(Alignment::gone, "Gone in " + letters.second + ":");
    say(Alignment::added, "New in " + letters.second + ":");
    say(Alignment::renamed, "Renamed, by its place:");
    say(Alignment::moved, "Moved:");
    return sentences;
}

}  // namespace parcast::report
