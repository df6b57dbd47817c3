#include "forecast/replays.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/recording.h"
#include "program/tried_lock.h"
#include "support/edited_list.h"

namespace parcast::forecast {
namespace {

constexpr std::int64_t millisecond = 1'000'000;

// The initial thread makes `children` threads of 10 ms each and waits for all of them.
ThreadProgram fork_join(std::size_t children) {
    ThreadProgram program;
    program.catalogue.threads.resize(children + 1);
    program.lists.resize(children + 1);
    program.parameters.resize(children + 1);
    for (auto const kind : {OperationKind::create, OperationKind::join})
        for (std::uint32_t child = 1; child <= children; ++child)
            program.lists[0].push_back(make_operation(kind, 0, child));
    program.lists[0].push_back(make_operation(OperationKind::end, 0));
    for (std::size_t child = 1; child <= children; ++child)
        program.lists[child].push_back(make_operation(OperationKind::end, 10 * millisecond));
    return program;
}

// Two threads that each hold one of two locks and want the other: impossible on 2 CPUs, not on 1.
ThreadProgram crossed_locks() {
    ThreadProgram program = fork_join(2);
    program.catalogue.objects.resize(2);
    program.objects.resize(2);
    for (std::uint32_t child = 1; child <= 2; ++child) {
        std::uint32_t const first = child - 1;
        std::uint32_t const second = 1 - first;
        program.lists[child] = {
            make_operation(OperationKind::lock, 0, first),
            make_operation(OperationKind::lock, 10 * millisecond, second),
            make_operation(OperationKind::unlock, millisecond, second),
            make_operation(OperationKind::unlock, 0, first),
            make_operation(OperationKind::end, 0),
        };
    }
    return program;
}

std::vector<Machine> machines(std::vector<std::uint32_t> const& counts) {
    std::vector<Machine> all;
    for (std::uint32_t const cpus : counts)
        all.push_back(ideal_machine(cpus));
    return all;
}

Answer prediction_for(ThreadProgram const& program, std::vector<std::uint32_t> const& asked_for,
                      std::vector<std::uint32_t> const& replayed, ReplayModel model = ReplayModel::direct) {
    auto copy = program;
    auto replays = replay_under(model, copy, machines(replayed), 2);
    Timeline recorded;
    recorded.catalogue = program.catalogue;
    recorded.events.resize(program.lists.size());
    return answer_of(begin_answer("x.parcast", recorded), program, {ideal_machine(1)}, asked_for,
                     std::move(*replays));
}

TEST(Replays, TheNumberOfWorkersChangesNothing) {
    ThreadProgram const program = fork_join(8);
    auto const all = machines({1, 2, 3, 4, 8, 16});
    auto const alone = replay_all(program, all, 1);
    ASSERT_TRUE(alone.has_value()) << alone.error().message;
    for (unsigned const workers : {2U, 3U, 64U}) {
        auto const together = replay_all(program, all, workers);
        ASSERT_TRUE(together.has_value());
        ASSERT_EQ(together->size(), alone->size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            EXPECT_EQ((*together)[i].accounts.cpus, all[i].cpus);
            EXPECT_EQ((*together)[i].accounts.completion, (*alone)[i].accounts.completion);
        }
    }
}

TEST(Replays, NoMachineIsNoRun) {
    auto const runs = replay_all(fork_join(1), {}, 4);
    ASSERT_TRUE(runs.has_value());
    EXPECT_TRUE(runs->empty());
}

TEST(Prediction, SpeedUpsReferToTheReplayOnOneCpu) {
    // 8 threads of 10 ms: 80, 20 and 10 ms on 1, 4 and 8 processors that are shared without costs.
    auto const prediction = prediction_for(fork_join(8), {4, 8}, {1, 4, 8});
    EXPECT_EQ(prediction.recording().time_on_one, Duration{80 * millisecond});
    ASSERT_EQ(prediction.rows.size(), 2u) << "one CPU was not asked for";
    EXPECT_DOUBLE_EQ(prediction.rows[0].speed_up, 4);
    EXPECT_DOUBLE_EQ(prediction.rows[1].speed_up, 8);
    EXPECT_DOUBLE_EQ(prediction.rows[1].efficiency, 1);
    EXPECT_EQ(prediction.scaling->scales_to, 8u);
    EXPECT_EQ(prediction.recording().work, Duration{80 * millisecond});
    EXPECT_EQ(prediction.recording().span.length, Duration{10 * millisecond});
}

TEST(Prediction, ADeadlockKeepsTheOtherCounts) {
    auto const prediction = prediction_for(crossed_locks(), {1, 2}, {1, 2});
    ASSERT_EQ(prediction.rows.size(), 2u);
    ASSERT_TRUE(prediction.rows[1].run.deadlock.has_value()) << "each holds what the other wants";
    EXPECT_EQ(prediction.rows[1].run.deadlock->threads.size(), 3u) << "the two, and the one that joins them";
    EXPECT_TRUE(prediction.rows[1].limits.empty());
}

// The recording gave the first token to thread 2, which then hands thread 1 the second. If thread 1 takes the
// first token, it ends, and thread 2 waits for ever.
ThreadProgram relay() {
    ThreadProgram program = fork_join(2);
    program.catalogue.objects.resize(1);
    program.objects.resize(1);
    auto const signal = [](std::int64_t work, std::uint32_t token) {
        return make_operation(OperationKind::condition_signal, work, 0, encode(TokenGrant{1, token}));
    };
    auto const wait = [](std::int64_t work, std::uint32_t token) {
        return make_operation(OperationKind::condition_wait, work, 0,
                              encode(TokenWait{ObjectId::none(), token}));
    };
    insert(program.lists[0], 2, {signal(9 * millisecond, 0)});
    program.lists[1] = {wait(millisecond, 1), make_operation(OperationKind::end, millisecond)};
    program.lists[2] = {wait(5 * millisecond, 0), signal(millisecond, 1),
                        make_operation(OperationKind::end, 0)};
    return program;
}

TEST(Models, WhereTheDirectModelDeadlocksAConditionPairsForAllCounts) {
    auto const counts = machines({1, 2, 4});
    auto program = relay();
    auto const replays = replay_under(ReplayModel::automatic, program, counts, 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::any);
    EXPECT_TRUE(program.objects[0].pairs_as_recorded);
    EXPECT_EQ(replays->runs.size(), 3u);
    EXPECT_FALSE(replays->abandoned.empty());
    for (auto const& run : replays->runs)
        EXPECT_FALSE(run.deadlock.has_value());
    EXPECT_EQ(replays->unbounded.accounts.completion, Duration{11 * millisecond})
        << "9 until the signal, 1, 1";
}

// mksquashfs and GNU sort: a queue hands out items, and only who had certain items in the recording goes on
// to tell the one that waits for what was made of them. Threads 1 and 2 took an item each, and told the
// initial thread; thread 3 took one beside them, and two after that. On one CPU threads 1 and 2 came first,
// on four it is thread 3, which takes the three that there are; the initial thread makes no more before it
// was told twice.
ThreadProgram queue_of_items() {
    constexpr std::uint32_t items = 0;
    constexpr std::uint32_t results = 1;
    ThreadProgram program = fork_join(3);
    program.catalogue.objects.resize(2);
    program.objects.resize(2);
    auto const put = [](std::int64_t work, std::uint32_t condition, std::uint32_t token) {
        return make_operation(OperationKind::condition_signal, work, condition, encode(TokenGrant{1, token}));
    };
    auto const take = [](std::int64_t work, std::uint32_t condition, std::uint32_t token) {
        return make_operation(OperationKind::condition_wait, work, condition,
                              encode(TokenWait{ObjectId::none(), token}));
    };
    auto const end = make_operation(OperationKind::end, 0);
    auto const ms = millisecond;
    std::vector<Operation> const producer = {put(ms, items, 0),   put(0, items, 1),    put(0, items, 2),
                                             take(0, results, 0), take(0, results, 1), put(0, items, 3),
                                             put(0, items, 4)};
    insert(program.lists[0], 3, producer);
    program.lists[1] = {take(8 * ms, items, 0), put(5 * ms, results, 0), end};
    program.lists[2] = {take(8 * ms, items, 1), put(5 * ms, results, 1), end};
    program.lists[3] = {take(0, items, 2), take(ms, items, 3), take(ms, items, 4), end};
    return program;
}

TEST(Models, AQueueThatHandsOutItemsPairsAndWhatIsMadeOfThemDoesNot) {
    auto program = queue_of_items();
    auto const direct = replay_under(ReplayModel::direct, program, machines({4}), 1);
    ASSERT_TRUE(direct.has_value());
    ASSERT_TRUE(direct->runs.front().deadlock.has_value()) << "thread 3 took the items of threads 1 and 2";

    auto const replays = replay_under(ReplayModel::automatic, program, machines({1, 4}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::any);
    EXPECT_TRUE(program.objects[0].pairs_as_recorded);
    EXPECT_FALSE(program.objects[1].pairs_as_recorded);
    EXPECT_EQ(replays->runs.back().accounts.completion, Duration{14 * millisecond})
        << "8 and 5 until the results are there, and 1 between the items that follow";
}

// Thread 1 takes the token that thread 2 took in the recording, locks, and waits for thread 2, which cannot
// lock: nobody is stuck at the condition.
ThreadProgram token_before_a_lock() {
    ThreadProgram program = fork_join(2);
    program.catalogue.objects.resize(2);
    program.objects.resize(2);
    constexpr std::uint32_t condition = 0;
    constexpr std::uint32_t mutex = 1;
    auto const signal = [](std::int64_t work, std::uint32_t token) {
        return make_operation(OperationKind::condition_signal, work, condition, encode(TokenGrant{1, token}));
    };
    auto const wait = [](std::uint32_t token) {
        return make_operation(OperationKind::condition_wait, 0, condition,
                              encode(TokenWait{ObjectId::none(), token}));
    };
    auto const end = make_operation(OperationKind::end, 0);
    program.lists[0] = {make_operation(OperationKind::create, 0, 1),
                        make_operation(OperationKind::create, 0, 2), signal(9 * millisecond, 0),
                        make_operation(OperationKind::join, 0, 1), end};
    program.lists[1] = {wait(1), make_operation(OperationKind::lock, 0, mutex),
                        make_operation(OperationKind::join, 0, 2),
                        make_operation(OperationKind::unlock, 0, mutex), end};
    program.lists[2] = {make_operation(OperationKind::lock, 20 * millisecond, mutex),
                        make_operation(OperationKind::unlock, 0, mutex), wait(0), signal(0, 1), end};
    return program;
}

TEST(Models, StrictTakesOverForAllCountsWhereNobodyIsStuckAtACondition) {
    auto program = token_before_a_lock();
    auto const replays = replay_under(ReplayModel::automatic, program, machines({2, 4}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::recorded);
    EXPECT_FALSE(program.objects[0].pairs_as_recorded);
    EXPECT_FALSE(replays->abandoned.empty());
    for (auto const& run : replays->runs)
        EXPECT_FALSE(run.deadlock.has_value());
}

TEST(Models, DirectOnRequestReportsItsDeadlock) {
    auto program = relay();
    auto const replays = replay_under(ReplayModel::direct, program, machines({4}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_TRUE(replays->runs.front().deadlock.has_value());
    EXPECT_TRUE(replays->abandoned.empty());
    EXPECT_FALSE(program.objects[0].pairs_as_recorded);
}

// Python: a thread that holds the interpreter waits for a lock, whose holder waits for the interpreter. Both
// are semaphores here, which nobody holds.
ThreadProgram crossed_semaphores() {
    ThreadProgram program = crossed_locks();
    for (auto& list : program.lists) {
        edit_each(list, [](Operation& operation) {
            if (operation.kind() == OperationKind::lock)
                operation =
                    make_operation(OperationKind::semaphore_wait, operation.work_ns, operation.object);
            else if (operation.kind() == OperationKind::unlock)
                operation =
                    make_operation(OperationKind::semaphore_post, operation.work_ns, operation.object, 1);
        });
    }
    for (ObjectParameters& semaphore : program.objects)
        semaphore = {1, false, {{ThreadId(1), 1}, {ThreadId(2), 1}}};
    return program;
}

// "The program itself can hang like this", of threads one of which only tried.
TEST(Models, OrderedFollowsWhereACycleOfLocksHasATryInIt) {
    auto program = crossed_locks();
    edit_each(program.lists[1], [](Operation& use) {
        if (use.object == 1 && use.kind() == OperationKind::lock)
            use = make_operation(OperationKind::read_lock, use.work_ns, 1, by_a_try);
        else if (use.object == 1 && use.kind() == OperationKind::unlock)
            use = make_operation(OperationKind::read_write_unlock, use.work_ns, 1);
    });
    for (ObjectParameters& lock : program.objects)
        lock.turns = {{ThreadId(1), 1}, {ThreadId(2), 1}};
    auto const replays = replay_under(ReplayModel::automatic, program, machines({1, 2}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::ordered);
    EXPECT_FALSE(replays->abandoned.empty());
}

// Strict knew tokens of conditions alone, and the ordered model had to keep the order of everything.
TEST(Models, StrictKeepsTheOrderOfUnits) {
    auto program = crossed_semaphores();
    auto const replays = replay_under(ReplayModel::automatic, program, machines({1, 2}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::recorded);
    EXPECT_FALSE(replays->abandoned.empty());
    EXPECT_EQ(replays->runs.back().accounts.completion, Duration{22 * millisecond})
        << "thread 2 begins when thread 1 has posted, and each works for 10 and 1 ms";
}

// Thread 1 takes a unit and then the lock; thread 2, which came second, holds the lock while it waits for the
// unit that thread 1 gives back.
ThreadProgram unit_before_a_lock() {
    ThreadProgram program = crossed_locks();
    constexpr std::uint32_t semaphore = 0;
    for (auto& list : program.lists) {
        edit_each(list, [](Operation& operation) {
            if (operation.object != semaphore)
                return;
            if (operation.kind() == OperationKind::lock)
                operation = make_operation(OperationKind::semaphore_wait, operation.work_ns, semaphore);
            else if (operation.kind() == OperationKind::unlock)
                operation = make_operation(OperationKind::semaphore_post, operation.work_ns, semaphore, 1);
        });
    }
    std::vector<Turn> const turns{{ThreadId(1), 1}, {ThreadId(2), 1}};
    program.objects = {{1, false, turns}, {0, false, turns}};
    return program;
}

TEST(Models, TheOrderedModelIsTheLastResort) {
    for (auto const model : {ReplayModel::automatic, ReplayModel::strict}) {
        auto program = unit_before_a_lock();
        auto const replays = replay_under(model, program, machines({1, 2}), 1);
        ASSERT_TRUE(replays.has_value());
        EXPECT_EQ(replays->pairing, simulate::Pairing::ordered);
        ASSERT_FALSE(replays->abandoned.empty());
        EXPECT_EQ(replays->abandoned.back().pairing, simulate::Pairing::recorded);
        EXPECT_EQ(replays->runs.back().accounts.completion, Duration{22 * millisecond})
            << "thread 2 begins when thread 1 is done";
    }
}

// Two clients of a server, which the recording served in the other order.
ThreadProgram two_clients() {
    ThreadProgram program = fork_join(2);
    auto& server = program.lists[0];
    server = {
        make_operation(OperationKind::create, 0, 1), make_operation(OperationKind::create, 0, 2),
        make_operation(OperationKind::accept, 0),    make_operation(OperationKind::activate, millisecond, 1),
        make_operation(OperationKind::accept, 0),    make_operation(OperationKind::activate, millisecond, 2),
        make_operation(OperationKind::end, 0)};
    for (std::uint32_t client = 1; client <= 2; ++client)
        program.lists[client] = {
            make_operation(OperationKind::activate, (client == 1 ? 5 : 2) * millisecond, 0),
            make_operation(OperationKind::accept, 0), make_operation(OperationKind::end, millisecond)};
    return program;
}

TEST(Models, AServerIsTriedBeforeStrict) {
    auto program = two_clients();
    auto const replays = replay_under(ReplayModel::automatic, program, machines({1, 4}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::client_server);
    ASSERT_EQ(replays->abandoned.size(), 2U) << "the direct model, on both";
    EXPECT_EQ(replays->abandoned.front().pairing, simulate::Pairing::any);
    EXPECT_EQ(replays->runs.back().accounts.completion, Duration{7 * millisecond})
        << "the second client is answered at 3, the first one at 6";
}

TEST(Models, AllStandBesideEachOther) {
    auto program = two_clients();
    auto const replays = replay_under(ReplayModel::all, program, machines({4}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::client_server);
    ASSERT_EQ(replays->beside.size(), 3U);
    EXPECT_TRUE(replays->beside[0].runs.front().deadlock.has_value());
    EXPECT_EQ(replays->beside[1].runs.front().accounts.completion, Duration{7 * millisecond});
    EXPECT_EQ(replays->beside[2].runs.front().accounts.completion, Duration{8 * millisecond})
        << "the first client from 5 to 6, the second one from 6 to 7, and its last millisecond";
}

// A written program says of no wait what it took. Thread 2 comes first on two CPUs, takes the only token, and
// waits for thread 1, which waits for one: on one CPU thread 1 has it, and gives another.
ThreadProgram one_token_for_two() {
    ThreadProgram program = fork_join(2);
    program.catalogue.objects.resize(2);
    program.objects.resize(2);
    constexpr std::uint32_t pieces = 0;
    constexpr std::uint32_t done = 1;
    auto const wait = [](std::int64_t work_ns, std::uint32_t object) {
        return make_operation(OperationKind::condition_wait, work_ns, object,
                              encode(TokenWait{.mutex = ObjectId::none(), .token = std::nullopt}));
    };
    auto const signal = [](std::int64_t work_ns, std::uint32_t object) {
        return make_operation(OperationKind::condition_signal, work_ns, object, encode(TokenGrant{1, 0}));
    };
    insert(program.lists[0], 2, {signal(100 * millisecond, pieces)});
    program.lists[1] = {wait(50 * millisecond, pieces), signal(2 * millisecond, pieces), signal(0, done),
                        make_operation(OperationKind::end, 0)};
    program.lists[2] = {wait(millisecond, pieces), wait(0, done),
                        make_operation(OperationKind::end, 4 * millisecond)};
    return program;
}

// Its waits returned at once: it was predicted to take the 100 ms of the initial thread.
TEST(Models, WaitsOfAWrittenProgramTakeWhatTheyTakeOnOneCpu) {
    auto program = one_token_for_two();
    auto const replays = replay_under(ReplayModel::automatic, program, machines({3}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::any);
    EXPECT_EQ(replays->runs.front().accounts.completion, Duration{106 * millisecond})
        << "thread 1 goes on at 100, thread 2 at 102, with 4 to do";
}

// Nobody knows who took the semaphore's unit, since the program deadlocks on one CPU: it was the end of all
// models.
TEST(Models, ConditionsThatSayWhatTheyTookPairThoughASemaphoreDoesNot) {
    auto program = one_token_for_two();
    program.catalogue.objects.emplace_back().kind = ObjectKind::semaphore;
    program.objects.emplace_back();
    constexpr std::uint32_t semaphore = 2;
    auto const take = [&](std::size_t thread, std::size_t wait, std::uint32_t token) {
        edit_at(program.lists[thread], wait, [&](Operation& operation) {
            operation.value = encode(TokenWait{.mutex = ObjectId::none(), .token = token});
        });
    };
    take(1, 0, 0);
    take(2, 0, 1);
    take(2, 1, 0);
    edit_at(program.lists[1], 1, [](Operation& operation) { operation.value = encode(TokenGrant{1, 1}); });
    auto& initial = program.lists[0];
    edit(initial, [](auto& list) { std::swap(list[0], list[1]); });  // thread 2 comes first on one CPU, too
    insert(initial, 2,
           {make_operation(OperationKind::semaphore_post, 0, semaphore, encode(TokenGrant{1, 0})),
            make_operation(OperationKind::semaphore_wait, 0, semaphore, encode_number(std::nullopt))});
    auto const replays = replay_under(ReplayModel::automatic, program, machines({3}), 1);
    ASSERT_TRUE(replays.has_value());
    ASSERT_FALSE(replays->runs.front().deadlock.has_value());
    EXPECT_EQ(replays->runs.front().accounts.completion, Duration{106 * millisecond});
}

// A page showed advice about a wait that only the recorded order explains.
TEST(Prediction, NothingIsConcludedFromTheRecordedOrder) {
    auto const prediction = prediction_for(unit_before_a_lock(), {2}, {1, 2}, ReplayModel::automatic);
    ASSERT_EQ(prediction.recording().model, "ordered");
    EXPECT_FALSE(prediction.scaling.has_value());
}

// Locks that are taken in opposite order deadlock in the program as well.
TEST(Models, ADeadlockOfTheProgramItselfIsTheDirectModels) {
    auto program = crossed_locks();
    auto const replays = replay_under(ReplayModel::automatic, program, machines({2}), 1);
    ASSERT_TRUE(replays.has_value());
    EXPECT_EQ(replays->pairing, simulate::Pairing::any);
    EXPECT_TRUE(replays->runs.front().deadlock.has_value());
}

}  // namespace
}  // namespace parcast::forecast
