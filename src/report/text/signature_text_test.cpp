// What stands below the tables of a signature: what they show alone, and numbers with the words they need.

#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/layout.h"
#include "report/signature.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Layout wide{Colour::off, 1000, Detail::all};

RecordingSignature run_with(std::uint32_t threads, double left_ns) {
    RecordingSignature run;
    run.file = "solver." + std::to_string(threads) + ".parcast";
    run.command = {"solver"};
    run.threads = threads;
    run.events = 10 * std::int64_t{threads};
    run.time_ns = 1e9 / threads;
    run.work_ns = run.active_ns = 1e9;
    run.algorithmic_work_ns = left_ns;
    run.means.read_ns.mean = 1000;
    return run;
}

SignatureAnswer answer_with(double left_ns) {
    SignatureAnswer answer;
    answer.recordings = {run_with(1, 0), run_with(4, left_ns)};
    answer.command = {"solver", "{cpus}"};
    answer.theta.emplace(SignatureTheta{1e6, ThetaSource::machine});
    answer.series_theta_ns.emplace(5e5);
    answer.series_theta_95.emplace(ConfidenceInterval{-1e5, 1.1e6});
    answer.machine_theta_ns.emplace(1e6);
    answer.work_noise_ns.emplace(2e6);
    answer.conserved_meaning = "the work with P = 1";
    answer.alpha.emplace(1000);
    answer.work_of_one.emplace(WorkOfOne{1e9, "the work with P = 1"});
    return answer;
}

TEST(SignatureText, NamesTheCommandWithItsPlaceholder) {
    EXPECT_THAT(signature_text(answer_with(0), wide), testing::StartsWith("solver {cpus}\n"));
}

TEST(SignatureText, ColumnsThatAreHiddenHadALegend) {
    auto const text = signature_text(answer_with(0), wide);
    EXPECT_THAT(text, HasSubstr("read: an event that waits"));
    EXPECT_THAT(text, Not(HasSubstr("write:")));
    EXPECT_THAT(text, Not(HasSubstr("USL:")));
}

TEST(SignatureText, SaysWhichThetaAndWhichWorkMakeAlpha) {
    auto const text = signature_text(answer_with(0), wide);
    EXPECT_THAT(text, HasSubstr("θ = 1.00 ms of CPU time an event, by the machine's costs"));
    EXPECT_THAT(text, HasSubstr("α = W(1)/θ = 1,000, with W(1) = 1.00 s, the work with P = 1"));
}

TEST(SignatureText, WorkBelowZeroHadNoWord) {
    EXPECT_THAT(signature_text(answer_with(0), wide), Not(HasSubstr("W alg is below 0")));
    EXPECT_THAT(
        signature_text(answer_with(-1e6), wide),
        HasSubstr(
            "W alg is below 0 with P = 4: W cons and θ g(P) are more than the work there. That is within "
            "the noise of a run (±2.00 ms)"));
    EXPECT_THAT(signature_text(answer_with(-3e6), wide), HasSubstr("That is more than the noise of a run"));
}

TEST(SignatureText, APeakIsWordedAsTheFitHasIt) {
    auto const with = [](std::optional<double> peak, std::optional<double> limit) {
        auto answer = answer_with(0);
        answer.other_laws.emplace(OtherLaws{0.1, 0.2, 1, 0, peak, limit});
        return signature_text(answer, wide);
    };
    EXPECT_THAT(with(6.26, {}), HasSubstr("contention 1.00, coherency 0, peak at P = 6.26"));
    EXPECT_THAT(with(1, {}), HasSubstr("peak at P = 1: never faster than one thread"));
    EXPECT_THAT(with({}, 20), HasSubstr("no peak: it rises towards 20.0"));
    EXPECT_THAT(with({}, {}), HasSubstr("no peak: it rises with every thread"));
}

}  // namespace
}  // namespace parcast::report
