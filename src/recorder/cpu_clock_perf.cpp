// perf_event_open(2): the kernel rewrites the user page of a task-clock event, and counts its `lock` up,
// when it switches the thread in. The page's own time is not used: virtual machines do not fill it in.

#include "recorder/cpu_clock.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "recorder/system.h"

namespace parcast::recorder {
namespace {

constexpr size_t page_bytes = 4096;

}  // namespace

bool begin_perf_watch(SwitchWatch& watch) {
    perf_event_attr attributes = {};
    attributes.size = sizeof attributes;
    attributes.type = PERF_TYPE_SOFTWARE;
    attributes.config = PERF_COUNT_SW_TASK_CLOCK;
    attributes.exclude_kernel = 1;  // all that an unprivileged process may ask for
    attributes.exclude_hv = 1;
    auto const descriptor = static_cast<int>(
        system_call(SYS_perf_event_open, as_word(&attributes), 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (descriptor < 0)
        return false;
    // The mapping keeps the event alive; without a descriptor the host cannot close it by mistake.
    void* const page = map_file(descriptor, 0, page_bytes, PROT_READ);
    close_file(descriptor);
    if (!page)
        return false;
    watch.page = page;
    watch.flag = &static_cast<perf_event_mmap_page*>(page)->lock;
    return true;
}

void arm_perf_watch(SwitchWatch& watch) {
    watch.armed = *watch.flag;
}

void end_perf_watch(SwitchWatch& watch) {
    unmap(watch.page, page_bytes);
}

}  // namespace parcast::recorder
