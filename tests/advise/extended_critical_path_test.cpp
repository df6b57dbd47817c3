// The extended critical path against the vectors of paper VI, and against its own definition: shorten a piece
// of work a little, and see what the completion does.

#include "analysis/extended_critical_path.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "machine/machine.h"
#include "simulate/simulate.h"
#include "support/edited_list.h"
#include "support/program_builder.h"

namespace parcast {
namespace {

using analysis::ExtendedCriticalPath;
using analysis::WeightedEvents;

constexpr std::int64_t unit_ns = 1000;

CauseGraph causes_of(ThreadProgram const& program) {
    auto const checked = CheckedProgram::of(program);
    EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
    auto run = simulate::run_unbounded(*checked, simulate::Pairing::any, true);
    EXPECT_TRUE(run && run->causes);
    return std::move(*run->causes);
}

// Weights of the work before operations, times the CPUs: by thread and operation.
using Weights = std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t>;

Weights weights_of(CauseGraph const& graph, WeightedEvents<std::int64_t> const& weighted) {
    Weights weights;
    for (EventNumber event = 0; event < graph.size(); ++event) {
        auto const at = graph[event];
        if (at.what == CausedEvent::What::work_ends && !at.thread.is_none())
            weights[{at.thread.value, at.operation}] = weighted.weight_times_cpus[event];
    }
    return weights;
}

// Functions of a thread, each of which works before an operation.
struct Figure {
    ProgramBuilder builder;
    std::map<std::string, std::pair<std::uint32_t, std::uint32_t>> pieces;

    explicit Figure(std::uint32_t threads) : builder(threads, unit_ns) {}

    // On the given number of CPUs: completion and weights, times the CPUs; pieces without weight left out.
    std::pair<std::int64_t, std::map<std::string, std::int64_t>> on(std::uint32_t cpus) const {
        auto const program = builder.finish_with_all_created();
        auto const graph = causes_of(program);
        auto const weighted = ExtendedCriticalPath(graph).on(cpus);
        auto const weights = weights_of(graph, weighted);
        std::map<std::string, std::int64_t> named;
        for (auto const& [name, place] : pieces) {
            auto const creates = place.first == 0 ? program.lists.size() - 1 : 0;
            auto const weight = weights.at({place.first, place.second + static_cast<std::uint32_t>(creates)});
            if (weight != 0)
                named[name] = weight;
        }
        return {weighted.completion_times_cpus / unit_ns, named};
    }
};

TEST(ExtendedCriticalPath, Figure7) {
    // T2's first piece, THICK, and what follows.
    Figure figure(4);
    auto const x = figure.builder.object(ObjectKind::semaphore);
    auto const y = figure.builder.object(ObjectKind::semaphore);
    figure.builder.thread(0).wait(x).work(2);
    figure.builder.thread(1).work(2).post(x).work(4);
    figure.builder.thread(2).work(3).post(y).work(2);
    figure.builder.thread(3).wait(y).work(2);
    figure.pieces["THICK"] = {1, 0};
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> const expected = {
        {1, {15, 1}}, {2, {16, 2}}, {3, {19, 4}}, {4, {24, 4}}};
    for (auto const& [cpus, both] : expected) {
        auto const [completion, weights] = figure.on(cpus);
        EXPECT_EQ(completion, both.first) << cpus;
        EXPECT_EQ(weights.at("THICK"), both.second) << cpus;
    }
}

TEST(ExtendedCriticalPath, MakingAPieceFasterMayMakeTheProgramSlower) {
    // Figure 8: on 3 CPUs the weight of THICK is -1/3.
    Figure figure(4);
    auto const x = figure.builder.object(ObjectKind::semaphore);
    figure.builder.thread(0).wait(x).work(3);
    figure.builder.thread(1).work(2).post(x).work(2);
    figure.builder.thread(2).work(3);
    figure.builder.thread(3).work(6);
    figure.pieces["THICK"] = {1, 0};
    std::map<std::uint32_t, std::pair<std::int64_t, std::int64_t>> const expected = {
        {1, {16, 1}}, {2, {17, 0}}, {3, {19, -1}}, {4, {24, 0}}};
    for (auto const& [cpus, both] : expected) {
        auto [completion, weights] = figure.on(cpus);
        EXPECT_EQ(completion, both.first) << cpus;
        EXPECT_EQ(weights["THICK"], both.second) << cpus;
    }
}

// a1 b4 c1 d2 e1 f3 g1 h1 i1, the same in every thread.
Figure figure_4() {
    Figure figure(3);
    auto const x = figure.builder.object(ObjectKind::semaphore);
    auto const y = figure.builder.object(ObjectKind::semaphore);
    auto const z = figure.builder.object(ObjectKind::semaphore);
    auto& t1 = figure.builder.thread(0);
    t1.work(1).post(x).work(4).post(z).work(1).wait(x).work(1).add(OperationKind::yield).work(1);
    auto& t2 = figure.builder.thread(1);
    t2.wait(x).work(1).post(y).work(1).wait(y).work(2);
    auto& t3 = figure.builder.thread(2);
    t3.wait(y).work(2).wait(z).work(1).add(OperationKind::yield).work(1).post(x).work(1).post(y).work(3);
    figure.pieces = {{"T1 a", {0, 0}},  {"T1 b", {0, 1}}, {"T1 c", {0, 2}}, {"T1 ei", {0, 4}},
                     {"T2 c", {1, 1}},  {"T2 g", {1, 2}}, {"T2 d", {1, 3}}, {"T3 d", {2, 1}},
                     {"T3 gh", {2, 3}}, {"T3 a", {2, 4}}, {"T3 f", {2, 5}}};
    return figure;
}

TEST(ExtendedCriticalPath, Figure4) {
    auto const figure = figure_4();
    using Named = std::map<std::string, std::int64_t>;
    auto const three = figure.on(3);
    EXPECT_EQ(three.first, 3 * 11);
    EXPECT_EQ(three.second, (Named{{"T1 a", 3}, {"T1 b", 3}, {"T3 gh", 3}, {"T3 a", 3}, {"T3 f", 3}}));
    auto const two = figure.on(2);
    EXPECT_EQ(two.first, 2 * 12);
    EXPECT_EQ(
        two.second,
        (Named{{"T1 a", 2}, {"T1 b", 2}, {"T1 ei", 1}, {"T2 g", 1}, {"T3 gh", 2}, {"T3 a", 1}, {"T3 f", 2}}));
    auto const one = figure.on(1);
    EXPECT_EQ(one.first, 20);
    for (auto const& [name, place] : figure.pieces)
        EXPECT_EQ(one.second.at(name), 1) << name;
}

TEST(ExtendedCriticalPath, BurstsBesideALongThreadCountOnOneCpuOnly) {
    // Figure 20: 12 units, and five bursts of one with sleeps between.
    Figure figure(2);
    figure.builder.thread(0).work(12);
    auto& bursts = figure.builder.thread(1);
    for (std::uint32_t burst = 0; burst < 5; ++burst) {
        bursts.work(1).sleep(1);
        figure.pieces["burst " + std::to_string(burst)] = {1, burst};
    }
    figure.pieces["long"] = {0, 0};
    auto const [one, on_one] = figure.on(1);
    EXPECT_EQ(one, 17);
    EXPECT_EQ(on_one.size(), 6U);
    auto const [two, on_two] = figure.on(2);
    EXPECT_EQ(two, 2 * 12);
    EXPECT_EQ(on_two, (std::map<std::string, std::int64_t>{{"long", 2}}));
}

// A waits for a token and the mutex m, then works 5. B signals at 5, C gives m back at `unlocked`.
Figure signal_and_unlock(std::int64_t unlocked) {
    Figure figure(3);
    auto const m = figure.builder.object(ObjectKind::mutex);
    auto const c = figure.builder.object(ObjectKind::condition);
    auto& a = figure.builder.thread(0);
    a.lock(m).add(OperationKind::condition_wait, c.value, encode(TokenWait{m, 0})).unlock(m).work(5);
    auto& b = figure.builder.thread(1);
    b.work(5).add(OperationKind::condition_signal, c.value, encode(TokenGrant{1, 0})).work(1);
    auto& holder = figure.builder.thread(2);
    holder.work(1).lock(m).work(unlocked - 1).unlock(m);
    figure.pieces = {{"A", {0, 3}}, {"C", {2, 1}}};
    return figure;
}

// The signal is in the graph only where the mutex comes at the same instant.
TEST(ExtendedCriticalPath, AWaiterThatGetsItsMutexLaterThanItsTokenOwesItToTheUnlock) {
    auto const [completion, weights] = signal_and_unlock(7).on(3);
    EXPECT_EQ(completion, 3 * 12);
    EXPECT_EQ(weights, (std::map<std::string, std::int64_t>{{"A", 3}, {"C", 3}}));
}

TEST(ExtendedCriticalPath, AWaiterThatGetsItsMutexAndItsTokenAtOnceOwesItToBoth) {
    auto figure = signal_and_unlock(5);
    figure.pieces["B"] = {1, 0};
    auto const [completion, weights] = figure.on(3);
    EXPECT_EQ(completion, 3 * 10);
    EXPECT_EQ(weights, (std::map<std::string, std::int64_t>{{"A", 3}}))
        << "one of them alone, earlier, brings nothing";
}

// A program in which each wait has one partner, whatever the times.
struct RandomPieces {
    struct Step {
        enum class What { work, sleep, post, wait } what;
        std::int64_t value;  // ns, or the semaphore
    };
    std::vector<std::vector<Step>> threads;
    std::int64_t semaphores = 0;

    enum class Sleeps { some, none };

    explicit RandomPieces(std::mt19937_64& random, Sleeps sleeps = Sleeps::some) : threads(2 + random() % 6) {
        auto const any = [&](std::int64_t most) {
            return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most));
        };
        auto const most_units = random() % 2 == 0 ? 3 : 50;
        for (int step = 0; step < 40; ++step) {
            auto const thread = random() % threads.size();
            auto const other = (thread + 1 + random() % (threads.size() - 1)) % threads.size();
            switch (sleeps == Sleeps::some ? any(5) : 1 + any(4)) {
                case 0:
                    threads[thread].push_back({Step::What::sleep, (1 + any(most_units)) * unit_ns});
                    break;
                case 1:
                case 2:
                    threads[thread].push_back({Step::What::post, semaphores});
                    threads[other].push_back({Step::What::wait, semaphores++});
                    break;
                default:
                    threads[thread].push_back({Step::What::work, (1 + any(most_units)) * unit_ns});
                    break;
            }
        }
    }

    ThreadProgram program() const {
        ProgramBuilder builder(static_cast<std::uint32_t>(threads.size()), 1);
        std::vector<ObjectId> objects;
        for (std::int64_t i = 0; i < semaphores; ++i)
            objects.push_back(builder.object(ObjectKind::semaphore));
        for (std::uint32_t thread = 0; thread < threads.size(); ++thread) {
            auto& list = builder.thread(thread);
            for (auto const& [what, value] : threads[thread]) {
                auto const object = static_cast<std::size_t>(value);
                switch (what) {
                    case Step::What::work: list.work(value).yield(); break;
                    case Step::What::sleep: list.sleep(value); break;
                    case Step::What::post: list.post(objects[object]); break;
                    case Step::What::wait: list.wait(objects[object]); break;
                }
            }
        }
        return builder.finish_with_all_created();
    }

    // By the definition: integrates max(n, P) over the run.
    std::int64_t completion_times_cpus(std::int64_t cpus) const {
        std::vector<std::size_t> next(threads.size(), 0);
        std::vector<std::int64_t> now(threads.size(), 0);
        std::map<std::int64_t, std::int64_t> posted;
        std::map<std::int64_t, std::int64_t> change;
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t thread = 0; thread < threads.size(); ++thread) {
                while (next[thread] < threads[thread].size()) {
                    auto const& [what, value] = threads[thread][next[thread]];
                    auto& time = now[thread];
                    if (what == Step::What::wait && !posted.contains(value))
                        break;
                    auto const end = what == Step::What::wait   ? std::max(time, posted[value])
                                     : what == Step::What::post ? time
                                                                : time + value;
                    if (what == Step::What::post)
                        posted[value] = time;
                    if (what == Step::What::work) {
                        ++change[time];
                        --change[end];
                    }
                    time = end;
                    ++next[thread];
                    moved = true;
                }
            }
        }
        change[*std::max_element(now.begin(), now.end())] += 0;
        std::int64_t total = 0;
        std::int64_t running = 0;
        std::int64_t before = 0;
        for (auto const& [when, by] : change) {
            total += (when - before) * std::max(running, cpus);
            running += by;
            before = when;
        }
        return total;
    }
};

TEST(ExtendedCriticalPath, IsWhatShorteningAPieceALittleBrings) {
    std::mt19937_64 random(2002);
    int negative = 0;
    int above_one = 0;
    for (int i = 0; i < 600; ++i) {
        RandomPieces pieces(random);
        auto const program = pieces.program();
        auto const graph = causes_of(program);
        ExtendedCriticalPath const path(graph);
        for (std::uint32_t const cpus : {1U, 2U, 3U, 5U}) {
            auto const weighted = path.on(cpus);
            auto const whole = pieces.completion_times_cpus(cpus);
            ASSERT_EQ(weighted.completion_times_cpus, whole) << i;
            // The event that ends each piece: the first of its thread that is not before its operation.
            std::vector<std::vector<EventNumber>> events(pieces.threads.size());
            for (EventNumber event = 0; event < graph.size(); ++event)
                if (auto const at = graph[event]; !at.thread.is_none())
                    events[at.thread.index()].push_back(event);
            for (std::size_t thread = 0; thread < pieces.threads.size(); ++thread) {
                auto const creates = thread == 0 ? pieces.threads.size() - 1 : 0;
                for (std::size_t step = 0; step < pieces.threads[thread].size(); ++step) {
                    auto& [what, value] = pieces.threads[thread][step];
                    if (what != RandomPieces::Step::What::work && what != RandomPieces::Step::What::sleep)
                        continue;
                    bool const sleeps = what == RandomPieces::Step::What::sleep;
                    auto const found =
                        std::find_if(events[thread].begin() + 1, events[thread].end(), [&](auto event) {
                            auto const at = graph[event];
                            bool const is_end = at.what == (sleeps ? CausedEvent::What::goes_on
                                                                   : CausedEvent::What::work_ends);
                            return at.operation >= step + creates && is_end;
                        });
                    ASSERT_NE(found, events[thread].end());
                    --value;
                    auto const gained = whole - pieces.completion_times_cpus(cpus);
                    ++value;
                    ASSERT_EQ(weighted.weight_times_cpus[*found], gained)
                        << "program " << i << ", " << cpus << " CPUs, thread " << thread << ", step " << step;
                    negative += gained < 0;
                    above_one += gained > cpus;
                }
            }
        }
    }
    EXPECT_GT(negative, 0);
    EXPECT_GT(above_one, 0);
}

std::int64_t ideal_ns(ThreadProgram const& program, std::uint32_t cpus, Rates const& rates) {
    auto machine = ideal_machine(cpus);
    machine.rates = rates;
    auto const run = simulate::run(program, machine);
    EXPECT_TRUE(run && !run->deadlock);
    return run->accounts.completion.ns;
}

// Where nothing sleeps and no lock is contended, sharing processors only stretches the unbounded run.
TEST(ExtendedCriticalPath, WithoutSleepsAndLocksItIsWhatTheIdealReplayDoes) {
    constexpr std::int64_t less = 100;
    std::mt19937_64 random(20);
    for (int i = 0; i < 60; ++i) {
        RandomPieces pieces(random, RandomPieces::Sleeps::none);
        Rates rates;
        if (i % 2 == 1)
            rates.compute = {1, 0.75, 0.5};
        auto const program = pieces.program();
        auto const graph = causes_of(program);
        ExtendedCriticalPath const path(graph);
        for (std::uint32_t const cpus : {1U, 2U, 3U}) {
            auto const weighted =
                path.on(cpus, rates.compute.empty() ? std::vector<double>{1} : rates.compute);
            auto const before = ideal_ns(program, cpus, rates);
            // A replay rounds each instant up to a nanosecond.
            auto const rounding = static_cast<double>(operation_count(program));
            EXPECT_NEAR(weighted.completion_times_cpus / cpus, static_cast<double>(before), rounding) << i;
            for (EventNumber event = 0; event < graph.size(); ++event) {
                auto const at = graph[event];
                bool const is_work = at.what == CausedEvent::What::work_ends && !at.thread.is_none();
                if (!is_work || program.lists[at.thread.index()][at.operation].work_ns <= less)
                    continue;
                auto shorter = program;
                edit_at(shorter.lists[at.thread.index()], at.operation,
                        [](Operation& operation) { operation.work_ns -= less; });
                auto const gained = static_cast<double>(before - ideal_ns(shorter, cpus, rates));
                ASSERT_NEAR(weighted.weight_times_cpus[event] / cpus * less, gained, 4)
                    << "program " << i << ", " << cpus << " CPUs, event " << event;
            }
        }
    }
}

TEST(ExtendedCriticalPath, ProcessorsThatSlowEachOtherDownStretchTheTimeThatTheyShare) {
    // 4 together at half the speed, then 6 alone: 4 * 2 + 6.
    ProgramBuilder builder(2, unit_ns);
    builder.thread(0).work(10);
    builder.thread(1).work(4);
    auto const graph = causes_of(builder.finish_with_all_created());
    ExtendedCriticalPath const path(graph);
    std::vector<double> const halved = {1, 0.5};
    auto const weighted = path.on(2, halved);
    EXPECT_DOUBLE_EQ(weighted.completion_times_cpus, 2.0 * 14 * unit_ns);
    std::map<std::uint32_t, double> weights;
    for (EventNumber event = 0; event < graph.size(); ++event)
        if (auto const at = graph[event];
            at.what == CausedEvent::What::work_ends && !at.thread.is_none() && at.when.ns > 0)
            weights[at.thread.value] = weighted.weight_times_cpus[event] / 2;
    EXPECT_EQ(weights, (std::map<std::uint32_t, double>{{0, 1.0}, {1, 1.0}}))
        << "the short one: a nanosecond together takes two, and one alone";
}

TEST(ExtendedCriticalPath, AtFullSpeedRealWeightsAreTheWholeOnes) {
    std::mt19937_64 random(6);
    for (int i = 0; i < 20; ++i) {
        auto const graph = causes_of(RandomPieces(random).program());
        ExtendedCriticalPath const path(graph);
        auto const whole = path.on(3);
        auto const real = path.on(3, std::vector<double>{1.0});
        EXPECT_DOUBLE_EQ(real.completion_times_cpus, static_cast<double>(whole.completion_times_cpus));
        for (std::size_t event = 0; event < whole.weight_times_cpus.size(); ++event)
            ASSERT_DOUBLE_EQ(real.weight_times_cpus[event],
                             static_cast<double>(whole.weight_times_cpus[event]));
    }
}

}  // namespace
}  // namespace parcast
