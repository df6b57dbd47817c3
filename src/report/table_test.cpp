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

// "mutex a_long_n… 1" stood for "mutex a_long_name 12 %, joining 3 %": the end of the cell was cut.
TEST(Table, NamesWithinACellGiveWayAndTheNumbersBetweenThemDoNot) {
    Table table({{"CPUs"}, {"lost to", Align::left, Cut::middle}});
    table.add(
        {{"2"},
         {"mutex of_a_long_name_indeed 12 %, joining 3 %", {}, {"mutex of_a_long_name_indeed", "joining"}}});
    table.add({{"4"}, {"no thread 1 %", {}, {"no thread"}}});
    EXPECT_EQ(table.text(Colour::off, 44),
              "  CPUs  lost to\n"
              "     2  mutex of_a_…indeed 12 %, joining 3 %\n"
              "     4  no thread 1 %\n");
    EXPECT_EQ(table.text(Colour::off, 5), table.text(Colour::off, 38))
        << "a few letters and all numbers stay";
}

// A model's parameter of 200 letters made each row 200 columns wide.
TEST(Table, HeadingsThatAreNamesGiveWayAndTheNumbersBelowDoNot) {
    Table table({{"a_parameter_of_many_letters", Align::right, Cut::heading}, {"mean"}});
    table.add({{"1234567890123456"}, {"3.14"}});
    EXPECT_EQ(table.text(Colour::off, 25),
              "  a_parameter…tters  mean\n"
              "   1234567890123456  3.14\n");
    EXPECT_EQ(table.text(Colour::off, 5),
              "  a_paramete…tters  mean\n"
              "  1234567890123456  3.14\n");
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
