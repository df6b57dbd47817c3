// Puts virtual time in the place of the two clocks that QEMU gives to a guest without instruction counting:
//
//   clock_gettime(CLOCK_MONOTONIC)  behind its timers: this library is preloaded and defines the function.
//   rdtsc                           behind the guest's time stamp counter, inlined in QEMU: made to fault by
//                                   prctl(PR_SET_TSC), and answered by the handler of the fault.
//
// glibc and the kernel's vdso keep the host's clocks.

#include "virtual_time.h"

#include <csignal>
#include <cstring>
#include <ctime>

#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <x86intrin.h>

namespace {

constexpr uint64_t vdso_size_limit = 16 * 1024;

bool is_in_vdso(uint64_t address) {
    uint64_t const begin = getauxval(AT_SYSINFO_EHDR);
    return address >= begin && address - begin < vdso_size_limit;
}

uint64_t host_ticks() {
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    uint64_t const ticks = __rdtsc();
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
    return ticks;
}

// Length of the instruction if it reads the time stamp counter, else 0.
int length_of_rdtsc(uint64_t address) {
    auto const* const code = reinterpret_cast<unsigned char const*>(address);
    if (std::memcmp(code, "\x0f\x31", 2) == 0)
        return 2;
    return std::memcmp(code, "\x0f\x01\xf9", 3) == 0 ? 3 : 0;  // rdtscp
}

void answer_rdtsc(int signal_number, siginfo_t*, void* context) {
    auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    auto const address = static_cast<uint64_t>(registers[REG_RIP]);
    int const length = length_of_rdtsc(address);
    if (length == 0) {
        std::signal(signal_number, SIG_DFL);  // a real fault: it happens again, and ends QEMU
        return;
    }
    uint64_t const ticks =
        is_in_vdso(address) ? host_ticks() : oracle::virtual_time.now_ns(oracle::this_virtual_cpu);
    registers[REG_RAX] = static_cast<greg_t>(ticks & 0xffffffff);
    registers[REG_RDX] = static_cast<greg_t>(ticks >> 32);
    if (length == 3)
        registers[REG_RCX] = 0;
    registers[REG_RIP] += length;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
    if (clock != CLOCK_MONOTONIC)
        return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
    uint64_t const now = oracle::virtual_time.now_ns(oracle::this_virtual_cpu);
    time->tv_sec = static_cast<time_t>(now / 1'000'000'000);
    time->tv_nsec = static_cast<long>(now % 1'000'000'000);
    return 0;
}

namespace oracle {

void replace_host_clocks() {
    struct sigaction action = {};
    action.sa_sigaction = answer_rdtsc;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, nullptr);
    prctl(PR_SET_TSC, PR_TSC_SIGSEGV);  // threads inherit it
}

}  // namespace oracle
