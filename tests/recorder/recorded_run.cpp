#include "recorded_run.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "trace/raw/raw_recording.h"

namespace parcast::tests {
namespace {

class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = std::filesystem::temp_directory_path() / "parcast-recorder-XXXXXX";
        if (!mkdtemp(pattern.data()))
            throw std::runtime_error("cannot make a temporary folder");
        path_ = pattern;
    }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

[[noreturn]] void become(std::string const& program, std::vector<std::string> const& arguments,
                         Environment const& environment, int output) {
    constexpr unsigned patience_s = 60;
    alarm(patience_s);
    dup2(output, STDOUT_FILENO);
    close(output);
    cpu_set_t cpus;
    sched_getaffinity(0, sizeof cpus, &cpus);
    int last = CPU_SETSIZE - 1;
    while (!CPU_ISSET(last, &cpus))
        --last;
    CPU_ZERO(&cpus);
    CPU_SET(last, &cpus);
    sched_setaffinity(0, sizeof cpus, &cpus);
    for (auto const& [name, value] : environment)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> argv = {const_cast<char*>(program.c_str())};
    for (std::string const& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
}

std::vector<std::byte> read_bytes(std::filesystem::path const& path) {
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

std::string read_all(int descriptor) {
    std::string text;
    char part[4096];
    for (ssize_t got; (got = read(descriptor, part, sizeof part)) > 0;)
        text.append(part, static_cast<std::size_t>(got));
    close(descriptor);
    return text;
}

// As the launcher does for a program that died.
void complete(std::vector<std::byte>& bytes) {
    wire::Header header = {};
    if (bytes.size() < sizeof header)
        return;
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.end.ticks != 0)
        return;
    timespec now = {};
    clock_gettime(CLOCK_MONOTONIC, &now);
    header.end.ticks = __rdtsc();
    header.end.monotonic_ns =
        static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
    std::memcpy(bytes.data(), &header, sizeof header);
}

void read_recordings(std::filesystem::path const& folder, RecordedRun& run) {
    std::vector<std::filesystem::path> files;
    for (auto const& entry : std::filesystem::directory_iterator(folder))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (auto const& file : files) {
        std::vector<std::byte> bytes = read_bytes(file);
        wire::Header header = {};
        std::memcpy(&header, bytes.data(), std::min(sizeof header, bytes.size()));
        if (header.magic == 0)
            continue;  // the recording never began
        run.headers.push_back(header);
        complete(bytes);
        auto timeline = trace::read_raw_recording(bytes);
        if (!timeline)
            throw std::runtime_error(file.string() + ": " + timeline.error().message);
        run.timelines.push_back(std::move(*timeline));
    }
}

bool is_synchronisation(EventKind kind) {
    switch (kind) {
        case EventKind::thread_begin:
        case EventKind::sleep:
        case EventKind::yield:
        case EventKind::input:
        case EventKind::output:
        case EventKind::poll:
        case EventKind::open_close:
        case EventKind::sync:
        case EventKind::object_init:
        case EventKind::object_destroy: return false;
        default: return true;
    }
}

using Letters = std::map<std::uint32_t, char>;

Letters letter_objects(Timeline const& timeline) {
    Letters letters;
    for (auto const& events : timeline.events)
        for (Event const& event : events)
            if (is_synchronisation(event.kind) && event.object != ObjectId::none())
                letters.try_emplace(event.object.value, static_cast<char>('A' + letters.size()));
    return letters;
}

char const* outcome_suffix(Outcome outcome) {
    switch (outcome) {
        case Outcome::done: return "";
        case Outcome::failed: return " failed";
        case Outcome::timed_out: return " timed out";
        case Outcome::cut_off: return " cut off";
    }
    return "";
}

}  // namespace

int RecordedRun::exit_status() const {
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

std::string preloaded(std::vector<std::string> const& libraries) {
    static TemporaryFolder const folder;
    static std::map<std::string, std::string> links;  // by library
    std::string value;
    for (std::string const& library : libraries) {
        auto const [link, is_new] = links.try_emplace(library, folder.path() / std::to_string(links.size()));
        if (is_new)
            std::filesystem::create_symlink(library, link->second);
        value += (value.empty() ? "" : ":") + link->second;
    }
    return value;
}

RecordedRun record(std::string const& host, std::vector<std::string> const& arguments,
                   Environment const& more) {
    TemporaryFolder const folder;
    Environment environment = {{"LD_PRELOAD", preloaded({PARCAST_RECORDER})},
                               {"PARCAST_RECORD_DIR", folder.path()}};
    for (auto const& [name, value] : more)
        environment[name] = value;
    int output[2];
    if (pipe2(output, O_CLOEXEC) != 0)
        throw std::runtime_error("cannot make a pipe");
    pid_t const child = fork();
    if (child == 0)
        become(std::string(PARCAST_HOSTS) + "/host_" + host, arguments, environment, output[1]);
    close(output[1]);
    RecordedRun run;
    run.output = read_all(output[0]);
    rusage usage = {};
    wait4(child, &run.wait_status, 0, &usage);
    run.process_cpu_ns = 1e9 * static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         1e3 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    read_recordings(folder.path(), run);
    return run;
}

std::vector<std::string> synchronisation(Timeline const& timeline, std::size_t thread) {
    Letters const letters = letter_objects(timeline);
    std::vector<std::string> lines;
    for (Event const& event : timeline.events.at(thread)) {
        if (!is_synchronisation(event.kind))
            continue;
        std::string line = name_of(event.kind);
        if (event.object != ObjectId::none())
            line += std::string(" ") + letters.at(event.object.value);
        // Whether a join has to wait is for the kernel's scheduler to say.
        line += event.blocked && event.kind != EventKind::thread_join ? " blocked" : "";
        lines.push_back(line + outcome_suffix(event.outcome));
    }
    return lines;
}

}  // namespace parcast::tests
