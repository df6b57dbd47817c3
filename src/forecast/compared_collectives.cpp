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

class CollectiveComparison {
public:
    CollectiveComparison(MessageProgram const& called, Answer const& answer, ReplaySetting const& setting,
                         unsigned workers)
        : called_(called),
          basis_(answer.messages()),
          row_(answer.rows.front()),
          setting_(setting),
          workers_(workers) {}

    Result<std::vector<ComparedCollectives>> run() {
        for (auto const& kind : collective_kinds)
            add_kind(kind);
        add_libraries();
        if (auto const tried = try_candidates(); !tried)
            return pass_on(tried);
        if (add_best_of_each())
            if (auto const tried = try_candidates(); !tried)
                return pass_on(tried);
        return std::move(groups_);
    }

private:
    void add_kind(CollectiveKindRow const& kind) {
        std::uint64_t operations = 0;
        std::string chosen;  // "ring", or several by size: "linear, ring"
        for (auto const& used : basis_.collectives)
            if (used.kind == kind.name) {
                operations += used.operations;
                chosen += (chosen.empty() ? "" : ", ") + used.algorithm;
            }
        if (operations == 0)
            return;
        for (auto const algorithm : algorithms_of(kind.kind)) {
            if (name_of(algorithm) == chosen)
                continue;  // that is the prediction
            auto choice = basis_.choice;
            choice.given[static_cast<std::size_t>(kind.kind)] = algorithm;
            candidates_.push_back({groups_.size(), algorithm_option(kind.kind, algorithm), choice,
                                   std::pair(kind.kind, algorithm)});
        }
        add_group(std::string(kind.name), operations, std::move(chosen));
    }

    void add_libraries() {
        for (std::size_t library = 0; library < collective_libraries.size(); ++library) {
            CollectiveChoice const choice{static_cast<CollectiveLibrary>(library)};
            if (choice != basis_.choice)
                candidates_.push_back({groups_.size(), std::string(collective_libraries[library]), choice});
        }
        add_group({}, 0, collective_choice_text(basis_.choice));
    }

    void add_group(std::string kind, std::uint64_t operations, std::string chosen) {
        CollectiveAlternative own;
        own.choice = std::move(chosen);
        own.is_chosen = true;
        if (!row_.run.deadlock)
            own.time_ns = row_.time_ns;
        groups_.push_back({std::move(kind), operations, {std::move(own)}});
    }

    // Where several kinds have a better algorithm, all of these together. Returns whether there is that.
    bool add_best_of_each() {
        Candidate best{groups_.size() - 1, {}, basis_.choice};
        std::size_t better = 0;
        for (std::size_t group = 0; group + 1 < groups_.size(); ++group) {
            auto const& first = groups_[group].alternatives.front();
            if (first.is_chosen || !first.time_ns)
                continue;
            auto const choice = parse_collective_choice(first.choice);
            for (std::size_t kind = 0; kind < collective_kind_count; ++kind)
                if (choice->given[kind])
                    best.choice.given[kind] = choice->given[kind];
            ++better;
        }
        best.option = collective_choice_text(best.choice);
        if (constexpr std::string_view usual = "open-mpi,"; best.option.starts_with(usual))
            best.option.erase(0, usual.size());
        if (better > 1)
            candidates_.push_back(std::move(best));
        return better > 1;
    }

    Result<void> try_candidates() {
        std::vector<std::packaged_task<Result<std::optional<CollectiveAlternative>>()>> tasks;
        for (auto const& candidate : candidates_)
            tasks.emplace_back([&] { return try_candidate(candidate, called_, basis_.network, setting_); });
        auto results = results_of(tasks, workers_);
        for (std::size_t each = 0; each < results.size(); ++each) {
            if (!results[each])
                return pass_on(results[each]);
            if (*results[each])
                groups_[candidates_[each].group].alternatives.push_back(std::move(**results[each]));
        }
        candidates_.clear();
        for (auto& group : groups_)
            std::ranges::stable_sort(group.alternatives, {}, [](CollectiveAlternative const& each) {
                return std::pair(!each.time_ns.has_value(), each.time_ns.value_or(0));
            });
        return {};
    }

    MessageProgram const& called_;
    MessagesBasis const& basis_;
    Row const& row_;
    ReplaySetting const& setting_;
    unsigned workers_;
    std::vector<ComparedCollectives> groups_;  // the last one: of all kinds
    std::vector<Candidate> candidates_;
};

}  // namespace

Result<std::vector<ComparedCollectives>> compared_collectives(MessageProgram const& called,
                                                              Answer const& answer,
                                                              ReplaySetting const& setting,
                                                              unsigned workers) {
    return CollectiveComparison(called, answer, setting, workers).run();
}

}  // namespace parcast::forecast
