#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "extract/passes/event_kinds.h"
#include "extract/passes/passes.h"

namespace parcast::extract {

namespace {

constexpr KindSet timed{EventKind::sleep, EventKind::timed_condition_wait, EventKind::timed_semaphore_wait,
                        EventKind::timed_futex_wait};

constexpr std::size_t fewest_sleeps = 4;
// Chosen. A program reads the clock and sleeps a moment later, which others may take from it now and then.
constexpr std::int64_t most_off_ns = 20'000;
constexpr std::int64_t period_over_off = 50;

// When the call was asked to end.
std::int64_t deadline_ns(Event const& event) {
    return event.wall_ns + event.value;
}

bool is_timed(Event const& event, Step const& step) {
    bool const ran_out =
        event.outcome == (event.kind == EventKind::sleep ? Outcome::done : Outcome::timed_out);
    return step.form == Step::Form::operation && step.kind == OperationKind::delay &&
           timed.contains(event.kind) && ran_out && event.value > 0;
}

class PeriodSearch {
public:
    PeriodSearch(Timeline const& recorded, Plan& plan) : recorded_(recorded), plan_(plan) {
        for (AddedOperation const& each : plan.added)
            if (is_delay(each.kind))
                added_.push_back(each.event);
    }

    void search(ThreadId thread) {
        auto const& events = recorded_.events[thread.index()];
        for (std::uint32_t i = 0; i < events.size(); ++i) {
            EventReference const reference{thread, i};
            Event const event = events[i];
            Step const step = plan_.step(reference);
            bool const sleeps = step.form == Step::Form::operation && step.kind == OperationKind::delay;
            bool const sleeps_besides = std::binary_search(added_.begin(), added_.end(), reference);
            bool const is_next = sleeps && !sleeps_besides && is_timed(event, step) &&
                                 (row_.empty() || goes_on(events[row_.back()], event));
            if ((sleeps || sleeps_besides) && !is_next)
                close(thread);
            if (sleeps && is_timed(event, step) && !sleeps_besides)
                row_.push_back(i);
        }
        close(thread);
    }

private:
    static bool goes_on(Event const& last, Event const& event) {
        return last.site == event.site && last.kind == event.kind && deadline_ns(event) >= deadline_ns(last);
    }

    void close(ThreadId thread) {
        if (row_.size() >= fewest_sleeps && is_periodic(recorded_.events[thread.index()]))
            end_at_points_in_time(thread);
        row_.clear();
    }

    bool is_periodic(EventList const& events) {
        apart_.clear();
        for (std::size_t i = 1; i < row_.size(); ++i)
            apart_.push_back(deadline_ns(events[row_[i]]) - deadline_ns(events[row_[i - 1]]));
        auto sorted = apart_;
        auto const middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::ranges::nth_element(sorted, middle);
        std::int64_t const period = *middle;
        if (period <= 0)
            return false;
        std::int64_t const most_off = std::min(most_off_ns, period / period_over_off);
        std::size_t multiples = 0;
        std::size_t steadier = 0;
        for (std::size_t i = 0; i < apart_.size(); ++i) {
            std::int64_t const off = off_multiple(apart_[i], period);
            std::int64_t const longer = events[row_[i + 1]].value - events[row_[i]].value;
            multiples += off <= most_off ? 1 : 0;
            steadier += off < std::abs(longer) ? 1 : 0;
        }
        return multiples * 10 >= apart_.size() * 9 && steadier * 2 > apart_.size();
    }

    static std::int64_t off_multiple(std::int64_t apart, std::int64_t period) {
        std::int64_t const times = std::max<std::int64_t>(1, (apart + period / 2) / period);
        return std::abs(apart - times * period);
    }

    void end_at_points_in_time(ThreadId thread) {
        auto const& events = recorded_.events[thread.index()];
        for (std::size_t i = 1; i < row_.size(); ++i) {
            EventReference const reference{thread, row_[i]};
            Step step = plan_.step(reference);
            step.kind = OperationKind::sleep_until;
            step.value = deadline_ns(events[row_[i]]) - deadline_ns(events[row_[i - 1]]);
            plan_.at(reference) = step;
        }
    }

    Timeline const& recorded_;
    Plan& plan_;
    std::vector<EventReference> added_;  // after which it sleeps besides, sorted
    std::vector<std::uint32_t> row_;     // of one thread
    std::vector<std::int64_t> apart_;    // ns, of two deadlines in a row
};

}  // namespace

void plan_periods(Timeline const& recorded, Plan& plan) {
    PeriodSearch search(recorded, plan);
    for (std::size_t thread = 0; thread < recorded.events.size(); ++thread)
        if (plan.kinds[thread].intersects(timed))
            search.search(ThreadId(thread));
}

}  // namespace parcast::extract
