#include "forecast/tried_changes.h"

#include <algorithm>
#include <cmath>
#include <future>

#include "answer/advice_sentences.h"
#include "answer/message_advice.h"
#include "forecast/results_of.h"

namespace parcast::forecast {

namespace {

constexpr double parts_from_promise = 0.05;  // of the time

using Times = Result<std::vector<std::optional<double>>>;

// What a tenth less brings is what each decides, for small changes; what they promise for others.
void add_promises(AdviceOnCpus& at, Advice const& advice) {
    for (auto& row : at.rows) {
        auto const small = tried_at(row, tried_factors.front());
        if (!small)
            continue;
        row.decided_ns = (*at.time_ns - *small->time_ns) / (1 - tried_factors.front());
        if (auto const self_ns = advice.work[row.work].self_ns; self_ns > 0)
            row.weight = row.decided_ns / self_ns;
        for (auto& tried : row.tried) {
            tried.promised_ns = *at.time_ns - (1 - tried.factor) * row.decided_ns;
            if (tried.time_ns &&
                std::abs(*tried.time_ns - tried.promised_ns) > parts_from_promise * *at.time_ns)
                tried.parts_by = PartsBy::path;
        }
    }
}

double gained_by_half(AdviceOnCpus const& at, AdviceRow const& row) {
    auto tried = tried_at(row, 0.5);
    if (!tried)
        tried = tried_at(row, 0);
    return tried ? gain(at, *tried) : 0;
}

void order_rows(AdviceOnCpus& at, Advice const& advice) {
    auto const by_gain = [&](AdviceRow const& row) { return gained_by_half(at, row); };
    std::ranges::stable_sort(at.rows, std::greater(), by_gain);
    for (std::size_t row = 0; row < at.rows.size() && !at.first; ++row)
        if (advice.work[at.rows[row].work].kind != OwnerKind::network && by_gain(at.rows[row]) > 0)
            at.first = row;
}

}  // namespace

Result<void> try_changes(Advice& advice, CanTry const& can_try, TimesAfter const& times_after,
                         unsigned workers) {
    std::vector<std::packaged_task<Times()>> tasks;
    for (auto const& work : advice.work)
        for (double const factor : tried_factors)
            if (can_try(work, factor))
                tasks.emplace_back([&times_after, &work, factor]() -> Times {
                    auto const scenario = parse_scenario(change_text(work, factor));
                    if (!scenario)
                        return pass_on(scenario);
                    return times_after(*scenario);
                });
    auto const results = results_of(tasks, workers);
    auto times = results.begin();
    for (auto& at : advice.counts)
        at.rows.resize(advice.work.size());
    for (std::size_t work = 0; work < advice.work.size(); ++work)
        for (double const factor : tried_factors) {
            if (!can_try(advice.work[work], factor))
                continue;
            if (!*times)
                return pass_on(*times);
            for (std::size_t count = 0; count < advice.counts.size(); ++count)
                advice.counts[count].rows[work].tried.push_back({factor, (**times)[count]});
            ++times;
        }
    for (auto& at : advice.counts) {
        for (std::size_t work = 0; work < advice.work.size(); ++work)
            at.rows[work].work = work;
        add_promises(at, advice);
        order_rows(at, advice);
    }
    return {};
}

}  // namespace parcast::forecast
