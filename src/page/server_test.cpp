#include "page/server.h"

#include <string>

#include <gtest/gtest.h>

namespace parcast::page {

TEST(Token, IsAnotherOneEachTime) {
    auto const token = random_token();
    EXPECT_EQ(token.size(), 32U);
    EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
    EXPECT_NE(token, random_token());
}

struct Case {
    char const* path;
    char const* host;
    std::optional<std::string_view> rest;
    char const* because;
};

class Admission : public testing::TestWithParam<Case> {};

TEST_P(Admission, NeedsTokenAndName) {
    auto const& [path, host, rest, because] = GetParam();
    EXPECT_EQ(admitted(path, host, "beef", 8420), rest) << because;
}

INSTANTIATE_TEST_SUITE_P(
    OfQuestions, Admission,
    testing::Values(Case{"/beef/", "127.0.0.1:8420", "", "the page itself"},
                    Case{"/beef/overview.json", "localhost:8420", "overview.json", "as ssh -L is used"},
                    Case{"/beef/../x", "127.0.0.1:8420", "../x", "who is admitted, not what there is"},
                    Case{"/", "127.0.0.1:8420", std::nullopt, "no token"},
                    Case{"/beef", "127.0.0.1:8420", std::nullopt, "links of the page are relative to it"},
                    Case{"/bee/", "127.0.0.1:8420", std::nullopt, "a beginning of the token"},
                    Case{"/beee/", "127.0.0.1:8420", std::nullopt, "another token"},
                    Case{"/beeff/", "127.0.0.1:8420", std::nullopt, "more than the token"},
                    Case{"//beef/", "127.0.0.1:8420", std::nullopt, "the token is elsewhere"},
                    Case{"/beef/", "evil.example:8420", std::nullopt, "DNS rebinding"},
                    Case{"/beef/", "127.0.0.1:8421", std::nullopt, "another server's port"},
                    Case{"/beef/", "127.0.0.1", std::nullopt, "port 80"},
                    Case{"/beef/", "", std::nullopt, "no name at all"}));

TEST(Server, TakesTheNextPortWhereOneIsTaken) {
    auto const respond = [](Question const&) { return Answer{}; };
    auto first = Server::open(std::nullopt, respond);
    auto second = Server::open(std::nullopt, respond);
    ASSERT_TRUE(first && second);
    EXPECT_LT(first->port(), second->port());
    auto const taken = Server::open(first->port(), respond);
    ASSERT_FALSE(taken);
    EXPECT_NE(taken.error().message.find(std::to_string(first->port())), std::string::npos);
}

TEST(Server, StopsThoughNobodyEverAskedIt) {
    auto server = Server::open(std::nullopt, [](Question const&) { return Answer{}; });
    ASSERT_TRUE(server);
    server->start();
    server->stop();
}

}  // namespace parcast::page
