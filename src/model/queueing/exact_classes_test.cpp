// Several classes at stations with several servers, against a Markov chain that knows of no product form.

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "model/queueing/approximate_mva.h"
#include "model/queueing/exact_mva.h"

namespace parcast::model {
namespace {

// Customers by class and place; place 0 is thinking, then the stations.
using State = std::vector<std::uint32_t>;

// The network as a continuous chain: from thinking a customer goes to a station with a probability in
// proportion to nothing but its visits, is served at min(1, servers / customers there), as if they shared the
// servers, and thinks again. Times are exponential. Every visit to a station follows a time of thinking.
class Chain {
public:
    Chain(ClassesNetwork const& network, double service) : network_(network), service_(service) {
        places_ = network.kinds.size() + 1;
        State state(places_ * network.customers.size(), 0);
        for (std::size_t c = 0; c < network.customers.size(); ++c)
            state[c * places_] = network.customers[c];
        enter(state);
        for (std::size_t next = 0; next < states_.size(); ++next)  // enter() appends
            for (auto const& [after, rate] : moves_from(states_[next]))
                moves_.push_back({next, enter(after), rate});
    }

    // Cycles a unit of time by class: how often a customer ends thinking. Gauss and Seidel on the balance.
    std::vector<double> throughputs() const {
        std::vector<double> out(states_.size(), 0);
        for (auto const& move : moves_)
            out[move.from] += move.rate;
        std::vector<std::vector<Move>> into(states_.size());
        for (auto const& move : moves_)
            into[move.to].push_back(move);
        std::vector<double> probability(states_.size(), 1.0 / static_cast<double>(states_.size()));
        for (int step = 0; step < 4000; ++step) {
            double sum = 0;
            for (std::size_t state = 0; state < states_.size(); ++state) {
                double flow = 0;
                for (auto const& move : into[state])
                    flow += probability[move.from] * move.rate;
                probability[state] = flow / out[state];
                sum += probability[state];
            }
            for (double& one : probability)
                one /= sum;
        }
        std::vector<double> through(network_.customers.size(), 0);
        for (std::size_t state = 0; state < states_.size(); ++state)
            for (std::size_t c = 0; c < through.size(); ++c)
                through[c] += probability[state] * states_[state][c * places_] / network_.think[c];
        return through;
    }

private:
    struct Move {
        std::size_t from = 0;
        std::size_t to = 0;
        double rate = 0;
    };

    std::size_t enter(State const& state) {
        auto const [place, is_new] = number_of_.emplace(state, states_.size());
        if (is_new)
            states_.push_back(state);
        return place->second;
    }

    std::vector<std::pair<State, double>> moves_from(State const& state) const {
        std::vector<std::pair<State, double>> moves;
        for (std::size_t c = 0; c < network_.customers.size(); ++c) {
            for (std::size_t k = 0; k + 1 < places_; ++k) {
                std::size_t const thinking = c * places_;
                std::size_t const there = thinking + k + 1;
                double const visits = network_.demands[c][k] / service_;  // a probability in these networks
                State after = state;
                if (state[thinking] > 0 && visits > 0) {
                    --after[thinking];
                    ++after[there];
                    moves.emplace_back(after, state[thinking] * visits / network_.think[c]);
                    after = state;
                }
                if (state[there] > 0) {
                    ++after[thinking];
                    --after[there];
                    double all = 0;
                    for (std::size_t other = 0; other < network_.customers.size(); ++other)
                        all += state[other * places_ + k + 1];
                    double const share = network_.kinds[k] == StationKind::delay
                                             ? 1
                                             : std::min(1.0, network_.servers_at(k) / all);
                    moves.emplace_back(after, state[there] * share / service_);
                }
            }
        }
        return moves;
    }

    ClassesNetwork const& network_;
    double service_;
    std::size_t places_ = 0;
    std::vector<State> states_;
    std::map<State, std::size_t> number_of_;
    std::vector<Move> moves_;
};

struct Drawn {
    ClassesNetwork network;
    double service = 0;
};

// Classes that go to a station with a probability each; some never to one of them.
Drawn draw(std::mt19937_64& random) {
    auto const number = [&](std::uint64_t from, std::uint64_t to) {
        return from + random() % (to - from + 1);
    };
    auto const real = [&] { return static_cast<double>(random() % 1000 + 1) / 1000; };
    Drawn drawn;
    drawn.service = 0.5 + real();
    auto& network = drawn.network;
    std::size_t const stations = number(1, 3);
    for (std::size_t k = 0; k < stations; ++k) {
        network.kinds.push_back(number(0, 5) == 0 ? StationKind::delay : StationKind::queue);
        network.servers.push_back(static_cast<std::uint32_t>(number(1, 4)));
    }
    for (std::size_t c = 0; c < 2; ++c) {
        network.customers.push_back(static_cast<std::uint32_t>(number(1, 4)));
        std::vector<double> visits;
        double sum = 0;
        for (std::size_t k = 0; k < stations; ++k) {
            visits.push_back(stations > 1 && number(0, 3) == 0 ? 0 : real());
            sum += visits.back();
        }
        if (sum == 0)
            visits.front() = sum = 1;
        for (double& one : visits)
            one *= drawn.service / sum;
        network.demands.push_back(visits);
        network.think.push_back(2 * real());
    }
    return drawn;
}

TEST(ExactClasses, SeveralServersAgreeWithTheMarkovChain) {
    std::mt19937_64 random(7);
    double worst_approximate = 0;
    for (int network = 0; network < 60; ++network) {
        auto const drawn = draw(random);
        auto const solved = exact_mva(drawn.network);
        auto const approximate = approximate_mva(drawn.network);
        ASSERT_TRUE(solved && approximate) << network;
        auto const chain = Chain(drawn.network, drawn.service).throughputs();
        for (std::size_t c = 0; c < chain.size(); ++c) {
            EXPECT_NEAR((*solved)[c].throughput, chain[c], 1e-9 * chain[c]) << network << " class " << c;
            worst_approximate =
                std::max(worst_approximate, std::abs((*approximate)[c].throughput / chain[c] - 1));
        }
    }
    EXPECT_LT(worst_approximate, 0.2) << "of few customers; an answer tells it of many";
}

// It was 4 % of contention: a queue of half the time, and a delay.
TEST(ExactClasses, TwoTasksOnTwoServersNeverWait) {
    ClassesNetwork const pair{{1, 3}, {1, 1}, {{2}, {4}}, {StationKind::queue}, {2}};
    for (auto const& solved : {exact_mva(pair), approximate_mva(pair)}) {
        ASSERT_TRUE(solved);
        EXPECT_EQ((*solved)[0].response, 2);
        EXPECT_EQ((*solved)[1].response, 4);
    }
}

// Classes that do not visit a station leave its servers to the others.
TEST(ExactClasses, WhoNeverComesTakesNoServer) {
    ClassesNetwork const network{
        {1, 3}, {2, 50}, {{2, 0}, {0, 4}}, {StationKind::queue, StationKind::queue}, {2, 1}};
    auto const solved = exact_mva(network);
    ASSERT_TRUE(solved);
    EXPECT_EQ((*solved)[0].response, 2);
}

// One class in two halves is the same network, also where a class does nothing but visit one station.
TEST(ExactClasses, AClassSplitInTwoIsTheSameNetwork) {
    for (double const think : {0.0, 0.5, 30.0}) {
        std::vector<double> const demands{1, 0.9, 0.5};
        ClassesNetwork const halves{{think, think},
                                    {5, 7},
                                    {demands, demands},
                                    std::vector<StationKind>(3, StationKind::queue),
                                    {3, 1, 2}};
        auto const classes = exact_mva(halves);
        auto const single = exact_mva({think,
                                       {{1, 1, StationKind::queue, 3},
                                        {0.9, 1, StationKind::queue, 1},
                                        {0.5, 1, StationKind::queue, 2}}},
                                      12);
        ASSERT_TRUE(classes && single);
        EXPECT_NEAR((*classes)[0].throughput + (*classes)[1].throughput, single->throughput, 1e-12);
        EXPECT_NEAR((*classes)[0].residence[0], single->stations[0].response, 1e-11);
    }
    ClassesNetwork const alone{{0, 0}, {3, 4}, {{1}, {1}}, {StationKind::queue}, {2}};
    auto const saturated = exact_mva(alone);
    ASSERT_TRUE(saturated);
    EXPECT_NEAR((*saturated)[0].throughput + (*saturated)[1].throughput, 2, 1e-12);
}

TEST(ExactClasses, SubsetsOfStationsCountAsPopulations) {
    ClassesNetwork network{
        {1, 1}, {9, 9}, {{1, 1, 1}, {1, 1, 1}}, std::vector<StationKind>(3, StationKind::queue), {2, 3, 18}};
    EXPECT_EQ(populations_to_solve(network), 100 * 4) << "nobody waits for 18 servers";
    network.servers = {2, 3, 0};
    EXPECT_EQ(exact_mva(network).error().message, "station 3 has no server");
    network.servers = {2};
    EXPECT_EQ(exact_mva(network).error().code, ErrorCode::inconsistent);
}

}  // namespace
}  // namespace parcast::model
