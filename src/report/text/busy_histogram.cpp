#include "report/text/parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/core.h>

#include "report/format.h"

namespace parcast::report {

namespace {

constexpr std::size_t most_signs = 9;
constexpr std::size_t most_lines = 12;
constexpr double columns_of_all = 40;

// Numbers of busy processors from first to last.
struct Bin {
    std::size_t first = 0;
    std::size_t last = 0;
    double share = 0;
};

// None busy is a bin of its own; the others are divided evenly.
std::vector<Bin> bins_of(std::vector<double> const& busy_for_ns, std::size_t most) {
    double const all = std::accumulate(busy_for_ns.begin(), busy_for_ns.end(), 0.0);
    if (busy_for_ns.size() < 2 || !(all > 0))
        return {};
    std::vector<Bin> bins = {{0, 0, busy_for_ns.front() / all}};
    auto const processors = busy_for_ns.size() - 1;
    auto const parts = std::min(processors, most - 1);
    for (std::size_t part = 0; part < parts; ++part) {
        Bin bin{1 + part * processors / parts, (part + 1) * processors / parts, 0};
        for (auto busy = bin.first; busy <= bin.last; ++busy)
            bin.share += busy_for_ns[busy] / all;
        bins.push_back(bin);
    }
    return bins;
}

}  // namespace

std::string busy_signs(std::vector<double> const& busy_for_ns) {
    constexpr std::array signs = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::string text;
    for (auto const& bin : bins_of(busy_for_ns, most_signs)) {
        auto const height = static_cast<std::size_t>(std::ceil(bin.share * signs.size()));
        text += height == 0 ? "·" : signs[std::min(height, signs.size()) - 1];
    }
    return text;
}

std::string busy_histogram(std::vector<double> const& busy_for_ns) {
    auto bins = bins_of(busy_for_ns, most_lines);
    std::ranges::reverse(bins);
    std::string text;
    for (auto const& [first, last, share] : bins) {
        auto const name = first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last);
        std::string bar;
        for (auto left = std::llround(share * columns_of_all); left > 0; --left)
            bar += "█";
        text += fmt::format("  {:>11}  {:>6}  {}", name, percent_text(share), bar);
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    }
    return text.empty() ? "" : "  busy at once, share of the time\n" + text;
}

}  // namespace parcast::report
