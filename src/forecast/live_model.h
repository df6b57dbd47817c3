// A model that answers again and again, each time with other values of its parameters: what the page of a
// model asks. The same code answers in the browser (web/module/model.cpp) and in tests, so that a number of
// the page is a number of `predict`.
//
// The text is compiled, and not its tapes passed on: there is no second format to keep in step, and the
// simulation has the model that it needs.

#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/answer.h"
#include "answer/question.h"
#include "core/result.h"
#include "forecast/model_at_point.h"
#include "forecast/model_effects.h"
#include "forecast/model_formula.h"
#include "pamela/compile.h"
#include "program/process_model.h"

namespace parcast::forecast {

struct ModelText {
    std::string_view text;
    std::string_view name;       // in messages
    pamela::ReadFile read_file;  // that the text names
};

struct LiveQuestion {
    FormulaOptions formula;
    std::vector<double> levels;  // of quantiles, per cent
    SimulationLimits simulation;
};

struct LiveParameter {
    std::string name;
    double value = 0;       // that the text, or a setting, gives
    bool is_count = false;  // of turns, branches or servers
};

struct LiveSimulation {
    SimulatedPoint point;
    std::vector<std::string> notes;
};

class LiveModel {
public:
    // Settings as compile() takes them. Errors: the first one of the text, unasked (a parameter without a
    // value), those of ModelFormula::of.
    static Result<LiveModel> open(ModelText const& text, std::span<pamela::Setting const> settings,
                                  LiveQuestion question);

    std::span<LiveParameter const> parameters() const { return parameters_; }
    std::vector<std::string> const& resources() const { return formula_.resources(); }
    ProcessModel& program() { return model_; }

    // `values` of all that follows: by the place of parameters(). Errors: those of the expressions there.
    Result<PointWithSpread> point(std::span<double const> values) const;
    Result<std::vector<ResourceWork>> resource_work(std::span<double const> values) const;
    Result<std::vector<ModelPhase>> phases(std::span<double const> values) const;
    Result<std::vector<ParameterEffect>> effects(std::span<double const> values) const;
    Result<std::vector<std::string>> sentences(std::span<double const> values) const;

    // Errors: also unsupported (an equation and no process), those of ensemble::simulate.
    Result<LiveSimulation> simulate(std::span<double const> values) const;

private:
    LiveModel(ProcessModel model, ModelFormula formula, LiveQuestion question)
        : model_(std::move(model)), formula_(std::move(formula)), question_(std::move(question)) {}

    ProcessModel model_;
    ModelFormula formula_;
    LiveQuestion question_;
    std::vector<LiveParameter> parameters_;
};

// A number of the text that cannot be moved, and why.
struct ImmovableNumber {
    std::string name;
    std::string reason;
};

// With every number that has a name as a parameter (pamela::named_numbers), as far as the model can be
// composed with it.
struct OpenedModel {
    LiveModel model;
    std::vector<pamela::Setting> settings;  // to open it again
    std::vector<ImmovableNumber> immovable;
};

inline constexpr std::size_t most_movable = 48;

// `given`: values that the reader was given. Errors: those of LiveModel::open with them alone.
Result<OpenedModel> open_movable(ModelText const& text, std::span<pamela::Setting const> given,
                                 LiveQuestion const& question);

}  // namespace parcast::forecast
