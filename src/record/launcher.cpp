#include "record/launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure/affinity.h"
#include "record/clock_pair.h"

namespace parcast::record {

namespace {

constexpr std::array terminal_signals{SIGINT, SIGQUIT};
constexpr std::array forwarded_signals{SIGTERM, SIGHUP};

// Written before the handler is installed; a handler can be given nothing else.
pid_t volatile forward_to = 0;

void forward(int signal) {
    int const interrupted_errno = errno;
    if (forward_to > 0)
        kill(forward_to, signal);
    errno = interrupted_errno;
}

void set_handler(int signal, void (*handler)(int)) {
    struct sigaction action{};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

// The launcher's own dispositions while the program runs; the program gets those from before.
class Signals {
public:
    Signals() {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &mask_);
        for (std::size_t i = 0; i < terminal_signals.size(); ++i)
            sigaction(terminal_signals[i], nullptr, &before_[i]);
        for (std::size_t i = 0; i < forwarded_signals.size(); ++i)
            sigaction(forwarded_signals[i], nullptr, &before_[terminal_signals.size() + i]);
    }

    // In the launcher, once the program's process exists.
    void hand_over_to(pid_t program, SignalsAreFor owner) {
        if (owner == SignalsAreFor::parcast) {
            sigprocmask(SIG_SETMASK, &mask_, nullptr);
            return;
        }
        forward_to = program;
        for (int const signal : terminal_signals)
            set_handler(signal, SIG_IGN);
        for (std::size_t i = 0; i < forwarded_signals.size(); ++i) {
            // Ignored already (nohup): it stays so.
            if (before_[terminal_signals.size() + i].sa_handler != SIG_IGN)
                set_handler(forwarded_signals[i], forward);
        }
        sigprocmask(SIG_SETMASK, &mask_, nullptr);
    }

    // In the program's process, and at the end.
    void restore() const {
        for (std::size_t i = 0; i < terminal_signals.size(); ++i)
            sigaction(terminal_signals[i], &before_[i], nullptr);
        for (std::size_t i = 0; i < forwarded_signals.size(); ++i)
            sigaction(forwarded_signals[i], &before_[terminal_signals.size() + i], nullptr);
        sigprocmask(SIG_SETMASK, &mask_, nullptr);
    }

private:
    sigset_t mask_{};
    std::array<struct sigaction, terminal_signals.size() + forwarded_signals.size()> before_{};
};

std::vector<char*> pointers_to(std::vector<std::string> const& texts) {
    std::vector<char*> pointers;
    for (std::string const& text : texts)
        pointers.push_back(const_cast<char*>(text.c_str()));  // execve writes to none of them
    pointers.push_back(nullptr);
    return pointers;
}

// Why the program did not start: the step that failed, and the errno. The pipe closes at a good exec.
struct StartFailure {
    enum Step : int { none, pin, connect, execute } step = none;
    int reason = 0;
};

bool connect(StandardStreams const& streams) {
    auto const leads_to = [](int stream, std::optional<int> descriptor) {
        return !descriptor || dup2(*descriptor, stream) >= 0;
    };
    return leads_to(STDIN_FILENO, streams.input) && leads_to(STDOUT_FILENO, streams.output) &&
           leads_to(STDERR_FILENO, streams.error);
}

// The other end closes it.
void wait_for_go(int go) {
    char nothing = 0;
    while (read(go, &nothing, 1) < 0 && errno == EINTR) {
    }
}

[[noreturn]] void become_program(Launch const& launch, char* const* arguments, char* const* environment,
                                 measure::CpuMask const& mask, Signals const& signals, int go, int report) {
    signals.restore();
    wait_for_go(go);
    StartFailure failure{StartFailure::pin, 0};
    if (measure::pin_to(mask)) {
        failure.step = StartFailure::connect;
        if (connect(launch.streams)) {
            execve(launch.program.c_str(), arguments, environment);
            failure.step = StartFailure::execute;
        }
    }
    failure.reason = errno;
    (void)!write(report, &failure, sizeof failure);
    _exit(EXIT_FAILURE);
}

StartFailure read_failure(int report) {
    StartFailure failure;
    ssize_t got;
    do {
        got = read(report, &failure, sizeof failure);
    } while (got < 0 && errno == EINTR);
    close(report);
    return got == sizeof failure ? failure : StartFailure{};
}

Error error_of(StartFailure const& failure, Launch const& launch) {
    std::string const why = std::strerror(failure.reason);
    if (failure.step == StartFailure::pin) {
        bool const is_one = launch.cpus.size() == 1;
        return make_error(ErrorCode::not_recorded,
                          "the program cannot be bound to " +
                              (is_one ? "CPU " + std::to_string(launch.cpus.front()) : "its CPUs") + ": " +
                              why,
                          std::string("Allow the system call sched_setaffinity here, or choose ") +
                              (is_one ? "another one with --cpu." : "others with --cpu-ids."));
    }
    if (failure.step == StartFailure::connect) {
        return make_error(ErrorCode::not_recorded, "the program's standard streams cannot be set up: " + why,
                          "Free some resources (see ulimit -a), then try again.");
    }
    auto const code = failure.reason == ENOENT ? ErrorCode::no_program : ErrorCode::not_executable;
    return make_error(code, launch.program + " cannot be executed: " + why,
                      failure.reason == ENOENT ? "Its dynamic loader is missing: see file " + launch.program
                                               : "Check that it runs without parcast.");
}

std::int64_t nanoseconds(timeval const& time) {
    return (std::int64_t{time.tv_sec} * 1'000'000 + time.tv_usec) * 1'000;
}

// A descriptor that can be read from once the process has ended; -1 where the system has none.
int open_process(pid_t process) {
    return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

// Sleeps until the process has ended or the pause is over; a signal to parcast may cut it short.
bool ends_within(Pause const& pause, pid_t process, int handle) {
    constexpr std::int64_t ns_per_ms = 1'000'000;
    constexpr std::int64_t longest_ms = 60'000;
    constexpr std::int64_t poll_ms = 20;  // without a handle
    auto const ms = std::clamp((pause.at_most.ns + ns_per_ms - 1) / ns_per_ms, std::int64_t{0},
                               handle < 0 ? poll_ms : longest_ms);
    std::vector<pollfd> ends{{handle, POLLIN, 0}};
    for (int const descriptor : pause.until_readable)
        ends.push_back({descriptor, POLLIN, 0});
    poll(ends.data(), ends.size(), static_cast<int>(ms));  // passes over those below 0
    siginfo_t information{};
    return waitid(P_PID, static_cast<id_t>(process), &information, WEXITED | WNOHANG | WNOWAIT) != 0 ||
           information.si_pid == process;
}

ProgramEnd wait_for(pid_t process, Attend const& attend) {
    int const handle = open_process(process);
    while (!ends_within(attend(), process, handle)) {
    }
    if (handle >= 0)
        close(handle);
    int status = 0;
    rusage used{};
    while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) {
    }
    ProgramEnd end;
    end.clock = read_clock_pair();
    end.process = process;
    end.system_ns = nanoseconds(used.ru_stime);
    end.cpu_ns = nanoseconds(used.ru_utime) + end.system_ns;
    end.page_faults = used.ru_minflt;
    if (WIFSIGNALED(status))
        end.death_signal = WTERMSIG(status);
    else
        end.exit_status = WEXITSTATUS(status);
    return end;
}

Error cannot_start(char const* step) {
    return make_error(ErrorCode::not_recorded,
                      std::string("the program cannot be started: ") + step + ": " + std::strerror(errno),
                      "Free some resources (see ulimit -a), then try again.");
}

}  // namespace

int shell_status(ProgramEnd const& end) {
    constexpr int died_by_signal = 128;
    return end.death_signal ? died_by_signal + *end.death_signal : end.exit_status.value_or(0);
}

Result<ProgramEnd> run_to_end(Launch const& launch, Attend const& attend) {
    std::vector<char*> const arguments = pointers_to(launch.command);
    std::vector<char*> const environment = pointers_to(launch.environment);
    measure::CpuMask const mask(launch.cpus);
    std::array<int, 2> report{};
    std::array<int, 2> go{};
    if (pipe2(report.data(), O_CLOEXEC) != 0 || pipe2(go.data(), O_CLOEXEC) != 0)
        return fail(cannot_start("pipe"));
    Signals signals;
    pid_t const process = fork();
    if (process == 0) {
        close(go[1]);
        become_program(launch, arguments.data(), environment.data(), mask, signals, go[0], report[1]);
    }
    close(report[1]);
    close(go[0]);
    if (process > 0 && launch.before_start)
        launch.before_start(process);
    close(go[1]);
    if (process < 0) {
        Error error = cannot_start("fork");
        close(report[0]);
        signals.restore();
        return fail(std::move(error));
    }
    signals.hand_over_to(process, launch.signals);
    StartFailure const failure = read_failure(report[0]);
    ProgramEnd const end = wait_for(process, attend);
    forward_to = 0;
    signals.restore();
    if (failure.step != StartFailure::none)
        return fail(error_of(failure, launch));
    return end;
}

}  // namespace parcast::record
