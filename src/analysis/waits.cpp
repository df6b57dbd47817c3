#include "analysis/waits.h"

#include <map>
#include <vector>

namespace parcast::analysis {

std::optional<MainSite> main_site(IntervalColumns const& rows, ObjectId object) {
    std::map<std::uint32_t, Duration> by_site;
    Duration all{0};
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.object[row] != object)
            continue;
        auto const time = rows.end[row] - rows.begin[row];
        all += time;
        by_site[rows.site[row].value] += time;
    }
    by_site.erase(SiteId::none().value);
    std::optional<MainSite> main;
    Duration most{0};
    for (auto const& [site, time] : by_site) {
        if (time > most) {
            most = time;
            main = MainSite{SiteId(site), to_real(time).ns / to_real(all).ns};
        }
    }
    return main;
}

std::optional<AwaitedThread> most_awaited(IntervalColumns const& rows, std::size_t threads) {
    std::vector<Duration> times(threads, Duration{0});
    for (std::size_t row = 0; row < rows.size(); ++row) {
        auto const releaser = rows.releaser[row];
        bool const is_for_thread = rows.state[row] == ThreadState::blocked && rows.object[row].is_none();
        if (is_for_thread && !releaser.is_none() && releaser.index() < threads)
            times[releaser.index()] += rows.end[row] - rows.begin[row];
    }
    std::optional<AwaitedThread> most;
    for (std::size_t thread = 0; thread < threads; ++thread)
        if (times[thread] > (most ? most->time : Duration{0}))
            most = AwaitedThread{ThreadId(thread), times[thread]};
    return most;
}

}  // namespace parcast::analysis
