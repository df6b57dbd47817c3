#include "pamela/lowering/builtin.h"

#include <algorithm>
#include <array>
#include <limits>

namespace parcast::pamela {

namespace {

constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

constexpr std::array forms = {
    BuiltinForm{"use", Builtin::use, "resource, time", 2, 2, false},
    BuiltinForm{"delay", Builtin::delay, "time", 1, 1, false},
    BuiltinForm{"fcfs", Builtin::fcfs, "index, multiplicity", 2, 2, false},
    BuiltinForm{"rho", Builtin::rho, "", 0, 0, false},
    BuiltinForm{"moments", Builtin::moments, "mean, variance, skewness, kurtosis", 4, 4, false},
    BuiltinForm{"unitvec", Builtin::unitvec, "index", 1, 1, false},
    BuiltinForm{"max", Builtin::maximum, "a, b, ...", 1, any, false},
    BuiltinForm{"min", Builtin::minimum, "a, b, ...", 1, any, false},
    BuiltinForm{"repeat", Builtin::repeat, "count, time", 2, 2, true},
    BuiltinForm{"scale", Builtin::scale, "factor, time", 2, 2, true},
    BuiltinForm{"exponential", Builtin::exponential, "mean", 1, 1, true},
    BuiltinForm{"uniform", Builtin::uniform, "lowest, highest", 2, 2, true},
    BuiltinForm{"normal", Builtin::normal, "mean, standard deviation", 2, 2, true},
    BuiltinForm{"erlang", Builtin::erlang, "stages, mean", 2, 2, true},
    BuiltinForm{"deterministic", Builtin::deterministic, "value", 1, 1, true},
    BuiltinForm{"empirical", Builtin::empirical, "\"file\"", 1, 1, true},
    BuiltinForm{"bernoulli", Builtin::bernoulli, "probability", 1, 1, true},
    BuiltinForm{"branch", Builtin::branch, "true run, false run", 2, 2, true},
    BuiltinForm{"ceil", Builtin::ceiling, "number", 1, 1, true},
    BuiltinForm{"floor", Builtin::floor, "number", 1, 1, true},
    BuiltinForm{"round", Builtin::round, "number", 1, 1, true},
    BuiltinForm{"abs", Builtin::absolute, "number", 1, 1, true},
    BuiltinForm{"log2", Builtin::logarithm_2, "number", 1, 1, true},
    BuiltinForm{"log", Builtin::logarithm, "number", 1, 1, true},
    BuiltinForm{"exp", Builtin::power_of_e, "number", 1, 1, true},
    BuiltinForm{"sqrt", Builtin::square_root, "number", 1, 1, true},
};

}  // namespace

std::optional<BuiltinForm> builtin_named(std::string_view name) {
    auto const found = std::ranges::find(forms, name, &BuiltinForm::name);
    return found == forms.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string_view> const& builtin_names() {
    static std::vector<std::string_view> const names = [] {
        std::vector<std::string_view> result;
        for (auto const& form : forms)
            result.push_back(form.name);
        return result;
    }();
    return names;
}

}  // namespace parcast::pamela
