#include "extract/passes/releases.h"

#include <algorithm>
#include <array>
#include <queue>
#include <tuple>
#include <utility>

#include "core/merge_runs.h"

namespace parcast::extract {

namespace {

constexpr std::size_t events_of_a_range = 1'000'000;

constexpr KindSet conditions{EventKind::condition_wait, EventKind::timed_condition_wait,
                             EventKind::condition_signal, EventKind::condition_broadcast};
constexpr KindSet futexes{EventKind::futex_wait, EventKind::timed_futex_wait, EventKind::futex_wake};
constexpr KindSet waits{EventKind::condition_wait, EventKind::timed_condition_wait, EventKind::futex_wait,
                        EventKind::timed_futex_wait};

bool is_used(Event const& event) {
    return !event.object.is_none() && event.outcome != Outcome::failed;
}

std::uint32_t most_released(Event const& event) {
    switch (event.kind) {
        case EventKind::condition_signal: return 1;
        case EventKind::condition_broadcast: return all_waiters;
        default: return static_cast<std::uint32_t>(std::clamp<std::int64_t>(event.value, 0, all_waiters - 1));
    }
}

// The earliest instant at which it can have happened: a signal or broadcast is recorded before the call, a
// wake after it.
std::int64_t earliest_ns(Timeline const& recorded, Release const& release) {
    auto const event = event_at(recorded, release.event);
    if (event.kind != EventKind::futex_wake)
        return event.wall_ns;
    if (release.event.index == 0)
        return 0;
    return return_ns(recorded.events[release.event.thread.index()][release.event.index - 1]);
}

// Goes through the arrivals, releases and returns of one object in their order.
class Matching {
public:
    Matching(Timeline const& recorded, Exchange& exchange) : recorded_(recorded), exchange_(exchange) {}

    void run() {
        for (Moment moment = next(); moment.what != What::nothing; moment = next()) {
            switch (moment.what) {
                case What::arrival: arrive(moment.index); break;
                case What::release: release(moment.index); break;
                case What::departure: depart(moment.index); break;
                case What::nothing: break;
            }
        }
    }

private:
    // At one instant in this order.
    enum class What : std::uint8_t { arrival, release, departure, nothing };
    struct Moment {
        std::int64_t when_ns = std::numeric_limits<std::int64_t>::max();
        What what = What::nothing;
        std::uint32_t index = 0;

        friend auto operator<=>(Moment const&, Moment const&) = default;
    };

    Moment next() const {
        std::array<Moment, 3> first;
        if (arrived_ < exchange_.waits.size())
            first[0] = {event_at(recorded_, exchange_.waits[arrived_].event).wall_ns, What::arrival,
                        arrived_};
        if (released_ < exchange_.releases.size())
            first[1] = {event_at(recorded_, exchange_.releases[released_].event).wall_ns, What::release,
                        released_};
        if (!departures_.empty())
            first[2] = departures_.top();
        return *std::ranges::min_element(first);
    }

    Wait& wait(std::uint32_t index) { return exchange_.waits[index]; }

    void arrive(std::uint32_t index) {
        ++arrived_;
        present_.push_back(index);
        departures_.push({return_ns(event_at(recorded_, wait(index).event)), What::departure, index});
    }

    void release(std::uint32_t index) {
        ++released_;
        Release const& release = exchange_.releases[index];
        std::uint32_t left = release.most;
        if (!unexplained_.empty())
            left = explain(index, left);
        for (std::uint32_t const waiter : present_) {
            if (left > 0 && wait(waiter).release == no_release) {
                wait(waiter).release = index;
                --left;
            }
        }
    }

    // How many it can release still.
    std::uint32_t explain(std::uint32_t index, std::uint32_t left) {
        Release const& release = exchange_.releases[index];
        auto const earliest = earliest_ns(recorded_, release);
        std::erase_if(unexplained_, [&](std::uint32_t waiter) {
            bool const is_explained = left > 0 &&
                                      return_ns(event_at(recorded_, wait(waiter).event)) >= earliest &&
                                      wait(waiter).event.thread != release.event.thread;
            if (is_explained) {
                wait(waiter).release = index;
                --left;
            }
            return is_explained;
        });
        return left;
    }

    void depart(std::uint32_t index) {
        departures_.pop();
        std::erase(present_, index);
        Wait& leaving = wait(index);
        if (!leaving.was_satisfied) {
            hand_on(std::exchange(leaving.release, no_release));
        } else if (leaving.release == no_release) {
            take_over(leaving);
            if (leaving.release == no_release)
                unexplained_.push_back(index);
        }
    }

    void hand_on(std::uint32_t release) {
        auto const heir =
            std::ranges::find_if(present_, [&](std::uint32_t i) { return wait(i).release == no_release; });
        if (release != no_release && heir != present_.end())
            wait(*heir).release = release;
    }

    void take_over(Wait& leaving) {
        auto const arrival_ns = event_at(recorded_, leaving.event).wall_ns;
        auto const released = std::ranges::find_if(present_, [&](std::uint32_t i) {
            return wait(i).release != no_release &&
                   event_at(recorded_, exchange_.releases[wait(i).release].event).wall_ns >= arrival_ns;
        });
        if (released != present_.end())
            leaving.release = std::exchange(wait(*released).release, no_release);
    }

    Timeline const& recorded_;
    Exchange& exchange_;
    std::uint32_t arrived_ = 0;
    std::uint32_t released_ = 0;
    std::priority_queue<Moment, std::vector<Moment>, std::greater<>> departures_;  // of those present
    std::vector<std::uint32_t> present_;                                           // by arrival
    std::vector<std::uint32_t> unexplained_;  // returned before a release was seen, by return
};

}  // namespace

ExchangeReader::ExchangeReader(Timeline const& recorded, Plan const& plan, ExchangeFamily family)
    : recorded_(recorded),
      plan_(plan),
      kinds_(family == ExchangeFamily::conditions ? conditions : futexes),
      counts_(recorded.catalogue.objects.size()) {
    for_each_event(recorded_, plan_.kinds, kinds_, [&](EventReference, Event const& event) {
        if (is_used(event))
            ++(waits.contains(event.kind) ? counts_[event.object.index()].waits
                                          : counts_[event.object.index()].releases);
    });
}

std::vector<ObjectRange> ExchangeReader::ranges() const {
    auto const events_of = [](Count const& count) { return std::size_t{count.waits} + count.releases; };
    std::size_t all = 0;
    for (Count const& count : counts_)
        all += events_of(count);
    std::size_t const most = std::max(events_of_a_range, all / 4);
    std::vector<ObjectRange> ranges;
    std::size_t in_last = 0;
    for (std::uint32_t object = 0; object < counts_.size(); ++object) {
        std::size_t const own = events_of(counts_[object]);
        if (own == 0)
            continue;
        if (ranges.empty() || in_last + own > most) {
            ranges.push_back({object, object});
            in_last = 0;
        }
        ranges.back().to = object + 1;
        in_last += own;
    }
    return ranges;
}

std::vector<Exchange> ExchangeReader::read(ObjectRange range) const {
    std::vector<Exchange> exchanges(range.to - range.from);
    for (std::uint32_t object = range.from; object < range.to; ++object) {
        Exchange& exchange = exchanges[object - range.from];
        exchange.object = object;
        exchange.waits.reserve(counts_[object].waits);
        exchange.releases.reserve(counts_[object].releases);
    }
    for_each_event(recorded_, plan_.kinds, kinds_, [&](EventReference reference, Event const& event) {
        if (!is_used(event) || !range.contains(event.object))
            return;
        Exchange& exchange = exchanges[event.object.value - range.from];
        if (waits.contains(event.kind))
            exchange.waits.push_back({reference, no_release, event.outcome == Outcome::done});
        else
            exchange.releases.push_back({reference, most_released(event)});
    });
    std::erase_if(exchanges,
                  [](Exchange const& each) { return each.waits.empty() && each.releases.empty(); });
    auto const comes_before = [&](auto const& a, auto const& b) {
        return std::tuple(event_at(recorded_, a.event).wall_ns, a.event) <
               std::tuple(event_at(recorded_, b.event).wall_ns, b.event);
    };
    for (Exchange& exchange : exchanges) {
        merge_runs(exchange.waits, comes_before);
        merge_runs(exchange.releases, comes_before);
        Matching(recorded_, exchange).run();
    }
    return exchanges;
}

}  // namespace parcast::extract
