#include "symbolic/tape/expression_tape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/ensure.h"
#include "core/three_digits.h"
#include "symbolic/tape/expression_tape_steps.h"

namespace parcast::symbolic {

namespace {

bool is_finite(Moments const& time) {
    return std::isfinite(time.mean) && std::isfinite(time.variance) && std::isfinite(time.skewness) &&
           std::isfinite(time.kurtosis);
}

// Of all maxima of an evaluation together. One of two unlike laws takes half a millisecond
// (stochastic/maximum.h).
constexpr std::uint64_t most_unlike_times = 100'000;

// n * X of a scalar and a component: numbers multiply; of a number and a time, the number is the count.
Moments product(Moments const& scalar, Moments const& component) {
    if (scalar.variance == 0 && component.variance == 0)
        return deterministic(scalar.mean * component.mean);
    return scalar.variance == 0 ? repeated(scalar, component) : repeated(component, scalar);
}

// Registers of a small tape lie on the stack.
template <class Value, std::size_t Few>
class Registers {
public:
    explicit Registers(std::vector<Value> const& initial) {
        if (initial.size() <= Few) {
            std::ranges::copy(initial, few_.begin());
            values_ = std::span(few_).first(initial.size());
        } else {
            many_ = initial;
            values_ = many_;
        }
    }
    Registers(Registers const&) = delete;
    Registers& operator=(Registers const&) = delete;

    std::span<Value> values() { return values_; }

private:
    std::array<Value, Few> few_;
    std::vector<Value> many_;
    std::span<Value> values_;
};

}  // namespace

double applied(ExpressionKind kind, double left, double right) {
    switch (kind) {
        case ExpressionKind::add: return left + right;
        case ExpressionKind::negate: return -left;
        case ExpressionKind::multiply:
        case ExpressionKind::scale: return left * right;
        case ExpressionKind::repeat: return RealTimes::repeat(left, right);
        case ExpressionKind::divide: return left / right;
        case ExpressionKind::quotient: return std::floor(left / right);
        case ExpressionKind::remainder: return left - right * std::floor(left / right);
        case ExpressionKind::power: return std::pow(left, right);
        case ExpressionKind::less: return left < right;
        case ExpressionKind::less_or_equal: return left <= right;
        case ExpressionKind::greater: return left > right;
        case ExpressionKind::greater_or_equal: return left >= right;
        case ExpressionKind::equal: return left == right;
        case ExpressionKind::not_equal: return left != right;
        case ExpressionKind::conjunction: return left != 0 && right != 0;
        case ExpressionKind::disjunction: return left != 0 || right != 0;
        case ExpressionKind::complement: return left == 0;
        case ExpressionKind::maximum: return std::max(left, right);
        case ExpressionKind::minimum: return std::min(left, right);
        case ExpressionKind::ceiling: return std::ceil(left);
        case ExpressionKind::floor: return std::floor(left);
        case ExpressionKind::round: return std::round(left);
        case ExpressionKind::absolute: return std::abs(left);
        case ExpressionKind::logarithm_2: return std::log2(left);
        case ExpressionKind::logarithm: return std::log(left);
        case ExpressionKind::exponential: return std::exp(left);
        case ExpressionKind::square_root: return std::sqrt(left);
        case ExpressionKind::maximum_over: return RealTimes::maximum_of(left, right);
        default: ensure(false, "an operation on numbers"); return 0;
    }
}

void ExpressionTape::Run::execute(ExpressionTape const& tape, std::size_t begin, std::size_t end) {
    for (auto at = begin; at < end && !failure; ++at) {
        auto const& step = tape.steps_[at];
        if (step.action == Action::number_operation) {
            numbers[step.result] = applied(step.kind, numbers[step.first], numbers[step.second]);
        } else if (step.action == Action::jump) {
            at = step.second - std::size_t{1};
            continue;
        } else if (step.action == Action::jump_unless) {
            if (numbers[step.first] == 0)
                at = step.second - std::size_t{1};
            continue;
        } else if (step.action >= Action::sum_of_numbers) {
            perform_loop(tape, step, at + 1);
            at = tape.loops_[step.second].end - std::size_t{1};
        } else {
            perform(tape, step);
        }
        if (is_watched)
            watch(step);
    }
}

// What takes long is left out of a run that counts: any of its times stands for a maximum.
bool ExpressionTape::Run::is_skipped(Step const& step) {
    if (!is_counting)
        return false;
    switch (step.action) {
        case Action::time_maximum: times[step.result] = times[step.first]; return true;
        case Action::time_maximum_of: times[step.result] = times[step.second]; return true;
        case Action::time_largest: times[step.result] = MomentTimes::of(0); return true;
        case Action::vector_maximum: vectors[step.result] = vectors[step.first]; return true;
        case Action::vector_maximum_of: vectors[step.result] = vectors[step.second]; return true;
        default: return false;
    }
}

void ExpressionTape::Run::perform(ExpressionTape const&, Step const& step) {
    if (is_skipped(step))
        return;
    auto const number = [&](std::uint32_t place) { return numbers[place]; };
    switch (step.action) {
        case Action::number_of_time: numbers[step.result] = times[step.first].mean; break;
        case Action::copy_number: numbers[step.result] = number(step.first); break;
        case Action::copy_time: times[step.result] = times[step.first]; break;
        case Action::time_of_number: times[step.result] = MomentTimes::of(number(step.first)); break;
        case Action::time_of_moments:
            times[step.result] = {number(step.first), number(step.first + 1), number(step.first + 2),
                                  number(step.first + 3)};
            break;
        case Action::time_add:
            times[step.result] = MomentTimes::add(times[step.first], times[step.second]);
            break;
        case Action::time_repeat:
            times[step.result] = MomentTimes::repeat(times[step.first], times[step.second]);
            break;
        case Action::time_scale:
            times[step.result] = MomentTimes::scale(number(step.first), times[step.second]);
            break;
        case Action::time_maximum:
            times[step.result] = MomentTimes::maximum(times[step.first], times[step.second]);
            break;
        case Action::time_maximum_of:
            times[step.result] = MomentTimes::maximum_of(number(step.first), times[step.second]);
            break;
        case Action::time_branch:
            check_condition(step, times[step.first]);
            times[step.result] =
                MomentTimes::branch(times[step.first], times[step.second], times[step.third]);
            break;
        default: perform_on_vectors(step);
    }
}

void ExpressionTape::Run::perform_on_vectors(Step const& step) {
    using Vector = SparseVector<MomentTimes>;
    auto const each = [&](auto const& function) {
        vectors[step.result] = vectors[step.second].each(function);
    };
    auto const together = [&](std::uint32_t left, std::uint32_t right, auto const& function) {
        vectors[step.result] = Vector::together(vectors[left], vectors[right], function);
    };
    switch (step.action) {
        case Action::time_element:
            if (auto const index = component_index(step, numbers[step.second]))
                times[step.result] = vectors[step.first].element(*index);
            break;
        case Action::time_largest: times[step.result] = vectors[step.first].largest(); break;
        case Action::vector_clear: vectors[step.result] = {}; break;
        case Action::vector_put:
            if (auto const index = component_index(step, numbers[step.first]))
                vectors[step.result].add(*index, times[step.second]);
            break;
        case Action::vector_add: vectors[step.result].add(vectors[step.first]); break;
        case Action::vector_repeat:
            each([&](Moments const& time) { return MomentTimes::repeat(times[step.first], time); });
            break;
        case Action::vector_scale:
            each([&](Moments const& time) { return MomentTimes::scale(numbers[step.first], time); });
            break;
        case Action::vector_times:
            each([&](Moments const& time) { return product(times[step.first], time); });
            break;
        case Action::vector_maximum: together(step.first, step.second, MomentTimes::maximum); break;
        case Action::vector_maximum_of:
            each([&](Moments const& time) { return MomentTimes::maximum_of(numbers[step.first], time); });
            break;
        case Action::vector_branch:
            check_condition(step, times[step.first]);
            together(step.second, step.third, [&](Moments const& then, Moments const& otherwise) {
                return MomentTimes::branch(times[step.first], then, otherwise);
            });
            break;
        case Action::copy_vector: vectors[step.result] = vectors[step.first]; break;
        default: ensure(false, "a step of a tape");
    }
}

template <class Turn>
void ExpressionTape::Run::each_turn(ExpressionTape const& tape, Step const& step, std::size_t body,
                                    Turn const& turn) {
    auto const& loop = tape.loops_[step.second];
    auto const first = numbers[loop.first];
    auto const count = turns_between(first, numbers[loop.last]);
    turns += count;
    if (!(turns <= most_turns)) {
        fail_at(step, "takes more than 10 million turns");
        return;
    }
    for (double done = 0; done < count && !failure; ++done) {
        numbers[loop.index] = first + done;
        execute(tape, body, loop.end);
        if (!failure)
            turn(loop.body, done == 0);
    }
}

void ExpressionTape::Run::perform_loop(ExpressionTape const& tape, Step const& step, std::size_t body) {
    using Vector = SparseVector<MomentTimes>;
    if (step.action == Action::sum_of_numbers) {
        double sum = 0;
        each_turn(tape, step, body, [&](std::uint32_t value, bool) { sum += numbers[value]; });
        numbers[step.result] = sum;
    } else if (step.action == Action::maximum_of_numbers) {
        double greatest = 0;
        each_turn(tape, step, body, [&](std::uint32_t value, bool is_first) {
            greatest = is_first ? numbers[value] : std::max(greatest, numbers[value]);
        });
        numbers[step.result] = greatest;
    } else if (step.action == Action::sum_of_times) {
        auto sum = MomentTimes::of(0);
        each_turn(tape, step, body,
                  [&](std::uint32_t value, bool) { sum = MomentTimes::add(sum, times[value]); });
        times[step.result] = sum;
    } else if (step.action == Action::maximum_of_times) {
        MaximumOfMany<MomentTimes> greatest;
        Moments before;
        each_turn(tape, step, body, [&](std::uint32_t value, bool) {
            auto const& time = times[value];
            unlike += time.variance > 0 && !MomentTimes::are_alike(time, before) ? 1 : 0;
            if (unlike > most_unlike_times)
                return fail_at(step,
                               "takes the maximum of more than 100,000 unlike random times, one after the "
                               "other, which would take minutes: take fewer, or times that do not depend "
                               "on the index");
            before = time;
            if (!is_counting)
                greatest.add(time);
        });
        if (!failure)
            times[step.result] = is_counting ? before : greatest.value();
    } else if (step.action == Action::sum_of_vectors) {
        Vector sum;
        each_turn(tape, step, body, [&](std::uint32_t value, bool) { sum.add(vectors[value]); });
        vectors[step.result] = std::move(sum);
    } else {
        Vector greatest;
        each_turn(tape, step, body, [&](std::uint32_t value, bool is_first) {
            greatest = is_first || is_counting
                           ? vectors[value]
                           : Vector::together(greatest, vectors[value], MomentTimes::maximum);
        });
        vectors[step.result] = std::move(greatest);
    }
}

std::optional<std::uint64_t> ExpressionTape::Run::component_index(Step const& step, double number) {
    auto const nearest = std::round(number);
    if (nearest >= 0 && nearest < 0x1p53 && std::abs(number - nearest) <= 1e-9 * std::max(1.0, nearest))
        return static_cast<std::uint64_t>(nearest);
    fail_at(step, "has the index " + std::to_string(number) + ", which is no whole number from 0");
    return std::nullopt;
}

void ExpressionTape::Run::fail_at(Step const& step, std::string what) {
    if (!failure)
        failure = Failure{step.origin, std::move(what)};
}

// A number is a probability; of moments the text of the model has been warned.
void ExpressionTape::Run::check_condition(Step const& step, Moments const& condition) {
    constexpr double rounding = 1e-9;
    bool const lies_outside = condition.mean < -rounding || condition.mean > 1 + rounding;
    if (condition.variance == 0 && lies_outside && std::isfinite(condition.mean))
        fail_at(step, "has a probability of " + three_digits(condition.mean) +
                          ", which does not lie between 0 and 1");
}

void ExpressionTape::Run::watch(Step const& step) {
    using enum Action;
    bool const is_of_numbers = step.action == number_operation || step.action == sum_of_numbers ||
                               step.action == maximum_of_numbers || step.action == number_of_time;
    bool const is_of_times = (step.action >= time_of_number && step.action <= time_largest) ||
                             step.action == sum_of_times || step.action == maximum_of_times;
    bool const is_fine = is_of_numbers ? std::isfinite(numbers[step.result])
                         : is_of_times ? is_finite(times[step.result])
                                       : true;
    if (!is_fine)
        fail_at(step, "has no finite value");
}

std::string ExpressionTape::origin_text(Expression origin) const {
    auto const found = std::ranges::find(origins_, origin, &Origin::expression);
    return found != origins_.end() ? "'" + found->text + "'" : "the expression";
}

// Whether loops within loops are too many, before the first maximum is taken.
Result<void> ExpressionTape::count_unlike_times(std::span<double const> values) const {
    Registers<double, 96> numbers(numbers_);
    Registers<Moments, 24> times(times_);
    auto vectors = vectors_;
    std::ranges::copy(values, numbers.values().begin());
    Run run{.numbers = numbers.values(), .times = times.values(), .vectors = vectors};
    run.is_counting = true;
    run.execute(*this, 0, steps_.size());
    if (run.failure && run.unlike > most_unlike_times)
        return fail(ErrorCode::out_of_range, origin_text(run.failure->origin) + " " + run.failure->what);
    return {};
}

bool ExpressionTape::maxima_are_nested() const {
    std::size_t end = 0;  // of the outermost loop
    for (std::size_t at = 0; at < steps_.size(); ++at) {
        if (steps_[at].action < Action::sum_of_numbers)
            continue;
        if (at < end && steps_[at].action == Action::maximum_of_times)
            return true;
        end = std::max<std::size_t>(end, loops_[steps_[at].second].end);
    }
    return false;
}

template <class Read>
auto ExpressionTape::evaluated(std::span<double const> values, Read const& read) const
    -> decltype(read(std::declval<Run const&>())) {
    ensure(values.size() == given_, "a value for each parameter and index of the tape");
    if (has_nested_maxima_)
        if (auto const counted = count_unlike_times(values); !counted)
            return pass_on(counted);
    for (bool const is_watched : {false, true}) {
        Registers<double, 96> numbers(numbers_);
        Registers<Moments, 24> times(times_);
        auto vectors = vectors_;
        std::ranges::copy(values, numbers.values().begin());
        Run run{.numbers = numbers.values(), .times = times.values(), .vectors = vectors};
        run.is_watched = is_watched;
        run.execute(*this, 0, steps_.size());
        if (run.failure)
            return fail(ErrorCode::out_of_range, origin_text(run.failure->origin) + " " + run.failure->what);
        if (auto result = read(run); result || is_watched)
            return result;
        // Not finite: once more, to see where.
    }
    return fail(ErrorCode::out_of_range, "the expression has no finite value");
}

Result<double> ExpressionTape::number(std::span<double const> values) const {
    ensure(result_.bank == Bank::number, "a tape that is not random");
    return evaluated(values, [&](Run const& run) -> Result<double> {
        auto const value = run.numbers[result_.place];
        if (!std::isfinite(value))
            return fail(ErrorCode::out_of_range, "the expression has no finite value");
        return value;
    });
}

Result<Moments> ExpressionTape::moments(std::span<double const> values) const {
    ensure(!is_vector(), "a tape of a scalar");
    return evaluated(values, [&](Run const& run) -> Result<Moments> {
        auto const value = result_.bank == Bank::time ? run.times[result_.place]
                                                      : MomentTimes::of(run.numbers[result_.place]);
        if (!is_finite(value))
            return fail(ErrorCode::out_of_range, "the expression has no finite value");
        return value;
    });
}

Result<SparseVector<MomentTimes>> ExpressionTape::components(std::span<double const> values) const {
    ensure(is_vector(), "a tape of a vector");
    return evaluated(values, [&](Run const& run) -> Result<SparseVector<MomentTimes>> {
        auto const& value = run.vectors[result_.place];
        for (auto const& component : value.components())
            if (!is_finite(component.value))
                return fail(ErrorCode::out_of_range, "the expression has no finite value");
        return value;
    });
}

}  // namespace parcast::symbolic
