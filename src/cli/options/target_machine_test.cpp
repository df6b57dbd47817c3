#include "cli/options/target_machine.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "forecast/forecast.h"
#include "machine/machine_toml.h"
#include "measure/host_description.h"
#include "program/task_graph_builder.h"

namespace parcast::cli {
namespace {

using testing::ElementsAre;

std::string folder_of_this_test() {
    return testing::TempDir() + "parcast-machine-test-" + std::to_string(getpid());
}

// A machine file that exists as long as this value.
class MachineFile {
public:
    explicit MachineFile(std::string const& text) : MachineFile(text, folder_of_this_test() + ".toml") {}
    MachineFile(std::string const& text, std::string path) : path_(std::move(path)) {
        std::filesystem::create_directories(std::filesystem::path(path_).parent_path());
        std::ofstream(path_) << text;
    }
    ~MachineFile() { std::remove(path_.c_str()); }
    MachineFile(MachineFile const&) = delete;
    MachineFile& operator=(MachineFile const&) = delete;

    std::string const& path() const { return path_; }

private:
    std::string path_;
};

// A user without machine files, or with the host's.
class HostMachine : public testing::Test {
protected:
    HostMachine() { setenv("XDG_CONFIG_HOME", folder_.c_str(), 1); }
    ~HostMachine() override {
        unsetenv("XDG_CONFIG_HOME");
        std::filesystem::remove_all(folder_);
    }

    static MachineFile calibrated() {
        auto machine = linux_machine(2);
        machine.costs.wake_up = {27'000};
        machine.rates.compute = {1, 0.9};
        machine.calibration = Calibration{.date = "2026-11-21",
                                          .host = measure::host_name(),
                                          .processor = "",
                                          .parcast = "",
                                          .range = "",
                                          .notes = {},
                                          .values = {}};
        return MachineFile(to_toml(machine), *host_machine_file());
    }

private:
    std::string folder_ = folder_of_this_test() + ".config";
};

using Counts = std::optional<std::vector<std::uint32_t>>;

PredictArguments with_file(std::string const& machine_file, Counts cpus = {}) {
    PredictArguments arguments;
    arguments.cpus = std::move(cpus);
    arguments.machine_file = machine_file;
    return arguments;
}

std::vector<std::string> notes_on(forecast::MachineAndCpus const& target) {
    return forecast::machine_basis(target.machine, target.cpus.back()).notes;
}

TEST_F(HostMachine, IsTheLinuxMachineOnUsualCountsUnlessSaidOtherwise) {
    auto const target = target_machine(PredictArguments{});
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->machine.shape, linux_machine(1));
    EXPECT_FALSE(target->machine.file.has_value());
    EXPECT_THAT(target->cpus, ElementsAre(1, 2, 4, 8, 16, 32, 64));

    PredictArguments arguments;
    arguments.cpus = {3};
    arguments.scheduler = scheduler_named("ideal");
    auto const ideal = target_machine(arguments);
    EXPECT_EQ(ideal->machine.shape, ideal_machine(1));
    EXPECT_THAT(ideal->cpus, ElementsAre(3));
}

TEST_F(HostMachine, IsUsedWhenItWasCalibratedOnTheUsualCounts) {
    auto const file = calibrated();
    auto const target = target_machine(PredictArguments{});
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_EQ(target->machine.file, file.path());
    EXPECT_EQ(target->machine.shape.costs.wake_up.ns, 27'000);
    EXPECT_THAT(target->cpus, ElementsAre(1, 2, 4, 8, 16, 32, 64));
}

TEST_F(HostMachine, IsIgnoredWhenAnotherMachineIsAskedFor) {
    auto const file = calibrated();
    PredictArguments none;
    none.machine_file = "default";
    PredictArguments by_scheduler;
    by_scheduler.scheduler = scheduler_named("linux");
    for (auto const& arguments : {none, by_scheduler}) {
        auto const target = target_machine(arguments);
        ASSERT_TRUE(target.has_value());
        EXPECT_FALSE(target->machine.file.has_value());
        EXPECT_EQ(target->machine.shape, linux_machine(1));
    }
    MachineFile const other(to_toml(linux_machine(12)));
    EXPECT_EQ(target_machine(with_file(other.path()))->machine.file, other.path());
}

TEST_F(HostMachine, ThatIsDamagedIsAnErrorAndNotIgnored) {
    MachineFile const damaged("version = 1\ncpu = 2\n", *host_machine_file());
    auto const target = target_machine(PredictArguments{});
    ASSERT_FALSE(target.has_value());
    EXPECT_EQ(target.error().place->file, damaged.path());
}

TEST_F(HostMachine, WhoseRatesEndBeforeTheCountsSaysSo) {
    auto const file = calibrated();
    PredictArguments arguments;
    EXPECT_THAT(notes_on(*target_machine(arguments)),
                ElementsAre(testing::HasSubstr("rates end at 2 busy CPUs")));
    arguments.cpus = {1, 2};
    EXPECT_TRUE(notes_on(*target_machine(arguments)).empty());
    arguments.machine_file.emplace("default");
    arguments.cpus = {64};
    EXPECT_TRUE(notes_on(*target_machine(arguments)).empty());
}

TEST_F(HostMachine, WhoseShorterRatesMatterSaysWhereTheseEnd) {
    forecast::TargetMachine target{linux_machine(1)};
    target.shape.rates = {.compute = {1, 0.9}, .memory = {1, 0.8, 0.7, 0.6}, .memory_share = 0.5};
    EXPECT_THAT(forecast::machine_basis(target, 4).notes,
                ElementsAre(testing::HasSubstr("rates end at 2 busy CPUs")));
    target.shape.rates.memory_share = 0;
    EXPECT_THAT(forecast::machine_basis(target, 4).notes,
                ElementsAre(testing::HasSubstr("rates end at 2 busy CPUs")));
    target.shape.rates.memory_share = 1;
    EXPECT_TRUE(forecast::machine_basis(target, 4).notes.empty());
}

TEST_F(HostMachine, WhoseCalibrationWasDisturbedSaysSo) {
    forecast::TargetMachine target{linux_machine(1)};
    target.shape.calibration.emplace();
    target.shape.calibration->notes = {"others used 87 % of the CPUs' time."};
    EXPECT_THAT(forecast::machine_basis(target, 4).notes,
                ElementsAre(testing::EndsWith("others used 87 % of the CPUs' time.")));
}

TEST_F(HostMachine, ThatIsDamagedHasAWayOut) {
    MachineFile const damaged("version = 1\ncpu = 2\n", *host_machine_file());
    EXPECT_THAT(target_machine(PredictArguments{}).error().advice, testing::HasSubstr("--machine default"));
    EXPECT_THAT(target_machine(with_file("other.toml")).error().advice, testing::HasSubstr("machine.md"));
}

TEST_F(HostMachine, IsNotNeeded) {
    unsetenv("XDG_CONFIG_HOME");
    auto const home = std::string(std::getenv("HOME") != nullptr ? std::getenv("HOME") : "");
    unsetenv("HOME");
    EXPECT_TRUE(target_machine(PredictArguments{}).has_value());
    setenv("HOME", home.c_str(), 1);
}

TEST(TargetMachine, ItsFileSetsTheCountsUnlessTheCommandLineDoes) {
    MachineFile const twelve(to_toml(linux_machine(12)));
    EXPECT_THAT(target_machine(with_file(twelve.path()))->cpus, ElementsAre(12));
    EXPECT_THAT(target_machine(with_file(twelve.path(), {{2, 3}}))->cpus, ElementsAre(2, 3));
}

TEST(TargetMachine, AFileOfOneCpuIsAskedForAsMuchAsAnyOther) {
    MachineFile const one(to_toml(linux_machine(1)));
    EXPECT_THAT(target_machine(with_file(one.path()))->cpus, ElementsAre(1));
}

TEST(TargetMachine, AFileThatSetsNoCountLeavesTheUsualOnes) {
    MachineFile const silent("version = 1\n");
    auto const target = target_machine(with_file(silent.path()));
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_EQ(target->cpus.size(), 7u);
}

TEST(TargetMachine, AMissingFileIsAnError) {
    auto const target = target_machine(with_file("/no/such/machine.toml"));
    ASSERT_FALSE(target.has_value());
    EXPECT_EQ(target.error().code, ErrorCode::not_found);
}

// 64 bytes at a byte a ns: two CPUs that access the memory all the time have half of it each.
TEST(TargetMachine, TheMemoryThatIsSharedReplacesTheMachinesRates) {
    MachineFile const memory("version = 1\n[memory]\nbandwidth_gb_per_s = 1\naccesses_per_us = 15.625\n");
    PredictArguments arguments;
    arguments.machine_file.emplace("default");
    arguments.memory.emplace(memory.path());
    auto const target = target_machine(arguments);
    ASSERT_TRUE(target.has_value()) << target.error().message;
    EXPECT_EQ(target->machine.shape.rates.memory_share, 1);
    EXPECT_DOUBLE_EQ(speed(target->machine.shape.rates, 2), 0.5);
    EXPECT_DOUBLE_EQ(speed(target->machine.shape.rates, 64), 1.0 / 64);
    EXPECT_THAT(notes_on(*target), ElementsAre(testing::HasSubstr("share the memory of " + memory.path())));
}

TEST(TargetMachine, AMemoryWithoutARateOfAccessesIsAnError) {
    PredictArguments arguments;
    arguments.machine_file.emplace("default");
    arguments.memory.emplace("ddr4-2-channels");
    auto const target = target_machine(arguments);
    ASSERT_FALSE(target.has_value());
    EXPECT_THAT(target.error().message, testing::HasSubstr("ddr4-2-channels:4.5"));
    EXPECT_THAT(target.error().advice, testing::HasSubstr("memory.md"));
}

TEST(TargetMachine, ParametersAreNamedWithTheirUnit) {
    auto const names_of = [](Machine const& machine) {
        std::vector<std::string> names;
        for (auto const& [name, value] : forecast::machine_basis({machine}, 1).parameters)
            names.push_back(name);
        return names;
    };
    EXPECT_THAT(names_of(linux_machine(4)), testing::Contains("slice_ns"));
    EXPECT_THAT(names_of(ideal_machine(4)), testing::Not(testing::Contains("slice_ns")));
    EXPECT_THAT(names_of(ideal_machine(4)),
                testing::Each(testing::AnyOf(testing::EndsWith("_ns"), testing::StrEq("at_once"))));
}

TaskGraph one_task() {
    TaskGraphBuilder builder;
    builder.add_task(1000);
    auto graph = std::move(builder).finish();
    graph.resources = {
        {"memory.rate", {0.01}}, {"bus.rate", {0.001}}, {"lock.rate", {0.01}}, {"lock.hold_ns", {10}}};
    return graph;
}

TEST(MemoryOption, IsAPresetOrAFile) {
    auto const preset = read_shared_resources("ddr4-2-channels");
    ASSERT_TRUE(preset);
    EXPECT_EQ(preset->memory->bandwidth_bytes_per_ns, 51.2);
    auto const missing = read_shared_resources("/nonexistent/memory.toml");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::not_found);
    EXPECT_THAT(missing.error().message,
                testing::HasSubstr("no preset of that name: there are ddr4-2-channels, ddr5-8-channels"));
}

// `predict RECORDING --memory ddr4-2-channels` had no way to say how often the program accesses the memory.
TEST(MemoryOption, APresetServesARecordingWithItsAccesses) {
    auto const preset = read_shared_resources("ddr4-2-channels:4.5");
    ASSERT_TRUE(preset);
    EXPECT_DOUBLE_EQ(*preset->accesses_per_us, 4.5);
    for (auto const* wrong :
         {"ddr4-2-channels:", "ddr4-2-channels:x", "ddr4-2-channels:-1", "ddr4-2-channels:1e7"})
        EXPECT_FALSE(read_shared_resources(wrong)) << wrong;
    EXPECT_EQ(read_shared_resources("ddr3:4").error().code, ErrorCode::not_found)
        << "a file may have a colon";
}

TEST(MemoryOption, OfATaskGraphIsALawOfContention) {
    for (auto const* name : {"sequent", "lock", "ddr4-2-channels"}) {
        PredictArguments arguments;
        arguments.memory.emplace(name);
        auto const target = target_machine(arguments, Form::task_graph);
        ASSERT_TRUE(target) << name;
        Question question;
        question.cpus = {8};
        auto const forecast =
            forecast::forecast({"graph.json", ImportedGraph{one_task()}}, target->machine, question);
        ASSERT_TRUE(forecast) << name;
        model::RunningClass const running[] = {{0, 8}};
        double delay[1] = {};
        ASSERT_TRUE(forecast->contention->solve(running, delay)) << name;
        EXPECT_GT(delay[0], 0) << name;
    }
}

// Sets a variable or removes it, and gives it its value back.
class Variable {
public:
    Variable(char const* name, char const* value) : name_(name) {
        if (char const* const former = std::getenv(name))
            former_ = former;
        value != nullptr ? setenv(name, value, 1) : unsetenv(name);
    }
    ~Variable() { former_ ? setenv(name_, former_->c_str(), 1) : unsetenv(name_); }
    Variable(Variable const&) = delete;
    Variable& operator=(Variable const&) = delete;

private:
    char const* name_;
    std::optional<std::string> former_;
};

struct HostFileRow {
    char const* configuration;
    char const* home;
    char const* folder;  // null: there is no such file
    char const* because;
};

TEST(HostMachineFile, IsInTheFolderOfTheUsersConfiguration) {
    HostFileRow const rows[] = {
        {"/etc/me", "/home/me", "/etc/me", "XDG_CONFIG_HOME comes first"},
        {nullptr, "/home/me", "/home/me/.config", "its default is in the home folder"},
        {"", "/home/me", "/home/me/.config", "empty is unset"},
        {"config", "/home/me", "/home/me/.config",
         "a relative folder is to be ignored, says the specification"},
        {nullptr, nullptr, nullptr, "without a home there is no place"},
    };
    for (auto const& row : rows) {
        Variable const configuration("XDG_CONFIG_HOME", row.configuration);
        Variable const home("HOME", row.home);
        auto const expected = row.folder != nullptr
                                  ? std::optional(std::string(row.folder) + "/parcast/machines/" +
                                                  measure::host_name() + ".toml")
                                  : std::nullopt;
        EXPECT_EQ(host_machine_file(), expected) << row.because;
    }
}

TEST_F(HostMachine, HasAsManyLwpsAsAskedForIfItsSchedulerHasAny) {
    PredictArguments arguments;
    arguments.lwps = 5;
    arguments.scheduler = scheduler_named("fibers");
    auto const target = target_machine(arguments);
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(std::get<TwoLevelScheduler>(target->machine.shape.scheduler).lwps, 5);
    EXPECT_EQ(name_of(target->machine.shape.scheduler), "fibers");
    arguments.scheduler = scheduler_named("linux");
    EXPECT_FALSE(target_machine(arguments).has_value());
}

}  // namespace
}  // namespace parcast::cli
