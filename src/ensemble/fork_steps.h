// The branches of a parallel composition as steps: which of them need strands of their own, and how many
// copies of each.

#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/moments.h"
#include "ensemble/plan_steps.h"

namespace parcast::ensemble {

// Begins a fork when it is made. A branch of nothing is left out.
class ForkSteps {
public:
    explicit ForkSteps(PlanSteps& steps);  // a loan until the fork is done

    void begin_branch(double copies);
    void end_branch(Part const& part);
    // Ends a branch of one copy: one copy more of that before it where both have the same steps.
    void end_branch_or_count_it(Part const& part);
    void draw_copies(Moments const& count);  // of the only branch

    Part end();

private:
    struct Branch {
        std::size_t begin = 0;  // its branch step
        double copies = 1;
        Part part;
    };

    bool has_same_steps(Branch const& one, Branch const& other) const;
    std::optional<Part> without_strands();
    std::optional<double> longest_constant() const;
    Part without_fork(Branch const& only);
    Part greatest(Branch const& only);

    PlanSteps& steps_;
    std::size_t begin_;
    std::vector<Branch> branches_;
};

}  // namespace parcast::ensemble
