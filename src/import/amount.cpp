#include "import/amount.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/suggestion.h"
#include "symbolic/tape/tape.h"

namespace parcast {

namespace {

constexpr std::array<std::string_view, 1> index_name = {"i"};  // of a task in its group
constexpr char const* cpus_name = "P";

bool needs_index(symbolic::Formula const& formula) {
    return std::ranges::find(formula.parameters(), index_name.front()) != formula.parameters().end();
}

}  // namespace

AmountReader::AmountReader(JsonReader& json, symbolic::Parameters given, std::uint32_t cpus)
    : json_(json), parameters_(std::move(given)), cpus_(cpus), is_P_cpus_(!parameters_.find(cpus_name)) {}

bool AmountReader::read(JsonReader::Value value, Amount& into) {
    into.place = json_.place();
    if (JsonReader::is_number(value)) {
        into.form = Amount::Form::number;
        return json_.number(value, into.number) && check(into.number, into.place);
    }
    if (!JsonReader::is_string(value))
        return json_.complain(ErrorCode::malformed, "expected a number, or a formula in \"\"", into.place);
    std::string_view text;
    if (!json_.string(value, text))
        return false;
    auto formula = symbolic::Formula::parse(text);
    if (!formula)
        return json_.complain(ErrorCode::malformed, formula.error().message, into.place);
    for (auto const& name : formula->parameters()) {
        if (name != index_name.front())
            names_.insert(name);
        uses_cpus_ |= is_P_cpus_ && name == cpus_name;
    }
    if (uses_cpus_)
        parameters_.set(cpus_name, cpus_);
    into.form = Amount::Form::formula;
    into.formula = std::move(*formula);
    return true;
}

bool AmountReader::read_list(JsonReader::Value value, Amount& into) {
    if (!JsonReader::is_list(value))
        return read(value, into);
    into.form = Amount::Form::list;
    into.place = json_.place();
    into.list.clear();
    return json_.each_element(value, [&](JsonReader::Value element) {
        auto const place = json_.place();
        return json_.number(element, into.list.emplace_back()) && check(into.list.back(), place);
    });
}

bool AmountReader::read_speeds(JsonReader::Value value, std::vector<double>& into) {
    into.clear();
    auto const place = json_.place();
    auto const read_speed = [&](JsonReader::Value element) {
        auto const at = json_.place();
        double speed = 0;
        if (!json_.number(element, speed))
            return false;
        into.push_back(speed);
        return (speed > 0 && speed <= 1) ||
               json_.complain(ErrorCode::out_of_range, "a speed is above 0 and at most 1", at);
    };
    return json_.each_element(value, read_speed) &&
           (!into.empty() || json_.complain(ErrorCode::malformed, "a list of speeds needs one", place));
}

bool AmountReader::single(Amount const& amount, double& into) {
    if (amount.form == Amount::Form::number) {
        into = amount.number;
        return true;
    }
    auto const value = symbolic::evaluate(*amount.formula, parameters_);
    if (!value) {
        bool const lacks_index = value.error().code == ErrorCode::not_found && needs_index(*amount.formula);
        return json_.complain(value.error().code,
                              lacks_index ? "the formula '" + amount.formula->text() +
                                                "' needs 'i', the number of a task in its group, which only "
                                                "\"time\" and \"process\" have"
                                          : value.error().message,
                              amount.place);
    }
    into = *value;
    return check(into, amount.place);
}

bool AmountReader::whole(Amount const& amount, double most, char const* what, double& into) {
    if (!single(amount, into))
        return false;
    if (into == std::floor(into) && into <= most)
        return true;
    auto const limit = std::to_string(static_cast<std::uint64_t>(most));
    return json_.complain(ErrorCode::out_of_range,
                          std::string(what) + " must be a whole number up to " + limit, amount.place);
}

bool AmountReader::expand(Amount const& amount, std::size_t size, std::vector<double>& into) {
    into.clear();
    if (amount.form == Amount::Form::number) {
        into.resize(size, amount.number);
        return true;
    }
    if (amount.form == Amount::Form::formula)
        return expand_formula(amount, size, into);
    if (amount.list.size() != size) {
        return json_.complain(ErrorCode::inconsistent,
                              "the list has " + std::to_string(amount.list.size()) + " values for " +
                                  std::to_string(size) + (size == 1 ? " task" : " tasks"),
                              amount.place);
    }
    into = amount.list;
    return true;
}

bool AmountReader::expand_formula(Amount const& amount, std::size_t size, std::vector<double>& into) {
    auto const tape = symbolic::Tape::bind(*amount.formula, parameters_, index_name);
    if (!tape)
        return json_.complain(tape.error().code, tape.error().message, amount.place);
    for (std::size_t index = 0; index < size; ++index) {
        auto const value = tape->evaluate(std::array{static_cast<double>(index)});
        if (!value)
            return json_.complain(value.error().code, value.error().message, amount.place);
        if (*value < 0) {
            return json_.complain(ErrorCode::out_of_range,
                                  "the formula '" + amount.formula->text() +
                                      "' gives a negative number with i = " + std::to_string(index),
                                  amount.place);
        }
        into.push_back(*value);
    }
    return true;
}

bool AmountReader::declare(std::string name, JsonReader::Value value) {
    Amount amount;
    double number = 0;
    if (!read(value, amount) || !single(amount, number))
        return false;
    bool const is_cpus = is_P_cpus_ && name == cpus_name;
    if (is_cpus && uses_cpus_)
        return json_.complain(ErrorCode::inconsistent,
                              "P is the number of CPUs in the formulas before this: name the parameter first",
                              json_.place());
    is_P_cpus_ &= !is_cpus;
    bool const is_given = !is_cpus && parameters_.find(name).has_value();
    names_.insert(name);
    if (!is_given)
        parameters_.set(std::move(name), number);
    return true;
}

bool AmountReader::check_given(symbolic::Parameters const& given) {
    for (auto const& [name, value] : given) {
        if (names_.contains(name))
            continue;
        std::vector<std::string_view> const known(names_.begin(), names_.end());
        auto const meant = nearest(name, known);
        return json_.complain(ErrorCode::not_found,
                              "the task graph has no parameter '" + name + "', which --set gives a value" +
                                  (meant ? ": did you mean '" + std::string(*meant) + "'?" : ""),
                              0);
    }
    return true;
}

bool AmountReader::check(double value, std::size_t place) {
    return value >= 0 ||
           json_.complain(ErrorCode::out_of_range, "expected a number that is not negative", place);
}

}  // namespace parcast
