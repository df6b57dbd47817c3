#include "cli/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/help.h"

namespace parcast::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Optional;

Arguments parse(std::vector<char const*> const& words) {
    return parse_arguments(words);
}

UsageError error_of(std::vector<char const*> const& words) {
    auto const arguments = parse(words);
    auto const* error = std::get_if<UsageError>(&arguments);
    return error != nullptr ? *error : UsageError{"(accepted)", ""};
}

std::string answer_to(std::vector<char const*> const& words) {
    auto const arguments = parse(words);
    auto const* answer = std::get_if<Answer>(&arguments);
    return answer != nullptr ? answer->text : "(no answer)";
}

TEST(Arguments, PredictTakesEveryOptionInAnyOrder) {
    auto const arguments = parse({"predict", "--cpus", "1,4-5", "a.parcast", "--scheduler=ideal", "--machine",
                                  "m.toml", "--threads-table", "--json", "--jobs", "3", "--assumptions",
                                  "--model", "strict", "--tasks", "recorded"});
    ASSERT_TRUE(std::holds_alternative<PredictArguments>(arguments));
    auto const& predict = std::get<PredictArguments>(arguments);
    EXPECT_EQ(predict.file, "a.parcast");
    EXPECT_THAT(predict.cpus, Optional(ElementsAre(1, 4, 5)));
    EXPECT_EQ(predict.scheduler, scheduler_named("ideal"));
    EXPECT_EQ(predict.machine_file, "m.toml");
    EXPECT_EQ(predict.jobs, 3u);
    EXPECT_EQ(predict.question.replay.model, ReplayModel::strict);
    EXPECT_EQ(predict.question.replay.tasks, HandedOutWork::recorded);
    EXPECT_TRUE(predict.threads_table && predict.json && predict.assumptions);
}

TEST(Arguments, PredictDefaultsToTheLinuxSchedulerAndNoChosenCounts) {
    auto const predict = std::get<PredictArguments>(parse({"predict", "a.parcast"}));
    EXPECT_FALSE(predict.scheduler.has_value()) << "linux, and the host's own machine file";
    EXPECT_EQ(predict.question.replay.model, ReplayModel::automatic);
    EXPECT_EQ(predict.cpus, std::nullopt);
    EXPECT_FALSE(predict.threads_table || predict.json || predict.assumptions);
}

TEST(Arguments, ExportTakesTheOptionsOfPredictAndItsOwn) {
    auto const parsed =
        parse({"export", "a.parcast", "--cpus", "8", "--format", "perfetto", "-o", "x.pftrace", "--events",
               "--scheduler", "ideal", "--model", "strict", "--json"});
    ASSERT_TRUE(std::holds_alternative<ExportArguments>(parsed));
    auto const& arguments = std::get<ExportArguments>(parsed);
    EXPECT_EQ(arguments.replay.file, "a.parcast");
    EXPECT_THAT(arguments.replay.cpus, Optional(ElementsAre(8)));
    EXPECT_EQ(arguments.replay.scheduler, scheduler_named("ideal"));
    EXPECT_EQ(arguments.replay.question.replay.model, ReplayModel::strict);
    EXPECT_EQ(arguments.output, "x.pftrace");
    EXPECT_TRUE(arguments.events && arguments.json);
    EXPECT_FALSE(arguments.recorded);
}

TEST(Arguments, InfoTakesItsOptions) {
    auto const info = std::get<InfoArguments>(parse({"info", "--all", "a.parcast", "--findings"}));
    EXPECT_EQ(info.file, "a.parcast");
    EXPECT_TRUE(info.all && info.findings_only);
    EXPECT_FALSE(info.json);
}

TEST(Arguments, CalibrateTakesItsOptions) {
    auto const given = std::get<CalibrateArguments>(
        parse({"calibrate", "-o", "m.toml", "--seconds", "3", "--dry-run", "--json"}));
    EXPECT_EQ(given.output, "m.toml");
    EXPECT_EQ(given.seconds, 3u);
    EXPECT_TRUE(given.dry_run && given.json);
    auto const usual = std::get<CalibrateArguments>(parse({"calibrate"}));
    EXPECT_EQ(usual.output, std::nullopt);
    EXPECT_LT(usual.seconds, 60u) << "it promises to end within a minute";
    EXPECT_FALSE(usual.dry_run || usual.json);
}

struct RecordCase {
    std::vector<char const*> words;
    std::vector<std::string> command;
    char const* because;
};

TEST(Arguments, WhatFollowsTheDividerBelongsToTheProgram) {
    RecordCase const cases[] = {
        {{"record", "--", "ls", "-o", "x"}, {"ls", "-o", "x"}, "options of the program are not ours"},
        {{"record", "--", "sh", "--", "a"}, {"sh", "--", "a"}, "a second divider is the program's"},
        {{"record", "-o", "t", "--", "--odd"}, {"--odd"}, "even a program named like an option"},
        {{"record", "ls", "-l"}, {"ls", "-l"}, "without divider the first word that is no option begins it"},
        {{"record", "ls", "--", "-l"}, {"ls", "--", "-l"}, "then a divider is the program's"},
        {{"record", "--cpu", "1", "--", "ls", "--help"}, {"ls", "--help"}, "help of the program, not ours"},
    };
    for (auto const& row : cases) {
        auto const arguments = parse(row.words);
        ASSERT_TRUE(std::holds_alternative<RecordArguments>(arguments)) << row.because;
        EXPECT_EQ(std::get<RecordArguments>(arguments).command, row.command) << row.because;
    }
}

TEST(Arguments, RecordTakesItsOptions) {
    auto const record =
        std::get<RecordArguments>(parse({"record", "-o", "t.parcast", "--pretend-cpus", "8", "--cpu", "0",
                                         "--time-limit", "2m", "--max-size", "500M", "--json", "--", "ls"}));
    EXPECT_EQ(record.output, "t.parcast");
    EXPECT_EQ(record.pretend_cpus, 8u);
    EXPECT_EQ(record.cpu, 0u);
    EXPECT_EQ(record.time_limit, Duration{120'000'000'000});
    EXPECT_EQ(record.max_bytes, 500u << 20);
    EXPECT_TRUE(record.json);
}

struct ErrorCase {
    std::vector<char const*> words;
    char const* message;
    char const* advice;
};

TEST(Arguments, ErrorsNameTheWordAndTheNextCommand) {
    ErrorCase const cases[] = {
        {{"predcit", "f"}, "\"predcit\"", "Did you mean: parcast predict"},
        {{"simulate"}, "there are record, info, predict", "Try: parcast help"},
        {{"--frob"}, "--frob", "Try: parcast help"},
        {{"predict"}, "needs the file of a recording", "Try: parcast help predict"},
        {{"info"}, "needs the file of a recording", "Try: parcast help info"},
        {{"predict", "f", "--cpus", "0"}, "at least 1 CPU", "Try: parcast help predict"},
        {{"predict", "f", "--cpus", ""}, "not a number", "Try: parcast help predict"},
        {{"predict", "f", "--tasks", "shared"},
         "auto or recorded, not \"shared\"",
         "Try: parcast help predict"},
        {{"predict", "f", "--model", "loose"}, "\"loose\"", "Try: parcast help predict"},
        {{"predict", "f", "--scheduler", "fifo"}, "\"fifo\"", "Try: parcast help predict"},
        {{"predict", "f", "--jobs", "0"}, "--jobs", "Try: parcast help predict"},
        {{"predict", "f", "g"}, "one recording, but there is \"g\"", "Try: parcast help predict"},
        {{"info", "f", "--frob"}, "--frob", "Try: parcast help info"},
        {{"info", "f", "--findngs"}, "no option --findngs", "Did you mean: --findings"},
        {{"record", "--pretend-cpu", "4", "--", "ls"}, "no option", "Did you mean: --pretend-cpus"},
        {{"predict", "f", "--cpus"}, "--cpus needs a value", "Try: parcast help predict"},
        {{"record"}, "needs a program", "Try: parcast help record"},
        {{"record", "--"}, "needs a program", "Try: parcast help record"},
        {{"record", "--frob", "ls"}, "--frob", "Try: parcast help record"},
        {{"record", "--pretend-cpus", "0", "--", "ls"}, "--pretend-cpus", "Try: parcast help record"},
        {{"record", "--time-limit", "soon", "--", "ls"}, "\"soon\"", "Try: parcast help record"},
        {{"record", "--max-size", "0", "--", "ls"}, "--max-size", "Try: parcast help record"},
        {{"record", "--max-size", "1M", "--", "ls"}, "2M is the least", "Try: parcast help record"},
        {{"record", "--cpu", "one", "--", "ls"}, "--cpu", "Try: parcast help record"},
        {{"export", "f", "--cpus", "1,2"}, "one number of CPUs", "Try: parcast help export"},
        {{"export", "f", "--cpus", "2", "--recorded"}, "one of them", "Try: parcast help export"},
        {{"export", "f", "--cpus", "2", "--format", "html"}, "\"html\"", "Try: parcast help export"},
        {{"export", "f", "--cpus", "2", "--format", "paraver", "-o", "-"},
         "NAME.prv",
         "Try: parcast help export"},
        {{"export", "f", "--cpus", "2", "-o", "-", "--json"}, "standard output", "Try: parcast help export"},
        {{"report", "f", "-o", ""}, "name of a file", "Try: parcast help report"},
        {{"calibrate", "host.toml"}, "no file to read", "Try: parcast help calibrate"},
        {{"calibrate", "--second", "3"}, "no option --second", "Did you mean: --seconds"},
        {{"calibrate", "--seconds", "0"}, "--seconds", "Try: parcast help calibrate"},
        {{"report", "f", "--cpus", "65535"}, "a page shows at most", "Try: parcast help report"},
        {{"view", "f", "--cpus", "0"}, "at least 1 CPU", "Try: parcast help view"},
        {{"scale", "--cpus", "x", "--", "ls"}, "not a number", "Try: parcast help scale"},
        {{"help", "recrod"}, "\"recrod\"", "Did you mean: parcast help record"},
    };
    for (auto const& row : cases) {
        UsageError const error = error_of(row.words);
        EXPECT_THAT(error.message, HasSubstr(row.message));
        EXPECT_EQ(error.advice, row.advice) << error.message;
        EXPECT_THAT(error.message, MatchesRegex(".*[^.][.]")) << "one full stop";
    }
}

TEST(Arguments, HelpIsAnAnswerAndOpensWithExamples) {
    EXPECT_THAT(answer_to({}), HasSubstr("parcast record --"));
    EXPECT_THAT(answer_to({"--version"}), testing::StartsWith("parcast "));
    for (auto const verb : verbs()) {
        std::string const name(verb);
        EXPECT_EQ(answer_to({"help", name.c_str()}), help_of(verb));
        EXPECT_EQ(answer_to({name.c_str(), "--help"}), help_of(verb));
        EXPECT_THAT(std::string(help_of(verb)), testing::StartsWith("Examples:\n  parcast " + name));
    }
}

TEST(Arguments, HelpNamesEveryOption) {
    for (auto const verb : verbs()) {
        if (verb == "help")
            continue;
        auto const options = options_of(verb);
        EXPECT_GE(options.size(), 5u) << verb;
        for (auto const& option : options)
            EXPECT_THAT(std::string(help_of(verb)), HasSubstr(option)) << verb;
    }
}

}  // namespace
}  // namespace parcast::cli
