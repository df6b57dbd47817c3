#include "cli/files/cpu_times_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast::cli {
namespace {

using testing::HasSubstr;

class CpuTimesFile : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = std::filesystem::temp_directory_path() / "parcast-test-XXXXXX";
        ASSERT_NE(mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(std::string const& name, std::string const& text) const {
        auto const file = folder_ / name;
        std::ofstream(file) << text;
        return file.string();
    }

private:
    std::filesystem::path folder_;
};

struct Ocean {
    char const* data_set;
    double solaris[3];      // CPU time on 2, 4 and 8 processors over that on one: table 4
    double linux_times[3];  // "linux" is a macro
    double predicted[3];    // speed-ups of table 5
    double compensated[3];  // its italic values
};

// Broberg 2002, paper III, tables 4 and 5.
constexpr Ocean ocean[] = {
    {"258", {0.99, 1.03, 1.12}, {0.96, 0.97, 0.97}, {1.90, 3.35, 4.35}, {1.96, 3.56, 5.02}},
    {"514", {1.02, 1.04, 1.05}, {1.00, 1.01, 1.00}, {1.94, 3.71, 4.51}, {1.98, 3.82, 4.74}},
    {"1026", {1.00, 1.00, 1.01}, {1.01, 1.00, 1.00}, {1.90, 3.74, 6.66}, {1.88, 3.74, 6.73}}};

std::string times_json(double const (&growth)[3], double turn_share) {
    auto const count = [&](int cpus, double times, double share) {
        auto const ns = times * 1e9 / (1 - share);
        return fmt::format(
            R"({{"cpus": {}, "cpu_ns": {{"median": {}, "min": {}, "max": {}}}, "turn_share": {}, "growth": 1}})",
            cpus, ns, ns, ns, share);
    };
    return R"({"schema": "parcast.cpu-times/1", "input": {"command": ["ocean", "-p{cpus}"]}, "counts": [)" +
           count(1, 1, 0) + "," + count(2, growth[0], turn_share) + "," + count(4, growth[1], turn_share) +
           "," + count(8, growth[2], turn_share) + "]}";
}

TEST_F(CpuTimesFile, GivesTheCompensatedSpeedUpsOfThePaper) {
    for (auto const& [data_set, solaris, linux_times, predicted, compensated] : ocean) {
        auto const here = read_cpu_times(write("here.json", times_json(solaris, 0)));
        auto const there = read_cpu_times(write("there.json", times_json(linux_times, 0)));
        ASSERT_TRUE(here && there);
        EXPECT_THAT(here->command, testing::ElementsAre("ocean", "-p{cpus}"));
        for (int i = 0; i < 3; ++i) {
            auto const cpus = 2U << i;
            auto const found =
                speed_up_there(predicted[i], *cpu_growth(*here, cpus), *cpu_growth(*there, cpus));
            EXPECT_NEAR(found, compensated[i], 0.005 + 1e-9) << data_set << " on " << cpus << ", two digits";
        }
    }
}

// Turns on one CPU are no work that another host has, too.
TEST_F(CpuTimesFile, WhatTurnsCostIsTakenOutOnce) {
    auto const times = read_cpu_times(write("times.json", times_json(ocean[0].solaris, 0.2)));
    ASSERT_TRUE(times.has_value());
    EXPECT_NEAR(*cpu_growth(*times, 8), 1.12, 1e-9);
}

TEST_F(CpuTimesFile, HasNoGrowthOfACountThatIsMissing) {
    auto const times = read_cpu_times(write("times.json", times_json(ocean[0].solaris, 0)));
    EXPECT_EQ(cpu_growth(*times, 16), std::nullopt);
}

TEST_F(CpuTimesFile, OtherFilesAreRefusedWithTheirNames) {
    for (auto const& [text, message] : {
             std::pair{"[1]", "no answer of parcast scale --cpu-times"},
             {R"({"schema": "parcast.scale/2", "counts": []})", "no answer of"},
             {R"({"schema": "parcast.cpu-times/1", "counts": [{"cpus": 1}]})", "count 1 has no number"},
             {R"({"schema": "parcast.cpu-times/1", "counts": []})", "of one thread is missing"},
             {R"({"schema": "parcast.cpu-times/1", "counts": [{"cpus": 1, "cpu_ns": 5, "turn_share": 0}]})",
              "count 1 has no number"},
         }) {
        auto const times = read_cpu_times(write("bad.json", text));
        ASSERT_FALSE(times.has_value()) << text;
        EXPECT_THAT(times.error().message, HasSubstr(message));
        EXPECT_THAT(times.error().place->file, HasSubstr("bad.json"));
    }
}

// "a count has no number of CPUs": of dozens, nobody knew which. A file that ended too early was "no answer".
TEST_F(CpuTimesFile, ErrorsTellTheCountOrTheLine) {
    auto const good = R"({"cpus": 1, "cpu_ns": {"median": 5, "min": 5, "max": 5}, "turn_share": 0})";
    auto const head = R"({"schema": "parcast.cpu-times/1", "counts": [)" + std::string(good);
    auto const third = read_cpu_times(write("bad.json", head + ", " + good + R"(, {"cpus": 4}]})"));
    ASSERT_FALSE(third.has_value());
    EXPECT_THAT(third.error().message, testing::StartsWith("count 3 has no number of CPUs"));
    auto const cut = read_cpu_times(write("bad.json", head + "]\n"));
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error().place->line, 2U);
    EXPECT_THAT(cut.error().advice, HasSubstr("scale --cpu-times --json"));
}

}  // namespace
}  // namespace parcast::cli
