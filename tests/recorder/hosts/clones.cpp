// Children by clone: "own" with memory of their own, by the C library and by system calls; "shared" with that
// of their parent, and its variables of the thread.

#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdint>
#include <cstring>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
alignas(16) char stack[64 * 1024];

void lock_often(int times) {
    for (int i = 0; i < times; ++i) {
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
    }
}

int work(void* status) {
    lock_often(1000);
    return *static_cast<int*>(status);
}

int status_of(pid_t child) {
    int status = 0;
    if (child < 0 || waitpid(child, &status, __WALL) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

int clone_own() {
    int wanted = 5;
    pid_t const child = clone(work, stack + sizeof stack, SIGCHLD, &wanted);
    lock_often(1000);
    if (status_of(child) != wanted)
        return 1;
    clone_args arguments = {};
    arguments.exit_signal = SIGCHLD;
    auto const other = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    if (other == 0) {
        lock_often(1000);
        _exit(6);
    }
    return status_of(other) == 6 ? 0 : 2;
}

int clone_shared() {
    int wanted = 5;
    lock_often(10);
    pid_t const child = clone(work, stack + sizeof stack, CLONE_VM | SIGCHLD, &wanted);
    if (status_of(child) != wanted)
        return 1;
    lock_often(10);
    return 0;
}

}  // namespace

int main(int, char** arguments) {
    return std::strcmp(arguments[1], "own") == 0 ? clone_own() : clone_shared();
}
