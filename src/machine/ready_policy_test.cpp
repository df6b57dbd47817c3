#include "machine/ready_policy.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

using testing::HasSubstr;

TEST(ReadyPolicy, IsWrittenAsItIsRead) {
    std::vector<std::string> texts = {"ps:12", "guided:4"};
    for (auto const& row : ready_policies)
        texts.push_back(std::string(row.word) +
                        (row.number == ReadyPolicyRow::Number::must_follow ? ":3" : ""));
    for (auto const& text : texts) {
        auto const policy = parse_ready_policy(text);
        ASSERT_TRUE(policy) << policy.error().message;
        EXPECT_EQ(name_of(*policy), text);
    }
}

TEST(ReadyPolicy, ThatIsNotThereNamesThoseThatAre) {
    auto const result = parse_ready_policy("fito");
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error().message, HasSubstr("fifo, lpt"));
    for (auto const* text : {"batch", "batch:", "batch:0", "batch:x", "fifo:2", "ps:-1", "batch:99999999999"})
        EXPECT_FALSE(parse_ready_policy(text).has_value()) << text;
}

}  // namespace
}  // namespace parcast
