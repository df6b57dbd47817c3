#include "study/signature_causes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "model/events_threads/characteristic.h"

namespace parcast::study {

namespace {

constexpr std::size_t most_causes = 10;
constexpr double differing_threads = 1.5;  // most events of a thread over the mean

// ln(E / g(P)) of a count, from which on g is no function of these numbers: a factor of 1.65.
constexpr double worst_miss = 0.5;

SignatureCharacteristic characteristic_of(model::CharacteristicFit const& fit) {
    SignatureCharacteristic g;
    auto const words = model::words_of(fit.growth);
    g.word = words.word;
    g.sentence = words.sentence;
    g.formula = fit.best().formula;
    g.growth = model::growth_text(fit.best());
    g.exponent = fit.exponent;
    g.exponent_95 = fit.exponent_95;
    g.few_counts = fit.few_counts;
    for (std::size_t i = 0; i < fit.candidates.size(); ++i) {
        auto const& each = fit.candidates[i];
        bool const is_as_good = std::ranges::find(fit.as_good, i) != fit.as_good.end();
        g.candidates.push_back({std::string(model::name_of(each.form)), each.formula, each.coefficients,
                                each.exponent, each.exponent_95, each.criterion, each.relative_error,
                                each.residuals, i == fit.chosen, is_as_good});
    }
    return g;
}

// One place in the programs of all recordings, whose ids differ: with one object, or with all that it is
// about.
using PlaceKey = std::tuple<std::string, std::string, std::string, std::string, std::uint32_t>;

PlaceKey place_and_object(SignaturePlace const& place) {
    return {place.object, place.call, place.function, place.file, place.line};
}

// A call that nobody knows the place of is one about its object.
PlaceKey place_alone(SignaturePlace const& place) {
    return {place.function.empty() ? place.object : "", place.call, place.function, place.file, place.line};
}

// Most growth first. `all`: events that came from the smallest P to the largest.
std::vector<SignatureCause> causes_by(PlaceKey (*key_of)(SignaturePlace const&),
                                      std::vector<RecordingSignature> const& recordings, double all) {
    std::map<PlaceKey, SignatureCause> causes;
    for (std::size_t i = 0; i < recordings.size(); ++i)
        for (auto const& place : recordings[i].places) {
            auto const [known, is_new] = causes.try_emplace(key_of(place));
            auto& cause = known->second;
            bool const has_several = !is_new && cause.place.object != place.object;
            cause.place = place;
            if (has_several)
                cause.place.object.clear();
            cause.events.resize(recordings.size(), 0);
            cause.events[i] += static_cast<double>(place.events);
        }
    std::vector<SignatureCause> growing;
    for (auto& [key, cause] : causes) {
        cause.place.events = static_cast<std::int64_t>(cause.events.back());
        cause.growth_share = (cause.events.back() - cause.events.front()) / all;
        if (cause.growth_share > 0)
            growing.push_back(std::move(cause));
    }
    std::ranges::stable_sort(growing, std::ranges::greater{}, &SignatureCause::growth_share);
    return growing;
}

// Counts above 0 of a place or an object.
std::optional<SignatureCharacteristic> fitted_growth(SignatureAnswer const& answer,
                                                     std::vector<double> const& events) {
    std::vector<model::EventCount> counts;
    for (std::size_t i = 0; i < events.size(); ++i)
        if (events[i] > 0)
            counts.push_back({static_cast<double>(answer.recordings[i].threads), events[i]});
    return fitted_characteristic(counts);
}

// `causes`: of one object each, with most growth first.
void add_objects(SignatureAnswer& answer, std::vector<SignatureCause> const& causes) {
    std::vector<std::vector<double>> events;
    for (auto const& cause : causes) {
        if (cause.place.object.empty())
            continue;
        auto const known = std::ranges::find(answer.objects, cause.place.object, &SignatureObject::object);
        auto const at = static_cast<std::size_t>(known - answer.objects.begin());
        if (known == answer.objects.end()) {
            answer.objects.push_back({cause.place.object, cause.place, 0, 0, {}, {}});
            events.emplace_back(cause.events.size(), 0.0);
        }
        auto& object = answer.objects[at];
        ++object.places;
        object.growth_share += cause.growth_share;
        for (std::size_t i = 0; i < cause.events.size(); ++i)
            events[at][i] += cause.events[i];
    }
    for (std::size_t at = 0; at < answer.objects.size(); ++at)
        if (auto const g = fitted_growth(answer, events[at])) {
            answer.objects[at].growth = g->growth;
            answer.objects[at].exponent = g->exponent;
        }
    std::ranges::stable_sort(answer.objects, std::ranges::greater{}, &SignatureObject::growth_share);
}

}  // namespace

std::optional<SignatureCharacteristic> fitted_characteristic(std::span<model::EventCount const> counts) {
    if (counts.size() < 3)
        return std::nullopt;
    auto const fit = model::fit_characteristic(counts);
    if (!fit)
        return std::nullopt;
    bool const misses =
        std::ranges::any_of(fit->best().residuals, [](double miss) { return std::abs(miss) > worst_miss; });
    return misses ? std::nullopt : std::optional(characteristic_of(*fit));
}

void add_characteristic(SignatureAnswer& answer) {
    std::vector<model::EventCount> counts;
    for (auto const& recording : answer.recordings)
        counts.push_back({static_cast<double>(recording.threads), static_cast<double>(recording.events)});
    answer.g = fitted_characteristic(counts);
}

void add_busiest(SignatureAnswer& answer) {
    std::vector<model::EventCount> counts;
    BusiestCharacteristic busiest;
    for (auto const& recording : answer.recordings) {
        auto const most = std::ranges::max_element(recording.rows, {}, &ThreadSignature::events);
        if (most == recording.rows.end())
            return;
        counts.push_back({static_cast<double>(recording.threads), static_cast<double>(most->events)});
        busiest.name = most->name;
        auto const mean = recording.means.events.mean;
        busiest.most_over_mean = mean > 0 ? static_cast<double>(most->events) / mean : 1;
    }
    auto g = fitted_characteristic(counts);
    if (!g)
        return;
    busiest.g = std::move(*g);
    busiest.threads_differ = busiest.most_over_mean > differing_threads;
    answer.busiest = std::move(busiest);
}

void add_causes(SignatureAnswer& answer) {
    auto const& recordings = answer.recordings;
    auto const all = static_cast<double>(recordings.back().events - recordings.front().events);
    if (recordings.size() < 2 || all <= 0)
        return;
    add_objects(answer, causes_by(place_and_object, recordings, all));
    answer.causes = causes_by(place_alone, recordings, all);
    answer.causes.resize(std::min(answer.causes.size(), most_causes));
    for (auto& cause : answer.causes) {
        if (auto const g = fitted_growth(answer, cause.events)) {
            cause.growth = g->growth;
            cause.exponent = g->exponent;
            cause.formula = g->formula;
        }
    }
}

}  // namespace parcast::study
