#include "program/collectives/collectives.h"

#include <bit>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parcast {
namespace {

using testing::ElementsAre;

using Algorithm = CollectiveAlgorithm;
using Kind = CollectiveKind;

// Divisible by every number of ranks up to 17.
constexpr std::uint64_t bytes = 12252240;

// Each rank computes, calls it, and computes.
MessageProgram calling(std::uint32_t ranks, auto call_of) {
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        CallingOrder order(builder);
        order.run({.amount = 1});
        order.run({.operation = MessageOperation::collective, .amount = builder.call(call_of(rank))});
        order.run({.amount = 2});
        builder.end_rank();
    }
    return std::move(builder).finish();
}

CollectiveCall usual_call(Kind kind, std::uint32_t ranks, std::uint32_t root) {
    bool const is_of_blocks =
        kind == Kind::gather || kind == Kind::scatter || kind == Kind::allgather || kind == Kind::alltoall;
    auto const size = is_of_blocks ? bytes / ranks : bytes;
    return {.kind = kind, .root = root, .sent_bytes = size, .received_bytes = size, .reduce_ns = 1000};
}

CollectiveChoice with(Kind kind, Algorithm algorithm) {
    auto choice =
        parse_collective_choice("reduce=binomial,broadcast=binomial,gather=linear,scatter=linear").value();
    choice.given[static_cast<std::size_t>(kind)] = algorithm;
    return choice;
}

// Runs a program without times: who knows of whom in the end, and what was sent. A synchronous send ends when
// its message is received.
class Interpreter {
public:
    Interpreter(MessageProgram const& program, bool is_synchronous)
        : program_(program),
          is_synchronous_(is_synchronous),
          started_(program.operations()),
          ended_(program.operations()),
          knows_(program.operations()),
          knew_(program.operations()) {
        for (bool moves = true; moves;)
            moves = step();
    }

    bool is_complete() const { return std::ranges::find(ended_, false) == ended_.end(); }
    // The ranks whose first operation comes before the last one of this rank.
    std::uint32_t known_to(std::uint32_t rank) const {
        return knows_[program_.first_operation[rank + 1] - 1];
    }

    std::uint64_t messages = 0;
    std::uint64_t sent_bytes = 0;
    std::vector<std::uint64_t> received_bytes = std::vector<std::uint64_t>(64);
    bool are_sizes_equal = true;

private:
    bool step() {
        bool moves = false;
        std::size_t precedence = 0;
        for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank)
            for (auto each = program_.first_operation[rank]; each < program_.first_operation[rank + 1];
                 ++each) {
                auto const first = precedence;
                auto const& all = program_.precedences;
                while (precedence < all.size() && all[precedence].later == each)
                    ++precedence;
                if (!started_[each] && is_ready(each, first, precedence)) {
                    start(rank, each, first, precedence);
                    moves = true;
                }
            }
        return moves;
    }

    bool is_ready(std::uint32_t each, std::size_t first, std::size_t end) const {
        if (program_.kind[each].follows() == Follows::one_before)
            return ended_[each - 1];
        for (auto i = first; i < end; ++i)
            if (!(program_.precedences[i].is_start ? started_ : ended_)[program_.precedences[i].earlier])
                return false;
        return true;
    }

    void start(std::uint32_t rank, std::uint32_t each, std::size_t first, std::size_t end) {
        started_[each] = true;
        knows_[each] = 1U << rank;
        if (program_.kind[each].follows() == Follows::one_before)
            knows_[each] |= knows_[each - 1];
        for (auto i = first; i < end; ++i)
            knows_[each] |=
                (program_.precedences[i].is_start ? knew_ : knows_)[program_.precedences[i].earlier];
        knew_[each] = knows_[each];
        switch (program_.kind[each].operation()) {
            case MessageOperation::calc: ended_[each] = true; break;
            case MessageOperation::send:
                ended_[each] = !is_synchronous_;
                ++messages;
                sent_bytes += program_.amount[each];
                meet({rank, program_.peer[each], program_.tag[each]}, each, sends_, receives_);
                break;
            case MessageOperation::receive:
                meet({program_.peer[each], rank, program_.tag[each]}, each, receives_, sends_);
                break;
            case MessageOperation::collective: FAIL() << "a collective operation is left";
        }
    }

    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    using Waiting = std::map<Key, std::deque<std::uint32_t>>;

    void meet(Key const& key, std::uint32_t each, Waiting& own, Waiting& other) {
        auto& queue = other[key];
        if (queue.empty()) {
            own[key].push_back(each);
            return;
        }
        auto const partner = queue.front();
        queue.pop_front();
        auto const [send, receive] = &own == &sends_ ? std::pair(each, partner) : std::pair(partner, each);
        are_sizes_equal = are_sizes_equal && program_.amount[send] == program_.amount[receive];
        knows_[receive] |= knows_[send];
        received_bytes[std::get<1>(key)] += program_.amount[send];
        ended_[send] = ended_[receive] = true;
    }

    MessageProgram const& program_;
    bool is_synchronous_;
    std::vector<bool> started_;
    std::vector<bool> ended_;
    std::vector<std::uint32_t> knows_;  // by operation
    std::vector<std::uint32_t> knew_;   // when it started
    Waiting sends_;
    Waiting receives_;
};

// Whose part a rank must have got.
std::uint32_t must_know(Kind kind, std::uint32_t rank, std::uint32_t ranks, std::uint32_t root) {
    auto const all = (1U << ranks) - 1;
    switch (kind) {
        case Kind::broadcast:
        case Kind::scatter: return 1U << root;
        case Kind::reduce:
        case Kind::gather: return rank == root ? all : 0;
        case Kind::scan: return (2U << rank) - 1;
        case Kind::exclusive_scan: return (1U << rank) - 1;
        default: return all;
    }
}

class EachAlgorithm : public testing::TestWithParam<std::tuple<Kind, Algorithm>> {};

TEST_P(EachAlgorithm, EndsAndEachRankGetsItsParts) {
    auto const [kind, algorithm] = GetParam();
    for (std::uint32_t ranks = 1; ranks <= 17; ++ranks) {
        bool const has_root = row_of(kind).has_root;
        for (std::uint32_t root = 0; root < (has_root ? ranks : 1); ++root) {
            auto const program = calling(ranks, [&](std::uint32_t) { return usual_call(kind, ranks, root); });
            auto const result = lowered(program, with(kind, algorithm));
            ASSERT_TRUE(result) << describe(result.error());
            ASSERT_TRUE(check(result->program)) << describe(check(result->program).error());
            auto const existing = existing_algorithm(kind, algorithm, ranks, false);
            EXPECT_THAT(result->used, ElementsAre(UsedAlgorithm{kind, existing, 1}));
            for (bool const is_synchronous : {false, true}) {
                Interpreter const run(result->program, is_synchronous);
                EXPECT_TRUE(run.is_complete()) << ranks << " ranks, root " << root << ", " << is_synchronous;
                EXPECT_TRUE(run.are_sizes_equal) << ranks << " ranks, root " << root;
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    auto const needed = must_know(kind, rank, ranks, root);
                    EXPECT_EQ(run.known_to(rank) & needed, needed)
                        << ranks << " ranks, root " << root << ", rank " << rank;
                }
            }
        }
    }
}

std::vector<std::tuple<Kind, Algorithm>> all_algorithms() {
    std::vector<std::tuple<Kind, Algorithm>> all;
    for (auto const& row : collective_kinds)
        for (auto const algorithm : algorithms_of(row.kind))
            all.emplace_back(row.kind, algorithm);
    return all;
}

INSTANTIATE_TEST_SUITE_P(All, EachAlgorithm, testing::ValuesIn(all_algorithms()), [](auto const& which) {
    std::string name(row_of(std::get<0>(which.param)).name);
    name += "_" + std::string(name_of(std::get<1>(which.param)));
    std::ranges::replace(name, '-', '_');
    return name;
});

// Numbers of messages and bytes for p ranks, from the literature: all of n bytes, blocks of n / p.
struct Volume {
    std::uint64_t messages;
    std::uint64_t bytes;
};

struct Numbers {
    explicit Numbers(std::uint64_t ranks) : p(ranks) {
        for (std::uint64_t place = 1; place < p; ++place)
            scattered += std::min(place & (~place + 1), p - place) * bytes / p;
        for (std::uint64_t bit = 1; bit < p; bit *= 2)
            for (std::uint64_t distance = 0; distance < p; ++distance) {
                bruck_blocks += (distance & bit) != 0 ? 1 : 0;
                scan_partners += (distance ^ bit) < p ? 1 : 0;
            }
    }

    std::uint64_t p;
    std::uint64_t n = bytes;
    std::uint64_t power = std::bit_floor(p);
    std::uint64_t rest = p - power;
    std::uint64_t rounds_of_power = static_cast<std::uint64_t>(std::countr_zero(power));
    std::uint64_t rounds = static_cast<std::uint64_t>(std::bit_width(p - 1));
    std::uint64_t scattered = 0;  // by a binomial tree
    std::uint64_t bruck_blocks = 0;
    std::uint64_t scan_partners = 0;
    bool is_power = rest == 0;
};

struct VolumeRow {
    Kind kind;
    Algorithm algorithm;
    Volume (*volume)(Numbers const& v);
};

class CollectiveVolume : public testing::TestWithParam<VolumeRow> {};

TEST_P(CollectiveVolume, IsThatOfTheLiterature) {
    auto const [kind, algorithm, volume] = GetParam();
    for (std::uint32_t ranks = 2; ranks <= 17; ++ranks) {
        auto const program =
            calling(ranks, [&](std::uint32_t) { return usual_call(kind, ranks, ranks - 1); });
        auto const result = lowered(program, with(kind, algorithm));
        ASSERT_TRUE(result) << describe(result.error());
        Interpreter const run(result->program, false);
        auto const expected = volume(Numbers(ranks));
        EXPECT_EQ(run.messages, expected.messages) << ranks << " ranks";
        EXPECT_EQ(run.sent_bytes, expected.bytes) << ranks << " ranks";
    }
}

Volume tree(Numbers const& v) {
    return {v.p - 1, (v.p - 1) * v.n};
}
Volume segments(Numbers const& v) {
    return {(v.p - 1) * ((v.n + 8191) / 8192), (v.p - 1) * v.n};
}
Volume all_pairs(Numbers const& v) {
    return {v.p * (v.p - 1), (v.p - 1) * v.n};
}

INSTANTIATE_TEST_SUITE_P(
    All, CollectiveVolume,
    testing::Values(
        VolumeRow{Kind::barrier, Algorithm::linear,
                  [](Numbers const& v) { return Volume{2 * (v.p - 1), 0}; }},
        VolumeRow{Kind::barrier, Algorithm::tree, [](Numbers const& v) { return Volume{2 * (v.p - 1), 0}; }},
        VolumeRow{Kind::barrier, Algorithm::dissemination,
                  [](Numbers const& v) { return Volume{v.p * v.rounds, 0}; }},
        VolumeRow{Kind::barrier, Algorithm::recursive_doubling,
                  [](Numbers const& v) { return Volume{v.power * v.rounds_of_power + 2 * v.rest, 0}; }},
        VolumeRow{Kind::broadcast, Algorithm::linear, tree},
        VolumeRow{Kind::broadcast, Algorithm::chain, tree},
        VolumeRow{Kind::broadcast, Algorithm::binary, tree},
        VolumeRow{Kind::broadcast, Algorithm::binomial, tree},
        VolumeRow{Kind::broadcast, Algorithm::k_nomial, tree},
        VolumeRow{Kind::broadcast, Algorithm::pipeline, segments},
        VolumeRow{
            Kind::broadcast, Algorithm::scatter_allgather,
            [](Numbers const& v) { return Volume{v.p - 1 + v.p * v.rounds, v.scattered + (v.p - 1) * v.n}; }},
        VolumeRow{Kind::broadcast, Algorithm::scatter_ring,
                  [](Numbers const& v) {
                      return Volume{v.p - 1 + v.p * (v.p - 1), v.scattered + (v.p - 1) * v.n};
                  }},
        VolumeRow{Kind::reduce, Algorithm::linear, tree}, VolumeRow{Kind::reduce, Algorithm::chain, tree},
        VolumeRow{Kind::reduce, Algorithm::binary, tree}, VolumeRow{Kind::reduce, Algorithm::binomial, tree},
        VolumeRow{Kind::reduce, Algorithm::pipeline, segments},
        // The last rank is the root, which another rank stands for only if all but one are folded.
        VolumeRow{Kind::reduce, Algorithm::rabenseifner,
                  [](Numbers const& v) {
                      return Volume{v.rest + v.power * v.rounds_of_power + v.power - 1,
                                    v.rest * v.n + (v.power - 1) * v.n + v.rounds_of_power * v.n / 2};
                  }},
        VolumeRow{Kind::allreduce, Algorithm::linear,
                  [](Numbers const& v) { return Volume{2 * (v.p - 1), 2 * (v.p - 1) * v.n}; }},
        VolumeRow{Kind::allreduce, Algorithm::non_overlapping,
                  [](Numbers const& v) { return Volume{2 * (v.p - 1), 2 * (v.p - 1) * v.n}; }},
        VolumeRow{Kind::allreduce, Algorithm::recursive_doubling,
                  [](Numbers const& v) {
                      auto const messages = v.power * v.rounds_of_power + 2 * v.rest;
                      return Volume{messages, messages * v.n};
                  }},
        VolumeRow{Kind::allreduce, Algorithm::rabenseifner,
                  [](Numbers const& v) {
                      return Volume{2 * (v.rest + v.power * v.rounds_of_power),
                                    2 * (v.rest * v.n + (v.power - 1) * v.n)};
                  }},
        VolumeRow{Kind::allreduce, Algorithm::ring,
                  [](Numbers const& v) { return Volume{2 * v.p * (v.p - 1), 2 * (v.p - 1) * v.n}; }},
        VolumeRow{Kind::gather, Algorithm::linear,
                  [](Numbers const& v) { return Volume{v.p - 1, (v.p - 1) * v.n / v.p}; }},
        VolumeRow{Kind::gather, Algorithm::binomial,
                  [](Numbers const& v) { return Volume{v.p - 1, v.scattered}; }},
        VolumeRow{Kind::scatter, Algorithm::linear,
                  [](Numbers const& v) { return Volume{v.p - 1, (v.p - 1) * v.n / v.p}; }},
        VolumeRow{Kind::scatter, Algorithm::binomial,
                  [](Numbers const& v) { return Volume{v.p - 1, v.scattered}; }},
        VolumeRow{Kind::allgather, Algorithm::linear, all_pairs},
        VolumeRow{Kind::allgather, Algorithm::ring, all_pairs},
        VolumeRow{Kind::allgather, Algorithm::bruck,
                  [](Numbers const& v) { return Volume{v.p * v.rounds, (v.p - 1) * v.n}; }},
        VolumeRow{Kind::allgather, Algorithm::recursive_doubling,
                  [](Numbers const& v) { return Volume{v.p * v.rounds, (v.p - 1) * v.n}; }},
        VolumeRow{Kind::allgather, Algorithm::neighbour_exchange,
                  [](Numbers const& v) {
                      return Volume{v.p % 2 == 0 ? v.p * v.p / 2 : v.p * (v.p - 1), (v.p - 1) * v.n};
                  }},
        VolumeRow{Kind::allgather, Algorithm::non_overlapping,
                  [](Numbers const& v) { return Volume{2 * (v.p - 1), (v.p - 1) * (v.n / v.p + v.n)}; }},
        VolumeRow{Kind::alltoall, Algorithm::linear, all_pairs},
        VolumeRow{Kind::alltoall, Algorithm::pairwise, all_pairs},
        VolumeRow{Kind::alltoall, Algorithm::bruck,
                  [](Numbers const& v) { return Volume{v.p * v.rounds, v.bruck_blocks * v.n}; }},
        VolumeRow{Kind::reduce_scatter, Algorithm::ring, all_pairs},
        VolumeRow{Kind::reduce_scatter, Algorithm::pairwise, all_pairs},
        VolumeRow{Kind::reduce_scatter, Algorithm::non_overlapping,
                  [](Numbers const& v) { return Volume{2 * (v.p - 1), (v.p - 1) * (v.n + v.n / v.p)}; }},
        // Each rank that is left gives away all but its share in halves; shares are even only of a power of
        // two, and a folded one gets its block in the end.
        VolumeRow{Kind::reduce_scatter, Algorithm::recursive_halving,
                  [](Numbers const& v) {
                      return Volume{v.power * v.rounds_of_power + 2 * v.rest,
                                    (v.power - 1) * v.n + v.rest * v.n + v.rest * v.n / v.p};
                  }},
        VolumeRow{Kind::scan, Algorithm::linear, tree},
        VolumeRow{Kind::exclusive_scan, Algorithm::recursive_doubling,
                  [](Numbers const& v) { return Volume{v.scan_partners, v.scan_partners * v.n}; }}));

// Block i has 2^i bytes, so that a sum says which blocks it is of.
TEST(Allgather, EachBlockComesOnce) {
    for (auto const algorithm : {Algorithm::linear, Algorithm::recursive_doubling, Algorithm::ring,
                                 Algorithm::neighbour_exchange, Algorithm::bruck})
        for (std::uint32_t ranks = 2; ranks <= 17; ++ranks) {
            auto const program = calling(ranks, [](std::uint32_t rank) {
                return CollectiveCall{.kind = Kind::allgather, .sent_bytes = std::uint64_t{1} << rank};
            });
            auto const result = lowered(program, with(Kind::allgather, algorithm));
            ASSERT_TRUE(result);
            Interpreter const run(result->program, false);
            EXPECT_TRUE(run.is_complete() && run.are_sizes_equal);
            for (std::uint32_t rank = 0; rank < ranks; ++rank)
                EXPECT_EQ(run.received_bytes[rank], (1U << ranks) - 1 - (1U << rank))
                    << name_of(algorithm) << ", " << ranks << " ranks";
        }
}

TEST(Alltoall, SizesMayDifferForEachPair) {
    constexpr std::uint32_t ranks = 5;
    auto const program = calling(ranks, [](std::uint32_t rank) {
        CollectiveCall call{.kind = Kind::alltoall};
        for (std::uint32_t other = 0; other < ranks; ++other)
            call.bytes_by_rank.push_back(rank * 10 + other);
        return call;
    });
    for (auto const algorithm : algorithms_of(Kind::alltoall)) {
        auto const result = lowered(program, with(Kind::alltoall, algorithm));
        ASSERT_TRUE(result);
        Interpreter const run(result->program, true);
        EXPECT_TRUE(run.is_complete() && run.are_sizes_equal) << name_of(algorithm);
        EXPECT_EQ(run.received_bytes[2], 2U + 12 + 32 + 42);
        EXPECT_NE(result->used[0].algorithm, Algorithm::bruck);
    }
}

TEST(Reduce, CombiningTakesTimeInProportion) {
    auto const result = lowered(calling(4, [](std::uint32_t) { return usual_call(Kind::allreduce, 4, 0); }),
                                with(Kind::allreduce, Algorithm::ring));
    std::int64_t ns = 0;
    for (std::size_t each = 0; each < result->program.operations(); ++each)
        if (result->program.kind[each].operation() == MessageOperation::calc)
            ns += static_cast<std::int64_t>(result->program.amount[each]);
    EXPECT_EQ(ns, 4 * (1 + 2) + 4 * 3 * 250) << "each rank combines 3 of 4 blocks, of 1000 ns in all";
}

// Two communicators, messages of the program between the collectives, requests over them, and a CPU.
TEST(Lowered, MessagesOfTheProgramKeepTheirOwn) {
    MessageProgramBuilder builder;
    for (std::uint32_t rank = 0; rank < 4; ++rank) {
        CallingOrder order(builder);
        auto const received =
            order.start({.operation = MessageOperation::receive, .amount = 8, .peer = rank ^ 1U, .tag = 41});
        order.run({.operation = MessageOperation::collective,
                   .amount = builder.call({.kind = Kind::allreduce, .sent_bytes = 16}),
                   .cpu = 1});
        order.run({.operation = MessageOperation::send, .amount = 8, .peer = rank ^ 1U, .tag = 41});
        if (rank > 1)
            order.run({.operation = MessageOperation::collective,
                       .amount = builder.call({.kind = Kind::barrier, .communicator = 1})});
        order.wait(received);
        order.run({.amount = 7});
        builder.end_rank();
    }
    auto program = std::move(builder).finish();
    program.communicators = {{}, {3, 2}};
    ASSERT_TRUE(check(program));
    auto const result = lowered(program);
    ASSERT_TRUE(result) << describe(result.error());
    auto const& messages = result->program;
    ASSERT_TRUE(check(messages));
    EXPECT_FALSE(has_collectives(messages));
    EXPECT_TRUE(Interpreter(messages, true).is_complete());
    EXPECT_EQ(messages.cpu[1], 1);
    std::set<std::uint32_t> tags;
    for (std::size_t each = 0; each < messages.operations(); ++each) {
        bool const is_calc = messages.kind[each].operation() == MessageOperation::calc;
        EXPECT_TRUE(is_calc || messages.kind[each].is_of_collective() == (messages.tag[each] != 41)) << each;
        if (messages.kind[each].operation() == MessageOperation::send)
            tags.insert(messages.tag[each]);
    }
    EXPECT_THAT(tags, ElementsAre(41, 42, 43));
}

TEST(Lowered, AProgramWithoutCollectivesStaysAsItIs) {
    MessageProgramBuilder builder;
    auto const first = builder.add({.amount = 1});
    builder.wait(first, builder.add({.amount = 2, .name = 1}), true);
    builder.end_rank();
    auto program = std::move(builder).finish();
    program.names = {"", "work"};
    EXPECT_EQ(lowered(program)->program, program);
}

struct Disagreement {
    CollectiveCall second;  // of the last rank; all others call allreduce of 8 bytes
    char const* message;
};

std::string message_of(std::uint32_t communicator, Disagreement const& each) {
    auto program = calling(3, [&](std::uint32_t rank) {
        return rank == 2
                   ? each.second
                   : CollectiveCall{.kind = Kind::reduce, .communicator = communicator, .sent_bytes = 8};
    });
    program.communicators = {{}, {0, 1}};
    auto const result = lowered(program);
    return result ? "" : result.error().message;
}

TEST(Lowered, RanksThatDisagreeAreNamed) {
    auto const same = "; all ranks call collective operations in the same order";
    EXPECT_EQ(message_of(0, {{.kind = Kind::barrier}, ""}),
              std::string("rank 2, operation 1 calls barrier, and rank 0, operation 1 calls reduce") + same);
    EXPECT_EQ(
        message_of(0, {{.kind = Kind::reduce, .root = 1, .sent_bytes = 8}, ""}),
        std::string(
            "rank 2, operation 1 calls reduce with root 1, and rank 0, operation 1 calls it with root 0") +
            same);
    EXPECT_EQ(
        message_of(0, {{.kind = Kind::reduce, .sent_bytes = 9}, ""}),
        std::string("rank 2, operation 1 calls reduce of 9 bytes, and rank 0, operation 1 calls it of 8") +
            same);
    EXPECT_EQ(message_of(1, {{.kind = Kind::reduce, .communicator = 1, .sent_bytes = 8}, ""}),
              "rank 2, operation 1 is a collective operation of communicator 1, which the rank is not in");
    EXPECT_EQ(message_of(0, {{.kind = Kind::reduce, .communicator = 2, .sent_bytes = 8}, ""}),
              "rank 2, operation 1 is of communicator 2, which the program does not have");
    EXPECT_EQ(message_of(1, {{.kind = Kind::barrier}, ""}),
              "rank 0 leaves out the barrier that is rank 2, operation 1");
}

TEST(Lowered, RootsAndSizesAreChecked) {
    auto program =
        calling(2, [](std::uint32_t) { return CollectiveCall{.kind = Kind::broadcast, .root = 2}; });
    EXPECT_EQ(lowered(program).error().message,
              "rank 0, operation 1 has rank 2 as its root, which is not in its communicator");
    program = calling(
        2, [](std::uint32_t) { return CollectiveCall{.kind = Kind::alltoall, .sent_bytes = most_amount}; });
    EXPECT_EQ(lowered(program).error().code, ErrorCode::out_of_range);
}

TEST(Lowered, TooManyMessagesAreRefused) {
    auto const program = calling(10, [](std::uint32_t) { return CollectiveCall{.kind = Kind::alltoall}; });
    auto const choice = parse_collective_choice("alltoall=linear").value();
    EXPECT_TRUE(lowered(program, choice, 200));
    EXPECT_EQ(lowered(program, choice, 199).error().message,
              "the program has more than 199 operations; other algorithms have fewer messages");
    EXPECT_EQ(lowered(program, choice, 110).error().message,
              "with the alltoall of 10 ranks that is rank 5, operation 1 as messages, the program has more "
              "than 110 "
              "operations; other algorithms have fewer messages");
}

struct Chosen {
    char const* choice;
    Kind kind;
    CollectiveSize size;
    Algorithm algorithm;
};

class CollectiveChoices : public testing::TestWithParam<Chosen> {};

TEST_P(CollectiveChoices, AreThoseOfTheLibrary) {
    auto const& each = GetParam();
    EXPECT_EQ(chosen_algorithm(parse_collective_choice(each.choice).value(), each.kind, each.size),
              each.algorithm);
}

// Read off the fixed decisions of Open MPI 4.1 (coll_tuned_decision_fixed.c) and the tuning file of MPICH
// 4.0.
INSTANTIATE_TEST_SUITE_P(
    Each, CollectiveChoices,
    testing::Values(Chosen{"open-mpi", Kind::allreduce, {16, 4096}, Algorithm::rabenseifner},
                    Chosen{"open-mpi", Kind::allreduce, {16, 4095}, Algorithm::recursive_doubling},
                    Chosen{"open-mpi", Kind::allreduce, {3, 7}, Algorithm::ring},
                    Chosen{"open-mpi", Kind::allreduce, {5000, 2047}, Algorithm::non_overlapping},
                    Chosen{"open-mpi", Kind::barrier, {6, 0}, Algorithm::linear},
                    Chosen{"open-mpi", Kind::barrier, {300, 0}, Algorithm::tree},
                    Chosen{"open-mpi", Kind::broadcast, {20, 1048576}, Algorithm::scatter_allgather},
                    Chosen{"open-mpi", Kind::allgather, {40, 65535}, Algorithm::neighbour_exchange},
                    Chosen{"open-mpi", Kind::alltoall, {31, 100}, Algorithm::bruck},
                    Chosen{"open-mpi", Kind::alltoall, {31, 100, true}, Algorithm::linear},
                    Chosen{"open-mpi", Kind::gather, {300, 4096}, Algorithm::linear},
                    Chosen{"open-mpi", Kind::reduce, {10, 8192}, Algorithm::binomial},
                    Chosen{"open-mpi", Kind::scan, {10, 8192}, Algorithm::linear},
                    Chosen{"mpich", Kind::allreduce, {8, 8}, Algorithm::recursive_doubling},
                    Chosen{"mpich", Kind::allreduce, {8, 64}, Algorithm::rabenseifner},
                    Chosen{"mpich", Kind::allreduce, {8, 56}, Algorithm::recursive_doubling},
                    Chosen{"mpich", Kind::broadcast, {16, 12288}, Algorithm::binomial},
                    Chosen{"mpich", Kind::broadcast, {16, 12289}, Algorithm::scatter_allgather},
                    Chosen{"mpich", Kind::broadcast, {15, 12289}, Algorithm::scatter_ring},
                    Chosen{"mpich", Kind::allgather, {16, 32767}, Algorithm::recursive_doubling},
                    Chosen{"mpich", Kind::allgather, {15, 5461}, Algorithm::bruck},
                    Chosen{"mpich", Kind::allgather, {15, 5462}, Algorithm::ring},
                    Chosen{"mpich,alltoall=pairwise", Kind::alltoall, {64, 8}, Algorithm::pairwise},
                    Chosen{"allreduce=ring", Kind::allreduce, {64, 8}, Algorithm::ring}));

TEST(CollectiveChoice, EachKindHasOneForAnySize) {
    for (auto const library : collective_libraries)
        for (auto const& row : collective_kinds)
            for (std::uint32_t ranks = 1; ranks < 10000; ranks = ranks * 3 / 2 + 1)
                for (std::uint64_t size = 0; size < 1U << 24U; size = size * 4 + 1)
                    for (bool const is_varied : {false, true}) {
                        auto const algorithm = chosen_algorithm(parse_collective_choice(library).value(),
                                                                row.kind, {ranks, size, is_varied});
                        EXPECT_NE(std::ranges::find(algorithms_of(row.kind), algorithm),
                                  algorithms_of(row.kind).end())
                            << library << " " << row.name << " " << name_of(algorithm);
                    }
}

TEST(CollectiveChoice, IsWrittenAsItIsRead) {
    EXPECT_EQ(collective_choice_text({}), "open-mpi");
    auto const choice = parse_collective_choice("mpich,barrier=tree,reduce-scatter=ring").value();
    EXPECT_EQ(collective_choice_text(choice), "mpich,barrier=tree,reduce-scatter=ring");
    EXPECT_EQ(parse_collective_choice("allreduce=tree").error().message,
              "allreduce has no algorithm 'tree', but linear, recursive-doubling, rabenseifner, ring, "
              "non-overlapping");
    EXPECT_EQ(
        parse_collective_choice("lam").error().message,
        "'lam' is not open-mpi, mpich or KIND=ALGORITHM with one of barrier, broadcast, reduce, allreduce, "
        "gather, scatter, allgather, alltoall, reduce-scatter, scan, exclusive-scan");
    EXPECT_FALSE(parse_collective_choice(""));
}

}  // namespace
}  // namespace parcast
