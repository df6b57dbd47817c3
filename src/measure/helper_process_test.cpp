#include "measure/helper_process.h"

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "measure/clock.h"

namespace parcast::measure {
namespace {

constexpr Duration minute{60'000'000'000};

TEST(HelperProcess, ReturnsTheNumbersThatItMeasured) {
    auto const numbers = measured_by_helper(
        [] {
            double found = 0;
            std::jthread([&] { found = 2.5; }).join();
            return std::vector{1.0, found};
        },
        minute);
    EXPECT_EQ(numbers, (std::vector{1.0, 2.5}));
}

// parcast record hung where it could not make a second thread.
TEST(HelperProcess, LeavesItsHostAloneWhateverGoesWrongInIt) {
    EXPECT_EQ(
        measured_by_helper([]() -> std::vector<double> { throw std::runtime_error("no thread"); }, minute),
        std::nullopt);
    EXPECT_EQ(measured_by_helper([]() -> std::vector<double> { std::abort(); }, minute), std::nullopt);
    EXPECT_EQ(measured_by_helper([] { return std::vector<double>(); }, minute), std::nullopt);
    std::int64_t const begin = wall_ns();
    auto const hangs = [] {
        std::this_thread::sleep_for(std::chrono::nanoseconds(minute.ns));
        return std::vector{1.0};
    };
    EXPECT_EQ(measured_by_helper(hangs, {50'000'000}), std::nullopt);
    EXPECT_LT(wall_ns() - begin, minute.ns) << "it was ended";
}

}  // namespace
}  // namespace parcast::measure
