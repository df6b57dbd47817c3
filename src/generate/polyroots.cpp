// The roots of a polynomial of degree n: a remainder sequence, whose steps wait for each other, and a tree of
// matrix products above it that begins as soon as its parts are there (so the graph is not series-parallel);
// then, after a barrier, a loop of n large tasks of different length, the two longest near its end. With
// degree 30 the early part takes about 11 s and the whole on 1, 2, 4, 8, 12 and 16 processors within 6 % of
// what table 5.2 says.

#include <array>

#include "generate/structures.h"

namespace parcast::generate {

namespace {

// Mean times at degree 30. Tables 5.2: 99.2 s of work at degree 20 and 397.6 s at 30, so that with 10 n tasks
// the time of one grows with n^2.43.
constexpr double quotient_s = 0.05;
constexpr double remainder_s = 0.18;
constexpr double matrix_s = 1.08;
constexpr double product_s = 0.12;
constexpr double shortest_root_s = 6.6;
constexpr double usual_root_s = 10.9;
constexpr std::array longest_roots_s = {11.7, 11.4};  // the unbounded intervals at either end

class PolyrootsGenerator {
public:
    PolyrootsGenerator(std::uint32_t degree, Random random)
        : degree_(degree), random_(random), scale_ns_(second_ns * std::pow(degree / 30.0, 2.43)) {}

    TaskGraph generate() {
        auto const start = add(builder_, "start", times(1, 0.1, 0));
        auto const matrices =
            remainder_sequence(add(builder_, "coefficients", times(14, 0.04, 0.5), std::array{start}));
        auto const root_of_tree = product_tree(matrices);
        auto const barrier = add(builder_, "barrier", times(1, 0.05, 0), std::array{root_of_tree});
        auto const roots = add(builder_, "roots", root_times(), std::array{barrier});
        add(builder_, "end", times(1, 0.02, 0), std::array{roots});
        return std::move(builder_).finish();
    }

private:
    std::vector<double> times(std::size_t count, double mean_s, double spread) {
        return times_around(random_, count, mean_s * scale_ns_, spread);
    }

    // For each step the group of matrices that waits for it.
    std::vector<TaskGroupId> remainder_sequence(TaskGroupId last) {
        std::vector<TaskGroupId> matrices;
        double const n = degree_;
        for (std::uint32_t step = 1; step <= degree_; ++step) {
            double const size =
                6 * step * (n - step + 1) / (n * (n + 2));  // of the coefficients; 1 on average
            auto const name = std::to_string(step);
            auto const quotient =
                add(builder_, "quotient " + name, times(1, quotient_s * size, 0.2), std::array{last});
            last =
                add(builder_, "remainder " + name, times(4, remainder_s * size, 0.4), std::array{quotient});
            matrices.push_back(add(builder_, "matrix " + name, times(3, matrix_s, 0.6), std::array{last}));
        }
        return matrices;
    }

    // A binary tree in the order of a heap: node k has the nodes 2 k and 2 k + 1 below it, and a matrix.
    TaskGroupId product_tree(std::vector<TaskGroupId> const& matrices) {
        std::vector<TaskGroupId> product(degree_ + 1);
        for (std::uint32_t node = degree_; node >= 1; --node) {
            std::vector<TaskGroupId> after = {matrices[node - 1]};
            for (auto const below : {2 * node, 2 * node + 1})
                if (below <= degree_)
                    after.push_back(product[below]);
            product[node] = add(builder_, "product " + std::to_string(node), times(1, product_s, 0.5), after);
        }
        return product[1];
    }

    std::vector<double> root_times() {
        double const middle = (shortest_root_s + usual_root_s) / 2;
        auto roots = times(degree_, middle, (usual_root_s - middle) / middle);
        roots[degree_ - 4] = std::round(longest_roots_s[0] * scale_ns_);
        roots[degree_ - 2] = std::round(longest_roots_s[1] * scale_ns_);
        return roots;
    }

    std::uint32_t degree_;
    Random random_;
    double scale_ns_;
    TaskGraphBuilder builder_;
};

}  // namespace

TaskGraph polyroots(std::uint32_t degree, Random random) {
    auto graph = PolyrootsGenerator(degree, random).generate();
    graph.name = "polyroots, degree " + std::to_string(degree);
    graph.assumptions = {
        "The structure is that of Polyroots in Adve (1993): 10 n + 17 tasks, an irregular part that is not "
        "series-parallel, "
        "and a last loop of n large tasks, the two longest near its end. The precedences of the irregular "
        "part and the "
        "single times are made up; the work is about that of table 5.2."};
    return graph;
}

}  // namespace parcast::generate
