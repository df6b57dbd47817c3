#include "analysis/hidden_hand_outs.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>

#include "core/catalogue.h"
#include "core/counted.h"
#include "core/time_text.h"

namespace parcast::analysis {

namespace {

constexpr int most_locks = 2;
constexpr double uneven = 1.5;
constexpr double stopped_together = 0.1;
constexpr double notable = 0.01;
constexpr double serious = 0.1;

struct Member {
    ThreadId thread;
    Duration work;
    std::int64_t end_ns = 0;
};

// None if rule 2 excludes the thread.
std::optional<Member> member(Timeline const& recorded, ThreadId thread) {
    auto const& events = recorded.events[thread.index()];
    int locks = 0;
    std::int64_t cpu_ns = 0;
    for (Event const event : events) {
        cpu_ns += event.cpu_ns + event.cpu_inside_ns;
        bool const is_frame = event.kind == EventKind::thread_begin || event.kind == EventKind::thread_end;
        locks += event.kind == EventKind::lock ? 1 : 0;
        bool const may_be = is_frame || event.kind == EventKind::lock || event.kind == EventKind::unlock;
        if (!may_be || event.blocked || locks > most_locks || event.outcome != Outcome::done)
            return std::nullopt;
    }
    if (events.empty())
        return std::nullopt;
    return Member{thread, Duration{cpu_ns}, Event(events.back()).wall_ns};
}

// Rules 3 and 4.
std::optional<UnevenTeam> uneven_team(std::span<Member const> members) {
    UnevenTeam team{members.front().thread, static_cast<std::int64_t>(members.size()), {}, {}};
    std::int64_t first_end_ns = std::numeric_limits<std::int64_t>::max();
    for (Member const& each : members) {
        team.work += each.work;
        team.most = std::max(team.most, each.work);
        first_end_ns = std::min(first_end_ns, each.end_ns);
    }
    Duration after;
    for (Member const& each : members)
        after += std::min(each.work, Duration{each.end_ns - first_end_ns});
    double const work = to_real(team.work).ns;
    bool const is_suspect = members.size() > 1 &&
                            to_real(team.most).ns * static_cast<double>(members.size()) >= uneven * work &&
                            to_real(after).ns < stopped_together * work;
    return is_suspect ? std::optional(team) : std::nullopt;
}

bool run_the_same_function(Catalogue const& catalogue, ThreadId a, ThreadId b) {
    Thread const& first = catalogue.threads[a.index()];
    Thread const& second = catalogue.threads[b.index()];
    return first.function == second.function && first.start_site == second.start_site;
}

// The teams that one thread created.
class TeamFinder {
public:
    TeamFinder(Timeline const& recorded, std::vector<UnevenTeam>& result)
        : recorded_(recorded), result_(result) {}

    void find(EventList const& creator) {
        for (Event const event : creator)
            if (event.kind == EventKind::thread_create && event.related < recorded_.events.size())
                created(ThreadId(event.related));
            else if (event.kind == EventKind::thread_join || event.blocked)
                close();
        close();
    }

private:
    void created(ThreadId thread) {
        auto const next = member(recorded_, thread);
        bool const joins =
            next &&
            (members_.empty() || run_the_same_function(recorded_.catalogue, members_.front().thread, thread));
        if (!joins)
            close();
        if (next)
            members_.push_back(*next);
    }

    void close() {
        if (!members_.empty()) {
            if (auto const team = uneven_team(members_))
                result_.push_back(*team);
        }
        members_.clear();
    }

    Timeline const& recorded_;         // the caller's, as long as it finds
    std::vector<UnevenTeam>& result_;  // likewise
    std::vector<Member> members_;
};

std::string message_of(Timeline const& recorded, std::span<UnevenTeam const> teams) {
    Duration work;
    Duration most;
    Duration evened;
    for (UnevenTeam const& team : teams) {
        work += team.work;
        most += team.most;
        evened += team.evened();
    }
    auto const count = static_cast<std::int64_t>(teams.size());
    std::string const who = display_name(recorded.catalogue, teams.front().first);
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

std::vector<UnevenTeam> hidden_hand_outs(Timeline const& recorded) {
    std::vector<UnevenTeam> result;
    TeamFinder finder(recorded, result);
    for (auto const& events : recorded.events)
        finder.find(events);
    return result;
}

void add_hidden_hand_outs(Timeline const& recorded, std::vector<Finding>& result) {
    auto const teams = hidden_hand_outs(recorded);
    Duration saved;
    for (UnevenTeam const& team : teams)
        saved += team.most - team.evened();
    Duration all;
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        all += Duration{cpu_time_ns(recorded, ThreadId(thread))};
    if (saved == Duration{} || to_real(saved).ns < notable * to_real(all).ns)
        return;
    Severity const severity =
        to_real(saved).ns < serious * to_real(all).ns ? Severity::note : Severity::warning;
    result.push_back({FindingKind::hidden_hand_out, severity, message_of(recorded, teams), ThreadId::none(),
                      SiteId::none()});
}

}  // namespace parcast::analysis
