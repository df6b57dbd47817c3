// Answers a browser on this machine, and nobody else.
//
// Who is admitted: (1) connections to 127.0.0.1; (2) with a path that begins with the token, 128 random bits
// that only who started the server knows; (3) whose Host names this server by its own address. A page from
// elsewhere whose name resolves to 127.0.0.1 (DNS rebinding) sends its own name there. Nobody else learns
// more than that something answers 404. No page of another origin may read an answer: none carries a CORS
// header.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace parcast::page {

// 32 hexadecimal digits.
std::string random_token();

// What stands behind "/TOKEN/" in the path, if whoever asks is admitted.
std::optional<std::string_view> admitted(std::string_view path, std::string_view host, std::string_view token,
                                         std::uint16_t port);

using Parameters = std::map<std::string, std::string>;

struct Question {
    std::string_view path;  // behind the token: "", "overview.json"
    Parameters parameters;
};

// Shared, since an answer may still be on its way when who made it forgets it.
using Content = std::shared_ptr<std::vector<std::byte> const>;
Content content_of(std::string_view text);

struct Answer {
    int status = 404;
    char const* type = "text/plain; charset=utf-8";
    Content content;  // null: empty
};

class Server {
public:
    // Answers several questions at once, each in a thread of its own.
    using Respond = std::function<Answer(Question const&)>;

    // On the given port, or on the first free one from 8420 up. From then on browsers can connect; they are
    // answered from start() on. Errors: exhausted (no port is free).
    static Result<Server> open(std::optional<std::uint16_t> port, Respond respond);

    Server(Server&&) noexcept;
    Server& operator=(Server&&) = delete;
    ~Server();  // stops

    std::uint16_t port() const { return port_; }
    std::string address() const;  // with the token

    void start();
    void stop();  // waits for the answers that are being made

private:
    struct Connection;
    Server(std::unique_ptr<Connection> connection, std::uint16_t port, std::string token);

    std::unique_ptr<Connection> connection_;
    std::uint16_t port_;
    std::string token_;
};

}  // namespace parcast::page
