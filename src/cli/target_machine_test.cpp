#include "cli/target_machine.h"

#include <cstdio>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "machine/machine_toml.h"

namespace parcast::cli {
namespace {

using testing::ElementsAre;

// A machine file that exists as long as this value.
class MachineFile {
public:
    explicit MachineFile(std::string const& text)
        : path_(testing::TempDir() + "parcast-machine-test-" + std::to_string(getpid()) + ".toml") {
        std::ofstream(path_) << text;
    }
    ~MachineFile() { std::remove(path_.c_str()); }
    MachineFile(MachineFile const&) = delete;
    MachineFile& operator=(MachineFile const&) = delete;

    std::string const& path() const { return path_; }

private:
    std::string path_;
};

using Counts = std::optional<std::vector<std::uint32_t>>;

PredictArguments with_file(std::string const& machine_file, Counts cpus = {}) {
    PredictArguments arguments;
    arguments.cpus = std::move(cpus);
    arguments.machine_file = machine_file;
    return arguments;
}

TEST(TargetMachine, IsTheLinuxMachineOnUsualCountsUnlessSaidOtherwise) {
    auto const target = target_machine(PredictArguments{});
    ASSERT_TRUE(target.has_value());
    EXPECT_EQ(target->shape, linux_machine(1));
    EXPECT_THAT(target->cpus, ElementsAre(1, 2, 4, 8, 16, 32, 64));

    PredictArguments arguments;
    arguments.cpus = {3};
    arguments.scheduler = SchedulerName::ideal;
    auto const ideal = target_machine(arguments);
    EXPECT_EQ(ideal->shape, ideal_machine(1));
    EXPECT_THAT(ideal->cpus, ElementsAre(3));
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

TEST(TargetMachine, ParametersAreNamedWithTheirUnit) {
    auto const names_of = [](Machine const& machine) {
        std::vector<std::string> names;
        for (auto const& [name, value] : parameters_of(machine)) {
            names.push_back(name);
        }
        return names;
    };
    EXPECT_THAT(names_of(linux_machine(4)), testing::Contains("slice_ns"));
    EXPECT_THAT(names_of(ideal_machine(4)), testing::Not(testing::Contains("slice_ns")));
    EXPECT_THAT(names_of(ideal_machine(4)), testing::Each(testing::EndsWith("_ns")));
}

}  // namespace
}  // namespace parcast::cli
