#include "extract/store_rules.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace parcast::extract {

namespace {

// Of a hundred: handing out may take so much longer than what was recorded, as it does by chance.
constexpr std::int64_t most_percent_later = 2;

PieceEnd piece_end(Step const& step) {
    if (step.form == Step::Form::last)
        return PieceEnd::final;
    if (step.form != Step::Form::operation)
        return PieceEnd::none;
    switch (traits_of(step.kind).role) {
        case Role::none:
        case Role::takes_lock:
        case Role::releases_lock: return PieceEnd::none;
        case Role::releases: return PieceEnd::kept;
        case Role::delays:
            // Whose sleeps end at points in time does not do them for others.
            return step.kind == OperationKind::sleep_until ||
                           (step.kind == OperationKind::delay && step.released_mutex != no_object)
                       ? PieceEnd::final
                       : PieceEnd::none;
        default: return PieceEnd::final;
    }
}

// Also of those that woke nobody: on another machine they may.
bool wakes(EventKind kind) {
    return kind == EventKind::condition_signal || kind == EventKind::condition_broadcast ||
           kind == EventKind::semaphore_post || kind == EventKind::futex_wake;
}

// After event `first` until event `last`.
std::int64_t cpu_between_ns(EventList const& events, std::uint32_t first, std::uint32_t last) {
    std::int64_t cpu_ns = 0;
    for (std::uint32_t i = first; i < last; ++i)
        cpu_ns += events[i].cpu_inside_ns + events[i + 1].cpu_ns;
    return cpu_ns;
}

}  // namespace

std::int64_t taken_ns(EventList const& events, std::uint32_t take) {
    return take + 1 < events.size() ? events[take + 1].wall_ns : return_ns(events[take]);
}

PieceEnd piece_end(Step const& step, EventKind kind) {
    auto const end = piece_end(step);
    return end == PieceEnd::none && wakes(kind) ? PieceEnd::kept : end;
}

std::size_t pieces_in(std::span<Share const> shares) {
    std::size_t pieces = 0;
    for (Share const& share : shares)
        pieces += share.pieces;
    return pieces;
}

std::size_t all_pieces_in(std::span<Share const> shares) {
    std::size_t pieces = 0;
    for (Share const& share : shares)
        pieces += share.all_pieces;
    return pieces;
}

SitesOfMany::SitesOfMany(Catalogue const& catalogue)
    : catalogue_(catalogue),
      openmp_(catalogue),
      latest_(catalogue.sites.size()),
      is_of_many_(catalogue.sites.size(), false) {}

void SitesOfMany::add(ThreadId thread, Event const& event, std::uint32_t finals) {
    if (is_take(event) && !event.site.is_none())
        taken_ = Taken{event.site, {thread, event.object, finals}};
    else if (event.kind == EventKind::unlock && taken_ && taken_->use.object == event.object)
        release(event);
}

bool SitesOfMany::contains(TakePlace place) const {
    SiteId const site(static_cast<std::uint32_t>(place));
    return !site.is_none() && is_of_many_[site.index()] &&
           !openmp_.contains_hand_out(catalogue_.objects[object_of(place).index()]);
}

// Locks of all kinds are taken at one place in a function that only locks, such as `__gthread_mutex_lock`
// where the compiler does not inline it: it leaves the unlock to another function.
void SitesOfMany::release(Event const& unlock) {
    auto const& [site, use] = *taken_;
    Use& latest = latest_[site.index()];
    bool const is_another =
        latest.thread == use.thread && latest.finals == use.finals && latest.object != use.object;
    if (is_another && !is_of_many_[site.index()])
        is_of_many_[site.index()] = function_of(site) == function_of(unlock.site);
    latest = use;
    taken_.reset();
}

// Empty if it is not known.
std::string_view SitesOfMany::function_of(SiteId site) const {
    if (site.is_none() || catalogue_.sites[site.index()].frames.empty())
        return {};
    return catalogue_.sites[site.index()].frames.back().function;
}

StoreRules::StoreRules(Timeline const& recorded, Plan const& plan)
    : recorded_(recorded), plan_(plan), openmp_(recorded.catalogue) {
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        if (!recorded.events[thread].empty())
            members_[team_of(ThreadId(thread))].push_back(ThreadId(thread));
}

bool StoreRules::admit(TakePlace place, Phase const& phase) const {
    return run_the_same_code(phase) && is_taken_before_anybody_stops(phase) &&
           (is_of_openmp(place) || most_of_the_team_come(phase));
}

bool StoreRules::is_of_openmp(TakePlace place) const {
    return openmp_.contains_hand_out(recorded_.catalogue.objects[object_of(place).index()]);
}

StoreRules::Team StoreRules::team_of(ThreadId thread) const {
    Thread const& made = recorded_.catalogue.threads[thread.index()];
    return {made.function, made.start_site};
}

// Rule 2. The initial thread may lend a hand.
bool StoreRules::run_the_same_code(Phase const& phase) const {
    Team const team = team_of(phase.back().thread);
    return std::ranges::all_of(phase, [&](Share const& share) {
        return share.thread == ThreadId(0) || team_of(share.thread) == team;
    });
}

// Rule 3.
bool StoreRules::is_taken_before_anybody_stops(Phase const& phase) const {
    auto last_piece_ns = std::numeric_limits<std::int64_t>::min();
    auto first_final_ns = std::numeric_limits<std::int64_t>::max();
    for (Share const& share : phase) {
        auto const& events = recorded_.events[share.thread.index()];
        if (share.all_pieces > 0)
            last_piece_ns = std::max(last_piece_ns, taken_ns(events, share.last_piece));
        first_final_ns = std::min(first_final_ns, taken_ns(events, share.final_take));
    }
    return last_piece_ns <= first_final_ns;
}

// Rule 7. REQUIRES: they run the same code.
bool StoreRules::most_of_the_team_come(Phase const& phase) const {
    auto first_ns = std::numeric_limits<std::int64_t>::max();
    auto last_ns = std::numeric_limits<std::int64_t>::min();
    std::ptrdiff_t came = 0;
    Team const team = team_of(phase.back().thread);
    for (Share const& share : phase) {
        auto const& events = recorded_.events[share.thread.index()];
        first_ns = std::min(first_ns, taken_ns(events, share.first));
        last_ns = std::max(last_ns, taken_ns(events, share.final_take));
        came += team_of(share.thread) == team ? 1 : 0;
    }
    auto const alive = std::ranges::count_if(members_.at(team), [&](ThreadId thread) {
        auto const& events = recorded_.events[thread.index()];
        return events.front().wall_ns <= last_ns && events.back().wall_ns >= first_ns;
    });
    return 2 * came > alive;
}

bool StoreRules::are_no_later(TakePlace place, std::span<Phase const> phases) const {
    if (is_of_openmp(place))
        return true;
    std::int64_t recorded_ns = 0;
    std::int64_t anew_ns = 0;
    for (Phase const& phase : phases) {
        std::vector<Course> courses;
        std::int64_t longest_ns = 0;
        for (Share const& share : phase) {
            Course const& course = courses.emplace_back(course_of(share));
            longest_ns = std::max(longest_ns, course.before_ns + course.pieces_ns + course.after_ns);
        }
        recorded_ns += longest_ns;
        anew_ns += end_anew_ns(courses);
    }
    return anew_ns - recorded_ns <= recorded_ns / 100 * most_percent_later;
}

bool StoreRules::is_final(ThreadId thread, std::uint32_t event) const {
    return piece_end(plan_.steps[thread.index()][event], recorded_.events[thread.index()][event].kind) ==
           PieceEnd::final;
}

StoreRules::Course StoreRules::course_of(Share const& share) const {
    auto const& events = recorded_.events[share.thread.index()];
    auto begin = share.first;
    while (begin > 0 && !is_final(share.thread, begin - 1))
        --begin;
    begin -= begin > 0 ? 1 : 0;
    auto end = share.last;
    while (end + 1 < events.size() && !is_final(share.thread, end))
        ++end;
    return {cpu_between_ns(events, begin, share.first), cpu_between_ns(events, share.first, share.last),
            cpu_between_ns(events, share.last, end)};
}

// When the last of them is done, at the earliest, if all began at once, each has a processor, and whoever has
// come takes of all the pieces: they are filled in from the first to come, as water is.
std::int64_t StoreRules::end_anew_ns(std::span<Course> courses) {
    std::ranges::sort(courses, {}, &Course::before_ns);
    std::int64_t pieces_ns = 0;
    for (Course const& course : courses)
        pieces_ns += course.pieces_ns;
    std::int64_t sum_ns = pieces_ns;  // of the pieces, and of when those come who take some
    std::int64_t level_ns = 0;        // when they are done with the pieces
    std::int64_t takers = 0;
    for (Course const& course : courses) {
        if (takers > 0 && course.before_ns >= level_ns)
            break;
        sum_ns += course.before_ns;
        level_ns = sum_ns / ++takers;
    }
    std::int64_t end_ns = 0;
    for (Course const& course : courses)
        end_ns = std::max(end_ns, std::max(course.before_ns, level_ns) + course.after_ns);
    return end_ns;
}

}  // namespace parcast::extract
