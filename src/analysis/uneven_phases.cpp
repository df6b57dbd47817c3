#include "analysis/uneven_phases.h"

#include <algorithm>
#include <utility>

#include "analysis/survey.h"
#include "analysis/unshared_work.h"
#include "core/counted.h"
#include "core/percent_text.h"

namespace parcast::analysis {

namespace {

constexpr std::size_t fewest_rounds = 20;
constexpr double nearly_all = 0.8;
constexpr double uneven = 1.5;

}  // namespace

void UnevenPhaseSearch::add(Event const& event) {
    work_ns_ += event.cpu_ns + event.cpu_inside_ns;
    if (event.kind != EventKind::barrier_wait || event.object.is_none())
        return;
    std::int64_t const work = std::exchange(work_ns_, 0);
    Barrier& barrier = barriers_[event.object];
    if (barrier.next == most_rounds)
        return;
    if (barrier.next == barrier.rounds.size())
        barrier.rounds.emplace_back();
    Round& round = barrier.rounds[barrier.next++];
    round.most_ns = std::max(round.most_ns, work);
    round.work_ns += work;
    barrier.of_thread_ns += work;
}

void UnevenPhaseSearch::end_thread() {
    work_ns_ = 0;
    for (auto& [object, barrier] : barriers_) {
        barrier.threads += barrier.next > 0 ? 1 : 0;
        barrier.most_of_a_thread_ns = std::max(barrier.most_of_a_thread_ns, barrier.of_thread_ns);
        barrier.next = 0;
        barrier.of_thread_ns = 0;
    }
}

std::optional<UnevenPhases> UnevenPhaseSearch::phases_of(ObjectId object, Barrier const& barrier) {
    if (barrier.threads < 2 || barrier.rounds.size() < fewest_rounds)
        return std::nullopt;
    UnevenPhases phases{object, barrier.threads, {}, {}};
    for (Round const& round : barrier.rounds) {
        phases.work += Duration{round.work_ns};
        phases.longest += Duration{round.most_ns};
    }
    double const work = to_real(phases.work).ns;
    auto const most = static_cast<double>(barrier.most_of_a_thread_ns);
    bool const is_suspect = to_real(phases.longest).ns >= nearly_all * work &&
                            most * static_cast<double>(phases.threads) < uneven * work;
    return is_suspect ? std::optional(phases) : std::nullopt;
}

std::vector<UnevenPhases> UnevenPhaseSearch::finish() const {
    std::vector<UnevenPhases> result;
    for (auto const& [object, barrier] : barriers_)
        if (auto const phases = phases_of(object, barrier))
            result.push_back(*phases);
    return result;
}

void add_uneven_phases(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result) {
    auto const& all = survey.uneven_phases;
    if (all.empty())
        return;
    auto const& main = *std::ranges::max_element(all, {}, [](auto const& each) { return each.work.ns; });
    Duration saved;
    for (UnevenPhases const& phases : all)
        saved += phases.longest - phases.evened();
    auto found = unshared_work("Of the work before each round of " + display_name(catalogue, main.barrier) +
                                   ", one of " + counted(main.threads, "thread") + " did nearly all (" +
                                   percent_text(to_real(main.longest).ns / to_real(main.work).ns) +
                                   "), and yet each did about as much in the end",
                               saved, survey.cpu(), catalogue.objects[main.barrier.index()].first_site);
    if (found)
        result.push_back(std::move(*found));
}

}  // namespace parcast::analysis
