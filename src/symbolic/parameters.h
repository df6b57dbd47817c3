// Values of named parameters, and the value that a formula has with them.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "symbolic/formula.h"

namespace parcast::symbolic {

class Parameters {
public:
    void set(std::string name, double value) { values_.insert_or_assign(std::move(name), value); }
    std::optional<double> find(std::string_view name) const;

    auto begin() const { return values_.begin(); }  // in the order of their names
    auto end() const { return values_.end(); }

private:
    std::map<std::string, double, std::less<>> values_;
};

// "n=1024" or "n=2^20": a formula of the parameters before it. Errors: malformed, and those of evaluate().
Result<void> assign(Parameters& parameters, std::string_view assignment);

// Finite. Errors: not_found (a parameter without a value; the message offers the nearest), out_of_range.
Result<double> evaluate(Formula const& formula, Parameters const& parameters);

// "the formula 'n/m' needs a value for 'm': bind it with --set m=VALUE"
Error unbound(Formula const& formula, std::string_view name, Parameters const& parameters);

}  // namespace parcast::symbolic
