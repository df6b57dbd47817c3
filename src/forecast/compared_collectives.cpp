#include "forecast/compared_collectives.h"

#include <algorithm>
#include <future>
#include <string>
#include <utility>

#include "core/counted.h"
#include "forecast/results_of.h"
#include "program/collectives/collectives.h"

namespace parcast::forecast {

namespace {

// Several are in memory at once.
constexpr std::size_t most_compared_operations = 20'000'000;

std::string algorithm_option(CollectiveKind kind, CollectiveAlgorithm algorithm) {
    return std::string(row_of(kind).name) + "=" + std::string(name_of(algorithm));
}

// Whether an operation of that kind really has the algorithm: where it does not exist another takes its
// place, which has a row of its own.
bool has_used(LoweredProgram const& program, CollectiveKind kind, CollectiveAlgorithm algorithm) {
    return std::ranges::any_of(program.used, [&](UsedAlgorithm const& used) {
        return used.kind == kind && used.algorithm == algorithm;
    });
}

struct Candidate {
    std::size_t group = 0;  // into the answer
    std::string option;
    CollectiveChoice choice;
    std::optional<std::pair<CollectiveKind, CollectiveAlgorithm>> named = std::nullopt;
};

// None: the algorithm is not used at all.
Result<std::optional<CollectiveAlternative>> try_candidate(Candidate const& candidate,
                                                           MessageProgram const& called,
                                                           Network const& network,
                                                           ReplaySetting const& setting) {
    auto const messages = lowered(called, candidate.choice, most_compared_operations);
    if (!messages) {
        if (messages.error().code != ErrorCode::out_of_range)
            return pass_on(messages);
        return std::optional(
            CollectiveAlternative{candidate.option,
                                  {},
                                  "more than " + count_text(most_compared_operations) + " operations",
                                  false});
    }
    if (candidate.named && !has_used(*messages, candidate.named->first, candidate.named->second))
        return std::optional<CollectiveAlternative>();
    auto const row = replayed_row(messages->program, network, MessageMethod::replay, setting);
    if (!row)
        return pass_on(row);
    CollectiveAlternative alternative;
    alternative.choice = candidate.option;
    if (!row->run.deadlock)
        alternative.time_ns = row->time_ns;
    return std::optional(std::move(alternative));
}

// "ring", or several by size: "linear, ring".
std::string chosen_text(Answer const& answer, std::string_view kind) {
    std::string algorithms;
    std::size_t count = 0;
    for (auto const& used : answer.messages().collectives)
        if (used.kind == kind)
            algorithms += (count++ == 0 ? "" : ", ") + used.algorithm;
    return algorithms;
}

}  // namespace

Result<std::vector<ComparedCollectives>> compared_collectives(MessageProgram const& called,
                                                              Answer const& answer,
                                                              ReplaySetting const& setting,
                                                              unsigned workers) {
    auto const& basis = answer.messages();
    std::vector<ComparedCollectives> groups;
    std::vector<Candidate> candidates;
    for (auto const& kind : collective_kinds) {
        std::uint64_t operations = 0;
        std::size_t algorithms = 0;
        for (auto const& used : basis.collectives)
            if (used.kind == kind.name) {
                operations += used.operations;
                ++algorithms;
            }
        if (operations == 0)
            continue;
        auto const chosen = chosen_text(answer, kind.name);
        for (auto const algorithm : algorithms_of(kind.kind)) {
            if (algorithms == 1 && name_of(algorithm) == chosen)
                continue;  // that is the prediction
            auto choice = basis.choice;
            choice.given[static_cast<std::size_t>(kind.kind)] = algorithm;
            candidates.push_back({groups.size(), algorithm_option(kind.kind, algorithm), choice,
                                  std::pair(kind.kind, algorithm)});
        }
        groups.push_back({std::string(kind.name), operations, {}});
        auto& own = groups.back().alternatives.emplace_back();
        own.choice = chosen;
        own.is_chosen = true;
    }
    for (std::size_t library = 0; library < collective_libraries.size(); ++library) {
        CollectiveChoice const choice{static_cast<CollectiveLibrary>(library)};
        if (choice != basis.choice)
            candidates.push_back({groups.size(), std::string(collective_libraries[library]), choice});
    }
    groups.push_back({{}, 0, {{collective_choice_text(basis.choice), {}, {}, true}}});
    auto const& row = answer.rows.front();
    for (auto& group : groups)
        if (!row.run.deadlock)
            group.alternatives.front().time_ns = row.time_ns;

    std::vector<std::packaged_task<Result<std::optional<CollectiveAlternative>>()>> tasks;
    for (auto const& candidate : candidates)
        tasks.emplace_back([&] { return try_candidate(candidate, called, basis.network, setting); });
    auto results = results_of(tasks, workers);
    for (std::size_t each = 0; each < results.size(); ++each) {
        if (!results[each])
            return pass_on(results[each]);
        if (*results[each])
            groups[candidates[each].group].alternatives.push_back(std::move(**results[each]));
    }
    for (auto& group : groups)
        std::ranges::stable_sort(group.alternatives, {}, [](CollectiveAlternative const& each) {
            return std::pair(!each.time_ns.has_value(), each.time_ns.value_or(0));
        });
    return groups;
}

}  // namespace parcast::forecast
