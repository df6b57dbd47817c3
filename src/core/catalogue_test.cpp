#include "core/catalogue.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

Catalogue example() {
    Catalogue catalogue;
    catalogue.threads.resize(3);
    catalogue.threads[0].function = "main";
    catalogue.threads[2].name = "compress 1";
    catalogue.threads[2].function = "compress_thread";
    catalogue.sites = {
        {0x4010,
         0x10,
         "/bin/pigz",
         {{"possess", "/src/pigz/yarn.c", 88}, {"twist", "/src/pigz/yarn.c", 120}}},
        {0x4020, 0x20, "/bin/pigz", {{"possess", "", 0}}},
        {0x4030, 0x30, "/bin/pigz", {}},
        {0x4040, 0, "", {}},
    };
    catalogue.objects = {
        {ObjectKind::mutex, 0x6000, "compress_have", SiteId(0u), {}},
        {ObjectKind::semaphore, 0x7000, "", SiteId(1u), {}},
        {ObjectKind::condition, 0x7100, "", SiteId::none(), {}},
        {ObjectKind::descriptor, 4, "", SiteId(0u), {}},
    };
    return catalogue;
}

TEST(DisplayName, OfASiteIsItsInnermostFrame) {
    auto const catalogue = example();
    EXPECT_EQ(display_name(catalogue, SiteId(0u)), "possess, yarn.c:88");
    EXPECT_EQ(display_name(catalogue, SiteId(1u)), "possess") << "no debug information: function alone";
    EXPECT_EQ(display_name(catalogue, SiteId(2u)), "pigz+0x30") << "no symbol: module and offset";
    EXPECT_EQ(display_name(catalogue, SiteId(3u)), "address 0x4040");
    EXPECT_EQ(display_name(catalogue, SiteId::none()), "unknown place");
    EXPECT_EQ(display_name(catalogue, SiteId(99u)), "unknown place");
}

TEST(DisplayName, OfAnObjectIsItsSymbolOrItsNumberAndFirstPlace) {
    auto const catalogue = example();
    EXPECT_EQ(display_name(catalogue, ObjectId(0u)), "mutex compress_have (possess, yarn.c:88)");
    EXPECT_EQ(display_name(catalogue, ObjectId(1u)), "semaphore #1 (possess)");
    EXPECT_EQ(display_name(catalogue, ObjectId(2u)), "condition #2");
    EXPECT_EQ(display_name(catalogue, ObjectId(3u)), "descriptor 4");
    EXPECT_EQ(display_name(catalogue, ObjectId::none()), "unknown object");
}

TEST(DisplayName, OfAThreadIsItsOwnNameOrItsNumberAndFunction) {
    auto const catalogue = example();
    EXPECT_EQ(display_name(catalogue, ThreadId(0u)), "thread 0 (main)");
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1");
    EXPECT_EQ(display_name(catalogue, ThreadId(2u)), "compress 1");
    EXPECT_EQ(display_name(catalogue, ThreadId(7u)), "unknown thread");
}

// A stripped program's start routine has no symbol, and one that is not in a file has no module either.
TEST(DisplayName, OfAThreadWithoutAFunctionWasItsNumberAlone) {
    auto catalogue = example();
    auto& thread = catalogue.threads[1];
    thread.created_at = SiteId(0u);
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1 (created at possess, yarn.c:88)");
    thread.function = "pigz+0x30";
    thread.start_site = SiteId(2u);
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1 (created at possess, yarn.c:88)");
    thread.created_at = SiteId(2u);
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1 (pigz+0x30)") << "neither place has a name";
    thread.function = "possess";
    thread.start_site = SiteId(1u);
    thread.created_at = SiteId(0u);
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1 (possess)");
    thread.function.clear();
    thread.start_site = SiteId::none();
    thread.created_at = SiteId(3u);
    EXPECT_EQ(display_name(catalogue, ThreadId(1u)), "thread 1 (created at address 0x4040)");
}

}  // namespace
}  // namespace parcast
