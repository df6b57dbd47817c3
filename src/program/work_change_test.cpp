// What a change makes of a program, and how it is written.

#include "program/work_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/edited_list.h"
#include "support/program_builder.h"

namespace parcast {
namespace {

using testing::HasSubstr;
using Of = WorkChange::Of;
using Effect = WorkChange::Effect;

// main: 4 in solve, 2 in print; a thread: 3 in solve under the lock of queue.c:77, then 1 of its own.
ThreadProgram small_program() {
    ProgramBuilder builder(2, 1);
    auto const mutex = builder.object(ObjectKind::mutex);
    builder.thread(0).create(1).work(4).yield().work(2).sleep(10).join(1);
    builder.thread(1).lock(mutex).work(3).unlock(mutex).work(1);
    auto program = builder.finish();
    auto const at = [](char const* function, std::uint32_t line) {
        Site site;
        site.frames = {{function, "/src/queue.c", line}};
        return site;
    };
    program.catalogue.sites = {
        at("main", 5),  at("solve(int, char const*)", 10), at("print", 20),
        at("main", 30), at("solve(int, char const*)", 77), at("solve(int, char const*)", 79)};
    program.catalogue.objects[0].first_site = SiteId(4);
    program.catalogue.threads[0].function = "main";
    program.catalogue.threads[1].function = "work";
    return program;
}

ThreadProgram must_change(ThreadProgram const& program, char const* text) {
    auto const scenario = parse_scenario(text);
    EXPECT_TRUE(scenario) << (scenario ? "" : scenario.error().message);
    auto after = changed(program, *scenario);
    EXPECT_TRUE(after) << (after ? "" : after.error().message);
    return *after;
}

TEST(Scenario, IsOneOrMoreChanges) {
    auto const scenario =
        parse_scenario("function:f(int, char)*0.5,lock:a/b.c:7/8,lock:m=free,io:*0.1,sleep:*0,wake-ups=free");
    ASSERT_TRUE(scenario) << scenario.error().message;
    ASSERT_EQ(scenario->changes.size(), 6U);
    EXPECT_EQ(scenario->changes[0], (WorkChange{Of::function, Effect::scaled, "f(int, char)", 0.5, 1}));
    EXPECT_EQ(scenario->changes[1], (WorkChange{Of::lock, Effect::split, "a/b.c:7", 1, 8}));
    EXPECT_EQ(scenario->changes[2], (WorkChange{Of::lock, Effect::freed, "m", 1, 1}));
    EXPECT_EQ(scenario->changes[3], (WorkChange{Of::input_output, Effect::scaled, "", 0.1, 1}));
    EXPECT_EQ(scenario->changes[4], (WorkChange{Of::sleep, Effect::scaled, "", 0, 1}));
    EXPECT_EQ(scenario->changes[5], (WorkChange{Of::wake_up, Effect::freed, "", 1, 1}));
}

TEST(Scenario, WhatIsNotAChangeIsToldHowToWriteOne) {
    for (auto const* text : {"solve*0.5", "function:solve", "function:*0.5", "function:solve*-1",
                             "function:solve*101", "function:solve*nan", "lock:m/0", "lock:m/x",
                             "thread:1=free", "thread:1@64", "thread:@2", "wake-ups=0", "wake-ups=free,",
                             "wake-ups:free", "wake-ups=free*2", "lwps=0", "lwps=many", "lwps=65537"}) {
        auto const scenario = parse_scenario(text);
        ASSERT_FALSE(scenario) << text;
        EXPECT_FALSE(scenario.error().advice.empty() && scenario.error().message.empty());
    }
}

TEST(Scenario, FreeWakeUpsAndLwpsLeaveTheProgramAsItIs) {
    auto const program = small_program();
    EXPECT_EQ(must_change(program, "lwps=4").lists, program.lists);
    EXPECT_EQ(must_change(program, "wake-ups=free").lists, program.lists);
}

// The 4 before the yield: 1 of main itself, 2 in solve, 1 in check, which solve calls; the 3 under the lock:
// all in check.
ThreadProgram divided_program() {
    auto program = small_program();
    auto& catalogue = program.catalogue;
    Site check;
    check.frames = {{"check", "/src/queue.c", 90}};
    catalogue.sites.push_back(check);
    catalogue.stacks = {{StackId::none(), SiteId(std::size_t{0})},
                        {StackId(std::size_t{0}), SiteId(std::size_t{1})},
                        {StackId(std::size_t{1}), SiteId(catalogue.sites.size() - 1)}};
    auto const share = [](std::uint32_t piece, std::size_t stack, std::int64_t ns, std::uint32_t calls) {
        return WorkShare{piece, StackId(stack), ns, calls, 0};
    };
    program.shares = {{share(1, 0, 10, 0), share(1, 1, 20, 1), share(1, 2, 10, 5)}, {share(1, 2, 7, 1)}};
    return program;
}

TEST(Scenario, AFunctionHasItsOwnShareOfTheWorkOrThatOfAllThatItCalls) {
    auto const program = divided_program();
    EXPECT_EQ(work_ns(must_change(program, "function:solve*0")), 1 + 1 + 2 + 3 + 1) << "2 of the 4";
    EXPECT_EQ(work_ns(must_change(program, "function:solve+*0")), 1 + 2 + 0 + 1)
        << "and check, wherever it is";
    EXPECT_EQ(work_ns(must_change(program, "function:check*0")), 3 + 2 + 0 + 1);
    EXPECT_EQ(work_ns(must_change(program, "function:check*0,function:solve*0")), 1 + 2 + 0 + 1)
        << "the second change is of what the first one leaves";
    EXPECT_EQ(work_ns(must_change(program, "thread:1*0,function:check+*2")), 5 + 2);
    WorkOwners const owners(program);
    double all = 0;
    std::int64_t calls = 0;
    owners.for_each_piece(ThreadId(std::size_t{0}), [&](std::uint32_t number, Operation const&, auto owned) {
        for (OwnedShare const& each : owned)
            if (number == 1 && owners.kind(each.owner) == OwnerKind::function) {
                all += each.share;
                calls += each.calls;
            }
    });
    EXPECT_DOUBLE_EQ(all, 1);
    EXPECT_EQ(calls, 6);
}

TEST(Scenario, WhatAFunctionCallsIsNotKnownWithoutFunctions) {
    auto const scenario = parse_scenario("function:solve+*0.5");
    ASSERT_TRUE(scenario);
    auto const after = changed(small_program(), *scenario);
    ASSERT_FALSE(after);
    EXPECT_EQ(after.error().code, ErrorCode::unasked);
    EXPECT_THAT(after.error().advice, HasSubstr("-finstrument-functions"));
    auto const plus = parse_scenario("function:operator+*0.5");
    ASSERT_TRUE(plus);
    EXPECT_FALSE(plus->changes[0].with_callees);
}

TEST(Scenario, WorkOfAFunctionAThreadAPlaceAndALockIsScaled) {
    auto const program = small_program();
    EXPECT_EQ(work_ns(program), 4 + 2 + 3 + 1);
    EXPECT_EQ(work_ns(must_change(program, "function:solve*0.5")), 2 + 2 + 2 + 1) << "1.5 is rounded";
    EXPECT_EQ(work_ns(must_change(program, "function:work*0")), 4 + 2 + 3) << "until a thread ends, its own";
    EXPECT_EQ(work_ns(must_change(program, "thread:1*2")), 4 + 2 + 6 + 2);
    EXPECT_EQ(work_ns(must_change(program, "place:queue.c:20*0")), 4 + 3 + 1);
    EXPECT_EQ(work_ns(must_change(program, "lock:queue.c:77*0")), 4 + 2 + 1);
    EXPECT_EQ(must_change(program, "sleep:*0.5").lists[0][2].value, 5);
}

TEST(Scenario, AThreadIsBoundToACpuWhateverItSetsItself) {
    auto program = small_program();
    insert(program.lists[1], 0, {make_operation(OperationKind::set_affinity, 5, 0, 0b100)});
    auto const after = must_change(program, "thread:work@3,thread:0@1");
    EXPECT_EQ(after.parameters[0].affinity, 0b10U);
    EXPECT_EQ(after.parameters[1].affinity, 0b1000U);
    EXPECT_EQ(after.lists[1][0].kind(), OperationKind::work_only);
    EXPECT_EQ(after.lists[1][0].work_ns, 5);
    EXPECT_EQ(work_ns(after), work_ns(program));
}

TEST(Scenario, AFreedLockIsNotTakenAndASplitOneIsSeveral) {
    auto const program = small_program();
    auto const without = must_change(program, "lock:queue.c:77=free");
    EXPECT_EQ(without.lists[1][0].kind(), OperationKind::work_only);
    EXPECT_EQ(work_ns(without), work_ns(program));
    auto const split = must_change(program, "lock:mutex #0/4");
    EXPECT_EQ(split.objects.size(), 4U);
    EXPECT_EQ(split.lists[1][0].object, split.lists[1][1].object) << "a section is under one of them";
    EXPECT_TRUE(check(split));
}

// Two locks of the heap that are first taken at one place, and two of an array.
ThreadProgram program_of_many_locks() {
    ProgramBuilder builder(2, 1);
    std::vector<ObjectId> locks;
    for (int i = 0; i < 5; ++i)
        locks.push_back(builder.object(ObjectKind::mutex));
    builder.thread(0).create(1).lock(locks[0]).work(8).lock(locks[1]).work(16).unlock(locks[1]).unlock(
        locks[0]);
    builder.thread(0).lock(locks[2]).work(32).unlock(locks[2]).join(1);
    builder.thread(1).lock(locks[3]).work(64).unlock(locks[3]).lock(locks[4]).work(128).unlock(locks[4]);
    auto program = builder.finish();
    auto& objects = program.catalogue.objects;
    Site site;
    site.frames = {{"insert(int)", "/src/table.c", 20}};
    program.catalogue.sites.push_back(site);
    for (auto const index : {0U, 1U})
        objects[index].first_site = SiteId(program.catalogue.sites.size() - 1);
    objects[2].name = "rows";
    objects[3].name = "rows+40";
    objects[4].name = "other";
    return program;
}

TEST(Scenario, LocksOfOneMakeAreALockTogether) {
    auto const program = program_of_many_locks();
    ASSERT_EQ(work_ns(program), 8 + 16 + 32 + 64 + 128);
    EXPECT_EQ(work_ns(must_change(program, "lock:2 locks of table.c:20*0.5")), 4 + 8 + 32 + 64 + 128)
        << "what is done under both counts once";
    EXPECT_EQ(work_ns(must_change(program, "lock:2 locks of rows*0.5")), 8 + 16 + 16 + 32 + 128);
    EXPECT_EQ(work_ns(must_change(program, "lock:rows*0.5")), 8 + 16 + 16 + 64 + 128) << "the first one";
    EXPECT_EQ(must_change(program, "lock:2 locks of rows/4").objects.size(), 5U + 2 * 3);
    auto const freed = must_change(program, "lock:2 locks of table.c:20=free");
    EXPECT_EQ(std::ranges::count(freed.lists[0], OperationKind::lock, &Operation::kind), 1);
}

TEST(Scenario, ALockOfItsOwnIsNoGroup) {
    auto const program = program_of_many_locks();
    WorkOwners const owners(program);
    std::vector<std::string> groups;
    for (std::size_t owner = 0; owner < owners.count(); ++owner)
        if (owners.locks(owner).size() > 1)
            groups.push_back(owners.name(owner));
    EXPECT_THAT(groups, testing::ElementsAre("2 locks of table.c:20", "2 locks of rows"));
}

TEST(Scenario, AnUnknownNameIsAnsweredWithTheNearest) {
    auto const program = small_program();
    auto const wrong = changed(program, *parse_scenario("function:prnt*0.5"));
    ASSERT_FALSE(wrong);
    EXPECT_EQ(wrong.error().code, ErrorCode::unasked);
    EXPECT_EQ(wrong.error().advice, "Did you mean: print (20 %)");
    auto const other = changed(program, *parse_scenario("function:xyzzy*0.5"));
    EXPECT_THAT(other.error().advice, HasSubstr("Those with most work: solve (70 %), print (20 %)"));
}

TEST(Scenario, AMutexOfAConditionIsNotSplitOrFreed) {
    ProgramBuilder builder(1, 1);
    auto const mutex = builder.object(ObjectKind::mutex);
    auto const condition = builder.object(ObjectKind::condition, 1);
    builder.thread(0).lock(mutex);
    builder.thread(0).add(OperationKind::condition_wait, condition.value, encode(TokenWait{mutex, 0}));
    builder.thread(0).unlock(mutex);
    auto program = builder.finish();
    program.catalogue.objects[mutex.index()].name = "m";
    for (auto const* text : {"lock:m/8", "lock:m=free"}) {
        auto const after = changed(program, *parse_scenario(text));
        ASSERT_FALSE(after);
        EXPECT_THAT(after.error().message, HasSubstr("belongs to a condition"));
    }
    EXPECT_TRUE(changed(program, *parse_scenario("lock:m*0.5")));
}

}  // namespace
}  // namespace parcast
