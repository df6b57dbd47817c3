#include "analysis/alignment.h"

#include <algorithm>
#include <map>

namespace parcast::analysis {

namespace {

constexpr double most_weight_ratio = 2;

// By neighbourhood, those that are not matched yet.
std::map<std::string, std::vector<std::size_t>> left_over(std::span<Alignable const> things,
                                                          std::vector<bool> const& is_matched) {
    std::map<std::string, std::vector<std::size_t>> left;
    for (std::size_t i = 0; i < things.size(); ++i)
        if (!is_matched[i] && !things[i].neighbourhood.empty())
            left[things[i].neighbourhood].push_back(i);
    return left;
}

bool weigh_alike(Alignable const& a, Alignable const& b) {
    return a.weight <= most_weight_ratio * b.weight && b.weight <= most_weight_ratio * a.weight;
}

}  // namespace

std::vector<AlignedPair> align(std::span<Alignable const> first, std::span<Alignable const> second) {
    std::vector<AlignedPair> pairs;
    std::vector<bool> matched_first(first.size());
    std::vector<bool> matched_second(second.size());
    auto const match = [&](std::size_t a, std::size_t b, Alignment alignment) {
        matched_first[a] = matched_second[b] = true;
        pairs.push_back({a, b, {alignment, first[a].thing, second[b].thing}});
    };

    std::map<std::string, std::size_t> by_identity;
    for (std::size_t b = 0; b < second.size(); ++b)
        by_identity.emplace(second[b].identity, b);
    for (std::size_t a = 0; a < first.size(); ++a) {
        auto const found = by_identity.find(first[a].identity);
        if (found == by_identity.end())
            continue;
        auto const& there = second[found->second];
        bool const has_moved = !first[a].file.empty() && !there.file.empty() && first[a].file != there.file;
        match(a, found->second, has_moved ? Alignment::moved : Alignment::same);
    }

    auto const others = left_over(second, matched_second);
    for (auto const& [neighbourhood, here] : left_over(first, matched_first)) {
        auto const there = others.find(neighbourhood);
        if (here.size() != 1 || there == others.end() || there->second.size() != 1)
            continue;
        auto const a = here.front();
        auto const b = there->second.front();
        if (weigh_alike(first[a], second[b]))
            match(a, b, first[a].thing.name == second[b].thing.name ? Alignment::moved : Alignment::renamed);
    }

    for (std::size_t a = 0; a < first.size(); ++a)
        if (!matched_first[a])
            pairs.push_back({a, std::nullopt, {Alignment::gone, first[a].thing, {}}});
    for (std::size_t b = 0; b < second.size(); ++b)
        if (!matched_second[b])
            pairs.push_back({std::nullopt, b, {Alignment::added, {}, second[b].thing}});
    return pairs;
}

}  // namespace parcast::analysis
