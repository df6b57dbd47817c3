#include "pages/prepared_answers.h"

#include <atomic>
#include <future>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "machine/machine.h"
#include "simulate/simulate.h"

namespace parcast::pages {

namespace {

using Json = nlohmann::json;

PageContent content_of(ThreadProgram const& program, Answer const& answer) {
    return {{program, linux_machine(1), answer}, {"linux"}, {}, false, {}, ""};
}

// A thread that works, and what its forecast on one and two CPUs tells its listener.
struct SlowForecast {
    ThreadProgram program;
    Answer answer;
    std::promise<void> is_begun;

    SlowForecast() {
        program.catalogue.threads.resize(1);
        program.lists.push_back({make_operation(OperationKind::end, 10)});
        program.parameters.resize(1);
        answer.recording().machine.scheduler = "linux";
        answer.recording().catalogue = program.catalogue;
    }

    Result<PageContent> make(RunListener const& listener) {
        listener.program_known(program, linux_machine(1), answer);
        is_begun.set_value();
        for (std::uint32_t const cpus : {1U, 2U}) {
            listener.run_begins(cpus);
            Row row;
            row.cpus = cpus;
            row.run = *simulate::run(program, linux_machine(cpus), {});
            listener.run_ended(row.run);
            answer.rows.push_back(std::move(row));
        }
        return content_of(program, answer);
    }
};

std::string text_of(page::Answer const& answer) {
    return {reinterpret_cast<char const*>(answer.content->data()), answer.content->size()};
}

Json json_of(page::Answer const& answer) {
    return Json::parse(text_of(answer));
}

PreparedAnswers::Setup setup_of(SlowForecast const& forecast) {
    return {{false, 1, {}}, {1, 2}, content_of(forecast.program, forecast.answer)};
}

void ignore_end(Result<PageContent> const&) {}

}  // namespace

TEST(PreparedAnswers, TellWhatIsKnownWhileTheForecastIsPausedAndAllOnceItGoesOn) {
    SlowForecast forecast;
    std::promise<void> is_paused;
    PreparedAnswers answers(
        setup_of(forecast),
        [&](RunListener const& listener) {
            is_paused.get_future().wait();
            return forecast.make(listener);
        },
        ignore_end);
    EXPECT_TRUE(json_of(answers.answer("progress.json", {{"pause", "1"}}))["paused"]);
    is_paused.set_value();
    forecast.is_begun.get_future().wait();

    auto const begun = json_of(answers.answer("overview.json", {{"now", "1"}}));
    EXPECT_EQ(begun["complete"], false);
    EXPECT_EQ(begun["cpus"], Json({1, 2}));
    EXPECT_TRUE(begun["prediction"]["predictions"].empty());
    EXPECT_EQ(answers.answer("execution", {{"cpus", "3"}, {"scheduler", "linux"}}).status, 200)
        << "a count that somebody chooses is not held up";
    auto const progress = json_of(answers.answer("progress.json", {}));
    EXPECT_EQ(progress["known"], true);
    EXPECT_TRUE(progress["points"].empty());
    EXPECT_FALSE(answers.wait_for(std::chrono::milliseconds(0)));

    answers.answer("progress.json", {{"go_on", "1"}});
    auto const complete = json_of(answers.answer("overview.json", {}));
    EXPECT_EQ(complete["complete"], true);
    EXPECT_EQ(complete["prediction"]["predictions"].size(), 2);
    auto const last = json_of(answers.answer("progress.json", {}));
    EXPECT_EQ(last["complete"], true);
    EXPECT_EQ(last["points"], Json::parse(R"([{"cpus": 1, "time_ns": 10.0}, {"cpus": 2, "time_ns": 10.0}])"));
}

TEST(PreparedAnswers, TellWhyThereIsNoForecast) {
    SlowForecast const forecast;
    std::atomic<int> failures{0};
    PreparedAnswers answers(
        setup_of(forecast),
        [](RunListener const&) -> Result<PageContent> {
            return fail(ErrorCode::inconsistent, "the recording has no program in it");
        },
        [&](Result<PageContent> const& content) { failures += content ? 0 : 1; });
    auto const answer = answers.answer("overview.json", {{"now", "1"}});
    EXPECT_EQ(answer.status, 500);
    EXPECT_NE(text_of(answer).find("the recording has no program in it"), std::string::npos);
    EXPECT_EQ(failures, 1);
    EXPECT_NE(json_of(answers.answer("progress.json", {}))["error"], Json());
}

}  // namespace parcast::pages
