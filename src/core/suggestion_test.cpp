#include "core/suggestion.h"

#include <gtest/gtest.h>

namespace parcast {
namespace {

constexpr std::string_view verbs[] = {"record", "info", "predict", "help"};

TEST(Suggestion, OffersTheWordThatWasMeant) {
    EXPECT_EQ(nearest("recrod", verbs), "record");
    EXPECT_EQ(nearest("predcit", verbs), "predict");
    EXPECT_EQ(nearest("pred", verbs), std::nullopt) << "half a word is another word";
    EXPECT_EQ(nearest("inf", verbs), "info");
    EXPECT_EQ(nearest("hepl", verbs), "help") << "two letters exchanged are one edit";
    EXPECT_EQ(nearest("HELP", verbs), "help");
    EXPECT_EQ(nearest("hapl", verbs), std::nullopt) << "two edits of four letters are a guess";
}

TEST(Suggestion, OffersNothingForAnotherWord) {
    EXPECT_EQ(nearest("", verbs), std::nullopt);
    EXPECT_EQ(nearest("simulate", verbs), std::nullopt);
    EXPECT_EQ(nearest("info", {}), std::nullopt);
}

}  // namespace
}  // namespace parcast
