#include "report/names.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

TEST(Names, APlaceShowsIntoWhichFunctionItWasInlined) {
    Catalogue catalogue;
    catalogue.sites.push_back(Site{
        0x1000, 0x1000, "/usr/bin/tool", {{"push", "/src/queue.h", 41}, {"producer", "/src/main.cpp", 80}}});
    EXPECT_EQ(shown(catalogue, SiteId(0)), "push, queue.h:41, inlined in producer, main.cpp:80");
    EXPECT_EQ(shown(catalogue, SiteId::none()), "unknown place");
}

TEST(Names, APlaceInTheLibraryDoesNotFillTheScreenWithTemplates) {
    Catalogue catalogue;
    std::string const templates = "std::__detail::" + std::string(400, 'T');
    catalogue.sites.push_back(Site{0x10, 0x10, "/usr/bin/tool", {}});
    for (int i = 0; i < 20; ++i)
        catalogue.sites[0].frames.push_back({templates, "/usr/include/c++/12/barrier", 100});
    catalogue.sites[0].frames.push_back({"grid_phase", "/src/grid.cpp", 80});
    std::string const text = shown(catalogue, SiteId(0));
    EXPECT_LE(text.size(), 200u);
    EXPECT_TRUE(text.ends_with(", inlined in grid_phase, grid.cpp:80")) << text;
    EXPECT_EQ(inlined_into(catalogue, SiteId(0)).size(), 20u) << "all of them, for who wants to see them";
}

TEST(Names, AnObjectInACellHasItsLineIfThereIsOne) {
    Catalogue catalogue;
    catalogue.sites.push_back(Site{0x1000, 0x1000, "/usr/bin/tool", {{"push", "/src/queue.h", 41}}});
    catalogue.sites.push_back(Site{0x1000, 0x1000, "/usr/bin/tool", {}});
    catalogue.objects.push_back(Object{ObjectKind::mutex, 0x9, "queue_lock", SiteId(0), {}});
    catalogue.objects.push_back(Object{ObjectKind::condition, 0x9, "", SiteId(1), {}});
    catalogue.objects.push_back(Object{ObjectKind::descriptor, 5, "", SiteId::none(), {}});
    EXPECT_EQ(placed_object_label(catalogue, ObjectId(0)), "mutex queue_lock (queue.h:41)");
    EXPECT_EQ(placed_object_label(catalogue, ObjectId(1)), "condition #1 (tool+0x1000)");
    EXPECT_EQ(placed_object_label(catalogue, ObjectId(2)), "descriptor 5");
    EXPECT_EQ(placed_object_label(catalogue, ObjectId(7)), "unknown object");
}

TEST(Names, AThreadCannotSteerTheTerminal) {
    Catalogue catalogue;
    catalogue.threads.emplace_back().name = "\x1b[31mred";
    EXPECT_EQ(shown(catalogue, ThreadId(0)), "?[31mred");
}

TEST(Names, ACommandCanBeTypedAgain) {
    EXPECT_EQ(command_line({"pigz", "-p", "8", "-k", "big.tar"}), "pigz -p 8 -k big.tar");
    EXPECT_EQ(command_line({"sh", "-c", "echo it's", ""}), "sh -c 'echo it'\\''s' ''");
    EXPECT_EQ(command_line({"echo a\nb\tit's\\"}), "$'echo a\\nb\\tit\\'s\\\\'") << "it was 'echo a?b?...'";
    EXPECT_EQ(command_line({"\x1b"
                            "1\xff"}),
              "$'\\0331\\377'");
}

// An argument of 100 kB was printed whole by every report, and by some twice.
TEST(Names, ALongCommandIsShownShort) {
    std::string const usual(500, 'x');
    EXPECT_EQ(shown_command({"sh", "-c", usual}), "sh -c " + usual) << "it may be typed again";
    EXPECT_EQ(shown_command({"./w", "2", std::string(100'000, 'x')}),
              "./w 2 '" + std::string(39, 'x') + "…" + std::string(20, 'x') + "'");
    auto const of_many = shown_command(std::vector<std::string>(5'000, "file"));
    EXPECT_LT(of_many.size(), 1'100U);
    EXPECT_TRUE(of_many.ends_with(" file …"));
}

}  // namespace
}  // namespace parcast::report
