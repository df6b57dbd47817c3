#include "measure/time_slice.h"

#include <cstdint>

#include <linux/sched.h>
#include <linux/types.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parcast::measure {

namespace {

// sched_setattr(2); <linux/sched/types.h> of Debian 12 declares sched_param once more than <sched.h>.
struct Attributes {
    std::uint32_t size = sizeof(Attributes);
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime_ns = 0;  // of a normal thread: its slice
    std::uint64_t deadline_ns = 0;
    std::uint64_t period_ns = 0;
};

constexpr std::uint64_t long_slice_ns = 20'000'000;
constexpr std::uint64_t usual_slice = 0;
constexpr int this_thread = 0;

bool read(Attributes& attributes) {
    return syscall(SYS_sched_getattr, this_thread, &attributes, sizeof attributes, 0) == 0;
}

void set_slice(std::uint64_t slice_ns) {
    Attributes attributes;
    bool const is_normal =
        read(attributes) && (attributes.policy == SCHED_NORMAL || attributes.policy == SCHED_BATCH);
    if (is_normal) {
        attributes.runtime_ns = slice_ns;
        syscall(SYS_sched_setattr, this_thread, &attributes, 0);
    }
}

}  // namespace

void ask_for_long_slices() {
    set_slice(long_slice_ns);
}

bool has_long_slices() {
    Attributes attributes;
    return read(attributes) && attributes.runtime_ns == long_slice_ns &&
           (attributes.policy == SCHED_NORMAL || attributes.policy == SCHED_BATCH);
}

LongSlices::~LongSlices() {
    set_slice(usual_slice);
}

}  // namespace parcast::measure
