#include "report/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/names.h"
#include "report/sentences/sentences.h"

namespace parcast::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::int64_t second = 1'000'000'000;

Catalogue small_catalogue() {
    Catalogue catalogue;
    catalogue.threads.resize(2);
    catalogue.threads[0].function = "main";
    catalogue.threads[1].function = "compress";
    catalogue.sites.push_back(Site{0x10, 0x10, "/usr/bin/tool", {{"push", "/src/queue.h", 41}}});
    catalogue.objects.push_back(Object{ObjectKind::mutex, 0x99, "queue_lock", SiteId(0), {}});
    return catalogue;
}

Row run_on(std::uint32_t cpus, double seconds, double speed_up, std::vector<Limit> limits) {
    Row run;
    run.cpus = cpus;
    run.run.accounts.cpus = cpus;
    run.run.accounts.completion = Duration{static_cast<std::int64_t>(seconds * static_cast<double>(second))};
    run.speed_up = speed_up;
    run.efficiency = speed_up / cpus;
    run.bounds = {1.0, static_cast<double>(cpus)};
    run.limits = std::move(limits);
    return run;
}

Limit limit_of(Cause cause, double share, ObjectId object = ObjectId::none()) {
    return {cause, object, Duration{static_cast<std::int64_t>(share * 1e9)}, share};
}

// Scales to 2 CPUs; on 4 the queue's lock takes half of the processors.
Answer usual() {
    Answer prediction;
    prediction.file = "tool.1.parcast";
    prediction.recording().provenance.emplace();
    prediction.recording().provenance->command = {"tool", "-k", "big file"};
    prediction.recording().provenance->rusage_cpu_ns = 10 * second;
    prediction.recording().provenance->cpu_ns = 10 * second;
    prediction.recording().provenance->wall_ns = 11 * second;
    prediction.recording().work = Duration{10 * second};
    prediction.recording().catalogue = small_catalogue();
    prediction.recording().machine.scheduler = "linux";
    prediction.recording().machine.name = "linux";
    prediction.recording().time_on_one = Duration{10 * second};
    prediction.rows = {
        run_on(1, 10, 1, {limit_of(Cause::busy, 1)}),
        run_on(2, 5.05, 1.98, {limit_of(Cause::busy, 0.99), limit_of(Cause::lock, 0.01, ObjectId(0))}),
        run_on(4, 5, 2,
               {limit_of(Cause::busy, 0.5), limit_of(Cause::lock, 0.47, ObjectId(0)),
                limit_of(Cause::overhead, 0.03)}),
    };
    prediction.scaling = {2, 4};
    return prediction;
}

TEST(PredictionText, AnswersHowFarWhatStopsItAndWhatToTry) {
    EXPECT_EQ(
        prediction_text(usual(), {}),
        "tool -k 'big file'\n"
        "recorded on 1 CPU: 10.0 s of CPU time in 11.0 s, 2 threads\n"
        "replayed by the direct model · scheduler linux\n"
        "\n"
        "  CPUs    time  speed-up  ideal range  efficiency  lost to\n"
        "     1  10.0 s      1.00  1.00 - 1.00       100 %\n"
        "     2  5.05 s      1.98  1.00 - 2.00        99 %  mutex queue_lock (queue.h:41) 1 %\n"
        "     4  5.00 s      2.00  1.00 - 4.00        50 %  mutex queue_lock (queue.h:41) 47 %\n"
        "\n"
        "Scales to 2 CPUs: from there to 4, each added CPU brings less than half of what one CPU does.\n"
        "On 4 CPUs 47 % of the processor time is lost to waiting for mutex queue_lock (push, queue.h:41).\n"
        "Try: hold it for less time, or put several locks in its place. How long it is held:\n"
        "    parcast info tool.1.parcast\n");
}

// In place of the ideal range, which would be mistaken for them.
TEST(PredictionText, RangesStandBesideTheirNumbersAndTheLastOneSaysWhyItIsWide) {
    auto answer = usual();
    answer.ranges = RangeBasis{20, 0};
    answer.rows[0].range = RowRange{{9.8e9, 10.2e9}, {1, 1}, {}};
    answer.rows[1].range = RowRange{{0.95e9, 5.3e9}, {1.91, 1.99}, {}};
    answer.rows[2].range = RowRange{{4.9e9, 5.5e9}, {1.8, 2.02}, {}};
    auto& shares = answer.rows[2].range->shares;
    shares[static_cast<std::size_t>(Uncertainty::memory)] = 0.62;
    shares[static_cast<std::size_t>(Uncertainty::order)] = 0.3;
    EXPECT_THAT(
        prediction_text(answer, {Colour::off, 140, Detail::short_form}),
        HasSubstr("  CPUs    time  90 %             speed-up  90 %         efficiency  lost to\n"
                  "     1  10.0 s  9.80 - 10.2 s        1.00                    100 %\n"
                  "     2  5.05 s  950 ms - 5.30 s      1.98  1.91 - 1.99        99 %  mutex "
                  "queue_lock (queue.h:41) 1 %\n"
                  "     4  5.00 s  4.90 - 5.50 s        2.00  1.80 - 2.02        50 %  mutex "
                  "queue_lock (queue.h:41) 47 %, switching 3 %\n"
                  "  90 %: nine of ten measurements should lie within. What makes it wide on 4 CPUs: "
                  "how busy CPUs share the memory (62 %), the order in which\n    threads come to locks "
                  "and CPUs (30 %). To narrow it: parcast calibrate\n"));
    std::swap(shares[static_cast<std::size_t>(Uncertainty::memory)],
              shares[static_cast<std::size_t>(Uncertainty::costs)]);
    EXPECT_THAT(prediction_text(answer, {}), HasSubstr("To narrow it:\n    parcast calibrate\n"));
    answer.rows[2].range.reset();
    EXPECT_THAT(prediction_text(answer, {}), testing::ContainsRegex("     4  5\\.00 s +2\\.00 +50 %"))
        << "most of its replays deadlock";
}

TEST(PredictionText, TheSecondCauseIsLeftOutWhereTheLineIsTooNarrowForIt) {
    EXPECT_THAT(prediction_text(usual(), {Colour::off, 140, Detail::short_form}),
                HasSubstr("mutex queue_lock (queue.h:41) 47 %, switching 3 %\n"));
    EXPECT_THAT(prediction_text(usual(), {Colour::off, 80, Detail::short_form}),
                HasSubstr("50 %  mutex queue_lock 47 %\n"));
}

// It showed "other conditions 7 %" where the sentence below it spoke of 21 %.
TEST(PredictionText, ManyObjectsOfACauseAreShownTogetherAsInTheSentence) {
    Answer answer = usual();
    auto& limits = answer.rows.back().limits;
    limits = {{Cause::condition, ObjectId(0), Duration{700}, 0.07},
              {Cause::condition, ObjectId::none(), Duration{1'400}, 0.14},
              {Cause::joining, ObjectId::none(), Duration{500}, 0.05}};
    auto const text = prediction_text(answer, {Colour::off, 140, Detail::short_form});
    EXPECT_THAT(text, HasSubstr("conditions 21 %, joining 5 %\n"));
    EXPECT_THAT(text, HasSubstr("21 % of the processor time is lost to waiting for conditions"));
}

TEST(PredictionText, SaysWhereTheMachineWasMeasuredAndWhatToKnowAboutIt) {
    Answer prediction = usual();
    prediction.recording().machine.name = "build7";
    prediction.recording().machine.source = MachineSource{"/etc/build7.toml", "build7", "2026-11-21"};
    prediction.recording().machine.notes = {"its rates end at 2 busy CPUs"};
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("· scheduler linux · machine calibrated on build7, 2026-11-21\n"
                          "note: its rates end at 2 busy CPUs\n"));
    prediction.recording().machine.name = "rack";
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("· machine rack, calibrated on build7, 2026-11-21\n"));
    prediction.recording().machine.source->host.clear();
    EXPECT_THAT(prediction_text(prediction, {}), HasSubstr("· scheduler linux · machine rack\n"));
    prediction.recording().machine.name = "linux";
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("· scheduler linux · machine file /etc/build7.toml\n"));
}

TEST(PredictionText, WorkThatIsNotReplayedIsSaidBeforeTheTimeOnOneCpu) {
    Answer prediction = usual();
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("left out")));
    prediction.recording().work = Duration{8 * second};
    EXPECT_THAT(
        prediction_text(prediction, {}),
        HasSubstr(
            "of CPU time in 11.0 s, 2 threads\n"
            "8.00 s of that is replayed; 2.00 s is what blocking and recording cost here, and left out:\n"
            "    --assumptions\n"));
}

TEST(PredictionText, APredictionOutsideItsBoundsIsMarkedAndTheReasonIsSaid) {
    Answer prediction = usual();
    prediction.rows[1].bounds = {1.9801, 2};  // printed, it is the prediction
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("*")));

    prediction.rows[2].bounds = {2.1, 2.5};
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("  CPUs    time  speed-up  ideal range   efficiency  lost to\n"
                          "     1  10.0 s      1.00  1.00 - 1.00        100 %\n"));
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("     2  5.05 s      1.98  1.98 - 2.00         99 %"));
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("     4  5.00 s      2.00  2.10 - 2.50*        50 %"));
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("\n  * outside the ideal range, in which scheduling "));

    prediction.rows[2].bounds = {1.5, 1.9};
    EXPECT_THAT(prediction_text(prediction, {}), HasSubstr("1.50 - 1.90*")) << "above them as well";
}

TEST(PredictionText, AListThatStartsHighDoesNotSayThatTheProgramDoesNotScale) {
    Answer prediction = usual();
    prediction.rows = {run_on(8, 3.47, 2.88, {limit_of(Cause::busy, 1)})};
    prediction.scaling = {1, 8};
    EXPECT_THAT(verdict(prediction).sentences,
                ElementsAre("8 CPUs are 2.88 times as fast as one: an efficiency of 36 %.",
                            "How far it scales: --cpus 1,2,4,8"));
    prediction.rows = {run_on(2, 9, 1.11, {limit_of(Cause::busy, 1)})};
    prediction.scaling = {1, 2};
    EXPECT_THAT(verdict(prediction).sentences,
                ElementsAre("Does not scale: 2 CPUs are 1.11 times as fast as one."));
}

TEST(PredictionText, WarningsComeFirstAndMarkEveryPrediction) {
    Answer doubtful = usual();
    doubtful.findings.push_back({FindingKind::spin_waiting, Severity::warning,
                                 "thread 1 was spinning for 4.1 s.", ThreadId(1), SiteId(0)});
    std::string const text = prediction_text(doubtful, {});
    EXPECT_THAT(text, testing::StartsWith("warning: thread 1 was spinning for 4.1 s. [spin_waiting]\n"
                                          "         at push, queue.h:41\n"
                                          "Predictions below are marked (~)"));
    EXPECT_THAT(text, HasSubstr("     4  (~)  5.00 s"));

    doubtful.findings.front().severity = Severity::note;
    EXPECT_THAT(prediction_text(doubtful, {}), Not(HasSubstr("(~)"))) << "a note casts no doubt";
}

TEST(PredictionText, ADeadlockShowsWhoWaitsForWhomAndNoNumber) {
    Answer stuck = usual();
    stuck.rows[2] = Row{};
    stuck.rows[2].cpus = 4;
    stuck.rows[2].run.accounts.completion = Duration{7 * second};
    stuck.rows[2].run.deadlock =
        Deadlock{Instant{3 * second},
                 {{ThreadId(0), ObjectId::none(), ThreadId(1), ThreadId::none(), SiteId::none()},
                  {ThreadId(1), ObjectId(0), ThreadId::none(), ThreadId(0), SiteId(0)}}};
    stuck.scaling = {2, std::nullopt};
    std::string const text = prediction_text(stuck, {});
    EXPECT_THAT(text, HasSubstr("     4  deadlock"));
    EXPECT_THAT(text, Not(HasSubstr("7.00 s")));
    EXPECT_THAT(
        text, HasSubstr("On 4 CPUs the direct model deadlocks after 3.00 s; 2 threads cannot go on:\n"
                        "  thread 0 (main) waits for thread 1 (compress)\n"
                        "  thread 1 (compress) waits for mutex queue_lock (push, queue.h:41), held by thread "
                        "0 (main), at\n"
                        "      push, queue.h:41\n"));
    EXPECT_THAT(text, HasSubstr("Scales to 2 CPUs, the most that was predicted")) << "the others still count";
}

TEST(PredictionText, TheSameDeadlockIsSpelledOutOnce) {
    Answer stuck = usual();
    for (auto& run : stuck.rows) {
        run.run.deadlock =
            Deadlock{Instant{run.cpus * second},
                     {{ThreadId(1), ObjectId(0), ThreadId::none(), ThreadId::none(), SiteId::none()}}};
    }
    stuck.rows[2].run.deadlock->threads.front().thread = ThreadId(0);
    EXPECT_THAT(
        prediction_text(stuck, {}),
        testing::EndsWith("\nOn 1 CPU the direct model deadlocks after 1.00 s; 1 thread cannot go on:\n"
                          "  thread 1 (compress) waits for mutex queue_lock (push, queue.h:41)\n"
                          "On 2 CPUs the direct model deadlocks after 2.00 s in the same way.\n"
                          "\nOn 4 CPUs the direct model deadlocks after 4.00 s; 1 thread cannot go on:\n"
                          "  thread 0 (main) waits for mutex queue_lock (push, queue.h:41)\n"));
}

TEST(PredictionText, WithoutAReplayOnOneCpuThereAreTimesButNoSpeedUps) {
    Answer prediction = usual();
    prediction.recording().time_on_one.reset();
    std::string const text = prediction_text(prediction, {});
    EXPECT_THAT(text, HasSubstr("no speed-ups: the replay on 1 CPU deadlocks"));
    EXPECT_THAT(text, HasSubstr("5.05 s"));
    EXPECT_THAT(text, Not(HasSubstr("1.98")));
    EXPECT_THAT(text, Not(HasSubstr("Scales")));
}

TEST(PredictionText, TheBaselineIsNamedWhenItIsNoRow) {
    Answer prediction = usual();
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("refer to that")));
    prediction.rows.erase(prediction.rows.begin());
    EXPECT_THAT(prediction_text(prediction, {}),
                HasSubstr("replayed on 1 CPU it takes 10.0 s; the speed-ups refer"));
}

TEST(PredictionText, ColourOnlyRepeatsWhatTheTextSays) {
    Answer prediction = usual();
    prediction.rows[2].efficiency = 0.4;
    Layout coloured;
    coloured.colour = Colour::on;
    EXPECT_THAT(prediction_text(prediction, coloured), HasSubstr("\x1b[1;31m40 %\x1b[0m"));
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("\x1b")));
}

TEST(Verdict, WantOfThreadsSuggestsToPretendMoreCpus) {
    Answer prediction = usual();
    prediction.rows[2].limits = {limit_of(Cause::busy, 0.5), limit_of(Cause::no_thread, 0.5)};
    EXPECT_THAT(verdict(prediction).sentences,
                ElementsAre(HasSubstr("Scales to 2 CPUs"), HasSubstr("50 %"), HasSubstr("show it more")));
    EXPECT_EQ(verdict(prediction).next_command, "parcast record --pretend-cpus 4 -- tool -k 'big file'");
    prediction.recording().provenance->pretended_cpus = 4;
    EXPECT_THAT(verdict(prediction).sentences.back(), HasSubstr("more threads"))
        << "it has seen 4 CPUs already";
}

TEST(Verdict, ThreadsThatAreNotThereAtTheSameTimeAreNoMatterOfPretending) {
    Answer prediction = usual();
    prediction.recording().catalogue.threads.resize(9);
    prediction.rows[2].limits = {limit_of(Cause::busy, 0.5), limit_of(Cause::no_thread, 0.5)};
    EXPECT_THAT(verdict(prediction).sentences.back(),
                HasSubstr("9 threads, but they do not all run at once"));
    EXPECT_EQ(verdict(prediction).next_command, "parcast predict tool.1.parcast --cpus 4 --threads-table");
}

TEST(Verdict, MoreThreadsAreNoAdviceWhereOneDoesAllTheWork) {
    Answer prediction = usual();
    prediction.rows[2].limits = {limit_of(Cause::busy, 0.26), limit_of(Cause::no_thread, 0.74)};
    prediction.rows[2].speed_up = 1.02;
    prediction.rows[2].busiest = BusiestThread{ThreadId(1), 0.98};
    EXPECT_EQ(verdict(prediction).next_command, "parcast predict tool.1.parcast --cpus 4 --threads-table");

    prediction.recording().catalogue.threads.resize(1);
    prediction.rows[2].busiest = BusiestThread{ThreadId(0), 1};
    EXPECT_THAT(verdict(prediction).sentences.back(),
                HasSubstr("one thread. If it makes a thread for each CPU"));
    prediction.recording().provenance->pretended_cpus = 4;
    EXPECT_THAT(verdict(prediction).sentences.back(), HasSubstr("no number of CPUs helps it"));
}

TEST(Verdict, EveryLossButWorkEndsInACommandOrAnAdvice) {
    for (auto const cause :
         {Cause::overhead, Cause::ready, Cause::lock, Cause::condition, Cause::input_output, Cause::sleeping,
          Cause::joining, Cause::no_thread, Cause::carrier}) {
        Answer prediction = usual();
        prediction.rows[2].limits = {limit_of(Cause::busy, 0.5), limit_of(cause, 0.5)};
        EXPECT_EQ(verdict(prediction).sentences.size(), 3u) << name_of(prediction.rows[2].limits[1].cause);
    }
}

TEST(Verdict, ABusyThreadIsNamedAsTheOneThatNoCpuHelps) {
    Answer prediction = usual();
    prediction.rows[2].busiest = BusiestThread{ThreadId(1), 0.97};
    EXPECT_THAT(verdict(prediction).sentences,
                testing::Contains(HasSubstr("thread 1 (compress) runs 97 % of the time")));
}

TEST(Verdict, OneCpuAloneMeansNothing) {
    Answer prediction = usual();
    prediction.rows.resize(1);
    prediction.scaling = {1, std::nullopt};
    EXPECT_THAT(verdict(prediction).sentences, IsEmpty());
}

TEST(Verdict, NoScalingIsSaidPlainly) {
    Answer prediction = usual();
    prediction.rows[1] =
        run_on(2, 9.8, 1.02, {limit_of(Cause::busy, 0.51), limit_of(Cause::lock, 0.49, ObjectId(0))});
    prediction.scaling = {1, 2};
    EXPECT_EQ(verdict(prediction).sentences.front(), "Does not scale: 2 CPUs are 1.02 times as fast as one.");
}

// 16 CPUs beat 64, and the advice was more threads.
TEST(Verdict, AdviceIsForTheFastestCountNotForMoreCpusThanThat) {
    Answer prediction = usual();
    prediction.rows[1].time_ns = 5e9;
    prediction.rows[1].limits = {limit_of(Cause::busy, 0.8), limit_of(Cause::lock, 0.2, ObjectId(0))};
    prediction.rows[2].time_ns = 6e9;
    prediction.rows[2].limits = {limit_of(Cause::busy, 0.4), limit_of(Cause::no_thread, 0.6)};
    auto const says = verdict(prediction).sentences;
    EXPECT_THAT(says, testing::Contains("2 CPUs are faster than 4."));
    EXPECT_THAT(says,
                testing::Contains(HasSubstr("On 2 CPUs 20 % of the processor time is lost to waiting")));
    EXPECT_THAT(says, Not(testing::Contains(HasSubstr("more threads"))));
}

TEST(PredictionText, EveryThreadHasARowForEachCpuCount) {
    Answer prediction = usual();
    prediction.rows.resize(1);
    auto& accounts = prediction.rows[0].run.accounts;
    accounts.threads.resize(2);
    accounts.threads[1].created = Instant{second};
    accounts.threads[1].ended = Instant{6 * second};
    accounts.threads[1][ThreadState::running] = Duration{4 * second};
    accounts.threads[1][ThreadState::blocked] = Duration{second};
    EXPECT_EQ(threads_text(prediction, {}),
              "\nthreads on 1 CPU, 10.0 s\n"
              "  thread  function  begins    ends  running  blocked\n"
              "       0  main         0 s     0 s\n"
              "       1  compress  1.00 s  6.00 s   4.00 s   1.00 s\n");
}

TEST(PredictionText, AssumptionsAreCountedOrSpelledOut) {
    Answer prediction = usual();
    EXPECT_EQ(assumptions_text(prediction, {}), "");
    prediction.assumptions = {"Sleeps last as long as asked for.", "Yields are kept."};
    EXPECT_THAT(assumptions_text(prediction, {}), HasSubstr("2 assumptions"));
    Layout in_full;
    in_full.detail = Detail::all;
    EXPECT_EQ(assumptions_text(prediction, in_full),
              "\nassumptions\n  - Sleeps last as long as asked for.\n  - Yields are kept.\n");
}

// "descriptor 12 26 %" stood before "no thread 35 %": all descriptors had 39 %.
TEST(PredictionText, CausesAreInTheOrderOfTheSharesThatAreShown) {
    Answer prediction = usual();
    prediction.recording().catalogue.objects.resize(3);
    Row const run =
        run_on(2, 5, 1,
               {limit_of(Cause::input_output, 0.26, ObjectId(1)),
                limit_of(Cause::input_output, 0.13, ObjectId(2)), limit_of(Cause::no_thread, 0.35)});
    EXPECT_THAT(lost_to(run, prediction.recording().catalogue, {}, 56).text,
                testing::StartsWith("no thread 35 %, "));
}

// A lock-order deadlock was not told from one that only the replay has.
TEST(PredictionText, LocksThatEachOtherWantAreTheProgramsOwnDeadlock) {
    Answer prediction = usual();
    prediction.recording().catalogue.objects.push_back(
        Object{ObjectKind::mutex, 0x88, "b", SiteId::none(), {}});
    Deadlock deadlock{Instant{1'000'000}, {}};
    deadlock.threads.push_back({.thread = ThreadId(0), .object = ObjectId(1), .holder = ThreadId(1)});
    deadlock.threads.push_back({.thread = ThreadId(1), .object = ObjectId(0), .holder = ThreadId(0)});
    prediction.rows[1].run.deadlock = deadlock;
    EXPECT_THAT(prediction_text(prediction, {}), HasSubstr("the program itself can"));
    prediction.rows[1].run.deadlock->threads[1].holder = ThreadId::none();
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("the program itself can")));
}

// A child was to be recorded by a command with descriptors that it had inherited.
TEST(Verdict, AChildHasNoCommandOfItsOwn) {
    Answer prediction = usual();
    prediction.rows[2] = run_on(4, 5, 2, {limit_of(Cause::busy, 0.5), limit_of(Cause::no_thread, 0.5)});
    EXPECT_THAT(verdict(prediction).next_command, HasSubstr("--pretend-cpus"));
    prediction.recording().provenance->rusage_cpu_ns.reset();
    auto const said = verdict(prediction);
    EXPECT_THAT(said.next_command, IsEmpty());
    EXPECT_THAT(said.sentences.back(), HasSubstr("record the program that started it"));
}

// pigz: the direct model deadlocks on some counts, and the answer began with that.
TEST(PredictionText, ADeadlockThatAnotherModelAvoidsIsNotShown) {
    Answer prediction = usual();
    Deadlock const deadlock{Instant{3 * second}, {StuckThread{ThreadId(0), ObjectId(0)}}};
    prediction.recording().abandoned = {{"direct", 2, deadlock}};
    prediction.recording().paired = {ObjectId(0)};
    EXPECT_THAT(prediction_text(prediction, {}), Not(HasSubstr("deadlock")));
    prediction.recording().model = "strict";
    std::string const strict = prediction_text(prediction, {});
    EXPECT_THAT(strict,
                testing::StartsWith("note: every wait gets the wake-up that ended it in the recording"));
    EXPECT_THAT(strict, Not(HasSubstr("deadlock")));
}

TEST(PredictionText, TheLastResortIsAnnouncedBeforeAnyNumber) {
    Answer prediction = usual();
    Deadlock const deadlock{Instant{3 * second}, {StuckThread{ThreadId(0), ObjectId(0)}}};
    prediction.recording().abandoned = {{"direct", 2, deadlock}};
    prediction.recording().model = "ordered";
    prediction.scaling.reset();
    Layout wide;
    wide.width = 1000;
    std::string const text = prediction_text(prediction, wide);
    EXPECT_THAT(text, testing::StartsWith("note: threads wait and take locks in the order of the recording"));
    EXPECT_THAT(text, HasSubstr("last resort"));
    EXPECT_THAT(text, HasSubstr("How far the program scales in another order is not known"));
    EXPECT_THAT(text, Not(HasSubstr("Scales to")));
}

}  // namespace
}  // namespace parcast::report
