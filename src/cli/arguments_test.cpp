#include "cli/arguments.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/help.h"
#include "cli/start/recordings_here.h"
#include "cli/start/words_elsewhere.h"
#include "cli/verbs/predict.h"
#include "cli/verbs/record.h"

namespace parcast::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

template <class Arguments>
Arguments parse(Verb const& verb, std::vector<std::string> const& words) {
    OptionTable table;
    auto const prepared = verb.prepare(table);
    auto const given = parse_options(table, verb.name, words);
    EXPECT_TRUE(given) << given.error().message;
    return *static_cast<Arguments const*>(prepared.arguments.get());
}

Error error_of(std::vector<char const*> const& words) {
    auto const command = parse_arguments(words);
    return command ? Error{ErrorCode::bug, "(accepted)", {}} : command.error();
}

std::string answer_to(std::vector<char const*> const& words) {
    auto const command = parse_arguments(words);
    testing::internal::CaptureStdout();
    EXPECT_EQ(command ? (*command)() : -1, 0);
    return testing::internal::GetCapturedStdout();
}

TEST(Arguments, PredictTakesEveryOptionInAnyOrder) {
    auto const predict = parse<PredictArguments>(
        predict_verb,
        {"--cpus", "1,4-5", "a.parcast", "--scheduler=ideal", "--machine", "m.toml", "--threads-table",
         "--json", "--jobs", "3", "--assumptions", "--model", "strict", "--tasks", "recorded"});
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
    auto const predict = parse<PredictArguments>(predict_verb, {"a.parcast"});
    EXPECT_FALSE(predict.scheduler.has_value()) << "linux, and the host's own machine file";
    EXPECT_EQ(predict.question.replay.model, ReplayModel::automatic);
    EXPECT_EQ(predict.cpus, std::nullopt);
    EXPECT_FALSE(predict.threads_table || predict.json || predict.assumptions);
}

TEST(Arguments, ExportOfWhatWasRecordedTakesNothingOfAPrediction) {
    std::vector<std::vector<char const*>> const cases{{"--scheduler", "ideal"},
                                                      {"--machine", "default"},
                                                      {"--memory", "ddr4-2-channels:4.5"},
                                                      {"--model", "strict"},
                                                      {"--tasks", "recorded"}};
    for (auto const& option : cases) {
        auto words = option;
        words.insert(words.begin(), {"export", "a.parcast", "--recorded"});
        EXPECT_THAT(error_of(words).message, HasSubstr("--recorded exports what was measured"))
            << option.front();
    }
}

struct RecordCase {
    std::vector<std::string> words;
    std::vector<std::string> command;
    char const* because;
};

TEST(Arguments, WhatFollowsTheDividerBelongsToTheProgram) {
    RecordCase const cases[] = {
        {{"--", "ls", "-o", "x"}, {"ls", "-o", "x"}, "options of the program are not ours"},
        {{"--", "sh", "--", "a"}, {"sh", "--", "a"}, "a second divider is the program's"},
        {{"-o", "t", "--", "--odd"}, {"--odd"}, "even a program named like an option"},
        {{"ls", "-l"}, {"ls", "-l"}, "without divider the first word that is no option begins it"},
        {{"ls", "--", "-l"}, {"ls", "--", "-l"}, "then a divider is the program's"},
        {{"--cpu", "1", "--", "ls", "--help"}, {"ls", "--help"}, "help of the program, not ours"},
    };
    for (auto const& row : cases)
        EXPECT_EQ(parse<RecordArguments>(record_verb, row.words).command, row.command) << row.because;
}

TEST(Arguments, RecordTakesItsOptions) {
    auto const record = parse<RecordArguments>(
        record_verb, {"-o", "t.parcast", "--pretend-cpus", "8", "--cpu", "0", "--time-limit", "2m",
                      "--max-size", "500M", "--sense-memory", "--json", "--", "ls"});
    EXPECT_EQ(record.output, "t.parcast");
    EXPECT_EQ(record.pretend_cpus, 8u);
    EXPECT_EQ(record.cpu, 0u);
    EXPECT_EQ(record.time_limit, Duration{120'000'000'000});
    EXPECT_EQ(record.max_bytes, 500u << 20);
    EXPECT_TRUE(record.sense_memory);
    EXPECT_TRUE(record.json);
}

struct ErrorCase {
    std::vector<char const*> words;
    char const* message;
    char const* advice;
};

TEST(Arguments, ErrorsNameTheWordAndTheNextCommand) {
    ErrorCase const cases[] = {
        {{"predcit", "f"}, "\"predcit\"", "Did you mean: parcast predict f"},
        {{"frobnicate"}, "there are record, info, predict", "Try: parcast help"},
        {{"simulate", "f"}, "but there is predict", "Try: parcast predict f"},
        {{"simulate"}, "but there is predict", "Try: parcast predict pigz.4711.parcast"},
        {{"predict", "f", "-q", "-v"}, "exclude each other", "Try: parcast help predict"},
        {{"report", "f", "-o", "%d.html"}, "%p (process)", "Try: parcast help report"},
        {{"--frob"}, "--frob", "Try: parcast help"},
        {{"predict"},
         "needs an input: a recording, a task graph, a model, a thread program, a step program or a message "
         "program",
         "Try: parcast help predict"},
        {{"info"}, "needs a recording", "Try: parcast help info"},
        {{"predict", "f", "--cpus", "0"}, "at least 1 CPU", "Try: parcast help predict"},
        {{"predict", "f", "--cpus", ""}, "not a number", "Try: parcast help predict"},
        {{"predict", "f", "--tasks", "shared"},
         "auto or recorded, not \"shared\"",
         "Try: parcast help predict"},
        {{"predict", "f", "--model", "loose"}, "\"loose\"", "Try: parcast help predict"},
        {{"predict", "f", "--scheduler", "fifo"}, "\"fifo\"", "Try: parcast help predict"},
        {{"predict", "f", "--jobs", "0"}, "--jobs", "Try: parcast help predict"},
        {{"advise", "f", "g"},
         "one input (a recording, a task graph, a thread program, a step program or a message program), but "
         "there is also "
         "\"g\"",
         "Try: parcast help advise"},
        {{"info", "f", "g"}, "one recording, but there is also \"g\"", "Try: parcast help info"},
        {{"predict", "f", "--jobs", "2", "--jobs", "3"}, "more than once", "Try: parcast help predict"},
        {{"extract", "f", "--schedule", "block"}, "--schedule needs --condense", "Try: parcast help extract"},
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
        {{"calibrate", "host.toml"}, "no input", "Try: parcast help calibrate"},
        {{"calibrate", "--second", "3"}, "no option --second", "Did you mean: --seconds"},
        {{"calibrate", "--seconds", "0"}, "--seconds", "Try: parcast help calibrate"},
        {{"report", "f", "--cpus", "65535"}, "a page shows at most", "Try: parcast help report"},
        {{"view", "f", "--cpus", "0"}, "at least 1 CPU", "Try: parcast help view"},
        {{"scale", "--cpus", "x", "--", "ls"}, "not a number", "Try: parcast help scale"},
    };
    for (auto const& row : cases) {
        Error const error = error_of(row.words);
        EXPECT_THAT(error.message, HasSubstr(row.message));
        EXPECT_EQ(error.advice, row.advice) << error.message;
        EXPECT_NE(error.message.back(), '.') << "who prints it adds the stop";
        EXPECT_EQ(error.code, ErrorCode::unasked);
    }
}

TEST(Arguments, EveryWordOfAnotherToolLeadsToAVerb) {
    for (auto const& row : words_elsewhere) {
        if (find_verb(row.word))
            continue;  // it has become one
        EXPECT_THAT(error_of({std::string(row.word).c_str(), "f"}).advice,
                    testing::StartsWith("Try: parcast "))
            << row.word;
    }
}

TEST(Arguments, OptionsOfEveryVerbMayStandBeforeIt) {
    EXPECT_EQ(answer_to({"-q", "--color", "never", "help", "info"}), help_of(info_verb));
    EXPECT_EQ(answer_to({"--color=never", "info", "--help"}), help_of(info_verb));
    EXPECT_THAT(error_of({"--color", "maybe", "info", "f"}).message, HasSubstr("auto, always or never"));
}

TEST(Arguments, NamesOfOutputsAreExpandedBeforeTheyAreStored) {
    OptionTable table;
    auto const prepared = predict_verb.prepare(table);
    ASSERT_TRUE(parse_options(table, "predict", {"runs/pigz.4711.parcast", "--plot", "%e-100%%.svg"}));
    EXPECT_EQ(static_cast<PredictArguments const*>(prepared.arguments.get())->plot, "pigz-100%.svg");
}

TEST(Arguments, HelpOfAnUnknownVerbSuggestsTheNearest) {
    auto const command = parse_arguments(std::vector<char const*>{"help", "recrod"});
    testing::internal::CaptureStderr();
    EXPECT_EQ((*command)(), 2);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("Did you mean: parcast help record"));
}

TEST(Arguments, HelpIsAnAnswerAndOpensWithExamples) {
    EXPECT_EQ(answer_to({}), first_steps());
    EXPECT_EQ(answer_to({"help"}), overview());
    EXPECT_THAT(overview(), HasSubstr("parcast record --"));
    EXPECT_THAT(answer_to({"--version"}), testing::StartsWith("parcast "));
    for (auto const* const verb : verbs) {
        std::string const name(verb->name);
        EXPECT_EQ(answer_to({"help", name.c_str()}), help_of(*verb));
        EXPECT_EQ(answer_to({name.c_str(), "--help"}), help_of(*verb));
        EXPECT_THAT(help_of(*verb), testing::StartsWith("Examples:\n  parcast " + name));
    }
}

TEST(Arguments, HelpNamesEveryOptionOnLinesThatFitATerminal) {
    for (auto const* const verb : verbs) {
        OptionTable table;
        auto const prepared = verb->prepare(table);
        std::string const help = help_of(*verb);
        for (auto const& option : table.options())
            EXPECT_THAT(help, HasSubstr("\n  " + std::string(option.spelling) + " ")) << verb->name;
        std::istringstream lines(help + overview());
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(line.size(), 110u) << line;
    }
}

}  // namespace
}  // namespace parcast::cli
