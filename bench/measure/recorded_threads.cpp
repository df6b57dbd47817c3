#include "measure/recorded_threads.h"

#include <algorithm>
#include <random>

namespace parcast::bench {

namespace {

constexpr std::int64_t turn_ns = 3'000'000;

class Story {
public:
    Story(std::uint32_t threads, std::int64_t events, Habit habit)
        : threads_(threads), events_(events), habit_(habit) {
        timeline_.catalogue.threads.resize(threads + 1);
        timeline_.catalogue.objects.resize(threads);
        timeline_.catalogue.sites.resize(8);
        timeline_.events.resize(threads + 1);
    }

    Timeline tell() {
        for (std::uint32_t child = 1; child <= threads_; ++child) {
            timeline_.catalogue.threads[child].parent = ThreadId(0);
            Event create = event(EventKind::thread_create, 20'000);
            create.related = child;
            timeline_.events[0].push_back(create);
        }
        std::int64_t const created_ns = now_ns_;
        for (std::int64_t told = 0; told < events_;)
            for (std::uint32_t thread = 1; thread <= threads_ && told < events_; ++thread)
                told += take_turn(thread, events_ - told);
        for (std::uint32_t thread = 1; thread <= threads_; ++thread) {
            if (habit_ == Habit::hand_outs)
                take_turn(thread, 2);  // finds nothing
            timeline_.events[thread].push_back(event(EventKind::thread_end, 500));
        }
        join_all(created_ns);
        timeline_.events[0].push_back(event(EventKind::thread_end, 1'000));
        timeline_.length.ns = now_ns_;
        timeline_.provenance.ended_regularly = true;
        return std::move(timeline_);
    }

private:
    Event event(EventKind kind, std::int64_t cpu_ns) {
        now_ns_ += cpu_ns;
        Event event;
        event.kind = kind;
        event.cpu_ns = cpu_ns;
        event.wall_ns = now_ns_;
        return event;
    }

    std::int64_t up_to(std::uint64_t limit) { return static_cast<std::int64_t>(random_() % limit); }

    // Pairs of events until the time is up, or `most` of them.
    std::int64_t take_turn(std::uint32_t thread, std::int64_t most) {
        std::int64_t const end_ns = now_ns_ + turn_ns;
        std::int64_t told = 0;
        while (told < most && now_ns_ < end_ns) {
            ObjectId const mutex(habit_ == Habit::hand_outs ? 0 : static_cast<std::size_t>(up_to(threads_)));
            Event lock = event(EventKind::lock, up_to(8'000));
            Event unlock = event(EventKind::unlock, up_to(1'000));
            lock.switched = told == 0;
            lock.object = unlock.object = mutex;
            lock.site = SiteId(mutex.index() % 4);
            unlock.site = SiteId(mutex.index() % 4 + 4);
            if (habit_ == Habit::hand_offs && told % 4 == 2)
                wait(lock, unlock);
            timeline_.events[thread].push_back(lock);
            timeline_.events[thread].push_back(unlock);
            told += 2;
        }
        return told;
    }

    void wait(Event& lock, Event& unlock) {
        lock.blocked = true;
        lock.span_ns = 10'000 + up_to(50'000);
        lock.cpu_inside_ns = 3'000 + up_to(2'000);
        unlock.wall_ns += lock.span_ns;
        now_ns_ += lock.span_ns;
    }

    // Main waited for the first thread from the beginning, and finds the others ended.
    void join_all(std::int64_t since_ns) {
        for (std::uint32_t thread = 1; thread <= threads_; ++thread) {
            Event join = event(EventKind::thread_join, 500);
            join.related = thread;
            if (thread == 1) {
                join.wall_ns = since_ns + 500;
                join.blocked = true;
                join.span_ns = now_ns_ - join.wall_ns;
            }
            timeline_.events[0].push_back(join);
        }
    }

    std::uint32_t threads_;
    std::int64_t events_;
    Habit habit_;
    Timeline timeline_;
    std::mt19937_64 random_{2002};
    std::int64_t now_ns_ = 0;
};

}  // namespace

Timeline recorded_threads(std::uint32_t threads, std::int64_t events, Habit habit) {
    return Story(threads, events, habit).tell();
}

}  // namespace parcast::bench
