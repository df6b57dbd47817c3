// Names of threads, by which a plan may know them; and calls by which the process forbids itself system
// calls, after which the binder asks for nothing more.

#include <linux/seccomp.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "binder/planned_process.h"
#include "recorder/real.h"

namespace parcast::binder {
namespace {

using recorder::Real;

PARCAST_REAL Real<decltype(::pthread_setname_np)> real_setname{"pthread_setname_np"};
PARCAST_REAL Real<int(int, ...)> real_prctl{"prctl"};
PARCAST_REAL Real<long(long, ...)> real_syscall{"syscall"};

// Without a filter, SECCOMP_SET_MODE_FILTER asks whether the kernel knows it.
bool is_sandbox(long number, long const (&words)[6]) {
    if (number == SYS_prctl)
        return words[0] == PR_SET_SECCOMP;
    return number == SYS_seccomp &&
           (words[0] == SECCOMP_SET_MODE_STRICT || (words[0] == SECCOMP_SET_MODE_FILTER && words[2] != 0));
}

}  // namespace
}  // namespace parcast::binder

using namespace parcast::binder;

PARCAST_HOOK int pthread_setname_np(pthread_t thread, char const* name) noexcept {
    int const error = real_setname(thread, name);
    if (error == 0 && is_planned())
        plan_named_thread(kernel_id_of(thread), name);
    return error;
}

// The kernel takes five words.
PARCAST_HOOK int prctl(int option, ...) noexcept {
    va_list rest;
    va_start(rest, option);
    unsigned long words[4];
    for (unsigned long& word : words)
        word = va_arg(rest, unsigned long);
    va_end(rest);
    if (option == PR_SET_SECCOMP)
        expect_sandbox();
    int const result = real_prctl(option, words[0], words[1], words[2], words[3]);
    if (option == PR_SET_NAME && result == 0)
        plan_named_thread(0, reinterpret_cast<char const*>(words[0]));
    return result;
}

PARCAST_HOOK long syscall(long number, ...) noexcept {
    va_list rest;
    va_start(rest, number);
    long words[6];
    for (long& word : words)
        word = va_arg(rest, long);
    va_end(rest);
    if (is_sandbox(number, words))
        expect_sandbox();
    return real_syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
