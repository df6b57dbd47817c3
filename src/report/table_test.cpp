#include "report/table.h"

#include <gtest/gtest.h>

namespace parcast::report {
namespace {

TEST(Table, NumbersAreAlignedRightAndNamesLeft) {
    Table table({{"CPUs"}, {"time"}, {"lost to", Align::left}});
    table.add({{"1"}, {"9.83 s"}, {""}});
    table.add({{"16"}, {"412 µs"}, {"lock a"}});
    EXPECT_EQ(table.text(Colour::off),
              "  CPUs    time  lost to\n"
              "     1  9.83 s\n"
              "    16  412 µs  lock a\n");
}

TEST(Table, ColumnsWithoutContentAreLeftOut) {
    Table table({{"thread"}, {"name", Align::left}, {"events"}});
    table.add({{"0"}, {""}, {"12"}});
    EXPECT_EQ(table.text(Colour::off),
              "  thread  events\n"
              "       0      12\n");
}

TEST(Table, NamesGiveWayWhereTheLineIsNarrowAndNumbersDoNot) {
    Table table({{"object", Align::left, Cut::end}, {"at", Align::left, Cut::middle}, {"operations"}});
    table.add({{"mutex of_a_long_name_indeed"}, {"push, a_long_file_name.h:41"}, {"1,234"}},
              {"inlined in main"});
    EXPECT_EQ(table.text(Colour::off, 42),
              "  object         at             operations\n"
              "  mutex of_a_l…  push, a_…h:41       1,234\n"
              "          inlined in main\n");
    EXPECT_EQ(table.text(Colour::off, 42, CutNames::whole_below_the_row),
              "  object         at             operations\n"
              "  mutex of_a_l…  push, a_…h:41       1,234\n"
              "          mutex of_a_long_name_indeed\n"
              "          push, a_long_file_name.h:41\n"
              "          inlined in main\n");
    EXPECT_EQ(table.text(Colour::off, 5), table.text(Colour::off, 40)) << "a few letters always stay";
}

TEST(Table, ColourMarksTheWorstWithoutMovingAnything) {
    Table table({{"efficiency"}, {"lost to", Align::left}});
    table.add({{"99 %"}, {"x"}});
    table.add({{"44 %", Emphasis::worst}, {"y"}});
    EXPECT_EQ(table.text(Colour::on),
              "  efficiency  lost to\n"
              "        99 %  x\n"
              "        \x1b[1;31m44 %\x1b[0m  y\n");
    EXPECT_EQ(table.text(Colour::off).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace parcast::report
