// The three models of Broberg 2002, paper VIII: its programs, random ones that a recorder with one CPU ran,
// and what paper VIII does not have: semaphores, conditions with a mutex, joins of any thread.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <numeric>
#include <optional>
#include <random>
#include <vector>

#include "simulate/simulate.h"
#include "simulate/takes_on_one_cpu.h"
#include "support/conserves_time.h"
#include "support/edited_list.h"
#include "support/program_builder.h"
#include "support/random_program.h"

namespace parcast::simulate {
namespace {

constexpr std::int64_t unit = ProgramBuilder::default_unit_ns;
constexpr std::optional<std::int64_t> stuck;
constexpr std::array three_models = {Pairing::any, Pairing::client_server, Pairing::recorded};

// Bound threads of fixed priority, and no costs.
Machine machine_of_the_paper(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {};
    machine.lock_policy = LockPolicy::hand_off;
    return machine;
}

Run replayed(ThreadProgram const& program, Machine const& machine, Pairing pairing) {
    auto result = run(program, machine, {.with_timeline = true, .with_arrivals = true, .pairing = pairing});
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    EXPECT_TRUE(conserves_time(result->accounts));
    return std::move(*result);
}

// None if it deadlocks.
std::optional<std::int64_t> units_of(Run const& run) {
    return run.deadlock ? std::nullopt : std::optional(run.accounts.completion.ns / unit);
}

ThreadProgram recorded_on_one_cpu(ThreadProgram program) {
    auto const is_known = take_as_on_one_cpu(program);
    EXPECT_TRUE(is_known.has_value() && *is_known);
    EXPECT_TRUE(check(program).has_value());
    return program;
}

ThreadProgram program_p() {
    ProgramBuilder program(4);
    program.thread(0).bind(40, 0).create(1).work(1).create(2).work(2).accept().work(1).create(3).work(1);
    program.thread(0).accept().work(2);
    program.thread(1).bind(30, 0).work(2).activate(0).work(1);
    program.thread(2).bind(20, 1).work(2).activate(0).work(3);
    program.thread(3).bind(10, 1).work(3);
    return recorded_on_one_cpu(program.finish());
}

ThreadProgram program_q() {
    ProgramBuilder program(3);
    program.thread(0).bind(30, 0).create(1).work(1).create(2).work(1);
    program.thread(0).accept().work(2).activate(1).work(1).accept().work(2).activate(2).work(1);
    program.thread(1).bind(20, 1).work(7).activate(0).work(1).accept().work(1);
    program.thread(2).bind(10, 2).work(2).activate(0).work(1).accept().work(1);
    return recorded_on_one_cpu(program.finish());
}

ThreadProgram program_r() {
    ProgramBuilder program(4);
    program.thread(0).bind(40, 0).create(1).work(1).create(2).work(1).create(3).work(1);
    program.thread(0).accept().work(2).accept().work(2).activate(1).work(1).activate(2).work(1);
    program.thread(0).accept().work(2).activate(3).work(1);
    program.thread(1).bind(30, 1).work(12).activate(0).work(1).accept().work(1);
    program.thread(2).bind(20, 2).work(7).activate(0).work(1).accept().work(1);
    program.thread(3).bind(10, 3).work(2).activate(0).work(1).accept().work(1);
    return recorded_on_one_cpu(program.finish());
}

struct PaperCase {
    char const* name;
    ThreadProgram (*program)();
    std::uint32_t cpus;
    std::array<std::optional<std::int64_t>, 3> units;  // direct, client-server, strict; none: a deadlock
};

class PaperVIIIModels : public testing::TestWithParam<PaperCase> {};

TEST_P(PaperVIIIModels, PredictWhatItPrints) {
    auto const& expected = GetParam();
    for (std::size_t model = 0; model < three_models.size(); ++model) {
        auto const run =
            replayed(expected.program(), machine_of_the_paper(expected.cpus), three_models[model]);
        EXPECT_EQ(units_of(run), expected.units[model]) << name_of(three_models[model]);
    }
}

// Section C.3 of the reference sheet: sections 2 to 4 of the paper, and one CPU, where all models repeat the
// recording. P with a CPU for each thread has no printed counterpart.
INSTANTIATE_TEST_SUITE_P(Programs, PaperVIIIModels,
                         testing::Values(PaperCase{"POn2", program_p, 2, {10, 11, 12}},
                                         PaperCase{"QOn3", program_q, 3, {stuck, 10, 13}},
                                         PaperCase{"ROn4", program_r, 4, {stuck, stuck, 21}},
                                         PaperCase{"POn1", program_p, 1, {18, 18, 18}},
                                         PaperCase{"QOn1", program_q, 1, {21, 21, 21}},
                                         PaperCase{"ROn1", program_r, 1, {39, 39, 39}}),
                         [](auto const& row) { return std::string(row.param.name); });

TEST(PaperVIIIModels, PHasACpuForEachThread) {
    auto program = program_p();
    for (std::uint32_t thread = 0; thread < 4; ++thread)
        program.parameters[thread].affinity = std::uint64_t{1} << thread;
    for (auto const model : three_models)
        EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(4), model)), 8) << name_of(model);
}

void expect_stuck(Run const& run, std::int64_t when, std::vector<Awaited> const& awaited) {
    ASSERT_TRUE(run.deadlock);
    EXPECT_EQ(run.deadlock->when.ns, when * unit);
    std::vector<Awaited> found;
    for (auto const& thread : run.deadlock->threads)
        found.push_back(thread.awaited);
    EXPECT_EQ(found, awaited);
}

TEST(PaperVIIIModels, RLeavesP1AndP2SendingAndP3WaitingUnderClientServer) {
    auto const run = replayed(program_r(), machine_of_the_paper(4), Pairing::client_server);
    expect_stuck(run, 12, {Awaited::thread, Awaited::thread, Awaited::any_thread});
    EXPECT_EQ(run.deadlock->threads[2].thread, ThreadId(2)) << "P4 has finished";
}

// The Gantt chart of the sheet: P4 is preempted by P3 at 7.
TEST(PaperVIIIModels, PUnderStrictRunsP4InTwoParts) {
    auto const run = replayed(program_p(), machine_of_the_paper(2), Pairing::recorded);
    EXPECT_EQ(run.accounts.threads[0].ended.ns, 9 * unit);
    EXPECT_EQ(run.accounts.threads[1].ended.ns, 10 * unit);
    EXPECT_EQ(run.accounts.threads[2].ended.ns, 10 * unit);
    EXPECT_EQ(run.accounts.threads[3].ended.ns, 12 * unit);
    EXPECT_EQ(run.accounts.threads[3][ThreadState::running].ns, 3 * unit);
}

// --- random programs of servers and clients, recorded as paper VIII does it

// One CPU, threads of fixed priority, and rendezvous. Clients send requests to servers and wait for the
// answer; a server answers after one or several requests, in the order in which they came. What each thread
// did is its list, in which activations are numbered as they were accepted.
class Recorder {
public:
    explicit Recorder(std::uint64_t seed) : dice_(seed) {
        servers_ = 1 + number(2);
        threads_.resize(servers_ + 1 + number(5));
        for (std::size_t client = servers_; client < threads_.size(); ++client)
            for (auto requests = 1 + number(4); requests > 0; --requests)
                threads_[client].requests.push_back(number(servers_));
        std::vector<int> levels(threads_.size());
        std::iota(levels.begin(), levels.end(), 1);
        std::shuffle(levels.begin(), levels.end(), dice_);
        for (std::size_t i = 0; i < threads_.size(); ++i)
            threads_[i].level = levels[i];
    }

    // None if the program deadlocked: a server waited for more requests than came.
    std::optional<ThreadProgram> record() {
        while (auto const thread = next_to_run())
            step(*thread);
        ThreadProgram program;
        program.catalogue.threads.resize(threads_.size());
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            if (!threads_[i].ended)
                return std::nullopt;
            program.lists.emplace_back(threads_[i].list);
            program.parameters.push_back(
                {std::uint64_t{1} << i, {SchedulingClass::real_time, threads_[i].level}, i > 0});
        }
        return program;
    }

    std::int64_t length() const { return length_; }

private:
    struct Thread {
        int level = 0;
        std::deque<std::size_t> requests;  // of a client: to which servers
        bool awaits_answer = false;
        std::deque<std::size_t> to_answer;  // of a server
        std::size_t batch = 0;              // requests until it answers
        std::vector<Operation> list;
        std::deque<std::size_t> pending;  // who sends to it
        bool accepts = false;
        bool sends = false;
        bool ended = false;
        std::uint32_t accepted = 0;
    };

    std::size_t number(std::size_t below) {
        return std::uniform_int_distribution<std::size_t>(0, below - 1)(dice_);
    }

    std::optional<std::size_t> next_to_run() const {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            auto const& thread = threads_[i];
            bool const is_ready = !thread.accepts && !thread.sends && !thread.ended;
            if (is_ready && (!best || thread.level > threads_[*best].level))
                best = i;
        }
        return best;
    }

    std::size_t requests_left(std::size_t server) const {
        std::size_t left = 0;
        for (auto const& thread : threads_)
            left += static_cast<std::size_t>(std::ranges::count(thread.requests, server));
        return left;
    }

    // Some work, and what comes after it.
    void step(std::size_t self) {
        auto& thread = threads_[self];
        auto const work = static_cast<std::int64_t>(number(9)) * unit;
        length_ += work;
        if (self < servers_)
            return serve(self, work);
        if (thread.awaits_answer) {
            thread.awaits_answer = false;
            return accept(self, work);
        }
        if (thread.requests.empty())
            return end(self, work);
        auto const server = thread.requests.front();
        thread.requests.pop_front();
        thread.awaits_answer = true;
        activate(self, server, work);
    }

    void serve(std::size_t self, std::int64_t work) {
        auto& thread = threads_[self];
        bool const may_accept = requests_left(self) + thread.pending.size() > 0;
        if (thread.to_answer.size() >= thread.batch || (!may_accept && !thread.to_answer.empty())) {
            if (!thread.to_answer.empty()) {
                auto const client = thread.to_answer.front();
                thread.to_answer.pop_front();
                thread.batch = thread.to_answer.size();
                return activate(self, client, work);
            }
            thread.batch = 1 + number(2);
        }
        if (!may_accept)
            return end(self, work);
        accept(self, work);
    }

    void meet(std::size_t sender, std::size_t receiver) {
        auto& accepting = threads_[receiver];
        auto const id = encode_number(accepting.accepted++);
        accepting.list.back().value = id;
        threads_[sender].list.back().value = id;
        threads_[sender].sends = false;
        accepting.accepts = false;
        if (receiver < servers_)
            accepting.to_answer.push_back(sender);
    }

    void activate(std::size_t self, std::size_t receiver, std::int64_t work) {
        threads_[self].list.push_back(
            make_operation(OperationKind::activate, work, static_cast<std::uint32_t>(receiver)));
        threads_[self].sends = true;
        if (threads_[receiver].accepts)
            meet(self, receiver);
        else
            threads_[receiver].pending.push_back(self);
    }

    void accept(std::size_t self, std::int64_t work) {
        auto& thread = threads_[self];
        thread.list.push_back(make_operation(OperationKind::accept, work));
        thread.accepts = true;
        if (thread.pending.empty())
            return;
        auto const sender = thread.pending.front();
        thread.pending.pop_front();
        meet(sender, self);
    }

    void end(std::size_t self, std::int64_t work) {
        threads_[self].list.push_back(make_operation(OperationKind::end, work));
        threads_[self].ended = true;
    }

    std::mt19937_64 dice_;
    std::size_t servers_ = 1;
    std::vector<Thread> threads_;
    std::int64_t length_ = 0;
};

TEST(RandomRendezvous, AreRepeatedOnOneCpuAndNeverDeadlockUnderStrict) {
    std::size_t recorded = 0;
    std::array<std::size_t, 3> deadlocks{};
    for (std::uint64_t seed = 0; seed < 2'000; ++seed) {
        Recorder recorder(seed);
        auto const program = recorder.record();
        if (!program)
            continue;
        ++recorded;
        ASSERT_TRUE(check(*program).has_value()) << check(*program).error().message;
        auto const cpus = static_cast<std::uint32_t>(program->lists.size());
        for (std::size_t model = 0; model < three_models.size(); ++model) {
            auto const one = replayed(*program, machine_of_the_paper(1), three_models[model]);
            ASSERT_FALSE(one.deadlock) << "seed " << seed << ", " << name_of(three_models[model]);
            ASSERT_EQ(one.accounts.completion.ns, recorder.length())
                << "seed " << seed << ", " << name_of(three_models[model]);
            auto const many = replayed(*program, machine_of_the_paper(cpus), three_models[model]);
            deadlocks[model] += many.deadlock ? 1U : 0U;
            if (!many.deadlock) {
                auto const work = work_ns(*program);
                EXPECT_GE(many.accounts.completion.ns * cpus, work) << "seed " << seed;
            }
        }
    }
    EXPECT_GT(recorded, 1'000U);
    EXPECT_GT(deadlocks[0], deadlocks[1]) << "as in the sheet: direct deadlocks most";
    EXPECT_GT(deadlocks[1], 0U);
    EXPECT_EQ(deadlocks[2], 0U);
}

// Numbers that a replay on one CPU finds are those of the recorder.
TEST(RandomRendezvous, TakeOnOneCpuWhatTheRecorderSaw) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        auto const program = Recorder(seed).record();
        if (!program)
            continue;
        auto without = *program;
        for (auto& list : without.lists)
            edit_each(list, [](Operation& operation) { operation.value = 0; });
        EXPECT_EQ(recorded_on_one_cpu(without).lists, program->lists) << "seed " << seed;
    }
}

// --- beyond rendezvous

// Locks that nest in one order, semaphores and conditions that are given at least as often as taken.
TEST(RandomPrograms, EndUnderStrictAndKeepTheirTimeUnderEveryModel) {
    std::size_t recorded = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        auto program = RandomProgram(seed, {.threads = 5, .operations = 20}).make();
        for (auto& list : program.lists)
            edit_each(list, [](Operation& operation) {
                if (operation.kind() == OperationKind::condition_wait)
                    operation.value = encode(TokenWait{decode_wait(operation.value).mutex, std::nullopt});
            });
        auto const is_known = take_as_on_one_cpu(program);
        ASSERT_TRUE(is_known.has_value());
        recorded += *is_known ? 1U : 0U;
        for (std::uint32_t const cpus : {1U, 2U, 5U}) {
            for (auto const model : three_models) {
                auto const run = replayed(program, linux_machine(cpus), model);
                auto const& arrivals = run.timeline->arrivals;
                for (std::size_t thread = 0; !run.deadlock && thread < arrivals.size(); ++thread)
                    EXPECT_EQ(arrivals[thread].size(), program.lists[thread].size());
                EXPECT_FALSE(run.deadlock && model == Pairing::recorded) << "seed " << seed;
            }
        }
    }
    EXPECT_EQ(recorded, 100U);
}

// Two clients put requests into a queue in the order 1, 2 in the recording; on two CPUs and more, 2 comes
// first. The server works 5 for client 1 and 1 for client 2, and posts its answer.
struct Queue {
    ProgramBuilder program{3};
    ObjectId requests = program.object(ObjectKind::semaphore);
    ObjectId first = program.object(ObjectKind::semaphore);
    ObjectId second = program.object(ObjectKind::semaphore);

    ThreadProgram finish() {
        program.thread(0).bind(10, 0).create(1).create(2);
        program.thread(0).wait(requests).work(5).post(first).wait(requests).work(1).post(second);
        program.thread(1).bind(30, 1).work(8).post(requests).wait(first).work(1);
        program.thread(2).bind(20, 2).work(2).post(requests).wait(second).work(3);
        return recorded_on_one_cpu(program.finish());
    }
};

TEST(Semaphores, AServerAnswersWhoeverComesFirst) {
    auto const program = Queue().finish();
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::client_server)), 14)
        << "client 2 has its answer at 3; the other request comes at 8 and takes 5, and 1 after it";
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::recorded)), 17)
        << "client 2 waits until 14, and works for 3";
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::any)), 12)
        << "the unit of client 2 starts the work for client 1, which is done at 7; client 2 goes on at 9";
}

// The same with a mutex: the list is cut where the mutex is held, and the part that ends without it stays
// last.
TEST(Conditions, PartsThatHoldOtherLocksAtTheirEndStayLast) {
    ProgramBuilder builder(3);
    auto const mutex = builder.object(ObjectKind::mutex);
    auto const requests = builder.object(ObjectKind::condition);
    auto const wait = [&](std::uint32_t token) { return encode(TokenWait{.mutex = mutex, .token = token}); };
    auto& server = builder.thread(0).bind(10, 0).create(1).create(2).lock(mutex);
    for (std::uint32_t token = 0; token < 3; ++token)
        server.add(OperationKind::condition_wait, requests.value, wait(token)).work(1);
    server.unlock(mutex);
    auto const signal = [&](ThreadBuilder& thread, std::uint32_t token) {
        thread.add(OperationKind::condition_signal, requests.value, encode(TokenGrant{1, token}));
    };
    signal(builder.thread(1).bind(30, 1).work(4), 0);
    signal(builder.thread(2).bind(20, 2).work(1), 2);
    signal(builder.thread(2).work(1), 1);
    auto const program = builder.finish();
    // Token 2, of the last part, is there at 1, token 1 at 2 and token 0 at 4.
    auto const run = replayed(program, machine_of_the_paper(3), Pairing::client_server);
    EXPECT_EQ(units_of(run), 6)
        << "the part of token 1 runs from 2 to 3, that of token 0 from 4, the last from 5";
    auto const& arrivals = run.timeline->arrivals[0];
    EXPECT_EQ(arrivals.size(), program.lists[0].size());
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::recorded)), 7)
        << "all three from 4 on";
}

TEST(Joins, OfAnyThreadAreTheRecordedOnesUnderStrict) {
    ProgramBuilder builder(3);
    builder.thread(0).bind(10, 0).create(1).create(2).join_any().work(5).join_any().work(1);
    builder.thread(1).bind(30, 1).work(8);
    builder.thread(2).bind(20, 2).work(2);
    auto const program = recorded_on_one_cpu(builder.finish());
    EXPECT_EQ(program.lists[0][2].thread_id(), ThreadId(1));
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::any)), 9);
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::recorded)), 14);
    EXPECT_EQ(units_of(replayed(program, machine_of_the_paper(3), Pairing::client_server)), 13)
        << "1 after the end of thread 2, and 5 after that of thread 1";
}

// A take that found its unit at once in the recording waits for that unit, where waits take what they took.
TEST(Conditions, ATakeThatDidNotHaveToWaitWaitsForItsUnit) {
    ProgramBuilder builder(2);
    auto const items = builder.object(ObjectKind::condition);
    TokenWait const take{ObjectId::none(), 0, true};
    builder.thread(0).create(1).add(OperationKind::condition_wait, items.value, encode(take)).work(1);
    builder.thread(1).work(3).add(OperationKind::condition_signal, items.value, encode(TokenGrant{1, 0}));
    auto const program = builder.finish();
    EXPECT_EQ(units_of(replayed(program, ideal_machine(2), Pairing::recorded)), 4);
    EXPECT_EQ(units_of(replayed(program, ideal_machine(2), Pairing::client_server)), 4);
    EXPECT_EQ(units_of(replayed(program, ideal_machine(2), Pairing::conditions)), 3) << "extraction";
}

TEST(TakesOnOneCpu, AreNotFoundWhereItDeadlocks) {
    ProgramBuilder builder(2);
    builder.thread(0).create(1).accept();
    builder.thread(1).accept();
    auto program = builder.finish();
    auto const before = program.lists;
    auto const is_known = take_as_on_one_cpu(program);
    ASSERT_TRUE(is_known.has_value());
    EXPECT_FALSE(*is_known);
    EXPECT_EQ(program.lists, before);
}

}  // namespace
}  // namespace parcast::simulate
