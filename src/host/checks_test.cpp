#include "host/checks.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::host {
namespace {

using testing::HasSubstr;

// A host that lacks nothing.
HostFacts good_host() {
    HostFacts facts;
    facts.recorder = std::string("/usr/lib/parcast/libparcast-recorder.so");
    facts.trial = TrialRecording{ClockMethod::rseq, 15};
    facts.event_folder = "/dev/shm";
    facts.event_space = std::uint64_t{1} << 32;
    facts.perf_level = 2;
    facts.allowed = {0, 1, 2, 3};
    facts.online = 4;
    facts.governors = {"performance"};
    facts.busy = BusyShares{0, 0.01};
    facts.machine_file = "/home/me/.config/parcast/machines/quarry.toml";
    facts.is_calibrated = true;
    facts.debuginfod_urls = "https://debuginfod.debian.net";
    facts.has_debuginfod = true;
    facts.distribution = "debian";
    facts.has_display = facts.has_opener = true;
    return facts;
}

HostCheck check_named(HostFacts const& facts, std::string_view name) {
    for (auto const& check : check_host(facts))
        if (check.name == name)
            return check;
    ADD_FAILURE() << "there is no check " << name;
    return {};
}

struct Case {
    std::string_view name;
    HostState state;
    char const* remedy;  // part of it
    char const* because;
    void (*change)(HostFacts& facts);
};

TEST(HostChecks, NothingIsMissingOnAGoodHost) {
    for (auto const& check : check_host(good_host())) {
        EXPECT_EQ(check.state, HostState::ok) << check.name << ": " << check.found;
        EXPECT_EQ(check.remedy, "") << check.name;
        EXPECT_NE(check.found, "") << check.name;
    }
}

TEST(HostChecks, EachLackHasItsRemedy) {
    Case const cases[] = {
        {"recorder_library", HostState::missing, "cmake --install", "the library is not beside the program",
         [](HostFacts& facts) { facts.recorder = fail(ErrorCode::not_found, "it is missing"); }},
        {"cpu_clock", HostState::missing, "outside", "nothing can be recorded",
         [](HostFacts& facts) {
             facts.trial = fail(make_error(ErrorCode::not_recorded, "no", "Try outside of the container"));
         }},
        {"cpu_clock", HostState::limited, "glibc 2.35", "an old C library, without perf either",
         [](HostFacts& facts) { facts.trial->clock = ClockMethod::thread_clock; }},
        {"cpu_clock", HostState::limited, "unset PARCAST_RECORD_CLOCK", "the user forced it",
         [](HostFacts& facts) {
             facts.trial->clock = ClockMethod::thread_clock;
             facts.forced_clock = "thread";
         }},
        {"event_space", HostState::limited, "TMPDIR", "64 MB of shared memory, as Docker gives",
         [](HostFacts& facts) { facts.event_space = std::uint64_t{32} << 20; }},
        {"perf_event_open", HostState::missing, "sudo sysctl kernel.perf_event_paranoid=2",
         "Debian's default",
         [](HostFacts& facts) {
             facts.perf_refusal = EACCES;
             facts.perf_level = 3;
         }},
        {"perf_event_open", HostState::missing, "--cap-add PERFMON", "seccomp of a container",
         [](HostFacts& facts) {
             facts.perf_refusal = EPERM;
             facts.container = "docker";
         }},
        {"perf_event_open", HostState::missing, "-finstrument-functions", "a kernel without it",
         [](HostFacts& facts) { facts.perf_refusal = ENOSYS; }},
        {"cpus", HostState::limited, "taskset", "half of the CPUs may be used",
         [](HostFacts& facts) { facts.online = 8; }},
        {"cpus", HostState::limited, "Calibrate on the target", "one CPU",
         [](HostFacts& facts) {
             facts.allowed = {0};
             facts.online = 1;
         }},
        {"kinds_of_cpus", HostState::limited, "--cpu 1 ", "record would take CPU 3, a slow one",
         [](HostFacts& facts) {
             facts.allowed = {1, 2, 3};
             facts.online = 3;
             facts.efficient = {2, 3};
         }},
        {"cpu_limit", HostState::limited, "--cpus 4", "a control group with 1.5 CPUs",
         [](HostFacts& facts) { facts.cpu_limit = 1.5; }},
        {"frequency", HostState::limited, "cpupower frequency-set -g performance", "CPUs speed up slowly",
         [](HostFacts& facts) { facts.governors = {"powersave"}; }},
        {"other_load", HostState::limited, "dedicated CPUs", "the host of the virtual machine takes 5 %",
         [](HostFacts& facts) { facts.busy->steal = 0.05; }},
        {"other_load", HostState::limited, "top", "another process takes half of it",
         [](HostFacts& facts) { facts.busy->others = 0.5; }},
        {"calibration", HostState::limited, "parcast calibrate", "nothing was measured here",
         [](HostFacts& facts) { facts.is_calibrated = false; }},
        {"debuginfod", HostState::limited, "DEBUGINFOD_URLS=https://debuginfod.debian.net",
         "no server is named", [](HostFacts& facts) { facts.debuginfod_urls.clear(); }},
        {"debuginfod", HostState::limited, "apt install libdebuginfod1", "no library",
         [](HostFacts& facts) { facts.has_debuginfod = false; }},
        // It advised to install a library that it cannot load.
        {"debuginfod", HostState::limited, "from its .deb", "a static program loads none",
         [](HostFacts& facts) {
             facts.is_static = true;
             facts.has_debuginfod = false;
         }},
        {"browser", HostState::limited, "ssh -L", "a server far away",
         [](HostFacts& facts) {
             facts.has_display = false;
             facts.is_remote = true;
         }},
        {"browser", HostState::limited, "xdg-utils", "a display without the opener",
         [](HostFacts& facts) { facts.has_opener = false; }},
    };
    for (auto const& each : cases) {
        SCOPED_TRACE(each.because);
        auto facts = good_host();
        each.change(facts);
        auto const check = check_named(facts, each.name);
        EXPECT_EQ(check.state, each.state);
        EXPECT_THAT(check.remedy, HasSubstr(each.remedy));
    }
}

TEST(HostChecks, ALimitAsLargeAsTheMachineIsNone) {
    auto facts = good_host();
    facts.cpu_limit = 4;
    EXPECT_EQ(check_named(facts, "cpu_limit").state, HostState::ok);
}

ProgramFacts good_program() {
    ProgramFacts program;
    program.name = "server";
    program.path = std::string("/usr/bin/server");
    program.has_debug_information = program.has_symbols = true;
    program.libraries = {"libgomp.so.1", "libc.so.6"};
    return program;
}

TEST(ProgramChecks, AProgramThatCanBeRecorded) {
    auto facts = good_host();
    facts.program = good_program();
    EXPECT_EQ(check_named(facts, "program_file").state, HostState::ok);
    EXPECT_EQ(check_named(facts, "debug_information").state, HostState::ok);
    EXPECT_THAT(check_named(facts, "openmp").found, HasSubstr("libgomp.so.1"));
    EXPECT_EQ(check_host(facts).front().area, "program") << "what was asked comes first";
}

TEST(ProgramChecks, WhatItLacks) {
    auto facts = good_host();
    facts.program = good_program();
    facts.program->has_debug_information = false;
    facts.debuginfod_urls.clear();
    EXPECT_THAT(check_named(facts, "debug_information").remedy, HasSubstr("-g"));
    facts.program->debug_file = "/usr/lib/debug/.build-id/ab/cd.debug";
    EXPECT_EQ(check_named(facts, "debug_information").state, HostState::ok) << "a package brought it";
    facts.program->libraries = {"libomp.so.5", "libtbb.so.12"};
    EXPECT_THAT(check_named(facts, "openmp").remedy, HasSubstr("gcc -fopenmp"));
    facts.program->libraries = {"libtbb.so.12"};
    EXPECT_EQ(check_named(facts, "hidden_locks").state, HostState::limited);
    facts.program->no_recording =
        make_error(ErrorCode::not_recorded, "it is statically linked", "Link it dynamically");
    EXPECT_EQ(check_named(facts, "program_file").state, HostState::missing);
}

// A folder as the kernel shows itself.
class FakeRoot : public testing::Test {
protected:
    FakeRoot()
        : root_(std::filesystem::temp_directory_path() / ("parcast-root-" + std::to_string(getpid()))) {}
    ~FakeRoot() override {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    void write(std::string const& path, std::string const& text) const {
        auto const file = root_.string() + path;
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        std::ofstream(file) << text;
    }
    HostFacts facts() const { return read_host_facts(root_, ""); }

    std::filesystem::path root_;
};

TEST_F(FakeRoot, TheTightestLimitOfAllGroupsCounts) {
    write("/proc/self/cgroup", "0::/user/session\n");
    write("/sys/fs/cgroup/user/session/cpu.max", "max 100000\n");
    write("/sys/fs/cgroup/user/cpu.max", "150000 100000\n");
    EXPECT_EQ(facts().cpu_limit, 1.5);
    EXPECT_THAT(facts().cpu_limit_file, HasSubstr("/user/cpu.max"));
}

TEST_F(FakeRoot, ALimitOfTheOldKind) {
    write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000\n");
    write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
    EXPECT_EQ(facts().cpu_limit, 0.5);
}

TEST_F(FakeRoot, NoLimit) {
    write("/proc/self/cgroup", "0::/\n");
    write("/sys/fs/cgroup/cpu.max", "max 100000\n");
    EXPECT_EQ(facts().cpu_limit, std::nullopt);
}

TEST_F(FakeRoot, KindsOfCpusContainerAndLevel) {
    write("/sys/devices/cpu_atom/cpus", "4-5\n");
    write("/run/.containerenv", "");
    write("/proc/sys/kernel/perf_event_paranoid", "4\n");
    write("/etc/os-release", "NAME=\"Debian\"\nID=\"debian\"\n");
    write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
    EXPECT_THAT(facts().efficient, testing::ElementsAre(4, 5));
    EXPECT_EQ(facts().container, "podman");
    EXPECT_EQ(facts().perf_level, 4);
    EXPECT_EQ(facts().distribution, "debian");
    EXPECT_EQ(facts().boosts, true);
}

TEST_F(FakeRoot, ASystemThatSaysNothing) {
    EXPECT_EQ(facts().perf_level, std::nullopt);
    EXPECT_EQ(facts().boosts, std::nullopt);
    EXPECT_THAT(facts().governors, testing::IsEmpty());
    EXPECT_EQ(watch_busy_cpus(root_, Duration{1}), std::nullopt);
}

TEST(ProgramFacts, OfThisTest) {
    auto const facts = read_program_facts("/proc/self/exe");
    ASSERT_TRUE(facts.path);
    EXPECT_TRUE(facts.has_symbols);
    EXPECT_THAT(facts.libraries, testing::Contains("libc.so.6"));
}

TEST(ProgramFacts, OfNoProgram) {
    EXPECT_FALSE(read_program_facts("/nonexistent/program").path);
}

}  // namespace
}  // namespace parcast::host
