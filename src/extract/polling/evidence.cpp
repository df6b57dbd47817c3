#include "extract/polling/evidence.h"

#include <algorithm>
#include <map>
#include <vector>

namespace parcast::extract {

namespace {

// Intervals that are looked at, of each kind.
constexpr std::int64_t most_intervals = 4'096;
// As many intervals that were not the last say what is rare.
constexpr double fewest_others = 8;
constexpr double fewest_others_of_a_joined_thread = 2;
// Of the last intervals, so many show a cause, and of the others so many times fewer.
constexpr double least_share = 0.75;
constexpr double rarity = 8;
constexpr std::int64_t fewest_counted_rows = 3;
// A few naps more or less make no difference to a run.
constexpr std::int64_t negligible_part = 100;

struct Seen {
    std::vector<Deed> deeds;  // different ones
    bool came_to_rest = false;
    bool rested_long = false;  // for half of the time
};

LookInterval interval_of(EventList const& events, std::uint32_t nap) {
    Event const event = events[nap];
    return {event.wall_ns, event.wall_ns + event.span_ns};
}

Seen seen_in(CourseOfOthers const& others, ThreadId napper, LookInterval interval, std::int64_t least_rest) {
    Seen seen;
    std::set<Deed> deeds;
    others.visit_events(napper, interval,
                        [&](EventReference, Event const& event) { deeds.insert(deed_of(napper, event)); });
    seen.deeds.assign(deeds.begin(), deeds.end());
    seen.came_to_rest = others.came_to_rest(interval, least_rest).has_value();
    seen.rested_long = others.came_to_rest(interval, (interval.to_ns - interval.from_ns) / 2).has_value();
    return seen;
}

// What was seen in the last intervals of rows, and in others.
class NapSample {
public:
    NapSample(Timeline const& recorded, CourseOfOthers const& others, NapGroup const& group) {
        std::int64_t const rows = std::max<std::int64_t>(1, std::ssize(group.rows));
        std::int64_t const step_of_rows = 1 + rows / most_intervals;
        std::int64_t const step = 1 + (group.naps() - rows) / most_intervals;
        std::int64_t const least_rest = least_rest_ns(group.nap_ns);
        std::int64_t row_number = 0;
        std::int64_t number = 0;
        for (NapRow const& row : group.rows) {
            auto const& events = recorded.events[row.thread.index()];
            bool const ends = !row.is_unfinished && row_number++ % step_of_rows == 0;
            for (std::uint32_t const nap : row.naps) {
                if (nap == row.last() ? !ends : number++ % step != 0)
                    continue;
                LookInterval const interval = interval_of(events, nap);
                auto& seen = nap == row.last() ? last_ : others_;
                seen.push_back(seen_in(others, row.thread, interval, least_rest));
                if (nap == row.last())
                    rested_ += others.rested_throughout(interval) ? 1 : 0;
            }
        }
    }

    double lasts() const { return static_cast<double>(last_.size()); }
    double others() const { return static_cast<double>(others_.size()); }
    double rested() const { return rested_; }

    // Deeds of a last interval that were done in few of the others.
    std::set<Deed> rare() const {
        std::map<Deed, double> in_others;
        for (Seen const& seen : others_)
            for (Deed const deed : seen.deeds)
                ++in_others[deed];
        std::set<Deed> all;
        for (Seen const& seen : last_)
            all.insert(seen.deeds.begin(), seen.deeds.end());
        for (auto const& [deed, count] : in_others)
            all.insert(deed);
        std::erase_if(all, [&](Deed deed) {
            auto const found = in_others.find(deed);
            return found != in_others.end() && found->second * rarity > others();
        });
        return all;
    }

    double share_of_last(std::set<Deed> const& rare) const { return share(last_, rare); }
    double share_of_others(std::set<Deed> const& rare) const { return share(others_, rare); }
    double rested_long() const {
        auto const count = static_cast<double>(std::ranges::count_if(others_, &Seen::rested_long));
        return others_.empty() ? 0 : count / others();
    }
    double joined() const { return share(last_, {joins_the_napper}, false); }

private:
    static double share(std::vector<Seen> const& all, std::set<Deed> const& rare, bool rest_counts = true) {
        auto const shows = [&](Seen const& seen) {
            return (rest_counts && seen.came_to_rest) ||
                   std::ranges::any_of(seen.deeds, [&](Deed deed) { return rare.contains(deed); });
        };
        return all.empty()
                   ? 0
                   : static_cast<double>(std::ranges::count_if(all, shows)) / static_cast<double>(all.size());
    }

    std::vector<Seen> last_;
    std::vector<Seen> others_;
    double rested_ = 0;
};

// Rows of the same number of naps are no chance.
bool is_counted(NapGroup const& group) {
    std::set<std::size_t> lengths;
    std::int64_t rows = 0;
    for (NapRow const& row : group.rows) {
        if (row.is_unfinished)
            continue;
        lengths.insert(row.naps.size());
        ++rows;
    }
    return rows >= fewest_counted_rows && lengths.size() == 1;
}

}  // namespace

Deed deed_of(ThreadId napper, Event const& event) {
    if (event.kind == EventKind::thread_join && event.related == napper.value)
        return joins_the_napper;
    bool const has_place = event.kind != EventKind::thread_end;
    return (std::uint64_t{static_cast<std::uint8_t>(event.kind)} + 1) << 32 |
           (has_place ? event.site.value : SiteId::none().value);
}

std::int64_t least_rest_ns(std::int64_t nap_ns) {
    return std::min<std::int64_t>(20'000, nap_ns / 10);
}

LookInterval last_interval(Timeline const& recorded, NapRow const& row) {
    return interval_of(recorded.events[row.thread.index()], row.last());
}

NapEvidence evidence_of(Timeline const& recorded, CourseOfOthers const& others, NapGroup const& group) {
    if (std::ranges::any_of(group.rows, &NapRow::is_cancelled))
        return {NapMeaning::waiting, {}};
    NapSample const sample(recorded, others, group);
    if (sample.lasts() == 0 || sample.rested() > sample.lasts() / 2)
        return {};
    auto rare = sample.rare();
    bool const is_told_to_end =
        sample.joined() >= least_share && sample.others() >= fewest_others_of_a_joined_thread;
    if (is_told_to_end)
        return {NapMeaning::waiting, std::move(rare)};
    if (sample.others() < fewest_others)
        return {};
    double const last = sample.share_of_last(rare);
    if (last >= least_share && sample.share_of_others(rare) * rarity <= last)
        return {NapMeaning::waiting, std::move(rare)};
    bool const matters = group.asked_ns(recorded) > recorded.length.ns / negligible_part;
    bool const leaves_cpu_idle = sample.rested_long() > 0.5;
    bool const is_open = matters && !leaves_cpu_idle && !is_counted(group);
    return {is_open ? NapMeaning::either : NapMeaning::time, {}};
}

}  // namespace parcast::extract
