#include "analysis/libc_locks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/findings.h"

namespace parcast::analysis {
namespace {

using testing::HasSubstr;

Event event(EventKind kind, std::int64_t wall_ns, std::int64_t cpu_ns, ObjectId object = ObjectId::none()) {
    Event result;
    result.kind = kind;
    result.wall_ns = wall_ns;
    result.cpu_ns = cpu_ns;
    result.object = object;
    return result;
}

// Two threads that compute 10 ms each.
Timeline two_threads() {
    Timeline timeline;
    timeline.catalogue.threads.resize(2);
    for (std::int64_t begin_ns : {0, 10'000'000})
        timeline.events.push_back({event(EventKind::thread_begin, begin_ns, 0),
                                   event(EventKind::yield, begin_ns, 0),
                                   event(EventKind::thread_end, begin_ns + 10'000'000, 10'000'000)});
    timeline.length = Duration{20'000'000};
    timeline.provenance.ended_regularly = true;
    timeline.provenance.cpu_ns = 20'000'000;
    return timeline;
}

// Each writes `calls` times to one stream, which it holds for `held_ns`.
Timeline with_stream(std::int64_t calls, std::int64_t held_ns) {
    Timeline timeline = two_threads();
    timeline.catalogue.objects = {{ObjectKind::mutex, 0x1000, "stdout", SiteId::none(), stream_lock_value}};
    ObjectId const stream(std::size_t{0});
    for (auto& events : timeline.events) {
        Event const end = events.back();
        std::int64_t now_ns = events.front().wall_ns;
        events = {events.front()};
        for (std::int64_t i = 0; i < calls; ++i) {
            std::int64_t const gap_ns = 10'000'000 / calls - held_ns;
            events.push_back(event(EventKind::lock, now_ns += gap_ns, gap_ns, stream));
            events.push_back(event(EventKind::unlock, now_ns += held_ns, held_ns, stream));
        }
        events.push_back(event(EventKind::thread_end, end.wall_ns, 0));
    }
    return timeline;
}

Finding const* libc_locks_of(std::vector<Finding> const& all) {
    auto const found = std::ranges::find(all, FindingKind::libc_locks, &Finding::kind);
    return found == all.end() ? nullptr : &*found;
}

// Four threads that wrote to one FILE were predicted 1.79 times as fast on 2 CPUs, and were ten times slower.
TEST(LibcLocks, AStreamThatThreadsShareMuchIsAWarning) {
    auto const all = findings(with_stream(10'000, 200));
    auto const* const found = libc_locks_of(all);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->severity, Severity::warning);
    EXPECT_THAT(found->message, HasSubstr("stream stdout"));
    EXPECT_THAT(found->message, HasSubstr("20 % of the CPU time"));
}

TEST(LibcLocks, AStreamThatIsHeldLongIsANoteForTheReplayKnowsIt) {
    auto const all = findings(with_stream(10, 500'000));
    ASSERT_NE(libc_locks_of(all), nullptr);
    EXPECT_EQ(libc_locks_of(all)->severity, Severity::note);
}

TEST(LibcLocks, SomeLinesOfOutputAreNothing) {
    EXPECT_EQ(libc_locks_of(findings(with_stream(100, 200))), nullptr);
    EXPECT_EQ(libc_locks_of(findings(two_threads())), nullptr);
    Timeline mutex = with_stream(10'000, 200);
    mutex.catalogue.objects[0].initial_value.reset();
    EXPECT_EQ(libc_locks_of(findings(mutex)), nullptr) << "a mutex of the program";
}

struct Arenas {
    std::vector<Setting> settings;
    std::optional<std::int64_t> most;
    char const* because;
};
void PrintTo(Arenas const& value, std::ostream* out) {
    *out << value.because;
}

class MostArenas : public testing::TestWithParam<Arenas> {};

TEST_P(MostArenas, AreWhatTheProgramAllowed) {
    Provenance provenance;
    provenance.settings = GetParam().settings;
    EXPECT_EQ(most_arenas(provenance), GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, MostArenas,
    testing::Values(
        Arenas{{}, std::nullopt, "nothing said"}, Arenas{{{"MALLOC_ARENA_MAX", "1"}}, 1, "the variable"},
        Arenas{{{"MALLOC_ARENA_MAX", "0"}}, std::nullopt, "0 is no limit"},
        Arenas{{{"MALLOC_ARENA_MAX", "few"}}, std::nullopt, "no number"},
        Arenas{{{"GLIBC_TUNABLES", "glibc.pthread.rseq=0:glibc.malloc.arena_max=2"}}, 2, "a tunable"},
        Arenas{{{"GLIBC_TUNABLES", "glibc.pthread.rseq=0"}, {"MALLOC_ARENA_MAX", "3"}}, 3, "another tunable"},
        Arenas{{{"MALLOC_ARENA_MAX", "8"}, {"mallopt(M_ARENA_MAX)", "2"}, {"mallopt(M_ARENA_MAX)", "1"}},
               1,
               "the last call counts"}));

// MALLOC_ARENA_MAX=1: predicted 1.99 times as fast on 2 CPUs, and was ten times slower.
TEST(LibcLocks, OneArenaForSeveralThreadsCannotBeTrusted) {
    Timeline timeline = two_threads();
    timeline.provenance.settings = std::vector<Setting>{{"MALLOC_ARENA_MAX", "1"}};
    auto const all = findings(timeline);
    ASSERT_NE(libc_locks_of(all), nullptr);
    EXPECT_EQ(libc_locks_of(all)->severity, Severity::warning);
    EXPECT_EQ(libc_locks_of(all)->hidden_serial_share, 1);
    EXPECT_TRUE(libc_locks_of(all)->makes_worthless);
    timeline.provenance.settings = std::vector<Setting>{{"MALLOC_ARENA_MAX", "2"}};
    EXPECT_EQ(libc_locks_of(findings(timeline)), nullptr) << "as many as threads";
    timeline.provenance.settings = std::vector<Setting>{{"MALLOC_ARENA_MAX", "1"}};
    timeline.provenance.modules = {{"/usr/lib/libjemalloc.so.2", "", 0}};
    EXPECT_EQ(libc_locks_of(findings(timeline)), nullptr) << "libc's malloc is not used";
}

}  // namespace
}  // namespace parcast::analysis
