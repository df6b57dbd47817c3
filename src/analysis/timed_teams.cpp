#include "analysis/timed_teams.h"

#include <algorithm>
#include <array>

#include "analysis/hidden_hand_outs.h"
#include "analysis/survey.h"
#include "core/counted.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

constexpr std::int64_t least_work_ns = 50'000'000;
constexpr std::int64_t longest_after_ns = 500'000;
// How far from a round time threads may stop: before it, since they begin after the clock was read; after it,
// since they look at the clock between pieces of work.
constexpr std::int64_t earliest_ns = 2'000'000;
constexpr std::int64_t late_ns = 250'000;
constexpr std::int64_t late_share = 1'000;
constexpr std::int64_t latest_ns = 2'000'000;  // else any long time is round
// A thread that slept may have to wait for the CPU before it stops the others.
constexpr std::int64_t before_stop_ns = 20'000'000;
constexpr std::int64_t after_stop_ns = 1'000'000;
constexpr std::size_t most_waits = 65'536;
constexpr double notable = 0.01;
constexpr double worthless = 0.25;

struct Grid {
    std::int64_t from_ns;
    std::int64_t step_ns;
};
constexpr std::array grids = {Grid{10'000'000'000, 1'000'000'000}, Grid{2'000'000'000, 500'000'000},
                              Grid{0, 100'000'000}};

// The round time that this is, or that it is short of by less than `early_ns`.
std::optional<Duration> round_time(std::int64_t span_ns, std::int64_t early_ns) {
    if (span_ns <= 0 || early_ns < 0)
        return std::nullopt;
    auto const grid =
        std::ranges::find_if(grids, [&](Grid const& each) { return span_ns + early_ns >= each.from_ns; });
    std::int64_t const steps = (span_ns + early_ns) / grid->step_ns;
    std::int64_t const round_ns = steps * grid->step_ns;
    bool const is_round =
        steps > 0 && span_ns - round_ns <= std::min(latest_ns, late_ns + round_ns / late_share);
    return is_round ? std::optional(Duration{round_ns}) : std::nullopt;
}

bool took_a_given_time(Event const& event) {
    if (event.kind == EventKind::sleep)
        return event.outcome == Outcome::done;
    return event.outcome == Outcome::timed_out &&
           (event.kind == EventKind::poll || event.kind == EventKind::timed_condition_wait ||
            event.kind == EventKind::timed_semaphore_wait || event.kind == EventKind::timed_futex_wait);
}

std::int64_t first_end_ns(auto const& members) {
    return std::ranges::min_element(members, {}, [](auto const& each) { return each.end_ns; })->end_ns;
}

}  // namespace

void TimedTeamSearch::add(ThreadId thread, Event const& event) {
    Member& member = members_[thread.index()];
    member.thread = thread;
    if (event.kind == EventKind::thread_begin)
        member.begin_ns = event.wall_ns;
    if (event.kind == EventKind::thread_create && event.related < members_.size())
        members_[event.related].before_ns = member.last_call_ns;
    std::int64_t const work_ns = event.cpu_ns + event.cpu_inside_ns;
    member.work_ns += work_ns;
    member.since_wait_ns = event.blocked ? 0 : member.since_wait_ns + event.cpu_ns;
    if (member.work_ns - member.latest.work_ns >= longest_after_ns) {
        member.before_latest = member.latest;
        member.latest = {event.wall_ns, member.work_ns};
    }
    if (event.kind == EventKind::thread_end) {
        member.has_ended = event.outcome == Outcome::done;
        member.last_work_ns = work_ns;
        member.end_ns = event.wall_ns;
    } else {
        member.last_call_ns = event.wall_ns + event.span_ns;
    }
    if (event.span_ns >= least_work_ns && took_a_given_time(event) && wait_ends_ns_.size() < most_waits)
        wait_ends_ns_.push_back(event.wall_ns + event.span_ns);
}

std::vector<TimedTeam> TimedTeamSearch::finish(Catalogue const& catalogue) const {
    std::vector<Member> candidates;
    for (Member const& member : members_)
        if (member.has_ended && member.work_ns >= least_work_ns && member.before_ns &&
            member.since_wait_ns > longest_after_ns)
            candidates.push_back(member);
    std::vector<TimedTeam> result;
    while (!candidates.empty()) {
        auto const others =
            std::stable_partition(candidates.begin(), candidates.end(), [&](Member const& each) {
                return run_the_same_function(catalogue, candidates.front().thread, each.thread);
            });
        if (auto const team = timed_team(std::span(candidates.begin(), others)))
            result.push_back(*team);
        candidates.erase(candidates.begin(), others);
    }
    return result;
}

std::optional<TimedTeam> TimedTeamSearch::timed_team(std::span<Member const> members) const {
    auto const time = time_until_all_stop(members);
    if (members.size() < 2 || !time || is_stopped_by_a_wait(first_end_ns(members)))
        return std::nullopt;
    Duration work;
    for (Member const& each : members)
        work += Duration{each.work_ns};
    return TimedTeam{members.front().thread, std::ssize(members), work, *time};
}

bool TimedTeamSearch::is_stopped_by_a_wait(std::int64_t end_ns) const {
    return std::ranges::any_of(wait_ends_ns_, [&](std::int64_t wait_ns) {
        return wait_ns >= end_ns - before_stop_ns && wait_ns <= end_ns + after_stop_ns;
    });
}

// Since the first of them began, or began the last piece of work.
std::optional<Duration> TimedTeamSearch::time_until_all_stop(std::span<Member const> members) const {
    std::int64_t const end_ns = first_end_ns(members);
    for (Member const& each : members)
        if (each.before_latest.at_ns > end_ns ||
            std::min(each.end_ns - end_ns, each.last_work_ns) > longest_after_ns)
            return std::nullopt;
    Member const& first = std::ranges::min(members, {}, &Member::begin_ns);
    std::int64_t const last_call_ns = std::ranges::min(members, {}, &Member::last_call_ns).last_call_ns;
    auto const since_begin =
        round_time(end_ns - first.begin_ns, std::min(first.begin_ns - *first.before_ns, earliest_ns));
    return since_begin ? since_begin : round_time(end_ns - last_call_ns, 0);
}

void add_timed_teams(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result) {
    Duration work;
    for (TimedTeam const& team : survey.timed_teams)
        work += team.work;
    double const share = to_real(work).ns / std::max(1.0, to_real(survey.cpu()).ns);
    if (share < notable)
        return;
    TimedTeam const& main = survey.timed_teams.front();
    Finding found{FindingKind::timed_work, Severity::warning,
                  counted(main.threads, "thread", "threads") + " (the first is " +
                      display_name(catalogue, main.first) + ") stopped " + time_text(main.time) +
                      " after they had been made or had begun: as if they worked until a point in time, and "
                      "not until their work was done. On several CPUs such threads take as long as on one, "
                      "and do more. A replay has them do what they did in the recording, and is too fast "
                      "then. Let the program do a fixed amount of work while it is recorded.",
                  main.first, SiteId::none()};
    found.makes_worthless = share >= worthless;
    found.hidden_serial_share = share;
    result.push_back(std::move(found));
}

}  // namespace parcast::analysis
