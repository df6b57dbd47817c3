#include "ensemble/process_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include "core/ensure.h"
#include "ensemble/random_stream.h"
#include "stochastic/maximum.h"
#include "support/process_model_builder.h"

namespace parcast::ensemble {

namespace {

using Kind = symbolic::ExpressionKind;

class ProcessRun : public testing::Test {
protected:
    Ensemble simulated(ProcessId main, EnsembleOptions const& options = {},
                       std::vector<double> const& parameters = {}) {
        auto found = simulate(build.model(), main, parameters, options);
        EXPECT_TRUE(found) << (found ? "" : found.error().message);
        ensure(found.has_value(), "a model that can be simulated");
        return std::move(*found);
    }
    Error error(ProcessId main, EnsembleOptions const& options = {},
                std::vector<double> const& parameters = {}) {
        auto const found = simulate(build.model(), main, parameters, options);
        EXPECT_FALSE(found);
        return found ? Error{} : found.error();
    }

    ProcessModelBuilder build;
    Resource const server = build.resource("s", 0, 1);
    ProcessId use(double time) { return build.use(server, build.number(time)); }
};

// Half a 95 % interval of many values is 1.96 standard errors.
double five_errors(ConfidenceInterval const& interval) {
    return 5 / 1.96 * interval.half_width();
}

EnsembleOptions exactly(std::uint32_t runs) {
    EnsembleOptions options;
    options.least_runs = options.most_runs = runs;
    return options;
}

// Deterministic models are executed once, exactly.

TEST_F(ProcessRun, SequencesAddAndBranchesWaitForTheLast) {
    auto const main = build.sequence(
        {build.delay(1), build.parallel({build.delay(2), build.sequence({build.delay(1), build.delay(4)})}),
         build.delay(3)});
    auto const found = simulated(main);
    EXPECT_EQ(found.moments, deterministic(9));
    EXPECT_EQ(found.times.size(), 1u);
    EXPECT_FALSE(found.is_random);
}

TEST_F(ProcessRun, OneServerServesOneAfterTheOther) {
    EXPECT_EQ(simulated(build.copies(4, use(3))).moments.mean, 12);
}

TEST_F(ProcessRun, ServersShareOneQueue) {
    auto const pair = build.resource("s", 0, 2);
    EXPECT_EQ(simulated(build.copies(5, build.use(pair, build.number(3)))).moments.mean, 9);
}

// At 0 the long request; at 1 and 2 the short ones, which wait until 10. Were the last served first, its path
// (2 + 8 = 10, then 100) would end at 111, and not at 112.
TEST_F(ProcessRun, WhoArrivesFirstIsServedFirst) {
    auto const main = build.parallel({use(10), build.sequence({build.delay(2), use(1), build.delay(100)}),
                                      build.sequence({build.delay(1), use(1)})});
    EXPECT_EQ(simulated(main).moments.mean, 112);
}

// Two clients of a loop {2 outside, 1 served}: they meet once, then they are out of step.
TEST_F(ProcessRun, LoopsKeepTheirPlaces) {
    auto const turn = build.sequence({build.delay(2), use(1)});
    EXPECT_EQ(simulated(build.copies(2, build.repeat(10, turn))).moments.mean, 31);
}

TEST_F(ProcessRun, NestedLoopsCountTheirOwnTurns) {
    auto const inner = build.repeat(3, use(1));
    auto const main = build.parallel({build.repeat(4, build.sequence({inner, build.delay(1)})), use(0)});
    EXPECT_EQ(simulated(main).moments.mean, 16);
}

TEST_F(ProcessRun, ForksWithinLoopsJoinInEachTurn) {
    auto const fork =
        build.parallel({build.sequence({use(1), build.delay(5)}), build.sequence({use(1), build.delay(1)})});
    EXPECT_EQ(simulated(build.repeat(3, fork)).moments.mean, 18);
}

TEST_F(ProcessRun, WhatALoopDoesMayDependOnItsIndex) {
    auto const i = build.new_index("i");
    auto const j = build.new_index("j");
    // sum over i = 1..4 of sum over j = i..4 of j = 1 + 4 + 9 + 16
    auto const inner =
        build.loop(false, j, build.index(i), build.number(4), build.use(server, build.index(j)));
    EXPECT_EQ(
        simulated(build.parallel({build.loop(false, i, build.number(1), build.number(4), inner), use(0)}))
            .moments.mean,
        30);
    EXPECT_EQ(simulated(build.loop(false, i, build.number(1), build.number(4), inner)).moments.mean, 30);
}

TEST_F(ProcessRun, ParametersHaveTheValuesGiven) {
    auto const N = build.parameter("N");
    EXPECT_EQ(simulated(build.repeat(N, build.delay(N)), {}, {7}).moments.mean, 49);
}

TEST_F(ProcessRun, AnEmptyModelTakesNoTime) {
    EXPECT_EQ(simulated(build.nothing()).moments.mean, 0);
    EXPECT_EQ(simulated(build.copies(0, use(1))).moments.mean, 0);
    EXPECT_EQ(simulated(build.repeat(5, build.parallel({}))).moments.mean, 0);
}

// Random times

TEST_F(ProcessRun, AForkOfExponentialTimesTakesTheHarmonicNumber) {
    auto const found = simulated(build.copies(10, build.delay(build.exponential(2))), exactly(20'000));
    double harmonic = 0, squares = 0;
    for (int i = 1; i <= 10; ++i) {
        harmonic += 1.0 / i;
        squares += 1.0 / (i * i);
    }
    EXPECT_NEAR(found.moments.mean, 2 * harmonic, five_errors(found.mean));
    EXPECT_NEAR(found.moments.variance, 4 * squares, five_errors(found.variance));
}

TEST_F(ProcessRun, UnlikeBranchesAreDrawnEach) {
    // E max(exp(1), exp(2)) = 1 + 2 - 1 / (1 + 1/2)
    auto const found =
        simulated(build.parallel({build.delay(build.exponential(1)), build.delay(build.exponential(2))}),
                  exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 7.0 / 3, five_errors(found.mean));
}

// All P arrive at once: while more than m are left they end at the rate m, then at the rates m, m - 1, ...,
// 1.
TEST_F(ProcessRun, ExponentialRequestsLeaveManyServersAtTheirRate) {
    auto const servers = build.resource("s", 0, 3);
    auto const found = simulated(build.copies(10, build.use(servers, build.exponential(1))), exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 7.0 / 3 + 1 + 1.0 / 2 + 1.0 / 3, five_errors(found.mean));
}

// Two clients of N turns {think exp(z), served exp(s)}: a Markov chain without cycles, solved from its end.
class TwoClients {
public:
    TwoClients(double think, double service) : think_rate_(1 / think), service_rate_(1 / service) {}

    enum class At { thinking, served, waiting };
    struct Client {
        int turns;  // left, this one included; 0: ended
        At at;
        friend auto operator<=>(Client const&, Client const&) = default;
    };

    double time(Client one, Client other) {
        if (one.turns == 0 && other.turns == 0)
            return 0;
        auto const known = times_.find({one, other});
        if (known != times_.end())
            return known->second;
        double rate = 0, next = 0;
        add(one, other, rate, next);
        add(other, one, rate, next);
        return times_[{one, other}] = (1 + next) / rate;
    }

private:
    void add(Client one, Client other, double& rate, double& next) {
        if (one.turns == 0 || one.at == At::waiting)
            return;
        double const own = one.at == At::thinking ? think_rate_ : service_rate_;
        if (one.at == At::thinking) {
            one.at = other.turns > 0 && other.at == At::served ? At::waiting : At::served;
        } else {
            --one.turns;
            one.at = At::thinking;
            if (other.at == At::waiting)
                other.at = At::served;
        }
        rate += own;
        next += own * time(one, other);
    }

    double think_rate_;
    double service_rate_;
    std::map<std::pair<Client, Client>, double> times_;
};

class ClosedLoop : public ProcessRun, public testing::WithParamInterface<int> {};

TEST_P(ClosedLoop, OfTwoClientsTakesTheTimeOfItsMarkovChain) {
    int const turns = GetParam();
    auto const turn =
        build.sequence({build.delay(build.exponential(3)), build.use(server, build.exponential(2))});
    auto const found = simulated(build.copies(2, build.repeat(turns, turn)), exactly(20'000));
    TwoClients chain(3, 2);
    TwoClients::Client const begin{turns, TwoClients::At::thinking};
    EXPECT_NEAR(found.moments.mean, chain.time(begin, begin), five_errors(found.mean));
}

INSTANTIATE_TEST_SUITE_P(ProcessRun, ClosedLoop, testing::Values(1, 2, 5, 40));

// Mean value analysis of the machine repair model, P clients, one server (Reiser and Lavenberg 1980).
double cycle_by_mva(int clients, double think, double service) {
    double queue = 0, cycle = 0;
    for (int n = 1; n <= clients; ++n) {
        double const response = service * (1 + queue);
        cycle = think + response;
        queue = n / cycle * response;
    }
    return cycle;
}

// The last of P clients ends late by some sqrt(N): of T / N = cycle + a / sqrt(N) + b / N the first two terms
// are kept by 2 T(4 N) / (4 N) - T(N) / N.
TEST_F(ProcessRun, MachineRepairHasTheCycleTimeOfMeanValueAnalysis) {
    auto const N = build.parameter("N");
    auto const turn =
        build.sequence({build.delay(build.exponential(5)), build.use(server, build.exponential(1))});
    auto const main = build.copies(5, build.repeat(N, turn));
    auto const shorter = simulated(main, exactly(400), {1000});
    auto const longer = simulated(main, exactly(200), {4000});
    double const cycle = 2 * longer.moments.mean / 4000 - shorter.moments.mean / 1000;
    double const errors = std::hypot(2 * five_errors(longer.mean) / 4000, five_errors(shorter.mean) / 1000);
    EXPECT_NEAR(cycle, cycle_by_mva(5, 5, 1), errors);
    EXPECT_LT(errors, 0.01 * cycle);
    // It is no other number: without waiting the cycle is 6.
    EXPECT_GT(cycle - errors, 6.5);
}

TEST_F(ProcessRun, ConditionsAreTrueWithTheirProbability) {
    auto const found = simulated(build.choice(0.3, build.delay(10), build.delay(20)), exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 17, five_errors(found.mean));
    EXPECT_NEAR(found.moments.variance, 21, five_errors(found.variance));
    EXPECT_EQ(found.times.front(), 10);
    EXPECT_EQ(found.times.back(), 20);
}

TEST_F(ProcessRun, AFractionOfATurnIsATurnNowAndThen) {
    // Two branches, so that the loop is executed turn by turn.
    auto const found = simulated(build.parallel({build.repeat(2.25, use(4)), use(0)}), exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 9, five_errors(found.mean));
    EXPECT_EQ(found.times.front(), 8);
    EXPECT_EQ(found.times.back(), 12);
    EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("2.25 turns")));
}

TEST_F(ProcessRun, ARandomNumberOfTurnsHasItsMean) {
    auto const count = build.moments({4, 2, 0.3, 2.5});
    auto const found =
        simulated(build.parallel({build.repeat(count, build.use(server, build.exponential(3))), use(0)}),
                  exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 12, five_errors(found.mean) + 0.02);
}

TEST_F(ProcessRun, NegativeDrawsAreClippedAndCounted) {
    auto const found = simulated(build.delay(build.moments({0.5, 1, 0, 3})), exactly(20'000));
    // A normal law gives 0.5 Phi(0.5) + phi(0.5). The law fitted to its moments differs by some 0.001.
    EXPECT_NEAR(found.moments.mean, 0.69780, five_errors(found.mean) + 0.002);
    EXPECT_EQ(found.times.front(), 0);
    EXPECT_NEAR(found.clipped_time, 0.19780, 0.01);
    EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("draws were negative and taken as 0")));
}

TEST_F(ProcessRun, AConditionThatIsNoBernoulliTrialIsSaid) {
    auto const formal = build.moments({0.005, 2, 4, 20});
    auto const found = simulated(build.choice(formal, build.delay(1), build.nothing()), exactly(32));
    EXPECT_THAT(
        found.notes,
        testing::Contains(testing::HasSubstr("moments(0.005, 2, 4, 20) is true with probability 0.00500")));
}

TEST_F(ProcessRun, ALongSumHasTheMomentsOfItsConditionsAsTheyAre) {
    auto const condition = build.moments({0.5, 0.1, 0, 3});  // of clusters less than Bernoulli's 0.25
    auto const found = simulated(build.repeat(1000, build.choice(condition, build.delay(2), build.nothing())),
                                 exactly(20'000));
    EXPECT_NEAR(found.moments.mean, 1000, five_errors(found.mean));
    EXPECT_NEAR(found.moments.variance, 400, five_errors(found.variance));
    EXPECT_THAT(found.notes, testing::IsEmpty());
    EXPECT_EQ(found.operations, 20'000u);
}

TEST_F(ProcessRun, AMeanThatIsNoProbabilityIsAnError) {
    auto const found = error(build.choice(build.moments({1.5, 1, 0, 3}), build.delay(1), build.nothing()));
    EXPECT_EQ(found.code, ErrorCode::out_of_range);
    EXPECT_THAT(found.message, testing::HasSubstr("no probability"));
}

// The ensemble

TEST_F(ProcessRun, RunsGoOnUntilTheMeanIsPreciseEnough) {
    auto const turn =
        build.sequence({build.delay(build.exponential(5)), build.use(server, build.exponential(1))});
    auto const main = build.copies(5, build.repeat(20, turn));
    EnsembleOptions options;
    options.cheap_operations = 0;
    options.relative_half_width = 0.003;
    auto const found = simulated(main, options);
    EXPECT_LE(found.mean.half_width(), 0.003 * found.moments.mean);
    EXPECT_GT(found.times.size(), 1000u);
    EXPECT_LT(found.times.size(), 10'000u);
    EXPECT_THAT(found.notes, testing::IsEmpty());
}

TEST_F(ProcessRun, AMeanThatStaysTooRoughIsSaid) {
    EnsembleOptions options = exactly(100);
    options.relative_half_width = 1e-4;
    auto const found = simulated(build.delay(build.exponential(1)), options);
    EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("100 runs are all that were allowed")));
}

TEST_F(ProcessRun, TheResultDoesNotDependOnTheThreads) {
    auto const turn =
        build.sequence({build.delay(build.exponential(5)), build.use(server, build.exponential(1))});
    auto const main = build.copies(5, build.repeat(200, turn));
    EnsembleOptions options;
    options.relative_half_width = 0.005;
    options.threads = 1;
    auto const one = simulated(main, options);
    options.threads = 5;
    auto const five = simulated(main, options);
    EXPECT_EQ(one.times, five.times);
    EXPECT_EQ(one.moments, five.moments);
    EXPECT_EQ(one.kurtosis.high, five.kurtosis.high);
    options.seed = 2;
    EXPECT_NE(simulated(main, options).times, five.times);
}

TEST_F(ProcessRun, QuantilesAreThoseOfTheSortedTimes) {
    Ensemble ensemble;
    ensemble.times = {1, 2, 4, 8, 16};
    EXPECT_EQ(ensemble.quantile(0), 1);
    EXPECT_EQ(ensemble.quantile(0.5), 4);
    EXPECT_EQ(ensemble.quantile(0.875), 12);
    EXPECT_EQ(ensemble.quantile(1), 16);
}

TEST_F(ProcessRun, ARunThatIsTooLongSaysWhatToSetSmaller) {
    auto const N = build.parameter("N");
    auto const turn =
        build.sequence({build.delay(build.exponential(10)), build.use(server, build.exponential(0.1))});
    auto const found = error(build.copies(1000, build.repeat(N, turn)), {}, {1e6});
    EXPECT_EQ(found.code, ErrorCode::out_of_range);
    EXPECT_THAT(found.message, testing::HasSubstr("a run would need 2,000,000,000 operations"));
    EXPECT_THAT(found.message, testing::HasSubstr("--set N=10000"));
}

// Laws

// A random model without resources, and the moments of its time by composition.
class RandomModel {
public:
    enum class Conditions : bool { absent, present };
    RandomModel(ProcessModelBuilder& build, std::uint64_t number, Conditions conditions)
        : build_(build), random_(1, number), conditions_(conditions) {}

    struct Timed {
        ProcessId process;
        Moments time;
    };

    Timed sum(int depth) {
        double const kind = random_.unit();
        if (depth == 0 || kind < 0.2)
            return leaf();
        if (kind < 0.5) {
            auto const one = sum(depth - 1), other = sum(depth - 1);
            return {build_.sequence({one.process, other.process}), one.time + other.time};
        }
        if (kind < 0.75 || conditions_ == Conditions::absent) {
            double const count = 1 + std::floor(60 * random_.unit());
            auto const body = sum(depth - 1);
            return {build_.repeat(count, body.process), repeated(deterministic(count), body.time)};
        }
        double const probability = random_.unit();
        auto const then = sum(depth - 1), otherwise = sum(depth - 1);
        return {build_.choice(probability, then.process, otherwise.process),
                mixture(probability, then.time, otherwise.time)};
    }

    Timed with_branches() {
        if (random_.unit() < 0.5) {
            double const count = 2 + std::floor(5 * random_.unit());
            auto const body = sum(1);
            return {build_.copies(count, body.process), stochastic::maximum_of(count, body.time)};
        }
        auto const one = sum(1), other = sum(1);
        return {build_.parallel({one.process, other.process}), stochastic::maximum(one.time, other.time)};
    }

private:
    Timed leaf() {
        double const kind = random_.unit();
        double const mean = 0.5 + 2 * random_.unit();
        if (kind < 0.2)
            return {build_.delay(mean), deterministic(mean)};
        if (kind < 0.6)
            return {build_.delay(build_.exponential(mean)), {mean, mean * mean, 2, 9}};
        return {build_.delay(build_.uniform(0, 2 * mean)), {mean, mean * mean / 3, 0, 1.8}};
    }

    ProcessModelBuilder& build_;
    RandomStream random_;
    Conditions conditions_;
};

class RandomModels : public ProcessRun, public testing::WithParamInterface<int> {};

TEST_P(RandomModels, OfSequencesLoopsAndConditionsHaveTheComposedMoments) {
    auto const [main, time] =
        RandomModel(build, static_cast<std::uint64_t>(GetParam()), RandomModel::Conditions::present).sum(4);
    auto const found = simulated(main, exactly(20'000));
    double const rounding = 1e-9 * time.mean;
    EXPECT_NEAR(found.moments.mean, time.mean, five_errors(found.mean) + rounding);
    EXPECT_NEAR(found.moments.variance, time.variance, five_errors(found.variance) + rounding);
}

// The maximum is taken of the laws that are fitted to the moments of sums: within a percent of that of the
// sums, in the mean, and within a quarter in the variance, as the fitted laws of bounded times are not
// bounded. Conditions, whose laws have gaps, are left out.
TEST_P(RandomModels, WithBranchesHaveNearlyTheComposedMoments) {
    auto const number = 1000 + static_cast<std::uint64_t>(GetParam());
    auto const [main, time] = RandomModel(build, number, RandomModel::Conditions::absent).with_branches();
    auto const found = simulated(main, exactly(20'000));
    EXPECT_NEAR(found.moments.mean, time.mean, five_errors(found.mean) + 0.01 * time.mean);
    EXPECT_NEAR(found.moments.variance, time.variance, five_errors(found.variance) + 0.25 * time.variance);
}

INSTANTIATE_TEST_SUITE_P(ProcessRun, RandomModels, testing::Range(0, 40));

// A model extracted from a recording had ten million operations a run: 32 of them took 53 s, and ten gave a
// mean that was as precise as asked for.
TEST_F(ProcessRun, LongRunsBeginWithFewerOfThem) {
    auto const turn = build.sequence({build.delay(build.exponential(1)), use(1)});
    auto const main = build.copies(10, build.repeat(100, turn));
    EnsembleOptions options;
    options.cheap_operations = 2000;  // as many as a run has: ten times as many are affordable
    options.relative_half_width = 0.1;
    auto const found = simulated(main, options);
    EXPECT_LT(found.times.size(), 32U);
    EXPECT_GE(found.times.size(), 8U);
    EXPECT_THAT(found.notes, testing::Contains(testing::HasSubstr("quantiles and higher moments are rough")));
    EXPECT_EQ(simulated(main, exactly(32)).times.size(), 32U) << "a number that was asked for";
}

}  // namespace

}  // namespace parcast::ensemble
