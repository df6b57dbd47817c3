#include "trace/symbols/perf_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "trace/symbols/symbolize.h"

namespace parcast::trace {
namespace {

TEST(PerfMap, AnAddressHasTheFunctionWhoseRangeCoversIt) {
    PerfMap const map("7f00 20 LazyCompile:*sum app.js:3\n7f20 10 Builtin:Add\n");
    EXPECT_EQ(map.frame_at(0x7f00)->function, "LazyCompile:*sum app.js:3");
    EXPECT_EQ(map.frame_at(0x7f1f)->function, "LazyCompile:*sum app.js:3");
    EXPECT_EQ(map.frame_at(0x7f20)->function, "Builtin:Add");
    EXPECT_FALSE(map.frame_at(0x7f30).has_value());
    EXPECT_FALSE(map.frame_at(0x7eff).has_value());
}

TEST(PerfMap, FunctionsOfPythonHaveTheirFile) {
    PerfMap const map("0x1000 0x40 py::Queue.put:/usr/lib/python3.12/queue.py\n");
    auto const frame = map.frame_at(0x1001);
    ASSERT_TRUE(frame.has_value());
    EXPECT_EQ(frame->function, "Queue.put");
    EXPECT_EQ(frame->file, "/usr/lib/python3.12/queue.py");
    EXPECT_EQ(frame->line, 0u);
}

TEST(PerfMap, CodeThatIsPlacedWhereOtherCodeWasHasTheLastName) {
    EXPECT_EQ(PerfMap("10 8 before\n10 8 after\n").frame_at(0x12)->function, "after");
}

// Behind a smaller range inside of it, the larger one had no name.
TEST(PerfMap, RangesThatOverlapAreCutByTheLaterOne) {
    PerfMap const map("10 90 outer\n20 10 inner\n5 10 front\n98 10 back\n");
    EXPECT_EQ(map.frame_at(0x0f)->function, "front");
    EXPECT_EQ(map.frame_at(0x15)->function, "outer");
    EXPECT_EQ(map.frame_at(0x2f)->function, "inner");
    EXPECT_EQ(map.frame_at(0x30)->function, "outer");
    EXPECT_EQ(map.frame_at(0x97)->function, "outer");
    EXPECT_EQ(map.frame_at(0xa0)->function, "back");
    EXPECT_FALSE(map.frame_at(0xa8).has_value());
}

TEST(PerfMap, LinesOfAnotherFormAreSkipped) {
    PerfMap const map(
        "\nno numbers\n10 zz name\n10 0 empty\n20 8\n20 8 \nffffffffffffffff 8 beyond\n30 8 good\n40");
    EXPECT_EQ(map.frame_at(0x30)->function, "good");
    for (std::uint64_t const address : {0x10u, 0x20u, 0x40u})
        EXPECT_FALSE(map.frame_at(address).has_value()) << address;
}

TEST(PerfMap, SitesOutsideOfAllModulesAreNamedByTheMapOfTheirProcess) {
    std::int64_t const process = getpid();  // this one has no other map
    auto const file = std::filesystem::path("/tmp") / ("perf-" + std::to_string(process) + ".map");
    std::ofstream(file) << "10000 100 compiled_loop\n";
    Timeline timeline;
    timeline.provenance.process = process;
    timeline.catalogue.threads.resize(1);
    timeline.catalogue.sites = {{0x10040, 0, "", {}}, {0x20000, 0, "", {}}};
    symbolize(timeline);
    std::filesystem::remove(file);
    ASSERT_EQ(timeline.catalogue.sites[0].frames.size(), 1u);
    EXPECT_EQ(timeline.catalogue.sites[0].frames[0].function, "compiled_loop");
    EXPECT_TRUE(timeline.catalogue.sites[1].frames.empty());
}

TEST(PerfMap, AFileThatIsALinkIsNotRead) {
    auto const folder =
        std::filesystem::temp_directory_path() / ("perf_map_test." + std::to_string(getpid()));
    std::filesystem::create_directory(folder);
    std::ofstream(folder / "text") << "10 8 name\n";
    std::filesystem::create_symlink(folder / "text", folder / "perf-7.map");
    EXPECT_FALSE(PerfMap::of_process(7, folder).frame_at(0x10).has_value());
    EXPECT_FALSE(PerfMap::of_process(8, folder).frame_at(0x10).has_value());
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parcast::trace
