// Laws of message replays on random programs, and two other ways to the same result: an event loop without
// run-ahead, and the paper's algorithm for a step.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>
#include <numeric>
#include <random>
#include <set>
#include <tuple>

#include "program/message_jobs.h"
#include "simulate/communication_steps.h"
#include "simulate/messages/goal_builder.h"
#include "simulate/messages/replay_messages.h"
#include "timeline/run_of_messages.h"

namespace parcast::simulate {
namespace {

struct RandomProgram {
    std::uint32_t ranks = 4;
    std::uint32_t steps = 60;
    std::uint32_t cpus = 1;
    std::uint32_t tags = 1000000;  // as many: each message has its own, and nothing can be stuck
    bool has_open_receives = false;
    std::uint64_t most_ns = 5000;
};

// Calculations and messages one after the other, a third of these of collective operations; each operation
// waits for random earlier ones of its rank, so what is listed is an order in which everything can end.
MessageProgram random_program(RandomProgram const& wanted, unsigned seed) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::uint64_t limit) { return random() % limit; };
    struct Operation {
        MessageKind kind;
        std::uint64_t amount;
        std::uint32_t peer;
        std::uint32_t tag;
        std::uint8_t cpu;
    };
    std::vector<std::vector<Operation>> lists(wanted.ranks);
    auto const cpu = [&] { return static_cast<std::uint8_t>(below(wanted.cpus)); };
    for (std::uint32_t each = 0; each < wanted.steps; ++each) {
        auto const from = static_cast<std::uint32_t>(below(wanted.ranks));
        if (below(3) == 0) {
            lists[from].push_back(
                {MessageKind(MessageOperation::calc, Follows::nothing), below(wanted.most_ns), 0, 0, cpu()});
            continue;
        }
        auto const to = static_cast<std::uint32_t>(below(wanted.ranks));
        bool const is_to_itself = from == to;  // it would wait for itself
        auto const bytes = below(4) == 0 && !is_to_itself ? 65536 + below(9) : below(2000);
        bool const is_synchronous = below(8) == 0 && !is_to_itself;
        auto const tag = static_cast<std::uint32_t>(each % wanted.tags);
        bool const is_of_collective = each % 3 == 0;
        lists[from].push_back({MessageKind(MessageOperation::send, Follows::nothing, is_synchronous)
                                   .of_collective(is_of_collective),
                               bytes, to, tag, cpu()});
        bool const is_open = wanted.has_open_receives && below(4) == 0;
        lists[to].push_back(
            {MessageKind(MessageOperation::receive, Follows::nothing).of_collective(is_of_collective), bytes,
             is_open ? any_peer : from, is_open && below(2) == 0 ? any_tag : tag, cpu()});
    }
    MessageProgram program;
    for (auto const& list : lists) {
        auto const first = static_cast<std::uint32_t>(program.operations());
        for (auto const& operation : list) {
            auto const number = static_cast<std::uint32_t>(program.operations());
            auto follows = Follows::nothing;
            if (number > first && below(2) == 0) {
                follows = Follows::one_before;
            } else if (number > first && below(4) > 0) {
                follows = Follows::precedences;
                for (auto count = 1 + below(3); count > 0; --count)
                    program.precedences.push_back(
                        {number, number - 1 - static_cast<std::uint32_t>(below(std::min(number - first, 6U))),
                         below(4) == 0});
            }
            program.kind.push_back(operation.kind.following(follows));
            program.amount.push_back(operation.amount);
            program.peer.push_back(operation.peer);
            program.tag.push_back(operation.tag);
            program.cpu.push_back(operation.cpu);
            program.nic.push_back(0);
        }
        program.first_operation.push_back(static_cast<std::uint32_t>(program.operations()));
    }
    return program;
}

Network random_network(unsigned seed, NetworkKind kind = NetworkKind::loggops) {
    std::mt19937_64 random(seed);
    auto const below = [&](std::uint64_t limit) { return static_cast<double>(random() % limit); };
    Network network;
    network.kind = kind;
    network.values = {.latency_ns = 1 + below(3000),
                      .overhead_ns = below(1000),
                      .overhead_per_byte_ns = below(3) * 0.3,
                      .gap_ns = below(2000),
                      .gap_per_byte_ns = below(5) * 0.7,
                      .rendezvous_bytes = 65535};
    return network;
}

// One CPU and NIC, LogGOPS: everything that is to be done lies in one set; what finds its CPU or NIC busy
// goes back, for the time when they are free.
class EventLoop {
public:
    EventLoop(MessageProgram const& program, LogGops const& law)
        : program_(program), law_(law), open_(program.operations()), later_(program.operations()) {
        for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
            ranks_.emplace_back();
        for (auto const& each : program.precedences) {
            ++open_[each.later];
            later_[each.earlier].push_back({each.later, each.is_start});
        }
        for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
            for (auto each = program.first_operation[rank]; each < program.first_operation[rank + 1];
                 ++each) {
                if (program.kind[each].follows() == Follows::one_before) {
                    ++open_[each];
                    later_[each - 1].push_back({each, false});
                }
                if (open_[each] == 0)
                    add({0, rank, -1, rank, 0, 0, each, What::operation});
            }
    }

    std::vector<std::int64_t> run() {
        while (!queue_.empty()) {
            auto event = *queue_.begin();
            queue_.erase(queue_.begin());
            do_it(event);
        }
        std::vector<std::int64_t> ends;
        for (auto const& rank : ranks_)
            ends.push_back(rank.cpu_free);
        return ends;
    }
    std::int64_t ended = 0;

private:
    enum class What { operation, message, rendezvous_ends };
    struct Event {
        std::int64_t time;
        std::uint32_t rank;
        std::int64_t entered;
        std::uint32_t origin;
        int turn;            // messages, sends, receives, calculations
        std::int64_t ready;  // when it could happen, were everything free
        std::uint32_t operation;
        What what;
        friend auto operator<=>(Event const&, Event const&) = default;
    };
    struct Rank {
        std::int64_t cpu_free = 0;
        std::int64_t send_free = 0;
        std::int64_t receive_free = 0;
        std::deque<std::uint32_t> receives;
        std::deque<Event> messages;
    };

    bool is_delayed(Event event, std::int64_t until) {
        if (until <= event.time)
            return false;
        event.time = until;
        queue_.insert(event);
        return true;
    }

    void do_it(Event const& event) {
        auto& rank = ranks_[event.rank];
        auto const now = event.time;
        auto const operation = event.operation;
        auto const bytes = program_.amount[operation];
        if (event.what == What::rendezvous_ends)
            return end_rendezvous(event);
        if (event.what == What::message) {
            if (is_delayed(event, std::max(rank.cpu_free, rank.receive_free)))
                return;
            rank.cpu_free = now + law_.receive_ns(bytes);
            rank.receive_free = now + law_.port_ns(bytes);
            auto const found = std::ranges::find_if(
                rank.receives, [&](std::uint32_t receive) { return fits(receive, event); });
            if (found == rank.receives.end())
                return rank.messages.push_back(event);
            auto const receive = *found;
            rank.receives.erase(found);
            return match(event, receive, now);
        }
        switch (program_.kind[operation].operation()) {
            case MessageOperation::calc:
                if (is_delayed(event, rank.cpu_free))
                    return;
                rank.cpu_free = now + static_cast<std::int64_t>(bytes);
                over(event.rank, operation, true, now);
                return over(event.rank, operation, false, now);
            case MessageOperation::send:
                if (is_delayed(event, std::max(rank.cpu_free, rank.send_free)))
                    return;
                rank.cpu_free = now + law_.send_ns(bytes);
                rank.send_free = now + law_.port_ns(bytes);
                add({now + law_.transit_ns(), program_.peer[operation], now, event.rank, 0, 0, operation,
                     What::message});
                over(event.rank, operation, true, now);
                if (!waits(operation))
                    over(event.rank, operation, false, now);
                return;
            default: break;
        }
        over(event.rank, operation, true, now);
        auto const found = std::ranges::find_if(
            rank.messages, [&](Event const& message) { return fits(operation, message); });
        if (found == rank.messages.end())
            return rank.receives.push_back(operation);
        auto const message = *found;
        rank.messages.erase(found);
        match(message, operation, now);
    }

    bool waits(std::uint32_t send) const {
        return law_.is_rendezvous(program_.amount[send]) || program_.kind[send].is_synchronous();
    }
    bool fits(std::uint32_t receive, Event const& message) const {
        return (program_.peer[receive] == any_peer || program_.peer[receive] == message.origin) &&
               (program_.tag[receive] == any_tag || program_.tag[receive] == program_.tag[message.operation]);
    }
    void match(Event const& message, std::uint32_t receive, std::int64_t now) {
        if (waits(message.operation))
            queue_.insert(
                {now, message.origin, now, message.rank, 0, now, message.operation, What::rendezvous_ends});
        over(message.rank, receive, false, now);
    }
    void end_rendezvous(Event const& event) {
        auto& rank = ranks_[event.rank];
        rank.cpu_free = std::max(rank.cpu_free, event.time);
        rank.send_free = std::max(rank.send_free, event.time);
        over(event.rank, event.operation, false, event.time);
    }
    void over(std::uint32_t rank, std::uint32_t operation, bool is_start, std::int64_t now) {
        ended += is_start ? 0 : 1;
        for (auto const& [later, is_on_start] : later_[operation])
            if (is_on_start == is_start && --open_[later] == 0)
                add({std::max(now, ranks_[rank].cpu_free), rank, now, rank, 0, 0, later, What::operation});
    }
    void add(Event event) {
        auto const kind = program_.kind[event.operation].operation();
        event.ready = event.time;
        event.turn = event.what == What::message         ? 0
                     : kind == MessageOperation::send    ? 1
                     : kind == MessageOperation::receive ? 2
                                                         : 3;
        queue_.insert(event);
    }

    MessageProgram const& program_;
    LogGops law_;
    std::vector<int> open_;
    std::vector<std::vector<std::pair<std::uint32_t, bool>>> later_;
    std::vector<Rank> ranks_;
    std::set<Event> queue_;
};

std::vector<std::int64_t> finish_times(MessageRun const& run) {
    std::vector<std::int64_t> all;
    for (auto const& rank : run.ranks)
        all.push_back(rank.finished.ns);
    return all;
}

constexpr std::array<RandomProgram, 7> kinds_of_programs{{
    {.ranks = 2, .steps = 16},
    {.ranks = 4, .steps = 60},
    {.ranks = 16, .steps = 400, .most_ns = 200000},
    {.ranks = 3, .steps = 80, .tags = 2},
    {.ranks = 3, .steps = 40, .tags = 3, .has_open_receives = true},
    {.ranks = 1, .steps = 30},
    {.ranks = 8, .steps = 200, .most_ns = 1},
}};

TEST(ReplayMessagesLaws, RunAheadChangesNothing) {
    for (auto const& kind : kinds_of_programs)
        for (unsigned seed = 0; seed < 300; ++seed) {
            auto const program = random_program(kind, seed);
            ASSERT_TRUE(check(program).has_value());
            auto const network = random_network(seed);
            EventLoop loop(program, LogGops(network.values));
            auto const run = replay_messages(program, network);
            ASSERT_TRUE(run.has_value());
            ASSERT_EQ(finish_times(*run), loop.run()) << kind.ranks << " ranks, seed " << seed;
            ASSERT_EQ(run->operations, loop.ended);
        }
}

TEST(ReplayMessagesLaws, NothingIsStuckWhereEachMessageHasItsTag) {
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (std::uint32_t cpus = 1; cpus < 4; ++cpus)
            for (unsigned seed = 0; seed < 50; ++seed) {
                auto const program = random_program({.ranks = 6, .steps = 200, .cpus = cpus}, seed);
                auto const run = replay_messages(program, random_network(seed, kind));
                ASSERT_FALSE(run->is_deadlocked);
                ASSERT_EQ(run->operations, static_cast<std::int64_t>(program.operations()));
                ASSERT_TRUE(run->unmatched_receives.empty() && run->unmatched_sends.empty());
            }
}

// Checked with and without a log, for both laws and several CPUs.
TEST(ReplayMessagesLaws, TimeIsConserved) {
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (std::uint32_t cpus = 1; cpus < 4; ++cpus)
            for (unsigned seed = 0; seed < 60; ++seed) {
                auto const program = random_program({.ranks = 5, .steps = 150, .cpus = cpus}, seed);
                auto const network = random_network(seed, kind);
                auto const run = replay_messages(program, network);
                std::uint64_t sent = 0;
                std::uint64_t received = 0;
                for (std::uint32_t rank = 0; rank < 5; ++rank) {
                    sent += run->ranks[rank].bytes_sent;
                    received += run->ranks[rank].bytes_received;
                    for (std::uint32_t cpu = 0; cpu < run->cpus; ++cpu) {
                        auto const& account = run->account(rank, cpu);
                        ASSERT_EQ((account.computing + account.communicating + account.waiting()).ns,
                                  account.ended.ns)
                            << seed;
                        ASSERT_LE(account.ended.ns, run->completion.ns);
                        for (auto const waiting : account.waiting_for)
                            ASSERT_GE(waiting.ns, 0);
                    }
                }
                ASSERT_EQ(sent, received);
                ASSERT_EQ(run->bytes_received, received);
                ASSERT_LE(run->bytes_in_incast, received);

                auto const logged = replay_messages(program, network, {.with_log = true});
                ASSERT_EQ(logged->accounts, run->accounts) << "a log changes nothing";
                ASSERT_EQ(logged->ranks, run->ranks);
                std::vector<MessageCpuAccount> sums(run->accounts.size());
                for (auto const& each : logged->log->intervals) {
                    auto& sum = sums[each.rank * run->cpus + each.cpu];
                    auto const length = each.end - each.begin;
                    ASSERT_EQ(each.begin, sum.ended) << "no gaps, no overlaps";
                    sum.ended = each.end;
                    (each.state == MessageInterval::State::computing ? sum.computing
                     : each.state == MessageInterval::State::communicating
                         ? sum.communicating
                         : sum.waiting_for[static_cast<std::size_t>(each.wait)]) += length;
                }
                ASSERT_EQ(sums, run->accounts);
            }
}

// That operations are of collective ones changes what waiting is called, and nothing else.
TEST(ReplayMessagesLaws, WaitingInCollectiveOperationsIsWaitingForOthers) {
    auto const waiting = [](MessageCpuAccount const& account, MessageWait wait) {
        return account.waiting_for[static_cast<std::size_t>(wait)];
    };
    auto const for_others = [&](MessageCpuAccount const& account) {
        return waiting(account, MessageWait::late_sender) + waiting(account, MessageWait::rendezvous) +
               waiting(account, MessageWait::collective);
    };
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (unsigned seed = 0; seed < 60; ++seed) {
            auto program = random_program({.ranks = 5, .steps = 150, .cpus = 1 + seed % 2}, seed);
            auto const network = random_network(seed, kind);
            auto const run = replay_messages(program, network);
            for (auto& each : program.kind)
                each = each.of_collective(false);
            auto const without = replay_messages(program, network);
            ASSERT_EQ(run->ranks, without->ranks) << seed;
            Duration in_collectives;
            for (std::size_t cpu = 0; cpu < run->accounts.size(); ++cpu) {
                auto const& one = run->accounts[cpu];
                auto const& other = without->accounts[cpu];
                ASSERT_EQ(one.computing, other.computing);
                ASSERT_EQ(one.communicating, other.communicating);
                ASSERT_EQ(waiting(one, MessageWait::gap), waiting(other, MessageWait::gap));
                ASSERT_EQ(waiting(one, MessageWait::cpu), waiting(other, MessageWait::cpu));
                ASSERT_EQ(for_others(one), for_others(other)) << seed;
                ASSERT_EQ(waiting(other, MessageWait::collective), Duration{});
                in_collectives += waiting(one, MessageWait::collective);
            }
            ASSERT_GT(in_collectives, Duration{}) << seed;
        }
}

TEST(ReplayMessagesLaws, CriticalPathGoesFromTheBeginToTheEnd) {
    using What = MessagePathSegment::What;
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (std::uint32_t cpus = 1; cpus < 3; ++cpus)
            for (unsigned seed = 0; seed < 60; ++seed) {
                auto const program = random_program({.ranks = 5, .steps = 150, .cpus = cpus}, seed);
                auto const network = random_network(seed, kind);
                auto const run = replay_messages(program, network, {.with_log = true});
                Instant reached;
                for (auto const& segment : run->log->critical_path) {
                    ASSERT_EQ(segment.begin, reached);
                    ASSERT_LT(segment.begin, segment.end);
                    if (segment.what == What::in_flight) {
                        ASSERT_EQ((segment.end - segment.begin).ns, network.values.latency_ns)
                            << "a whole flight";
                    }
                    if (segment.what == What::gap) {
                        ASSERT_LE((segment.end - segment.begin).ns,
                                  network.values.gap_ns + 65545 * network.values.gap_per_byte_ns);
                    }
                    reached = segment.end;
                }
                ASSERT_EQ(reached - Instant{}, run->completion) << seed;
            }
}

// Messages are where the intervals of both ends say, and not before they can be.
TEST(ReplayMessagesLaws, MessagesAreReceivedAfterTheyAreSent) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        auto const program = random_program({.ranks = 5, .steps = 150}, seed);
        auto const network = random_network(seed);
        auto const run = replay_messages(program, network, {.with_log = true});
        for (auto const& message : run->log->messages) {
            ASSERT_EQ(message.arrived - message.sent,
                      (Duration{static_cast<std::int64_t>(network.values.latency_ns +
                                                          network.values.overhead_ns)}));
            ASSERT_GE(message.taken, message.arrived);
            ASSERT_GE(message.received, message.taken);
            ASSERT_TRUE(message.receive.has_value());
            ASSERT_EQ(program.tag[*message.receive], message.tag);
        }
    }
}

// Programs side by side have nothing in common, so that each rank ends when it does alone.
TEST(ReplayMessagesLaws, ProgramsSideBySideDoNotSlowEachOther) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::vector<MessageProgram> jobs;
        for (unsigned job = 0; job < 3; ++job)
            jobs.push_back(random_program({.ranks = 3 + job, .steps = 100, .cpus = 1 + job % 2}, seed + job));
        auto const network = random_network(seed);
        std::vector<std::int64_t> alone;
        for (auto const& job : jobs)
            std::ranges::copy(finish_times(*replay_messages(job, network)), std::back_inserter(alone));
        auto const together = side_by_side(jobs);
        ASSERT_TRUE(together && check(*together));
        ASSERT_EQ(finish_times(*replay_messages(*together, network)), alone) << seed;
    }
}

// As every other form's run: no time is lost or counted twice, whatever it is summed over.
TEST(ReplayMessagesLaws, RunOfMessagesConservesTime) {
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (std::uint32_t cpus = 1; cpus < 4; ++cpus)
            for (unsigned seed = 0; seed < 60; ++seed) {
                auto const program = random_program({.ranks = 5, .steps = 150, .cpus = cpus}, seed);
                auto const network = random_network(seed, kind);
                auto const logged = *replay_messages(program, network, {.with_log = true});
                auto const run = run_of(logged);
                auto const& accounts = run.accounts;
                ASSERT_EQ(accounts.busy + accounts.communicating + accounts.idle.total(),
                          accounts.completion * accounts.cpus);
                ASSERT_EQ(accounts.threads.size(), logged.accounts.size());
                ASSERT_FALSE(run.deadlock);
                Duration waiting;
                for (auto const& object : accounts.objects)
                    waiting += object.waiting;
                ASSERT_EQ(waiting, accounts.idle.message);
                for (std::size_t lane = 0; lane < accounts.threads.size(); ++lane) {
                    auto const& thread = accounts.threads[lane];
                    auto const& account = logged.accounts[lane];
                    ASSERT_EQ(std::accumulate(thread.in_state.begin(), thread.in_state.end(), Duration{}),
                              thread.ended - thread.created);
                    ASSERT_EQ(thread[ThreadState::running], account.computing);
                    ASSERT_EQ(thread[ThreadState::communicating], account.communicating);
                    ASSERT_EQ(thread[ThreadState::blocked], account.waiting());
                }
                auto const totals = run_of(*replay_messages(program, network)).accounts;
                ASSERT_EQ(totals.idle.total(), accounts.idle.total()) << "with or without a timeline";
            }
}

TEST(ReplayMessagesLaws, TimelineOfMessagesSaysWhatItsAccountsSay) {
    for (std::uint32_t cpus = 1; cpus < 4; ++cpus)
        for (unsigned seed = 0; seed < 60; ++seed) {
            auto const program = random_program({.ranks = 5, .steps = 150, .cpus = cpus}, seed);
            auto const logged = *replay_messages(program, random_network(seed), {.with_log = true});
            auto const run = run_of(logged);
            auto const& timeline = *run.timeline;
            auto const checked = check(timeline);
            ASSERT_TRUE(checked) << checked.error().message;
            auto const& rows = *timeline.intervals;
            std::vector<std::array<Duration, thread_state_count>> in_state(run.accounts.threads.size());
            auto const run_cpus = logged.cpus;
            std::array<Duration, message_wait_count> waited{};
            Duration for_messages;
            for (std::size_t row = 0; row < rows.size(); ++row) {
                auto const length = rows.end[row] - rows.begin[row];
                in_state[rows.thread[row].index()][static_cast<std::size_t>(rows.state[row])] += length;
                if (rows.state[row] != ThreadState::blocked)
                    continue;
                waited[rows.object[row].index()] += length;
                auto const& interval = logged.log->intervals[row];
                bool const is_own = interval.operation >= program.first_operation[interval.rank] &&
                                    interval.operation < program.first_operation[interval.rank + 1];
                if (interval.wait == MessageWait::late_sender && !rows.releaser[row].is_none()) {
                    auto const sender = rows.releaser[row].index() / run_cpus;
                    ASSERT_LE(program.first_operation[sender], interval.operation);
                    ASSERT_GT(program.first_operation[sender + 1], interval.operation) << "its sender";
                }
                bool const is_for_others =
                    interval.wait != MessageWait::gap && interval.wait != MessageWait::cpu;
                if (is_for_others && (!is_own || program.peer[interval.operation] == interval.rank))
                    for_messages += length;
            }
            for (std::size_t thread = 0; thread < in_state.size(); ++thread)
                ASSERT_EQ(in_state[thread], run.accounts.threads[thread].in_state);
            for (std::size_t wait = 0; wait < waited.size(); ++wait)
                ASSERT_EQ(waited[wait], run.accounts.objects[wait].waiting);

            ASSERT_EQ(timeline.messages.size(), logged.log->messages.size());
            Duration late;
            for (auto const& message : timeline.messages) {
                ASSERT_LE(message.sent, message.arrived);
                ASSERT_LE(message.arrived, message.received);
                ASSERT_LE(message.received - Instant{}, timeline.length);
                ASSERT_NE(message.delay, MessageDelay::never_received);
                if (message.delay >= MessageDelay::sender_computes &&
                    message.delay <= MessageDelay::in_flight)
                    late += message.late;
            }
            ASSERT_EQ(late, for_messages) << "each waiting for a message is some message's";

            Instant reached;
            PathSegment const* before = nullptr;
            for (auto const& segment : timeline.critical_path) {
                ASSERT_EQ(segment.begin, reached);
                ASSERT_LT(segment.begin, segment.end);
                if (before != nullptr) {
                    ASSERT_TRUE(before->thread != segment.thread ||
                                before->is_in_flight != segment.is_in_flight);
                }
                before = &segment;
                reached = segment.end;
            }
            ASSERT_EQ(reached - Instant{}, run.accounts.completion);
            ASSERT_LE(run.accounts.path_busy, run.accounts.completion);
        }
}

// A chain of messages without anything beside it: not true where ranks have other work to do.
TEST(ReplayMessagesLaws, PingPongEndsLaterByEachNanosecondOfLatency) {
    GoalBuilder build;
    for (std::uint32_t rank = 0; rank < 2; ++rank) {
        build.rank();
        std::optional<std::uint32_t> last;
        for (int turn = 0; turn < 20; ++turn)
            for (auto const sends : {rank == 0, rank != 0}) {
                auto const after = last ? GoalAfter{{*last}} : GoalAfter{};
                last = sends ? build.send(50, 1 - rank, 0, after) : build.receive(50, 1 - rank, 0, after);
            }
    }
    auto network = random_network(1);
    auto const program = build.program();
    auto const before = replay_messages(program, network)->completion;
    network.values.latency_ns += 7;
    EXPECT_EQ((replay_messages(program, network)->completion - before).ns, 40 * 7);
}

TEST(ReplayMessagesLaws, TimesScale) {
    for (auto const kind : {NetworkKind::loggops, NetworkKind::loggp})
        for (unsigned seed = 0; seed < 40; ++seed) {
            auto program = random_program({.ranks = 5, .steps = 100}, seed);
            auto network = random_network(seed, kind);
            network.values.overhead_per_byte_ns = 2;
            network.values.gap_per_byte_ns = 3;
            auto const once = finish_times(*replay_messages(program, network));
            for (auto const& field : network_fields)
                network.values.*field.value *= 3;
            for (std::size_t each = 0; each < program.operations(); ++each)
                if (program.kind[each].operation() == MessageOperation::calc)
                    program.amount[each] *= 3;
            auto const thrice = finish_times(*replay_messages(program, network));
            for (std::size_t rank = 0; rank < once.size(); ++rank)
                ASSERT_EQ(thrice[rank], 3 * once[rank]);
        }
}

// Messages of one size: where a rank sends different ones at one instant, ties decide.
TEST(ReplayMessagesLaws, StepUnderLogGpIsThePapersStandardAlgorithm) {
    Network network;
    network.kind = NetworkKind::loggp;
    for (unsigned seed = 0; seed < 400; ++seed) {
        std::mt19937 random(seed);
        auto const ranks = 2 + static_cast<std::uint32_t>(random() % 9);
        network.values = {.latency_ns = 9, .overhead_ns = 2, .gap_ns = 14, .gap_per_byte_ns = .03};
        if (seed % 2 == 1)
            network = random_network(seed, NetworkKind::loggp);
        StepProgram steps;
        steps.ranks = ranks;
        steps.compute_ns.assign(ranks, 0);
        std::vector<std::vector<std::uint32_t>> sends(ranks);
        for (auto count = 1 + random() % 40; count > 0; --count) {
            auto const from = static_cast<std::uint32_t>(random() % ranks);
            auto const to = static_cast<std::uint32_t>(random() % ranks);
            if (from == to)
                continue;
            sends[from].push_back(to);
            steps.messages.push_back({from, to, 101});
        }
        steps.first_message.push_back(steps.messages.size());
        GoalBuilder build;
        for (std::uint32_t rank = 0; rank < ranks; ++rank) {
            build.rank();
            for (std::uint32_t from = 0; from < ranks; ++from)
                for (auto const to : sends[from])
                    if (to == rank)
                        build.receive(101, from, 0);
            std::optional<std::uint32_t> last;
            for (auto const to : sends[rank])
                last = build.send(101, to, 0, last ? GoalAfter{{*last}} : GoalAfter{});
        }
        auto const run = replay_messages(build.program(), network);
        std::vector<std::int64_t> standard;
        for (auto const finish : run_steps(steps, LogGp(network.values)).finish)
            standard.push_back(finish.ns);
        ASSERT_EQ(finish_times(*run), standard) << seed;
    }
}

}  // namespace
}  // namespace parcast::simulate
