#include "forecast/time_domain_equations.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/suggestion.h"
#include "symbolic/simplify/simplify.h"

namespace parcast::forecast {

namespace {

class Equations {
public:
    Equations(ProcessModel& model, EquationChoice const& choice) : model_(model), choice_(choice) {}

    Result<TimeDomainEquations> all() {
        auto names = choice_.names;
        if (names.empty())
            for (auto const& process : model_.process_equations)
                names.push_back(process.name);
        for (auto const& name : names)
            if (!add(name))
                return unknown(name);
        return std::move(result_);
    }

private:
    bool add(std::string const& name) {
        auto const process = std::ranges::find(model_.process_equations, name, &ProcessEquation::name);
        if (process != model_.process_equations.end()) {
            add_process(name, process->root);
            return true;
        }
        auto const numeric = std::ranges::find(model_.numeric_equations, name, &NumericEquation::name);
        if (numeric == model_.numeric_equations.end())
            return false;
        add_equation(name, numeric->value);
        return true;
    }

    void add_process(std::string const& name, ProcessId root) {
        auto const times = model::time_domain(model_, root);
        if (!choice_.phases) {
            add_times(name, name, times);
            return;
        }
        std::vector<symbolic::Expression> totals;
        int number = 0;
        for (auto const& phase : model::phases(model_, root)) {
            add_times(name + "_" + std::to_string(++number), name + ", " + phase.name, phase.times);
            totals.push_back(phase.times.total);
        }
        auto& pool = model_.expressions;
        add_equation("T_" + name,
                     totals.empty() ? pool.number(0) : pool.make(symbolic::ExpressionKind::add, totals));
    }

    void add_times(std::string const& name, std::string const& process, model::TimeDomain const& times) {
        add_equation("phi_" + name, times.phi);
        add_equation("delta_" + name, times.delta);
        add_equation("omega_" + name, times.omega);
        add_equation("T_" + name, times.total);
        for (auto const& resource : times.uncontended)
            result_.left_out.push_back({process, resource});
    }

    void add_equation(std::string name, symbolic::Expression value) {
        result_.equations.push_back(
            {std::move(name), choice_.unsimplified ? value : simplify(model_.expressions, value)});
    }

    tl::unexpected<Error> unknown(std::string const& name) const {
        std::vector<std::string_view> known;
        for (auto const& process : model_.process_equations)
            known.push_back(process.name);
        for (auto const& numeric : model_.numeric_equations)
            known.push_back(numeric.name);
        auto const meant = nearest(name, known);
        return fail(ErrorCode::not_found, "has no equation '" + name + "' without formal parameters" +
                                              (meant ? "; did you mean '" + std::string(*meant) + "'?" : ""));
    }

    ProcessModel& model_;
    EquationChoice const& choice_;
    TimeDomainEquations result_;
};

}  // namespace

Result<TimeDomainEquations> time_domain_equations(ProcessModel& model, EquationChoice const& choice) {
    return Equations(model, choice).all();
}

}  // namespace parcast::forecast
