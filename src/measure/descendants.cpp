#include "measure/descendants.h"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/clock.h"

namespace parcast::measure {

namespace {

constexpr Duration last_wait{1'000'000'000};
constexpr Duration moment{5'000'000};

struct Kinship {
    pid_t parent = 0;
    bool is_alive = false;
};

// From "NUMBER (NAME) STATE PARENT ...", proc(5): the name may hold anything, so what follows its last
// bracket counts.
std::optional<Kinship> kinship_of(std::filesystem::path const& process) {
    std::ifstream file(process / "stat");
    std::ostringstream stream;
    stream << file.rdbuf();  // never throws, unlike an istreambuf_iterator, where the process ends meanwhile
    std::string const text = stream.str();
    std::size_t const name_end = text.rfind(')');
    if (name_end == std::string::npos)
        return std::nullopt;
    std::istringstream fields(text.substr(name_end + 1));
    char state = 0;
    Kinship kinship;
    fields >> state >> kinship.parent;
    constexpr int from_group_to_nice = 15;
    std::string skipped;
    for (int field = 0; field < from_group_to_nice; ++field)
        fields >> skipped;
    int threads = 0;
    fields >> threads;
    // Where the initial thread has ended and others run, its state is that of a dead process.
    kinship.is_alive = (state != 'Z' && state != 'X') || threads > 1;
    return fields ? std::optional(kinship) : std::nullopt;
}

std::map<pid_t, Kinship> all_processes() {
    std::map<pid_t, Kinship> processes;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        std::string const name = entry->path().filename().string();
        pid_t process = 0;
        if (std::from_chars(name.data(), name.data() + name.size(), process).ec != std::errc{})
            continue;
        if (auto const kinship = kinship_of(entry->path()))
            processes.emplace(process, *kinship);
    }
    return processes;
}

// A picture taken while processes end and start may have no top, or a loop: no more steps than processes.
bool descends_from(pid_t ancestor, pid_t process, std::map<pid_t, Kinship> const& processes) {
    for (std::size_t step = 0; step < processes.size(); ++step) {
        auto const found = processes.find(process);
        if (found == processes.end())
            return false;
        process = found->second.parent;
        if (process == ancestor)
            return true;
    }
    return false;
}

std::vector<pid_t> dead_children_of(pid_t process) {
    std::vector<pid_t> dead;
    for (auto const& [number, kinship] : all_processes())
        if (!kinship.is_alive && kinship.parent == process)
            dead.push_back(number);
    return dead;
}

bool is_among(pid_t process, std::vector<pid_t> const& processes) {
    return std::find(processes.begin(), processes.end(), process) != processes.end();
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t process) {
    auto const processes = all_processes();
    std::vector<pid_t> descendants;
    for (auto const& [number, kinship] : processes)
        if (kinship.is_alive && descends_from(process, number, processes))
            descendants.push_back(number);
    return descendants;
}

Adoption::Adoption() : earlier_(descendants_of(getpid())) {
    prctl(PR_GET_CHILD_SUBREAPER, &was_adopting_);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

Adoption::~Adoption() {
    prctl(PR_SET_CHILD_SUBREAPER, was_adopting_);
    reap_orphans(std::nullopt);
}

std::vector<pid_t> Adoption::living() const {
    std::vector<pid_t> living = descendants_of(getpid());
    std::erase_if(living, [&](pid_t process) { return is_among(process, earlier_); });
    return living;
}

void Adoption::end_all(pid_t child, Duration grace) const {
    signal_all(SIGTERM);
    if (all_end_within(child, grace))
        return;
    Instant const last = wall_now() + last_wait;
    do {
        signal_all(SIGKILL);
    } while (!all_end_within(child, moment) && wall_now() < last);
}

void Adoption::signal_all(int signal) const {
    for (pid_t const process : living()) {
        kill(process, signal);
        kill(process, SIGCONT);  // a stopped one would not notice
    }
}

// Those of our dead children that nobody else waits for.
void Adoption::reap_orphans(std::optional<pid_t> child) const {
    for (pid_t const process : dead_children_of(getpid()))
        if (process != child && !is_among(process, earlier_))
            waitpid(process, nullptr, WNOHANG);
}

bool Adoption::all_end_within(pid_t child, Duration limit) const {
    timespec const pause{0, moment.ns};
    Instant const last = wall_now() + limit;
    while (!living().empty()) {
        if (wall_now() >= last)
            return false;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);
    }
    reap_orphans(child);
    return true;
}

}  // namespace parcast::measure
