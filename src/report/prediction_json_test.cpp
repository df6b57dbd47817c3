#include "report/prediction_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/bounds_text.h"

namespace parcast::report {
namespace {

using ParsedJson = nlohmann::json;

Answer with_one_run(Row run) {
    Answer prediction;
    prediction.file = "tool.1.parcast";
    prediction.recording().catalogue.threads.resize(2);
    prediction.recording().time_on_one = Duration{100};
    prediction.rows.push_back(std::move(run));
    return prediction;
}

TEST(PredictionJson, ADeadlockHasNoNumbersToPlot) {
    Row run;
    run.cpus = 2;
    run.run.accounts.completion = Duration{70};  // how far it came is no prediction
    run.speed_up = 3;
    run.run.deadlock = Deadlock{
        Instant{70}, {{ThreadId(0), ObjectId::none(), ThreadId(1), ThreadId::none(), SiteId::none()}}};
    auto const json = ParsedJson::parse(prediction_json(with_one_run(run), "0.1.0", ThreadRows::absent));
    auto const& row = json.at("predictions").at(0);
    for (char const* number : {"time_ns", "speed_up", "efficiency", "speed_up_bounds", "bounds_note"})
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
        auto const json = ParsedJson::parse(prediction_json(with_one_run(run), "0.1.0", ThreadRows::absent));
        return json.at("predictions").at(0).at("bounds_note");
    };
    EXPECT_EQ(note_of(2.28), outside_bounds_note);
    EXPECT_EQ(note_of(2.6), outside_bounds_note);
    EXPECT_TRUE(note_of(2.4).is_null());
    EXPECT_TRUE(note_of(2.2996).is_null()) << "as printed it is the bound";
}

TEST(PredictionJson, ThreadsAreThereWhenAskedFor) {
    Row run;
    run.run.accounts.threads.resize(2);
    run.run.accounts.threads[1][ThreadState::running] = Duration{42};
    Answer const prediction = with_one_run(run);
    auto const without = ParsedJson::parse(prediction_json(prediction, "0.1.0", ThreadRows::absent));
    EXPECT_FALSE(without.at("predictions").at(0).contains("threads"));
    auto const with = ParsedJson::parse(prediction_json(prediction, "0.1.0", ThreadRows::present));
    EXPECT_EQ(with.at("predictions").at(0).at("threads").at(1).at("running_ns"), 42);
}

TEST(PredictionJson, ANameOfAnyBytesLeavesValidJson) {
    Answer prediction = with_one_run(Row{});
    prediction.recording().provenance.command = {"tool\xff", "\x1b[2J\n\"quoted\""};
    auto const json = ParsedJson::parse(prediction_json(prediction, "0.1.0", ThreadRows::absent));
    EXPECT_EQ(json.at("input").at("command").at(0), "tool\xef\xbf\xbd") << "the replacement character";
    EXPECT_EQ(json.at("input").at("command").at(1), "\x1b[2J\n\"quoted\"")
        << "JSON quotes, it does not change";
}

TEST(PredictionJson, TheEnvelopeNamesItsSchemaAndVersion) {
    auto const json = ParsedJson::parse(prediction_json(with_one_run(Row{}), "1.2.3", ThreadRows::absent));
    EXPECT_EQ(json.at("schema"), "parcast.predict/1");
    EXPECT_EQ(json.at("parcast"), "1.2.3");
    EXPECT_EQ(json.at("input").at("file"), "tool.1.parcast");
}

}  // namespace
}  // namespace parcast::report
