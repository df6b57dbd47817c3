// The calls that tell a program how many processors there are.

#include "recorder/calls/pretended_cpus.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "recorder/calls/scheduling.h"
#include "recorder/real.h"

namespace parcast::recorder {
namespace {

PARCAST_REAL Real<decltype(::sched_getaffinity)> real_sched_getaffinity{"sched_getaffinity"};
PARCAST_REAL Real<decltype(::pthread_getaffinity_np)> real_pthread_getaffinity_np{"pthread_getaffinity_np"};
PARCAST_REAL Real<decltype(::sysconf)> real_sysconf{"sysconf"};
PARCAST_REAL Real<decltype(::get_nprocs)> real_get_nprocs{"get_nprocs"};
PARCAST_REAL Real<decltype(::get_nprocs_conf)> real_get_nprocs_conf{"get_nprocs_conf"};
PARCAST_REAL Real<decltype(::sched_getcpu)> real_sched_getcpu{"sched_getcpu"};

// All pretended processors; 0, or EINVAL if the mask has no room for them, as the kernel answers.
int fill_mask(size_t size, cpu_set_t* mask) {
    unsigned const cpus = pretended_cpus();
    if (size * 8 < cpus)
        return EINVAL;
    memset(mask, 0, size);
    for (unsigned cpu = 0; cpu < cpus; ++cpu)
        CPU_SET_S(cpu, size, mask);
    return 0;
}

long configuration(int name) {
    unsigned const cpus = pretended_cpus();
    if (cpus && (name == _SC_NPROCESSORS_CONF || name == _SC_NPROCESSORS_ONLN))
        return static_cast<long>(cpus);
    return real_sysconf(name);
}

}  // namespace
}  // namespace parcast::recorder

using namespace parcast::recorder;

PARCAST_HOOK int sched_getaffinity(pid_t process, size_t size, cpu_set_t* mask) noexcept {
    if (!pretended_cpus()) {
        if (int const failed = real_sched_getaffinity(process, size, mask))
            return failed;
    } else if (int const error = fill_mask(size, mask)) {
        errno = error;
        return -1;
    }
    give_kept_mask(thread_of_number(process), size, mask);
    return 0;
}

PARCAST_HOOK int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* mask) noexcept {
    int const error =
        pretended_cpus() ? fill_mask(size, mask) : real_pthread_getaffinity_np(thread, size, mask);
    if (error == 0)
        give_kept_mask(thread_of_handle(thread), size, mask);
    return error;
}

PARCAST_HOOK long sysconf(int name) noexcept {
    return configuration(name);
}
PARCAST_HOOK long __sysconf(int name) noexcept {
    return configuration(name);
}

PARCAST_HOOK int get_nprocs() noexcept {
    unsigned const cpus = pretended_cpus();
    return cpus ? static_cast<int>(cpus) : real_get_nprocs();
}

PARCAST_HOOK int get_nprocs_conf() noexcept {
    unsigned const cpus = pretended_cpus();
    return cpus ? static_cast<int>(cpus) : real_get_nprocs_conf();
}

// Programs index tables of as many entries as there are processors with it.
PARCAST_HOOK int sched_getcpu() noexcept {
    int const cpu = real_sched_getcpu();
    unsigned const cpus = pretended_cpus();
    return cpus && cpu >= 0 && static_cast<unsigned>(cpu) >= cpus ? 0 : cpu;
}
