#include "extract/program_time.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>
#include <vector>

namespace parcast::extract {

namespace {

// Where one thread is: it has become ready, or come to rest, at that time.
class Course {
public:
    explicit Course(EventList const& events) : events_(&events), when_ns_(events.front().wall_ns) {}

    std::int64_t when_ns() const { return when_ns_; }
    int ready_threads() const { return is_ready_ ? 1 : -1; }

    // False at the end of the thread.
    bool advance() {
        if (next_ == events_->size())
            return false;
        if (!is_ready_) {
            is_ready_ = true;
            when_ns_ = end_ns_;
            return true;
        }
        is_ready_ = false;
        for (; next_ < events_->size(); ++next_) {
            Event const event = (*events_)[next_];
            when_ns_ = std::max(when_ns_, event.wall_ns);
            end_ns_ = std::max(when_ns_, event.wall_ns + event.span_ns);
            if (event.blocked && next_ + 1 < events_->size()) {
                ++next_;
                return true;
            }
        }
        return true;
    }

    friend bool operator>(Course const& a, Course const& b) {
        return std::tuple(a.when_ns_, -a.ready_threads()) > std::tuple(b.when_ns_, -b.ready_threads());
    }

private:
    EventList const* events_;
    std::size_t next_ = 0;
    std::int64_t when_ns_;
    std::int64_t end_ns_ = 0;  // of the call in which it is at rest
    bool is_ready_ = true;
};

// Calls visit(from_ns, to_ns) for each stretch of time in which no thread is ready.
template <class Visit>
void for_each_rest(Timeline const& recorded, Visit visit) {
    std::priority_queue<Course, std::vector<Course>, std::greater<>> courses;
    for (EventList const& events : recorded.events)
        if (!events.empty())
            courses.emplace(events);
    std::int64_t since_ns = courses.empty() ? 0 : courses.top().when_ns();
    for (int ready = 0; !courses.empty();) {
        Course next = courses.top();
        courses.pop();
        if (ready == 0 && next.when_ns() > since_ns)
            visit(since_ns, next.when_ns());
        since_ns = next.when_ns();
        ready += next.ready_threads();
        if (next.advance())
            courses.push(next);
    }
}

constexpr std::size_t parts = 4'000;

}  // namespace

Duration time_at_rest(Timeline const& recorded) {
    Duration rest;
    for_each_rest(recorded, [&](std::int64_t from_ns, std::int64_t to_ns) { rest.ns += to_ns - from_ns; });
    return rest;
}

ProgramTime::ProgramTime(Timeline const& recorded)
    : part_ns_(std::max(1.0, to_real(recorded.length).ns / parts)), had_before_(parts + 1) {
    for_each_rest(recorded,
                  [&](std::int64_t from_ns, std::int64_t to_ns) { add(from_ns, to_ns, to_ns - from_ns); });
    for (EventList const& events : recorded.events) {
        std::int64_t returned_ns = events.empty() ? 0 : events.front().wall_ns;
        for (Event const event : events) {
            std::int64_t const end_ns = event.wall_ns + event.span_ns;
            add(returned_ns, event.wall_ns, event.cpu_ns);
            add(event.wall_ns, end_ns, event.cpu_inside_ns);
            returned_ns = end_ns;
        }
    }
    std::exclusive_scan(had_before_.begin(), had_before_.end(), had_before_.begin(), 0.0);
}

// Until all is added, had_before_ is what each part has.
void ProgramTime::add(std::int64_t from_ns, std::int64_t to_ns, std::int64_t had_ns) {
    auto const part_of = [&](std::int64_t when_ns) {
        double const part = std::max(0.0, static_cast<double>(when_ns) / part_ns_);
        return std::min(parts - 1, static_cast<std::size_t>(part));
    };
    std::size_t const last = part_of(to_ns);
    double const length = static_cast<double>(std::max<std::int64_t>(1, to_ns - from_ns));
    double begin = static_cast<double>(from_ns);
    for (std::size_t part = part_of(from_ns); part < last; ++part) {
        double const end = part_ns_ * static_cast<double>(part + 1);
        had_before_[part] += static_cast<double>(had_ns) * (end - begin) / length;
        begin = end;
    }
    had_before_[last] += static_cast<double>(had_ns) * (1 - (begin - static_cast<double>(from_ns)) / length);
}

double ProgramTime::until(std::int64_t when_ns) const {
    double const place = std::min(static_cast<double>(when_ns) / part_ns_, static_cast<double>(parts));
    auto const part = std::min(parts - 1, static_cast<std::size_t>(place));
    return std::lerp(had_before_[part], had_before_[part + 1], place - static_cast<double>(part));
}

Duration ProgramTime::between(std::int64_t from_ns, std::int64_t to_ns) const {
    return Duration{whole_ns(until(to_ns) - until(from_ns))};
}

}  // namespace parcast::extract
