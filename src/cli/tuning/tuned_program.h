// A program with parameters, as `tune` sees it: a structure that is generated, or a file; a grid of the
// values that are searched; and what a point of the grid asks.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "answer/form.h"
#include "answer/tuning.h"
#include "cli/input.h"
#include "cli/options/step_generators.h"
#include "cli/verbs/predict.h"
#include "core/result.h"

namespace parcast::cli {

inline constexpr FormSet tuned_forms = {Form::task_graph, Form::model, Form::steps, Form::messages};
inline constexpr std::uint64_t most_tuned_points = 1'000'000;

// What is asked at every point, and what goes through values.
struct TunedQuestion {
    PredictArguments predict;         // its file: a structure, or an input
    GeneratorSettings settings;       // of a structure
    TypedOptions typed;               // the options of describe_question(), as they were typed
    std::vector<std::string> sweeps;  // "block=10,20"

    friend bool operator==(TunedQuestion const&, TunedQuestion const&) = default;
};

// The options that say what is asked. Each with a value is also a name for --sweep.
void describe_question(OptionTable& options, TunedQuestion& question);

class TunedProgram {
public:
    // Errors: those of the input; unasked: nothing is swept, a name that is no parameter, values that it
    // cannot have.
    static Result<TunedProgram> open(TunedQuestion question, GivenOptions const& given);

    std::string const& subject() const { return question_.predict.file; }
    Form form() const { return form_; }
    TuningGrid const& grid() const { return grid_; }
    std::vector<TuningMethod> methods() const;
    // Parameters that are the same at all points.
    std::vector<std::pair<std::string, std::string>> fixed() const;
    std::string network_text() const;  // empty: there is none, or it is swept
    // A command that looks closer at a point.
    std::string command_for(std::uint64_t point) const;

    // Points that are evaluated together: of a model those of a line along its last axis, else one.
    std::vector<std::vector<std::uint64_t>> pieces_of(std::vector<std::uint64_t> const& points) const;
    // By point of a piece. Several pieces may be evaluated at once. Errors: those of the forecast;
    // impossible (a deadlock).
    Result<std::vector<Evaluation>> evaluate(std::vector<std::uint64_t> const& piece) const;

    // All that the result at a point depends on. REQUIRES: form() is not that of models or messages.
    Result<nlohmann::ordered_json> question_at(std::uint64_t point) const;

private:
    explicit TunedProgram(TunedQuestion question) : question_(std::move(question)) {}

    bool is_generated() const { return is_step_structure(question_.predict.file); }
    Result<void> add_axes();
    Result<void> add_usual_axes_of_graph();
    Result<void> check_axes() const;
    bool changes_reading(TuningAxis const& axis) const;
    Result<void> open_input_once();
    Result<TunedQuestion> question_of(std::uint64_t point) const;
    Result<Input> input_of(TunedQuestion const& at) const;
    Result<Evaluation> evaluate_run(std::uint64_t point) const;
    Result<std::vector<Evaluation>> evaluate_model(std::vector<std::uint64_t> const& piece) const;

    TunedQuestion question_;
    GivenOptions given_;
    Form form_ = Form::steps;
    TuningGrid grid_;
    std::optional<Input> input_;  // none: it is another one at each point
};

}  // namespace parcast::cli
