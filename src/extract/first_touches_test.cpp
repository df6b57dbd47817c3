#include "extract/first_touches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "support/edited_list.h"
#include "support/program_builder.h"

namespace parcast::extract {
namespace {

using enum OperationKind;

constexpr std::uint32_t barrier = 0;
constexpr std::uint32_t map = 1;
constexpr std::int64_t held = 1'000;    // under the lock for a fault
constexpr std::int64_t beside = 200;    // of a fault, outside of it
constexpr std::int64_t work = 100'000;  // of a thread in a phase, but for faults
constexpr std::int64_t near = 1;

// Threads 1, 2, ... meet at a barrier, do the same, and meet again; in between they have so many page faults.
class TeamOf {
public:
    explicit TeamOf(std::vector<std::uint32_t> const& faults)
        : builder_(static_cast<std::uint32_t>(faults.size()) + 1, 1),
          members_(static_cast<std::int64_t>(faults.size())) {
        EXPECT_EQ(builder_.object(ObjectKind::barrier).value, barrier);
        EXPECT_EQ(builder_.memory_map().value, map);
        for (std::uint32_t thread = 1; thread <= faults.size(); ++thread) {
            arrive(thread);
            builder_.thread(thread).work(work);
            touch(thread, faults[thread - 1]);
            arrive(thread);
        }
    }

    void arrive(std::uint32_t thread) { builder_.thread(thread).add(barrier_wait, barrier, members_); }
    // `is_near`: 1 for pages one after the other.
    void touch(std::uint32_t thread, std::uint32_t faults, std::int64_t beside_ns = beside,
               std::int64_t is_near = 0) {
        for (std::uint32_t fault = 0; fault < faults; ++fault)
            builder_.thread(thread)
                .work(beside_ns)
                .add(read_lock, map, is_near)
                .work(held)
                .add(read_write_unlock, map);
    }
    ProgramBuilder& builder() { return builder_; }
    ThreadProgram finish() { return builder_.finish_with_all_created(); }

private:
    ProgramBuilder builder_;
    std::int64_t members_;
};

std::vector<std::int64_t> faults_of(ThreadProgram const& program) {
    std::vector<std::int64_t> faults;
    for (auto const& list : program.lists)
        faults.push_back(std::ranges::count(list, read_lock, &Operation::kind));
    return faults;
}

std::int64_t work_of(ThreadProgram const& program, std::size_t thread) {
    std::int64_t sum = 0;
    for (auto const& operation : program.lists[thread])
        sum += operation.work_ns;
    return sum;
}

using testing::ElementsAre;

TEST(FirstTouches, OfATeamThatDoesTheSameAreSharedOutEvenly) {
    auto program = TeamOf({40, 1, 1}).finish();
    auto const before = program;
    share_out_first_touches(program);
    EXPECT_THAT(faults_of(program), ElementsAre(0, 14, 14, 14));
    for (std::size_t thread = 1; thread <= 3; ++thread)
        EXPECT_EQ(work_of(program, thread), work + 14 * (held + beside));
    EXPECT_TRUE(check(program).has_value());
    EXPECT_EQ(work_ns(program), work_ns(before));
    ASSERT_EQ(program.assumptions.size(), 1U);
    EXPECT_THAT(program.assumptions[0],
                testing::StartsWith("26 page faults were moved between 3 threads that"));
    use_hand_outs(HandOuts::recorded, program);
    EXPECT_EQ(program.lists, before.lists);
    EXPECT_TRUE(program.assumptions.empty());
}

TEST(FirstTouches, GoToWhereTheThreadWorksMostAndHoldsNoLock) {
    TeamOf team({40, 0});
    auto const mutex = team.builder().object(ObjectKind::mutex).value;
    for (std::uint32_t thread = 1; thread <= 2; ++thread) {
        team.builder().thread(thread).add(lock, mutex).work(2 * work).add(unlock, mutex).work(work).yield();
        team.touch(thread, thread == 1 ? 40 : 0);
        team.arrive(thread);
    }
    auto program = team.finish();
    share_out_first_touches(program);
    auto const& list = program.lists[2];
    auto const released = std::ranges::find(list, unlock, &Operation::kind);
    ASSERT_NE(released, list.end());
    EXPECT_EQ(std::count_if(released, list.end(), [](auto const& each) { return each.kind() == read_lock; }),
              20)
        << "of the second phase, in which most of the work is done under the mutex";
    EXPECT_EQ(std::ranges::count(list, read_lock, &Operation::kind), 40);
}

struct Left {
    char const* name;
    ThreadProgram program;
};
class FirstTouchesAreLeft : public testing::TestWithParam<Left> {};

TEST_P(FirstTouchesAreLeft, WhereTheyWere) {
    auto program = GetParam().program;
    share_out_first_touches(program);
    EXPECT_EQ(program.lists, GetParam().program.lists);
    EXPECT_FALSE(program.other.has_value());
    EXPECT_TRUE(program.assumptions.empty());
}

// A phase of threads 1, 2 and 3, after those of TeamOf without page faults.
struct Did {
    std::uint32_t faults = 0;
    std::int64_t works = work;
    std::int64_t beside_ns = beside;
    std::int64_t is_near = 0;
};
ThreadProgram phase_of(std::vector<Did> const& team_did) {
    TeamOf team(std::vector<std::uint32_t>(team_did.size(), 0));
    for (std::uint32_t thread = 1; thread <= team_did.size(); ++thread) {
        auto const& did = team_did[thread - 1];
        team.builder().thread(thread).work(did.works);
        team.touch(thread, did.faults, did.beside_ns, did.is_near);
        team.arrive(thread);
    }
    return team.finish();
}

ThreadProgram that_creates() {
    TeamOf team({0, 0, 0});
    team.touch(1, 40);
    team.builder().thread(1).work(work).create(3);
    team.arrive(1);
    team.builder().thread(2).work(work);
    team.arrive(2);
    return team.builder().finish();
}

// Two rounds of two threads, at one barrier for two.
ThreadProgram two_rounds() {
    auto program = TeamOf({40, 0, 0, 0}).finish();
    for (auto& list : program.lists)
        edit_each(list, [](Operation& operation) {
            if (operation.kind() == barrier_wait)
                operation.value = 2;
        });
    return program;
}

ThreadProgram without_notes() {
    auto program = TeamOf({40, 0}).finish();
    program.objects[map].kernel_lock = KernelLock::none;
    return program;
}

ThreadProgram under_a_mutex() {
    TeamOf team({0, 0});
    auto const mutex = team.builder().object(ObjectKind::mutex);
    for (std::uint32_t thread = 1; thread <= 2; ++thread) {
        team.builder().thread(thread).work(work).lock(mutex);
        team.touch(thread, thread == 1 ? 40 : 0);
        team.builder().thread(thread).unlock(mutex);
        team.arrive(thread);
    }
    return team.finish();
}

// Between two regions of an OpenMP team its first thread alone touches memory.
ThreadProgram between_regions() {
    TeamOf team({0, 0});
    auto const start = team.builder().object(ObjectKind::semaphore);
    team.touch(1, 40);
    team.builder().thread(1).post(start).work(work);
    team.arrive(1);
    team.builder().thread(2).wait(start).work(work);
    team.arrive(2);
    auto program = team.finish();
    program.objects[start.index()].team = true;
    return program;
}

INSTANTIATE_TEST_SUITE_P(
    Cases, FirstTouchesAreLeft,
    testing::Values(Left{"few_apart", TeamOf({16, 1}).finish()},
                    Left{"work_is_unequal", phase_of({{40}, {0, 2 * work}, {0}})},
                    Left{"pages_are_worked_on", phase_of({{40, work, 3'000}, {0}, {0}})},
                    Left{"faults_were_cheaper", phase_of({{40, work - 20'000}, {0}, {0}})},
                    Left{"the_others_wait_for_who_fills_memory", phase_of({{40, 0}, {0, 0}, {0, 0}})},
                    Left{"each_fills_memory_of_its_own", phase_of({{10, 0}, {30, 0}, {60, 0}})},
                    Left{"pages_one_after_the_other", phase_of({{40, work, beside, near}, {0}, {0}})},
                    Left{"a_thread_is_created", that_creates()},
                    Left{"the_programs_lock_is_held", under_a_mutex()},
                    Left{"between_regions", between_regions()},
                    Left{"more_threads_than_the_barrier_is_for", two_rounds()},
                    Left{"a_lock_of_the_program", without_notes()}),
    [](auto const& one) { return std::string(one.param.name); });

TEST(FirstTouches, MayBeGivenInOnePhaseAndGottenInAnother) {
    TeamOf team({40, 0});
    for (std::uint32_t thread = 1; thread <= 2; ++thread) {
        team.builder().thread(thread).work(work);
        team.touch(thread, thread == 2 ? 60 : 0);
        team.arrive(thread);
    }
    auto program = team.finish();
    auto const before = program;
    share_out_first_touches(program);
    EXPECT_THAT(faults_of(program), ElementsAre(0, 50, 50));
    EXPECT_EQ(work_of(program, 1), 2 * work + 50 * (held + beside));
    EXPECT_EQ(work_of(program, 2), 2 * work + 50 * (held + beside));
    EXPECT_EQ(work_ns(program), work_ns(before));
    ASSERT_EQ(program.assumptions.size(), 1U);
    EXPECT_THAT(
        program.assumptions[0],
        testing::HasSubstr(
            "50 page faults were moved between 2 threads that do the same work otherwise, in 2 phases"));
}

TEST(FirstTouches, OfTheLockOnMemoryAreasAreThoseOfTheMap) {
    auto program = TeamOf({40, 0}).finish();
    program.objects[map].kernel_lock = KernelLock::memory_areas;
    share_out_first_touches(program);
    EXPECT_THAT(faults_of(program), ElementsAre(0, 20, 20));
}

// What a thread was handed out stays beside what it had in the recording.
TEST(FirstTouches, LeaveTheRecordedListsOfWorkThatIsHandedOut) {
    auto program = TeamOf({40, 0}).finish();
    auto const recorded = OperationList{make_operation(end, work)};
    program.other = OtherHandOuts{HandOuts::recorded, {{}, recorded, {}}, {}, {"as recorded"}, {ThreadId(1)}};
    auto const second = program.lists[2];
    share_out_first_touches(program);
    EXPECT_THAT(faults_of(program), ElementsAre(0, 20, 20));
    EXPECT_EQ(program.other->lists[1], recorded);
    EXPECT_EQ(program.other->lists[2], second);
    EXPECT_THAT(program.other->assumptions, ElementsAre("as recorded"));
    EXPECT_THAT(program.other->takers, ElementsAre(ThreadId(1)));
}

// Functions keep what they spent: the page faults that a thread gets are those of the function that had them.
TEST(FirstTouches, TakeTheirFunctionsWithThem) {
    auto program = TeamOf({40, 0}).finish();
    program.catalogue.sites.resize(2);
    program.catalogue.stacks = {{StackId::none(), SiteId(0)}, {StackId::none(), SiteId(1)}};
    program.shares.resize(3);
    for (std::size_t thread = 1; thread <= 2; ++thread)
        for (std::uint32_t piece = 0; piece < program.lists[thread].size(); ++piece)
            if (program.lists[thread][piece].work_ns > 0)
                program.shares[thread].push_back(
                    {piece, StackId(thread - 1), program.lists[thread][piece].work_ns, 1, 0});
    share_out_first_touches(program);
    ASSERT_TRUE(check(program).has_value());
    auto const spent = [&](std::size_t thread, StackId stack) {
        std::int64_t sum = 0;
        for (auto const& share : program.shares[thread])
            if (share.stack == stack && program.lists[thread][share.piece].kind() != read_lock)
                sum += program.lists[thread][share.piece].work_ns;
        return sum;
    };
    EXPECT_EQ(spent(2, StackId(0)), 20 * held) << "twenty went there";
    EXPECT_EQ(spent(2, StackId(1)), work);
    EXPECT_TRUE(std::ranges::is_sorted(program.shares[1], {}, &WorkShare::piece));
    EXPECT_TRUE(std::ranges::is_sorted(program.shares[2], {}, &WorkShare::piece));
}

}  // namespace
}  // namespace parcast::extract
