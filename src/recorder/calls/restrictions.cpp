#include "recorder/calls/restrictions.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "recorder/recording.h"

namespace parcast::recorder {

void expect_restriction_by_prctl(int option, unsigned long argument) {
    if (option == PR_SET_TSC && argument == PR_TSC_SIGSEGV)
        step_aside(wire::Ending::ticks_forbidden);
    if (option == PR_SET_SECCOMP)
        step_aside(wire::Ending::sandbox);
}

// Without a filter, SECCOMP_SET_MODE_FILTER asks whether the kernel knows it.
void expect_restriction_by_seccomp(unsigned operation, void const* filter) {
    if (operation == SECCOMP_SET_MODE_STRICT || (operation == SECCOMP_SET_MODE_FILTER && filter))
        step_aside(wire::Ending::sandbox);
}

}  // namespace parcast::recorder
