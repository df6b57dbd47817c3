// A program that forbids itself what the recorder needs, and goes on: time stamps, or system calls.

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cstddef>
#include <cstring>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

// Kills the process at a system call that the recorder makes and this program does not.
sock_filter steps[] = {
    {BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
    {BPF_JMP | BPF_JEQ | BPF_K, 5, 0, SYS_clock_gettime},
    {BPF_JMP | BPF_JEQ | BPF_K, 4, 0, SYS_mmap},
    {BPF_JMP | BPF_JEQ | BPF_K, 3, 0, SYS_openat},
    {BPF_JMP | BPF_JEQ | BPF_K, 2, 0, SYS_madvise},
    {BPF_JMP | BPF_JEQ | BPF_K, 1, 0, SYS_sigaltstack},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS},
};
sock_fprog filter = {sizeof steps / sizeof *steps, steps};

void lock_often(int times) {
    for (int i = 0; i < times; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

// As interpreters do: the variables of the beginning, in memory of their own.
char** copy_environment() {
    static char* copy[1000] = {};
    for (int i = 0; environ[i] && i + 1 < 1000; ++i)
        copy[i] = strdup(environ[i]);
    return copy;
}

int spawn(char* const* arguments, char* const* environment) {
    pid_t child = 0;
    int status = 0;
    if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, arguments, environment) != 0 ||
        waitpid(child, &status, 0) != child)
        return 2;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 3;
}

// The clock alone: a program that is executed has to be mapped.
void forbid_clock() {
    steps[2].k = steps[3].k = steps[4].k = steps[5].k = SYS_clock_gettime;
}

bool restrict_by(char const* way) {
    if (std::strcmp(way, "ticks") == 0)
        return prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
    if (std::strcmp(way, "strict") == 0)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) == 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (std::strcmp(way, "prctl") == 0)
        return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
    if (std::strcmp(way, "execute") == 0 || std::strncmp(way, "copy", 4) == 0)
        forbid_clock();
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

}  // namespace

int main(int, char** arguments) {
    char** const copy = copy_environment();
    char executed[] = "executed";
    char* next[] = {arguments[0], executed, nullptr};
    lock_often(1000);
    if (std::strcmp(arguments[1], "executed") == 0)
        return 7;
    if (!restrict_by(arguments[1]))
        return 1;
    lock_often(200000);  // more than fits into one piece of the recorder's file
    if (std::strcmp(arguments[1], "execute") == 0)
        execl("/proc/self/exe", arguments[0], "executed", nullptr);
    if (std::strcmp(arguments[1], "copy_executed") == 0)
        execve("/proc/self/exe", next, copy);
    if (std::strcmp(arguments[1], "copy_adopted") == 0) {
        environ = copy;
        execv("/proc/self/exe", next);
    }
    if (std::strcmp(arguments[1], "copy_spawned") == 0)
        return spawn(next, copy);
    if (std::strcmp(arguments[1], "strict") == 0)
        syscall(SYS_exit, 7);
    sched_yield();
    return 7;
}
