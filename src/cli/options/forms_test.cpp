// Every option of every verb on every form of input is rejected, or stored where the verb finds it.

#include <map>
#include <ranges>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/arguments.h"
#include "cli/verbs.h"

namespace parcast::cli {
namespace {

using testing::HasSubstr;

// Valid, and not the default.
std::map<std::string, std::string> const values{
    {"--compare", "b"},
    {"--condense", "3"},
    {"--confidence", "90"},
    {"--cpu-time", "1"},
    {"--cpu-times-of", "there.json"},
    {"--cpus", "3"},
    {"--delay", "1"},
    {"--editor", "vi {file}"},
    {"--format", "csv"},
    {"--jobs", "3"},
    {"--machine", "m"},
    {"--measured", "m"},
    {"--memory", "lock"},
    {"--method", "both"},
    {"--model", "strict"},
    {"--of", "x"},
    {"--output", "x"},
    {"--overhead", "2us"},
    {"--parameter", "P"},
    {"--per", "N"},
    {"--plot", "x.svg"},
    {"--port", "9000"},
    {"--precision", "2"},
    {"--processing", "1"},
    {"--quantiles", "50"},
    {"--retire", "all"},
    {"--runs", "7"},
    {"--schedule", "lpt"},
    {"--scheduler", "ideal"},
    {"--seed", "7"},
    {"--size", "3"},
    {"--cpu", "0"},
    {"--cpu-ids", "0"},
    {"--pretend-cpus", "3"},
    {"--time-limit", "7"},
    {"--repeat", "3"},
    {"--measure-cpus", "2"},
    {"--max-size", "5M"},
    {"--seconds", "3"},
    {"--before", "x"},
    {"--keep", "x"},
    {"--set", "n=3"},
    {"--sweep", "P=1..3"},
    {"--tasks", "recorded"},
    {"--unit", "us"},
    {"--what-if", "sleep:*0"},
    {"--top", "5"},
    {"--sample", "10ms"},
    {"--call-depth", "5"},
    {"--network", "meiko-cs2"},
    {"--clocks", "carry"},
    {"--ties", "7"},
    {"--ranks", "3"},
    {"--block", "10+20"},
    {"--layout", "diagonal"},
    {"--costs", "costs.toml"},
    {"--cache", "1M"},
    {"--kernels", "gaussian-elimination"},
    {"--iterations", "3"},
    {"--window", "8"},
    {"--collectives", "mpich"},
    {"--search", "coarse"},
    {"--results", "x"},
    {"--shard", "1/2"},
    {"--nodes", "3"},
    {"--place", "round-robin"},
    {"--cpu-speed", "2"},
    {"--flops-per-ns", "2"},
    {"--algorithm", "sga"},
    {"--plan", "plan.toml"},
    {"--lwps", "3"},
    {"--waiting", "passive"},
    {"--tests", "7"},
    {"--latency", "2us"},
    {"--processes", "3"},
    {"--profile", "1,0"},
    {"--granularity", "2"},
    {"--g", "P^2"},
    {"--alpha", "10"},
    {"--same-event", "5us"},
    {"--threads-from", "name"},
    {"--mapping", "x"},
    {"--cv", "0.5"},
    {"--correlation", "0.5"},
    {"--law", "exponential"},
    {"--contract", "x"},
    {"--recordings", "7"},
    {"--assert", "findings = none"},
    {"--junit", "x"},
    {"--markdown", "x"},
    {"--annotations", "github"},
};

struct Parsed {
    Prepared prepared;
    Result<GivenOptions> given;

    Parsed(Verb const& verb, std::vector<std::string> words) {
        OptionTable table;
        prepared = verb.prepare(table);
        for (auto const& positional : table.positionals())
            words.push_back(std::string(positional.name));
        given = parse_options(table, verb.name, words);
    }

    bool stores_the_same_as(Parsed const& other) const {
        return prepared.equal(prepared.arguments.get(), other.prepared.arguments.get());
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

void try_option(Verb const& verb, OptionTable const& table, Option const& option) {
    std::vector<std::string> words;
    for (auto const& other : table.options())
        if (other.name() == option.needed)
            words = with(words, other);
    Parsed const without(verb, words);
    Parsed const parsed(verb, with(words, option));
    if (!parsed.given)
        return;  // rejected for every form: the numbers that variance takes instead of an input
    EXPECT_FALSE(parsed.stores_the_same_as(without)) << "is ignored";
    for (Form const form :
         {Form::recording, Form::task_graph, Form::model, Form::threads, Form::steps, Form::messages}) {
        auto const checked = parsed.given->check(form, "FILE");
        EXPECT_EQ(checked.has_value(), table.forms().has(form) && option.forms.has(form));
        if (!checked && table.forms().has(form)) {
            EXPECT_EQ(checked.error().code, ErrorCode::unasked);
            // An option that needs another is refused with it.
            auto const refused = option.needed.empty() ? option.name() : std::string(option.needed);
            EXPECT_THAT(checked.error().message, testing::AnyOf(HasSubstr(option.name() + " is for "),
                                                                HasSubstr(refused + " is for ")));
        }
    }
}

TEST(Forms, EveryOptionIsUsedOrRejected) {
    for (auto const* const verb : verbs) {
        OptionTable table;
        auto const prepared = verb->prepare(table);
        for (auto const& option : table.own_options()) {
            SCOPED_TRACE(std::string(verb->name) + " " + option.name());
            try_option(*verb, table, option);
        }
    }
}

GivenOptions given(Verb const& verb, std::vector<std::string> const& words) {
    return *Parsed(verb, words).given;
}

TEST(GivenOptions, TheMessageSaysWhatTheOptionIsForAndWhatThisIs) {
    auto const error = given(predict_verb, {"--schedule", "lpt"}).check(Form::recording, "a.parcast").error();
    EXPECT_EQ(describe(error), "a.parcast: --schedule is for task graphs; this is a recording");
    EXPECT_EQ(error.advice, "Options for recordings: parcast help predict");
}

TEST(GivenOptions, AValueCanServeOtherFormsThanTheOption) {
    auto const recorded = given(view_verb, {"--compare", "recorded"}).check(Form::task_graph, "f");
    EXPECT_THAT(recorded.error().message, HasSubstr("--compare recorded is for recordings"));
    EXPECT_TRUE(given(view_verb, {"--compare", "g"}).check(Form::task_graph, "f"));
}

TEST(GivenOptions, AVerbThatDoesNotTakeAFormSaysWhichItTakes) {
    auto const error = given(info_verb, {}).check(Form::task_graph, "f").error();
    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_EQ(error.message, "info takes a recording; this is a task graph");
}

}  // namespace
}  // namespace parcast::cli
