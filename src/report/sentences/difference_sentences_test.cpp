#include <gtest/gtest.h>

#include "answer/finding.h"
#include "report/difference.h"

namespace parcast::report {
namespace {

constexpr double s = 1e9;

// Two sides, and a difference with one count.
struct Sides {
    ComparedSides compared;
    Difference difference;

    explicit Sides(CountDifference count) {
        compared.sides.resize(2);
        compared.sides[0].letter = "A";
        compared.sides[1].letter = "B";
        difference.counts.push_back(std::move(count));
        if (difference.counts[0].is_beyond())
            difference.telling = 0;
    }
    std::vector<std::string> sentences() const { return difference_sentences(compared, difference); }
};

CountDifference times_on(std::uint32_t cpus, double first_s, double second_s, double half_width = 0.05) {
    CountDifference count;
    count.cpus = cpus;
    count.first.time_ns = first_s * s;
    count.second.time_ns = second_s * s;
    count.ratio = second_s / first_s;
    count.ratio_range = Range{count.ratio / (1 + half_width), count.ratio * (1 + half_width)};
    return count;
}

TEST(FirstSentence, NamesTheLockThatIsGone) {
    auto count = times_on(8, 2.1, 1);
    count.objects.push_back(
        {{Alignment::gone, {"mutex sums", "n_body.c:41", 1}, {}}, Cause::lock, {1.323 * s, 0}, {8 * s, 0}});
    count.causes.push_back({Cause::lock, {1.323 * s, 0}});
    count.causes.push_back({Cause::busy, {0.777 * s, 1 * s}});
    EXPECT_EQ(
        Sides(count).sentences().front(),
        "On 8 CPUs B is 2.10 times as fast as A (2.00 - 2.21): the mutex sums (n_body.c:41), to which A "
        "loses 63 % of its processor time, is gone.");
}

TEST(FirstSentence, NamesTheThreadsThatWereTooFew) {
    auto count = times_on(8, 2, 1);
    count.causes.push_back({Cause::no_thread, {1 * s, 0.1 * s}});
    count.causes.push_back({Cause::busy, {1 * s, 0.9 * s}});
    count.threads.push_back({{Alignment::same, {"compress", "", 4}, {"compress", "", 8}}, {}, {}, {}});
    EXPECT_EQ(
        Sides(count).sentences().front(),
        "On 8 CPUs B is 2.00 times as fast as A (1.90 - 2.10): there is no thread to run for 10 % of B's "
        "processor time, 50 % of A's; it has 8 compress threads instead of 4.");
}

TEST(FirstSentence, SaysSmallDifferencesInPerCent) {
    auto count = times_on(2, 1, 1.1, 0.02);
    count.causes.push_back({Cause::busy, {1 * s, 1.1 * s}});
    count.functions.push_back({{Alignment::same, {"solve", "", 1}, {"solve", "", 1}}, {1 * s, 1.2 * s}});
    EXPECT_EQ(Sides(count).sentences().front(),
              "On 2 CPUs B takes 10 % more time than A (8 to 12 %): its own code takes 2.20 s of CPU time "
              "instead of 2.00 s; solve takes 1.20 s instead of 1.00 s.");
}

TEST(FirstSentence, SaysThatTheRangesShowNothing) {
    EXPECT_EQ(
        Sides(times_on(4, 1, 1.03)).sentences(),
        (std::vector<std::string>{"A and B show no difference that the ranges would show. The largest is "
                                  "on 4 CPUs: B takes 3 % more time than A (-2 to 8 %)."}));
}

TEST(FurtherSentences, AddWhatElseAndWhatAgainst) {
    auto count = times_on(4, 2, 1);
    count.causes.push_back({Cause::overhead, {0.9 * s, 0.1 * s}});
    count.causes.push_back({Cause::joining, {0.6 * s, 0.1 * s}});
    count.causes.push_back({Cause::busy, {0.5 * s, 0.8 * s}});
    auto const sentences = Sides(count).sentences();
    ASSERT_EQ(sentences.size(), 3u);
    EXPECT_TRUE(sentences[1].starts_with("Besides, waiting for threads to end takes")) << sentences[1];
    EXPECT_TRUE(sentences[2].starts_with("Against that, its own code takes")) << sentences[2];
}

TEST(FurtherSentences, SayWhereTheDifferenceIsNone) {
    Sides sides(times_on(8, 2, 1));
    sides.difference.counts.insert(sides.difference.counts.begin(), {times_on(1, 1, 1), times_on(2, 1, 1.2)});
    sides.difference.telling = 2;
    auto const sentences = sides.sentences();
    EXPECT_EQ(sentences[1], "On 2 CPUs B takes 20 % more time than A (14 to 26 %).");
    EXPECT_EQ(sentences[2], "On 1 CPU the difference is within the ranges.");
}

TEST(FurtherSentences, SaidThatTheRangesShowNothingWhereThereAreNone) {
    Sides sides(times_on(8, 2, 1));
    auto none = times_on(1, 1, 1.008);
    none.ratio_range.reset();
    auto small = times_on(2, 1, 1.004, 0.001);
    sides.difference.counts.insert(sides.difference.counts.begin(), {none, small});
    sides.difference.telling = 2;
    auto const sentences = sides.sentences();
    ASSERT_EQ(sentences.size(), 3u);
    EXPECT_EQ(sentences[1], "On 1 CPU the difference is less than a per cent.");
    EXPECT_EQ(sentences[2], "On 2 CPUs the difference is less than half a per cent.");
    EXPECT_TRUE(Sides(small).sentences()[0].starts_with("A and B take the same time within half a per cent."))
        << "1 is not in the range: 1.003 - 1.005";
}

TEST(Sentences, ConcludedFromARecordingThatIsWorthNothing) {
    Sides sides(times_on(8, 2, 1));
    sides.compared.sides[1].is_worthless = true;
    EXPECT_EQ(sides.sentences(), std::vector<std::string>{withheld_conclusion});
}

// A measurement has the system's work in the running time of threads.
TEST(Sentences, SaidThatTheSystemTakesNothingInAMeasuredRun) {
    auto count = times_on(2, 1, 1.5);
    count.parts = {{RunPart::own_code, {0.9 * s, 1.5 * s}}, {RunPart::system, {0.1 * s, 0}}};
    Sides const sides(count);
    EXPECT_EQ(sides.sentences(), (std::vector<std::string>{
                                     "On 2 CPUs B takes 1.50 times as long as A (1.43 - 1.58): its own code "
                                     "and the system take 3.00 s instead of 2.00 s of CPU time."}));
    auto const parts = difference_parts(count);
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_EQ(parts[0].label, "own code and system");
}

TEST(Names, OfWhatIsGoneNewAndRenamed) {
    auto count = times_on(2, 2, 1);
    count.objects.push_back({{Alignment::gone, {"mutex", "a.c:4", 1024}, {}}, Cause::lock, {}, {1 * s, 0}});
    count.objects.push_back({{Alignment::renamed, {"mutex q", "a.c:9", 1}, {"mutex r", "a.c:9", 1}},
                             Cause::lock,
                             {},
                             {1 * s, 1 * s}});
    count.objects.push_back(
        {{Alignment::added, {}, {"mutex small", "", 1}}, Cause::lock, {}, {0, 0.001 * s}});
    Sides const sides(count);
    EXPECT_EQ(alignment_sentences(sides.compared, sides.difference),
              (std::vector<std::string>{"Gone in B: 1,024 mutexes of a.c:4.",
                                        "Renamed, by its place: mutex q (a.c:9) -> mutex r (a.c:9)."}))
        << "what takes next to nothing is not named";
}

}  // namespace
}  // namespace parcast::report
