#include "page/server.h"

#include <array>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include <httplib.h>
#include <sys/random.h>

#include "core/ensure.h"

namespace parcast::page {

namespace {

constexpr char const* loopback = "127.0.0.1";
constexpr std::uint16_t first_port = 8420;
constexpr std::uint16_t ports_to_try = 100;
constexpr std::size_t longest_body = 4096;  // nothing is ever sent to us
// A connection that is kept open holds up the end of the server for as long.
constexpr std::time_t keep_alive_s = 1;
constexpr std::time_t patience_s = 60;

// Without SO_REUSEPORT, by which two servers would share a port and each answer half of the questions.
void set_options(int socket) {
    int const yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

// A thread for each connection: one that sends nothing, or half a question, holds up no other. A pool would
// be busy with a few of those until their time has run out.
class ConnectionThreads : public httplib::TaskQueue {
public:
    void enqueue(std::function<void()> serve) override {
        std::list<std::jthread> ended;  // joined when others may go on
        {
            std::lock_guard const lock(mutex_);
            ended.swap(ended_);
            auto const place = running_.emplace(running_.end());
            try {
                *place = std::jthread([this, place, serve] {
                    serve();
                    move_to_ended(place);
                });
                return;
            } catch (std::system_error const&) {
                running_.erase(place);
            }
        }
        serve();  // as many threads as the system allows: the others wait
    }

    void shutdown() override {
        {
            std::unique_lock lock(mutex_);
            has_ended_.wait(lock, [this] { return running_.empty(); });
        }
        ended_.clear();
    }

private:
    void move_to_ended(std::list<std::jthread>::iterator thread) {
        std::lock_guard const lock(mutex_);
        ended_.splice(ended_.end(), running_, thread);
        has_ended_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable has_ended_;
    std::list<std::jthread> running_;
    std::list<std::jthread> ended_;
};

// The page may load nothing from elsewhere; nobody may put it into a frame, keep it, or learn its address.
httplib::Headers usual_headers() {
    return {{"Cache-Control", "no-store"},
            {"Content-Security-Policy", "frame-ancestors 'none'"},
            {"Cross-Origin-Opener-Policy", "same-origin"},
            {"Cross-Origin-Resource-Policy", "same-origin"},
            {"Referrer-Policy", "no-referrer"},
            {"X-Content-Type-Options", "nosniff"},
            {"X-Frame-Options", "DENY"}};
}

void send(httplib::Response& response, Answer const& answer) {
    response.status = answer.status;
    if (!answer.content || answer.content->empty())
        return;
    auto const provide = [content = answer.content](std::size_t offset, std::size_t length,
                                                    httplib::DataSink& sink) {
        return sink.write(reinterpret_cast<char const*>(content->data()) + offset, length);
    };
    response.set_content_provider(answer.content->size(), answer.type, provide);
}

// Takes as long wherever the difference is.
bool is_same(std::string_view a, std::string_view b) {
    if (a.size() != b.size())
        return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned>(a[i] ^ b[i]);
    return difference == 0;
}

}  // namespace

std::string random_token() {
    std::array<unsigned char, 16> bits{};
    ensure(getrandom(bits.data(), bits.size(), 0) == static_cast<ssize_t>(bits.size()),
           "the system has random numbers");
    constexpr char digits[] = "0123456789abcdef";
    std::string token;
    for (unsigned char const byte : bits) {
        token += digits[byte >> 4];
        token += digits[byte & 15];
    }
    return token;
}

std::optional<std::string_view> admitted(std::string_view path, std::string_view host, std::string_view token,
                                         std::uint16_t port) {
    std::string const number = std::to_string(port);
    bool const is_own_name = host == "127.0.0.1:" + number || host == "localhost:" + number;
    std::size_t const head = token.size() + 2;
    if (!is_own_name || path.size() < head || path[0] != '/' || path[head - 1] != '/' ||
        !is_same(path.substr(1, token.size()), token))
        return std::nullopt;
    return path.substr(head);
}

Content content_of(std::string_view text) {
    auto const bytes = std::as_bytes(std::span(text));
    return std::make_shared<std::vector<std::byte> const>(bytes.begin(), bytes.end());
}

struct Server::Connection {
    httplib::Server server;
    std::jthread thread;
};

Server::Server(std::unique_ptr<Connection> connection, std::uint16_t port, std::string token)
    : connection_(std::move(connection)), port_(port), token_(std::move(token)) {}

Server::Server(Server&&) noexcept = default;

Server::~Server() {
    if (connection_)
        stop();
}

Result<Server> Server::open(std::optional<std::uint16_t> wanted, Respond respond) {
    auto connection = std::make_unique<Connection>();
    auto& server = connection->server;
    server.new_task_queue = [] { return new ConnectionThreads; };  // httplib deletes it
    int listening = -1;
    server.set_socket_options([&listening](int socket) {
        set_options(socket);
        listening = socket;
    });
    server.set_default_headers(usual_headers());
    server.set_payload_max_length(longest_body);
    server.set_keep_alive_timeout(keep_alive_s);
    server.set_write_timeout(patience_s);

    std::uint16_t port = wanted.value_or(first_port);
    std::uint16_t const last = wanted.value_or(first_port + ports_to_try - 1);
    while (!server.bind_to_port(loopback, port)) {
        if (port == last)
            return fail(ErrorCode::exhausted, wanted ? "port " + std::to_string(port) + " is not free."
                                                     : "no port from " + std::to_string(first_port) + " to " +
                                                           std::to_string(last) + " is free");
        ++port;
    }
    // The library lets five connections wait until they are accepted; the next one is tried again a second
    // later.
    listen(listening, SOMAXCONN);
    server.set_socket_options(set_options);
    std::string token = random_token();
    server.set_pre_routing_handler([respond = std::move(respond), port, token](
                                       httplib::Request const& request, httplib::Response& response) {
        bool const has_one_host = request.get_header_value_count("Host") == 1;
        auto const path = has_one_host ? admitted(request.path, request.get_header_value("Host"), token, port)
                                       : std::nullopt;
        if (path && (request.method == "GET" || request.method == "HEAD"))
            send(response, respond({*path, {request.params.begin(), request.params.end()}}));
        else
            response.status = 404;
        return httplib::Server::HandlerResponse::Handled;
    });
    return Server(std::move(connection), port, std::move(token));
}

std::string Server::address() const {
    return "http://" + std::string(loopback) + ":" + std::to_string(port_) + "/" + token_ + "/";
}

void Server::start() {
    connection_->thread = std::jthread([&server = connection_->server] { server.listen_after_bind(); });
    // stop() has no effect on a server that does not listen yet.
    while (!connection_->server.is_running())
        std::this_thread::yield();
}

void Server::stop() {
    connection_->server.stop();
    if (connection_->thread.joinable())
        connection_->thread.join();
}

}  // namespace parcast::page
