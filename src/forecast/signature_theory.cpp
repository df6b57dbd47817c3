#include "forecast/signature_theory.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace parcast::forecast {

namespace {

using model::Execution;

// Powers of two until twice the best number, at most 2^20, and that number.
std::vector<double> usual_threads(model::Optimum const& optimum) {
    constexpr double without_maximum = 1024;
    constexpr double most = 1 << 20;
    double const best = optimum.maximum ? static_cast<double>(optimum.maximum->whole_threads) : 0;
    double const last = optimum.maximum ? std::min(2 * best, most) : without_maximum;
    std::vector<double> threads;
    for (double p = 1; p <= last; p *= 2)
        threads.push_back(p);
    if (best > 0 && best <= most)
        threads.push_back(best);
    std::ranges::sort(threads);
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
    return threads;
}

Result<TheoryExecution> executed(model::Characteristic const& g, double alpha,
                                 std::span<std::uint32_t const> threads, Execution execution) {
    auto const optimum = model::optimum(g, alpha, execution);
    if (!optimum)
        return pass_on(optimum);
    TheoryExecution answer;
    if (auto const& maximum = optimum->maximum) {
        answer.p_smax = maximum->threads;
        answer.s_max = maximum->speed_up;
        answer.best_p = maximum->whole_threads;
        answer.best_speed_up = maximum->whole_speed_up;
        answer.inflection = maximum->inflection;
    }
    answer.limit = optimum->limit;
    answer.least_b = optimum->signature.least;
    if (auto const& flat = optimum->signature.flat) {
        answer.flat_from = flat->from;
        answer.flat_to = flat->to;
    }
    auto const outlook = model::outlook(g, execution);
    answer.paper_class = outlook.paper_class;
    answer.outlook = outlook.sentence;
    auto const rows =
        threads.empty() ? usual_threads(*optimum) : std::vector<double>(threads.begin(), threads.end());
    for (double const p : rows) {
        auto const at = model::efficiency(g, alpha, p, execution);
        if (!at)
            return pass_on(at);
        TheoryPoint point{at->threads, at->a, at->work, at->b, at->speed_up, at->efficiency, {}};
        if (execution == Execution::scaled && p >= 2)
            point.divide_and_conquer = model::divide_and_conquer_speed_up(p);
        answer.points.push_back(point);
    }
    return answer;
}

}  // namespace

Result<SignatureTheory> signature_theory(std::string const& text, double alpha,
                                         std::span<std::uint32_t const> threads, Execution up_to) {
    auto const g = model::Characteristic::parse(text);
    if (!g)
        return pass_on(g);
    if (auto const holds = model::check_theorem(*g); !holds)
        return pass_on(holds);
    auto const growth = model::words_of(model::growth_of(*g));
    SignatureTheory answer{g->text(), alpha, std::string(growth.word), std::string(growth.sentence), {}, {}};
    auto fixed_size = executed(*g, alpha, threads, Execution::fixed_size);
    if (!fixed_size)
        return pass_on(fixed_size);
    answer.fixed_size = std::move(*fixed_size);
    if (up_to == Execution::scaled) {
        auto scaled = executed(*g, alpha, threads, Execution::scaled);
        if (!scaled)
            return pass_on(scaled);
        answer.scaled = std::move(*scaled);
    }
    return answer;
}

}  // namespace parcast::forecast
