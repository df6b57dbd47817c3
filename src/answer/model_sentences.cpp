#include "answer/model_sentences.h"

#include <algorithm>
#include <cmath>

#include "answer/number_text.h"
#include "core/percent_text.h"
#include "core/three_digits.h"

namespace parcast {

namespace {

// Changes of the mean by less than this share of the change of a parameter are not worth a sentence.
constexpr double least_elasticity = 0.005;
// As near to the critical path the work of a resource makes queues that the formula leaves out.
constexpr double near = 0.25;

std::string level_text(double level) {
    return number_text(level).substr(0, number_text(level).find_last_not_of('0') + 1);
}

std::string verdict(ModelPointFacts const& facts) {
    auto const& time = facts.point.time;
    auto const per = facts.per ? " per " + *facts.per : std::string();
    auto text = facts.of + " takes " + number_text(time.mean) + per;
    if (!(time.variance > 0))
        return text + ", in every run.";
    text += " on average, with a standard deviation of " + number_text(std::sqrt(time.variance));
    if (facts.levels.empty())
        return text + ".";
    auto const highest = std::ranges::max_element(facts.levels);
    auto const place = static_cast<std::size_t>(highest - facts.levels.begin());
    auto const level = std::round(*highest * 1e6) / 1e6;
    auto const share =
        level == std::floor(level) ? std::to_string(static_cast<int>(level)) : level_text(level);
    return text + "; " + share + " % of the runs end within " + number_text(facts.quantiles[place]) + ".";
}

std::string bound(ModelPointFacts const& facts) {
    auto const& point = facts.point;
    if (!point.resource)
        return "Nothing is contended for: the time is that of the critical path.";
    auto const& resource = facts.resources[*point.resource];
    if (point.is_bound_by_resource && facts.has_phases)
        return "In a phase or more a resource is busy for longer than the critical path takes.";
    if (point.is_bound_by_resource)
        return resource + " bounds the time: without waiting for it, the critical path would take " +
               number_text(point.critical_path.mean) + ".";
    double const share = point.time.mean > 0 ? std::min(1.0, point.busiest.mean / point.time.mean) : 0;
    return "The critical path bounds the time; the busiest resource, " + resource + ", is in use for " +
           percent_text(share) + " of it.";
}

std::string strongest_effect(ParameterEffect const& effect) {
    double const share = effect.mean_elasticity;
    return effect.parameter + " matters most: 1 % more of it makes the mean " +
           three_digits(std::abs(share)) + " % " + (share > 0 ? "longer." : "shorter.");
}

}  // namespace

std::vector<std::string> model_point_sentences(ModelPointFacts const& facts) {
    std::vector<std::string> sentences{verdict(facts), bound(facts)};
    auto const& point = facts.point;
    bool const is_near = point.resource && point.busiest.mean > (1 - near) * point.critical_path.mean &&
                         point.busiest.mean < (1 + near) * point.critical_path.mean;
    if (is_near)
        sentences.push_back(
            facts.resources[*point.resource] +
            " is nearly as busy as the critical path is long. There the formula, which leaves "
            "queueing out, is least exact: the simulation shows by how much.");
    if (!facts.effects.empty() && std::abs(facts.effects.front().mean_elasticity) >= least_elasticity)
        sentences.push_back(strongest_effect(facts.effects.front()));
    if (!point.is_attainable)
        sentences.push_back(
            "No law has these four moments: some input has moments that are formal, and the "
            "quantiles are a guess.");
    else if (!point.is_matched)
        sentences.push_back(
            "No law with these four moments is known here: the quantiles are of one that has "
            "the first two or three.");
    return sentences;
}

}  // namespace parcast
