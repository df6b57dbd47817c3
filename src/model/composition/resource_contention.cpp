#include "model/composition/resource_contention.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "symbolic/notation/notation.h"
#include "symbolic/polynomial_expression.h"
#include "symbolic/simplify/simplify.h"
#include "symbolic/substitute.h"

namespace parcast::model {

namespace {

using symbolic::Expression;
using symbolic::ExpressionKind;
using symbolic::IndexId;

constexpr std::size_t most_families = 64;

// Resources of one name, one index expression and one multiplicity.
struct Family {
    std::string name;
    Expression index;
    Expression multiplicity;
    std::vector<IndexId> bound;  // indices of loops that the process is the whole of
    Expression users;            // at most, at once, of one of them
};
using Families = std::vector<Family>;

class Analysis {
public:
    explicit Analysis(ProcessModel& model)
        : model_(model), pool_(model.expressions), known_(model.processes.size()) {
        for (auto const& process : model.processes)
            if (auto const* loop = std::get_if<ProcessLoop>(&process))
                bounds_.try_emplace(loop->index.value, simple(loop->first), simple(loop->last));
    }

    // None: too many.
    std::optional<Families> of(ProcessId process) {
        auto& known = known_[process.value];
        if (!known) {
            auto made = std::visit([&](auto const& form) { return used(form); }, Process(model_[process]));
            if (made.size() > most_families)
                gave_up_ = true;
            known = gave_up_ ? Families{} : std::move(made);
        }
        return gave_up_ ? std::nullopt : known;
    }

    bool has_places_for_all(Family const& family) {
        auto const alternatives =
            pool_.kind(family.users) == ExpressionKind::maximum
                ? std::vector(pool_.operands(family.users).begin(), pool_.operands(family.users).end())
                : std::vector{family.users};
        // A resource has one place or more.
        return std::ranges::all_of(alternatives, [&](Expression users) {
            auto const more_than_one = difference(users, pool_.number(1));
            auto const free = difference(family.multiplicity, users);
            return (more_than_one && *more_than_one <= 0) || (free && *free >= 0);
        });
    }

private:
    Expression simple(Expression expression) { return simplify(pool_, expression); }

    std::optional<double> difference(Expression left, Expression right) {
        return symbolic::known_difference(pool_, left, right);
    }

    Expression sum(Expression left, Expression right) {
        return simple(pool_.make(ExpressionKind::add, {left, right}));
    }

    Expression turns(ProcessLoop const& loop) {
        auto const less = pool_.make(ExpressionKind::negate, {loop.first});
        return simple(pool_.make(ExpressionKind::add, {loop.last, less, pool_.number(1)}));
    }

    // --- by the form of the process

    Families used(Delay const&) { return {}; }

    Families used(Use const& use) {
        return {{use.resource.name,
                 simple(use.resource.index),
                 simple(use.resource.multiplicity),
                 {},
                 pool_.number(1)}};
    }

    Families used(Sequence const& sequence) {
        Families all;
        for (auto const part : sequence.parts)
            merge(all, of(part).value_or(Families{}));
        return all;
    }

    Families used(ProcessChoice const& choice) {
        auto all = of(choice.then).value_or(Families{});
        merge(all, of(choice.otherwise).value_or(Families{}));
        return all;
    }

    Families used(Parallel const& parallel) {
        std::vector<Families> branches;
        for (auto const branch : parallel.branches)
            branches.push_back(of(branch).value_or(Families{}));
        Families all;
        for (std::size_t one = 0; one < branches.size(); ++one) {
            auto families = branches[one];
            for (auto& family : families) {
                for (std::size_t other = 0; other < branches.size(); ++other) {
                    for (auto const& rival : branches[other])
                        if (other != one && may_be_one(family, rival))
                            family.users = sum(family.users, rival.users);
                }
            }
            merge(all, families);
        }
        return all;
    }

    Families used(ProcessLoop const& loop) {
        auto const body = of(loop.body).value_or(Families{});
        auto result = body;
        bool const is_random = pool_.is_random(loop.first) || pool_.is_random(loop.last);
        auto const more_than_one =
            loop.parallel && !is_random ? difference(turns(loop), pool_.number(1)) : std::nullopt;
        bool const is_at_once = loop.parallel && (!more_than_one || *more_than_one > 0);
        for (auto& family : result) {
            if (is_at_once)
                family.users = users_in_turns(loop, family, body, is_random);
            family.bound.push_back(loop.index);
        }
        Families merged;
        merge(merged, result);
        return merged;
    }

    Expression users_in_turns(ProcessLoop const& loop, Family const& family, Families const& body,
                              bool is_random) {
        // A number of branches that is not known: as many as a parameter that nothing else has.
        auto const count = is_random ? pool_.parameter("number of branches") : turns(loop);
        auto const in_all = [&](Expression users) {
            return simple(pool_.make(ExpressionKind::multiply, {count, users}));
        };
        bool const is_own = is_own_of_turn(family, loop.index);
        auto users = is_own ? family.users : in_all(family.users);
        for (auto const& rival : body) {
            bool const is_itself = rival.name == family.name && rival.index == family.index &&
                                   rival.multiplicity == family.multiplicity && rival.bound == family.bound;
            bool const is_in_same_turn_only =
                is_own && rival.index == family.index && is_own_of_turn(rival, loop.index);
            if (is_itself || is_in_same_turn_only)
                continue;
            auto mine = family;
            auto others = rival;
            mine.bound.push_back(loop.index);
            others.bound.push_back(loop.index);
            if (may_be_one(mine, others))
                users = sum(users, in_all(rival.users));
        }
        return users;
    }

    // --- indices

    // The coefficient of an index, if the expression is a multiple of it and something free of it.
    std::optional<double> slope(Expression expression, IndexId index) {
        auto const powers = polynomial_of(pool_, expression).by_powers_of(pool_.index(index));
        if (!powers || powers->size() != 2)
            return std::nullopt;
        bool const is_straight = !pool_.depends_on(expression_of(pool_, (*powers)[0]), index);
        return is_straight ? (*powers)[1].constant() : std::nullopt;
    }

    // Whether all that a turn uses lies beyond what the turn before it used, or below.
    bool is_own_of_turn(Family const& family, IndexId index) {
        auto const of_turn = range(family);
        if (!of_turn)
            return false;
        auto const next = pool_.make(ExpressionKind::add, {pool_.index(index), pool_.number(1)});
        auto const in_next = [&](Expression end) {
            return simple(substitute(pool_, end, pool_.index(index), next));
        };
        auto const rise = difference(in_next(of_turn->first), of_turn->second);
        auto const fall = difference(of_turn->first, in_next(of_turn->second));
        return (rise && *rise > 0) || (fall && *fall > 0);
    }

    // The least and the greatest index, those of loops outside kept.
    std::optional<std::pair<Expression, Expression>> range(Family const& family) {
        auto low = family.index;
        auto high = family.index;
        // Inner loops first: their bounds may depend on outer indices.
        for (auto const index : family.bound) {
            auto const bounds = bounds_.at(index.value);
            for (auto* end : {&low, &high}) {
                if (!pool_.depends_on(*end, index))
                    continue;
                auto const rise = slope(*end, index);
                if (!rise)
                    return std::nullopt;
                bool const takes_last = (*rise > 0) == (end == &high);
                *end = simple(
                    substitute(pool_, *end, pool_.index(index), takes_last ? bounds.second : bounds.first));
            }
        }
        return std::pair(low, high);
    }

    // Two that are used at once, or the same family in two branches.
    bool may_be_one(Family const& left, Family const& right) {
        auto const of_left = range(left);
        auto const of_right = range(right);
        if (!of_left || !of_right)
            return true;
        auto const above = difference(of_left->first, of_right->second);
        auto const below = difference(of_right->first, of_left->second);
        return !(above && *above > 0) && !(below && *below > 0);
    }

    // What is not at once: the greatest of both.
    void merge(Families& all, Families const& more) {
        for (auto const& family : more) {
            auto const is_same = [&](Family const& other) {
                return other.name == family.name && other.index == family.index &&
                       other.multiplicity == family.multiplicity && bounds_of(other) == bounds_of(family);
            };
            auto const same = std::ranges::find_if(all, is_same);
            if (same == all.end())
                all.push_back(family);
            else
                same->users = simple(pool_.make(ExpressionKind::maximum, {same->users, family.users}));
        }
    }

    // The loops that the family's index depends on.
    std::vector<IndexId> bounds_of(Family const& family) const {
        std::vector<IndexId> bound;
        for (auto const index : family.bound)
            if (pool_.depends_on(family.index, index))
                bound.push_back(index);
        return bound;
    }

    ProcessModel& model_;
    symbolic::ExpressionPool& pool_;
    std::map<std::uint32_t, std::pair<Expression, Expression>> bounds_;  // of the loops' indices
    std::vector<std::optional<Families>> known_;
    bool gave_up_ = false;
};

void collect_names(ProcessModel const& model, ProcessId root, std::vector<bool>& seen,
                   std::vector<ResourceVerdict>& verdicts) {
    if (seen[root.value])
        return;
    seen[root.value] = true;
    auto const into = [&](ProcessId process) { collect_names(model, process, seen, verdicts); };
    auto const& process = model[root];
    if (auto const* use = std::get_if<Use>(&process)) {
        if (std::ranges::find(verdicts, use->resource.name, &ResourceVerdict::name) == verdicts.end())
            verdicts.push_back({use->resource.name, true, ""});
    } else if (auto const* sequence = std::get_if<Sequence>(&process)) {
        std::ranges::for_each(sequence->parts, into);
    } else if (auto const* parallel = std::get_if<Parallel>(&process)) {
        std::ranges::for_each(parallel->branches, into);
    } else if (auto const* loop = std::get_if<ProcessLoop>(&process)) {
        into(loop->body);
    } else if (auto const* choice = std::get_if<ProcessChoice>(&process)) {
        into(choice->then);
        into(choice->otherwise);
    }
}

}  // namespace

std::vector<ResourceVerdict> resource_contention(ProcessModel& model, ProcessId root) {
    std::vector<ResourceVerdict> verdicts;
    std::vector<bool> seen(model.processes.size());
    collect_names(model, root, seen, verdicts);
    Analysis analysis(model);
    auto const families = analysis.of(root);
    if (!families)
        return verdicts;
    for (auto& verdict : verdicts) {
        verdict.is_contended = false;
        verdict.reason = "never used by more than one process at a time";
        for (auto const& family : *families) {
            if (family.name != verdict.name)
                continue;
            if (!analysis.has_places_for_all(family)) {
                verdict = {verdict.name, true, ""};
                break;
            }
            auto const one = model.expressions.number(1);
            if (family.users != one)
                verdict.reason = "its " + text_of(model.expressions, family.multiplicity) +
                                 " places are enough for all that use it at a time";
        }
    }
    return verdicts;
}

}  // namespace parcast::model
