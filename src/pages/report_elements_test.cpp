#include "pages/report_elements.h"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/machine.h"
#include "pages/executions.h"
#include "simulate/simulate.h"

namespace parcast::pages {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A thread that works in so many pieces, replayed on one and two CPUs.
PageContent program_of(std::size_t operations) {
    ThreadProgram program;
    program.catalogue.threads.resize(1);
    program.lists.emplace_back(std::vector(operations - 1, make_operation(OperationKind::work_only, 10)));
    program.lists.back().push_back(make_operation(OperationKind::end, 10));
    program.parameters.resize(1);
    Answer prediction;
    prediction.recording().machine.scheduler = "linux";
    prediction.recording().catalogue = program.catalogue;
    for (std::uint32_t const cpus : {1U, 2U}) {
        auto run = simulate::run(program, linux_machine(cpus), {.with_timeline = true});
        EXPECT_TRUE(run.has_value());
        auto& row = prediction.rows.emplace_back();
        row.cpus = cpus;
        row.run = std::move(*run);
    }
    PageContent content{{std::move(program), linux_machine(1), std::move(prediction)}, {}, {}, false, {}, ""};
    content.schedulers = schedulers_of(content.forecast);
    return content;
}

std::vector<std::string> ids_of(ReportElements const& report) {
    std::vector<std::string> ids;
    for (auto const& element : report.elements)
        ids.push_back(element.id);
    return ids;
}

}  // namespace

TEST(ReportElements, OfASmallProgramAreItsExecutionsAndASimulator) {
    auto const report = report_elements(program_of(10), std::nullopt, 2);
    EXPECT_THAT(ids_of(report),
                ElementsAre("overview", "execution-linux-2", "execution-linux-1", "program", "module"));
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(ReportElements, OfALargeReportWereWrittenBeforeAnybodyKnewTheirSize) {
    std::vector<page::Element> const elements{{"overview", std::string(10'000'000, 'A')},
                                              {"execution-linux-8", std::string(30'000'000, 'A')},
                                              {"execution-linux-1", std::string(20'000'000, 'A')},
                                              {"execution-recorded-1", std::string(25'000'000, 'A')}};
    EXPECT_EQ(size_note(100'000'000, elements),
              "the report takes 100 MB: 50.0 MB for predicted executions, 25.0 MB for the recorded one, "
              "25.0 MB for the rest. With fewer CPU counts it is smaller: --cpus LIST");
    EXPECT_THAT(size_note(49'999'999, elements), IsEmpty());
}

TEST(ReportElements, OfAProgramThatIsTooLargeForAPageAreItsExecutionsAlone) {
    auto const report = report_elements(program_of(5'000'001), std::nullopt, 2);
    EXPECT_THAT(ids_of(report), ElementsAre("overview", "execution-linux-2", "execution-linux-1"));
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("5,000,001 operations")));
}

// The recorded execution was computed by nobody.
TEST(ReportElements, WhatWasRecordedLiesBesideThePredictions) {
    Timeline recorded;
    recorded.catalogue.threads.resize(1);
    recorded.events.resize(1);
    auto const report = report_elements(program_of(10), view::recorded_execution(recorded), 1);
    EXPECT_THAT(ids_of(report), Contains("execution-recorded-1"));
}

// A report shows what the forecast ran; a server runs it once more.
TEST(Executions, ThatWereKeptAreThoseThatAreExecutedAgain) {
    auto const content = program_of(10);
    auto const& row = content.forecast.answer.rows.back();
    auto const again = execution_bytes(content.forecast, {row.cpus, "linux", view::Detail::totals});
    ASSERT_TRUE(again.has_value());
    auto without = row;
    without.run.timeline.reset();
    EXPECT_EQ(*again, execution_bytes(content.forecast, without));
}

TEST(Executions, AreUnderASchedulerThatThereIs) {
    auto const content = program_of(10);
    auto const found = execution_bytes(content.forecast, {2, "fifo", view::Detail::totals});
    ASSERT_FALSE(found.has_value());
    EXPECT_EQ(found.error().code, ErrorCode::malformed);
}

}  // namespace parcast::pages
