#include "view/program_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "program/work_owners.h"
#include "support/random_program.h"
#include "view/replay_on_demand.h"

namespace parcast::view {
namespace {

using simulate::Pairing;

// Every number differs from its default and from the others.
Machine unusual_machine() {
    auto machine = linux_machine(5);
    machine.scheduler = LinuxScheduler{{3'000'001}, {1'000'003}, {5'000'005}, {500'009}, 84, 49};
    machine.lock_policy = LockPolicy::hand_off;
    machine.costs = {{11}, {12}, {13}, {14}, {15}};
    machine.waiting = {{21}, {22}, {23}};
    machine.rates = {.compute = {1, 0.97, 0.9}, .memory = {1, 0.71}, .memory_share = 0.3};
    return machine;
}

std::vector<Machine> machines() {
    return {unusual_machine(), linux_machine(1), ideal_machine(65'536)};
}

void expect_same(ThreadProgram const& found, ThreadProgram const& expected) {
    EXPECT_EQ(found.lists, expected.lists);
    EXPECT_EQ(found.parameters, expected.parameters);
    EXPECT_EQ(found.objects, expected.objects);
    EXPECT_EQ(found.barriers, expected.barriers);
    EXPECT_EQ(found.shares, expected.shares);
    EXPECT_EQ(found.catalogue.stacks, expected.catalogue.stacks);
    ASSERT_EQ(found.catalogue.threads.size(), expected.catalogue.threads.size());
    ASSERT_EQ(found.catalogue.objects.size(), expected.catalogue.objects.size());
    for (std::size_t object = 0; object < found.catalogue.objects.size(); ++object)
        EXPECT_EQ(found.catalogue.objects[object].kind, expected.catalogue.objects[object].kind);
    // By which names work is changed: the same, also where a place has no name.
    WorkOwners const expected_owners(expected);
    WorkOwners const owners(found);
    ASSERT_EQ(owners.count(), expected_owners.count());
    for (std::size_t owner = 0; owner < owners.count(); ++owner)
        EXPECT_EQ(owners.name(owner), expected_owners.name(owner));
}

// Names of every sort: of functions with and without lines, of places in a module alone.
void give_names(ThreadProgram& program) {
    auto& [threads, objects, sites, stacks] = program.catalogue;
    for (std::size_t site = 0; site < sites.size(); ++site) {
        sites[site].module = site % 3 == 0 ? "/lib/libm.so" : "";
        sites[site].module_offset = 0x40 * site;
        sites[site].address = 0x1000 + site;
        if (site % 3 != 0)
            sites[site].frames = {{"work(int)", "/src/work.cpp", static_cast<std::uint32_t>(site)},
                                  {"main", "/src/main.cpp", 3}};
    }
    if (!sites.empty())
        objects[0].first_site = SiteId(0);
    objects[0].name = "table";
    threads[0].function = "main";
    threads.back().name = "last";
    if (sites.size() < 2)
        return;
    stacks = {{StackId::none(), SiteId(0)}, {StackId(0), SiteId(1)}};
    program.shares.resize(program.lists.size());
    program.shares[0] = {{0, StackId(1), 70, 2, 0}, {0, StackId::none(), 30, 0, 0}};
}

TEST(ProgramBytes, ComeBackAsTheProgramAndTheMachine) {
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        auto program = RandomProgram(seed, {.threads = static_cast<std::uint32_t>(1 + seed % 9)}).make();
        give_names(program);
        program.parameters[0] = {0xf0f0, {SchedulingClass::real_time, 99, true}};
        program.catalogue.objects.emplace_back().kind = ObjectKind::reader_writer_lock;
        program.objects.emplace_back().kernel_lock = KernelLock::memory_map;
        program.barriers.push_back({3, ObjectId(1), ObjectId::none()});
        program.objects[1].pairs_as_recorded = true;
        for (auto const& machine : machines()) {
            for (auto const pairing : {Pairing::any, Pairing::recorded}) {
                auto const bytes = program_bytes(program, machine, pairing, 7);
                auto const read = read_program(bytes);
                ASSERT_TRUE(read) << read.error().message;
                expect_same(read->program, program);
                EXPECT_EQ(read->machine, machine);
                EXPECT_EQ(read->pairing, pairing);
                EXPECT_EQ(read->shown_cpus, 7);
            }
        }
    }
}

TEST(ProgramBytes, HaveTheSchedulerWithItsValues) {
    auto const program = RandomProgram(1, {}).make();
    for (SchedulerNumber scheduler = 0; scheduler < schedulers.size(); ++scheduler) {
        auto machine = machine_under(scheduler, 2);
        if (auto* const two_level = std::get_if<TwoLevelScheduler>(&machine.scheduler))
            two_level->lwps = 5;
        auto const read = read_program(program_bytes(program, machine, Pairing::any));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->machine, machine);
    }
}

TEST(ProgramBytes, ReplayAsTheProgramThatTheyWereMadeOf) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        auto const program = RandomProgram(seed, {}).make();
        auto const read = read_program(program_bytes(program, unusual_machine(), Pairing::any));
        ASSERT_TRUE(read);
        for (auto const scheduler : {scheduler_named("ideal"), std::optional<SchedulerNumber>()}) {
            Request const request{.cpus = 3, .scheduler = scheduler};
            auto const expected = replay(program, unusual_machine(), Pairing::any, request);
            auto const found = replay(read->program, read->machine, read->pairing, request);
            ASSERT_TRUE(expected && found);
            EXPECT_EQ(*found, *expected);
        }
    }
}

TEST(ProgramBytes, HaveTheSharesOfFunctionsAloneToo) {
    auto program = RandomProgram(3, {}).make();
    give_names(program);
    auto const whole = program_bytes(program, unusual_machine(), Pairing::any);
    auto const alone = share_bytes(program);
    auto const all = SectionReader::open(whole, program_magic);
    auto const shares = SectionReader::open(alone, program_magic);
    ASSERT_TRUE(all && shares);
    for (auto const* const name : {"share.first", "share.piece", "share.stack", "stack.function"}) {
        auto const found = shares->column<std::uint32_t>(name);
        auto const expected = all->column<std::uint32_t>(name);
        ASSERT_TRUE(found && expected) << name;
        EXPECT_FALSE(found->empty()) << name;
        EXPECT_TRUE(std::ranges::equal(*found, *expected)) << name;
    }
}

// Whatever single word is wrong: an error, or another valid program; never a crash.
TEST(ProgramBytes, ThatAreDamagedAreRefusedOrAValidProgram) {
    auto const whole = program_bytes(RandomProgram(1, {.threads = 3, .operations = 5}).make(),
                                     unusual_machine(), Pairing::recorded);
    std::mt19937_64 random(7);
    int refused = 0;
    for (int attempt = 0; attempt < 3000; ++attempt) {
        auto damaged = whole;
        auto const at = random() % (damaged.size() / 4) * 4;
        std::uint32_t const words[] = {0,          1,          0xffffffff,
                                       0x7fffffff, 0x80000000, static_cast<std::uint32_t>(random())};
        std::memcpy(damaged.data() + at, &words[random() % 6], 4);
        auto const read = read_program(damaged);
        refused += !read;
        EXPECT_TRUE(!read || (check(read->program) && check(read->machine)));
    }
    EXPECT_GT(refused, 100) << "damage is noticed at all";
}

TEST(ProgramBytes, ThatAreCutOffAreRefused) {
    auto const whole = program_bytes(RandomProgram(1, {.threads = 2, .operations = 2}).make(),
                                     linux_machine(2), Pairing::any);
    for (std::size_t size = 0; size + 8 < whole.size(); size += 8)
        EXPECT_FALSE(read_program(std::span(whole).first(size))) << size;
}

// A long text that all places share would make memory out of nothing.
TEST(ProgramBytes, ThatShareALongTextAreRefused) {
    auto program = RandomProgram(1, {}).make();
    program.catalogue.sites.assign(10'000, Site{0, 0, std::string(100'000, 'm'), {}});
    auto const read = read_program(program_bytes(program, unusual_machine(), Pairing::any));
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::malformed);
}

TEST(ReplayOnDemand, AnotherSchedulerIsTheBuiltInMachineOfThatName) {
    auto const own = unusual_machine();
    EXPECT_EQ(requested_machine(own, {.cpus = 7, .scheduler = scheduler_named("ideal")}), ideal_machine(7));
    EXPECT_EQ(requested_machine(ideal_machine(2), {.cpus = 7, .scheduler = scheduler_named("linux")}),
              linux_machine(7));
    auto same = own;
    same.cpus = 7;
    EXPECT_EQ(requested_machine(own, {.cpus = 7, .scheduler = scheduler_named("linux")}), same);
    EXPECT_EQ(requested_machine(own, {.cpus = 7, .scheduler = std::nullopt}), same);
}

// Also on the built-in machine of another scheduler.
TEST(ReplayOnDemand, FreeWakeUpsAreThoseOfTheRequestedMachine) {
    auto const program = RandomProgram(3, {}).make();
    auto const scheduler = scheduler_named("linux");
    for (auto const& own : {unusual_machine(), ideal_machine(2)}) {
        auto free = requested_machine(own, {.cpus = 4, .scheduler = scheduler});
        free.costs.wake_up = free.costs.wake_up_soon = free.costs.wake_up_same_cpu = {0};
        free.costs.wake_waiter = std::min(free.costs.wake_waiter, Duration{0});
        Request request{.cpus = 4, .scheduler = scheduler};
        auto const expected = replay(program, free, Pairing::any, request);
        auto const as_it_is = replay(program, own, Pairing::any, request);
        request.scenario = "wake-ups=free";
        auto const found = replay(program, own, Pairing::any, request);
        ASSERT_TRUE(found && expected && as_it_is);
        EXPECT_EQ(*found, *expected);
        EXPECT_NE(*found, *as_it_is);
    }
}

TEST(ReplayOnDemand, RefusesMoreProcessorsThanALaneCanNumberAndNone) {
    auto const program = RandomProgram(1, {}).make();
    for (std::uint32_t cpus : {0U, 65'535U, 65'536U, 0xffffffffU})
        EXPECT_EQ(replay(program, linux_machine(1), Pairing::any, {.cpus = cpus}).error().code,
                  ErrorCode::out_of_range);
}

}  // namespace
}  // namespace parcast::view
