#include "record/recording_folder.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <tuple>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "measure/available_memory.h"
#include "wire/record.h"

namespace parcast::record {

namespace {

// A recording of 60 million events; a longer one is better kept on a disk than in memory.
constexpr std::uint64_t enough_memory_bytes = std::uint64_t{512} << 20;

constexpr std::string_view folder_prefix = "parcast-record-";
constexpr std::time_t newly_made_s = 60;

std::optional<std::uint64_t> free_bytes(char const* folder) {
    struct statvfs status{};
    return statvfs(folder, &status) == 0 ? std::optional(std::uint64_t{status.f_bavail} * status.f_frsize)
                                         : std::nullopt;
}

// Whether a recording of `max_bytes` is to lie in memory rather than on the disk.
bool is_bearable(std::uint64_t max_bytes, char const* memory, std::string const& disk) {
    std::uint64_t const free = free_bytes(memory).value_or(0);
    std::uint64_t const most = std::min(free, measure::available_memory().value_or(free) / 2);
    return max_bytes <= most || free_bytes(disk.c_str()).value_or(0) <= most;
}

std::optional<std::string> make_private_folder(std::string const& parent) {
    std::string path = parent + "/" + std::string(folder_prefix) + "XXXXXX";
    return mkdtemp(path.data()) ? std::optional(path) : std::nullopt;
}

// The locked descriptor; -1 if another process holds the lock, or none can be had.
int lock_folder(std::string const& path) {
    int const descriptor = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

bool is_old_and_ours(int folder) {
    struct stat status{};
    return fstat(folder, &status) == 0 && status.st_uid == geteuid() &&
           std::time(nullptr) - status.st_mtime > newly_made_s;
}

// PID.GENERATION.raw
std::optional<RawFile> raw_file_of(std::filesystem::path const& path) {
    if (path.extension() != ".raw")
        return std::nullopt;
    RawFile file{path.string(), 0, 0};
    std::string const stem = path.stem().string();
    char const* const end = stem.data() + stem.size();
    auto const process = std::from_chars(stem.data(), end, file.process);
    if (process.ec != std::errc() || process.ptr == end || *process.ptr != '.')
        return std::nullopt;
    auto const generation = std::from_chars(process.ptr + 1, end, file.generation);
    return generation.ec == std::errc() && generation.ptr == end ? std::optional(file) : std::nullopt;
}

// Waits for nobody: the lease is refused if the file is open or mapped anywhere, as is one on no file of
// ours.
bool has_users(int descriptor) {
    fcntl(descriptor, F_SETSIG, SIGURG);  // ignored; who opens the file meanwhile would end us by SIGIO
    if (fcntl(descriptor, F_SETLEASE, F_WRLCK) != 0)
        return true;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return false;
}

}  // namespace

bool is_in_use(std::string const& file) {
    int const descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return true;
    bool const used = has_users(descriptor);
    close(descriptor);
    return used;
}

bool trim_raw_file(RawFile const& file) {
    int const descriptor = open(file.path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    // From when it has begun on, the recorder has the file in its memory, until its process ends.
    wire::Header header{};
    bool const is_left = pread(descriptor, &header, sizeof header, 0) == sizeof header && header.magic != 0 &&
                         !has_users(descriptor);
    std::uint64_t const used = wire::header_bytes + std::uint64_t{header.page_count} * wire::page_bytes;
    struct stat status{};
    if (is_left && fstat(descriptor, &status) == 0 && static_cast<std::uint64_t>(status.st_size) > used)
        (void)!ftruncate(descriptor, static_cast<off_t>(used));  // or it stays as large as it is
    close(descriptor);
    return is_left;
}

Result<RecordingFolder> RecordingFolder::create(std::optional<std::uint64_t> max_bytes) {
    constexpr char const* memory = "/dev/shm";
    char const* const variable = std::getenv("TMPDIR");
    std::string const parent = variable && *variable ? variable : "/tmp";
    remove_abandoned_folders(memory);
    bool const has_memory = free_bytes(memory).value_or(0) >= enough_memory_bytes;
    if (has_memory && is_bearable(max_bytes.value_or(0), memory, parent)) {
        if (auto path = make_private_folder(memory))
            return RecordingFolder(std::move(*path));
    }
    remove_abandoned_folders(parent);
    if (auto path = make_private_folder(parent))
        return RecordingFolder(std::move(*path));
    int const reason = errno;
    if (has_memory) {  // what does not fit is cut short there
        if (auto path = make_private_folder(memory))
            return RecordingFolder(std::move(*path));
    }
    return fail(reason == ENOSPC ? ErrorCode::exhausted : ErrorCode::not_permitted,
                "cannot make a folder for the recording in " + parent + ": " + std::strerror(reason));
}

RecordingFolder::RecordingFolder(std::string path) : path_(std::move(path)), lock_(lock_folder(path_)) {}

RecordingFolder::~RecordingFolder() {
    if (!path_.empty()) {
        std::error_code ignored;  // nothing of value is left in it
        std::filesystem::remove_all(path_, ignored);
    }
    if (lock_ >= 0)
        close(lock_);
}

std::uint64_t RecordingFolder::bearable_bytes() const {
    constexpr std::uint64_t least = std::uint64_t{16} << 20;
    constexpr std::uint64_t unknown = std::uint64_t{1} << 30;
    return std::max(least, std::min(free_bytes(path_.c_str()).value_or(unknown) / 2,
                                    measure::available_memory().value_or(8 * unknown) / 8));
}

void remove_abandoned_folders(std::string const& parent) {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(parent, error), end; !error && entry != end;
         entry.increment(error)) {
        if (!entry->path().filename().string().starts_with(folder_prefix))
            continue;
        int const lock = lock_folder(entry->path().string());
        if (lock < 0)
            continue;
        if (is_old_and_ours(lock)) {
            std::error_code ignored;  // the next one may succeed
            std::filesystem::remove_all(entry->path(), ignored);
        }
        close(lock);
    }
}

std::vector<RawFile> RecordingFolder::raw_files() const {
    std::vector<RawFile> files;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(path_, error), end; !error && entry != end;
         entry.increment(error)) {
        if (auto file = raw_file_of(entry->path()))
            files.push_back(std::move(*file));
    }
    std::sort(files.begin(), files.end(), [](RawFile const& left, RawFile const& right) {
        return std::tie(left.process, left.generation) < std::tie(right.process, right.generation);
    });
    return files;
}

}  // namespace parcast::record
