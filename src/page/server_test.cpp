#include "page/server.h"

#include <algorithm>
#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

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

// What a browser, or a program that is none, sends on one connection.
class Caller {
public:
    Caller(Server const& server, std::string const& text) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        place.sin_port = htons(server.port());
        place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr const*>(&place), sizeof place), 0);
        EXPECT_EQ(send(socket_, text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
    }
    Caller(Caller&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
    Caller& operator=(Caller&&) = delete;
    ~Caller() {
        if (socket_ >= 0)
            close(socket_);
    }

    std::string status() const {  // waits for it
        std::string text(12, '\0');
        auto const length = recv(socket_, text.data(), text.size(), MSG_WAITALL);
        return text.substr(0, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    }

private:
    int socket_;
};

std::string question(Server const& server, std::string const& path) {
    auto const token = server.address().substr(server.address().find('/', 8));
    return "GET " + token + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(server.port()) +
           "\r\n\r\n";
}

TEST(Server, WasBlockedByConnectionsThatAreHalfOpen) {
    constexpr int many = 600;
    auto server = Server::open(std::nullopt, [](Question const&) { return Answer{200, "text/plain", {}}; });
    ASSERT_TRUE(server);
    server->start();
    std::vector<Caller> callers;
    for (int i = 0; i < many; ++i)
        callers.emplace_back(*server, i % 2 == 0 ? "" : question(*server, "").substr(0, 20));
    EXPECT_EQ(Caller(*server, question(*server, "")).status(), "HTTP/1.1 200");
    callers.clear();  // those that wait end at once
    server->stop();
}

// Whatever holds one up. With a pool that is smaller, this would not end.
TEST(Server, AnswersBesideAnyNumberOfConnectionsThatWait) {
    constexpr int many = 200;
    std::latch asked(1);
    std::atomic<int> waiting = 0;
    auto server = Server::open(std::nullopt, [&](Question const& question) {
        if (question.path == "free") {
            asked.count_down();
        } else {
            ++waiting;
            asked.wait();
        }
        return Answer{200, "text/plain", {}};
    });
    ASSERT_TRUE(server);
    server->start();
    std::vector<Caller> callers;
    for (int i = 0; i < many; ++i)
        callers.emplace_back(*server, question(*server, "wait"));
    while (waiting < many)
        std::this_thread::yield();
    EXPECT_EQ(Caller(*server, question(*server, "free")).status(), "HTTP/1.1 200");
    for (auto const& caller : callers)
        EXPECT_EQ(caller.status(), "HTTP/1.1 200");
    callers.clear();
    server->stop();
}

TEST(Server, StopsThoughNobodyEverAskedIt) {
    auto server = Server::open(std::nullopt, [](Question const&) { return Answer{}; });
    ASSERT_TRUE(server);
    server->start();
    server->stop();
}

}  // namespace parcast::page
