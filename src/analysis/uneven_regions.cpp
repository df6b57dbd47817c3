#include "analysis/uneven_regions.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <span>
#include <utility>

#include "analysis/hidden_hand_outs.h"
#include "analysis/survey.h"
#include "analysis/unshared_work.h"
#include "core/counted.h"
#include "core/percent_text.h"

namespace parcast::analysis {

namespace {

constexpr std::size_t most_kept = std::size_t{1} << 18;
constexpr std::size_t most_kept_of_thread = 16'384;
constexpr std::ptrdiff_t most_marks = 1'024;  // in a region
constexpr std::int64_t shortest_region_ns = 50'000;
constexpr std::int64_t fewest_regions = 20;
constexpr double nearly_all = 0.8;
constexpr double uneven = 1.5;
// Between two calls, or of one who came for nothing.
constexpr std::int64_t nothing_ns = 10'000;
constexpr double nothing = 0.02;  // of a region's work
constexpr double works_along = 0.01;

constexpr std::uint64_t set_of(std::initializer_list<EventKind> kinds) {
    std::uint64_t result = 0;
    for (EventKind const kind : kinds)
        result |= std::uint64_t{1} << static_cast<unsigned>(kind);
    return result;
}

constexpr std::uint64_t releases =
    set_of({EventKind::condition_signal, EventKind::condition_broadcast, EventKind::semaphore_post});
constexpr std::uint64_t waits = set_of({EventKind::condition_wait, EventKind::timed_condition_wait,
                                        EventKind::semaphore_wait, EventKind::timed_semaphore_wait});
// Beside these: calls of a thread that takes pieces of work.
constexpr std::uint64_t pure_calls =
    releases | waits |
    set_of({EventKind::lock, EventKind::try_lock, EventKind::timed_lock, EventKind::unlock,
            EventKind::read_lock, EventKind::try_read_lock, EventKind::timed_read_lock, EventKind::write_lock,
            EventKind::try_write_lock, EventKind::timed_write_lock, EventKind::read_write_unlock,
            EventKind::yield, EventKind::object_init, EventKind::object_destroy, EventKind::thread_end,
            EventKind::process_exit});

bool is_in(std::uint64_t kinds, EventKind kind) {
    return (kinds >> static_cast<unsigned>(kind) & 1) != 0;
}

}  // namespace

// Of the work of a region.
struct UnevenRegionSearch::Shares {
    std::map<ThreadId, std::int64_t> of_thread_ns;  // of those who came, and the master
    std::int64_t work_ns = 0;
    std::int64_t longest_ns = 0;
    std::int64_t helpers = 0;
    bool is_joined = false;       // the master waited for one of them
    bool is_for_nothing = false;  // rule 3, its last two parts

    void add_helpers(Region const& region, std::span<Mark const> marks) {
        for (Mark const& mark : marks) {
            if (mark.thread == region.master || (!mark.is_return && mark.released.is_none()))
                continue;
            of_thread_ns[mark.thread] = 0;
            is_joined = is_joined || (!mark.released.is_none() && mark.released == region.awaited);
        }
        helpers = std::ssize(of_thread_ns);
    }

    // False if one of them did something else.
    bool add_work(Region const& region, std::span<Mark const> marks) {
        for (Mark const& mark : marks) {
            auto const helper = of_thread_ns.find(mark.thread);
            if (helper == of_thread_ns.end())
                continue;
            if (!mark.is_pure)
                return false;
            std::int64_t const own_ns =
                std::min(mark.work_ns, mark.at_ns - std::max(mark.before_ns, region.begin_ns));
            helper->second += own_ns;
            work_ns += own_ns;
        }
        of_thread_ns[region.master] = region.own_ns;
        work_ns += region.own_ns;
        return true;
    }

    void judge(Region const& region, Catalogue const& catalogue) {
        auto const busiest =
            std::ranges::max_element(of_thread_ns, {}, [](auto const& each) { return each.second; });
        longest_ns = busiest->second;
        double const most = std::max(static_cast<double>(nothing_ns), nothing * static_cast<double>(work_ns));
        std::vector<ThreadId> idle;
        for (auto const& [thread, own_ns] : of_thread_ns)
            if (thread != region.master && static_cast<double>(own_ns) <= most)
                idle.push_back(thread);
        auto const is_like = [&](ThreadId other) {
            return [&catalogue, other](ThreadId thread) {
                return run_the_same_function(catalogue, thread, other);
            };
        };
        if (busiest->first != region.master)
            is_for_nothing = std::ranges::any_of(idle, is_like(busiest->first));
        else if (is_joined)
            is_for_nothing = std::ranges::any_of(
                idle, [&](ThreadId thread) { return std::ranges::count_if(idle, is_like(thread)) > 1; });
    }
};

// Of all regions of a master.
struct UnevenRegionSearch::Sums {
    std::map<ThreadId, std::int64_t> of_thread_ns;
    std::int64_t regions = 0;
    std::int64_t work_ns = 0;
    std::int64_t longest_ns = 0;
    std::int64_t for_nothing_ns = 0;  // work of those regions
    std::int64_t shared_ns = 0;       // work of those with two helpers or more
    double even_ns = 0;               // of the longest, if the master works along
    double even_without_ns = 0;       // if not

    void add(Shares const& shares) {
        for (auto const& [thread, work_of_it_ns] : shares.of_thread_ns)
            of_thread_ns[thread] += work_of_it_ns;
        ++regions;
        work_ns += shares.work_ns;
        longest_ns += shares.longest_ns;
        for_nothing_ns += shares.is_for_nothing ? shares.work_ns : 0;
        shared_ns += shares.helpers > 1 ? shares.work_ns : 0;
        auto const work = static_cast<double>(shares.work_ns);
        even_ns += work / static_cast<double>(shares.of_thread_ns.size());
        even_without_ns += work / static_cast<double>(shares.of_thread_ns.size() - 1);
    }

    bool master_works(ThreadId master) const {
        return static_cast<double>(of_thread_ns.at(master)) >= works_along * static_cast<double>(work_ns);
    }

    // Of so many that share the work.
    bool take_turns(std::size_t sharers) const {
        std::int64_t most_ns = 0;
        for (auto const& [thread, work_of_it_ns] : of_thread_ns)
            most_ns = std::max(most_ns, work_of_it_ns);
        return static_cast<double>(most_ns) * static_cast<double>(sharers) <
               uneven * static_cast<double>(work_ns);
    }

    bool is_suspect(ThreadId master, std::int64_t of_master) const {
        auto const most = nearly_all * static_cast<double>(work_ns);
        if (regions < std::max(fewest_regions, of_master / 10) || static_cast<double>(longest_ns) < most)
            return false;
        bool const works = master_works(master);
        bool const are_several = works || 2 * shared_ns >= work_ns;
        return (are_several && take_turns(of_thread_ns.size() - (works ? 0 : 1))) ||
               static_cast<double>(for_nothing_ns) >= most;
    }
};

void UnevenRegionSearch::add(ThreadId thread, Event const& event) {
    if (phase_ != Phase::outside || is_in(releases, event.kind))
        add_to_region(thread, event);
    next_.work_ns += event.cpu_ns;
    next_.is_pure = next_.is_pure && is_in(pure_calls, event.kind);
    bool const is_wait = is_in(waits, event.kind);
    if (!is_wait && !is_in(releases, event.kind))
        return;
    next_.released = is_wait ? ObjectId::none() : event.object;
    set_mark(thread, event.wall_ns);
    if (is_wait) {
        next_.is_return = true;
        set_mark(thread, event.wall_ns + event.span_ns);
    }
}

void UnevenRegionSearch::add_to_region(ThreadId thread, Event const& event) {
    if (phase_ == Phase::released)
        add_to_released(event);
    else if (phase_ == Phase::arrived)
        add_to_arrived(event);
    if (phase_ == Phase::outside && is_in(releases, event.kind))
        begin_region(thread, event);
}

// The master wakes others, and works along: until its first call that is not part of waking.
void UnevenRegionSearch::add_to_released(Event const& event) {
    region_.own_ns += event.cpu_ns;
    region_.end_ns = event.wall_ns + event.span_ns;
    if (is_in(waits, event.kind)) {
        close_region(region_.end_ns, event.object);
    } else if (!is_in(pure_calls, event.kind)) {
        close_region(event.wall_ns);
    } else if (is_in(releases, event.kind)) {
        if (event.cpu_ns > nothing_ns)
            close_region(event.wall_ns);
    } else if (event.kind != EventKind::unlock) {
        phase_ = Phase::arrived;
    }
}

// Its share is done: it waits for the others at once, or the region is over.
void UnevenRegionSearch::add_to_arrived(Event const& event) {
    bool const has_worked = event.cpu_ns > nothing_ns;
    std::int64_t const end_ns = event.wall_ns + event.span_ns;
    if (is_in(waits, event.kind) && !has_worked)
        close_region(end_ns, event.object);
    else if (has_worked || is_in(releases, event.kind) || !is_in(pure_calls, event.kind))
        close_region(region_.end_ns);
    else
        region_.end_ns = end_ns;
}

void UnevenRegionSearch::begin_region(ThreadId thread, Event const& event) {
    region_ = {event.wall_ns, event.wall_ns, 0, thread, event.site, ObjectId::none()};
    phase_ = Phase::released;
}

void UnevenRegionSearch::close_region(std::int64_t end_ns, ObjectId awaited) {
    phase_ = Phase::outside;
    region_.end_ns = end_ns;
    region_.awaited = awaited;
    if (regions_.size() < most_kept && regions_.size() - regions_before_ < most_kept_of_thread)
        regions_.push_back(region_);
}

void UnevenRegionSearch::set_mark(ThreadId thread, std::int64_t at_ns) {
    next_.thread = thread;
    next_.at_ns = at_ns;
    if (marks_.size() < most_kept && marks_.size() - marks_before_ < most_kept_of_thread)
        marks_.push_back(next_);
    else
        complete_until_ns_ = std::min(complete_until_ns_, at_ns);
    next_ = {at_ns, at_ns, 0, thread};
}

void UnevenRegionSearch::end_thread() {
    phase_ = Phase::outside;
    regions_before_ = regions_.size();
    marks_before_ = marks_.size();
    next_ = {};
}

std::optional<UnevenRegionSearch::Shares> UnevenRegionSearch::shares_of(Region const& region,
                                                                        Catalogue const& catalogue) {
    auto const first = std::ranges::lower_bound(marks_, region.begin_ns, {}, &Mark::at_ns);
    auto const last = std::ranges::upper_bound(first, marks_.end(), region.end_ns, {}, &Mark::at_ns);
    budget_ -= last - first;
    if (last - first > most_marks || budget_ < 0)
        return std::nullopt;
    std::span const marks(first, last);
    Shares shares;
    shares.add_helpers(region, marks);
    if (shares.helpers == 0 || !shares.add_work(region, marks) || shares.work_ns < shortest_region_ns)
        return std::nullopt;
    shares.judge(region, catalogue);
    return shares;
}

std::optional<UnevenRegions> UnevenRegionSearch::suspect(std::span<Region const> of_master,
                                                         Catalogue const& catalogue) {
    Sums sums;
    std::int64_t known = 0;
    for (Region const& region : of_master) {
        if (region.end_ns >= complete_until_ns_)
            continue;
        ++known;
        if (auto const shares = shares_of(region, catalogue))
            sums.add(*shares);
    }
    ThreadId const master = of_master.front().master;
    if (sums.regions == 0 || !sums.is_suspect(master, known))
        return std::nullopt;
    double const even_ns = sums.master_works(master) ? sums.even_ns : sums.even_without_ns;
    Duration const longest{sums.longest_ns};
    return UnevenRegions{master,       of_master.front().site,
                         sums.regions, Duration{sums.work_ns},
                         longest,      longest - Duration{static_cast<std::int64_t>(even_ns)}};
}

std::optional<UnevenRegions> UnevenRegionSearch::finish(Catalogue const& catalogue) {
    std::ranges::sort(marks_, {}, &Mark::at_ns);
    std::optional<UnevenRegions> result;
    for (std::size_t begin = 0; begin < regions_.size();) {
        std::size_t end = begin;
        while (end < regions_.size() && regions_[end].master == regions_[begin].master)
            ++end;
        auto const found = suspect(std::span(regions_).subspan(begin, end - begin), catalogue);
        if (found && (!result || found->saved > result->saved))
            result = found;
        begin = end;
    }
    return result;
}

void add_uneven_regions(Catalogue const& catalogue, Survey const& survey, std::vector<Finding>& result) {
    if (!survey.uneven_regions)
        return;
    UnevenRegions const& found = *survey.uneven_regions;
    auto finding =
        unshared_work(counted(found.regions, "time", "times") + ", " + display_name(catalogue, found.master) +
                          " released threads for work of which one alone then did nearly all (" +
                          percent_text(to_real(found.longest).ns / to_real(found.work).ns) +
                          "), and others came for nothing, or took turns",
                      found.saved, survey.cpu(), found.site);
    if (finding)
        result.push_back(std::move(*finding));
}

}  // namespace parcast::analysis
