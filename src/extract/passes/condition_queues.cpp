#include "extract/passes/condition_queues.h"

#include <algorithm>
#include <array>
#include <limits>
#include <queue>
#include <utility>

#include "core/merge_runs.h"

namespace parcast::extract {

namespace {

constexpr std::size_t fewest_waits = 2;
constexpr std::uint32_t no_chain = std::numeric_limits<std::uint32_t>::max();

// What the threads did to the units of one condition, each in the order of time.
struct ConditionQueue {
    struct Take {
        EventReference lock;
        std::uint32_t chain = no_chain;  // that the section waited in
    };
    std::int64_t initial_units = 0;
    std::vector<Take> takes;
};

bool is_satisfied(Exchange const& exchange, Chain const& chain) {
    return chain.is_released() && exchange.waits[chain.last].was_satisfied;
}

bool broadcasts_end_waits(Exchange const& exchange, std::span<Chain const> chains) {
    return std::any_of(chains.begin(), chains.end(), [&](Chain const& chain) {
        return chain.is_released() && exchange.releases[chain.release].most == all_waiters;
    });
}

// What happened to the units, in this order if at one instant: a wake is recorded before it is given.
enum class Change : std::uint8_t { put, takes_after_waiting, begins_to_wait, takes, nothing };

// Goes through all of that in the order of time.
class Moments {
public:
    struct Moment {
        std::int64_t when_ns = std::numeric_limits<std::int64_t>::max();
        Change change = Change::nothing;
        std::uint32_t index = 0;  // of the release, chain or section

        friend auto operator<=>(Moment const&, Moment const&) = default;
    };

    // REQUIRES: `sections` are in the order in which they were locked.
    Moments(Timeline const& recorded, Exchange const& exchange, std::span<Chain const> chains,
            std::span<EventReference const> sections)
        : recorded_(recorded), exchange_(exchange), chains_(chains), sections_(sections) {
        go_to_chain(0);
        go_to_put(0);
    }

    // Change::nothing at the end.
    Moment next() {
        std::array<Moment, 4> first;
        if (put_ < exchange_.releases.size())
            first[0] = {event_at(recorded_, exchange_.releases[put_].event).wall_ns, Change::put, put_};
        if (!ends_.empty())
            first[1] = ends_.top();
        if (chain_ < chains_.size())
            first[2] = {event_at(recorded_, exchange_.waits[chains_[chain_].first].event).wall_ns,
                        Change::begins_to_wait, chain_};
        if (section_ < sections_.size())
            first[3] = {return_ns(event_at(recorded_, sections_[section_])), Change::takes, section_};
        auto const moment = *std::ranges::min_element(first);
        switch (moment.change) {
            case Change::put: go_to_put(put_ + 1); break;
            case Change::takes_after_waiting: ends_.pop(); break;
            case Change::begins_to_wait: go_to_chain(chain_ + 1); break;
            case Change::takes: ++section_; break;
            case Change::nothing: break;
        }
        return moment;
    }

private:
    void go_to_put(std::uint32_t release) {
        put_ = release;
        while (put_ < exchange_.releases.size() && exchange_.releases[put_].most != 1)
            ++put_;
    }
    // Its end comes before its begin where both are one instant.
    void go_to_chain(std::uint32_t chain) {
        chain_ = chain;
        if (chain_ < chains_.size() && is_satisfied(exchange_, chains_[chain_]))
            ends_.push({return_ns(event_at(recorded_, exchange_.waits[chains_[chain_].last].event)),
                        Change::takes_after_waiting, chain_});
    }

    Timeline const& recorded_;
    Exchange const& exchange_;
    std::span<Chain const> chains_;
    std::span<EventReference const> sections_;
    std::uint32_t put_ = 0;
    std::uint32_t chain_ = 0;
    std::uint32_t section_ = 0;
    std::priority_queue<Moment, std::vector<Moment>, std::greater<>> ends_;  // of chains that have begun
};

// Counts units from an unknown beginning.
class Units {
public:
    explicit Units(std::optional<std::int64_t> initial)
        : empty_at_(-initial.value_or(0)), was_empty_(initial.has_value()) {}
    void put() { ++balance_; }
    void take() { lowest_ = std::min(lowest_, --balance_); }
    // Whether this agrees with all who found none left before.
    bool finds_none() {
        bool const agrees = !was_empty_ || empty_at_ == balance_;
        empty_at_ = balance_;
        was_empty_ = true;
        return agrees;
    }
    // None if no number of units explains it.
    std::optional<std::int64_t> initial() const {
        bool const is_possible = was_empty_ && empty_at_ <= 0 && lowest_ >= empty_at_;
        return is_possible ? std::optional(-empty_at_) : std::nullopt;
    }

private:
    std::int64_t balance_ = 0;
    std::int64_t lowest_ = 0;  // after any take
    std::int64_t empty_at_;    // the balance at which somebody found none
    bool was_empty_;
};

std::set<SiteId> sites_of_waits(Timeline const& recorded, QueueCandidate const& candidate) {
    std::set<SiteId> sites;
    for (EventReference const lock : candidate.locks)
        sites.insert(event_at(recorded, lock).site);
    return sites;
}

using Place = std::pair<std::uint32_t, SiteId>;  // mutex, and where it is locked
using Users = std::map<Place, std::vector<QueueCandidate*>>;

void collect_sections(Timeline const& recorded, Users const& users) {
    if (users.empty())
        return;
    for_each_event(recorded, [&](EventReference reference, Event const& event) {
        if (!acquires_lock(event.kind) || event.outcome != Outcome::done)
            return;
        auto const found = users.find({event.object.value, event.site});
        if (found == users.end())
            return;
        for (QueueCandidate* const user : found->second)
            user->sections.push_back(reference);
    });
}

// Leaves those that did not wait, in the order in which they were locked. False if a lock begins two waits.
bool leave_sections_without_waits(Timeline const& recorded, QueueCandidate& candidate) {
    auto locks = candidate.locks;
    merge_runs(locks, std::less());
    if (std::ranges::adjacent_find(locks) != locks.end())
        return false;
    auto lock = locks.begin();
    std::erase_if(candidate.sections, [&](EventReference section) {
        lock = std::lower_bound(lock, locks.end(), section);
        return lock != locks.end() && *lock == section;
    });
    merge_runs(candidate.sections, [&](EventReference a, EventReference b) {
        return return_ns(event_at(recorded, a)) < return_ns(event_at(recorded, b));
    });
    return true;
}

// `expected`: units from the beginning, if others like it were seen to count (4).
std::optional<ConditionQueue> queue_behind(Timeline const& recorded, QueueCandidate& candidate,
                                           std::optional<std::int64_t> expected) {
    Exchange const& exchange = *candidate.exchange;
    auto const& chains = candidate.chains;
    auto const satisfied = std::count_if(chains.begin(), chains.end(),
                                         [&](Chain const& chain) { return is_satisfied(exchange, chain); });
    bool const is_shown = expected || static_cast<std::size_t>(satisfied) >= fewest_waits;
    if (!is_shown || broadcasts_end_waits(exchange, chains) ||
        !leave_sections_without_waits(recorded, candidate))
        return std::nullopt;
    Units units(expected);
    ConditionQueue queue;
    queue.takes.reserve(static_cast<std::size_t>(satisfied) + candidate.sections.size());
    Moments moments(recorded, exchange, chains, candidate.sections);
    for (auto moment = moments.next(); moment.change != Change::nothing; moment = moments.next()) {
        switch (moment.change) {
            case Change::put: units.put(); break;
            case Change::begins_to_wait:
                if (!units.finds_none())
                    return std::nullopt;
                break;
            case Change::takes_after_waiting:
                units.take();
                queue.takes.push_back({candidate.locks[moment.index], moment.index});
                break;
            case Change::takes:
                units.take();
                queue.takes.push_back({candidate.sections[moment.index]});
                break;
            case Change::nothing: break;
        }
    }
    auto const initial = units.initial();
    if (!initial)
        return std::nullopt;
    queue.initial_units = *initial;
    return queue;
}

// A lock can be the take of one condition only.
bool takes_are_free(ConditionQueue const& queue, Plan const& plan) {
    return std::all_of(queue.takes.begin(), queue.takes.end(), [&](ConditionQueue::Take const& take) {
        return take.chain != no_chain || plan.step(take.lock).kind == OperationKind::lock;
    });
}

void plan_queue(QueueCandidate const& candidate, ConditionQueue const& queue, Plan& plan) {
    Exchange const& exchange = *candidate.exchange;
    plan.objects[exchange.object].initial_count = queue.initial_units;
    auto next = static_cast<std::uint32_t>(queue.initial_units);
    for (Release const& release : exchange.releases) {
        if (release.most == 1) {
            plan.at(release.event) = operation(OperationKind::condition_signal, exchange.object,
                                               encode(TokenGrant{.tokens = 1, .first = next++}));
        }
    }
    ObjectId held = ObjectId::none();
    held.value = candidate.mutex;
    // By rule 2 the unit of a take was put before it.
    for (std::uint32_t unit = 0; unit < queue.takes.size(); ++unit) {
        ConditionQueue::Take const& take = queue.takes[unit];
        bool const at_once = take.chain == no_chain;
        Step wait =
            operation(OperationKind::condition_wait, exchange.object, encode(TokenWait{held, unit, at_once}));
        if (at_once) {
            wait.locked_mutex = candidate.mutex;
            plan.at(take.lock) = wait;
        } else {
            plan.at(exchange.waits[candidate.chains[take.chain].last].event) = wait;
        }
    }
}

}  // namespace

bool CountingConditions::plan_if_it_counts(QueueCandidate& candidate, std::optional<std::int64_t> expected) {
    auto const queue = queue_behind(recorded_, candidate, expected);
    bool const counts = queue && takes_are_free(*queue, plan_);
    if (counts)
        plan_queue(candidate, *queue, plan_);
    candidate.sections = {};
    return counts;
}

void CountingConditions::add_to_families(QueueCandidate const& counting) {
    auto const takes = sites_of_waits(recorded_, counting);
    auto const units = plan_.objects[counting.exchange->object].initial_count;
    for (Release const& release : counting.exchange->releases) {
        auto const [place, is_new] =
            families_.try_emplace(event_at(recorded_, release.event).site, Family{{}, units});
        Family& family = place->second;
        family.take_sites.insert(takes.begin(), takes.end());
        if (family.initial_units != units)
            family.initial_units.reset();
    }
}

// The one family of all places at which the condition is signalled.
CountingConditions::Family const* CountingConditions::family_of(QueueCandidate const& candidate) const {
    Family const* common = nullptr;
    for (Release const& release : candidate.exchange->releases) {
        auto const found = families_.find(event_at(recorded_, release.event).site);
        bool const fits = found != families_.end() && found->second.initial_units &&
                          (!common || common->initial_units == found->second.initial_units);
        if (!fits)
            return nullptr;
        common = &found->second;
    }
    return common;
}

void CountingConditions::plan_by_evidence(std::vector<QueueCandidate>& candidates) {
    Users users;
    for (QueueCandidate& each : candidates)
        for (SiteId const site : sites_of_waits(recorded_, each))
            users[{each.mutex, site}].push_back(&each);
    collect_sections(recorded_, users);
    std::erase_if(candidates, [&](QueueCandidate& each) {
        bool const counts = plan_if_it_counts(each, std::nullopt);
        if (counts)
            add_to_families(each);
        return counts;
    });
}

void CountingConditions::plan_by_analogy(std::vector<QueueCandidate>& candidates) {
    Users users;
    std::vector<std::pair<QueueCandidate*, std::int64_t>> alike;
    for (QueueCandidate& each : candidates) {
        Family const* const family = family_of(each);
        if (!family)
            continue;
        alike.emplace_back(&each, *family->initial_units);
        for (SiteId const site : family->take_sites)
            users[{each.mutex, site}].push_back(&each);
    }
    collect_sections(recorded_, users);
    for (auto const& [each, units] : alike)
        plan_if_it_counts(*each, units);
}

}  // namespace parcast::extract
