#include "trace/raw/raw_threads.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "trace/raw/stream_reader.h"

namespace parcast::trace {

namespace {

// Surveys one thread after the other, in the order of streams.
class ThreadSurvey {
public:
    explicit ThreadSurvey(RawThreads& result) : result_(result) {}

    void add(RawThread& thread, std::span<Event const> events) {
        for (Event const& event : events) {
            if (thread.events++ == 0)
                thread.begin_ns = event.wall_ns;
            thread.cpu_ns = sum_up_to_all(thread.cpu_ns, sum_up_to_all(event.cpu_ns, event.cpu_inside_ns));
            note_objects(thread.number, event);
            note_processes(thread.number, event);
        }
        thread.last = events.back();
    }

    void end(RawThread&& thread) {
        thread.cpu_ns -= std::min(thread.debt_ns, thread.cpu_ns);
        result_.threads.push_back(std::move(thread));
    }

private:
    void note_objects(std::uint32_t thread, Event const& event) {
        if (!event.object.is_none())
            result_.lives.use(event.object.value, thread, event);
        if (relates_to_mutex(event.kind))
            result_.lives.use(event.related, thread, event);
    }

    void note_processes(std::uint32_t thread, Event const& event) {
        switch (event.kind) {
            case EventKind::thread_create:
                result_.creations.push_back({thread, event.related, event.wall_ns, event.site});
                break;
            case EventKind::fork:
                if (event.outcome == Outcome::done)
                    result_.forks.push_back({thread, event.value});
                [[fallthrough]];
            case EventKind::spawn:
            case EventKind::wait_child: result_.has_children = true; break;
            default: break;
        }
    }

    RawThreads& result_;
};

Result<void> survey_streams(FileBytes& file, RawLayout& layout, StreamSetting const& setting,
                            RawThreads& result) {
    ThreadSurvey survey(result);
    for (auto& chunks : layout.streams) {
        auto& numbers = result.streams.emplace_back();
        auto const reader = std::make_unique<StreamReader>(setting, chunks, result.numbers, result.remarks);
        for (;;) {
            auto thread = reader->read_thread(
                file, std::nullopt, [&](RawThread& of, std::span<Event> events, std::span<WorkShare const>) {
                    survey.add(of, events);
                });
            if (!thread)
                return pass_on(thread);
            if (!*thread)
                break;
            numbers.push_back((*thread)->number);
            survey.end(std::move(**thread));
        }
    }
    return {};
}

void sort_by_thread(RawThreads& raw) {
    auto const by = [](auto member) {
        return [member](auto const& a, auto const& b) { return a.*member < b.*member; };
    };
    std::sort(raw.threads.begin(), raw.threads.end(), by(&RawThread::number));
    std::stable_sort(raw.creations.begin(), raw.creations.end(), by(&RawCreation::creator));
    std::stable_sort(raw.forks.begin(), raw.forks.end(), by(&RawFork::thread));
}

RawThread made_up_thread(std::int64_t end_ns) {
    auto const events = events_of_made_up_thread(end_ns);
    RawThread thread;
    thread.events = std::ssize(events);
    thread.last = events.back();
    return thread;
}

}  // namespace

std::int64_t sum_up_to_all(std::int64_t a, std::int64_t b) {
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

bool relates_to_mutex(EventKind kind) {
    return kind == EventKind::condition_wait || kind == EventKind::timed_condition_wait;
}

Result<RawThreads> survey_threads(FileBytes& file, RawLayout& layout, TickScale const& scale,
                                  std::int64_t end_ns) {
    StreamSetting const setting(layout, scale, end_ns);
    RawThreads result;
    if (auto surveyed = survey_streams(file, layout, setting, result); !surveyed)
        return pass_on(surveyed);
    if (result.lives.needs_all_begins()) {
        RawThreads again;
        again.numbers = std::move(result.numbers);
        again.lives = std::move(result.lives);
        again.lives.count_again();
        if (auto surveyed = survey_streams(file, layout, setting, again); !surveyed)
            return pass_on(surveyed);
        result = std::move(again);
    }
    sort_by_thread(result);
    for (std::size_t i = 1; i < result.threads.size(); ++i) {
        if (result.threads[i].number == result.threads[i - 1].number) {
            return fail(ErrorCode::malformed, "thread " + std::to_string(result.threads[i].number) +
                                                  " begins twice in the recording");
        }
    }
    result.has_initial = !result.threads.empty() && result.threads.front().number == 0;
    if (!result.has_initial)
        result.threads.insert(result.threads.begin(), made_up_thread(end_ns));
    return result;
}

}  // namespace parcast::trace
