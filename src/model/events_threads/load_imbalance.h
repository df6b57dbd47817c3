// The load imbalance factor Delta = E[max w] / mean w - 1 of threads whose work is random (Marinescu, Rice
// and Vavalis 1990, 3.14 to 3.16), of exact laws: the maximum by closed form or by quadrature to about 1e-11.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/result.h"

namespace parcast::model {

namespace work_law {
struct Exponential {
    friend bool operator==(Exponential, Exponential) = default;
};
// From 0 to twice the mean.
struct Uniform {
    friend bool operator==(Uniform, Uniform) = default;
};
// May be negative, as the model has it: for a small coefficient of variation.
struct Normal {
    double cv = 0;
    friend bool operator==(Normal, Normal) = default;
};
// The sum of so many exponential times.
struct Erlang {
    std::uint32_t stages = 1;
    friend bool operator==(Erlang, Erlang) = default;
};
}  // namespace work_law
using WorkLaw = std::variant<work_law::Exponential, work_law::Uniform, work_law::Normal, work_law::Erlang>;

// Of threads that are alike and independent. Exponential: H_P - 1. Uniform: (P - 1) / (P + 1). Normal: CV
// times the mean maximum of P standard normal numbers. REQUIRES: threads >= 1.
double load_imbalance(WorkLaw const& law, std::uint64_t threads);

// Of independent threads with these mean works: all of one law. 0 if there is no work. REQUIRES: means >= 0.
double load_imbalance(WorkLaw const& law, std::span<double const> means);

// Of normal works that may depend on each other through one common factor: work i = mean + common_i Z +
// own_i Z_i, Z's independent standard normal. Deviations in the unit of the means.
struct NormalWork {
    double mean = 0;
    double common = 0;
    double own = 0;
};
double load_imbalance(std::span<NormalWork const> works);

// Of works that are known: max / mean - 1; 0 if there is none.
double load_imbalance_of_known(std::span<double const> works);

}  // namespace parcast::model
