// The machine file, version 1 (docs/formats/machine.md), and the limits of its fields.

#include "machine/machine_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace parcast {
namespace {

using testing::HasSubstr;

TEST(MachineFile, WhatIsWrittenIsReadBack) {
    auto changed = linux_machine(65'536);
    changed.name = "rack \"7\"\nslot \\ 3, größer";
    changed.lock_policy = LockPolicy::hand_off;
    changed.scheduler = LinuxScheduler{.slice = {1'000},
                                       .wake_up_granularity = {0},
                                       .balance_interval = {1'001},
                                       .migration_cost = {7},
                                       .idle_search_percent = 0,
                                       .idle_pull_percent = 100};
    changed.costs = {.context_switch = {1},
                     .wake_up = {0},
                     .wake_waiter = {-2},
                     .wake_up_soon = {6},
                     .wake_waiter_soon = {-1},
                     .wake_up_same_cpu = {3},
                     .create_thread = {1'000'000'000}};
    changed.waiting = {.barrier_spin = {10'000'000'000}, .lock_spin = {4}, .condition_spin = {5}};
    // Doubles whose shortest decimal forms are long, and one that looks like an integer.
    changed.rates = {.compute = {1, 0.1 + 0.2, 1.0 / 3}, .memory = {1, 0.0001}, .memory_share = 2.0 / 3};
    changed.shared = SharedResources{.name = "four \"channels\"",
                                     .memory = Memory{51.2, 4, 64, 80.1, UncontendedTime::added},
                                     .stations = {{"disk", 1e5 / 3, 2, false, UncontendedTime::in_cpu_time}},
                                     .bus = std::nullopt,
                                     .accesses_per_us = 0.1 + 0.2};
    changed.ready_tasks = {ready::Batch{ready::Batch::Kind::fixed, 4}, Retire::all, {200, 1.0 / 3}};
    changed.calibration = Calibration{.date = "2026-11-21T12:30:00Z",
                                      .host = "rack",
                                      .processor = "a \"processor\"",
                                      .parcast = "0.1.0",
                                      .range = "quartiles",
                                      .notes = {"others used 12 % of it", ""},
                                      .values = {{"wake_up_ns", {10'020.25, 9'000, 1e300, 200}},
                                                 {"a name = [with] \"signs\"", {-1.0 / 3, 0, 5e-324, 0}}}};
    auto on_bus = ideal_machine(2);
    on_bus.shared = SharedResources{
        .name = {}, .memory = {}, .stations = {}, .bus = Bus{1, 2, 3, 4, 5, 6.5, 3}, .accesses_per_us = {}};
    auto networked = ideal_machine(2);
    networked.network = Network{.kind = NetworkKind::loggp,
                                .values = {9'000, 2'000, 0, 14'000, 0.25, 8'192},
                                .node = NetworkValues{.latency_ns = 60.2},
                                .name = {},
                                .source = "a paper"};
    auto inside_only = networked;
    inside_only.network->values = {};
    inside_only.network->is_inside_only = true;
    auto fibers = machine_under(*scheduler_named("fibers"), 2);
    std::get<TwoLevelScheduler>(fibers.scheduler).lwps = 9;
    for (auto const& machine :
         {ideal_machine(1), linux_machine(8), changed, on_bus, networked, inside_only, fibers}) {
        auto const read = machine_from_toml(to_toml(machine), "machine.toml", ideal_machine(3));
        ASSERT_TRUE(read.has_value()) << describe(read.error());
        EXPECT_EQ(*read, machine);
    }
}

TEST(MachineFile, WhatAFileDoesNotSayIsAsInTheDefaults) {
    auto const defaults = linux_machine(4);
    auto const read = machine_from_toml("version = 1\n[costs]\nwake_up_ns = 12_000\n", "m", defaults);
    ASSERT_TRUE(read.has_value()) << describe(read.error());
    auto expected = defaults;
    expected.costs.wake_up = {12'000};
    EXPECT_EQ(*read, expected);
}

// A letter behind a continued line was undefined behaviour too.
TEST(MachineFile, LettersBeyondAsciiMayBeInStringsKeysInQuotesAndComments) {
    auto const read = machine_from_toml(R"(version = 1 # é
name = """é\\é a\
  éb"""  # é
calibration.host = '\é'
calibration.values."é".median = 1
)",
                                        "m", linux_machine(4));
    ASSERT_TRUE(read.has_value()) << describe(read.error());
    EXPECT_EQ(read->name, "é\\é aéb");
    ASSERT_TRUE(read->calibration.has_value());
    EXPECT_EQ(read->calibration->host, "\\é");
    EXPECT_TRUE(read->calibration->values.contains("é"));
}

TEST(MachineFile, RatesMayBeWholeNumbersAndListsMayBeEmpty) {
    auto const read = machine_from_toml(
        "version = 1\n[rates]\ncompute = [1, 1]\nmemory = []\nmemory_share = 1", "m", linux_machine(4));
    ASSERT_TRUE(read.has_value()) << describe(read.error());
    EXPECT_EQ(read->rates, (Rates{.compute = {1, 1}, .memory = {}, .memory_share = 1}));
}

TEST(MachineFile, AnotherSchedulerStartsFromItsOwnDefaults) {
    auto const read = machine_from_toml("version = 1\n[scheduler]\nkind = 'linux'\nslice_ns = 3000000", "m",
                                        ideal_machine(2));
    ASSERT_TRUE(read.has_value()) << describe(read.error());
    EXPECT_EQ(read->scheduler, Scheduler(LinuxScheduler{.slice = {3'000'000}}));
}

struct BadFile {
    char const* name;
    char const* text;
    ErrorCode code;
    char const* message;  // a part of it
    std::uint32_t line;
    std::uint32_t column;
};

class BadMachineFile : public testing::TestWithParam<BadFile> {};

TEST_P(BadMachineFile, IsRefusedWithAPlaceAndAWayOut) {
    auto const& bad = GetParam();
    auto const read = machine_from_toml(bad.text, "m.toml", ideal_machine(1));
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, bad.code);
    EXPECT_THAT(read.error().message, HasSubstr(bad.message));
    ASSERT_TRUE(read.error().place.has_value());
    EXPECT_EQ(read.error().place->file, "m.toml");
    EXPECT_EQ(read.error().place->line, bad.line);
    EXPECT_EQ(read.error().place->column, bad.column);
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadMachineFile,
    testing::Values(
        BadFile{"Empty", "", ErrorCode::unsupported, "write 'version = 1'", 1, 1},
        BadFile{"NextVersion", "version = 2", ErrorCode::unsupported, "version 2 is unknown", 1, 11},
        BadFile{"VersionOfText", "version = '1'", ErrorCode::malformed, "whole number", 1, 11},
        BadFile{"MisspeltKey", "version = 1\ncpu = 8", ErrorCode::unsupported, "did you mean 'cpus'?", 2, 1},
        BadFile{"KeyWithoutUnit", "version = 1\n[scheduler]\nkind = 'linux'\n  slice = 3",
                ErrorCode::unsupported, "did you mean 'slice_ns'?", 4, 3},
        BadFile{"PolicyThatIsNone", "version = 1\nready_tasks.policy = 'fito'", ErrorCode::malformed,
                "there are fifo, lpt", 2, 22},
        BadFile{"RuleOfRetiringThatIsNone", "version = 1\nready_tasks.retire = 'two'", ErrorCode::unsupported,
                "", 2, 22},
        BadFile{"FetchThatTakesNegativeTime", "version = 1\nready_tasks.fetch_ns = [1, -1]",
                ErrorCode::out_of_range, "fetch_ns", 2, 28},
        BadFile{"BusBesideMemory",
                "version = 1\n[shared]\nmemory.bandwidth_gb_per_s = 1\nbus = { request_ns = 1, invalidate_ns "
                "= 1, "
                "write_back_ns = 1, response_ns = 1, memory_ns = 1, cache_ns = 1, most_reads = 1 }",
                ErrorCode::inconsistent, "network of its own", 2, 1},
        BadFile{"VersionOfWhatIsShared", "version = 1\n[shared]\nversion = 1", ErrorCode::unsupported,
                "'version'", 3, 1},
        BadFile{"MisspeltScheduler", "version = 1\nscheduler.kind = 'linus'", ErrorCode::unsupported,
                "did you mean 'linux'?", 2, 18},
        BadFile{"SchedulerIsNoTable", "version = 1\nscheduler = 'linux'", ErrorCode::malformed,
                "write [scheduler]", 2, 13},
        BadFile{"SliceOfTheIdealScheduler", "version = 1\n[scheduler]\nslice_ns = 3000000",
                ErrorCode::inconsistent, "set kind = \"linux\"", 3, 1},
        BadFile{"NoCpu", "version = 1\ncpus = 0", ErrorCode::out_of_range, "it must be 1 to 65536", 2, 8},
        BadFile{"HalfACpu", "version = 1\ncpus = 1.5", ErrorCode::malformed, "whole number", 2, 8},
        BadFile{"NegativeCost", "version = 1\ncosts.wake_up_ns = -1", ErrorCode::out_of_range, "it must be 0",
                2, 20},
        BadFile{"SpinningWithoutEnd", "version = 1\nwaiting.lock_spin_ns = inf", ErrorCode::malformed,
                "whole number", 2, 24},
        BadFile{"MisspeltWaiting", "version = 1\n[waiting]\nbarrier_spins_ns = 1", ErrorCode::unsupported,
                "did you mean 'barrier_spin_ns'?", 3, 1},
        BadFile{"RatesThatDoNotBeginWithOneAlone", "version = 1\n[rates]\ncompute = [0.9, 0.8]",
                ErrorCode::out_of_range, "must begin with 1.0", 3, 11},
        BadFile{"RateOfNothing", "version = 1\n[rates]\nmemory = [1, 0]", ErrorCode::out_of_range,
                "it must be 0.0001 to 1", 3, 14},
        BadFile{"RateOfMoreThanOneAlone", "version = 1\n[rates]\ncompute = [1, 1.05]",
                ErrorCode::out_of_range, "it must be 0.0001 to 1", 3, 15},
        BadFile{"RateThatIsNoNumber", "version = 1\n[rates]\nmemory = [1, nan]", ErrorCode::malformed,
                "must be a number", 3, 14},
        BadFile{"RatesWithoutBrackets", "version = 1\n[rates]\nmemory = 0.7", ErrorCode::malformed,
                "list of numbers in brackets", 3, 10},
        BadFile{"ShareOfMoreThanAll", "version = 1\n[rates]\nmemory_share = 1.1", ErrorCode::out_of_range,
                "it must be 0 to 1", 3, 16},
        BadFile{"MeasuredValueThatIsNoTable", "version = 1\n[calibration.values]\nwake_up_ns = 3",
                ErrorCode::malformed, "must be a table", 3, 14},
        // toml++ 3.3 asks whether such letters are white space, and the answer was undefined behaviour.
        BadFile{"LetterBeyondAsciiInABareKeyWasUndefinedBehaviour", "version = 1\ngröße = 2",
                ErrorCode::malformed, "not TOML", 2, 3},
        BadFile{"LetterBeyondAsciiInANumberWasUndefinedBehaviour", "version = 5\"qР", ErrorCode::malformed,
                "not TOML", 1, 12},
        BadFile{"LetterBeyondAsciiAfterABackslashWasUndefinedBehaviour", "name = \"\"\"\n  \\é\"\"\"",
                ErrorCode::malformed, "not TOML", 2, 4},
        BadFile{"NotToml", "version = 1\ncpus = = 2", ErrorCode::malformed, "not TOML", 2, 8}),
    [](auto const& row) { return std::string(row.param.name); });

TEST(Machine, FieldsHaveLimitsAlsoWithoutAFile) {
    EXPECT_TRUE(check(ideal_machine(1)).has_value());
    EXPECT_TRUE(check(linux_machine(65'536)).has_value());
    EXPECT_FALSE(check(ideal_machine(0)).has_value());
    EXPECT_FALSE(check(ideal_machine(65'537)).has_value());
    auto machine = linux_machine(1);
    std::get<LinuxScheduler>(machine.scheduler).slice = {999};
    auto const checked = check(machine);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().code, ErrorCode::out_of_range);
    EXPECT_THAT(checked.error().message, HasSubstr("slice_ns is 999; it must be 1000 to"));
}

TEST(Machine, RatesThatAreNoNumbersAreRefused) {
    auto machine = linux_machine(1);
    machine.rates.memory = {1, std::numeric_limits<double>::quiet_NaN()};
    EXPECT_FALSE(check(machine).has_value());
    machine.rates.memory = {0.5};
    EXPECT_FALSE(check(machine).has_value());
}

}  // namespace
}  // namespace parcast
