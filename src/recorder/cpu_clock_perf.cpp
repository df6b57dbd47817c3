// perf_event_open(2): the kernel rewrites the user page of a task-clock event, and counts its `lock` up,
// when it switches the thread in. The page's own time is not used: virtual machines do not fill it in.

#include "recorder/cpu_clock.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/real.h"

namespace parcast::recorder {
namespace {

// Not through our own hook of syscall().
PARCAST_REAL Real<decltype(::syscall)> real_syscall{"syscall"};

constexpr size_t page_bytes = 4096;

}  // namespace

bool begin_perf_watch(SwitchWatch& watch) {
    perf_event_attr attributes = {};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.exclude_kernel = 1;  // all that an unprivileged process may ask for
    attributes.exclude_hv = 1;
    long const descriptor = real_syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (descriptor < 0)
        return false;
    // The mapping keeps the event alive; without a descriptor the host cannot close it by mistake.
    void* const page = mmap(nullptr, page_bytes, PROT_READ, MAP_SHARED, static_cast<int>(descriptor), 0);
    real_syscall(SYS_close, descriptor);
    if (page == MAP_FAILED)
        return false;
    watch.page = page;
    watch.flag = &static_cast<perf_event_mmap_page*>(page)->lock;
    return true;
}

void arm_perf_watch(SwitchWatch& watch) {
    watch.armed = *watch.flag;
}

void end_perf_watch(SwitchWatch& watch) {
    munmap(watch.page, page_bytes);
}

}  // namespace parcast::recorder
