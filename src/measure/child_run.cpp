#include "measure/child_run.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <thread>

#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "measure/clock.h"
#include "measure/descendants.h"
#include "measure/ending_signals.h"
#include "measure/kept_cpus.h"
#include "measure/time_slice.h"

namespace parcast::measure {

namespace {

// The descriptors that become the program's standard streams.
class Streams {
public:
    explicit Streams(ChildRequest const& request) {
        posix_spawn_file_actions_init(&actions_);
        posix_spawn_file_actions_adddup2(&actions_, request.input, STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, request.output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions_, request.error, STDERR_FILENO);
    }
    Streams(Streams const&) = delete;
    Streams& operator=(Streams const&) = delete;
    ~Streams() { posix_spawn_file_actions_destroy(&actions_); }
    posix_spawn_file_actions_t const* actions() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

tl::unexpected<Error> cannot(std::string const& what, int reason) {
    ErrorCode const code = reason == ENOENT                      ? ErrorCode::not_found
                           : reason == EACCES || reason == EPERM ? ErrorCode::not_permitted
                                                                 : ErrorCode::exhausted;
    return fail(code, what + ": " + std::strerror(reason) + "");
}

// Blocks until the process ended, the limit is over or this process is to end; without pidfd (Linux before
// 5.3) until it ended.
bool ends_within(pid_t process, Duration limit) {
    int const descriptor = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
    if (descriptor < 0)
        return true;
    Instant const last = kernel_now() + limit;
    pollfd ended{descriptor, POLLIN, 0};
    int result = 0;
    do {
        std::int64_t const left_ms = std::max<std::int64_t>(0, (last - kernel_now()).ns / 1'000'000 + 1);
        result = poll(&ended, 1,
                      static_cast<int>(std::min<std::int64_t>(left_ms, std::numeric_limits<int>::max())));
    } while (!ending_signal() && ((result < 0 && errno == EINTR) || (result == 0 && kernel_now() < last)));
    close(descriptor);
    return result > 0;
}

std::vector<char*> pointers_to(std::vector<std::string> const& texts) {
    std::vector<char*> pointers;
    for (std::string const& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));  // execve writes to none of them
    pointers.push_back(nullptr);
    return pointers;
}

Duration duration_of(timeval const& time) {
    return {(std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1'000};
}

ChildRun wait_for(pid_t process, Instant start, ChildRequest const& request,
                  std::optional<Adoption> const& family) {
    ChildRun run;
    run.exceeded_time_limit = family && !ends_within(process, *request.time_limit);
    if (run.exceeded_time_limit)
        family->end_all(process, ending_signal() ? Duration{0} : request.grace);
    int status = 0;
    rusage used{};
    while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
    }
    run.wall = kernel_now() - start;
    run.user = duration_of(used.ru_utime);
    run.system = duration_of(used.ru_stime);
    run.waits = used.ru_nvcsw;
    run.preemptions = used.ru_nivcsw;
    run.page_faults = used.ru_minflt;
    if (WIFSIGNALED(status))
        run.death_signal = WTERMSIG(status);
    else
        run.exit_status = WEXITSTATUS(status);
    return run;
}

// Such a thread cannot be undone: one for the program alone.
template <class Spawn>
int in_thread_with_kept_cpus(Spawn spawn) {
    int reason = 0;
    std::jthread([&] {
        static_cast<void>(ignore_chosen_cpus());
        reason = spawn();
    }).join();
    return reason;
}

}  // namespace

Result<ChildRun> run_child(ChildRequest const& request) {
    auto const arguments = pointers_to(request.command);
    auto const environment = pointers_to(request.environment);
    Streams const streams(request);
    Pinned const pinned(request.cpus);
    if (!pinned.is_pinned())
        return cannot(request.program + " cannot be bound to its CPUs", errno);
    std::optional<Adoption> family;
    if (request.time_limit)
        family.emplace();
    std::optional<TimeSlice> slice;
    if (request.time_slice)
        slice.emplace(*request.time_slice);
    EndingSignals const held_back;
    // Not fork: the copy of a large parcast would have to be torn down inside the measured time.
    pid_t process = 0;
    Instant const start = kernel_now();
    auto const spawn = [&] {
        return posix_spawn(&process, request.program.c_str(), streams.actions(), nullptr, arguments.data(),
                           request.environment.empty() ? environ : environment.data());
    };
    int const reason = request.keeps_cpus ? in_thread_with_kept_cpus(spawn) : spawn();
    if (reason != 0)
        return cannot(request.program + " cannot be started", reason);
    slice.reset();
    return wait_for(process, start, request, family);
}

}  // namespace parcast::measure
