#include "study/signature_work.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/events_threads/added_work.h"
#include "model/events_threads/characteristic.h"
#include "model/events_threads/other_laws.h"
#include "model/events_threads/speed_up_theorem.h"

namespace parcast::study {

namespace {

// Where the work itself grows with P, or may do so, the slope of W on E is that of its own work.
std::optional<SignatureTheta> theta_of(SignatureAnswer const& answer) {
    bool const is_sure = answer.series_theta_95 && answer.series_theta_95->low > 0;
    if (is_sure && !answer.is_scaled && !answer.is_growth_unclear)
        return SignatureTheta{*answer.series_theta_ns, ThetaSource::series};
    if (answer.machine_theta_ns && *answer.machine_theta_ns > 0)
        return SignatureTheta{*answer.machine_theta_ns, ThetaSource::machine};
    return std::nullopt;
}

// `linear_slope`: of a linear g; of others 0.
SignatureOutlook outlook_of(model::Characteristic const& g, double linear_slope, double alpha,
                            model::Execution execution) {
    SignatureOutlook outlook;
    outlook.sentence = model::outlook(g, execution).sentence;
    auto const found = model::optimum(g, alpha, execution);
    if (!found) {
        // A line that is below 0 where nobody counted still has its limit.
        if (linear_slope > 0 && execution == model::Execution::fixed_size)
            outlook.limit = alpha / linear_slope;
        else
            outlook.refusal = found.error().message;
        return outlook;
    }
    outlook.limit = found->limit;
    outlook.least_b = found->signature.least;
    if (auto const& flat = found->signature.flat)
        outlook.flat = SignatureRange{flat->from, flat->to};
    if (auto const& maximum = found->maximum) {
        outlook.p_smax = maximum->threads;
        outlook.s_max = maximum->speed_up;
        outlook.best_p = static_cast<double>(maximum->whole_threads);
        outlook.inflection = maximum->inflection;
    }
    return outlook;
}

std::string meaning_of_conserved(SignatureAnswer const& answer, model::ConservedSource source) {
    switch (source) {
        case model::ConservedSource::line:
            return "the work without events, where the line of the series meets none";
        case model::ConservedSource::run_of_one:
        case model::ConservedSource::fewest_threads:
            return "the work with P = " + std::to_string(answer.recordings.front().threads) +
                   " without its events";
        case model::ConservedSource::unknown: break;
    }
    return {};
}

}  // namespace

void add_work(SignatureAnswer& answer) {
    auto& recordings = answer.recordings;
    std::vector<model::WorkAndEvents> series;
    for (auto const& recording : recordings)
        series.push_back({static_cast<double>(recording.threads), recording.work_ns,
                          static_cast<double>(recording.events), recording.time_ns});
    auto const& last = recordings.back();
    // Of calls that are joined, the work between them is no cost of theirs.
    if (last.events > 0 && answer.same_event_ns == 0)
        answer.machine_theta_ns = (last.work_ns - last.active_ns) / static_cast<double>(last.events);
    auto added = model::added_work(series);
    if (!added)
        return;
    answer.series_theta_ns = added->theta_ns;
    answer.series_theta_95 = added->theta_95;
    answer.work_noise_ns = added->noise_ns;
    answer.theta = theta_of(answer);
    if (!answer.theta)
        return;
    if (answer.theta->source == ThetaSource::machine)
        added = model::added_work(series, answer.theta->ns);
    answer.conserved_ns = added->conserved_ns;
    answer.conserved_meaning = meaning_of_conserved(answer, added->conserved_source);
    answer.work_variation = added->variation;
    answer.work_stays_constant = added->stays_constant;
    for (std::size_t i = 0; i < recordings.size() && i < added->runs.size(); ++i) {
        recordings[i].event_cost_ns = added->runs[i].communication_ns;
        recordings[i].algorithmic_work_ns = added->runs[i].algorithmic_ns;
    }
}

std::optional<WorkOfOne> work_of_one(SignatureAnswer const& answer) {
    auto const& first = answer.recordings.front();
    auto const threads = static_cast<double>(first.threads);
    auto const at = "P = " + std::to_string(first.threads);
    WorkOfOne work{first.active_ns, "the active work with " + at};
    if (answer.is_scaled)
        work = {first.active_ns / threads, "the active work of a thread with " + at};
    else if (answer.has_one_thread)
        work = {first.work_ns, "the work with " + at};
    else if (answer.is_growth_unclear || (answer.theta && answer.conserved_meaning.empty()))
        return std::nullopt;
    else if (answer.theta && answer.conserved_ns > 0)
        work = {answer.conserved_ns, answer.conserved_meaning};
    return work.ns > 0 ? std::optional(std::move(work)) : std::nullopt;
}

void add_outlook(SignatureAnswer& answer, bool scaled) {
    if (!answer.g)
        return;
    auto const g = model::Characteristic::parse(answer.g->formula);
    if (!g)
        return;
    for (auto& recording : answer.recordings)
        recording.fitted_events = (*g)(static_cast<double>(recording.threads));
    if (!answer.theta || !answer.is_number_of_threads || !answer.work_of_one)
        return;
    answer.alpha = answer.work_of_one->ns / answer.theta->ns;
    auto const chosen = std::ranges::find(answer.g->candidates, true, &SignatureCandidate::is_chosen);
    auto const slope = chosen->name == "linear" ? chosen->coefficients.back() : 0;
    auto const execution = answer.is_scaled ? model::Execution::scaled : model::Execution::fixed_size;
    if (!answer.is_scaled)
        answer.outlook = outlook_of(*g, slope, *answer.alpha, model::Execution::fixed_size);
    if (scaled || answer.is_scaled)
        answer.scaled = outlook_of(*g, slope, *answer.alpha, model::Execution::scaled);
    for (auto& recording : answer.recordings) {
        auto const threads = static_cast<double>(recording.threads);
        if (auto const at = model::efficiency(*g, *answer.alpha, threads, execution))
            recording.theorem = at->speed_up;
    }
}

void add_other_laws(SignatureAnswer& answer) {
    if (!answer.is_number_of_threads)
        return;
    std::vector<model::MeasuredSpeedUp> points;
    for (auto const& recording : answer.recordings)
        if (recording.speed_up)
            points.push_back({static_cast<double>(recording.threads), *recording.speed_up});
    if (points.size() < 2)
        return;
    auto const laws = model::other_laws(points);
    if (!laws)
        return;
    OtherLaws other{laws->amdahl.serial, laws->gustafson.serial, {}, {}, {}, {}};
    if (laws->universal) {
        other.contention = laws->universal->contention;
        other.coherency = laws->universal->coherency;
        other.peak = laws->universal->peak;
        other.limit = laws->universal->limit;
    }
    answer.other_laws = other;
    for (auto& recording : answer.recordings) {
        auto const threads = static_cast<double>(recording.threads);
        recording.amdahl = model::amdahl_speed_up(other.amdahl_serial, threads);
        recording.gustafson = model::gustafson_speed_up(other.gustafson_serial, threads);
        if (laws->universal)
            recording.universal = model::universal_speed_up(*laws->universal, threads);
    }
}

}  // namespace parcast::study
