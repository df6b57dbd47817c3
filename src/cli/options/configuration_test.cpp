#include "cli/options/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/arguments.h"
#include "cli/verbs.h"
#include "cli/verbs/predict.h"

namespace parcast::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Configuration parsed(std::string_view text) {
    auto configuration = parse_configuration(text, ".parcast.toml");
    EXPECT_TRUE(configuration) << describe(configuration.error());
    return configuration.value_or(Configuration{});
}

// What predict was asked, with this configuration and these words.
struct Predicted {
    Prepared prepared;
    Result<GivenOptions> given;

    Predicted(Configuration const& configuration, std::vector<std::string> const& words) {
        OptionTable table;
        prepared = predict_verb.prepare(table);
        given = parse_options(table, "predict", words, [&] { return Result<Configuration>(configuration); });
    }
    PredictArguments const& arguments() const {
        return *static_cast<PredictArguments const*>(prepared.arguments.get());
    }
};

TEST(Configuration, AValueIsThatOfTheVerbThenThatOfAllThenNone) {
    auto const configuration = parsed("cpus = [1, 2]\n[predict]\ncpus = \"4-6\"\n[view]\nport = 9000\n");
    EXPECT_THAT(*Predicted(configuration, {"f"}).arguments().cpus, ElementsAre(4, 5, 6));
    EXPECT_THAT(*Predicted(parsed("cpus = [1, 2]"), {"f"}).arguments().cpus, ElementsAre(1, 2));
    EXPECT_FALSE(Predicted(parsed("[view]\nport = 9000"), {"f"}).arguments().cpus);
}

TEST(Configuration, TheCommandLineIsStronger) {
    EXPECT_THAT(*Predicted(parsed("cpus = 3"), {"f", "--cpus", "8"}).arguments().cpus, ElementsAre(8));
}

TEST(Configuration, FlagsAreTrueOrFalse) {
    EXPECT_TRUE(Predicted(parsed("json = true"), {"f"}).arguments().json);
    EXPECT_FALSE(Predicted(parsed("json = false"), {"f"}).arguments().json);
}

TEST(Configuration, WhatExcludesATypedOptionIsLeftOut) {
    for (auto const* const verb : verbs) {
        OptionTable table;
        (void)verb->prepare(table);
        for (auto const& option : table.options()) {
            if (option.excluded.empty() || !option.is_flag())
                continue;
            OptionTable again;
            auto const prepared = verb->prepare(again);
            auto const configuration =
                parsed("[" + std::string(verb->name) + "]\n" + option.name().substr(2) + " = true\n");
            auto const other = std::ranges::find(again.options(), option.excluded, &Option::name);
            if (other == again.options().end() || !other->is_flag())
                continue;
            std::vector<std::string> words{std::string(option.excluded)};
            for (auto const& positional : again.positionals())
                words.emplace_back(positional.name);
            auto const given =
                parse_options(again, verb->name, words, [&] { return Result<Configuration>(configuration); });
            EXPECT_TRUE(given) << verb->name << " " << option.name();
        }
    }
}

// Whoever adds an option that writes a file or runs a command marks it: for_output(), or typed_only().
TEST(Configuration, NoOptionThatNamesAFileToWriteOrACommandIsConfigured) {
    for (auto const* const verb : verbs) {
        OptionTable table;
        (void)verb->prepare(table);
        for (auto const& option : table.options()) {
            bool const says_so = option.value() == "COMMAND" || option.help.starts_with("write ") ||
                                 option.help.starts_with("also write ") ||
                                 option.help.starts_with("keep the ") ||
                                 option.help.starts_with("replace an existing");
            EXPECT_TRUE(!says_so || option.only_typed) << verb->name << " " << option.name();
        }
    }
}

TEST(Configuration, AWrongValueNamesItsPlace) {
    auto const error = Predicted(parsed("\n\ncpus = \"four\""), {"f"}).given.error();
    EXPECT_THAT(error.message, HasSubstr(".parcast.toml:3: predict: --cpus: \"four\" is not a number"));
}

struct Mistake {
    char const* text;
    unsigned line;
    char const* message;
    char const* advice;
};

TEST(Configuration, MistakesHaveAPlaceAndTheNearestName) {
    Mistake const mistakes[] = {
        {"cpu_s = 3", 1, "no verb has an option --cpu_s", "Did you mean: cpus"},
        {"\n[predict]\nschedulr = \"linux\"", 3, "predict has no option --schedulr",
         "Did you mean: schedule"},
        {"[predikt]\ncpus = 1", 1, "there is no verb \"predikt\"", "Did you mean: predict"},
        {"[predict]\nport = 1", 2, "predict has no option --port", ""},
        {"output = \"x\"", 1, "--output is for the command line alone", "Remove"},
        {"[report]\nforce = true", 2, "--force is for the command line alone", "Remove"},
        // It ran that command, and replaced that file.
        {"[scale]\nbefore = \"rm -r .\"", 2, "--before is for the command line alone", "Remove"},
        {"[predict]\nplot = \"notes.txt\"", 2, "--plot is for the command line alone", "Remove"},
        {"[check]\njunit = \"notes.txt\"", 2, "--junit is for the command line alone", "Remove"},
        {"cpus = 2026-11-28", 1, "cpus is a text, a number, true or false, or a list", ""},
        {"cpus = [[1]]", 1, "cpus is a list of texts or numbers", ""},
    };
    for (auto const& mistake : mistakes) {
        SCOPED_TRACE(mistake.text);
        auto const configuration = parse_configuration(mistake.text, ".parcast.toml");
        ASSERT_FALSE(configuration);
        auto const& error = configuration.error();
        EXPECT_EQ(error.code, ErrorCode::unasked);
        EXPECT_EQ(error.place->line, mistake.line);
        EXPECT_THAT(error.message, HasSubstr(mistake.message));
        EXPECT_THAT(error.advice, HasSubstr(mistake.advice));
    }
    EXPECT_EQ(parse_configuration("cpus = ", "f").error().code, ErrorCode::malformed);
}

TEST(Configuration, TheEnvironmentNamesVerbAndOption) {
    auto const found =
        configuration_of_environment([](std::string const& name) -> std::optional<std::string> {
            if (name == "PARCAST_WHAT_IF" || name == "PARCAST_PREDICT_CPUS")
                return "1";
            return std::nullopt;
        });
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].verb, "predict");
    EXPECT_EQ(found[0].option, "cpus");
    EXPECT_EQ(found[1].verb, "");
    EXPECT_EQ(found[1].option, "what-if");
}

TEST(Configuration, VariablesOfTheRecorderAreNoOptions) {
    auto const found =
        configuration_of_environment([](std::string const& name) -> std::optional<std::string> {
            bool const is_of_recorder = name == "PARCAST_RECORD_CPU" || name == "PARCAST_CALL_DEPTH" ||
                                        name == "PARCAST_PRETEND_CPUS";
            return is_of_recorder ? std::optional<std::string>("1") : std::nullopt;
        });
    EXPECT_TRUE(found.empty());
}

TEST(Configuration, EveryOptionOfEveryVerbCanBeSet) {
    for (auto const* const verb : verbs) {
        OptionTable table;
        (void)verb->prepare(table);
        for (auto const& option : table.options()) {
            auto const name = option.name().substr(2);
            if (option.only_typed)
                continue;
            auto const configuration = parsed("[" + std::string(verb->name) + "]\n" + name + " = \"x\"\n");
            EXPECT_NE(configured(configuration, verb->name, option), nullptr) << verb->name << " " << name;
        }
    }
}

TEST(Configuration, WhatIsOverriddenIsMarked) {
    auto const values = listed_values(parsed("cpus = 1\n[predict]\ncpus = 2"));
    ASSERT_EQ(values.size(), 2u);
    EXPECT_EQ(values[0].verb, "predict");
    EXPECT_FALSE(values[0].is_overridden || values[1].is_overridden) << "that of all is for other verbs";
    EXPECT_EQ(values[1].source, ".parcast.toml:1");
}

}  // namespace
}  // namespace parcast::cli
