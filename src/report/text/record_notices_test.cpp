#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/record.h"

namespace parcast::report {
namespace {

using testing::HasSubstr;

RecordAnswer recorded_with(std::size_t threads, std::optional<std::int64_t> pretended) {
    RecordAnswer answer;
    answer.command = {"solver", "-x"};
    answer.exit_status = 0;
    RecordedImage image;
    image.program = "solver";
    image.is_main = true;
    image.file = "solver.1.parcast";
    image.timeline.catalogue.threads.resize(threads);
    image.timeline.provenance.pretended_cpus = pretended;
    image.timeline.provenance.cpu_ns = 500'000'000;
    answer.images.push_back(std::move(image));
    answer.next = 0;
    return answer;
}

std::string last_of(RecordAnswer const& answer) {
    return record_notices(answer).back().message;
}

// An OpenMP program and ripgrep were recorded with one thread each, and a prediction of that came next.
TEST(RecordNotices, AProgramThatSawOneCpuAndMadeOneThreadIsShownMoreNext) {
    auto answer = recorded_with(1, std::nullopt);
    EXPECT_EQ(last_of(answer), "next: parcast record --pretend-cpus 8 -- solver -x");
    answer.images.front().findings.push_back(
        {FindingKind::openmp_runtime, Severity::note, "It uses OpenMP."});
    auto const notices = record_notices(answer);
    EXPECT_THAT(notices[notices.size() - 2].message, HasSubstr("OMP_NUM_THREADS"));
}

// /bin/true, and programs whose recording ended early, were said to make one thread.
TEST(RecordNotices, AProgramThatShowsNothingAboutItsThreadsIsNotToldToBeShownMore) {
    std::string const predict = "next: parcast predict solver.1.parcast";
    auto answer = recorded_with(1, std::nullopt);
    auto& from = answer.images.front().timeline.provenance;
    from.cpu_ns = 9'000'000;
    EXPECT_EQ(last_of(answer), predict) << "hardly any work";
    from.cpu_ns = 500'000'000;
    from.cut = Cut{CutReason::sandbox, 8'000'000'000};
    EXPECT_EQ(last_of(answer), predict) << "it was not recorded to its end";
    from.cut.reset();
    from.death_signal = 9;
    EXPECT_EQ(last_of(answer), predict) << "it was killed";
    from.death_signal.reset();
    from.exit_status = 2;
    EXPECT_EQ(last_of(answer), predict) << "it failed";
    from.exit_status = 0;
    answer.images.front().findings.push_back(
        {FindingKind::further_processes, Severity::note, "It started 6 further processes."});
    EXPECT_EQ(last_of(answer), predict) << "others do its work";
}

// A new line in an argument became a question mark, and a line was broken within the quotes.
TEST(RecordNotices, TheNextCommandCanBeCopied) {
    auto answer = recorded_with(1, std::nullopt);
    answer.command = {"bash", "-c", "echo a\necho b\tc"};
    EXPECT_EQ(last_of(answer), "next: parcast record --pretend-cpus 8 -- bash -c $'echo a\\necho b\\tc'");
    EXPECT_EQ(record_notices(answer).back().kind, Notice::Kind::command);
}

TEST(RecordNotices, OthersArePredictedNext) {
    EXPECT_EQ(last_of(recorded_with(2, std::nullopt)), "next: parcast predict solver.1.parcast");
    EXPECT_EQ(last_of(recorded_with(1, 8)), "next: parcast predict solver.1.parcast") << "it has seen more";
}

// A run is never repeated without being asked for: it is offered, once, where it can be made.
TEST(RecordNotices, AMeasurementIsOfferedBeforeTheNextCommandWhereThereAreTwoCpus) {
    auto answer = recorded_with(4, std::nullopt);
    auto const is_offered = [&] {
        for (auto const& notice : record_notices(answer))
            if (notice.message.find("parcast record --measure -- solver -x") != std::string::npos)
                return notice.kind == Notice::Kind::command;
        return false;
    };
    EXPECT_FALSE(is_offered()) << "one CPU";
    answer.usable_cpus = 2;
    EXPECT_TRUE(is_offered());
    EXPECT_EQ(last_of(answer), "next: parcast predict solver.1.parcast");
    answer.images.front().timeline.provenance.measured = {{1, {{400, 400, 0, 0}}}, {2, {{210, 400, 0, 0}}}};
    EXPECT_FALSE(is_offered()) << "it was measured";
}

}  // namespace
}  // namespace parcast::report
