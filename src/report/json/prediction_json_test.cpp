#include "report/prediction.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/json/envelope.h"
#include "report/text/parts.h"

namespace parcast::report {
namespace {

using ParsedJson = nlohmann::json;

Answer with_one_run(Row run) {
    Answer prediction;
    prediction.recording().provenance.emplace();
    prediction.file = "tool.1.parcast";
    prediction.recording().catalogue.threads.resize(2);
    prediction.recording().time_on_one = Duration{100};
    prediction.rows.push_back(std::move(run));
    return prediction;
}

ParsedJson printed(Answer const& answer, ThreadRows threads = ThreadRows::absent) {
    std::string text;
    print_prediction_json(answer, "1.2.3", threads, [&](std::string const& piece) {
        text += piece;
        return true;
    });
    return ParsedJson::parse(text);
}

TEST(PredictionJson, ADeadlockHasNoNumbersToPlot) {
    Row run;
    run.cpus = 2;
    run.run.accounts.completion = Duration{70};  // how far it came is no prediction
    run.speed_up = 3;
    run.run.deadlock = Deadlock{
        Instant{70}, {{ThreadId(0), ObjectId::none(), ThreadId(1), ThreadId::none(), SiteId::none()}}};
    auto const json = printed(with_one_run(run));
    auto const& row = json.at("predictions").at(0);
    for (char const* number : {"time_ns", "speed_up", "efficiency", "bounds", "bounds_note"})
        EXPECT_TRUE(row.at(number).is_null()) << number;
    EXPECT_EQ(row.at("cpus"), 2);
    EXPECT_EQ(row.at("deadlock").at("time_ns"), 70);
    EXPECT_EQ(row.at("deadlock").at("threads").at(0).at("awaited_thread").at("id"), 1);
}

// The page and the text say the same of a speed-up that its bounds do not hold.
TEST(PredictionJson, ASpeedUpOutsideItsBoundsSaysWhyThatCanBe) {
    auto const note_of = [](double speed_up) {
        Row run;
        run.speed_up = speed_up;
        run.bounds = {2.3, 2.51};
        auto const json = printed(with_one_run(run));
        return json.at("predictions").at(0).at("bounds_note");
    };
    EXPECT_EQ(note_of(2.28), outside_bounds_note);
    EXPECT_EQ(note_of(2.6), outside_bounds_note);
    EXPECT_TRUE(note_of(2.4).is_null());
    EXPECT_TRUE(note_of(2.2996).is_null()) << "as printed it is the bound";
}

// A task graph on CPUs that slow each other down has none. They were read all the same.
TEST(PredictionJson, WithoutBoundsNothingLiesOutsideThem) {
    Row run;
    run.speed_up = 100;
    EXPECT_FALSE(is_outside_bounds(run));
    EXPECT_EQ(bounds_cell(run, true), "");
}

TEST(PredictionJson, ThreadsAreThereWhenAskedFor) {
    Row run;
    run.run.accounts.threads.resize(2);
    run.run.accounts.threads[1][ThreadState::running] = Duration{42};
    Answer const prediction = with_one_run(run);
    auto const without = printed(prediction);
    EXPECT_FALSE(without.at("predictions").at(0).contains("threads"));
    auto const with = printed(prediction, ThreadRows::present);
    EXPECT_EQ(with.at("predictions").at(0).at("threads").at(1).at("running_ns"), 42);
}

TEST(PredictionJson, ANameOfAnyBytesLeavesValidJson) {
    Answer prediction = with_one_run(Row{});
    prediction.recording().provenance->command = {"tool\xff", "\x1b[2J\n\"quoted\""};
    auto const json = printed(prediction);
    EXPECT_EQ(json.at("input").at("command").at(0), "tool\xef\xbf\xbd") << "the replacement character";
    EXPECT_EQ(json.at("input").at("command").at(1), "\x1b[2J\n\"quoted\"")
        << "JSON quotes, it does not change";
}

TEST(PredictionJson, TheEnvelopeNamesItsSchemaAndVersion) {
    auto const json = printed(with_one_run(Row{}));
    EXPECT_EQ(json.at("schema"), "parcast.predict/2");
    EXPECT_EQ(json.at("parcast"), "1.2.3");
    EXPECT_EQ(json.at("input").at("file"), "tool.1.parcast");
    EXPECT_EQ(json.at("input").at("form"), "recording");
}

Answer with_points(std::size_t count) {
    Answer answer;
    answer.basis = ModelBasis{};
    answer.model().swept = {{"P", {}, false}};
    for (std::size_t point = 0; point < count; ++point) {
        answer.model().swept.front().values.push_back(static_cast<double>(point));
        answer.model().points.push_back({});
        answer.model().points.back().time.mean = 2.0 * static_cast<double>(point);
    }
    return answer;
}

// A sweep may have ten million points: it is not made into one text.
TEST(PredictionJson, ASweepIsPrintedInPieces) {
    std::size_t pieces = 0;
    print_prediction_json(with_points(10'001), "1.2.3", ThreadRows::absent, [&](std::string const&) {
        ++pieces;
        return true;
    });
    EXPECT_GT(pieces, 10U);
    auto const rows = printed(with_points(10'001)).at("predictions");
    ASSERT_EQ(rows.size(), 10'001U);
    for (std::size_t point = 0; point < rows.size(); ++point) {
        EXPECT_EQ(rows[point].at("parameters").at("P"), point);
        EXPECT_EQ(rows[point].at("time").at("mean"), 2 * point);
    }
}

TEST(PredictionJson, NothingIsPrintedAfterAFailure) {
    std::size_t pieces = 0;
    print_prediction_json(with_points(5'000), "1.2.3", ThreadRows::absent, [&](std::string const&) {
        ++pieces;
        return false;
    });
    EXPECT_EQ(pieces, 1U);
}

TEST(PredictionJson, ADocumentIsWhatIsPrinted) {
    auto const answer = with_one_run(Row{});
    EXPECT_EQ(ParsedJson::parse(to_line(prediction_document(answer, "1.2.3"))), printed(answer));
}

}  // namespace
}  // namespace parcast::report
