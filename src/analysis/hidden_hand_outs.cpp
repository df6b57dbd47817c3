#include "analysis/hidden_hand_outs.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "analysis/survey.h"
#include "core/counted.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

constexpr int most_locks = 2;
constexpr double uneven = 1.5;
constexpr double stopped_together = 0.1;
constexpr double notable = 0.01;
constexpr double serious = 0.1;

std::string message_of(Catalogue const& catalogue, std::span<UnevenTeam const> teams) {
    Duration work;
    Duration most;
    Duration evened;
    for (UnevenTeam const& team : teams) {
        work += team.work;
        most += team.most;
        evened += team.evened();
    }
    auto const count = static_cast<std::int64_t>(teams.size());
    std::string const who = display_name(catalogue, teams.front().first);
    return counted(count, "team of threads", "teams of threads") + " (the first begins with " + who +
           ") did very uneven work, one thread " + (count == 1 ? "" : "each ") + time_text(most) + " of " +
           time_text(work) + (count == 1 ? "" : " in all") +
           ", and yet stopped together: as if it was handed out by an atomic counter, which leaves no trace. "
           "On "
           "one CPU who has the time slice takes all, and a replay leaves it there. Should the threads share "
           "it "
           "on more CPUs, one for each, a prediction is up to " +
           time_text(most - evened) + " too slow: " + time_text(evened) + " instead of " + time_text(most) +
           '.';
}

}  // namespace

bool run_the_same_function(Catalogue const& catalogue, ThreadId a, ThreadId b) {
    if (std::max(a.index(), b.index()) >= catalogue.threads.size())
        return a == b;
    Thread const& first = catalogue.threads[a.index()];
    Thread const& second = catalogue.threads[b.index()];
    return first.function == second.function && first.start_site == second.start_site;
}

void HandOutSearch::add(ThreadId thread, Event const& event) {
    Member& member = members_[thread.index()];
    if (!member.is_excluded)
        add_to_member(member, event);
    if (event.kind == EventKind::thread_create && event.related < members_.size())
        created_.emplace_back(ThreadId(event.related));
    else if (event.kind == EventKind::thread_join || event.blocked)
        break_row();
}

void HandOutSearch::add_to_member(Member& member, Event const& event) {
    bool const is_frame = event.kind == EventKind::thread_begin || event.kind == EventKind::thread_end;
    bool const may_be = is_frame || event.kind == EventKind::lock || event.kind == EventKind::unlock;
    member.is_seen = true;
    member.locks += event.kind == EventKind::lock ? 1 : 0;
    member.is_excluded =
        !may_be || event.blocked || event.outcome != Outcome::done || member.locks > most_locks;
    member.work += Duration{event.cpu_ns + event.cpu_inside_ns};
    member.end_ns = event.wall_ns;
}

void HandOutSearch::break_row() {
    if (!created_.empty() && created_.back())
        created_.push_back(std::nullopt);
}

bool HandOutSearch::may_be_member(ThreadId thread) const {
    Member const& member = members_[thread.index()];
    return member.is_seen && !member.is_excluded;
}

std::vector<UnevenTeam> HandOutSearch::finish(Catalogue const& catalogue) const {
    std::vector<UnevenTeam> result;
    std::vector<ThreadId> team;
    auto const close = [&] {
        if (auto const uneven = team.size() > 1 ? uneven_team(team) : std::nullopt)
            result.push_back(*uneven);
        team.clear();
    };
    for (auto const& created : created_) {
        bool const is_member = created && may_be_member(*created);
        bool const joins =
            is_member && (team.empty() || run_the_same_function(catalogue, team.front(), *created));
        if (!joins)
            close();
        if (is_member)
            team.push_back(*created);
    }
    close();
    return result;
}

// Rules 3 and 4.
std::optional<UnevenTeam> HandOutSearch::uneven_team(std::span<ThreadId const> threads) const {
    UnevenTeam team{threads.front(), static_cast<std::int64_t>(threads.size()), {}, {}};
    std::int64_t first_end_ns = std::numeric_limits<std::int64_t>::max();
    for (ThreadId const thread : threads) {
        Member const& each = members_[thread.index()];
        team.work += each.work;
        team.most = std::max(team.most, each.work);
        first_end_ns = std::min(first_end_ns, each.end_ns);
    }
    Duration after;
    for (ThreadId const thread : threads) {
        Member const& each = members_[thread.index()];
        after += std::min(each.work, Duration{each.end_ns - first_end_ns});
    }
    double const work = to_real(team.work).ns;
    bool const is_suspect = to_real(team.most).ns * static_cast<double>(threads.size()) >= uneven * work &&
                            to_real(after).ns < stopped_together * work;
    return is_suspect ? std::optional(team) : std::nullopt;
}

void add_hidden_hand_outs(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result) {
    auto const& teams = survey.uneven_teams;
    Duration saved;
    for (UnevenTeam const& team : teams)
        saved += team.most - team.evened();
    Duration const all = survey.cpu();
    if (saved == Duration{} || to_real(saved).ns < notable * to_real(all).ns)
        return;
    Severity const severity =
        to_real(saved).ns < serious * to_real(all).ns ? Severity::note : Severity::warning;
    result.push_back({FindingKind::hidden_hand_out, severity, message_of(catalogue, teams), ThreadId::none(),
                      SiteId::none()});
}

}  // namespace parcast::analysis
