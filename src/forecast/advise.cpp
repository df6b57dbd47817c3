#include "forecast/advise.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <future>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "analysis/task_graph_causes.h"
#include "analysis/what_to_change.h"
#include "core/progress_text.h"
#include "forecast/message_advice.h"
#include "forecast/ranges.h"
#include "forecast/results_of.h"
#include "forecast/step_advice.h"
#include "forecast/what_if.h"
#include "program/scaled_work.h"
#include "program/task_change.h"

namespace parcast::forecast {

namespace {

constexpr int tenths = analysis::OvertakingSearch::tenths;
constexpr auto tried_tenths_gone = std::to_array({1, 5, tenths});
constexpr int half_gone = 5;
constexpr double worth_a_try = 0.01;  // of the completion
constexpr double parts_ways = 0.05;   // of the time

// So many operations are replayed in a few seconds.
constexpr double operations_for_all_ranges = 60e6;

double factor_of(int tenths_gone) {
    return analysis::OvertakingSearch::factor(tenths_gone);
}

// To be called before each of so many parts of a step, by whichever thread does it.
std::function<void()> part_counter(AdviceQuestion const& question, std::string const& step,
                                   std::size_t parts) {
    return [&question, step, parts, begun = std::make_shared<std::atomic<std::uint64_t>>(0)] {
        if (question.progress)
            question.progress(progress_text(step, {++*begun, parts}));
    };
}

// What the work of a program decides on each count.
struct Weighed {
    std::vector<ChangeableWork> work;
    std::vector<analysis::DecidedTime> decided;  // by count
    std::vector<AdviceSegment> segments;
    std::vector<std::vector<double>> weight_times_cpus;  // by count, by segment
};

// A copy of so many takes 100 MB, for each change that is tried at the same time.
constexpr std::int64_t most_copied_operations = 4'000'000;

// What stays the same for all programs that are weighed and executed here.
struct Ground {
    Forecast& forecast;  // its program is only changed by with_less
    AdviceQuestion const& question;
    std::vector<std::uint32_t> cpus;  // rising

    bool copies() const {
        return !forecast.answer.is_replayed() ||
               operation_count(forecast.threads()) <= most_copied_operations;
    }
    // So many changes are tried at once.
    unsigned workers() const { return copies() ? question.workers : 1; }
};

// None: it deadlocks.
Result<std::optional<Weighed>> weigh(Ground const& ground, ThreadProgram const& program) {
    auto const checked = CheckedProgram::of(program);
    if (!checked)
        return pass_on(checked);
    auto const unbounded =
        simulate::run_unbounded(*checked, ground.forecast.pairing, true, ground.forecast.machine.waiting);
    if (!unbounded)
        return pass_on(unbounded);
    if (!unbounded->causes)
        return std::optional<Weighed>();
    analysis::WhatToChange const what(program, *unbounded->causes);
    auto const speeds = parcast::speeds(ground.forecast.machine.rates);
    Weighed weighed;
    weighed.work = analysis::changeable_work(what);
    for (auto const cpus : ground.cpus)
        weighed.decided.push_back(what.on(cpus, speeds));
    if (ground.question.segments) {
        for (auto const& segment : what.segments())
            weighed.segments.push_back({segment.thread.value, segment.site,
                                        static_cast<double>(segment.begin.ns),
                                        static_cast<double>(segment.end.ns)});
        for (auto const cpus : ground.cpus)
            weighed.weight_times_cpus.push_back(what.weights_times_cpus(cpus, speeds));
    }
    return std::optional(std::move(weighed));
}

// The work of a graph belongs to its groups.
Result<std::optional<Weighed>> weigh(Ground const& ground, TaskGraph const& graph) {
    auto const [causes, end_of, units_per_ns] = analysis::causes_of(graph);
    analysis::ExtendedCriticalPath const path(causes);
    Weighed weighed;
    for (std::size_t group = 0; group < graph.groups(); ++group) {
        auto const times = graph.times_of(TaskGroupId(group));
        double const work_ns = std::accumulate(times.begin(), times.end(), 0.0);
        weighed.work.push_back({.kind = OwnerKind::group,
                                .name = name_of(graph, TaskGroupId(group)),
                                .calls = static_cast<std::int64_t>(times.size()),
                                .self_ns = work_ns});
    }
    auto const group_of = group_of_each_task(graph);
    for (auto const cpus : ground.cpus) {
        auto const weights = path.on(cpus);
        analysis::DecidedTime decided{
            static_cast<double>(weights.completion_times_cpus) / cpus / units_per_ns,
            std::vector<double>(graph.groups(), 0)};
        for (std::size_t task = 0; task < graph.tasks(); ++task)
            decided.decided_ns[group_of[task].index()] +=
                static_cast<double>(weights.weight_times_cpus[end_of[task]]) / cpus * graph.cpu_ns[task];
        weighed.decided.push_back(std::move(decided));
        if (!ground.question.segments)
            continue;
        auto& of_tasks = weighed.weight_times_cpus.emplace_back();
        for (auto const end : end_of)
            of_tasks.push_back(static_cast<double>(weights.weight_times_cpus[end]));
    }
    if (ground.question.segments)
        for (std::size_t task = 0; task < graph.tasks(); ++task) {
            double const end = static_cast<double>(causes.when(end_of[task]).ns) / units_per_ns;
            weighed.segments.push_back({.who = static_cast<std::uint32_t>(task),
                                        .begin_ns = end - graph.cpu_ns[task],
                                        .end_ns = end});
        }
    return std::optional(std::move(weighed));
}

// Uses the program as it would be with less of that work: a copy, or a large one itself meanwhile.
template <class Use>
auto with_less(Ground const& ground, std::size_t work, double factor, Use use) {
    auto& program = std::get<ThreadProgram>(ground.forecast.program);
    if (ground.copies())
        return use(with_work_scaled(program, work, factor));
    ScaledWork const less(program, work, factor);
    return use(program);
}

// None: it deadlocks.
Result<std::optional<double>> time_with_less(Ground const& ground, std::size_t work, double factor,
                                             std::uint32_t cpus) {
    auto const& forecast = ground.forecast;
    if (forecast.answer.is_replayed()) {
        auto const times = with_less(ground, work, factor, [&](ThreadProgram const& program) {
            return times_on(program, {forecast.machine, forecast.pairing, 1}, std::array{cpus});
        });
        return times ? Result<std::optional<double>>(times->front()) : pass_on(times);
    }
    auto const time = time_on(with_work_scaled(forecast.graph(), TaskGroupId(work), factor), forecast, cpus);
    return time ? Result<std::optional<double>>(*time) : pass_on(time);
}

Result<std::optional<Weighed>> weigh_with_less(Ground const& ground, std::size_t work, double factor) {
    auto const& forecast = ground.forecast;
    return forecast.answer.is_replayed()
               ? with_less(ground, work, factor,
                           [&](ThreadProgram const& program) { return weigh(ground, program); })
               : weigh(ground, with_work_scaled(forecast.graph(), TaskGroupId(work), factor));
}

std::optional<std::size_t> leader_of(AdviceOnCpus const& at) {
    return at.first ? std::optional(at.rows[*at.first].work) : std::nullopt;
}

// --- with less of the work, weighed once more

using LessWork = std::pair<std::size_t, int>;  // whose, and how many tenths are gone

struct WeighedWithLess {
    std::vector<double> completion_ns;               // by count
    std::vector<std::optional<std::size_t>> leader;  // by count
};

class WeighedChanges {
public:
    explicit WeighedChanges(Ground const& ground) : ground_(ground) {}

    // What is there already is not weighed again. Errors: those of replays.
    Result<void> weigh(std::set<LessWork> const& changes);
    // REQUIRES: weighed. None: it deadlocks.
    std::optional<WeighedWithLess> const& with(LessWork change) const { return known_.at(change); }

private:
    Ground const& ground_;
    std::map<LessWork, std::optional<WeighedWithLess>> known_;
};

Result<void> WeighedChanges::weigh(std::set<LessWork> const& changes) {
    using One = Result<std::optional<WeighedWithLess>>;
    std::vector<LessWork> missing;
    std::ranges::copy_if(changes, std::back_inserter(missing),
                         [&](LessWork const& change) { return !known_.contains(change); });
    auto const begins = part_counter(ground_.question, "weighing changes", missing.size());
    std::vector<std::packaged_task<One()>> tasks;
    for (auto const& change : missing)
        tasks.emplace_back([this, change, begins]() -> One {
            begins();
            auto const weighed = weigh_with_less(ground_, change.first, factor_of(change.second));
            if (!weighed)
                return pass_on(weighed);
            if (!*weighed)
                return std::optional<WeighedWithLess>();
            WeighedWithLess with;
            for (auto const& decided : (*weighed)->decided) {
                auto const rows = analysis::rows_of(decided, (*weighed)->work);
                auto const first = analysis::first_to_change(rows, (*weighed)->work);
                with.completion_ns.push_back(decided.completion_ns);
                with.leader.push_back(first ? std::optional(rows[*first].work) : std::nullopt);
            }
            return std::optional(std::move(with));
        });
    auto results = results_of(tasks, ground_.workers());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            return pass_on(results[i]);
        known_[missing[i]] = std::move(*results[i]);
    }
    return {};
}

// --- changes that are tried

// The first `top` of them, and what to change first.
std::vector<AdviceRow*> rows_to_try(AdviceOnCpus& at, Advice const& advice, std::size_t top) {
    std::vector<AdviceRow*> rows;
    if (!at.time_ns || (at.cpus == 1 && advice.counts.size() > 1))
        return rows;  // on one CPU all work decides
    for (AdviceRow& row : at.rows) {
        bool const is_first = at.first && &row == &at.rows[*at.first];
        bool const decides = std::abs(row.decided_ns) >= worth_a_try * at.completion_ns;
        if (analysis::is_changeable(advice.work[row.work].kind) && decides && (rows.size() < top || is_first))
            rows.push_back(&row);
    }
    return rows;
}

struct Try {
    std::size_t count;
    AdviceRow* row;
    int tenths_gone;
};

// REQUIRES: try_changes.
TriedChange& tried_of(Try const& each) {
    return *std::ranges::find(each.row->tried, factor_of(each.tenths_gone), &TriedChange::factor);
}

// Of the first schedule. REQUIRES: one of the answer's numbers of CPUs.
Row const& row_on(Answer const& answer, std::uint32_t cpus) {
    return *std::ranges::find_if(answer.rows,
                                 [&](Row const& row) { return row.schedule == 0 && row.cpus == cpus; });
}

std::vector<Try> tries(Advice& advice, AdviceQuestion const& question) {
    std::vector<Try> all;
    // For the first sentence, only on the last count that it is about.
    for (std::size_t count = question.first_sentence ? advice.counts.size() - 1 : 0;
         count < advice.counts.size(); ++count)
        for (AdviceRow* const row : rows_to_try(advice.counts[count], advice, question.top))
            for (int const gone : tried_tenths_gone)
                if (!question.first_sentence || gone == half_gone)
                    all.push_back({count, row, gone});
    return all;
}

// The first counts with a time on which one and the same is to be changed first, by the weights.
// REQUIRES: one has a time.
void keep_first_sentence(Advice& advice) {
    auto const has_time = [](AdviceOnCpus const& at) { return at.time_ns.has_value(); };
    advice.counts.erase(advice.counts.begin(), std::ranges::find_if(advice.counts, has_time));
    std::size_t kept = 1;
    while (kept < advice.counts.size() && has_time(advice.counts[kept]) &&
           leader_of(advice.counts[kept]) == leader_of(advice.counts[0]))
        ++kept;
    advice.counts.resize(kept);
}

Result<void> try_changes(Advice& advice, Ground const& ground, std::vector<Try> const& all) {
    std::vector<std::packaged_task<Result<std::optional<double>>()>> tasks;
    auto const begins = part_counter(ground.question, "trying changes", all.size());
    for (Try const& each : all)
        tasks.emplace_back([&ground, &each, begins, cpus = advice.counts[each.count].cpus] {
            begins();
            return time_with_less(ground, each.row->work, factor_of(each.tenths_gone), cpus);
        });
    auto const results = results_of(tasks, ground.workers());
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i])
            return pass_on(results[i]);
        auto const& at = advice.counts[all[i].count];
        double const factor = factor_of(all[i].tenths_gone);
        double const share = all[i].row->decided_ns / at.completion_ns;
        all[i].row->tried.push_back({factor, *results[i], *at.time_ns * (1 - (1 - factor) * share)});
    }
    return {};
}

// How sure the gain from half of the work is: wherever it is tried if that takes a few seconds at most, else
// of what comes first.
std::vector<Try> tries_with_ranges(Advice const& advice, Forecast const& forecast,
                                   std::vector<Try> const& all) {
    std::vector<Try> halves;
    std::vector<Try> first;
    for (Try const& each : all) {
        auto const& at = advice.counts[each.count];
        if (each.tenths_gone != half_gone || !tried_of(each).time_ns)
            continue;
        halves.push_back(each);
        if (at.first && each.row == &at.rows[*at.first])
            first.push_back(each);
    }
    auto const replays = static_cast<double>(halves.size() * forecast.varied->draws.size());
    auto const operations = static_cast<double>(operation_count(forecast.threads()));
    return replays * operations <= operations_for_all_ranges ? halves : first;
}

Result<void> add_gain_ranges(Advice& advice, Ground const& ground, std::vector<Try> const& all) {
    auto const& forecast = ground.forecast;
    std::map<std::size_t, std::vector<Try>> by_work;
    for (Try const& each : tries_with_ranges(advice, forecast, all))
        by_work[each.row->work].push_back(each);
    auto const begins = part_counter(ground.question, "replaying changes for ranges", by_work.size());
    for (auto const& [work, tries] : by_work) {
        begins();
        std::vector<TriedTime> times;
        for (Try const& each : tries)
            times.push_back(
                {row_on(forecast.answer, advice.counts[each.count].cpus), *tried_of(each).time_ns});
        auto const gains = with_less(ground, work, factor_of(half_gone), [&](ThreadProgram const& half) {
            return gain_ranges(forecast, {half, forecast.machine}, times, ground.question.workers);
        });
        if (!gains)
            return pass_on(gains);
        for (std::size_t i = 0; i < tries.size(); ++i)
            tried_of(tries[i]).gain_range = (*gains)[i];
    }
    return {};
}

// Where replays part from the promise: whether the weights of the changed program do, too.
Result<void> explain_parting(Advice& advice, WeighedChanges& changes, std::vector<Try> const& all) {
    std::vector<Try> parted;
    std::set<LessWork> wanted;
    for (Try const& each : all) {
        auto const& tried = tried_of(each);
        double const time_ns = *advice.counts[each.count].time_ns;
        if (!tried.time_ns || std::abs(*tried.time_ns - tried.promised_ns) <= parts_ways * time_ns)
            continue;
        parted.push_back(each);
        wanted.insert({each.row->work, each.tenths_gone});
    }
    if (auto const weighed = changes.weigh(wanted); !weighed)
        return pass_on(weighed);
    for (Try const& each : parted) {
        auto const& at = advice.counts[each.count];
        auto const& with = changes.with({each.row->work, each.tenths_gone});
        auto& tried = tried_of(each);
        double const by_path =
            with ? *at.time_ns * with->completion_ns[each.count] / at.completion_ns : tried.promised_ns;
        bool const path_parts = !with || std::abs(by_path - tried.promised_ns) > parts_ways * *at.time_ns / 2;
        tried.parts_by = path_parts ? PartsBy::path : PartsBy::scheduler;
    }
    return {};
}

// Halves the tenths between where the leader still leads and where it does not, on all counts at once.
// Where the replays have another leader than the weights, the weights cannot say who overtakes it.
Result<void> find_who_overtakes(Advice& advice, WeighedChanges& changes,
                                std::vector<std::optional<std::size_t>> const& by_weights) {
    struct Search : analysis::OvertakingSearch {
        std::size_t count;
        std::size_t leader;
    };
    std::vector<Search> searches;
    for (std::size_t count = 0; count < advice.counts.size(); ++count)
        if (auto const leader = leader_of(advice.counts[count]);
            leader && advice.counts[count].time_ns && advice.counts[count].cpus > 1 &&
            advice.counts[count].first == by_weights[count])
            searches.push_back({{}, count, *leader});
    while (std::ranges::any_of(searches, [](Search const& search) { return !search.is_over(); })) {
        std::set<LessWork> wanted;
        for (Search const& search : searches)
            if (!search.is_over())
                wanted.insert({search.leader, search.next()});
        if (auto const weighed = changes.weigh(wanted); !weighed)
            return pass_on(weighed);
        for (Search& search : searches) {
            if (search.is_over())
                continue;
            auto const gone = search.next();
            auto const& with = changes.with({search.leader, gone});
            search.found(gone, with && with->leader[search.count] == search.leader);
        }
    }
    for (Search const& search : searches) {
        if (!search.is_overtaken())
            continue;
        auto const& with = changes.with({search.leader, search.lost});
        if (with)
            advice.counts[search.count].overtaken = {factor_of(search.lost), with->leader[search.count]};
    }
    return {};
}

Result<void> check_is_one_graph(Answer const& answer) {
    if (answer.is_replayed() || !answer.graph().depends_on_cpus)
        return {};
    return fail(
        make_error(ErrorCode::unasked,
                   answer.file + ": its formulas use P, the number of CPUs, and advice is about one graph",
                   "With a value: --set P=" + std::to_string(answer.rows.back().cpus)));
}

// The counts of the first schedule, with their times.
std::vector<AdviceOnCpus> counts_of(Answer const& answer) {
    std::vector<AdviceOnCpus> counts;
    for (Row const& row : answer.rows)
        if (row.schedule == 0) {
            auto& at = counts.emplace_back();
            at.cpus = row.cpus;
            at.time_ns = row.run.deadlock ? std::nullopt : std::optional(row.time_ns);
            at.time_range_ns = row.range ? std::optional(row.range->time_ns) : std::nullopt;
        }
    return counts;
}

void add_weights(Weighed weighed, Advice& advice) {
    advice.work = std::move(weighed.work);
    advice.segments = std::move(weighed.segments);
    for (std::size_t count = 0; count < advice.counts.size(); ++count) {
        AdviceOnCpus& at = advice.counts[count];
        at.completion_ns = weighed.decided[count].completion_ns;
        // The weights are of a run with a CPU for each thread: of a count that deadlocks they say nothing.
        if (at.time_ns) {
            at.rows = analysis::rows_of(weighed.decided[count], advice.work);
            at.first = analysis::first_to_change(at.rows, advice.work);
        }
        if (!weighed.weight_times_cpus.empty())
            at.weight_times_cpus = std::move(weighed.weight_times_cpus[count]);
    }
}

// What comes first by the trials. Returns what came first by the weights.
std::vector<std::optional<std::size_t>> choose_by_trials(Advice& advice) {
    std::vector<std::optional<std::size_t>> by_weights;
    for (AdviceOnCpus& at : advice.counts) {
        by_weights.push_back(at.first);
        at.first = analysis::first_by_trial(at, advice.work);
    }
    return by_weights;
}

}  // namespace

Result<Advice> advise(Forecast& forecast, AdviceQuestion const& question) {
    if (forecast.answer.form() == Form::messages)
        return advise_messages(forecast, question);
    if (forecast.answer.form() == Form::steps)
        return advise_steps(forecast, question);
    if (auto const checked = check_is_one_graph(forecast.answer); !checked)
        return pass_on(checked);
    Advice advice;
    advice.counts = counts_of(forecast.answer);
    Ground ground{forecast, question, {}};
    for (AdviceOnCpus const& at : advice.counts)
        ground.cpus.push_back(at.cpus);
    if (question.progress)
        question.progress("weighing its work");
    auto weighed =
        forecast.answer.is_replayed() ? weigh(ground, forecast.threads()) : weigh(ground, forecast.graph());
    if (!weighed)
        return pass_on(weighed);
    if (!*weighed)  // it deadlocks, and so do the rows
        return advice;
    add_weights(std::move(**weighed), advice);
    if (std::ranges::none_of(advice.counts, [](AdviceOnCpus const& at) { return at.time_ns.has_value(); }))
        return advice;
    if (question.first_sentence)
        keep_first_sentence(advice);
    auto const all = tries(advice, question);
    if (auto const tried = try_changes(advice, ground, all); !tried)
        return pass_on(tried);
    auto const by_weights = choose_by_trials(advice);
    if (forecast.varied) {
        if (auto const added = add_gain_ranges(advice, ground, all); !added)
            return pass_on(added);
    }
    if (question.first_sentence) {
        // What was tried on the last count says nothing about the others, if it says something else.
        if (advice.counts.back().first != by_weights.back())
            advice.counts.erase(advice.counts.begin(), advice.counts.end() - 1);
        return advice;
    }
    WeighedChanges changes(ground);
    if (auto const explained = explain_parting(advice, changes, all); !explained)
        return pass_on(explained);
    if (auto const found = find_who_overtakes(advice, changes, by_weights); !found)
        return pass_on(found);
    return advice;
}

}  // namespace parcast::forecast
