// The writers of text formats against the rules of each format.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>

#include "support/small_execution.h"
#include "trace/exports/names_and_text.h"
#include "trace/exports/writers.h"

namespace parcast::trace {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> split(std::string const& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
        parts.push_back(part);
    return parts;
}

TEST(ExportNames, ReplaceWhatIsNoUtf8AndControls) {
    EXPECT_EQ(plain_name("plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82"),
              "plain \xc3\xa4 \xe2\x82\xac \xf0\x9f\x99\x82");
    EXPECT_EQ(plain_name("a\nb\tc\x7f"), "a\uFFFDb\uFFFDc\uFFFD");
    EXPECT_EQ(plain_name("\xc0\xaf"), "\uFFFD\uFFFD") << "overlong";
    EXPECT_EQ(plain_name("\xed\xa0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
    EXPECT_EQ(plain_name("\xf4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond U+10FFFF";
    EXPECT_EQ(plain_name("cut \xe2\x82"), "cut \uFFFD\uFFFD") << "ends within a code point";
    EXPECT_EQ(plain_name("\xc2\x85 \xe2\x80\xa8"), "\uFFFD \uFFFD") << "further line ends";
}

TEST(ExportNames, EndInAnEllipsisWhereTheyAreTooLong) {
    EXPECT_EQ(plain_name(std::string(longest_name - 3, 'x')), std::string(longest_name - 3, 'x'));
    for (char const* letter : {"x", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x99\x82"}) {
        std::string name;
        for (int i = 0; i < 1000; ++i)
            name += letter;
        EXPECT_LE(plain_name(name).size(), longest_name);
        EXPECT_TRUE(plain_name(name).ends_with("\u2026"));
        EXPECT_THAT(plain_name(name), Not(HasSubstr("\uFFFD")));
    }
}

TEST(ExportText, QuotesWhatWouldEndAStringOrAField) {
    EXPECT_EQ(json_string("a\"b\\c\x01</script>"), R"("a\"b\\c\u0001<\/script>")");
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("a,\"b\"\r\n"), "\"a,\"\"b\"\"\r\n\"");
}

// One event a line: fields by name, without their quotes. Values hold no comma in what is looked at.
std::vector<std::map<std::string, std::string>> chrome_events(Execution const& execution) {
    std::vector<std::map<std::string, std::string>> events;
    for (auto const& line : split(written_by(write_chrome, execution), '\n')) {
        if (!line.starts_with("{\"ph\""))
            continue;
        std::map<std::string, std::string> fields;
        for (char const* name : {"ph", "pid", "tid", "ts", "id", "name"}) {
            auto const key = "\"" + std::string(name) + "\":";
            auto const at = line.find(key);
            if (at == std::string::npos)
                continue;
            auto value = line.substr(at + key.size(), line.find_first_of(",}", at) - at - key.size());
            std::erase(value, '"');
            fields[name] = value;
        }
        events.push_back(fields);
    }
    return events;
}

TEST(ChromeWriter, GivesEveryEventAProcessAThreadAndATime) {
    SmallExecution small;
    small.add_marks();
    for (auto const& event : chrome_events(small.execution))
        for (char const* name : {"ph", "pid", "tid", "ts", "name"})
            EXPECT_TRUE(event.contains(name)) << name;
}

TEST(ChromeWriter, EndsEverySliceUnderItsNameAndWithNoneInBetween) {
    SmallExecution small;
    small.add_marks();
    std::map<std::string, std::string> open;
    for (auto const& event : chrome_events(small.execution)) {
        auto const track = event.at("pid") + ":" + event.at("tid");
        bool const begins = event.at("ph") == "B";
        EXPECT_TRUE(!begins || open.emplace(track, event.at("name")).second);
        if (event.at("ph") == "E") {
            EXPECT_EQ(open[track], event.at("name"));
            open.erase(track);
        }
    }
    EXPECT_THAT(open, testing::IsEmpty());
}

TEST(ChromeWriter, StartsAndFinishesEveryFlowOnceAtOneTime) {
    SmallExecution small;
    std::map<std::string, std::vector<std::string>> ends;
    for (auto const& event : chrome_events(small.execution))
        if (event.at("ph") == "s" || event.at("ph") == "f")
            ends[event.at("id")].push_back(event.at("ts"));
    EXPECT_THAT(ends, SizeIs(4)) << "two releases, two creations";
    for (auto const& [id, times] : ends) {
        ASSERT_THAT(times, SizeIs(2));
        EXPECT_EQ(times[0], times[1]);
    }
}

TEST(ChromeWriter, WritesNanosecondsAsExactMicroseconds) {
    SmallExecution small;
    small.timeline.intervals->begin[0].ns = 0;
    auto const text = written_by(write_chrome, small.execution);
    EXPECT_THAT(text, HasSubstr("\"ts\":0.040"));
    EXPECT_THAT(text, Not(HasSubstr("e-")));
    EXPECT_THAT(text, Not(HasSubstr("</script"))) << "the file can stand in a page";
}

TEST(CsvWriter, WritesARecordAnIntervalWithAsManyFieldsAsTheHeader) {
    SmallExecution small;
    auto const lines = split(written_by(write_interval_table, small.execution), '\n');
    ASSERT_THAT(lines, SizeIs(1 + small.timeline.intervals->size())) << "no name breaks a line";
    for (auto const& line : lines)
        EXPECT_TRUE(line.ends_with('\r'));
    EXPECT_THAT(lines[0], StartsWith("thread,thread_name,begin_ns,end_ns,duration_ns,state,cpu,"));
    EXPECT_EQ(lines[1], "0,\"main \"\"quoted\"\", with comma\uFFFDand line\",0,40,40,running,0,,,,,\r");
    EXPECT_THAT(lines[8], testing::EndsWith(
                              ",30,60,30,blocked,,0,mutex queue\\lock,\"put</script>, buffer \u00e4.cpp:41\","
                              "0,\"main \"\"quoted\"\", with comma\uFFFDand line\"\r"));
}

TEST(CsvWriter, WritesARecordAnOperation) {
    SmallExecution small;
    small.add_marks();
    auto const lines = split(written_by(write_event_table, small.execution), '\n');
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_THAT(lines[2], testing::EndsWith(",90,unlock,0,mutex queue\\lock,,,\r"));
}

std::vector<std::vector<std::int64_t>> paraver_records(Execution const& execution) {
    std::vector<std::vector<std::int64_t>> records;
    for (auto const& line : split(written_by(write_paraver_records, execution), '\n')) {
        if (line.starts_with('#'))
            continue;
        auto& record = records.emplace_back();
        for (auto const& field : split(line, ':'))
            record.push_back(std::stoll(field));
    }
    return records;
}

TEST(ParaverWriter, BeginsWithTimeProcessorsAndThreads) {
    SmallExecution small;
    small.timeline.provenance.date = "2026-11-21T16:55:16Z";
    EXPECT_THAT(written_by(write_paraver_records, small.execution),
                StartsWith("#Paraver (21/11/2026 at 16:55):100_ns:1(2):1:1(3:1)\n"));
    small.timeline.provenance.date = "yesterday):9_ns";
    EXPECT_THAT(written_by(write_paraver_records, small.execution),
                StartsWith("#Paraver (01/01/1970 at 00:00):100_ns:"));
}

TEST(ParaverWriter, KeepsTheOrderOfTimeAndTheRangesOfItsNumbers) {
    SmallExecution small;
    small.add_marks();
    std::int64_t now = 0;
    for (auto const& record : paraver_records(small.execution)) {
        ASSERT_GE(record.size(), 8u);
        EXPECT_GE(record[5], now);
        now = record[5];
        EXPECT_TRUE(record[1] >= 0 && record[1] <= 2) << "a CPU, or 0 for none";
        EXPECT_TRUE(record[4] >= 1 && record[4] <= 3) << "a thread";
        EXPECT_EQ(record.size() % 2, record[0] == 3 ? 1u : 0u);
    }
}

TEST(ParaverWriter, FillsTheLifeOfEachThreadWithStates) {
    SmallExecution small;
    std::map<std::int64_t, std::int64_t> end;
    for (auto const& record : paraver_records(small.execution)) {
        if (record[0] != 1)
            continue;
        ASSERT_THAT(record, SizeIs(8));
        EXPECT_EQ(record[5], end.try_emplace(record[4], record[5]).first->second);
        EXPECT_LT(record[5], record[6]);
        end[record[4]] = record[6];
    }
    EXPECT_THAT(end, ElementsAre(testing::Pair(1, 100), testing::Pair(2, 90), testing::Pair(3, 100)));
}

TEST(ParaverWriter, WritesACommunicationForEachReleaseAndCreation) {
    SmallExecution small;
    std::multiset<std::vector<std::int64_t>> communications;
    for (auto const& record : paraver_records(small.execution))
        if (record[0] == 3)
            communications.insert({record[4], record[5], record[10], record[11]});
    EXPECT_THAT(
        communications,
        ElementsAre(std::vector<std::int64_t>{1, 10, 2, 10}, std::vector<std::int64_t>{1, 20, 3, 20},
                    std::vector<std::int64_t>{1, 60, 2, 60}, std::vector<std::int64_t>{2, 90, 3, 90}));
}

// Ranks of one CPU each on two nodes, the last one on the first node.
void add_messages(SmallExecution& small) {
    auto const thread = [](std::size_t index) { return ThreadId(index); };
    small.execution.ranks = Ranks{1, {0, 1, 0}};
    small.timeline.messages = {
        {thread(0), thread(1), {20}, {25}, {40}, {65}, 512, 7, MessageDelay::receiver_busy, {20}},
        {thread(2), thread(0), {30}, {35}, {50}, {70}, 0, 9, MessageDelay::none, {}}};
}

TEST(ParaverWriter, HasATaskForEachRankOnItsNodeAndMessagesWithSizeAndTag) {
    SmallExecution small;
    add_messages(small);
    EXPECT_THAT(written_by(write_paraver_records, small.execution),
                HasSubstr(":100_ns:2(2,1):1:3(1:1,1:2,1:1)\n"));
    std::vector<std::vector<std::int64_t>> communications;
    for (auto const& record : paraver_records(small.execution)) {
        if (record[0] == 3 && record[14] > 0)  // not that a thread creates another one
            communications.push_back(record);
        EXPECT_EQ(record[4], 1) << "the only thread of its task";
    }
    // The CPUs of the first node are 1 and 2, that of the second 3.
    EXPECT_THAT(communications, ElementsAre(ElementsAre(3, 1, 1, 1, 1, 20, 25, 3, 1, 2, 1, 65, 40, 512, 7),
                                            ElementsAre(3, 2, 1, 3, 1, 30, 35, 1, 1, 1, 1, 70, 50, 0, 9)))
        << "messages, and no releases beside them";
    EXPECT_THAT(written_by(write_paraver_names, small.execution),
                HasSubstr("LEVEL TASK SIZE 3\nrank 0\nrank 1\nrank 2\n"));
}

TEST(ChromeWriter, DrawsAFlowFromWhereAMessageIsSentToWhereItIsReceived) {
    SmallExecution small;
    add_messages(small);
    std::map<std::string, std::vector<std::pair<std::string, std::string>>> ends;  // by id: thread and time
    for (auto const& event : chrome_events(small.execution))
        if (event.at("ph") == "s" || event.at("ph") == "f")
            ends[event.at("id")].emplace_back(event.at("tid"), event.at("ts"));
    EXPECT_THAT(ends["1"],
                testing::UnorderedElementsAre(testing::Pair("1", "0.020"), testing::Pair("2", "0.065")));
    EXPECT_THAT(ends["2"],
                testing::UnorderedElementsAre(testing::Pair("3", "0.030"), testing::Pair("1", "0.070")));
}

TEST(CsvWriter, ListsMessages) {
    SmallExecution small;
    add_messages(small);
    auto const lines = split(written_by(write_message_table, small.execution), '\n');
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_TRUE(lines[0].starts_with("from,from_name,to,to_name,bytes,tag,sent_ns,arrived_ns,received_ns"));
    EXPECT_TRUE(lines[1].ends_with(",512,7,20,40,65,receiver busy,20\r"));
}

TEST(ParaverWriter, OpensAndClosesWhatAThreadWaitsFor) {
    SmallExecution small;
    std::map<std::int64_t, std::vector<std::int64_t>> objects;
    for (auto const& record : paraver_records(small.execution))
        if (record[0] == 2)
            objects[record[4]].push_back(record[7]);
    EXPECT_THAT(objects[2], ElementsAre(1, 0));
    EXPECT_THAT(objects[3], ElementsAre(1, 0, 1, 0))
        << "spinning, then blocked: closed before it opens again";
}

TEST(ParaverWriter, NamesEveryNumberInAsciiOnOneLine) {
    SmallExecution small;
    small.add_marks();
    auto const names = written_by(write_paraver_names, small.execution);
    EXPECT_THAT(
        names,
        StartsWith("LEVEL CPU SIZE 2\nCPU 0\nCPU 1\n\nLEVEL NODE SIZE 1\nmachine\n\nLEVEL THREAD SIZE 3\n"));
    EXPECT_THAT(split(names, '\n'), SizeIs(12));
    auto const labels = written_by(write_paraver_labels, small.execution);
    EXPECT_THAT(labels, HasSubstr("\n9    Blocked\n"));
    EXPECT_THAT(labels, HasSubstr("\n1      mutex queue\\lock\n"));
    EXPECT_THAT(labels, HasSubstr("VALUES\n0      none\n1      lock\n2      unlock\n"));
    for (char const letter : names + labels)
        EXPECT_TRUE(letter == '\n' || (letter >= ' ' && letter <= '~'));
}

}  // namespace
}  // namespace parcast::trace
