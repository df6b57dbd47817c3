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

constexpr Duration usual_slice{0};
constexpr int this_thread = 0;

bool read(Attributes& attributes) {
    return syscall(SYS_sched_getattr, this_thread, &attributes, sizeof attributes, 0) == 0;
}

bool is_normal(Attributes const& attributes) {
    return attributes.policy == SCHED_NORMAL || attributes.policy == SCHED_BATCH;
}

void set_slice(Duration length) {
    Attributes attributes;
    if (read(attributes) && is_normal(attributes)) {
        attributes.runtime_ns = static_cast<std::uint64_t>(length.ns);
        syscall(SYS_sched_setattr, this_thread, &attributes, 0);
    }
}

}  // namespace

TimeSlice::TimeSlice(Duration length) {
    set_slice(length);
}

TimeSlice::~TimeSlice() {
    set_slice(usual_slice);
}

Duration own_slice() {
    Attributes attributes;
    bool const is_known = read(attributes) && is_normal(attributes);
    return is_known ? Duration{static_cast<std::int64_t>(attributes.runtime_ns)} : usual_slice;
}

bool grants_slices(Duration length) {
    TimeSlice const asked_for(length);
    return own_slice() == length;
}

}  // namespace parcast::measure
