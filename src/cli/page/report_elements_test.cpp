#include "cli/page/report_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/simulate.h"

namespace parcast::cli {

namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A thread that works in so many pieces, predicted on one and two CPUs.
forecast::Forecast program_of(std::size_t operations) {
    ThreadProgram program;
    program.catalogue.threads.resize(1);
    program.lists.emplace_back(operations - 1, make_operation(OperationKind::work_only, 10));
    program.lists.back().push_back(make_operation(OperationKind::end, 10));
    program.parameters.resize(1);
    Answer prediction;
    prediction.recording().machine.scheduler = "linux";
    prediction.recording().catalogue = program.catalogue;
    for (std::uint32_t const cpus : {1U, 2U})
        prediction.rows.emplace_back().cpus = cpus;
    return {std::move(program), linux_machine(1), std::move(prediction)};
}

ReportContent content_of(forecast::Forecast const& predicted) {
    PackedRuns runs(1);
    for (auto const& row : predicted.answer.rows) {
        auto const machine = linux_machine(row.cpus);
        auto run = simulate::run(predicted.threads(), machine, {.with_timeline = true});
        EXPECT_TRUE(run.has_value());
        runs.add(*run, predicted.threads(), machine, predicted.pairing);
    }
    return {.recorded = {}, .measured = {}, .executions = runs.take(predicted.answer)};
}

std::vector<std::string> ids_of(ReportElements const& report) {
    std::vector<std::string> ids;
    for (auto const& element : report.elements)
        ids.push_back(element.id);
    return ids;
}

}  // namespace

TEST(ReportElements, OfASmallProgramAreItsExecutionsAndASimulator) {
    auto const predicted = program_of(10);
    auto const report = report_elements(predicted, content_of(predicted));
    EXPECT_THAT(ids_of(report),
                ElementsAre("overview", "execution-linux-1", "execution-linux-2", "program", "module"));
    EXPECT_THAT(report.notes, IsEmpty());
}

TEST(ReportElements, OfAProgramThatIsTooLargeForAPageAreItsExecutionsAlone) {
    auto const predicted = program_of(5'000'001);
    auto const report = report_elements(predicted, content_of(predicted));
    EXPECT_THAT(ids_of(report), ElementsAre("overview", "execution-linux-1", "execution-linux-2"));
    EXPECT_THAT(report.notes, ElementsAre(HasSubstr("5,000,001 operations")));
}

// The recorded execution was computed by nobody.
TEST(ReportElements, WhatWasRecordedLiesBesideThePredictions) {
    Timeline recorded;
    recorded.catalogue.threads.resize(1);
    recorded.events.resize(1);
    auto const predicted = program_of(10);
    auto content = content_of(predicted);
    content.recorded = view::recorded_execution(recorded);
    auto const report = report_elements(predicted, std::move(content));
    EXPECT_THAT(ids_of(report), Contains("execution-recorded-1"));
}

}  // namespace parcast::cli
