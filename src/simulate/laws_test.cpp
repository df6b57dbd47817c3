// What holds for every run, checked over random programs with fixed seeds.

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "machine/machine.h"
#include "simulate/simulate.h"
#include "support/conserves_time.h"
#include "support/edited_list.h"
#include "support/random_program.h"

namespace parcast::simulate {
namespace {

constexpr std::uint64_t programs = 60;

Run must_run(ThreadProgram const& program, Machine const& machine, ReplayOptions const& options = {}) {
    auto result = run(program, machine, options);
    EXPECT_TRUE(result.has_value()) << (result ? "" : result.error().message);
    return *result;
}

Machine round_robin_machine(std::uint32_t cpus, std::int64_t slice_ns, std::int64_t queue_per_cpu) {
    auto machine = machine_under(*scheduler_named("round-robin"), cpus);
    machine.scheduler = RoundRobinScheduler{{slice_ns}, queue_per_cpu};
    return machine;
}

Machine costly_linux(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs.create_thread = {7'001};
    return machine;
}

// Everything that a machine can do: slower together, spinning before sleeping, every cost.
Machine measured_linux(std::uint32_t cpus) {
    auto machine = costly_linux(cpus);
    machine.costs.wake_waiter = {2'003};
    machine.costs.wake_up_same_cpu = {407};
    machine.costs.hot_handover = {151};
    machine.waiting = {.barrier_spin = {5'001}, .lock_spin = {20'011}, .condition_spin = {50'021}};
    machine.rates = {.compute = {1, 0.97, 0.9}, .memory = {1, 0.71}, .memory_share = 0.3};
    return machine;
}

Machine slowed_ideal(std::uint32_t cpus) {
    auto machine = ideal_machine(cpus);
    machine.rates.compute = {1, 0.9, 2.0 / 3};
    return machine;
}

Machine free_linux(std::uint32_t cpus) {
    auto machine = linux_machine(cpus);
    machine.costs = {};
    return machine;
}

Machine old_linux(std::uint32_t cpus, Linux22Scheduler const& scheduler) {
    auto machine = machine_under(*scheduler_named("linux-2.2"), cpus);
    machine.scheduler = scheduler;
    return machine;
}

Machine two_level_machine(std::uint32_t cpus, TwoLevelScheduler const& scheduler) {
    auto machine = machine_under(*scheduler_named("two-level"), cpus);
    machine.scheduler = scheduler;
    machine.costs = {.context_switch = {701}, .wake_up = {2'003}, .create_thread = {907}};
    return machine;
}

// Processors hear late of each other, and a device serves two requests at once.
Machine distant(Machine machine) {
    machine.costs.event_delay = {3'001};
    machine.devices.at_once = 2;
    return machine;
}

// The fair class before Linux 6.6: periods that grow with the processors.
Machine with_periods(Machine machine) {
    auto& scheduler = std::get<LinuxScheduler>(machine.scheduler);
    scheduler.eevdf = 2;
    scheduler.slice = {750'000};
    return machine;
}

std::vector<Machine> machines() {
    std::vector<Machine> all;
    for (std::uint32_t cpus : {1U, 2U, 3U, 7U, 64U, 65U}) {
        for (SchedulerNumber scheduler = 0; scheduler < schedulers.size(); ++scheduler) {
            all.push_back(machine_under(scheduler, cpus));
            all.push_back(distant(machine_under(scheduler, cpus)));
        }
        all.push_back(distant(measured_linux(cpus)));
        all.push_back(round_robin_machine(cpus, 0, 0));
        all.push_back(round_robin_machine(cpus, 70'001, 0));
        all.push_back(round_robin_machine(cpus, 2'003, 1));
        all.push_back(old_linux(cpus, {.tick = {1'003}, .clone_shares_counter = 1}));
        all.push_back(two_level_machine(cpus, {.lwps = 2, .create = {1'009}, .synchronise = {101}}));
        all.push_back(two_level_machine(cpus, {.lwps_per_cpu = 1, .rechoose_interval = {0}}));
        all.push_back(costly_linux(cpus));
        all.push_back(measured_linux(cpus));
        all.push_back(with_periods(measured_linux(cpus)));
        all.push_back(with_periods(costly_linux(cpus)));
        all.push_back(slowed_ideal(cpus));
        all.push_back(free_linux(cpus));
        all.back().lock_policy = LockPolicy::hand_off;
    }
    auto barging = ideal_machine(3);
    barging.lock_policy = LockPolicy::barging;
    all.push_back(barging);
    return all;
}

template <class Check>
void for_all_runs(Check const& check_run) {
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        auto const threads = static_cast<std::uint32_t>(1 + seed % 12);
        auto const program = RandomProgram(seed, {.threads = threads}).make();
        for (auto const& machine : machines()) {
            SCOPED_TRACE(testing::Message()
                         << "seed " << seed << ", " << machine.name << " on " << machine.cpus);
            check_run(program, machine);
            if (testing::Test::HasFailure())
                return;
        }
    }
}

// Everything that a run says, in one value.
std::vector<std::int64_t> numbers(Run const& run) {
    auto const& accounts = run.accounts;
    std::vector<std::int64_t> all = {
        accounts.completion.ns,        accounts.busy.ns,           accounts.overhead.ns,
        accounts.operations,           accounts.context_switches,  accounts.migrations,
        accounts.path_busy.ns,         accounts.idle.ready.ns,     accounts.idle.locks.ns,
        accounts.idle.conditions.ns,   accounts.idle.sleeping.ns,  accounts.idle.joining.ns,
        accounts.idle.input_output.ns, accounts.idle.no_thread.ns, accounts.slowed.ns,
        accounts.spinning.ns,          accounts.idle.carrier.ns};
    for (auto const& thread : accounts.threads) {
        all.push_back(thread.created.ns);
        all.push_back(thread.ended.ns);
        for (auto const time : thread.in_state)
            all.push_back(time.ns);
    }
    for (auto const& object : accounts.objects) {
        all.insert(all.end(), {object.operations, object.blocked_operations, object.waiting.ns,
                               object.idle_processors.ns});
    }
    return all;
}

bool has_negative_time(Accounts const& accounts) {
    auto const& idle = accounts.idle;
    auto const times = {idle.ready,    idle.locks,   idle.conditions, idle.input_output,
                        idle.sleeping, idle.joining, idle.no_thread,  idle.carrier};
    return std::any_of(times.begin(), times.end(), [](Duration time) { return time.ns < 0; });
}

TEST(Laws, EveryNanosecondOfEveryProcessorAndThreadIsAccountedForOnce) {
    for_all_runs([](ThreadProgram const& program, Machine const& machine) {
        auto const run = must_run(program, machine);
        ASSERT_FALSE(run.deadlock);
        EXPECT_TRUE(conserves_time(run.accounts));
        EXPECT_FALSE(has_negative_time(run.accounts));
        EXPECT_EQ(run.accounts.busy.ns, work_ns(program));
        EXPECT_EQ(run.accounts.operations, operation_count(program));
    });
}

TEST(Laws, ATimelineIsConsistentAndChangesNoNumber) {
    for_all_runs([](ThreadProgram const& program, Machine const& machine) {
        auto const without = must_run(program, machine);
        auto const with = must_run(program, machine, {.with_timeline = true});
        EXPECT_EQ(numbers(without), numbers(with));
        EXPECT_FALSE(without.timeline);
        ASSERT_TRUE(with.timeline);
        auto const checked = check(*with.timeline);
        EXPECT_TRUE(checked.has_value()) << (checked ? "" : checked.error().message);
    });
}

TEST(Laws, NoRunIsShorterThanItsWorkOnAllProcessorsOrItsLongestThread) {
    for_all_runs([](ThreadProgram const& program, Machine const& machine) {
        auto const run = must_run(program, machine);
        EXPECT_GE(run.accounts.completion.ns * machine.cpus, work_ns(program));
        for (auto const& list : program.lists) {
            std::int64_t thread_work = 0;
            for (auto const& operation : list)
                thread_work += operation.work_ns;
            EXPECT_GE(run.accounts.completion.ns, thread_work);
        }
        EXPECT_GE(run.accounts.completion, run.accounts.path_busy);
    });
}

TEST(Laws, OneProcessorTakesItsWorkItsOverheadAndItsIdleTime) {
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        auto const program = RandomProgram(seed, {.sleeps = false}).make();
        auto const ideal = must_run(program, ideal_machine(1)).accounts;
        // Without sleeps a processor is never idle; sharing rounds each completion up by less than 1 ns.
        EXPECT_GE(ideal.completion.ns, work_ns(program));
        EXPECT_LT(ideal.completion.ns, work_ns(program) + operation_count(program));
        auto const linux_run = must_run(program, costly_linux(1)).accounts;
        EXPECT_EQ(linux_run.completion.ns, work_ns(program) + linux_run.overhead.ns);
    }
}

TEST(Laws, ProcessorSharingWithAProcessorForEveryThreadIsTheUnboundedRun) {
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        auto const program = RandomProgram(seed, {}).make();
        auto const unbounded = run_unbounded(*CheckedProgram::of(program));
        ASSERT_TRUE(unbounded.has_value());
        for (std::uint32_t cpus : {6U, 7U, 100U}) {
            auto const shared = must_run(program, ideal_machine(cpus));
            EXPECT_EQ(shared.accounts.completion, unbounded->accounts.completion);
            EXPECT_EQ(shared.accounts.path_busy, unbounded->accounts.path_busy);
        }
    }
}

TEST(Laws, TheSameRunComesOutInEveryWorkerOfAProcess) {
    auto const program = RandomProgram(7, {.threads = 12, .operations = 200}).make();
    for (auto const& machine : machines()) {
        auto const expected = numbers(must_run(program, machine));
        std::vector<std::vector<std::int64_t>> found(4);
        {
            std::vector<std::jthread> workers;
            for (auto& result : found)
                workers.emplace_back([&] { result = numbers(must_run(program, machine)); });
        }
        for (auto const& result : found)
            EXPECT_EQ(result, expected);
    }
}

template <class Part>
void scale_times(Part& part, std::int64_t factor) {
    for (auto const& field : Part::fields())
        if (field.time != nullptr)
            field.set(part, field.value(part) * factor);
}

// Scaling every time of program and machine scales every time of the run, and changes no count.
TEST(Laws, ScalingAllTimesScalesTheRun) {
    constexpr std::int64_t factor = 3;
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        auto const plain = RandomProgram(seed, {}).make();
        auto const scaled = RandomProgram(seed, {.unit_ns = factor}).make();
        for (std::uint32_t cpus : {1U, 2U, 5U}) {
            auto machine = measured_linux(cpus);
            machine.rates = {};  // speeds are rounded to whole nanoseconds, and those do not scale
            auto const expected = must_run(plain, machine).accounts;
            auto& parameters = std::get<LinuxScheduler>(machine.scheduler);
            scale_times(parameters, factor);
            scale_times(machine.costs, factor);
            scale_times(machine.waiting, factor);
            auto const found = must_run(scaled, machine).accounts;
            EXPECT_EQ(found.completion, expected.completion * factor);
            EXPECT_EQ(found.overhead, expected.overhead * factor);
            EXPECT_EQ(found.context_switches, expected.context_switches);
            EXPECT_EQ(found.migrations, expected.migrations);
        }
    }
}

// A sleep and not work: the linux scheduler remembers how long a thread has run lately. So both begin with a
// sleep after which nothing of that is left.
TEST(Laws, ALongerSleepBeforeEverythingElseShiftsTheRun) {
    constexpr std::int64_t shift = 1'000'000'007;
    constexpr std::int64_t long_sleep = 4'000'000'000;
    for (std::uint64_t seed = 1; seed <= programs; ++seed) {
        auto program = RandomProgram(seed, {}).make();
        auto later = program;
        auto const sleep_first = [](ThreadProgram& some, std::int64_t duration_ns) {
            insert(some.lists[0], 0, {make_operation(OperationKind::delay, 0, 0xffffffff, duration_ns)});
        };
        sleep_first(program, long_sleep);
        sleep_first(later, long_sleep + shift);
        for (auto const& machine : machines()) {
            auto const expected = must_run(program, machine).accounts.completion;
            EXPECT_EQ(must_run(later, machine).accounts.completion, expected + Duration{shift});
        }
    }
}

}  // namespace
}  // namespace parcast::simulate
