// Every option of every verb on every form of input: rejected, or stored where the verb finds it. Never ignored.

#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/arguments.h"
#include "cli/export_command.h"
#include "cli/extract_command.h"
#include "cli/formula_command.h"
#include "cli/info_command.h"
#include "cli/predict_command.h"
#include "cli/report_command.h"
#include "cli/variance_command.h"
#include "cli/view_command.h"

namespace parcast::cli {
namespace {

using testing::HasSubstr;

// Valid, and not the default.
std::map<std::string, std::string> const values{
    {"--compare", "b"},    {"--condense", "3"},   {"--confidence", "90"},   {"--cpu-time", "1"},
    {"--cpus", "3"},       {"--delay", "1"},      {"--format", "csv"},      {"--jobs", "3"},
    {"--machine", "m"},    {"--measured", "m"},   {"--memory", "lock"},     {"--method", "both"},
    {"--model", "strict"}, {"--of", "x"},         {"--output", "x"},        {"--overhead", "2us"},
    {"--parameter", "P"},  {"--per", "N"},        {"--plot", "x.svg"},      {"--port", "9000"},
    {"--precision", "2"},  {"--processing", "1"}, {"--quantiles", "50"},    {"--retire", "all"},
    {"--runs", "7"},       {"--schedule", "lpt"}, {"--scheduler", "ideal"}, {"--seed", "7"},
    {"--set", "n=3"},      {"--sweep", "P=1..3"}, {"--tasks", "recorded"},  {"--unit", "us"},
};

template <class Arguments>
struct Parsed {
    Arguments arguments;
    Result<GivenOptions> given;

    explicit Parsed(std::vector<std::string> const& words) {
        OptionTable table;
        describe_options(table, arguments);
        given = parse_options(table, "verb", words);
    }
};

std::vector<std::string> with(std::vector<std::string> words, Option const& option) {
    words.push_back(option.name());
    if (!option.is_flag()) {
        EXPECT_TRUE(values.contains(option.name())) << option.name() << ": give it a value in this test";
        words.push_back(values.at(option.name()));
    }
    return words;
}

template <class Arguments>
void try_option(OptionTable const& table, Option const& option) {
    std::vector<std::string> words{"FILE"};
    for (auto const& other : table.options())
        if (other.name() == option.needed)
            words = with(words, other);
    Parsed<Arguments> const without(words);
    Parsed<Arguments> const parsed(with(words, option));
    ASSERT_TRUE(without.given);
    if (!parsed.given)
        return;  // rejected for every form: the numbers that variance takes instead of an input
    EXPECT_FALSE(without.arguments == parsed.arguments) << option.spelling << " is ignored";
    for (Form const form : {Form::recording, Form::task_graph, Form::model}) {
        auto const checked = parsed.given->check(form, "FILE");
        EXPECT_EQ(checked.has_value(), table.forms().has(form) && option.forms.has(form)) << option.spelling;
        if (checked || !table.forms().has(form))
            continue;
        EXPECT_EQ(checked.error().code, ErrorCode::unasked);
        EXPECT_THAT(checked.error().message, HasSubstr(option.name() + " is for "));
    }
}

template <class Arguments>
class EveryOption : public testing::Test {};

using WithInputs = testing::Types<ExportArguments, ExtractArguments, FormulaArguments, InfoArguments,
                                  PredictArguments, ReportArguments, VarianceArguments, ViewArguments>;
TYPED_TEST_SUITE(EveryOption, WithInputs);

TYPED_TEST(EveryOption, IsUsedOrRejected) {
    TypeParam arguments;
    OptionTable table;
    describe_options(table, arguments);
    for (auto const& option : table.options())
        if (option.name() != help_option)
            try_option<TypeParam>(table, option);
}

TEST(GivenOptions, TheMessageSaysWhatTheOptionIsForAndWhatThisIs) {
    auto const given = *Parsed<PredictArguments>({"f", "--schedule", "lpt"}).given;
    auto const error = given.check(Form::recording, "a.parcast").error();
    EXPECT_EQ(describe(error), "a.parcast: --schedule is for task graphs; this is a recording");
    EXPECT_EQ(error.advice, "Options for recordings: parcast help verb");
}

TEST(GivenOptions, AValueCanServeOtherFormsThanTheOption) {
    auto const recorded = *Parsed<ViewArguments>({"f", "--compare", "recorded"}).given;
    EXPECT_THAT(recorded.check(Form::task_graph, "f").error().message,
                HasSubstr("--compare recorded is for recordings"));
    EXPECT_TRUE((*Parsed<ViewArguments>({"f", "--compare", "g"}).given).check(Form::task_graph, "f"));
}

TEST(GivenOptions, AVerbThatDoesNotTakeAFormSaysWhichItTakes) {
    auto const error = (*Parsed<InfoArguments>({"f"}).given).check(Form::task_graph, "f").error();
    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_EQ(error.message, "verb takes a recording; this is a task graph");
}

}  // namespace
}  // namespace parcast::cli
