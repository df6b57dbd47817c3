#include "naive_clients.h"

#include <deque>
#include <queue>
#include <random>
#include <vector>

namespace parcast::bench {

namespace {

struct Event {
    double time;
    std::uint32_t client;
    bool served;  // else it arrives

    bool operator>(Event const& other) const { return time > other.time; }
};

}  // namespace

double naive_clients(std::uint32_t clients, std::uint64_t turns, double think, double service,
                     std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> thinking(1 / think);
    std::exponential_distribution<double> serving(1 / service);
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    std::deque<std::uint32_t> waiting;
    std::vector<std::uint64_t> left(clients, turns);
    bool busy = false;
    double now = 0;
    for (std::uint32_t client = 0; client < clients; ++client)
        events.push({thinking(random), client, false});
    while (!events.empty()) {
        auto const event = events.top();
        events.pop();
        now = event.time;
        if (!event.served) {
            if (busy)
                waiting.push_back(event.client);
            else
                events.push({now + serving(random), event.client, true});
            busy = true;
            continue;
        }
        if (--left[event.client] > 0)
            events.push({now + thinking(random), event.client, false});
        busy = !waiting.empty();
        if (busy) {
            events.push({now + serving(random), waiting.front(), true});
            waiting.pop_front();
        }
    }
    return now;
}

}  // namespace parcast::bench
