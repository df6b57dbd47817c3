// The worked trace of the events/threads model, 3 threads and T = 20, whose numbers were derived by hand
// (Marinescu, Rice and Vavalis 1990, sections 2.3, 2.5 and 3.3, as corrected); and what series are refused.

#include "study/signature.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/event_counts.h"
#include "analysis/event_times.h"
#include "answer/signature_sentences.h"
#include "forecast/thread_events.h"
#include "support/recording_builder.h"

namespace parcast::study {
namespace {

using analysis::EventProfileStep;
using analysis::EventTimes;
using extract::Recording;
using testing::HasSubstr;

// A unit of the trace, ns.
constexpr double unit = 1000;

std::int64_t ns(double units) {
    return static_cast<std::int64_t>(std::llround(units * unit));
}

// What a thread works before each of its calls, and what each transfers; a call right at the begin or the end
// is part of that event.
struct TracedCall {
    double work;
    EventKind kind;
    std::int64_t bytes;
};

Timeline recorded_trace() {
    using enum EventKind;
    std::array<std::vector<TracedCall>, 3> const calls{{
        {{2, output, 40}, {5, input, 24}, {7, output, 16}},
        {{0, input, 20}, {6, output, 24}, {4, input, 30}, {0.5, output, 8}},
        {{0, input, 20}, {4, output, 10}, {6, output, 30}, {3, output, 8}},
    }};
    Recording recording(3);
    for (std::size_t thread = 0; thread < calls.size(); ++thread) {
        double now = 0;
        recording.begin(thread, 0);
        for (auto const& call : calls[thread]) {
            now += call.work;
            recording.add(thread,
                          {.kind = call.kind, .at = ns(now), .cpu = ns(call.work), .value = call.bytes});
        }
        recording.end(thread, ns(now));
    }
    return recording.timeline();
}

struct TracedInterval {
    std::size_t thread;
    double begin;
    double end;
    char state;  // A: active, C: communicating, B: blocked until the write, T: by transport
};

constexpr std::array worked_trace = std::to_array<TracedInterval>({
    {0, 0, 2, 'A'},     {0, 2, 3, 'C'},     {0, 3, 8, 'A'},       {0, 8, 9, 'C'},     {0, 9, 11, 'B'},
    {0, 11, 12, 'C'},   {0, 12, 19, 'A'},   {0, 19, 20, 'C'},     {1, 3, 4, 'C'},     {1, 4, 10, 'A'},
    {1, 10, 11, 'C'},   {1, 11, 15, 'A'},   {1, 15, 16, 'C'},     {1, 16, 18, 'T'},   {1, 18, 18.5, 'C'},
    {1, 18.5, 19, 'A'}, {1, 19, 19.5, 'C'}, {2, 3, 3.5, 'C'},     {2, 3.5, 7.5, 'A'}, {2, 7.5, 8, 'C'},
    {2, 8, 14, 'A'},    {2, 14, 14.5, 'C'}, {2, 14.5, 17.5, 'A'}, {2, 17.5, 18, 'C'},
});

// Begins and ends of the threads.
constexpr std::array lives = std::to_array<std::array<double, 2>>({{0, 20}, {3, 19.5}, {3, 18}});

ThreadState state_of(char letter) {
    switch (letter) {
        case 'A': return ThreadState::running;
        case 'C': return ThreadState::communicating;
        case 'B': return ThreadState::blocked;
        default: return ThreadState::input_output;
    }
}

EventTimes times_of_trace(Catalogue const& catalogue) {
    EventTimes times(3, catalogue, Duration{ns(0.5)}, 64);
    for (auto const& each : worked_trace)
        times.add({.begin = {ns(each.begin)},
                   .end = {ns(each.end)},
                   .thread = ThreadId(each.thread),
                   .state = state_of(each.state)});
    return times;
}

RecordingSignature signature_of_trace() {
    auto const recorded = recorded_trace();
    auto const counts = analysis::count_events(recorded, Duration{1});
    auto const times = times_of_trace(recorded.catalogue);
    Accounts accounts;
    accounts.completion = {ns(20)};
    accounts.threads.resize(3);
    for (auto const& each : worked_trace)
        accounts.threads[each.thread][state_of(each.state)] += Duration{ns(each.end - each.begin)};
    for (std::size_t thread = 0; thread < 3; ++thread) {
        accounts.threads[thread].created = {ns(lives[thread][0])};
        accounts.threads[thread].ended = {ns(lives[thread][1])};
    }
    RecordingSignature signature;
    signature.file = "trace.3.parcast";
    signature.command = {"trace"};
    forecast::add_run(signature, counts, times, accounts, recorded.catalogue);
    return signature;
}

// The same computation with one thread, if no work is added.
RecordingSignature one_thread_of_trace() {
    RecordingSignature one;
    one.file = "trace.1.parcast";
    one.command = {"trace"};
    one.threads = 1;
    one.events = 2;
    one.time_ns = one.work_ns = one.active_ns = 37.5 * unit;
    ThreadSignature row;
    row.events = 2;
    row.active_ns = one.active_ns;
    one.rows = {row};
    return one;
}

RecordingSignature analysed_trace() {
    auto const answer = signature_of_series({signature_of_trace(), one_thread_of_trace()}, {});
    return answer->recordings.back();
}

TEST(WorkedTrace, HasItsEventsWorkAndDataThreadByThread) {
    struct Expected {
        std::int64_t kappa;
        double alpha, beta, gamma, eta, communicating, blocked, data, data_of_event;
    };
    std::array const expected{
        Expected{4, 4.66666667, 1.5, 0.321428571, 0.7, 4, 2, 80, 20},
        Expected{4, 3.5, 2.375, 0.678571429, 0.525, 4, 5.5, 82, 20.5},
        Expected{4, 4.33333333, 1.75, 0.403846154, 0.65, 2, 5, 68, 17},
    };
    auto const signature = signature_of_trace();
    ASSERT_EQ(signature.rows.size(), 3U);
    for (std::size_t thread = 0; thread < 3; ++thread) {
        SCOPED_TRACE(thread + 1);
        auto const& row = signature.rows[thread];
        auto const& right = expected[thread];
        auto const blocked = row.algorithmic_ns + row.other_blocking_ns + row.outside_ns;
        EXPECT_EQ(row.events, right.kappa);
        EXPECT_NEAR(row.alpha_ns() / unit, right.alpha, 1e-8);
        EXPECT_NEAR(row.beta_ns() / unit, right.beta, 1e-8);
        EXPECT_NEAR(row.beta_ns() / row.alpha_ns(), right.gamma, 1e-9);
        EXPECT_NEAR(row.active_ns / signature.time_ns, right.eta, 1e-9);
        EXPECT_NEAR(row.communicating_ns / unit, right.communicating, 1e-9);
        EXPECT_NEAR(blocked / unit, right.blocked, 1e-9);
        EXPECT_DOUBLE_EQ(row.data_bytes, right.data);
        EXPECT_DOUBLE_EQ(row.data_bytes / static_cast<double>(row.events), right.data_of_event);
    }
    EXPECT_NEAR(signature.rows[0].algorithmic_ns / unit, 2, 1e-9) << "read issued at 8, written at 10";
    EXPECT_NEAR(signature.rows[1].algorithmic_ns / unit, 0, 1e-9) << "read issued at 15, written at 14";
    EXPECT_NEAR(signature.rows[1].other_blocking_ns / unit, 2, 1e-9) << "transport";
}

TEST(WorkedTrace, HasTheMeansOfTheComputation) {
    auto const trace = analysed_trace();
    EXPECT_EQ(trace.threads, 3U);
    EXPECT_EQ(trace.events, 12);
    EXPECT_DOUBLE_EQ(trace.means.events.mean, 4);
    EXPECT_NEAR(trace.means.alpha_ns.mean / unit, 4.16666667, 1e-8);
    EXPECT_NEAR(trace.means.beta_ns.mean / unit, 1.875, 1e-9);
    EXPECT_NEAR(*trace.gamma, 0.45, 1e-9);
    EXPECT_NEAR(trace.eta, 0.625, 1e-9) << "(3.37)";
    EXPECT_NEAR(*trace.approximate_eta, 0.689655172, 1e-9);
    EXPECT_NEAR(trace.formula_time_ns / unit, 20, 1e-9) << "(3.38)";
    EXPECT_NEAR(*trace.speed_up_bound, 1.875, 1e-9) << "(3.39)";
    EXPECT_NEAR(trace.active_ns / unit, 37.5, 1e-9);
    EXPECT_NEAR((trace.work_ns - trace.active_ns) / unit, 10, 1e-9);
    EXPECT_NEAR(trace.nu, 2.375, 1e-9);
    EXPECT_NEAR(trace.nu_active, 1.875, 1e-9);
    EXPECT_NEAR(*trace.a, 0.791666667, 1e-9);
    EXPECT_NEAR(*trace.b, 0.422222222, 1e-9);
    EXPECT_NEAR(trace.imbalance, 0.12, 1e-9);
}

// Student's t of 2 degrees of freedom: 4.302653.
TEST(WorkedTrace, HasIntervalsOverItsThreads) {
    auto const means = analysed_trace().means;
    EXPECT_DOUBLE_EQ(*means.events.ci95, 0);
    // 80, 82, 68: deviation sqrt(172 / 3).
    EXPECT_NEAR(*means.data_bytes.ci95, 4.302653 * std::sqrt(172.0 / 3 / 3), 1e-5);
    EXPECT_DOUBLE_EQ(means.data_bytes.least, 68);
    EXPECT_DOUBLE_EQ(means.data_bytes.most, 82);
    // As many events each: 20, 20.5, 17.
    EXPECT_NEAR(*means.event_bytes.ci95, *means.data_bytes.ci95 / 4, 1e-9);
    EXPECT_NEAR(means.beta_ns.least / unit, 1.5, 1e-9);
    EXPECT_NEAR(means.beta_ns.most / unit, 2.375, 1e-9);
}

TEST(WorkedTrace, ItsSpeedUpIsTheMeanNumberOfActiveThreads) {
    auto const trace = analysed_trace();
    EXPECT_NEAR(*trace.speed_up, 1.875, 1e-9) << "T(1) / T(P)";
    EXPECT_NEAR(*trace.speed_up, trace.nu_active, 1e-9) << "(2.26), as no work is added";
    EXPECT_NEAR(*trace.a / *trace.b, *trace.speed_up, 1e-9) << "(2.32)";
}

TEST(WorkedTrace, HasItsProfile) {
    struct Expected {
        double from, to;
        int active, communicating;
    };
    std::array const expected = std::to_array<Expected>({
        {0, 2, 1, 0},     {2, 3, 0, 1},     {3, 3.5, 1, 2},   {3.5, 4, 2, 1},   {4, 7.5, 3, 0},
        {7.5, 8, 2, 1},   {8, 9, 2, 1},     {9, 10, 2, 0},    {10, 11, 1, 1},   {11, 12, 2, 1},
        {12, 14, 3, 0},   {14, 14.5, 2, 1}, {14.5, 15, 3, 0}, {15, 16, 2, 1},   {16, 17.5, 2, 0},
        {17.5, 18, 1, 1}, {18, 18.5, 1, 1}, {18.5, 19, 2, 0}, {19, 19.5, 0, 2}, {19.5, 20, 0, 1},
    });
    auto const signature = signature_of_trace();
    ASSERT_EQ(signature.profile.size(), 40U) << "steps of a half";
    double active = 0;
    double communicating = 0;
    for (auto const& right : expected)
        for (auto at = right.from; at < right.to; at += 0.5) {
            auto const& step = signature.profile[static_cast<std::size_t>(2 * at)];
            EXPECT_NEAR(step.active, right.active, 1e-9) << at;
            EXPECT_NEAR(step.communicating, right.communicating, 1e-9) << at;
            EXPECT_NEAR(step.blocked, 3 - right.active - right.communicating, 1e-9) << at;
            active += 0.5 * step.active;
            communicating += 0.5 * step.communicating;
        }
    EXPECT_NEAR(active, 37.5, 1e-9);
    EXPECT_NEAR(communicating, 10, 1e-9);
}

// One thread does all the work of P equal ones; each event adds `theta` to it.
RecordingSignature ideal_run(std::uint32_t threads, double events_of_thread, double theta) {
    RecordingSignature run;
    run.file = "solver." + std::to_string(threads) + ".parcast";
    run.command = {"/bin/solver"};
    run.threads = threads;
    run.events = static_cast<std::int64_t>(events_of_thread * threads);
    run.active_ns = 1e9;
    run.work_ns = run.active_ns + theta * static_cast<double>(run.events);
    run.time_ns = run.work_ns / threads;
    for (std::uint32_t i = 0; i < threads; ++i) {
        ThreadSignature row;
        row.thread = ThreadId(i);
        row.name = "thread " + std::to_string(i);
        row.events = static_cast<std::int64_t>(events_of_thread);
        row.active_ns = run.active_ns / threads;
        row.communicating_ns = (run.work_ns - run.active_ns) / threads;
        run.rows.push_back(row);
    }
    SignaturePlace exchange{"condition mailbox", "condition wait", "exchange", "jacobi.cpp", 91, run.events};
    run.places = {exchange};
    return run;
}

std::vector<RecordingSignature> ideal_series(double theta) {
    std::vector<RecordingSignature> runs;
    for (std::uint32_t const threads : {1U, 2U, 4U, 8U, 16U})
        runs.push_back(ideal_run(threads, 100.0 * threads, theta));  // E = 100 P^2
    return runs;
}

TEST(Series, FindsThePlantedCharacteristicAndItsCost) {
    auto const answer = signature_of_series(ideal_series(1000), {});
    ASSERT_TRUE(answer);
    ASSERT_TRUE(answer->g);
    EXPECT_EQ(answer->g->word, "quadratic");
    EXPECT_NEAR(*answer->g->exponent, 2, 0.01);
    EXPECT_NEAR(answer->theta->ns, 1000, 1e-3);
    EXPECT_EQ(answer->theta->source, ThetaSource::series);
    EXPECT_EQ(answer->g->growth, "P^2.00");
    EXPECT_NEAR(*answer->machine_theta_ns, 1000, 1e-3);
    ASSERT_TRUE(answer->outlook);
    // alpha / 100 for g / 100: P_smax = sqrt(W(1) / (100 theta)).
    EXPECT_NEAR(*answer->outlook->p_smax, 100, 1);
    for (auto const& recording : answer->recordings) {
        EXPECT_NEAR(*recording.theorem / *recording.speed_up, 1, 1e-3) << "nobody is blocked";
        EXPECT_NEAR(recording.algorithmic_work_ns / recording.work_ns, 0, 1e-6);
    }
    ASSERT_EQ(answer->causes.size(), 1U);
    EXPECT_DOUBLE_EQ(answer->causes[0].growth_share, 1);
    EXPECT_NEAR(*answer->causes[0].exponent, 2, 0.01);
}

TEST(Series, ReadsTheNumberOfThreadsFromNamesIfAsked) {
    auto runs = ideal_series(1000);
    for (auto& run : runs)
        run.threads += 1;
    auto const answer = signature_of_series(runs, {.threads_from_names = true});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->recordings.front().threads, 1U);
    EXPECT_EQ(answer->recordings.back().threads, 16U);
}

// As ideal_run, and an initial thread that prepares the data alone, a quarter of the work, and creates the
// workers: P + 1 threads work.
RecordingSignature run_with_initial_thread(std::uint32_t workers) {
    auto run = ideal_run(workers, 300, 0);
    run.threads = workers + 1;
    auto const prepared = run.active_ns / 3;
    ThreadSignature initial;
    initial.thread = ThreadId(0);
    initial.name = "thread 0 (main)";
    initial.events = 2 + 2 * std::int64_t{workers};
    initial.active_ns = prepared;
    for (auto& row : run.rows)
        row.thread = ThreadId(row.thread.value + 1);
    run.rows.insert(run.rows.begin(), initial);
    run.events += initial.events;
    run.active_ns += prepared;
    run.work_ns += prepared;
    run.time_ns += prepared;
    return run;
}

std::vector<RecordingSignature> series_with_initial_thread() {
    std::vector<RecordingSignature> runs;
    for (std::uint32_t const workers : {1U, 2U, 4U, 8U})
        runs.push_back(run_with_initial_thread(workers));
    return runs;
}

// P was 8 and the means were those of 9 threads: P eta lay below the speed-up, and a above 1.
TEST(Series, NamedThreadsWereFewerThanThoseOfTheMeans) {
    auto const answer = signature_of_series(series_with_initial_thread(), {.threads_from_names = true});
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->is_number_of_threads);
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("is none of the P threads")));
    for (auto const& run : answer->recordings) {
        SCOPED_TRACE(run.threads);
        EXPECT_FALSE(run.rows.front().is_counted);
        EXPECT_DOUBLE_EQ(run.means.events.mean, 300) << "of the P workers";
        EXPECT_LE(*run.a, 1);
        EXPECT_NEAR(*run.a / *run.b, *run.speed_up, 1e-9);
        EXPECT_NEAR(*run.speed_up_bound, *run.speed_up, 1e-9) << "no work is added";
    }
}

TEST(Series, ANumberInNamesThatIsNoNumberOfThreadsWithholdsWhatTakesItForOne) {
    auto runs = series_with_initial_thread();
    for (auto& run : runs) {
        auto const workers = run.rows;
        for (auto const& row : workers)
            run.rows.push_back(row);  // as many again
    }
    auto const answer = signature_of_series(runs, {.threads_from_names = true});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->is_number_of_threads);
    EXPECT_TRUE(answer->g) << "events still grow with it";
    EXPECT_FALSE(answer->alpha);
    EXPECT_FALSE(answer->other_laws);
    for (auto const& run : answer->recordings) {
        EXPECT_TRUE(run.speed_up);
        EXPECT_FALSE(run.a || run.b || run.speed_up_bound || run.theorem);
    }
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("4, 6, 10, 18 threads work")));
}

// The interval of the mean of 18 events beside eight times 300 was wider than the mean, and nothing was said.
TEST(Series, AnInitialThreadWasPooledWithItsWorkers) {
    auto const answer = signature_of_series(series_with_initial_thread(), {});
    ASSERT_TRUE(answer);
    ASSERT_TRUE(answer->initial);
    EXPECT_EQ(answer->initial->events, 18);
    EXPECT_DOUBLE_EQ(answer->initial->events_of_others, 300);
    auto const& last = answer->recordings.back();
    EXPECT_EQ(last.threads, 9U) << "it is one of P";
    EXPECT_DOUBLE_EQ(last.means.events.mean, 300);
    EXPECT_DOUBLE_EQ(*last.means.events.ci95, 0);
    EXPECT_DOUBLE_EQ(last.imbalance, 0);
    EXPECT_THAT(signature_verdict(*answer),
                testing::Contains(HasSubstr("thread 0 (main) has 18 events and is active for 333 ms")));
}

// A solver whose initial thread works as the others do, and cuts the domain before: with two threads the
// means were those of one.
TEST(Series, AnInitialThreadThatWorksAndPreparesWasLeftOut) {
    auto runs = ideal_series(1000);
    for (auto& run : runs)
        run.rows.front().active_ns *= 4;
    EXPECT_FALSE(signature_of_series(runs, {})->initial);
}

TEST(Series, AnInitialThreadThatDoesAsTheOthersStaysInTheMeans) {
    auto const answer = signature_of_series(ideal_series(1000), {});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->initial);
    EXPECT_TRUE(answer->recordings.back().rows.front().is_in_means);
}

// Work that is noise: the table had the slope of the series, and alpha the costs of the machine.
TEST(Series, TheTableOfTheWorkHadAnotherThetaThanAlpha) {
    auto runs = ideal_series(1000);
    std::array const noise{0.0, 4e9, -3e9, 5e9, -4e9};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        runs[i].active_ns += 6e9 + noise[i];
        runs[i].work_ns += 6e9 + noise[i];
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    ASSERT_TRUE(answer->theta);
    EXPECT_EQ(answer->theta->source, ThetaSource::machine);
    EXPECT_NEAR(answer->theta->ns, 1000, 1e-3);
    EXPECT_LE(answer->series_theta_95->low, 0);
    EXPECT_NEAR(*answer->alpha, answer->work_of_one->ns / answer->theta->ns, 1e-9);
    EXPECT_EQ(answer->work_of_one->meaning, "the work with P = 1");
    for (auto const& run : answer->recordings)
        EXPECT_NEAR(run.event_cost_ns, answer->theta->ns * static_cast<double>(run.events), 1e-3);
    EXPECT_LT(answer->recordings[2].algorithmic_work_ns, 0);
    EXPECT_LT(-answer->recordings[2].algorithmic_work_ns, *answer->work_noise_ns) << "which is noise";
}

// 10 P - 5 events: linear, and the power that is nearest is P^1.2.
TEST(Series, TheCauseOfALinearGrowthGrewAsAPower) {
    auto runs = ideal_series(1e6);
    for (auto& run : runs) {
        run.events = 10 * std::int64_t{run.threads} - 5;
        run.places.front().events = run.events;
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->causes.size(), 1U);
    EXPECT_EQ(answer->causes[0].growth, "linear");
    EXPECT_EQ(answer->objects[0].growth, "linear");
    EXPECT_THAT(signature_verdict(*answer), testing::Contains(HasSubstr("jacobi.cpp:91), linear in P.")));
}

TEST(Series, ItsCommandHasAPlaceholderWhereRunsDiffer) {
    auto runs = ideal_series(1000);
    for (auto& run : runs)
        run.command = {"/bin/solver", std::to_string(run.threads), "160",
                       "out." + std::to_string(run.threads)};
    EXPECT_THAT(signature_of_series(runs, {})->command,
                testing::ElementsAre("/bin/solver", "{cpus}", "160", "out.{cpus}"));
    runs[2].command[2] = "161";
    EXPECT_EQ(signature_of_series(runs, {})->command[2], "...");
}

// "next: parcast record -o e/prog.1.parcast -- ./prog 1 0.0 ...", which nobody can run.
TEST(Series, ARunThatIsMissingIsAskedForInWordsWhereArgumentsDiffer) {
    auto runs = ideal_series(1000);
    runs.erase(runs.begin());
    for (auto& run : runs)
        run.command = {"/bin/solver", std::to_string(run.threads), "160"};
    auto const asks = HasSubstr("Record the program with one thread, too, and with the arguments");
    EXPECT_THAT(signature_of_series(runs, {})->notes, testing::Not(testing::Contains(asks)));
    runs[1].command[2] = "161";
    EXPECT_THAT(signature_of_series(runs, {})->notes, testing::Contains(asks));
}

TEST(Series, ThatIsNotFasterWithMoreThreadsSaysSoFirst) {
    auto runs = ideal_series(0);
    for (auto& run : runs)
        run.time_ns = 1e9;
    auto const verdict = signature_verdict(*signature_of_series(runs, {}));
    EXPECT_THAT(verdict.front(), HasSubstr("solver does not scale: with 1 thread"));
    EXPECT_THAT(verdict[1], HasSubstr("By its events alone it is quadratic"));
    EXPECT_THAT(signature_verdict(*signature_of_series(ideal_series(0), {})).front(),
                HasSubstr("solver is "));
}

// Without a run of one thread nothing was said, though 16 threads were slower than 8.
TEST(Series, TheBestNumberOfThreadsNeedsNoRunOfOne) {
    auto runs = ideal_series(0);
    runs.erase(runs.begin());
    runs.back().time_ns = 2 * runs[2].time_ns;
    EXPECT_THAT(
        signature_verdict(*signature_of_series(runs, {})),
        testing::Contains(HasSubstr("that was recorded is 8: it takes 125 ms, against 250 ms with 16")));
}

// Each event adds 5 us to what threads are active for, so that E = 100 P^2 events add 0.5 P^2 ms to the
// second of work. By hand: W(P) = 1 s + 0.5 ms P^2, all threads always active, T = W/P, S = W(1)/T(P) with
// W(1) = 1 s the work where the line of W over E meets no events. With 128 threads S = 128 / 9.192 = 13.925;
// the mean number of active threads is 128, and was the speed-up.
TEST(Series, WithoutARunOfOneThreadAddedWorkWasSpeedUp) {
    std::vector<RecordingSignature> runs;
    for (std::uint32_t const threads : {2U, 8U, 32U, 128U}) {
        auto run = ideal_run(threads, 100.0 * threads, 5e3);
        run.active_ns = run.work_ns;
        runs.push_back(run);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer && answer->work_of_one && answer->alpha);
    EXPECT_NEAR(answer->work_of_one->ns, 1e9, 1);
    EXPECT_NEAR(*answer->alpha, 2e5, 1e-2);
    for (auto const& run : answer->recordings) {
        SCOPED_TRACE(run.threads);
        double const work = 1 + 0.0005 * run.threads * run.threads;
        EXPECT_NEAR(*run.speed_up, run.threads / work, 1e-6);
        EXPECT_NEAR(*run.b, work / run.threads, 1e-6);
        EXPECT_NEAR(*run.a, 1, 1e-9);
        EXPECT_NEAR(*run.theorem / *run.speed_up, 1, 1e-3) << "nobody is blocked";
        EXPECT_NEAR(run.nu_active, run.threads, 1e-6);
    }
    EXPECT_NEAR(*answer->recordings.back().speed_up, 13.925, 1e-3);
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("speed-ups are W(1)/T(P)")));
}

// The last of the runs was contended, so that W(1) was 62 ms, far below each work of 170 ms and more, and
// S(2)
// below 1.
TEST(Series, WithoutARunOfOneThreadTheLongestRunDecidedTheWorkOfOne) {
    std::vector<RecordingSignature> runs;
    std::array const work_ns{170e6, 174e6, 172e6, 179e6, 193e6, 7230e6};
    std::array const threads{2U, 4U, 8U, 16U, 32U, 128U};
    for (std::size_t i = 0; i < work_ns.size(); ++i) {
        auto run = ideal_run(threads[i], 80.0 * threads[i], 0);
        run.work_ns = work_ns[i];
        run.active_ns = std::min(work_ns[i], 240e6);
        run.time_ns = run.work_ns / threads[i];
        runs.push_back(run);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer && answer->work_of_one && answer->theta);
    EXPECT_EQ(answer->theta->source, ThetaSource::series);
    EXPECT_NEAR(answer->work_of_one->ns, 170e6, 4e6);
    EXPECT_EQ(answer->work_of_one->meaning, "the work with P = 2 without its events");
    EXPECT_NEAR(*answer->recordings.front().speed_up, 2, 0.05);
}

TEST(Series, SaysWhereTheWorkOfOneThreadIsNotKnown) {
    std::vector<RecordingSignature> runs;
    std::array const noise{1.1, 1.0, 1.0};
    for (std::size_t i = 0; i < noise.size(); ++i) {
        auto const threads = 64U << i;
        auto run = ideal_run(threads, 100.0 * threads, 5e3);  // events: 2 s beside 1 s, and more
        run.work_ns *= noise[i];
        run.active_ns = 1e9;
        runs.push_back(run);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer && answer->theta);
    EXPECT_FALSE(answer->work_of_one || answer->alpha || answer->recordings.back().speed_up);
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("do not say what its work W(1) is")));
}

// It prepares a fiftieth of the work alone, so that 1, 2, 4, 8 workers were P = 2, 3, 5, 9.
TEST(Series, AnInitialThreadThatWorksALittleWasOneOfP) {
    auto runs = series_with_initial_thread();
    for (auto& run : runs) {
        auto const less = run.rows.front().active_ns - 2e7;
        run.rows.front().active_ns = 2e7;
        run.active_ns -= less;
        run.work_ns -= less;
        run.time_ns -= less;
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(answer->recordings[i].threads, 1U << i);
        EXPECT_DOUBLE_EQ(answer->recordings[i].means.events.mean, 300);
    }
    EXPECT_TRUE(answer->has_one_thread);
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("is none of the P threads")));
}

// It does `share` of the work beside its workers while they run, and creates them: 0.3 ms each.
std::vector<RecordingSignature> series_with_busy_initial_thread(double share,
                                                                std::vector<std::uint32_t> const& workers) {
    std::vector<RecordingSignature> runs;
    for (auto const count : workers) {
        auto run = ideal_run(count, 42, 0);
        for (auto& row : run.rows)
            row.thread = ThreadId(row.thread.value + 1);
        ThreadSignature initial;
        initial.thread = ThreadId(0);
        initial.name = "thread 0 (main)";
        initial.events = 2 + 2 * std::int64_t{count};
        initial.active_ns = share * 1e9 + 3e5 * count;
        run.rows.insert(run.rows.begin(), initial);
        run.events += initial.events;
        run.active_ns += initial.active_ns;
        run.work_ns += initial.active_ns;
        run.time_ns += 1e5;
        // As the rule of a hundredth of the mean work counts them.
        auto& first = run.rows.front();
        first.is_counted = first.active_ns * 100 * (count + 1) >= run.active_ns;
        run.threads = count + (first.is_counted ? 1 : 0);
        runs.push_back(run);
    }
    return runs;
}

// Half a hundredth to a tenth of the work: 1, 2, 4, 8 workers were P = 2, 3, 5, 9, or 1, 3, 5, 9.
TEST(Series, AnInitialThreadThatWorksWhileOthersDoWasOneOfP) {
    for (double const share : {0.002, 0.005, 0.006, 0.01, 0.02, 0.04, 0.08}) {
        SCOPED_TRACE(share);
        for (bool const from_names : {false, true}) {
            auto const answer = signature_of_series(series_with_busy_initial_thread(share, {1, 2, 4, 8}),
                                                    {.threads_from_names = from_names});
            ASSERT_TRUE(answer);
            EXPECT_TRUE(answer->is_number_of_threads);
            for (std::size_t i = 0; i < 4; ++i)
                EXPECT_EQ(answer->recordings[i].threads, 1U << i);
            EXPECT_TRUE(answer->has_one_thread);
            for (auto const& run : answer->recordings)
                EXPECT_LE(*run.a, 1 + share + 0.01);
        }
    }
}

// To create 512 threads is a seventh of their second of work: P was 1, 3, 5 to 513.
TEST(Series, AnInitialThreadThatCreatesManyThreadsWasOneOfP) {
    auto const answer =
        signature_of_series(series_with_busy_initial_thread(0.001, {1, 2, 4, 8, 64, 512}), {});
    ASSERT_TRUE(answer);
    EXPECT_GT(answer->recordings.back().rows.front().active_ns, 0.1 * answer->recordings.back().active_ns);
    EXPECT_EQ(answer->recordings.back().threads, 512U);
    EXPECT_EQ(answer->recordings[1].threads, 2U);
}

TEST(Series, AnInitialThreadThatDoesAThirdOfWhatAWorkerDoesIsOneOfP) {
    auto const answer = signature_of_series(series_with_busy_initial_thread(0.33, {1, 2, 4, 8}), {});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->recordings.front().threads, 2U);
    EXPECT_EQ(answer->recordings.back().threads, 9U);
}

// Each run has its own objects at one line, whose names differ: the line was many causes of little growth.
TEST(Series, APlaceWithManyObjectsWasManyCauses) {
    auto runs = ideal_series(1000);
    for (auto& run : runs) {
        auto const place = run.places.front();
        run.places.assign(2, place);
        for (auto& half : run.places)
            half.events /= 2;
        run.places[0].object = "mutex " + std::to_string(run.threads);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    ASSERT_EQ(answer->causes.size(), 1U);
    EXPECT_DOUBLE_EQ(answer->causes[0].growth_share, 1);
    EXPECT_EQ(answer->causes[0].place.object, "");
    EXPECT_NEAR(*answer->causes[0].exponent, 2, 0.01);
}

TEST(Series, OtherArgumentsThanTheNumberOfThreadsAreReported) {
    auto runs = ideal_series(1000);
    for (auto& run : runs)
        run.command = {"/bin/solver", std::to_string(run.threads), "100"};
    auto const differ = testing::Contains(HasSubstr("differ in other arguments"));
    EXPECT_THAT(signature_of_series(runs, {})->notes, testing::Not(differ));
    for (auto& run : runs)
        run.file = "run.parcast";  // no number in its name
    EXPECT_THAT(signature_of_series(runs, {})->notes, testing::Not(differ));
    runs[2].command[2] = "200";
    EXPECT_THAT(signature_of_series(runs, {})->notes, differ);
}

// Amdahl alone had a sentence about its assumption.
TEST(Series, EveryLawThatDiffersSaysWhichAssumptionDoes) {
    auto runs = ideal_series(0);
    std::array const speed_ups{1.0, 1.9, 3.5, 5.5, 4.0};
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i].time_ns = 1e9 / speed_ups[i];
    auto const verdict = signature_verdict(*signature_of_series(runs, {}));
    EXPECT_THAT(verdict,
                testing::Contains(testing::AllOf(
                    HasSubstr("Amdahl's law (serial share"), HasSubstr("it knows no events"),
                    HasSubstr("Gustafson's law (serial share"), HasSubstr("it takes work that grows"))));
}

TEST(Series, OfWorkThatGrowsWithItsThreadsIsAScaledExecution) {
    std::vector<RecordingSignature> runs;
    for (std::uint32_t const threads : {1U, 2U, 4U, 8U}) {
        auto run = ideal_run(threads, 50, 100);
        run.active_ns *= threads;
        run.work_ns = run.active_ns + 100.0 * static_cast<double>(run.events);
        run.time_ns = run.work_ns / threads;
        runs.push_back(run);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->is_scaled);
    EXPECT_NEAR(*answer->recordings.back().speed_up, 8, 0.01);
    EXPECT_NEAR(answer->theta->ns, 100, 1e-6) << "of the calls, not of the work between them";
    EXPECT_EQ(answer->theta->source, ThetaSource::machine);
    EXPECT_TRUE(answer->scaled);
    EXPECT_FALSE(answer->outlook);
}

// A solver with broadcasts, whose events add 2 us of work each: P^0.637 in one series was a scaled execution,
// with S(128) = 2.32, P^0.577 in the next was none, with 0.206. Active work in ms; of the third not P = 2, 4.
TEST(Series, WorkThatEventsAddWasAScaledExecutionByNoise) {
    std::array const series = std::to_array<std::vector<double>>({
        {49.06, 63.52, 58.63, 72.60, 103.37, 230.97, 694.05},
        {58.83, 51.74, 48.92, 63.01, 110.08, 238.96, 648.18},
        {0, 0, 58.63, 72.60, 103.37, 230.97, 694.05},
        {49.74, 49.34, 53.62, 64.55, 94.71, 220.72, 721.82},
    });
    for (auto const& active_ms : series) {
        SCOPED_TRACE(active_ms.front());
        std::vector<RecordingSignature> runs;
        for (std::size_t i = 0; i < active_ms.size(); ++i)
            if (active_ms[i] > 0) {
                auto const threads = 2U << i;
                auto run = ideal_run(threads, 20.0 * threads - 15, 0);
                run.active_ns = run.work_ns = active_ms[i] * 1e6;
                run.time_ns = run.work_ns / threads;
                runs.push_back(run);
            }
        auto const answer = signature_of_series(runs, {});
        ASSERT_TRUE(answer && answer->work_of_one);
        EXPECT_FALSE(answer->is_scaled || answer->is_growth_unclear);
        EXPECT_EQ(answer->theta->source, ThetaSource::series);
        EXPECT_NEAR(answer->work_of_one->ns, 54e6, 8e6);
    }
}

TEST(Series, WorkThatThreadsOrEventsMayBringHasNoSpeedUp) {
    std::vector<RecordingSignature> runs;
    for (std::uint32_t const threads : {4U, 8U, 16U, 32U}) {
        auto run = ideal_run(threads, 50, 100);
        run.active_ns *= std::pow(threads, 0.65);
        run.work_ns = run.active_ns + 100.0 * static_cast<double>(run.events);
        run.time_ns = run.work_ns / threads;
        runs.push_back(run);
    }
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->is_growth_unclear);
    EXPECT_FALSE(answer->is_scaled || answer->work_of_one || answer->recordings.back().speed_up);
    EXPECT_EQ(answer->theta->source, ThetaSource::machine);
    EXPECT_THAT(signature_verdict(*answer),
                testing::Contains(HasSubstr("as P^0.650, and these recordings do not say why")));
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("why the work grows")));
}

// A run that sleeps was "above its bound", for its time is longer than its work.
TEST(Series, OneThreadThatWaitsWasAboveItsBound) {
    auto run = ideal_run(1, 10, 0);
    run.time_ns = 2 * run.active_ns;
    auto const answer = signature_of_series({run}, {});
    ASSERT_TRUE(answer);
    EXPECT_THAT(answer->notes, testing::Not(testing::Contains(HasSubstr("above their bound"))));
}

TEST(Series, SaysWhySpeedUpsAreAboveTheirBound) {
    auto runs = ideal_series(0);
    runs.back().active_ns /= 2;  // caches
    runs.back().work_ns /= 2;
    runs.back().time_ns /= 2;
    EXPECT_THAT(signature_of_series(runs, {})->notes,
                testing::Contains(
                    HasSubstr("with P = 16 the threads are active for 500 ms in all, less than the 1.00 s")));
}

// The slope through two points was taken for sure, and said to contain costs that were more than itself.
TEST(Series, TwoRecordingsHadAThetaOfTheirOwn) {
    auto runs = ideal_series(1000);
    runs.resize(2);
    runs[1].work_ns -= 1e5;  // noise
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer && answer->theta);
    EXPECT_EQ(answer->theta->source, ThetaSource::machine);
    EXPECT_THAT(signature_verdict(*answer), testing::Contains(HasSubstr("Two recordings say too little")));
}

TEST(Series, OfTwoNumbersOfThreadsHasNoCharacteristicFunction) {
    auto runs = ideal_series(1000);
    runs.resize(2);
    auto const answer = signature_of_series(runs, {});
    ASSERT_TRUE(answer);
    EXPECT_FALSE(answer->g);
    EXPECT_THAT(answer->notes, testing::Contains(HasSubstr("it takes three")));
}

TEST(Series, RefusesWhatDoesNotBelongTogetherAndNamesIt) {
    auto twice = ideal_series(1000);
    twice.push_back(twice[1]);
    twice.back().file = "other.parcast";
    EXPECT_THAT(signature_of_series(twice, {}).error().message,
                testing::AllOf(HasSubstr("solver.2.parcast"), HasSubstr("other.parcast"), HasSubstr("both")));

    auto mixed = ideal_series(1000);
    mixed[2].command = {"sorter"};
    EXPECT_THAT(signature_of_series(mixed, {}).error().message,
                testing::AllOf(HasSubstr("solver"), HasSubstr("sorter")));

    auto failed = ideal_series(1000);
    failed[3].findings = {{.kind = FindingKind::exit_status, .message = "status 1"}};
    EXPECT_THAT(signature_of_series(failed, {}).error().message, HasSubstr("solver.8.parcast"));

    auto nameless = ideal_series(1000);
    nameless[0].file = "solver.parcast";
    EXPECT_THAT(signature_of_series(nameless, {.threads_from_names = true}).error().message,
                HasSubstr("solver.parcast"));
}

TEST(Series, IsComparedByItsNumbersOfEvents) {
    auto const naive = ideal_series(1000);
    std::vector<RecordingSignature> tree;
    for (std::uint32_t const threads : {1U, 2U, 4U, 8U, 16U})
        tree.push_back(ideal_run(threads, 500, 1000));  // E = 500 P
    auto answer = *signature_of_series(naive, {});
    compare_with(answer, *signature_of_series(tree, {}), "tree");
    ASSERT_TRUE(answer.comparison);
    ASSERT_EQ(answer.comparison->fewer.size(), 1U);
    EXPECT_DOUBLE_EQ(answer.comparison->fewer[0].from, 1);
    EXPECT_NEAR(*answer.comparison->fewer[0].to, 4.5, 0.6) << "100 P^2 < 500 P";
    // "to 1024" was where nobody looked further.
    ASSERT_EQ(answer.comparison->more.size(), 1U);
    EXPECT_FALSE(answer.comparison->more[0].to);
    EXPECT_EQ(answer.comparison->looked_up_to, 1024U);
    EXPECT_EQ(answer.comparison->counted_up_to, 16U);
    answer.comparison->program = "sorter";
    auto const said = signature_verdict(answer).back();
    EXPECT_THAT(said, HasSubstr("fewer events for P = 1 to 4, more for P = 6 on"));
    EXPECT_THAT(said, HasSubstr("beyond 1,024 nobody looked"));
    EXPECT_THAT(said, HasSubstr("two programs, solver and sorter"));
}

}  // namespace
}  // namespace parcast::study
