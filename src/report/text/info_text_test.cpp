#include "report/info.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/text.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::int64_t millisecond = 1'000'000;

Timeline small_recording() {
    Timeline recorded;
    recorded.provenance.command = {"tool", "input"};
    recorded.provenance.cpu_ns = 40 * millisecond;
    recorded.provenance.wall_ns = 50 * millisecond;
    recorded.provenance.exit_status = 0;
    recorded.provenance.host = "here";
    recorded.provenance.event_cost_ns = 54.6;
    recorded.catalogue.threads.resize(2);
    recorded.catalogue.threads[0].function = "main";
    recorded.catalogue.threads[1].function = "compress";
    recorded.catalogue.threads[1].name = "worker";
    recorded.catalogue.sites.push_back(
        Site{0x10, 0x10, "/usr/bin/tool", {{"push", "/src/queue.h", 41}, {"main", "/src/main.cpp", 9}}});
    recorded.catalogue.objects.push_back(Object{ObjectKind::mutex, 0x99, "queue_lock", SiteId(0), {}});
    recorded.events.resize(2);
    return recorded;
}

Profile small_profile() {
    Profile profile;
    profile.threads.resize(2);
    profile.threads[0].thread = ThreadId(0);
    profile.threads[0].cpu = Duration{30 * millisecond};
    profile.threads[0].events = 1200;
    profile.threads[1].thread = ThreadId(1);
    profile.threads[1].cpu = Duration{10 * millisecond};
    profile.threads[1].blocked = Duration{5 * millisecond};
    profile.threads[1].alive_at_exit = true;
    profile.objects.push_back({ObjectId(0), 100, 7, Duration{5 * millisecond}, Duration{8 * millisecond},
                               Duration{2 * millisecond}});
    return profile;
}

TEST(InfoText, HasARowAThreadAndARowAnObject) {
    std::string const text = info_text(small_recording(), small_profile(), {}, {});
    EXPECT_THAT(
        text, testing::StartsWith("tool input\n40.0 ms of CPU time in 50.0 ms, 2 threads, 1,200 events, exit "
                                  "status 0\n"));
    EXPECT_THAT(text, HasSubstr("  thread  name    function  CPU time  waiting  events\n"
                                "       0          main       30.0 ms            1,200\n"
                                "       1  worker  compress   10.0 ms  5.00 ms       0  alive at exit\n"));
    EXPECT_THAT(
        text,
        HasSubstr("mutex queue_lock  push, queue.h:41         100          7  5.00 ms  8.00 ms  2.00 ms\n"));
}

TEST(InfoText, InlinedCallsDoNotWidenTheTable) {
    Timeline recorded = small_recording();
    std::string const long_name = "std::call_once<" + std::string(300, 'T') + ">";
    recorded.catalogue.sites[0].frames.push_back({long_name, "/usr/include/c++/12/mutex", 907});
    recorded.catalogue.threads[1].function = long_name;
    Layout whole;
    whole.detail = Detail::all;
    std::string const text = info_text(recorded, small_profile(), {}, whole);
    EXPECT_THAT(text,
                HasSubstr("  mutex queue_lock  push, queue.h:41         100          7  5.00 ms  8.00 ms  "
                          "2.00 ms\n"
                          "          inlined in main, main.cpp:9\n"
                          "          inlined in " +
                          long_name + ", mutex:907\n"));
    EXPECT_THAT(text, HasSubstr("\n          " + long_name + "\n")) << "the thread's function, whole";
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        EXPECT_TRUE(display_width(line) <= whole.width || line.starts_with("          ")) << line;
}

TEST(InfoText, WarningsStandBeforeTheTablesAndNotesAfter) {
    Finding finding{FindingKind::lost_events, Severity::warning, "3 events were lost.", ThreadId::none(),
                    SiteId::none()};
    EXPECT_THAT(info_text(small_recording(), small_profile(), {&finding, 1}, {}),
                testing::StartsWith("warning: 3 events were lost. [lost_events]\n"));
    finding.severity = Severity::note;
    EXPECT_THAT(info_text(small_recording(), small_profile(), {&finding, 1}, {}),
                testing::EndsWith("note: 3 events were lost. [lost_events]\n"));
}

TEST(InfoText, LongTablesAreCutUnlessAllIsAskedFor) {
    Timeline recorded = small_recording();
    recorded.catalogue.threads.resize(160);
    Profile profile;
    for (std::size_t i = 0; i < 160; ++i)
        profile.threads.emplace_back().thread = ThreadId(i);
    EXPECT_THAT(info_text(recorded, profile, {}, {}), HasSubstr("\n  ... and 140 more: --all\n"));
    Layout whole;
    whole.detail = Detail::all;
    std::string const text = info_text(recorded, profile, {}, whole);
    EXPECT_THAT(text, Not(HasSubstr("more: --all")));
    EXPECT_THAT(text, HasSubstr("\n     159  "));
}

TEST(InfoText, AKilledProgramIsSaidToBe) {
    Timeline recorded = small_recording();
    recorded.provenance.exit_status.reset();
    recorded.provenance.death_signal = 9;
    EXPECT_THAT(info_text(recorded, small_profile(), {}, {}), HasSubstr("killed by signal 9"));
}

}  // namespace
}  // namespace parcast::report
