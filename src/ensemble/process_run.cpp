#include "ensemble/process_run.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/counted.h"
#include "core/ensure.h"
#include "core/three_digits.h"
#include "ensemble/engine.h"
#include "ensemble/helper_threads.h"
#include "ensemble/plan.h"

namespace parcast::ensemble {

namespace {

constexpr std::uint32_t fewest_runs = 8;  // an interval of fewer says nothing

// A share of the mean: a law of two points, one of them 0, has that one a little below 0.
constexpr double only_rounding = 1e-9;

// So often a thread tells how far it is.
constexpr double operations_worth_telling = 1'000'000;

// Below this a thread costs more than it saves.
constexpr double operations_worth_a_thread = 100'000;

class Runs {
public:
    Runs(Plan const& plan, EnsembleOptions const& options) : plan_(plan), options_(options) {}

    std::size_t size() const { return outcomes_.size(); }
    std::vector<RunOutcome> const& outcomes() const { return outcomes_; }

    // Which runs there are does not depend on the threads, and each run has a stream of its own.
    void add(std::size_t count) {
        next_ = outcomes_.size();
        outcomes_.resize(outcomes_.size() + count);
        in_threads(threads_for(count), [this] { work(); });
    }

private:
    std::size_t threads_for(std::size_t count) const {
        std::size_t const wanted = options_.threads > 0 ? options_.threads : cpus_of_host();
        double const worth = 1 + static_cast<double>(count) * plan_.operations / operations_worth_a_thread;
        return std::min({wanted, count, worth < 1e6 ? static_cast<std::size_t>(worth) : wanted});
    }

    void work() {
        Engine engine(plan_);
        std::size_t const end = outcomes_.size();
        double untold = operations_worth_telling;
        for (std::size_t run = next_++; run < end; run = next_++) {
            if (options_.run_begins && untold >= operations_worth_telling) {
                options_.run_begins(run + 1, end);
                untold = 0;
            }
            outcomes_[run] = engine.run(options_.seed, run);
            untold += static_cast<double>(outcomes_[run].operations);
        }
    }

    Plan const& plan_;
    EnsembleOptions const& options_;
    std::vector<RunOutcome> outcomes_;
    std::atomic<std::size_t> next_ = 0;
};

std::vector<double> times_of(std::vector<RunOutcome> const& outcomes) {
    std::vector<double> times;
    for (auto const& outcome : outcomes)
        times.push_back(outcome.time);
    return times;
}

std::uint64_t operations_of(std::vector<RunOutcome> const& outcomes) {
    std::uint64_t sum = 0;
    for (auto const& outcome : outcomes)
        sum += outcome.operations;
    return sum;
}

// How many more runs; 0: enough, or no more allowed.
std::size_t runs_to_add(std::vector<RunOutcome> const& outcomes, EnsembleOptions const& options) {
    double const n = static_cast<double>(outcomes.size());
    auto const moments = sample_moments(times_of(outcomes));
    double const operations = std::max(1.0, static_cast<double>(operations_of(outcomes)));
    double const wanted = options.relative_half_width * std::abs(moments.moments.mean);
    double const half_width = moments.mean.half_width();
    double more = half_width > wanted ? n * (std::pow(half_width / wanted, 2) * 1.1 - 1) + 1 : 0;
    more = std::max(more, n * (static_cast<double>(options.cheap_operations) / operations - 1));
    // Early estimates of the width are rough.
    more = std::min({more, 9 * n, options.most_runs - n,
                     n * (static_cast<double>(options.most_operations) / operations - 1)});
    return more >= 1 ? static_cast<std::size_t>(more) : 0;
}

std::string count_of(double operations) {
    return count_text(static_cast<std::int64_t>(std::min(operations, 9e18)));
}

Error too_long(Plan const& plan, std::uint32_t runs, EnsembleOptions const& options) {
    std::string message = "a run would need " + count_of(plan.operations) + " operations, and " +
                          counted(runs, "run") + " more than the " +
                          count_of(static_cast<double>(options.most_operations)) + " allowed";
    double const allowed = static_cast<double>(options.most_operations) / runs;
    double const turns =
        std::pow(10, std::floor(std::log10(plan.longest_turns * allowed / plan.operations / 2)));
    if (!plan.longest_loop.empty() && turns >= 1) {
        message += ": --set " + plan.longest_loop + "=" + std::to_string(static_cast<std::uint64_t>(turns)) +
                   " has nearly the same time a turn";
    } else {
        message += ": set smaller counts with --set NAME=VALUE, or ask for fewer runs";
    }
    return {ErrorCode::out_of_range, std::move(message), std::nullopt};
}

std::string percent(double share) {
    return three_digits(100 * share) + " %";
}

void note_clipping(Ensemble& ensemble, std::vector<RunOutcome> const& outcomes) {
    std::uint64_t clipped = 0;
    double time = 0;
    for (auto const& outcome : outcomes) {
        clipped += outcome.clipped;
        time += outcome.clipped_time;
    }
    ensemble.clipped_time = time / static_cast<double>(outcomes.size());
    if (ensemble.clipped_time <= only_rounding * std::abs(ensemble.moments.mean))
        return;
    ensemble.notes.push_back(
        counted(static_cast<std::int64_t>(clipped), "draw was", "draws were") + " negative and taken as 0 (" +
        percent(static_cast<double>(clipped) /
                static_cast<double>(std::max<std::uint64_t>(1, ensemble.operations))) +
        " of the operations): that adds " + three_digits(ensemble.clipped_time) + " to the work of a run");
}

void note_precision(Ensemble& ensemble, EnsembleOptions const& options) {
    double const relative = ensemble.mean.half_width() / std::abs(ensemble.moments.mean);
    if (relative <= options.relative_half_width)
        return;
    bool const out_of_runs = ensemble.times.size() >= options.most_runs;
    ensemble.notes.push_back(
        "the mean is known to " + percent(relative) + ", not to the " + percent(options.relative_half_width) +
        " asked for: " + counted(static_cast<std::int64_t>(ensemble.times.size()), "run") +
        (out_of_runs ? " are all that were allowed" : " took all operations that were allowed"));
}

// The runs to begin with: fewer where a run is long, for a mean that may be precise enough then. A number
// that was asked for stays.
std::uint32_t first_runs(Plan const& plan, EnsembleOptions const& options) {
    if (!plan.random)
        return 1;
    constexpr double dear = 10;  // times what is spent anyway
    double const affordable =
        dear * static_cast<double>(options.cheap_operations) / std::max(1.0, plan.operations);
    bool const is_given = options.least_runs == options.most_runs;
    auto const first = is_given || affordable >= options.least_runs ? options.least_runs
                                                                    : static_cast<std::uint32_t>(affordable);
    return std::max(first, fewest_runs);
}

void note_few_runs(Ensemble& ensemble, EnsembleOptions const& options) {
    if (ensemble.times.size() >= options.least_runs)
        return;
    ensemble.notes.push_back(
        "a run takes " + count_of(static_cast<double>(ensemble.operations / ensemble.times.size())) +
        " operations, and " + counted(static_cast<std::int64_t>(ensemble.times.size()), "run") +
        " gave the precision asked for: quantiles and higher moments are rough");
}

Ensemble ensemble_of(Plan const& plan, std::vector<RunOutcome> const& outcomes,
                     EnsembleOptions const& options) {
    Ensemble ensemble;
    ensemble.times = times_of(outcomes);
    auto const found = plan.random ? sample_moments(ensemble.times) : known_value(ensemble.times.front());
    ensemble.moments = found.moments;
    ensemble.mean = found.mean;
    ensemble.variance = found.variance;
    ensemble.skewness = found.skewness;
    ensemble.kurtosis = found.kurtosis;
    ensemble.operations = operations_of(outcomes);
    ensemble.is_random = plan.random;
    ensemble.notes = plan.notes;
    note_clipping(ensemble, outcomes);
    if (plan.random) {
        note_precision(ensemble, options);
        note_few_runs(ensemble, options);
    }
    std::sort(ensemble.times.begin(), ensemble.times.end());
    return ensemble;
}

}  // namespace

double Ensemble::quantile(double fraction) const {
    ensure(!times.empty() && fraction >= 0 && fraction <= 1, "a quantile of some runs");
    double const place = fraction * static_cast<double>(times.size() - 1);
    auto const below = static_cast<std::size_t>(place);
    if (below + 1 >= times.size())
        return times.back();
    return times[below] + (place - std::floor(place)) * (times[below + 1] - times[below]);
}

Result<Ensemble> simulate(ProcessModel const& model, ProcessId root, std::span<double const> parameters,
                          EnsembleOptions const& options) {
    auto const plan = plan_of(model, root, parameters);
    if (!plan)
        return pass_on(plan);
    std::uint32_t const least = first_runs(*plan, options);
    if (plan->operations * least > static_cast<double>(options.most_operations))
        return tl::unexpected<Error>(too_long(*plan, least, options));

    Runs runs(*plan, options);
    runs.add(least);
    while (plan->random) {
        auto const more = runs_to_add(runs.outcomes(), options);
        if (more == 0)
            break;
        runs.add(more);
    }
    return ensemble_of(*plan, runs.outcomes(), options);
}

}  // namespace parcast::ensemble
