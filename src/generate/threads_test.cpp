#include "generate/threads.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace parcast::generate {
namespace {

std::int64_t count(ThreadProgram const& program, OperationKind kind) {
    std::int64_t found = 0;
    for (auto const& list : program.lists)
        found += std::ranges::count(list, kind, &Operation::kind);
    return found;
}

// Broberg (2002), paper VII, with unit costs: 79 processes up to 397.
TEST(GeneratedThreads, PrimeFiltersHaveTheProcessesTheWorkAndThePostsOfTheSieve) {
    struct Expected {
        std::uint32_t last;
        std::size_t processes;
        std::int64_t work_us;
        std::int64_t posts;
    };
    for (auto const& [last, processes, work_us, posts] :
         {Expected{7, 5, 18, 12}, Expected{30, 11, 109, 80}, Expected{397, 79, 4032, 3636}}) {
        auto const program = thread_program("prime-filter", last);
        ASSERT_TRUE(program.has_value());
        EXPECT_TRUE(check(*program).has_value());
        EXPECT_EQ(program->lists.size(), processes);
        EXPECT_EQ(work_ns(*program), work_us * 1000);
        EXPECT_EQ(count(*program, OperationKind::semaphore_post), posts);
    }
}

TEST(GeneratedThreads, EqualSeedsGiveEqualPrograms) {
    for (auto const& structure : thread_structures) {
        auto const one = thread_program(structure.name, structure.usual_size, 7);
        auto const same = thread_program(structure.name, structure.usual_size, 7);
        auto const other = thread_program(structure.name, structure.usual_size, 8);
        ASSERT_TRUE(one && same && other);
        EXPECT_TRUE(check(*one).has_value());
        EXPECT_EQ(one->lists, same->lists) << structure.name;
        EXPECT_EQ(one->lists == other->lists, structure.name == "prime-filter") << structure.name;
    }
}

// Papers IV and V: nobody enters a section below one that it holds, so that they cannot deadlock.
TEST(GeneratedThreads, TransactionsTakeTheirSectionsInOrderAndLeaveAll) {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        auto const program = thread_program("transactions", 8, seed);
        ASSERT_TRUE(program.has_value());
        EXPECT_GE(program->objects.size(), 16U);
        EXPECT_LE(program->objects.size(), 24U);
        for (auto const& list : program->lists) {
            std::vector<std::uint32_t> held;
            for (Operation const& operation : list) {
                if (operation.kind() == OperationKind::lock) {
                    EXPECT_TRUE(held.empty() || held.back() < operation.object);
                    held.push_back(operation.object);
                } else if (operation.kind() == OperationKind::unlock) {
                    ASSERT_FALSE(held.empty());
                    EXPECT_EQ(held.back(), operation.object);
                    held.pop_back();
                }
            }
            EXPECT_TRUE(held.empty());
        }
    }
}

TEST(GeneratedThreads, ASizeHasLimits) {
    for (auto const& structure : thread_structures) {
        EXPECT_FALSE(thread_program(structure.name, structure.least_size - 1).has_value());
        EXPECT_FALSE(thread_program(structure.name, structure.most_size + 1).has_value());
        EXPECT_TRUE(thread_program(structure.name, structure.least_size).has_value());
    }
}

}  // namespace
}  // namespace parcast::generate
