#include "extract/passes/releases.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace parcast::extract {

namespace {

constexpr KindSet conditions{EventKind::condition_wait, EventKind::timed_condition_wait,
                             EventKind::condition_signal, EventKind::condition_broadcast};
constexpr KindSet futexes{EventKind::futex_wait, EventKind::timed_futex_wait, EventKind::futex_wake};
constexpr KindSet waits{EventKind::condition_wait, EventKind::timed_condition_wait, EventKind::futex_wait,
                        EventKind::timed_futex_wait};

Release release_of(Timeline const& recorded, EventReference reference, Event const& event) {
    switch (event.kind) {
        case EventKind::condition_signal: return {reference, event.wall_ns, event.wall_ns, 1};
        case EventKind::condition_broadcast: return {reference, event.wall_ns, event.wall_ns, all_waiters};
        default: break;
    }
    auto const& events = recorded.events[reference.thread.index()];
    std::int64_t const begin = reference.index == 0 ? 0 : return_ns(events[reference.index - 1]);
    return {reference, begin, event.wall_ns, event.value};
}

std::vector<Exchange> collect(Timeline const& recorded, Plan const& plan, ExchangeFamily family) {
    std::vector<Exchange> exchanges(recorded.catalogue.objects.size());
    auto const kinds = family == ExchangeFamily::conditions ? conditions : futexes;
    for_each_event(recorded, plan.kinds, kinds, [&](EventReference reference, Event const& event) {
        if (event.object.is_none() || event.outcome == Outcome::failed)
            return;
        Exchange& exchange = exchanges[event.object.index()];
        exchange.object = event.object.value;
        if (waits.contains(event.kind)) {
            exchange.waits.push_back(
                {reference, event.wall_ns, return_ns(event), event.outcome == Outcome::done, std::nullopt});
        } else {
            exchange.releases.push_back(release_of(recorded, reference, event));
        }
    });
    std::erase_if(exchanges,
                  [](Exchange const& each) { return each.waits.empty() && each.releases.empty(); });
    return exchanges;
}

// Goes through the arrivals, releases and returns of one object in their order.
class Matching {
public:
    explicit Matching(Exchange& exchange) : exchange_(exchange) {}

    void run() {
        for (Moment const& moment : moments()) {
            switch (moment.what) {
                case What::arrival: present_.push_back(moment.index); break;
                case What::release: release(moment.index); break;
                case What::departure: depart(moment.index); break;
            }
        }
    }

private:
    enum class What : std::uint8_t { arrival, release, departure };
    struct Moment {
        std::int64_t when_ns;
        What what;
        std::size_t index;
    };

    std::vector<Moment> moments() const {
        std::vector<Moment> moments;
        for (std::size_t i = 0; i < exchange_.waits.size(); ++i) {
            moments.push_back({exchange_.waits[i].arrival_ns, What::arrival, i});
            moments.push_back({exchange_.waits[i].return_ns, What::departure, i});
        }
        for (std::size_t i = 0; i < exchange_.releases.size(); ++i)
            moments.push_back({exchange_.releases[i].end_ns, What::release, i});
        std::sort(moments.begin(), moments.end(), [](Moment const& a, Moment const& b) {
            return std::tie(a.when_ns, a.what, a.index) < std::tie(b.when_ns, b.what, b.index);
        });
        return moments;
    }

    Wait& wait(std::size_t index) { return exchange_.waits[index]; }

    void release(std::size_t index) {
        Release const& release = exchange_.releases[index];
        std::int64_t left = release.most;
        std::erase_if(unexplained_, [&](std::size_t waiter) {
            bool const is_explained = left > 0 && wait(waiter).return_ns >= release.begin_ns &&
                                      wait(waiter).event.thread != release.event.thread;
            if (is_explained) {
                wait(waiter).release = index;
                --left;
            }
            return is_explained;
        });
        for (std::size_t const waiter : present_) {
            if (left > 0 && !wait(waiter).release) {
                wait(waiter).release = index;
                --left;
            }
        }
    }

    void depart(std::size_t index) {
        std::erase(present_, index);
        Wait& leaving = wait(index);
        if (!leaving.was_satisfied) {
            hand_on(std::exchange(leaving.release, std::nullopt));
        } else if (!leaving.release) {
            take_over(leaving);
            if (!leaving.release)
                unexplained_.push_back(index);
        }
    }

    void hand_on(std::optional<std::size_t> release) {
        auto const heir =
            std::find_if(present_.begin(), present_.end(), [&](std::size_t i) { return !wait(i).release; });
        if (release && heir != present_.end())
            wait(*heir).release = release;
    }

    void take_over(Wait& leaving) {
        auto const released = std::find_if(present_.begin(), present_.end(), [&](std::size_t i) {
            return wait(i).release && exchange_.releases[*wait(i).release].end_ns >= leaving.arrival_ns;
        });
        if (released != present_.end())
            leaving.release = std::exchange(wait(*released).release, std::nullopt);
    }

    Exchange& exchange_;
    std::vector<std::size_t> present_;      // by arrival
    std::vector<std::size_t> unexplained_;  // returned before a release was seen, by return
};

}  // namespace

std::vector<Exchange> match_releases(Timeline const& recorded, Plan const& plan, ExchangeFamily family) {
    std::vector<Exchange> exchanges = collect(recorded, plan, family);
    for (Exchange& exchange : exchanges) {
        std::sort(exchange.waits.begin(), exchange.waits.end(), [](Wait const& a, Wait const& b) {
            return std::tie(a.arrival_ns, a.event) < std::tie(b.arrival_ns, b.event);
        });
        std::sort(exchange.releases.begin(), exchange.releases.end(), [](Release const& a, Release const& b) {
            return std::tie(a.end_ns, a.event) < std::tie(b.end_ns, b.event);
        });
        Matching(exchange).run();
    }
    return exchanges;
}

}  // namespace parcast::extract
