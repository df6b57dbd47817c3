#include "analysis/difference.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/alignment.h"
#include "analysis/limits.h"
#include "core/function_name.h"
#include "core/path.h"

namespace parcast::analysis {

namespace {

constexpr double nearly_all = 0.95;  // of the greatest difference

Frame const* frame_of(Catalogue const& catalogue, SiteId site) {
    if (site.is_none() || site.index() >= catalogue.sites.size())
        return nullptr;
    auto const& frames = catalogue.sites[site.index()].frames;
    return frames.empty() ? nullptr : &frames.front();
}

// "queue.h:41"; without debug information what there is: "function", "module+0x1f3a".
std::string place_of(Catalogue const& catalogue, SiteId site) {
    auto const* const frame = frame_of(catalogue, site);
    if (frame != nullptr && frame->line > 0)
        return file_name(frame->file) + ":" + std::to_string(frame->line);
    return site.is_none() ? "" : display_name(catalogue, site);
}

std::string file_of(Catalogue const& catalogue, SiteId site) {
    auto const* const frame = frame_of(catalogue, site);
    return frame == nullptr ? "" : file_name(frame->file);
}

std::string function_at(Catalogue const& catalogue, SiteId site) {
    auto const* const frame = frame_of(catalogue, site);
    return frame == nullptr ? "" : short_function_name(frame->function);
}

// The symbol of an array for each of its elements: "table" of "table+912".
std::string symbol_of(Object const& object) {
    auto const plus = object.name.rfind('+');
    bool const has_offset = plus != std::string::npos && plus + 1 < object.name.size() &&
                            object.name.find_first_not_of("0123456789", plus + 1) == std::string::npos;
    return object.name.substr(0, has_offset ? plus : std::string::npos);
}

// Things of one side, each with values of its own, in the order in which they are first met.
template <class Values>
class Gathered {
public:
    Values& at(Alignable thing) {
        auto const [found, is_new] = numbers_.emplace(thing.identity, things_.size());
        if (is_new) {
            things_.push_back(std::move(thing));
            values_.emplace_back();
        }
        ++things_[found->second].thing.count;
        return values_[found->second];
    }

    std::vector<Alignable>& things() { return things_; }
    std::vector<Values> const& values() const { return values_; }

private:
    std::map<std::string, std::size_t> numbers_;
    std::vector<Alignable> things_;
    std::vector<Values> values_;
};

// make(pair, values of the first or none of it, values of the second) for each pair.
template <class Values, class Make>
void for_aligned(Gathered<Values>& first, Gathered<Values>& second, Make make) {
    for (auto const& pair : align(first.things(), second.things()))
        make(pair.thing, pair.first ? first.values()[*pair.first] : Values(),
             pair.second ? second.values()[*pair.second] : Values());
}

// Objects.

struct ObjectTimes {
    double lost_ns = 0;  // wall-clock time
    double waiting_ns = 0;
    double largest_loss_ns = 0;
    Cause cause = Cause::lock;
};

Alignable alignable(Catalogue const& catalogue, Object const& object) {
    std::string const kind = name_of(object.kind);
    std::string const symbol = symbol_of(object);
    auto const place = place_of(catalogue, object.first_site);
    bool const is_numbered = object.kind == ObjectKind::descriptor && symbol.empty();
    std::string const name = is_numbered ? std::to_string(object.address) : symbol;
    auto const function = function_at(catalogue, object.first_site);
    return {.identity = kind + " " + (name.empty() ? "at " + place : name),
            .neighbourhood = function.empty() || object.kind == ObjectKind::descriptor
                                 ? ""
                                 : kind + " in " + function + " in " + file_of(catalogue, object.first_site),
            .file = file_of(catalogue, object.first_site),
            .thing = {.name = name.empty() ? kind : kind + " " + name, .place = place}};
}

Gathered<ObjectTimes> objects_of(SideOnCount const& side) {
    auto const& accounts = side.row.run.accounts;
    auto const& catalogue = side.answer.recording().catalogue;
    Gathered<ObjectTimes> gathered;
    std::vector<ObjectTimes> own(catalogue.objects.size());
    for (auto const& limit : limits(accounts, catalogue, catalogue.objects.size())) {
        if (limit.object.is_none())
            continue;
        auto& times = own[limit.object.index()];
        double const lost_ns = to_real(limit.processor_time).ns / accounts.cpus;
        times.lost_ns += lost_ns;
        if (lost_ns > times.largest_loss_ns) {
            times.largest_loss_ns = lost_ns;
            times.cause = limit.cause;
        }
    }
    for (std::size_t i = 0; i < catalogue.objects.size(); ++i) {
        auto const& object = catalogue.objects[i];
        bool const is_used = i < accounts.objects.size() && accounts.objects[i].operations > 0;
        if (!is_used)
            continue;
        auto& times = gathered.at(alignable(catalogue, object));
        times.lost_ns += own[i].lost_ns;
        times.waiting_ns += to_real(accounts.objects[i].waiting).ns;
        if (own[i].largest_loss_ns > times.largest_loss_ns) {
            times.largest_loss_ns = own[i].largest_loss_ns;
            times.cause = own[i].cause;
        }
    }
    for (auto& thing : gathered.things())
        thing.weight = thing.thing.count;
    return gathered;
}

std::vector<ObjectDifference> object_differences(SideOnCount const& first, SideOnCount const& second) {
    auto a = objects_of(first);
    auto b = objects_of(second);
    std::vector<ObjectDifference> differences;
    for_aligned(a, b, [&](AlignedThing const& thing, ObjectTimes const& here, ObjectTimes const& there) {
        differences.push_back({thing,
                               here.largest_loss_ns >= there.largest_loss_ns ? here.cause : there.cause,
                               {here.lost_ns, there.lost_ns},
                               {here.waiting_ns, there.waiting_ns}});
    });
    std::ranges::stable_sort(differences, std::greater(), [](ObjectDifference const& each) {
        return std::pair(std::abs(each.lost.change_ns()), std::abs(each.waiting.change_ns()));
    });
    return differences;
}

// Threads.

struct ThreadTimes {
    double running_ns = 0;
    double ready_ns = 0;
    double waiting_ns = 0;
};

Alignable alignable(Catalogue const& catalogue, Thread const& thread) {
    auto const function = short_function_name(thread.function);
    auto const name = thread.name.substr(0, thread.name.find_last_not_of("0123456789-_/: ") + 1);
    auto const shown = !function.empty() ? function : !name.empty() ? name : "thread";
    auto const creator = function_at(catalogue, thread.created_at);
    return {
        .identity = shown + (function.empty() && name.empty() ? place_of(catalogue, thread.created_at) : ""),
        .neighbourhood = creator.empty() ? "" : creator + " in " + file_of(catalogue, thread.created_at),
        .file = file_of(catalogue, thread.start_site),
        .thing = {.name = shown, .place = place_of(catalogue, thread.start_site)}};
}

Gathered<ThreadTimes> threads_of_side(SideOnCount const& side) {
    auto const& accounts = side.row.run.accounts;
    auto const& catalogue = side.answer.recording().catalogue;
    Gathered<ThreadTimes> gathered;
    for (std::size_t i = 0; i < std::min(catalogue.threads.size(), accounts.threads.size()); ++i) {
        auto const& account = accounts.threads[i];
        auto const in = [&](ThreadState state) { return to_real(account[state]).ns; };
        auto& times = gathered.at(alignable(catalogue, catalogue.threads[i]));
        times.running_ns +=
            in(ThreadState::running) + in(ThreadState::switching) + in(ThreadState::communicating);
        times.ready_ns += in(ThreadState::ready);
        times.waiting_ns += in(ThreadState::blocked) + in(ThreadState::spinning) +
                            in(ThreadState::input_output) + in(ThreadState::sleeping);
    }
    for (auto& thing : gathered.things())
        thing.weight = thing.thing.count;
    return gathered;
}

std::vector<ThreadsDifference> thread_differences(SideOnCount const& first, SideOnCount const& second) {
    auto a = threads_of_side(first);
    auto b = threads_of_side(second);
    std::vector<ThreadsDifference> differences;
    for_aligned(a, b, [&](AlignedThing const& thing, ThreadTimes const& here, ThreadTimes const& there) {
        differences.push_back({thing,
                               {here.running_ns, there.running_ns},
                               {here.ready_ns, there.ready_ns},
                               {here.waiting_ns, there.waiting_ns}});
    });
    std::ranges::stable_sort(differences, std::greater(), [](ThreadsDifference const& each) {
        return std::max(each.running.first_ns, each.running.second_ns);
    });
    return differences;
}

// Functions.

Gathered<double> functions_of(SideOnCount const& side) {
    Gathered<double> gathered;
    if (!side.answer.advice)
        return gathered;
    auto const& catalogue = side.answer.recording().catalogue;
    for (auto const& work : side.answer.advice->work) {
        if (work.kind != OwnerKind::function || work.self_ns <= 0)
            continue;
        auto const file = file_of(catalogue, work.site);
        gathered.at({.identity = work.name,
                     .neighbourhood = file,
                     .file = file,
                     .thing = {.name = work.name, .place = place_of(catalogue, work.site)}}) += work.self_ns;
    }
    for (std::size_t i = 0; i < gathered.things().size(); ++i)
        gathered.things()[i].weight = gathered.values()[i];
    return gathered;
}

std::vector<FunctionDifference> function_differences(SideOnCount const& first, SideOnCount const& second) {
    auto a = functions_of(first);
    auto b = functions_of(second);
    std::vector<FunctionDifference> differences;
    // Without functions on one side, all of the other's would be new.
    if (a.things().empty() || b.things().empty())
        return differences;
    for_aligned(a, b, [&](AlignedThing const& thing, double here, double there) {
        differences.push_back({thing, {here, there}});
    });
    std::ranges::stable_sort(differences, std::greater(),
                             [](FunctionDifference const& each) { return std::abs(each.self.change_ns()); });
    return differences;
}

// Times.

TwoTimes per_cpu(Duration first, Duration second, std::uint32_t cpus) {
    return {to_real(first).ns / cpus, to_real(second).ns / cpus};
}

std::vector<CauseDifference> cause_differences(Accounts const& first, Accounts const& second) {
    std::vector<CauseDifference> differences;
    for (auto const& row : causes) {
        CauseDifference const each{row.cause, per_cpu(row.total(first), row.total(second), first.cpus)};
        if (each.time.first_ns > 0 || each.time.second_ns > 0)
            differences.push_back(each);
    }
    std::ranges::stable_sort(differences, std::greater(),
                             [](CauseDifference const& each) { return std::abs(each.time.change_ns()); });
    return differences;
}

Duration total_of(RunPart part, Accounts const& accounts) {
    auto const& idle = accounts.idle;
    switch (part) {
        case RunPart::own_code:
            return accounts.busy + accounts.slowed + accounts.spinning + accounts.communicating;
        case RunPart::system: return accounts.overhead;
        case RunPart::ready: return idle.ready + idle.carrier;
        case RunPart::waiting:
            return idle.locks + idle.conditions + idle.input_output + idle.sleeping + idle.joining +
                   idle.message;
        case RunPart::idling: break;
    }
    return idle.no_thread;
}

std::vector<PartDifference> part_differences(Accounts const& first, Accounts const& second) {
    std::vector<PartDifference> differences;
    for (std::size_t i = 0; i < run_part_names.size(); ++i) {
        auto const part = static_cast<RunPart>(i);
        differences.push_back({part, per_cpu(total_of(part, first), total_of(part, second), first.cpus)});
    }
    std::ranges::stable_sort(differences, std::greater(),
                             [](PartDifference const& each) { return std::abs(each.time.change_ns()); });
    return differences;
}

// Errors of the two sides are independent: the logarithms' half widths add up as squares.
std::optional<Range> independent_range(SideRun const& first, SideRun const& second) {
    if (!first.range || !second.range || first.range->low <= 0 || second.range->low <= 0)
        return std::nullopt;
    double const ratio = std::log(second.time_ns / first.time_ns);
    double const up =
        std::hypot(std::log(second.range->high / second.time_ns), std::log(first.time_ns / first.range->low));
    double const down =
        std::hypot(std::log(second.time_ns / second.range->low), std::log(first.range->high / first.time_ns));
    return Range{std::exp(ratio - down), std::exp(ratio + up)};
}

}  // namespace

SideRun side_run(SideOnCount const& side) {
    auto const& row = side.row;
    bool const has_speed_up = side.answer.recording().time_on_one.has_value();
    return {row.time_ns, row.range ? std::optional(row.range->time_ns) : std::nullopt,
            has_speed_up ? std::optional(row.speed_up) : std::nullopt};
}

CountDifference difference_on(SideOnCount const& first, SideOnCount const& second,
                              std::optional<Range> const& ratio_range, SplitBy split) {
    CountDifference difference;
    difference.cpus = first.row.cpus;
    difference.first = side_run(first);
    difference.second = side_run(second);
    difference.ratio = second.row.time_ns / first.row.time_ns;
    difference.ratio_range =
        ratio_range ? ratio_range : independent_range(difference.first, difference.second);
    auto const& here = first.row.run.accounts;
    auto const& there = second.row.run.accounts;
    if (split == SplitBy::parts) {
        difference.parts = part_differences(here, there);
    } else {
        difference.causes = cause_differences(here, there);
        difference.objects = object_differences(first, second);
    }
    difference.threads = thread_differences(first, second);
    difference.functions = function_differences(first, second);
    return difference;
}

std::optional<std::size_t> telling_count(std::span<CountDifference const> counts) {
    double greatest = 0;
    auto const size_of = [](CountDifference const& count) { return std::abs(std::log(count.ratio)); };
    for (auto const& count : counts)
        if (count.is_beyond())
            greatest = std::max(greatest, size_of(count));
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].is_beyond() && size_of(counts[i]) >= nearly_all * greatest)
            return i;
    return std::nullopt;
}

namespace {

std::vector<SideOnCount> runs_of(SideAnswers const& side) {
    std::vector<SideOnCount> runs;
    for (auto const& answer : side.answers)
        for (auto const& row : answer.rows)
            runs.push_back({row, answer});
    return runs;
}

bool has_time(Row const& row) {
    return !row.run.deadlock && row.time_ns > 0;
}

std::optional<Range> paired_range(Row const& before, std::optional<std::size_t> change) {
    if (!change || *change >= before.what_if_gains.size() || !before.what_if_gains[*change])
        return std::nullopt;
    auto const& gain = *before.what_if_gains[*change];
    return Range{1 - gain.high, 1 - gain.low};
}

Difference difference_of(std::vector<SideAnswers> const& sides, std::size_t first, std::size_t second) {
    Difference difference;
    difference.first = first;
    difference.second = second;
    bool const is_measured =
        sides[first].side.origin == SideOrigin::measured || sides[second].side.origin == SideOrigin::measured;
    auto const there = runs_of(sides[second]);
    for (auto const& here : runs_of(sides[first])) {
        auto const same =
            std::ranges::find(there, here.row.cpus, [](SideOnCount const& run) { return run.row.cpus; });
        if (same == there.end())
            continue;
        if (has_time(here.row) && has_time(same->row))
            difference.counts.push_back(difference_on(here, *same,
                                                      paired_range(here.row, sides[second].tried_change),
                                                      is_measured ? SplitBy::parts : SplitBy::causes));
        else
            difference.deadlocked.push_back(here.row.cpus);
    }
    if (!sides[first].side.is_worthless && !sides[second].side.is_worthless)
        difference.telling = telling_count(difference.counts);
    return difference;
}

Provenance const* provenance_of(SideAnswers const& side) {
    if (side.answers.empty() || !side.answers.front().recording().provenance)
        return nullptr;
    return &*side.answers.front().recording().provenance;
}

// What makes two recordings hard to compare.
void add_notes(std::vector<SideAnswers> const& sides, std::vector<std::string>& notes) {
    auto const* const first = provenance_of(sides.front());
    for (auto const& side : sides) {
        auto const* const other = provenance_of(side);
        if (first == nullptr || other == nullptr || first == other)
            continue;
        auto const differ = [&](std::string const& here, std::string const& there, char const* what) {
            if (here != there && !here.empty() && !there.empty())
                notes.push_back(sides.front().side.letter + " and " + side.side.letter +
                                " were recorded on " + what + ": " + here + " and " + there +
                                ". Their work may differ because of that.");
        };
        if (first->cpu_model != other->cpu_model)
            differ(first->cpu_model, other->cpu_model, "different processors");
        else
            differ(first->host, other->host, "different hosts");
    }
    for (auto const& [side, answers, change] : sides) {
        for (auto const& doubt : side.doubts)
            notes.push_back(side.letter + ": " + doubt);
        if (side.is_doubtful && side.doubts.empty())
            notes.push_back("A warning about the recording of " + side.letter +
                            " puts its times in doubt: parcast predict " + side.file);
    }
}

}  // namespace

ComparedSides compare_sides(std::vector<SideAnswers> sides, Against against) {
    ComparedSides compared;
    compared.is_history = against == Against::the_one_before;
    for (std::size_t i = 1; i < sides.size(); ++i)
        compared.differences.push_back(difference_of(sides, compared.is_history ? i - 1 : 0, i));
    add_notes(sides, compared.notes);
    for (auto& side : sides) {
        for (auto const& run : runs_of(side))
            if (has_time(run.row))
                side.side.runs.emplace_back(run.row.cpus, side_run(run));
        compared.sides.push_back(std::move(side.side));
    }
    return compared;
}

}  // namespace parcast::analysis
