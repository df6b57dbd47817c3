#include "record/watch/busy_loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>
#include <thread>

#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#include "measure/clock.h"
#include "record/watch/thread_times.h"

namespace parcast::record {

namespace {

constexpr int most_steps = 64;  // a loop that waits is short; some count a little before they look again
constexpr timespec between_looks{0, 20'000};

// What a loop would have to change to get anywhere.
struct State {
    user_regs_struct registers{};
    user_fpregs_struct vectors{};
    std::array<std::byte, 512> stack{};

    friend bool operator==(State const& a, State const& b) {
        return std::memcmp(&a.registers, &b.registers, sizeof a.registers) == 0 &&
               std::memcmp(&a.vectors, &b.vectors, sizeof a.vectors) == 0 && a.stack == b.stack;
    }
};

// Absent: as long as the thread lives. Asked for no ends: the process's own is the launcher's to collect.
std::optional<int> stop_signal(pid_t thread, std::optional<Duration> patience) {
    std::int64_t const give_up = measure::wall_ns() + patience.value_or(Duration{0}).ns;
    do {
        siginfo_t stop{};
        if (waitid(P_PID, static_cast<id_t>(thread), &stop, WSTOPPED | WNOHANG | __WALL) != 0)
            return std::nullopt;
        if (stop.si_pid == thread)
            return stop.si_status & 0x7f;
        nanosleep(&between_looks, nullptr);
    } while (patience ? measure::wall_ns() < give_up : is_alive(thread));
    return std::nullopt;
}

// One thread under our eyes, stopped or soon to be.
class Traced {
public:
    explicit Traced(pid_t thread) : thread_(thread) {
        is_held_ = ptrace(PTRACE_SEIZE, thread, nullptr, nullptr) == 0;
        if (is_held_)
            ptrace(PTRACE_INTERRUPT, thread, nullptr, nullptr);
    }

    pid_t thread() const { return thread_; }
    bool is_held() const { return is_held_; }

    // False if it does not stop in time, or at a signal, which then reaches it.
    bool wait_until_stopped(std::optional<Duration> patience) {
        auto const signal = is_held_ ? stop_signal(thread_, patience) : std::nullopt;
        is_stopped_ = signal.has_value();
        to_deliver_ = signal && *signal != SIGTRAP ? *signal : 0;
        return is_stopped_ && to_deliver_ == 0;
    }

    // However long it takes until the thread gets a CPU: the trap after a step that nobody waits for kills
    // the program.
    bool step() {
        is_stopped_ = false;
        return ptrace(PTRACE_SINGLESTEP, thread_, nullptr, nullptr) == 0 && wait_until_stopped(std::nullopt);
    }

    bool read(State& state) const {
        bool const has_registers = ptrace(PTRACE_GETREGS, thread_, nullptr, &state.registers) == 0 &&
                                   ptrace(PTRACE_GETFPREGS, thread_, nullptr, &state.vectors) == 0;
        constexpr std::uint64_t red_zone = 128;
        iovec const here{state.stack.data(), state.stack.size()};
        iovec const there{reinterpret_cast<void*>(state.registers.rsp - red_zone), state.stack.size()};
        return has_registers && process_vm_readv(thread_, &here, 1, &there, 1, 0) > 0;
    }

    bool is_before_system_call(State const& state) const {
        errno = 0;
        long const code = ptrace(PTRACE_PEEKTEXT, thread_, state.registers.rip, nullptr);
        return errno != 0 || (code & 0xffff) == 0x050f;
    }

    void let_go() {
        if (is_held_ && is_stopped_)
            ptrace(PTRACE_DETACH, thread_, nullptr, to_deliver_);
    }

private:
    pid_t thread_;
    bool is_held_ = false;
    bool is_stopped_ = false;
    int to_deliver_ = 0;
};

// The address where its state came again.
std::optional<std::uint64_t> loop_of(Traced& traced, Duration patience) {
    std::vector<State> seen;
    State state;
    std::int64_t const give_up = measure::wall_ns() + patience.ns;
    for (int step = 0; step < most_steps && measure::wall_ns() < give_up; ++step) {
        bool const is_in_call = !traced.read(state) || static_cast<long>(state.registers.orig_rax) >= 0;
        if (is_in_call || traced.is_before_system_call(state))
            return std::nullopt;
        if (std::find(seen.begin(), seen.end(), state) != seen.end())
            return state.registers.rip;
        seen.push_back(state);
        if (!traced.step())
            return std::nullopt;
    }
    return std::nullopt;
}

std::vector<BusyLoop> loops_of_stopped(std::vector<pid_t> const& threads, Duration patience) {
    std::vector<Traced> traced;
    for (pid_t const thread : threads)
        traced.emplace_back(thread);
    std::vector<BusyLoop> loops;
    bool all_stopped = true;
    for (Traced& one : traced)
        all_stopped = one.wait_until_stopped(patience) && all_stopped;
    for (Traced& one : traced) {
        // One that runs on might end the waiting of another between two steps.
        auto const address = all_stopped ? loop_of(one, patience) : std::nullopt;
        if (address)
            loops.push_back({one.thread(), *address});
    }
    for (Traced& one : traced)
        one.let_go();
    return loops;
}

}  // namespace

std::vector<BusyLoop> busy_loops(std::vector<pid_t> const& threads, Duration patience) {
    // A thread of its own: what it traces is let go by the kernel at its end.
    std::vector<BusyLoop> loops;
    std::thread([&] { loops = loops_of_stopped(threads, patience); }).join();
    return loops;
}

}  // namespace parcast::record
