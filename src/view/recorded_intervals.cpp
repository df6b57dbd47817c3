#include "view/recorded.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <queue>
#include <tuple>
#include <vector>

namespace parcast::view {

namespace {

ThreadState state_inside(Event const& event) {
    switch (event.kind) {
        case EventKind::sleep: return ThreadState::sleeping;
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync: return ThreadState::input_output;
        default: return event.blocked ? ThreadState::blocked : ThreadState::ready;
    }
}

// A stretch of a thread's life in which it uses the CPU for so long, and is in `otherwise` for the rest.
struct Window {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
    std::int64_t cpu_ns = 0;
    ThreadState otherwise = ThreadState::ready;
    ObjectId object = ObjectId::none();
    SiteId site = SiteId::none();
};

// The windows of one thread, one after the other, without gaps; none is empty.
class Windows {
public:
    Windows(EventList const& events, std::int64_t begin_ns) : events_(&events), end_ns_(begin_ns) {}

    std::optional<Window> next() {
        while (position_ < events_->size()) {
            auto const window = is_inside_ ? inside((*events_)[position_++]) : before((*events_)[position_]);
            is_inside_ = !is_inside_;
            end_ns_ = window.end_ns;
            if (window.begin_ns < window.end_ns)
                return window;
        }
        return std::nullopt;
    }

private:
    Window before(Event const& event) const {
        return {.begin_ns = end_ns_, .end_ns = std::max(event.wall_ns, end_ns_), .cpu_ns = event.cpu_ns};
    }
    Window inside(Event const& event) const {
        auto const state = state_inside(event);
        bool const waits = state != ThreadState::ready;
        return {.begin_ns = end_ns_,
                .end_ns = std::max(event.wall_ns + event.span_ns, end_ns_),
                .cpu_ns = event.cpu_inside_ns,
                .otherwise = state,
                .object = waits ? event.object : ObjectId::none(),
                .site = waits ? event.site : SiteId::none()};
    }

    EventList const* events_;
    std::size_t position_ = 0;
    std::int64_t end_ns_;  // of the last window
    bool is_inside_ = false;
};

// The rows of one thread, neighbours of one kind joined.
class Lane {
public:
    struct Row {
        std::int64_t begin_ns;
        ThreadState state;
        ObjectId object;
        SiteId site;
    };

    void add(Window const& window, ThreadState state, std::int64_t begin_ns, std::int64_t end_ns) {
        if (begin_ns >= end_ns)
            return;
        bool const waits = state == window.otherwise && state != ThreadState::ready;
        Row const row{begin_ns, state, waits ? window.object : ObjectId::none(),
                      waits ? window.site : SiteId::none()};
        bool const goes_on = !rows_.empty() && rows_.back().state == state &&
                             (state == ThreadState::running || state == ThreadState::ready);
        if (!goes_on)
            rows_.push_back(row);
        end_ns_ = end_ns;
    }

    void append_to(IntervalColumns& columns, ThreadId thread) const {
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            auto const& row = rows_[i];
            columns.begin.push_back({row.begin_ns});
            columns.end.push_back({i + 1 < rows_.size() ? rows_[i + 1].begin_ns : end_ns_});
            columns.thread.push_back(thread);
            columns.cpu.push_back(row.state == ThreadState::running ? CpuId(0) : CpuId::none());
            columns.state.push_back(row.state);
            columns.object.push_back(row.object);
            columns.releaser.push_back(ThreadId::none());
            columns.site.push_back(row.site);
        }
    }

private:
    std::vector<Row> rows_;
    std::int64_t end_ns_ = 0;
};

class OneProcessor {
public:
    explicit OneProcessor(Timeline const& recorded) : threads_(recorded.events.size()) {
        for (std::size_t index = 0; index < threads_.size(); ++index) {
            auto const& events = recorded.events[index];
            threads_[index].windows.emplace(events, begin_ns(index, events));
            open_next(index);
        }
    }

    IntervalColumns run() {
        std::int64_t now_ns = 0;
        while (!opening_.empty() || !open_.empty()) {
            if (open_.empty())
                now_ns = std::max(now_ns, std::get<0>(opening_.top()));
            for (; !opening_.empty() && std::get<0>(opening_.top()) <= now_ns; opening_.pop())
                open(std::get<1>(opening_.top()));
            serve_first(now_ns);
        }
        IntervalColumns columns;
        for (std::size_t index = 0; index < threads_.size(); ++index)
            threads_[index].lane.append_to(columns, ThreadId(index));
        return columns;
    }

private:
    // The initial thread is there from the start; others begin with an event of their own.
    static std::int64_t begin_ns(std::size_t thread, EventList const& events) {
        if (thread == 0 || events.empty())
            return 0;
        auto const first = events.front();
        return std::max<std::int64_t>(0, first.wall_ns - first.cpu_ns);
    }

    using Entry = std::tuple<std::int64_t, std::size_t>;  // time, thread
    using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

    struct ThreadOnIt {
        std::optional<Windows> windows;
        Window window;              // the one that is open or opens next
        std::int64_t until_ns = 0;  // its lane is written up to here
        std::int64_t left_ns = 0;   // CPU time that the window has still to get
        Lane lane;
    };

    // Windows in which the thread needs no CPU time are written at once.
    void open_next(std::size_t index) {
        auto& thread = threads_[index];
        while (auto const window = thread.windows->next()) {
            if (window->cpu_ns > 0) {
                thread.window = *window;
                opening_.emplace(window->begin_ns, index);
                return;
            }
            thread.lane.add(*window, window->otherwise, window->begin_ns, window->end_ns);
        }
    }

    void open(std::size_t index) {
        auto& thread = threads_[index];
        thread.until_ns = thread.window.begin_ns;
        thread.left_ns = thread.window.cpu_ns;
        open_.emplace(thread.window.end_ns, index);
    }

    // Serves the window that ends first, until it has what it needs, ends, or another one opens.
    void serve_first(std::int64_t& now_ns) {
        auto const [end_ns, index] = open_.top();
        auto& thread = threads_[index];
        auto until_ns = std::min(end_ns, now_ns + thread.left_ns);
        if (!opening_.empty())
            until_ns = std::min(until_ns, std::get<0>(opening_.top()));
        if (until_ns > now_ns) {
            thread.lane.add(thread.window, thread.window.otherwise, thread.until_ns, now_ns);
            thread.lane.add(thread.window, ThreadState::running, now_ns, until_ns);
            thread.until_ns = until_ns;
            thread.left_ns -= until_ns - now_ns;
            now_ns = until_ns;
        }
        if (thread.left_ns > 0 && end_ns > now_ns)
            return;
        open_.pop();
        thread.lane.add(thread.window, thread.window.otherwise, thread.until_ns, end_ns);
        open_next(index);
    }

    std::vector<ThreadOnIt> threads_;
    Queue opening_;  // by begin: windows that are not open yet, one a thread
    Queue open_;     // by end
};

}  // namespace

IntervalColumns recorded_intervals(Timeline const& recorded) {
    return OneProcessor(recorded).run();
}

}  // namespace parcast::view
