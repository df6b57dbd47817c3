// A PAMELA model as a WebAssembly module, for the page of a model: evaluated and simulated again with other
// values of its parameters, with no server behind it (src/forecast/live_model.h).
//
// The interface is C: numbers, and addresses in `memory`.
//
//     handle = parcast_model_open(address, length)
//         fields of a u32 length and so many bytes each: the text, its name, what is asked for, what times
//         are divided by (empty: nothing), "1" for phases, levels of quantiles separated by commas, then of
//         a simulation how many runs, how precise in per cent and which seed (empty: as `predict` does
//         without the option), how many files follow, name and content of each, then name and value of each
//         parameter that the text has as a number. 0: refused
//     answer = parcast_model_points(handle, values, count)
//         so many points, each with a f64 for every parameter; of each point point_numbers of
//         web/src/models/model_module.ts and a number for each level, all NaN where there is no value:
//         parcast_error() then has the first reason
//     answer = parcast_model_resources(handle, values), parcast_model_phases(handle, values),
//              parcast_model_effects(handle, values)
//         rows of f64: (resource, work, servers); (mean, variance, critical path, busiest resource);
//         (parameter, slope of the mean, of the variance, elasticity of the mean, of the variance).
//         0: refused
//     text = parcast_model_sentences(handle, values)
//         a line for each, or nothing: refused; valid until the next call
//     answer = parcast_model_simulate(handle, values)
//         moments, both ends of the mean's confidence interval, runs, quantiles; 0: refused.
//         parcast_model_notes(handle): what is to be known about them, a line for each
//
// An answer is u32 how many f64, and from answer + 8 on those. It is the handle's until its next answer.
// Allocating, closing and errors are as in module.cpp, which this one shares no memory with.

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forecast/live_model.h"
#include "pamela/syntax/number_text.h"

namespace {

using namespace parcast;

struct OpenModel {
    forecast::LiveModel model;
    std::size_t levels;
    std::vector<double> answer;  // behind its length
    std::string notes;
};

std::string& last_error() {
    static std::string text;
    return text;
}

// Nothing behind the end of what was given.
class Fields {
public:
    Fields(char const* address, std::uint32_t length) : rest_(address, length) {}

    bool are_over() const { return rest_.empty(); }

    std::string_view next() {
        std::uint32_t length = 0;
        if (rest_.size() < sizeof length) {
            rest_ = {};
            return {};
        }
        std::memcpy(&length, rest_.data(), sizeof length);
        rest_.remove_prefix(sizeof length);
        auto const field = rest_.substr(0, length);
        rest_.remove_prefix(field.size());
        return field;
    }

    double next_number() { return pamela::number_in(next()).value_or(0); }

private:
    std::string_view rest_;
};

std::vector<double> numbers_between_commas(std::string_view text) {
    std::vector<double> numbers;
    while (!text.empty()) {
        auto const end = std::min(text.find(','), text.size());
        if (auto const number = pamela::number_in(text.substr(0, end)))
            numbers.push_back(*number);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return numbers;
}

template <class Number>
std::optional<Number> whole_number_in(std::string_view text) {
    Number number = 0;
    auto const read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() ? std::optional(number) : std::nullopt;
}

Result<std::unique_ptr<OpenModel>> opened(Fields fields) {
    auto const text = fields.next();
    auto const name = fields.next();
    forecast::LiveQuestion question;
    question.formula.of = fields.next();
    if (auto const per = fields.next(); !per.empty())
        question.formula.per = std::string(per);
    question.formula.phases = fields.next() == "1";
    question.levels = numbers_between_commas(fields.next());
    question.simulation.runs = whole_number_in<std::uint32_t>(fields.next());
    question.simulation.precision = pamela::number_in(fields.next());
    question.simulation.seed = whole_number_in<std::uint64_t>(fields.next());
    std::map<std::string, std::string, std::less<>> files;
    for (auto count = fields.next_number(); count > 0 && !fields.are_over(); --count) {
        auto const file = fields.next();
        files.emplace(file, fields.next());
    }
    std::vector<pamela::Setting> settings;
    while (!fields.are_over()) {
        auto const parameter = fields.next();
        settings.push_back({std::string(parameter), fields.next_number(), true});
    }
    auto const read_file = [&files](std::string_view file) -> Result<std::string> {
        auto const found = files.find(file);
        if (found == files.end())
            return fail(ErrorCode::not_found, "the page has no file " + std::string(file));
        return found->second;
    };
    auto const levels = question.levels.size();
    auto model = forecast::LiveModel::open({text, name, read_file}, settings, std::move(question));
    if (!model)
        return pass_on(model);
    return std::make_unique<OpenModel>(OpenModel{std::move(*model), levels, {}, {}});
}

std::span<double const> values_of_point(OpenModel const& handle, double const* values) {
    return {values, handle.model.parameters().size()};
}

void refuse(Error const& error) {
    last_error() = error.message;
}

double const* answered(OpenModel& handle, std::vector<double> const& numbers) {
    static_assert(sizeof(double) == 8);
    auto const length = static_cast<std::uint32_t>(numbers.size());
    handle.answer.assign(1, 0);
    std::memcpy(handle.answer.data(), &length, sizeof length);
    handle.answer.insert(handle.answer.end(), numbers.begin(), numbers.end());
    return handle.answer.data();
}

// Null: refused.
template <class Rows, class Add>
double const* answered_rows(OpenModel& handle, Result<Rows> const& rows, Add const& add) {
    if (!rows) {
        refuse(rows.error());
        return nullptr;
    }
    std::vector<double> numbers;
    for (auto const& row : *rows)
        add(numbers, row);
    return answered(handle, numbers);
}

void add_moments(std::vector<double>& numbers, Moments const& moments) {
    numbers.insert(numbers.end(), {moments.mean, moments.variance, moments.skewness, moments.kurtosis});
}

void add_point(std::vector<double>& numbers, forecast::PointWithSpread const& found) {
    auto const& point = found.point;
    add_moments(numbers, point.time);
    add_moments(numbers, point.critical_path);
    add_moments(numbers, point.busiest);
    numbers.push_back(point.resource ? *point.resource : -1.0);
    numbers.push_back(point.is_bound_by_resource ? 1 : 0);
    numbers.push_back(found.band.low);
    numbers.push_back(found.band.high);
    numbers.insert(numbers.end(), found.quantiles.begin(), found.quantiles.end());
}

constexpr std::size_t point_numbers = 16;

std::string lines(std::vector<std::string> const& sentences) {
    std::string text;
    for (auto const& sentence : sentences)
        text += (text.empty() ? "" : "\n") + sentence;
    return text;
}

}  // namespace

#define PARCAST_EXPORT(name) extern "C" __attribute__((export_name(#name)))

PARCAST_EXPORT(parcast_allocate) void* parcast_allocate(std::uint32_t bytes) {
    return std::malloc(bytes);
}
PARCAST_EXPORT(parcast_free) void parcast_free(void* address) {
    std::free(address);
}
PARCAST_EXPORT(parcast_error) char const* parcast_error() {
    return last_error().c_str();
}

PARCAST_EXPORT(parcast_model_open) OpenModel* parcast_model_open(char const* bytes, std::uint32_t length) {
    auto model = opened(Fields(bytes, length));
    if (model)
        return model->release();
    refuse(model.error());
    return nullptr;
}
PARCAST_EXPORT(parcast_model_close) void parcast_model_close(OpenModel* handle) {
    std::unique_ptr<OpenModel>{handle};
}

PARCAST_EXPORT(parcast_model_points)
double const* parcast_model_points(OpenModel* handle, double const* values, std::uint32_t count) {
    last_error().clear();
    std::vector<double> numbers;
    auto const width = handle->model.parameters().size();
    for (std::uint32_t place = 0; place < count; ++place) {
        auto const point = handle->model.point({values + place * width, width});
        if (point) {
            add_point(numbers, *point);
            continue;
        }
        numbers.insert(numbers.end(), point_numbers + handle->levels,
                       std::numeric_limits<double>::quiet_NaN());
        if (last_error().empty())
            refuse(point.error());
    }
    return answered(*handle, numbers);
}

PARCAST_EXPORT(parcast_model_resources)
double const* parcast_model_resources(OpenModel* handle, double const* values) {
    return answered_rows(*handle, handle->model.resource_work(values_of_point(*handle, values)),
                         [](auto& numbers, forecast::ResourceWork const& row) {
                             numbers.insert(numbers.end(),
                                            {static_cast<double>(row.resource), row.work, row.servers});
                         });
}

PARCAST_EXPORT(parcast_model_phases)
double const* parcast_model_phases(OpenModel* handle, double const* values) {
    return answered_rows(*handle, handle->model.phases(values_of_point(*handle, values)),
                         [](auto& numbers, ModelPhase const& row) {
                             numbers.insert(numbers.end(), {row.time.mean, row.time.variance,
                                                            row.critical_path.mean, row.busiest.mean});
                         });
}

PARCAST_EXPORT(parcast_model_effects)
double const* parcast_model_effects(OpenModel* handle, double const* values) {
    auto const place_of = [&](std::string const& name) {
        auto const& all = handle->model.parameters();
        return static_cast<double>(std::ranges::find(all, name, &forecast::LiveParameter::name) -
                                   all.begin());
    };
    return answered_rows(*handle, handle->model.effects(values_of_point(*handle, values)),
                         [&](auto& numbers, ParameterEffect const& row) {
                             numbers.insert(numbers.end(),
                                            {place_of(row.parameter), row.mean_slope, row.variance_slope,
                                             row.mean_elasticity, row.variance_elasticity});
                         });
}

PARCAST_EXPORT(parcast_model_sentences)
char const* parcast_model_sentences(OpenModel* handle, double const* values) {
    static std::string text;
    auto const sentences = handle->model.sentences(values_of_point(*handle, values));
    if (!sentences)
        refuse(sentences.error());
    text = sentences ? lines(*sentences) : "";
    return text.c_str();
}

PARCAST_EXPORT(parcast_model_simulate)
double const* parcast_model_simulate(OpenModel* handle, double const* values) {
    auto const simulated = handle->model.simulate(values_of_point(*handle, values));
    if (!simulated) {
        refuse(simulated.error());
        return nullptr;
    }
    handle->notes = lines(simulated->notes);
    auto const& point = simulated->point;
    std::vector<double> numbers;
    add_moments(numbers, point.time);
    numbers.insert(numbers.end(), {point.mean.low, point.mean.high, static_cast<double>(point.runs)});
    numbers.insert(numbers.end(), point.quantiles.begin(), point.quantiles.end());
    return answered(*handle, numbers);
}
PARCAST_EXPORT(parcast_model_notes) char const* parcast_model_notes(OpenModel* handle) {
    return handle->notes.c_str();
}
