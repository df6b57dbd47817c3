#include "forecast/model_simulation.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "answer/number_text.h"
#include "core/counted.h"
#include "core/progress_text.h"
#include "core/three_digits.h"
#include "ensemble/process_run.h"
#include "forecast/simulated_point.h"
#include "model/queueing/process_network.h"

namespace parcast::forecast {

namespace {

// A share of a difference: clipped draws that add as much are reported as its cause.
constexpr double substantial_share = 0.5;

// "P = 100"
std::string place_of(Answer const& prediction, std::size_t point) {
    std::string text;
    for (std::size_t i = 0; i < prediction.model().swept.size(); ++i) {
        text += (i == 0 ? "" : ", ") + prediction.model().swept[i].name + " = " +
                exact_number_text(swept_value(prediction.model(), point, i));
    }
    return text;
}

// Notes of several points that differ in their numbers only are one, with the numbers of the first point.
class SimulationNotes {
public:
    void add(ensemble::Ensemble const& ensemble, std::string const& place) {
        for (auto const& note : ensemble.notes) {
            auto const known = std::ranges::find(notes_, without_numbers(note), &Note::kind);
            if (known != notes_.end())
                ++known->others;
            else
                notes_.push_back({without_numbers(note), place, note, 0});
        }
    }

    void move_to(std::vector<std::string>& notes) const {
        for (auto const& note : notes_) {
            notes.push_back(
                "Simulation" + (note.place.empty() ? "" : " at " + note.place) + ": " + note.text +
                (note.others > 0 ? " (and alike at " + counted(note.others, "other point") + ")." : "."));
        }
    }

private:
    struct Note {
        std::string kind;
        std::string place;
        std::string text;
        std::int64_t others = 0;
    };

    static std::string without_numbers(std::string text) {
        std::erase_if(text, [](char letter) {
            return (letter >= '0' && letter <= '9') || letter == '.' || letter == ',';
        });
        return text;
    }

    std::vector<Note> notes_;
};

// Where the formula and the simulation are furthest apart, and by more than chance. `clipped`: what negative
// draws taken as 0 add to the work of a run, by point.
void note_difference(Answer& prediction, std::vector<double> const& clipped) {
    std::optional<std::size_t> worst;
    double greatest = 0.005;  // not worth a sentence
    for (std::size_t point = 0; point < prediction.model().points.size(); ++point) {
        auto const& simulated = prediction.model().simulated[point];
        double const formula = prediction.model().points[point].time.mean;
        double const apart = std::max(simulated.mean.low - formula, formula - simulated.mean.high);
        double const difference = simulated.time.mean > 0 ? apart / simulated.time.mean : 0;
        if (difference > greatest) {
            greatest = difference;
            worst = point;
        }
    }
    if (!worst)
        return;
    auto const& formula = prediction.model().points[*worst];
    double const simulated = prediction.model().simulated[*worst].time.mean;
    auto const place = place_of(prediction, *worst);
    auto const where = place.empty() ? "The simulation" : "At " + place + " the simulation";
    if (formula.time.mean >= simulated) {
        prediction.notes.push_back(where +
                                   fmt::format(" takes {:.1f} % less than the formula says, which takes the "
                                               "maximum of branches from four moments each.",
                                               100 * (1 - simulated / formula.time.mean)));
        return;
    }
    double const longer = simulated - formula.time.mean;
    auto const cause = clipped[*worst] < longer * substantial_share
                           ? std::string()
                           : ": first for negative draws, which count as 0 and add " +
                                 three_digits(clipped[*worst]) +
                                 " to the work of a run, which the formula leaves out";
    auto const resource =
        formula.resource ? " for " + prediction.model().resources[*formula.resource] : std::string();
    auto const other = resource.empty()
                           ? std::string("the formula takes the maximum of branches from four moments each.")
                           : "waiting" + resource + ", of which the formula counts only the service time.";
    prediction.notes.push_back(where +
                               fmt::format(" takes {:.1f} % longer than the formula says",
                                           100 * (simulated / formula.time.mean - 1)) +
                               (cause.empty() ? ": " + other : cause + "; else: " + other));
}

void add_assumptions(Answer& prediction) {
    prediction.assumptions.push_back(
        "Simulated times are drawn from laws that have the four moments given; a negative one counts as 0.");
    prediction.assumptions.push_back(
        "Simulated resources serve first come, first served; who arrives at the same instant is served in "
        "the order of the model.");
    prediction.assumptions.push_back(
        "A part of the model in which nobody waits is one draw, if no single time in it has more than 1/32 "
        "of its variance.");
}

}  // namespace

Result<void> add_simulation(Answer& prediction, SimulatedProcess const& process, Question const& question) {
    auto options = ensemble_options(question.sweep.simulation, question.workers);
    bool const counts_points = process.grid.size() > 1;
    if (question.progress && !counts_points)
        options.run_begins = [&question](std::uint64_t run, std::uint64_t planned) {
            question.progress(progress_text("simulating run", {run, planned}));
        };
    SimulationNotes notes;
    std::vector<double> clipped;
    for (std::size_t point = 0; point < process.grid.size(); ++point) {
        if (question.progress && counts_points) {
            question.progress("simulating point " + std::to_string(point + 1) + " of " +
                              std::to_string(process.grid.size()));
        }
        auto const values = process.grid.values(point);
        auto const divisor = process.formula.divisor(values);
        if (!divisor)
            return pass_on(divisor);
        auto const ensemble = ensemble::simulate(process.model, process.root, values, options);
        if (!ensemble) {
            auto const place = place_of(prediction, point);
            return pass_on(ensemble, place.empty() ? "" : "at " + place + " ");
        }
        prediction.model().simulated.push_back(
            simulated_point(*ensemble, prediction.model().levels, *divisor));
        clipped.push_back(ensemble->clipped_time / *divisor);
        notes.add(*ensemble, place_of(prediction, point));
    }
    notes.move_to(prediction.notes);
    if (!prediction.model().points.empty())
        note_difference(prediction, clipped);
    add_assumptions(prediction);
    return {};
}

Result<void> add_mean_value_analysis(Answer& prediction, SimulatedProcess const& process) {
    if (process.grid.size() > most_analysed)
        return {};
    TheoryColumn column{"MVA", "mva", {}};
    std::set<std::string> assumptions;
    bool is_network = false;
    for (std::size_t point = 0; point < process.grid.size(); ++point) {
        auto const values = process.grid.values(point);
        auto const divisor = process.formula.divisor(values);
        if (!divisor)
            return pass_on(divisor);
        auto const found = model::long_run(process.model, process.root, values);
        column.values.push_back(found ? std::optional(found->total / *divisor) : std::nullopt);
        if (found) {
            is_network = true;
            assumptions.insert(found->assumptions.begin(), found->assumptions.end());
        } else if (!is_network && found.error().code == ErrorCode::unsupported) {
            return {};
        }
    }
    if (!is_network)
        return {};
    prediction.model().theories.push_back(std::move(column));
    prediction.assumptions.push_back(
        "MVA is the exact mean value analysis of the model as a closed queueing network in its long run, "
        "without its beginning and its end.");
    for (auto const& assumption : assumptions)
        prediction.notes.push_back("MVA: " + assumption + ".");
    return {};
}

}  // namespace parcast::forecast
