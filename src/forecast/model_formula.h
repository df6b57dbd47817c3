// The formulas of a process, ready to be evaluated at many points: its critical path, the work of its busiest
// resource, and the greater of the two.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "answer/answer.h"
#include "core/result.h"
#include "model/composition/time_domain.h"
#include "program/process_model.h"
#include "symbolic/tape/expression_tape.h"
#include "symbolic/time_bounds.h"

namespace parcast::forecast {

struct FormulaOptions {
    std::string of;  // a process, or an equation
    std::optional<std::string> per;
    bool phases = false;
};

// The work of one resource, a component of the work of all.
struct ResourceWork {
    std::uint32_t resource = 0;  // into ModelFormula::resources()
    double work = 0;             // in the mean, of all its servers together, divided as times are
    double servers = 1;
};

class ModelFormula {
public:
    // Makes expressions in the model's pool. Errors: not_found (a name; the message offers the nearest), and
    // those of the expressions.
    static Result<ModelFormula> of(ProcessModel& model, FormulaOptions const& options);

    // Values by position: those of model.parameters. Errors: those of the expressions at these values.
    Result<ModelPoint> point(std::span<double const> values) const;
    Result<std::vector<ModelPhase>> phases(std::span<double const> values) const;

    // Of the resources that are contended for, the one that bounds the time most first. With arrays of
    // resources one for each component. Errors: as for point().
    Result<std::vector<ResourceWork>> resource_work(std::span<double const> values) const;

    // What times are divided by: 1, or the value of --per.
    Result<double> divisor(std::span<double const> values) const;

    // Between which values the critical path of a run lies, and what it is the greatest of, if that is known;
    // not divided by the divisor.
    symbolic::TimeBounds const& critical_path_bounds() const { return critical_path_bounds_; }

    // Of a process: a time, which is never negative. Otherwise an equation, which may be.
    bool is_process() const { return is_process_; }

    // Names of resources that are contended for. ModelPoint::resource is one of them.
    std::vector<std::string> const& resources() const { return resources_; }

private:
    struct Bounds {
        std::string name;
        symbolic::ExpressionTape critical_path;
        std::optional<symbolic::ExpressionTape> busiest;
    };
    // A resource that may be the busiest: which component of the work is its, and how many share it.
    struct Server {
        std::uint32_t name;
        std::optional<symbolic::ExpressionTape> index;  // none: varies within the model
        std::optional<symbolic::ExpressionTape> multiplicity;
    };

    static Result<Bounds> bounds_of(ProcessModel& model, std::string name, symbolic::Expression phi,
                                    symbolic::Expression omega);
    Result<void> compose(ProcessModel& model, ProcessId root, bool with_phases);
    Result<void> find_servers(ProcessModel& model, model::TimeDomain const& times);
    static Result<std::optional<symbolic::ExpressionTape>> tape_if_same_everywhere(
        ProcessModel& model, symbolic::Expression expression);
    Server const* owner_of(std::uint64_t component, std::span<double const> values) const;
    Result<std::uint32_t> busiest_resource(std::span<double const> values) const;

    bool is_process_ = false;  // or an equation, which may be negative
    std::optional<Bounds> bounds_;
    std::vector<Bounds> phases_;
    symbolic::TimeBounds critical_path_bounds_;
    std::vector<Server> servers_;
    std::vector<std::string> resources_;
    std::optional<symbolic::ExpressionTape> work_;  // by resource; only where there are several
    std::optional<symbolic::ExpressionTape> per_;
};

}  // namespace parcast::forecast
