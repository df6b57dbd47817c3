#include "search/binding.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace parcast::search {

namespace {

constexpr std::uint64_t tests_without_gain = 100;
constexpr int known_neighbours_in_turn = 400;
constexpr std::size_t bindings_at_once = 64;  // of exhaustive

// Processors are alike: the first thread's is 0, the next new one 1, and so on.
Binding renamed(Binding binding) {
    std::vector<std::uint32_t> names;  // by new name, the old one
    for (auto& processor : binding) {
        auto const known = static_cast<std::uint32_t>(std::ranges::find(names, processor) - names.begin());
        if (known == names.size())
            names.push_back(processor);
        processor = known;
    }
    return binding;
}

// Most work first; equal ones in their order.
std::vector<std::size_t> by_falling_work(BindingProblem const& problem) {
    std::vector<std::size_t> threads(problem.work_ns.size());
    std::iota(threads.begin(), threads.end(), std::size_t{0});
    std::ranges::stable_sort(threads, std::greater<>(),
                             [&](std::size_t each) { return problem.work_ns[each]; });
    return threads;
}

Binding packed(BindingProblem const& problem) {
    std::vector<std::int64_t> load(problem.processors);
    Binding binding(problem.work_ns.size());
    for (auto const thread : by_falling_work(problem)) {
        auto const least = std::ranges::min_element(load);
        *least += problem.work_ns[thread];
        binding[thread] = static_cast<std::uint32_t>(least - load.begin());
    }
    return binding;
}

class Search {
public:
    Search(BindingProblem const& problem, BindingLimits const& limits, TestBindings const& test)
        : problem_(problem), limits_(limits), test_(test), random_(limits.seed) {}

    FoundBinding found_by(BindingStrategy strategy) {
        switch (strategy) {
            case BindingStrategy::binpack: offer(packed(problem_)); break;
            case BindingStrategy::sga: simulate_allocations(); break;
            case BindingStrategy::c_sga:
                simulate_allocations();
                offer(packed(problem_));
                break;
            case BindingStrategy::greedy: walk(packed(problem_)); break;
            case BindingStrategy::dynamic_start: restart(); break;
            case BindingStrategy::exhaustive: try_all(); break;
        }
        return std::move(best_);
    }

private:
    // Of bindings whose names are those of renamed(): where threads are ready at the same instant, the names
    // of processors decide who comes first.
    std::vector<std::int64_t> times_of(std::vector<Binding> bindings) {
        best_.tests += bindings.size();
        std::ranges::transform(bindings, bindings.begin(), renamed);
        return test_(bindings);
    }

    // Whether it is the best so far.
    bool keep(Binding const& binding, std::int64_t time_ns) {
        bool const is_better = time_ns < best_.time_ns || best_.binding.empty();
        if (is_better)
            std::tie(best_.binding, best_.time_ns) = std::pair(renamed(binding), time_ns);
        return is_better;
    }
    std::int64_t offer(Binding const& binding) {
        auto const time = times_of({binding}).front();
        keep(binding, time);
        return time;
    }

    // The simulation-based greedy algorithm: threads that have no processor yet have one alone.
    void simulate_allocations() {
        auto const threads = by_falling_work(problem_);
        Binding binding(threads.size());
        for (std::size_t thread = 0; thread < binding.size(); ++thread)
            binding[thread] = problem_.processors + static_cast<std::uint32_t>(thread);
        binding[threads.front()] = 0;
        std::uint32_t used = 1;
        std::int64_t time = no_time;
        for (std::size_t next = 1; next < threads.size(); ++next) {
            auto const candidates = std::min(used + 1, problem_.processors);
            std::vector<Binding> tried(candidates, binding);
            for (std::uint32_t processor = 0; processor < candidates; ++processor)
                tried[processor][threads[next]] = processor;
            auto const times = times_of(tried);
            auto const least = std::ranges::min_element(times) - times.begin();
            time = times[static_cast<std::size_t>(least)];
            binding = tried[static_cast<std::size_t>(least)];
            used = std::max(used, static_cast<std::uint32_t>(least) + 1);
        }
        if (threads.size() == 1)
            time = times_of({binding}).front();
        keep(binding, time);
    }

    std::uint64_t below(std::uint64_t count) { return random_() % count; }

    Binding neighbour(Binding binding) {
        auto const threads = binding.size();
        bool const is_spread = std::ranges::adjacent_find(binding, std::not_equal_to<>()) != binding.end();
        if (is_spread && below(2) == 0) {
            std::size_t one = 0;
            std::size_t other = 0;
            do {
                one = below(threads);
                other = below(threads);
            } while (binding[one] == binding[other]);
            std::swap(binding[one], binding[other]);
            return binding;
        }
        auto& moved = binding[below(threads)];
        auto const step = 1 + below(problem_.processors - 1);
        moved = static_cast<std::uint32_t>((moved + step) % problem_.processors);
        return binding;
    }

    // An equal neighbour is gone on from; a worse one is not (paper V, figure 1). Its own best, as it may
    // begin behind another one.
    void walk(Binding start) {
        if (problem_.processors == 1 || start.size() == 1) {
            offer(start);
            return;
        }
        known_.insert(renamed(start));
        auto best = start;
        auto least = offer(start);
        auto current = std::move(start);
        std::uint64_t without_gain = 0;
        int known_in_turn = 0;
        while (without_gain < tests_without_gain && known_in_turn < known_neighbours_in_turn && may_test()) {
            auto next = neighbour(current);
            if (!known_.insert(renamed(next)).second) {
                ++known_in_turn;
                current = best;
                continue;
            }
            known_in_turn = 0;
            auto const time = offer(next);
            ++without_gain;
            if (time < least) {
                without_gain = 0;
                least = time;
                best = next;
            }
            current = time <= least ? std::move(next) : best;
        }
    }

    bool may_test() const { return best_.tests < limits_.tests; }

    void restart() {
        walk(packed(problem_));
        int known_in_turn = 0;
        while (may_test() && known_in_turn < known_neighbours_in_turn && problem_.processors > 1) {
            Binding random(problem_.work_ns.size());
            for (auto& processor : random)
                processor = static_cast<std::uint32_t>(below(problem_.processors));
            if (known_.contains(renamed(random))) {
                ++known_in_turn;
                continue;
            }
            known_in_turn = 0;
            walk(std::move(random));
        }
    }

    // Each thread on a processor that is used already, or on the first other one.
    void try_all() {
        auto const threads = problem_.work_ns.size();
        Binding binding(threads, 0);
        std::vector<Binding> batch;
        bool has_next = true;
        while (has_next && best_.tests < limits_.tests) {
            auto const room = std::min<std::uint64_t>(bindings_at_once, limits_.tests - best_.tests);
            for (batch.clear(); has_next && batch.size() < room; has_next = next_partition(binding))
                batch.push_back(binding);
            auto const times = times_of(batch);
            for (std::size_t i = 0; i < batch.size(); ++i)
                keep(batch[i], times[i]);
        }
        best_.is_best_of_all = !has_next;
    }

    bool next_partition(Binding& binding) const {
        for (auto thread = binding.size(); thread-- > 1;) {
            auto const used =
                *std::max_element(binding.begin(), binding.begin() + static_cast<std::ptrdiff_t>(thread));
            if (binding[thread] <= used && binding[thread] + 1 < problem_.processors) {
                ++binding[thread];
                std::fill(binding.begin() + static_cast<std::ptrdiff_t>(thread) + 1, binding.end(), 0);
                return true;
            }
        }
        return false;
    }

    BindingProblem const& problem_;
    BindingLimits const& limits_;
    TestBindings const& test_;
    std::mt19937_64 random_;
    std::set<Binding> known_;
    FoundBinding best_;
};

}  // namespace

std::optional<std::uint64_t> binding_count(std::size_t threads, std::uint32_t processors,
                                           std::uint64_t most) {
    // Of the threads so far, by how many processors they use; more than `most` is kept as most + 1.
    auto const add = [&](std::uint64_t a, std::uint64_t b) {
        return std::min(most + 1, a + std::min(b, most + 1));
    };
    std::vector<std::uint64_t> ways(std::min<std::size_t>(threads, processors) + 1);
    ways[0] = 1;
    for (std::size_t thread = 0; thread < threads; ++thread) {
        for (auto used = ways.size() - 1; used > 0; --used) {
            auto const shared = ways[used] > most / used ? most + 1 : ways[used] * used;
            ways[used] = add(shared, ways[used - 1]);
        }
        ways[0] = 0;
    }
    std::uint64_t all = 0;
    for (auto const each : ways)
        all = add(all, each);
    return all <= most ? std::optional(all) : std::nullopt;
}

FoundBinding find_binding(BindingProblem const& problem, BindingStrategy strategy,
                          BindingLimits const& limits, TestBindings const& test) {
    return Search(problem, limits, test).found_by(strategy);
}

}  // namespace parcast::search
