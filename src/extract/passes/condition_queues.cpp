#include "extract/passes/condition_queues.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

namespace parcast::extract {

namespace {

constexpr std::size_t fewest_waits = 2;

// What happened to the units, in this order if at one instant: a wake is recorded before it is given.
enum class Change : std::uint8_t { put, takes_after_waiting, begins_to_wait, takes };

struct Moment {
    std::int64_t when_ns = 0;
    Change change = Change::put;
    std::size_t index = 0;  // of the chain or section
};

bool is_satisfied(Exchange const& exchange, Chain const& chain) {
    return chain.release && exchange.waits[chain.last()].was_satisfied;
}

bool broadcasts_end_waits(Exchange const& exchange, std::span<Chain const> chains) {
    return std::any_of(chains.begin(), chains.end(), [&](Chain const& chain) {
        return chain.release && exchange.releases[*chain.release].most == all_waiters;
    });
}

std::vector<Moment> moments_of(Exchange const& exchange, std::span<Chain const> chains,
                               std::map<EventReference, std::size_t> const& chain_of,
                               std::span<Section const> sections) {
    std::vector<Moment> moments;
    for (std::size_t i = 0; i < exchange.releases.size(); ++i)
        if (exchange.releases[i].most == 1)
            moments.push_back({exchange.releases[i].end_ns, Change::put, i});
    for (std::size_t i = 0; i < chains.size(); ++i) {
        moments.push_back({exchange.waits[chains[i].waits.front()].arrival_ns, Change::begins_to_wait, i});
        if (is_satisfied(exchange, chains[i]))
            moments.push_back({exchange.waits[chains[i].last()].return_ns, Change::takes_after_waiting, i});
    }
    for (std::size_t i = 0; i < sections.size(); ++i)
        if (!chain_of.contains(sections[i].lock))
            moments.push_back({sections[i].locked_ns, Change::takes, i});
    std::sort(moments.begin(), moments.end(), [](Moment const& a, Moment const& b) {
        return std::tie(a.when_ns, a.change, a.index) < std::tie(b.when_ns, b.change, b.index);
    });
    return moments;
}

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

// Where conditions that count are signalled: at which places units are taken, and how many there were.
struct Family {
    std::set<SiteId> take_sites;
    std::optional<std::int64_t> initial_units;  // none if they differ
};
using Families = std::map<SiteId, Family>;

Event event_of(Timeline const& recorded, EventReference reference) {
    return recorded.events[reference.thread.index()][reference.index];
}

std::set<SiteId> sites_of_waits(Timeline const& recorded, QueueCandidate const& candidate) {
    std::set<SiteId> sites;
    for (EventReference const lock : candidate.locks)
        sites.insert(event_of(recorded, lock).site);
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
            user->sections.push_back({reference, return_ns(event)});
    });
}

// A lock can be the take of one condition only.
bool takes_are_free(ConditionQueue const& queue, Plan const& plan) {
    return std::all_of(queue.takes.begin(), queue.takes.end(), [&](ConditionQueue::Take const& take) {
        return take.chain || plan.step(take.lock).kind == OperationKind::lock;
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
        bool const at_once = !take.chain;
        Step wait =
            operation(OperationKind::condition_wait, exchange.object, encode(TokenWait{held, unit, at_once}));
        if (at_once) {
            wait.locked_mutex = candidate.mutex;
            plan.at(take.lock) = wait;
        } else {
            plan.at(exchange.waits[candidate.chains[*take.chain].last()].event) = wait;
        }
    }
}

bool plan_if_it_counts(QueueCandidate const& candidate, std::optional<std::int64_t> expected, Plan& plan) {
    auto const queue = queue_behind(candidate, expected);
    bool const counts = queue && takes_are_free(*queue, plan);
    if (counts)
        plan_queue(candidate, *queue, plan);
    return counts;
}

void add_to_families(Timeline const& recorded, QueueCandidate const& counting, Plan const& plan,
                     Families& families) {
    auto const takes = sites_of_waits(recorded, counting);
    auto const units = plan.objects[counting.exchange->object].initial_count;
    for (Release const& release : counting.exchange->releases) {
        auto const [place, is_new] =
            families.try_emplace(event_of(recorded, release.event).site, Family{{}, units});
        Family& family = place->second;
        family.take_sites.insert(takes.begin(), takes.end());
        if (family.initial_units != units)
            family.initial_units.reset();
    }
}

// The one family of all places at which the condition is signalled.
Family const* family_of(Timeline const& recorded, QueueCandidate const& candidate, Families const& families) {
    Family const* common = nullptr;
    for (Release const& release : candidate.exchange->releases) {
        auto const found = families.find(event_of(recorded, release.event).site);
        bool const fits = found != families.end() && found->second.initial_units &&
                          (!common || common->initial_units == found->second.initial_units);
        if (!fits)
            return nullptr;
        common = &found->second;
    }
    return common;
}

// Those that were seen to count; the others stay in `candidates`.
Families plan_by_evidence(Timeline const& recorded, std::vector<QueueCandidate>& candidates, Plan& plan) {
    Users users;
    for (QueueCandidate& each : candidates)
        for (SiteId const site : sites_of_waits(recorded, each))
            users[{each.mutex, site}].push_back(&each);
    collect_sections(recorded, users);
    Families families;
    std::erase_if(candidates, [&](QueueCandidate& each) {
        bool const counts = plan_if_it_counts(each, std::nullopt, plan);
        if (counts)
            add_to_families(recorded, each, plan, families);
        each.sections.clear();
        return counts;
    });
    return families;
}

void plan_by_analogy(Timeline const& recorded, std::vector<QueueCandidate>& candidates,
                     Families const& families, Plan& plan) {
    Users users;
    std::vector<std::pair<QueueCandidate*, std::int64_t>> alike;
    for (QueueCandidate& each : candidates) {
        Family const* const family = family_of(recorded, each, families);
        if (!family)
            continue;
        alike.emplace_back(&each, *family->initial_units);
        for (SiteId const site : family->take_sites)
            users[{each.mutex, site}].push_back(&each);
    }
    collect_sections(recorded, users);
    for (auto const& [each, units] : alike)
        plan_if_it_counts(*each, units, plan);
}

}  // namespace

std::optional<ConditionQueue> queue_behind(QueueCandidate const& candidate,
                                           std::optional<std::int64_t> expected) {
    Exchange const& exchange = *candidate.exchange;
    auto const& chains = candidate.chains;
    auto const satisfied = std::count_if(chains.begin(), chains.end(),
                                         [&](Chain const& chain) { return is_satisfied(exchange, chain); });
    bool const is_shown = expected || static_cast<std::size_t>(satisfied) >= fewest_waits;
    if (!is_shown || broadcasts_end_waits(exchange, chains))
        return std::nullopt;
    std::map<EventReference, std::size_t> chain_of;
    for (std::size_t i = 0; i < chains.size(); ++i)
        if (!chain_of.emplace(candidate.locks[i], i).second)
            return std::nullopt;
    Units units(expected);
    ConditionQueue queue;
    for (Moment const& moment : moments_of(exchange, chains, chain_of, candidate.sections)) {
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
                queue.takes.push_back({candidate.sections[moment.index].lock, std::nullopt});
        }
    }
    auto const initial = units.initial();
    if (!initial)
        return std::nullopt;
    queue.initial_units = *initial;
    return queue;
}

void plan_queues(Timeline const& recorded, std::vector<QueueCandidate> candidates, Plan& plan) {
    Families const families = plan_by_evidence(recorded, candidates, plan);
    plan_by_analogy(recorded, candidates, families, plan);
}

}  // namespace parcast::extract
