#include "record/raw_conversion.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::record {
namespace {

// The raw file of a process that began at `begin_ticks` and still runs, without events.
class RunningProcess {
public:
    explicit RunningProcess(std::uint64_t begin_ticks, wire::Header header = {})
        : file_{testing::TempDir() + "parcast-raw-" + std::to_string(getpid()), 1, 0} {
        header.magic = wire::magic;
        header.version = wire::version;
        header.begin = {begin_ticks, 1000};
        std::vector<char> bytes(wire::header_bytes);
        std::memcpy(bytes.data(), &header, sizeof header);
        std::ofstream(file_.path).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    ~RunningProcess() { std::remove(file_.path.c_str()); }
    RunningProcess(RunningProcess const&) = delete;
    RunningProcess& operator=(RunningProcess const&) = delete;

    RawFile const& file() const { return file_; }

private:
    RawFile file_;
};

TEST(RawConversion, AProcessThatBeganAfterTheProgramsEndIsNoUnreadableRecording) {
    ProgramEnd end;
    end.clock = {5000, 9000};
    auto const late = convert(RunningProcess(5001).file(), true, end, {}, {});
    ASSERT_TRUE(late.has_value()) << late.error().message;
    EXPECT_FALSE(late->has_value());

    auto const early = convert(RunningProcess(4000).file(), true, end, {}, {});
    EXPECT_TRUE(!early || early->has_value()) << "read up to the program's end";
}

TEST(RawConversion, AProcessThatWasAliveAtTheTimeLimitIsCutThere) {
    ProgramEnd end;
    end.clock = {9000, 9000};
    end.stopped = {8000, 8000};
    RunningProcess const process(4000);
    auto cut = convert(process.file(), true, end, {}, {});
    ASSERT_TRUE(cut.has_value() && cut->has_value());
    Provenance const& provenance = (**cut).recorded().provenance;
    ASSERT_TRUE(provenance.cut.has_value());
    EXPECT_EQ(provenance.cut->reason, CutReason::time_limit);
    EXPECT_EQ(provenance.cut->run_ns, 8000) << "it began at 1000";

    end.stopped.reset();
    auto whole = convert(process.file(), true, end, {}, {});
    ASSERT_TRUE(whole.has_value() && whole->has_value());
    EXPECT_FALSE((**whole).recorded().provenance.cut.has_value());
}

// ag starts a shell for 20 ms, and then the kernel's work of its own 2 s was not known.
TEST(RawConversion, TheUseOfAProcessIsLessThatOfItsChildren) {
    wire::Header header{};
    header.end = {5000, 6000};
    header.ending = wire::Ending::exit;
    header.process_cpu_begin_ns = 10;
    header.process_cpu_end_ns = 700;
    header.children_cpu_ns = 200;
    header.children_system_ns = 150;
    header.children_page_faults = 3;
    ProgramEnd end;
    end.clock = {9000, 9000};
    end.process = 1;
    end.cpu_ns = 1000;
    end.system_ns = 400;
    end.page_faults = 8;
    auto converted = convert(RunningProcess(4000, header).file(), true, end, {}, {});
    ASSERT_TRUE(converted.has_value() && converted->has_value());
    Provenance const& provenance = (**converted).recorded().provenance;
    EXPECT_EQ(provenance.rusage_cpu_ns, 790);
    EXPECT_EQ(provenance.system_work, (SystemWork{250, 5}));
}

TEST(RawConversion, ABusyWaitBelongsToTheProcessInWhichItWasSeen) {
    ProgramEnd end;
    end.clock = {9000, 9000};
    auto seen = convert(RunningProcess(4000).file(), true, end,
                        {{{0, 4711, 0x1000, 5000, "here"}, {1, 4712, 0x2000, 5000, "elsewhere"}}, {}}, {});
    ASSERT_TRUE(seen.has_value() && seen->has_value());
    auto const& waits = (**seen).recorded().provenance.busy_waits;
    ASSERT_EQ(waits.size(), 1u) << "the header names process 0";
    EXPECT_EQ(waits[0].at_ns, 4000);
    EXPECT_TRUE(waits[0].thread.is_none()) << "no thread of this number was recorded";
    EXPECT_EQ((**seen).recorded().catalogue.sites.at(waits[0].site.index()).address, 0x1001u);
}

TEST(RawConversion, AnImageThatDiedBeforeItsRecordingBeganHasNone) {
    std::string const path = testing::TempDir() + "parcast-raw-empty-" + std::to_string(getpid());
    std::ofstream(path).write("", 0);
    auto const none = convert({path, 1, 0}, true, ProgramEnd{}, {}, {});
    std::remove(path.c_str());
    ASSERT_TRUE(none.has_value()) << none.error().message;
    EXPECT_FALSE(none->has_value());
}

}  // namespace
}  // namespace parcast::record
