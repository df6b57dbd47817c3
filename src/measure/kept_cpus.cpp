#include "measure/kept_cpus.h"

#include <array>
#include <cstddef>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace parcast::measure {

bool ignore_chosen_cpus() {
    constexpr auto word = BPF_LD | BPF_W | BPF_ABS;
    constexpr auto is_equal = BPF_JMP | BPF_JEQ | BPF_K;
    constexpr auto give = BPF_RET | BPF_K;
    constexpr unsigned succeeds_and_does_nothing = SECCOMP_RET_ERRNO;  // error number 0
    std::array<sock_filter, 6> program{{
        BPF_STMT(word, offsetof(seccomp_data, arch)),
        BPF_JUMP(is_equal, AUDIT_ARCH_X86_64, 0, 3),
        BPF_STMT(word, offsetof(seccomp_data, nr)),
        BPF_JUMP(is_equal, SYS_sched_setaffinity, 0, 1),
        BPF_STMT(give, succeeds_and_does_nothing),
        BPF_STMT(give, SECCOMP_RET_ALLOW),
    }};
    sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
    // Without that flag some kernels slow down all that the program does.
    auto const install = [&] {
        return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &filter) == 0;
    };
    return install() || (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && install());
}

}  // namespace parcast::measure
