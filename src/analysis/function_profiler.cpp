#include "analysis/function_profiler.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace parcast::analysis {

namespace {

// The function of each stack, by its place in the result.
std::vector<std::size_t> functions_of_stacks(Catalogue const& catalogue,
                                             std::vector<FunctionProfile>& functions) {
    std::map<std::string, std::size_t> known;
    std::vector<std::size_t> of_stack;
    for (CallStack const& stack : catalogue.stacks) {
        auto name = function_name(catalogue, stack.function);
        auto const [found, is_new] = known.try_emplace(name, functions.size());
        if (is_new)
            functions.push_back({std::move(name), stack.function, std::nullopt, 0, 0, std::nullopt});
        of_stack.push_back(found->second);
    }
    return of_stack;
}

bool is_called_by_itself(std::size_t stack, Catalogue const& catalogue,
                         std::vector<std::size_t> const& of_stack) {
    for (auto caller = catalogue.stacks[stack].caller; !caller.is_none();
         caller = catalogue.stacks[caller.index()].caller)
        if (of_stack[caller.index()] == of_stack[stack])
            return true;
    return false;
}

// For a function that n of all N samples hit: those that hit it are binomially distributed. By Laplace's
// (n + 1) / (N + 2), so that six of six samples are not taken for certainty.
double sampling_error_ns(double self_ns, Sampling const& sampling) {
    auto const period_ns = static_cast<double>(sampling.period_ns);
    auto const all = static_cast<double>(sampling.samples);
    if (all <= 0 || period_ns <= 0)
        return 0;
    double const share = (std::min(self_ns / period_ns, all) + 1) / (all + 2);
    return period_ns * std::sqrt(all * share * (1 - share));
}

}  // namespace

void FunctionProfiler::add(WorkShare const& share) {
    if (share.stack.is_none())
        return;
    if (stacks_.size() <= share.stack.index())
        stacks_.resize(share.stack.index() + 1);
    OfStack& stack = stacks_[share.stack.index()];
    stack.ns += static_cast<double>(share.ns);
    stack.shares += 1;
    stack.calls += share.calls;
    stack.deeper_calls += share.deeper_calls;
}

std::vector<FunctionProfile> FunctionProfiler::finish(Catalogue const& catalogue,
                                                      Provenance const& provenance) const {
    CallProbes const probes = provenance.call_probes.value_or(CallProbes{});
    std::vector<FunctionProfile> functions;
    auto const of_stack = functions_of_stacks(catalogue, functions);
    std::size_t const count = std::min(stacks_.size(), catalogue.stacks.size());
    std::vector<double> total(count, 0);  // first each stack's own
    for (std::size_t i = 0; i < count; ++i) {
        OfStack const& stack = stacks_[i];
        auto const calls = static_cast<double>(stack.calls);
        total[i] += stack.ns - calls * probes.inside_ns - stack.shares * probes.share_ns -
                    static_cast<double>(stack.deeper_calls) * probes.deeper_ns;
        if (auto const caller = catalogue.stacks[i].caller; !caller.is_none())
            total[caller.index()] -= calls * probes.outside_ns;
        auto& function = functions[of_stack[i]];
        if (provenance.call_probes)
            function.calls = function.calls.value_or(0) + stack.calls;
    }
    for (double& each : total)
        each = std::max(each, 0.0);
    for (std::size_t i = 0; i < count; ++i)
        functions[of_stack[i]].self_ns += total[i];
    for (std::size_t i = count; i-- > 0;) {
        if (auto const caller = catalogue.stacks[i].caller; !caller.is_none())
            total[caller.index()] += total[i];
        if (!is_called_by_itself(i, catalogue, of_stack))
            functions[of_stack[i]].total_ns += total[i];
    }
    if (provenance.sampling)
        for (FunctionProfile& function : functions)
            function.self_error_ns = sampling_error_ns(function.self_ns, *provenance.sampling);
    std::erase_if(functions,
                  [](auto const& each) { return each.calls.value_or(0) == 0 && each.total_ns == 0; });
    std::ranges::stable_sort(functions, std::greater(), &FunctionProfile::self_ns);
    return functions;
}

}  // namespace parcast::analysis
