#include "cli/raw_conversion.h"

#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace parcast::cli {
namespace {

// The raw file of a process that began at `begin_ticks` and still runs, without events.
class RunningProcess {
public:
    explicit RunningProcess(std::uint64_t begin_ticks)
        : file_{testing::TempDir() + "parcast-raw-" + std::to_string(getpid()), 1, 0} {
        wire::Header header{};
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
    auto const late = convert(RunningProcess(5001).file(), true, end);
    ASSERT_TRUE(late.has_value()) << late.error().message;
    EXPECT_FALSE(late->has_value());

    auto const early = convert(RunningProcess(4000).file(), true, end);
    EXPECT_TRUE(!early || early->has_value()) << "read up to the program's end";
}

TEST(RawConversion, AnImageThatDiedBeforeItsRecordingBeganHasNone) {
    std::string const path = testing::TempDir() + "parcast-raw-empty-" + std::to_string(getpid());
    std::ofstream(path).write("", 0);
    auto const none = convert({path, 1, 0}, true, ProgramEnd{});
    std::remove(path.c_str());
    ASSERT_TRUE(none.has_value()) << none.error().message;
    EXPECT_FALSE(none->has_value());
}

}  // namespace
}  // namespace parcast::cli
