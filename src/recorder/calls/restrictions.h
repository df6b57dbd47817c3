// Calls by which a process forbids itself what the recorder needs: to read the time stamp counter
// (PR_SET_TSC), and system calls (seccomp). The recorder steps aside before them: afterwards it would be the
// host that dies. What a filter forbids is not looked at.

#pragma once

namespace parcast::recorder {

// Before a call of prctl, or of prctl and seccomp through syscall().
void expect_restriction_by_prctl(int option, unsigned long argument);
void expect_restriction_by_seccomp(unsigned operation, void const* filter);

}  // namespace parcast::recorder
