#include "report/text/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace parcast::report {
namespace {

using testing::HasSubstr;
using testing::Not;

Theories example() {
    Theories theories;
    theories.work_ns = 30e6;
    theories.span_ns = 10e6;
    theories.average_parallelism = 3;
    theories.most_parallelism = 8;
    theories.policy = "fifo";
    for (std::uint32_t const cpus : {2U, 10U}) {
        TheoriesAt at;
        at.cpus = cpus;
        at.deterministic_ns = 40e6 / cpus;
        at.bounds = {1.5, 2, 1.57894737, 1.61538462, 1.71428571};
        at.theories.push_back(
            {"kruskal_weiss", "Kruskal-Weiss", "...", ComparedTime{42e6 / cpus, std::nullopt}});
        at.theories.push_back(
            {"markov_chain", "Markov chain", "...", fail(ErrorCode::out_of_range, "1.73e+13 states")});
        theories.counts.push_back(at);
    }
    theories.counts[0].theories[1] = {"markov_chain", "Markov chain", "...", ComparedTime{21.5e6, 9e6}};
    return theories;
}

// A theory that does not apply.
TheoryTime refused(std::string_view key, std::string_view title, std::string const& reason) {
    return {key, title, "...", fail(ErrorCode::unsupported, reason)};
}

TEST(TheoriesText, PutsThemBesideTheDeterministicModel) {
    std::string const text = theories_text(example(), {});
    EXPECT_THAT(text, HasSubstr("CPUs     fifo  Kruskal-Weiss  Markov chain\n"));
    EXPECT_THAT(text, HasSubstr("   2  20.0 ms        21.0 ms       21.5 ms\n"));
    EXPECT_THAT(text, HasSubstr("  10  4.00 ms        4.20 ms\n"));
    EXPECT_THAT(text, HasSubstr("1.50 - 2.00"));
}

TEST(TheoriesText, BoundsThatDoNotHoldAreNotSaidButWhy) {
    auto is_static = example();
    is_static.why_not_all_bounds = "block is none.";
    for (auto& at : is_static.counts)
        at.bounds.lower = at.bounds.estimate = std::nullopt;
    EXPECT_THAT(theories_text(is_static, {}), HasSubstr("at most 2.00"));
    EXPECT_THAT(theories_text(is_static, {}), HasSubstr("block is none."));
    auto none = example();
    none.why_not_all_bounds = "No bounds.";
    for (auto& at : none.counts)
        at.bounds = {};
    EXPECT_THAT(theories_text(none, {}), Not(HasSubstr("at most")));
    EXPECT_THAT(theories_text(none, {}),
                HasSubstr("Speed-up by the parallelism of the graph\n\nNo bounds.\n"));
    EXPECT_TRUE(theories_json(none)["counts"][0]["bounds"]["upper"].is_null());
    EXPECT_EQ(theories_json(none)["bounds_refusal"], "No bounds.");
    EXPECT_TRUE(theories_json(example())["bounds_refusal"].is_null());
}

TEST(TheoriesText, ATheoryThatDoesNotApplySaysWhyAndWhere) {
    EXPECT_THAT(theories_text(example(), {}),
                HasSubstr("Markov chain does not apply to 10 CPUs: 1.73e+13 states.\n"));
    auto all = example();
    all.counts.erase(all.counts.begin());
    EXPECT_THAT(theories_text(all, {}), HasSubstr("Markov chain does not apply: 1.73e+13 states.\n"));
    EXPECT_THAT(theories_text(all, {}), Not(HasSubstr("Kruskal-Weiss says nothing")));
}

TEST(TheoriesText, AReasonThatIsAnotherOnEachNumberOfCpusIsSaidForEach) {
    auto theories = example();
    theories.counts[0].theories[1] = refused("markov_chain", "Markov chain", "26 states");
    EXPECT_THAT(theories_text(theories, {}),
                HasSubstr("Markov chain does not apply to 2 CPUs: 26 states.\n"
                          "Markov chain does not apply to 10 CPUs: 1.73e+13 states.\n"));
}

TEST(TheoriesText, TheSameReasonIsSaidOnce) {
    auto theories = example();
    for (auto& at : theories.counts) {
        at.theories[0] = refused("a", "Kruskal-Weiss", "no phases");
        at.theories[1] = refused("b", "K-W exponential", "no phases");
    }
    EXPECT_THAT(theories_text(theories, {}),
                HasSubstr("Kruskal-Weiss and K-W exponential do not apply: no phases.\n"));
}

TEST(TheoriesJson, HasANumberOrAReason) {
    auto const json = theories_json(example());
    EXPECT_EQ(json["counts"][0]["theories"][1]["time_ns"], 21.5e6);
    EXPECT_TRUE(json["counts"][0]["theories"][1]["refusal"].is_null());
    EXPECT_TRUE(json["counts"][1]["theories"][1]["time_ns"].is_null());
    EXPECT_EQ(json["counts"][1]["theories"][1]["refusal"], "1.73e+13 states");
}

}  // namespace
}  // namespace parcast::report
