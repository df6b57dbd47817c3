#include "answer/binding.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

TEST(BindingVerdict, ComparesWhereThePredictionAndTheIntervalPoint) {
    struct Row {
        double predicted;
        Spread measured;
        BindingVerdict verdict;
        char const* because;
    };
    using enum BindingVerdict;
    for (auto const& [predicted, measured, verdict, because] : {
             Row{0.19, {0.08, 0.02, 0.12}, confirmed, "it saves, though less"},
             Row{0.19, {-0.05, -0.09, -0.01}, refuted, "it costs"},
             Row{0.19, {0.001, -0.004, 0.006}, refuted, "there is nothing to gain"},
             Row{0.19, {0.05, -0.02, 0.09}, open, "runs differ more than that"},
             Row{0.003, {0.001, -0.004, 0.006}, confirmed, "there is nothing to gain"},
             Row{0.003, {0.05, 0.03, 0.06}, refuted, "it saves"},
             Row{-0.2, {-0.1, -0.2, -0.05}, confirmed, "it costs"},
         })
        EXPECT_EQ(binding_verdict(predicted, measured), verdict) << because;
}

}  // namespace
}  // namespace parcast
