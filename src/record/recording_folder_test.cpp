#include "record/recording_folder.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "wire/record.h"

namespace parcast::record {
namespace {

namespace fs = std::filesystem;

// What --max-size asks for was kept in memory, or cut short there, although a disk had room.
TEST(RecordingFolder, ARecordingThatMemoryCannotBearLiesOnTheDisk) {
    std::error_code unknown;
    std::string const disk = testing::TempDir();
    auto const memory_bytes = fs::space("/dev/shm", unknown).available;
    if (unknown || fs::space(disk).available <= memory_bytes)
        GTEST_SKIP() << "the disk has no more room than the memory";
    bool const has_memory = memory_bytes >= std::uint64_t{512} << 20;
    constexpr std::uint64_t large = std::uint64_t{1} << 60;
    auto const created = [](std::string const& parent, std::optional<std::uint64_t> max_bytes) {
        setenv("TMPDIR", parent.c_str(), 1);
        auto const folder = RecordingFolder::create(max_bytes);
        unsetenv("TMPDIR");
        return folder ? folder->path() : "";
    };
    EXPECT_TRUE(created(disk, large).starts_with(disk));
    EXPECT_EQ(created(disk, std::nullopt).starts_with("/dev/shm"), has_memory);
    std::string const file = disk + "no_folder_" + std::to_string(getpid());
    std::ofstream(file) << "no folder";
    EXPECT_EQ(created(file, large).starts_with("/dev/shm"), has_memory) << "where no folder can be made";
    std::remove(file.c_str());
}

class AbandonedFolders : public testing::Test {
protected:
    AbandonedFolders() : parent_(testing::TempDir() + "parcast-folders-" + std::to_string(getpid())) {
        fs::create_directory(parent_);
    }
    ~AbandonedFolders() override { fs::remove_all(parent_); }

    // A folder with a raw file, last changed two minutes ago.
    fs::path old_folder(std::string const& name) {
        fs::path const path = parent_ / name;
        fs::create_directory(path);
        std::ofstream(path / "1.0.raw") << "words";
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(2));
        return path;
    }

    fs::path parent_;
};

TEST_F(AbandonedFolders, AKilledParcastsFolderDoesNotStayForEver) {
    fs::path const left_behind = old_folder("parcast-record-a");
    fs::path const anothers = old_folder("somebody-else");
    remove_abandoned_folders(parent_.string());
    EXPECT_FALSE(fs::exists(left_behind));
    EXPECT_TRUE(fs::exists(anothers / "1.0.raw"));
}

TEST_F(AbandonedFolders, AFolderInUseOrJustMadeStays) {
    fs::path const in_use = old_folder("parcast-record-b");
    fs::path const just_made = parent_ / "parcast-record-c";
    fs::create_directory(just_made);
    int const lock = open(in_use.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(flock(lock, LOCK_EX), 0);
    remove_abandoned_folders(parent_.string());
    EXPECT_TRUE(fs::exists(in_use / "1.0.raw"));
    EXPECT_TRUE(fs::exists(just_made));
    close(lock);
}

// 20,000 short processes held 20 GB until the whole program had ended; and process 1 of another pid namespace
// was taken for init, which runs for ever.
TEST(RawFiles, ShrinkToWhatTheyHoldOnceNoProcessHasThem) {
    auto const folder = RecordingFolder::create();
    ASSERT_TRUE(folder.has_value());
    RawFile const file{folder->path() + "/1.0.raw", 1, 0};
    constexpr std::size_t reserved = 16 * wire::page_bytes;
    int const descriptor = open(file.path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_EQ(ftruncate(descriptor, reserved), 0);
    void* const memory = mmap(nullptr, reserved, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    ASSERT_NE(memory, MAP_FAILED);
    close(descriptor);
    auto* const header = static_cast<wire::Header*>(memory);
    header->page_count = 3;
    EXPECT_TRUE(is_in_use(file.path));
    EXPECT_FALSE(trim_raw_file(file));
    EXPECT_EQ(fs::file_size(file.path), reserved);
    munmap(memory, reserved);
    EXPECT_FALSE(is_in_use(file.path));
    EXPECT_FALSE(trim_raw_file(file)) << "its recording has not begun: the recorder may be about to map it";
    std::fstream(file.path, std::ios::in | std::ios::out | std::ios::binary)
        .write(reinterpret_cast<char const*>(&wire::magic), sizeof wire::magic);
    EXPECT_TRUE(trim_raw_file(file));
    EXPECT_EQ(fs::file_size(file.path), wire::header_bytes + 3 * wire::page_bytes);
}

TEST(RecordingFolder, IsLockedAsLongAsItLives) {
    std::string path;
    {
        auto folder = RecordingFolder::create();
        ASSERT_TRUE(folder.has_value());
        path = folder->path();
        RecordingFolder const moved = std::move(*folder);
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(2));
        remove_abandoned_folders(fs::path(path).parent_path().string());
        EXPECT_TRUE(fs::exists(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

}  // namespace
}  // namespace parcast::record
