#include "pages/report_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace parcast::pages {
namespace {

using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

Answer recording_of(std::vector<std::string> command, std::size_t threads) {
    Answer prediction;
    prediction.recording().provenance.emplace();
    prediction.recording().provenance->command = std::move(command);
    prediction.recording().catalogue.threads.resize(threads);
    return prediction;
}

// A count of the answer of `parcast scale`, measured on so many CPUs.
Json measured(std::vector<std::string> const& command, unsigned threads, unsigned cpus) {
    Json const speed_up{{"median", 1.5}, {"min", 1.25}, {"max", 1.75}};
    Json const time{{"median", 2e9}, {"min", 1e9}, {"max", 3e9}};
    return {{"command", command},
            {"recorded", {{"threads", threads}, {"pretended_cpus", cpus}}},
            {"compared_cpus", cpus},
            {"same_threads", {{"measured", speed_up}}},
            {"measured", {{{"cpus", cpus}, {"time_ns", time}}}},
            {"explanation", {"It waits more."}}};
}

std::string scaled(std::vector<Json> const& counts) {
    return Json{{"schema", "parcast.scale/2"}, {"counts", counts}}.dump();
}

std::vector<std::uint32_t> counts_of(std::vector<report::MeasuredPoint> const& points) {
    std::vector<std::uint32_t> counts;
    for (auto const& point : points)
        counts.push_back(point.cpus);
    return counts;
}

TEST(MeasuredFile, OnlyWhatWasMeasuredOfTheRecordedCommandIsShown) {
    auto const text = scaled({measured({"lu", "4"}, 5, 4), measured({"lu", "2"}, 3, 2)});
    auto const points = measured_points(text, "scale.json", recording_of({"/elsewhere/lu", "2"}, 3));
    ASSERT_TRUE(points);
    ASSERT_THAT(counts_of(*points), ElementsAre(2));
    auto const& point = points->front();
    EXPECT_EQ(point.speed_up, (Spread{1.5, 1.25, 1.75}));
    EXPECT_EQ(point.time_ns, 2e9);
    EXPECT_THAT(point.explanation, ElementsAre("It waits more."));
}

TEST(MeasuredFile, OneCommandMeasuredOnSeveralCountsGivesAPointEach) {
    auto const text = scaled({measured({"tool"}, 9, 4), measured({"tool"}, 9, 2), measured({"tool"}, 9, 2)});
    auto const points = measured_points(text, "scale.json", recording_of({"tool"}, 9));
    ASSERT_TRUE(points);
    EXPECT_THAT(counts_of(*points), ElementsAre(2, 4));
}

struct Refused {
    std::string text;
    char const* message;
    char const* advice;
    char const* because;
};

TEST(MeasuredFile, WhatCannotBeShownIsRefusedWithAWayOut) {
    Json without = measured({"tool"}, 9, 2);
    without["compared_cpus"] = nullptr;
    without["measured"] = Json::array();
    without["same_threads"] = nullptr;
    Json other_threads = measured({"tool"}, 9, 2);
    other_threads["same_threads"] = nullptr;
    Json out_of_order = measured({"tool"}, 9, 2);
    out_of_order["same_threads"]["measured"]["min"] = 1.6;
    std::vector<Refused> const cases{
        {"not JSON", "scale.json is no answer of parcast scale --json", "parcast scale --json --measure",
         "no JSON"},
        {R"({"schema": "parcast.predict/2"})", "is no answer of parcast scale", "-- tool", "of another verb"},
        {R"([1, {"counts": 3}])", "is no answer of parcast scale", "-- tool", "no object"},
        {scaled({without}), "has predictions only", "--measure", "without --measure"},
        {scaled({measured({"other"}, 9, 2)}), "measured \"other\", and the recording is of \"tool\"",
         "--keep", "another program"},
        {scaled({measured({"tool"}, 3, 2)}), "with 3 threads, and the recording has 9", "--pretend-cpus",
         "another number of threads"},
        {scaled({other_threads}), "with the same threads", "{cpus}",
         "it makes as many threads as it sees CPUs"},
        {scaled({out_of_order}), "no measurement", "{cpus}", "a range that is none"}};
    for (auto const& [text, message, advice, because] : cases) {
        auto const points = measured_points(text, "scale.json", recording_of({"tool"}, 9));
        ASSERT_FALSE(points) << because;
        EXPECT_EQ(points.error().code, ErrorCode::inconsistent) << because;
        EXPECT_THAT(points.error().message, HasSubstr(message)) << because;
        EXPECT_THAT(points.error().advice, HasSubstr(advice)) << because;
    }
}

}  // namespace
}  // namespace parcast::pages
